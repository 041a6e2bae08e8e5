//! The root of a search: which moves may be chosen, and which of them come first.

use super::request::Search;
use super::score::{MATE_BOUND, TABLEBASE_WIN};
use shakmaty::{Move, MoveList, Position};

/// A move that may be chosen.
#[derive(Copy, Clone, Debug)]
struct Candidate {
    m: Move,
    /// Moves of higher rank are better, whatever a search thinks.
    rank: i32,
    /// What tablebases say the move is worth.
    known: Option<i32>,
}

/// The moves that may be chosen, and what is known of them before any search.
#[derive(Debug)]
pub(super) struct Root {
    candidates: Vec<Candidate>,
    /// Whether tablebases know how far each move is from the next capture or pawn move, so that a
    /// search has to find mates only.
    pub(super) is_solved: bool,
    /// Answers from tablebases.
    pub(super) hits: u64,
}

impl Root {
    pub(super) fn new(request: &Search) -> Root {
        let chess = request.game.position().chess();
        let asked = &request.limits.search_moves;
        let legal = chess.legal_moves();
        let wanted = |m: &Move| asked.is_empty() || asked.contains(m);
        let ranked = request.resources.tablebases.and_then(|tables| tables.rank(request.game));
        let hits = ranked.as_ref().map_or(0, |ranked| ranked.moves.len() as u64);
        let is_solved = ranked.as_ref().is_some_and(|ranked| ranked.by_distance);
        let candidates = match ranked {
            Some(ranked) => ranked
                .moves
                .into_iter()
                .map(|known| Candidate { m: known.m, rank: known.rank, known: Some(known.value) })
                .collect(),
            None => legal.into_iter().map(|m| Candidate { m, rank: 0, known: None }).collect(),
        };
        let mut root = Root { candidates, is_solved, hits };
        root.candidates.retain(|candidate| wanted(&candidate.m));
        root
    }

    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Of the moves that are not taken, those of the highest rank.
    pub(super) fn best_but(&self, taken: impl Fn(Move) -> bool) -> MoveList {
        let free = self.candidates.iter().filter(|candidate| !taken(candidate.m));
        let highest = free.clone().map(|candidate| candidate.rank).max();
        free.filter(|candidate| Some(candidate.rank) == highest).map(|c| c.m).collect()
    }

    /// The value of a line as it should be told: what tablebases know, unless the search has seen
    /// a mate that agrees with it.
    pub(super) fn judged(&self, value: i32, first: Option<Move>) -> i32 {
        let candidate = self.candidates.iter().find(|candidate| Some(candidate.m) == first);
        match candidate.and_then(|candidate| candidate.known) {
            Some(known) if known >= TABLEBASE_WIN && value >= MATE_BOUND => value,
            Some(known) if known <= -TABLEBASE_WIN && value <= -MATE_BOUND => value,
            Some(known) => known,
            None => value,
        }
    }
}
