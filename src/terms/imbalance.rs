use crate::eval::meaning::count;
use crate::eval::{EvalContext, Meaning, Scope, Side, Sink, Term, theme};
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
        pawns = pair("pawn");
        knight_pawn = with("knight", "pawn");
        knights = pair("knight");
        bishop_pawn = with("bishop", "pawn");
        bishop_knight = with("bishop", "knight");
        bishops = pair("bishop");
        rook_pawn = with("rook", "pawn");
        rook_knight = with("rook", "knight");
        rook_bishop = with("rook", "bishop");
        rooks = pair("rook");
        queen_pawn = with("queen", "pawn");
        queen_knight = with("queen", "knight");
        queen_bishop = with("queen", "bishop");
        queen_rook = with("queen", "rook");
        queens = pair("queen");
        knight_enemy_pawn = against("knight", "pawn");
        bishop_enemy_pawn = against("bishop", "pawn");
        bishop_enemy_knight = against("bishop", "knight");
        rook_enemy_pawn = against("rook", "pawn");
        rook_enemy_knight = against("rook", "knight");
        rook_enemy_bishop = against("rook", "bishop");
        queen_enemy_pawn = against("queen", "pawn");
        queen_enemy_knight = against("queen", "knight");
        queen_enemy_bishop = against("queen", "bishop");
        queen_enemy_rook = against("queen", "rook");
    }
}

fn pair(piece: &str) -> Meaning {
    count(format!("a pair of {piece}s"), format!("pairs of {piece}s"))
}

fn with(piece: &str, other: &str) -> Meaning {
    let pair = format!("a {piece} with a {other} of its side");
    count(pair, format!("pairs of a {piece} and a {other} of its side"))
}

fn against(piece: &str, enemy: &str) -> Meaning {
    count(
        format!("a {piece} against a {enemy}"),
        format!("pairs of a {piece} and an enemy {enemy}"),
    )
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
