//! Win, draw and loss: what a value means for the result of the game.

use super::score::{TABLEBASE_WIN, Value};
use shakmaty::{Board, Role};

/// The chances of the side to move, in thousandths; their sum is 1000.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    /// It wins.
    pub win: u32,
    /// Nobody does.
    pub draw: u32,
    /// It loses.
    pub loss: u32,
}

/// How the chance to win grows with the value: by a logistic curve. Where it stands at one half and
/// how steep it is depend on the material on the board, linearly: each pair is what holds on an
/// empty board, and what full material adds. All in centipawns.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct WdlModel {
    /// The value that wins every second game.
    pub centre: [f64; 2],
    /// How much more value makes the odds e times better.
    pub spread: [f64; 2],
}

/// The model of the built-in engine.
///
/// Fitted to games against itself: the score of each quiet position against the result of its game;
/// the parameters make the results seen most likely. A new evaluation needs a new fit: `tropism
/// datagen --out FILE`, then `tropism calibrate wdl FILE`, and put its last line here.
///
/// This one is from 7,499 games at 1,000 nodes a move (850 drawn), 521,562 positions; the mean loss,
/// the negative logarithm of the chance given to what happened, is 0.674.
pub const WDL_MODEL: WdlModel = WdlModel { centre: [172.0, -141.5], spread: [84.5, 109.0] };

/// All men of a new game, counted 9, 5, 3, 3, 1.
const FULL_MATERIAL: f64 = 78.0;

impl WdlModel {
    /// What a value for the side to move means on this board.
    ///
    /// ```
    /// use tropism::search::{Value, WDL_MODEL};
    /// let board = shakmaty::Board::default();
    /// let even = WDL_MODEL.odds(Value::Centipawns(0), &board);
    /// assert_eq!(even.win, even.loss);
    /// assert_eq!(WDL_MODEL.odds(Value::Mate(-3), &board).loss, 1000);
    /// ```
    pub fn odds(&self, value: Value, board: &Board) -> Odds {
        let value = match value {
            Value::Centipawns(value) => value,
            Value::Mate(moves) if moves > 0 => TABLEBASE_WIN,
            Value::Mate(_) => -TABLEBASE_WIN,
        };
        let material = material(board);
        let thousandths = |value| (1000.0 * self.chance(value, material)).round() as u32;
        let (win, loss) = (thousandths(f64::from(value)), thousandths(f64::from(-value)));
        let win = win.min(1000 - loss);
        Odds { win, draw: 1000 - win - loss, loss }
    }

    /// The chance to win with this value, in centipawns, and this share of the full material.
    pub fn chance(&self, value: f64, material: f64) -> f64 {
        let at = |line: [f64; 2]| line[0] + line[1] * material;
        1.0 / (1.0 + ((at(self.centre) - value) / at(self.spread).max(1.0)).exp())
    }
}

/// The share of the full material that is on the board, from 0 to 1.
pub fn material(board: &Board) -> f64 {
    let count = |role, worth| f64::from(board.by_role(role).count() as u32 * worth);
    let men = count(Role::Pawn, 1)
        + count(Role::Knight, 3)
        + count(Role::Bishop, 3)
        + count(Role::Rook, 5)
        + count(Role::Queen, 9);
    (men / FULL_MATERIAL).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;
    use shakmaty::Position;

    #[test]
    fn more_is_better_and_all_adds_up() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "8/k7/8/8/8/8/7P/K7 w - - 0 1",
        ] {
            let game = Game::from_fen(fen, None).unwrap();
            let board = game.position().chess().board();
            let mut last = 0;
            for value in -3000..=3000 {
                let odds = WDL_MODEL.odds(Value::Centipawns(value), board);
                let other = WDL_MODEL.odds(Value::Centipawns(-value), board);
                assert_eq!(odds.win + odds.draw + odds.loss, 1000);
                assert!(odds.win.abs_diff(other.loss) <= 1);
                assert!(odds.win >= last);
                last = odds.win;
            }
            assert!(last > 990, "{last}");
        }
    }

    #[test]
    fn what_is_decided_is_certain() {
        let board = Board::default();
        let certain = |value, win| {
            let odds = WDL_MODEL.odds(value, &board);
            assert_eq!((odds.win, odds.draw, odds.loss), (win, 0, 1000 - win));
        };
        certain(Value::Mate(5), 1000);
        certain(Value::Mate(0), 0);
        certain(Value::Mate(-1), 0);
        certain(Value::Centipawns(TABLEBASE_WIN), 1000);
        assert!((material(&board) - 1.0).abs() < 1e-9);
    }
}
