//! The table of one ending, and the retrograde analysis that fills it.

use super::{
    Dtm, Material,
    material::PROMOTIONS,
    symmetry::{self, KING_PAIRS, KING_PAIRS_WITH_PAWNS, Kings},
};
use crate::geometry::step;
use rayon::prelude::*;
use shakmaty::{Bitboard, ByColor, Color, Piece, Rank, Role, Square, attacks};
use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};

/// An entry without a distance: not yet known, and a draw once the table is complete.
const UNKNOWN: u8 = 0;
/// An entry whose position cannot arise.
const ILLEGAL: u8 = u8::MAX;

/// Distances are stored one higher, so that mate on the board is not [`UNKNOWN`].
const fn encode(plies: u8) -> u8 {
    plies + 1
}

fn decode(entry: u8) -> Option<Dtm> {
    match entry {
        ILLEGAL => None,
        UNKNOWN => Some(Dtm::Draw),
        entry if entry % 2 == 1 => Some(Dtm::Loss(entry - 1)),
        entry => Some(Dtm::Win(entry - 1)),
    }
}

/// The squares of an ending's pieces, in the order of [`Material::pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    squares: [Square; Material::MAX_PIECES],
    len: usize,
}

impl Squares {
    pub(super) fn new(squares: impl IntoIterator<Item = Square>) -> Squares {
        let mut all = [Square::A1; Material::MAX_PIECES];
        let mut len = 0;
        for (slot, square) in all.iter_mut().zip(squares) {
            *slot = square;
            len += 1;
        }
        Squares { squares: all, len }
    }

    /// One square for each piece.
    pub fn as_slice(&self) -> &[Square] {
        &self.squares[..self.len]
    }

    fn with(mut self, piece: usize, square: Square) -> Squares {
        self.squares[piece] = square;
        self
    }

    fn occupied(&self) -> Bitboard {
        self.as_slice().iter().copied().collect()
    }

    fn mirrored(mut self) -> Squares {
        for square in &mut self.squares {
            *square = Square::new(u32::from(symmetry::mirror(u8::from(*square))));
        }
        self
    }

    fn on_the_diagonal(&self) -> bool {
        symmetry::is_its_own_mirror(self.squares[0].into(), self.squares[1].into())
    }
}

/// Exact distance to mate for every position of one ending, both sides to move.
///
/// A position takes one byte. Positions that differ only by a rotation or reflection of the board
/// share one entry; with pawns, only a reflection that exchanges the files a and h. The fifty-move rule
/// is not considered.
pub struct Table {
    pieces: Vec<Piece>,
    indexing: Indexing,
    entries: ByColor<Vec<u8>>,
}

/// The side to move, and the index among the entries with that side to move.
type EntryIndex = (Color, usize);

impl Table {
    /// The table's size in bytes.
    pub fn size(&self) -> usize {
        self.entries.white.len() + self.entries.black.len()
    }

    /// The pieces, in the order in which [`Squares`] gives their squares.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The value for `turn`, the side to move, with the pieces on these squares; none if the
    /// position cannot arise.
    pub fn get(&self, turn: Color, squares: &Squares) -> Option<Dtm> {
        decode(self.entries.get(turn)[self.indexing.index(squares)?])
    }

    /// The number of entries with one side to move.
    pub fn entry_count(&self) -> usize {
        self.entries.white.len()
    }

    /// The index of a position, below [`entry_count`](Self::entry_count). Positions that
    /// [`positions`](Self::positions) yields as one have one index. None if the kings touch.
    pub(crate) fn index(&self, squares: &Squares) -> Option<usize> {
        let mut order = self.indexing.squares(self.indexing.index(squares)?);
        if self.has_equal_pieces() && order.squares[2] > order.squares[3] {
            order.squares.swap(2, 3);
        }
        self.indexing.index(&order)
    }

    /// The squares of the entry with this index. Two equal pieces give a position two entries;
    /// there is none for the entry whose index [`index`](Self::index) never returns.
    pub(crate) fn squares(&self, index: usize) -> Option<Squares> {
        let squares = self.indexing.squares(index);
        let is_duplicate = self.has_equal_pieces() && squares.squares[2] > squares.squares[3];
        (!is_duplicate).then_some(squares)
    }

