//! The weights and parameters of a term.

use super::{Meaning, meaning::Text};

/// One weight of a term as it is declared: a middlegame/endgame pair, or an array of such pairs
/// indexed by a distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightSpec {
    /// Its key in the term's section of an engine file.
    pub name: Text,
    /// What its value means.
    pub meaning: Meaning,
    /// Length of the array, or `None` for a single pair.
    pub length: Option<usize>,
    /// How many counts make one unit: a term that counts sixteenths of a square has 16 here, and the
    /// engine file still gives centipawns per square.
    pub per: i32,
    /// A value that stands for all larger ones too.
    pub cap: Option<u32>,
    /// A value that stands for no path.
    pub no_path: Option<u32>,
}

impl WeightSpec {
    /// A single pair.
    pub fn pair(name: impl Into<Text>, meaning: Meaning) -> WeightSpec {
        WeightSpec { name: name.into(), meaning, length: None, per: 1, cap: None, no_path: None }
    }

    /// `length` pairs, used with [`Weight::at`].
    pub fn array(name: impl Into<Text>, length: usize, meaning: Meaning) -> WeightSpec {
        WeightSpec { length: Some(length), ..WeightSpec::pair(name, meaning) }
    }

    /// The same weight, counted in fractions: `counts` of them make one unit.
    pub fn per(self, counts: i32) -> WeightSpec {
        WeightSpec { per: counts, ..self }
    }

    /// How many pairs it holds.
    pub const fn pairs(&self) -> usize {
        if let Some(length) = self.length { length } else { 1 }
    }
}

/// One parameter of a term as it is declared: a whole number inside its formula.
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
pub const MAX_PAIRS: usize = 2048;

/// The handle of one weight pair within its term. The macro [`term!`](crate::term!) makes them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub struct Weight {
    index: u16,
    /// The last pair of the same array.
    last: u16,
}

impl Weight {
    /// The first of `length` pairs, which stand from `first` on among all pairs of a term. A term has at most
    /// [`MAX_PAIRS`], and an array at least one.
    pub const fn array(first: usize, length: usize) -> Weight {
        Weight { index: first as u16, last: (first + length.saturating_sub(1)) as u16 }
    }

    /// The pair at an index, for array weights. An index beyond the array counts as its last pair, as in terms
    /// that an engine file writes.
    ///
    /// ```
    /// use tropism::eval::Weight;
    /// let steps = Weight::array(10, 8);
    /// assert_eq!([0, 7, 8, 1000].map(|index| steps.at(index).index()), [10, 17, 17, 17]);
    /// ```
    #[inline]
    pub const fn at(self, index: u32) -> Weight {
        let (at, last) = ((self.index as u32).saturating_add(index), self.last as u32);
        Weight { index: (if at < last { at } else { last }) as u16, last: self.last }
    }

    /// The position of the pair among all pairs of the term.
    #[inline]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}
