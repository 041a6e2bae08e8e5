//! The example program adds a term of its own: UCI shows the option and the row of the term.

use crate::program;
use std::{env::consts::EXE_SUFFIX, path::Path, process::Command};

const SOURCE: &str = include_str!("../../examples/rook_tropism.rs");

/// Cargo builds the examples before it runs the tests, in a folder next to the program. To run this test
/// alone, run `cargo build --examples` first.
fn conversation(lines: &str) -> String {
    let folder = Path::new(program::PATH).with_file_name("examples");
    let example = folder.join(format!("rook_tropism{EXE_SUFFIX}"));
    program::finish(Command::new(example), lines.as_bytes()).success()
}

#[test]
fn the_example_engine_with_its_own_term_has_fewer_than_60_lines() {
    assert!(SOURCE.lines().count() < 60);
    // White's rook is 7 king moves from the black king, Black's 2 from the white one: 21 and 6
    // hundredths of a pawn in the middlegame, 7 and 2 in the endgame. At 400 percent it is four
    // times that.
    let text = conversation(
        "uci\n\
         position fen 4k3/p7/8/8/4r3/8/P2K4/7R w - - 0 1\n\
         eval\n\
         setoption name rook_tropism percent value 400\n\
         eval\n\
         go depth 4\n",
    );
    let rows: Vec<&str> =
        text.lines().filter(|line| line.trim_start().starts_with("rook_tropism |")).collect();
    assert!(text.starts_with("id name tropism with rooks "), "{text}");
    let option = "option name rook_tropism percent type spin default 100 min 0 max 400\n";
    assert!(text.contains(&format!("{option}uciok\n")), "{text}");
    assert_eq!(
        rows,
        [
            "     rook_tropism | -0.21   -0.07 | -0.06   -0.02 | -0.15   -0.05 | -0.07",
            "     rook_tropism | -0.84   -0.28 | -0.24   -0.08 | -0.60   -0.20 | -0.27",
        ]
    );
    assert!(text.contains("\nbestmove "), "{text}");
}
