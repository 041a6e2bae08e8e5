//! The basic mates, played with a small search against a defender that captures when it can and otherwise
//! moves toward the centre and the wrong corner.

use crate::common::{chess, shipped, solved, think_with};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, Setup, Square};
use std::{env, path::Path};
use tropism::{
    endgame::Dtm,
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
const KRK: [&str; 20] = [
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
    "8/8/8/4K3/8/8/8/r3k3 b - - 0 1",
    "8/8/8/3K4/8/8/8/k6r b - - 0 1",
    "4K3/8/8/8/8/8/8/4k2r b - - 0 1",
    "7K/8/8/8/8/8/r7/k7 b - - 0 1",
    "8/8/3K4/8/8/8/1r6/k7 w - - 0 1",
    "8/8/8/8/4K3/8/8/1k1r4 w - - 0 1",
    "K7/8/8/8/8/8/8/4k2r b - - 0 1",
    "8/2K5/8/8/8/8/5k2/6r1 b - - 0 1",
    "8/8/8/8/3K4/8/7r/7k b - - 0 1",
    "8/8/5K2/8/8/8/r7/2k5 w - - 0 1",
];
const KQK: [&str; 20] = [
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
    "8/8/8/5K2/8/8/8/q3k3 b - - 0 1",
    "8/8/8/4K3/8/8/8/k6q b - - 0 1",
    "3K4/8/8/8/8/8/8/4k2q b - - 0 1",
    "7K/8/8/8/8/8/q7/k7 b - - 0 1",
    "8/8/3K4/8/8/8/1q6/k7 w - - 0 1",
    "8/8/8/8/4K3/8/8/1k1q4 w - - 0 1",
    "K7/8/8/8/8/8/8/4k1q1 b - - 0 1",
    "8/2K5/8/8/8/8/5k2/6q1 b - - 0 1",
    "8/8/8/8/3K4/8/7q/7k b - - 0 1",
    "8/8/5K2/8/8/8/q7/2k5 w - - 0 1",
];
const KBBK: [&str; 20] = [
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
    "8/8/8/4K3/8/8/8/kbb5 b - - 0 1",
    "8/8/8/3K4/8/8/8/bb5k b - - 0 1",
    "K7/8/8/8/8/8/8/3kbb2 b - - 0 1",
    "7K/8/8/8/8/2b5/2b5/k7 w - - 0 1",
    "8/8/3K4/8/8/8/1bb5/k7 w - - 0 1",
    "8/8/8/8/4K3/8/8/1kb2b2 w - - 0 1",
    "1K6/8/8/8/8/8/8/4kbb1 b - - 0 1",
    "8/2K5/8/8/8/8/5k2/5bb1 b - - 0 1",
    "8/8/8/8/3K4/8/6bb/7k b - - 0 1",
    "8/8/5K2/8/8/8/b7/b1k5 w - - 0 1",
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

/// Random positions with bishop and knight against a bare king that the side with the pieces wins, with the
/// moves to mate. Colours and sides to move are mixed.
fn random_wins(number: usize) -> Vec<(Chess, u32)> {
    let endgames = solved("KBNK");
    let mut seed = 1_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut wins = Vec::new();
    while wins.len() < number {
        let strong = if random(2) == 0 { Color::White } else { Color::Black };
        let mut setup = Setup::empty();
        setup.turn = if random(2) == 0 { Color::White } else { Color::Black };
        let pieces = [strong.king(), strong.bishop(), strong.knight(), (!strong).king()];
        for piece in pieces {
            setup.board.set_piece_at(Square::new(random(64) as u32), piece);
        }
        let Ok(position) = setup.position::<Chess>(CastlingMode::Standard) else { continue };
        if position.board().occupied().count() == 4
            && let Some(Dtm::Win(plies) | Dtm::Loss(plies)) = endgames.probe(&position)
            && !position.legal_moves().is_empty()
        {
            wins.push((position, u32::from(plies).div_ceil(2)));
        }
    }
    wins
}

/// How often engines mate with bishop and knight against perfect defence, at 10,000 nodes a move:
/// `cargo test --release --test engine -- --ignored endings --nocapture`. `TROPISM_ENGINE` names another
/// engine file.
#[test]
#[ignore = "plays 200 endings and prints how they end"]
fn bishop_and_knight_against_perfect_defence() {
    let endgames = solved("KBNK");
    let perfect = |position: &Chess| endgames.moves(position).expect("a table")[0].0;
    let engines = match env::var("TROPISM_ENGINE") {
        Ok(file) => vec![Engine::load(Path::new(&file), &tropism::terms::registry()).unwrap()],
        Err(_) => vec![shipped("tropism"), shipped("minimal")],
    };
    for engine in engines {
        let mut above = Vec::new();
        for (position, shortest) in random_wins(100) {
            let moves = moves_to_mate(&engine, position, perfect);
            above.extend(moves.filter(|&moves| moves <= 50).map(|moves| moves - shortest));
        }
        let mean = f64::from(above.iter().sum::<u32>()) / above.len().max(1) as f64;
        println!(
            "{}: {} of 100 mated, {mean:.1} moves above the minimum",
            engine.name(),
            above.len()
        );
    }
}
