//! Fills the table of an ending: retrograde analysis on sets of squares.
//!
//! A *placement* is a square for White's king and for each other piece but Black's king. With a placement goes a set of
//! squares of Black's king, so 64 positions are computed at once. Positions with White's king on one square make up a
//! [`Slice`]; a move of this king leads to another slice, all other moves stay in one.
//!
//! For each side that can mate, the positions lost for the other side grow from the mates, two plies at a time:
//!
//! - A position is won if some move leads to a lost one: the union of the lost sets after all moves.
//! - A position is lost if no move leads to one that is not won, and there is a move: again a union.
//!
//! A position that enters a set at a ply has that distance to mate. Captures and promotions lead to tables of other
//! endings; such a move counts from the ply that the other table gives.

use super::placement::{Placements, Sets};
use super::table::{DRAWN, Table, encode};
use super::{Dtm, Material, exits::Exits, moves::Moves, symmetry::king_squares};
use rayon::prelude::*;
use shakmaty::{Bitboard, ByColor, Color, Square};
use std::cmp::Reverse;

/// More plies than any mate takes that one byte can hold.
const MAX_PLIES: u8 = 253;

/// Fills the table of an ending. `table_of` must give the table of every ending that a capture or a promotion leads to.
pub(super) fn fill<'a>(
    material: Material,
    table_of: impl Fn(&Material) -> Option<&'a Table>,
) -> Table {
    let mut table = Table::new(material);
    let pieces = material.pieces();
    let placements = Placements { pieces: &pieces[2..] };
    let has_pawns = material.has_pawns();
    let filler = Filler {
        placements,
        moves: Moves::new(placements, has_pawns),
        exits: Exits::new(placements, table_of),
    };
    let slice_len = 64 * placements.len();
    let ByColor { black, white } = &mut table.entries;
    let entries = white.chunks_mut(slice_len).zip(black.chunks_mut(slice_len));
    let mut slices: Vec<Slice> = king_squares(has_pawns)
        .zip(entries)
        .map(|(king, (white, black))| Slice {
            king,
            entries: ByColor { black, white },
            legal: ByColor::new_with(|_| vec![Bitboard::EMPTY; placements.len()]),
        })
        .collect();
    filler.map(&mut slices, |slice| slice.mark_legal(placements));
    for winner in Color::ALL.into_iter().filter(|&color| placements.has_pieces(color)) {
        filler.grow_mates(winner, &mut slices);
    }
    table
}

/// What the slices of an ending share.
struct Filler<'p, 't> {
    placements: Placements<'p>,
    moves: Moves<'p>,
    exits: Exits<'p, 't>,
}

/// The positions with White's king on one square.
struct Slice<'t> {
    king: Square,
    /// The entries of the table, by side to move.
    entries: ByColor<&'t mut [u8]>,
    /// The legal positions, by side to move.
    legal: ByColor<Sets>,
}

/// The growing sets of one slice, while the mates of one side are searched.
struct Growth<'s, 't> {
    slice: &'s mut Slice<'t>,
    winner: Color,
    /// Won for the winner, to move.
    won: Sets,
    /// Legal with the loser to move, not stalemate, and not known to be lost.
    undecided: Sets,
    /// Where the loser has a capture or promotion that is not known to lose.
    escapes: Sets,
    /// The positions that the winner wins by a capture or promotion.
    won_by_exit: Schedule,
    /// The positions in which the last capture or promotion that might save the loser loses.
    closed_exits: Schedule,
}

impl Filler<'_, '_> {
    /// Works on all slices. Large endings use all cores. Small ones use none but this one, so that a thread pool whose
    /// threads wait for such a table can never be needed to fill it.
    fn map<'a, T: Send, R: Send>(
        &self,
        all: &'a mut [T],
        work: impl Fn(&'a mut T) -> R + Sync + Send,
    ) -> Vec<R> {
        match self.placements.pieces.len() {
            2 => all.par_iter_mut().map(work).collect(),
            _ => all.iter_mut().map(work).collect(),
        }
    }

    /// Finds all positions in which one side mates, the fastest first.
    fn grow_mates(&self, winner: Color, slices: &mut [Slice]) {
        let loser = !winner;
        let legal: Vec<Sets> = slices.iter().map(|slice| slice.legal.get(winner).clone()).collect();
        let (mut growths, mut lost): (Vec<Growth>, Vec<Sets>) = self
            .map(slices, |slice| {
                let moves = self.moves.before(loser, slice.king, &legal);
                Growth::new(slice, winner, moves, self)
            })
            .into_iter()
            .unzip();
        for ply in (0..MAX_PLIES).step_by(2) {
            let not_won: Vec<Sets> = self.map(&mut growths, |growth| {
                let moves = self.moves.before(winner, growth.slice.king, &lost);
                growth.win(ply + 1, moves)
            });
            lost = self.map(&mut growths, |growth| {
                let moves = self.moves.before(loser, growth.slice.king, &not_won);
                growth.lose(ply + 2, moves)
            });
            let is_finished =
                |growth: &Growth| growth.won_by_exit.is_empty() && growth.closed_exits.is_empty();
            if lost.iter().flatten().all(|set| set.is_empty()) && growths.iter().all(is_finished) {
                break;
            }
        }
    }
}

