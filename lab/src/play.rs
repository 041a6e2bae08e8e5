//! Games of one engine against another.

use crate::data::white_score;
use shakmaty::{ByColor, Color, KnownOutcome, Move, Position};
use std::{
    fmt,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};
use tropism::{
    eval::Engine,
    random::SplitMix64,
    search::{
        Clock, Control, DEFAULT_MOVE_OVERHEAD, Game, GameOutcome, Level, Limits, Outcome,
        SearchRequest, TranspositionTable, exact_value, search,
    },
};

/// A game this long is a draw, in plies.
pub(super) const MAX_PLIES: usize = 400;

/// The adjudication of games between players of full strength, as the default preset of OpenBench has it.
pub(super) const MATCH_ADJUDICATION: Adjudication = Adjudication {
    lead: 600,
    lead_searches: 6,
    drawn_score: 10,
    drawn_searches: 16,
    drawn_from_ply: 80,
};

/// How one side plays.
#[derive(Copy, Clone)]
pub(super) struct Player<'a> {
    pub(super) engine: &'a Engine,
    pub(super) level: Level,
    pub(super) limit: MoveLimit,
}

/// What a player may use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum MoveLimit {
    /// Nodes for each move.
    Nodes(u64),
    /// Time for the whole game, and more after each move.
    Clock { base: Duration, increment: Duration },
}

