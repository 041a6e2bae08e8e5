mod words;

use crate::eval::meaning::{FILES, count, distance, enemy, has, own};
use crate::eval::{EvalContext, Scope, Sink, Term, theme};
use crate::geometry::{file_distance, step};
use crate::term;
use shakmaty::{Bitboard, Color, Square, attacks};

/// The four squares in the centre.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// A rook with at most this many squares, those of own pieces included, may be shut in.
const FEW_MOVES: usize = 3;

term! {
    /// Measures where pieces stand with respect to the pawns.
    pub(super) struct Pieces;

    name = "pieces";
    doc = "Pieces want squares that no enemy pawn can attack, open files, and room between the pawns.";
    source = "Nimzowitsch 1925, Mein System; Kaufman 1999, The Evaluation of Material Imbalances";
    theme = theme::PIECES;
    says = words::reasons;
    scope = Scope::NotBareKing;

    weights {
        bishop_pair = has("the bishop pair");
        knight_pawns[9] = own("knight").with("own pawn on the board", "own pawns on the board");
        rook_pawns[9] = own("rook").with("own pawn on the board", "own pawns on the board");
        bishop_colour[9] = own("bishop").with("own pawn on its colour", "own pawns on its colour");
        knight_outpost = count("a knight on an outpost", "knights on outposts");
        knight_to_outpost =
            count("a knight one move from an outpost", "knights one move from an outpost");
        bishop_outpost = count("a bishop on an outpost", "bishops on outposts");
        shielded = count(
            "a knight or bishop directly behind a pawn",
            "knights and bishops directly behind a pawn",
        );
        rook_open = count("a rook on an open file", "rooks on open files");
        rook_half_open = count("a rook on a half-open file", "rooks on half-open files");
        rook_closed = count(
            "a rook behind a blocked pawn of its side",
            "rooks behind blocked pawns of their side",
        );
        rook_king[8] =
            own("rook").is(distance(FILES, enemy("king")).zero("on the file of the enemy king"));
        long_diagonal = count(
            "a bishop on a long diagonal without pawns in the centre",
            "bishops on a long diagonal without pawns in the centre",
        );
        bishop_pawns =
            own("bishop").with("enemy pawn on its diagonals", "enemy pawns on its diagonals");
        bishop_king = count(
            "a bishop that only pieces keep from squares beside the enemy king",
            "bishops that only pieces keep from squares beside the enemy king",
        );
        rook_trapped = count("a rook shut in by its king", "rooks shut in by their king");
        rook_queen =
            count("a rook on the file of an enemy queen", "rooks on the file of an enemy queen");
    }
}

impl Term for Pieces {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (own, enemy) = (context.side(side), context.side(!side));
        let pawns = own.pawns.count().min(8) as u32;
        let outposts = context.outposts(side);

        let light = own.bishops & Bitboard::LIGHT_SQUARES;
        if light.any() && light != own.bishops {
            sink.add(W.bishop_pair, 1, own.king);
        }
        sink.add_each(W.shielded, (own.knights | own.bishops) & step(!side, context.pawns()));
        // The list has the pieces role by role. A loop for each role has no branches that depend on the role.
        let mut pieces = own.pieces.iter();
        for knight in pieces.by_ref().take(own.knights.count()) {
            let square = knight.square;
            sink.add(W.knight_pawns.at(pawns), 1, square);
            if outposts.contains(square) {
                sink.add(W.knight_outpost, 1, square);
            } else if (knight.attacks & outposts & !own.all).any() {
                sink.add(W.knight_to_outpost, 1, square);
            }
        }
        for bishop in pieces.by_ref().take(own.bishops.count()) {
            let square = bishop.square;
            let colour = match square.is_light() {
                true => Bitboard::LIGHT_SQUARES,
                false => Bitboard::DARK_SQUARES,
            };
            let same = (own.pawns & colour).count().min(8) as u32;
            sink.add(W.bishop_colour.at(same), 1, square);
            if outposts.contains(square) {
                sink.add(W.bishop_outpost, 1, square);
            }
            // Pieces move out of the way, pawns mostly stay.
            let lines = attacks::bishop_attacks(square, context.pawns());
            if (lines & CENTRE).more_than_one() {
                sink.add(W.long_diagonal, 1, square);
            }
            if (lines & enemy.king_attacks).any() {
                sink.add(W.bishop_king, 1, square);
            }
            let diagonals = attacks::bishop_attacks(square, Bitboard::EMPTY);
            sink.add(W.bishop_pawns, (diagonals & enemy.pawns).count() as i32, square);
        }
        for rook in pieces.take(own.rooks.count()) {
            let square = rook.square;
            sink.add(W.rook_pawns.at(pawns), 1, square);
            measure_rook(context, side, square, sink);
            let moves = (rook.attacks & !own.pawns).count();
            if moves <= FEW_MOVES && is_outside(own.king, square) {
                sink.add(W.rook_trapped, 1, square);
            }
        }
    }
}

/// Whether a piece is between the king and the edge that is nearer to the king.
fn is_outside(king: Square, piece: Square) -> bool {
    let (king, piece) = (king.file().to_u32(), piece.file().to_u32());
    if king < 4 { piece < king } else { piece > king }
}

fn measure_rook(context: &EvalContext, side: Color, rook: Square, sink: &mut impl Sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    let file = Bitboard::from_file(rook.file());
    if (file & own.pawns).is_empty() {
        let open = (file & enemy.pawns).is_empty();
        sink.add(if open { W.rook_open } else { W.rook_half_open }, 1, rook);
    } else if (file & own.pawns & step(!side, context.occupied)).any() {
        sink.add(W.rook_closed, 1, rook);
    }
    sink.add(W.rook_king.at(file_distance(rook, enemy.king)), 1, rook);
    if (file & enemy.queens).any() {
        sink.add(W.rook_queen, 1, rook);
    }
}
