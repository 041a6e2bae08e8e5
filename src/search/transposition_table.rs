//! The transposition table: what has been found out about positions already seen.

use super::histories::Histories;
use super::score::{MATE_BOUND, MAX_PLY};
use shakmaty::{Chess, Move, Position as _, Role, Square};
use std::{
    collections::TryReserveError,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
};

/// How a stored value relates to the true one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most this: no move was good enough.
    Upper,
    /// The true value is at least this: the search stopped at a move that was good enough.
    Lower,
    /// The value itself.
    Exact,
}

impl Bound {
    /// What a value means that a search in the window from `alpha` to `beta` came back with.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table knows of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move found, not yet checked to be legal here. See [`MoveGenerator::find`](super::MoveGenerator::find).
    pub best: PackedMove,
    /// The value, mates counted from this position.
    pub value: i32,
    /// The static evaluation.
    pub evaluation: i32,
    /// How deep it was searched, in plies.
    pub depth: i32,
    /// What the value means.
    pub bound: Bound,
}

/// A table shared by all threads without locks.
///
/// A slot is two words: the data, and the key combined with the data by exclusive or. A slot torn
/// by two writers does not give its key back and counts as empty.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Vec<[AtomicU64; 2]>,
    age: AtomicU8,
    /// What searches have learnt of moves and evaluations, for the next ones to go on with.
    histories: Mutex<Vec<Histories>>,
}

/// Slots that a position may be stored in: one cache line.
const BUCKET: usize = 4;

/// The number of ages before they repeat; fits the bits an entry has for it.
const AGES: u8 = 64;

/// How many plies of depth one age of an entry outweighs when a slot is chosen.
const PLIES_PER_AGE: i32 = 8;

impl TranspositionTable {
    /// The smallest and the default size in MiB.
    pub const MIN_SIZE: usize = 1;
    /// The size used where nothing else is asked for, in MiB.
    pub const DEFAULT_SIZE: usize = 16;

    /// An empty table of so many MiB.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TryReserveError> {
        TranspositionTable::with_entries((mebibytes.max(Self::MIN_SIZE) << 20) / 16)
    }

    /// An empty table of at least so many entries, for searches that a mebibyte is too much for.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had.
    pub fn with_entries(entries: usize) -> Result<TranspositionTable, TryReserveError> {
        let count = entries.max(1).next_multiple_of(BUCKET);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count)?;
        slots.resize_with(count, Default::default);
        Ok(TranspositionTable { slots, age: AtomicU8::new(0), histories: Mutex::default() })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for [check, data] in &self.slots {
            check.store(0, Relaxed);
            data.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
        self.histories().clear();
    }

    /// Takes the histories of an earlier search, or nothing yet.
    pub(super) fn take_histories(&self) -> Histories {
        self.histories().pop().unwrap_or_else(Histories::blank)
    }

    /// Keeps the histories of a search.
    pub(super) fn keep_histories(&self, histories: Histories) {
        self.histories().push(histories);
    }

    fn histories(&self) -> MutexGuard<'_, Vec<Histories>> {
        // Scores are worth having whoever has panicked meanwhile.
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the table that a new search begins: entries of earlier ones are replaced first.
    pub fn new_search(&self) {
        let age = self.age.load(Relaxed);
        self.age.store((age + 1) % AGES, Relaxed);
    }

    /// How full the table is with entries of the current search, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.slots[..1000.min(self.slots.len())];
        let used = sample.iter().filter(|[_, data]| {
            let data = Data(data.load(Relaxed));
            data.0 != 0 && data.age() == age
        });
        (used.count() * 1000 / sample.len().max(1)) as u32
    }

    /// What is known of the position with this key, `ply` plies from the root.
    pub fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = Data(data.load(Relaxed));
            (data.0 != 0 && check.load(Relaxed) ^ data.0 == key).then(|| data.entry(ply))
        })
    }

    /// Stores what was found out, `ply` plies from the root. Takes the slot of the same position
    /// if there is one, else that of the entry least worth keeping: shallow or old.
    pub fn put(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let worth = |data: Data| {
            let years = (AGES + age - data.age()) % AGES;
            data.depth() - PLIES_PER_AGE * i32::from(years)
        };
        let mut chosen = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = Data(slot[1].load(Relaxed));
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
            if worth < least {
                (chosen, least) = (Some(slot), worth);
            }
        }
        if let Some([check, slot]) = chosen {
            let data = Data::new(&entry, ply, age);
            check.store(key ^ data.0, Relaxed);
            slot.store(data.0, Relaxed);
        }
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        let buckets = (self.slots.len() / BUCKET) as u128;
        // Scales the key to the number of buckets without a division.
        let start = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        &self.slots[start..start + BUCKET]
    }
}

