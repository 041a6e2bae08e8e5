//! Sacrifices: what a best move leaves to be captured.

use super::idea::{Idea, relative};
use super::lines::{SearchedLine, Searcher, played, scaled};
use crate::exercise::after;
use crate::motifs::worth;
use shakmaty::{Chess, Move, Position, Role};
use tropism::search::{Game, Limits, see_ge};
use tropism::text::{Balance, noun};

/// The two searches of an acceptance: how many times as long as the one for the best move.
const ACCEPTED: [f64; 2] = [0.125, 1.0];
/// The least that is offered and the most that an exchange is, in centipawns.
const LEAST: i32 = 150;
const EXCHANGE: i32 = 250;
/// By how many pawns the value may be below the material that there is.
const TOLERANCE: f64 = 1.0;

/// What the best move offers, and what happens to who takes it. `None` if it offers nothing.
pub fn offer(
    searcher: &Searcher,
    game: &Game,
    best: &SearchedLine,
    limits: &Limits,
) -> Option<String> {
    let (m, chess) = (*best.moves.first()?, game.position().chess());
    let side = chess.turn();
    let ahead = Balance::new(chess.board(), side).pawns();
    // A piece that is lost anyway is not offered.
    if 0.01 * best.value.of(side) < f64::from(ahead) - TOLERANCE {
        return None;
    }
    let (take, gain) = offered(chess, m)?;
    let after = played(game, &[m]);
    let mut takes = after.position().chess().legal_moves().to_vec();
    takes.retain(|it| it.to() == take.to());
    let (verb, mut line) = match best.moves.get(1).filter(|reply| takes.contains(reply)) {
        Some(_) => ("sacrifices", SearchedLine { moves: best.moves[1..].to_vec(), ..*best }),
        None => {
            let look = |times| {
                let limits = Limits { search_moves: takes.clone(), ..scaled(limits, times) };
                searcher.line(&after, &limits)
            };
            // Who takes has no more than who does not, or the search has seen too little.
            let lost = |line: &SearchedLine| best.value.of(side) - line.value.of(side);
            let line = ACCEPTED.into_iter().map(look).find(|it| 0.01 * lost(it) <= TOLERANCE)?;
            ("offers", searcher.with_quiet_end(&after, line))
        }
    };
    let take = *line.moves.first()?;
    let role = take.capture()?;
    let what = match (role, take.role()) {
        (Role::Rook, Role::Knight | Role::Bishop) if gain < EXCHANGE => "exchange",
        _ => noun(role),
    };
    line.moves.remove(0);
    let accepted = played(&after, &[take]);
    let name = super::named(game, &[m, take], 1);
    let answer = Idea::new(game, &accepted, &line);
    // A piece for the same, or for more at once, is a trade.
    let is_trade = |back: Role| back == role || verb == "sacrifices" && worth(back) >= worth(role);
    if line.moves.first()?.capture().is_some_and(is_trade) {
        return None;
    }
    // What the line itself wins is said elsewhere.
    let why = answer.tactics().filter(|_| verb == "offers");
    let why = why.map_or_else(|| ".".to_owned(), |why| relative(&why));
    Some(format!("It {verb} the {what}: {name} is answered by {}{why}", answer.name(0)))
}

/// The capture of a piece that a move offers, and how many centipawns it wins: more than the move takes.
pub fn offered(chess: &Chess, m: Move) -> Option<(Move, i32)> {
    let after = after(chess, m);
    let captures = after.capture_moves().into_iter().filter(|m| m.capture() != Some(Role::Pawn));
    let gain = |&m: &Move| (1..=18).rev().map(|it| 50 * it).find(|&it| see_ge(&after, m, it));
    let most = captures.filter_map(|m| Some((m, gain(&m)?))).max_by_key(|it| it.1)?;
    (most.1 - 100 * m.capture().map_or(0, worth) >= LEAST).then_some(most)
}
