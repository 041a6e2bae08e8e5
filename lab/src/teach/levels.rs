//! A full-width search of all positions of an ending at once.

use super::features::Features;
use rayon::prelude::*;
use shakmaty::Color;
use tropism::endings::{AfterMove, Graph};

/// The value of a mate; one farther off is worth one less each move. Static values stay far below.
const MATE: f32 = 1e6;
const NEARLY_MATE: f32 = 0.9 * MATE;

/// The value of a stalemate, and of a man that is lost.
const DRAW: f32 = 0.0;

/// Places that one thread takes at a time.
const CHUNK: usize = 1 << 12;

/// The values that a search of some plies finds everywhere.
///
/// As in the engine's search, a check at the end is answered before the position is judged.
pub(super) struct Levels<'a> {
    graph: &'a Graph,
    features: &'a Features,
    weights: Vec<f32>,
    plies: u32,
    /// Values with Black to move: the leaves first, then two plies higher each. Without any, the leaves
    /// are judged whenever they are asked for.
    after: Vec<Vec<f32>>,
    /// Values with White to move, one ply above those.
    before: Vec<Vec<f32>>,
}

/// The position that decides a search: who is to move there, and its place.
pub(super) type Leaf = (Color, u32);

impl<'a> Levels<'a> {
    /// Searches everywhere. `leaves` are the places with Black to move that are looked at.
    pub(super) fn new(
        graph: &'a Graph,
        features: &'a Features,
        weights: Vec<f32>,
        plies: u32,
        leaves: &[u32],
    ) -> Levels<'a> {
        let mut levels = Levels::unswept(graph, features, weights, plies);
        let judged: Vec<f32> =
            leaves.par_iter().with_min_len(CHUNK).map(|&place| levels.at_the_end(place)).collect();
        let mut values = vec![0.0; graph.entry_count()];
        for (&place, value) in leaves.iter().zip(judged) {
            values[place as usize] = value;
        }
        levels.after = vec![values];
        for level in 0..(plies as usize - 1) / 2 {
            let before = levels.sweep(|place| levels.best(&levels.after[level], place));
            let after = levels.sweep(|place| match graph.after[place as usize] {
                AfterMove::Check | AfterMove::Quiet => {
                    levels.least(place, |next| before[next as usize])
                }
                ended => ended_value(ended),
            });
            levels.before.push(before);
            levels.after.push(after);
        }
        levels
    }

    /// Searches of one or two plies that look at a leaf when it is asked for: right for few positions.
    pub(super) fn unswept(
        graph: &'a Graph,
        features: &'a Features,
        weights: Vec<f32>,
        plies: u32,
    ) -> Levels<'a> {
        Levels { graph, features, weights, plies, after: Vec::new(), before: Vec::new() }
    }

    fn sweep(&self, value: impl Fn(u32) -> f32 + Sync + Send) -> Vec<f32> {
        let places = (0..self.graph.entry_count() as u32).into_par_iter();
        places.with_min_len(CHUNK).map(value).collect()
    }

    fn judged(&self, turn: Color, place: u32) -> f32 {
        self.features.value(&self.weights, turn, place)
    }

    /// The value of a leaf with Black to move.
    fn at_the_end(&self, place: u32) -> f32 {
        match self.graph.after[place as usize] {
            AfterMove::Quiet if !self.looks_on() => self.judged(Color::Black, place),
            AfterMove::Check | AfterMove::Quiet => {
                self.least(place, |next| self.judged(Color::White, next))
            }
            ended => ended_value(ended),
        }
    }

    /// Whether Black moves once more after White's last move.
    fn looks_on(&self) -> bool {
        self.plies.is_multiple_of(2)
    }

    fn least(&self, place: u32, value: impl Fn(u32) -> f32) -> f32 {
        let replies = self.graph.replies.get(place as usize).iter();
        replies.map(|&next| value(next)).fold(f32::MAX, f32::min)
    }

    fn best(&self, values: &[f32], place: u32) -> f32 {
        let moves = self.graph.moves.get(place as usize).iter();
        let best = moves.map(|&next| values[next as usize]).fold(-MATE, f32::max);
        if is_mate(best) { best - 1.0 } else { best }
    }

    /// What a move is worth that leads to this place.
    pub(super) fn value(&self, place: u32) -> f32 {
        match self.after.last() {
            Some(top) => top[place as usize],
            None => self.at_the_end(place),
        }
    }

    /// By place, where the move leads that the search chooses in each of these positions; of equals, the one
    /// with the highest `cost`.
    pub(super) fn choices(
        &self,
        positions: &[u32],
        cost: impl Fn(u32) -> f32 + Sync,
    ) -> Vec<Option<u32>> {
        let mut choices = vec![None; self.graph.entry_count()];
        let chosen: Vec<Option<u32>> = positions
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&place| {
                let moves = self.graph.moves.get(place as usize).iter().copied();
                moves.max_by(|&a, &b| {
                    let values = self.value(a).total_cmp(&self.value(b));
                    values.then_with(|| cost(a).total_cmp(&cost(b)))
                })
            })
            .collect();
        for (&place, chosen) in positions.iter().zip(chosen) {
            choices[place as usize] = chosen;
        }
        choices
    }

    fn most(&self, place: u32, values: &[f32]) -> Option<u32> {
        let moves = self.graph.moves.get(place as usize).iter().copied();
        moves.max_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]))
    }

    /// The position that decides what a move is worth, if it is not a mate or a draw.
    pub(super) fn leaf(&self, after: u32) -> Option<Leaf> {
        let mut place = after;
        let mut level = self.before.len();
        loop {
            let meets = self.graph.after[place as usize];
            if !matches!(meets, AfterMove::Check | AfterMove::Quiet) {
                return None;
            }
            if level == 0 && meets == AfterMove::Quiet && !self.looks_on() {
                return Some((Color::Black, place));
            }
            let value = |next: &u32| match level {
                0 => self.judged(Color::White, *next),
                _ => self.before[level - 1][*next as usize],
            };
            let replies = self.graph.replies.get(place as usize).iter();
            let reply = *replies.min_by(|a, b| value(a).total_cmp(&value(b)))?;
            if level == 0 {
                return Some((Color::White, reply));
            }
            level -= 1;
            place = self.most(reply, &self.after[level])?;
        }
    }
}

fn ended_value(after: AfterMove) -> f32 {
    match after {
        AfterMove::Mate => MATE,
        _ => DRAW,
    }
}

pub(super) fn is_mate(value: f32) -> bool {
    value > NEARLY_MATE
}
