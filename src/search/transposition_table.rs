//! The transposition table: results of positions that have been searched.

use super::score::{MATE_BOUND, MAX_PLY};
use crate::search::ordering::Histories;
use crate::search::ordering::history::parts;
use prefetch_index::prefetch_index;
use shakmaty::{Chess, Move, Position as _, Role, Square};
use std::{
    collections::TryReserveError,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
};

/// How a value relates to the true value of its position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most this: no move raised alpha.
    Upper,
    /// The true value is at least this: a move caused a beta cutoff.
    Lower,
    /// The value is exact.
    Exact,
}

impl Bound {
    /// The bound of a value that a search with the window from `alpha` to `beta` returned.
    pub(crate) fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// An entry of the transposition table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move. It may be illegal here if two positions have the same key; `MoveGenerator::find` checks it.
    pub best: PackedMove,
    /// The value in centipawns. Outside the table, mates are counted from the root.
    pub value: i32,
    /// The engine's evaluation, in centipawns.
    pub evaluation: i32,
    /// The depth of the search, in plies.
    pub depth: i32,
    /// The bound of the value.
    pub bound: Bound,
}

impl TtEntry {
    /// Whether the value, with its bound, decides a search with this window.
    pub(crate) fn causes_cutoff(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}

/// A table shared by all threads without locks.
///
/// A slot is two words: the data, and the key combined with the data by exclusive or. A slot torn
/// by two writers does not give its key back and counts as empty.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
    /// The histories of finished searches. The next searches continue with them.
    histories: Mutex<Vec<Histories>>,
}

/// The slots in which a position may be stored. They are aligned to one cache line, so that a lookup waits for memory
/// only once.
#[repr(align(64))]
#[derive(Default, Debug)]
struct Bucket([[AtomicU64; 2]; Bucket::SLOTS]);

impl Bucket {
    const SLOTS: usize = 4;
}

const _: () = assert!(size_of::<Bucket>() == 64);

/// The number of ages before they repeat: six bits.
const AGES: u8 = 64;

/// The number of plies of depth that count as much as one age when an entry is replaced.
const PLIES_PER_AGE: i32 = 8;

impl TranspositionTable {
    /// The smallest size, in MiB.
    pub const MIN_SIZE: usize = 1;
    /// The default size, in MiB.
    pub const DEFAULT_SIZE: usize = 16;

    /// An empty table of this many MiB, at least [`TranspositionTable::MIN_SIZE`].
    ///
    /// # Errors
    ///
    /// If the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TryReserveError> {
        TranspositionTable::with_entries((mebibytes.max(Self::MIN_SIZE) << 20) / 16)
    }

    /// An empty table of at least this many entries of 16 bytes. For many small searches a mebibyte is too much.
    ///
    /// # Errors
    ///
    /// If the memory cannot be allocated.
    pub fn with_entries(entries: usize) -> Result<TranspositionTable, TryReserveError> {
        let count = entries.max(1).div_ceil(Bucket::SLOTS);
        let mut buckets = Vec::<Bucket>::new();
        buckets.try_reserve_exact(count)?;
        buckets.resize_with(count, Bucket::default);
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0), histories: Mutex::default() })
    }

    /// Removes all entries and histories.
    pub fn clear(&self) {
        // Inside, this makes two simple loops. A `for` would ask after each slot which of them goes on.
        self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(|[check, data]| {
            check.store(0, Relaxed);
            data.store(0, Relaxed);
        });
        self.age.store(0, Relaxed);
        self.histories().clear();
    }

    /// Takes the histories of an earlier search, or new ones.
    pub(crate) fn take_histories(&self) -> Histories {
        self.histories().pop().unwrap_or_else(Histories::zeroed)
    }

    /// Keeps the histories of a search for the next one.
    pub(crate) fn keep_histories(&self, histories: Histories) {
        self.histories().push(histories);
    }

    fn histories(&self) -> MutexGuard<'_, Vec<Histories>> {
        // The histories stay usable after a panic in another thread.
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a new search: entries of earlier searches are replaced first.
    pub fn new_search(&self) {
        let age = self.age.load(Relaxed);
        self.age.store((age + 1) % AGES, Relaxed);
    }

    /// How full the table is with entries of the current search, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.buckets[..250.min(self.buckets.len())];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|[_, data]| {
            let data = PackedEntry(data.load(Relaxed));
            data.0 != 0 && data.age() == age
        });
        (used.count() * 1000 / (sample.len() * Bucket::SLOTS).max(1)) as u32
    }

    /// Asks the memory for the bucket of a key, so that a lookup a little later waits less.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch_index(&self.buckets, self.index(key));
    }

    /// The entry of the position with this key, `ply` plies from the root.
    pub fn get(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = PackedEntry(data.load(Relaxed));
            (data.0 != 0 && check.load(Relaxed) ^ data.0 == key).then(|| data.entry(ply))
        })
    }

    /// Stores an entry, `ply` plies from the root. It replaces the entry of the same position if there is one,
    /// otherwise the shallowest or oldest entry of its bucket.
    pub fn put(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let age = self.age.load(Relaxed);
        let worth = |data: PackedEntry| {
            let ages = (AGES + age - data.age()) % AGES;
            data.depth() - PLIES_PER_AGE * i32::from(ages)
        };
        let mut chosen = None;
        let mut min = i32::MAX;
        for slot in self.bucket(key) {
            let data = PackedEntry(slot[1].load(Relaxed));
            let same = data.0 != 0 && slot[0].load(Relaxed) ^ data.0 == key;
            if same && entry.best == PackedMove::NONE {
                entry.best = data.best();
            }
            if same && entry.bound != Bound::Exact && worth(data) > entry.depth + 3 {
                return;
            }
            let worth = match data.0 {
                _ if same => i32::MIN,
                0 => i32::MIN + 1,
                _ => worth(data),
            };
            if worth < min {
                (chosen, min) = (Some(slot), worth);
            }
        }
        if let Some([check, slot]) = chosen {
            let data = PackedEntry::new(&entry, ply, age);
            check.store(key ^ data.0, Relaxed);
            slot.store(data.0, Relaxed);
        }
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        &self.buckets[self.index(key)].0
    }

    /// The index of the bucket of a key: scales the key to the number of buckets without a division.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// An entry in 64 bits: move 16, value 16, evaluation 16, depth 8, age 6, bound 2.
