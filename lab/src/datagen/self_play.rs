//! One game of the engine against itself.

use crate::{
    data::{DECIDED, white_score},
    opening_book::OpeningBook,
    play::{Adjudication, LastScores, MAX_PLIES},
    random_moves::{RandomMoves, four_fields},
};
use shakmaty::{Chess, KnownOutcome, Position};
use std::sync::atomic::Ordering::Relaxed;
use tropism::{random::SplitMix64, search::Game};

/// Random plies at the start of a game, and one more in about every second game.
const OPENING_PLIES: usize = 8;

/// When a game is adjudicated. No ply of the opening counts.
const DATA_ADJUDICATION: Adjudication = Adjudication {
    lead: 1000,
    lead_searches: 6,
    drawn_score: 5,
    drawn_searches: 12,
    drawn_from_ply: 80,
};

/// A finished game: its quiet positions with White's scores in centipawns.
pub(super) struct SelfPlayed {
    pub(super) positions: Vec<(String, i32)>,
    pub(super) result: KnownOutcome,
}

/// One player for both sides.
pub(super) struct SelfPlay<'a> {
    /// The random moves of the opening. The moves after it have searches of the same size.
    pub(super) opening: RandomMoves<'a>,
    /// Where games start, if not with random moves.
    pub(super) openings: Option<&'a OpeningBook>,
}

impl SelfPlay<'_> {
    /// Plays the game of this number; `None` if the control stops it.
    pub(super) fn game(&self, seed: u64, number: u64) -> Option<SelfPlayed> {
        let mut random = SplitMix64::stream(seed, number);
        self.opening.table.clear();
        let (start, plies) = self.start(seed, number, &mut random);
        let mut game = self.opening.play(start, plies, &mut random);
        let mut positions = Vec::new();
        let mut last = LastScores::default();
        for ply in 0..MAX_PLIES {
            if let Some(outcome) = game.outcome() {
                let result = KnownOutcome::from_winner(outcome.winner());
                return Some(SelfPlayed { positions, result });
            }
            let outcome = self.opening.search(&game);
            let best = outcome.best.filter(|_| !self.opening.control.stop.load(Relaxed))?;
            let chess = game.position().chess();
            let score = white_score(&outcome.value, chess.turn());
            if let Some(result) = last.decide(&DATA_ADJUDICATION, ply, score) {
                return Some(SelfPlayed { positions, result });
            }
            let is_quiet = !chess.is_check() && !best.is_capture() && !best.is_promotion();
            if is_quiet && score.abs() < DECIDED {
                positions.push((four_fields(chess), score));
            }
            game.play(best);
        }
        Some(SelfPlayed { positions, result: KnownOutcome::Draw })
    }

    /// Where a game starts, and how many random moves follow.
    fn start(&self, seed: u64, number: u64, random: &mut SplitMix64) -> (Game, usize) {
        match self.openings {
            Some(openings) => openings.start(seed, number),
            None => (Game::new(Chess::default()), OPENING_PLIES + random.below(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::search::{Control, TranspositionTable};

    #[test]
    fn each_move_of_an_opening_keeps_the_balance() {
        let (engine, table) =
            (tropism::default_engine().unwrap(), TranspositionTable::new(1).unwrap());
        let control = Control::default();
        let opening = |max_lead, seed| {
            let opening = RandomMoves {
                engine: &engine,
                table: &table,
                nodes: 200,
                max_lead,
                control: &control,
            };
            let player = SelfPlay { opening, openings: None };
            let (start, plies) = player.start(1, 0, &mut SplitMix64(seed));
            player.opening.play(start, plies, &mut SplitMix64(seed))
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
}
