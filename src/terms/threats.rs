use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{knight_attacks, pawn_attacks, step};
use shakmaty::{Bitboard, Color, Rank, attacks};

/// Counts enemy men at a distance of one capture.
pub(super) struct Threats;

impl Term for Threats {
    const NAME: &'static str = "threats";
    const DOC: &'static str =
        "A man that can be taken by a lesser one, or for nothing, must move or be defended.";
    const SOURCE: &'static str =
        "Chess Programming Wiki, Hanging Piece and Threats; Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("pawn_minor", "a knight or bishop one capture from a pawn"),
        WeightSpec::pair("pawn_rook", "a rook one capture from a pawn"),
        WeightSpec::pair("pawn_queen", "a queen one capture from a pawn"),
        WeightSpec::pair("minor_pawn", "a weak pawn one capture from a knight or bishop"),
        WeightSpec::pair("minor_minor", "a knight or bishop one capture from the other kind"),
        WeightSpec::pair("minor_rook", "a rook one capture from a knight or bishop"),
        WeightSpec::pair("minor_queen", "a queen one capture from a knight or bishop"),
        WeightSpec::pair("rook_pawn", "a weak pawn one capture from a rook"),
        WeightSpec::pair("rook_minor", "a weak knight or bishop one capture from a rook"),
        WeightSpec::pair("rook_queen", "a queen one capture from a rook"),
        WeightSpec::pair("king", "a weak man one capture from the king"),
        WeightSpec::pair("hanging", "a piece one capture away that nothing defends"),
        WeightSpec::pair("hanging_pawn", "a pawn one capture away that nothing defends"),
        WeightSpec::pair("push", "a piece a safe pawn step and one capture away"),
        WeightSpec::pair("knight_queen", "a safe square one knight move from us and the queen"),
        WeightSpec::pair(
            "line_queen",
            "a safe square one bishop or rook move from us and the queen",
        ),
        WeightSpec::pair("restricted", "a square one move from both sides that we guard better"),
    ];
    const SCOPE: Scope = Scope::NotBareKing;

    fn new(_: &[i32]) -> Self {
        Threats
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const PAWN_MINOR: Weight = find(Threats::WEIGHTS, "pawn_minor");
        const PAWN_ROOK: Weight = find(Threats::WEIGHTS, "pawn_rook");
        const PAWN_QUEEN: Weight = find(Threats::WEIGHTS, "pawn_queen");
        const MINOR_PAWN: Weight = find(Threats::WEIGHTS, "minor_pawn");
        const MINOR_MINOR: Weight = find(Threats::WEIGHTS, "minor_minor");
        const MINOR_ROOK: Weight = find(Threats::WEIGHTS, "minor_rook");
        const MINOR_QUEEN: Weight = find(Threats::WEIGHTS, "minor_queen");
        const ROOK_PAWN: Weight = find(Threats::WEIGHTS, "rook_pawn");
        const ROOK_MINOR: Weight = find(Threats::WEIGHTS, "rook_minor");
        const ROOK_QUEEN: Weight = find(Threats::WEIGHTS, "rook_queen");
        const KING: Weight = find(Threats::WEIGHTS, "king");
        const HANGING: Weight = find(Threats::WEIGHTS, "hanging");
        const HANGING_PAWN: Weight = find(Threats::WEIGHTS, "hanging_pawn");
        const PUSH: Weight = find(Threats::WEIGHTS, "push");
        const KNIGHT_QUEEN: Weight = find(Threats::WEIGHTS, "knight_queen");
        const LINE_QUEEN: Weight = find(Threats::WEIGHTS, "line_queen");
        const RESTRICTED: Weight = find(Threats::WEIGHTS, "restricted");
        let (own, enemy) = (context.side(side), context.side(!side));

        let minors = enemy.knights | enemy.bishops;
        let pieces = minors | enemy.rooks | enemy.queens;
        // Defended by a pawn, or by two men where we attack but once.
        let strong = enemy.pawn_attacks | (enemy.twice & !own.twice);
        let weak = own.attacks & !strong;

        sink.add_each(PAWN_MINOR, own.pawn_attacks & minors);
        sink.add_each(PAWN_ROOK, own.pawn_attacks & enemy.rooks);
        sink.add_each(PAWN_QUEEN, own.pawn_attacks & enemy.queens);

        let by_minor = own.minor_attacks();
        sink.add_each(MINOR_PAWN, by_minor & enemy.pawns & weak);
        let other_kind = (own.knight_attacks & enemy.bishops)
            | (own.bishop_attacks & enemy.knights)
            | (by_minor & minors & weak);
        sink.add_each(MINOR_MINOR, other_kind);
        sink.add_each(MINOR_ROOK, by_minor & enemy.rooks);
        sink.add_each(MINOR_QUEEN, by_minor & enemy.queens);
        sink.add_each(ROOK_PAWN, own.rook_attacks & enemy.pawns & weak);
        sink.add_each(ROOK_MINOR, own.rook_attacks & minors & weak);
        sink.add_each(ROOK_QUEEN, own.rook_attacks & enemy.queens);
        sink.add_each(KING, own.king_attacks & enemy.all & weak);

        let undefended = own.attacks & !enemy.attacks;
        sink.add_each(HANGING, undefended & pieces);
        sink.add_each(HANGING_PAWN, undefended & enemy.pawns);
        sink.add_each(RESTRICTED, enemy.attacks & own.attacks & !strong & !enemy.all);

        let stands = !enemy.pawn_attacks & (own.attacks | !enemy.attacks);
        sink.add_each(PUSH, pawn_attacks(side, pushes(context, side) & stands) & pieces);

        let safe = !own.all & !strong & !enemy.pawn_attacks & (own.twice | !enemy.attacks);
        for queen in enemy.queens {
            let jumps = knight_attacks(queen.into()) & own.knight_attacks & safe;
            sink.add(KNIGHT_QUEEN, jumps.count() as i32, queen);
            let lines = (attacks::bishop_attacks(queen, context.occupied) & own.bishop_attacks)
                | (attacks::rook_attacks(queen, context.occupied) & own.rook_attacks);
            sink.add(LINE_QUEEN, (lines & safe & own.twice).count() as i32, queen);
        }
    }
}

