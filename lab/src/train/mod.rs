//! `tropism-lab train`: weights of mating terms, trained against the exact table of an ending.
//!
//! The weights are not fitted to distances to mate. They are trained to choose moves: full-width searches
//! of all positions of the ending at once choose the moves, the worst defence answers, and a policy
//! gradient changes each weight so that mate comes sooner.
//!
//! - `features`: how often each weight counts in each position.
//! - `full_width`: the searches.
//! - `policy_gradient`: the gradient, and its descent.
//! - [`Trainer`]: from an engine file to an engine file.

mod features;
mod full_width;
mod policy_gradient;

use crate::{
    arguments::{positive, positive_share},
    provenance::{EngineFile, Provenance, write_engine},
    terminal::{print_line, stop_on_ctrl_c},
};
use clap::Args;
use features::Features;
use policy_gradient::PolicyGradient;
use shakmaty::Color;
use std::{
    fmt,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use thiserror::Error;
use tropism::{
    cli::Context,
    endgame::{Endgames, Material},
    endings::{Graph, Stats, build_tables, follow},
    eval::{Engine, EngineFileError, Registry, Score},
};

/// Train the weights of mating terms against the exact table of an ending.
#[derive(Args, Clone, Debug)]
pub(crate) struct Trainer {
    /// An ending against a bare king, such as KRK.
    #[arg(value_name = "ENDING")]
    ending: Material,
    /// The terms whose weights are trained.
    #[arg(long = "term", value_name = "TERM", value_delimiter = ',', required = true)]
    terms: Vec<String>,
    /// The engine file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Depths of the full-width searches that choose the moves, in plies; several depths take turns.
    #[arg(long, value_name = "PLIES", value_delimiter = ',', default_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    plies: Vec<u32>,
    /// Iterations; each searches all positions once. At one or two plies it makes four gradient steps,
    /// at more plies one.
    #[arg(long, alias = "steps", value_name = "N", default_value_t = 600)]
    iterations: u32,
    /// Learning rate: about the largest change of a weight in a gradient step, in units of the
    /// temperature.
    #[arg(long, value_name = "RATE", default_value_t = 0.1, value_parser = positive)]
    rate: f64,
    /// Probability that an oracle, which plays by the exact table, takes over after a move. At 1 only
    /// the next move counts; a small value demands that the search mates by itself.
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.03, value_parser = positive_share)]
    takeover: f64,
    /// Train only with positions at most this many moves from mate.
    #[arg(long, value_name = "MOVES", default_value_t = u8::MAX,
          value_parser = clap::value_parser!(u8).range(1..))]
    within: u8,
    /// Softmax temperature in centipawns: a move that is better by this is e times as probable.
    #[arg(long, alias = "unit", value_name = "CP", default_value_t = 12.0, value_parser = positive)]
    temperature: f64,
    /// Seed of the batches.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Why no weights are trained.
#[derive(Debug, Error)]
enum TrainError {
    /// Both sides have pieces.
    #[error("{0}: only endings against a bare king can be trained, such as KBNK or KRK")]
    NotBare(Material),
    /// A promotion leads to another ending.
    #[error("{0}: endings with pawns cannot be trained; use pieces, such as KBNK or KRK")]
    Pawns(Material),
    /// Nobody can mate.
    #[error("{0}: no position is won for the side to move")]
    NothingWon(Material),
    /// No position is near enough to mate.
    #[error("{0}: no position is won within {1} moves")]
    NothingNear(Material, u8),
    /// The engine file is wrong.
    #[error(transparent)]
    Engine(#[from] EngineFileError),
    /// No such term.
    #[error("the engine has no term {0:?}")]
    NoSuchTerm(String),
}

/// The objective at one depth. Prints as one line.
#[derive(Clone, Copy, PartialEq, Debug)]
struct TrainReport {
    /// Finished iterations.
    iteration: u32,
    /// Depth of the search, in plies.
    plies: u32,
    /// Won positions of the training.
    positions: usize,
    /// Those with mate within fifty moves against any defence.
    proved: usize,
    /// The longest of these mates, in moves.
    worst: u16,
    /// The mean of their moves above the minimum.
    above: f64,
}

/// Iterations between two evaluations of the objective.
const EVALUATION_INTERVAL: u32 = 5;

/// Evaluations without improvement before training restarts from the best weights.
const PATIENCE: u32 = 6;

impl Trainer {
    /// Trains the weights and writes the engine file. Ctrl-C ends the training early.
    pub(crate) fn run(&self, context: &Context) -> anyhow::Result<()> {
        let start = EngineFile::of(context)?;
        let provenance = Provenance::of_this_process()?;
        let stop = stop_on_ctrl_c()?;
        let trained = self.train(&start, &context.registry, &provenance, &stop, print_line)?;
        write_engine(&self.out, &trained)
    }

