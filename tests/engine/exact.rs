//! The option `ExactEndgames`, over UCI: what the transcripts cannot tell.

use crate::gui::Gui;

/// Depth and nodes lead to the same search, whether the tables were there before or not: that of rook and pawn against
/// rook is one of those that a capture leads to.
#[test]
fn a_search_is_the_same_in_a_new_program_and_in_a_used_one() {
    let run = |gui: &mut Gui, go: &str| {
        gui.send("ucinewgame");
        gui.send("position fen 8/8/4k3/8/3RP3/4K3/6r1/8 w - - 0 1");
        gui.found(go)
    };
    let [mut first, mut second] = [Gui::start(), Gui::start()];
    let (nodes, depth) = ("go nodes 3000", "go depth 7");
    let new = [run(&mut first, nodes), run(&mut second, depth)];
    for gui in [&mut first, &mut second] {
        gui.send("position fen 8/8/8/4k3/8/8/3r4/R3K3 w - - 0 1");
        gui.go("go nodes 100");
        assert_eq!([run(gui, nodes), run(gui, depth)], new);
    }
}

/// The defender need not play the captures and pawn moves of the table's line, so the fifty-move rule may come first.
#[test]
fn the_fifty_move_rule_decides_between_moves_of_the_table() {
    let mut gui = Gui::start();
    for (fen, moves) in [
        ("7K/8/1p6/3Q4/8/4k3/8/8 w - - 97 120", "d5d8 d5b7 d5e6 d5d6 d5c6 d5b5 d5b3"),
        ("2B5/8/8/3k4/8/1P6/8/5K2 w - - 91 120", "f1e1 f1e2"),
        ("8/6K1/1p6/3Q4/8/4k3/8/8 b - - 98 120", "e3e2 e3f2 e3f4"),
    ] {
        gui.send(&format!("position fen {fen}"));
        let lines = gui.go("go nodes 50000");
        assert!(!lines.iter().any(|line| line.contains("exact:")), "{lines:?}");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(moves.contains(best), "{fen}: {lines:?}");
    }
}
