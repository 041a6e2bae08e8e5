//! What is remembered of pawns and kings.
//!
//! Pawns and kings move seldom, so terms that look at nothing else
//! ([`Term::PAWNS_AND_KINGS`](super::Term::PAWNS_AND_KINGS)) have mostly measured the same before. Neither
//! they nor the search know of this: each thread has a memory of its own.

use super::{EvalContext, Score};
use shakmaty::{Bitboard, Color, Square};
use std::{
    cell::RefCell,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Places in the memory of a thread, a power of two.
const PLACES: usize = 1 << 13;

/// What tells the weights of one engine from those of all others in this process.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Stamp(u64);

impl Stamp {
    pub(super) fn new() -> Stamp {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Stamp(NEXT.fetch_add(1, Relaxed))
    }
}

/// All that a sum depends on.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Key {
    stamp: Stamp,
    white: Bitboard,
    black: Bitboard,
    kings: [Square; 2],
}

thread_local! {
    static PLACES_OF_THREAD: RefCell<Vec<Option<(Key, Score)>>> = const { RefCell::new(Vec::new()) };
}

/// The sum for these pawns and kings, from memory or by `measure`.
#[inline]
pub(super) fn remembered(
    stamp: Stamp,
    view: &EvalContext,
    measure: impl FnOnce() -> Score,
) -> Score {
    let (white, black) = (view.side(Color::White), view.side(Color::Black));
    let kings = [white.king, black.king];
    let key = Key { stamp, white: white.pawns, black: black.pawns, kings };
    PLACES_OF_THREAD.with_borrow_mut(|places| {
        if places.is_empty() {
            places.resize(PLACES, None);
        }
        let place = &mut places[key.place()];
        match place {
            Some((known, score)) if *known == key => *score,
            _ => {
                let score = measure();
                *place = Some((key, score));
                score
            }
        }
    })
}

impl Key {
    /// Multiplications by odd numbers without pattern spread the bits upwards; the highest choose the place.
    #[inline]
    fn place(&self) -> usize {
        let kings = self.kings[0] as u64 * 64 + self.kings[1] as u64;
        let mixed = self.white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.black.0.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(32)
            ^ kings.wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 51) as usize & (PLACES - 1)
    }
}
