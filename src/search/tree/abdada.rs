//! The moves that other threads search now (ABDADA, Weill 1996, in the simplified form of Tom Kerrigan 2017).
//! Threads that share a transposition table gain most when they search different moves. A move that another
//! thread searches is deferred; when its turn comes, the table usually knows its value.

use crate::search::transposition_table::PackedMove;
use shakmaty::Move;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of slots: many more than moves are searched at a time. With fewer, some would be overwritten.
const SLOTS: usize = 1 << 14;

/// The moves that threads search now. A wrong answer costs a little time, but never changes a value.
#[derive(Debug)]
pub struct AbdadaTable(Vec<AtomicU64>);

/// A hash of a move in a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AbdadaKey(u64);

impl AbdadaKey {
    /// The move `m` in the position with this key.
    pub fn new(key: u64, m: Move) -> AbdadaKey {
        // An odd multiplier spreads the sixteen bits of a move over the word; 2^64 by the golden ratio.
        AbdadaKey(key ^ (u64::from(PackedMove::new(m).0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl AbdadaTable {
    /// The table for this number of threads; empty for one.
    pub fn new(threads: usize) -> AbdadaTable {
        let slots = if threads > 1 { SLOTS } else { 0 };
        AbdadaTable((0..slots).map(|_| AtomicU64::default()).collect())
    }

    /// Whether there are several threads.
    pub fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a thread searches this move.
    pub fn is_searched(&self, key: AbdadaKey) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key.0)
    }

    /// A thread begins to search this move.
    pub fn begin(&self, key: AbdadaKey) {
        if let Some(slot) = self.slot(key) {
            slot.store(key.0, Relaxed);
        }
    }

    /// A thread has searched this move.
    pub fn end(&self, key: AbdadaKey) {
        if let Some(slot) = self.slot(key)
            && slot.load(Relaxed) == key.0
        {
            slot.store(0, Relaxed);
        }
    }

    fn slot(&self, key: AbdadaKey) -> Option<&AtomicU64> {
        self.0.get(key.0 as usize % SLOTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn a_move_is_in_the_table_from_begin_to_end() {
        let moves = Chess::default().legal_moves();
        let key = |number: usize| AbdadaKey::new(0x1234_5678_9abc_def0, moves[number]);
        let table = AbdadaTable::new(2);
        table.begin(key(0));
        assert!(table.is_searched(key(0)));
        assert!((1..moves.len()).all(|number| !table.is_searched(key(number))));
        assert!(!table.is_searched(AbdadaKey::new(1, moves[0])));
        table.end(key(1));
        assert!(table.is_searched(key(0)));
        table.end(key(0));
        assert!(!table.is_searched(key(0)));
    }

    #[test]
    fn one_thread_has_no_table() {
        let table = AbdadaTable::new(1);
        let key = AbdadaKey::new(1, Chess::default().legal_moves()[0]);
        table.begin(key);
        assert!(!table.is_searched(key));
    }
}
