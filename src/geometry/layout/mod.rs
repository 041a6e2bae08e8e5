//! Five ways to store a distance, as programs have done it over the years, behind one trait.
//!
//! Sources: Chess Programming Wiki, *Distance* (computation, 64 x 64, 0x88 difference, 15 x 15) and
//! *Knight-Distance* (64 x 64, 0x88 difference and absolute rank-file difference with the corner
//! rule).
//!
//! ```
//! use shakmaty::Square;
//! use tropism::geometry::layout::{Difference0x88, Knight, Layout, SquarePairs, Superimposed};
//! let (a1, b2) = (Square::A1, Square::B2);
//! assert_eq!(SquarePairs::<Knight>::distance(a1, b2), 4);
//! assert_eq!(Difference0x88::<Knight>::distance(a1, b2), 4);
//! assert_eq!(Superimposed::<Knight>::distance(a1, b2), 4);
//! ```
//!
//! # Which is the fastest
//!
//! The 64 x 64 table, for every distance, in both patterns but one; the public functions read it.
//! Times relative to it, less is faster, one run of `cargo bench --bench geometry` on 21 November
//! 2026 with nothing beside it (Intel Xeon under virtualisation, two cores, rustc 1.95; medians):
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
//! *Pairs* are random pairs of squares from a prepared array, where one call need not wait for
//! another; in a *chain* each distance decides from where the next is measured, and the time
//! contains two instructions for that. The array comes again and again, so that branches are
//! foreseen better than in a search, which flatters the layouts that have them.
//!
//! What the sources say of speed, held against this:
//!
//! - *Knight-Distance* calls the 64 x 64 table "the obvious and likely fastest solution". It is.
//! - *Distance* calls computation "relative expensive". It is where calls are independent, twice the
//!   time and more; in a chain it costs little more than a table, and for the Manhattan distance
//!   less. A public function has to be one of the two, and the table loses less there than it wins
//!   elsewhere.
//! - *Distance* says that an index of 15 x 15 is "slightly more expensive" than one of 0x88. It is
//!   in a chain, by a seventh; between independent calls the two come in either order.
//! - *Knight-Distance* offers a version without a condition against mispredicted branches. Foreseen
//!   as they are here, it gains nothing.
//!
//! Among the set routines, [`knight_attacks`](crate::geometry::knight_attacks) takes 1.27 ns a set
//! and 2.63 in a chain for one knight, [`knight_attacks_stepwise`](crate::geometry::knight_attacks_stepwise)
//! 1.11 and 2.81, and no more for many; shakmaty's table, knight by knight, takes 0.63 and 3.08 for one,
//! 0.98 and 3.73 for two, 4.45 and 5.37 for eight.
//!
//! A map of [`mobility`](crate::geometry::mobility) around 16 men takes 47 ns for a knight, 59 for
//! a king, 68, 70 and 92 for bishop, rook and queen.

mod metric;

pub use metric::{Chebyshev, Combined, Combined71, Knight, Manhattan, Metric, Pairs, Udr};

use shakmaty::Square;
use std::marker::PhantomData;

/// A way to store a [`Metric`].
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Computed, Difference0x88, Layout, Manhattan};
/// fn far<L: Layout>() -> u32 {
///     L::distance(Square::A1, Square::H8)
/// }
/// assert_eq!(far::<Computed<Manhattan>>(), far::<Difference0x88<Manhattan>>());
/// ```
pub trait Layout {
    /// Its short name, as `tropism geometry --layout` takes it.
    const NAME: &'static str;

    /// How many table entries of one byte it looks distances up in; 0 for a computation.
    const ENTRIES: usize;

    /// The distance from `a` to `b`.
    fn distance(a: Square, b: Square) -> u32;
}

/// No table: files and ranks are compared, or a knight's fill is run, every time.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Chebyshev, Computed, Layout};
/// assert_eq!(Computed::<Chebyshev>::distance(Square::A1, Square::H4), 7);
/// ```
#[derive(Debug)]
pub struct Computed<M>(PhantomData<M>);

