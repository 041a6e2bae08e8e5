//! The command `tropism practise`. `commands.txt` has more of its conversations.

use crate::{common, gui::Gui, program};
use shakmaty::{Board, CastlingMode, Chess, Color, Position, Setup, san::SanPlus, uci::UciMove};
#[cfg(unix)]
use std::process::Command;
use std::{
    cell::RefCell,
    io::{self, BufReader, Read, Write},
};
use tropism::endgame::Dtm;
use tropism_coach::{Practice, PracticeOptions, Side};

/// A position in which the rook mates in 9.
const ROOK: &str = "8/8/1K2k3/1R6/8/8/8/8 w - - 0 1";

/// The position on the printed board.
fn drawn(lines: &[String], turn: Color) -> Chess {
    let mut board = Board::empty();
    for line in lines.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let Some((rank, cells)) = line.split_once("  ") else { continue };
        let pieces: Vec<char> = cells.chars().filter(|c| c.is_alphabetic() || *c == '.').collect();
        for (file, letter) in ('a'..='h').zip(pieces) {
            if let Some(piece) = shakmaty::Piece::from_char(letter) {
                board.set_piece_at(format!("{file}{rank}").parse().unwrap(), piece);
            }
        }
    }
    let setup = Setup { board, turn, ..Setup::empty() };
    setup.position(CastlingMode::Standard).unwrap()
}

/// Plays the move of each hint, alternately in UCI and in SAN, and checks the hints against the tables.
/// Returns the plies to mate at the start and the last line of the output.
fn follow_the_hints(ending: &str, side: &str, user: Color) -> (u8, String) {
    let endgames = common::solved(ending);
    let mut game = Gui::start_with(&["practise", ending, "--side", side, "--seed", "5"]);
    let mut position = drawn(&game.until("    a  b  c"), user);
    let Some(Dtm::Win(plies) | Dtm::Loss(plies)) = endgames.probe(&position) else {
        panic!("not won")
    };
    loop {
        // The third hint names the move.
        (0..3).for_each(|_| game.send("hint"));
        let hint = game.until("Best is ").pop().unwrap();
        let (san, value) = hint["Best is ".len()..].split_once(", ").unwrap();
        let m = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        let moves = endgames.moves(&position).unwrap();
        let of_move = moves.iter().find(|(other, _)| *other == m).unwrap().1;
        assert_eq!(of_move, moves[0].1, "{hint}");
        assert!(value.starts_with(&of_move.to_string()), "{hint}");
        let in_san = position.fullmoves().get().is_multiple_of(2);
        let uci = UciMove::from_standard(m).to_string();
        game.send(if in_san { san } else { &uci });
        game.until(&format!("{}", position.fullmoves()));
        position.play_unchecked(m);
        let reply = endgames.line(&position).unwrap();
        if let Some(&reply) = reply.first() {
            position.play_unchecked(reply);
        }
        game.until("    a  b  c");
        if position.is_checkmate() {
            let (code, rest) = game.finish();
            assert_eq!(code, Some(0));
            return (plies, rest.last().unwrap().clone());
        }
    }
}

/// In KPK the pawn promotes, and the table of the queen goes on.
#[test]
fn following_the_hints_mates_in_the_minimum_of_moves_or_defends_as_long_as_possible() {
    for ending in ["KBNK", "KPK"] {
        let (plies, last) = follow_the_hints(ending, "strong", Color::White);
        let least = plies.div_ceil(2);
        let expected =
            format!("Mate in {least} moves, as fast as possible (hints: {least}, taken back: 0).");
        assert_eq!(last, expected);
    }
    let (plies, last) = follow_the_hints("KRK", "weak", Color::Black);
    let (hints, longest) = (plies / 2, plies / 2 + 1);
    let expected =
        format!("Mated in {longest} moves, the longest defence (hints: {hints}, taken back: 0).");
    assert_eq!(last, expected);
}

#[test]
fn the_seed_is_shown_and_repeats_the_game() {
    let text = program::run(&["practise", "KQK"]).success();
    let seed = text.split("Seed ").nth(1).unwrap().split(';').next().unwrap();
    assert_eq!(program::run(&["practise", "KQK", "--seed", seed]).success(), text);
}

/// Ctrl-C leaves as the end of the input does: with the summary.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_summary() {
    let mut game = Gui::start_with(&["practise", ROOK]);
    game.send("Kc7");
    game.until("KRK after 1 move");
    game.until("    a  b  c");
    let status = Command::new("kill").args(["-INT", &game.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(game.until("Left").pop().unwrap(), "Left after 1 move, white to move: mate in 8.");
    assert_eq!(game.finish(), (Some(0), Vec::new()));
}

/// A user who follows the hints, and reads what the program has written so far.
struct Follower<'a>(&'a RefCell<Vec<u8>>);

impl Read for Follower<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = String::from_utf8(self.0.borrow().clone()).unwrap();
        let (_, said) = text.rsplit_once("a  b  c  d  e  f  g  h\n\n").unwrap();
        let word = |text: &str| text.split([' ', ',', '.', '\n']).next().unwrap().to_owned();
        let line = match said.split_once("Possible moves: ") {
            Some((_, moves)) => word(moves),
            // Any move will do: the refusal of a wrong one lists them.
            None if said.contains("Every move holds") => "x".to_owned(),
            // The third hint names the moves that hold.
            None => match said.lines().find(|line| line.contains(" the draw")) {
                Some(line) => {
                    word(line.split("such as ").last().unwrap().trim_start_matches("Only "))
                }
                None => "hint".to_owned(),
            },
        };
        let line = format!("{line}\n");
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// What the program writes to a [`Follower`].
struct Writer<'a>(&'a RefCell<Vec<u8>>);

impl Write for Writer<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn following_the_hints_holds_the_draw() {
    let engine = tropism::default_engine().unwrap();
    for (ending, seed) in [("KPK", 1), ("KPK", 2), ("KPK", 3), ("KRKN", 1), ("KRKB", 1)] {
        let material = ending.parse().unwrap();
        let practice = Practice::new(&engine, material, Side::Weak, seed).unwrap();
        let text = RefCell::new(Vec::new());
        let input = BufReader::new(Follower(&text));
        practice.run(input, &mut Writer(&text), PracticeOptions::default()).unwrap();
        let text = String::from_utf8(text.into_inner()).unwrap();
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("You held the draw for "), "{text}");
        assert!(!text.contains("the draw is gone"), "{text}");
    }
}
