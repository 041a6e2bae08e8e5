//! Training for the search: it must be able to trust the values where its lines end.
//!
//! A search finds exactly those positions that the weights value too highly. So the weights are fitted in rounds. After
//! each round, the program plays with searches of full width from random positions against perfect defence. The
//! positions in which the lines of these searches end count more in the next fit (DAgger: Ross, Gordon and Bagnell 2011).

use super::model::Model;
use ndarray::Array1;
use rayon::prelude::*;
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use tropism::{
    endings::{AfterMove, FIFTY_MOVES, Graph},
    random::SplitMix64,
};

/// What the training works with and aims at.
#[derive(Copy, Clone)]
pub(super) struct Lookahead<'a> {
    pub(super) model: &'a Model<'a>,
    /// How many moves the searches look ahead.
    pub(super) moves: &'a [u8],
    /// What one move nearer to mate is worth, in centipawns.
    pub(super) per_move: f64,
    /// The value of mate, in centipawns: from it the moves to mate are counted.
    pub(super) mate: f64,
    /// Ends the training early.
    pub(super) stop: &'a AtomicBool,
}

/// The games of a round with searches of one length.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Played {
    /// How many moves the searches looked ahead.
    moves: u8,
    games: usize,
    /// Those that ended in mate within fifty moves, and the sum of their moves above the minimum.
    mated: usize,
    above: u32,
}

/// The games of a round for each length of searches.
const GAMES: usize = 3000;

/// The ends of lines count as if the games of a round, with searches of all lengths, were so many.
const COUNTED_GAMES: f64 = 20_000.0;

/// How much the end of a line counts that does not begin with the best move, compared with one that does.
const OTHER_MOVE: f64 = 0.1;

/// What is left of the weight of a line's end after a round.
const KEPT: f64 = 0.9;

/// The weight of a position in the fit is 1 + GAIN n^POWER, where n is the weight of the lines that ended there.
const GAIN: f64 = 2.0;
const POWER: f64 = 0.9;

/// How much the fit holds weights to zero: as much as so many positions in which they count.
const PRIOR: f64 = 5.0;

/// A position in which the bare king can draw counts as so many moves from mate.
const DRAWN: f64 = 45.0;

/// The steps of the first fit, and of the later ones, which begin with the weights of the round before.
const FIRST_STEPS: usize = 500;
const LATER_STEPS: usize = 250;

/// What a game that does not end in mate costs, in moves above the minimum.
const NOT_MATED: f64 = 50.0;

/// The value of mate, and that of a position in which the bare king takes a piece or is stalemated.
const MATE: i32 = 1 << 28;
const LOST: i32 = -MATE;

/// Positions per task of a thread. The sums of the tasks are added in their order.
const CHUNK: usize = 1 << 15;

impl Played {
    /// The mean number of moves above the minimum in the games that ended in mate.
    fn mean(&self) -> f64 {
        f64::from(self.above) / self.mated.max(1) as f64
    }

    /// The same, with what the other games cost.
    pub(super) fn cost(&self) -> f64 {
        let not_mated = (self.games - self.mated) as f64;
        (f64::from(self.above) + NOT_MATED * not_mated) / self.games as f64
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let share = 100.0 * self.mated as f64 / self.games as f64;
        write!(f, "{} moves: {share:.1} % mated, {:.2} above", self.moves, self.mean())
    }
}

