//! The option `ExactEndgames`, over UCI.

use crate::gui::{Gui, PATIENCE, last_info};
use shakmaty::{Chess, Position, uci::UciMove};
use std::time::Instant;

/// A mate in 33 with bishop and knight, the longest there is, and a mate in 14 with a rook.
const KBNK: &str = "8/8/7N/8/8/8/8/K1k1B3 w - - 0 1";
const KRK: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";

/// A session with the option on, waiting until the table of this position is used.
fn ready(fen: &str, score: &str) -> Gui {
    let mut gui = Gui::start();
    gui.send("setoption name ExactEndgames value true");
    gui.send(&format!("position fen {fen}"));
    let start = Instant::now();
    while !last_info(&gui.go("go depth 1")).contains(score) {
        assert!(start.elapsed() < PATIENCE, "no table");
    }
    gui
}

fn ready_for_krk() -> Gui {
    ready(KRK, " score mate 14 ")
}

/// The moves of an info line, and the position after them.
fn line<'a>(fen: &str, info: &'a str) -> (Vec<&'a str>, Chess) {
    let moves: Vec<&str> = info.split(" pv ").nth(1).unwrap().split(' ').collect();
    let mut position = crate::common::chess(fen);
    for word in &moves {
        let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        assert!(position.is_legal(m), "{word}");
        position.play_unchecked(m);
    }
    (moves, position)
}

#[test]
fn the_table_gives_the_shortest_mate_and_the_longest_defence() {
    let mut gui = ready(KBNK, " score mate 33 ");
    let lines = gui.go("go wtime 1000 btime 1000");
    assert_eq!(lines.len(), 2, "one report and the move: {lines:?}");
    let (moves, end) = line(KBNK, &lines[0]);
    assert!(
        lines[0].starts_with("info depth 65 seldepth 65 multipv 1 score mate 33 nodes "),
        "{lines:?}"
    );
    assert!(moves.len() == 65 && end.is_checkmate(), "{lines:?}");
    assert_eq!(lines[1], format!("bestmove {} ponder {}", moves[0], moves[1]));

    gui.send(&format!("position fen {KBNK} moves {}", moves[0]));
    let lines = gui.go("go nodes 1");
    assert!(
        lines[0].starts_with("info depth 64 seldepth 64 multipv 1 score mate -32 "),
        "{lines:?}"
    );
    let after = "8/8/8/8/6N1/8/8/K1k1B3 b - - 0 1";
    assert_eq!(moves[0], "h6g4");
    let (defence, end) = line(after, &lines[0]);
    assert!(defence.len() == 64 && end.is_checkmate(), "{lines:?}");

    // Black can capture the bishop: a draw, by this move only.
    gui.send("position fen 8/8/8/8/8/4N3/1k6/2B4K b - - 0 1");
    let lines = gui.go("go depth 4");
    assert!(last_info(&lines).contains(" score cp 0 "), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove b2c1"), "{lines:?}");
}

#[test]
fn the_option_is_off_by_default() {
    let mut gui = ready_for_krk();
    gui.send("setoption name ExactEndgames value false");
    let lines = gui.go("go depth 1");
    assert!(last_info(&lines).contains(" score cp "), "{lines:?}");

    let mut gui = Gui::start();
    gui.send(&format!("position fen {KRK}"));
    let lines = gui.go("go depth 1");
    assert!(last_info(&lines).contains(" score cp "), "{lines:?}");
}

#[test]
fn no_best_move_before_stop_or_ponderhit() {
    let mut gui = ready_for_krk();
    for (go, answer) in [("go infinite", "stop"), ("go ponder wtime 50 btime 50", "ponderhit")] {
        gui.send(go);
        let info = gui.until("info depth").pop().unwrap();
        assert!(info.starts_with("info depth 27 seldepth 27 multipv 1 score mate 14 "), "{info}");
        assert_eq!(gui.settled(), Vec::<String>::new(), "{go}");
        gui.send(answer);
        assert_eq!(gui.until("bestmove").len(), 1, "{go}");
    }
    // Without any limit the answer waits for `stop` as well.
    gui.send("go searchmoves e1d1 a1b1");
    let info = gui.until("info depth").pop().unwrap();
    let (moves, end) = line(KRK, &info);
    assert!(info.contains(" score mate 15 ") && end.is_checkmate(), "{info}");
    assert_eq!((moves[0], moves.len()), ("e1d1", 29));
    assert_eq!(gui.settled(), Vec::<String>::new());
    gui.send("stop");
    assert!(gui.until("bestmove").pop().unwrap().starts_with("bestmove e1d1 ponder "));
}

#[test]
fn the_search_decides_when_a_draw_rule_comes_before_the_mate() {
    let mut gui = ready_for_krk();
    let mut first = |position: &str| {
        gui.send(&format!("position fen {position}"));
        let lines = gui.go("go depth 2");
        (lines[0].clone(), lines.last().unwrap().clone())
    };
    // Mate in 27 plies is in time after 73 halfmoves without a capture and too late after 74.
    let clock = |halfmoves: u32| KRK.replace(" 0 1", &format!(" {halfmoves} 60"));
    assert!(first(&clock(73)).0.contains(" score mate 14 "));
    assert!(first(&clock(74)).0.contains("info depth 1 "));
    // Mate on the hundredth halfmove counts.
    assert!(first("7k/R7/6K1/8/8/8/8/8 w - - 99 80").0.contains(" score mate 1 "));
    // 1. Kg6 is the shortest mate, but the position after it has occurred twice.
    let start = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    let round = "f6g6 h8g8 g6f6 g8h8";
    let (info, best) = first(&format!("{start} moves {round}"));
    assert!(info.contains(" score mate 2 ") && best.starts_with("bestmove f6g6"), "{info}");
    let (info, best) = first(&format!("{start} moves {round} {round}"));
    assert!(info.contains("info depth 1 "), "{info}");
    assert!(!best.starts_with("bestmove f6g6"), "{best}");
}

#[test]
fn a_mated_position_has_no_best_move() {
    let mut gui = ready_for_krk();
    gui.send("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1");
    let lines = gui.go("go depth 3");
    assert!(lines[0].contains(" score mate 0"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove (none)");
}

#[test]
fn no_command_waits_for_a_table() {
    let mut gui = Gui::start();
    gui.send("setoption name ExactEndgames value true");
    // This position is one capture away from three endings.
    gui.send("position fen 8/8/3q4/4k3/8/8/1R1R4/K7 w - - 0 1");
    assert_eq!(gui.settled(), Vec::<String>::new());
    gui.send("go infinite");
    gui.send("stop");
    gui.until("bestmove");
    gui.send("setoption name ExactEndgames value true");
    gui.send("setoption name ExactEndgames value false");
    gui.send("setoption name ExactEndgames value true");
    gui.send("ucinewgame");
    gui.send(&format!("position fen {KBNK}"));
    assert_eq!(gui.settled(), Vec::<String>::new());
    gui.send("quit");
    assert_eq!(gui.finish(), (Some(0), vec![]));
}
