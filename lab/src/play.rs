//! Games of one engine against another.

use crate::data::white_score;
use crate::uci::{Answer, UciEngine};
use anyhow::{Context as _, Result};
use shakmaty::{
    ByColor, Chess, Color, EnPassantMode, KnownOutcome, Move, Position, fen::Fen, uci::UciMove,
};
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tropism::search::{
    Clock, DEFAULT_MOVE_OVERHEAD, Game, GameOutcome, Level, Limits, SearchRequest,
    TranspositionTable, exact_value, search,
};
use tropism::{eval::Engine, random::SplitMix64};

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

/// One side of games, with what it needs to play.
pub(super) struct Player<'a> {
    mind: Mind<'a>,
    limit: MoveLimit,
}

/// Who chooses the moves.
enum Mind<'a> {
    /// An engine of this program.
    Own { engine: &'a Engine, level: Level, table: TranspositionTable },
    /// Another program.
    Other(UciEngine),
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
    /// An engine of this program at a level, with a table of so many MiB.
    pub(super) fn own(
        engine: &'a Engine,
        level: u32,
        limit: MoveLimit,
        mebibytes: usize,
    ) -> Result<Player<'a>> {
        let table = TranspositionTable::new(mebibytes).context("no memory for the search")?;
        Ok(Player { mind: Mind::Own { engine, level: Level::new(level), table }, limit })
    }

    /// Another program.
    pub(super) fn other(engine: UciEngine, limit: MoveLimit) -> Player<'a> {
        Player { mind: Mind::Other(engine), limit }
    }

    /// Forgets the game before. `start` is the next one.
    fn new_game(&mut self, start: &Chess) -> Result<()> {
        match &mut self.mind {
            Mind::Own { table, .. } => table.clear(),
            Mind::Other(engine) => engine.new_game(start.castles().mode().is_chess960())?,
        }
        Ok(())
    }

    /// Chooses a move. Returns it with its score from White's point of view, if it has one. `None` if it is stopped.
    fn choose(&mut self, turn: &Turn) -> Result<Option<(Move, Option<i32>)>> {
        let side = turn.game.position().chess().turn();
        let left = turn.clocks[usize::from(side.is_black())];
        let (engine, level, table) = match &mut self.mind {
            Mind::Other(engine) => {
                return ask(engine, self.limit, turn, left.unwrap_or_default());
            }
            Mind::Own { engine, level, table } => (*engine, *level, table),
        };
        let mut limits = Limits::default();
        match self.limit {
            MoveLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            MoveLimit::Clock { increment, .. } => {
                limits.time = ByColor { white: left, black: left };
                limits.increment = ByColor { white: increment, black: increment };
            }
        }
        let request = SearchRequest {
            clock: Clock::start(&limits, side, DEFAULT_MOVE_OVERHEAD, Duration::ZERO),
            ..SearchRequest::new(turn.game, engine, table, &limits)
        };
        let outcome = search(&request.at_level(level, turn.seed), |_| ());
        let score = white_score(&outcome.value, side);
        Ok(outcome.best.map(|best| (best, Some(score))))
    }
}

/// Asks another program for its move.
fn ask(
    engine: &mut UciEngine,
    limit: MoveLimit,
    turn: &Turn,
    left: Duration,
) -> Result<Option<(Move, Option<i32>)>> {
    let chess = turn.game.position().chess();
    let mode = chess.castles().mode();
    let mut position = format!("position fen {} moves", turn.start);
    for (m, _) in turn.moves {
        let _ = write!(position, " {}", UciMove::from_move(*m, mode));
    }
    let go = match limit {
        MoveLimit::Nodes(nodes) => format!("go nodes {nodes}"),
        MoveLimit::Clock { increment, .. } => {
            let times = turn.clocks.map(|clock| clock.unwrap_or(left));
            let [white, black, each] = [times[0], times[1], increment].map(|it| it.as_millis());
            format!("go wtime {white} btime {black} winc {each} binc {each}")
        }
    };
    let Some(Answer { best, label, .. }) = engine.search(&position, &go, left, turn.stop)? else {
        return Ok(None);
    };
    let legal = best.parse::<UciMove>().ok().and_then(|m| m.to_move(chess).ok());
    let legal = legal.with_context(|| {
        format!("{} played {best:?} after {position:?}, which is no legal move", engine.name)
    })?;
    Ok(Some((legal, label.map(|label| white_score(&label.value, chess.turn())))))
}

/// What a player must know to choose a move.
struct Turn<'t> {
    game: &'t Game,
    /// The FEN of the first position, and the moves since.
    start: &'t str,
    moves: &'t [(Move, i32)],
    /// The time that White and Black have left.
    clocks: [Option<Duration>; 2],
    seed: u64,
    stop: &'t AtomicBool,
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

