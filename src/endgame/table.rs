//! The table of one ending, and how it is filled.

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

/// What one byte says: nothing yet (a draw, when all is done), a distance to mate, or that the
/// position cannot be.
const UNKNOWN: u8 = 0;
const ILLEGAL: u8 = u8::MAX;

/// Distances are stored one higher, so that mate on the board is not [`UNKNOWN`].
const fn code(plies: u8) -> u8 {
    plies + 1
}

fn decode(code: u8) -> Option<Dtm> {
    match code {
        ILLEGAL => None,
        UNKNOWN => Some(Dtm::Draw),
        code if code % 2 == 1 => Some(Dtm::Loss(code - 1)),
        code => Some(Dtm::Win(code - 1)),
    }
}

/// Where the men of an ending stand, in the order of [`Material::men`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    squares: [Square; Material::MOST_MEN],
    len: usize,
}

impl Squares {
    pub(super) fn new(squares: impl IntoIterator<Item = Square>) -> Squares {
        let mut all = [Square::A1; Material::MOST_MEN];
        let mut len = 0;
        for (place, square) in all.iter_mut().zip(squares) {
            *place = square;
            len += 1;
        }
        Squares { squares: all, len }
    }

    /// One square for each man.
    pub fn as_slice(&self) -> &[Square] {
        &self.squares[..self.len]
    }