/// An entry in 64 bits: move 16, value 16, evaluation 16, depth 8, age 6, bound 2.
#[derive(Copy, Clone)]
struct Data(u64);

impl Data {
    fn new(entry: &Entry, ply: usize, age: u8) -> Data {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Data(
            u64::from(entry.best.0)
                | u64::from(to_node(entry.value, ply) as i16 as u16) << 16
                | u64::from(entry.evaluation as i16 as u16) << 32
                | u64::from(entry.depth.clamp(0, 255) as u8) << 48
                | u64::from(age) << 56
                | bound << 62,
        )
    }

    fn entry(self, ply: usize) -> Entry {
        Entry {
            best: self.best(),
            value: from_node(i32::from((self.0 >> 16) as u16 as i16), ply),
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

/// Mates are counted from the root in the search, from the node in the table.
fn to_node(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= MATE_BOUND => v + ply as i32,
        v if v <= -MATE_BOUND => v - ply as i32,
        v => v,
    }
}

fn from_node(value: i32, ply: usize) -> i32 {
    match value {
        v if v >= MATE_BOUND => (v - ply as i32).max(MATE_BOUND),
        v if v <= -MATE_BOUND => (v + ply as i32).min(-MATE_BOUND),
        v => v,
    }
}

const _: () = assert!(MATE_BOUND + 2 * MAX_PLY as i32 <= i16::MAX as i32);

/// A move in 16 bits: origin 6, target 6, promotion 3. Says what only together with a position.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct PackedMove(pub(super) u16);

impl PackedMove {
    /// No move at all; a1a1 would look the same, but nobody plays it.
    pub const NONE: PackedMove = PackedMove(0);

    /// Packs a move.
    pub fn new(m: Move) -> PackedMove {
        let from = m.from().unwrap_or(m.to());
        let promotion = m.promotion().map_or(0, |role| role as u16);
        PackedMove(from.to_u32() as u16 | (m.to().to_u32() as u16) << 6 | promotion << 12)
    }

    #[cfg(test)]
    pub(super) fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    #[cfg(test)]
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// The move that this would be on this board, legal or not. See [`MoveGenerator::find`].
    ///
    /// [`MoveGenerator::find`]: super::MoveGenerator::find
    pub(super) fn on_board(self, chess: &Chess) -> Option<Move> {
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

    fn entry(value: i32, depth: i32) -> Entry {
        Entry { best: PackedMove::NONE, value, evaluation: -77, depth, bound: Bound::Exact }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = TranspositionTable::new(1).unwrap();
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            let stored = Entry { best: PackedMove(12345), bound, ..entry(-1234, 7) };
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
    fn a_full_bucket_gives_up_the_shallowest_and_the_oldest_first() {
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
        // The young entry 6 of depth 3 stays, the old entry 1 of depth 5 goes.
        assert_eq!((table.get(1, 0), table.get(6, 0)), (None, Some(entry(0, 3))));
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_move_known_before() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(9, 0, Entry { best: PackedMove(77), ..entry(5, 5) });
        table.put(9, 0, entry(6, 6));
        assert_eq!(table.get(9, 0).unwrap().best, PackedMove(77));
        assert_eq!(table.get(9, 0).unwrap().value, 6);
    }

    #[test]
    fn more_memory_than_there_is_is_an_error() {
        assert!(TranspositionTable::new(usize::MAX >> 21).is_err());
    }
}
