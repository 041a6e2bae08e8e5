//! Known mates: the engine must find each.

use crate::common::{chess, think};
use shakmaty::{Chess, Position};
use tropism::search::{Game, Limits, Value};
use tropism::testing::mirrored;

/// Moves to mate and position. The first are classics, the others random positions.
const MATES: [(u32, &str); 59] = [
    // Fool's mate and scholar's mate.
    (1, "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"),
    (1, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4"),
    // Back rank; smothered; Arabian; Anastasia's; Boden's; epaulettes.
    (1, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
    (1, "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1"),
    (1, "7k/1R6/5N2/8/8/8/8/6K1 w - - 0 1"),
    (1, "2kr4/3p4/8/8/5B2/8/4B3/6K1 w - - 0 1"),
    (1, "3rkr2/8/8/3Q4/8/8/8/K7 w - - 0 1"),
    // Morphy's problem: Ra6.
    (2, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
    // Philidor's legacy, from the queen's check on.
    (4, "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1"),
    (1, "6k1/8/6K1/8/8/8/8/2Q5 w - - 0 1"),
    (1, "8/8/4R3/8/8/3R1b2/k1K5/8 w - - 0 1"),
    (1, "8/8/8/1R6/7r/3K2Q1/8/3k4 w - - 0 1"),
    (1, "8/8/8/R7/1k6/8/R1K5/8 w - - 0 1"),
    (1, "5k2/8/3PK3/8/8/3q4/7Q/8 w - - 0 1"),
    (1, "7K/8/4Pn2/8/k7/8/P7/6r1 b - - 0 1"),
    (1, "5q2/8/7Q/4P3/8/7K/8/4b2k b - - 0 1"),
    (1, "8/8/8/8/4N3/8/4q3/K1k5 b - - 0 1"),
    (1, "8/8/8/8/B4r2/k7/1r6/3K4 b - - 0 1"),
    (1, "8/8/8/8/7R/r7/3K4/1q3k2 b - - 0 1"),
    (2, "8/R3R3/8/8/1K6/8/8/2k5 w - - 0 1"),
    (2, "8/8/8/5R2/8/3Q1r2/5K1k/8 w - - 0 1"),
    (2, "8/8/8/8/5b2/8/5Q2/4K2k w - - 0 1"),
    (2, "8/8/8/8/3R4/3K4/8/k7 w - - 0 1"),
    (2, "2B5/8/3p4/8/8/8/4Kq1k/2Q5 w - - 0 1"),
    (2, "8/8/7K/6r1/8/8/5r2/5k2 b - - 0 1"),
    (2, "8/8/1P6/8/8/1q5k/8/6K1 b - - 0 1"),
    (2, "5r2/8/8/8/8/8/2k5/4K3 b - - 0 1"),
    (2, "1r6/8/4B2k/K7/4r3/8/8/8 b - - 0 1"),
    (2, "8/4Q3/P5q1/K1b5/8/8/8/5k2 b - - 0 1"),
    (3, "k7/8/8/8/1K3B2/8/8/1R6 w - - 0 1"),
    (3, "7B/8/2K5/1Q4p1/8/8/1q6/2k5 w - - 0 1"),
    (3, "8/k7/r7/1K6/8/N7/3Q4/8 w - - 0 1"),
    (3, "6R1/8/8/5K2/7k/8/3N4/8 w - - 0 1"),
    (3, "8/3R4/6R1/8/k7/8/8/K7 w - - 0 1"),
    (3, "8/8/8/K2k4/2r5/P7/8/8 b - - 0 1"),
    (3, "5r2/6K1/r7/8/8/8/7k/8 b - - 0 1"),
    (3, "K7/8/8/3k4/8/5q2/8/B7 b - - 0 1"),
    (3, "8/5K2/5b2/8/5k2/8/8/3r4 b - - 0 1"),
    (3, "8/6K1/3q4/5k2/8/P7/8/8 b - - 0 1"),
    (4, "6R1/3k4/8/7K/6R1/8/8/8 w - - 0 1"),
    (4, "8/Q7/8/8/4K3/8/8/1k6 w - - 0 1"),
    (4, "8/2P5/3k4/6p1/4K3/8/8/1R6 w - - 0 1"),
    (4, "5K2/8/8/8/1b5R/4R3/8/6k1 w - - 0 1"),
    (4, "3k4/7K/4B3/2R5/8/8/8/8 w - - 0 1"),
    (4, "5K2/8/3pk3/8/8/2Q5/8/4q3 b - - 0 1"),
    (4, "8/7k/8/8/Br6/8/7K/1r6 b - - 0 1"),
    (4, "8/8/r7/1K6/8/8/6k1/2r5 b - - 0 1"),
    (4, "2R5/1q6/8/7K/8/8/2k5/4r3 b - - 0 1"),
    (4, "8/6q1/8/3B3K/8/8/5k2/8 b - - 0 1"),
    (5, "8/5P2/8/8/2R1r3/8/5k2/2K5 w - - 0 1"),
    (5, "8/8/8/3N4/8/6k1/4K3/2R5 w - - 0 1"),
    (5, "4k3/8/8/3K4/1Q6/8/2n5/8 w - - 0 1"),
    (5, "8/4K3/8/8/4k3/8/1R6/1R6 w - - 0 1"),
    (5, "8/8/8/1b2k3/8/7K/1R6/3R4 w - - 0 1"),
    (5, "8/3k4/7K/8/8/2r5/8/b7 b - - 0 1"),
    (5, "8/2R5/7r/3q4/8/8/1K6/6k1 b - - 0 1"),
    (5, "8/3q4/8/6B1/4k3/8/K7/8 b - - 0 1"),
    (5, "8/N7/2q5/6k1/8/8/8/6K1 b - - 0 1"),
    (5, "8/8/8/2K5/7q/1k6/8/8 b - - 0 1"),
];

/// Asserts that the search finds the shortest mate, with a line that ends in mate.
fn assert_finds(position: &Chess, moves: u32, limits: &Limits) {
    let engine = tropism::default_engine().unwrap();
    let game = Game::new(position.clone());
    let (outcome, report) = think(&game, &engine, limits);
    assert_eq!(outcome.value, Value::Mate(moves as i32), "{position:?} {limits:?}");
    let line = report.unwrap().line;
    assert_eq!(line.len() as u32, 2 * moves - 1, "{position:?}: {line:?}");
    let end = line.into_iter().try_fold(position.clone(), Position::play).unwrap();
    assert!(end.is_checkmate());
}

#[test]
fn go_mate_finds_the_shortest_mate() {
    for (moves, fen) in MATES {
        let limits = Limits { mate: Some(moves), ..Limits::default() };
        assert_finds(&chess(fen), moves, &limits);
        assert_finds(&mirrored(&chess(fen)), moves, &limits);
    }
}

#[test]
fn go_mate_with_a_higher_limit_still_finds_the_shortest_mate() {
    for (moves, fen) in MATES.into_iter().filter(|&(moves, _)| moves <= 3) {
        assert_finds(&chess(fen), moves, &Limits { mate: Some(moves + 1), ..Limits::default() });
    }
}

#[test]
fn depth_one_finds_every_mate_in_one_and_depth_three_every_mate_in_two() {
    for (moves, fen) in MATES.into_iter().filter(|&(moves, _)| moves <= 2) {
        let limits = Limits { depth: Some(2 * moves - 1), ..Limits::default() };
        assert_finds(&chess(fen), moves, &limits);
    }
}

#[test]
fn a_search_with_a_node_limit_finds_the_shortest_mate() {
    for (moves, fen) in MATES {
        let nodes = if moves < 4 { 100_000 } else { 1_500_000 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        assert_finds(&chess(fen), moves, &limits);
    }
}

#[test]
fn go_mate_claims_no_mate_where_there_is_none() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1",
        "8/8/8/3k4/8/8/3N4/3KN3 w - - 0 1",
        "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
    ] {
        let game = Game::new(chess(fen));
        let engine = tropism::default_engine().unwrap();
        let limits = Limits { mate: Some(3), ..Limits::default() };
        let (outcome, _) = think(&game, &engine, &limits);
        assert!(matches!(outcome.value, Value::Centipawns(_)), "{fen}: {:?}", outcome.value);
        assert!(outcome.best.is_some());
    }
}
