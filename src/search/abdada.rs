//! Which moves other threads are at. Threads that share a table gain most by not doing the same thing at
//! the same time: a move that another thread searches already is left for later, and by then the table
//! most often knows what it is worth (Kerrigan's simplification of Weill's ABDADA).

use super::transposition_table::PackedMove;
use shakmaty::Move;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Room for many more moves than are searched at a time; fewer only mean that some are not seen.
const SLOTS: usize = 1 << 14;

/// The moves being searched. One that is overlooked, or seen after it has ended, costs a little time
/// and never changes what is right.
#[derive(Debug)]
pub(super) struct AbdadaTable(Vec<AtomicU64>);

/// A move of one position, as threads know it from each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct AbdadaKey(u64);

impl AbdadaKey {
    /// The move `m` in the position with this key.
    pub(super) fn new(key: u64, m: Move) -> AbdadaKey {
        // An odd multiplier spreads the sixteen bits of a move over the word; 2^64 by the golden ratio.
        AbdadaKey(key ^ (u64::from(PackedMove::new(m).0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl AbdadaTable {
    /// For so many threads. One alone is in nobody's way.
    pub(super) fn new(threads: usize) -> AbdadaTable {
        let slots = if threads > 1 { SLOTS } else { 0 };
        AbdadaTable((0..slots).map(|_| AtomicU64::default()).collect())
    }

    /// Whether there is anybody to be in the way of.
    pub(super) fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a thread searches this.
    pub(super) fn is_taken(&self, branch: AbdadaKey) -> bool {
        self.slot(branch).is_some_and(|slot| slot.load(Relaxed) == branch.0)
    }

    /// A thread begins with this.
    pub(super) fn take(&self, branch: AbdadaKey) {
        if let Some(slot) = self.slot(branch) {
            slot.store(branch.0, Relaxed);
        }
    }

    /// A thread is done with this.
    pub(super) fn leave(&self, branch: AbdadaKey) {
        if let Some(slot) = self.slot(branch)
            && slot.load(Relaxed) == branch.0
        {
            slot.store(0, Relaxed);
        }
    }

    fn slot(&self, branch: AbdadaKey) -> Option<&AtomicU64> {
        self.0.get(branch.0 as usize % SLOTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn a_move_is_taken_until_it_is_left() {
        let moves = Chess::default().legal_moves();
        let branch = |number: usize| AbdadaKey::new(0x1234_5678_9abc_def0, moves[number]);
        let busy = AbdadaTable::new(2);
        busy.take(branch(0));
        assert!(busy.is_taken(branch(0)));
        assert!((1..moves.len()).all(|number| !busy.is_taken(branch(number))));
        assert!(!busy.is_taken(AbdadaKey::new(1, moves[0])));
        busy.leave(branch(1));
        assert!(busy.is_taken(branch(0)));
        busy.leave(branch(0));
        assert!(!busy.is_taken(branch(0)));
    }

    #[test]
    fn one_thread_alone_is_in_nobodys_way() {
        let busy = AbdadaTable::new(1);
        let branch = AbdadaKey::new(1, Chess::default().legal_moves()[0]);
        busy.take(branch);
        assert!(!busy.is_taken(branch));
    }
}
