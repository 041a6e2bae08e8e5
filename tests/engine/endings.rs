//! The basic mates, played with a small search against a defender that captures when it can and otherwise
//! moves toward the centre and the wrong corner.

use crate::common::{chess, shipped, solved, think_with};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position, Role, Square};
use std::env;
use tropism::geometry::{centre_manhattan, manhattan};
use tropism::search::{Game, Limits, TranspositionTable};
use tropism::{endgame::Dtm, eval::Engine, random::SplitMix64};

/// Captures if it can; otherwise keeps the king central and far from the corners in which bishop and knight
/// mate.
fn defend(position: &Chess) -> Option<Move> {
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
}

/// Plays a position to its end and returns the number of moves that the strong side needed to mate.
fn moves_to_mate(
    engine: &Engine,
    position: Chess,
    defend: impl Fn(&Chess) -> Option<Move>,
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
            defend(position)?
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
        let moves = moves_to_mate(&engine, chess(fen), defend);
        assert!(moves.is_some_and(|moves| moves <= most), "{fen}: {moves:?} moves");
    });
}

/// Mates from random won positions against perfect defence, without exact tables. `TROPISM_MATES` names the ending, and
/// `TROPISM_ENGINE` an engine of the folder `engines` other than the default:
/// `cargo test --release --test engine -- --ignored --nocapture mates_against`.
#[test]
#[ignore = "measures"]
fn mates_against_perfect_defence() {
    const POSITIONS: usize = 300;
    let ending = env::var("TROPISM_MATES").expect("TROPISM_MATES names an ending such as KBNK");
    let engine = shipped(env::var("TROPISM_ENGINE").as_deref().unwrap_or("tropism"));
    let endgames = solved(&ending);
    let table = endgames.table(&ending.parse().unwrap()).unwrap();
    let won = table.positions(Color::White).filter_map(|(squares, value, _)| match value {
        Dtm::Win(plies) => Some((squares, plies)),
        Dtm::Draw | Dtm::Loss(_) => None,
    });
    let (won, mut random): (Vec<_>, _) = (won.collect(), SplitMix64(1));
    let starts: Vec<_> = (0..POSITIONS).map(|_| &won[random.below(won.len())]).collect();
    let perfect = |position: &Chess| {
        // A reply that draws comes first.
        let (reply, value) = *endgames.moves(position)?.first()?;
        matches!(value, Dtm::Loss(_)).then_some(reply)
    };
    let above = starts.into_par_iter().filter_map(|(squares, plies)| {
        let position = table.position(Color::White, squares)?;
        Some(moves_to_mate(&engine, position, perfect)? - u32::from(plies.div_ceil(2)))
    });
    let above: Vec<u32> = above.collect();
    let mean = f64::from(above.iter().sum::<u32>()) / above.len() as f64;
    println!(
        "{ending}: {} of {POSITIONS} mated within fifty moves, {mean:.2} moves above the minimum on average",
        above.len()
    );
}
