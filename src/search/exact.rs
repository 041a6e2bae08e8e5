//! A search that uses exact endgame tables where they have the position.

use super::iterative_deepening::search;
use super::limits::Limits;
use super::position::{Game, GameOutcome};
use super::request::{Outcome, Report, Search};
use super::score::{DRAW, Value};
use super::transposition_table::Bound;
use crate::endgame::{Dtm, Endgames};
use shakmaty::{Move, Position};

/// Answers from the endgame tables if they have the position, otherwise searches.
///
/// In a won position the answer is the shortest mate, in a lost one the longest defence: at once and in one
/// report. In two cases [`search()`] chooses among the moves that keep the result:
/// - in a drawn position, where it may set traps; the reports give the value of a draw;
/// - if the fifty-move rule or a third repetition comes before the mate, because tables do not know the game.
pub fn search_exactly(
    request: &Search,
    endgames: &Endgames,
    mut report: impl FnMut(&Report),
) -> Outcome {
    let search_moves = &request.limits.search_moves;
    let mut moves = endgames.moves(request.game.position().chess()).unwrap_or_default();
    moves.retain(|(m, _)| search_moves.is_empty() || search_moves.contains(m));
    let Some(&(best, value)) = moves.first() else { return search(request, report) };
    if let Some(mate) = mate(value)
        && let Some(line) = line(endgames, request.game, best)
    {
        let nodes = moves.len() as u64;
        let plies = line.len() as u32;
        let ponder = line.get(1).copied();
        report(&Report {
            number: 1,
            depth: plies,
            selective_depth: plies,
            value: mate,
            bound: Bound::Exact,
            nodes,
            tablebase_hits: 0,
            time: request.clock.elapsed(),
            table_fullness: request.table.fullness(),
            line,
        });
        return Outcome { best: Some(best), ponder, value: mate, nodes };
    }
    let keeps = |other: Dtm| other.rank().signum() == value.rank().signum();
    let search_moves = moves.iter().filter(|(_, value)| keeps(*value)).map(|&(m, _)| m).collect();
    let limits = Limits { search_moves, ..request.limits.clone() };
    let request = Search { limits: &limits, ..*request };
    if value != Dtm::Draw {
        return search(&request, report);
    }
    const DRAWN: Value = Value::Centipawns(DRAW);
    let outcome = search(&request, |drawn| {
        report(&Report { value: DRAWN, bound: Bound::Exact, ..drawn.clone() });
    });
    Outcome { value: DRAWN, ..outcome }
}

/// The value of a mate; `None` for a draw.
fn mate(value: Dtm) -> Option<Value> {
    match value {
        Dtm::Win(plies) => Some(Value::Mate(i32::from(plies.div_ceil(2)))),
        Dtm::Loss(plies) => Some(Value::Mate(-i32::from(plies / 2))),
        Dtm::Draw => None,
    }
}

/// The line of perfect play to mate that begins with this move; `None` if the game is drawn before.
fn line(endgames: &Endgames, game: &Game, first: Move) -> Option<Vec<Move>> {
    let after = |game: &Game, m: Move| {
        let mut next = game.clone();
        next.play(m);
        next
    };
    let is_drawn = |game: &Game| {
        matches!(game.outcome(), Some(GameOutcome::Repetition | GameOutcome::FiftyMoves))
    };
    let mut game = after(game, first);
    let mut line = vec![first];
    // Every reply may repeat a position, not only the one of the longest defence.
    let replies = game.position().chess().legal_moves();
    if replies.into_iter().any(|reply| is_drawn(&after(&game, reply))) {
        return None;
    }
    for m in endgames.line(game.position().chess())? {
        if is_drawn(&game) {
            return None;
        }
        game.play(m);
        line.push(m);
    }
    (!is_drawn(&game)).then_some(line)
}
