//! `tropism-lab train`: weights of mating terms with which the engine makes progress from everywhere.
//!
//! The weights of an ending against a bare king are trained against its exact table, until from each position a
//! higher level can be forced within a few moves (`tropism prove --progress`).
//!
//! - `model`: the positions, and how often each weight counts in them.
//! - `stages`: for levels, fit and cuts.
//! - `lookahead`: for the evaluation, fits to the ends of the search's lines.
//! - [`Trainer`]: from an engine file to an engine file.

mod lookahead;
mod model;
mod stages;

use crate::{
    arguments::positive,
    provenance::{EngineFile, Provenance, write_engine},
    terminal::{print_line, stop_on_ctrl_c},
};
use clap::Args;
use lookahead::{Lookahead, Played};
use model::Model;
use ndarray::Array1;
use shakmaty::Color;
use stages::Stages;
use std::{fmt, path::PathBuf, sync::atomic::AtomicBool};
use thiserror::Error;
use tropism::{
    cli::Context,
    endgame::{Endgames, Material},
    endings::{Graph, has_level},
    eval::{Engine, EngineFileError, Registry, Score},
};

/// Train the weights of mating terms until the engine makes progress from every position of an ending.
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
    /// The most moves of a step to a higher level.
    #[arg(long, value_name = "MOVES", default_value_t = 6,
          value_parser = clap::value_parser!(u8).range(1..=8))]
    moves: u8,
    /// What one move nearer to mate is worth, in centipawns. A level is 100 centipawns.
    #[arg(long, value_name = "CP", default_value_t = 50.0, value_parser = positive)]
    move_value: f64,
    /// The most rounds that give a step to the positions without one.
    #[arg(long, value_name = "N", default_value_t = 50)]
    cuts: usize,
    /// Train for the evaluation instead, for searches that look so many moves ahead, such as 3,4,5.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', conflicts_with_all = ["moves", "cuts"],
          value_parser = clap::value_parser!(u8).range(1..=8))]
    search: Vec<u8>,
    /// With --search, the rounds of games and fits.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "search")]
    rounds: usize,
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
    /// The engine file is wrong.
    #[error(transparent)]
    Engine(#[from] EngineFileError),
    /// No such term.
    #[error("the engine has no term {0:?}")]
    NoSuchTerm(String),
}

/// How the training goes on. Prints as one line.
#[derive(Clone, PartialEq, Debug)]
enum Progress {
    /// After the first stage: the root of the mean squared difference from the moves to mate, in moves.
    Fitted(f64),
    /// In the second stage, after so many rounds: the number of positions without a step.
    Cut(usize, usize),
    /// For the evaluation, after so many rounds: the games of this round.
    Played(usize, Vec<Played>),
}

impl Trainer {
    /// Trains the weights and writes the engine file. Ctrl-C ends the training early.
    pub(crate) fn run(&self, context: &Context) -> anyhow::Result<()> {
        let start = EngineFile::of(context)?;
        let provenance = Provenance::of_this_process()?;
        let stop = stop_on_ctrl_c()?;
        let trained = self.train(&start, &context.registry, &provenance, &stop, print_line)?;
        write_engine(&self.out, &trained)
    }

