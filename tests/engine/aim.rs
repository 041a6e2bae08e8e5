//! Play against a bare king makes progress, over UCI.

use crate::{
    common::{chess, mirrored, solved},
    gui::Gui,
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};

/// Plays against the longest defence, and with a new program in the middle of the game. Returns the moves to
/// mate.
fn play(start: &Chess) -> usize {
    let engine = tropism::default_engine().unwrap();
    let endgames = solved("KQK");
    let mut gui = Gui::start();
    let mut line = format!("position fen {}", Fen::from_position(start, EnPassantMode::Legal));
    line.push_str(" moves");
    let (mut position, mut highest, mut moves_of_step) = (start.clone(), i32::MIN, 0);
    for moves in 1..=30 {
        if moves == 4 {
            gui = Gui::start();
        }
        gui.send(&line);
        let answer = gui.go("go depth 4");
        let word = answer.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        position.play_unchecked(word.parse::<UciMove>().unwrap().to_move(&position).unwrap());
        if position.is_checkmate() {
            return moves;
        }
        // The longest wait for a higher level here, as the proof shows.
        let level = (-engine.progress(&position)).div_euclid(100);
        moves_of_step = if level > highest { 0 } else { moves_of_step + 1 };
        assert!(moves_of_step < 8, "{line}");
        highest = highest.max(level);
        let reply = endgames.moves(&position).unwrap()[0].0;
        position.play_unchecked(reply);
        line = format!("{line} {word} {}", reply.to_uci(CastlingMode::Standard));
    }
    panic!("no mate: {line}")
}

#[test]
fn each_step_reaches_a_higher_level_until_mate() {
    let start = chess("8/8/8/5k2/8/8/8/Q3K3 w - - 0 1");
    for start in [mirrored(&start), start] {
        assert!(play(&start) <= 15);
    }
}
