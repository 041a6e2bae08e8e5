//! A mirrored position has the mirrored score, term by term, and all sinks of an evaluation agree.

use crate::common::{chess, shipped};
use proptest::prelude::*;
use shakmaty::{Chess, Position};
use tropism::eval::{Engine, Score};
use tropism::search::Game;
use tropism::testing::{assert_mirrors, mirrored};

fn assert_symmetric(engine: &Engine, position: &Chess) {
    assert_mirrors(engine, position);
    let here = engine.trace(position);
    // Three sinks give the same value: the one that explains, the one that sums and caches pawns and kings,
    // and the one that records for the tuner.
    assert_eq!(here.value, engine.evaluate(position), "{position:?}");
    let mut counts = vec![0; engine.pairs()];
    let scale = engine.record(position, &mut counts);
    let weighed = engine.weights().zip(&counts).map(|(weight, &count)| weight * count);
    let value = scale.value(weighed.fold(Score::ZERO, |sum, part| sum + part));
    assert_eq!(position.turn().fold_wb(value, -value), here.value, "{position:?}");
}

/// Plays a random game: each number picks one of the legal moves.
pub fn random_game(start: &str, picks: &[u8], mut visit: impl FnMut(&Chess)) -> Game {
    let mut game = Game::new(chess(start));
    for &pick in picks {
        visit(game.position().chess());
        let moves = game.position().chess().legal_moves();
        let Some(&m) = moves.get(usize::from(pick) % moves.len().max(1)) else { break };
        game.play(m);
    }
    game
}

pub const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4k3/8/8/8/1NB5/4K3 w - - 0 1",
    "8/8/4k3/8/8/8/R7/4K3 w - - 0 1",
    "4k3/pp3n2/8/2p5/5P2/8/P1N3P1/4K3 w - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn mirrored_position_mirrored_score(
        start in 0..STARTS.len(), picks in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let engines = ["tropism", "minimal", "tropism-material"].map(shipped);
        random_game(STARTS[start], &picks, |position| {
            engines.iter().for_each(|engine| assert_symmetric(engine, position));
        });
    }
}

/// Characters have the terms of the default engine and other weights.
#[test]
fn characters_evaluate_both_sides_alike() {
    let default = tropism::default_engine().unwrap();
    let position = chess(STARTS[1]);
    for name in ["hunter", "miser", "builder"] {
        let engine = shipped(name);
        assert_eq!(engine.name(), format!("tropism {name}"));
        assert!(engine.terms().eq(default.terms()), "{name}");
        assert_eq!(engine.evaluate(&position), engine.evaluate(&mirrored(&position)), "{name}");
        assert_ne!(engine.evaluate(&position), default.evaluate(&position), "{name}");
    }
}
