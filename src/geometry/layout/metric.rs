//! The distances that layouts store.

use crate::geometry::{file_distance, knight_distance_between, rank_distance};
use shakmaty::{Bitboard, Square};

/// A distance for every pair of squares. The first index is the square from which it is measured.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Chebyshev, Metric, Pairs};
/// let pairs: &Pairs = Chebyshev::PAIRS;
/// assert_eq!(pairs[Square::A1.to_usize()][Square::C1.to_usize()], 2);
/// ```
pub type Pairs = [[u8; 64]; 64];

/// A distance between two squares that a [`Layout`](super::Layout) can store. It is at most 127 and
/// depends only on file and rank distance, except for the corner rule.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::layout::{Metric, Udr};
/// assert_eq!(Udr::NAME, "udr_distance");
/// assert_eq!(Udr::compute(Square::A1, Square::B4), 0x31);
/// ```
pub trait Metric {
    /// The name of the public function that returns it.
    const NAME: &'static str;

    /// All values, computed at compile time.
    const PAIRS: &'static Pairs;

    /// Whether a diagonal neighbour is two further away when one of the squares is a corner.
    const CORNER_RULE: bool = false;

    /// The value by computation, without any table.
    fn compute(a: Square, b: Square) -> u32;
}

/// A metric from its formula, a `const fn`.
macro_rules! metric {
    ($(#[$doc:meta])* $metric:ident, $name:literal, $formula:expr $(, $corner_rule:literal)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $metric;

        impl Metric for $metric {
            const NAME: &'static str = $name;

            const PAIRS: &'static Pairs = {
                static PAIRS: Pairs = {
                    let mut pairs = [[0; 64]; 64];
                    let (mut a, mut b) = (0, 0);
                    while a < 64 {
                        let value = $formula(Square::new(a), Square::new(b));
                        pairs[a as usize][b as usize] = value as u8;
                        b = (b + 1) % 64;
                        a += (b == 0) as u32;
                    }
                    pairs
                };
                &PAIRS
            };

            $(const CORNER_RULE: bool = $corner_rule;)?

            #[inline]
            fn compute(a: Square, b: Square) -> u32 {
                $formula(a, b)
            }
        }
    };
}

metric! {
    /// King moves: [`chebyshev`](crate::geometry::chebyshev). The computation is the routine of
    /// Chess Programming Wiki, *Distance*.
    Chebyshev, "chebyshev", larger
}

metric! {
    /// Rook steps: [`manhattan`](crate::geometry::manhattan).
    Manhattan, "manhattan", sum
}

metric! {
    /// Knight moves: [`knight_distance`](crate::geometry::knight_distance). The computation is the
    /// fill of Chess Programming Wiki, *Knight-Distance*.
    Knight, "knight_distance", filled, true
}

metric! {
    /// D + T: [`combined_distance`](crate::geometry::combined_distance).
    Combined, "combined_distance", combined
}

metric! {
    /// 7D + T: [`combined71_distance`](crate::geometry::combined71_distance).
    Combined71, "combined71_distance", combined71
}

metric! {
    /// Isenberg's `UDRDist`: [`udr_distance`](crate::geometry::udr_distance).
    Udr, "udr_distance", udr
}

/// The larger of file and rank distance, as in the source's routine.
#[inline]
const fn larger(a: Square, b: Square) -> u32 {
    let (files, ranks) = (file_distance(a, b), rank_distance(a, b));
    if files > ranks { files } else { ranks }
}

#[inline]
const fn sum(a: Square, b: Square) -> u32 {
    file_distance(a, b) + rank_distance(a, b)
}

#[inline]
const fn combined(a: Square, b: Square) -> u32 {
    larger(a, b) + sum(a, b)
}

#[inline]
const fn combined71(a: Square, b: Square) -> u32 {
    7 * larger(a, b) + sum(a, b)
}

/// On diagonals, where the taxi distance is twice the king's, the low three bits are cleared and bit 3
/// is set.
#[inline]
const fn udr(a: Square, b: Square) -> u32 {
    let (king, taxi) = (larger(a, b), sum(a, b));
    let whole = 15 * king + taxi;
    if taxi == 2 * king { whole & !7 | 8 } else { whole }
}

const fn filled(a: Square, b: Square) -> u32 {
    match knight_distance_between(Bitboard::from_square(a), Bitboard::from_square(b)) {
        Some(moves) => moves,
        // Neither set is empty.
        None => 0,
    }
}