    /// The text of the engine file `start` with the trained weights, and a header that says how they were
    /// made. `stop` ends each stage early.
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
        report: impl FnMut(&Progress),
    ) -> Result<String, TrainError> {
        let EngineFile { text, name } = start;
        let mut engine = Engine::parse(text, name, registry)?;
        // A file that cannot be written is refused before the work.
        engine.write_into(text, name, registry)?;
        // Terms that measure progress only are an engine of their own.
        let levels = engine.levels().filter(|levels| self.is_trained_in(levels));
        let in_levels = levels.is_some();
        let measured = levels.unwrap_or(&engine);
        let trained = self.trained(measured)?;
        if self.ending.pieces().iter().filter(|piece| piece.color == Color::Black).count() > 1 {
            return Err(TrainError::NotBare(self.ending));
        }
        if self.ending.has_pawns() {
            return Err(TrainError::Pawns(self.ending));
        }
        let mut endgames = Endgames::default();
        endgames.build(self.ending);
        let table = endgames.table(&self.ending).ok_or(TrainError::NothingWon(self.ending))?;
        let graph = Graph::new(table);
        if graph.won.is_empty() {
            return Err(TrainError::NothingWon(self.ending));
        }
        let is_measured = match self.search.is_empty() {
            true => has_level(&graph),
            false => graph.after.iter().map(|after| after.goes_on()).collect(),
        };
        let model = Model::new(table, &graph, measured, &trained, &is_measured);
        let (weights, result) = match self.search.is_empty() {
            true => self.train_levels(&model, stop, report),
            false => self.train_for_search(&model, stop, report),
        };
        let mut all: Vec<Score> = measured.weights().collect();
        for (&at, value) in model.trained.iter().zip(weights) {
            all[at] = Score::from_centipawns(value, value);
        }
        match engine.levels_mut() {
            Some(levels) if in_levels => levels.set_weights(all),
            _ => engine.set_weights(all),
        }
        let facts = [format!("from {}", start.identity()), self.facts(), result];
        let key = format!("train {} {}", self.ending, self.terms.join(" "));
        Ok(provenance.write_into(&engine.write_into(text, name, registry)?, &key, &facts))
    }

    /// Trains weights for levels. Returns them, and what they reach.
    fn train_levels(
        &self,
        model: &Model,
        stop: &AtomicBool,
        mut report: impl FnMut(&Progress),
    ) -> (Array1<f64>, String) {
        let stages = Stages {
            model,
            moves: usize::from(self.moves),
            per_move: self.move_value,
            mate: model.mean_rest(),
            stop,
        };
        let fitted = stages.fit();
        report(&Progress::Fitted(stages.mean_error(&fitted.weights)));
        let (left, weights) = stages.cut(fitted, self.cuts, |round, without| {
            report(&Progress::Cut(round, without));
        });
        let counted = model.counted.len();
        let result =
            format!("{left} of {counted} positions are without a step of {} moves", self.moves);
        (weights, result)
    }

    /// Trains weights for the evaluation. Returns them, and what they reach.
    fn train_for_search(
        &self,
        model: &Model,
        stop: &AtomicBool,
        mut report: impl FnMut(&Progress),
    ) -> (Array1<f64>, String) {
        let lookahead = Lookahead {
            model,
            moves: &self.search,
            per_move: self.move_value,
            mate: model.mean_rest(),
            stop,
        };
        let (best, weights) = lookahead.fit(self.rounds, |round, played| {
            report(&Progress::Played(round, played.to_vec()));
        });
        let best: Vec<String> = best.iter().map(Played::to_string).collect();
        (weights, format!("games with searches of {}", best.join("; ")))
    }

    /// The options, for the header of the engine file.
    fn facts(&self) -> String {
        let Trainer { terms, moves, move_value, cuts, search, rounds, .. } = self;
        let terms = terms.join(" ");
        match search.as_slice() {
            [] => format!("terms {terms}; moves {moves}, move value {move_value}, cuts {cuts}"),
            moves => {
                format!("terms {terms}; search {moves:?}, move value {move_value}, rounds {rounds}")
            }
        }
    }

    /// Whether an engine has all terms to train.
    fn is_trained_in(&self, engine: &Engine) -> bool {
        self.terms.iter().all(|wanted| engine.terms().any(|name| name == wanted))
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
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Progress::Fitted(error) => write!(f, "fit: {error:.2} moves from the moves to mate"),
            Progress::Cut(round, without) => write!(f, "cuts {round:>3}: {without} without a step"),
            Progress::Played(round, played) => {
                let played: Vec<String> = played.iter().map(Played::to_string).collect();
                write!(f, "round {round:>2}: {}", played.join("; "))
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tropism::{
        endings::{ProgressProof, position_at},
        terms::registry,
    };

    /// A short training of one term.
    pub(in super::super) fn trainer(ending: &str, term: &str) -> Trainer {
        Trainer {
            ending: ending.parse().unwrap(),
            terms: vec![term.to_owned()],
            out: PathBuf::from("unused.toml"),
            moves: 4,
            move_value: 50.0,
            cuts: 40,
            search: Vec::new(),
            rounds: 0,
        }
    }

    fn run(trainer: &Trainer, text: &str) -> Result<(String, Vec<Progress>), TrainError> {
        let mut reports = Vec::new();
        let stop = AtomicBool::new(false);
        let start = EngineFile { text: text.to_owned(), name: "test.toml".to_owned() };
        let provenance = Provenance {
            date: "2026-11-22".to_owned(),
            program: "tropism-lab 0.1.0, commit unknown, bench 1".to_owned(),
            command: "tropism-lab train".to_owned(),
        };
        let report = |progress: &Progress| reports.push(progress.clone());
        let trained = trainer.train(&start, &registry(), &provenance, &stop, report)?;
        Ok((trained, reports))
    }

    /// An engine whose only term knows a won ending, and nothing else yet.
    fn zeros(term: &str) -> String {
        let registry = registry();
        let zeros = registry.get(term).unwrap().weights.iter().map(|spec| match spec.length {
            None => format!("{} = [5000, 5000]\n", spec.name),
            Some(length) => format!("{} = [{}]\n", spec.name, "[0, 0],".repeat(length)),
        });
        format!("name = 'x'\nterms = ['{term}']\n\n[{term}]\n{}", zeros.collect::<String>())
    }

    #[test]
    fn training_from_nothing_proves_the_mate_with_a_queen() {
        let text = zeros("kqk");
        let proof = |text: &str| {
            let engine = Engine::parse(text, "test.toml", &registry()).unwrap();
            ProgressProof::new(&engine, "KQK".parse().unwrap(), 4).unwrap()
        };
        assert!(!proof(&text).is_complete());
        let (trained, reports) = run(&trainer("KQK", "kqk"), &text).unwrap();
        assert!(matches!(reports[0], Progress::Fitted(error) if error < 1.0), "{reports:?}");
        assert!(matches!(reports.last(), Some(Progress::Cut(_, 0))), "{reports:?}");
        let proof = proof(&trained);
        assert!(proof.is_complete(), "{proof}");
        assert!(trained.contains("#: train KQK kqk: "), "{trained}");
        // A training can be repeated.
        assert_eq!(run(&trainer("KQK", "kqk"), &text).unwrap().0, trained);
    }

    #[test]
    fn training_for_the_search_mates_faster_with_each_round() {
        let text = zeros("krk");
        let trainer = Trainer { search: vec![3], rounds: 6, ..trainer("KRK", "krk") };
        let (trained, reports) = run(&trainer, &text).unwrap();
        assert_eq!(reports.len(), 7);
        let cost = |report: &Progress| match report {
            Progress::Played(_, played) => played[0].cost(),
            _ => panic!("{report:?}"),
        };
        let costs: Vec<f64> = reports.iter().map(cost).collect();
        let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(best < 2.0 && best < costs[0] / 4.0, "{reports:?}");
        assert!(trained.contains("terms krk; search [3], move value 50, rounds 6"), "{trained}");
        assert_eq!(run(&trainer, &text).unwrap().0, trained);
    }

    #[test]
    fn values_are_those_of_the_engine() {
        let engine = tropism::default_engine().unwrap();
        let ending: Material = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(ending);
        let table = endgames.table(&ending).unwrap();
        let graph = Graph::new(table);
        let trained = trainer("KRK", "krk").trained(&engine).unwrap();
        let all: Vec<Score> = engine.weights().collect();
        let model = Model::new(table, &graph, &engine, &trained, &has_level(&graph));
        let grains = model.trained.iter().map(|&at| f64::from(all[at].endgame()));
        let weights = grains.map(|it| it / f64::from(Score::GRAINS)).collect();
        let values = model.values(&weights);
        for &index in &model.counted {
            let position = position_at(table, Color::Black, index as usize).unwrap();
            let value = f64::from(-engine.evaluate(&position));
            assert!((value - f64::from(values[index as usize])).abs() <= 1.0, "{position:?}");
        }
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
    }
}
