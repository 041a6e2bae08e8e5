//! Games of the engine against itself, or against another, for calibration; and what a match says.

use rayon::prelude::*;
use shakmaty::{Chess, Color, Outcome as Ending, Position};
use std::collections::TryReserveError;
use tropism::eval::Engine;
use tropism::random::SplitMix64;
use tropism::search::{Game, Level, Limits, Search, TranspositionTable, search_at_level};

/// Random moves that a game begins with, so that no two are the same.
const OPENING_PLIES: usize = 8;

/// Openings are drawn again until neither side is ahead by more than this, in centipawns.
const FAIR: i32 = 100;

/// A game this long is a draw, in plies.
const LONGEST: usize = 400;

/// The size of a player's table in MiB.
const TABLE_SIZE: usize = 4;

/// How one side plays.
#[derive(Copy, Clone)]
pub(super) struct Player<'a> {
    pub(super) engine: &'a Engine,
    pub(super) level: Level,
    pub(super) nodes: u64,
    /// Done before each of its searches, in their thread.
    pub(super) prepare: &'a (dyn Fn() + Sync),
}

impl<'a> Player<'a> {
    /// Plays as well as it can with so many nodes a move.
    pub(super) fn new(engine: &'a Engine, nodes: u64) -> Player<'a> {
        Player { engine, level: Level::new(Level::FULL), nodes, prepare: &|| () }
    }
}

/// A fair position after a few random moves.
pub(super) fn opening(engine: &Engine, seed: u64) -> Game {
    let mut random = SplitMix64(seed);
    loop {
        let mut game = Game::new(Chess::default());
        for _ in 0..OPENING_PLIES {
            let moves = game.position().chess().legal_moves();
            match moves.get(random.below(moves.len())) {
                Some(&m) => game.play(m),
                None => break,
            }
        }
        let chess = game.position().chess();
        let is_quiet = !chess.is_check() && !chess.legal_moves().iter().any(|m| m.is_capture());
        if is_quiet && !chess.is_game_over() && engine.evaluate(chess).abs() <= FAIR {
            return game;
        }
    }
}

/// Plays a game to its end, from an opening that is fair in the eyes of `judge`; `see` is called before
/// each move. Gives the winner, if there is one.
pub(super) fn play(
    judge: &Engine,
    players: [Player; 2],
    seed: u64,
    mut see: impl FnMut(),
) -> Result<Option<Color>, TryReserveError> {
    let mut game = opening(judge, seed);
    let tables = [TranspositionTable::new(TABLE_SIZE)?, TranspositionTable::new(TABLE_SIZE)?];
    let mut random = SplitMix64(seed);
    for _ in 0..LONGEST {
        let chess = game.position().chess();
        if let Ending::Known(known) = chess.outcome() {
            return Ok(known.winner());
        }
        let keys = game.keys();
        let times = keys.iter().filter(|&&key| key == game.position().key()).count();
        if chess.halfmoves() >= 100 || times >= 3 {
            return Ok(None);
        }
        let side = usize::from(chess.turn() == Color::Black);
        let Player { engine, level, nodes, prepare } = players[side];
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Search::new(&game, engine, &tables[side], &limits);
        prepare();
        let outcome = search_at_level(&request, level, random.next(), |_| ());
        see();
        match outcome.best {
            Some(m) => game.play(m),
            None => break,
        }
    }
    Ok(None)
}

/// Plays so many games, colours and openings in pairs, on all cores; `see` is called after each. Gives those
/// that the first player won, drew and lost.
pub(super) fn play_match(
    judge: &Engine,
    [first, second]: [Player; 2],
    games: u64,
    seed: u64,
    see: impl Fn() + Sync,
) -> Result<[u64; 3], TryReserveError> {
    let results = (0..games.next_multiple_of(2))
        .into_par_iter()
        .map(|number| {
            let color = Color::from_white(number % 2 == 0);
            let players = if color.is_white() { [first, second] } else { [second, first] };
            let winner = play(judge, players, seed.wrapping_add(number / 2), || ())?;
            see();
            Ok(winner.map_or(1, |winner| if winner == color { 0 } else { 2 }))
        })
        .collect::<Result<Vec<usize>, TryReserveError>>()?;
    Ok([0, 1, 2].map(|kind| results.iter().filter(|&&result| result == kind).count() as u64))
}

/// By how many Elo points a result is better than even, and the error of that (95 %). A clean
/// score counts as one half point less.
pub(super) fn elo([wins, draws, losses]: [u64; 3]) -> (f64, f64) {
    let games = (wins + draws + losses).max(1) as f64;
    let (wins, draws) = (wins as f64 / games, draws as f64 / games);
    let edge = 0.5 / games;
    let score = (wins + draws / 2.0).clamp(edge, 1.0 - edge);
    let losses = 1.0 - wins - draws;
    let variance =
        wins * (1.0 - score).powi(2) + draws * (0.5 - score).powi(2) + losses * score.powi(2);
    let points = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let error = 1.96 * (variance / games).sqrt();
    let (low, high) = ((score - error).max(edge), (score + error).min(1.0 - edge));
    (points(score), (points(high) - points(low)) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_results() {
        assert_eq!(elo([10, 5, 10]).0, 0.0);
        // Three quarters of the points are 190.8 Elo points.
        assert!((elo([75, 0, 25]).0 - 190.85).abs() < 0.01);
        assert!(elo([20, 0, 0]).0.is_finite());
        assert!(elo([750, 0, 250]).1 < elo([75, 0, 25]).1);
    }

    #[test]
    fn levels_can_play() {
        let engine = tropism::default_engine().unwrap();
        let player = |level| Player { level: Level::new(level), ..Player::new(&engine, 200) };
        let game = |seed| {
            let mut plies = 0;
            let winner = play(&engine, [player(2), player(0)], seed, || plies += 1).unwrap();
            (winner, plies)
        };
        assert_eq!(game(1), game(1));
        assert!(game(1).1 > 5);
    }
    #[test]
    fn a_match_counts_for_its_first_player() {
        let engine = tropism::default_engine().unwrap();
        let strong = Player::new(&engine, 1000);
        let weak = Player { nodes: 1, ..strong };
        let games = std::sync::atomic::AtomicU64::new(0);
        let see = || {
            games.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let [won, drawn, lost] = play_match(&engine, [strong, weak], 5, 1, see).unwrap();
        assert_eq!((won + drawn + lost, games.into_inner()), (6, 6));
        assert!(won > lost, "{won} {drawn} {lost}");
        let turned = play_match(&engine, [weak, strong], 6, 1, || ()).unwrap();
        assert_eq!(turned, [lost, drawn, won]);
    }
}