/// Where pawns of a side can step to now.
fn pushes(context: &EvalContext, side: Color) -> Bitboard {
    let third = Bitboard::from_rank(side.fold_wb(Rank::Third, Rank::Sixth));
    let once = step(side, context.side(side).pawns) & !context.occupied;
    once | (step(side, once & third) & !context.occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::measured;
    use shakmaty::Square;

    /// What White counts, leaving out squares that are merely contested.
    fn threats(fen: &str) -> Vec<(String, i32, Square)> {
        let mut seen = measured(&Threats, fen, Color::White);
        seen.retain(|(name, count, _)| name != "restricted" && *count != 0);
        seen
    }

    fn assert_threats(fen: &str, expected: &[(&str, Square)]) {
        let expected: Vec<_> =
            expected.iter().map(|&(name, square)| (name.to_owned(), 1, square)).collect();
        assert_eq!(threats(fen), expected, "{fen}");
    }

    #[test]
    fn lesser_men_attack_greater_ones() {
        // The rook defends the knight.
        assert_threats(
            "4k3/8/8/2n1r3/3P4/8/8/4K3 w - - 0 1",
            &[("pawn_minor", Square::C5), ("pawn_rook", Square::E5), ("hanging", Square::E5)],
        );
        // Defended by a pawn, it is a threat all the same.
        assert_threats("4k3/8/1p6/2r5/8/1N6/8/4K3 w - - 0 1", &[("minor_rook", Square::C5)]);
        assert_threats("4k3/8/1p6/2q5/8/8/8/2R1K3 w - - 0 1", &[("rook_queen", Square::C5)]);
    }

    #[test]
    fn what_is_defended_well_enough_is_no_target() {
        // The rook's pawn is weak only where no pawn defends it.
        assert_threats(
            "4k3/8/8/1p6/8/8/8/1R2K3 w - - 0 1",
            &[("rook_pawn", Square::B5), ("hanging_pawn", Square::B5)],
        );
        assert_threats("4k3/8/2p5/1p6/8/8/8/1R2K3 w - - 0 1", &[]);
        assert_threats(
            "8/8/8/1p6/2K5/8/8/7k w - - 0 1",
            &[("king", Square::B5), ("hanging_pawn", Square::B5)],
        );
    }

    #[test]
    fn a_step_and_a_capture_away() {
        // d4 by way of the double step attacks c5 and e5; the king defends it there.
        assert_threats(
            "4k3/8/8/2n1b3/8/4K3/3P4/8 w - - 0 1",
            &[("push", Square::C5), ("push", Square::E5)],
        );
    }

    #[test]
    fn safe_squares_next_to_a_queen() {
        // A knight attacks the queen on a8 from b6 and from c7, and can go to both.
        let seen = threats("q7/8/8/3N4/8/8/8/4K2k w - - 0 1");
        assert!(seen.contains(&("knight_queen".to_owned(), 2, Square::A8)), "{seen:?}");
    }
}
