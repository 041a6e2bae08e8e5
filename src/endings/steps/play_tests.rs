//! The engine plays by the steps that the proof computes.

use super::{
    Steps, has_level,
    tests::{Ending, steps},
};
use crate::{
    endgame::{Endgames, Table},
    endings::{
        graph::{AfterMove, position_at},
        solve::fen,
    },
    random::SplitMix64,
    search::{
        Aim, Game, Levels, Limits, Position, Search, StepSearch, TranspositionTable,
        strong_side_value,
    },
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

/// Plays games of random steps against random replies and compares the steps of every position. Returns how
/// many positions had a step of each number of moves, 0 for none.
fn compare_steps(ending: &Ending, games: usize) -> [usize; MOVES + 1] {
    let engine = crate::default_engine().unwrap();
    let steps = steps(&ending.graph, ending.values_of(&engine), MOVES);
    let (table, limits) = (TranspositionTable::new(1).unwrap(), Limits::default());
    let mut random = SplitMix64(3);
    let mut counts = [0; MOVES + 1];
    for _ in 0..games {
        let start = pick(&ending.graph.won, &mut random);
        let start = position_at(ending.table(), Color::White, start as usize).unwrap();
        let mut game = Game::new(start);
        let mut aim = Aim::NONE;
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
            assert_eq!(Aim::of_game(&game, &engine), aim);
            let white = index(ending.table(), &chess);
            let expected = steps.shortest(white, aim);
            let request = Search::new(&game, &engine, &table, &limits);
            let found = StepSearch::new(&request, aim).shortest(&legal);
            counts[expected.unwrap_or(0)] += 1;
            let Some(length) = expected else {
                assert!(found.is_none_or(|(length, _)| usize::from(length) > MOVES));
                break;
            };
            let (found_length, first) = found.unwrap();
            assert_eq!(usize::from(found_length), length, "{}", fen(&chess));
            let after = |m: Move| index(ending.table(), game.position().play(m).chess());
            for &m in &legal {
                let begins = aim.is_below(steps.forced_by(after(m), length - 1));
                assert_eq!(first.contains(&m), begins, "{m} {}", fen(&chess));
            }
            let m = pick(&first, &mut random);
            let reached = steps.values[after(m) as usize];
            game.play(m);
            let position = game.position().chess();
            if reached != Steps::NONE && !position.is_checkmate() {
                assert_eq!(reached, strong_side_value(&engine, position));
                aim = aim.max(Aim::new(reached));
            }
        }
    }
    counts
}

#[test]
fn the_moves_that_begin_a_step_in_play_are_those_of_the_proof() {
    let rook = compare_steps(&Ending::new("KRK"), 60);
    assert!(rook.iter().all(|&count| count > 0), "{rook:?}");
    let queen = compare_steps(&Ending::new("KQK"), 60);
    assert!(queen[1] > 100 && queen[2] > 0, "{queen:?}");
}
