use crate::eval::meaning::own;
use crate::eval::{Account, EvalContext, Marks, Scope, Sink, Term, Weight, named, theme};
use crate::geometry::step;
use crate::term;
use crate::text::{noun, side_name};
use shakmaty::{Bitboard, Color, attacks};

term! {
    /// Counts the safe squares that a piece can move to.
    pub(super) struct Mobility;

    name = "mobility";
    doc = "A piece is worth more the more squares are one move away where no lesser piece takes it.";
    source = "Slater 1950, Statistics for the Chess Computer; Levinson and Snyder 1993, Distance";
    theme = theme::PIECES;
    is_spoken_for = true;
    draws = stuck;
    scope = Scope::NotBareKing;

    weights {
        knight[9] = own("knight").with(SQUARE, SQUARES);
        bishop[14] = own("bishop").with(SQUARE, SQUARES);
        rook[15] = own("rook").with(SQUARE, SQUARES);
        queen[28] = own("queen").with(SQUARE, SQUARES);
    }
}

const SQUARE: &str = "safe square one move away";
const SQUARES: &str = "safe squares one move away";

impl Term for Mobility {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WEIGHTS: [Weight; 4] = [W.knight, W.bishop, W.rook, W.queen];
        let (own, enemy) = (context.side(side), context.side(!side));
        // A blocked pawn keeps its square occupied.
        let blocked = own.pawns & step(!side, context.occupied);
        // Squares on which a less valuable piece would take it.
        let to_minor = (blocked | own.queens).with(own.king) | enemy.pawn_attacks;
        let to_rook = to_minor | enemy.minor_attacks();
        let closed = [to_minor, to_minor, to_rook, to_rook | enemy.rook_attacks];
        for piece in &own.pieces {
            let weight = WEIGHTS[piece.kind()];
            // A pinned piece can only move along the line of the pin.
            let line = match own.blockers.contains(piece.square) {
                true => attacks::ray(own.king, piece.square),
                false => Bitboard::FULL,
            };
            let safe = (piece.attacks & line & !closed[piece.kind()]).count() as u32;
            sink.add(weight.at(safe), 1, piece.square);
        }
    }
}

/// Pieces without a safe move, because enemy pawns guard the squares.
fn stuck(account: &Account) -> Marks {
    /// The most pieces that are listed.
    const MOST: usize = 4;
    let context = account.context();
    let mut marks = Marks::default();
    for side in Color::ALL {
        let (own, enemy) = (context.side(side), context.side(!side));
        for piece in &own.pieces {
            let guarded = piece.attacks & enemy.pawn_attacks & !own.all;
            let blocked = piece.attacks & own.all;
            // A piece that only its own side blocks may just not be developed yet.
            if guarded.is_empty() || piece.attacks != guarded | blocked {
                continue;
            }
            marks.rings.push(piece.square);
            let mut why = format!("enemy pawns guard {}", named(guarded));
            if blocked.any() {
                why += &format!(", its own side blocks {}", named(blocked));
            }
            let (side, piece) =
                (side_name(side), format!("{} on {}", noun(piece.role), piece.square));
            marks.notes.push(format!("{side}'s {piece} has no safe move: {why}."));
        }
    }
    marks.notes.truncate(MOST);
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_measured;
    use shakmaty::Square;

    #[test]
    fn counts_safe_squares() {
        // The knight attacks a2, a4, b1, b5, d1, d5, e2 and e4: the queen closes d1, the pawn on
        // f6 guards none of them, that on d6 nothing but c5 and e5.
        assert_measured(
            &Mobility,
            "4k3/8/3p1p2/8/8/2N5/8/3QK3 w - - 0 1",
            Color::White,
            &[("knight 7", 1, Square::C3), ("queen 15", 1, Square::D1)],
        );
        // The pawn on a7 guards b6, where the rook's file ends; its place is open to the bishop, which
        // defends it.
        assert_measured(
            &Mobility,
            "4k3/p7/Pp6/8/8/1R6/2B5/4K3 w - - 0 1",
            Color::White,
            &[("bishop 8", 1, Square::C2), ("rook 11", 1, Square::B3)],
        );
    }

    #[test]
    fn less_valuable_pieces_and_pins_close_squares() {
        // The rook attacks d1 to d8 and a4 to h4 without d4; the bishop on b6 guards d4, a5, c5, d8 and a7, and the
        // queen on its own line cannot be taken by a rook.
        assert_measured(
            &Mobility,
            "4k3/8/1b6/8/3R4/8/8/4K3 w - - 0 1",
            Color::White,
            &[("rook 13", 1, Square::D4)],
        );
        // The knight is pinned; the bishop can move on the diagonal only.
        assert_measured(
            &Mobility,
            "4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1",
            Color::White,
            &[("knight 0", 1, Square::E4)],
        );
        assert_measured(
            &Mobility,
            "6k1/8/8/b7/8/2B5/8/4K3 w - - 0 1",
            Color::White,
            &[("bishop 3", 1, Square::C3)],
        );
    }
}
