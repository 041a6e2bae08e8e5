//! What people paste, and how it is read: the files in `readings`.

use crate::common::unescaped;
use shakmaty::{Chess, EnPassantMode, Move, fen::Fen, san::SanPlus};
use tropism::notation::read_fen;
use tropism_coach::notation::{Games, PlayedGame, parse_suite};

/// A line of a file: a text, and what is expected.
struct Case {
    line: usize,
    text: String,
    expected: String,
}

/// The lines of a file that are neither empty nor comments.
fn cases(file: &str) -> Vec<Case> {
    let lines = file.lines().enumerate();
    let cases = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let case = |(index, line): (usize, &str)| {
        let (text, expected) =
            line.rsplit_once(" => ").unwrap_or_else(|| panic!("line {}: no =>", index + 1));
        Case { line: index + 1, text: unescaped(text), expected: unescaped(expected) }
    };
    cases.map(case).collect()
}

/// The moves of a game in SAN.
fn san(game: &PlayedGame) -> String {
    let mut position: Chess = game.start.clone();
    let words = game
        .moves
        .iter()
        .map(|&m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    words.collect::<Vec<_>>().join(" ")
}

/// Fails with all cases that are read wrongly. `read` gets a text and what is expected, and returns whether that is right
/// and what is found.
fn check(file: &str, read: impl Fn(&str, &str) -> (bool, String)) {
    let mut wrong = Vec::new();
    let cases = cases(file);
    for Case { line, text, expected } in &cases {
        let (is_right, found) = read(text, expected);
        if !is_right {
            wrong.push(format!("line {line}: {text:?}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Checks what is found in each text, in the words of the file.
fn check_words(file: &str, read: impl Fn(&str) -> String) {
    check(file, |text, expected| {
        let found = read(text);
        let is_right = match expected.strip_prefix("! ") {
            Some(error) => found.strip_prefix("! ").is_some_and(|found| found.contains(error)),
            None => found == expected,
        };
        (is_right, found)
    });
}

#[test]
fn pasted_positions_are_read_rightly() {
    check_words(include_str!("readings/positions.txt"), |text| match read_fen(text, None) {
        Ok(chess) => Fen::from_position(&chess, EnPassantMode::Legal).to_string(),
        Err(error) => format!("! {error}"),
    });
}

#[test]
fn lines_of_suites_are_read_rightly() {
    check_words(include_str!("readings/suites.txt"), |text| match parse_suite(text) {
        (tests, faults) if tests.len() + faults.len() != 1 => format!("{} tests", tests.len()),
        (tests, faults) if tests.is_empty() => format!("! {}", faults[0]),
        (tests, _) => {
            let test = &tests[0];
            let names = |moves: &[Move]| {
                let name = |&m: &Move| SanPlus::from_move(test.position.clone(), m).to_string();
                moves.iter().map(name).collect::<Vec<_>>().join(" ")
            };
            let mate = test.mate.map(|mate| mate.to_string()).unwrap_or_default();
            format!("{};{};{mate};{}", names(&test.best), names(&test.avoid), test.name)
        }
    });
}

#[test]
fn games_from_the_real_world_are_read_rightly() {
    check(include_str!("readings/games.txt"), |text, expected| {
        let games: Vec<PlayedGame> = Games::new(text).collect();
        let expected: Vec<&str> = expected.split("||").collect();
        let is_right = games.len() == expected.len()
            && games.iter().zip(&expected).all(|(game, expected)| {
                let mut parts = expected.split('!').map(str::trim);
                let moves = parts.next().unwrap();
                let faults: Vec<&str> = parts.collect();
                san(game) == moves
                    && game.faults.len() == faults.len()
                    && game.faults.iter().zip(faults).all(|(found, fault)| found.starts_with(fault))
            });
        let found: Vec<_> = games.iter().map(|game| (san(game), &game.faults)).collect();
        (is_right, format!("{found:?}"))
    });
}
