//! Win, draw and loss: the chances that a value means.

use crate::eval::EvalContext;
use crate::search::position::{Game, GameOutcome};
use crate::search::score::{TABLEBASE_WIN, Value};
use shakmaty::{Board, Position, Role};

/// The chances of the side to move, in thousandths; their sum is 1000.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    /// The chance that it wins.
    pub win: u32,
    /// The chance of a draw.
    pub draw: u32,
    /// The chance that it loses.
    pub loss: u32,
}

/// The chance to win as a logistic function of the value. Its centre and its spread depend linearly on the
/// material: each pair is the number of centipawns on an empty board, and what full material adds to it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct WdlModel {
    /// The value that wins half of the games.
    pub centre: [f64; 2],
    /// The additional value that multiplies the odds by e.
    pub spread: [f64; 2],
}

/// The model of the built-in engine.
///
/// Maximum likelihood fit to games against itself: the score of each quiet position and the result of its game.
/// A new evaluation needs a new fit: run `tropism-lab datagen --out FILE` and then `tropism-lab calibrate wdl
/// FILE`, and put its last line here.
///
/// This one is from 600 games at 5,000 nodes a move (218 drawn), 56,735 positions. Its mean loss, the negative
/// logarithm of the chance of the actual result, is 0.592; that of a fit to games at 1,000 nodes, of which 11 %
/// were drawn, is 0.776 here. Longer searches draw more games still.
pub const WDL_MODEL: WdlModel = WdlModel { centre: [253.5, -202.0], spread: [62.5, 17.0] };

/// The material of the start position: 9 for a queen, 5 for a rook, 3 for a bishop or knight, 1 for a pawn.
const FULL_MATERIAL: f64 = 78.0;

impl Odds {
    /// A certain draw.
    const DRAW: Odds = Odds { win: 0, draw: 1000, loss: 0 };
}

impl WdlModel {
    /// The odds of a value for the side to move in a game: a draw if the rules have ended it without a
    /// winner or if neither side has the material to force mate.
    ///
    /// ```
    /// use tropism::search::{Game, Value, WDL_MODEL};
    /// let game = Game::from_fen("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", None)?;
    /// assert_eq!(WDL_MODEL.odds_in_game(Value::Centipawns(0), &game).draw, 1000);
    /// # Ok::<(), tropism::search::FenError>(())
    /// ```
    pub fn odds_in_game(&self, value: Value, game: &Game) -> Odds {
        let chess = game.position().chess();
        let is_drawn = match (game.outcome(), value) {
            (Some(GameOutcome::Checkmate { .. }), _) => false,
            (Some(_), _) => true,
            // The search has found a mate, though the material cannot force it in general.
            (None, Value::Mate(_)) => false,
            (None, Value::Centipawns(_)) => EvalContext::new(chess).is_dead_draw(),
        };
        if is_drawn { Odds::DRAW } else { self.odds(value, chess.board()) }
    }

    /// The odds of a value for the side to move on this board.
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

/// The share of the start position's material that is on the board, from 0 to 1.
pub fn material(board: &Board) -> f64 {
    let count = |role, worth| f64::from(board.by_role(role).count() as u32 * worth);
    let pieces = count(Role::Pawn, 1)
        + count(Role::Knight, 3)
        + count(Role::Bishop, 3)
        + count(Role::Rook, 5)
        + count(Role::Queen, 9);
    (pieces / FULL_MATERIAL).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_with_the_value_and_add_up() {
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
    fn drawn_games_are_certain_draws() {
        for fen in [
            // Stalemate, material, fifty moves; two knights cannot force mate.
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/8/6K1/8/8/8/8/B7 b - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 b - - 100 90",
            "7k/8/6K1/8/8/8/8/NN6 b - - 0 1",
        ] {
            let game = Game::from_fen(fen, None).unwrap();
            assert_eq!(WDL_MODEL.odds_in_game(Value::Centipawns(700), &game), Odds::DRAW, "{fen}");
        }
        let game = Game::from_fen("7k/8/6K1/8/8/8/8/R7 b - - 0 1", None).unwrap();
        assert_eq!(WDL_MODEL.odds_in_game(Value::Mate(-1), &game).loss, 1000);
        assert_ne!(WDL_MODEL.odds_in_game(Value::Centipawns(0), &game), Odds::DRAW);
        let mated = Game::from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", None).unwrap();
        assert_eq!(WDL_MODEL.odds_in_game(Value::Mate(0), &mated).loss, 1000);
    }

    #[test]
    fn mates_and_tablebase_wins_are_certain() {
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
