//! Known mates: the engine must find each.

use crate::common::chess;
use shakmaty::{Chess, Position};
use std::sync::atomic::Ordering::Relaxed;
use tropism::search::{
    Bound, Control, Game, Limits, SearchRequest, TranspositionTable, Value, search,
};
use tropism::testing::mirrored;

/// The moves to mate and the positions of `mates.txt`.
fn mates() -> impl Iterator<Item = (u32, &'static str)> {
    let lines = include_str!("mates.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (fen, moves) = line.split_once(" dm ").unwrap();
        (moves.parse().unwrap(), fen)
    })
}

/// Asserts that the search finds the shortest mate, with a line that ends in mate. At a number of nodes it may stop there.
fn assert_finds(position: &Chess, moves: u32, limits: &Limits) {
    let engine = tropism::default_engine().unwrap();
    let game = Game::new(position.clone());
    let (table, control) = (TranspositionTable::new(8).unwrap(), Control::default());
    let request = SearchRequest::new(&game, &engine, &table, limits);
    let (wanted, mut line) = (Value::Mate(moves as i32), Vec::new());
    let outcome = search(&SearchRequest { control: &control, ..request }, |report| {
        let is_found = report.value == wanted && report.bound == Bound::Exact;
        control.stop.fetch_or(is_found && limits.nodes.is_some(), Relaxed);
        line.clone_from(&report.line);
    });
    assert_eq!(outcome.value, wanted, "{position:?} {limits:?}");
    assert_eq!(line.len() as u32, 2 * moves - 1, "{position:?}: {line:?}");
    let end = line.into_iter().try_fold(position.clone(), Position::play).unwrap();
    assert!(end.is_checkmate());
}

#[test]
fn go_mate_finds_the_shortest_mate() {
    for (moves, fen) in mates() {
        let mate = |mate: u32| Limits { mate: Some(mate), ..Limits::default() };
        assert_finds(&chess(fen), moves, &mate(moves));
        if moves <= 4 {
            assert_finds(&mirrored(&chess(fen)), moves, &mate(moves));
        }
        if moves <= 3 {
            assert_finds(&chess(fen), moves, &mate(moves + 1));
        }
        if moves <= 2 {
            let limits = Limits { depth: Some(2 * moves - 1), ..Limits::default() };
            assert_finds(&chess(fen), moves, &limits);
        }
    }
}

#[test]
fn a_search_with_a_node_limit_finds_the_shortest_mate() {
    for (moves, fen) in mates() {
        let nodes = if moves < 4 { 100_000 } else { 1_500_000 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        assert_finds(&chess(fen), moves, &limits);
    }
}
