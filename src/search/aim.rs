//! The mate of a bare king without going around in circles: levels and plans.
//!
//! A player without memory may undo its own work. A player that reaches higher and higher levels cannot (Barbara
//! Huberman, A program to play chess end games, Stanford 1968):
//!
//! - The *value* of a position with the bare king to move is the sum of the terms for levels in centipawns
//!   ([`Engine::progress`]), seen by the strong side.
//! - The *level* of the position is this value in whole pawns, rounded down. Mate is above all levels. With a
//!   level for each centipawn, a step could gain a single centipawn, and the way to mate would be long.
//! - A position has no level if the bare king can win a piece, or is stalemated, within its next
//!   [`REPLIES_SEEN`] replies.
//! - A *step* is a line that reaches a higher level than the position before it, or mate, against every reply.
//! - The *plan* of a position is the shortest line to the highest level that can be forced within [`MAX_MOVES`] moves.
//!
//! The engine plays by its plans. After a move of a plan and any reply, the next plan reaches as much in fewer moves, or
//! more; and when its level is reached, more can be forced, if a step exists from every position. So plans grow until
//! mate. `prove --progress` shows it for whole endings, and an engine file lists the endings in which the engine plays
//! so.
//!
//! If a plan is not found in time, the search chooses among all moves. That can go on for [`PATIENCE`] moves without a
//! level above the *aim*, the highest that the game has reached since the last capture or pawn move. From then on, the
//! engine plays the shortest line to a higher level than it has reached since then, until the aim is surpassed. There
//! are only so many levels, so this ends in mate too, as long as that line is found in time.

use super::key_hash::KeyMap;
use super::position::{Game, Position};
use crate::endgame::Material;
use crate::eval::{Engine, EvalContext};
use shakmaty::{Chess, Position as _};

/// How many replies of the bare king are tried before a level counts. With two, no lost piece is missed in any
/// ending of a bishop and a knight against a bare king.
pub(crate) const REPLIES_SEEN: usize = 2;

/// The most moves of a step that the engine searches for.
pub(crate) const MAX_MOVES: u8 = 6;

/// After so many moves without a higher level the engine plays the shortest line to one. The longest wait that
/// `prove --progress` shows for the default engine is shorter.
pub(crate) const PATIENCE: usize = 20;

/// The centipawns of one level.
const LEVEL: i32 = 100;

/// The level of a value.
pub(crate) fn level(value: i32) -> i32 {
    value.div_euclid(LEVEL)
}

/// The level of a position with the bare king to move, in whole pawns; `None` if it has no level.
///
/// ```
/// use tropism::search::{Game, level_reached};
/// let engine = tropism::default_engine()?;
/// let level_of = |fen: &str| -> Result<_, Box<dyn std::error::Error>> {
///     Ok(level_reached(&engine, Game::from_fen(fen, None)?.position().chess()))
/// };
/// let centre = level_of("8/8/8/3k4/8/3K4/8/R7 b - - 0 1")?;
/// let edge = level_of("3k4/8/3K4/8/8/8/8/R7 b - - 0 1")?;
/// assert!(centre.is_some() && edge > centre);
/// // The rook is lost.
/// assert_eq!(level_of("8/8/8/8/8/4K3/1k6/R7 b - - 0 1")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_reached(engine: &Engine, position: &Chess) -> Option<i32> {
    let counts = Levels::default().counts(&Position::new(position.clone()));
    counts.then(|| level(strong_side_value(engine, position)))
}

/// The value of a position with the bare king to move, in centipawns from the strong side's point of view.
pub(crate) fn strong_side_value(engine: &Engine, position: &Chess) -> i32 {
    -engine.progress(position)
}

/// The highest level reached so far. A higher aim is greater.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Aim {
    /// The lowest value of a higher level.
    least_above: i32,
}

impl Aim {
    /// No level has been reached. Every level is higher.
    pub(crate) const NONE: Aim = Aim { least_above: i32::MIN + 1 };

    /// The level of a value.
    pub(crate) fn new(value: i32) -> Aim {
        Aim { least_above: (level(value) + 1) * LEVEL }
    }

    /// An aim that this value is the lowest to surpass.
    pub(crate) fn below(least_above: i32) -> Aim {
        Aim { least_above }
    }

    /// The lowest value of a higher level.
    pub(crate) fn least_above(self) -> i32 {
        self.least_above
    }

    /// Whether the level of a value is higher.
    pub(crate) fn is_below(self, value: i32) -> bool {
        value >= self.least_above
    }
}

/// How far a game has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct History {
    /// The highest level since the last capture or pawn move.
    pub(crate) aim: Aim,
    /// The moves since it was reached.
    pub(crate) wait: usize,
    /// The highest level since patience ended, [`PATIENCE`] moves after the aim was reached.
    pub(crate) late_aim: Aim,
}

