//! The example programs: a term of its own, which UCI shows with its option and its row, and an evaluation of its own.

use crate::{common::chess, gui::Gui, program};
use shakmaty::{Position, uci::UciMove};
use std::{env::consts::EXE_SUFFIX, path::Path, process::Command};

const SOURCE: &str = include_str!("../../examples/rook_tropism.rs");
const MINIMAL: &str = include_str!("../../examples/minimal.rs");
const OWN_EVALUATION: &str = include_str!("../../examples/own_evaluation.rs");

/// Cargo builds the examples before it runs the tests, in a folder next to the program. To run this test
/// alone, run `cargo build --examples` first.
fn example(name: &str) -> Command {
    let folder = Path::new(program::PATH).with_file_name("examples");
    let mut command = Command::new(folder.join(format!("{name}{EXE_SUFFIX}")));
    command.current_dir("..");
    command
}

fn conversation(name: &str, lines: &str) -> String {
    program::finish(example(name), lines.as_bytes()).success()
}

#[test]
fn the_example_engine_with_its_own_term_has_fewer_than_60_lines() {
    assert!(SOURCE.lines().count() < 60);
    // White's rook is 7 king moves from the black king, Black's 2 from the white one: 21 and 6
    // hundredths of a pawn in the middlegame, 7 and 2 in the endgame. At 400 percent it is four
    // times that.
    let text = conversation(
        "rook_tropism",
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

#[test]
fn the_example_with_an_evaluation_of_its_own_plays_by_it() {
    assert!(OWN_EVALUATION.lines().count() <= 40);
    // A rook 1 rook step from the centre and a king 5 steps, against queen and king with 6 steps each.
    let text = conversation(
        "own_evaluation",
        "uci\n\
         setoption name EngineFile value engines/minimal.toml\n\
         position fen q6k/8/8/8/5R2/8/8/1K6 b - - 0 1\n\
         eval\n\
         position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\n\
         go depth 6\n",
    );
    assert!(text.starts_with("id name centre "), "{text}");
    assert!(!text.contains(" percent type spin"), "{text}");
    for line in [
        "reads no engine file; nothing is changed\n",
        "-3.70 pawns, White's view; engine centre\n",
        "\nbestmove a1a6 ",
        " score mate 2 ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// The distances alone find the mate: the exact tables are off.
#[test]
fn the_engine_in_one_file_mates_with_bishop_and_knight() {
    const START: &str = "8/8/8/3k4/8/8/8/KBN5 w - - 0 1";
    assert!(MINIMAL.lines().count() <= 150);
    let mut engine = Gui::of(example("minimal"));
    engine.send("setoption name ExactEndgames value false");
    let mut position = chess(START);
    let mut moves = String::new();
    while !position.is_game_over() && position.halfmoves() < 100 {
        engine.send(&format!("position fen {START} moves{moves}"));
        let said = engine.go("go nodes 20000");
        let best = said.last().unwrap().split(' ').nth(1).unwrap();
        let m = best.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(m);
        moves += &format!(" {best}");
    }
    assert!(position.is_checkmate(), "{moves}");
}

/// An author's crate has all commands, with the words of its own term.
#[test]
fn the_program_with_an_own_term_explains_it() {
    let mut command = example("rook_tropism");
    command.args(["explain", "--nodes", "500", "--terms", "4k3/p7/8/8/4r3/8/P2K4/7R w - - 0 1"]);
    let text = program::finish(command, b"").success();
    assert!(text.contains("rook_tropism ") && text.contains("engine tropism with rooks"), "{text}");
}
