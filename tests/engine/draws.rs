//! The search finds draws and scores them as exactly 0.

use crate::common::{chess, think};
use shakmaty::uci::UciMove;
use tropism::search::{Game, Limits, Outcome, Value};
use tropism::testing::mirrored;

fn search(game: &Game, depth: u32) -> Outcome {
    let engine = tropism::default_engine().unwrap();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    think(game, &engine, &limits).0
}

fn from_fen(fen: &str) -> Game {
    Game::from_fen(fen, None).unwrap()
}

/// The value for the side to move.
fn search_nodes(game: &Game, nodes: u64) -> Value {
    let engine = tropism::default_engine().unwrap();
    think(game, &engine, &Limits { nodes: Some(nodes), ..Limits::default() }).0.value
}

fn play(game: &mut Game, moves: &str) {
    for word in moves.split_whitespace() {
        let uci: UciMove = word.parse().unwrap();
        let m = uci.to_move(game.position().chess()).unwrap();
        game.play(m);
    }
}

#[test]
fn stalemate_is_found_one_ply_ahead() {
    // Qf7 is stalemate; most other moves win.
    let game = from_fen("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1");
    let engine = tropism::default_engine().unwrap();
    let stalemating = UciMove::from_ascii(b"f2f7").unwrap().to_move(game.position().chess());
    for depth in 1..=6 {
        let limits = Limits {
            depth: Some(depth),
            search_moves: vec![stalemating.clone().unwrap()],
            ..Limits::default()
        };
        let outcome = think(&game, &engine, &limits).0;
        assert_eq!(outcome.value, Value::Centipawns(0), "depth {depth}");
    }
    assert_eq!(search(&game, 1).value, Value::Mate(1));
}

#[test]
fn a_minor_piece_alone_is_a_draw_at_every_depth() {
    for fen in ["8/8/3k4/8/3K4/8/4B3/8 w - - 0 1", "8/8/3k4/8/3K4/8/4N3/8 b - - 0 1"] {
        for depth in 1..=4 {
            assert_eq!(search(&from_fen(fen), depth).value, Value::Centipawns(0), "{fen}");
        }
    }
}

#[test]
fn two_knights_are_a_draw_unless_there_is_a_mate_in_one() {
    let game = from_fen("8/8/3k4/8/3K4/8/4NN2/8 w - - 0 1");
    assert_eq!(search(&game, 5).value, Value::Centipawns(0));
    let mate = from_fen("7k/4N3/6K1/6N1/8/8/8/8 w - - 0 1");
    assert_eq!(search(&mate, 1).value, Value::Mate(1));
}

/// Known draws are worth less than half a pawn, and their neighbours are won.
#[test]
fn known_draws_and_their_neighbours() {
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
            let start = from_fen(&fen);
            for game in [start.clone(), Game::new(mirrored(start.position().chess()))] {
                let turn = if fen.contains(" w ") { 1 } else { -1 };
                let is_right = match search_nodes(&game, 50_000) {
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
fn an_attacked_bishop_is_saved_because_the_knight_alone_would_draw() {
    // The bare king attacks the bishop. If it takes the bishop, the knight alone is a draw.
    let game = from_fen("8/8/8/8/8/1k6/1B6/K2N4 w - - 0 1");
    let outcome = search(&game, 4);
    assert_ne!(outcome.value, Value::Centipawns(0));
}

#[test]
fn a_third_repetition_in_the_game_is_a_draw() {
    // The position after Rh8+ has occurred twice.
    let mut game = from_fen("4k3/8/8/8/8/8/4q3/K6R w - - 0 1");
    play(&mut game, "h1h8 e8d7 h8h7 d7e8 h7h8 e8d7 h8h7 d7e8");
    // Every move of White loses except Rh8, which repeats the position for the third time.
    let outcome = search(&game, 5);
    assert_eq!(outcome.value, Value::Centipawns(0));
    let uci = UciMove::from_standard(outcome.best.unwrap()).to_string();
    assert_eq!(uci, "h7h8");
    // Without the history the same position is lost.
    let fresh = Game::new(game.position().chess().clone());
    assert!(matches!(search(&fresh, 5).value, Value::Centipawns(v) if v < -100));
}

#[test]
fn perpetual_check_is_found() {
    // White is a rook down, but gives perpetual check on e8 and h5: no black piece can block.
    let game = from_fen("6k1/6p1/8/7Q/8/8/1qr5/7K w - - 0 1");
    for depth in 4..=10 {
        let outcome = search(&game, depth);
        assert_eq!(outcome.value, Value::Centipawns(0));
        assert_eq!(UciMove::from_standard(outcome.best.unwrap()).to_string(), "h5e8");
    }
}

#[test]
fn the_fifty_move_rule_draws_unless_the_last_move_mates() {
    // Every move that does not mate draws at once.
    let drawn = from_fen("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    assert_eq!(search(&drawn, 4).value, Value::Centipawns(0));
    let mate = from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    assert_eq!(search(&mate, 4).value, Value::Mate(1));
    // Mate in two is too late after 98 halfmoves and in time after 97.
    let late = from_fen("7k/8/5K2/8/8/8/8/6R1 w - - 98 80");
    assert_eq!(search(&late, 6).value, Value::Centipawns(0));
    let in_time = from_fen("7k/8/5K2/8/8/8/8/6R1 w - - 97 80");
    assert_eq!(search(&in_time, 6).value, Value::Mate(2));
    // A pawn move resets the counter.
    let pawn = from_fen("7k/8/8/8/8/8/RP6/K7 w - - 99 80");
    assert!(matches!(search(&pawn, 4).value, Value::Centipawns(v) if v > 300));
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

#[test]
fn a_move_after_which_the_opponent_can_repeat_is_a_draw() {
    let mut game = from_fen("4k3/8/8/8/8/7R/4q3/K7 b - - 0 1");
    play(&mut game, "e8d8 h3h1 d8e8 h1h3 e8d8 h3h1");
    let engine = tropism::default_engine().unwrap();
    let back = UciMove::from_ascii(b"d8e8").unwrap().to_move(game.position().chess()).unwrap();
    // After Ke8 White plays Rh3 and repeats for the third time. Depth 1 finds it.
    for depth in 1..=6 {
        let search_moves = vec![back];
        let limits = Limits { depth: Some(depth), search_moves, ..Limits::default() };
        let outcome = think(&game, &engine, &limits).0;
        assert_eq!(outcome.value, Value::Centipawns(0), "depth {depth}");
    }
    // Another king move still wins.
    assert!(matches!(search(&game, 5).value, Value::Centipawns(v) if v > 200));
}