impl History {
    /// That of a game in which the bare king's opponent is to move.
    pub(crate) fn of_game(game: &Game, engine: &Engine) -> History {
        let strong = game.position().chess().turn();
        let mut levels = Levels::default();
        let mut history = History { aim: Aim::NONE, wait: 0, late_aim: Aim::NONE };
        for it in game.since_irreversible().filter(|it| it.chess().turn() != strong) {
            history.wait += 1;
            if !levels.counts(it) {
                continue;
            }
            let aim = Aim::new(strong_side_value(engine, it.chess()));
            if aim > history.aim {
                history = History { aim, wait: 0, late_aim: Aim::NONE };
            } else if history.wait >= PATIENCE {
                history.late_aim = history.late_aim.max(aim);
            }
        }
        history
    }
}

/// Whether the side to move plays for a level: with pieces that can force mate against a bare king, in an ending
/// for which the weights are made. With other weights, a higher level may be no progress.
pub(super) fn applies(engine: &Engine, chess: &Chess) -> bool {
    if !Material::on(chess.board()).is_ok_and(|ending| engine.aims().contains(&ending)) {
        return false;
    }
    let context = EvalContext::new(chess);
    context.is_bare_king_ending && context.side(!chess.turn()).is_bare()
}

/// Which positions have a level. The answers are kept by position key.
#[derive(Default)]
pub(crate) struct Levels {
    known: KeyMap<(u64, usize), bool>,
}

impl Levels {
    /// Whether a position with the bare king to move has a level.
    pub(crate) fn counts(&mut self, position: &Position) -> bool {
        self.holds(position, REPLIES_SEEN)
    }

    /// Whether the bare king neither wins a piece nor is stalemated now or within this many replies.
    fn holds(&mut self, position: &Position, replies: usize) -> bool {
        let key = (position.key(), replies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let moves = position.chess().legal_moves();
        let mut holds = !moves.is_empty() && !moves.iter().any(|m| m.is_capture());
        if let Some(later) = replies.checked_sub(1) {
            holds = holds && moves.into_iter().all(|m| self.goes_on(&position.play(m), later));
        }
        self.known.insert(key, holds);
        holds
    }

    /// Whether some move mates, or leaves the bare king nothing to win within this many replies.
    fn goes_on(&mut self, position: &Position, replies: usize) -> bool {
        position.chess().legal_moves().into_iter().any(|m| {
            let after = position.play(m);
            is_mate(&after) || self.holds(&after, replies)
        })
    }
}

/// Whether the side to move is mated.
pub(super) fn is_mate(position: &Position) -> bool {
    position.is_check() && position.chess().legal_moves().is_empty()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::terms::registry;
    use shakmaty::uci::UciMove;

    /// The default engine with an aim in all endings of the tests.
    pub(crate) fn engine() -> Engine {
        let text =
            "name = 'x'\nbase = 'tropism'\naims = ['KQK', 'KRK', 'KBBK', 'KBNK', 'KRNK', 'KNNK']";
        Engine::parse(text, "x", &registry()).unwrap()
    }

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::from_fen(fen, None).unwrap();
        for word in moves.split_whitespace() {
            let m = word.parse::<UciMove>().unwrap().to_move(game.position().chess()).unwrap();
            game.play(m);
        }
        game
    }

    /// The highest aim of some positions.
    fn highest(engine: &Engine, fens: &[&str]) -> Aim {
        let value = |fen: &&str| strong_side_value(engine, game(fen, "").position().chess());
        fens.iter().map(|fen| Aim::new(value(fen))).max().unwrap()
    }

    #[test]
    fn a_level_is_a_whole_pawn() {
        for (value, next) in [(0, 100), (99, 100), (100, 200), (-1, 0), (-100, 0), (-101, -100)] {
            let aim = Aim::new(value);
            assert!(aim.is_below(next) && !aim.is_below(next - 1), "{value}");
        }
        assert!(Aim::NONE < Aim::new(-30_000) && Aim::NONE.is_below(-30_000));
        assert!(!Aim::NONE.is_below(i32::MIN));
    }

    #[test]
    fn the_aim_is_the_highest_level_since_the_last_irreversible_move() {
        let engine = crate::default_engine().unwrap();
        let aim = |fen: &str, moves: &str| History::of_game(&game(fen, moves), &engine).aim;
        // A FEN has no history.
        let start = "8/8/4k3/8/8/3K4/8/R7 w - - 40 60";
        assert_eq!(aim(start, ""), Aim::NONE);
        let first = "8/8/4k3/8/8/3K4/R7/8 b - - 41 60";
        assert_eq!(aim(start, "a1a2 e6d6"), highest(&engine, &[first]));
        let second = "8/8/3k4/8/3K4/8/R7/8 b - - 43 61";
        let both = highest(&engine, &[first, second]);
        assert_eq!(aim(start, "a1a2 e6d6 d3d4 d6e6"), both);
        // It never falls.
        assert_eq!(aim(start, "a1a2 e6d6 d3d4 d6e6 d4c3 e6d6 c3b2 d6e6"), both);
        // After a restart the GUI sends a later FEN and the moves since then.
        let later = "8/8/3k4/8/8/3K4/R7/8 w - - 42 61";
        assert_eq!(aim(later, "d3d4 d6e6"), highest(&engine, &[second]));
        // The position of the FEN has been reached too.
        assert_eq!(aim(first, "e6d6"), highest(&engine, &[first]));
        // For Black it is the same.
        let black = "8/r7/3k4/8/8/4K3/8/8 w - - 41 60";
        assert_eq!(aim(black, "e3d3"), highest(&engine, &[black]));
        assert_eq!(highest(&engine, &[black]), highest(&engine, &[first]));
    }

