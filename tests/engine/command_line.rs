//! What `commands.txt` cannot show of commands that answer once.

use crate::program;
use std::fs;
use tempfile::tempdir;

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
    ] {
        fits(arguments, b"");
    }
    fits(&["practise", "KRK", "--seed", "1"], b"help\nhint\nquit\n");
}
