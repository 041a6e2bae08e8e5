//! The positions of an ending and the moves between them.

use super::solve::position;
use crate::endgame::{Dtm, Endgames, Table};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

/// Lists of different lengths in one piece of memory.
#[derive(Debug)]
pub struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

/// Places that one thread takes at a time.
const CHUNK: usize = 1 << 12;

impl<T: Copy + Send> Lists<T> {
    /// `count` lists; `fill` appends the items of one to those before it.
    pub fn new(count: usize, fill: impl Fn(usize, &mut Vec<T>) + Sync) -> Lists<T> {
        let starts: Vec<usize> = (0..count).step_by(CHUNK).collect();
        let chunks: Vec<Lists<T>> = starts
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
    #[inline]
    pub fn get(&self, index: usize) -> &[T] {
        &self.items[self.ends[index] as usize..self.ends[index + 1] as usize]
    }
}

/// What the bare king meets when it is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterMove {
    /// There is no such position.
    Illegal,
    /// Mate.
    Mate,
    /// Stalemate, or a man it can take.
    Drawn,
    /// Check, and a way out that takes nothing.
    Check,
    /// No check.
    Quiet,
}

/// The positions of an ending against a bare king, White being the strong side.
#[derive(Debug)]
pub struct Graph {
    /// All won positions with White to move, in the order of their places.
    pub won: Vec<u32>,
    /// By place with White to move, the plies to mate; none if it is not won.
    pub plies: Vec<Option<u8>>,
    /// By place with White to move, the places its moves lead to.
    pub moves: Lists<u32>,
    /// By place with Black to move, what it meets there.
    pub after: Vec<AfterMove>,
    /// By place with Black to move, the places its moves lead to that take nothing.
    pub replies: Lists<u32>,
}

impl Graph {
    /// The graph of an ending whose table is made.
    pub fn new(table: &Table) -> Graph {
        let plies: Vec<Option<u8>> = (0..table.entry_count())
            .into_par_iter()
            .map(|place| match table.get(Color::White, &table.squares(place)?)? {
                Dtm::Win(plies) => Some(plies),
                Dtm::Draw | Dtm::Loss(_) => None,
            })
            .collect();
        let after = (0..table.entry_count())
            .into_par_iter()
            .map(|place| {
                position_at(table, Color::Black, place).map_or(AfterMove::Illegal, |it| meets(&it))
            })
            .collect();
        let lists = |turn| {
            Lists::new(table.entry_count(), |place, places| {
                let Some(position) = position_at(table, turn, place) else { return };
                for m in position.legal_moves() {
                    let mut next = position.clone();
                    next.play_unchecked(m);
                    let squares = Endgames::squares(table, &next);
                    places.extend(squares.and_then(|it| table.place(&it)).map(|it| it as u32));
                }
            })
        };
        let won = (0..).zip(&plies).filter(|(_, plies)| plies.is_some()).map(|(place, _)| place);
        Graph {
            won: won.collect(),
            moves: lists(Color::White),
            after,
            replies: lists(Color::Black),
            plies,
        }
    }

    /// From a won position with White to move, the moves to mate.
    #[inline]
    pub fn moves_to_mate(&self, place: u32) -> Option<u8> {
        self.plies[place as usize].map(|plies| plies.div_ceil(2))
    }

    /// How many places there are.
    pub fn entry_count(&self) -> usize {
        self.plies.len()
    }
}

/// The position at a place, if there is one with `turn` to move.
pub fn position_at(table: &Table, turn: Color, place: usize) -> Option<Chess> {
    let squares = table.squares(place)?;
    table.get(turn, &squares)?;
    position(table, turn, &squares)
}

fn meets(position: &Chess) -> AfterMove {
    let moves = position.legal_moves();
    match (position.is_check(), moves.is_empty()) {
        (true, true) => AfterMove::Mate,
        (false, true) => AfterMove::Drawn,
        _ if moves.iter().any(|m| m.is_capture()) => AfterMove::Drawn,
        (true, false) => AfterMove::Check,
        (false, false) => AfterMove::Quiet,
    }
}
