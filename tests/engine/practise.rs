//! The command `tropism practise`.

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

/// Exit code, standard output and standard error of a game that gets all input at once.
fn piped(arguments: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let command = program::command(&[&["practise"], arguments].concat());
    let end = program::finish(command, input);
    (end.code, end.output, end.errors)
}

fn played(arguments: &[&str], input: &str) -> String {
    let (code, text, error) = piped(arguments, input.as_bytes());
    assert_eq!((code, error.as_str()), (Some(0), ""), "{text}");
    text
}

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
        game.send("hint");
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

#[test]
fn following_the_hints_mates_in_the_minimum_of_moves() {
    let (plies, last) = follow_the_hints("KBNK", "strong", Color::White);
    let least = plies.div_ceil(2);
    let expected = format!(
        "Mate in {least} moves, 0 above the minimum of {least} (hints: {least}, taken back: 0)."
    );
    assert_eq!(last, expected);
}

/// The pawn promotes, and the table of the queen goes on.
#[test]
fn following_the_hints_promotes_the_pawn_and_mates() {
    let (plies, last) = follow_the_hints("KPK", "strong", Color::White);
    let least = plies.div_ceil(2);
    let expected = format!(
        "Mate in {least} moves, 0 above the minimum of {least} (hints: {least}, taken back: 0)."
    );
    assert_eq!(last, expected);
}

