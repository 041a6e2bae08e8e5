//! Games of one engine against another.

use crate::{
    data::white_score,
    uci::{Answer, UciArguments, UciEngine},
};
use anyhow::{Context as _, Result};
use shakmaty::{
    ByColor, Chess, Color, EnPassantMode, KnownOutcome, Move, Position, fen::Fen, uci::UciMove,
};
use std::{
    fmt::{self, Write as _},
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};
use tropism::{
    eval::Engine,
    random::SplitMix64,
    search::{
        Clock, Control, DEFAULT_MOVE_OVERHEAD, Game, GameOutcome, Level, Limits, SearchRequest,
        TranspositionTable, exact_value, search,
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
    pub(super) mind: Mind<'a>,
    pub(super) limit: MoveLimit,
}

/// Who chooses the moves.
#[derive(Copy, Clone)]
pub(super) enum Mind<'a> {
    /// An engine of this program, at a level.
    Own(&'a Engine, Level),
    /// Another program.
    Other(&'a Program),
}

/// Another program that plays.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) arguments: UciArguments,
}

/// What a player has of its own, from one game to the next.
pub(super) enum Seat {
    Table(TranspositionTable),
    Process(UciEngine),
}

impl Seat {
    /// Forgets the game before. `start` is the next one.
    pub(super) fn clear(&mut self, start: &Chess) -> Result<()> {
        match self {
            Seat::Table(table) => table.clear(),
            Seat::Process(engine) => engine.new_game(start.castles().mode().is_chess960())?,
        }
        Ok(())
    }
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
        Player::at_level(engine, Level::new(Level::FULL), limit)
    }

    /// A player of some strength.
    pub(super) fn at_level(engine: &'a Engine, level: Level, limit: MoveLimit) -> Player<'a> {
        Player { mind: Mind::Own(engine, level), limit }
    }

    /// Whether it plays as well as it can.
    pub(super) fn is_full(&self) -> bool {
        !matches!(self.mind, Mind::Own(_, level) if level != Level::new(Level::FULL))
    }

    /// What it needs to play, with a table of so many MiB.
    pub(super) fn seat(&self, mebibytes: usize) -> Result<Seat> {
        let Mind::Other(program) = self.mind else {
            let table = TranspositionTable::new(mebibytes);
            return Ok(Seat::Table(table.context("no memory for the search")?));
        };
        let mut engine = UciEngine::start(&program.path, &program.arguments)?;
        if !program.arguments.option.iter().any(|(name, _)| name.eq_ignore_ascii_case("Hash")) {
            engine.set_if_known("Hash", &mebibytes.to_string())?;
        }
        Ok(Seat::Process(engine))
    }

    /// Chooses a move. Returns it with its score from White's point of view, if it has one. `None` if the control stops
    /// it.
    fn choose(&self, seat: &mut Seat, turn: &Turn) -> Result<Option<(Move, Option<i32>)>> {
        let side = turn.game.position().chess().turn();
        let left = turn.clocks[usize::from(side.is_black())];
        match (self.mind, seat) {
            (Mind::Own(engine, level), Seat::Table(table)) => {
                let mut limits = Limits::default();
                match self.limit {
                    MoveLimit::Nodes(nodes) => limits.nodes = Some(nodes),
                    MoveLimit::Clock { increment, .. } => {
                        limits.time = ByColor { white: left, black: left };
                        limits.increment = ByColor { white: increment, black: increment };
                    }
                }
                let request = SearchRequest {
                    clock: Clock::start(&limits, side, DEFAULT_MOVE_OVERHEAD),
                    ..SearchRequest::new(turn.game, engine, table, &limits)
                };
                let request = request.at_level(level, turn.seed).with_control(turn.control);
                let outcome = search(&request, |_| ());
                let score = white_score(&outcome.value, side);
                Ok(outcome.best.map(|best| (best, Some(score))))
            }
            (_, Seat::Process(engine)) => self.ask(engine, turn, left.unwrap_or_default()),
            (Mind::Other(_), Seat::Table(_)) => Ok(None),
        }
    }

    /// Asks another program for its move.
    fn ask(
        &self,
        engine: &mut UciEngine,
        turn: &Turn,
        left: Duration,
    ) -> Result<Option<(Move, Option<i32>)>> {
        let chess = turn.game.position().chess();
        let mode = chess.castles().mode();
        let mut position = format!("position fen {} moves", turn.start);
        for (m, _) in turn.moves {
            let _ = write!(position, " {}", UciMove::from_move(*m, mode));
        }
        let go = match self.limit {
            MoveLimit::Nodes(nodes) => format!("go nodes {nodes}"),
            MoveLimit::Clock { increment, .. } => {
                let times = turn.clocks.map(|clock| clock.unwrap_or(left));
                let [white, black, each] = [times[0], times[1], increment].map(|it| it.as_millis());
                format!("go wtime {white} btime {black} winc {each} binc {each}")
            }
        };
        let Some(Answer { best, label, .. }) =
            engine.search(&position, &go, left, &turn.control.stop)?
        else {
            return Ok(None);
        };
        let legal = best.parse::<UciMove>().ok().and_then(|m| m.to_move(chess).ok());
        let legal = legal.with_context(|| {
            format!("{} played {best:?} after {position:?}, which is no legal move", engine.name)
        })?;
        Ok(Some((legal, label.map(|label| white_score(&label.value, chess.turn())))))
    }
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
    control: &'t Control,
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

/// Plays a game, White first in `players` and `seats`, until the rules end it or it is adjudicated. Without
/// `adjudication` only the rules and the length end it. `None` if the control stops it.
pub(super) fn play(
    mut game: Game,
    players: [Player; 2],
    mut seats: [&mut Seat; 2],
    adjudication: Option<&Adjudication>,
    seed: u64,
    control: &Control,
) -> Result<Option<FinishedGame>> {
    let mut random = SplitMix64(seed);
    let mut last = LastScores::default();
    let mut moves = Vec::new();
    let start = Fen::from_position(game.position().chess(), EnPassantMode::Legal).to_string();
    for seat in &mut seats {
        seat.clear(game.position().chess())?;
    }
    let mut clocks = players.map(|player| match player.limit {
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
            control,
        };
        let chosen = players[side].choose(seats[side], &to_move)?;
        let Some((best, score)) = chosen.filter(|_| !control.stop.load(Relaxed)) else {
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

    fn played(game: Game, players: [Player; 2], rules: Option<&Adjudication>) -> FinishedGame {
        let [mut white, mut black] = players.map(|player| player.seat(1).unwrap());
        let seats = [&mut white, &mut black];
        play(game, players, seats, rules, 1, &Control::default()).unwrap().unwrap()
    }

    /// Plays the position of a FEN with 200 nodes a move.
    fn play_fen(fen: &str, adjudication: Option<&Adjudication>) -> FinishedGame {
        let engine = tropism::default_engine().unwrap();
        let player = Player::new(&engine, MoveLimit::Nodes(200));
        let game = Game::from_fen(fen, None).unwrap();
        played(game, [player; 2], adjudication)
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
        let mate = Game::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1", None).unwrap();
        let result = |base| played(mate.clone(), [clock(base), clock(hour)], None);
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
