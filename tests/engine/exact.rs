//! The option `ExactEndgames`, over UCI.

use crate::gui::{Gui, last_info};
use shakmaty::{Chess, Position, uci::UciMove};

/// A mate in 33 with bishop and knight, the longest there is, and a mate in 14 with a rook.
const KBNK: &str = "8/8/7N/8/8/8/8/K1k1B3 w - - 0 1";
const KRK: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";

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
    let mut gui = Gui::start();
    gui.send(&format!("position fen {KBNK}"));
    let lines = gui.go("go wtime 3600000 btime 3600000");
    assert_eq!(lines.len(), 3, "the value, one report and the move: {lines:?}");
    assert_eq!(lines[0], "info string exact: mate in 33");
    let lines = &lines[1..];
    let (moves, end) = line(KBNK, &lines[0]);
    assert!(
        lines[0].starts_with("info depth 65 seldepth 65 multipv 1 score mate 33 nodes "),
        "{lines:?}"
    );
    assert!(moves.len() == 65 && end.is_checkmate(), "{lines:?}");
    assert_eq!(lines[1], format!("bestmove {} ponder {}", moves[0], moves[1]));

    gui.send(&format!("position fen {KBNK} moves {}", moves[0]));
    let lines = &gui.go("go nodes 1")[1..];
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
fn the_option_is_on_by_default() {
    let mut gui = Gui::start();
    gui.send(&format!("position fen {KRK}"));
    let lines = gui.go("go depth 1");
    assert!(last_info(&lines).contains(" score mate 14 "), "{lines:?}");
    gui.send("setoption name ExactEndgames value false");
    let lines = gui.go("go depth 1");
    assert!(last_info(&lines).contains(" score cp "), "{lines:?}");
}

/// Depth and nodes lead to the same search, whether the tables were there before or not: that of rook and pawn against
/// rook is one of those that a capture leads to.
#[test]
fn a_search_is_the_same_in_a_new_program_and_in_a_used_one() {
    let run = |gui: &mut Gui, go: &str| {
        gui.send("ucinewgame");
        gui.send("position fen 8/8/4k3/8/3RP3/4K3/6r1/8 w - - 0 1");
        let lines = gui.go(go);
        let words: Vec<&str> = last_info(&lines).split(' ').collect();
        let at = words.iter().position(|&word| word == "nodes").unwrap();
        (words[..at + 2].join(" "), lines.last().cloned())
    };
    let [mut first, mut second] = [Gui::start(), Gui::start()];
    let (nodes, depth) = ("go nodes 3000", "go depth 7");
    let new = [run(&mut first, nodes), run(&mut second, depth)];
    for gui in [&mut first, &mut second] {
        gui.send("position fen 8/8/8/4k3/8/8/3r4/R3K3 w - - 0 1");
        gui.go("go nodes 100");
        assert_eq!([run(gui, nodes), run(gui, depth)], new);
    }
}

#[test]
fn all_lines_that_are_wanted_are_exact() {
    let mut gui = Gui::start();
    gui.send("setoption name MultiPV value 3");
    gui.send("position fen 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1");
    let lines = gui.go("go depth 3");
    // Only a move of the king is a draw by stalemate or by the loss of the pawn.
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:?}");
    gui.send(&format!("position fen {KRK}"));
    let lines = gui.go("go depth 1");
    let numbers = lines.iter().filter(|line| line.contains(" score mate "));
    assert_eq!(numbers.count(), 3, "{lines:?}");
}

#[test]
fn no_best_move_before_stop_or_ponderhit() {
    let mut gui = Gui::start();
    gui.send(&format!("position fen {KRK}"));
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
    let mut gui = Gui::start();
    let mut first = |position: &str| {
        gui.send(&format!("position fen {position}"));
        let lines = gui.go("go depth 2");
        let first = lines.iter().find(|line| line.contains(" pv "));
        (first.unwrap().clone(), lines.last().unwrap().clone())
    };
    // Mate in 27 plies is in time after 73 halfmoves without a capture and too late after 74.
    let clock = |halfmoves: u32| KRK.replace(" 0 1", &format!(" {halfmoves} 60"));
    assert!(first(&clock(73)).0.contains(" score mate 14 "));
    assert!(first(&clock(74)).0.contains("info depth 1 "));
    // No mate is promised that the rule prevents.
    for (halfmoves, is_promised) in [(73, true), (74, false)] {
        let mut gui = Gui::start();
        gui.send(&format!("position fen {}", clock(halfmoves)));
        let lines = [gui.go("go depth 1"), {
            gui.send("eval");
            gui.send("isready");
            gui.until("readyok")
        }];
        for lines in lines {
            let promised = lines.iter().any(|line| line.contains("exact: mate in 14"));
            assert_eq!(promised, is_promised, "{lines:?}");
        }
    }
    // Mate on the hundredth halfmove counts.
    assert!(first("7k/R7/6K1/8/8/8/8/8 w - - 99 80").0.contains(" score mate 1 "));
    assert!(first("8/8/8/8/8/2k5/8/K1q5 w - - 98 100").0.contains(" score mate -1 "));
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
fn no_command_waits_for_a_table() {
    let mut gui = Gui::start();
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

/// A defender whose table says that it is mated repeats a position for the third time.
#[test]
fn the_defender_sees_a_draw_by_repetition() {
    let mut gui = Gui::start();
    let moves = "b5b4 e6e5 b4b5 e5e6 b5b4 e6e5 b4b5";
    gui.send(&format!("position fen 8/8/1K2k3/1R6/8/8/8/8 w - - 0 1 moves {moves}"));
    for limit in ["depth 6", "nodes 3000"] {
        let lines = gui.go(&format!("go {limit}"));
        assert!(!lines.iter().any(|line| line.contains("exact:")), "{lines:?}");
        assert!(last_info(&lines).contains(" score cp 0 "), "{lines:?}");
        assert!(lines.last().unwrap().starts_with("bestmove e5e6"), "{lines:?}");
    }
}

/// The defender need not play the captures and pawn moves of the table's line, so the fifty-move rule may come first.
#[test]
fn the_fifty_move_rule_decides_between_moves_of_the_table() {
    let mut gui = Gui::start();
    for (fen, moves) in [
        ("7K/8/1p6/3Q4/8/4k3/8/8 w - - 97 120", "d5d8 d5b7 d5e6 d5d6 d5c6 d5b5 d5b3"),
        ("2B5/8/8/3k4/8/1P6/8/5K2 w - - 91 120", "f1e1 f1e2"),
        ("8/6K1/1p6/3Q4/8/4k3/8/8 b - - 98 120", "e3e2 e3f2 e3f4"),
    ] {
        gui.send(&format!("position fen {fen}"));
        let lines = gui.go("go nodes 50000");
        assert!(!lines.iter().any(|line| line.contains("exact:")), "{lines:?}");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(moves.contains(best), "{fen}: {lines:?}");
    }
}
