//! Transcripts of conversations with the real program: `tests/protocol/*.txt`.
//!
//! A case starts with `== its name`. Each line after it is one of these:
//! - `> text`: sends the text. `\xNN` is a byte, and `{word*N}` is the word N times, separated by blanks.
//! - `>> text`: sends the text together with the next line, in one piece.
//! - `< pattern`: the next line must match the pattern, in which `*` stands for any text.
//! - `<< pattern`: skips lines until one matches.
//! - `<! pattern`: from here to the next `<<`, no line may match.
//!
//! At the end of a case, `readyok` must be the only answer to `isready`. Each case has a program of its
//! own. No case waits a fixed time: a line that does not come fails the case after a minute.
//!
//! Every `info` line with a `pv` is checked: its moves must be legal, and a mate score that is not a bound
//! must have a line that ends in mate. `bestmove` must be the first move of the last `pv`.

use crate::gui::{Gui, PATIENCE};
use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};
use std::{collections::VecDeque, panic::catch_unwind};
use tropism::notation::read_fen;

const TRANSCRIPTS: [(&str, &str); 6] = [
    ("commands", include_str!("../protocol/commands.txt")),
    ("search", include_str!("../protocol/search.txt")),
    ("bad input", include_str!("../protocol/bad-input.txt")),
    ("exact", include_str!("../protocol/exact.txt")),
    ("guis", include_str!("../protocol/guis.txt")),
    ("terms", include_str!("../protocol/terms.txt")),
];

struct Case<'a> {
    name: String,
    lines: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    for (file, text) in TRANSCRIPTS {
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix("== ") {
                Some(name) => cases.push(Case { name: format!("{file}: {name}"), lines: vec![] }),
                None => cases.last_mut().expect(file).lines.push(line),
            }
        }
    }
    cases
}

/// Whether a line matches a pattern, in which `*` stands for any text.
fn matches(line: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => line == pattern,
        Some((head, rest)) => {
            let Some(tail) = line.strip_prefix(head) else { return false };
            (0..=tail.len())
                .filter(|&at| tail.is_char_boundary(at))
                .any(|at| matches(&tail[at..], rest))
        }
    }
}

/// The bytes that an input line stands for.
fn bytes(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(hex) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).unwrap());
            rest = &hex[2..];
        } else if let Some((word, number)) = rest
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
            .and_then(|(inner, _)| inner.split_once('*'))
        {
            let words = vec![word; number.parse().unwrap()];
            bytes.extend(words.join(" ").bytes());
            rest = &rest[rest.find('}').unwrap() + 1..];
        } else {
            bytes.extend(c.to_string().bytes());
            rest = &rest[c.len_utf8()..];
        }
    }
    bytes
}

/// The position that the program should have.
#[derive(Default)]
struct Board {
    chess: Chess,
    chess960: bool,
    /// The positions of the searches that are not answered yet, the oldest first.
    searched: VecDeque<Chess>,
    last_line: Option<Vec<String>>,
}

impl Board {
    fn handle_line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["setoption", "name", "UCI_Chess960", "value", on] => self.chess960 = *on == "true",
            ["ucinewgame"] => self.chess = Chess::default(),
            ["position", rest @ ..] => {
                let at = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
                let set_up = match &rest[..at] {
                    ["startpos"] => Some(Chess::default()),
                    ["fen", fen @ ..] => {
                        let mode = self.chess960.then_some(CastlingMode::Chess960);
                        read_fen(&fen.join(" "), mode).ok()
                    }
                    _ => None,
                };
                let moves = rest.iter().skip(at + 1);
                let played = set_up.and_then(|chess| {
                    moves.copied().try_fold(chess, |mut chess, word| {
                        let uci: UciMove = word.to_lowercase().parse().ok()?;
                        let m = uci.to_move(&chess).ok().filter(|&m| chess.is_legal(m))?;
                        chess.play_unchecked(m);
                        Some(chess)
                    })
                });
                if let Some(chess) = played {
                    self.chess = chess;
                }
            }
            ["go", "perft", ..] => {}
            ["go", ..] => self.searched.push_back(self.chess.clone()),
            _ => {}
        }
    }

    fn check(&mut self, line: &str, case: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let after = |key| words.iter().position(|&word| word == key).map(|at| at + 1);
        if words[0] == "info" && words[1] != "string" {
            let Some(at) = after("pv") else { return };
            let mut chess = self.searched.front().expect(case).clone();
            for word in &words[at..] {
                let m = word.parse::<UciMove>().unwrap().to_move(&chess);
                let m = m.unwrap_or_else(|_| panic!("{case}: {word} is not legal in {line}"));
                assert!(chess.is_legal(m), "{case}: {word} in {line}");
                chess.play_unchecked(m);
            }
            let is_exact = after("lowerbound").or(after("upperbound")).is_none();
            if let Some(mate) = after("mate").filter(|_| is_exact) {
                let moves: i32 = words[mate].parse().unwrap();
                let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
                assert_eq!(plies as usize, words.len() - at, "{case}: {line}");
                assert!(chess.is_checkmate(), "{case}: {line}");
            }
            if after("multipv").is_none_or(|at| words[at] == "1") {
                self.last_line = Some(words[at..].iter().map(|&word| word.to_owned()).collect());
            }
        } else if words[0] == "bestmove" {
            let mut chess = self.searched.pop_front().expect(case);
            if words[1] == "(none)" {
                return assert!(chess.legal_moves().is_empty(), "{case}: {line}");
            }
            let line_before =
                self.last_line.take().unwrap_or_else(|| panic!("{case}: no pv before {line}"));
            assert_eq!(line_before[0], words[1], "{case}: {line}");
            if let Some(&ponder) = words.get(3) {
                assert!(line_before.get(1).is_none_or(|reply| reply == ponder), "{case}: {line}");
                for word in [words[1], ponder] {
                    let m = word.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
                    assert!(chess.is_legal(m), "{case}: {line}");
                    chess.play_unchecked(m);
                }
            }
        }
    }
}