#[test]
fn a_promotion_is_written_in_san_or_uci() {
    let fen = "8/4P3/8/3K4/8/8/1k6/8 w - - 0 1";
    let text = played(&[fen], "e8\ne7e8q\nundo\nE8=q\nundo\ne8=B\n");
    for line in [
        "e8 is ambiguous: e8=Q or e8=R or e8=B or e8=N?",
        "1.e8=Q: there is no better move.",
        "1.e8=B: the win is gone.",
        "Insufficient material, a draw. Best was e8=Q (mate in 6).",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    assert_eq!(text.matches("1.e8=Q: there is no better move.").count(), 2, "{text}");
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

#[test]
fn following_the_hints_defends_as_long_as_possible() {
    let (plies, last) = follow_the_hints("KRK", "weak", Color::Black);
    let (hints, longest) = (plies / 2, plies / 2 + 1);
    let expected = format!(
        "Mated in {longest} moves, 0 short of the longest defence of {longest} (hints: {hints}, taken back: 0)."
    );
    assert_eq!(last, expected);
}

#[test]
fn each_answer_says_what_the_move_costs_and_undo_takes_it_back() {
    let text = played(&[ROOK], "rb1\nUNDO\nb5-e5\nKc7\nhint\nundo\nKC7\n\n");
    for line in [
        "You are White: mate. Your position; `help` lists the commands.",
        "KRK after 0 moves: white to move, mate in 9",
        "1.Rb1: mate takes 5 moves longer than with Kc7 (mate in 9).",
        "KRK after 1 move: white to move, mate in 13",
        "1.Re5+: the win is gone.",
        "1...Kxe5",
        "Insufficient material, a draw. Best was Kc7 (mate in 9).",
        "1.Kc7: there is no better move.",
        "KRK after 1 move: white to move, mate in 8",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    // Told at the end, and again for the move and the hint that came too late.
    let over = "The game is over: `undo` takes your last move back, `quit` leaves.";
    assert_eq!(text.lines().filter(|line| *line == over).count(), 3, "{text}");
    let end = "Left after 1 move, white to move: mate in 8 (hints: 0, taken back: 2).";
    assert_eq!(text.lines().last(), Some(end));
    assert!(!text.contains('\u{1b}'), "colour in a pipe");
}

#[test]
fn a_hint_names_the_changes_that_matter_and_what_a_wrong_move_costs() {
    let text = played(&[ROOK], "hint\nquit\n");
    let (_, hint) = text.split_once("Best is Kc7, mate in 9.\n").unwrap();
    let lines: Vec<&str> = hint.lines().collect();
    // The first reasons, as sentences.
    assert_eq!(
        lines[..3],
        [
            "  White takes d6 and d7 from the black king: f6, e7 and f7 are left.",
            "  The black king is shut into an area of 12 squares (18 before).",
            "  White's king is 1 move closer to the black king (3 to 2).",
        ],
        "{text}"
    );
    assert!(lines.iter().filter(|line| line.starts_with("  ")).count() <= 3, "{text}");
    assert!(lines.iter().all(|line| line.ends_with('.')), "{text}");
    // What a wrong move costs, by the table.
    assert!(hint.contains(" would be slower: mate takes "), "{text}");
    let end = "Left after 0 moves, white to move: mate in 9 (hints: 1, taken back: 0).";
    assert_eq!(text.lines().last(), Some(end));
}

#[test]
fn a_position_of_ones_own_is_practised() {
    let fen = "8/8/8/4k3/8/8/8/1NB4K w - - 0 1";
    let (code, text, _) = piped(&[fen], b"quit\n");
    assert_eq!(code, Some(0));
    assert!(text.starts_with("You are White: mate. Your position; `help` lists"), "{text}");
    assert!(text.contains("KBNK after 0 moves: white to move, mate in "), "{text}");
    // Black wins. The fields of a FEN may be words of their own.
    let black = ["7k/8/8/8/4K3/8/8/1nb5", "b", "-", "-"];
    let (code, text, _) = piped(&black, b"hint\nquit\n");
    assert_eq!(code, Some(0));
    assert!(text.starts_with("You are Black: mate. Your position; `help` lists"), "{text}");
    assert!(text.contains("8   .  .  .  .  .  .  .  k\n"), "{text}");
    assert!(text.contains("KBNK after 0 moves: black to move, mate in "), "{text}");
    // The loser is to move: it begins.
    let text = played(&["8/8/8/4k3/8/8/8/1NB4K b - - 0 1"], "");
    assert!(text.starts_with("You are White: mate. "), "{text}");
    assert!(text.contains("\n1...K") && text.contains(": white to move, mate in "), "{text}");
    let text = played(&["--side", "weak", "8/8/8/4k3/8/8/8/1NB4K b - - 0 1"], "");
    assert!(text.starts_with("You are Black: hold out. "), "{text}");
    assert!(text.contains("KBNK after 0 moves: black to move, mated in "), "{text}");
    for (fen, reason) in [
        (
            "8/8/8/4k3/8/8/8/1N5K w - - 0 1",
            "nothing to practise in this position: draw by insufficient material",
        ),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "in this position: White wins by checkmate"),
        ("", "name an ending such as KBNK, or give a position as FEN"),
        (" ", "name an ending such as KBNK, or give a position as FEN"),
        (
            "8/4p3/8/4k3/8/8/4P3/7K w - - 0 1",
            "of this position: pawns of both sides are not solved",
        ),
        ("8/8/8/4k3/8/8/8/4K2R w K - 0 1", "of this position: castling is possible"),
        ("8/8/3rr3/3k4/8/8/4R3/7K w - - 0 1", "there is no exact table of this position: 5 pieces"),
        ("8/8/8/4k3/8/8/8/8 w - - 0 1", "not a playable position"),
        ("KXK", "KXK"),
    ] {
        let (code, _, error) = piped(&[fen], b"");
        assert_eq!(code, Some(2), "{fen}: {error}");
        assert!(error.contains(reason), "{fen}: {error}");
    }
}

/// Whether the user is Black or White in a drawn position, and who begins.
#[test]
fn a_drawn_position_is_held() {
    for (fen, user, begins) in [
        // A lone pawn cannot lose, so Black has to hold, and White begins.
        ("8/8/8/4k3/8/8/4P3/7K w - - 0 1", "Black", "\n1.K"),
        ("8/8/8/4k3/8/8/4P3/7K b - - 0 1", "Black", "KPK after 0 moves: black to move, draw"),
        // The same with the colours exchanged.
        ("7k/4p3/8/8/4K3/8/8/8 b - - 0 1", "White", "\n1...K"),
        ("7k/4p3/8/8/4K3/8/8/8 w - - 0 1", "White", "KPK after 0 moves: white to move, draw"),
        // White's rook must stop the pawn.
        ("7K/8/8/8/8/1k6/1p6/7R w - - 0 1", "White", "KRKP after 0 moves: white to move, draw"),
    ] {
        let text = played(&[fen], "");
        let task = format!("You are {user}: hold the draw for 20 moves. Your position; ");
        assert!(text.starts_with(&task) && text.contains(begins), "{fen}: {text}");
    }
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
            None if said.is_empty() => "hint".to_owned(),
            // Any move will do: the refusal of a wrong one lists them.
            None if said.starts_with("Every move holds") => "x".to_owned(),
            None => word(said.split("such as ").last().unwrap().trim_start_matches("Only ")),
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

#[test]
fn a_move_that_loses_is_told_at_once_and_taken_back() {
    // The opposition: only the move straight back holds.
    let fen = "8/4k3/8/3KP3/8/8/8/8 b - - 0 1";
    let text = played(&[fen], "hint\nKd8\nhint\nundo\nKd7\n");
    for line in [
        "You are Black: hold the draw for 20 moves. Your position; `help` lists the commands.",
        "Only Kd7 holds the draw.",
        "  Black's king must take the opposition.",
        "1...Kd8: the draw is gone.",
        "White wins now. Kd7 would have held.",
        "1...Kd7: there is no better move.",
    ] {
        assert!(text.lines().any(|other| other.contains(line)), "{line}\n{text}");
    }
    // With the colours exchanged, White holds.
    let fen = "8/8/8/8/3kp3/8/4K3/8 w - - 0 1";
    let text = played(&[fen], "hint\nKd1\nundo\nKd2\n");
    for line in [
        "You are White: hold the draw for 20 moves. Your position; `help` lists the commands.",
        "Only Kd2 holds the draw.",
        "  White's king must take the opposition.",
        "1.Kd1: the draw is gone.",
    ] {
        assert!(text.lines().any(|other| other.contains(line)), "{line}\n{text}");
    }
}

#[test]
fn input_that_is_not_a_move_changes_nothing() {
    let (code, text, _) = piped(&[ROOK], b"undo\nfoo\nKa9\n\xff\xfe\x00\nRb6\ne7e8q\n   \nhelp");
    assert_eq!(code, Some(0));
    assert!(text.contains("You have not moved yet."), "{text}");
    let refused = "is neither a legal move nor a command. Possible moves: ";
    assert_eq!(text.matches(refused).count(), 5, "{text}");
    assert!(text.contains(&format!("Ka9 {refused}Ka5 Kc5 Ka6 Kc6 Ka7 Kb7 Kc7\n")), "{text}");
    assert!(text.contains("hint   the best move"), "{text}");
    assert_eq!(text.lines().last(), Some("Left after 0 moves, white to move: mate in 9."));
}

#[test]
fn an_ambiguous_move_is_refused_with_the_candidates() {
    let text = played(&["8/3R4/k7/3R4/8/8/8/7K w - - 0 1"], "rd6\n");
    assert!(text.contains("rd6 is ambiguous: R5d6+ or R7d6+?"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("Left after 0 moves"), "{text}");
}

#[test]
fn the_seed_is_shown_and_repeats_the_game() {
    let text = played(&["KQK"], "");
    let seed = text.split("Seed ").nth(1).unwrap().split(';').next().unwrap();
    assert_eq!(played(&["KQK", "--seed", seed], ""), text);
    // A queen leaves no draw to hold.
    let text = played(&["KQK", "--side", "weak", "--seed", "3"], "");
    assert!(text.starts_with("You are Black: hold out. Seed 3; "), "{text}");
    assert!(text.contains("\n1.") && text.contains(": black to move, mated in "), "{text}");
}

#[test]
fn endings_that_cannot_be_practised_are_refused() {
    for (ending, why) in [
        ("KBK", "KBK: there is no position to practise; try KRK or KBNK"),
        ("KPKP", "KPKP: pawns of both sides are not solved"),
        ("KQRBK", "KQRBK: 5 pieces are too many"),
        ("rook", "rook: "),
    ] {
        let (code, text, error) = piped(&[ending], b"");
        assert_eq!((code, text.as_str()), (Some(2), ""), "{ending}");
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(piped(&["KRK", "--side", "left"], b"").0, Some(2));
}

#[test]
fn a_hint_warns_of_stalemate_and_reads_well() {
    let text = played(&["k7/2K5/8/1P6/8/8/8/8 w - - 0 1"], "hint\nquit\n");
    assert!(text.contains("b6 would give the win away: stalemate."), "{text}");
}