impl Slice<'_> {
    fn mark_legal(&mut self, placements: Placements) {
        for placement in 0..placements.len() {
            let squares: Vec<Square> = placements.squares(placement).collect();
            let legal = placements.legal(self.king, &squares);
            for turn in Color::ALL {
                self.legal.get_mut(turn)[placement] = *legal.get(turn);
                self.write(turn, placement, *legal.get(turn), DRAWN);
            }
        }
    }

    /// Writes the entry of some positions.
    fn write(&mut self, turn: Color, placement: usize, squares: Bitboard, entry: u8) {
        let entries = &mut self.entries.get_mut(turn)[64 * placement..][..64];
        for square in squares {
            entries[usize::from(square)] = entry;
        }
    }
}

impl<'s, 't> Growth<'s, 't> {
    /// The state before the first step, and the positions in which the loser is mated on the board. `moves` are the
    /// positions in which it has a move that is no capture and no promotion.
    fn new(
        slice: &'s mut Slice<'t>,
        winner: Color,
        mut moves: Sets,
        filler: &Filler,
    ) -> (Growth<'s, 't>, Sets) {
        let loser = !winner;
        let mut won_by_exit = Schedule::default();
        let mut closed_exits = Schedule::default();
        let mut escapes = vec![Bitboard::EMPTY; moves.len()];
        for placement in 0..moves.len() {
            let squares: Vec<Square> = filler.placements.squares(placement).collect();
            let mut wins = [NEVER; 64];
            let origin = slice.legal.get(winner)[placement];
            filler.exits.each(winner, slice.king, &squares, origin, |square, value| {
                if let Dtm::Loss(plies) = value {
                    let fastest = &mut wins[usize::from(square)];
                    *fastest = plies.saturating_add(1).min(*fastest);
                }
            });
            won_by_exit.add(placement, &wins);
            let mut holds = [NOTHING; 64];
            let origin = slice.legal.get(loser)[placement];
            filler.exits.each(loser, slice.king, &squares, origin, |square, value| {
                let longest = &mut holds[usize::from(square)];
                *longest = match value {
                    Dtm::Win(plies) => plies.max(*longest),
                    Dtm::Draw | Dtm::Loss(_) => NEVER,
                };
                escapes[placement].add(square);
            });
            moves[placement] |= escapes[placement];
            closed_exits.add(placement, &holds);
        }
        won_by_exit.sort();
        closed_exits.sort();
        let mut undecided = slice.legal.get(loser).clone();
        let mut mated = vec![Bitboard::EMPTY; moves.len()];
        for (placement, &moves) in moves.iter().enumerate() {
            // A side is in check exactly if the position would be illegal with the other side to move.
            let no_moves = undecided[placement] & !moves;
            mated[placement] = no_moves & !slice.legal.get(winner)[placement];
            undecided[placement] &= moves;
            slice.write(loser, placement, mated[placement], encode(0));
        }
        let won = vec![Bitboard::EMPTY; moves.len()];
        (Growth { slice, winner, won, undecided, escapes, won_by_exit, closed_exits }, mated)
    }

    /// Adds the positions that are won in so many plies. `moves` are those with a move into a lost position. Returns
    /// the positions that are not won now.
    fn win(&mut self, ply: u8, mut moves: Sets) -> Sets {
        for (placement, squares) in self.won_by_exit.due(ply) {
            moves[placement] |= squares;
        }
        for (placement, squares) in self.closed_exits.due(ply) {
            self.escapes[placement] &= !squares;
        }
        for (placement, set) in moves.iter_mut().enumerate() {
            let legal = self.slice.legal.get(self.winner)[placement];
            let new = *set & legal & !self.won[placement];
            self.won[placement] |= new;
            *set = legal & !self.won[placement];
            self.slice.write(self.winner, placement, new, encode(ply));
        }
        moves
    }

    /// Adds the positions that are lost in so many plies, and returns them. `moves` are the positions with a move into
    /// one that is not won.
    fn lose(&mut self, ply: u8, mut moves: Sets) -> Sets {
        for (placement, set) in moves.iter_mut().enumerate() {
            let new = self.undecided[placement] & !(*set | self.escapes[placement]);
            self.undecided[placement] &= !new;
            *set = new;
            self.slice.write(!self.winner, placement, new, encode(ply));
        }
        moves
    }
}

/// The ply of a position that nothing is to happen to.
const NOTHING: u8 = 0;
/// The ply of a position that keeps its state for ever.
const NEVER: u8 = u8::MAX;

/// Positions of a slice by the ply at which they are due.
#[derive(Default)]
struct Schedule(Vec<(u8, u16, Bitboard)>);

impl Schedule {
    /// Adds the positions of a placement by the square of Black's king.
    fn add(&mut self, placement: usize, plies: &[u8; 64]) {
        let first = self.0.len();
        let is_due = |ply: u8| ply != NOTHING && ply != NEVER;
        for (square, &ply) in Square::ALL.into_iter().zip(plies).filter(|&(_, &ply)| is_due(ply)) {
            match self.0[first..].iter_mut().find(|(known, ..)| *known == ply) {
                Some((.., squares)) => squares.add(square),
                None => self.0.push((ply, placement as u16, square.into())),
            }
        }
    }

    fn sort(&mut self) {
        self.0.sort_unstable_by_key(|&(ply, ..)| Reverse(ply));
    }

    /// Removes and yields the positions that are due at a ply.
    fn due(&mut self, ply: u8) -> impl Iterator<Item = (usize, Bitboard)> + '_ {
        let rest = self.0.partition_point(|&(later, ..)| later > ply);
        self.0.drain(rest..).map(|(_, placement, squares)| (usize::from(placement), squares))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
