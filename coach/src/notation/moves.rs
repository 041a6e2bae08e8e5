//! Words that mean moves.

use super::language::{ENGLISH, Language};
use shakmaty::{
    CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, san::SanPlus,
};
use std::sync::LazyLock;
use tropism::notation::{is_dash, is_zero_width};
use tropism::text::{joined_by, noun, side_name};

/// Why a word is not understood as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// The word does not look like a move.
    NotAMove,
    /// It is a move of the descriptive notation, such as `P-K4`.
    Descriptive,
    /// It does, but no legal move is written this way.
    NoMove(Form),
    /// Several legal moves are.
    Ambiguous(Vec<Move>),
}

/// What a word says about a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    Castling(CastlingSide),
    Move {
        /// The piece, if the word names one or means a pawn.
        role: Option<Role>,
        from: (Option<File>, Option<Rank>),
        /// A pawn's capture can be written without the rank.
        to: (File, Option<Rank>),
        promotion: Option<Role>,
    },
}

/// The legal move that a word means, with English letters or figurines.
///
/// It may be SAN, UCI, long algebraic notation, or one of the many forms in between: with or without the signs for
/// captures, checks and promotions, with comments such as `!?`, with squares that SAN leaves out, in wrong case.
///
/// # Errors
///
/// If the word means no legal move, or several.
///
/// ```
/// use tropism::shakmaty::Chess;
/// use tropism_coach::notation::read_move;
/// let start = Chess::default();
/// for word in ["Nf3", "g1f3", "Ng1-f3", "\u{2658}f3!?", "nf3,"] {
///     assert_eq!(read_move(word, &start), read_move("Nf3", &start), "{word}");
/// }
/// let reason = read_move("Nf4", &start).unwrap_err().reason(&start);
/// assert_eq!(reason, "no knight can go to f4");
/// ```
pub fn read_move(word: &str, position: &Chess) -> Result<Move, Misread> {
    read_move_in(ENGLISH, word, position)
}

/// As [`read_move`], with the letters of a language.
pub fn read_move_in(language: Language, word: &str, position: &Chess) -> Result<Move, Misread> {
    // Small letters are files before they are pieces: `bxc3` is a pawn's move if it can be.
    read(language, word, position, &[false, true])
}

/// As [`read_move_in`], but only what people of this language usually write: with letters in the right case, and
/// without a letter for a pawn.
pub fn read_usual_move(language: Language, word: &str, position: &Chess) -> Result<Move, Misread> {
    match word.starts_with('P') && language == ENGLISH {
        true => Err(Misread::NotAMove),
        false => read(language, word, position, &[false]),
    }
}

fn read(language: Language, word: &str, position: &Chess, loose: &[bool]) -> Result<Move, Misread> {
    let (word, _) = split_suffix(word);
    let word = plain(word);
    let legal = position.legal_moves();
    let mut misread = match is_descriptive(&word) {
        true => Misread::Descriptive,
        false => Misread::NotAMove,
    };
    for &loose in loose {
        for form in forms(language, &word, loose) {
            let mut meant: Vec<Move> =
                legal.iter().copied().filter(|&m| form.means(m, position.turn())).collect();
            // In Chess960 the king can step where it would stand after castling.
            if meant.len() > 1 && meant.iter().any(|m| !m.is_castle()) {
                meant.retain(|m| !m.is_castle());
            }
            match (&meant[..], &misread) {
                ([m], _) => return Ok(*m),
                ([], Misread::NotAMove | Misread::Descriptive) => misread = Misread::NoMove(form),
                ([], _) => {}
                _ => return Err(Misread::Ambiguous(meant)),
            }
        }
    }
    Err(misread)
}

/// Marks and signs after a move, as words or at its end, with their numbers in PGN. The longest come first.
pub static MARKS: LazyLock<Vec<(&str, u32)>> = LazyLock::new(|| {
    let rows = include_str!("marks.txt").lines().filter_map(|row| row.split_once(' '));
    let rows = rows.filter_map(|(number, signs)| Some((number.parse().ok()?, signs)));
    rows.flat_map(|(number, signs)| signs.split(' ').map(move |sign| (sign, number))).collect()
});

