//! Zugzwang, which only a search can find.

use super::found::FoundMotif;
use super::line::Line;
use super::motif::Motif;
use crate::eval::Engine;
use crate::search::{Game, Limits, Search, TranspositionTable, Value, search};
use shakmaty::{Chess, Color, Move, Position};

/// The nodes of each of the two searches.
const NODES: u64 = 10_000;
/// The most moves that a side in zugzwang has: with more, one of them does no harm.
const MOST_MOVES: usize = 15;
/// The most pieces of a position in which zugzwang is looked for.
const MOST_PIECES: usize = 14;
/// How much better a null move must be, as a difference of winning chances from -1 to 1.
const LEAST_LOSS: f64 = 0.2;
/// How fast the winning chances grow with the score, per centipawn.
const SLOPE: f64 = 0.0037;

/// The first move of `side` in a line after which the opponent would rather not move. It compares a search of the
/// position with a search after a null move.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn zugzwang(
    engine: &Engine,
    start: &Chess,
    line: &[Move],
    side: Color,
) -> Result<Option<FoundMotif>, std::collections::TryReserveError> {
    let line = Line::new(start, line, side);
    let table = TranspositionTable::new(1)?;
    let chances = |position: &Chess| {
        let game = Game::new(position.clone());
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        match search(&Search::new(&game, engine, &table, &limits), |_| ()).value {
            Value::Centipawns(value) => (f64::from(value) * SLOPE / 2.0).tanh(),
            Value::Mate(moves) => {
                if moves > 0 {
                    1.0
                } else {
                    -1.0
                }
            }
        }
    };
    let found = line.own().find(|step| {
        let position = &step.after;
        let is_small = position.board().occupied().count() <= MOST_PIECES
            && (1..=MOST_MOVES).contains(&position.legal_moves().len());
        // A null move in check is not possible.
        let null = position.clone().swap_turn().ok().filter(|_| is_small && !position.is_check());
        null.is_some_and(|null| chances(position) < -chances(&null) - LEAST_LOSS)
    });
    Ok(found.map(|step| FoundMotif::new(Motif::Zugzwang, step.ply, side).by(step.mover())))
}
