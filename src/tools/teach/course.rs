//! The way from weights to better ones.

use super::super::policy::{After, Graph};
use super::features::Features;
use super::levels::{Levels, is_mate, is_thrown_away};
use crate::random::SplitMix64;
use rayon::prelude::*;

/// Adam's memory of gradients and of their squares, and what keeps it from dividing by nothing.
const MEMORY: [f32; 2] = [0.9, 0.99];
const EPSILON: f32 = 1e-6;

/// After so many steps, steps are half as long as at first.
const HALF_AS_LONG: f32 = 300.0;

/// How much of each step's weights goes into their running mean.
const MEAN: f32 = 0.02;

/// At most so many positions make one gradient.
const BATCH: usize = 60_000;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 11;

/// How often costs and visits are handed on in each step, and before the first one.
const ROUNDS: usize = 8;
const FIRST_ROUNDS: usize = 60;

/// Moves that a search would take less often than this are left out.
const SELDOM: f32 = 1e-3;

/// What one search depth makes of the ending, kept up to date from step to step.
struct Depth {
    plies: u32,
    /// By place with White to move, the discounted moves to mate against the worst defence.
    cost: Vec<f32>,
    /// By place, how often it is met when each won position is a start and the worst defence is played:
    /// the discounted measure of visits that the gradient of a policy is weighed with.
    visits: Vec<f32>,
}

