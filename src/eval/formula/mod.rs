//! Terms that an engine file writes itself.
//!
//! A term of an engine file is measured by expressions over numbers, squares, sets of squares and
//! conditions. [`syntax`] reads the text, [`compile`] checks types and counts steps, [`generate`] makes closures of the
//! typed [`tree`], and [`term`] runs them. The vocabulary is one table, [`words`].
//!
//! Every expression is *total*: it ends in bounded time with a value. Loops run over the squares of a set
//! only, and a file whose terms could take more than [`MAX_COST`] steps for a position is rejected. A
//! number stays at the limit that it would exceed ([`i32`]); division by zero and the remainder of it are
//! 0; an index beyond the array counts as the nearest end of it.

mod code;
mod compile;
#[cfg(any(test, fuzzing))]
mod files_tests;
mod functions;
mod generate;
mod hints;
#[cfg(any(test, fuzzing))]
#[expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]
mod plain_tests;
#[cfg(test)]
mod random_tests;
mod shown;
mod syntax;
mod template;
mod term;
#[cfg(test)]
mod tests;
mod tree;
mod vocabulary;
mod words;
#[cfg(test)]
mod words_tests;

pub(super) use code::Code;
pub(super) use compile::{Compiler, Subject};
#[cfg(test)]
pub(super) use files_tests::PAIRS;
#[cfg(fuzzing)]
pub use files_tests::compare as compare_formulas;
pub(super) use shown::{Drawing, Way, ways};
use std::ops::Range;
pub use syntax::MAX_LENGTH;
pub(super) use template::Template;
pub(super) use term::{Amount, FormulaTerm, FormulaWeight, Sum, Told};
pub(super) use tree::Tree;
pub use vocabulary::{IDEAS, LIMITS, NOTES, vocabulary};

/// The most squares of a set.
const SQUARES: u64 = 64;

/// The largest count of a weight on one square, either way. A term has at most 64 x 64 squares for a weight, and
/// the difference of both sides then fits an [`i32`], which the tuner needs.
const MAX_COUNT: i32 = 200_000;

/// The most steps that the formula terms of one engine file may take for one position. A step is a word
/// or an operator, some nanoseconds: the search looks at the clock often enough in any case.
pub(super) const MAX_COST: u64 = 100_000;

/// The type of an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A whole number.
    Number,
    /// A square of the board.
    Square,
    /// A set of squares.
    Set,
    /// True or false.
    Condition,
}

impl Type {
    /// The type in one word, the type with its article, and an expression of it.
    const fn words(self) -> [&'static str; 3] {
        match self {
            Type::Number => ["number", "a number", "chebyshev(own.king, enemy.king)"],
            Type::Square => ["square", "a square", "enemy.king"],
            Type::Set => ["set", "a set of squares", "own.rooks | own.queens"],
            Type::Condition => ["condition", "a condition", "count(own.pawns) > 3"],
        }
    }

    /// The type in one word.
    const fn noun(self) -> &'static str {
        self.words()[0]
    }
}

/// A mistake in an expression: where it is, what is wrong, and how to write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mistake {
    /// The bytes of the expression's text.
    pub(super) span: Range<usize>,
    pub(super) message: String,
    /// A right expression of the kind.
    pub(super) example: Option<&'static str>,
}

impl Mistake {
    fn new(span: Range<usize>, message: impl Into<String>) -> Mistake {
        Mistake { span, message: message.into(), example: None }
    }

    /// The same in a text that begins so many bytes before.
    pub(super) fn moved(self, bytes: usize) -> Mistake {
        Mistake { span: self.span.start + bytes..self.span.end + bytes, ..self }
    }

    /// Adds how to fix it.
    fn hint(mut self, hint: impl AsRef<str>) -> Mistake {
        self.message.push_str("; ");
        self.message.push_str(hint.as_ref());
        self
    }

    fn example(self, example: &'static str) -> Mistake {
        Mistake { example: Some(example), ..self }
    }
}
