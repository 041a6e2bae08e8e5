//! Conversations with the real program.

use crate::{
    gui::{Gui, PATIENCE, last_info},
    program,
};
use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};
use tempfile::tempdir;

#[test]
fn windows_line_ends_and_bytes_that_are_not_text() {
    let mut gui = Gui::start();
    gui.send_bytes(b"uci\r\n");
    gui.until("uciok");
    gui.send_bytes(b"\xff\xfe\x00garbage\r\n");
    assert_eq!(gui.settled().len(), 1);
    gui.send_bytes(&[b"position startpos moves ".as_slice(), &[b'x'; 10_000], b"\n"].concat());
    assert_eq!(gui.settled().len(), 1);
    let lines = gui.go("go depth 2\r");
    assert!(lines.last().unwrap().starts_with("bestmove "));
}

#[test]
fn every_kind_of_go_ends_in_one_best_move() {
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4");
    for go in [
        "go depth 3",
        "go depth 0",
        "go nodes 500",
        "go nodes 1",
        "go movetime 30",
        "go movetime 0",
        "go wtime 1000 btime 1000",
        "go btime 200",
        "go wtime -5 btime -5",
        "go wtime 10 btime 1 winc 0 binc 0",
        "go btime 100 binc 10 movestogo 1",
        "go mate 1",
        "go depth 99999999999 nodes 300",
        "go foo depth 2",
        "go searchmoves e7e5 depth 2",
        "go searchmoves a1a8 depth 2",
        "go movetime 20 wtime 100000 btime 100000 depth 50",
    ] {
        let lines = gui.go(go);
        assert!(lines.iter().any(|line| line.contains(" score ") && line.contains(" pv ")), "{go}");
        assert_eq!(gui.settled(), Vec::<String>::new(), "{go}");
    }
    assert_eq!(
        gui.go("go searchmoves e7e5 depth 2").last().unwrap().split(' ').nth(1),
        Some("e7e5")
    );
}

#[test]
fn info_lines_are_complete() {
    let mut gui = Gui::start();
    let lines = gui.go("go depth 6");
    let info: Vec<&str> = last_info(&lines).split(' ').collect();
    let keys = [
        "depth", "seldepth", "multipv", "score", "cp", "nodes", "nps", "hashfull", "tbhits",
        "time", "pv",
    ];
    let mut at = 0;
    for key in keys {
        let next = info.iter().position(|word| *word == key).unwrap_or_else(|| panic!("{key}"));
        assert!(next > at, "{key} in {info:?}");
        at = next;
    }
    assert_eq!(info[1..3], ["depth", "6"]);
    let best = format!("bestmove {} ponder {}", info[at + 1], info[at + 2]);
    assert_eq!(lines.last(), Some(&best));
}