impl fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimit::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            MoveLimit::Clock { base, increment } => {
                write!(f, "{}+{} seconds", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl<'a> Player<'a> {
    /// A player of full strength.
    pub(super) fn new(engine: &'a Engine, limit: MoveLimit) -> Player<'a> {
        Player { engine, level: Level::new(Level::FULL), limit }
    }

    /// Searches a position. `left` is the time on the clock, if there is one.
    fn search(
        &self,
        game: &Game,
        table: &TranspositionTable,
        left: Option<Duration>,
        seed: u64,
        control: &Control,
    ) -> Outcome {
        let mut limits = Limits::default();
        match self.limit {
            MoveLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            MoveLimit::Clock { increment, .. } => {
                limits.time = ByColor { white: left, black: left };
                limits.increment = ByColor { white: increment, black: increment };
            }
        }
        let turn = game.position().chess().turn();
        let request = SearchRequest {
            clock: Clock::start(&limits, turn, DEFAULT_MOVE_OVERHEAD),
            ..SearchRequest::new(game, self.engine, table, &limits)
        };
        search(&request.at_level(self.level, seed).with_control(control), |_| ())
    }
}

/// When a game is adjudicated by the scores of its searches. The players move in turn, so both have seen them.
#[derive(Copy, Clone, Debug)]
pub(super) struct Adjudication {
    /// The smallest lead of a won game, in centipawns.
    pub(super) lead: i32,
    /// The number of searches in a row that see it.
    pub(super) lead_searches: i32,
    /// The largest score of a drawn game, in centipawns.
    pub(super) drawn_score: i32,
    /// The number of searches in a row that see it.
    pub(super) drawn_searches: u32,
    /// Plies before a game can be adjudicated as drawn.
    pub(super) drawn_from_ply: usize,
}

/// How the last searches of a game saw it.
#[derive(Default)]
pub(super) struct LastScores {
    /// The number of searches that see White win, or Black if negative.
    won: i32,
    /// The number of searches that see a draw.
    drawn: u32,
}

impl LastScores {
    /// Counts a search after so many plies by its score from White's point of view. Returns the result of the game once
    /// it is decided.
    pub(super) fn decide(
        &mut self,
        rules: &Adjudication,
        ply: usize,
        score: i32,
    ) -> Option<KnownOutcome> {
        self.won = match score {
            _ if score >= rules.lead => self.won.max(0) + 1,
            _ if score <= -rules.lead => self.won.min(0) - 1,
            _ => 0,
        };
        let is_even = score.abs() <= rules.drawn_score && ply >= rules.drawn_from_ply;
        self.drawn = if is_even { self.drawn + 1 } else { 0 };
        if self.won.abs() >= rules.lead_searches {
            return Some(KnownOutcome::from_winner(Some(Color::from_white(self.won > 0))));
        }
        (self.drawn >= rules.drawn_searches).then_some(KnownOutcome::Draw)
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FinishedGame {
    /// The moves, each with its score from White's point of view, in centipawns.
    pub(super) moves: Vec<(Move, i32)>,
    pub(super) result: KnownOutcome,
    pub(super) end: GameEnd,
}

/// Why a game is over.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum GameEnd {
    /// The rules of chess end it.
    Rules(GameOutcome),
    /// Both players agree on the result.
    Scores,
    /// An exact table knows the result.
    Table,
    /// It has lasted too long.
    Length,
    /// This side has used up its time.
    Time(Color),
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEnd::Rules(outcome) => outcome.fmt(f),
            GameEnd::Scores => f.write_str("adjudicated: both engines agree"),
            GameEnd::Table => f.write_str("adjudicated: an exact table has the ending"),
            GameEnd::Length => f.write_str("adjudicated: the game is too long"),
            GameEnd::Time(Color::White) => f.write_str("White loses on time"),
            GameEnd::Time(Color::Black) => f.write_str("Black loses on time"),
        }
    }
}

/// The time that is left on a clock after a move; `None` if it was not enough.
fn after_move(left: Duration, taken: Duration, increment: Duration) -> Option<Duration> {
    left.checked_sub(taken).map(|left| left + increment)
}

/// Plays a game, White first in `players` and `tables`, until the rules end it or it is adjudicated. Without
/// `adjudication` only the rules and the length end it. `None` if the control stops it.
pub(super) fn play(
    mut game: Game,
    players: [Player; 2],
    tables: [&TranspositionTable; 2],
    adjudication: Option<&Adjudication>,
    seed: u64,
    control: &Control,
) -> Option<FinishedGame> {
    let mut random = SplitMix64(seed);
    let mut last = LastScores::default();
    let mut moves = Vec::new();
    let mut clocks = players.map(|player| match player.limit {
        MoveLimit::Nodes(_) => None,
        MoveLimit::Clock { base, increment } => Some((base, increment)),
    });
    let over = |moves, result, end| Some(FinishedGame { moves, result, end });
    for ply in 0..MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            let result = KnownOutcome::from_winner(outcome.winner());
            return over(moves, result, GameEnd::Rules(outcome));
        }
        let turn = game.position().chess().turn();
        if adjudication.is_some()
            && let Some(value) = exact_value(&game)
        {
            let winner = match value.rank().signum() {
                0 => None,
                sign => Some(if sign > 0 { turn } else { !turn }),
            };
            return over(moves, KnownOutcome::from_winner(winner), GameEnd::Table);
        }
        let side = usize::from(turn.is_black());
        let start = Instant::now();
        let left = clocks[side].map(|(left, _)| left);
        let outcome = players[side].search(&game, tables[side], left, random.next(), control);
        let best = outcome.best.filter(|_| !control.stop.load(Relaxed))?;
        if let Some((left, increment)) = &mut clocks[side] {
            match after_move(*left, start.elapsed(), *increment) {
                Some(rest) => *left = rest,
                None => {
                    return over(
                        moves,
                        KnownOutcome::from_winner(Some(!turn)),
                        GameEnd::Time(turn),
                    );
                }
            }
        }
        let score = white_score(&outcome, turn);
        moves.push((best, score));
        game.play(best);
        if let Some(result) = adjudication.and_then(|rules| last.decide(rules, ply, score))
            && game.outcome().is_none()
        {
            return over(moves, result, GameEnd::Scores);
        }
    }
    over(moves, KnownOutcome::Draw, GameEnd::Length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::{BLACK_WINS, WHITE_WINS};

    /// Plays the position of a FEN with 200 nodes a move.
    fn play_fen(fen: &str, adjudication: Option<&Adjudication>) -> FinishedGame {
        let engine = tropism::default_engine().unwrap();
        let player = Player::new(&engine, MoveLimit::Nodes(200));
        let [own, other] = [1, 1].map(|size| TranspositionTable::new(size).unwrap());
        let game = Game::from_fen(fen, None).unwrap();
        play(game, [player; 2], [&own, &other], adjudication, 1, &Control::default()).unwrap()
    }

    #[test]
    fn the_rules_tables_and_scores_end_a_game() {
        let end = |fen, rules| {
            let game = play_fen(fen, rules);
            (game.result, game.end, game.moves.len())
        };
        let rules = Some(&MATCH_ADJUDICATION);
        let mate = GameEnd::Rules(GameOutcome::Checkmate { winner: Color::White });
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 w - - 0 1", None), (WHITE_WINS, mate, 1));
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 w - - 0 1", rules), (WHITE_WINS, GameEnd::Table, 0));
        assert_eq!(end("8/8/8/8/8/5k2/4r3/7K w - - 0 1", rules), (BLACK_WINS, GameEnd::Table, 0));
        assert_eq!(
            end("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", rules),
            (KnownOutcome::Draw, GameEnd::Table, 0)
        );
        let ahead = "4k3/pppp4/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        let (result, by, plies) = end(ahead, rules);
        assert_eq!((result, by), (WHITE_WINS, GameEnd::Scores));
        assert_eq!(plies as i32, MATCH_ADJUDICATION.lead_searches);
    }

    #[test]
    fn a_side_without_time_loses() {
        let engine = tropism::default_engine().unwrap();
        let hour = Duration::from_secs(3600);
        let clock =
            |base| Player::new(&engine, MoveLimit::Clock { base, increment: Duration::ZERO });
        let [own, other] = [1, 1].map(|size| TranspositionTable::new(size).unwrap());
        let mate = Game::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1", None).unwrap();
        let result = |base| {
            let players = [clock(base), clock(hour)];
            let tables = [&own, &other];
            play(mate.clone(), players, tables, None, 1, &Control::default()).unwrap()
        };
        let lost = result(Duration::ZERO);
        assert_eq!((lost.result, lost.end), (BLACK_WINS, GameEnd::Time(Color::White)));
        assert_eq!(lost.end.to_string(), "White loses on time");
        assert_eq!(result(hour).result, WHITE_WINS);
        let seconds = Duration::from_secs;
        assert_eq!(after_move(seconds(3), seconds(2), seconds(1)), Some(seconds(2)));
        assert_eq!(after_move(seconds(3), seconds(3), seconds(1)), Some(seconds(1)));
        assert_eq!(after_move(seconds(3), seconds(4), seconds(2)), None);
    }

    #[test]
    fn a_game_is_decided_when_both_players_see_the_same() {
        let result = |scores: &[i32], from_ply: usize| {
            let mut last = LastScores::default();
            let mut plies = (from_ply..).zip(scores);
            plies.find_map(|(ply, &score)| last.decide(&MATCH_ADJUDICATION, ply, score))
        };
        assert_eq!(result(&[600; 5], 0), None);
        assert_eq!(result(&[600; 6], 0), Some(WHITE_WINS));
        assert_eq!(result(&[-900; 6], 0), Some(BLACK_WINS));
        assert_eq!(result(&[900, 900, 900, 590, 900, 900, 900, 900, 900], 0), None);
        assert_eq!(result(&[900, 900, 900, -900, -900, -900], 0), None);
        assert_eq!(result(&[10; 16], 80), Some(KnownOutcome::Draw));
        assert_eq!(result(&[10; 16], 79), None);
        assert_eq!(result(&[-11; 40], 80), None);
    }
}
