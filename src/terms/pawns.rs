use super::nearest;
use super::placement::{EDGE, HOME, square_index};
use crate::eval::meaning::{Distance, RANKS, count, distance, own, place};
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{ahead, back_rank_distance, beside, rank_distance, step};
use shakmaty::{Bitboard, Color};

/// Measures pawns by their distances to each other.
pub(super) struct Pawns;

/// The index for a missing pawn.
const NONE: u32 = 7;

/// How far the pawn is ahead of the nearest neighbour that can support it.
const SUPPORT: Distance = distance(RANKS, place("the next pawn on a neighbouring file"))
    .preposition("ahead of")
    .zero("beside a pawn")
    .alone(NONE, "no pawn beside or behind it on a neighbouring file");
const ENEMY_AHEAD: Distance = distance(RANKS, place("the next enemy pawn ahead on its file"))
    .alone(NONE, "no enemy pawn ahead on its file");
const OWN_AHEAD: Distance = distance(RANKS, place("the pawn in front of it on its file"))
    .alone(NONE, "no pawn of its side in front of it");

impl Term for Pawns {
    const NAME: &'static str = "pawns";
    const DOC: &'static str =
        "Pawns are strong near each other and weak where no neighbour can support them.";
    const SOURCE: &'static str =
        "Kmoch 1959, Pawn Power in Chess; Chess Programming Wiki, Pawn Structure";
    const WEIGHTS: &'static [WeightSpec] = &[
        WeightSpec::array("place", 32, own("pawn").both(HOME, 4, EDGE)),
        WeightSpec::array("support", 8, own("pawn").is(SUPPORT)),
        WeightSpec::array("phalanx", 8, own("pawn in a phalanx").is(HOME)),
        WeightSpec::array("defended", 8, own("defended pawn").is(HOME)),
        WeightSpec::array("ahead", 8, own("pawn").is(ENEMY_AHEAD)),
        WeightSpec::array("doubled", 8, own("pawn").is(OWN_AHEAD)),
        WeightSpec::pair("isolated", count("an isolated pawn", "isolated pawns")),
        WeightSpec::pair(
            "isolated_open",
            count("an isolated pawn on a half-open file", "isolated pawns on half-open files"),
        ),
        WeightSpec::pair("backward", count("a backward pawn", "backward pawns")),
        WeightSpec::pair(
            "backward_open",
            count("a backward pawn on a half-open file", "backward pawns on half-open files"),
        ),
        WeightSpec::pair(
            "free_lever",
            count(
                "a pawn attack on a pawn that no pawn defends",
                "pawn attacks on pawns that no pawn defends",
            ),
        ),
        WeightSpec::array("candidate", 8, own("candidate passed pawn").is(HOME)),
        WeightSpec::array("blocked", 8, own("pawn in front of an enemy pawn").is(HOME)),
        WeightSpec::array("open", 8, own("supported pawn with no enemy pawn ahead").is(HOME)),
        WeightSpec::pair(
            "isolated_doubled",
            count("an isolated pawn behind another", "isolated pawns behind others"),
        ),
    ];
    const SCOPE: Scope = Scope::NotBareKing;
    const PAWNS_AND_KINGS: bool = true;

    fn new(_: &[i32]) -> Self {
        Pawns
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const PLACE: Weight = find(Pawns::WEIGHTS, "place");
        const SUPPORT: Weight = find(Pawns::WEIGHTS, "support");
        const PHALANX: Weight = find(Pawns::WEIGHTS, "phalanx");
        const DEFENDED: Weight = find(Pawns::WEIGHTS, "defended");
        const AHEAD: Weight = find(Pawns::WEIGHTS, "ahead");
        const DOUBLED: Weight = find(Pawns::WEIGHTS, "doubled");
        const ISOLATED: Weight = find(Pawns::WEIGHTS, "isolated");
        const ISOLATED_OPEN: Weight = find(Pawns::WEIGHTS, "isolated_open");
        const BACKWARD: Weight = find(Pawns::WEIGHTS, "backward");
        const BACKWARD_OPEN: Weight = find(Pawns::WEIGHTS, "backward_open");
        const FREE_LEVER: Weight = find(Pawns::WEIGHTS, "free_lever");
        const CANDIDATE: Weight = find(Pawns::WEIGHTS, "candidate");
        const BLOCKED: Weight = find(Pawns::WEIGHTS, "blocked");
        const OPEN: Weight = find(Pawns::WEIGHTS, "open");
        const ISOLATED_DOUBLED: Weight = find(Pawns::WEIGHTS, "isolated_doubled");
        let (own, enemy) = (context.side(side), context.side(!side));

        sink.add_each(FREE_LEVER, own.pawn_attacks & enemy.pawns & !enemy.pawn_attacks);
        for pawn in own.pawns {
            let square = Bitboard::from_square(pawn);
            let way = ahead(side, square);
            let files = Bitboard::from_file(pawn.file());
            let neighbours = own.pawns & beside(files);
            let not_ahead = neighbours & !ahead(side, beside(square));
            let ranks = |set: Bitboard, side| {
                nearest(side, set).map_or(NONE, |other| rank_distance(pawn, other))
            };
            let home = back_rank_distance(side, pawn);
            let open = (way & enemy.pawns).is_empty();
            sink.add(PLACE.at(square_index(side, pawn)), 1, pawn);
            sink.add(SUPPORT.at(ranks(not_ahead, !side)), 1, pawn);
            sink.add(AHEAD.at(ranks(way & enemy.pawns, side)), 1, pawn);
            sink.add(DOUBLED.at(ranks(way & own.pawns, side)), 1, pawn);
            if (step(side, square) & enemy.pawns).any() {
                sink.add(BLOCKED.at(home), 1, pawn);
            }
            let in_phalanx = (beside(square) & own.pawns).any();
            if open && (in_phalanx || own.pawn_attacks.contains(pawn)) {
                sink.add(OPEN.at(home), 1, pawn);
            }
            if in_phalanx {
                sink.add(PHALANX.at(home), 1, pawn);
            }
            if own.pawn_attacks.contains(pawn) {
                sink.add(DEFENDED.at(home), 1, pawn);
            }
            if neighbours.is_empty() {
                sink.add(if open { ISOLATED_OPEN } else { ISOLATED }, 1, pawn);
                if (way & own.pawns).any() {
                    sink.add(ISOLATED_DOUBLED, 1, pawn);
                }
            } else if own.backward.contains(pawn) {
                sink.add(if open { BACKWARD_OPEN } else { BACKWARD }, 1, pawn);
            }
            if open && !own.passed.contains(pawn) {
                let stoppers = beside(way) & enemy.pawns;
                if not_ahead.count() >= stoppers.count() {
                    sink.add(CANDIDATE.at(home), 1, pawn);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;
    use shakmaty::Square;

    #[test]
    fn a_chain_a_straggler_and_a_passed_pawn() {
        // d4 is defended by c3; h2 is alone and faces h5 three ranks ahead; a5 is passed.
        let fen = "4k3/8/3p4/P6p/3P4/2P5/7P/4K3 w - - 0 1";
        assert_measured(
            &Pawns,
            fen,
            Color::White,
            &[
                ("place 4", 1, Square::H2),
                ("support 7", 1, Square::H2),
                ("ahead 3", 1, Square::H2),
                ("doubled 7", 1, Square::H2),
                ("isolated", 1, Square::H2),
                ("place 10", 1, Square::C3),
                ("support 7", 1, Square::C3),
                ("ahead 7", 1, Square::C3),
                ("doubled 7", 1, Square::C3),
                ("place 15", 1, Square::D4),
                ("support 1", 1, Square::D4),
                ("ahead 2", 1, Square::D4),
                ("doubled 7", 1, Square::D4),
                ("defended 3", 1, Square::D4),
                ("place 16", 1, Square::A5),
                ("support 7", 1, Square::A5),
                ("ahead 7", 1, Square::A5),
                ("doubled 7", 1, Square::A5),
                ("isolated_open", 1, Square::A5),
            ],
        );
    }

    #[test]
    fn doubled_phalanx_backward_and_a_free_capture() {
        let has = |fen: &str, expected: &[(&str, Square)]| {
            let seen = crate::terms::testing::measured(&Pawns, fen, Color::White);
            for &(name, square) in expected {
                let found = seen.iter().any(|(n, _, s)| (n.as_str(), *s) == (name, square));
                assert!(found, "{name} {square} in {seen:?}");
            }
        };
        has(
            "4k3/8/8/3p4/4P3/4P3/5P2/4K3 w - - 0 1",
            &[
                ("doubled 1", Square::E3),
                ("support 2", Square::E4),
                ("defended 2", Square::E3),
                ("free_lever", Square::D5),
            ],
        );
        has(
            "4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1",
            &[("phalanx 3", Square::D4), ("phalanx 3", Square::E4), ("support 0", Square::D4)],
        );
        // e3 is left behind, and d5 guards e4.
        has("4k3/8/8/3p4/3P4/4P3/8/4K3 w - - 0 1", &[("support 1", Square::D4)]);
        // c4 has one helper, b3, against the one stopper.
        has("4k3/8/3p4/8/2P5/1P6/8/4K3 w - - 0 1", &[("candidate 3", Square::C4)]);
        has("4k3/8/2p5/8/1P1P4/2P5/8/4K3 w - - 0 1", &[("ahead 3", Square::C3)]);
        has("4k3/8/8/1p1p4/1P1P4/2P5/8/4K3 w - - 0 1", &[("backward_open", Square::C3)]);
    }
}
