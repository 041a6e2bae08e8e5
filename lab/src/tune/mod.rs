//! `tropism tune`: weights learnt from games.
//!
//! Texel's method (Peter Österlund 2014): the value of a position, put through a logistic function, is
//! the expected result of its game; weights are chosen so that it is met as nearly as can be. The
//! value is linear in the weights, so the gradient is known, and Adam (Kingma and Ba 2014) goes down it in
//! mini-batches.
//!
//! - `samples`: a data file becomes sparse counts, by the recording sink of the terms.
//! - `descent`: the loss, its gradient, and the way down.
//! - `judge`: the loss without a term.
//! - [`Tuner`]: the whole, from files of data to the text of an engine file.

mod descent;
mod judge;
mod samples;

use descent::{Descent, Loss};
pub(super) use judge::Judge;
use samples::Samples;
use std::{
    fmt, io,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use thiserror::Error;
use tropism::eval::{Engine, EngineFileError, Registry, Score};

/// What weights are learnt from, and how.
#[derive(Clone, Debug)]
pub(crate) struct Tuner {
    /// Files that `tropism datagen` wrote.
    pub(crate) data: Vec<PathBuf>,
    /// Terms whose weights stay as they are, whether the engine has them or not.
    pub(crate) freeze: Vec<String>,
    /// The most times that all positions are looked at.
    pub(crate) epochs: usize,
    /// The largest step of a weight at first, in centipawns.
    pub(crate) step: f64,
    /// How far a weight is expected to move, in centipawns: less keeps weights of which the data
    /// say little nearer to their start.
    pub(crate) prior: f64,
    /// The share of the search's score, as against the game's result, in what is learnt: 0 to 1.
    pub(crate) score_share: f64,
    /// Positions between two steps.
    pub(crate) batch: usize,
    /// Which order positions are taken in.
    pub(crate) seed: u64,
}

/// Why nothing is learnt.
#[derive(Debug, Error)]
pub(crate) enum TuneError {
    /// A data file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The engine file is not right.
    #[error(transparent)]
    Engine(#[from] EngineFileError),
    /// A term to be left alone is not known.
    #[error("cannot freeze {0:?}: there is no term of this name")]
    NoSuchTerm(String),
    /// Too little to learn from.
    #[error(
        "the data have {0} games, and at least {MIN_GAMES} are needed to learn and to check it"
    )]
    TooFewGames(usize),
}

/// News of the work.
#[derive(Clone, Debug)]
pub(crate) enum TuneReport {
    /// Data were read.
    Read {
        /// What there is.
        summary: String,
        /// Lines that were left out, with the reason: the first few of them.
        bad_lines: Vec<String>,
    },
    /// All positions were looked at once more.
    Epoch {
        /// How often so far; 0 before the first.
        epoch: usize,
        /// The mean loss on the games that are learnt from.
        training: f64,
        /// The mean loss on the others.
        validation: f64,
        /// The largest step of a weight, in centipawns.
        step: f64,
    },
}

/// Fewer games have no tenth or so to check with.
const MIN_GAMES: usize = 20;

/// A weight that fewer positions count stays as it is.
const MIN_SUPPORT: u32 = 20;

/// So many epochs without a better validation loss make the steps smaller, by this factor; steps smaller than
/// this share of the first end the work.
const PATIENCE: usize = 2;
const SMALLER: f64 = 0.4;
const SMALLEST: f64 = 0.02;

