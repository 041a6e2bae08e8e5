//! What exact tables say of the root: the answer, or the ranks of its moves.

use crate::endgame::{self, Dtm, Endgames};
use crate::search::position::{Game, GameOutcome};
use crate::search::request::{Limits, Outcome, Report, SearchRequest};
use crate::search::score::{DRAW, Value};
use crate::search::tablebases::{RankedMove, RankedMoves};
use shakmaty::{Move, Position};

/// The exact value of a game's position for the side to move, from the tables that the whole program shares.
///
/// None if they do not have it, or if the rules of the game may end it before a mate: the fifty-move rule, or a third
/// repetition.
pub fn exact_value(game: &Game) -> Option<Dtm> {
    endgame::probe(game.position().chess()).filter(|&value| holds_in_game(value, game))
}

/// Whether the rules of the game cannot end it before a mate, which tables do not know. A third repetition needs a
/// position that has occurred twice.
pub fn holds_in_game(value: Dtm, game: &Game) -> bool {
    let halfmoves = game.position().chess().halfmoves();
    value == Dtm::Draw || value.is_in_time(halfmoves) && !game.has_repeated()
}

/// Answers a request from exact tables: with the shortest mate or the longest defence, and with as many other lines as
/// are wanted. `None` if the tables do not have the position, or if a search must choose:
///
/// - in a drawn position, where it may set traps;
/// - if the fifty-move rule or a third repetition may come before a mate, because tables do not know the game.
pub fn answer(request: &SearchRequest, report: &mut dyn FnMut(&Report)) -> Option<Outcome> {
    let endgames = request.resources.endgames?;
    let Limits { search_moves, lines, .. } = request.limits;
    let mut moves = endgames.moves(request.game.position().chess())?;
    moves.retain(|(m, _)| search_moves.is_empty() || search_moves.contains(m));
    let value = moves.first()?.1;
    let is_certain = match value {
        Dtm::Draw => false,
        // Of a position that may recur, only the winner need know which moves avoid that: `line` says it.
        Dtm::Win(_) => value.is_in_time(request.game.position().chess().halfmoves()),
        Dtm::Loss(_) => holds_in_game(value, request.game),
    };
    if !is_certain {
        return None;
    }
    let nodes = moves.len() as u64;
    moves.truncate((*lines).max(1));
    let lines: Option<Vec<(Value, Vec<Move>)>> = moves
        .into_iter()
        .map(|(m, value)| match mate(value) {
            Some(mate) => Some((mate, line(endgames, request.game, m, value)?)),
            None => Some((Value::Centipawns(DRAW), vec![m])),
        })
        .collect();
    let lines = lines?;
    for (number, (value, line)) in (1..).zip(&lines) {
        report(&Report {
            number,
            is_last: number == lines.len(),
            nodes,
            tablebase_hits: nodes,
            ..Report::known(request, *value, line.clone())
        });
    }
    let (value, line) = lines.into_iter().next()?;
    Some(Outcome { best: line.first().copied(), ponder: line.get(1).copied(), value, nodes })
}

/// Ranks the moves of a position that exact tables have by their result. The search finds the value of a win or a loss.
/// If only the fifty-move rule is in the way, tables inside the tree show which captures and pawn moves win in time.
pub fn rank(request: &SearchRequest) -> Option<RankedMoves> {
    let moves = request.resources.endgames?.moves(request.game.position().chess())?;
    let is_solved = moves.first()?.1 == Dtm::Draw || request.game.has_repeated();
    let ranked = moves.into_iter().map(|(m, value)| RankedMove {
        m,
        rank: value.rank().signum(),
        value: (value == Dtm::Draw).then_some(DRAW),
    });
    Some(RankedMoves { moves: ranked.collect(), is_solved })
}

/// The value of a mate; `None` for a draw.
fn mate(value: Dtm) -> Option<Value> {
    match value {
        Dtm::Win(plies) => Some(Value::Mate(i32::from(plies.div_ceil(2)))),
        Dtm::Loss(plies) => Some(Value::Mate(-i32::from(plies / 2))),
        Dtm::Draw => None,
    }
}

/// The line of perfect play to mate that begins with this move of the given value; `None` if the game may be drawn
/// before.
fn line(endgames: &Endgames, game: &Game, first: Move, value: Dtm) -> Option<Vec<Move>> {
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
    // Every reply of the loser may repeat a position, not only the one of the longest defence. The winner avoids it.
    let replies = game.position().chess().legal_moves();
    let is_win = matches!(value, Dtm::Win(_));
    if is_win && replies.into_iter().any(|reply| is_drawn(&after(&game, reply))) {
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
