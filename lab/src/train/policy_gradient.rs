//! The policy gradient, and its descent.

use super::Trainer;
use super::features::Features;
use super::full_width::{FullWidthSearch, is_mate};
use crate::adam::{Adam, AdamSettings};
use rayon::prelude::*;
use tropism::endings::{AfterMove, Graph};
use tropism::random::SplitMix64;

/// The second moment follows the gradient faster than usual, because visits change with the policy. The
/// decay bounds sums of hundreds of weights: Adam moves a weight with a weak gradient as far as one with
/// a strong gradient.
const ADAM: AdamSettings = AdamSettings { beta: [0.9, 0.99], epsilon: 1e-6, decay: 0.05 };

/// The share of the new weights in their running mean.
const MEAN: f64 = 0.04;

/// The factor of the learning rate after a restart, and after an improvement.
const RATE_DOWN: f64 = 0.7;
const RATE_UP: f64 = 1.2;

/// Positions per gradient.
const BATCH: usize = 16_000;

/// Gradient steps per iteration, where they are cheap.
const STEPS: usize = 4;

/// A search of at most this many plies can evaluate leaves when they are needed.
const SHALLOW: u32 = 2;

/// Positions per task of a thread.
const CHUNK: usize = 1 << 11;

/// Backups of costs and visits per iteration, and in the first iterations after a start or restart.
const BACKUPS: usize = 8;
const FIRST_BACKUPS: usize = 60;

/// A move with a smaller probability is left out of the gradient.
const MIN_PROBABILITY: f32 = 1e-3;

/// The cost of giving the win away, in moves, above that of a cycle until the oracle takes over.
const DRAW_COST: f32 = 50.0;

/// The policy of one search depth, kept from iteration to iteration.
#[derive(Default)]
struct Depth {
    plies: u32,
    /// By index with White to move, the expected moves to mate against the worst defence.
    cost: Vec<f32>,
    /// By index with White to move, the visit distribution: how often games that start from all distances
    /// to mate alike reach the position before the oracle takes over, against the worst defence.
    visits: Vec<f32>,
}

/// The positions of the training.
struct Scope {
    /// The largest distance to mate, in moves.
    moves: u8,
    /// All positions, by index.
    positions: Vec<u32>,
    /// The same, one list for each distance to mate.
    by_distance: Vec<Vec<u32>>,
    /// By index, the probability of a position at the start when all distances are alike; 1 on average.
    share: Vec<f32>,
    /// The positions with Black to move after their moves.
    leaves: Vec<u32>,
}

impl Scope {
    fn new(graph: &Graph, within: u8) -> Scope {
        let near = |&index: &u32| graph.moves_to_mate(index).is_some_and(|moves| moves <= within);
        let positions: Vec<u32> = graph.won.iter().copied().filter(near).collect();
        let mut by_distance = vec![Vec::new(); usize::from(u8::MAX) + 1];
        for &index in &positions {
            by_distance[usize::from(graph.plies[index as usize].unwrap_or_default())].push(index);
        }
        by_distance.retain(|positions| !positions.is_empty());
        let mut share = vec![0.0; graph.entry_count()];
        for same_distance in &by_distance {
            let each = positions.len() as f32 / (by_distance.len() * same_distance.len()) as f32;
            same_distance.iter().for_each(|&index| share[index as usize] = each);
        }
        let leaves = after_moves(graph, &positions);
        Scope { moves: within, positions, by_distance, share, leaves }
    }
}

/// The positions with Black to move that moves from these positions lead to.
fn after_moves(graph: &Graph, positions: &[u32]) -> Vec<u32> {
    let mut is_reached = vec![false; graph.entry_count()];
    for &index in positions {
        graph.moves.get(index as usize).iter().for_each(|&to| is_reached[to as usize] = true);
    }
    (0..).zip(is_reached).filter(|(_, is_reached)| *is_reached).map(|(index, _)| index).collect()
}