/// The move and what follows it without a space: signs of check and mate, marks such as `!?`, `e.p.`, a comma.
pub fn split_suffix(word: &str) -> (&str, &str) {
    const SIGNS: [char; 9] = ['+', '#', '.', ',', ':', '\u{2020}', '\u{2021}', '~', '*'];
    const WORDS: [&str; 10] =
        ["e.p", "ep", "dbl.ch", "dblch", "dis.ch", "disch", "ch", "mate", "mat", "matt"];
    // A new move, as in `7.Bb5N`. On the ranks of promotion it may be a knight.
    let novelty = word.strip_suffix("TN").or_else(|| word.strip_suffix('N'));
    let mut rest =
        novelty.filter(|rest| rest.ends_with(|c| matches!(c, '2'..='7'))).unwrap_or(word);
    let is_sign = |mark: &str| !mark.contains(|c: char| c.is_ascii_alphabetic());
    loop {
        // Most words end with the rank of a square, and no sign does.
        if rest.ends_with(|c: char| c.is_ascii_digit()) {
            return (rest, &word[rest.len()..]);
        }
        let mut signs = MARKS.iter().map(|&(sign, _)| sign).filter(|sign| is_sign(sign));
        let shorter = signs
            .find_map(|sign| rest.strip_suffix(sign))
            .or_else(|| rest.strip_suffix(SIGNS))
            .or_else(|| {
                WORDS.into_iter().find_map(|end| {
                    let at = rest.len().checked_sub(end.len())?;
                    rest.get(at..)?.eq_ignore_ascii_case(end).then(|| &rest[..at])
                })
            });
        // A word of signs only is not a move with signs.
        match shorter {
            Some(shorter) => rest = shorter,
            None => return (rest, &word[rest.len()..]),
        }
    }
}

/// Whether a word looks like `P-K4`, `N-KB3` or `QxP`.
fn is_descriptive(word: &str) -> bool {
    let Some((piece, to)) = word.split_once(['-', 'x']) else { return false };
    let is_piece = |text: &str| !text.is_empty() && text.chars().all(|c| "KQRBNPT".contains(c));
    is_piece(piece) && is_piece(to.trim_end_matches(|c| matches!(c, '1'..='8')))
}

/// Signs that look alike become one: dashes, crosses, Cyrillic letters in the names of files.
fn plain(word: &str) -> String {
    let sign = |c| match c {
        c if is_dash(c) => Some('-'),
        '\u{d7}' | '\u{2715}' | '\u{445}' | '\u{425}' => Some('x'),
        '\u{430}' => Some('a'),
        '\u{435}' => Some('e'),
        '\u{441}' => Some('c'),
        '\u{41e}' | '\u{43e}' => Some('O'),
        // They ask for a character as text or as a picture.
        '\u{fe0e}' | '\u{fe0f}' => None,
        c if is_zero_width(c) => None,
        c => Some(c),
    };
    word.chars().filter_map(sign).collect()
}

/// What a word can mean, the likeliest first.
fn forms(language: Language, word: &str, loose: bool) -> Vec<Form> {
    let circles: String = word.chars().filter(|&c| c != '-').collect();
    let is_castling = circles.chars().all(|c| matches!(c, '0' | 'O' | 'o'))
        && (word.contains('-') || !circles.contains('0') || !circles.contains(['O', 'o']));
    match circles.len() {
        2 if is_castling => return vec![Form::Castling(CastlingSide::KingSide)],
        3 if is_castling => return vec![Form::Castling(CastlingSide::QueenSide)],
        _ => {}
    }
    let lower = word.to_lowercase();
    let squares = if loose { &lower } else { word };
    // A capital letter is a file only where all letters are capitals: no bishop for `Bb6` does not mean the pawn's b6.
    let is_piece = word.starts_with(char::is_uppercase)
        && word.contains(char::is_lowercase)
        && (language.pieces(word, false).next().is_some()
            || word.chars().nth(1).is_some_and(|c| matches!(c, 'a'..='h')));
    let without = form(language, None, squares).filter(|_| !(loose && is_piece));
    let with = language.pieces(word, loose).filter_map(|(role, rest)| {
        let rest = if loose { rest.to_lowercase() } else { rest.to_owned() };
        form(language, Some(role), &rest)
    });
    without.into_iter().chain(with).collect()
}

/// Reads what follows the letter of the piece.
fn form(language: Language, role: Option<Role>, text: &str) -> Option<Form> {
    /// A part of the name of a square.
    enum Part {
        File(File),
        Rank(Rank),
    }
    use Part::{File as F, Rank as R};
    let mut parts = Vec::new();
    // A piece must precede a sign.
    if role.is_none() && text.starts_with(['-', 'x', ':']) {
        return None;
    }
    let mut signs = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if let Some(file) = File::from_char(c) {
            // In `a8b` the pawn becomes a bishop.
            if after.is_empty() && parts.len() > 1 && matches!(parts.last(), Some(R(_))) {
                break;
            }
            parts.push(F(file));
        } else if let Some(rank) = Rank::from_char(c) {
            parts.push(R(rank));
        } else if matches!(c, '-' | 'x' | ':')
            && after.starts_with(|c| File::from_char(c).is_some())
        {
            signs += 1;
        } else {
            break;
        }
        rest = after;
    }
    let becomes = rest.trim_start_matches(['=', '/', '(', ':', '-']).trim_end_matches(')');
    let promotion = match becomes {
        "" => None,
        _ => {
            let mut named = language.pieces(becomes, true).filter(|(_, rest)| rest.is_empty());
            Some(named.next()?.0)
        }
    };
    let (from, to) = match parts[..] {
        [F(file), R(rank)] => ((None, None), (file, Some(rank))),
        // Nobody writes the file of a pawn twice: `bb6` is a bishop's move.
        [F(from), F(file), _] if role.is_none() && from == file => return None,
        [F(from), F(file), R(rank)] => ((Some(from), None), (file, Some(rank))),
        [R(from), F(file), R(rank)] => ((None, Some(from)), (file, Some(rank))),
        [F(from), R(start), F(file), R(rank)] => ((Some(from), Some(start)), (file, Some(rank))),
        [F(from), F(file)] if role.is_none() => ((Some(from), None), (file, None)),
        _ => return None,
    };
    // Without a letter, only two squares can mean a piece.
    let pawn = (!matches!(from, (Some(_), Some(_)))).then_some(Role::Pawn);
    (signs <= 1).then_some(Form::Move { role: role.or(pawn), from, to, promotion })
}

