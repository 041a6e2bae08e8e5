//! Random moves that keep the balance, for openings.

use crate::data::white_score;
use shakmaty::{Chess, Color, EnPassantMode, Position as _, fen::Fen};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tropism::search::{Game, Limits, Outcome, SearchRequest, TranspositionTable, search};
use tropism::{eval::Engine, random::SplitMix64};

/// Openings that are tried for a start.
const MAX_TRIES: usize = 100;
/// An opening is played if a search gives neither side more than this, in centipawns.
const MAX_OPENING_LEAD: i32 = 200;

/// Random moves that leave the position balanced.
pub(super) struct RandomMoves<'a> {
    pub(super) engine: &'a Engine,
    pub(super) table: &'a TranspositionTable,
    /// Nodes of a search for the balance.
    pub(super) nodes: u64,
    pub(super) stop: &'a AtomicBool,
}

impl RandomMoves<'_> {
    /// The position after so many random moves, balanced if there is one, or else that of the least lead which was tried.
    pub(super) fn play(&self, start: Game, plies: usize, random: &mut SplitMix64) -> Game {
        if plies == 0 {
            return start;
        }
        let mut best: Option<(i32, Game)> = None;
        for _ in 0..MAX_TRIES {
            let mut game = start.clone();
            for missing in (0..=plies).rev() {
                let moves = game.position().chess().legal_moves();
                let Some(&m) = moves.get(random.below(moves.len())).filter(|_| missing > 0) else {
                    break;
                };
                game.play(m);
            }
            if self.stop.load(Relaxed) {
                return game;
            }
            if game.position().chess().legal_moves().is_empty() {
                continue;
            }
            let lead = white_score(&self.search(&game).value, Color::White).abs();
            if lead <= MAX_OPENING_LEAD {
                return game;
            }
            if best.as_ref().is_none_or(|(least, _)| lead < *least) {
                best = Some((lead, game));
            }
        }
        best.map_or(start, |(_, game)| game)
    }

    pub(super) fn search(&self, game: &Game) -> Outcome {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        search(&SearchRequest::new(game, self.engine, self.table, &limits), |_| ())
    }
}

/// The FEN without its two counters.
pub(super) fn four_fields(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    fen.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_written_without_its_counters() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 17";
        let game = Game::from_fen(fen, None).unwrap();
        assert_eq!(four_fields(game.position().chess()), "4k3/8/8/8/8/8/8/4K2R w K -");
    }
}
