//! Games of one engine against another, for calibration, and the Elo difference of a match.

use crate::data::GameResult;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};
use std::collections::TryReserveError;
use tropism::eval::Engine;
use tropism::random::SplitMix64;
use tropism::search::{
    Game, Level, Limits, MATE, Outcome, Search, TranspositionTable, Value, search,
};

/// Random moves that a game begins with, so that no two are the same.
const OPENING_PLIES: usize = 8;

/// An opening is replaced by another if one side is ahead by more than this, in centipawns.
const MAX_OPENING_LEAD: i32 = 100;

/// A game this long is a draw, in plies.
const MAX_PLIES: usize = 400;

/// When a game between players of full strength is adjudicated as won.
const WON: WonRule = WonRule { lead: 700, searches: 8 };

/// The size of a player's transposition table in MiB.
const TABLE_SIZE: usize = 4;

/// How one side plays.
#[derive(Copy, Clone)]
pub(super) struct Player<'a> {
    pub(super) engine: &'a Engine,
    pub(super) level: Level,
    /// Nodes per move.
    pub(super) nodes: u64,
}

impl<'a> Player<'a> {
    /// A player of full strength with a limit of nodes per move.
    pub(super) fn new(engine: &'a Engine, nodes: u64) -> Player<'a> {
        Player { engine, level: Level::new(Level::FULL), nodes }
    }
}

/// The result of a game that the rules have ended: by checkmate, stalemate, insufficient material, the
/// fifty-move rule or the third repetition.
pub(super) fn game_result(game: &Game) -> Option<GameResult> {
    game.outcome().map(|outcome| GameResult::of_winner(outcome.winner()))
}

/// A quiet position after random moves that `engine` evaluates as balanced.
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
        if is_quiet && !chess.is_game_over() && engine.evaluate(chess).abs() <= MAX_OPENING_LEAD {
            return game;
        }
    }
}

/// When a game is adjudicated as won: both players see the same side ahead.
pub(super) struct WonRule {
    /// The smallest lead in centipawns.
    pub(super) lead: i32,
    /// The number of searches in a row. The players move in turn, so both have seen the lead.
    pub(super) searches: i32,
}

impl WonRule {
    /// Counts a search of a game by its score from White's point of view. `count` is the number of searches in a row
    /// that see White win, or Black if negative. Returns the result of the game once it is decided.
    pub(super) fn decide(&self, count: &mut i32, score: i32) -> Option<GameResult> {
        *count = match score {
            _ if score >= self.lead => (*count).max(0) + 1,
            _ if score <= -self.lead => (*count).min(0) - 1,
            _ => 0,
        };
        let winner = Color::from_white(*count > 0);
        (count.abs() >= self.searches).then(|| GameResult::of_winner(Some(winner)))
    }
}

/// The score from White's point of view, in centipawns.
pub(super) fn white_score(outcome: &Outcome, turn: Color) -> i32 {
    let value = match outcome.value {
        Value::Centipawns(value) => value,
        Value::Mate(moves) => moves.signum() * MATE,
    };
    if turn.is_white() { value } else { -value }
}

/// Plays a game, White first in `players`, until the rules end it or it is adjudicated. `referee` chooses the opening;
/// `on_move` is called after each search.
pub(super) fn play(
    referee: &Engine,
    players: [Player; 2],
    seed: u64,
    mut on_move: impl FnMut(),
) -> Result<GameResult, TryReserveError> {
    let mut game = opening(referee, seed);
    let tables = [TranspositionTable::new(TABLE_SIZE)?, TranspositionTable::new(TABLE_SIZE)?];
    let mut random = SplitMix64(seed);
    let mut won = 0;
    for _ in 0..MAX_PLIES {
        if let Some(result) = game_result(&game) {
            return Ok(result);
        }
        let turn = game.position().chess().turn();
        let side = usize::from(turn.is_black());
        let Player { engine, level, nodes } = players[side];
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request =
            Search::new(&game, engine, &tables[side], &limits).at_level(level, random.next());
        let outcome = search(&request, |_| ());
        on_move();
        if level == Level::new(Level::FULL)
            && let Some(result) = WON.decide(&mut won, white_score(&outcome, turn))
        {
            return Ok(result);
        }
        match outcome.best {
            Some(m) => game.play(m),
            None => break,
        }
    }
    Ok(GameResult::Draw)
}

