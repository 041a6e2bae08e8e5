//! Commands that answer once: what they accept, and what they refuse and why.

use crate::program::{self, run};
use std::fs;
use tempfile::tempdir;

#[test]
fn one_search_needs_no_conversation() {
    let text = run(&["go", "--depth", "4"]).success();
    let last = text.lines().last().unwrap();
    assert!(text.starts_with("info depth 1 ") && last.starts_with("bestmove "), "{text}");
    // The fields of the FEN are words of their own, and the moves are in either notation.
    let fool = ["go", "--nodes", "500", "startpos", "moves", "f2f3", "e5", "g4"];
    let text = run(&fool).success();
    assert!(text.ends_with("bestmove d8h4\n"), "{text}");
    let text = run(&["go", "--depth", "3", "7k/5Q2/6K1/8/8/8/8/8", "b", "-", "-"]).success();
    assert!(text.ends_with("bestmove (none)\n"), "{text}");
    let text = run(&["go", "--depth", "2", "--multipv", "3"]).success();
    assert!(text.contains(" multipv 3 "), "{text}");
}

#[test]
fn a_limit_of_nothing_is_refused() {
    for arguments in [
        &["go", "--depth", "0"][..],
        &["go", "--nodes", "0"],
        &["go", "--movetime", "0"],
        &["suite", "Cargo.toml", "--nodes", "0"],
    ] {
        let error = run(arguments).refusal();
        assert!(error.contains("0 is not in 1.."), "{arguments:?}: {error}");
    }
}

#[test]
fn the_start_position_has_a_name() {
    assert!(run(&["eval", "startpos"]).success().contains("material"));
    assert!(run(&["perft", "2", "startpos"]).success().contains("400"));
    let (named, default) = (["geometry", "mobility", "g1", "--fen", "startpos"], 3);
    assert_eq!(run(&named).success(), run(&named[..default]).success());
    let error = run(&["solve", "startpos"]).refusal();
    assert!(error.contains("startpos: "), "{error}");
}

