use crate::eval::meaning::count;
use crate::eval::{EvalContext, Sink, Term, Weight, WeightSpec, find};
use shakmaty::{Color, Role};

/// Counts the pieces: the one term that is not about distances.
pub(super) struct Material;

impl Term for Material {
    const NAME: &'static str = "material";
    const DOC: &'static str = "Each piece has a value of its own, wherever it stands.";
    const SOURCE: &'static str = "Shannon 1950, Programming a Computer for Playing Chess";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("pawn", count("a pawn", "pawns")),
        WeightSpec::pair("knight", count("a knight", "knights")),
        WeightSpec::pair("bishop", count("a bishop", "bishops")),
        WeightSpec::pair("rook", count("a rook", "rooks")),
        WeightSpec::pair("queen", count("a queen", "queens")),
    ];

    fn new(_: &[i32]) -> Self {
        Material
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WEIGHTS: [(Role, Weight); 5] = [
            (Role::Pawn, find(Material::WEIGHTS, "pawn")),
            (Role::Knight, find(Material::WEIGHTS, "knight")),
            (Role::Bishop, find(Material::WEIGHTS, "bishop")),
            (Role::Rook, find(Material::WEIGHTS, "rook")),
            (Role::Queen, find(Material::WEIGHTS, "queen")),
        ];
        for (role, weight) in WEIGHTS {
            sink.add_each(weight, context.side(side).by_role(role));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;
    use shakmaty::Square;

    #[test]
    fn counts_each_piece_once() {
        let fen = "r3k3/8/2b5/8/3Q4/8/P1N5/4K3 w - - 0 1";
        assert_measured(
            &Material,
            fen,
            Color::White,
            &[("pawn", 1, Square::A2), ("knight", 1, Square::C2), ("queen", 1, Square::D4)],
        );
        assert_measured(
            &Material,
            fen,
            Color::Black,
            &[("bishop", 1, Square::C6), ("rook", 1, Square::A8)],
        );
    }
}
