use super::placement::files_from_edge;
use crate::eval::meaning::{Offsets, enemy, own};
use crate::eval::{EvalContext, Scope, Sink, Term, theme};
use crate::geometry::{back_rank_distance, beside, file_distance};
use crate::term;
use shakmaty::{Bitboard, Color, Square};

term! {
    /// Measures every pawn by its ranks and files from both kings and from the pawns near its file.
    pub(super) struct PawnOffsets;

    name = "pawn_offsets";
    doc = "A pawn has its worth from where the kings and the pawns near its file stand.";
    source = "Chess Programming Wiki, Pawn Structure and King Safety (pawn shield, pawn storm), \
        with one weight for each offset";
    theme = theme::PAWNS;
    is_spoken_for = true;
    scope = Scope::NotBareKing;
    pawns_and_kings = true;

    weights {
        own_king[EDGES * KING.count() as usize] = own("pawn").ahead(own("king"), KING);
        king[EDGES * KING.count() as usize] = own("pawn").ahead(enemy("king"), KING);
        pawn[RANKS * PAWN.count() as usize] = own("pawn").ahead(own("pawn"), PAWN);
        enemy_pawn[RANKS * ENEMY_PAWN.count() as usize] =
            own("pawn").ahead(enemy("pawn"), ENEMY_PAWN);
    }
}

/// From a king anywhere on the board. There is one array for each number of files from the king to the edge.
const KING: Offsets = Offsets { min_ahead: -7, ranks: 15, files: 8 };
/// From a pawn of the same side that is not further ahead. There is one array for each rank of that pawn.
const PAWN: Offsets = Offsets { min_ahead: 0, ranks: 6, files: 3 };
/// From an enemy pawn. There is one array for each rank of the pawn that is measured.
const ENEMY_PAWN: Offsets = Offsets { min_ahead: -5, ranks: 11, files: 3 };

/// How many files a square can be from the edge: 0 to 3.
const EDGES: usize = 4;
/// The number of ranks on which pawns stand: the second to the seventh.
const RANKS: usize = 6;

impl Term for PawnOffsets {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (own, enemy) = (context.side(side), context.side(!side));
        for pawn in own.pawns {
            let near = near(pawn);
            for (weight, king) in [(W.own_king, own.king), (W.king, enemy.king)] {
                let class = KING.count() * files_from_edge(king);
                let (ahead, files) = offset(side, king, pawn);
                sink.add(weight.at(class + KING.index(ahead, files)), 1, pawn);
            }
            for other in own.pawns & near & not_ahead(side, pawn) {
                let (ahead, files) = offset(side, other, pawn);
                let class = PAWN.count() * rank(side, other);
                sink.add(W.pawn.at(class + PAWN.index(ahead, files)), 1, pawn);
            }
            for other in enemy.pawns & near {
                let (ahead, files) = offset(side, other, pawn);
                let class = ENEMY_PAWN.count() * rank(side, pawn);
                sink.add(W.enemy_pawn.at(class + ENEMY_PAWN.index(ahead, files)), 1, pawn);
            }
        }
    }
}

/// The file of a pawn and the two files on each side, which the arrays of pawns count.
#[inline]
fn near(pawn: Square) -> Bitboard {
    let file = Bitboard::from_file(pawn.file());
    let three = file | beside(file);
    three | beside(three)
}

/// The squares that are not further ahead than a pawn. Of two squares beside each other only one is in the set of the
/// other, so that every pair of pawns is measured once.
#[inline]
fn not_ahead(side: Color, pawn: Square) -> Bitboard {
    // Squares are numbered from a1, rank by rank.
    let lower = |square: Square| Bitboard((1 << square.to_u32()) - 1);
    side.fold_wb(lower(pawn), lower(pawn.flip_vertical()).flip_vertical())
}

/// The ranks that a square is ahead of another, as a side sees the board, and the files between them.
#[inline]
fn offset(side: Color, from: Square, to: Square) -> (i32, u32) {
    let up = i32::from(to.rank()) - i32::from(from.rank());
    (if side.is_white() { up } else { -up }, file_distance(from, to))
}

/// The rank of a pawn, 0 on its second rank.
#[inline]
fn rank(side: Color, pawn: Square) -> u32 {
    back_rank_distance(side, pawn) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_other_pawns_on_every_pair_of_squares() {
        for (pawn, other) in crate::geometry::reference::pairs() {
            assert_eq!(near(pawn).contains(other), file_distance(other, pawn) < PAWN.files);
            for side in Color::ALL {
                let (ahead, _) = offset(side, other, pawn);
                let expected = ahead > 0 || ahead == 0 && other.file() < pawn.file();
                assert_eq!(
                    not_ahead(side, pawn).contains(other),
                    expected,
                    "{side} {pawn} {other}"
                );
            }
        }
    }
}