/// Gradient descent on the expected cost of the games of a policy.
///
/// The policy chooses moves by the softmax of their search values (policy gradient, Sutton and others
/// 2000). Costs and the visit distribution are not sampled: they are backed up through the graph of the
/// ending, against the defence that lasts longest.
///
/// After each move an oracle may take over, which mates in as many moves as the table says. So a policy
/// that never mates still learns which moves are better (Ross and Bagnell 2014). The smaller the
/// probability of the oracle, the more the policy must mate by itself.
pub(super) struct PolicyGradient<'a> {
    trainer: &'a Trainer,
    graph: &'a Graph,
    features: &'a Features,
    scope: Scope,
    /// All positions with Black to move.
    all_leaves: Vec<u32>,
    /// The mean cost above the minimum at the largest distances of the scope, in moves.
    excess_beyond: f32,
    depths: Vec<Depth>,
    pub(super) weights: Vec<f64>,
    /// Their running mean.
    pub(super) mean: Vec<f64>,
    adam: Adam,
    rate: f64,
    iterations: usize,
    /// Iterations since the start or the last restart.
    since_restart: usize,
    random: SplitMix64,
}

impl<'a> PolicyGradient<'a> {
    pub(super) fn new(
        trainer: &'a Trainer,
        graph: &'a Graph,
        features: &'a Features,
        weights: Vec<f64>,
    ) -> PolicyGradient<'a> {
        let new_depth = |plies: &u32| Depth {
            plies: *plies,
            cost: vec![0.0; graph.entry_count()],
            visits: vec![1.0; graph.entry_count()],
        };
        PolicyGradient {
            trainer,
            graph,
            features,
            scope: Scope::new(graph, trainer.within),
            all_leaves: (0..graph.entry_count() as u32).collect(),
            excess_beyond: 0.0,
            depths: trainer.plies.iter().map(new_depth).collect(),
            mean: weights.clone(),
            adam: Adam::new(ADAM, features.informative()),
            weights,
            rate: trainer.rate,
            iterations: 0,
            since_restart: 0,
            random: SplitMix64(trainer.seed),
        }
    }

    /// The positions of the training, by index.
    pub(super) fn positions(&self) -> &[u32] {
        &self.scope.positions
    }

    /// The cost of giving the win away, in moves: more than a cycle until the oracle takes over.
    fn draw_cost(&self) -> f32 {
        DRAW_COST + 1.0 / self.takeover()
    }

    fn takeover(&self) -> f32 {
        self.trainer.takeover as f32
    }

    /// Raises the learning rate after an improvement, at most to its first value.
    pub(super) fn raise_rate(&mut self) {
        self.rate = f64::min(self.rate * RATE_UP, self.trainer.rate);
    }

    /// Continues from these weights with a lower learning rate.
    pub(super) fn restart_from(&mut self, weights: &[f64]) {
        self.rate *= RATE_DOWN;
        self.weights = weights.to_vec();
        self.mean = weights.to_vec();
        self.adam.reset_momentum();
        self.since_restart = 0;
    }

    /// One iteration at one depth; the depths take turns.
    pub(super) fn iterate(&mut self) {
        let number = self.iterations % self.depths.len();
        let backups = if self.since_restart < self.depths.len() { FIRST_BACKUPS } else { BACKUPS };
        self.iterations += 1;
        self.since_restart += 1;
        let Depth { plies, mut cost, mut visits } = std::mem::take(&mut self.depths[number]);
        let mut search = self.search(&self.weights, plies, &self.scope.leaves);
        let choices = search.choices(&self.scope.positions, |index| self.cost_after(index, &cost));
        for _ in 0..backups {
            self.back_up_costs(&choices, &mut cost);
        }
        let next = self.defences(&choices, &cost);
        for _ in 0..backups {
            visits = self.propagate_visits(&next, &visits);
        }
        let steps = if plies > SHALLOW { 1 } else { STEPS };
        for step in 1..=steps {
            let batch = self.batch();
            let gradient = self.gradient(&search, &batch, &cost, &visits);
            self.descend(&gradient);
            if step < steps {
                let weights = single_precision(&self.weights);
                search = FullWidthSearch::lazy(self.graph, self.features, weights, plies);
            }
        }
        self.excess_beyond = self.excess_at_the_border(&cost);
        self.depths[number] = Depth { plies, cost, visits };
    }

    /// A search that evaluates these leaves. A deeper search can reach any leaf.
    fn search(&self, weights: &[f64], plies: u32, leaves: &[u32]) -> FullWidthSearch<'a> {
        let leaves = if plies > SHALLOW { &self.all_leaves } else { leaves };
        let weights = single_precision(weights);
        FullWidthSearch::new(self.graph, self.features, weights, plies, leaves)
    }

    /// By index, where the move leads that a search with these weights chooses, in all won positions, at
    /// one of the depths. Of equal moves the worst counts, because the weights do not decide which one the
    /// engine finds first.
    pub(super) fn choices(&self, weights: &[f64], depth: usize) -> Vec<Option<u32>> {
        let Depth { plies, cost, .. } = &self.depths[depth];
        let search = self.search(weights, *plies, &self.all_leaves);
        search.choices(&self.graph.won, |index| self.cost_after(index, cost))
    }

    /// Random positions: each distance to mate has the same probability.
    fn batch(&mut self) -> Vec<u32> {
        let PolicyGradient { scope, random, .. } = self;
        let mut draw = || {
            let same_distance = &scope.by_distance[random.below(scope.by_distance.len())];
            same_distance[random.below(same_distance.len())]
        };
        (0..BATCH).map(|_| draw()).collect()
    }

    /// The expected cost after a move that leads to this position with Black to move, in moves.
    fn cost_after(&self, index: u32, cost: &[f32]) -> f32 {
        match self.graph.after[index as usize] {
            AfterMove::Mate => 0.0,
            AfterMove::Drawn | AfterMove::Illegal => self.draw_cost(),
            AfterMove::Check | AfterMove::Quiet => {
                let replies = self.graph.replies.get(index as usize).iter();
                replies.map(|&next| self.cost_at(next, cost)).fold(0.0, f32::max)
            }
        }
    }

    /// The expected cost of a position with White to move, played by the policy or by the oracle.
    fn cost_at(&self, index: u32, cost: &[f32]) -> f32 {
        let Some(moves) = self.graph.moves_to_mate(index) else { return self.draw_cost() };
        let least = f32::from(moves);
        let policy = if moves > self.scope.moves {
            least + self.excess_beyond
        } else {
            cost[index as usize]
        };
        self.takeover() * least + (1.0 - self.takeover()) * policy
    }

    fn back_up_costs(&self, choices: &[Option<u32>], cost: &mut [f32]) {
        let costs: Vec<f32> = self
            .scope
            .positions
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&index| match choices[index as usize] {
                Some(chosen) => 1.0 + self.cost_after(chosen, cost),
                None => self.draw_cost(),
            })
            .collect();
        for (&index, value) in self.scope.positions.iter().zip(costs) {
            cost[index as usize] = value;
        }
    }

    /// The mean cost above the minimum at the two largest distances of the scope, in moves. Positions beyond
    /// the scope are taken to be as hard.
    fn excess_at_the_border(&self, cost: &[f32]) -> f32 {
        let border = self.scope.by_distance.iter().rev().take(2).flatten();
        let excess = border.map(|&index| {
            let least = self.graph.moves_to_mate(index).unwrap_or_default();
            cost[index as usize] - f32::from(least)
        });
        let (sum, count) =
            excess.fold((0.0, 0.0), |(sum, count), excess| (sum + excess, count + 1.0));
        sum / f32::max(count, 1.0)
    }

    /// For each position of the scope, the next position after the worst defence.
    fn defences(&self, choices: &[Option<u32>], cost: &[f32]) -> Vec<Option<u32>> {
        let worst = |&index: &u32| {
            let replies = self.graph.replies.get(choices[index as usize]? as usize).iter();
            let won = replies.filter(|&&next| self.graph.plies[next as usize].is_some());
            won.max_by(|&&a, &&b| self.cost_at(a, cost).total_cmp(&self.cost_at(b, cost))).copied()
        };
        self.scope.positions.par_iter().with_min_len(CHUNK).map(worst).collect()
    }

    fn propagate_visits(&self, next: &[Option<u32>], visits: &[f32]) -> Vec<f32> {
        let mut propagated = vec![0.0; visits.len()];
        for (&index, next) in self.scope.positions.iter().zip(next) {
            propagated[index as usize] += self.scope.share[index as usize];
            if let Some(next) = next {
                propagated[*next as usize] += (1.0 - self.takeover()) * visits[index as usize];
            }
        }
        propagated
    }

    /// The mean gradient of the cost over a batch.
    fn gradient(
        &self,
        search: &FullWidthSearch,
        batch: &[u32],
        cost: &[f32],
        visits: &[f32],
    ) -> Vec<f64> {
        let sum_of = |positions: &[u32]| {
            let mut gradient = vec![0.0; self.weights.len()];
            for &index in positions {
                // The batch follows `share`, the gradient the visits. The square root limits the few
                // positions that nearly all games pass through.
                let weight = (visits[index as usize] / self.scope.share[index as usize]).sqrt();
                self.add_gradient(search, index, weight, cost, &mut gradient);
            }
            gradient
        };
        // Added in a fixed order, so that a training can be repeated.
        let parts: Vec<Vec<f32>> = batch.par_chunks(CHUNK).map(sum_of).collect();
        let mut gradient = vec![0.0; self.weights.len()];
        for part in parts {
            for (sum, slope) in gradient.iter_mut().zip(part) {
                *sum += f64::from(slope) / BATCH as f64;
            }
        }
        gradient
    }

    /// Adds the gradient of one position.
    fn add_gradient(
        &self,
        search: &FullWidthSearch,
        index: u32,
        weight: f32,
        cost: &[f32],
        gradient: &mut [f32],
    ) {
        let moves = self.graph.moves.get(index as usize).iter();
        let valued: Vec<(u32, f32)> = moves.map(|&to| (to, search.value(to))).collect();
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
            let probability = share / sum;
            if probability < MIN_PROBABILITY {
                continue;
            }
            let Some((turn, leaf)) = search.leaf(to) else { continue };
            let slope = weight * probability * (cost - expected);
            for &(weight, count) in self.features.counts(turn, leaf) {
                gradient[usize::from(weight)] += slope * f32::from(count);
            }
        }
    }

    fn descend(&mut self, gradient: &[f64]) {
        self.adam.step(&mut self.weights, gradient, self.rate);
        for (mean, weight) in self.mean.iter_mut().zip(&self.weights) {
            *mean += MEAN * (weight - *mean);
        }
    }
}

