//! Geometry as a user meets it: `tropism geometry` in the terminal, and what the sources say of
//! chess rather than of squares.
#![allow(missing_docs, clippy::unwrap_used)]

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use std::{
    env, fs,
    process::{Command, Output},
};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tropism")).arg("geometry").args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What is refused, with its message and exit code 2 and nothing on standard output.
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_board_in_a_pipe_is_plain_text() {
    let expected = "\
knight_distance a1: knight moves between two squares

8   5  4  5  4  5  4  5  6
7   4  3  4  3  4  5  4  5
6   3  4  3  4  3  4  5  4
5   2  3  2  3  4  3  4  5
4   3  2  3  2  3  4  3  4
3   2  1  4  3  2  3  4  5
2   3  4  1  2  3  4  3  4
1  [0] 3  2  3  2  3  4  5

    a  b  c  d  e  f  g  h
";
    assert_eq!(stdout(&["knight_distance", "a1"]), expected);
}

#[test]
fn the_list_names_all() {
    let list = stdout(&["--list"]);
    assert!(list.contains("\nudr_distance "), "{list}");
    assert!(list.contains("(Isenberg 2002)"), "{list}");
    assert!(list.contains("\n0x88 "), "{list}");
}

#[test]
fn what_is_refused_names_the_nearest_and_ends_with_two() {
    let message = refusal(&["chebichev", "e4"]);
    assert!(message.contains("did you mean \"chebyshev\"?"), "{message}");
    let message = refusal(&["chebyshev", "e9"]);
    assert!(message.contains("the nearest is e8"), "{message}");
    let message = refusal(&["chebyshev", "e4", "--layout", "0x99"]);
    assert!(message.contains("did you mean \"0x88\"?"), "{message}");
    let message = refusal(&["chebyshev"]);
    assert!(message.contains("chebyshev needs one square or two"), "{message}");
    let message = refusal(&[]);
    assert!(message.contains("<NAME>"), "{message}");
    assert!(!refusal(&["chebyshev", "e4", "e5", "e6"]).is_empty());
}

#[test]
fn the_svg_is_written_and_a_bad_path_is_refused() {
    let path = env::temp_dir().join(format!("tropism-geometry-{}.svg", std::process::id()));
    let shown = stdout(&["chebyshev", "f6", "h1", "--svg", path.to_str().unwrap()]);
    assert!(shown.ends_with("f6 to h1: 5\n"), "{shown}");
    let svg = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // 64 squares with a number each, eight files, eight ranks, two lines above and one below.
    assert_eq!(svg.matches("<text ").count(), 64 + 16 + 2 + 1);
    let nowhere = path.join("nowhere.svg");
    let output = run(&["chebyshev", "f6", "--svg", nowhere.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("nowhere.svg"));
}

/// The source of the corner distance says that bishop and knight mate in the corner that the bishop
/// can attack. That is where mate can be forced; a lone king that helps is mated in the other
/// corner too.
#[test]
fn bishop_and_knight_can_mate_in_the_wrong_corner_if_the_lone_king_helps() {
    for (fen, mate) in [
        // a8 is light, the bishop runs on dark squares and cannot attack it.
        ("k7/B1N5/1K6/8/8/8/8/8 b - - 0 1", true),
        ("k7/2N5/1K6/2B5/8/8/8/8 b - - 0 1", false),
    ] {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        assert_eq!(position.is_checkmate(), mate);
    }
}
