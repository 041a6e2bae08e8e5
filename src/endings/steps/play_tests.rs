//! The engine plays by the steps that the proof computes.

use super::{
    has_level,
    tests::{Ending, steps},
};
use crate::{
    endgame::{Endgames, Table},
    endings::{
        graph::{AfterMove, position_at},
        solve::fen,
    },
    random::SplitMix64,
    search::{Game, History, Levels, Limits, Position, Search, StepSearch, TranspositionTable},
};
use shakmaty::{Chess, Color, Move, Position as _};

/// The most moves of a step here.
const MOVES: usize = 4;

/// Compares all positions with the bare king to move, or one of each `stride`. Returns how many have a level.
fn compare_levels(ending: &Ending, stride: usize) -> usize {
    let mut levels = Levels::default();
    let mut count = 0;
    for (index, counts) in has_level(&ending.graph).into_iter().enumerate().step_by(stride) {
        let Some(chess) = position_at(ending.table(), Color::Black, index) else { continue };
        if ending.graph.after[index] != AfterMove::Mate {
            assert_eq!(levels.counts(&Position::new(chess.clone())), counts, "{}", fen(&chess));
            count += usize::from(counts);
        }
    }
    count
}

#[test]
fn positions_have_a_level_in_play_where_they_have_one_in_the_proof() {
    let count = compare_levels(&Ending::new("KRK"), 1);
    assert!(count > 20_000, "{count}");
    let count = compare_levels(&Ending::new("KBBK"), 997);
    assert!(count > 500, "{count}");
}

fn index(table: &Table, chess: &Chess) -> u32 {
    table.index(&Endgames::squares(table, chess).unwrap()).unwrap() as u32
}

fn pick<T: Copy>(items: &[T], random: &mut SplitMix64) -> T {
    items[random.below(items.len())]
}

/// Plays games by plan against random replies and compares the moves of every position. Returns how many positions had
/// a line of each number of moves.
fn compare_plans(ending: &Ending, games: usize) -> [usize; MOVES] {
    let engine = crate::default_engine().unwrap();
    let steps = steps(&ending.graph, ending.values_of(&engine), MOVES);
    let (table, limits) = (TranspositionTable::new(1).unwrap(), Limits::default());
    let mut random = SplitMix64(3);
    let mut counts = [0; MOVES];
    for _ in 0..games {
        let start = pick(&ending.graph.won, &mut random);
        let start = position_at(ending.table(), Color::White, start as usize).unwrap();
        let mut game = Game::new(start);
        loop {
            let chess = game.position().chess().clone();
            let legal: Vec<Move> = chess.legal_moves().into_iter().collect();
            if chess.turn() == Color::Black {
                if legal.is_empty() {
                    break;
                }
                game.play(pick(&legal, &mut random));
                continue;
            }
            let white = index(ending.table(), &chess);
            let expected = steps.plan(white).unwrap();
            let aim = History::of_game(&game, &engine).aim;
            let request = Search::new(&game, &engine, &table, &limits);
            let found = StepSearch::new(&request, aim, MOVES as u8, 1).plan(&legal).unwrap();
            assert_eq!(usize::from(found.length), expected.length(), "{}", fen(&chess));
            counts[expected.length() - 1] += 1;
            let after = |m: Move| index(ending.table(), game.position().play(m).chess());
            // By value and not by index: with both kings on a diagonal, a position has two.
            let forced = |m: Move| steps.forced_by(after(m), expected.length() - 1);
            let highest = steps.first_moves(white, expected).next().unwrap();
            let highest = steps.forced_by(highest, expected.length() - 1);
            for &m in &legal {
                let is_first = found.first.contains(&m);
                assert_eq!(is_first, forced(m) == highest, "{m} {}", fen(&chess));
            }
            game.play(pick(&found.first, &mut random));
        }
        assert!(game.position().chess().is_checkmate());
    }
    counts
}

#[test]
fn the_engine_plays_the_plans_of_the_proof() {
    for (ending, games) in [("KQK", 40), ("KRK", 25)] {
        let counts = compare_plans(&Ending::new(ending), games);
        assert!(counts.iter().all(|&count| count > 0), "{ending}: {counts:?}");
    }
}
