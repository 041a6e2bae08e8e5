//! The root moves of a search, ranked by tables.

use super::exact;
use crate::search::ordering::movegen::MoveGenerator;
use crate::search::request::SearchRequest;
use crate::search::score::{MATE_BOUND, TABLEBASE_WIN};
use crate::search::tablebases::{RankedMove, RankedMoves};
use shakmaty::{Move, MoveList};

/// The root moves with their ranks. A move of higher rank is preferred, whatever value the search returns.
#[derive(Debug)]
pub struct Root {
    moves: Vec<RankedMove>,
    /// Whether the ranks say enough: [`RankedMoves::is_solved`].
    pub is_solved: bool,
    /// Successful tablebase probes.
    pub tablebase_hits: u64,
}

impl Root {
    pub fn new(request: &SearchRequest) -> Root {
        // Tablebases come first, because they know the fifty-move rule.
        let tablebases = request.resources.tablebases;
        let ranked = tablebases
            .and_then(|tables| tables.rank(request.game))
            .or_else(|| exact::rank(request));
        let tablebase_hits = ranked.as_ref().map_or(0, |ranked| ranked.moves.len() as u64);
        let RankedMoves { mut moves, is_solved } = ranked.unwrap_or_else(|| {
            let legal = MoveGenerator::new(request.game.position()).all();
            let equal = legal.into_iter().map(|m| RankedMove { m, rank: 0, value: None });
            RankedMoves { moves: equal.collect(), is_solved: false }
        });
        let asked = &request.limits.search_moves;
        moves.retain(|ranked| asked.is_empty() || asked.contains(&ranked.m));
        Root { moves, is_solved, tablebase_hits }
    }

    fn find(&self, m: Option<Move>) -> Option<&RankedMove> {
        self.moves.iter().find(|ranked| Some(ranked.m) == m)
    }

    /// The rank of a move.
    pub fn rank(&self, m: Option<Move>) -> Option<i32> {
        self.find(m).map(|ranked| ranked.rank)
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves of the highest rank among those that are not excluded.
    pub fn best_except(&self, is_excluded: impl Fn(Move) -> bool) -> MoveList {
        let allowed = self.moves.iter().filter(|ranked| !is_excluded(ranked.m));
        let highest = allowed.clone().map(|ranked| ranked.rank).max();
        let best = allowed.filter(|ranked| Some(ranked.rank) == highest);
        best.map(|ranked| ranked.m).collect()
    }

    /// The value of a line as it is reported: the value from tablebases, unless the search has found a mate
    /// that agrees with it.
    pub fn adjusted_value(&self, value: i32, first: Option<Move>) -> i32 {
        match self.find(first).and_then(|ranked| ranked.value) {
            Some(known) if known >= TABLEBASE_WIN && value >= MATE_BOUND => value,
            Some(known) if known <= -TABLEBASE_WIN && value <= -MATE_BOUND => value,
            Some(known) => known,
            None => value,
        }
    }
}
