//! Engine files that write terms of their own, over UCI: their percentages, and files that are wrong.

use crate::{gui::Gui, program};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::{TempDir, tempdir};

const MINIMAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");

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

struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempdir().unwrap())
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

fn load(gui: &mut Gui, path: &Path) -> Vec<String> {
    gui.send(&format!("setoption name EngineFile value {}", path.display()));
    gui.settled()
}

fn term_percent(gui: &mut Gui, value: &str) -> Vec<String> {
    gui.send(&format!("setoption name TermPercent value {value}"));
    gui.settled()
}

/// The value of the position for White, in pawns, and the name of the engine.
fn value(gui: &mut Gui) -> (String, String) {
    gui.send("eval");
    let lines = gui.until("phase ");
    gui.settled();
    let sum = lines.iter().find(|line| line.trim_start().starts_with("sum ")).unwrap();
    let value = sum.rsplit('|').next().unwrap().trim().to_owned();
    (value, lines.last().unwrap().split("engine ").nth(1).unwrap().to_owned())
}

#[test]
fn a_term_of_the_file_of_the_start_has_an_option() {
    let files = Files::new();
    let path = files.write("pawns.toml", PAWNS);
    let mut gui = Gui::start_with(&["--engine", path.to_str().unwrap(), "uci"]);
    gui.send("uci");
    let lines = gui.until("uciok");
    let option = "option name pawn_count percent type spin default 100 min 0 max 400";
    assert_eq!(lines.iter().filter(|&line| line == option).count(), 1, "{lines:#?}");
    gui.send(PAWN_UP);
    let full = value(&mut gui);
    gui.send("setoption name Pawn_Count PERCENT value 50");
    let half = value(&mut gui);
    assert_ne!(full, half);
    assert_eq!(term_percent(&mut gui, "PAWN_COUNT=100"), Vec::<String>::new());
    assert_eq!(value(&mut gui), full);
    gui.send("setoption name pawn_count percent value 401");
    let complaint = "info string pawn_count percent must be a whole number from 0 to 400, not \
                     \"401\"; nothing is changed";
    assert_eq!(gui.settled(), [complaint]);
    assert_eq!(value(&mut gui), full);

    // A file without the term: its percentage takes effect again with the file of the start.
    gui.send("setoption name EngineFile value engines/tropism-material.toml");
    gui.send("setoption name pawn_count percent value 40");
    assert_eq!(
        gui.settled(),
        [
            "info string the engine tropism material has no term pawn_count; pawn_count percent takes \
         effect with an engine file that lists it"
        ]
    );
    // By `TermPercent` too, which still knows its name.
    assert_eq!(term_percent(&mut gui, "pawn_count=50").len(), 1);
    gui.send("setoption name EngineFile value <empty>");
    assert_eq!(value(&mut gui), half);
}

#[test]
fn a_file_that_is_loaded_later_lists_its_terms() {
    let files = Files::new();
    let path = files.write("pawns.toml", PAWNS);
    let mut gui = Gui::start();
    assert_eq!(
        load(&mut gui, &path),
        [
            "info string terms written in the file: pawn_count; set their percentages with TermPercent, \
         as in: setoption name TermPercent value pawn_count=50"
        ]
    );
    assert_eq!(
        load(&mut gui, Path::new(MINIMAL)),
        [
            "info string terms written in the file: mop_up_distance, bishop_knight_corner, pawn_tropism, \
         safe_forks; set their percentages with TermPercent, as in: setoption name TermPercent value \
         mop_up_distance=50"
        ]
    );
    // Files without such terms, and the engine of the start, say nothing.
    assert_eq!(load(&mut gui, Path::new("engines/hunter.toml")), Vec::<String>::new());
    gui.send("setoption name EngineFile value");
    assert_eq!(gui.settled(), Vec::<String>::new());

    let sections: String = (0..30)
        .map(|number| {
            let section = PAWNS.split_once("]\n").unwrap().1;
            section.replace("pawn_count", &format!("pawn_count{number}"))
        })
        .collect();
    let names: Vec<String> = (0..30).map(|number| format!("'pawn_count{number}'")).collect();
    let many = format!("name = 'many'\nterms = [{}]\n{sections}", names.join(", "));
    let lines = load(&mut gui, &files.write("many.toml", many));
    assert!(lines[0].contains(": pawn_count0, pawn_count1, "), "{lines:?}");
    assert!(lines[0].contains(", pawn_count19 and 10 more; set their"), "{lines:?}");
}

