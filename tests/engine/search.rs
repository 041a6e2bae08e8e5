//! Facts that hold for a search of any position.

use crate::common::think;
use crate::symmetry::{STARTS, random_game};
use proptest::prelude::*;
use shakmaty::{Chess, Position};
use std::sync::LazyLock;
use tropism::eval::Engine;
use tropism::search::{Game, Limits, Value};
use tropism::testing::mirrored;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| tropism::default_engine().unwrap());

/// The last position of a random game.
fn positions() -> impl Strategy<Value = Chess> {
    (0..STARTS.len(), proptest::collection::vec(any::<u8>(), 1..60)).prop_map(|(start, picks)| {
        random_game(STARTS[start], &picks, |_| ()).position().chess().clone()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_mirrored_position_is_searched_the_same_way(position in positions()) {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let (here, _) = think(&Game::new(position.clone()), &ENGINE, &limits);
        let (there, _) = think(&Game::new(mirrored(&position)), &ENGINE, &limits);
        prop_assert_eq!((here.value, here.nodes), (there.value, there.nodes));
    }

    #[test]
    fn the_line_is_legal_and_starts_with_a_requested_move(
        position in positions(), pick in any::<u8>(),
    ) {
        let moves = position.legal_moves();
        prop_assume!(!moves.is_empty());
        let asked = moves[usize::from(pick) % moves.len()];
        let limits = Limits { depth: Some(5), search_moves: vec![asked], ..Limits::default() };
        let (outcome, report) = think(&Game::new(position.clone()), &ENGINE, &limits);
        prop_assert_eq!(outcome.best, Some(asked));
        let line = report.unwrap().line;
        prop_assert_eq!(line[0], asked);
        prop_assert!(line.into_iter().try_fold(position, Position::play).is_ok());
    }

    #[test]
    fn a_mate_that_is_claimed_is_a_mate(position in positions()) {
        let game = Game::new(position);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        if let Value::Mate(moves @ 1..=3) = think(&game, &ENGINE, &limits).0.value {
            // `go mate` does not prune.
            let limits = Limits { mate: Some(moves as u32), ..Limits::default() };
            let (outcome, _) = think(&game, &ENGINE, &limits);
            prop_assert!(matches!(outcome.value, Value::Mate(found) if (1..=moves).contains(&found)));
        }
    }
}
