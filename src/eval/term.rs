//! The contract of a plug-in.

use super::{EvalContext, Meaning, Sink};
use shakmaty::Color;

/// An evaluation term: a plug-in that measures distances in a position.
///
/// A term lives in one file of [`terms`](crate::terms). It declares what it is called, which
/// weights it has and, if its formula needs any, which parameters; the values of all of them
/// stand in engine files and nowhere in code. [`Term::measure`] is written once, for every reader.
///
/// ```
/// use shakmaty::Color;
/// use tropism::eval::meaning::{ROOK_STEPS, distance, own, place};
/// use tropism::eval::{EvalContext, Sink, Term, Weight, WeightSpec, find};
/// use tropism::geometry::centre_manhattan;
///
/// /// A king should stand in the centre when few pieces are left.
/// struct CentralKing;
///
/// impl Term for CentralKing {
///     const NAME: &'static str = "central_king";
///     const DOC: &'static str = "A king should stand in the centre when few pieces are left.";
///     const SOURCE: &'static str = "Chess Programming Wiki, Center Manhattan-Distance";
///     const WEIGHTS: &'static [WeightSpec] =
///         &[WeightSpec::pair("step", own("king").is(distance(ROOK_STEPS, place("the centre"))))];
///
///     fn new(_: &[i32]) -> Self {
///         CentralKing
///     }
///
///     fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
///         const STEP: Weight = find(CentralKing::WEIGHTS, "step");
///         let king = context.side(side).king;
///         sink.add(STEP, centre_manhattan(king) as i32, king);
///     }
/// }
/// ```
pub trait Term: Sized + Send + Sync + 'static {
    /// Its key in engine files and its row in the trace: lower case, words joined by `_`.
    const NAME: &'static str;

    /// One sentence for people: what it measures and why that matters on the board.
    const DOC: &'static str;

    /// Where the idea was published.
    const SOURCE: &'static str;

    /// The weights it multiplies its counts with, in a fixed order.
    const WEIGHTS: &'static [WeightSpec];

    /// Whole numbers inside the term's formula, such as a ratio in a mean. Engine files set them like
    /// weights, but a count is not linear in them, so the tuner leaves them alone.
    const PARAMETERS: &'static [ParameterSpec] = &[];

    /// The positions that the term applies to. A term of activity or structure says
    /// [`Scope::NotBareKing`], so that it does not disturb the terms that mate a bare king.
    const SCOPE: Scope = Scope::Everywhere;

    /// Whether the tuner fits the weights to the results of games. Weights that drive a won ending to
    /// mate come from exact tables or from a published formula; games say little about them.
    const TUNED_FROM_GAMES: bool = true;

    /// Whether the term reads only the pawns and kings of the context. Its sum is then cached until one
    /// of them moves.
    const PAWNS_AND_KINGS: bool = false;

    /// Makes the term from its parameters, one value for each entry of [`Term::PARAMETERS`], in order.
    fn new(parameters: &[i32]) -> Self;

    /// Reports everything that it measures for `side`, good or bad, to `sink`.
    ///
    /// In the mirrored position, the term should report the same counts for the other side on the mirrored
    /// squares; a test checks all shipped terms.
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S);
}

/// The positions that a term applies to. A *bare king ending* is a position in which one side has
/// nothing but its king and the pieces of the other side can force mate
/// ([`EvalContext::is_bare_king_ending`]).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All positions.
    Everywhere,
    /// Bare king endings only: the term is not measured anywhere else.
    BareKing,
    /// All positions except bare king endings.
    NotBareKing,
}

impl Scope {
    /// Whether a position belongs to the scope, given whether it is a bare king ending.
    pub(super) const fn includes(self, is_bare_king_ending: bool) -> bool {
        match self {
            Scope::Everywhere => true,
            Scope::BareKing => is_bare_king_ending,
            Scope::NotBareKing => !is_bare_king_ending,
        }
    }
}

/// One weight of a term as it is declared: a middlegame/endgame pair, or an array of such pairs
/// indexed by a distance.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WeightSpec {
    /// Its key in the term's section of an engine file.
    pub name: &'static str,
    /// What its value means.
    pub meaning: Meaning,
    /// Length of the array, or `None` for a single pair.
    pub length: Option<usize>,
    /// How many counts make one unit: a term that counts sixteenths of a square has 16 here, and the
    /// engine file still gives centipawns per square.
    pub per: i32,
}

impl WeightSpec {
    /// A single pair.
    pub const fn pair(name: &'static str, meaning: Meaning) -> WeightSpec {
        WeightSpec { name, meaning, length: None, per: 1 }
    }

    /// `length` pairs, used with [`Weight::at`].
    pub const fn array(name: &'static str, length: usize, meaning: Meaning) -> WeightSpec {
        WeightSpec { name, meaning, length: Some(length), per: 1 }
    }

    /// The same weight, counted in fractions: `counts` of them make one unit.
    pub const fn per(self, counts: i32) -> WeightSpec {
        WeightSpec { per: counts, ..self }
    }

    /// How many pairs it holds.
    pub const fn pairs(&self) -> usize {
        match self.length {
            Some(length) => length,
            None => 1,
        }
    }
}

/// One parameter of a term as it is declared. See [`Term::PARAMETERS`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ParameterSpec {
    /// Its key in the term's section of an engine file.
    pub name: &'static str,
    /// What it means, for people.
    pub doc: &'static str,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
}

/// How many weight pairs one term may have, a power of two.
pub const MOST_PAIRS: usize = 2048;

/// How many weight pairs a term with these weights has.
pub(super) const fn pairs(specs: &[WeightSpec]) -> usize {
    let mut pairs = 0;
    let mut i = 0;
    while i < specs.len() {
        pairs += specs[i].pairs();
        i += 1;
    }
    pairs
}

/// The handle of one weight pair within its term. Get one with [`find`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub struct Weight(u16);

impl Weight {
    /// The pair at a position among all pairs of a term, which has at most [`MOST_PAIRS`].
    pub(super) const fn new(index: usize) -> Weight {
        Weight(index as u16)
    }

    /// The pair at an index, for array weights.
    #[inline]
    pub const fn at(self, distance: u32) -> Weight {
        Weight(self.0 + distance as u16)
    }

    /// The position of the pair among all pairs of the term.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The handle of the weight called `name`: the first pair, if it is an array.
///
/// Meant for constants, where a misspelt name is a compile error.
///
/// # Panics
///
/// If no weight is called so.
#[expect(clippy::panic, reason = "a wrong name is found when the constant is compiled")]
pub const fn find(specs: &[WeightSpec], name: &str) -> Weight {
    let mut index = 0;
    let mut i = 0;
    while i < specs.len() {
        if same(specs[i].name.as_bytes(), name.as_bytes()) {
            return Weight(index);
        }
        index += specs[i].pairs() as u16;
        i += 1;
    }
    panic!("the term declares no weight of this name")
}

/// String equality, which the standard library does not offer in constants.
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::meaning::{count, has};

    #[test]
    fn handles_count_the_pairs_before_them() {
        const SPECS: &[WeightSpec] = &[
            WeightSpec::pair("a", has("a")),
            WeightSpec::array("ab", 4, count("ab", "abs")).per(16),
            WeightSpec::pair("b", has("b")),
        ];
        assert_eq!(find(SPECS, "a").index(), 0);
        assert_eq!(find(SPECS, "ab").index(), 1);
        assert_eq!(find(SPECS, "ab").at(3).index(), 4);
        assert_eq!(find(SPECS, "b").index(), 5);
    }
}