impl Tuner {
    /// Learns, and gives the text of the engine file with the best weights found and a header that
    /// says how. `text` is the engine file to begin with, `origin` its name. `stop` ends the work
    /// early.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or there is too little in it.
    pub(crate) fn run(
        &self,
        text: &str,
        origin: &str,
        registry: &Registry,
        stop: &AtomicBool,
        mut report: impl FnMut(&TuneReport),
    ) -> Result<String, TuneError> {
        let mut engine = Engine::parse(text, origin, registry)?;
        // A file that cannot take what is learnt is refused before the work.
        engine.write_into(text, origin, registry)?;
        if let Some(unknown) = self.freeze.iter().find(|name| registry.get(name).is_none()) {
            return Err(TuneError::NoSuchTerm(unknown.clone()));
        }
        let samples = Samples::read(&self.data, &engine, &self.freeze)?;
        if samples.games < MIN_GAMES {
            return Err(TuneError::TooFewGames(samples.games));
        }
        let start: Vec<[f64; 2]> = engine.weights().map(centipawns).collect();
        let scale = descent::best_scale(&samples, &start);
        report(&TuneReport::Read {
            summary: format!("{samples}, {scale:.0} centipawns for odds of 10 to 1"),
            bad_lines: samples.bad_lines.clone(),
        });

        let mut descent = Descent::new(self, &samples, start, scale);
        let before = descent.loss();
        report(&before.report(0, self.step));
        let (mut best, mut best_weights) = (before, descent.weights.clone());
        let (mut step, mut idle, mut epoch) = (self.step, 0, 0);
        while epoch < self.epochs && step >= self.step * SMALLEST && !stop.load(Relaxed) {
            epoch += 1;
            descent.epoch(step, stop);
            let loss = descent.loss();
            report(&loss.report(epoch, step));
            if loss.validation < best.validation {
                (best, best_weights, idle) = (loss, descent.weights.clone(), 0);
                continue;
            }
            idle += 1;
            if idle >= PATIENCE {
                idle = 0;
                step *= SMALLER;
                descent.restart_from(&best_weights);
            }
        }
        engine.set_weights(best_weights.iter().map(|&[mg, eg]| Score::from_centipawns(mg, eg)));
        let body = engine.write_into(text, origin, registry)?;
        Ok(self.with_header(&body, &samples, before, best, epoch))
    }

    /// Puts a header before a file, in place of an earlier one.
    fn with_header(
        &self,
        body: &str,
        samples: &Samples,
        before: Loss,
        best: Loss,
        epochs: usize,
    ) -> String {
        const MARK: &str = "#: ";
        let old = body.lines().take_while(|line| line.starts_with(MARK.trim_end())).count();
        let body: String = body.split_inclusive('\n').skip(old).collect();
        let name =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let data: Vec<String> = self.data.iter().map(name).collect();
        let header = [
            format!("tuned {}, {epochs} epochs", chrono::Local::now().format("%Y-%m-%d")),
            format!("data: {}: {samples}", data.join(", ")),
            format!(
                "settings: step {}, prior {}, score share {}, batch {}, seed {}, frozen {}",
                self.step,
                self.prior,
                self.score_share,
                self.batch,
                self.seed,
                self.freeze.join(" ")
            ),
            format!(
                "loss: training {:.5} to {:.5}, validation {:.5} to {:.5}",
                before.training, best.training, before.validation, best.validation
            ),
        ];
        let header: String = header.iter().map(|line| format!("{MARK}{line}\n")).collect();
        header + body.as_str()
    }
}

impl Loss {
    fn report(&self, epoch: usize, step: f64) -> TuneReport {
        let Loss { training, validation } = *self;
        TuneReport::Epoch { epoch, training, validation, step }
    }
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneReport::Read { summary, bad_lines } => {
                write!(f, "{summary}")?;
                bad_lines.iter().try_for_each(|line| write!(f, "\n  left out: {line}"))
            }
            TuneReport::Epoch { epoch, training, validation, step } => write!(
                f,
                "epoch {epoch:>3}  training {training:.5}  validation {validation:.5}  step {step:.3}"
            ),
        }
    }
}

