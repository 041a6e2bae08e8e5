//! Wording that messages share.

mod balance;

pub use balance::Balance;
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, san::SanPlus};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::{collections::HashSet, fmt};

/// The most columns of text: longer lines are hard to read.
const MAX_COLUMNS: usize = 96;
/// The fewest columns of text: indented text in fewer columns would be one word a line.
pub const MIN_COLUMNS: usize = 40;

/// How many columns [`wrapped`] fills. The library does not know a terminal; the command line does.
static COLUMNS: AtomicUsize = AtomicUsize::new(MAX_COLUMNS);

/// Sets how many columns the terminal has.
pub fn set_columns(columns: usize) {
    COLUMNS.store(columns.clamp(MIN_COLUMNS, MAX_COLUMNS), Relaxed);
}

/// How many columns the output fills at most.
pub fn columns() -> usize {
    COLUMNS.load(Relaxed)
}

/// The most names that a suggestion lists.
const SUGGESTIONS: usize = 3;

/// A number with its noun: `1 move`, `2 moves`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Parts of a sentence as a list: `a`, `a and b`, `a, b and c`.
pub fn joined(parts: &[String]) -> String {
    joined_by("and", parts)
}

/// The same with another conjunction: `a, b or c`.
pub fn joined_by(conjunction: &str, parts: &[String]) -> String {
    match parts {
        [others @ .., last] if !others.is_empty() => {
            format!("{} {conjunction} {last}", others.join(", "))
        }
        parts => parts.concat(),
    }
}

/// The same text with a capital letter.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The beginning of a text, so that it can be recognised.
pub(crate) fn shortened(text: &str, characters: usize) -> String {
    let end = text.char_indices().nth(characters);
    end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}...", &text[..end]))
}

/// The article of a noun.
pub fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// What a piece is called.
pub const fn noun(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A side's name.
pub fn side_name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// The number of the next move: `22.` for White, `21...` for Black.
pub fn move_number(position: &Chess) -> String {
    let dots = position.turn().fold_wb(".", "...");
    format!("{}{dots}", position.fullmoves())
}

/// How a position writes castling in UCI: as Chess960 does, if it is one of Chess960.
pub fn castling_mode(position: &Chess) -> CastlingMode {
    position.castles().mode()
}

/// Moves in SAN with their numbers as players write them, one word for each: `21...d4`, `22.Nd5`,
/// `Qd8`.
pub fn numbered_moves(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut words = Vec::new();
    for &m in moves {
        let number = match position.turn() {
            Color::Black if !words.is_empty() => String::new(),
            _ => move_number(&position),
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        words.push(format!("{number}{san}"));
    }
    words
}

/// Moves in SAN with their numbers, such as `21...d4 22.Nd5 Qd8`.
pub fn line_in_san(start: &Chess, moves: &[Move]) -> String {
    numbered_moves(start, moves).join(" ")
}

/// A hint for an unknown name, such as `did you mean "centre"?`: the known names that contain the
/// given one, or else the name that differs from it in the fewest letters. `None` if no known name
/// is similar.
pub fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    similar_names(given, known.into_iter().collect())
}

/// Exists once, not once for each type of names.
fn similar_names(given: &str, mut similar: Vec<&str>) -> Option<String> {
    let edits = |name: &str| strsim::damerau_levenshtein(given, name);
    let length = given.chars().count();
    // A name that is much shorter is not similar. The comparison with a text of any length, such as a
    // key of a wrong file, could take minutes.
    // A name may be known twice, as a word with and without arguments.
    let mut seen = HashSet::new();
    similar.retain(|name| length <= name.len() + max_edits(name) && seen.insert(*name));
    similar.sort_by_cached_key(|name| (!name.contains(given), edits(name)));
    let containing = similar.iter().take_while(|name| name.contains(given)).count();
    similar.truncate(containing.clamp(1, SUGGESTIONS));
    if containing == 0 {
        similar.retain(|name| edits(name) <= max_edits(name));
    }
    let names: Vec<String> = similar.iter().map(|name| format!("{name:?}")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", joined_by("or", &names)))
}

/// How many letters a similar name can differ in.
const fn max_edits(name: &str) -> usize {
    1 + name.len() / 3
}

/// Writes a paragraph that starts at a column, broken between words. The lines after the first are
/// indented. Escape codes of terminals take no columns.
pub fn wrapped(out: &mut impl fmt::Write, column: usize, indent: usize, text: &str) -> fmt::Result {
    writeln!(out, "{}", broken(columns(), column, indent, text))
}

/// The same as text, in at most `max` columns. A gap of several blanks belongs to a table and is never a break.
pub fn broken(max: usize, mut column: usize, indent: usize, text: &str) -> String {
    let mut broken = String::new();
    for (place, word) in text.split(' ').enumerate() {
        let length = width(word);
        let is_gap = length == 0 || broken.ends_with(' ');
        if column > indent && !is_gap && column + 1 + length > max {
            broken += &format!("\n{:indent$}{word}", "");
            column = indent + length;
            continue;
        }
        let space = if place > 0 { " " } else { "" };
        broken.extend([space, word]);
        column += space.len() + length;
    }
    broken
}

/// The columns that a text takes in a terminal: escape codes of colours take none.
pub fn width(text: &str) -> usize {
    let mut parts = text.split("\u{1b}[");
    let plain = parts.next().map_or(0, |part| part.chars().count());
    let after_code = |part: &str| part.split_once('m').map_or(0, |(_, text)| text.chars().count());
    plain + parts.map(after_code).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let known = ["centre", "kings", "knight_fill", "knight_jumps", "knight_attacks"];
        let hint = |given| did_you_mean(given, known);
        assert_eq!(hint("center").as_deref(), Some("did you mean \"centre\"?"));
        assert_eq!(
            hint("knight").as_deref(),
            Some("did you mean \"knight_fill\", \"knight_jumps\" or \"knight_attacks\"?")
        );
        assert_eq!(
            did_you_mean("tw", ["two", "one", "two"]).as_deref(),
            Some("did you mean \"two\"?")
        );
        assert_eq!(hint("zzzzzz"), None);
        // This would take gigabytes if it were compared letter by letter.
        assert_eq!(hint(&"z".repeat(100_000_000)), None);
    }

    #[test]
    fn escape_codes_take_no_columns() {
        assert_eq!(width("Zürich"), 6);
        assert_eq!(width("\u{1b}[1mtwo\u{1b}[0m \u{1b}[38;5;16mwords\u{1b}[0m"), 9);
    }

    #[test]
    fn only_one_has_no_plural() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "move")), ["0 moves", "1 move", "2 moves"]);
    }
}
