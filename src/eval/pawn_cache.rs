//! The pawn cache: sums of the terms that read only pawns and kings.
//!
//! Pawns and kings move seldom, so such a term
//! ([`Term::PAWNS_AND_KINGS`](super::Term::PAWNS_AND_KINGS)) has mostly measured the same structure
//! before. Neither the terms nor the search know of the cache. Each thread has its own.

use super::{EvalContext, Score};
use shakmaty::{Bitboard, Color, Square};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Entries in the cache of a thread, a power of two.
const ENTRIES: usize = 1 << 13;

/// Identifies the weights of one engine among all engines of this process. No process changes weights four billion
/// times, so 32 bits are enough.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct WeightsId(u32);

impl WeightsId {
    pub(super) fn new() -> WeightsId {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        WeightsId(NEXT.fetch_add(1, Relaxed))
    }
}

/// Everything that a cached sum depends on.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Key {
    weights: WeightsId,
    white: Bitboard,
    black: Bitboard,
    kings: [Square; 2],
}

/// An entry of the cache. Its size and alignment keep it within one cache line.
#[repr(align(32))]
#[derive(Copy, Clone)]
struct Entry(Option<(Key, Score)>);

const _: () = assert!(size_of::<Entry>() == 32);

thread_local! {
    static PAWN_CACHE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// The sum for these pawns and kings: from the cache, or computed by `measure` and stored.
#[inline]
pub(super) fn cached_sum(
    weights: WeightsId,
    context: &EvalContext,
    measure: impl FnOnce() -> Score,
) -> Score {
    let (white, black) = (context.side(Color::White), context.side(Color::Black));
    let kings = [white.king, black.king];
    let key = Key { weights, white: white.pawns, black: black.pawns, kings };
    PAWN_CACHE.with_borrow_mut(|entries| {
        if entries.is_empty() {
            entries.resize(ENTRIES, Entry(None));
        }
        let Entry(entry) = &mut entries[key.index()];
        match entry {
            Some((known, score)) if *known == key => *score,
            _ => {
                let score = measure();
                *entry = Some((key, score));
                score
            }
        }
    })
}

impl Key {
    /// A hash: multiplication by odd numbers without pattern spreads the bits upwards, and the highest
    /// bits choose the entry.
    #[inline]
    fn index(&self) -> usize {
        let kings = self.kings[0] as u64 * 64 + self.kings[1] as u64;
        let mixed = self.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.black.0.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(32)
            ^ kings.wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 51) as usize & (ENTRIES - 1)
    }
}
