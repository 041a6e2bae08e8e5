//! Values from White's point of view, and their words.

use crate::format::signed;
use serde_json::json;
use shakmaty::{Board, Color, Position};
use tropism::search::{Game, Value, WDL_MODEL};
use tropism::text::{counted, side_name};

/// What is said of a side that is ahead and may not win.
pub const DRAWISH: &str = "has the better chances, though a draw is likely";

/// From so many centipawns on a side wins, as against a bare king, and the number says no more.
const KNOWN_WIN: i32 = 1500;

/// A value that a search found, from White's point of view.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WhiteValue {
    /// Positive if good for White.
    Centipawns(i32),
    /// The winner, and in how many moves it mates; 0 if it has mated.
    Mate(Color, u32),
}

impl WhiteValue {
    /// A value for the side to move.
    pub fn new(value: Value, turn: Color) -> WhiteValue {
        match value {
            Value::Centipawns(value) => WhiteValue::Centipawns(turn.fold_wb(value, -value)),
            Value::Mate(moves) => {
                let winner = if moves > 0 { turn } else { !turn };
                WhiteValue::Mate(winner, moves.unsigned_abs())
            }
        }
    }

    /// The same for a side, in centipawns: at most thirty pawns, as a mate is.
    pub fn of(self, side: Color) -> f64 {
        side.fold_wb(1.0, -1.0) * self.clamped(3000.0)
    }

    /// The expected points of the side to move in a game.
    pub fn points(self, game: &Game) -> f64 {
        let chess = game.position().chess();
        let points = self.expected_points(chess.board());
        chess.turn().fold_wb(points, 1.0 - points)
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
    /// does, `White wins` where no number means anything.
    pub fn figure(self) -> String {
        match self {
            WhiteValue::Centipawns(value) if value.abs() >= KNOWN_WIN => {
                format!("{} wins", side_name(Color::from_white(value > 0)))
            }
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

    /// Who is better, how much, and the value: `White is winning (+5.20)`.
    pub fn clause(self, board: &Board) -> String {
        let figure = self.figure();
        let who = match (self, self.words(board)) {
            (WhiteValue::Mate(winner, moves), _) => {
                return format!("{} {}", side_name(winner), mates_in(moves));
            }
            _ if figure.ends_with(" wins") => return figure,
            (_, Some((side, words))) => format!("{} {words}", side_name(side)),
            (_, None) => "The position is about equal".to_owned(),
        };
        format!("{who} ({figure})")
    }

    /// Who is better and how much, after its name for a side: `is clearly better`. `None` if no side is.
    ///
    /// The steps are expected points by the model of wins and draws. With all pieces on the board they are at about
    /// 0.36, 0.75, 1.3 and 2.1 pawns. With few pieces, a side may be half a pawn or more ahead and still draw.
    pub fn words(self, board: &Board) -> Option<(Color, &'static str)> {
        /// In centipawns.
        const AHEAD: f64 = 50.0;
        const STEPS: [(f64, &str); 4] = [
            (0.93, "is winning"),
            (0.82, "is much better"),
            (0.70, "is clearly better"),
            (0.60, "is slightly better"),
        ];
        let points = self.expected_points(board);
        let (side, points) =
            if points >= 0.5 { (Color::White, points) } else { (Color::Black, 1.0 - points) };
        let is_ahead = self.clamped(1000.0).abs() >= AHEAD;
        // Pawn endings are seldom drawn: the next advantage is a queen.
        let has_pieces = (board.occupied() & !board.kings() & !board.pawns()).any();
        let drawish = is_ahead.then_some(if has_pieces { DRAWISH } else { STEPS[3].1 });
        let step = STEPS.into_iter().find(|(least, _)| points >= *least);
        step.map(|(_, words)| words).or(drawish).map(|words| (side, words))
    }
}

/// When a side mates, after its name.
pub fn mates_in(moves: u32) -> String {
    match moves {
        1 => "mates at once".to_owned(),
        moves => format!("mates in {}", counted(moves.into(), "move")),
    }
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