    /// The text of the engine file `start` with the best weights, and a header that says how they were
    /// made. `stop` ends the training early.
    ///
    /// The best weights prove the most positions at the depth that proves the fewest; of equal weights,
    /// the best mate soonest. Training restarts from them after a while without improvement.
    ///
    /// # Errors
    ///
    /// If nothing can be trained, or the engine file lacks the term.
    fn train(
        &self,
        start: &EngineFile,
        registry: &Registry,
        provenance: &Provenance,
        stop: &AtomicBool,
        mut report: impl FnMut(&TrainReport),
    ) -> Result<String, TrainError> {
        let EngineFile { text, name } = start;
        let mut engine = Engine::parse(text, name, registry)?;
        // A file that cannot be written is refused before the work.
        engine.write_into(text, name, registry)?;
        let trained = self.trained(&engine)?;
        if self.ending.pieces().iter().filter(|piece| piece.color == Color::Black).count() > 1 {
            return Err(TrainError::NotBare(self.ending));
        }
        if self.ending.has_pawns() {
            return Err(TrainError::Pawns(self.ending));
        }
        let mut endgames = Endgames::default();
        build_tables(&mut endgames, self.ending);
        let table = endgames.table(&self.ending).ok_or(TrainError::NothingWon(self.ending))?;
        let graph = Graph::new(table);
        if graph.won.is_empty() {
            return Err(TrainError::NothingWon(self.ending));
        }
        let features = Features::new(table, &engine, &trained, self.temperature);
        let weights: Vec<Score> = engine.weights().collect();
        let weights = trained.iter().map(|&at| {
            f64::from(weights[at].endgame()) / f64::from(Score::GRAINS) / self.temperature
        });
        let mut training = PolicyGradient::new(self, &graph, &features, weights.collect());
        if training.positions().is_empty() {
            return Err(TrainError::NothingNear(self.ending, self.within));
        }
        let mut best: Option<(Objective, Vec<f64>)> = None;
        let mut without_improvement = 0;
        let mut iterations = 0;
        loop {
            let last = iterations == self.iterations || stop.load(Relaxed);
            if iterations % EVALUATION_INTERVAL == 0 || last {
                without_improvement += 1;
                let candidates = [&training.mean, &training.weights];
                for weights in candidates.map(|weights| self.rounded(weights)) {
                    let objective =
                        self.evaluate(&training, &graph, &weights, iterations, &mut report);
                    if best.as_ref().is_none_or(|(before, _)| objective.is_better_than(before)) {
                        best = Some((objective, weights));
                        without_improvement = 0;
                    }
                }
                if without_improvement == 0 {
                    training.raise_rate();
                } else if without_improvement == PATIENCE
                    && let Some((_, weights)) = &best
                {
                    without_improvement = 0;
                    training.restart_from(weights);
                }
            }
            if last {
                break;
            }
            training.iterate();
            iterations += 1;
        }
        let mut facts = vec![format!("from {}", start.identity())];
        if let Some((objective, weights)) = best {
            engine.set_weights(self.all_weights(&engine, &trained, &features, &weights));
            facts.extend(self.facts(&objective, training.positions().len(), iterations));
        }
        let key = format!("train {}", self.ending);
        Ok(provenance.write_into(&engine.write_into(text, name, registry)?, &key, &facts))
    }

    /// The facts for the header of the engine file.
    fn facts(&self, objective: &Objective, positions: usize, iterations: u32) -> [String; 2] {
        let Trainer { terms, plies, rate, takeover, within, temperature, seed, .. } = self;
        [
            format!(
                "terms {}; plies {plies:?}, rate {rate}, takeover {takeover}, within {within}, \
                 temperature {temperature}, seed {seed}",
                terms.join(" ")
            ),
            format!(
                "{iterations} iterations; {} of {positions} positions proved",
                objective.proved
            ),
        ]
    }