fn run(case: &Case) {
    let name = &case.name;
    let mut gui = Gui::start();
    let mut board = Board::default();
    let mut piece = Vec::new();
    let mut unwanted: Vec<&str> = Vec::new();
    let next = |gui: &Gui, board: &mut Board, unwanted: &[&str], wanted: &str| {
        let line = gui_line(gui, name, wanted);
        for pattern in unwanted {
            assert!(!matches(&line, pattern), "{name}: {line:?} matches {pattern:?}");
        }
        board.check(&line, name);
        line
    };
    for line in &case.lines {
        let (sign, text) = line.split_once(' ').unwrap_or((line, ""));
        match sign {
            ">" | ">>" => {
                piece.extend(bytes(text));
                piece.push(b'\n');
                board.handle_line(text);
                if sign == ">" {
                    gui.send_bytes(&std::mem::take(&mut piece));
                }
            }
            "<!" => unwanted.push(text),
            "<" => {
                let line = next(&gui, &mut board, &unwanted, text);
                assert!(matches(&line, text), "{name}:\n  {line}\ndoes not match\n  {text}");
            }
            "<<" => {
                while !matches(&next(&gui, &mut board, &unwanted, text), text) {}
                unwanted.clear();
            }
            _ => panic!("{name}: {line:?} is not a line of a transcript"),
        }
    }
    gui.send("isready");
    let last = gui_line(&gui, name, "readyok");
    assert_eq!(last, "readyok", "{name}: one line too many");
}

fn gui_line(gui: &Gui, name: &str, wanted: &str) -> String {
    let line = gui.lines.recv_timeout(PATIENCE);
    line.unwrap_or_else(|error| panic!("{name}: {error} instead of {wanted:?}"))
}

#[test]
fn every_transcript() {
    let cases = cases();
    assert!(cases.len() >= 200, "{} cases", cases.len());
    let fails = |case: &&Case| catch_unwind(|| run(case)).is_err();
    let failed: Vec<&str> = cases.iter().filter(fails).map(|case| case.name.as_str()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn the_checks_can_fail() {
    assert!(matches("info depth 3 score cp 5", "info depth * score *"));
    assert!(!matches("info depth 3", "info depth * score *"));
    assert!(matches("a*", "*") && !matches("ab", "a") && matches("", "*"));
    assert_eq!(bytes("\\xff{ab*2}!"), b"\xffab ab!");
    let mut board = Board::default();
    board.handle_line("position startpos moves f2f3 e7e5 g2g4");
    board.handle_line("go depth 1");
    board.check("info depth 1 score mate 1 pv d8h4", "mate");
    let fails = |line: &str| {
        let mut board = Board { searched: board.searched.clone(), ..Board::default() };
        catch_unwind(move || board.check(line, "must fail")).is_err()
    };
    assert!(fails("info depth 1 score mate 2 pv d8h4"));
    assert!(fails("info depth 1 score cp 3 pv d8h3"));
    assert!(fails("bestmove d8h4"));
}
