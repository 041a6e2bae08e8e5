//! One game of the engine against itself.

use super::{Openings, Played};
use crate::{
    data::GameResult,
    selfplay::{WonRule, game_result, white_score},
};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};
use std::sync::atomic::Ordering::Relaxed;
use tropism::random::SplitMix64;
use tropism::{
    eval::Engine,
    search::{Control, Game, Limits, Outcome, Search, TranspositionTable, search},
};

/// Random plies at the start of a game, and one more in about every second game.
const OPENING_PLIES: usize = 8;
/// Random moves that are tried for an opening.
const MAX_TRIES: usize = 100;
/// An opening is played if a search gives neither side more than this, in centipawns.
const MAX_OPENING_LEAD: i32 = 200;

/// When a game is adjudicated as won.
const WON: WonRule = WonRule { lead: 1000, searches: 6 };
/// A game is adjudicated as drawn when this many scores in a row were at most this large, in
/// centipawns, after the opening.
const DRAWN_SCORE: i32 = 5;
const DRAWN_PLIES: u32 = 12;
const DRAWN_FROM_PLY: usize = 80;
/// A game this long is a draw, in plies.
const MAX_PLIES: usize = 400;

/// Positions with a larger score, in centipawns, are left out: almost any weights predict their result.
const DECIDED: i32 = 2000;

/// One player for both sides.
pub(super) struct Player<'a> {
    pub(super) engine: &'a Engine,
    pub(super) table: &'a TranspositionTable,
    /// Nodes per move.
    pub(super) nodes: u64,
    /// The largest lead after each move of the opening, in centipawns; without it, only that at the end counts.
    pub(super) max_lead: Option<i32>,
    /// Where games start, if not with random moves.
    pub(super) openings: Option<&'a Openings>,
    pub(super) control: &'a Control,
}

impl Player<'_> {
    /// Plays the game of this number, or its beginning if the control stops it.
    pub(super) fn game(&self, seed: u64, number: u64) -> Played {
        let mut random = SplitMix64::stream(seed, number);
        self.table.clear();
        let (start, plies) = self.start(seed, number, &mut random);
        let mut game = self.opening(start, plies, &mut random);
        let mut positions = Vec::new();
        let (mut won, mut drawn) = (0, 0);
        for ply in 0..MAX_PLIES {
            if let Some(result) = game_result(&game) {
                return Played { positions, result };
            }
            let outcome = self.search(&game);
            let Some(best) = outcome.best.filter(|_| !self.control.stop.load(Relaxed)) else {
                break;
            };
            let chess = game.position().chess();
            let score = white_score(&outcome, chess.turn());
            drawn = if score.abs() <= DRAWN_SCORE && ply >= DRAWN_FROM_PLY { drawn + 1 } else { 0 };
            if let Some(result) = WON.decide(&mut won, score) {
                return Played { positions, result };
            }
            if drawn >= DRAWN_PLIES {
                break;
            }
            let is_quiet = !chess.is_check() && !best.is_capture() && !best.is_promotion();
            if is_quiet && score.abs() < DECIDED {
                positions.push((four_fields(chess), score));
            }
            game.play(best);
        }
        Played { positions, result: GameResult::Draw }
    }

    /// Where a game starts, and how many random moves follow.
    fn start(&self, seed: u64, number: u64, random: &mut SplitMix64) -> (Game, usize) {
        match self.openings {
            Some(openings) => openings.start(seed, number, random),
            None => (Game::new(Chess::default()), OPENING_PLIES + random.below(2)),
        }
    }

    /// The position after so many random moves, balanced if there are any.
    fn opening(&self, start: Game, plies: usize, random: &mut SplitMix64) -> Game {
        if plies == 0 {
            return start;
        }
        loop {
            let mut game = start.clone();
            let mut missing = plies;
            for _ in 0..MAX_TRIES {
                let moves = game.position().chess().legal_moves();
                let Some(&m) = moves.get(random.below(moves.len())).filter(|_| missing > 0) else {
                    break;
                };
                let mut next = game.clone();
                next.play(m);
                if self.max_lead.is_none_or(|most| self.lead(&next) <= most) {
                    game = next;
                    missing -= 1;
                }
            }
            let is_over = game.position().chess().legal_moves().is_empty();
            if !is_over && self.lead(&game) <= self.max_lead.unwrap_or(MAX_OPENING_LEAD) {
                return game;
            }
            if self.control.stop.load(Relaxed) {
                return game;
            }
        }
    }

    /// The lead of either side, in centipawns.
    fn lead(&self, game: &Game) -> i32 {
        white_score(&self.search(game), Color::White).abs()
    }

    fn search(&self, game: &Game) -> Outcome {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let Player { engine, table, control, .. } = *self;
        search(&Search::new(game, engine, table, &limits).with_control(control), |_| ())
    }
}

/// The FEN without its two counters.
fn four_fields(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    fen.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_of_an_opening_keeps_the_balance() {
        let (engine, table) =
            (tropism::default_engine().unwrap(), TranspositionTable::new(1).unwrap());
        let control = Control::default();
        let opening = |max_lead, seed| {
            let player = Player {
                engine: &engine,
                table: &table,
                nodes: 200,
                max_lead,
                openings: None,
                control: &control,
            };
            let (start, plies) = player.start(1, 0, &mut SplitMix64(seed));
            player.opening(start, plies, &mut SplitMix64(seed))
        };
        let largest = |max_lead| {
            let leads = (0..10).map(|seed| {
                let game = opening(max_lead, seed);
                engine.evaluate(game.position().chess()).abs()
            });
            leads.max().unwrap()
        };
        assert!(largest(Some(30)) < 100 && largest(None) > 100);
        let plies = |seed| opening(Some(30), seed).keys().len() - 1;
        assert!((0..10).all(|seed| (8..=9).contains(&plies(seed))));
    }

    #[test]
    fn a_game_can_be_repeated_and_other_games_differ() {
        let (engine, table) =
            (tropism::default_engine().unwrap(), TranspositionTable::new(1).unwrap());
        let control = Control::default();
        let player = Player {
            engine: &engine,
            table: &table,
            nodes: 100,
            max_lead: None,
            openings: None,
            control: &control,
        };
        let first = player.game(1, 0);
        let again = player.game(1, 0);
        assert_eq!(first.positions, again.positions);
        assert_eq!(first.result, again.result);
        assert_ne!(first.positions, player.game(1, 1).positions);
        assert_ne!(first.positions, player.game(2, 0).positions);
    }

    #[test]
    fn a_position_is_written_without_its_counters() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 17";
        let game = Game::from_fen(fen, None).unwrap();
        assert_eq!(four_fields(game.position().chess()), "4k3/8/8/8/8/8/8/4K2R w K -");
    }
}
