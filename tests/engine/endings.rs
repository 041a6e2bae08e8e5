//! The basic mates, played with a small search against a defender that captures when it can and otherwise
//! moves toward the centre and the wrong corner.

use crate::common::{chess, think_with};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position, Role, Square};
use tropism::{
    eval::Engine,
    geometry::{centre_manhattan, manhattan},
    search::{Game, Limits, TranspositionTable},
};

/// Captures if it can; otherwise keeps the king central and far from the corners in which bishop and knight
/// mate.
fn defend(position: &Chess) -> Move {
    let bishop_is_light = position.their(Role::Bishop).first().map(Square::is_light);
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    let danger = |square: Square| {
        let wrong = corners
            .into_iter()
            .filter(|corner| bishop_is_light.is_some_and(|light| corner.is_light() != light))
            .map(|corner| manhattan(corner, square))
            .min();
        2 * centre_manhattan(square) + wrong.unwrap_or(0)
    };
    position
        .legal_moves()
        .into_iter()
        .min_by_key(|m| (!m.is_capture(), danger(m.to()), m.to().to_u32()))
        .expect("the game is not over")
}

/// Plays a position to its end and returns the number of moves that the strong side needed to mate.
fn moves_to_mate(engine: &Engine, position: Chess) -> Option<u32> {
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    let table = TranspositionTable::new(8).unwrap();
    let mut game = Game::new(position);
    let strong = strong_side(game.position().chess());
    for half_move in 0..=100_u32 {
        let position = game.position().chess();
        if position.legal_moves().is_empty() {
            return position.is_check().then_some(half_move.div_ceil(2));
        }
        let m = if position.turn() == strong {
            think_with(&game, engine, &limits, &table).0.best?
        } else {
            defend(position)
        };
        game.play(m);
    }
    None
}

fn strong_side(position: &Chess) -> Color {
    if position.board().white().count() > 1 { Color::White } else { Color::Black }
}

/// Plays all positions of `endings.txt`.
#[test]
fn the_basic_mates() {
    let engine = tropism::default_engine().unwrap();
    let mut most = 0;
    let mut positions = Vec::new();
    for line in include_str!("endings.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("within ").and_then(|line| line.strip_suffix(" moves")) {
            Some(number) => most = number.parse().unwrap(),
            None if line.is_empty() => {}
            None => positions.push((line, most)),
        }
    }
    positions.into_par_iter().for_each(|(fen, most)| {
        let moves = moves_to_mate(&engine, chess(fen));
        assert!(moves.is_some_and(|moves| moves <= most), "{fen}: {moves:?} moves");
    });
}
