//! What a search finds in each position of a game.

use crate::assess::{SearchedLine, Searcher, WhiteValue, played, scaled};
use crate::notation::PlayedGame;
use shakmaty::{Move, Position};
use tropism::search::{Game, Limits};
use tropism::text::Balance;

/// How many times longer a moment is searched at which the value jumps, and a sacrifice.
pub const CHECK: f64 = 4.0;
const SACRIFICE: f64 = 8.0;
/// A change of the expected points that is looked into: that of an inaccuracy, with rounding.
const JUMP: f64 = 0.095;
/// How often the game is read again: a longer search of one position may contradict that of the one before it.
const ROUNDS: usize = 4;

/// Searches every position of a game, and calls `progress` after each. Where the value jumps, whoever moved, it searches
/// again and longer. The line of a finished game is empty.
pub fn search_positions(
    searcher: &Searcher,
    pgn: &PlayedGame,
    limits: &Limits,
    progress: &mut dyn FnMut(),
) -> Vec<SearchedLine> {
    searcher.table.clear();
    let mut game = Game::new(pgn.start.clone());
    let mut games = vec![game.clone()];
    for &m in &pgn.moves {
        game.play(m);
        games.push(game.clone());
    }
    // From the last position to the first: what one search finds is in the table for the search of
    // the position before it. Otherwise the later search often knows more, and a move looks like a
    // mistake because its refutation is found one move late.
    let mut found = Vec::with_capacity(games.len());
    for game in games.iter().rev() {
        // Players may go on after a third repetition or fifty quiet moves, if nobody claims the draw.
        let outcome = game.outcome().filter(|_| found.is_empty());
        let line = outcome.map_or_else(
            || searcher.line(game, limits),
            |outcome| {
                let mate = outcome.winner().map(|winner| WhiteValue::Mate(winner, 0));
                let value = mate.unwrap_or(WhiteValue::Centipawns(0));
                SearchedLine { value, depth: 0, moves: Vec::new() }
            },
        );
        found.push(line);
        progress();
    }
    found.reverse();
    settle(searcher, &games, &pgn.moves, &mut found, limits);
    found
}

/// Searches longer where the value of two positions in a row differs much: the first search may have missed a better move,
/// the answer to the best one, or both.
fn settle(
    searcher: &Searcher,
    games: &[Game],
    moves: &[Move],
    found: &mut [SearchedLine],
    limits: &Limits,
) {
    let mut is_long: Vec<bool> = found.iter().map(|line| line.moves.is_empty()).collect();
    for _ in 0..ROUNDS {
        let mut is_settled = true;
        for (ply, (game, &m)) in games.iter().zip(moves).enumerate().rev() {
            let [here, next] = &mut found[ply..ply + 2] else { continue };
            let after = |next: &SearchedLine| SearchedLine {
                moves: [&[m], &next.moves[..]].concat(),
                ..next.clone()
            };
            let lost = |here: &SearchedLine, next: &SearchedLine| {
                here.value.points(game) - next.value.points(game)
            };
            if lost(here, next).abs() >= JUMP {
                let times = if gives(game, &after(next).moves) { SACRIFICE } else { CHECK };
                let look = |search_moves| {
                    searcher.line(game, &Limits { search_moves, ..scaled(limits, times) })
                };
                if !is_long[ply] {
                    *here = look(Vec::new());
                    is_settled = false;
                }
                if !is_long[ply + 1] {
                    let line = look(vec![m]);
                    next.value = line.value;
                    next.moves = line.moves.get(1..).unwrap_or_default().to_vec();
                    is_settled = false;
                }
                is_long[ply..ply + 2].fill(true);
                // Deeper in the line the best move has lost its point: what do the others come to?
                let others = game.position().chess().legal_moves().into_iter();
                let others: Vec<Move> = others.filter(|&other| other != m).collect();
                let is_best = here.moves.first() == Some(&m);
                if is_best && lost(here, next) >= JUMP && !others.is_empty() {
                    *here = look(others);
                    is_settled = false;
                }
            }
            // A move that comes to more than the best one is the best.
            if lost(here, next) < 0.0 {
                *here = after(next);
            }
        }
        if is_settled {
            return;
        }
    }
}

/// Whether the first move of a line gives something that does not come back at once.
fn gives(game: &Game, moves: &[Move]) -> bool {
    let [now, then] = [0, moves.len().min(3)].map(|plies| {
        let then = played(game, &moves[..plies]);
        Balance::new(then.position().chess().board(), game.position().chess().turn()).pawns()
    });
    then < now
}