/// A pair in centipawns a count.
fn centipawns(score: Score) -> [f64; 2] {
    [score.middlegame(), score.endgame()].map(|grains| f64::from(grains) / f64::from(Score::GRAINS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ENGINE: &str = "#: tuned long ago\nname = 'x' # by hand\nterms = ['material']\n\
        [material]\npawn = [100, 100]\nknight = [100, 100]\nbishop = [300, 300]\n\
        rook = [500, 500]\nqueen = [900, 900]\n";

    /// Games in which a knight more wins, one pawn more wins seven of ten, and a rook is never seen.
    fn data(name: &str) -> PathBuf {
        let mut text = String::from("# made by hand\n");
        for game in 0..400 {
            let (men, ending) = match game % 10 {
                0..=3 => ("N", "1-0"),
                4 => ("N", "1/2-1/2"),
                5..=7 => ("P", "1-0"),
                _ => ("P", "0-1"),
            };
            let file = game % 7;
            let rank = format!("{}{men}{}", "1".repeat(file), 7 - file);
            let rank = rank.replace("1111111", "7");
            text += &format!("4k3/p7/8/8/{rank}/8/P7/4K3 w - - 0\n= {game} {ending}\n");
        }
        text += "nonsense\n4k3/8/8/8/8/8/8/8 w - - 0\n= 400 1-0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n";
        let folder = std::env::temp_dir().join(format!("tropism-tune-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn tuner(data: PathBuf) -> Tuner {
        Tuner {
            data: vec![data],
            freeze: Vec::new(),
            epochs: 60,
            step: 5.0,
            prior: 1000.0,
            score_share: 0.0,
            batch: 64,
            seed: 1,
        }
    }

    fn run(tuner: &Tuner, stop: bool) -> (Result<String, TuneError>, Vec<TuneReport>) {
        let mut reports = Vec::new();
        let registry = tropism::terms::registry();
        let stop = AtomicBool::new(stop);
        let tuned = tuner.run(ENGINE, "x.toml", &registry, &stop, |report| {
            reports.push(report.clone());
        });
        (tuned, reports)
    }

    #[test]
    fn learns_what_the_games_teach_and_leaves_the_rest() {
        let tuner = tuner(data("whole"));
        let (tuned, reports) = run(&tuner, false);
        let tuned = tuned.unwrap();
        let engine = Engine::parse(&tuned, "tuned", &tropism::terms::registry()).unwrap();
        let endgame: Vec<i32> = engine.weights().map(|weight| weight.endgame() / 256).collect();
        // A knight wins more than a pawn does; what was never seen stays as it was.
        assert!(endgame[1] > endgame[0] + 50, "{tuned}");
        assert_eq!(endgame[2..], [300, 500, 900]);
        assert!(tuned.starts_with("#: tuned 2"), "{tuned}");
        assert!(tuned.contains("name = 'x' # by hand\n"), "{tuned}");
        assert!(!tuned.contains("long ago"), "{tuned}");

        let TuneReport::Read { summary, bad_lines } = &reports[0] else { panic!("{reports:?}") };
        assert!(
            summary.starts_with("400 positions of 401 games, 2 bad lines left out"),
            "{summary}"
        );
        assert_eq!(bad_lines.len(), 2);
        assert!(bad_lines.iter().any(|line| line.contains(":802: no score")), "{bad_lines:?}");
        let losses: Vec<f64> = reports
            .iter()
            .filter_map(|report| match report {
                TuneReport::Epoch { validation, .. } => Some(*validation),
                TuneReport::Read { .. } => None,
            })
            .collect();
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least < losses[0], "{losses:?}");

        // The same settings, the same weights.
        assert_eq!(run(&tuner, false).0.unwrap(), tuned);
        let _ = fs::remove_file(&tuner.data[0]);
    }

    #[test]
    fn what_is_frozen_or_stopped_stays() {
        let mut tuner = tuner(data("frozen"));
        let body = ENGINE.split_once('\n').unwrap().1;
        assert!(run(&tuner, true).0.unwrap().ends_with(body));
        tuner.freeze = vec!["material".to_owned()];
        assert!(run(&tuner, false).0.unwrap().ends_with(body));
        tuner.freeze = vec!["matter".to_owned()];
        assert!(
            matches!(run(&tuner, false).0, Err(TuneError::NoSuchTerm(name)) if name == "matter")
        );
        let _ = fs::remove_file(&tuner.data[0]);
    }

    #[test]
    fn too_little_to_learn_from() {
        let path = data("few");
        fs::write(&path, "4k3/8/8/8/8/8/P7/4K3 w - - 0\n= 0 1-0\n").unwrap();
        assert!(matches!(run(&tuner(path.clone()), false).0, Err(TuneError::TooFewGames(1))));
        let _ = fs::remove_file(&path);
        assert!(matches!(run(&tuner(path), false).0, Err(TuneError::File { .. })));
    }
}