    /// The indices of the trained weights among all weights of the engine.
    fn trained(&self, engine: &Engine) -> Result<Vec<usize>, TrainError> {
        let unknown = |term: &&String| engine.parts().all(|(name, _)| name != term.as_str());
        if let Some(term) = self.terms.iter().find(unknown) {
            return Err(TrainError::NoSuchTerm(term.clone()));
        }
        let mut trained = Vec::new();
        let mut start = 0;
        for (name, pairs) in engine.parts() {
            if self.terms.iter().any(|term| term == name) {
                trained.extend(start..start + pairs);
            }
            start += pairs;
        }
        Ok(trained)
    }

    /// Weights rounded to whole centipawns, as they are written.
    fn rounded(&self, weights: &[f64]) -> Vec<f64> {
        weights
            .iter()
            .map(|weight| (weight * self.temperature).round() / self.temperature)
            .collect()
    }

    /// The objective of weights over all depths. Each depth is reported.
    fn evaluate(
        &self,
        training: &PolicyGradient,
        graph: &Graph,
        weights: &[f64],
        iteration: u32,
        report: &mut impl FnMut(&TrainReport),
    ) -> Objective {
        let mut objective = Objective { proved: usize::MAX, above: 0.0 };
        let positions = training.positions();
        for (depth, &plies) in self.plies.iter().enumerate() {
            let choices = training.choices(weights, depth);
            let outcomes = follow(graph, |index| choices[index as usize]);
            let Stats { proved, worst, above, .. } = Stats::new(graph, &outcomes, positions);
            let above = above as f64 / proved.max(1) as f64;
            let positions = positions.len();
            report(&TrainReport { iteration, plies, positions, proved, worst, above });
            objective.proved = objective.proved.min(proved);
            objective.above += above;
        }
        objective
    }