impl Lookahead<'_> {
    /// Fits the weights in so many rounds. Returns those, rounded as they are written, with which the games of a round
    /// cost least, and these games. `report` gets the number of each round and its games.
    pub(super) fn fit(
        self,
        rounds: usize,
        mut report: impl FnMut(usize, &[Played]),
    ) -> (Vec<Played>, Array1<f64>) {
        let mut weights = Array1::zeros(self.model.trained.len());
        // By index with the bare king to move: the weight of the lines that ended there.
        let mut ends = vec![0.0; self.model.graph.entry_count()];
        let mut least = f64::INFINITY;
        let mut best = (Vec::new(), Array1::zeros(0));
        let mut random = SplitMix64(1);
        for round in 0..=rounds {
            self.solve(&mut weights, &ends, if round == 0 { FIRST_STEPS } else { LATER_STEPS });
            let written = weights.mapv(f64::round);
            let lines = Lines::new(self.model, &written, self.moves);
            ends.iter_mut().for_each(|weight| *weight *= KEPT);
            let mut all = Vec::new();
            for &moves in self.moves {
                let starts: Vec<SplitMix64> =
                    (0..GAMES).map(|_| SplitMix64(random.next())).collect();
                let games: Vec<Game> =
                    starts.into_par_iter().map(|random| lines.play(moves, random)).collect();
                let mut played = Played { moves, games: GAMES, mated: 0, above: 0 };
                let share = COUNTED_GAMES / (GAMES * self.moves.len()) as f64;
                for game in games {
                    played.mated += usize::from(game.above.is_some());
                    played.above += game.above.unwrap_or_default();
                    game.ends.iter().for_each(|&(end, by)| ends[end as usize] += share * by);
                }
                all.push(played);
            }
            report(round, &all);
            let cost = all.iter().map(Played::cost).sum();
            if cost < least {
                least = cost;
                best = (all, written);
            }
            if self.stop.load(Relaxed) {
                break;
            }
        }
        best
    }

    /// The value that the moves to mate ask for, in centipawns, without that of the other weights.
    fn target(self, index: u32) -> f64 {
        let moves = self.model.graph.moves_to_mate_after(index).map_or(DRAWN, f64::from);
        self.mate - self.per_move * moves - self.model.rest(index)
    }

    /// Weighted least squares by conjugate gradients, from the present weights on. All won positions count, and the
    /// drawn ones in which lines ended.
    fn solve(self, weights: &mut Array1<f64>, ends: &[f64], steps: usize) {
        let model = self.model;
        let won = |index: u32| model.graph.moves_to_mate_after(index).is_some();
        let rows: Vec<(u32, f64)> = model
            .measured
            .par_iter()
            .map(|&index| (index, ends[index as usize], won(index)))
            .filter(|&(_, ended, won)| won || ended > 0.0)
            .map(|(index, ended, won)| (index, f64::from(u8::from(won)) + GAIN * ended.powf(POWER)))
            .collect();
        // The sum over the rows of their counts, each times the weight of the row and a number.
        let sum = |number: &(dyn Fn(u32) -> f64 + Sync)| {
            let parts: Vec<Array1<f64>> = rows
                .par_chunks(CHUNK)
                .map(|rows| {
                    let mut part = Array1::zeros(model.trained.len());
                    for &(index, weight) in rows {
                        let times = weight * number(index);
                        for &(at, count) in model.counts(index) {
                            part[usize::from(at)] += times * f64::from(count);
                        }
                    }
                    part
                })
                .collect();
            parts.into_iter().fold(Array1::zeros(model.trained.len()), |sum, part| sum + part)
        };
        let product = |of: &Array1<f64>| sum(&|index| model.trained_value(of, index)) + of * PRIOR;
        let mut diagonal = Array1::from_elem(weights.len(), PRIOR);
        for &(index, weight) in &rows {
            for &(at, count) in model.counts(index) {
                diagonal[usize::from(at)] += weight * f64::from(count).powi(2);
            }
        }
        let mut rest = sum(&|index| self.target(index)) - product(weights);
        let mut direction = &rest / &diagonal;
        let mut square = rest.dot(&direction);
        for _ in 0..steps {
            if square <= 0.0 {
                break;
            }
            let change = product(&direction);
            let length = square / direction.dot(&change);
            weights.scaled_add(length, &direction);
            rest.scaled_add(-length, &change);
            let scaled = &rest / &diagonal;
            let before = square;
            square = rest.dot(&scaled);
            direction = scaled + &direction * (square / before);
        }
    }
}

/// One game of a round.
struct Game {
    /// The moves above the minimum; none if there was no mate within fifty moves.
    above: Option<u32>,
    /// Where the lines of the searches ended, with the bare king to move, and how much each counts.
    ends: Vec<(u32, f64)>,
}