    #[test]
    fn after_a_long_wait_only_later_levels_count() {
        let engine = crate::default_engine().unwrap();
        let highest = "8/8/4k3/8/3K4/8/8/R7 b - - 1 60";
        let later = ["8/8/4k3/8/8/3K4/R7/8 b - - 0 60", "8/4k3/8/8/8/3K4/8/R7 b - - 0 60"];
        // The king steps back, and then the rook goes to and fro.
        let mut moves = vec!["d3d4", "e6e7", "d4d3"];
        moves.extend(["e7e6", "a1a2", "e6e7", "a2a1"].iter().cycle().take(2 * PATIENCE + 1));
        let after = |waits: usize| {
            let line = moves[..2 * waits + 2].join(" ");
            History::of_game(&game("8/8/4k3/8/8/3K4/8/R7 w - - 0 60", &line), &engine)
        };
        let [aim, first, second] =
            [highest, later[0], later[1]].map(|fen| self::highest(&engine, &[fen]));
        assert!(aim >= first && aim >= second);
        for (waits, late_aim) in [
            (0, Aim::NONE),
            (PATIENCE - 1, Aim::NONE),
            (PATIENCE, first),
            (PATIENCE + 1, first.max(second)),
        ] {
            assert_eq!(after(waits), History { aim, wait: waits, late_aim }, "{waits}");
        }
    }

    #[test]
    fn captures_and_pawn_moves_begin_anew() {
        let engine = crate::default_engine().unwrap();
        let aim = |fen: &str, moves: &str| History::of_game(&game(fen, moves), &engine).aim;
        // The rook takes the last piece. The level of the position after it counts.
        let after = "8/8/4k3/8/R7/3K4/8/8 b - - 0 1";
        let taken = aim("8/8/4k3/8/n7/3K4/8/R7 w - - 5 60", "a1a4 e6d6");
        assert_eq!(taken, highest(&engine, &[after]));
        // The bare king takes a bishop: the levels before it belong to another ending.
        let before = "8/8/8/4k3/4B3/4K3/8/3R4 w - - 5 60";
        assert!(aim(before, "d1d2 e5e6") > Aim::NONE);
        assert_eq!(aim(before, "d1d2 e5e6 e4f5 e6f5"), Aim::NONE);
        // A promotion.
        let queen = "3Q4/8/4k3/8/8/3K4/8/8 b - - 0 1";
        assert_eq!(
            aim("8/3P4/4k3/8/8/3K4/8/8 w - - 0 60", "d7d8q e6e5"),
            highest(&engine, &[queen])
        );
    }

    #[test]
    fn an_aim_needs_pieces_that_mate_a_bare_king() {
        let applies_with =
            |engine: &Engine, fen: &str| applies(engine, game(fen, "").position().chess());
        let applies = |fen: &str| applies_with(&engine(), fen);
        // A file lists the endings.
        let default = crate::default_engine().unwrap();
        assert!(applies_with(&default, "8/8/4k3/8/8/3K4/8/Q7 w - - 0 1"));
        assert!(!applies_with(&default, "8/8/4k3/8/8/3K4/8/RN6 w - - 0 1"));
        for fen in [
            "8/8/4k3/8/8/3K4/8/R7 w - - 0 1",
            "8/8/4k3/q7/8/3K4/8/8 b - - 0 1",
            "8/8/4k3/8/8/3K4/8/BN6 w - - 0 1",
            "8/8/4k3/8/8/3K4/8/RN6 w - - 0 1",
        ] {
            assert!(applies(fen), "{fen}");
        }
        for fen in [
            "8/8/4k3/8/8/3K4/8/R7 b - - 0 1",
            "8/8/4k3/8/8/3K4/8/NN6 w - - 0 1",
            "8/8/4k3/8/8/3K4/8/B1B5 w - - 0 1",
            "8/8/4k3/8/8/3K4/P7/R7 w - - 0 1",
            "8/8/4k3/n7/8/3K4/8/R7 w - - 0 1",
            "8/8/4k3/8/8/3K4/8/RNB5 w - - 0 1",
        ] {
            assert!(!applies(fen), "{fen}");
        }
    }
}
