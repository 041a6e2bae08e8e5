//! Lines that a search finds, and how they end.

use super::value::WhiteValue;
use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};
use tropism::endgame::Endgames;
use tropism::eval::Engine;
use tropism::search::{
    Bound, Game, GameOutcome, Limits, Outcome, SearchRequest, TranspositionTable, search, see_ge,
};
use tropism::text::Balance;

/// The depth of a search that continues a line after a move that the main search has just found, in plies.
const SHORT: u32 = 6;
/// The most plies by which a line is continued to a quiet position.
const MAX_CONTINUATION: usize = 16;

/// The best line of a search from one position.
#[derive(Clone, Debug)]
pub struct SearchedLine {
    pub value: WhiteValue,
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// Empty if the game is over.
    pub moves: Vec<Move>,
}

/// Searches positions with one engine and one table.
#[derive(Copy, Clone)]
pub struct Searcher<'a> {
    pub engine: &'a Engine,
    pub table: &'a TranspositionTable,
}

impl Searcher<'_> {
    /// The best line within limits. Exact tables answer if they have the position.
    pub fn line(&self, game: &Game, limits: &Limits) -> SearchedLine {
        let endgames = Endgames::of(game.position().chess().board());
        let request =
            SearchRequest::new(game, self.engine, self.table, limits).with_endgames(&endgames);
        let (mut moves, mut depth): (Vec<Move>, u32) = (Vec::new(), 0);
        let outcome = search(&request, |report| {
            if report.bound == Bound::Exact || moves.is_empty() {
                moves.clone_from(&report.line);
                depth = report.depth;
            }
        });
        // The last iteration may have changed the move and then run out of time: a short search continues it.
        if moves.first() != outcome.best.as_ref() {
            moves = outcome.best.into_iter().collect();
            let after = played(game, &moves);
            if !moves.is_empty() && after.outcome().is_none() {
                let short = Limits { depth: Some(depth.clamp(1, SHORT)), ..Limits::default() };
                search(&SearchRequest::new(&after, self.engine, self.table, &short), |report| {
                    moves.truncate(1);
                    moves.extend(&report.line);
                });
            }
        }
        let value = WhiteValue::new(outcome.value, game.position().chess().turn());
        SearchedLine { value, depth, moves }
    }

    /// A line that does not end in the middle of an exchange. One that mates stays as it is.
    pub fn with_quiet_end(&self, game: &Game, mut line: SearchedLine) -> SearchedLine {
        if let WhiteValue::Centipawns(_) = line.value {
            self.extend_until_quiet(game, &mut line.moves);
        }
        line
    }

    /// Plays captures and evasions that a search finds at the end of a line, until the side to move is not in
    /// check and wins nothing by a capture.
    fn extend_until_quiet(&self, game: &Game, moves: &mut Vec<Move>) {
        let mut game = played(game, moves);
        let limits = Limits { depth: Some(1), ..Limits::default() };
        for _ in 0..MAX_CONTINUATION {
            let chess = game.position().chess();
            if game.outcome().is_some() || is_quiet(chess) {
                return;
            }
            let request = SearchRequest::new(&game, self.engine, self.table, &limits);
            let Outcome { best: Some(best), .. } = search(&request, |_| ()) else { return };
            // The search knows more than a static exchange evaluation: the capture that seems to win is bad.
            if !chess.is_check() && !best.is_capture() && !best.is_promotion() {
                return;
            }
            moves.push(best);
            game.play(best);
        }
    }
}

/// The game after more moves.
pub fn played(game: &Game, moves: &[Move]) -> Game {
    let mut game = game.clone();
    moves.iter().for_each(|&m| game.play(m));
    game
}

/// The position with the other side to move. None if the side to move is in check.
pub fn passed(chess: &Chess) -> Option<Game> {
    let other = chess.clone().swap_turn().ok();
    other.filter(|_| !chess.is_check()).map(Game::new)
}

/// Whether the side to move is not in check and no capture or promotion wins material.
pub fn is_quiet(chess: &Chess) -> bool {
    let wins = |&m: &Move| (m.is_capture() || m.is_promotion()) && see_ge(chess, m, 1);
    !chess.is_check() && !chess.legal_moves().iter().any(wins)
}

/// What a line comes to, for the side that plays its first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineEnd {
    Mates,
    IsMated,
    /// A draw by the rules, or the same position again: how a side draws, as the object of a sentence about it.
    Draw(&'static str),
    /// The material that it wins early and keeps, or what it has lost at its end.
    Material(Balance),
}

