//! The layouts in which programs have stored distances, behind one trait.
//!
//! Sources: Chess Programming Wiki, *Distance* (computation, 64 x 64, 0x88 difference, 15 x 15) and
//! *Knight-Distance* (64 x 64, 0x88 difference and absolute rank-file difference with the corner
//! rule).
//!
//! ```
//! use shakmaty::Square;
//! use tropism::geometry::layout::*;
//! fn diagonal<L: Layout>() -> [u32; 2] {
//!     [L::distance(Square::A1, Square::B2), L::distance(Square::D4, Square::E5)]
//! }
//! assert_eq!(diagonal::<Computed<Knight>>(), [4, 2]);
//! assert_eq!(diagonal::<SquarePairs<Knight>>(), [4, 2]);
//! assert_eq!(diagonal::<Difference0x88<Knight>>(), [4, 2]);
//! assert_eq!(diagonal::<Superimposed<Knight>>(), [4, 2]);
//! assert_eq!(diagonal::<AbsoluteDifference<Knight>>(), [4, 2]);
//! assert_eq!(diagonal::<AbsoluteBranchless<Knight>>(), [4, 2]);
//! ```
//!
//! # Which is the fastest
//!
//! The 64 x 64 table, with one exception; the public functions read it. The table shows times relative
//! to it, less is faster: medians of one run of `cargo bench -p tropism-benches --bench geometry` on 21 November 2026 on
//! an idle machine (Intel Xeon under virtualisation, two cores, rustc 1.95).
//!
//! | layout | entries | Chebyshev pairs, chain | Manhattan pairs, chain | knight pairs, chain | `UDRDist` pairs, chain |
//! |---|---|---|---|---|---|
//! | [`SquarePairs`], 64 x 64 | 4096 | 1 (0.36 ns), 1 (2.55 ns) | 1 (0.38 ns), 1 (2.59 ns) | 1 (0.47 ns), 1 (2.56 ns) | 1 (0.37 ns), 1 (2.70 ns) |
//! | [`Difference0x88`] | 240 | 1.46, 1.17 | 1.50, 1.13 | 2.26, 1.54 | 1.77, 1.14 |
//! | [`Superimposed`], 15 x 15 | 225 | 1.93, 1.34 | 1.56, 1.30 | 3.13, 1.74 | 1.62, 1.32 |
//! | [`AbsoluteDifference`] | 64 | 2.24, 1.33 | 2.12, 1.28 | 2.58, 1.30 | 2.53, 1.29 |
//! | [`AbsoluteBranchless`] | 64 | | | 2.73, 1.42 | |
//! | [`Computed`] | 0 | 2.89, 1.07 | 2.55, **0.86** | 9.32, 1.82 | 4.33, 1.85 |
//! | shakmaty's [`Square::distance`] | 0 | 2.99, 1.13 | | | |
//!
//! *Pairs* are random pairs of squares from a prepared array, in independent calls. In a *chain* each
//! distance decides from where the next is measured, which takes two more instructions. The array is
//! used many times, so branches are predicted better than in a search, which favours the layouts that
//! have branches.
//!
//! The statements of the sources on speed, compared with this:
//!
//! - *Knight-Distance* calls the 64 x 64 table "the obvious and likely fastest solution". It is.
//! - *Distance* calls computation "relative expensive". Independent calls take at least twice the time
//!   of a table. In a chain computation costs little more, and less for the Manhattan distance; the
//!   table loses less there than it gains elsewhere.
//! - *Distance* says that an index of 15 x 15 is "slightly more expensive" than one of 0x88. In a chain
//!   it is, by a seventh; in independent calls either can be faster.
//! - *Knight-Distance* offers a branchless version against mispredicted branches. With branches as
//!   predictable as here it gains nothing.
//!
//! Among the set routines, [`knight_attacks`](crate::geometry::knight_attacks) takes 1.27 ns a set
//! and 2.63 ns in a chain, [`knight_attacks_stepwise`](crate::geometry::knight_attacks_stepwise)
//! 1.11 ns and 2.81 ns, for any number of knights. shakmaty's table, knight by knight, takes 0.63 ns and
//! 3.08 ns for one knight, 0.98 ns and 3.73 ns for two, 4.45 ns and 5.37 ns for eight.
//!
//! A map of [`mobility`](crate::geometry::mobility) around 16 pieces takes 47 ns for a knight, 59 ns for
//! a king, and 68, 70 and 92 ns for bishop, rook and queen.

mod metric;

pub use metric::{Chebyshev, Combined, Combined71, Knight, Manhattan, Metric, Pairs, Udr};

use shakmaty::Square;
use std::marker::PhantomData;

/// How a [`Metric`] is stored.
pub trait Layout {
    /// The distance from `a` to `b`.
    fn distance(a: Square, b: Square) -> u32;
}

/// No table: every call compares files and ranks, or runs the knight fill.
#[derive(Debug)]
pub struct Computed<M>(PhantomData<M>);

impl<M: Metric> Layout for Computed<M> {
    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        M::compute(a, b)
    }
}

/// 64 x 64 entries, one for each pair of squares: the largest table and the simplest index.
#[derive(Debug)]
pub struct SquarePairs<M>(PhantomData<M>);

impl<M: Metric> SquarePairs<M> {
    /// [`Layout::distance`] as a `const fn`, for the public functions.
    #[inline]
    pub(super) const fn lookup(a: Square, b: Square) -> u32 {
        M::PAIRS[a.to_usize()][b.to_usize()] as u32
    }
}

impl<M: Metric> Layout for SquarePairs<M> {
    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        Self::lookup(a, b)
    }
}

