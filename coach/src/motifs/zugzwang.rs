//! Zugzwang, which only a search can find.

use super::found::FoundMotif;
use super::line::Line;
use super::motif::Motif;
use shakmaty::{Chess, Color, Move, Position};
use tropism::eval::{ENDGAME_PHASE, Engine, EvalContext};
use tropism::search::{Game, Limits, SearchRequest, TranspositionTable, Value, search};

/// The nodes of each of the two searches.
const NODES: u64 = 10_000;
/// How much better a null move must be, as a difference of winning chances from -1 to 1.
const MIN_LOSS: f64 = 0.2;
/// How fast the winning chances grow with the score, per centipawn, at an equal position.
const SLOPE: f64 = 0.00185;

/// The first move of `side` in a line after which the opponent would rather not move. It compares a search of the
/// position with a search after a null move. Without memory for a small transposition table there is none.
pub fn zugzwang(engine: &Engine, start: &Chess, line: &[Move], side: Color) -> Option<FoundMotif> {
    let line = Line::new(start, line, side);
    let table = TranspositionTable::new(1).ok()?;
    let chances = |position: &Chess| {
        let game = Game::new(position.clone());
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        match search(&SearchRequest::new(&game, engine, &table, &limits), |_| ()).value {
            Value::Centipawns(value) => (f64::from(value) * SLOPE).tanh(),
            Value::Mate(moves) => f64::from(moves.signum()),
        }
    };
    let found = line.own().find(|step| {
        let position = &step.after;
        // With more pieces, some move does no harm. A null move in check is not possible.
        let is_endgame = EvalContext::new(position).phase <= ENDGAME_PHASE;
        let null = position.clone().swap_turn().ok().filter(|_| is_endgame && !position.is_check());
        null.is_some_and(|null| chances(position) < -chances(&null) - MIN_LOSS)
    });
    found.map(|step| step.found(Motif::Zugzwang))
}