    /// All weights of the engine with the trained ones, which are the same for every phase of the game.
    /// Weights without information stay as they are.
    fn all_weights(
        &self,
        engine: &Engine,
        trained: &[usize],
        features: &Features,
        values: &[f64],
    ) -> Vec<Score> {
        let mut weights: Vec<Score> = engine.weights().collect();
        let changed = trained.iter().zip(values).zip(features.informative());
        for ((&at, value), _) in changed.filter(|(_, is_informative)| *is_informative) {
            let value = (value * self.temperature).round();
            weights[at] = Score::from_centipawns(value, value);
        }
        weights
    }
}

/// How good weights are.
struct Objective {
    /// Proved positions at the depth with the fewest.
    proved: usize,
    /// The mean moves above the minimum, summed over all depths.
    above: f64,
}

impl Objective {
    fn is_better_than(&self, other: &Objective) -> bool {
        self.proved > other.proved || (self.proved == other.proved && self.above < other.above)
    }
}

impl fmt::Display for TrainReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Rounded down, so that 100 % means all positions.
        let percent = (self.proved as f64 / self.positions as f64 * 1e5).floor() / 1e3;
        let TrainReport { iteration, plies, worst, above, .. } = self;
        write!(
            f,
            "iteration {iteration:>5}, {plies} plies: {percent:>7.3} % proved, worst {worst:>2}, \
             {above:.2} above the minimum"
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use full_width::{FullWidthSearch, is_mate};
    use tropism::{
        endings::position_at,
        search::{Game, Limits, Search, TranspositionTable, Value, search},
        terms::registry,
    };

    /// A short training of one term.
    pub(in super::super) fn trainer(ending: &str, term: &str) -> Trainer {
        Trainer {
            ending: ending.parse().unwrap(),
            terms: vec![term.to_owned()],
            out: PathBuf::from("unused.toml"),
            plies: vec![1],
            iterations: 50,
            rate: 0.1,
            takeover: 0.03,
            within: u8::MAX,
            temperature: 12.0,
            seed: 1,
        }
    }

    fn run(trainer: &Trainer, text: &str) -> Result<(String, Vec<TrainReport>), TrainError> {
        let mut reports = Vec::new();
        let stop = AtomicBool::new(false);
        let start = EngineFile { text: text.to_owned(), name: "test.toml".to_owned() };
        let provenance = Provenance {
            date: "2026-11-22".to_owned(),
            program: "tropism-lab 0.1.0, commit unknown, bench 1".to_owned(),
            command: "tropism-lab train".to_owned(),
        };
        let report = |report: &TrainReport| reports.push(*report);
        let trained = trainer.train(&start, &registry(), &provenance, &stop, report)?;
        Ok((trained, reports))
    }

    #[test]
    fn values_are_those_of_the_search_of_the_engine() {
        let engine = tropism::default_engine().unwrap();
        let ending: Material = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(ending, |_| ());
        let table = endgames.table(&ending).unwrap();
        let graph = Graph::new(table);
        let all = 0..engine.pairs();
        let features = Features::new(table, &engine, &[], 1.0);
        assert!(features.informative().is_empty());
        let leaves: Vec<u32> = (0..graph.entry_count() as u32).collect();
        let memory = TranspositionTable::with_entries(1 << 12).unwrap();
        // At one ply there is nothing to prune. From four plies on the engine sees repetitions, which the
        // full-width search of all positions does not.
        let searches = [(false, 1, 1), (true, 1, 20), (true, 2, 20), (true, 3, 50)];
        for (full_width, plies, every) in searches {
            let sweep = FullWidthSearch::new(&graph, &features, Vec::new(), plies, &leaves);
            let choices = sweep.choices(&graph.won, |_| 0.0);
            let limits = Limits { depth: Some(plies), full_width, ..Limits::default() };
            for &index in graph.won.iter().step_by(every) {
                memory.clear();
                let game = Game::new(position_at(table, Color::White, index as usize).unwrap());
                let request = Search::new(&game, &engine, &memory, &limits);
                let found = search(&request, |_| ()).value;
                let value = sweep.value(choices[index as usize].unwrap());
                match found {
                    Value::Mate(moves) => {
                        assert!(moves as u32 <= plies.div_ceil(2) && is_mate(value));
                    }
                    Value::Centipawns(found) => {
                        assert_eq!(value, found as f32, "index {index}, {plies} plies");
                    }
                }
            }
        }
        assert!(all.len() > 100);
    }

    #[test]
    fn fifty_iterations_train_most_of_the_mate_with_a_queen() {
        let zero: String = registry()
            .get("kqk")
            .unwrap()
            .weights
            .iter()
            .map(|spec| match spec.length {
                None => format!("{} = [0, 0]\n", spec.name),
                Some(length) => format!("{} = [{}]\n", spec.name, "[0, 0],".repeat(length)),
            })
            .collect();
        let text = format!("name = 'x'\nterms = ['kqk']\n\n[kqk]\n{zero}");
        let (trained, reports) = run(&trainer("KQK", "kqk"), &text).unwrap();
        let (first, last) = (reports[0], *reports.last().unwrap());
        assert_eq!((first.iteration, last.iteration, last.positions), (0, 50, 18_492));
        assert!(first.proved < 1_000, "{first}");
        assert!(last.proved > 9_000, "{last}");
        // The weights that were evaluated are written.
        let again = Trainer { iterations: 0, ..trainer("KQK", "kqk") };
        let (same, of_trained) = run(&again, &trained).unwrap();
        let best = reports.iter().map(|report| report.proved).max();
        assert_eq!(Some(of_trained[0].proved), best);
        let body = |text: &str| text.split_once("\nname = ").unwrap().1.to_owned();
        assert_eq!(body(&same), body(&trained));
        let header: Vec<&str> = same.lines().take_while(|line| line.starts_with("#: ")).collect();
        assert!(header.iter().all(|line| line.starts_with("#: train KQK: ")), "{header:?}");
        let result = format!("0 iterations; {} of 18492 positions proved", best.unwrap());
        assert!(header.last().unwrap().ends_with(&result), "{header:?}");
        // A training can be repeated.
        assert_eq!(run(&trainer("KQK", "kqk"), &text).unwrap().0, trained);
    }

    #[test]
    fn an_ending_or_term_that_cannot_be_trained_is_refused() {
        let error = |ending: &str, term: &str| {
            run(&trainer(ending, term), tropism::DEFAULT_ENGINE_FILE).unwrap_err().to_string()
        };
        assert_eq!(error("KRK", "krkk"), "the engine has no term \"krkk\"");
        assert_eq!(error("KBK", "krk"), "KBK: no position is won for the side to move");
        assert_eq!(
            error("KQKR", "kqk"),
            "KQKR: only endings against a bare king can be trained, such as KBNK or KRK"
        );
        let narrow = Trainer { within: 0, ..trainer("KRK", "krk") };
        let refused = run(&narrow, tropism::DEFAULT_ENGINE_FILE).unwrap_err().to_string();
        assert_eq!(refused, "KRK: no position is won within 0 moves");
    }
}
