use super::*;

fn drawn(line: &str) -> Result<Picture, DiagramError> {
    let (line, fen) = match line.split_once(" --fen ") {
        Some((line, fen)) => (line, Some(fen)),
        None => (line, None),
    };
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    diagram(&words[0], &words[1..], fen)
}

fn text(line: &str) -> String {
    drawn(line).unwrap().to_string()
}

#[test]
fn every_system_draws_a_board_and_says_how_many_squares_it_needs() {
    for system in SYSTEMS {
        let name = system.name;
        let good = match system.kind.wanted() {
            "no square, or one" => name.to_owned(),
            "one square" if name == "fork_targets" => format!("{name} b1"),
            "one square" => format!("{name} e4"),
            "two squares" => format!("{name} b1 e5"),
            _ if system.kind.has_position() => format!("{name} b1 e5"),
            _ => format!("{name} e4 e5"),
        };
        let board = text(&good);
        assert!(board.starts_with(&format!("{good}: {}\n", system.doc)), "{board}");
        let three = drawn(&format!("{name} a1 b1 c1")).unwrap_err();
        assert_eq!(three.to_string(), format!("{name} needs {}", system.kind.wanted()));
    }
}

#[test]
fn names_may_be_written_with_hyphens_and_capitals() {
    assert_eq!(text("Knight-Distance a1 h8"), text("knight_distance a1 h8"));
}

#[test]
fn errors_suggest_what_is_right() {
    for (line, expected) in [
        ("chebichev e4", "unknown name \"chebichev\"; did you mean \"chebyshev\"?"),
        (
            "knight a1",
            "unknown name \"knight\"; did you mean \"knight_fill\", \"knight_jumps\" or \
             \"knight_attacks\"?",
        ),
        ("zzzzzzzz", "unknown name \"zzzzzzzz\"; `tropism geometry --list` shows all names"),
        ("chebyshev e9", "\"e9\" is not a square; the nearest is e8"),
        ("chebyshev k0", "\"k0\" is not a square; the nearest is h1"),
        ("chebyshev E4", "\"E4\" is not a square; the nearest is e4"),
        ("chebyshev é4", "\"é4\" is not a square; squares are a1 to h8"),
        ("chebyshev", "chebyshev needs one square or two"),
        ("sum_rule e4", "sum_rule needs two squares"),
        (
            "edge_distance --fen 8/8/8/8/8/8/8/8",
            "edge_distance measures an empty board; these take a FEN: fork_targets, trajectories, \
             mobility, mobility_guarded, moves_between",
        ),
        ("mobility e4", "mobility needs a piece on e4"),
        ("fork_targets a1", "fork_targets needs a knight on a1"),
        ("trajectories a1 a8", "there is no path from a1 to a8"),
        (
            "mobility e4 --fen nonsense",
            "\"nonsense\": \"nonsense\" is no board; a board has 8 ranks with / between them",
        ),
    ] {
        assert_eq!(drawn(line).unwrap_err().to_string(), expected, "{line}");
    }
}

#[test]
fn pieces_are_taken_from_the_position() {
    let board = text("mobility g1 e5");
    assert!(board.ends_with("g1 to e5: 2"), "{board}");
    let board = text("fork_targets d5 --fen r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
    assert!(board.contains("\n7   .  .  1 ") && board.contains("\n1 square\n"), "{board}");
    // A pawn on b6 guards a5 and c5.
    let fen = "4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1";
    for (line, caption) in [
        ("mobility a1 a5", "a1 to a5: 1"),
        ("mobility_guarded a1 a5", "a1 to a5: no path"),
        ("trajectories a1 b6", "2 moves, 4 squares, 2 shortest paths"),
    ] {
        let board = text(&format!("{line} --fen {fen}"));
        assert!(board.ends_with(&format!("{caption}\n\nposition {fen}")), "{board}");
    }
}

#[test]
fn the_list_has_every_system() {
    let list = diagram_list().to_string();
    for System { name, doc, source, .. } in SYSTEMS {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name}");
        assert!(list.contains(&format!("{doc} ({source})")), "{name}");
    }
}

/// Every public function of `geometry` can be drawn.
#[test]
fn every_public_function_has_its_name_in_the_list() {
    let source = include_str!("../../../src/geometry/mod.rs");
    let exported = source.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let words = exported.flat_map(|list| {
        let names = list.split_once("::").map_or(list, |(_, names)| names);
        names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
    });
    let functions: Vec<&str> =
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    assert!(functions.len() > 35, "{functions:?}");
    for name in functions {
        assert!(SYSTEMS.iter().any(|system| system.name == name), "{name}");
    }
}

/// The documentation of `geometry` has boards, exactly as the program draws them: one for each system whose row in the
/// list is more than the name of its function.
#[test]
fn the_boards_in_the_documentation_are_those_of_the_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/geometry");
    let mut shown = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for block in source.split("/// ```text\n").skip(1) {
            let lines = block.lines().map_while(|line| line.trim_start().strip_prefix("///"));
            let lines: Vec<&str> =
                lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
            let end = lines.iter().position(|&line| line == "```").unwrap();
            let board = lines[..end].join("\n");
            let Some((line, _)) = board.split_once(": ") else { continue };
            let fen = board.split_once("\n\nposition ");
            let fen = fen.map(|(_, fen)| format!(" --fen {fen}")).unwrap_or_default();
            assert_eq!(text(&format!("{line}{fen}")), board, "{}", path.display());
            shown.push(line.split(' ').next().unwrap().to_owned());
        }
    }
    assert!(shown.len() > 20, "{shown:?}");
}