/// Whether a square is on a file and on a rank, as far as these are known.
fn is_on((file, rank): (Option<File>, Option<Rank>), square: Square) -> bool {
    file.is_none_or(|file| file == square.file()) && rank.is_none_or(|rank| rank == square.rank())
}

impl Form {
    /// Whether a legal move can be written this way.
    fn means(self, m: Move, turn: Color) -> bool {
        let (role, from, to, promotion) = match self {
            Form::Castling(side) => return m.castling_side() == Some(side),
            Form::Move { role, from, to: (file, rank), promotion } => {
                (role, from, (Some(file), rank), promotion)
            }
        };
        // As in UCI, by the squares of the king or by those of king and rook.
        let castles = |side: CastlingSide| {
            matches!(from, (Some(_), Some(_)))
                && (is_on(to, side.king_to(turn)) || is_on(to, m.to()))
        };
        // A square alone is no capture of a pawn: in a game it is more likely that a move is missing.
        let may_capture = role != Some(Role::Pawn) || from != (None, None);
        let moves = || {
            (may_capture || !m.is_capture())
                && is_on(to, m.to())
                && (promotion.is_none() || promotion == m.promotion())
        };
        role.is_none_or(|role| role == m.role())
            && m.from().is_some_and(|square| is_on(from, square))
            && m.castling_side().map_or_else(moves, castles)
    }

    /// Why no legal move is written this way.
    fn reason(self, position: &Chess) -> String {
        let turn = side_name(position.turn());
        let (role, from, to) = match self {
            Form::Castling(side) => {
                let wing = if side.is_king_side() { "king" } else { "queen" };
                return format!("{turn} cannot castle on the {wing}'s side");
            }
            Form::Move { role: Some(piece), promotion: Some(_), .. } if piece != Role::Pawn => {
                return "this is no move".to_owned();
            }
            Form::Move { to: (_, None), .. } => return "no pawn can capture so".to_owned(),
            Form::Move { role, from, to: (file, Some(rank)), .. } => {
                (role, from, Square::from_coords(file, rank))
            }
        };
        let board = position.board();
        let own = board.by_color(position.turn());
        let is_piece = |&square: &Square| {
            is_on(from, square) && role.is_none_or(|role| board.role_at(square) == Some(role))
        };
        let pieces: Vec<Square> = own.into_iter().filter(is_piece).collect();
        let (place, standing) = match from {
            (Some(file), Some(rank)) => {
                let square = Square::from_coords(file, rank);
                (format!(" on {square}"), board.role_at(square))
            }
            (Some(file), None) => (format!(" on the {file}-file"), None),
            (None, Some(rank)) => (format!(" on rank {rank}"), None),
            (None, None) => (String::new(), None),
        };
        let piece = role.or(standing).map_or("piece", noun);
        let attacks = |&square: &Square| board.attacks_from(square).contains(to);
        match board.role_at(to).filter(|_| own.contains(to)) {
            _ if pieces.is_empty() => format!("{turn} has no {piece}{place}"),
            Some(blocker) => format!("{to} is occupied by {turn}'s {}", noun(blocker)),
            None if role != Some(Role::Pawn) && pieces.iter().any(attacks) => {
                format!("the king would be in check after a move of this {piece} to {to}")
            }
            None => format!("no {piece}{place} can go to {to}"),
        }
    }
}

impl Misread {
    /// The reason in words, such as `no knight can go to f4`.
    pub fn reason(&self, position: &Chess) -> String {
        if position.legal_moves().is_empty() {
            let end = if position.is_check() { "checkmate" } else { "stalemate" };
            return format!("the game is over by {end}");
        }
        match self {
            Misread::Descriptive => {
                "descriptive notation is not read; write algebraic notation, such as e4".to_owned()
            }
            Misread::NotAMove => "this is no move".to_owned(),
            Misread::NoMove(form) => form.reason(position),
            Misread::Ambiguous(moves) => {
                let name = |&m: &Move| SanPlus::from_move(position.clone(), m).to_string();
                let names: Vec<String> = moves.iter().map(name).collect();
                format!("it can mean {}", joined_by("or", &names))
            }
        }
    }
}
