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

#[test]
fn the_svg_is_written_and_a_bad_path_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let shown = stdout(&["chebyshev", "f6", "h1", "--svg", path.to_str().unwrap()]);
    assert!(shown.ends_with("f6 to h1: 5\n") && !shown.contains('\u{1b}'), "{shown}");
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    // 64 squares with a number each, eight files, eight ranks, two lines above and one below.
    assert_eq!(svg.matches("<text ").count(), 64 + 16 + 2 + 1);
    assert!(stdout(&["--list"]).contains("\nudr_distance "));
    assert!(run(&["chebyshev", "e9"]).refusal().contains("the nearest is e8"));
    assert!(!run(&["chebyshev", "e4", "e5", "e6"]).refusal().is_empty());
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
