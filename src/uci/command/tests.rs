//! The lines that vampirc-uci reads wrongly or not at all, and what we make of them.

use super::*;
use crate::uci::Start;
use proptest::prelude::*;
use std::time::Duration;

fn parse(line: &str) -> Command {
    Command::parse(line).unwrap().unwrap()
}

fn go(line: &str) -> Go {
    match parse(line) {
        Command::Go(go) => go,
        other => panic!("{line:?} became {other:?}"),
    }
}

fn position(line: &str) -> PositionRequest {
    match parse(line) {
        Command::Position(request) => request,
        other => panic!("{line:?} became {other:?}"),
    }
}

fn option(line: &str) -> (String, Option<String>) {
    match parse(line) {
        Command::SetOption { name, value } => (name, value),
        other => panic!("{line:?} became {other:?}"),
    }
}

const MS: fn(u64) -> Option<Duration> = |ms| Some(Duration::from_millis(ms));

#[test]
fn plain_commands() {
    for (line, expected) in [
        ("uci", Command::Uci),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("exit", Command::Quit),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("register later", Command::Register),
        ("register name A B code 4", Command::Register),
        ("d", Command::Display),
        ("flip", Command::Flip),
        ("eval", Command::Eval),
        ("compiler", Command::Compiler),
        ("bench", Command::Bench),
        ("help", Command::Help),
    ] {
        assert_eq!(parse(line), expected, "{line}");
    }
}

#[test]
fn white_space_of_any_kind() {
    for line in ["isready ", "\tisready", "  isready\r", "\u{feff}isready", "isready\t \r"] {
        assert_eq!(parse(line), Command::IsReady, "{line:?}");
    }
    assert_eq!(parse("debug \t on  "), Command::Debug(true));
    for blank in ["", " ", "\t", "\r", "\u{feff}"] {
        assert_eq!(Command::parse(blank), Ok(None), "{blank:?}");
    }
}

#[test]
fn leading_unknown_words_are_skipped() {
    assert_eq!(parse("joho debug on"), Command::Debug(true));
    assert_eq!(parse("joho joho isready"), Command::IsReady);
    assert_eq!(go("x go depth 3").depth, Some(3));
    // Words after a command that takes none do no harm.
    assert_eq!(parse("isready now"), Command::IsReady);
    assert_eq!(parse("uci please"), Command::Uci);
}

#[test]
fn what_is_no_command_is_named() {
    for line in ["xboard", "protover 2", "foo bar", "GO", "\u{1}\u{2}", "ｇｏ"] {
        assert!(matches!(Command::parse(line), Err(CommandError::Unknown(_))), "{line:?}");
    }
    let error = Command::parse("xboard").unwrap_err().to_string();
    assert_eq!(error, "unknown command \"xboard\"; `help` lists the commands");
    let long = Command::parse(&"x".repeat(10_000)).unwrap_err().to_string();
    assert!(long.len() < 150, "{long}");
    for line in ["debug", "debug maybe", "setoption", "setoption name", "position", "position fen"]
    {
        assert!(matches!(Command::parse(line), Err(CommandError::Malformed(_))), "{line:?}");
    }
}

#[test]
fn go_with_trailing_blanks_does_not_panic() {
    // vampirc panics on each of these.
    assert_eq!(go("go "), Go::default());
    assert!(go("go infinite ").infinite);
    assert!(go("go ponder ").ponder);
    assert_eq!(go("go wtime 1000 btime 2000 ").black_time, MS(2000));
}

#[test]
fn go_numbers_of_any_size() {
    assert_eq!(go("go depth 256").depth, Some(256));
    assert_eq!(go("go mate 300").mate, Some(300));
    assert_eq!(go("go movestogo 256").moves_to_go, Some(256));
    assert_eq!(go("go movestogo 0").moves_to_go, None);
    assert_eq!(go("go nodes 1234567890123").nodes, Some(1_234_567_890_123));
    assert_eq!(go("go nodes 99999999999999999999999").nodes, Some(i64::MAX as u64));
    assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(go("go wtime -50 btime 100").white_time, MS(0));
    assert_eq!(go("go wtime 99999999999999999999").white_time, MS(1 << 40));
    assert_eq!(go("go movetime +250").move_time, MS(250));
}

#[test]
fn go_with_several_limits() {
    let both = go("go movetime 100 wtime 1000 btime 1000 winc 10 binc 20 movestogo 5");
    assert_eq!((both.move_time, both.white_time, both.moves_to_go), (MS(100), MS(1000), Some(5)));
    assert_eq!(both.white_increment, Duration::from_millis(10));
    assert_eq!(both.black_increment, Duration::from_millis(20));
    let ponder = go("go ponder wtime 1000 btime 900");
    assert!(ponder.ponder);
    assert_eq!((ponder.white_time, ponder.black_time), (MS(1000), MS(900)));
    let endless = go("go ponder infinite");
    assert!(endless.ponder && endless.infinite);
    let all = go("go depth 5 nodes 1000 mate 2");
    assert_eq!((all.depth, all.nodes, all.mate), (Some(5), Some(1000), Some(2)));
    // One clock alone.
    assert_eq!((go("go wtime 100").white_time, go("go wtime 100").black_time), (MS(100), None));
}

