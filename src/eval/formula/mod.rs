//! Terms that an engine file writes itself.
//!
//! A term of an engine file is measured by expressions over numbers, squares, sets of squares and
//! conditions. [`syntax`] reads the text, [`compile`] checks types, ranges and cost and makes
//! closures, which [`term`] runs. The vocabulary is one table, [`words`].
//!
//! Every expression is *total*: it ends in bounded time with a number within [`MAX_NUMBER`]. Loops run
//! over the squares of a set only; ranges and cost are computed when the file is loaded, and a file
//! that could leave them is rejected. Division by zero and the remainder of it are 0; an index beyond
//! the array counts as the nearest end of it.

mod code;
mod compile;
#[cfg(test)]
mod random_tests;
mod syntax;
mod term;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;
#[cfg(test)]
mod words_tests;

use std::ops::Range;
pub(super) use syntax::MAX_LENGTH;
pub(super) use term::{FormulaTerm, Subject, TermBuilder, WeightBuilder, largest};
pub(crate) use vocabulary::{LIMITS, NOTES, vocabulary};

/// The most squares of a set.
const SQUARES: u64 = 64;

/// The largest number that an expression may have as a value, either way.
pub(super) const MAX_NUMBER: i64 = 1_000_000;

/// The most steps that the formula terms of one engine file may take for one position. A step is a word
/// or an operator, some nanoseconds: the search looks at the clock often enough in any case.
pub(super) const MAX_COST: u64 = 50_000;

/// The type of an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
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
    /// The type in one word.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Type::Number => "number",
            Type::Square => "square",
            Type::Set => "set",
            Type::Condition => "condition",
        }
    }

    /// The type with its article.
    const fn article(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Square => "a square",
            Type::Set => "a set of squares",
            Type::Condition => "a condition",
        }
    }

    /// An expression of the type, for error messages.
    const fn example(self) -> &'static str {
        match self {
            Type::Number => "chebyshev(own.king, enemy.king)",
            Type::Square => "enemy.king",
            Type::Set => "own.rooks | own.queens",
            Type::Condition => "count(own.pawns) > 3",
        }
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
