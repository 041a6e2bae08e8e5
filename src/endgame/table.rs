//! The table of one ending, and the retrograde analysis that fills it.

use super::{
    Dtm, Material,
    symmetry::{self, KING_PAIRS, Kings},
};
use rayon::prelude::*;
use shakmaty::{Bitboard, ByColor, Color, Piece, Square, attacks};
use std::{
    collections::BTreeMap,
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
/// share one entry. The fifty-move rule is not considered.
pub struct Table {
    pieces: Vec<Piece>,
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
        decode(self.entries.get(turn)[index_of(squares)?])
    }

    /// The number of entries with one side to move.
    pub fn entry_count(&self) -> usize {
        self.entries.white.len()
    }

    /// The index of a position, below [`entry_count`](Self::entry_count). Positions that
    /// [`positions`](Self::positions) yields as one have one index. None if the kings touch.
    pub(crate) fn index(&self, squares: &Squares) -> Option<usize> {
        let mut order = squares_of(index_of(squares)?, self.pieces.len());
        if self.has_equal_pieces() && order.squares[2] > order.squares[3] {
            order.squares.swap(2, 3);
        }
        index_of(&order)
    }

    /// The squares of the entry with this index. Two equal pieces give a position two entries;
    /// there is none for the entry whose index [`index`](Self::index) never returns.
    pub(crate) fn squares(&self, index: usize) -> Option<Squares> {
        let squares = squares_of(index, self.pieces.len());
        let is_duplicate = self.has_equal_pieces() && squares.squares[2] > squares.squares[3];
        (!is_duplicate).then_some(squares)
    }

    /// Whether the two pieces that are not kings are the same.
    fn has_equal_pieces(&self) -> bool {
        self.pieces.len() == 4 && self.pieces[2] == self.pieces[3]
    }

    /// All positions of the table with `turn` to move: their squares, their value, and the number
    /// of positions on the board that they stand for, 4 or 8.
    pub fn positions(&self, turn: Color) -> impl ParallelIterator<Item = (Squares, Dtm, u64)> {
        let entries = self.entries.get(turn).par_iter().enumerate();
        entries.filter_map(|(index, &entry)| {
            let squares = self.squares(index)?;
            let images = if squares.on_the_diagonal() { 4 } else { 8 };
            decode(entry).map(|value| (squares, value, images))
        })
    }
}

/// The index of a position: the number of the pair of kings, then six bits for each other piece.
/// None if the kings touch.
#[inline]
fn index_of(squares: &Squares) -> Option<usize> {
    let [first, second, others @ ..] = squares.as_slice() else { return None };
    let Kings { pair, image } = symmetry::kings((*first).into(), (*second).into())?;
    Some(others.iter().fold(usize::from(pair), |index, &square| {
        index << 6 | usize::from(symmetry::transform(square.into(), image))
    }))
}

/// The squares of an index: the inverse of [`index_of`].
fn squares_of(index: usize, pieces: usize) -> Squares {
    let others = 6 * (pieces - 2);
    let (first, second) = symmetry::pair(index >> others);
    let kings = [first, second].map(|square| Square::new(u32::from(square)));
    let rest =
        (2..pieces).map(|piece| Square::new((index >> (6 * (pieces - 1 - piece)) & 63) as u32));
    Squares::new(kings.into_iter().chain(rest))
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

/// The other entry of the same position, if both kings stand on the diagonal.
fn mirror_index(index: usize, pieces: usize) -> Option<usize> {
    let squares = squares_of(index, pieces);
    squares.on_the_diagonal().then(|| index_of(&squares.mirrored())).flatten()
}

/// The table of the smaller ending that one capture leads to.
struct Capture<'a> {
    table: &'a Table,
    /// Whether the weaker side has become the stronger one, so that the colours are exchanged.
    swapped: bool,
    /// For each piece of the smaller ending, its number in the larger one.
    pieces: Vec<usize>,
}

/// Fills one table by retrograde analysis.
pub(super) struct Solver<'a> {
    pieces: Vec<Piece>,
    /// By the number of the captured piece.
    captures: Vec<Option<Capture<'a>>>,
    entries: ByColor<Vec<AtomicU8>>,
}

