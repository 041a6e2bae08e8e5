//! The vocabulary of expressions as people read it: all words, loops and operators, and the limits.

use super::syntax::{MAX_DEPTH, MAX_LENGTH, MAX_PARTS};
use super::words::{OPERATORS, QUANTIFIERS, WORDS, name_of};
use super::{
    MAX_COST, MAX_COUNT,
    code::{MAX_LETS, MAX_LOCALS},
};

/// What stands under one heading.
pub struct Section {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// One word, loop, operator or limit.
pub struct Row {
    /// How it is written: `own.promotion_distance(square)`.
    pub usage: String,
    /// The type of its value, with the range of a number: `number, 0 to 6`.
    pub value: String,
    /// What it is, as a part of a sentence.
    pub doc: String,
}

/// What people call what a word is for: `tropism words` finds the word by these, too.
const SYNONYMS: [(&str, &str); 20] = [
    ("same_colour", "light squares, dark squares, color, bad bishop"),
    ("other_colour", "light squares, dark squares, color, weak colour complex"),
    ("pinned", "absolute pin"),
    ("blockers", "pins, discovered check"),
    ("passed", "passers"),
    ("outposts", "strong squares, holes"),
    ("pawn_spans", "holes, weak squares, front spans"),
    ("exchange", "static exchange evaluation, see, hanging, en prise"),
    ("bishop_lines", "x-ray, battery, sliders"),
    ("rook_lines", "x-ray, battery, sliders"),
    ("queen_lines", "x-ray, battery, sliders"),
    ("open_files", "open file"),
    ("half_open_files", "semi-open files"),
    ("queenside", "wing, flank"),
    ("kingside", "wing, flank"),
    ("ahead", "front, stop squares"),
    ("first", "only, single, frontmost, lowest"),
    ("west", "left, shift, neighbour file"),
    ("east", "right, shift, neighbour file"),
    ("attacks", "control, defended, protected"),
];

impl Row {
    /// Whether the word means this: whether its name, its meaning or a synonym contains the text.
    pub fn is_about(&self, text: &str) -> bool {
        let synonyms = SYNONYMS.iter().filter(|(word, _)| *word == self.name());
        let texts = synonyms.map(|&(_, synonyms)| synonyms).chain([self.name(), &self.doc]);
        texts.map(str::to_lowercase).any(|known| known.contains(&text.to_lowercase()))
    }

    /// The word without its arguments and side.
    pub fn name(&self) -> &str {
        let name = name_of(&self.usage);
        name.strip_prefix("own.").unwrap_or(name)
    }
}

/// How to read the vocabulary.
pub const NOTES: [&str; 3] = [
    "`own` is the side that is measured, `enemy` the other one. Each word with `own.` exists with `enemy.` \
     too: it says the same of the other side.",
    "A square can stand where a set is wanted: it is the set of that square.",
    "In loops and operators, `a` and `b` are numbers, `p` and `q` conditions, `x` and `y` squares, and `s`, `t` \
     and `u` sets.",
];

/// The heading of the limits, which are no words.
pub const LIMITS: &str = "Limits";

/// The whole vocabulary, in the order of the documentation.
pub fn vocabulary() -> Vec<Section> {
    let words = WORDS.iter().map(|(title, words)| Section {
        title,
        rows: words.iter().map(|word| row(word.usage(), word.value(), &*word.doc)).collect(),
    });
    let described = |rows: &[(&str, &str, &str)]| {
        rows.iter().map(|&(usage, value, doc)| row(usage, value, doc)).collect()
    };
    let others = [
        Section { title: "Loops over the squares of a set", rows: described(QUANTIFIERS) },
        Section { title: "Operators, the strongest first", rows: described(OPERATORS) },
        Section { title: LIMITS, rows: limits() },
    ];
    words.chain(others).collect()
}

fn row(usage: impl Into<String>, value: impl Into<String>, doc: impl Into<String>) -> Row {
    Row { usage: usage.into(), value: value.into(), doc: doc.into() }
}

fn limits() -> Vec<Row> {
    vec![
        row(
            "numbers",
            format!("{} to {}", i32::MIN, i32::MAX),
            "a result beyond is the nearest of them",
        ),
        row("division by zero", "0", "the remainder of a division by zero is 0 as well"),
        row(
            "index beyond the array",
            "nearest end",
            "a negative index is the first pair, and an index that is too large the last",
        ),
        row(
            "count of a weight",
            format!("{} to {MAX_COUNT}", -MAX_COUNT),
            "on one square; a count beyond is the nearest of them",
        ),
        row(
            "worth of all terms",
            "8388607 centipawns",
            "for a side, either way; a larger sum wraps around and says nothing",
        ),
        row(
            "length of an expression",
            format!("{MAX_LENGTH} bytes"),
            format!("with at most {MAX_PARTS} words, numbers and operators; `let` names its parts"),
        ),
        row(
            "nested parentheses",
            format!("{MAX_DEPTH} levels"),
            "`let` names the inner expression",
        ),
        row(
            "names",
            format!("{MAX_LETS} of `let`"),
            "in a term, those of the file that it reads among them",
        ),
        row("loops inside each other", format!("{MAX_LOCALS} levels"), "`each` among them"),
        row(
            "steps",
            format!("{MAX_COST} for a position"),
            "the most that all terms written in one file may take together. A word or operator is 1 step, \
             a loop is its body times the most squares that its set has in a game; the moves, reach and paths of pieces are 60 to 200 steps",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documentation::{assert_table, list_item};

    #[test]
    fn synonyms_are_of_words() {
        for (word, _) in SYNONYMS {
            let mut rows = vocabulary().into_iter().flat_map(|section| section.rows);
            assert!(rows.any(|row| row.name() == word), "{word}");
        }
    }

    /// The page names the words, those of the same arguments together; the command `words` explains them.
    #[test]
    fn the_list_of_words_is_up_to_date() {
        let mut text: String = NOTES.iter().map(|note| list_item(note)).collect();
        text.push('\n');
        for Section { title, rows } in vocabulary() {
            let mut groups: Vec<(String, String)> = Vec::new();
            for Row { usage, value, .. } in rows {
                let (name, arguments) = match (title, usage.split_once('(')) {
                    (LIMITS, _) => (format!("{usage} {value}"), String::new()),
                    (_, Some((name, rest))) => (format!("`{name}`"), format!(" `({rest}`")),
                    (_, None) => (format!("`{usage}`"), String::new()),
                };
                match groups.last_mut() {
                    Some((names, same)) if *same == arguments => *names += &format!(", {name}"),
                    _ => groups.push((name, arguments)),
                }
            }
            let groups: Vec<String> =
                groups.into_iter().map(|(names, arguments)| names + &arguments).collect();
            text += &list_item(&format!("**{title}:** {}", groups.join("; ")));
        }
        assert_table("docs/words-of-terms.md", "words", text.trim_end());
    }
}