#[test]
fn mates_and_the_end_of_the_game() {
    let mut gui = Gui::start();
    gui.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    let lines = gui.go("go depth 3");
    assert!(last_info(&lines).contains("score mate 1 "), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
    gui.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a8");
    let lines = gui.go("go depth 3");
    assert!(lines[0].contains("score mate 0"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove (none)");
    gui.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let lines = gui.go("go movetime 100");
    assert!(lines[0].contains("score cp 0"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove (none)");
}

#[test]
fn isready_is_answered_during_a_search_and_stop_ends_it() {
    let mut gui = Gui::start();
    gui.send("go infinite");
    gui.until("info depth 5");
    gui.send("isready");
    let meanwhile = gui.until("readyok");
    assert!(!meanwhile.iter().any(|line| line.starts_with("bestmove")));
    gui.send("stop");
    gui.until("bestmove");
    // A second stop is not answered by a second best move.
    gui.send("stop");
    assert_eq!(gui.settled(), Vec::<String>::new());
}

#[test]
fn no_best_move_before_stop_when_infinite_or_pondering() {
    let mut gui = Gui::start();
    // The search ends at once: the game is over.
    gui.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    gui.send("go infinite");
    gui.until("info depth 0");
    assert_eq!(gui.settled(), Vec::<String>::new());
    gui.send("stop");
    assert_eq!(gui.until("bestmove").last().unwrap(), "bestmove (none)");

    gui.send("position startpos");
    gui.send("go ponder wtime 50 btime 50 depth 1");
    gui.until("info depth 1");
    assert_eq!(gui.settled(), Vec::<String>::new());
    gui.send("ponderhit");
    gui.until("bestmove");
}

#[test]
fn a_go_during_a_search_ends_it_with_its_best_move() {
    let mut gui = Gui::start();
    gui.send("go infinite");
    gui.until("info depth 3");
    gui.send("go depth 2");
    gui.until("bestmove");
    gui.until("bestmove");
    assert_eq!(gui.settled(), Vec::<String>::new());
}

#[test]
fn the_last_good_position_stays_after_a_bad_one() {
    let mut gui = Gui::start();
    gui.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    gui.send("position fen 9/8 w");
    gui.send("position startpos moves e2e4 e2e4");
    let lines = gui.go("go depth 3");
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
}

#[test]
fn chess960_castling_is_king_takes_rook() {
    let mut gui = Gui::start();
    gui.send("setoption name UCI_Chess960 value true");
    gui.send("position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    let lines = gui.go("go searchmoves e1h1 depth 1");
    assert_eq!(lines.last().unwrap().split(' ').nth(1), Some("e1h1"));
    gui.send("setoption name UCI_Chess960 value false");
    gui.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let lines = gui.go("go searchmoves e1g1 depth 1");
    assert_eq!(lines.last().unwrap().split(' ').nth(1), Some("e1g1"));
}

#[test]
fn perft_board_evaluation_bench_and_help() {
    let mut gui = Gui::start();
    gui.send("go perft 3");
    let lines = gui.until("Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 8902");
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    gui.send("d");
    let lines = gui.until("key ");
    assert!(
        lines.contains(&"fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned())
    );
    assert_eq!(lines.last().unwrap(), "key 463b96181691fc9c");
    gui.send("eval");
    let lines = gui.until("phase ");
    assert!(lines.iter().any(|line| line.contains("king_pawn_tropism |")));
    gui.send("help");
    assert!(gui.settled().iter().any(|line| line.starts_with("  setoption ")));
}

#[test]
fn a_perft_that_never_ends_can_be_stopped() {
    let mut gui = Gui::start();
    gui.send("go perft 4000000000");
    // Without a limit of the depth, the stack would be used up by now.
    std::thread::sleep(std::time::Duration::from_millis(300));
    gui.send("stop");
    gui.until("info string perft was stopped before it was finished");
}

#[test]
fn bench_is_reproducible_over_uci_and_on_the_command_line() {
    let mut gui = Gui::start();
    let mut nodes = || {
        gui.send("bench");
        loop {
            let line = gui.lines.recv_timeout(PATIENCE).unwrap();
            if line.ends_with(" nps") {
                return line.split(' ').next().unwrap().to_owned();
            }
        }
    };
    let (first, second) = (nodes(), nodes());
    assert_eq!(first, second);
    let text = program::run(&["bench"]).output;
    assert_eq!(text.split(' ').next(), Some(first.as_str()));
    let signature: u64 = first.parse().unwrap();
    assert!(signature > 100_000);
    // A depth of its own, on the command line and over UCI.
    let shallow = program::run(&["bench", "2"]).output;
    let shallow = shallow.split(' ').next().unwrap();
    assert!(shallow.parse::<u64>().unwrap() < signature / 10, "{shallow}");
    gui.send("bench 2");
    gui.until(&format!("{shallow} nodes "));
    for wrong in ["bench 0", "bench deep"] {
        gui.send(wrong);
        let usage = "info string usage: bench [DEPTH], with a depth of 1 ply or more";
        assert_eq!(gui.settled(), [usage]);
    }
}

#[test]
fn quit_and_the_end_of_input_end_the_program() {
    let mut gui = Gui::start();
    gui.send("quit");
    assert_eq!(gui.finish(), (Some(0), vec![]));

    let gui = Gui::start();
    assert_eq!(gui.finish(), (Some(0), vec![]));

    // A search that is still running answers with its best move.
    let mut gui = Gui::start();
    gui.send("go infinite");
    gui.until("info depth 2");
    let (code, rest) = gui.finish();
    assert_eq!(code, Some(0));
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
}

#[test]
fn another_engine_file_changes_the_evaluation_and_a_bad_one_does_not() {
    let minimal = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");
    let mut gui = Gui::start();
    let rows = |gui: &mut Gui| {
        gui.send("eval");
        let lines = gui.until("phase ");
        gui.settled();
        (
            lines.iter().any(|line| line.contains("placement |")),
            lines.last().unwrap().split("engine ").nth(1).unwrap().to_owned(),
        )
    };
    assert_eq!(rows(&mut gui), (true, "tropism".to_owned()));
    gui.send(&format!("setoption name EngineFile value {minimal}"));
    assert_eq!(rows(&mut gui), (false, "tropism minimal".to_owned()));

    let folder = tempdir().unwrap();
    let bad = folder.path().join("bad value.toml");
    let text =
        fs::read_to_string(minimal).unwrap().replace("\"mop_up_distance\"", "\"mop_up_distanse\"");
    fs::write(&bad, text).unwrap();
    gui.send(&format!("setoption name EngineFile value {}", bad.display()));
    let complaint = gui.settled().pop().unwrap();
    assert!(complaint.starts_with("info string "), "{complaint}");
    assert!(complaint.ends_with(
        "unknown term \"mop_up_distanse\"; did you mean \"mop_up_distance\"?; nothing is changed"
    ));
    assert_eq!(rows(&mut gui), (false, "tropism minimal".to_owned()));

    // The same file on the command line ends the program with exit code 2.
    let error = program::run(&["--engine", bad.to_str().unwrap(), "bench"]).refusal();
    assert!(error.contains("bad value.toml:") && error.contains("did you mean"), "{error}");

    // A relative path is also looked up in the folder of the program.
    let beside = Path::new(program::PATH).with_file_name("beside.toml");
    fs::copy(minimal, &beside).unwrap();
    gui.send("setoption name EngineFile value");
    gui.send("setoption name EngineFile value beside.toml");
    assert_eq!(rows(&mut gui), (false, "tropism minimal".to_owned()));
    fs::remove_file(beside).unwrap();

    gui.send("setoption name EngineFile value");
    assert_eq!(rows(&mut gui), (true, "tropism".to_owned()));
}

#[test]
fn a_gui_learns_why_the_engine_file_of_the_start_is_refused() {
    let minimal = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");
    let text = fs::read_to_string(minimal).unwrap().replace("any(jumps)", "any(jumpz)");
    let folder = tempdir().unwrap();
    let bad = folder.path().join("bad.toml");
    fs::write(&bad, text).unwrap();
    let told = |input: &[u8]| {
        let command = program::command(&["--engine", bad.to_str().unwrap()]);
        let end = program::finish(command, input);
        assert_eq!(end.code, Some(2));
        (end.output, end.errors)
    };
    // Many GUIs drop standard error. Nothing is said before `uci`.
    let (output, errors) = told(b"xboard\nisready\nuci\nisready\n");
    let reason = errors.strip_prefix("tropism: ").unwrap();
    assert!(reason.contains("bad.toml:") && reason.contains("unknown word `jumpz`"), "{reason}");
    assert!(reason.lines().count() > 1, "{reason}");
    let lines = reason.lines().map(|line| format!("info string {line}\n"));
    assert_eq!(output, lines.collect::<String>());
    assert_eq!(told(b"isready\nquit\nuci\n"), (String::new(), errors));
}

#[test]
fn all_traffic_is_logged_to_the_debug_log_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("tropism log.txt");
    let mut gui = Gui::start();
    gui.send(&format!("setoption name Debug Log File value {}", path.display()));
    gui.send("isready");
    gui.until("readyok");
    gui.send("setoption name Debug Log File value");
    gui.settled();
    let log = fs::read_to_string(&path).unwrap();
    let lines = log.lines().filter_map(|line| line.split_once(' '));
    let (times, logged): (Vec<&str>, Vec<&str>) = lines.unzip();
    assert_eq!(logged, ["> isready", "< readyok", "> setoption name Debug Log File value"]);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
    for time in times {
        let (seconds, milliseconds) = time.split_once('.').unwrap();
        let ago = now - time.parse::<f64>().unwrap();
        assert!(seconds.len() >= 10 && milliseconds.len() == 3 && (-0.001..600.0).contains(&ago));
    }

    gui.send("setoption name Debug Log File value /no/such/folder/x.log");
    let complaint = gui.settled().pop().unwrap();
    assert!(complaint.contains("cannot be written"), "{complaint}");
}

#[test]
fn the_command_line() {
    let run = |arguments: &[&str]| {
        let end = program::run(arguments);
        (end.code, end.output, end.errors)
    };
    let (code, text, _) = run(&["perft", "2"]);
    assert_eq!((code, text.ends_with("\nNodes searched: 400\n")), (Some(0), true));
    let (code, text, _) = run(&["perft", "1", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-"]);
    assert_eq!((code, text.contains("e1g1: 1")), (Some(0), true), "{text}");
    let (code, text, _) = run(&["perft", "1", "4k3/8/8/8/8/8/8/3K2R1 w G -"]);
    assert_eq!((code, text.contains("d1g1: 1")), (Some(0), true), "{text}");
    let (code, text, _) = run(&["eval", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]);
    assert_eq!((code, text.contains("mop_up")), (Some(0), true));
    let (code, _, error) = run(&["eval", "8/8/8 w"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("not a FEN"), "{error}");
    let (code, _, error) = run(&["--engine", "no/such.toml"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("no/such.toml: cannot be read"), "{error}");
    assert_eq!(run(&["nonsense"]).0, Some(2));
    assert!(run(&["--help"]).1.contains("Usage:"));
}