#[test]
fn fens_may_be_words_of_their_own_and_castling_may_name_the_rook() {
    let text = run(&["perft", "1", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-"]).success();
    assert!(text.contains("e1g1: 1"), "{text}");
    let text = run(&["perft", "1", "4k3/8/8/8/8/8/8/3K2R1 w G -"]).success();
    assert!(text.contains("d1g1: 1"), "{text}");
}

#[test]
fn a_wrong_fen_is_named_once() {
    let error = run(&["eval", "nonsense"]).refusal();
    assert_eq!(
        error,
        "tropism: \"nonsense\": not a FEN: \"nonsense\" is no board; a board has 8 ranks with / between them\n"
    );
    let error = run(&["geometry", "mobility", "e4", "--fen", "nonsense"]).refusal();
    assert_eq!(
        error,
        "tropism: \"nonsense\": \"nonsense\" is no board; a board has 8 ranks with / between them\n"
    );
    let error = run(&["eval", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1"]).refusal();
    let reason = "not a playable position: Black's king is in check and White is to move\n";
    assert!(error.ends_with(reason), "{error}");
    for command in ["solve", "practise"] {
        let error = run(&[command, ""]).refusal();
        assert_eq!(error, "tropism: name an ending such as KBNK, or give a position as FEN\n");
    }
    let error = run(&["go", "--depth", "-1"]).refusal();
    assert!(error.contains("-1 is not in 1..="), "{error}");
    let error = run(&["--engine", "no/such.toml"]).refusal();
    assert!(error.contains("no/such.toml: cannot be read"), "{error}");
    run(&["nonsense"]).refusal();
    for arguments in [["--pgn", "x.pgn"], ["--side", "white"], ["--from", "5"]] {
        let error = run(&["explain", arguments[0], arguments[1], "startpos"]).refusal();
        assert!(error.contains("cannot be used with '[FEN]...'"), "{error}");
    }
    let error = run(&["eval", "startpos", "moves", "e2e5"]).refusal();
    assert_eq!(error, "tropism: move 1 (\"e2e5\") is not legal: no pawn on e2 can go to e5\n");
}

#[test]
fn a_suite_reports_its_bad_lines_and_goes_on() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("suite.epd");
    let name = file.to_str().unwrap();
    fs::write(&file, "# no test\n").unwrap();
    let error = run(&["suite", name]).refusal();
    assert!(error.ends_with("suite.epd: there is no test in it; give a file in EPD\n"), "{error}");
    let good = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 bm Ra8#;";
    fs::write(&file, format!("\u{feff}{good}\nnonsense\n{good}\n")).unwrap();
    let end = run(&["suite", name, "--nodes", "500"]);
    assert_eq!(end.output, "2 of 2 solved\n");
    let error = end.refusal();
    assert!(error.contains("1 of 3 tests broken:\nline 2: a line needs four fields"), "{error}");
}

#[test]
fn output_files_are_checked_before_the_work() {
    let folder = tempdir().unwrap();
    let nowhere = folder.path().join("none/file");
    let nowhere = nowhere.to_str().unwrap();
    let end = run(&["explain", "startpos", "--html", nowhere]);
    assert!(end.output.is_empty() && end.refusal().contains("cannot write "));
    // A refusal leaves no empty file behind.
    let new = folder.path().join("new.svg");
    run(&["explain", "8/8", "--html", new.to_str().unwrap()]).refusal();
    assert!(!new.exists());
}

#[test]
fn no_word_is_broken_in_a_terminal_of_60_columns() {
    const FEN: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4";
    let folder = tempdir().unwrap();
    let [game, suite] = [
        ("game.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n"),
        ("suite.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2; id \"one\";\n"),
    ]
    .map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let fits = |arguments: &[&str], input: &[u8]| {
        let mut command = program::command(arguments);
        command.env("COLUMNS", "60");
        let end = program::finish(command, input);
        assert_eq!(end.code, Some(0), "{end:?}");
        for line in end.output.lines() {
            // A FEN stays in one piece.
            assert!(line.chars().count() <= 60 || line == FEN, "{arguments:?}: {line:?}");
        }
    };
    for arguments in [
        &["explain", FEN][..],
        &["explain", "--depth", "5", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"],
        &["explain", "--game", &game, "--nodes", "500"],
        &["eval", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"],
        &["words"],
        &["geometry", "--list"],
        &["solve", "KRK"],
        &["suite", &suite, "--nodes", "100"],
        &["--help"],
        &["explain", "--help"],
        &["practise", "--help"],
        &["install-config", "--help"],
    ] {
        fits(arguments, b"");
    }
    fits(&["practise", "KRK", "--seed", "1"], b"help\nhint\nquit\n");
}

#[test]
fn positions_of_a_file_are_shown_one_after_the_other() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("positions.epd");
    let fens = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "7k/8/6K1/8/8/8/8/R7 b - - 3 40"];
    fs::write(&file, format!("# two\n{} bm e4; id \"x\";\n\n{}\n", fens[0], fens[1])).unwrap();
    let file = file.display().to_string();
    for command in [&["eval"][..], &["explain", "--terms"], &["explain", "--nodes", "100"]] {
        let text = run(&[command, &["--file", &file]].concat()).success();
        let single = |fen| format!("{fen}\n{}", run(&[command, &[fen]].concat()).success());
        assert_eq!(text, fens.map(single).concat());
    }
    let json = run(&["explain", "--json", "--terms", "--file", &file]).success();
    assert!(json.starts_with("[\n") && json.matches("\"fen\"").count() == 2, "{json}");
    fs::write(&file, "# nothing\n").unwrap();
    let error = run(&["eval", "--file", &file]).refusal();
    assert!(error.contains("positions.epd: there is no position; write one FEN or EPD"), "{error}");
    fs::write(&file, "startpos\n").unwrap();
    assert!(
        run(&["eval", "--file", &file]).refusal().contains("positions.epd, line 1: write one FEN")
    );
}

#[test]
fn the_bench_shows_the_time_of_each_term() {
    let minimal = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");
    let text = run(&["--engine", minimal, "bench", "--terms"]).success();
    let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let terms =
        ["material", "mop_up_distance", "bishop_knight_corner", "pawn_tropism", "safe_forks"];
    assert_eq!(names[1..6], terms);
    assert!(names[0] == "context" && names[6] == "sum", "{text}");
    assert!(
        text.contains("longest expression: distance.count; mostly from the pawn cache"),
        "{text}"
    );
}
