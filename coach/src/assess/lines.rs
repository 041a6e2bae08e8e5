//! Lines that a search finds, and how they end.

use super::value::WhiteValue;
use shakmaty::{Board, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Square};
use tropism::endgame::Endgames;
use tropism::eval::Engine;
use tropism::search::{
    Bound, Game, GameOutcome, Limits, Outcome, Resources, SearchRequest, TranspositionTable,
    search, see_ge,
};
use tropism::text::{Balance, castling_mode};

/// The depth of a search that continues a line after a move that the main search has just found, in plies.
const SHORT: u32 = 6;
/// The search for a reply of a line, as a share of the one for the line.
const DEFENCE: f64 = 0.25;
/// The most plies by which a line is continued to a quiet position.
const MAX_CONTINUATION: usize = 16;

/// The best line of a search from one position.
#[derive(Clone, Debug)]
pub struct SearchedLine {
    /// The value at the end of the line.
    pub value: WhiteValue,
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// Empty if the game is over.
    pub moves: Vec<Move>,
}

/// Searches positions with one engine and one table.
#[derive(Copy, Clone)]
pub struct Searcher<'a> {
    /// What evaluates.
    pub engine: &'a Engine,
    /// What earlier searches have found.
    pub table: &'a TranspositionTable,
    /// With more than one, two searches may find different lines.
    pub threads: usize,
}

impl<'a> Searcher<'a> {
    /// A searcher with one thread.
    pub fn new(engine: &'a Engine, table: &'a TranspositionTable) -> Searcher<'a> {
        Searcher { engine, table, threads: 1 }
    }

    /// The best line within limits. Exact tables answer if they have the position.
    pub(crate) fn line(&self, game: &Game, limits: &Limits) -> SearchedLine {
        self.watched(game, limits, &|_| ())
    }

    /// The same, and tells what each iteration finds.
    pub(super) fn watched(
        &self,
        game: &Game,
        limits: &Limits,
        watch: &dyn Fn(&SearchedLine),
    ) -> SearchedLine {
        let turn = game.position().chess().turn();
        let endgames = Endgames::of(game.position().chess().board());
        let resources =
            Resources { threads: self.threads, endgames: Some(&endgames), ..Resources::default() };
        let request = SearchRequest::new(game, self.engine, self.table, limits);
        let mut found =
            SearchedLine { value: WhiteValue::Centipawns(0), depth: 0, moves: Vec::new() };
        let outcome = search(&request.with_resources(resources), |report| {
            if report.bound == Bound::Exact || found.moves.is_empty() {
                let value = WhiteValue::new(report.value, turn);
                found = SearchedLine { value, depth: report.depth, moves: report.line.clone() };
                watch(&found);
            }
        });
        let SearchedLine { mut moves, depth, .. } = found;
        // The last iteration may have changed the move and then run out of time: a short search continues it.
        if moves.first() != outcome.best.as_ref() {
            moves = outcome.best.into_iter().collect();
            let after = played(game, &moves);
            if !moves.is_empty() && after.outcome().is_none() {
                let short = Limits { depth: Some(depth.clamp(1, SHORT)), ..Limits::default() };
                moves.extend(self.line(&after, &short).moves);
            }
        }
        SearchedLine { value: WhiteValue::new(outcome.value, turn), depth, moves }
    }

    /// A line to a quiet end, with the best replies of the side that moves at `first`, in plies. Near the end of its sight a
    /// search defends badly, above all where much is lost, and what only a bad reply gives away is not won.
    pub(crate) fn defended(
        &self,
        game: &Game,
        mut line: SearchedLine,
        first: usize,
        limits: &Limits,
    ) -> SearchedLine {
        let limits = scaled(limits, DEFENCE);
        let is_mate = matches!(line.value, WhiteValue::Mate(..));
        for ply in (first..SOON).step_by(2) {
            if is_mate || line.moves.len() <= ply {
                break;
            }
            line.moves.truncate(ply);
            let reply = self.line(&played(game, &line.moves), &limits);
            line.moves.extend(reply.moves);
        }
        self.with_quiet_end(game, line)
    }

    /// A line that does not end in the middle of an exchange: with the captures and evasions that a search finds at its
    /// end, until the side to move is not in check and wins nothing by a capture. One that mates stays as it is.
    pub(crate) fn with_quiet_end(&self, game: &Game, mut line: SearchedLine) -> SearchedLine {
        let mut game = played(game, &line.moves);
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let is_mate = matches!(line.value, WhiteValue::Mate(..));
        for _ in 0..MAX_CONTINUATION {
            let chess = game.position().chess();
            if is_mate || game.outcome().is_some() || is_quiet(chess) {
                break;
            }
            let request = SearchRequest::new(&game, self.engine, self.table, &limits);
            let Outcome { best: Some(best), .. } = search(&request, |_| ()) else { break };
            // The search knows more than a static exchange evaluation: the capture that seems to win is bad.
            if !chess.is_check() && !is_forcing(best) {
                break;
            }
            line.moves.push(best);
            game.play(best);
        }
        line
    }
}

