//! The search finds draws and scores them as exactly 0.

use crate::common::{chess, think};
use shakmaty::{Chess, Move, uci::UciMove};
use tropism::search::{Game, Limits, Value};
use tropism::testing::mirrored;

fn read_move(word: &str, position: &Chess) -> Move {
    word.parse::<UciMove>().unwrap().to_move(position).unwrap()
}

/// The searches of `searches.txt`.
#[test]
fn draws_and_what_is_none_are_found() {
    let engine = tropism::default_engine().unwrap();
    for line in include_str!("searches.txt").lines().filter(|line| line.contains(" | ")) {
        let mut parts = line.split('|').map(str::trim);
        let [wanted, depths, fen, moves, only] = [(); 5].map(|()| parts.next().unwrap_or_default());
        let (first, last) = depths.split_once('-').unwrap_or((depths, depths));
        let [first, last]: [u32; 2] = [first, last].map(|depth| depth.parse().unwrap());
        let mut game = Game::from_fen(fen, None).unwrap();
        for word in moves.split_whitespace() {
            game.play(read_move(word, game.position().chess()));
        }
        let only = only.split_whitespace().map(|word| read_move(word, game.position().chess()));
        let search_moves: Vec<Move> = only.collect();
        for depth in first..=last {
            let search_moves = search_moves.clone();
            let limits = Limits { depth: Some(depth), search_moves, ..Limits::default() };
            let outcome = think(&game, &engine, &limits).0;
            let value = match outcome.value {
                Value::Centipawns(0) => "0".to_owned(),
                Value::Centipawns(value) if value > 100 => "ahead".to_owned(),
                Value::Centipawns(value) if value < -100 => "behind".to_owned(),
                Value::Centipawns(value) => value.to_string(),
                Value::Mate(moves) => format!("#{moves}"),
            };
            let best = UciMove::from_standard(outcome.best.unwrap());
            let found = if wanted.contains(' ') { format!("{value} {best}") } else { value };
            assert_eq!(found, wanted, "{fen} {moves}, depth {depth}");
        }
    }
}

/// Known draws are worth less than half a pawn, and their neighbours are won.
#[test]
fn known_draws_and_their_neighbours() {
    let engine = tropism::default_engine().unwrap();
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let mut is_drawn = true;
    for line in include_str!("draws.txt").lines().filter(|line| !line.starts_with('#')) {
        match line {
            "" => continue,
            "drawn" | "won" => {
                is_drawn = line == "drawn";
                continue;
            }
            _ => {}
        }
        let turns = if line.contains(' ') { vec![""] } else { vec![" w", " b"] };
        for fen in turns.iter().map(|turn| format!("{line}{turn} - - 0 1")) {
            let start = chess(&fen);
            for position in [start.clone(), mirrored(&start)] {
                let turn = if fen.contains(" w ") { 1 } else { -1 };
                let is_right = match think(&Game::new(position), &engine, &limits).0.value {
                    Value::Centipawns(-50..=50) => is_drawn,
                    Value::Centipawns(value) => !is_drawn && turn * value > 100,
                    Value::Mate(moves) => !is_drawn && turn * moves > 0,
                };
                assert!(is_right, "{fen}");
            }
        }
    }
}

#[test]
fn the_node_limit_is_exact() {
    let engine = tropism::default_engine().unwrap();
    let game =
        Game::new(chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"));
    for nodes in [2_000, 10_000, 33_333] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        assert_eq!(think(&game, &engine, &limits).0.nodes, nodes);
    }
}
