//! The root moves of a search, ranked by tables.

use super::exact;
use crate::search::ordering::movegen::MoveGenerator;
use crate::search::request::SearchRequest;
use crate::search::score::{MATE_BOUND, TABLEBASE_WIN};
use shakmaty::{Move, MoveList};

/// A root move.
#[derive(Copy, Clone, Debug)]
struct RootMove {
    m: Move,
    /// A move of higher rank is preferred, whatever value the search returns.
    rank: i32,
    /// The value from tables, in centipawns, if they give one.
    tablebase_value: Option<i32>,
}

/// The root moves with their ranks.
#[derive(Debug)]
pub struct Root {
    moves: Vec<RootMove>,
    /// Whether the ranks say enough: [`RankedMoves::is_solved`].
    pub is_solved: bool,
    /// Successful tablebase probes.
    pub tablebase_hits: u64,
}

impl Root {
    pub fn new(request: &SearchRequest) -> Root {
        let asked = &request.limits.search_moves;
        let legal = MoveGenerator::new(request.game.position()).all();
        let wanted = |m: &Move| asked.is_empty() || asked.contains(m);
        // Tablebases come first, because they know the fifty-move rule.
        let tablebases = request.resources.tablebases;
        let ranked = tablebases
            .and_then(|tables| tables.rank(request.game))
            .or_else(|| exact::rank(request));
        let tablebase_hits = ranked.as_ref().map_or(0, |ranked| ranked.moves.len() as u64);
        let is_solved = ranked.as_ref().is_some_and(|ranked| ranked.is_solved);
        let moves = match ranked {
            Some(ranked) => ranked
                .moves
                .into_iter()
                .map(|ranked| RootMove {
                    m: ranked.m,
                    rank: ranked.rank,
                    tablebase_value: ranked.value,
                })
                .collect(),
            None => {
                legal.into_iter().map(|m| RootMove { m, rank: 0, tablebase_value: None }).collect()
            }
        };
        let mut root = Root { moves, is_solved, tablebase_hits };
        root.moves.retain(|root_move| wanted(&root_move.m));
        root
    }

    /// The rank of a move.
    pub fn rank(&self, m: Option<Move>) -> Option<i32> {
        self.moves.iter().find(|root_move| Some(root_move.m) == m).map(|root_move| root_move.rank)
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves of the highest rank among those that are not excluded.
    pub fn best_except(&self, is_excluded: impl Fn(Move) -> bool) -> MoveList {
        let allowed = self.moves.iter().filter(|root_move| !is_excluded(root_move.m));
        let highest = allowed.clone().map(|root_move| root_move.rank).max();
        allowed
            .filter(|root_move| Some(root_move.rank) == highest)
            .map(|root_move| root_move.m)
            .collect()
    }

    /// The value of a line as it is reported: the value from tablebases, unless the search has found a mate
    /// that agrees with it.
    pub fn adjusted_value(&self, value: i32, first: Option<Move>) -> i32 {
        let root_move = self.moves.iter().find(|root_move| Some(root_move.m) == first);
        match root_move.and_then(|root_move| root_move.tablebase_value) {
            Some(known) if known >= TABLEBASE_WIN && value >= MATE_BOUND => value,
            Some(known) if known <= -TABLEBASE_WIN && value <= -MATE_BOUND => value,
            Some(known) => known,
            None => value,
        }
    }
}