/// The values of all searches of full width, by the number of moves that they look ahead.
struct Lines<'a> {
    graph: &'a Graph,
    /// By the number of moves, then by index with the bare king to move.
    black: Vec<Vec<i32>>,
    /// By the number of moves less one, then by index with White to move.
    white: Vec<Vec<i32>>,
}

impl<'a> Lines<'a> {
    fn new(model: &'a Model, weights: &Array1<f64>, moves: &[u8]) -> Lines<'a> {
        let graph = model.graph;
        let mut first = vec![LOST; graph.entry_count()];
        let values: Vec<i32> = model
            .measured
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&index| model.value(weights, index).round() as i32)
            .collect();
        for (&index, value) in model.measured.iter().zip(values) {
            first[index as usize] = value;
        }
        let mut lines = Lines { graph, black: vec![first], white: Vec::new() };
        let indices = || (0..graph.entry_count() as u32).into_par_iter().with_min_len(CHUNK);
        for later in 0..usize::from(moves.iter().copied().max().unwrap_or_default()) {
            let white = indices().map(|index| {
                let moves = graph.moves.get(index as usize).iter();
                moves.map(|&next| lines.after(next, later)).max().unwrap_or(LOST)
            });
            let white: Vec<i32> = white.collect();
            let black = indices().map(|index| {
                let replies = graph.replies.get(index as usize).iter();
                match graph.after[index as usize].goes_on() {
                    true => replies.map(|&next| white[next as usize]).min().unwrap_or(LOST),
                    false => LOST,
                }
            });
            let black = black.collect();
            lines.black.push(black);
            lines.white.push(white);
        }
        lines
    }

    /// The value of White's move to this position, with so many more moves. An early mate is better.
    fn after(&self, next: u32, later: usize) -> i32 {
        match self.graph.after[next as usize] {
            AfterMove::Mate => MATE + later as i32,
            _ => self.black[later][next as usize],
        }
    }

    /// Where the line from this position with the bare king to move ends, after so many more moves of White; none if
    /// it ends in mate, in a draw or with the loss of a piece.
    fn end(&self, mut index: u32, mut later: usize) -> Option<u32> {
        loop {
            if !self.graph.after[index as usize].goes_on() {
                return None;
            }
            let Some(fewer) = later.checked_sub(1) else { return Some(index) };
            let value = self.black[later][index as usize];
            let mut replies = self.graph.replies.get(index as usize).iter();
            let reply = *replies.find(|&&next| self.white[fewer][next as usize] == value)?;
            let mut moves = self.graph.moves.get(reply as usize).iter();
            index = *moves.find(|&&next| self.after(next, fewer) == value)?;
            later = fewer;
        }
    }

    /// A game from a random won position, with searches that look so many moves ahead, against a random one of the
    /// longest defences.
    fn play(&self, moves: u8, mut random: SplitMix64) -> Game {
        let graph = self.graph;
        let later = usize::from(moves) - 1;
        let start = graph.won[random.below(graph.won.len())];
        let least = u32::from(graph.moves_to_mate(start).unwrap_or_default());
        let mut game = Game { above: None, ends: Vec::new() };
        let mut index = start;
        for played in 1..=u32::from(FIFTY_MOVES) {
            let all = graph.moves.get(index as usize);
            let value = self.white[later][index as usize];
            let Some(&best) = all.iter().find(|&&next| self.after(next, later) == value) else {
                break;
            };
            for &next in all {
                let weight = if next == best { 1.0 } else { OTHER_MOVE };
                game.ends.extend(self.end(next, later).map(|end| (end, weight)));
            }
            if graph.after[best as usize] == AfterMove::Mate {
                game.above = Some(played - least);
                break;
            }
            if graph.moves_to_mate_after(best).is_none()
                || graph.after[best as usize] == AfterMove::Drawn
            {
                break;
            }
            let replies = graph.replies.get(best as usize).iter().copied();
            let plies = |reply: u32| graph.plies[reply as usize];
            let most = replies.clone().map(plies).max();
            let longest: Vec<u32> = replies.filter(|&it| Some(plies(it)) == most).collect();
            index = longest[random.below(longest.len())];
        }
        game
    }
}
