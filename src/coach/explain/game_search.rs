//! What a search finds in each position of a game.

use super::format::signed;
use crate::endgame::Endgames;
use crate::eval::Engine;
use crate::notation::PlayedGame;
use crate::search::{Bound, Game, Limits, Search, TranspositionTable, Value, WDL_MODEL, search};
use serde_json::json;
use shakmaty::{Board, Color, Move, Position};

/// A value that a search found, from White's point of view.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WhiteValue {
    /// Positive if good for White.
    Centipawns(i32),
    /// The winner, and in how many moves it mates; 0 if it has mated.
    Mate(Color, u32),
}

impl WhiteValue {
    fn new(value: Value, turn: Color) -> WhiteValue {
        match value {
            Value::Centipawns(value) => WhiteValue::Centipawns(turn.fold_wb(value, -value)),
            Value::Mate(moves) => {
                let winner = if moves > 0 { turn } else { !turn };
                WhiteValue::Mate(winner, moves.unsigned_abs())
            }
        }
    }

    /// White's expected points on this board: 1 for a win, a half for a draw.
    pub fn expected_points(self, board: &Board) -> f64 {
        let value = match self {
            WhiteValue::Centipawns(value) => Value::Centipawns(value),
            WhiteValue::Mate(winner, _) => Value::Mate(winner.fold_wb(1, -1)),
        };
        let odds = WDL_MODEL.odds(value, board);
        f64::from(2 * odds.win + odds.draw) / 2000.0
    }

    /// The value as a number of centipawns of at most this size. A mate is the largest.
    pub fn clamped(self, most: f64) -> f64 {
        match self {
            WhiteValue::Centipawns(value) => f64::from(value).clamp(-most, most),
            WhiteValue::Mate(winner, _) => winner.fold_wb(most, -most),
        }
    }

    /// The value as players write it: `+0.35`, `#3` if White mates in three moves, `#-3` if Black
    /// does.
    pub fn figure(self) -> String {
        match self {
            WhiteValue::Centipawns(value) => signed(value.into()),
            WhiteValue::Mate(_, 0) => "mate".to_owned(),
            WhiteValue::Mate(winner, moves) => format!("#{}{moves}", winner.fold_wb("", "-")),
        }
    }

    /// `pawns`, or `mate` in moves, negative if Black mates, 0 if the game is over.
    pub fn json(self) -> (&'static str, serde_json::Value) {
        match self {
            WhiteValue::Centipawns(value) => ("pawns", json!(f64::from(value) / 100.0)),
            WhiteValue::Mate(winner, moves) => {
                ("mate", json!(i64::from(moves) * winner.fold_wb(1, -1)))
            }
        }
    }
}

/// The result of the search of one position.
#[derive(Clone, Debug)]
pub struct SearchedPosition {
    pub value: WhiteValue,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
}

/// Searches every position of a game, and calls `progress` after each.
pub fn search_positions(
    engine: &Engine,
    played: &PlayedGame,
    limits: &Limits,
    table: &TranspositionTable,
    progress: &mut dyn FnMut(),
) -> Vec<SearchedPosition> {
    table.clear();
    let mut game = Game::new(played.start.clone());
    let mut games = vec![game.clone()];
    for &m in &played.moves {
        game.play(m);
        games.push(game.clone());
    }
    // From the last position to the first: what one search finds is in the table for the search of
    // the position before it. Otherwise the later search often knows more, and a move looks like a
    // mistake because its refutation is found one move late.
    let mut found = Vec::with_capacity(games.len());
    while let Some(game) = games.pop() {
        let is_last = found.is_empty();
        found.push(search_position(engine, &game, is_last, limits, table));
        progress();
    }
    found.reverse();
    found
}

fn search_position(
    engine: &Engine,
    game: &Game,
    is_last: bool,
    limits: &Limits,
    table: &TranspositionTable,
) -> SearchedPosition {
    // Players may go on after a third repetition or fifty quiet moves, if nobody claims the draw.
    if let Some(outcome) = game.outcome().filter(|_| is_last) {
        let value = match outcome.winner() {
            Some(winner) => WhiteValue::Mate(winner, 0),
            None => WhiteValue::Centipawns(0),
        };
        return SearchedPosition { value, line: Vec::new() };
    }
    let mut line: Vec<Move> = Vec::new();
    let endgames = Endgames::of(game.position().chess().board());
    let request = Search::new(game, engine, table, limits).with_endgames(&endgames);
    let outcome = search(&request, |report| {
        if report.bound == Bound::Exact || line.is_empty() {
            line.clone_from(&report.line);
        }
    });
    // The last iteration may have changed the move and then run out of time.
    if line.first() != outcome.best.as_ref() {
        line = outcome.best.into_iter().collect();
    }
    let value = WhiteValue::new(outcome.value, game.position().chess().turn());
    SearchedPosition { value, line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_whites() {
        let figures =
            |value| [Color::White, Color::Black].map(|turn| WhiteValue::new(value, turn).figure());
        assert_eq!(figures(Value::Centipawns(35)), ["+0.35", "-0.35"]);
        assert_eq!(figures(Value::Mate(3)), ["#3", "#-3"]);
        assert_eq!(figures(Value::Mate(-2)), ["#-2", "#2"]);
        assert_eq!(
            WhiteValue::new(Value::Mate(0), Color::Black),
            WhiteValue::Mate(Color::White, 0)
        );
        let board = Board::default();
        assert!((WhiteValue::Centipawns(0).expected_points(&board) - 0.5).abs() < 1e-9);
        assert!((WhiteValue::Mate(Color::White, 0).expected_points(&board) - 1.0).abs() < 1e-9);
        assert!((WhiteValue::Mate(Color::Black, 4).clamped(1000.0) + 1000.0).abs() < 1e-9);
    }
}
