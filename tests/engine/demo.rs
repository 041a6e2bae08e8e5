//! The command `tropism demo`.

use crate::program::{self, Finished};

fn demo(arguments: &[&str]) -> Finished {
    program::run(&[&["demo"], arguments].concat())
}

#[test]
fn in_a_pipe_each_move_is_a_line_without_escape_codes() {
    let text = demo(&["--ending", "KQK", "--seed", "1"]).success();
    assert!(text.starts_with("KQK: white to move, mate in 10\n\n8 "), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let last = text.lines().last().unwrap();
    assert_eq!(last, "Mate in 10 moves, 0 above the minimum of 10.");
    let moves = (1..=10).all(|number| text.contains(&format!("\n{number}.")));
    assert!(moves && !text.contains("\n11."), "{text}");
    assert_eq!(demo(&["--ending", "KQK", "--seed", "1"]).output, text);
}

/// A win is never thrown away, also where the weaker side has a piece.
#[test]
fn every_game_ends_with_mate() {
    for ending in ["KRKN", "KRKB", "KQKR"] {
        let text = demo(&["--ending", ending, "--seed", "1"]).success();
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("Mate in ") && last.contains(", 0 above"), "{last}");
    }
}

#[test]
fn endings_that_cannot_be_shown_are_refused_with_the_reason() {
    for (arguments, complaint) in [
        (
            ["--ending", "KPKP"],
            "error: invalid value 'KPKP' for '--ending <ENDING>': pawns of both sides are not solved",
        ),
        (["--ending", "KBK"], "tropism: KBK: no position is won, so there is nothing to show"),
        (["--speed", "-1"], "error: invalid value '-1' for '--speed <N>': a number from 0.01"),
        (["--speed", "fast"], "error: invalid value 'fast' for '--speed <N>': a number from 0.01"),
    ] {
        let argument = format!("{}={}", arguments[0], arguments[1]);
        let text = demo(&[&argument]).refusal();
        assert!(text.starts_with(complaint), "{text}");
    }
}
