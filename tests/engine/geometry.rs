//! The command `tropism geometry`, and a fact about mates that a source of a distance states.

use crate::program::{self, Finished};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use std::fs;

fn run(arguments: &[&str]) -> Finished {
    program::run(&[&["geometry"], arguments].concat())
}

fn stdout(arguments: &[&str]) -> String {
    run(arguments).success()
}

/// The message of a refused command: exit code 2 and an empty standard output.
fn refusal(arguments: &[&str]) -> String {
    let end = run(arguments);
    assert_eq!(end.output, "", "{arguments:?}");
    end.refusal()
}

#[test]
fn in_a_pipe_a_board_is_plain_text() {
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
fn the_list_has_distances_with_their_sources() {
    let list = stdout(&["--list"]);
    assert!(list.contains("\nudr_distance "), "{list}");
    assert!(list.contains("(Isenberg 2002)"), "{list}");
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_one() {
    let message = refusal(&["chebichev", "e4"]);
    assert!(message.contains("did you mean \"chebyshev\"?"), "{message}");
    let message = refusal(&["chebyshev", "e9"]);
    assert!(message.contains("the nearest is e8"), "{message}");
    let message = refusal(&["chebyshev"]);
    assert!(message.contains("chebyshev needs one square or two"), "{message}");
    let message = refusal(&[]);
    assert!(message.contains("<NAME>"), "{message}");
    assert!(!refusal(&["chebyshev", "e4", "e5", "e6"]).is_empty());
}

#[test]
fn the_svg_is_written_and_a_bad_path_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let shown = stdout(&["chebyshev", "f6", "h1", "--svg", path.to_str().unwrap()]);
    assert!(shown.ends_with("f6 to h1: 5\n"), "{shown}");
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // 64 squares with a number each, eight files, eight ranks, two lines above and one below.
    assert_eq!(svg.matches("<text ").count(), 64 + 16 + 2 + 1);
    let nowhere = path.join("nowhere.svg");
    let end = run(&["chebyshev", "f6", "--svg", nowhere.to_str().unwrap()]);
    assert!(end.refusal().contains("nowhere.svg"));
}

/// The source of the corner distance says that bishop and knight mate in a corner that the bishop attacks.
/// Only there can mate be forced, but a mate in the other corners exists if the bare king cooperates.
#[test]
fn bishop_and_knight_can_mate_in_the_wrong_corner_if_the_bare_king_cooperates() {
    for (fen, mate) in [
        // a8 is a light square, which a dark-squared bishop cannot attack.
        ("k7/B1N5/1K6/8/8/8/8/8 b - - 0 1", true),
        ("k7/2N5/1K6/2B5/8/8/8/8 b - - 0 1", false),
    ] {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        assert_eq!(position.is_checkmate(), mate);
    }
}
