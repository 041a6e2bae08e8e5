use super::*;

fn drawn(line: &str) -> Result<Picture, Refusal> {
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