/// Wrong files: their name, their content, and what the message must say.
fn wrong_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let term = |from: &str, to: &str| text(&PAWNS.replace(from, to));
    let nested = format!("{}1{}", "(".repeat(900), ")".repeat(900));
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
        (
            "costly.toml",
            term("worth", &format!("count = '{}'\nworth", costly(4))),
            "the most is 100000",
        ),
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
    let files = Files::new();
    let mut gui = Gui::start();
    gui.send(PAWN_UP);
    let before = value(&mut gui);
    gui.send("go infinite");
    gui.until("info depth 1");
    let assert_refused = |gui: &mut Gui, path: &Path, message: &str| {
        let lines = load(gui, path);
        let lines: Vec<&String> =
            lines.iter().filter(|line| !line.starts_with("info depth ")).collect();
        let lines: Vec<&str> = lines
            .into_iter()
            .map(String::as_str)
            .filter(|line| !line.contains("currmove"))
            .collect();
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
        let path = files.write(name, content);
        assert_refused(&mut gui, &path, message);
    }
    assert_refused(&mut gui, files.0.path(), "cannot be read: it is a folder");
    assert_refused(&mut gui, &files.0.path().join("no such.toml"), "cannot be read: ");
    gui.send("stop");
    let lines = gui.settled();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(value(&mut gui), before);

    // The lines of a mistake in an expression, one by one.
    let path = files.write("word.toml", PAWNS.replace("own.pawns", "own.pawnz"));
    let name = path.display();
    assert_eq!(
        load(&mut gui, &path),
        [
            format!(
                "info string {name}:5:17: unknown word `own.pawnz`; did you mean \"own.pawns\"?; nothing \
             is changed"
            ),
            "info string   each = 'pawn in own.pawnz'".to_owned(),
            "info string                   ^^^^^^^^^".to_owned(),
        ]
    );
}

/// A pipe that nobody writes to: it cannot even be opened.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused_at_once() {
    let files = Files::new();
    let path = files.0.path().join("pipe.toml");
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
    let files = Files::new();
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
        let path = files.write(name, text);
        let lines = load(&mut gui, &path);
        assert!(lines.last().unwrap().contains("terms written in the file: costly"), "{lines:?}");
        gui.send("position startpos");
        let lines = gui.go("go movetime 100");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }
}

#[test]
fn commands_print_the_place_of_a_mistake() {
    const FEN: &str = "4k3/8/8/8/8/8/8/4K3 w - -";
    let files = Files::new();
    let path = files.write("word.toml", PAWNS.replace("own.pawns", "own.pawnz"));
    let name = path.to_str().unwrap();
    let expected = format!(
        "tropism: {name}:5:17: unknown word `own.pawnz`; did you mean \"own.pawns\"?\n  \
         each = 'pawn in own.pawnz'\n                  ^^^^^^^^^\n"
    );
    for arguments in
        [vec!["eval", FEN], vec!["explain", FEN], vec!["uci"], vec!["--log", "debug", "bench"]]
    {
        let arguments = [&["--engine", name], arguments.as_slice()].concat();
        assert_eq!(program::run(&arguments).refusal(), expected, "{arguments:?}");
    }
    // Over UCI, the log has one record for each line.
    let mut command = program::command(&["--log", "debug", "uci"]);
    command.env_remove("RUST_LOG");
    let input = format!("setoption name EngineFile value {name}\nquit\n");
    let end = program::finish(command, input.as_bytes());
    let logged = |text: &str| end.errors.lines().filter(|line| line.ends_with(text)).count();
    assert_eq!(end.output.lines().count(), 3, "{end:?}");
    for line in end.output.lines() {
        assert_eq!(logged(&format!("< {line}")), 1, "{end:?}");
    }
}
