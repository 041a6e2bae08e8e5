//! The way from weights to better ones.

use super::Lesson;
use super::features::Features;
use super::levels::{Levels, is_mate};
use rayon::prelude::*;
use tropism::endings::{AfterMove, Graph};
use tropism::random::SplitMix64;

/// Adam's memory of gradients and of their squares, and what keeps it from dividing by nothing.
const MEMORY: [f32; 2] = [0.9, 0.99];
const EPSILON: f32 = 1e-6;

/// How much of each stride's weights goes into their running mean.
const MEAN: f32 = 0.04;

/// Each stride also draws weights to 0, by this share of its length and of their size. Adam's strides are as long
/// for the weakest slope as for the strongest; without this, sums of hundreds of weights would go anywhere.
const DECAY: f32 = 0.05;

/// How much shorter strides become where they led nowhere, and how much longer where they did not.
const SHORTER: f32 = 0.7;
const LONGER: f32 = 1.2;

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
#[derive(Default)]
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
        let near = |&place: &u32| graph.moves_to_mate(place).is_some_and(|moves| moves <= within);
        let places: Vec<u32> = graph.won.iter().copied().filter(near).collect();
        let mut by_distance = vec![Vec::new(); usize::from(u8::MAX) + 1];
        for &place in &places {
            by_distance[usize::from(graph.plies[place as usize].unwrap_or_default())].push(place);
        }
        by_distance.retain(|places| !places.is_empty());
        let mut share = vec![0.0; graph.entry_count()];
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
    let mut is_met = vec![false; graph.entry_count()];
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
/// AfterMove each move a perfect player may take over, who mates in as many moves as the table says: so a
/// search that never mates still learns which of its moves are the better ones (Ross and Bagnell 2014), and the
/// seldomer the player comes, the more it has to do on its own.
pub(super) struct Course<'a> {
    lesson: &'a Lesson,
    graph: &'a Graph,
    features: &'a Features,
    scope: Scope,
    /// All places with Black to move.
    everywhere: Vec<u32>,
    /// Where the positions just within the scope lead on average: moves above the minimum.
    beyond: f32,
    depths: Vec<Depth>,
    pub(super) weights: Vec<f32>,
    /// Their running mean, which is steadier.
    pub(super) mean: Vec<f32>,
    /// Which of them there is anything to learn for.
    pub(super) telling: Vec<bool>,
    first: Vec<f32>,
    second: Vec<f32>,
    /// How long strides are by now.
    rate: f32,
    steps: usize,
    /// Steps since costs and visits were those of other weights.
    settled: usize,
    strides: i32,
    random: SplitMix64,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        lesson: &'a Lesson,
        graph: &'a Graph,
        features: &'a Features,
        weights: Vec<f32>,
    ) -> Course<'a> {
        let fresh = |plies: &u32| Depth {
            plies: *plies,
            cost: vec![0.0; graph.entry_count()],
            visits: vec![1.0; graph.entry_count()],
        };
        Course {
            lesson,
            graph,
            features,
            scope: Scope::new(graph, lesson.within),
            everywhere: (0..graph.entry_count() as u32).collect(),
            beyond: 0.0,
            depths: lesson.plies.iter().map(fresh).collect(),
            mean: weights.clone(),
            telling: features.telling(),
            first: vec![0.0; weights.len()],
            second: vec![0.0; weights.len()],
            weights,
            rate: lesson.rate,
            steps: 0,
            settled: 0,
            strides: 0,
            random: SplitMix64(1),
        }
    }

    /// The positions that are learnt from.
    pub(super) fn places(&self) -> &[u32] {
        &self.scope.places
    }

    fn thrown_away(&self) -> f32 {
        THROWN_AWAY + 1.0 / self.lesson.takeover
    }

    /// Strides may be longer again.
    pub(super) fn go_on(&mut self) {
        self.rate = f32::min(self.rate * LONGER, self.lesson.rate);
    }

    /// Goes back to these weights, to go on from there with shorter strides.
    pub(super) fn back_to(&mut self, weights: &[f32]) {
        self.rate *= SHORTER;
        self.weights = weights.to_vec();
        self.mean = weights.to_vec();
        self.first.fill(0.0);
        self.settled = 0;
    }

    /// One step at one depth, each in its turn.
    pub(super) fn step(&mut self) {
        let number = self.steps % self.depths.len();
        let rounds = if self.settled < self.depths.len() { FIRST_ROUNDS } else { ROUNDS };
        self.steps += 1;
        self.settled += 1;
        let Depth { plies, mut cost, mut visits } = std::mem::take(&mut self.depths[number]);
        let mut levels = self.levels(self.weights.clone(), plies, &self.scope.leaves);
        let choices = levels.choices(&self.scope.places, |place| self.cost_after(place, &cost));
        for _ in 0..rounds {
            self.hand_on_costs(&choices, &mut cost);
        }
        let next = self.defences(&choices, &cost);
        for _ in 0..rounds {
            visits = self.hand_on_visits(&next, &visits);
        }
        let strides = if plies > SHALLOW { 1 } else { STRIDES };
        for _ in 0..strides {
            let batch = self.batch();
            let gradient = self.gradient(&levels, &batch, &cost, &visits);
            self.descend(&gradient);
            levels = Levels::unswept(self.graph, self.features, self.weights.clone(), plies);
        }
        self.beyond = self.above_minimum_at_the_far_end(&cost);
        self.depths[number] = Depth { plies, cost, visits };
    }

    /// The searches that leaves are enough for: deeper ones look at all there are.
    fn levels(&self, weights: Vec<f32>, plies: u32, leaves: &[u32]) -> Levels<'a> {
        let leaves = if plies > SHALLOW { &self.everywhere } else { leaves };
        Levels::new(self.graph, self.features, weights, plies, leaves)
    }

    /// By place, where moves lead that a search with these weights chooses at one of the depths, in all won
    /// positions. Of equal moves the worse is taken: which one the engine finds first is no merit of its
    /// weights.
    pub(super) fn choices(&self, weights: &[f32], depth: usize) -> Vec<Option<u32>> {
        let Depth { plies, cost, .. } = &self.depths[depth];
        let levels = self.levels(weights.to_vec(), *plies, &self.everywhere);
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
            AfterMove::Mate => 0.0,
            AfterMove::Drawn | AfterMove::Illegal => self.thrown_away(),
            AfterMove::Check | AfterMove::Quiet => {
                let replies = self.graph.replies.get(place as usize).iter();
                replies.map(|&next| self.cost_at(next, cost)).fold(0.0, f32::max)
            }
        }
    }

    /// What is to be paid at a place, by the search or by the perfect player.
    fn cost_at(&self, place: u32, cost: &[f32]) -> f32 {
        let Some(moves) = self.graph.moves_to_mate(place) else { return self.thrown_away() };
        let least = f32::from(moves);
        let alone =
            if moves > self.scope.moves { least + self.beyond } else { cost[place as usize] };
        self.lesson.takeover * least + (1.0 - self.lesson.takeover) * alone
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
            let least = self.graph.moves_to_mate(place).unwrap_or_default();
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
                handed[*next as usize] += (1.0 - self.lesson.takeover) * visits[place as usize];
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
        let valued: Vec<(u32, f32)> = moves.map(|&to| (to, levels.value(to))).collect();
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

    /// Adam's step (Kingma and Ba 2014) with a decay of its own (Loshchilov and Hutter 2017).
    fn descend(&mut self, gradient: &[f32]) {
        self.strides += 1;
        let unbiased = |memory: f32| 1.0 - memory.powi(self.strides);
        for (i, slope) in gradient.iter().enumerate() {
            if !self.telling[i] {
                continue;
            }
            let slope = slope / BATCH as f32;
            self.first[i] += (1.0 - MEMORY[0]) * (slope - self.first[i]);
            self.second[i] += (1.0 - MEMORY[1]) * (slope * slope - self.second[i]);
            let first = self.first[i] / unbiased(MEMORY[0]);
            let second = self.second[i] / unbiased(MEMORY[1]);
            let wish = first / (second.sqrt() + EPSILON) + DECAY * self.weights[i];
            self.weights[i] -= self.rate * wish;
            self.mean[i] += MEAN * (self.weights[i] - self.mean[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::endgame::Endgames;

    /// A course without weights for king and rook, from positions within `within` moves of mate.
    fn with_course(within: u8, takeover: f32, ask: impl Fn(&mut Course)) {
        let ending = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(ending, |_| ());
        let table = endgames.table(&ending).unwrap();
        let graph = Graph::new(table);
        let engine = tropism::default_engine().unwrap();
        let lesson = Lesson {
            ending,
            terms: Vec::new(),
            plies: vec![1],
            steps: 0,
            rate: 0.1,
            takeover,
            within,
            unit: 12.0,
        };
        let features = Features::new(table, &engine, &[], lesson.unit);
        ask(&mut Course::new(&lesson, &graph, &features, Vec::new()));
    }

    #[test]
    fn every_distance_to_mate_is_as_likely() {
        with_course(5, 0.5, |course| {
            let plies = |place: u32| course.graph.plies[place as usize].unwrap();
            let near = course.graph.won.iter().filter(|&&place| plies(place) <= 9);
            assert_eq!(near.count(), course.places().len());
            let total = course.places().len() as f32;
            for moves in 1..=5 {
                let as_far = |place: &&u32| plies(**place) == 2 * moves - 1;
                let those = course.places().iter().filter(as_far);
                let share: f32 = those.map(|&place| course.scope.share[place as usize]).sum();
                assert!((share / total - 0.2).abs() < 1e-3, "{moves} moves: {share}");
            }
        });
    }

    #[test]
    fn the_perfect_player_takes_over_as_often_as_said() {
        with_course(5, 0.25, |course| {
            course.beyond = 8.0;
            let cost = vec![20.0; course.graph.entry_count()];
            for place in 0..course.graph.entry_count() as u32 {
                let expected = match course.graph.moves_to_mate(place) {
                    // Fifty moves more than to go in circles until the player comes.
                    None => 54.0,
                    Some(least @ ..=5) => 0.25 * f32::from(least) + 0.75 * 20.0,
                    Some(least) => f32::from(least) + 0.75 * 8.0,
                };
                assert_eq!(course.cost_at(place, &cost), expected, "place {place}");
            }
        });
    }

    #[test]
    fn strides_are_shorter_after_going_back_and_never_longer_than_at_first() {
        with_course(5, 0.25, |course| {
            course.go_on();
            assert_eq!(course.rate, 0.1);
            course.back_to(&[]);
            course.back_to(&[]);
            assert!((course.rate - 0.049).abs() < 1e-6);
            course.go_on();
            assert!((course.rate - 0.0588).abs() < 1e-6);
        });
    }
}
