//! Conversations with the real program that a transcript cannot tell.

use crate::{
    gui::{Gui, PATIENCE},
    program,
};
use std::{
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};
use tempfile::tempdir;

#[test]
fn a_perft_that_never_ends_can_be_stopped() {
    let mut gui = Gui::start();
    gui.send("go perft 4000000000");
    // Without a limit of the depth, the stack is soon used up. Meanwhile the program answers.
    for _ in 0..1000 {
        gui.settled();
    }
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