/// 240 entries, indexed by the difference of 0x88 coordinates, `b - a + (b|7) - (a|7) + 120`,
/// which grows by 16 for each rank and 1 for each file.
#[derive(Debug)]
pub struct Difference0x88<M>(PhantomData<M>);

impl<M: Metric> Difference0x88<M> {
    const TABLE: &'static [u8; 240] = &with_corner_marks(M::PAIRS, M::CORNER_RULE, Index::X88);
}

impl<M: Metric> Layout for Difference0x88<M> {
    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        read::<M>(Self::TABLE[Index::X88.of(a, b)], a, b)
    }
}

/// 225 entries, a board of 15 x 15 on which the chess board is laid so that the first square
/// coincides with its centre, entry 112; the index grows by 15 for each rank and 1 for each file.
#[derive(Debug)]
pub struct Superimposed<M>(PhantomData<M>);

impl<M: Metric> Superimposed<M> {
    const TABLE: &'static [u8; 225] = &with_corner_marks(M::PAIRS, M::CORNER_RULE, Index::Centred);
}

impl<M: Metric> Layout for Superimposed<M> {
    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        read::<M>(Self::TABLE[Index::Centred.of(a, b)], a, b)
    }
}

/// 64 entries, indexed by 8 times the rank distance plus the file distance. The corner rule of knights
/// is a branch.
#[derive(Debug)]
pub struct AbsoluteDifference<M>(PhantomData<M>);

impl<M: Metric> AbsoluteDifference<M> {
    const TABLE: &'static [u8; 64] = &condensed(M::PAIRS, Index::Absolute);
}

impl<M: Metric> Layout for AbsoluteDifference<M> {
    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        let index = Index::Absolute.of(a, b);
        let mut distance = Self::TABLE[index].into();
        if M::CORNER_RULE && index == DIAGONAL_NEIGHBOUR {
            distance += 2 * one_is_a_corner(a, b);
        }
        distance
    }
}

/// The 64 entries of [`AbsoluteDifference`]. The corner rule of knights is arithmetic.
#[derive(Debug)]
pub struct AbsoluteBranchless<M>(PhantomData<M>);

impl<M: Metric> Layout for AbsoluteBranchless<M> {
    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        let index = Index::Absolute.of(a, b);
        let neighbours = u32::from(M::CORNER_RULE & (index == DIAGONAL_NEIGHBOUR));
        u32::from(AbsoluteDifference::<M>::TABLE[index]) + 2 * (neighbours & one_is_a_corner(a, b))
    }
}

/// The formulas that turn a pair of squares into an index.
#[derive(Copy, Clone)]
enum Index {
    X88,
    Centred,
    Absolute,
}

impl Index {
    #[inline]
    const fn of(self, a: Square, b: Square) -> usize {
        let (from, to) = (a.to_usize(), b.to_usize());
        match self {
            // The printed formula, with additions before subtractions so that nothing is negative.
            Index::X88 => 120 + to + (to | 7) - from - (from | 7),
            Index::Centred => 112 + to + 7 * (to >> 3) - from - 7 * (from >> 3),
            Index::Absolute => (to | 7).abs_diff(from | 7) + (to & 7).abs_diff(from & 7),
        }
    }
}

/// The absolute index of diagonal neighbours only.
const DIAGONAL_NEIGHBOUR: usize = 9;

/// A table with one entry for each index. If pairs with one index have several distances, as diagonal
/// neighbours have for a knight, the entry is the smallest.
const fn condensed<const N: usize>(pairs: &Pairs, index: Index) -> [u8; N] {
    let mut table = [0; N];
    let (mut a, mut b) = (0, 0);
    while a < 64 {
        let entry = &mut table[index.of(Square::new(a), Square::new(b))];
        let value = pairs[a as usize][b as usize];
        // Only a square and itself have distance zero, so zero marks an empty entry elsewhere.
        if *entry == 0 || value < *entry {
            *entry = value;
        }
        b = (b + 1) % 64;
        a += (b == 0) as u32;
    }
    table
}

/// Set in an entry to which the corner rule applies.
const CORNER_MARK: u8 = 0x80;

/// The condensed table, with a mark on the entries of diagonal neighbours if there is a corner rule.
/// These indices depend on the direction, so there are four such entries, and a mark is cheaper than
/// four comparisons.
const fn with_corner_marks<const N: usize>(
    pairs: &Pairs,
    corner_rule: bool,
    index: Index,
) -> [u8; N] {
    let mut table = condensed(pairs, index);
    if corner_rule {
        let neighbours = [Square::A1, Square::A3, Square::C1, Square::C3];
        let mut i = 0;
        while i < neighbours.len() {
            table[index.of(Square::B2, neighbours[i])] |= CORNER_MARK;
            i += 1;
        }
    }
    table
}

/// The distance of two squares from their entry, marked or not.
#[inline]
fn read<M: Metric>(entry: u8, a: Square, b: Square) -> u32 {
    if M::CORNER_RULE {
        let marked = u32::from(entry / CORNER_MARK);
        u32::from(entry % CORNER_MARK) + 2 * (marked & one_is_a_corner(a, b))
    } else {
        entry.into()
    }
}

/// 1 if exactly one of the squares is a corner, else 0.
#[inline]
fn one_is_a_corner(a: Square, b: Square) -> u32 {
    const CORNER: [u8; 64] = {
        let mut corner = [0; 64];
        corner[Square::A1.to_usize()] = 1;
        corner[Square::H1.to_usize()] = 1;
        corner[Square::A8.to_usize()] = 1;
        corner[Square::H8.to_usize()] = 1;
        corner
    };
    u32::from(CORNER[a.to_usize()] ^ CORNER[b.to_usize()])
}

#[cfg(test)]
mod tests;
