use crate::eval::meaning::count;
use crate::eval::{EvalContext, Scope, Side, Sink, Term, theme};
use crate::term;
use shakmaty::Color;

term! {
    /// Counts pairs of pieces: a piece is worth more or less with other pieces on the board.
    pub(super) struct Imbalance;

    name = "imbalance";
    doc = "A piece is worth more or less with the other pieces on the board.";
    source = "Kaufman 1999, The Evaluation of Material Imbalances; \
        Chess Programming Wiki, Material (polynomials by Tord Romstad)";
    theme = theme::MATERIAL;
    is_spoken_for = true;
    scope = Scope::NotBareKing;

    weights {
        pawns = count("a pair of pawns", "pairs of pawns");
        knight_pawn =
            count("a knight with a pawn of its side", "pairs of a knight and a pawn of its side");
        knights = count("a pair of knights", "pairs of knights");
        bishop_pawn =
            count("a bishop with a pawn of its side", "pairs of a bishop and a pawn of its side");
        bishop_knight = count(
            "a bishop with a knight of its side",
            "pairs of a bishop and a knight of its side",
        );
        bishops = count("a pair of bishops", "pairs of bishops");
        rook_pawn =
            count("a rook with a pawn of its side", "pairs of a rook and a pawn of its side");
        rook_knight =
            count("a rook with a knight of its side", "pairs of a rook and a knight of its side");
        rook_bishop =
            count("a rook with a bishop of its side", "pairs of a rook and a bishop of its side");
        rooks = count("a pair of rooks", "pairs of rooks");
        queen_pawn =
            count("a queen with a pawn of its side", "pairs of a queen and a pawn of its side");
        queen_knight =
            count("a queen with a knight of its side", "pairs of a queen and a knight of its side");
        queen_bishop =
            count("a queen with a bishop of its side", "pairs of a queen and a bishop of its side");
        queen_rook =
            count("a queen with a rook of its side", "pairs of a queen and a rook of its side");
        queens = count("a pair of queens", "pairs of queens");
        knight_enemy_pawn = count("a knight against a pawn", "pairs of a knight and an enemy pawn");
        bishop_enemy_pawn = count("a bishop against a pawn", "pairs of a bishop and an enemy pawn");
        bishop_enemy_knight =
            count("a bishop against a knight", "pairs of a bishop and an enemy knight");
        rook_enemy_pawn = count("a rook against a pawn", "pairs of a rook and an enemy pawn");
        rook_enemy_knight = count("a rook against a knight", "pairs of a rook and an enemy knight");
        rook_enemy_bishop = count("a rook against a bishop", "pairs of a rook and an enemy bishop");
        queen_enemy_pawn = count("a queen against a pawn", "pairs of a queen and an enemy pawn");
        queen_enemy_knight =
            count("a queen against a knight", "pairs of a queen and an enemy knight");
        queen_enemy_bishop =
            count("a queen against a bishop", "pairs of a queen and an enemy bishop");
        queen_enemy_rook = count("a queen against a rook", "pairs of a queen and an enemy rook");
    }
}

impl Term for Imbalance {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let counts = |side: &Side| {
            [side.pawns, side.knights, side.bishops, side.rooks, side.queens]
                .map(|pieces| pieces.count() as i32)
        };
        let own = context.side(side);
        let [pawns, knights, bishops, rooks, queens] = counts(own);
        let [enemy_pawns, enemy_knights, enemy_bishops, enemy_rooks, _] =
            counts(context.side(!side));
        let twos = |pieces: i32| pieces * (pieces - 1) / 2;
        let mut add = |weight, pairs| sink.add(weight, pairs, own.king);
        // Written out, because loops over tables of weights take several times as long.
        if pawns > 0 {
            add(W.pawns, twos(pawns));
        }
        if knights > 0 {
            add(W.knight_pawn, knights * pawns);
            add(W.knights, twos(knights));
            add(W.knight_enemy_pawn, knights * enemy_pawns);
        }
        if bishops > 0 {
            add(W.bishop_pawn, bishops * pawns);
            add(W.bishop_knight, bishops * knights);
            add(W.bishops, twos(bishops));
            add(W.bishop_enemy_pawn, bishops * enemy_pawns);
            add(W.bishop_enemy_knight, bishops * enemy_knights);
        }
        if rooks > 0 {
            add(W.rook_pawn, rooks * pawns);
            add(W.rook_knight, rooks * knights);
            add(W.rook_bishop, rooks * bishops);
            add(W.rooks, twos(rooks));
            add(W.rook_enemy_pawn, rooks * enemy_pawns);
            add(W.rook_enemy_knight, rooks * enemy_knights);
            add(W.rook_enemy_bishop, rooks * enemy_bishops);
        }
        if queens > 0 {
            add(W.queen_pawn, queens * pawns);
            add(W.queen_knight, queens * knights);
            add(W.queen_bishop, queens * bishops);
            add(W.queen_rook, queens * rooks);
            add(W.queens, twos(queens));
            add(W.queen_enemy_pawn, queens * enemy_pawns);
            add(W.queen_enemy_knight, queens * enemy_knights);
            add(W.queen_enemy_bishop, queens * enemy_bishops);
            add(W.queen_enemy_rook, queens * enemy_rooks);
        }
    }
}
