use crate::eval::{ShapeSpec, Sink, Term, View, Weight, WeightSpec, find};
use crate::geometry::step;
use shakmaty::{Bitboard, Color, File, attacks};

/// Measures how near enemy pieces are to a king: by moves to the squares around it.
pub struct KingSafety {
    /// Points of danger of an attacker, by role from the knight on.
    attacker: [i32; 4],
    /// Points of danger of a safe check, by role from the knight on.
    check: [i32; 4],
    square: i32,
    weak: i32,
    no_queen: i32,
}

/// More danger is not told apart.
const MOST_DANGER: i32 = 64;

impl Term for KingSafety {
    const NAME: &'static str = "king_safety";
    const DOC: &'static str =
        "A king is in danger when enemy pieces are one move from the squares around it.";
    const SOURCE: &'static str =
        "Chess Programming Wiki, King Safety (attacking king zone, attack units)";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::pair("danger", "each point of danger to the enemy king"),
        WeightSpec::pair(
            "danger_squared",
            "each hundred of the squared points of danger to the enemy king",
        )
        .per(100),
        WeightSpec::pair("knight_check", "a safe square for a knight's check, one move away"),
        WeightSpec::pair("bishop_check", "a safe square for a bishop's check, one move away"),
        WeightSpec::pair("rook_check", "a safe square for a rook's check, one move away"),
        WeightSpec::pair("queen_check", "a safe square for a queen's check, one move away"),
        WeightSpec::pair("flank", "an attacked square in the camp before the enemy king"),
        WeightSpec::pair(
            "flank_twice",
            "a square of the enemy camp attacked twice, guarded by no pawn",
        ),
    ];
    const SHAPE: &'static [ShapeSpec] = &[
        ShapeSpec { name: "knight", doc: "points of a knight one move away", min: 0, max: 40 },
        ShapeSpec { name: "bishop", doc: "points of a bishop one move away", min: 0, max: 40 },
        ShapeSpec { name: "rook", doc: "points of a rook one move away", min: 0, max: 40 },
        ShapeSpec { name: "queen", doc: "points of a queen one move away", min: 0, max: 40 },
        ShapeSpec {
            name: "knight_checks",
            doc: "points of a knight's safe check",
            min: 0,
            max: 40,
        },
        ShapeSpec {
            name: "bishop_checks",
            doc: "points of a bishop's safe check",
            min: 0,
            max: 40,
        },
        ShapeSpec { name: "rook_checks", doc: "points of a rook's safe check", min: 0, max: 40 },
        ShapeSpec { name: "queen_checks", doc: "points of a queen's safe check", min: 0, max: 40 },
        ShapeSpec {
            name: "square",
            doc: "points of a square beside the king that a piece attacks",
            min: 0,
            max: 40,
        },
        ShapeSpec {
            name: "weak",
            doc: "points of one that the king alone defends",
            min: 0,
            max: 40,
        },
        ShapeSpec { name: "no_queen", doc: "points less without a queen", min: 0, max: 40 },
    ];
    const WITH_BARE_KING: bool = false;

    fn new(shape: &[i32]) -> Self {
        KingSafety {
            attacker: [shape[0], shape[1], shape[2], shape[3]],
            check: [shape[4], shape[5], shape[6], shape[7]],
            square: shape[8],
            weak: shape[9],
            no_queen: shape[10],
        }
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, view: &View, side: Color, sink: &mut S) {
        const DANGER: Weight = find(KingSafety::WEIGHTS, "danger");
        const DANGER_SQUARED: Weight = find(KingSafety::WEIGHTS, "danger_squared");
        const CHECKS: [Weight; 4] = [
            find(KingSafety::WEIGHTS, "knight_check"),
            find(KingSafety::WEIGHTS, "bishop_check"),
            find(KingSafety::WEIGHTS, "rook_check"),
            find(KingSafety::WEIGHTS, "queen_check"),
        ];
        const FLANK: Weight = find(KingSafety::WEIGHTS, "flank");
        const FLANK_TWICE: Weight = find(KingSafety::WEIGHTS, "flank_twice");
        let (own, enemy) = (view.side(side), view.side(!side));
        let king = enemy.king;

        let camp = FLANKS[king.file().to_usize()] & camp(!side);
        let attacked = camp & own.attacks;
        sink.add(FLANK, attacked.count() as i32, king);
        let twice = attacked & own.twice & !enemy.pawn_attacks;
        sink.add(FLANK_TWICE, twice.count() as i32, king);

        let beside = enemy.king_attacks;
        let ring = (beside | step(!side, beside)).with(king);
        let (mut danger, mut attackers) = (0, 0);
        for piece in &own.pieces {
            if (piece.attacks & ring).any() {
                attackers += 1;
                danger += self.attacker[piece.kind()];
                danger += self.square * (piece.attacks & beside).count() as i32;
            }
        }
        // Squares that only their king or queen defends, or nothing does.
        let only_king = !enemy.twice & (enemy.king_attacks | enemy.queen_attacks);
        let weak = own.attacks & (!enemy.attacks | only_king);
        danger += self.weak * (weak & beside).count() as i32;

        let safe = !own.men & (!enemy.attacks | (weak & own.twice & only_king));
        let (lines, diagonals) = (
            attacks::rook_attacks(king, view.occupied),
            attacks::bishop_attacks(king, view.occupied),
        );
        let from = [attacks::knight_attacks(king), diagonals, lines, lines | diagonals];
        let by = [own.knight_attacks, own.bishop_attacks, own.rook_attacks, own.queen_attacks];
        for role in 0..4 {
            let checks = from[role] & by[role] & safe;
            if checks.any() {
                danger += self.check[role];
                sink.add(CHECKS[role], checks.count() as i32, king);
            }
        }
        if own.queens.is_empty() {
            danger -= self.no_queen;
        }
        if attackers > i32::from(own.queens.is_empty()) {
            // Attackers help each other: danger grows faster than its points. Two weights see farther than
            // one for each number of points would, for games with much danger are few.
            let danger = danger.clamp(0, MOST_DANGER);
            sink.add(DANGER, danger, king);
            sink.add(DANGER_SQUARED, danger * danger, king);
        }
    }
}