impl<M: Metric> Layout for Computed<M> {
    const NAME: &'static str = "computed";
    const ENTRIES: usize = 0;

    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        M::compute(a, b)
    }
}

/// 64 x 64 entries, one for each pair of squares: the largest table and the shortest way to it.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Layout, Manhattan, SquarePairs};
/// assert_eq!(SquarePairs::<Manhattan>::distance(Square::A1, Square::H4), 10);
/// ```
#[derive(Debug)]
pub struct SquarePairs<M>(PhantomData<M>);

impl<M: Metric> SquarePairs<M> {
    /// [`Layout::distance`] for constants: what the public functions call.
    #[inline]
    pub(super) const fn lookup(a: Square, b: Square) -> u32 {
        M::PAIRS[a.to_usize()][b.to_usize()] as u32
    }
}

impl<M: Metric> Layout for SquarePairs<M> {
    const NAME: &'static str = "64x64";
    const ENTRIES: usize = 64 * 64;

    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        Self::lookup(a, b)
    }
}

/// 240 entries, indexed by the difference of 0x88 coordinates, `b - a + (b|7) - (a|7) + 120`,
/// which is 16 for each rank and 1 for each file.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Chebyshev, Difference0x88, Layout};
/// assert_eq!(Difference0x88::<Chebyshev>::distance(Square::A1, Square::H4), 7);
/// assert_eq!(Difference0x88::<Chebyshev>::ENTRIES, 240);
/// ```
#[derive(Debug)]
pub struct Difference0x88<M>(PhantomData<M>);

impl<M: Metric> Difference0x88<M> {
    const TABLE: &'static [u8; 240] = &with_corner_marks(M::PAIRS, M::CORNER_RULE, Index::X88);
}

impl<M: Metric> Layout for Difference0x88<M> {
    const NAME: &'static str = "0x88";
    const ENTRIES: usize = Self::TABLE.len();

    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        read::<M>(Self::TABLE[Index::X88.of(a, b)], a, b)
    }
}

/// 225 entries, a board of 15 x 15 on which the chess board is laid so that the first square
/// coincides with its centre, entry 112; 15 for each rank and 1 for each file.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Chebyshev, Layout, Superimposed};
/// assert_eq!(Superimposed::<Chebyshev>::distance(Square::A1, Square::H4), 7);
/// assert_eq!(Superimposed::<Chebyshev>::ENTRIES, 225);
/// ```
#[derive(Debug)]
pub struct Superimposed<M>(PhantomData<M>);

impl<M: Metric> Superimposed<M> {
    const TABLE: &'static [u8; 225] = &with_corner_marks(M::PAIRS, M::CORNER_RULE, Index::Centred);
}

impl<M: Metric> Layout for Superimposed<M> {
    const NAME: &'static str = "15x15";
    const ENTRIES: usize = Self::TABLE.len();

    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        read::<M>(Self::TABLE[Index::Centred.of(a, b)], a, b)
    }
}

/// 64 entries, indexed by 8 times the rank distance plus the file distance; the corner rule of
/// knights is a branch.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{AbsoluteDifference, Knight, Layout};
/// assert_eq!(AbsoluteDifference::<Knight>::distance(Square::A1, Square::B2), 4);
/// assert_eq!(AbsoluteDifference::<Knight>::distance(Square::D4, Square::E5), 2);
/// assert_eq!(AbsoluteDifference::<Knight>::ENTRIES, 64);
/// ```
#[derive(Debug)]
pub struct AbsoluteDifference<M>(PhantomData<M>);

impl<M: Metric> AbsoluteDifference<M> {
    const TABLE: &'static [u8; 64] = &condensed(M::PAIRS, Index::Absolute);
}