/// Limits of a search that is so many times as long, or shorter, but has at least some nodes or plies.
pub fn scaled(limits: &Limits, times: f64) -> Limits {
    const LEAST: u64 = 2_000;
    Limits {
        depth: limits.depth.map(|depth| (f64::from(depth) + times.log2()).max(1.0) as u32),
        nodes: limits.nodes.map(|nodes| ((nodes as f64 * times) as u64).max(LEAST.min(nodes))),
        move_time: limits.move_time.map(|time| time.mul_f64(times)),
        ..Limits::default()
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
    let mut other = chess.to_setup(EnPassantMode::Legal).into_swapped_turn();
    // To pass is a move without a capture.
    other.halfmoves += 1;
    Chess::from_setup(other, castling_mode(chess)).ok().map(Game::new)
}

/// Whether the side to move is not in check and no capture or promotion wins material.
pub fn is_quiet(chess: &Chess) -> bool {
    !chess.is_check() && !chess.legal_moves().iter().any(|&m| is_capture_with_gain(chess, m))
}

/// Whether a move captures or promotes and wins material on its square.
pub fn is_capture_with_gain(chess: &Chess, m: Move) -> bool {
    is_forcing(m) && see_ge(chess, m, 1)
}

fn is_forcing(m: Move) -> bool {
    m.is_capture() || m.is_promotion()
}

/// What a line comes to, for the side that plays its first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineEnd {
    Mate,
    /// A draw by the rules or by perpetual check: how, after `draws`.
    Draw(String),
    /// A position repeats that nobody has to repeat, and nothing is won.
    Level,
    /// The material that it wins early and keeps, or what it has lost at its end.
    Material(Balance),
}

/// Material that is won later is no aim of a line's first move, in plies.
pub const SOON: usize = 7;
/// The first gain of a line is its aim if it is at least this share of the largest one.
const MIN_SHARE: f64 = 0.7;

impl LineEnd {
    /// What a line comes to. Material counts from an earlier board: what a move took that the line answers. The value is
    /// that of the line for the side to move, in pawns.
    pub fn of(before: &Board, game: &Game, mut moves: &[Move], value: f64) -> LineEnd {
        let mut end = game.clone();
        let mut keys = vec![game.position().key()];
        let mut all_checks = !moves.is_empty();
        for (ply, &m) in moves.iter().enumerate() {
            end.play(m);
            if ply % 2 == 0 {
                all_checks &= end.position().is_check();
            }
            // Where a position repeats, the line ends. Only checks force that.
            let key = end.position().key();
            if keys.contains(&key) && end.outcome().is_none() {
                match value == 0.0 {
                    true if all_checks => return LineEnd::Draw("by perpetual check".to_owned()),
                    true => return LineEnd::Level,
                    false => moves = &moves[..=ply],
                }
                break;
            }
            keys.push(key);
        }
        match end.outcome() {
            Some(GameOutcome::Checkmate { .. }) => LineEnd::Mate,
            Some(how) => LineEnd::Draw(how.to_string().replace("draw ", "")),
            None => LineEnd::Material(kept(before, game, moves, value)),
        }
    }
}

/// The material that the side with the first move has won after a few plies of a line, and keeps to its end, or else
/// what the other side has. Less than that counts if it is lost again.
fn kept(before: &Board, game: &Game, moves: &[Move], value: f64) -> Balance {
    let side = game.position().chess().turn();
    let mut position = game.position().chess().clone();
    let start = Balance::new(before, side);
    let mut balances = Vec::new();
    // Checks and captures of a long combination are one deed, and so is the way of a pawn.
    let mut forced = 0;
    for (ply, &m) in moves.iter().enumerate() {
        position.play_unchecked(m);
        let goes_on = || Some(moves[ply - 2].to()) == m.from();
        let is_pawns_way = m.role() == Role::Pawn && (ply < 2 || goes_on());
        let is_forced = ply % 2 == 1 || is_forcing(m) || is_pawns_way || position.is_check();
        forced += usize::from(forced == ply && is_forced);
        // In the middle of an exchange nothing is won yet.
        if ply + 1 == moves.len() || is_quiet(&position) {
            balances.push((ply, Balance::new(position.board(), side).since(start)));
        }
    }
    let soon = SOON.max(forced + 1);
    let negated: Vec<_> = balances.iter().map(|&(ply, it)| (ply, it.negated())).collect();
    let value = value - f64::from(start.pawns());
    let won_by_other = || won(&negated, soon, -value).map(Balance::negated);
    won(&balances, soon, value).or_else(won_by_other).unwrap_or_default()
}

/// What is won before a ply of balances after some plies, and kept.
fn won(balances: &[(usize, Balance)], soon: usize, value: f64) -> Option<Balance> {
    // What is left at the worst moment after a gain. Who is worth more may give it back for something better.
    let lasting = |&(at, won): &(usize, Balance)| {
        let later = balances.iter().filter(|(ply, _)| *ply >= at).map(|&(_, balance)| balance);
        let is_lost = |balance: &Balance| f64::from(won.pawns()) > value || *balance == won;
        later.filter(is_lost).min_by_key(|balance| balance.pawns())
    };
    let soon = balances.iter().filter(|(ply, _)| *ply < soon).filter_map(lasting);
    let soon: Vec<Balance> = soon.collect();
    let most = soon.iter().map(|balance| balance.pawns()).max().unwrap_or(0);
    let is_most = |won: &Balance| f64::from(won.pawns()) >= MIN_SHARE * f64::from(most);
    soon.into_iter().find(is_most).filter(|won| won.pawns() > 0)
}

/// What the pawns of a side have become that promote in a line and are not captured in it.
pub fn promoted(game: &Game, moves: &[Move], side: Color) -> Vec<Role> {
    let mut turn = game.position().chess().turn();
    let mut promoted: Vec<(Square, Role)> = Vec::new();
    for &m in moves {
        match turn == side {
            true => {
                let known = promoted.iter_mut().find(|it| Some(it.0) == m.from());
                known.into_iter().for_each(|known| known.0 = m.to());
                promoted.extend(m.promotion().map(|role| (m.to(), role)));
            }
            false => promoted.retain(|&(square, _)| square != m.to()),
        }
        turn = !turn;
    }
    promoted.into_iter().map(|it| it.1).collect()
}