/// The file of a king and the two at either side of it, as far as there are any.
const FLANKS: [Bitboard; 8] = {
    let mut flanks = [Bitboard::EMPTY; 8];
    let mut king = 0;
    while king < 8 {
        let mut file = 0;
        while file < 8 {
            if File::new(file).distance(File::new(king)) <= 2 {
                flanks[king as usize].0 |= Bitboard::from_file(File::new(file)).0;
            }
            file += 1;
        }
        king += 1;
    }
    flanks
};

/// The three ranks nearest to a side's back rank.
const fn camp(side: Color) -> Bitboard {
    match side {
        Color::White => Bitboard(0x0000_0000_00ff_ffff),
        Color::Black => Bitboard(0xffff_ff00_0000_0000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;
    use shakmaty::Square;

    const TERM: KingSafety =
        KingSafety { attacker: [3, 2, 3, 3], check: [6, 4, 7, 6], square: 1, weak: 3, no_queen: 8 };

    #[test]
    fn a_queen_and_a_knight_near_a_king() {
        // The knight attacks g7 beside the king and can safely check from e7 and h6; the queen attacks
        // g7 and h8 and can check from c8, g7, g3, c4 and b3. The king alone defends g7 and h8. Points:
        // 3 + 1 and 3 + 2 for the attackers, 2 x 3 for weak squares, 6 and 6 for checks.
        assert_measured(
            &TERM,
            "6k1/8/8/5N2/8/2Q5/8/K7 w - - 0 1",
            Color::White,
            &[
                ("flank", 5, Square::G8),
                ("flank_twice", 1, Square::G8),
                ("knight_check", 2, Square::G8),
                ("queen_check", 5, Square::G8),
                ("danger", 27, Square::G8),
                ("danger_squared", 729, Square::G8),
            ],
        );
    }

    #[test]
    fn one_piece_without_a_queen_is_no_danger() {
        let seen = crate::terms::testing::measured(
            &TERM,
            "6k1/5ppp/8/8/8/8/8/K5R1 w - - 0 1",
            Color::White,
        );
        assert!(seen.iter().all(|(name, ..)| !name.starts_with("danger")), "{seen:?}");
    }
}
