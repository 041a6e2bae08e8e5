//! What is searched before a word is said.

use super::lines::{SearchedLine, Searcher, is_capture_with_gain, passed, scaled};
use super::value::WhiteValue;
use shakmaty::{Move, Position};
use std::time::Duration;
use tropism::search::{Game, Limits};

/// The shares of the search for the best move: a first look, all other moves, a threat.
const LOOK: f64 = 0.25;
const OTHERS: f64 = 0.125;
const THREAT: f64 = 0.25;
pub const NEW_THREAT: f64 = 0.125;
/// The best move is certain after the first look if all others lose so many expected points, at a depth of at least so
/// many plies.
const FAR_AHEAD: f64 = 0.3;
const SURE_DEPTH: u32 = 8;
/// With fewer expected points, a side has other worries than a threat of its own.
const LOST: f64 = 0.1;
/// From so many expected points on a side wins, is better, or holds.
const WON: f64 = 0.85;
const AHEAD: f64 = 0.6;
const HELD: f64 = 0.4;
/// The simplest threat is named if it is at most so many centipawns worse than the best one.
const NEARLY: f64 = 60.0;

/// How long to think about a position.
#[derive(Clone)]
pub struct Thinking<'a> {
    /// The limits of the search for the best move. All other searches together take about as much.
    pub limits: Limits,
    /// Is told what the search for the best move finds while it runs.
    pub watch: Option<&'a dyn Fn(&SearchedLine)>,
}

impl From<Limits> for Thinking<'_> {
    fn from(limits: Limits) -> Self {
        Thinking { limits, watch: None }
    }
}

impl<'a> Thinking<'a> {
    /// As long as a person gladly waits: about two seconds on an idle machine, less if the first look is enough.
    pub fn two_seconds(watch: &'a dyn Fn(&SearchedLine)) -> Thinking<'a> {
        const MAIN: Duration = Duration::from_millis(750);
        let limits = Limits { move_time: Some(MAIN), ..Limits::default() };
        Thinking { limits, watch: Some(watch) }
    }
}

/// A position with all that its searches found.
pub struct Study<'a> {
    pub searcher: Searcher<'a>,
    pub game: &'a Game,
    pub limits: &'a Limits,
    /// To a quiet position.
    pub best: SearchedLine,
    /// The best other move, if there is one.
    pub rival: Option<SearchedLine>,
    /// What the other side would play if it were to move; none in check.
    pub threat: Option<(Game, SearchedLine)>,
}

impl<'a> Study<'a> {
    /// Searches a game that is not over.
    pub fn new(searcher: Searcher<'a>, game: &'a Game, thinking: &'a Thinking) -> Study<'a> {
        let limits = &thinking.limits;
        let watch = |line: &SearchedLine| thinking.watch.iter().for_each(|watch| watch(line));
        let best = searcher.watched(game, &scaled(limits, LOOK), &watch);
        let mut study = Study { searcher, game, limits, best, rival: None, threat: None };
        study.rival = study.other_than_best();
        if !study.is_sure() {
            study.best = searcher.watched(game, limits, &watch);
            study.rival = study.other_than_best();
        }
        study.best = searcher.defended(game, study.best, 1, limits);
        study.threat = passed(game.position().chess()).map(|passed| {
            let line = study.simplest_threat(&passed);
            let line = searcher.defended(&passed, line, 1, &scaled(limits, THREAT));
            (passed, line)
        });
        study
    }

    pub fn is_lost(&self) -> bool {
        self.best.value.points(self.game) < LOST
    }

    /// How many expected points a line loses.
    pub fn loss(&self, line: &SearchedLine) -> f64 {
        self.best.value.points(self.game) - line.value.points(self.game)
    }

    /// How many expected points the best other move loses.
    fn lead(&self) -> f64 {
        self.rival.as_ref().map_or(0.0, |rival| self.loss(rival))
    }

    /// What the best move does that no other does. A capture of what stands there to be captured needs no praise.
    pub fn only_move(&self) -> Option<&'static str> {
        let is_plain = self.best.moves.first().is_none_or(|m| m.is_capture());
        match (self.best.value.points(self.game), self.lead()) {
            (_, ..FAR_AHEAD) => None,
            _ if is_plain => None,
            (WON.., _) => Some("It is the only move that wins."),
            (AHEAD..WON, _) => Some("It is the only move that keeps the advantage."),
            (HELD..AHEAD, _) => Some("It is the only move that holds."),
            _ => None,
        }
    }

    fn other_than_best(&self) -> Option<SearchedLine> {
        let others = self.others();
        let limits = Limits { search_moves: others.clone(), ..scaled(self.limits, OTHERS) };
        (!others.is_empty()).then(|| self.searcher.line(self.game, &limits))
    }

    /// All legal moves but the best.
    pub fn others(&self) -> Vec<Move> {
        let best = self.best.moves.first();
        let moves = self.game.position().chess().legal_moves().into_iter();
        moves.filter(|m| Some(m) != best).collect()
    }

    fn is_sure(&self) -> bool {
        matches!(self.best.value, WhiteValue::Mate(..))
            || self.rival.is_none()
            || self.best.depth >= SURE_DEPTH && self.lead() >= FAR_AHEAD
    }

    /// The best line of the other side, or one that begins with a capture that is nearly as good: players see it first.
    fn simplest_threat(&self, passed: &Game) -> SearchedLine {
        let chess = passed.position().chess();
        let limits = scaled(self.limits, THREAT);
        let best = self.searcher.line(passed, &limits);
        let captures = chess.legal_moves().into_iter();
        let captures: Vec<Move> = captures.filter(|&m| is_capture_with_gain(chess, m)).collect();
        if captures.is_empty() || best.moves.first().is_some_and(|m| captures.contains(m)) {
            return best;
        }
        let plain = self.searcher.line(passed, &Limits { search_moves: captures, ..limits });
        let own = |line: &SearchedLine| line.value.of(chess.turn());
        if own(&plain) + NEARLY >= own(&best) { plain } else { best }
    }
}