#[derive(Copy, Clone)]
struct PackedEntry(u64);

impl PackedEntry {
    fn new(entry: &TtEntry, ply: usize, age: u8) -> PackedEntry {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        PackedEntry(
            u64::from(entry.best.0)
                | u64::from(value_to_node(entry.value, ply) as i16 as u16) << 16
                | u64::from(entry.evaluation as i16 as u16) << 32
                | u64::from(entry.depth.clamp(0, 255) as u8) << 48
                | u64::from(age) << 56
                | bound << 62,
        )
    }

    fn entry(self, ply: usize) -> TtEntry {
        TtEntry {
            best: self.best(),
            value: value_from_node(i32::from((self.0 >> 16) as u16 as i16), ply),
            evaluation: i32::from((self.0 >> 32) as u16 as i16),
            depth: self.depth(),
            bound: match self.0 >> 62 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }

    fn best(self) -> PackedMove {
        PackedMove(self.0 as u16)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn age(self) -> u8 {
        (self.0 >> 56) as u8 % AGES
    }
}

/// The search counts mates from the root, the table from the node.
fn value_to_node(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= MATE_BOUND => v + ply as i32,
        v if v <= -MATE_BOUND => v - ply as i32,
        v => v,
    }
}

fn value_from_node(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= MATE_BOUND => (v - ply as i32).max(MATE_BOUND),
        v if v <= -MATE_BOUND => (v + ply as i32).min(-MATE_BOUND),
        v => v,
    }
}

const _: () = assert!(MATE_BOUND + 2 * MAX_PLY as i32 <= i16::MAX as i32);

/// A move in 16 bits: origin 6, target 6, promotion 3. The position gives the rest.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct PackedMove(pub(crate) u16);

impl PackedMove {
    /// No move. The bits are those of a1a1, which is never legal.
    pub const NONE: PackedMove = PackedMove(0);

    /// Packs a move.
    pub fn new(m: Move) -> PackedMove {
        let (_, from, to) = parts(m);
        let promotion = m.promotion().map_or(0, |role| role as u16);
        PackedMove(from.to_u32() as u16 | (to.to_u32() as u16) << 6 | promotion << 12)
    }

    #[cfg(test)]
    pub(crate) fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    #[cfg(test)]
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    /// The move on this board, legal or not. See `MoveGenerator::find`.
    pub(crate) fn on_board(self, chess: &Chess) -> Option<Move> {
        if self == PackedMove::NONE {
            return None;
        }
        let from = Square::new(u32::from(self.0 & 63));
        let to = Square::new(u32::from(self.0 >> 6 & 63));
        let board = chess.board();
        let role = board.role_at(from).filter(|_| chess.us().contains(from))?;
        let promotion = match self.0 >> 12 & 7 {
            0 => None,
            role => Some(Role::try_from(role).ok()?),
        };
        if role == Role::King && (chess.us() & board.rooks()).contains(to) {
            return Some(Move::Castle { king: from, rook: to });
        }
        if role == Role::Pawn && from.file() != to.file() && board.role_at(to).is_none() {
            return Some(Move::EnPassant { from, to });
        }
        Some(Move::Normal { role, from, capture: board.role_at(to), to, promotion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::MATE;

    fn entry(value: i32, depth: i32) -> TtEntry {
        TtEntry { best: PackedMove::NONE, value, evaluation: -77, depth, bound: Bound::Exact }
    }

    #[test]
    fn a_stored_entry_is_found() {
        let table = TranspositionTable::new(1).unwrap();
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            let stored = TtEntry { best: PackedMove(12345), bound, ..entry(-1234, 7) };
            table.put(42, 3, stored);
            assert_eq!(table.get(42, 3), Some(stored));
        }
        assert_eq!(table.get(43, 3), None);
        table.clear();
        assert_eq!(table.get(42, 3), None);
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(1, 4, entry(MATE - 10, 5));
        assert_eq!(table.get(1, 2).unwrap().value, MATE - 8);
        table.put(1, 4, entry(10 - MATE, 5));
        assert_eq!(table.get(1, 2).unwrap().value, 8 - MATE);
    }

    #[test]
    fn a_full_bucket_replaces_the_shallowest_and_the_oldest_first() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(1, 5), (2, 9), (3, 2), (4, 7)] {
            table.put(key, 0, entry(0, depth));
        }
        table.put(5, 0, entry(0, 1));
        assert_eq!(table.get(3, 0), None);
        table.new_search();
        table.put(6, 0, entry(0, 3));
        assert_eq!(table.get(5, 0), None);
        table.put(7, 0, entry(0, 3));
        // The new entry 6 of depth 3 stays; the old entry 1 of depth 5 is replaced.
        assert_eq!((table.get(1, 0), table.get(6, 0)), (None, Some(entry(0, 3))));
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_earlier_move() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(9, 0, TtEntry { best: PackedMove(77), ..entry(5, 5) });
        table.put(9, 0, entry(6, 6));
        assert_eq!(table.get(9, 0).unwrap().best, PackedMove(77));
        assert_eq!(table.get(9, 0).unwrap().value, 6);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(TranspositionTable::new(usize::MAX >> 21).is_err());
    }
}