    /// Whether the two pieces that are not kings are the same.
    fn has_equal_pieces(&self) -> bool {
        self.pieces.len() == 4 && self.pieces[2] == self.pieces[3]
    }

    /// All positions of the table with `turn` to move: their squares, their value, and the number
    /// of positions on the board that they stand for: 4 or 8, with pawns 2.
    pub fn positions(&self, turn: Color) -> impl ParallelIterator<Item = (Squares, Dtm, u64)> {
        let entries = self.entries.get(turn).par_iter().enumerate();
        entries.filter_map(|(index, &entry)| {
            let squares = self.squares(index)?;
            decode(entry).map(|value| (squares, value, self.indexing.images(&squares)))
        })
    }
}

/// How the positions of an ending are numbered: the number of the pair of kings, then six bits for each
/// other piece.
#[derive(Clone, Copy)]
struct Indexing {
    pieces: usize,
    pawns: bool,
}

impl Indexing {
    fn new(pieces: &[Piece]) -> Indexing {
        let pawns = pieces.iter().any(|piece| piece.role == Role::Pawn);
        Indexing { pieces: pieces.len(), pawns }
    }

    /// The number of indices.
    fn len(self) -> usize {
        let pairs = if self.pawns { KING_PAIRS_WITH_PAWNS } else { KING_PAIRS };
        pairs << (6 * (self.pieces - 2))
    }

    /// The index of a position. None if the kings touch.
    #[inline]
    fn index(self, squares: &Squares) -> Option<usize> {
        let [first, second, others @ ..] = squares.as_slice() else { return None };
        let (first, second) = ((*first).into(), (*second).into());
        let Kings { pair, image } = if self.pawns {
            symmetry::kings_with_pawns(first, second)?
        } else {
            symmetry::kings(first, second)?
        };
        Some(others.iter().fold(usize::from(pair), |index, &square| {
            index << 6 | usize::from(symmetry::transform(square.into(), image))
        }))
    }

    /// The squares of an index: the inverse of [`index`](Self::index).
    fn squares(self, index: usize) -> Squares {
        let pair = index >> (6 * (self.pieces - 2));
        let (first, second) =
            if self.pawns { symmetry::pair_with_pawns(pair) } else { symmetry::pair(pair) };
        let kings = [first, second].map(|square| Square::new(u32::from(square)));
        let rest = (2..self.pieces)
            .map(|piece| Square::new((index >> (6 * (self.pieces - 1 - piece)) & 63) as u32));
        Squares::new(kings.into_iter().chain(rest))
    }

    /// Whether reflection in the long diagonal gives the position another index.
    fn has_mirror(self, squares: &Squares) -> bool {
        !self.pawns && squares.on_the_diagonal()
    }

    /// The number of positions on the board that have the index of this one or of its mirror image.
    fn images(self, squares: &Squares) -> u64 {
        match (self.pawns, squares.on_the_diagonal()) {
            (true, _) => 2,
            (false, true) => 4,
            (false, false) => 8,
        }
    }

    /// The other entry of the same position, if there is one.
    fn mirror(self, index: usize) -> Option<usize> {
        let squares = self.squares(index);
        self.has_mirror(&squares).then(|| self.index(&squares.mirrored())).flatten()
    }
}

/// The queue of the breadth-first search: the entries whose predecessors are still to be found, by
/// their distance to mate in plies.
#[derive(Default)]
struct Queue(BTreeMap<u8, Vec<EntryIndex>>);

impl Queue {
    fn push(&mut self, ply: u8, entry: EntryIndex) {
        self.0.entry(ply).or_default().push(entry);
    }

