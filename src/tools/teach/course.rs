//! The way from weights to better ones.

use super::super::policy::{After, Graph};
use super::features::Features;
use super::levels::{Levels, is_mate, is_thrown_away};
use crate::random::SplitMix64;
use rayon::prelude::*;

/// Adam's memory of gradients and of their squares, and what keeps it from dividing by nothing.
const MEMORY: [f32; 2] = [0.9, 0.99];
const EPSILON: f32 = 1e-6;

/// After so many strides, strides are half as long as at first.
const HALF_AS_LONG: f32 = 800.0;

/// How much of each stride's weights goes into their running mean.
const MEAN: f32 = 0.02;

/// So many positions make one gradient.
const BATCH: usize = 16_000;

/// Strides down the gradient in one step, where they are cheap.
const STRIDES: usize = 4;

/// Searches of so many plies look at no more than the leaves they are asked for.
const SHALLOW: u32 = 2;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 11;

/// How often costs and visits are handed on in each step, and before the first one.
const ROUNDS: usize = 8;
const FIRST_ROUNDS: usize = 60;

/// Moves that a search would take less often than this are left out.
const SELDOM: f32 = 1e-3;

/// What it costs to throw the win away: so many moves more than to go in circles until the perfect player
/// takes over.
const THROWN_AWAY: f32 = 50.0;

/// What one search depth makes of the ending, kept up to date from step to step.
struct Depth {
    plies: u32,
    /// By place with White to move, the moves to mate that are expected against the worst defence.
    cost: Vec<f32>,
    /// By place, how often it is met when every distance to mate is as likely at the start and the worst defence
    /// is played until the perfect player takes over.
    visits: Vec<f32>,
}

/// The positions that are learnt from.
struct Scope {
    /// The farthest from mate, in moves.
    moves: u8,
    /// All of them.
    places: Vec<u32>,
    /// By distance to mate in plies, those that far away.
    by_distance: Vec<Vec<u32>>,
    /// By place, how likely it is at the start, every distance being as likely; 1 in the mean.
    share: Vec<f32>,
    /// The places with Black to move that their moves lead to.
    leaves: Vec<u32>,
}

impl Scope {
    fn new(graph: &Graph, within: u8) -> Scope {
        let plies = |place: u32| graph.plies[place as usize].unwrap_or_default();
        let near = |&place: &u32| plies(place).div_ceil(2) <= within;
        let places: Vec<u32> = graph.won.iter().copied().filter(near).collect();
        let mut by_distance = vec![Vec::new(); usize::from(u8::MAX) + 1];
        for &place in &places {
            by_distance[usize::from(plies(place))].push(place);
        }
        by_distance.retain(|places| !places.is_empty());
        let mut share = vec![0.0; graph.len()];
        for as_far in &by_distance {
            let each = places.len() as f32 / (by_distance.len() * as_far.len()) as f32;
            as_far.iter().for_each(|&place| share[place as usize] = each);
        }
        let leaves = after_moves(graph, &places);
        Scope { moves: within, places, by_distance, share, leaves }
    }
}

/// The places with Black to move that moves lead to from these.
fn after_moves(graph: &Graph, places: &[u32]) -> Vec<u32> {
    let mut is_met = vec![false; graph.len()];
    for &place in places {
        graph.moves.get(place as usize).iter().for_each(|&to| is_met[to as usize] = true);
    }
    (0..).zip(is_met).filter(|(_, is_met)| *is_met).map(|(place, _)| place).collect()
}