impl<'a> Solver<'a> {
    /// `smaller` must give the table of every ending that a capture leads to.
    pub(super) fn new(
        material: Material,
        smaller: impl Fn(&Material) -> Option<&'a Table>,
    ) -> Solver<'a> {
        let pieces = material.pieces();
        let size = KING_PAIRS << (6 * (pieces.len() - 2));
        let captures = (0..pieces.len())
            .map(|taken| {
                let table = smaller(&material.without(pieces[taken]))?;
                Capture::new(&pieces, taken, table)
            })
            .collect();
        let entries = ByColor::new_with(|_| (0..size).map(|_| AtomicU8::new(UNKNOWN)).collect());
        Solver { pieces, captures, entries }
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
        let mut won_by_capture = Queue::default();
        for (ply, entry) in initial {
            // A quiet move may win faster than the capture. A lost position has its final distance.
            if ply % 2 == 1 {
                won_by_capture.push(ply, entry);
            } else if self.set_distance(entry, ply) {
                queue.push(ply, entry);
            }
        }
        let mut known = 0;
        for ply in 0..ILLEGAL - 1 {
            let mut layer = queue.take_layer(ply);
            let captures = won_by_capture.take_layer(ply).into_iter();
            layer.extend(captures.filter(|&entry| self.set_distance(entry, ply)));
            known += layer.len();
            progress(ply, known)?;
            let found: Vec<(u8, EntryIndex)> =
                layer.par_iter().flat_map_iter(|&entry| self.predecessors(entry, ply)).collect();
            for (ply, entry) in found {
                queue.push(ply, entry);
            }
            if queue.is_empty() && won_by_capture.is_empty() {
                break;
            }
        }
        let entries = self.entries.map(|side| side.into_iter().map(AtomicU8::into_inner).collect());
        ControlFlow::Continue(Table { pieces: self.pieces, entries })
    }

    /// Stores the distance of a position that has none; whether it had none.
    fn set_distance(&self, (turn, index): EntryIndex, ply: u8) -> bool {
        let entry = &self.entries.get(turn)[index];
        entry.compare_exchange(UNKNOWN, encode(ply), Relaxed, Relaxed).is_ok()
    }

    fn entry(&self, (turn, index): EntryIndex) -> u8 {
        self.entries.get(turn)[index].load(Relaxed)
    }

    /// The distance of a position that is mate, or won or lost by captures alone. An entry whose
    /// position cannot arise is marked.
    fn initial_distance(&self, (turn, index): EntryIndex) -> Option<u8> {
        let squares = squares_of(index, self.pieces.len());
        let legal = squares.occupied().count() == self.pieces.len()
            && !self.in_check(!turn, &squares, None);
        if !legal {
            self.entries.get(turn)[index].store(ILLEGAL, Relaxed);
            return None;
        }
        // With nothing to capture, one quiet move shows that the position is still open.
        let nothing_to_take = self.pieces_of(!turn).count() == 1;
        let mut best_capture: Option<u8> = None;
        let walk = self.each_move(turn, &squares, |after, taken| match taken {
            None if nothing_to_take => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
            Some(piece) => {
                if let Dtm::Loss(plies) = self.value_after_capture(!turn, &after, piece) {
                    best_capture = Some(best_capture.map_or(plies + 1, |best| best.min(plies + 1)));
                }
                ControlFlow::Continue(())
            }
        });
        match walk {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => {
                best_capture.or_else(|| self.distance_if_lost((turn, index)))
            }
        }
    }

    /// The plies to mate of a position in which every move is known to lose.
    fn distance_if_lost(&self, (turn, index): EntryIndex) -> Option<u8> {
        let squares = squares_of(index, self.pieces.len());
        let mut longest = None;
        let walk = self.each_move(turn, &squares, |after, taken| {
            let value = match taken {
                Some(piece) => self.value_after_capture(!turn, &after, piece),
                None => self.value(!turn, &after),
            };
            let Dtm::Win(plies) = value else { return ControlFlow::Break(()) };
            longest = longest.max(Some(plies));
            ControlFlow::Continue(())
        });
        match (walk, longest) {
            (ControlFlow::Break(()), _) => None,
            (ControlFlow::Continue(()), Some(plies)) => Some(plies + 1),
            (ControlFlow::Continue(()), None) => self.in_check(turn, &squares, None).then_some(0),
        }
    }

    fn value(&self, turn: Color, squares: &Squares) -> Dtm {
        let entry = index_of(squares).map(|index| self.entry((turn, index)));
        entry.and_then(decode).unwrap_or(Dtm::Draw)
    }

    fn value_after_capture(&self, turn: Color, squares: &Squares, taken: usize) -> Dtm {
        let value = self.captures[taken].as_ref().and_then(|capture| capture.get(turn, squares));
        value.unwrap_or(Dtm::Draw)
    }

    /// The positions one ply before this one that get their distance from it.
    fn predecessors(&self, (turn, index): EntryIndex, ply: u8) -> Vec<(u8, EntryIndex)> {
        let squares = squares_of(index, self.pieces.len());
        let occupied = squares.occupied();
        let mut found = Vec::new();
        for piece in self.pieces_of(!turn) {
            let from = self.attacks(piece, &squares, occupied) & !occupied;
            for square in from {
                let Some(index) = index_of(&squares.with(piece, square)) else { continue };
                let mirrored = mirror_index(index, self.pieces.len());
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

    /// Calls `visit` for each legal move, with the squares after it and the number of the piece it
    /// took, until `visit` breaks. A piece that was taken shares the square of the piece that took
    /// it.
    fn each_move(
        &self,
        turn: Color,
        squares: &Squares,
        mut visit: impl FnMut(Squares, Option<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = squares.occupied();
        let own: Bitboard = self.pieces_of(turn).map(|piece| squares.squares[piece]).collect();
        for piece in self.pieces_of(turn) {
            for to in self.attacks(piece, squares, occupied) & !own {
                let after = squares.with(piece, to);
                let taken = self.pieces_of(!turn).find(|&other| squares.squares[other] == to);
                if !self.in_check(turn, &after, taken) {
                    visit(after, taken)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<'a> Capture<'a> {
    fn new(pieces: &[Piece], taken: usize, table: &'a Table) -> Option<Capture<'a>> {
        let left: Vec<usize> = (0..pieces.len()).filter(|&piece| piece != taken).collect();
        [false, true].into_iter().find_map(|swapped| {
            let mut free = left.clone();
            let mut order = Vec::new();
            for wanted in &table.pieces {
                let color = if swapped { !wanted.color } else { wanted.color };
                let wanted = wanted.role.of(color);
                let found = free.iter().position(|&piece| pieces[piece] == wanted)?;
                order.push(free.remove(found));
            }
            free.is_empty().then_some(Capture { table, swapped, pieces: order })
        })
    }

    fn get(&self, turn: Color, squares: &Squares) -> Option<Dtm> {
        let turn = if self.swapped { !turn } else { turn };
        let squares = self.pieces.iter().map(|&piece| squares.squares[piece]);
        self.table.get(turn, &Squares::new(squares))
    }
}