    fn with(mut self, man: usize, square: Square) -> Squares {
        self.squares[man] = square;
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
/// A byte a position; positions that differ by turning or mirroring the board share one, see
/// [`Material`] for the ending's men. The fifty-move rule is not considered.
pub struct Table {
    men: Vec<Piece>,
    entries: ByColor<Vec<u8>>,
}

/// A position's place in a table: who is to move, and the index.
pub(super) type Place = (Color, usize);

impl Table {
    /// The table's size in bytes.
    pub fn size(&self) -> usize {
        self.entries.white.len() + self.entries.black.len()
    }

    /// The men, in the order in which [`Squares`] gives their squares.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The value for `turn` with the men on these squares, none if there is no such position.
    pub fn get(&self, turn: Color, squares: &Squares) -> Option<Dtm> {
        decode(self.entries.get(turn)[index(squares)?])
    }

    /// The number of entries with one side to move.
    pub fn entry_count(&self) -> usize {
        self.entries.white.len()
    }

    /// The number of the entry of these squares, below [`len`](Self::len): the same for positions
    /// that [`positions`](Self::positions) gives once. None if the kings touch.
    pub(crate) fn place(&self, squares: &Squares) -> Option<usize> {
        let index = index(squares)?;
        let mut order = self::squares(index, self.men.len());
        if self.alike() && order.squares[2] > order.squares[3] {
            order.squares.swap(2, 3);
        }
        self::index(&order)
    }

    /// The squares of the entry with this number; none for one of two that [`place`](Self::place)
    /// holds to be the same and gives the other's number.
    pub(crate) fn squares(&self, place: usize) -> Option<Squares> {
        let squares = squares(place, self.men.len());
        let twice = self.alike() && squares.squares[2] > squares.squares[3];
        (!twice).then_some(squares)
    }

    /// Whether the two men that are no kings are the same.
    fn alike(&self) -> bool {
        self.men.len() == 4 && self.men[2] == self.men[3]
    }

    /// All positions of the table with `turn` to move: their squares, their value, and how many
    /// positions on the board they stand for.
    pub fn positions(&self, turn: Color) -> impl ParallelIterator<Item = (Squares, Dtm, u64)> {
        let entries = self.entries.get(turn).par_iter().enumerate();
        entries.filter_map(|(place, &code)| {
            let squares = self.squares(place)?;
            let images = if squares.on_the_diagonal() { 4 } else { 8 };
            decode(code).map(|value| (squares, value, images))
        })
    }
}

/// The squares' number: the pair of kings, then six bits for each other man; none if the kings touch.
#[inline]
fn index(squares: &Squares) -> Option<usize> {
    let [first, second, others @ ..] = squares.as_slice() else { return None };
    let Kings { pair, turn } = symmetry::kings((*first).into(), (*second).into())?;
    Some(others.iter().fold(usize::from(pair), |index, &square| {
        index << 6 | usize::from(symmetry::image(square.into(), turn))
    }))
}

/// The squares that have this number.
fn squares(index: usize, men: usize) -> Squares {
    let others = 6 * (men - 2);
    let (first, second) = symmetry::pair(index >> others);
    let kings = [first, second].map(|square| Square::new(u32::from(square)));
    let rest = (2..men).map(|man| Square::new((index >> (6 * (men - 1 - man)) & 63) as u32));
    Squares::new(kings.into_iter().chain(rest))
}

/// Positions to be worked on, by their distance to mate in plies.
#[derive(Default)]
struct Layers(BTreeMap<u8, Vec<Place>>);

impl Layers {
    fn add(&mut self, ply: u8, place: Place) {
        self.0.entry(ply).or_default().push(place);
    }

    fn take(&mut self, ply: u8) -> Vec<Place> {
        self.0.remove(&ply).unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The other entry of the same position, if both kings stand on the diagonal.
fn twin(index: usize, men: usize) -> Option<usize> {
    let squares = squares(index, men);
    squares.on_the_diagonal().then(|| self::index(&squares.mirrored())).flatten()
}

/// What becomes of a position when one man is taken.
struct Capture<'a> {
    table: &'a Table,
    /// Whether the side that was weaker is now the stronger, so that colours change their names.
    swapped: bool,
    /// For each man of the smaller ending, which of ours it is.
    men: Vec<usize>,
}

/// Fills one table.
pub(super) struct Builder<'a> {
    men: Vec<Piece>,
    captures: Vec<Option<Capture<'a>>>,
    entries: ByColor<Vec<AtomicU8>>,
}

impl<'a> Builder<'a> {
    /// `smaller` must give the table of every ending that a capture leads to.
    pub(super) fn new(
        material: Material,
        smaller: impl Fn(&Material) -> Option<&'a Table>,
    ) -> Builder<'a> {
        let men = material.men();
        let size = KING_PAIRS << (6 * (men.len() - 2));
        let captures = (0..men.len())
            .map(|taken| {
                let table = smaller(&material.without(men[taken]))?;
                Capture::new(&men, taken, table)
            })
            .collect();
        let entries = ByColor::new_with(|_| (0..size).map(|_| AtomicU8::new(UNKNOWN)).collect());
        Builder { men, captures, entries }
    }

    /// The retrograde fill: mates first, then ply by ply whatever can reach, or cannot but reach, what
    /// is known. `progress` hears after each ply how many positions have their value, and may break
    /// the fill off.
    pub(super) fn build<B>(
        self,
        mut progress: impl FnMut(u8, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B, Table> {
        let places = Color::ALL.into_par_iter().flat_map(|turn| {
            (0..self.entries.get(turn).len()).into_par_iter().map(move |index| (turn, index))
        });
        let seeds: Vec<(u8, Place)> =
            places.filter_map(|place| Some((self.seed(place)?, place))).collect();
        let mut waves = Layers::default();
        let mut by_capture = Layers::default();
        for (ply, place) in seeds {
            // What a capture wins may yet be won sooner without; the rest is final.
            if ply % 2 == 1 {
                by_capture.add(ply, place);
            } else if self.settle(place, ply) {
                waves.add(ply, place);
            }
        }
        let mut known = 0;
        for ply in 0..ILLEGAL - 1 {
            let mut wave = waves.take(ply);
            wave.extend(by_capture.take(ply).into_iter().filter(|&place| self.settle(place, ply)));
            known += wave.len();
            progress(ply, known)?;
            let found: Vec<(u8, Place)> =
                wave.par_iter().flat_map_iter(|&place| self.before(place, ply)).collect();
            for (ply, place) in found {
                waves.add(ply, place);
            }
            if waves.is_empty() && by_capture.is_empty() {
                break;
            }
        }
        let entries = self.entries.map(|side| side.into_iter().map(AtomicU8::into_inner).collect());
        ControlFlow::Continue(Table { men: self.men, entries })
    }

    /// Gives a position its distance unless it has one; whether it had none.
    fn settle(&self, (turn, index): Place, ply: u8) -> bool {
        let entry = &self.entries.get(turn)[index];
        entry.compare_exchange(UNKNOWN, code(ply), Relaxed, Relaxed).is_ok()
    }

    fn known(&self, (turn, index): Place) -> u8 {
        self.entries.get(turn)[index].load(Relaxed)
    }

    /// Looks at a position when nothing is known but the smaller endings: marks it if it cannot
    /// be, and says its distance if it is mate, or won or lost by captures.
    fn seed(&self, (turn, index): Place) -> Option<u8> {
        let squares = squares(index, self.men.len());
        let legal =
            squares.occupied().count() == self.men.len() && !self.in_check(!turn, &squares, None);
        if !legal {
            self.entries.get(turn)[index].store(ILLEGAL, Relaxed);
            return None;
        }
        // Without men to take, the first quiet move says that nothing is decided yet.
        let nothing_to_take = self.men_of(!turn).count() == 1;
        let mut best_capture: Option<u8> = None;
        let walk = self.moves(turn, &squares, |after, taken| match taken {
            None if nothing_to_take => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
            Some(man) => {
                if let Dtm::Loss(plies) = self.after_capture(!turn, &after, man) {
                    best_capture = Some(best_capture.map_or(plies + 1, |best| best.min(plies + 1)));
                }
                ControlFlow::Continue(())
            }
        });
        match walk {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => best_capture.or_else(|| self.lost_in((turn, index))),
        }
    }

    /// How many plies until mate a position is lost in, if every move is known to lose.
    fn lost_in(&self, (turn, index): Place) -> Option<u8> {
        let squares = squares(index, self.men.len());
        let mut longest = None;
        let walk = self.moves(turn, &squares, |after, taken| {
            let value = match taken {
                Some(man) => self.after_capture(!turn, &after, man),
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
        index(squares).and_then(|index| decode(self.known((turn, index)))).unwrap_or(Dtm::Draw)
    }

    fn after_capture(&self, turn: Color, squares: &Squares, taken: usize) -> Dtm {
        let value = self.captures[taken].as_ref().and_then(|capture| capture.get(turn, squares));
        value.unwrap_or(Dtm::Draw)
    }

    /// The positions one ply before this one whose distance follows from it and was not known.
    fn before(&self, (turn, index): Place, ply: u8) -> Vec<(u8, Place)> {
        let squares = squares(index, self.men.len());
        let occupied = squares.occupied();
        let mut found = Vec::new();
        for man in self.men_of(!turn) {
            let from = attacks::attacks(squares.squares[man], self.men[man], occupied) & !occupied;
            for square in from {
                let before = squares.with(man, square);
                let Some(index) = self::index(&before) else { continue };
                for index in std::iter::once(index).chain(twin(index, self.men.len())) {
                    let place = (!turn, index);
                    if self.known(place) != UNKNOWN {
                        continue;
                    }
                    let distance =
                        if ply.is_multiple_of(2) { Some(ply + 1) } else { self.lost_in(place) };
                    if let Some(distance) = distance
                        && self.settle(place, distance)
                    {
                        found.push((distance, place));
                    }
                }
            }
        }
        found
    }

    fn men_of(&self, color: Color) -> impl Iterator<Item = usize> {
        (0..self.men.len()).filter(move |&man| self.men[man].color == color)
    }

    /// Which man is the king of a side: kings come first.
    fn king(&self, color: Color) -> usize {
        color.fold_wb(0, 1)
    }

    /// Whether a side's king is attacked, by men other than one that has been taken.
    fn in_check(&self, side: Color, squares: &Squares, taken: Option<usize>) -> bool {
        let king = squares.squares[self.king(side)];
        let occupied = squares.occupied();
        self.men_of(!side).filter(|&man| Some(man) != taken).any(|man| {
            attacks::attacks(squares.squares[man], self.men[man], occupied).contains(king)
        })
    }

    /// All legal moves until `each` has seen enough: the squares after each, and which man it took. A
    /// man that was taken shares the square of its taker.
    fn moves(
        &self,
        turn: Color,
        squares: &Squares,
        mut each: impl FnMut(Squares, Option<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = squares.occupied();
        let own: Bitboard = self.men_of(turn).map(|man| squares.squares[man]).collect();
        for man in self.men_of(turn) {
            for to in attacks::attacks(squares.squares[man], self.men[man], occupied) & !own {
                let after = squares.with(man, to);
                let taken = self.men_of(!turn).find(|&other| squares.squares[other] == to);
                if !self.in_check(turn, &after, taken) {
                    each(after, taken)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<'a> Capture<'a> {
    fn new(men: &[Piece], taken: usize, table: &'a Table) -> Option<Capture<'a>> {
        let left: Vec<usize> = (0..men.len()).filter(|&man| man != taken).collect();
        [false, true].into_iter().find_map(|swapped| {
            let mut free = left.clone();
            let mut order = Vec::new();
            for piece in &table.men {
                let color = if swapped { !piece.color } else { piece.color };
                let place = free.iter().position(|&man| men[man] == piece.role.of(color))?;
                order.push(free.remove(place));
            }
            free.is_empty().then_some(Capture { table, swapped, men: order })
        })
    }

    fn get(&self, turn: Color, squares: &Squares) -> Option<Dtm> {
        let turn = if self.swapped { !turn } else { turn };
        self.table.get(turn, &Squares::new(self.men.iter().map(|&man| squares.squares[man])))
    }
}