/// Weights on their way.
///
/// The search is taken for a player who prefers moves by the softmax of their values; the gradient of
/// what its games cost (Sutton and others 2000) says how each weight should change. Costs and visits are
/// not sampled but handed through the graph, with the defence that lasts longest.
///
/// After each move a perfect player may take over, who mates in as many moves as the table says: so a
/// search that never mates still learns which of its moves are the better ones (Ross and Bagnell 2014), and the
/// seldomer the player comes, the more it has to do on its own.
pub(super) struct Course<'a> {
    graph: &'a Graph,
    features: &'a Features,
    /// How likely the perfect player takes over after a move.
    takeover: f32,
    rate: f32,
    scope: Scope,
    /// Where the positions just within the scope lead on average: moves above the minimum.
    beyond: f32,
    depths: Vec<Depth>,
    pub(super) weights: Vec<f32>,
    /// Their running mean, which is steadier.
    pub(super) mean: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: usize,
    strides: i32,
    random: SplitMix64,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        features: &'a Features,
        plies: &[u32],
        weights: Vec<f32>,
        [takeover, rate]: [f32; 2],
        within: u8,
    ) -> Course<'a> {
        let fresh = |plies: &u32| Depth {
            plies: *plies,
            cost: vec![0.0; graph.len()],
            visits: vec![1.0; graph.len()],
        };
        Course {
            graph,
            features,
            takeover,
            rate,
            scope: Scope::new(graph, within),
            beyond: 0.0,
            depths: plies.iter().map(fresh).collect(),
            mean: weights.clone(),
            first: vec![0.0; weights.len()],
            second: vec![0.0; weights.len()],
            weights,
            steps: 0,
            strides: 0,
            random: SplitMix64(1),
        }
    }

    fn thrown_away(&self) -> f32 {
        THROWN_AWAY + 1.0 / self.takeover
    }

    /// One step at one depth, each in its turn.
    pub(super) fn step(&mut self) {
        let number = self.steps % self.depths.len();
        let rounds = if self.steps < self.depths.len() { FIRST_ROUNDS } else { ROUNDS };
        self.steps += 1;
        let plies = self.depths[number].plies;
        let mut cost = std::mem::take(&mut self.depths[number].cost);
        let mut visits = std::mem::take(&mut self.depths[number].visits);
        let (batch, weights) = (self.batch(), self.weights.clone());
        let levels = self.levels(&weights, plies, &self.scope.leaves);
        let choices = levels.choices(&self.scope.places, |place| self.cost_after(place, &cost));
        for _ in 0..rounds {
            self.hand_on_costs(&choices, &mut cost);
        }
        let next = self.defences(&choices, &cost);
        for _ in 0..rounds {
            visits = self.hand_on_visits(&next, &visits);
        }
        let gradient = self.gradient(&levels, &batch, &cost, &visits);
        self.descend(&gradient);
        let more = if plies > SHALLOW { 0 } else { STRIDES - 1 };
        for _ in 0..more {
            let (batch, weights) = (self.batch(), self.weights.clone());
            let levels = Levels::unswept(self.graph, self.features, &weights, plies);
            let gradient = self.gradient(&levels, &batch, &cost, &visits);
            self.descend(&gradient);
        }
        self.beyond = self.above_minimum_at_the_far_end(&cost);
        self.depths[number] = Depth { plies, cost, visits };
    }

    /// The searches that leaves are enough for: deeper ones look at all there are.
    fn levels<'b>(&'b self, weights: &'b [f32], plies: u32, leaves: &[u32]) -> Levels<'b> {
        let all: Vec<u32>;
        let leaves = if plies > SHALLOW {
            all = (0..self.graph.len() as u32).collect();
            &all
        } else {
            leaves
        };
        Levels::new(self.graph, self.features, weights, plies, leaves)
    }

    /// By place, where moves lead that a search with these weights chooses at one of the depths, in all won
    /// positions. Of equal moves the worse is taken: which one the engine finds first is no merit of its
    /// weights.
    pub(super) fn choices(&self, weights: &[f32], depth: usize) -> Vec<Option<u32>> {
        let Depth { plies, cost, .. } = &self.depths[depth];
        let leaves = after_moves(self.graph, &self.graph.won);
        let levels = self.levels(weights, *plies, &leaves);
        levels.choices(&self.graph.won, |place| self.cost_after(place, cost))
    }

    /// Positions drawn by lot, every distance to mate being as likely.
    fn batch(&mut self) -> Vec<u32> {
        let Course { scope, random, .. } = self;
        let mut draw = || {
            let as_far = &scope.by_distance[random.below(scope.by_distance.len())];
            as_far[random.below(as_far.len())]
        };
        (0..BATCH).map(|_| draw()).collect()
    }

    /// What is still to be paid after a move that leads to this place.
    fn cost_after(&self, place: u32, cost: &[f32]) -> f32 {
        match self.graph.after[place as usize] {
            After::Mate => 0.0,
            After::Drawn | After::Illegal => self.thrown_away(),
            After::Check | After::Quiet => {
                let replies = self.graph.replies.get(place as usize).iter();
                replies.map(|&next| self.cost_at(next, cost)).fold(0.0, f32::max)
            }
        }
    }

    /// What is to be paid at a place, by the search or by the perfect player.
    fn cost_at(&self, place: u32, cost: &[f32]) -> f32 {
        let Some(plies) = self.graph.plies[place as usize] else { return self.thrown_away() };
        let moves = plies.div_ceil(2);
        let least = f32::from(moves);
        let alone =
            if moves > self.scope.moves { least + self.beyond } else { cost[place as usize] };
        self.takeover * least + (1.0 - self.takeover) * alone
    }

    fn hand_on_costs(&self, choices: &[Option<u32>], cost: &mut [f32]) {
        let costs: Vec<f32> = self
            .scope
            .places
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&place| match choices[place as usize] {
                Some(chosen) => 1.0 + self.cost_after(chosen, cost),
                None => self.thrown_away(),
            })
            .collect();
        for (&place, value) in self.scope.places.iter().zip(costs) {
            cost[place as usize] = value;
        }
    }

    /// What lies beyond the scope is taken to be as hard as what lies just within.
    fn above_minimum_at_the_far_end(&self, cost: &[f32]) -> f32 {
        let far = self.scope.by_distance.iter().rev().take(2).flatten();
        let above = far.map(|&place| {
            let least = self.graph.plies[place as usize].unwrap_or_default().div_ceil(2);
            cost[place as usize] - f32::from(least)
        });
        let (sum, count) = above.fold((0.0, 0.0), |(sum, count), above| (sum + above, count + 1.0));
        sum / f32::max(count, 1.0)
    }

    /// For each position of the scope, the next one that the worst defence leads to.
    fn defences(&self, choices: &[Option<u32>], cost: &[f32]) -> Vec<Option<u32>> {
        let worst = |&place: &u32| {
            let replies = self.graph.replies.get(choices[place as usize]? as usize).iter();
            let won = replies.filter(|&&next| self.graph.plies[next as usize].is_some());
            won.max_by(|&&a, &&b| self.cost_at(a, cost).total_cmp(&self.cost_at(b, cost))).copied()
        };
        self.scope.places.par_iter().with_min_len(CHUNK).map(worst).collect()
    }

    fn hand_on_visits(&self, next: &[Option<u32>], visits: &[f32]) -> Vec<f32> {
        let mut handed = vec![0.0; visits.len()];
        for (&place, next) in self.scope.places.iter().zip(next) {
            handed[place as usize] += self.scope.share[place as usize];
            if let Some(next) = next {
                handed[*next as usize] += (1.0 - self.takeover) * visits[place as usize];
            }
        }
        handed
    }

    fn gradient(&self, levels: &Levels, batch: &[u32], cost: &[f32], visits: &[f32]) -> Vec<f32> {
        let of = |places: &[u32]| {
            let mut gradient = vec![0.0; self.weights.len()];
            for &place in places {
                // Drawn as often as its share says. The root keeps the few positions that everything
                // runs through from being all that counts.
                let weight = (visits[place as usize] / self.scope.share[place as usize]).sqrt();
                self.add_gradient(levels, place, weight, cost, &mut gradient);
            }
            gradient
        };
        // Added up in a fixed order, so that a lesson can be had again.
        let parts: Vec<Vec<f32>> = batch.par_chunks(CHUNK).map(of).collect();
        let mut gradient = vec![0.0; self.weights.len()];
        for part in parts {
            for (sum, slope) in gradient.iter_mut().zip(part) {
                *sum += slope;
            }
        }
        gradient
    }

    /// Adds what one position says.
    fn add_gradient(
        &self,
        levels: &Levels,
        place: u32,
        weight: f32,
        cost: &[f32],
        gradient: &mut [f32],
    ) {
        let moves = self.graph.moves.get(place as usize).iter();
        let valued = moves.map(|&to| (to, levels.value(to)));
        let valued: Vec<(u32, f32)> = valued.filter(|&(_, value)| !is_thrown_away(value)).collect();
        let best = valued.iter().map(|&(_, value)| value).fold(f32::MIN, f32::max);
        if is_mate(best) {
            return;
        }
        let shares: Vec<f32> = valued.iter().map(|&(_, value)| (value - best).exp()).collect();
        let sum: f32 = shares.iter().sum();
        let costs: Vec<f32> = valued.iter().map(|&(to, _)| self.cost_after(to, cost)).collect();
        let expected =
            shares.iter().zip(&costs).map(|(share, cost)| share * cost / sum).sum::<f32>();
        for ((&(to, _), share), cost) in valued.iter().zip(&shares).zip(&costs) {
            let share = share / sum;
            if share < SELDOM {
                continue;
            }
            let Some((turn, leaf)) = levels.leaf(to) else { continue };
            let push = weight * share * (cost - expected);
            for &(weight, count) in self.features.counts(turn, leaf) {
                gradient[usize::from(weight)] += push * f32::from(count);
            }
        }
    }

    /// Adam's step (Kingma and Ba 2014).
    fn descend(&mut self, gradient: &[f32]) {
        self.strides += 1;
        let rate = self.rate / (1.0 + self.strides as f32 / HALF_AS_LONG);
        let unbiased = |memory: f32| 1.0 - memory.powi(self.strides);
        for (i, slope) in gradient.iter().enumerate() {
            let slope = slope / BATCH as f32;
            self.first[i] += (1.0 - MEMORY[0]) * (slope - self.first[i]);
            self.second[i] += (1.0 - MEMORY[1]) * (slope * slope - self.second[i]);
            let first = self.first[i] / unbiased(MEMORY[0]);
            let second = self.second[i] / unbiased(MEMORY[1]);
            self.weights[i] -= rate * first / (second.sqrt() + EPSILON);
            self.mean[i] += MEAN * (self.weights[i] - self.mean[i]);
        }
    }
}
