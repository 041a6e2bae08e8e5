//! The moves that lead to other endings: captures and promotions.

use super::table::{Squares, Table};
use super::{Dtm, Material, material::PROMOTIONS, placement::Placements};
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// What a capture or a promotion changes of the pieces. They have their numbers in a placement.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Change {
    /// The piece that is taken.
    taken: Option<usize>,
    /// The pawn that promotes, and what it becomes.
    promoted: Option<(usize, Role)>,
}

/// The table of the ending that a change leads to.
struct Exit<'a> {
    change: Change,
    table: &'a Table,
    /// Whether the weaker side has become the stronger one. Then the other table has the position upside down, with
    /// colours exchanged.
    is_swapped: bool,
    /// For each piece of the other ending, its number in this one.
    order: Vec<usize>,
}

/// All captures and promotions of an ending.
pub struct Exits<'p, 't> {
    placements: Placements<'p>,
    exits: Vec<Exit<'t>>,
}

impl<'p, 't> Exits<'p, 't> {
    /// `table_of` must give the table of every ending that a capture or a promotion leads to.
    pub fn new(
        placements: Placements<'p>,
        table_of: impl Fn(&Material) -> Option<&'t Table>,
    ) -> Exits<'p, 't> {
        let pieces = placements.pieces;
        let pawns = (0..pieces.len()).filter(|&pawn| pieces[pawn].role == Role::Pawn);
        let promoted = pawns.flat_map(|pawn| PROMOTIONS.map(|role| Some((pawn, role))));
        let promoted: Vec<_> = promoted.chain([None]).collect();
        let taken = (0..pieces.len()).map(Some).chain([None]);
        let changes = taken
            .flat_map(|taken| promoted.iter().map(move |&promoted| Change { taken, promoted }));
        let exits = changes.filter_map(|change| {
            let after = change.apply(pieces);
            let table = table_of(&Material::of(after.iter().map(|&(_, piece)| piece)))?;
            Exit::new(change, after, table)
        });
        Exits { placements, exits: exits.collect() }
    }

    /// Calls `visit` for each capture and promotion of a side with each square of Black's king from which it is legal:
    /// with this square and the value after the move, for the other side.
    ///
    /// `origin` has the squares of Black's king with which the position before the move is legal.
    pub fn each(
        &self,
        mover: Color,
        king: Square,
        squares: &[Square],
        origin: Bitboard,
        mut visit: impl FnMut(Square, Dtm),
    ) {
        let pieces = self.placements.pieces;
        let mut play = |change: Change,
                        king: Square,
                        squares: &[Square],
                        origin: Bitboard,
                        bare: Option<Square>| {
            let Some(exit) = self.exits.iter().find(|exit| exit.change == change) else { return };
            for from in origin {
                if let Some(value) = exit.get(!mover, king, squares, bare.unwrap_or(from)) {
                    visit(from, value);
                }
            }
        };
        let occupied = squares.iter().copied().collect::<Bitboard>().with(king);
        for (number, (&piece, &from)) in pieces.iter().zip(squares).enumerate() {
            if piece.color != mover {
                // The king takes it.
                let change = Change { taken: Some(number), promoted: None };
                let near = attacks::king_attacks(from);
                match mover {
                    Color::White if near.contains(king) => {
                        play(change, from, squares, origin, None)
                    }
                    Color::White => {}
                    Color::Black => play(change, king, squares, origin & near, Some(from)),
                }
                continue;
            }
            let mut arrive = |taken: Option<usize>, to: Square, origin: Bitboard| {
                let mut after = [Square::A1; Material::MAX_PIECES];
                let after = &mut after[..squares.len()];
                after.copy_from_slice(squares);
                after[number] = to;
                if piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
                    for role in PROMOTIONS {
                        let change = Change { taken, promoted: Some((number, role)) };
                        play(change, king, after, origin, None);
                    }
                } else if taken.is_some() {
                    play(Change { taken, promoted: None }, king, after, origin, None);
                }
            };
            let attacked = attacks::attacks(from, piece, occupied);
            for (taken, (other, &to)) in pieces.iter().zip(squares).enumerate() {
                if other.color != mover && attacked.contains(to) {
                    // Black's king may be in the way. In the way of White's piece it would be in check.
                    arrive(Some(taken), to, origin & !attacks::between(from, to));
                }
            }
            if piece.role == Role::Pawn
                && let Some(to) = from.offset(piece.color.fold_wb(8, -8))
                && !occupied.contains(to)
            {
                arrive(None, to, origin.without(to));
            }
        }
    }
}

impl Change {
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

impl<'a> Exit<'a> {
    /// `after` are the pieces after the move, each with its number before it.
    fn new(change: Change, after: Vec<(usize, Piece)>, table: &'a Table) -> Option<Exit<'a>> {
        [false, true].into_iter().find_map(|is_swapped| {
            let mut free = after.clone();
            let mut order = Vec::new();
            for wanted in &table.pieces()[2..] {
                let color = if is_swapped { !wanted.color } else { wanted.color };
                let wanted = wanted.role.of(color);
                let found = free.iter().position(|&(_, piece)| piece == wanted)?;
                order.push(free.remove(found).0);
            }
            free.is_empty().then_some(Exit { change, table, is_swapped, order })
        })
    }

    /// The value for the side to move, by the numbers of this ending; none if the position is illegal.
    fn get(&self, turn: Color, king: Square, squares: &[Square], bare: Square) -> Option<Dtm> {
        let kings = if self.is_swapped { [bare, king] } else { [king, bare] };
        let others = self.order.iter().map(|&piece| squares[piece]);
        let all = kings.into_iter().chain(others);
        match self.is_swapped {
            false => self.table.get(turn, &all.collect::<Squares>()),
            true => self.table.get(!turn, &all.map(Square::flip_vertical).collect::<Squares>()),
        }
    }
}
