//! Conversations with the real program that a transcript cannot tell.

use crate::gui::{Gui, PATIENCE};
use crate::program;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, path::Path};
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

/// A relative path is also looked up in the folder of the program.
#[test]
fn an_engine_file_beside_the_program_is_found() {
    let minimal = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");
    let beside = Path::new(program::PATH).with_file_name("beside.toml");
    fs::copy(minimal, &beside).unwrap();
    let mut gui = Gui::start();
    let engine = |gui: &mut Gui, file: &str| {
        gui.send(&format!("setoption name EngineFile value {file}"));
        gui.send("eval");
        gui.until("phase ").last().unwrap().split("engine ").nth(1).unwrap().to_owned()
    };
    assert_eq!(engine(&mut gui, "beside.toml"), "tropism minimal");
    fs::remove_file(beside).unwrap();
    assert_eq!(engine(&mut gui, ""), "tropism");
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