/// Material that is won later is no aim of a line's first move, in plies.
pub const SOON: usize = 7;
const BY_REPETITION: &str = "by repetition";
/// The first gain of a line is its aim if it is at least this share of the largest one.
const MIN_SHARE: f64 = 0.7;

impl LineEnd {
    /// What a line comes to from the position in which it starts.
    pub fn of(game: &Game, moves: &[Move]) -> LineEnd {
        LineEnd::since(game.position().chess().board(), game, moves)
    }

    /// The same with material counted from an earlier board: what a move took that the line answers.
    pub fn since(before: &Board, game: &Game, moves: &[Move]) -> LineEnd {
        let side = game.position().chess().turn();
        let mut end = game.clone();
        let mut keys = game.keys();
        let mut draw = None;
        let mut all_checks = !moves.is_empty();
        for (ply, &m) in moves.iter().enumerate() {
            end.play(m);
            if ply % 2 == 0 {
                all_checks &= end.position().is_check();
            }
            // Inside of a line one repetition is a draw, as in the search.
            let key = end.position().key();
            if keys.contains(&key) {
                draw = Some(if all_checks { "by perpetual check" } else { BY_REPETITION });
                break;
            }
            keys.push(key);
        }
        let draw = match end.outcome() {
            Some(GameOutcome::Checkmate { winner }) if winner == side => return LineEnd::Mates,
            Some(GameOutcome::Checkmate { .. }) => return LineEnd::IsMated,
            Some(GameOutcome::Stalemate) => Some("by stalemate"),
            Some(GameOutcome::InsufficientMaterial) => {
                Some("because neither side can mate any more")
            }
            Some(GameOutcome::FiftyMoves) => Some("by the fifty-move rule"),
            Some(GameOutcome::Repetition) => draw.or(Some(BY_REPETITION)),
            None => draw,
        };
        draw.map_or_else(|| LineEnd::Material(kept(before, game, moves)), LineEnd::Draw)
    }
}

/// The material that the side with the first move has won after a few plies of a line, and keeps to its end, or else
/// what the other side has. Less than that counts if it is lost again. What is promoted counts as a pawn.
fn kept(before: &Board, game: &Game, moves: &[Move]) -> Balance {
    let side = game.position().chess().turn();
    let mut position = game.position().chess().clone();
    let start = Balance::new(before, side);
    let mut promoted: Vec<(Square, Role, Color)> = Vec::new();
    let mut balances = Vec::new();
    for (ply, &m) in moves.iter().enumerate() {
        promoted.retain(|&(square, ..)| square != m.to());
        match (m.promotion(), promoted.iter_mut().find(|it| Some(it.0) == m.from())) {
            (Some(role), _) => promoted.push((m.to(), role, position.turn())),
            (None, Some(moved)) => moved.0 = m.to(),
            (None, None) => {}
        }
        position.play_unchecked(m);
        let is_last = ply + 1 == moves.len();
        // In the middle of an exchange nothing is won yet.
        if is_last || is_quiet(&position) {
            let sign = |color: Color| if color == side { 1 } else { -1 };
            let promotions = promoted.iter().fold(Balance::default(), |sum, &(_, role, color)| {
                sum.with_promotion(role, sign(color))
            });
            balances
                .push((ply, Balance::new(position.board(), side).since(start).since(promotions)));
        }
    }
    let negated: Vec<_> = balances.iter().map(|&(ply, it)| (ply, it.negated())).collect();
    won(&balances).or_else(|| won(&negated).map(Balance::negated)).unwrap_or_default()
}

/// What is won early of balances after some plies, and kept.
fn won(balances: &[(usize, Balance)]) -> Option<Balance> {
    // What is left at the worst moment after a gain.
    let lasting = |&(at, _): &(usize, Balance)| {
        let later = balances.iter().filter(|(ply, _)| *ply >= at).map(|&(_, balance)| balance);
        later.min_by_key(|balance| balance.pawns())
    };
    let soon = balances.iter().filter(|(ply, _)| *ply < SOON).filter_map(lasting);
    let soon: Vec<Balance> = soon.collect();
    let most = soon.iter().map(|balance| balance.pawns()).max().unwrap_or(0);
    let is_most = |won: &Balance| f64::from(won.pawns()) >= MIN_SHARE * f64::from(most);
    soon.into_iter().find(is_most).filter(|won| won.pawns() > 0)
}
