//! The command `tropism practise`. `commands.txt` has more of its conversations.

use std::cell::RefCell;
use std::io::{self, BufReader, Read, Write};
use tropism_coach::{Practice, PracticeOptions, Side};
#[cfg(unix)]
use {crate::gui::Gui, std::process::Command};

/// Ctrl-C leaves as the end of the input does: with the summary. In this position the rook mates in 9.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_summary() {
    let mut game = Gui::start_with(&["practise", "8/8/1K2k3/1R6/8/8/8/8 w - - 0 1"]);
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
        let mut lines = said.lines();
        let line = match (said.split_once("Best is "), said.split_once("Possible moves: ")) {
            (Some((_, moves)), _) | (_, Some((_, moves))) => word(moves),
            // Any move will do: the refusal of a wrong one lists them.
            _ if said.contains("Every move holds") => "x".to_owned(),
            // The third hint names the moves that hold.
            _ => match lines.find(|line| line.contains(" the draw")) {
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

/// The whole practice of a user who follows the hints.
fn followed(ending: &str, side: Side, seed: u64) -> String {
    let engine = tropism::default_engine().unwrap();
    let practice = Practice::new(&engine, ending.parse().unwrap(), side, seed).unwrap();
    let text = RefCell::new(Vec::new());
    let input = BufReader::new(Follower(&text));
    practice.run(input, &mut Writer(&text), PracticeOptions::default()).unwrap();
    String::from_utf8(text.into_inner()).unwrap()
}

/// In KPK the pawn promotes, and the table of the queen goes on.
#[test]
fn following_the_hints_mates_in_the_minimum_of_moves_or_defends_as_long_as_possible() {
    for (ending, side) in [("KBNK", Side::Strong), ("KPK", Side::Strong), ("KRK", Side::Weak)] {
        let text = followed(ending, side, 5);
        let start = text.lines().find(|line| line.contains(" to move, mate")).unwrap();
        let moves: u32 = start.rsplit(' ').next().unwrap().parse().unwrap();
        let end = match side {
            Side::Strong => format!("Mate in {moves} moves, as fast as possible"),
            Side::Weak => format!("Mated in {} moves, the longest defence", moves + 1),
        };
        let last = text.lines().last().unwrap();
        assert_eq!(last, format!("{end} (hints: {moves}, taken back: 0)."));
    }
}

#[test]
fn following_the_hints_holds_the_draw() {
    for (ending, seed) in [("KPK", 1), ("KPK", 2), ("KPK", 3), ("KRKN", 1), ("KRKB", 1)] {
        let text = followed(ending, Side::Weak, seed);
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("You held the draw for "), "{text}");
        assert!(!text.contains("the draw is gone"), "{text}");
    }
}
