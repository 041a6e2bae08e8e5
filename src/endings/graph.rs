//! The positions of an ending and the moves between them.

use super::solve::position;
use crate::endgame::{Dtm, Endgames, Table};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

/// Lists of indices, of different lengths, in one allocation.
#[derive(Debug)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

/// The number of lists that one thread fills at a time.
const CHUNK: usize = 1 << 12;

impl Lists {
    /// `count` lists; `fill` appends the items of the list with the given index.
    fn new(count: usize, fill: impl Fn(usize, &mut Vec<u32>) + Sync) -> Lists {
        let starts: Vec<usize> = (0..count).step_by(CHUNK).collect();
        let chunks: Vec<Lists> = starts
            .into_par_iter()
            .map(|start| {
                let mut chunk = Lists { ends: Vec::new(), items: Vec::new() };
                for index in start..count.min(start + CHUNK) {
                    fill(index, &mut chunk.items);
                    chunk.ends.push(chunk.items.len() as u32);
                }
                chunk
            })
            .collect();
        let mut all = Lists { ends: vec![0], items: Vec::new() };
        for chunk in chunks {
            let before = all.items.len() as u32;
            all.ends.extend(chunk.ends.iter().map(|end| before + end));
            all.items.extend(chunk.items);
        }
        all
    }

    /// One of the lists.
    pub(super) fn get(&self, index: usize) -> &[u32] {
        &self.items[self.ends[index] as usize..self.ends[index + 1] as usize]
    }
}

/// The state of a position with the bare king to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterMove {
    /// The position cannot arise.
    Illegal,
    /// Mate.
    Mate,
    /// Stalemate, or the bare king can take a piece.
    Drawn,
    /// The bare king has a move and can take nothing.
    GoesOn,
}

/// The positions of an ending against a bare king, White being the strong side.
#[derive(Debug)]
pub(super) struct Graph {
    /// The indices of all won positions with White to move, in ascending order.
    pub(super) won: Vec<u32>,
    /// By index with White to move: the plies to mate, none if the position is not won.
    pub(super) plies: Vec<Option<u8>>,
    /// By index with Black to move: the state of the position.
    pub(super) after: Vec<AfterMove>,
    /// By index with Black to move: the indices of the positions after each move that takes nothing.
    pub(super) replies: Lists,
}

impl Graph {
    /// The graph of the ending of a table.
    pub(super) fn new(table: &Table) -> Graph {
        let plies: Vec<Option<u8>> = (0..table.entry_count())
            .into_par_iter()
            .map(|index| match table.get(Color::White, &table.squares(index)?)? {
                Dtm::Win(plies) => Some(plies),
                Dtm::Draw | Dtm::Loss(_) => None,
            })
            .collect();
        let after = (0..table.entry_count())
            .into_par_iter()
            .map(|index| {
                position_at(table, Color::Black, index).map_or(AfterMove::Illegal, |it| state(&it))
            })
            .collect();
        let replies = Lists::new(table.entry_count(), |index, indices| {
            let Some(position) = position_at(table, Color::Black, index) else { return };
            for m in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(m);
                let squares = Endgames::squares(table, &next);
                indices.extend(squares.and_then(|it| table.index(&it)).map(|it| it as u32));
            }
        });
        let won = (0..).zip(&plies).filter(|(_, plies)| plies.is_some()).map(|(index, _)| index);
        Graph { won: won.collect(), after, replies, plies }
    }

    /// The moves to mate of a won position with White to move.
    pub(super) fn moves_to_mate(&self, index: u32) -> Option<u8> {
        self.plies[index as usize].map(|plies| plies.div_ceil(2))
    }

    /// The number of indices, legal positions and others.
    pub(super) fn entry_count(&self) -> usize {
        self.plies.len()
    }
}

/// The position with an index, `turn` to move; none if it cannot arise.
pub fn position_at(table: &Table, turn: Color, index: usize) -> Option<Chess> {
    let squares = table.squares(index)?;
    table.get(turn, &squares)?;
    position(table, turn, &squares)
}

fn state(position: &Chess) -> AfterMove {
    let moves = position.legal_moves();
    match (position.is_check(), moves.is_empty()) {
        (true, true) => AfterMove::Mate,
        (false, true) => AfterMove::Drawn,
        _ if moves.iter().any(|m| m.is_capture()) => AfterMove::Drawn,
        _ => AfterMove::GoesOn,
    }
}