/// Weights on their way.
///
/// The search is taken for a player who prefers moves by the softmax of their values; the gradient of
/// what its games cost (Sutton and others 2000) says how each weight should change. Costs and visits are
/// not sampled but handed through the graph, with the defence that lasts longest.
pub(super) struct Course<'a> {
    graph: &'a Graph,
    features: &'a Features,
    /// How much a move later counts than the one before.
    discount: f32,
    rate: f32,
    depths: Vec<Depth>,
    pub(super) weights: Vec<f32>,
    /// Their running mean, which is steadier.
    pub(super) mean: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
    random: SplitMix64,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        features: &'a Features,
        plies: &[u32],
        weights: Vec<f32>,
        discount: f32,
        rate: f32,
    ) -> Course<'a> {
        let fresh = |plies: &u32| Depth {
            plies: *plies,
            cost: vec![0.0; graph.len()],
            visits: vec![1.0; graph.len()],
        };
        Course {
            graph,
            features,
            discount,
            rate,
            depths: plies.iter().map(fresh).collect(),
            mean: weights.clone(),
            first: vec![0.0; weights.len()],
            second: vec![0.0; weights.len()],
            weights,
            steps: 0,
            random: SplitMix64(1),
        }
    }

    /// What it costs to throw the win away: as much as never to mate.
    fn never(&self) -> f32 {
        1.0 / (1.0 - self.discount)
    }

    /// One step at one depth, each in its turn.
    pub(super) fn step(&mut self) {
        let number = self.steps as usize % self.depths.len();
        let first_time = (self.steps as usize) < self.depths.len();
        let rounds = if first_time { FIRST_ROUNDS } else { ROUNDS };
        self.steps += 1;
        let plies = self.depths[number].plies;
        let mut cost = std::mem::take(&mut self.depths[number].cost);
        let mut visits = std::mem::take(&mut self.depths[number].visits);
        let batch = self.batch();
        let levels = Levels::new(self.graph, self.features, &self.weights, plies);
        let choices = levels.choices(|place| self.cost_after(place, &cost));
        for _ in 0..rounds {
            self.hand_on_costs(&choices, &mut cost);
        }
        let next = self.defences(&choices, &cost);
        for _ in 0..rounds {
            visits = self.hand_on_visits(&next, &visits);
        }
        let gradient = self.gradient(&levels, &batch, &cost, &visits);
        self.descend(&gradient, batch.len());
        self.depths[number] = Depth { plies, cost, visits };
    }

    /// By place, where moves lead that a search with these weights chooses at one of the depths. Of
    /// equal moves the worse is taken: which one the engine finds first is no merit of its weights.
    pub(super) fn choices(&self, weights: &[f32], depth: usize) -> Vec<Option<u32>> {
        let Depth { plies, cost, .. } = &self.depths[depth];
        let levels = Levels::new(self.graph, self.features, weights, *plies);
        levels.choices(|place| self.cost_after(place, cost))
    }

    /// All won positions, or as many as make a batch.
    fn batch(&mut self) -> Vec<u32> {
        let won = &self.graph.won;
        if won.len() <= BATCH {
            return won.clone();
        }
        (0..BATCH).map(|_| won[self.random.below(won.len())]).collect()
    }

    /// What is still to be paid after a move that leads to this place.
    fn cost_after(&self, place: u32, cost: &[f32]) -> f32 {
        match self.graph.after[place as usize] {
            After::Mate => 0.0,
            After::Drawn | After::Illegal => self.never(),
            After::Check | After::Quiet => {
                let replies = self.graph.replies.get(place as usize).iter();
                let costs = replies.map(|&next| match self.graph.plies[next as usize] {
                    Some(_) => cost[next as usize],
                    None => self.never(),
                });
                self.discount * costs.fold(0.0, f32::max)
            }
        }
    }

    fn hand_on_costs(&self, choices: &[Option<u32>], cost: &mut [f32]) {
        let costs: Vec<f32> = self
            .graph
            .won
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&place| match choices[place as usize] {
                Some(chosen) => 1.0 + self.cost_after(chosen, cost),
                None => self.never(),
            })
            .collect();
        for (&place, value) in self.graph.won.iter().zip(costs) {
            cost[place as usize] = value;
        }
    }

    /// For each won position, the next one that the worst defence leads to.
    fn defences(&self, choices: &[Option<u32>], cost: &[f32]) -> Vec<Option<u32>> {
        let worst = |&place: &u32| {
            let replies = self.graph.replies.get(choices[place as usize]? as usize).iter();
            let won = replies.filter(|&&next| self.graph.plies[next as usize].is_some());
            won.max_by(|&&a, &&b| cost[a as usize].total_cmp(&cost[b as usize])).copied()
        };
        self.graph.won.par_iter().with_min_len(CHUNK).map(worst).collect()
    }

    fn hand_on_visits(&self, next: &[Option<u32>], visits: &[f32]) -> Vec<f32> {
        let mut handed = vec![0.0; visits.len()];
        for (&place, next) in self.graph.won.iter().zip(next) {
            handed[place as usize] += 1.0;
            if let Some(next) = next {
                handed[*next as usize] += self.discount * visits[place as usize];
            }
        }
        handed
    }

    fn gradient(&self, levels: &Levels, batch: &[u32], cost: &[f32], visits: &[f32]) -> Vec<f32> {
        let of = |places: &[u32]| {
            let mut gradient = vec![0.0; self.weights.len()];
            for &place in places {
                // The root keeps the few positions that everything runs through from being all that
                // counts.
                let weight = visits[place as usize].sqrt();
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
    fn descend(&mut self, gradient: &[f32], size: usize) {
        let rate = self.rate / (1.0 + self.steps as f32 / HALF_AS_LONG);
        let unbiased = |memory: f32| 1.0 - memory.powi(self.steps);
        for (i, slope) in gradient.iter().enumerate() {
            let slope = slope / size as f32;
            self.first[i] += (1.0 - MEMORY[0]) * (slope - self.first[i]);
            self.second[i] += (1.0 - MEMORY[1]) * (slope * slope - self.second[i]);
            let first = self.first[i] / unbiased(MEMORY[0]);
            let second = self.second[i] / unbiased(MEMORY[1]);
            self.weights[i] -= rate * first / (second.sqrt() + EPSILON);
            self.mean[i] += MEAN * (self.weights[i] - self.mean[i]);
        }
    }
}
