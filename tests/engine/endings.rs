//! The basic mates, played with a small search against a defender that captures when it can and otherwise
//! moves toward the centre and the wrong corner.

use crate::common::{chess, think_with};
use shakmaty::{Chess, Color, Move, Position, Role, Square};
use tropism::{
    eval::Engine,
    geometry::{centre_manhattan, manhattan},
    search::{Game, Limits, TranspositionTable},
};

/// Positions that the side with the pieces wins, by ending.
const KBNK: [&str; 22] = [
    "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
    "8/8/8/4k3/8/8/8/1BN4K w - - 0 1",
    "7k/8/8/8/3K4/8/8/1NB5 w - - 0 1",
    "k7/8/8/8/3K4/8/8/1NB5 w - - 0 1",
    "8/8/8/8/3k4/8/8/2BNK3 w - - 0 1",
    "8/8/8/8/3k4/8/8/2NBK3 b - - 0 1",
    "1N5B/8/8/K7/8/8/7k/8 w - - 0 1",
    "8/1k6/8/8/8/5K2/6B1/7N w - - 0 1",
    "8/8/8/2k5/8/8/5N2/K6B w - - 0 1",
    "7K/8/8/3k4/8/8/1B6/N7 w - - 0 1",
    "8/7B/8/k7/8/2K5/8/N7 b - - 0 1",
    "8/8/1BK5/8/8/4N3/8/6k1 w - - 0 1",
    "1K6/8/8/2b5/5n2/8/8/k7 b - - 0 1",
    "7n/8/8/4b1K1/k7/8/8/8 b - - 0 1",
    "5k2/3b1n2/8/8/7K/8/8/8 w - - 0 1",
    "8/1k4n1/8/8/2b5/K7/8/8 w - - 0 1",
    "2n5/8/2b1k3/8/8/8/8/K7 b - - 0 1",
    "4b2K/8/1k6/8/8/8/6n1/8 b - - 0 1",
    "8/7b/8/k7/2K5/8/8/2n5 w - - 0 1",
    "8/8/8/6K1/3n4/b7/8/7k b - - 0 1",
    "7k/3n4/1b6/8/8/8/8/2K5 b - - 0 1",
    "8/4n3/1K6/8/8/8/5k2/5b2 w - - 0 1",
];
const KRK: [&str; 10] = [
    "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
    "7k/8/8/8/8/8/R7/K7 w - - 0 1",
    "8/8/3k4/8/8/8/1R6/K7 b - - 0 1",
    "8/8/8/8/4k3/8/8/1K1R4 b - - 0 1",
    "k7/8/8/8/8/8/8/4K2R w - - 0 1",
    "8/2k5/8/8/8/8/5K2/6R1 w - - 0 1",
    "8/8/8/8/3k4/8/7R/7K w - - 0 1",
    "8/8/5k2/8/8/8/R7/2K5 b - - 0 1",
];
const KQK: [&str; 10] = [
    "8/8/8/5k2/8/8/8/Q3K3 w - - 0 1",
    "8/8/8/4k3/8/8/8/K6Q w - - 0 1",
    "3k4/8/8/8/8/8/8/4K2Q w - - 0 1",
    "7k/8/8/8/8/8/Q7/K7 w - - 0 1",
    "8/8/3k4/8/8/8/Q7/K7 b - - 0 1",
    "8/8/8/8/4k3/8/8/1K1Q4 b - - 0 1",
    "k7/8/8/8/8/8/8/4K1Q1 w - - 0 1",
    "8/2k5/8/8/8/8/5K2/6Q1 w - - 0 1",
    "8/8/8/8/3k4/8/7Q/7K w - - 0 1",
    "8/8/5k2/8/8/8/Q7/2K5 b - - 0 1",
];
const KBBK: [&str; 10] = [
    "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
    "8/8/8/3k4/8/8/8/BB5K w - - 0 1",
    "k7/8/8/8/8/8/8/3KBB2 w - - 0 1",
    "7k/8/8/8/8/2B5/2B5/K7 b - - 0 1",
    "8/8/3k4/8/8/8/1BB5/K7 b - - 0 1",
    "8/8/8/8/4k3/8/8/1KB2B2 b - - 0 1",
    "1k6/8/8/8/8/8/8/4KBB1 w - - 0 1",
    "8/2k5/8/8/8/8/5K2/5BB1 w - - 0 1",
    "8/8/8/8/3k4/8/6BB/7K w - - 0 1",
    "8/8/5k2/8/8/8/B7/B1K5 b - - 0 1",
];

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
fn moves_to_mate(
    engine: &Engine,
    position: Chess,
    mut defend: impl FnMut(&Chess) -> Move,
) -> Option<u32> {
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

/// Plays all positions, counts those mated within `most` moves and prints the others.
fn mated(fens: &[&str], most: u32) -> usize {
    let engine = tropism::default_engine().unwrap();
    let is_mated = |fen: &&&str| {
        let moves = moves_to_mate(&engine, chess(fen), defend);
        if moves.is_none_or(|moves| moves > most) {
            println!("{fen}: {moves:?} moves");
        }
        moves.is_some_and(|moves| moves <= most)
    };
    fens.iter().filter(is_mated).count()
}

#[test]
fn bishop_and_knight_mate_within_fifty_moves() {
    assert_eq!(mated(&KBNK, 50), KBNK.len());
}

#[test]
fn a_rook_mates_within_25_moves() {
    assert_eq!(mated(&KRK, 25), KRK.len());
}

#[test]
fn a_queen_mates_within_20_moves() {
    assert_eq!(mated(&KQK, 20), KQK.len());
}

#[test]
fn two_bishops_mate_within_35_moves() {
    assert_eq!(mated(&KBBK, 35), KBBK.len());
}