impl<M: Metric> Layout for AbsoluteDifference<M> {
    const NAME: &'static str = "absolute";
    const ENTRIES: usize = Self::TABLE.len();

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

/// The same 64 entries as [`AbsoluteDifference`]; the corner rule of knights is arithmetic.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{AbsoluteBranchless, Knight, Layout};
/// assert_eq!(AbsoluteBranchless::<Knight>::distance(Square::A1, Square::B2), 4);
/// assert_eq!(AbsoluteBranchless::<Knight>::distance(Square::D4, Square::E5), 2);
/// ```
#[derive(Debug)]
pub struct AbsoluteBranchless<M>(PhantomData<M>);

impl<M: Metric> Layout for AbsoluteBranchless<M> {
    const NAME: &'static str = "absolute-branchless";
    const ENTRIES: usize = AbsoluteDifference::<M>::ENTRIES;

    #[inline]
    fn distance(a: Square, b: Square) -> u32 {
        let index = Index::Absolute.of(a, b);
        let neighbours = u32::from(M::CORNER_RULE & (index == DIAGONAL_NEIGHBOUR));
        u32::from(AbsoluteDifference::<M>::TABLE[index]) + 2 * (neighbours & one_is_a_corner(a, b))
    }
}

/// A layout of one metric, chosen at run time.
///
/// ```
/// use tropism::geometry::layout::{Choice, Manhattan};
/// let entries = Choice::all::<Manhattan>().map(|layout| layout.entries);
/// assert_eq!(entries, [0, 4096, 240, 225, 64, 64]);
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Choice {
    /// [`Layout::NAME`].
    pub name: &'static str,
    /// [`Layout::ENTRIES`].
    pub entries: usize,
    /// [`Layout::distance`].
    pub distance: fn(Square, Square) -> u32,
}

impl Choice {
    const fn of<L: Layout>() -> Choice {
        Choice { name: L::NAME, entries: L::ENTRIES, distance: L::distance }
    }

    /// All layouts of a metric. Without a corner rule there is nothing to branch on, and both
    /// absolute layouts are the same program.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::layout::{Choice, Knight};
    /// for layout in Choice::all::<Knight>() {
    ///     assert_eq!((layout.distance)(Square::H1, Square::G2), 4, "{}", layout.name);
    /// }
    /// ```
    pub const fn all<M: Metric>() -> [Choice; 6] {
        [
            Choice::of::<Computed<M>>(),
            Choice::of::<SquarePairs<M>>(),
            Choice::of::<Difference0x88<M>>(),
            Choice::of::<Superimposed<M>>(),
            Choice::of::<AbsoluteDifference<M>>(),
            Choice::of::<AbsoluteBranchless<M>>(),
        ]
    }
}

/// How a pair of squares becomes an index.
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
            // As printed, but added before it is subtracted, to stay above zero.
            Index::X88 => 120 + to + (to | 7) - from - (from | 7),
            Index::Centred => 112 + to + 7 * (to >> 3) - from - 7 * (from >> 3),
            Index::Absolute => (to | 7).abs_diff(from | 7) + (to & 7).abs_diff(from & 7),
        }
    }
}

/// The absolute index of diagonal neighbours, and of nothing else.
const DIAGONAL_NEIGHBOUR: usize = 9;

/// A table with one entry an index. Where squares of one index have several distances, as diagonal
/// neighbours have for a knight, the least.
const fn condensed<const N: usize>(pairs: &Pairs, index: Index) -> [u8; N] {
    let mut table = [0; N];
    let (mut a, mut b) = (0, 0);
    while a < 64 {
        let entry = &mut table[index.of(Square::new(a), Square::new(b))];
        let value = pairs[a as usize][b as usize];
        // No distance is less than that of a square to itself, so zero means not yet known.
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

/// The condensed table, with a mark on the entries of diagonal neighbours if there is a corner
/// rule: these indices are signed, so that there are four such entries and a mark is cheaper than
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

/// What an entry with or without a mark says of two squares.
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