#[test]
fn go_with_words_that_are_not_understood() {
    let odd = go("go foo depth 5");
    assert_eq!(odd.depth, Some(5));
    assert_eq!(odd.complaints, ["go: \"foo\" is not understood"]);
    let bare = go("go depth movetime 100");
    assert_eq!((bare.depth, bare.move_time), (None, MS(100)));
    assert_eq!(bare.complaints, ["go: depth needs a whole number"]);
    assert_eq!(go("go depth five").complaints.len(), 1);
    assert_eq!(go("go depth -").complaints.len(), 1);
}

#[test]
fn go_perft_and_searchmoves() {
    assert_eq!(go("go perft 5").perft, Some(5));
    let some = go("go searchmoves e2e4 d2d4 depth 3");
    assert_eq!(some.search_moves, ["e2e4", "d2d4"]);
    assert_eq!(some.depth, Some(3));
}

#[test]
fn positions() {
    let start = position("position startpos");
    assert_eq!((start.start, start.moves), (Start::Initial, vec![]));
    // Two blanks after `moves`; vampirc then sees none.
    let moved = position("position startpos moves  e2e4   e7e5");
    assert_eq!(moved.moves, ["e2e4", "e7e5"]);
    // Four and five fields, Shredder castling, a large move number: vampirc refuses or loses moves.
    for (fen, moves) in [
        ("8/8/8/8/8/k7/8/K6R w - -", "h1h2"),
        ("8/8/8/8/8/k7/8/K6R w - - 3", "h1h2"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1h1"),
        ("8/8/8/8/8/k7/8/K6R w - - 0 12345", "h1h2"),
    ] {
        let request = position(&format!("position fen {fen} moves {moves}"));
        assert_eq!(request.start, Start::Fen(fen.to_owned()));
        assert_eq!(request.moves, [moves]);
        assert!(request.set_up(false).is_ok(), "{fen}");
    }
}

#[test]
fn a_move_that_is_not_legal_refuses_the_whole_line() {
    for (moves, number, word) in [
        ("e2e4 e7e5 e2e4", 3, "e2e4"),
        ("0000", 1, "0000"),
        ("foo e2e4", 1, "foo"),
        ("e2e4 a7a8=Q", 2, "a7a8=Q"),
    ] {
        let error = position(&format!("position startpos moves {moves}"))
            .set_up(false)
            .unwrap_err()
            .to_string();
        let expected =
            format!("position: move {number} ({word:?}) is not legal; the last position stays");
        assert_eq!(error, expected);
    }
    // Capital letters are forgiven.
    assert!(position("position startpos moves E2E4").set_up(false).is_ok());
}

#[test]
fn options() {
    for (line, name, value) in [
        ("setoption name Hash value 128", "Hash", Some("128")),
        ("setoption name Hash value 128 ", "Hash", Some("128")),
        ("setoption  name  Move  Overhead  value  30", "Move Overhead", Some("30")),
        ("setoption name Clear Hash", "Clear Hash", None),
        ("setoption name SyzygyPath value", "SyzygyPath", None),
        ("setoption name SyzygyPath value ", "SyzygyPath", None),
        ("setoption name SyzygyPath value <empty>", "SyzygyPath", None),
        (
            "setoption name EngineFile value C:\\My  Files\\a b.toml",
            "EngineFile",
            Some("C:\\My  Files\\a b.toml"),
        ),
        (
            "setoption name EngineFile value /tmp/the value of x.toml",
            "EngineFile",
            Some("/tmp/the value of x.toml"),
        ),
        (
            "setoption name EngineFile value /tmp/größe=1.toml",
            "EngineFile",
            Some("/tmp/größe=1.toml"),
        ),
        ("foo setoption name Hash value 1", "Hash", Some("1")),
    ] {
        assert_eq!(option(line), (name.to_owned(), value.map(str::to_owned)), "{line}");
    }
}

proptest! {
    #[test]
    fn no_line_ends_the_program(line in "\\PC{0,80}") {
        let _ = Command::parse(&line);
    }

    #[test]
    fn no_mixture_of_known_words_ends_the_program(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "go", "position", "setoption", "name", "value", "fen", "startpos", "moves", "e2e4",
                "depth", "ponder", "infinite", "searchmoves", "-1", "99999999999999999999", "debug",
                "on", "register", "<empty>", "nodes", "8/8/8/8/8/8/8/8", "w", "KQkq", "-", "0",
            ]),
            0..12,
        ),
    ) {
        if let Ok(Some(Command::Position(request))) = Command::parse(&words.join(" ")) {
            let _ = request.set_up(false);
        }
    }
}
