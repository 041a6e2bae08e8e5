//! The vocabulary of expressions as people read it: all words, loops and operators, and the limits.

use super::code::{MAX_CALL_DEPTH, MAX_CALLS, MAX_LETS, MAX_LOCALS, MAX_NAMES};
use super::syntax::{MAX_DEPTH, MAX_LENGTH, MAX_PARTS};
use super::words::{OPERATORS, QUANTIFIERS, WORDS, name_of};
use super::{MAX_COST, MAX_COUNT};
use crate::eval::MAX_PAIRS;
use crate::eval::file::{MAX_FILE, MAX_NAME, MAX_STEPS, MAX_TEXT, MAX_WEIGHT};

/// What stands under one heading.
pub struct Section {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// One word, loop, operator or limit.
pub struct Row {
    /// How it is written: `own.promotion_distance(square)`; an idea in the words of players.
    pub usage: String,
    /// The type of its value, with the range of a number: `number, 0 to 6`.
    pub value: String,
    /// What it is, as a part of a sentence; of an idea, the expression.
    pub doc: String,
}

/// What people call what a word is for: `tropism words` finds the word by these, too.
fn synonyms() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("synonyms.txt").lines().filter_map(|line| line.split_once(": "))
}

impl Row {
    /// Whether the word means this: whether its name, its meaning and its synonyms contain all words of the text.
    pub fn is_about(&self, text: &str) -> bool {
        let synonyms = synonyms().filter(|(word, _)| *word == self.name());
        let texts = synonyms.map(|(_, synonyms)| synonyms).chain([self.name(), &self.doc]);
        let known = texts.collect::<Vec<_>>().join("\n").to_lowercase();
        let text = text.to_lowercase();
        text.split_whitespace().all(|word| known.contains(word.strip_suffix('s').unwrap_or(word)))
    }

    /// The word without its arguments and side.
    pub fn name(&self) -> &str {
        let name = name_of(&self.usage);
        name.strip_prefix("own.").unwrap_or(name)
    }
}

/// Whether people call something so that words are for: each word of the text stands in a synonym or an idea.
pub(super) fn is_name_for_words(text: &str) -> bool {
    let ideas = IDEAS_AND_MEANINGS.lines().filter_map(|line| line.split(" :: ").next());
    let texts = synonyms().map(|(_, synonyms)| synonyms).chain(ideas);
    let known: Vec<&str> = texts.flat_map(|text| text.split([' ', ',', '-'])).collect();
    let stem = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    text.split(' ').all(|word| known.iter().any(|known| stem(known) == stem(word)))
}

/// How to read the vocabulary.
pub const NOTES: [&str; 3] = [
    "`own` is the side that is measured, `enemy` the other one. Each word with `own.` exists with `enemy.` \
     too: it says the same of the other side.",
    "A square can stand where a set is wanted: it is the set of that square.",
    "In loops and operators, `a` and `b` are numbers, `p` and `q` conditions, `x` and `y` squares, and `s`, `t` \
     and `u` sets.",
];

/// The heading of whole expressions for what players have a name for.
pub const IDEAS: &str = "Ideas of players as expressions";

const IDEAS_AND_MEANINGS: &str = include_str!("ideas.txt");

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
        Section { title: IDEAS, rows: read(IDEAS_AND_MEANINGS) },
        Section { title: LIMITS, rows: read(&limits()) },
    ];
    words.chain(others).collect()
}

fn row(usage: impl Into<String>, value: impl Into<String>, doc: impl Into<String>) -> Row {
    Row { usage: usage.into(), value: value.into(), doc: doc.into() }
}

/// The rows of a text, `USAGE :: VALUE :: DOC` in each line.
fn read(text: &str) -> Vec<Row> {
    let rows = text.lines().filter_map(|line| {
        let (usage, rest) = line.split_once(" :: ")?;
        rest.split_once(" :: ").map(|(value, doc)| row(usage, value, doc))
    });
    rows.collect()
}

fn limits() -> String {
    let (min, max) = (i32::MIN, i32::MAX);
    format!(
        "numbers :: {min} to {max} :: a result beyond is the nearest of them
division by zero :: 0 :: the remainder of a division by zero is 0 as well
index beyond the array :: nearest end :: a negative index is the first pair, and one that is too large the last
count of a weight :: -{MAX_COUNT} to {MAX_COUNT} :: on one square; a count beyond is the nearest of them
worth :: -{MAX_WEIGHT} to {MAX_WEIGHT} centipawns :: of one pair
pairs of `worth` :: {MAX_PAIRS} in a term :: of all its weights
worth of all terms :: 8388607 centipawns :: for a side, either way; a larger sum wraps around and says nothing
length of an expression :: {MAX_LENGTH} bytes :: with at most {MAX_PARTS} words, numbers and operators; \
`let` names its parts
nested parentheses :: {MAX_DEPTH} levels :: `let` names the inner expression
names :: {MAX_LETS} of `let` :: in a term, those of the file that it reads among them
loops inside each other :: {MAX_LOCALS} levels :: `each` among them
calls of functions :: {MAX_CALLS} in a term :: those inside of functions too, each in at most {MAX_CALL_DEPTH} \
expressions
kept values :: {MAX_NAMES} in a term :: of names and arguments that are read more than once
texts :: {MAX_TEXT} bytes :: of `doc`, `unit` and `says`, in one line; a name has {MAX_NAME}
file :: {MAX_FILE} bytes :: with its comments
steps :: {MAX_COST} for a position :: the most that all terms written in one file may take together. A word or \
operator is 1 step, a loop is its body times the most squares that its set has in a game; the moves, reach and paths \
of pieces are 60 to 200 steps
steps of words and drawings :: {MAX_STEPS} :: of `says` and `draws` of a term"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documentation::{assert_table, list_item};

    #[test]
    fn synonyms_are_of_words() {
        for (word, _) in synonyms() {
            let mut rows = vocabulary().into_iter().flat_map(|section| section.rows);
            assert!(rows.any(|row| row.name() == word), "{word}");
        }
    }

    /// The page names the words, those of the same arguments together; the command `words` explains them.
    #[test]
    fn the_list_of_words_is_up_to_date() {
        let mut text: String = NOTES.iter().map(|note| list_item(note)).collect();
        text.push('\n');
        for Section { title, rows } in vocabulary().into_iter().filter(|it| it.title != IDEAS) {
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