/// Plays a match on all cores, each opening once with either colour; `on_game` is called after each
/// game. Returns the games that the first player won, drew and lost.
pub(super) fn play_match(
    referee: &Engine,
    [first, second]: [Player; 2],
    games: u64,
    seed: u64,
    on_game: impl Fn() + Sync,
) -> Result<[u64; 3], TryReserveError> {
    let results = (0..games.next_multiple_of(2))
        .into_par_iter()
        .map(|number| {
            let is_white = number % 2 == 0;
            let players = if is_white { [first, second] } else { [second, first] };
            let result = play(referee, players, seed.wrapping_add(number / 2), || ())?;
            on_game();
            Ok(match (result, is_white) {
                (GameResult::Draw, _) => 1,
                (GameResult::WhiteWins, true) | (GameResult::BlackWins, false) => 0,
                (GameResult::WhiteWins, false) | (GameResult::BlackWins, true) => 2,
            })
        })
        .collect::<Result<Vec<usize>, TryReserveError>>()?;
    Ok([0, 1, 2].map(|kind| results.iter().filter(|&&result| result == kind).count() as u64))
}

/// The Elo difference that a result of wins, draws and losses shows, and its error (95 %). A score of
/// 0 or 100 % counts half a point less extreme, so that the difference is finite.
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
    fn elo_differences_of_results() {
        assert_eq!(elo([10, 5, 10]).0, 0.0);
        // Three quarters of the points are 190.8 Elo points.
        assert!((elo([75, 0, 25]).0 - 190.85).abs() < 0.01);
        assert!(elo([20, 0, 0]).0.is_finite());
        assert!(elo([750, 0, 250]).1 < elo([75, 0, 25]).1);
    }

    #[test]
    fn a_game_between_levels_can_be_repeated() {
        let engine = tropism::default_engine().unwrap();
        let player = |level| Player { level: Level::new(level), ..Player::new(&engine, 200) };
        let game = |seed| {
            let mut plies = 0;
            let result = play(&engine, [player(2), player(0)], seed, || plies += 1).unwrap();
            (result, plies)
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
        let on_game = || {
            games.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let [won, drawn, lost] = play_match(&engine, [strong, weak], 5, 1, on_game).unwrap();
        assert_eq!((won + drawn + lost, games.into_inner()), (6, 6));
        assert!(won > lost, "{won} {drawn} {lost}");
        let swapped = play_match(&engine, [weak, strong], 6, 1, || ()).unwrap();
        assert_eq!(swapped, [lost, drawn, won]);
    }

    #[test]
    fn a_game_is_decided_when_both_players_see_the_same_winner() {
        let result = |scores: &[i32]| {
            let mut count = 0;
            scores.iter().find_map(|&score| WON.decide(&mut count, score))
        };
        assert_eq!(result(&[700; 7]), None);
        assert_eq!(result(&[700; 8]), Some(GameResult::WhiteWins));
        assert_eq!(result(&[-900; 8]), Some(GameResult::BlackWins));
        assert_eq!(result(&[900, 900, 900, 900, 690, 900, 900, 900, 900]), None);
        assert_eq!(result(&[900, 900, 900, 900, -900, -900, -900, -900]), None);
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let score =
            |value, turn| white_score(&Outcome { best: None, ponder: None, value, nodes: 0 }, turn);
        assert_eq!(score(Value::Centipawns(30), Color::White), 30);
        assert_eq!(score(Value::Centipawns(30), Color::Black), -30);
        assert_eq!(score(Value::Mate(2), Color::White), MATE);
        assert_eq!(score(Value::Mate(-2), Color::White), -MATE);
    }

    #[test]
    fn the_rules_end_a_game() {
        let result = |fen: &str| game_result(&Game::from_fen(fen, None).unwrap());
        assert_eq!(result("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), Some(GameResult::WhiteWins));
        assert_eq!(result("8/8/8/8/8/8/5kq1/7K w - - 0 1"), Some(GameResult::BlackWins));
        assert_eq!(result("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(GameResult::Draw));
        assert_eq!(result("7k/8/6K1/8/8/8/8/B7 b - - 0 1"), Some(GameResult::Draw));
        assert_eq!(result("7k/8/6K1/8/8/8/8/R7 b - - 100 90"), Some(GameResult::Draw));
        assert_eq!(result("7k/8/6K1/8/8/8/8/R7 b - - 99 90"), None);
    }
}