    fn take_layer(&mut self, ply: u8) -> Vec<EntryIndex> {
        self.0.remove(&ply).unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a move changes of the pieces: nothing, or it leads to another ending.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Change {
    /// The number of the piece that is taken.
    taken: Option<usize>,
    /// The number of the pawn that promotes, and what it becomes.
    promoted: Option<(usize, Role)>,
}

impl Change {
    const NONE: Change = Change { taken: None, promoted: None };

    /// All captures, promotions, and captures with promotion.
    fn all(pieces: &[Piece]) -> Vec<Change> {
        let pawns = (0..pieces.len()).filter(|&pawn| pieces[pawn].role == Role::Pawn);
        let promotions = pawns.flat_map(|pawn| PROMOTIONS.map(|role| Some((pawn, role))));
        let promotions: Vec<_> = promotions.chain([None]).collect();
        let taken = (0..pieces.len()).map(Some).chain([None]);
        let changes = taken
            .flat_map(|taken| promotions.iter().map(move |&promoted| Change { taken, promoted }));
        changes.filter(|&change| change != Change::NONE).collect()
    }

    /// The pieces after it, each with its number before it.
    fn apply(self, pieces: &[Piece]) -> Vec<(usize, Piece)> {
        let left = (0..pieces.len()).filter(|&piece| Some(piece) != self.taken);
        let after = left.map(|piece| match self.promoted {
            Some((pawn, role)) if pawn == piece => (piece, role.of(pieces[piece].color)),
            _ => (piece, pieces[piece]),
        });
        after.collect()
    }
}

/// The table of the ending that a capture or a promotion leads to.
struct Exit<'a> {
    table: &'a Table,
    /// Whether the weaker side has become the stronger one, so that the colours are exchanged.
    swapped: bool,
    /// For each piece of the other ending, its number in this one.
    pieces: Vec<usize>,
}

/// Fills one table by retrograde analysis.
pub(super) struct Solver<'a> {
    pieces: Vec<Piece>,
    indexing: Indexing,
    /// By what a move changes.
    exits: HashMap<Change, Exit<'a>>,
    entries: ByColor<Vec<AtomicU8>>,
}

