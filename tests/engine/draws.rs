//! The search finds draws and scores them as exactly 0.

use crate::common::{chess, think};
use shakmaty::{Chess, Move, uci::UciMove};
use std::ops::RangeInclusive;
use tropism::search::{Game, Limits, Value};
use tropism::testing::mirrored;

const STALEMATE: &str = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
const KNIGHTS: &str = "7k/4N3/6K1/6N1/8/8/8/8 w - - 0 1";
const REPEATED: &str = "4k3/8/8/8/8/8/4q3/K6R w - - 0 1";
const REPEATING: &str = "4k3/8/8/8/8/7R/4q3/K7 b - - 0 1";

/// A position, the moves that were played in it, the only move that is searched, depths, and what the search says: the
/// value is 0, a mate in so many moves, or a lead of more than a pawn of the side to move or the other; with the best move
/// where only one will do.
const SEARCHES: [(&str, &str, &str, RangeInclusive<u32>, &str); 17] = [
    // Qf7 is stalemate; most other moves win.
    (STALEMATE, "", "f2f7", 1..=6, "0"),
    (STALEMATE, "", "", 1..=1, "#1"),
    // A minor piece alone draws. Two knights draw unless there is a mate in one.
    ("8/8/3k4/8/3K4/8/4B3/8 w - - 0 1", "", "", 1..=4, "0"),
    ("8/8/3k4/8/3K4/8/4N3/8 b - - 0 1", "", "", 1..=4, "0"),
    ("8/8/3k4/8/3K4/8/4NN2/8 w - - 0 1", "", "", 5..=5, "0"),
    (KNIGHTS, "", "", 1..=1, "#1"),
    // The bare king attacks the bishop. If it takes the bishop, the knight alone is a draw.
    ("8/8/8/8/8/1k6/1B6/K2N4 w - - 0 1", "", "", 4..=4, "ahead"),
    // The position after Rh8+ has occurred twice. Every other move loses, and so does White without the history.
    (REPEATED, "h1h8 e8d7 h8h7 d7e8 h7h8 e8d7 h8h7 d7e8", "", 5..=5, "0 h7h8"),
    ("4k3/7R/8/8/8/8/4q3/K7 w - - 0 1", "", "", 5..=5, "behind"),
    // After Ke8 White plays Rh3 and repeats for the third time. Depth 1 finds it. Another king move still wins.
    (REPEATING, "e8d8 h3h1 d8e8 h1h3 e8d8 h3h1", "d8e8", 1..=6, "0"),
    (REPEATING, "e8d8 h3h1 d8e8 h1h3 e8d8 h3h1", "", 5..=5, "ahead"),
    // White is a rook down, but gives perpetual check on e8 and h5: no black piece can block.
    ("6k1/6p1/8/7Q/8/8/1qr5/7K w - - 0 1", "", "", 4..=10, "0 h5e8"),
    // The fifty-move rule: every move that does not mate draws at once, unless a pawn moves.
    ("7k/8/8/8/8/8/R7/K7 w - - 99 80", "", "", 4..=4, "0"),
    ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "", "", 4..=4, "#1"),
    ("7k/8/8/8/8/8/RP6/K7 w - - 99 80", "", "", 4..=4, "ahead"),
    // Mate in two is too late after 98 halfmoves and in time after 97.
    ("7k/8/5K2/8/8/8/8/6R1 w - - 98 80", "", "", 6..=6, "0"),
    ("7k/8/5K2/8/8/8/8/6R1 w - - 97 80", "", "", 6..=6, "#2"),
];

fn read_move(word: &str, position: &Chess) -> Move {
    word.parse::<UciMove>().unwrap().to_move(position).unwrap()
}

#[test]
fn draws_and_what_is_none_are_found() {
    let engine = tropism::default_engine().unwrap();
    for (fen, moves, only, depths, wanted) in SEARCHES {
        let mut game = Game::from_fen(fen, None).unwrap();
        for word in moves.split_whitespace() {
            game.play(read_move(word, game.position().chess()));
        }
        let only = only.split_whitespace().map(|word| read_move(word, game.position().chess()));
        let search_moves: Vec<Move> = only.collect();
        for depth in depths {
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
