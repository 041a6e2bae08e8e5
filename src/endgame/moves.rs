//! The positions from which a move leads into given ones, as unions of sets.

use super::placement::{Placements, Sets};
use super::symmetry::{FoldedKing, Image, fold};
use crate::geometry::king_attacks;
use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

/// The steps of sliders: files and ranks.
const LINES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The moves of an ending without captures and promotions.
pub struct Moves<'a> {
    placements: Placements<'a>,
    has_pawns: bool,
}

impl<'a> Moves<'a> {
    pub fn new(placements: Placements<'a>, has_pawns: bool) -> Moves<'a> {
        Moves { placements, has_pawns }
    }

    /// The positions with White's king on a square from which a move of a side leads into one of the positions `after`,
    /// which are given for each square of White's king.
    ///
    /// The result also has positions that are not legal, and `after` must have none.
    pub fn before(&self, mover: Color, king: Square, after: &[Sets]) -> Sets {
        let here = &after[fold(king, self.has_pawns).number];
        let mut from: Sets = match mover {
            Color::White => self.king_moves(king, after),
            Color::Black => here.iter().map(|&set| king_attacks(set)).collect(),
        };
        match *self.placements.pieces {
            [first, second] => {
                if first.color == mover {
                    piece_moves(first, king, here, &mut from);
                }
                if second.color == mover {
                    let mut turned = vec![Bitboard::EMPTY; from.len()];
                    piece_moves(second, king, &transposed(here), &mut turned);
                    from.iter_mut().zip(transposed(&turned)).for_each(|(set, more)| *set |= more);
                }
            }
            [only] if only.color == mover => piece_moves(only, king, here, &mut from),
            _ => {}
        }
        from
    }

    /// The moves of White's king.
    fn king_moves(&self, king: Square, after: &[Sets]) -> Sets {
        let mut from = vec![Bitboard::EMPTY; self.placements.len()];
        for to in attacks::king_attacks(king) {
            let FoldedKing { number, image } = fold(to, self.has_pawns);
            let sets = &after[number];
            if image == Image::SAME {
                from.iter_mut().zip(sets).for_each(|(set, &more)| *set |= more);
                continue;
            }
            let images = Square::ALL.map(|square| usize::from(image.square(square)));
            for (placement, set) in from.iter_mut().enumerate() {
                let squares = self.placements.squares(placement);
                let folded = squares.fold(0, |index, it| index << 6 | images[usize::from(it)]);
                // Few positions are new at each ply, and an image takes time.
                if sets[folded].any() {
                    *set |= image.origin(sets[folded]);
                }
            }
        }
        from
    }
}

/// The sets with the squares of the two pieces exchanged.
fn transposed(sets: &[Bitboard]) -> Sets {
    (0..sets.len()).map(|index| sets[(index & 63) << 6 | index >> 6]).collect()
}

/// Adds the moves of the first of the pieces. One row of sets belongs to each of its squares.
fn piece_moves(piece: Piece, king: Square, after: &[Bitboard], from: &mut [Bitboard]) {
    match piece.role {
        Role::Knight => {
            for square in Square::ALL {
                for to in attacks::knight_attacks(square) {
                    add(row_mut(from, square), row(after, to));
                }
            }
        }
        Role::Pawn => pawn_moves(piece.color, king, after, from),
        Role::Bishop => slides(&DIAGONALS, piece.color, king, after, from),
        Role::Rook => slides(&LINES, piece.color, king, after, from),
        Role::Queen => {
            slides(&LINES, piece.color, king, after, from);
            slides(&DIAGONALS, piece.color, king, after, from);
        }
        // Kings are not among the pieces of a placement.
        Role::King => {}
    }
}

fn pawn_moves(color: Color, king: Square, after: &[Bitboard], from: &mut [Bitboard]) {
    let step = color.fold_wb(8, -8);
    for square in Square::ALL {
        let Some(to) = square.offset(step) else { continue };
        add(row_mut(from, square), row(after, to));
        if square.rank() != color.fold_wb(Rank::Second, Rank::Seventh) || king == to {
            continue;
        }
        let Some(twice) = to.offset(step) else { continue };
        // Nothing may stand on the square that the pawn passes: no other piece and no king.
        let sets = row_mut(from, square).iter_mut().zip(row(after, twice)).enumerate();
        let is_alone = after.len() == 64;
        for (_, (set, &more)) in sets.filter(|&(other, _)| is_alone || other != usize::from(to)) {
            *set |= more.without(to);
        }
    }
}

fn slides(
    steps: &[(i32, i32)],
    color: Color,
    king: Square,
    after: &[Bitboard],
    from: &mut [Bitboard],
) {
    let width = after.len() / 64;
    for &step in steps {
        for edge in Square::ALL.into_iter().filter(|&it| neighbour(it, step).is_none()) {
            // What a piece that slides in the direction of the step finds from here on.
            let mut ahead = [Bitboard::EMPTY; 64];
            let ahead = &mut ahead[..width];
            let mut to = edge;
            while let Some(square) = neighbour(to, (-step.0, -step.1)) {
                if to == king {
                    ahead.fill(Bitboard::EMPTY);
                } else {
                    // Black's king is in the way of Black's pieces. White's would give check to it, with White to move.
                    let passed =
                        if color.is_black() { !Bitboard::from(to) } else { Bitboard::FULL };
                    if width > 1 {
                        ahead[usize::from(to)] = Bitboard::EMPTY;
                    }
                    for (set, &more) in ahead.iter_mut().zip(row(after, to)) {
                        *set = *set & passed | more;
                    }
                }
                add(row_mut(from, square), ahead);
                to = square;
            }
        }
    }
}

fn neighbour(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    Some(Square::from_coords(square.file().offset(files)?, square.rank().offset(ranks)?))
}

fn add(sets: &mut [Bitboard], more: &[Bitboard]) {
    sets.iter_mut().zip(more).for_each(|(set, &more)| *set |= more);
}

/// The sets with the first piece on a square.
fn row(sets: &[Bitboard], square: Square) -> &[Bitboard] {
    let width = sets.len() / 64;
    &sets[usize::from(square) * width..][..width]
}

fn row_mut(sets: &mut [Bitboard], square: Square) -> &mut [Bitboard] {
    let width = sets.len() / 64;
    &mut sets[usize::from(square) * width..][..width]
}