impl<'a> Solver<'a> {
    /// `table_of` must give the table of every ending that a capture or a promotion leads to.
    pub(super) fn new(
        material: Material,
        table_of: impl Fn(&Material) -> Option<&'a Table>,
    ) -> Solver<'a> {
        let pieces = material.pieces();
        let indexing = Indexing::new(&pieces);
        let exits = Change::all(&pieces).into_iter().filter_map(|change| {
            let after = change.apply(&pieces);
            let table = table_of(&Material::of(after.iter().map(|&(_, piece)| piece)))?;
            Some((change, Exit::new(&after, table)?))
        });
        let exits = exits.collect();
        let entries =
            ByColor::new_with(|_| (0..indexing.len()).map(|_| AtomicU8::new(UNKNOWN)).collect());
        Solver { pieces, indexing, exits, entries }
    }

    /// A breadth-first search backwards from the mates, one layer for each ply. After each layer
    /// `progress` is called with the ply and the number of positions that have their distance; it
    /// may stop the search.
    pub(super) fn solve<B>(
        self,
        mut progress: impl FnMut(u8, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B, Table> {
        let all = Color::ALL.into_par_iter().flat_map(|turn| {
            (0..self.entries.get(turn).len()).into_par_iter().map(move |index| (turn, index))
        });
        let initial: Vec<(u8, EntryIndex)> =
            all.filter_map(|entry| Some((self.initial_distance(entry)?, entry))).collect();
        let mut queue = Queue::default();
        let mut won_by_exit = Queue::default();
        for (ply, entry) in initial {
            // A quiet move may win faster than the exit. A lost position has its final distance.
            if ply % 2 == 1 {
                won_by_exit.push(ply, entry);
            } else if self.set_distance(entry, ply) {
                queue.push(ply, entry);
            }
        }
        let mut known = 0;
        for ply in 0..ILLEGAL - 1 {
            let mut layer = queue.take_layer(ply);
            let exits = won_by_exit.take_layer(ply).into_iter();
            layer.extend(exits.filter(|&entry| self.set_distance(entry, ply)));
            known += layer.len();
            progress(ply, known)?;
            let found: Vec<(u8, EntryIndex)> =
                layer.par_iter().flat_map_iter(|&entry| self.predecessors(entry, ply)).collect();
            for (ply, entry) in found {
                queue.push(ply, entry);
            }
            if queue.is_empty() && won_by_exit.is_empty() {
                break;
            }
        }
        let entries = self.entries.map(|side| side.into_iter().map(AtomicU8::into_inner).collect());
        ControlFlow::Continue(Table { pieces: self.pieces, indexing: self.indexing, entries })
    }

    /// Stores the distance of a position that has none; whether it had none.
    fn set_distance(&self, (turn, index): EntryIndex, ply: u8) -> bool {
        let entry = &self.entries.get(turn)[index];
        entry.compare_exchange(UNKNOWN, encode(ply), Relaxed, Relaxed).is_ok()
    }

    fn entry(&self, (turn, index): EntryIndex) -> u8 {
        self.entries.get(turn)[index].load(Relaxed)
    }

    /// The distance of a position that is mate, or won or lost by exits alone. An entry whose
    /// position cannot arise is marked.
    fn initial_distance(&self, (turn, index): EntryIndex) -> Option<u8> {
        let squares = self.indexing.squares(index);
        let legal = squares.occupied().count() == self.pieces.len()
            && (squares.as_slice().iter().zip(&self.pieces))
                .all(|(&at, &piece)| can_stand(piece, at))
            && !self.in_check(!turn, &squares, None);
        if !legal {
            self.entries.get(turn)[index].store(ILLEGAL, Relaxed);
            return None;
        }
        // With nothing to capture or to promote, one quiet move shows that the position is still open.
        let no_exit = self.pieces_of(!turn).count() == 1
            && self.pieces_of(turn).all(|piece| self.pieces[piece].role != Role::Pawn);
        let mut best_exit: Option<u8> = None;
        let walk = self.each_move(turn, &squares, |after, change| match change {
            Change::NONE if no_exit => ControlFlow::Break(()),
            Change::NONE => ControlFlow::Continue(()),
            change => {
                if let Dtm::Loss(plies) = self.value(!turn, &after, change) {
                    best_exit = Some(best_exit.map_or(plies + 1, |best| best.min(plies + 1)));
                }
                ControlFlow::Continue(())
            }
        });
        match walk {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => best_exit.or_else(|| self.distance_if_lost((turn, index))),
        }
    }

    /// The plies to mate of a position in which every move is known to lose.
    fn distance_if_lost(&self, (turn, index): EntryIndex) -> Option<u8> {
        let squares = self.indexing.squares(index);
        let mut longest = None;
        let walk = self.each_move(turn, &squares, |after, change| {
            let Dtm::Win(plies) = self.value(!turn, &after, change) else {
                return ControlFlow::Break(());
            };
            longest = longest.max(Some(plies));
            ControlFlow::Continue(())
        });
        match (walk, longest) {
            (ControlFlow::Break(()), _) => None,
            (ControlFlow::Continue(()), Some(plies)) => Some(plies + 1),
            (ControlFlow::Continue(()), None) => self.in_check(turn, &squares, None).then_some(0),
        }
    }

    /// The value after a move, as far as it is known.
    fn value(&self, turn: Color, squares: &Squares, change: Change) -> Dtm {
        let value = if change == Change::NONE {
            let entry = self.indexing.index(squares).map(|index| self.entry((turn, index)));
            entry.and_then(decode)
        } else {
            self.exits.get(&change).and_then(|exit| exit.get(turn, squares))
        };
        value.unwrap_or(Dtm::Draw)
    }

    /// The positions one ply before this one that get their distance from it.
    fn predecessors(&self, (turn, index): EntryIndex, ply: u8) -> Vec<(u8, EntryIndex)> {
        let squares = self.indexing.squares(index);
        let occupied = squares.occupied();
        let mut found = Vec::new();
        for piece in self.pieces_of(!turn) {
            for square in self.origins(piece, &squares, occupied) {
                let Some(index) = self.indexing.index(&squares.with(piece, square)) else {
                    continue;
                };
                let mirrored = self.indexing.mirror(index);
                for index in std::iter::once(index).chain(mirrored) {
                    let entry = (!turn, index);
                    if self.entry(entry) != UNKNOWN {
                        continue;
                    }
                    let distance = if ply.is_multiple_of(2) {
                        Some(ply + 1)
                    } else {
                        self.distance_if_lost(entry)
                    };
                    if let Some(distance) = distance
                        && self.set_distance(entry, distance)
                    {
                        found.push((distance, entry));
                    }
                }
            }
        }
        found
    }

    fn pieces_of(&self, color: Color) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(move |&piece| self.pieces[piece].color == color)
    }

    /// The squares that a piece attacks from its square.
    fn attacks(&self, piece: usize, squares: &Squares, occupied: Bitboard) -> Bitboard {
        attacks::attacks(squares.squares[piece], self.pieces[piece], occupied)
    }

    /// The squares that a piece can go to, own pieces included.
    fn targets(&self, piece: usize, squares: &Squares, occupied: Bitboard) -> Bitboard {
        let attacked = self.attacks(piece, squares, occupied);
        match self.pieces[piece] {
            Piece { role: Role::Pawn, color } => {
                pushes(color, squares.squares[piece], occupied) | attacked & occupied
            }
            _ => attacked,
        }
    }

    /// The squares from which a piece may have come without a capture.
    fn origins(&self, piece: usize, squares: &Squares, occupied: Bitboard) -> Bitboard {
        match self.pieces[piece] {
            Piece { role: Role::Pawn, color } => {
                let back = step(!color, squares.squares[piece].into()) & !occupied;
                let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
                let twice = step(!color, back & third) & !occupied;
                (back | twice) & !Bitboard::BACKRANKS
            }
            _ => self.attacks(piece, squares, occupied) & !occupied,
        }
    }

    /// The number of a side's king: kings come first.
    fn king(&self, color: Color) -> usize {
        color.fold_wb(0, 1)
    }

    /// Whether a side's king is attacked by a piece other than the one that was `taken`.
    fn in_check(&self, side: Color, squares: &Squares, taken: Option<usize>) -> bool {
        let king = squares.squares[self.king(side)];
        let occupied = squares.occupied();
        self.pieces_of(!side)
            .filter(|&piece| Some(piece) != taken)
            .any(|piece| self.attacks(piece, squares, occupied).contains(king))
    }

    /// Calls `visit` for each legal move, with the squares after it and what it changes, until `visit`
    /// breaks. A piece that was taken shares the square of the piece that took it.
    fn each_move(
        &self,
        turn: Color,
        squares: &Squares,
        mut visit: impl FnMut(Squares, Change) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = squares.occupied();
        let own: Bitboard = self.pieces_of(turn).map(|piece| squares.squares[piece]).collect();
        for piece in self.pieces_of(turn) {
            let is_pawn = self.pieces[piece].role == Role::Pawn;
            for to in self.targets(piece, squares, occupied) & !own {
                let after = squares.with(piece, to);
                let taken = self.pieces_of(!turn).find(|&other| squares.squares[other] == to);
                if self.in_check(turn, &after, taken) {
                    continue;
                }
                if is_pawn && Bitboard::BACKRANKS.contains(to) {
                    for role in PROMOTIONS {
                        visit(after, Change { taken, promoted: Some((piece, role)) })?;
                    }
                } else {
                    visit(after, Change { taken, promoted: None })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether a piece can be on a square: pawns are never on the first and the last rank.
fn can_stand(piece: Piece, square: Square) -> bool {
    piece.role != Role::Pawn || !Bitboard::BACKRANKS.contains(square)
}

/// The squares that a pawn can advance to.
fn pushes(color: Color, pawn: Square, occupied: Bitboard) -> Bitboard {
    let once = step(color, pawn.into()) & !occupied;
    let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
    once | step(color, once & third) & !occupied
}

impl<'a> Exit<'a> {
    /// `after` are the pieces after the move, each with its number before it.
    fn new(after: &[(usize, Piece)], table: &'a Table) -> Option<Exit<'a>> {
        [false, true].into_iter().find_map(|swapped| {
            let mut free = after.to_vec();
            let mut pieces = Vec::new();
            for wanted in &table.pieces {
                let color = if swapped { !wanted.color } else { wanted.color };
                let wanted = wanted.role.of(color);
                let found = free.iter().position(|&(_, piece)| piece == wanted)?;
                pieces.push(free.remove(found).0);
            }
            free.is_empty().then_some(Exit { table, swapped, pieces })
        })
    }

    fn get(&self, turn: Color, squares: &Squares) -> Option<Dtm> {
        let turn = if self.swapped { !turn } else { turn };
        let squares = self.pieces.iter().map(|&piece| squares.squares[piece]);
        self.table.get(turn, &Squares::new(squares))
    }
}