/// Plays a game, White first in `players`, until the rules end it or it is adjudicated. Without `adjudication` only the
/// rules and the length end it. `None` if it is stopped.
pub(super) fn play(
    mut game: Game,
    mut players: [&mut Player; 2],
    adjudication: Option<&Adjudication>,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<FinishedGame>> {
    let mut random = SplitMix64(seed);
    let mut last = LastScores::default();
    let mut moves = Vec::new();
    let start = Fen::from_position(game.position().chess(), EnPassantMode::Legal).to_string();
    for player in &mut players {
        player.new_game(game.position().chess())?;
    }
    let mut clocks = players.each_ref().map(|player| match player.limit {
        MoveLimit::Nodes(_) => None,
        MoveLimit::Clock { base, increment } => Some((base, increment)),
    });
    let over = |moves, winner, end| {
        Ok(Some(FinishedGame { moves, result: KnownOutcome::from_winner(winner), end }))
    };
    for ply in 0..MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            return over(moves, outcome.winner(), GameEnd::Rules(outcome));
        }
        let turn = game.position().chess().turn();
        if adjudication.is_some()
            && let Some(value) = exact_value(&game)
        {
            let winner = match value.rank().signum() {
                0 => None,
                sign => Some(if sign > 0 { turn } else { !turn }),
            };
            return over(moves, winner, GameEnd::Table);
        }
        let side = usize::from(turn.is_black());
        let now = Instant::now();
        let to_move = Turn {
            game: &game,
            start: &start,
            moves: &moves,
            clocks: clocks.map(|clock| clock.map(|(left, _)| left)),
            seed: random.next(),
            stop,
        };
        let chosen = players[side].choose(&to_move)?;
        let Some((best, score)) = chosen.filter(|_| !stop.load(Relaxed)) else {
            return Ok(None);
        };
        if let Some((left, increment)) = &mut clocks[side] {
            match after_move(*left, now.elapsed(), *increment) {
                Some(rest) => *left = rest,
                None => return over(moves, Some(!turn), GameEnd::Time(turn)),
            }
        }
        moves.push((best, score.unwrap_or(0)));
        game.play(best);
        let decided = match (adjudication, score) {
            (Some(rules), Some(score)) => last.decide(rules, ply, score),
            _ => {
                last = LastScores::default();
                None
            }
        };
        if let Some(result) = decided
            && game.outcome().is_none()
        {
            return over(moves, result.winner(), GameEnd::Scores);
        }
    }
    over(moves, None, GameEnd::Length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::{BLACK_WINS, WHITE_WINS};

    const MATE_IN_ONE: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

    /// Plays the position of a FEN, White and Black with these limits.
    fn played(fen: &str, limits: [MoveLimit; 2], rules: Option<&Adjudication>) -> FinishedGame {
        let engine = tropism::default_engine().unwrap();
        let game = Game::from_fen(fen, None).unwrap();
        let [mut white, mut black] =
            limits.map(|limit| Player::own(&engine, Level::FULL, limit, 1).unwrap());
        let stop = AtomicBool::new(false);
        play(game, [&mut white, &mut black], rules, 1, &stop).unwrap().unwrap()
    }

    #[test]
    fn the_rules_tables_and_scores_end_a_game() {
        let rules = Some(&MATCH_ADJUDICATION);
        let mate = GameEnd::Rules(GameOutcome::Checkmate { winner: Color::White });
        let ahead = "4k3/pppp4/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        for (fen, rules, result, end, plies) in [
            (MATE_IN_ONE, None, WHITE_WINS, mate, 1),
            (MATE_IN_ONE, rules, WHITE_WINS, GameEnd::Table, 0),
            ("8/8/8/8/8/5k2/4r3/7K w - - 0 1", rules, BLACK_WINS, GameEnd::Table, 0),
            ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", rules, KnownOutcome::Draw, GameEnd::Table, 0),
            (ahead, rules, WHITE_WINS, GameEnd::Scores, MATCH_ADJUDICATION.lead_searches as usize),
        ] {
            let game = played(fen, [MoveLimit::Nodes(200); 2], rules);
            assert_eq!((game.result, game.end, game.moves.len()), (result, end, plies), "{fen}");
        }
    }

    #[test]
    fn a_side_without_time_loses() {
        let hour = Duration::from_secs(3600);
        let clock = |base| MoveLimit::Clock { base, increment: Duration::ZERO };
        let result = |base| played(MATE_IN_ONE, [clock(base), clock(hour)], None);
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
        let draw = Some(KnownOutcome::Draw);
        for (scores, from_ply, wanted) in [
            (&[600; 5][..], 0, None),
            (&[600; 6], 0, Some(WHITE_WINS)),
            (&[-900; 6], 0, Some(BLACK_WINS)),
            (&[900, 900, 900, 590, 900, 900, 900, 900, 900], 0, None),
            (&[900, 900, 900, -900, -900, -900], 0, None),
            (&[10; 16], 80, draw),
            (&[10; 16], 79, None),
            (&[-11; 40], 80, None),
        ] {
            let mut last = LastScores::default();
            let mut plies = (from_ply..).zip(scores);
            let decided =
                plies.find_map(|(ply, &score)| last.decide(&MATCH_ADJUDICATION, ply, score));
            assert_eq!(decided, wanted, "{scores:?} from {from_ply}");
        }
    }
}
