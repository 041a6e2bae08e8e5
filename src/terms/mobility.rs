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
            let is_pinned = own.blockers.contains(piece.square);
            let line =
                if is_pinned { attacks::ray(own.king, piece.square) } else { Bitboard::FULL };
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
