//! A search that asks the tables of exact endings first.

use super::deepening::search;
use super::limits::Limits;
use super::position::{Game, Position};
use super::request::{Outcome, Report, Search};
use super::score::{DRAW, Value};
use super::transposition_table::Bound;
use crate::endgame::{Dtm, Endgames};
use shakmaty::{Move, Position as _};

/// Halfmoves without a capture after which a game is drawn, mate on the last of them excepted.
const FIFTY_MOVES: u32 = 100;

/// How often a position must have been before for its return to be a draw.
const BEFORE_A_DRAW: usize = 2;

/// Answers from the tables where they know the position, otherwise searches.
///
/// A won position gets the shortest mate and a lost one the longest defence, at once and in one
/// report. Two cases are left to the [`search()`], among the moves that keep what the position is
/// worth:
/// - a drawn position, where the search sets what traps it can; it is reported as the draw it is;
/// - a mate that the fifty-move rule or a third repetition comes before, of which tables know
///   nothing.
pub fn search_exactly(
    request: &Search,
    endgames: &Endgames,
    mut report: impl FnMut(&Report),
) -> Outcome {
    let asked = &request.limits.search_moves;
    let mut moves = endgames.moves(request.game.position().chess()).unwrap_or_default();
    moves.retain(|(m, _)| asked.is_empty() || asked.contains(m));
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
    let outcome = search(&request, |news| {
        report(&Report { value: DRAWN, bound: Bound::Exact, ..news.clone() });
    });
    Outcome { value: DRAWN, ..outcome }
}

/// The value of a mate; none for a draw.
fn mate(value: Dtm) -> Option<Value> {
    match value {
        Dtm::Win(plies) => Some(Value::Mate(i32::from(plies.div_ceil(2)))),
        Dtm::Loss(plies) => Some(Value::Mate(-i32::from(plies / 2))),
        Dtm::Draw => None,
    }
}

/// Perfect play to mate that begins with a move; none if the game is drawn before.
fn line(endgames: &Endgames, game: &Game, first: Move) -> Option<Vec<Move>> {
    let before = game.keys();
    let is_drawn = |position: &Position| {
        let is_late = position.chess().halfmoves() >= FIFTY_MOVES;
        let times = before.iter().filter(|&&key| key == position.key()).count();
        times >= BEFORE_A_DRAW || (is_late && !position.chess().is_checkmate())
    };
    let mut position = game.position().play(first);
    let mut line = vec![first];
    // Any reply may bring a position back, not only the one that lasts longest.
    let replies = position.chess().legal_moves();
    if replies.into_iter().any(|reply| is_drawn(&position.play(reply))) {
        return None;
    }
    let rest = endgames.line(position.chess())?;
    for m in rest {
        if is_drawn(&position) {
            return None;
        }
        position = position.play(m);
        line.push(m);
    }
    (!is_drawn(&position)).then_some(line)
}
