//! The demonstration as the program shows it.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn demo(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tropism"));
    command.arg("demo").args(arguments).output().unwrap()
}

#[test]
fn piped_it_is_a_line_a_move_without_escape_codes() {
    let output = demo(&["--ending", "KQK", "--seed", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{text}");
    assert!(text.starts_with("KQK: white to move, mate in 10\n\n8 "), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let last = text.lines().last().unwrap();
    let used: usize = last.split(' ').nth(2).unwrap().parse().unwrap();
    assert!(last.starts_with("Mate in ") && (10..50).contains(&used), "{last}");
    let moves = (1..=used).all(|number| text.contains(&format!("\n{number}. ")));
    assert!(moves && !text.contains(&format!("\n{}. ", used + 1)), "{text}");
    assert_eq!(demo(&["--ending", "KQK", "--seed", "1"]).stdout, text.as_bytes());
}

#[test]
fn a_game_as_a_picture_and_as_a_page() {
    let path = |name: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let (svg, html) = (path("film.svg"), path("film.html"));
    let files = ["--svg", svg.to_str().unwrap(), "--html", html.to_str().unwrap()];
    let output = demo(&[&["--ending", "KQK", "--seed", "1"], &files[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let result = text.lines().last().unwrap();
    for (file, most) in [(&svg, 30_000), (&html, 40_000)] {
        let drawn = fs::read_to_string(file).unwrap();
        assert!(drawn.contains(result) && drawn.contains("KQK: the engine against"), "{drawn}");
        assert!(drawn.len() < most, "{} bytes", drawn.len());
    }
    let nowhere = path("no such folder/film.html");
    let output = demo(&["--ending", "KQK", "--html", nowhere.to_str().unwrap()]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("no such folder/film.html; name a file in a folder that"), "{text}");
}

#[test]
fn what_cannot_be_shown_is_said() {
    for (arguments, complaint) in [
        (
            ["--ending", "KPK"],
            "error: invalid value 'KPK' for '--ending <ENDING>': endings with pawns are not solved",
        ),
        (["--ending", "KBK"], "tropism: KBK: no position is won, so there is nothing to show"),
        (["--speed", "-1"], "error: invalid value '-1' for '--speed <N>': a number from 0.01"),
        (["--speed", "fast"], "error: invalid value 'fast' for '--speed <N>': a number from 0.01"),
    ] {
        let argument = format!("{}={}", arguments[0], arguments[1]);
        let output = demo(&[&argument]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with(complaint), "{text}");
        assert_eq!(output.status.code(), Some(2));
    }
}