/// Weights as the search uses them.
fn single_precision(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|&weight| weight as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::endgame::Endgames;

    /// Calls `check` with a training of king and rook, without weights, from positions within `within`
    /// moves of mate.
    fn with_training(within: u8, takeover: f64, check: impl Fn(&mut PolicyGradient)) {
        let ending = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(ending, |_| ());
        let table = endgames.table(&ending).unwrap();
        let graph = Graph::new(table);
        let engine = tropism::default_engine().unwrap();
        let trainer = Trainer { within, takeover, ..super::super::tests::trainer("KRK", "krk") };
        let features = Features::new(table, &engine, &[], trainer.temperature);
        check(&mut PolicyGradient::new(&trainer, &graph, &features, Vec::new()));
    }

    #[test]
    fn all_distances_to_mate_have_the_same_share() {
        with_training(5, 0.5, |training| {
            let plies = |index: u32| training.graph.plies[index as usize].unwrap();
            let near = training.graph.won.iter().filter(|&&index| plies(index) <= 9);
            assert_eq!(near.count(), training.positions().len());
            let total = training.positions().len() as f32;
            for moves in 1..=5 {
                let same_distance = |index: &&u32| plies(**index) == 2 * moves - 1;
                let positions = training.positions().iter().filter(same_distance);
                let share: f32 = positions.map(|&index| training.scope.share[index as usize]).sum();
                assert!((share / total - 0.2).abs() < 1e-3, "{moves} moves: {share}");
            }
        });
    }

    #[test]
    fn the_oracle_takes_over_with_the_probability_given() {
        with_training(5, 0.25, |training| {
            training.excess_beyond = 8.0;
            let cost = vec![20.0; training.graph.entry_count()];
            for index in 0..training.graph.entry_count() as u32 {
                let expected = match training.graph.moves_to_mate(index) {
                    // Fifty moves more than a cycle until the oracle takes over.
                    None => 54.0,
                    Some(least @ ..=5) => 0.25 * f32::from(least) + 0.75 * 20.0,
                    Some(least) => f32::from(least) + 0.75 * 8.0,
                };
                assert_eq!(training.cost_at(index, &cost), expected, "index {index}");
            }
        });
    }

    #[test]
    fn the_learning_rate_falls_with_restarts_and_never_exceeds_its_first_value() {
        with_training(5, 0.25, |training| {
            training.raise_rate();
            assert_eq!(training.rate, 0.1);
            training.restart_from(&[]);
            training.restart_from(&[]);
            assert!((training.rate - 0.049).abs() < 1e-6);
            training.raise_rate();
            assert!((training.rate - 0.0588).abs() < 1e-6);
        });
    }
}
