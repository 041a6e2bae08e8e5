//! Engine files that write terms of their own, over UCI: files that are wrong, and such that take long. `commands.txt` has
//! more of them.

use crate::gui::Gui;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A term that counts pawns, which the initial position has.
const PAWNS: &str = "name = 'pawns'\n\
    terms = ['pawn_count']\n\
    [pawn_count]\n\
    doc = 'Pawns.'\n\
    each = 'pawn in own.pawns'\n\
    [pawn_count.pawn]\n\
    unit = ['a pawn', 'pawns']\n\
    worth = [100, 100]\n";

/// White is a pawn up.
const PAWN_UP: &str = "position fen 4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1";

fn load(gui: &mut Gui, path: &Path) -> Vec<String> {
    gui.send(&format!("setoption name EngineFile value {}", path.display()));
    gui.settled()
}

/// The evaluation of the position, with the name of the engine in its last line.
fn evaluated(gui: &mut Gui) -> Vec<String> {
    gui.send("eval");
    gui.settled()
}

/// Wrong files: their name, their content, and what the message must say.
fn wrong_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let term = |from: &str, to: &str| text(&PAWNS.replace(from, to));
    let nested = format!("{}1{}", "(".repeat(900), ")".repeat(900));
    let deep = format!("count = '{}'\nworth", costly(4));
    vec![
        ("empty.toml", text(""), "`name = \"...\"` is missing"),
        ("large.toml", vec![b'#'; 2 << 20], "has more than 1048576 bytes"),
        ("binary.toml", (0..=255).cycle().take(5000).collect(), "byte 0x80 is not UTF-8"),
        ("zeros.toml", vec![0; 5000], "not valid TOML"),
        ("arrays.toml", vec![b'['; 1 << 20], "not valid TOML"),
        ("quotes.toml", text(&format!("name = {}", "'''\n".repeat(100_000))), "not valid TOML"),
        ("long_name.toml", text(&format!("{} = 1", "x".repeat(1_000_000))), "unknown key"),
        ("lines.toml", text("name = \"a\\nuciok\"\nterms = []"), "name must be one line"),
        ("nested.toml", term("own.pawns", &nested), "nested more than"),
        ("huge.toml", term("own.pawns", &"own.pawns | ".repeat(10_000)), "the most is 2000"),
        ("costly.toml", term("worth", &deep), "the most is 100000"),
    ]
}

/// Loops inside loops.
fn costly(depth: usize) -> String {
    (0..depth).fold("1".to_owned(), |body, number| {
        format!("min(1, sum(x{number} in all_squares: {body}))")
    })
}

#[test]
fn a_wrong_file_changes_nothing_and_stops_no_search() {
    let folder = tempdir().unwrap();
    let mut gui = Gui::start();
    gui.send(PAWN_UP);
    let before = evaluated(&mut gui);
    assert!(before.last().unwrap().ends_with("engine tropism"), "{before:?}");
    gui.send("go infinite");
    gui.until("info depth 1");
    let assert_refused = |gui: &mut Gui, path: &Path, message: &str| {
        let lines = load(gui, path);
        let is_of_search =
            |line: &&String| line.starts_with("info depth ") || line.contains("currmove");
        let lines: Vec<&String> = lines.iter().filter(|line| !is_of_search(line)).collect();
        let name = path.display().to_string();
        assert!(lines[0].starts_with(&format!("info string {name}:")), "{lines:#?}");
        assert!(lines[0].contains(message), "{message}: {lines:#?}");
        assert!(lines.len() <= 4, "{lines:#?}");
        for line in &lines {
            assert!(line.starts_with("info string "), "{lines:#?}");
            assert!(line.len() < 5000 && !line.contains(|c: char| c.is_control() && c != '\t'));
        }
    };
    for (name, content, message) in wrong_files() {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        assert_refused(&mut gui, &path, message);
    }
    assert_refused(&mut gui, folder.path(), "cannot be read: it is a folder");
    assert_refused(&mut gui, &folder.path().join("no such.toml"), "cannot be read: ");
    gui.send("stop");
    let lines = gui.settled();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(evaluated(&mut gui), before);
}

/// A pipe that nobody writes to: it cannot even be opened.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused_at_once() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("pipe.toml");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut gui = Gui::start();
    let expected = format!(
        "info string {}: cannot be read: it is no regular file; nothing is changed",
        path.display()
    );
    assert_eq!(load(&mut gui, &path), [expected]);
}

/// The most expensive files that are read, and the largest numbers, still let a search look at the clock. A search that
/// does not is a fault of [`Gui`], which waits for a while only.
#[test]
fn a_file_just_under_the_limits_plays() {
    let folder = tempdir().unwrap();
    let mut gui = Gui::start();
    for (name, count) in [
        ("numbers.toml", "999999 * 999999 - own.points".to_owned()),
        ("loops.toml", "sum(x in all_squares: sum(y in all_squares: chebyshev(x, y)))".to_owned()),
        (
            "paths.toml",
            "sum(x in all_squares: count(queen_paths(x, own.king, no_squares)))".to_owned(),
        ),
        (
            "reach.toml",
            "sum(x in all_squares: count(knight_reach(x, 64, own.rank(9)) & all_squares))"
                .to_owned(),
        ),
    ] {
        let text = format!(
            "name = 'costly'\nterms = ['costly']\n[costly]\ndoc = 'd'\n\
             [costly.w]\nunit = 'u'\nworth = [0.1, 0.1]\ncount = '{count}'\n"
        );
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let lines = load(&mut gui, &path);
        assert!(lines.last().unwrap().contains("terms written in the file: costly"), "{lines:?}");
        gui.send("position startpos");
        let lines = gui.go("go movetime 100");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }
}
