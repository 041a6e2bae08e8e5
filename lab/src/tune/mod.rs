//! `tropism-lab tune`: weights fitted to the results of games.
//!
//! Texel's method (Peter Österlund 2014): a logistic function turns the value of a position into the
//! expected result of its game, and the weights minimise the cross-entropy of the expected and the
//! true results. The value is linear in the weights, so the gradient is exact. Adam (Kingma and Ba 2014)
//! descends it in mini-batches.
//!
//! - `samples`: data files become sparse counts.
//! - `descent` and `adam`: the loss, its gradient, and gradient descent.
//! - [`Tune`]: from data files to the text of an engine file.

mod adam;
mod descent;
mod samples;

use crate::provenance::{EngineFile, HEADER, made_by, with_header};
use crate::terminal::{print_line, stop_on_ctrl_c};
use crate::{arguments::share, data::MAX_BAD_LINES};
use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use descent::{
    Descended, Descent, DescentSettings, Target, best_scale_of_labels, best_scale_of_weights,
    mean_loss,
};
use samples::{Samples, in_force, shares};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{fs, path::PathBuf};
use tropism::eval::{Engine, EngineFileError, Registry, Score, TunableNumber};
use tropism::text::did_you_mean;
use tropism_program::{Context, check_outputs};

/// Fit the weights of an engine file to the results of games.
///
/// Numbers of its expressions, as `let.reach = { value = 3, from = 1, to = 7 }`, are fitted first: for each value that
/// is tried, the weights are fitted in a few epochs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Tune {
    /// Files that `tropism-lab datagen` or `tropism-lab label` wrote.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The engine file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Terms whose weights do not change; by default the terms that are not tuned from games.
    #[arg(long, value_name = "TERM", num_args = 0..)]
    freeze: Option<Vec<String>>,
    /// The most epochs; an epoch uses each position once.
    #[arg(long, value_name = "N", default_value_t = 100)]
    epochs: usize,
    #[command(flatten)]
    descent: DescentSettings,
    /// The share of the search's score in the target; the rest is the result of the game.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    score_share: f64,
    /// The share of the labels in the target; the rest is the result of the game. The data are files that
    /// `tropism-lab label` wrote.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share,
          conflicts_with = "score_share")]
    mix: f64,
}

/// Fitted weights.
struct Fit {
    engine: Engine,
    /// Centipawns for odds of ten to one.
    scale: f64,
    /// The least validation loss.
    validation: f64,
    /// How the weights were made, for the header of the engine file.
    facts: Vec<String>,
}

/// The line in the header of a file whose fit was stopped.
pub(crate) const STOPPED: &str = "stopped before its end";

/// The most epochs for each number of an expression that is tried.
const EPOCHS_OF_NUMBER: usize = 8;

impl Tune {
    /// Fits the weights and writes the engine file. Ctrl-C ends the fit early.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let is_own = |text: String| text.lines().any(|line| line.starts_with(HEADER));
        ensure!(
            !self.out.exists() || fs::read_to_string(&self.out).is_ok_and(is_own),
            "{} exists and was not written by `tropism-lab tune`; name another file with --out",
            self.out.display()
        );
        check_outputs(&self.data, [&self.out])?;
        let start = EngineFile::of(context)?;
        let made_by = made_by(&context.registry)?;
        let stop = stop_on_ctrl_c()?;
        let tuned =
            self.tune(&start, &context.registry, made_by, &stop, |line| print_line(&line))?;
        Engine::parse(&tuned, &start.name, &context.registry).context(
            "the fitted weights are too large; use more games, or a smaller --step or --prior",
        )?;
        fs::write(&self.out, &tuned).with_context(|| self.out.display().to_string())
    }

    /// The text of the engine file `start` with the weights of the least validation loss, and a header of `facts` and how
    /// they were made. `stop` ends the fit early.
    fn tune(
        &self,
        start: &EngineFile,
        registry: &Registry,
        mut facts: Vec<String>,
        stop: &AtomicBool,
        mut report: impl FnMut(&str),
    ) -> Result<String> {
        let (text, stopped) = self.fit_numbers(start, registry, stop, &mut report)?;
        let fit = match stopped {
            Some(fit) => fit,
            None => self.fit(&text, start, registry, (self.epochs, None), stop, &mut report)?,
        };
        let tuned = fit.engine.write_into(&text, &start.name, registry)?;
        facts.push(format!("from {}", start.identity()));
        let numbers = Engine::tunable_numbers(&start.text);
        for (old, new) in numbers.iter().zip(Engine::tunable_numbers(&text)) {
            if old.value != new.value {
                facts.push(format!("number {} {}, before {}", new.name, new.value, old.value));
            }
        }
        facts.extend(fit.facts);
        if stop.load(Relaxed) {
            facts.push(STOPPED.to_owned());
        }
        Ok(with_header(&tuned, &facts))
    }

    /// Fits the numbers that the expressions of a file leave to the tuner, one after the other: values all over its
    /// range first, then nearer and nearer to the best of them. Returns the text with the best numbers, and the weights
    /// that belong to it if the search was stopped.
    fn fit_numbers(
        &self,
        start: &EngineFile,
        registry: &Registry,
        stop: &AtomicBool,
        report: &mut impl FnMut(&str),
    ) -> Result<(String, Option<Fit>)> {
        let mut text = start.text.clone();
        let frozen = self.frozen(&Engine::parse(&text, &start.name, registry)?);
        let is_free = |number: &TunableNumber| {
            !number.terms.is_empty() && number.terms.iter().all(|term| !frozen.contains(term))
        };
        let numbers = Engine::tunable_numbers(&text).into_iter().enumerate();
        let free: Vec<usize> =
            numbers.filter(|(_, number)| is_free(number)).map(|(index, _)| index).collect();
        if free.is_empty() {
            return Ok((text, None));
        }
        let epochs = self.epochs.min(EPOCHS_OF_NUMBER);
        let fit =
            |text: &str, scale| self.fit(text, start, registry, (epochs, scale), stop, &mut |_| ());
        let mut best = fit(&text, None)?;
        // The losses of all fits are compared, so they have one scale.
        let scale = Some(best.scale);
        for index in free {
            let number = |text: &str| Engine::tunable_numbers(text).swap_remove(index);
            let TunableNumber { name, terms, range, value: mut chosen, .. } = number(&text);
            let (from, to) = (*range.start(), *range.end());
            let mut step = ((to - from + 7) / 8).max(1);
            let mut values: Vec<i32> = (from..to).step_by(step as usize).chain([to]).collect();
            loop {
                values.retain(|&value| range.contains(&value) && value != chosen);
                for value in values {
                    if stop.load(Relaxed) {
                        return Ok((text, Some(best)));
                    }
                    let changed = number(&text).write_into(&text, value);
                    let with = match fit(&changed, scale) {
                        Ok(with) => with,
                        // With this value, the term takes too long or counts too much.
                        Err(error) if error.is::<EngineFileError>() => continue,
                        Err(error) => return Err(error),
                    };
                    let validation = with.validation;
                    let terms = terms.join(" and ");
                    report(&format!("{name} of {terms} = {value:<5}  validation {validation:.5}"));
                    if validation < best.validation {
                        (best, text, chosen) = (with, changed, value);
                    }
                }
                step /= 2;
                if step == 0 {
                    break;
                }
                values = vec![chosen - step, chosen + step];
            }
        }
        Ok((text, None))
    }

    /// Fits the weights of a text of an engine file in at most so many epochs, with this scale or that which fits best.
    /// `stop` ends the fit early.
    fn fit(
        &self,
        text: &str,
        start: &EngineFile,
        registry: &Registry,
        (epochs, scale): (usize, Option<f64>),
        stop: &AtomicBool,
        report: &mut impl FnMut(&str),
    ) -> Result<Fit> {
        let mut engine = Engine::parse(text, &start.name, registry)?;
        let frozen = self.frozen(&engine);
        let is_term = |name: &&String| {
            registry.get(name).is_some() || engine.terms().any(|term| term == name.as_str())
        };
        if let Some(unknown) = frozen.iter().find(|name| !is_term(name)) {
            let known: Vec<&str> = engine.terms().collect();
            let hint = did_you_mean(unknown, known.iter().copied())
                .unwrap_or_else(|| format!("known are {}", known.join(", ")));
            bail!("cannot freeze {unknown:?}: there is no term of this name; {hint}");
        }
        // What the file leaves to its base cannot be written into it.
        let in_file = engine.pairs_in(text);
        let terms = engine
            .parts()
            .flat_map(|(term, pairs)| vec![frozen.iter().any(|frozen| frozen == term); pairs]);
        let shares = shares(&engine);
        let is_frozen: Vec<bool> = terms
            .zip(in_file)
            .zip(&shares)
            .map(|((is_frozen, is_in_file), &share)| is_frozen || !is_in_file || share == 0.0)
            .collect();
        let samples = Samples::read(&self.data, &engine, &is_frozen)?;
        let weights = in_force(&engine);
        let scale = scale.unwrap_or_else(|| best_scale_of_weights(&samples, &weights));
        let mut target = Target { score_share: self.score_share, label: None };
        if self.mix > 0.0 {
            let scale = best_scale_of_labels(&samples).context(
                "--mix needs labels, and the data files have none; `tropism-lab label` adds them",
            )?;
            target.label = Some((self.mix, scale));
        }
        report(&format!("{samples}, {scale:.0} centipawns for odds of 10 to 1"));
        let shown = samples.bad.iter().take(MAX_BAD_LINES);
        shown.for_each(|line| report(&format!("  left out: {line}")));
        let descent = Descent::new(&self.descent, &samples, weights, scale, target);
        let descended = descent.run(epochs, stop, report);
        let old: Vec<Score> = engine.weights().collect();
        let new = descended.weights.iter().zip(&shares).zip(old.into_iter().zip(&is_frozen)).map(
            |((&[mg, eg], share), (old, &is_frozen))| match is_frozen {
                true => old,
                false => Score::from_centipawns(mg / share, eg / share),
            },
        );
        engine.set_weights(new);
        let (frozen, validation) = (frozen.join(" "), descended.best.validation);
        let frozen = if frozen.is_empty() { "none" } else { &frozen };
        let mut facts = vec![format!("frozen: {frozen}")];
        facts.extend(self.facts(&samples, &target, &descended));
        Ok(Fit { engine, scale, validation, facts })
    }

    /// The terms whose weights do not change.
    fn frozen(&self, engine: &Engine) -> Vec<String> {
        self.freeze.clone().unwrap_or_else(|| {
            let not_tuned = engine.entries().filter(|entry| !entry.is_tuned_from_games);
            not_tuned.map(|entry| entry.name.to_string()).collect()
        })
    }

    /// What the weights were fitted to, and how.
    fn facts(&self, samples: &Samples, target: &Target, descended: &Descended) -> Vec<String> {
        let mix = target.label.map(|(share, scale)| {
            format!("mix {share}, labels with {scale:.0} centipawns for odds of 10 to 1")
        });
        let files = samples.files.iter().map(|file| format!("data {file}"));
        let DescentSettings { step, prior, batch, seed } = self.descent;
        let settings = format!(
            "step {step}, prior {prior}, score share {}, batch {batch}, seed {seed}",
            self.score_share
        );
        let Descended { before, best, epochs, .. } = descended;
        let losses = format!(
            "{epochs} epochs; training loss {:.5} to {:.5}, validation loss {:.5} to {:.5}",
            before.training, best.training, before.validation, best.validation
        );
        mix.into_iter().chain(files).chain([settings, losses]).collect()
    }
}

/// How well the weights of an engine predict the results of recorded games: the mean loss on the validation games, with
/// all terms or without one.
///
/// The scale is fitted again for each set of terms: a term gets no credit for a loss that the other terms could make good
/// by being larger.
pub(crate) fn losses(
    data: &[PathBuf],
    engine: &Engine,
) -> Result<impl Fn(Option<&str>) -> f64 + use<>> {
    let samples = Samples::read(data, engine, &vec![false; engine.pairs()])?;
    let terms: Vec<String> =
        engine.parts().flat_map(|(term, pairs)| vec![term.to_owned(); pairs]).collect();
    let all = in_force(engine);
    Ok(move |without: Option<&str>| {
        let weights = all.iter().zip(&terms);
        let is_left_out = |term: &String| without == Some(term.as_str());
        let weights: Vec<_> =
            weights.map(|(&pair, term)| if is_left_out(term) { [0.0; 2] } else { pair }).collect();
        let scale = best_scale_of_weights(&samples, &weights);
        mean_loss(&samples, &samples.validation, &weights, scale, &Target::default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGINE: &str = "#: tuned long ago\nname = 'x' # by hand\nterms = ['material']\n\
        [material]\npawn = [100, 100]\nknight = [100, 100]\nbishop = [300, 300]\n\
        rook = [500, 500]\nqueen = [900, 900]\n";

    /// Games in which a knight more wins, a pawn more wins three of five, and rooks never occur.
    fn games() -> String {
        let mut text = String::from("# made by hand\n");
        for game in 0..400 {
            let (piece, result) = match game % 10 {
                0..=3 => ("N", "1-0"),
                4 => ("N", "1/2-1/2"),
                5..=7 => ("P", "1-0"),
                _ => ("P", "0-1"),
            };
            let file = game % 7;
            let rank = format!("{}{piece}{}", "1".repeat(file), 7 - file);
            let rank = rank.replace("1111111", "7");
            text += &format!("4k3/p7/8/8/{rank}/8/P7/4K3 w - - 0\n= {game} {result}\n");
        }
        text += "nonsense\n4k3/8/8/8/8/8/8/8 w - - 0\n= 400 1-0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n";
        text
    }

    /// A data file in a folder of its own, which is deleted with the first value.
    fn data(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn tuner(data: PathBuf) -> Tune {
        Tune {
            data: vec![data],
            out: PathBuf::from("unused.toml"),
            freeze: Some(Vec::new()),
            epochs: 60,
            descent: DescentSettings { step: 5.0, prior: 1000.0, batch: 64, seed: 1 },
            score_share: 0.0,
            mix: 0.0,
        }
    }

    fn run(tuner: &Tune, stop: bool) -> (Result<String>, Vec<String>) {
        run_on(tuner, ENGINE, stop)
    }

    fn run_on(tuner: &Tune, engine: &str, stop: bool) -> (Result<String>, Vec<String>) {
        let mut reports = Vec::new();
        let registry = tropism::terms::registry();
        let stop = AtomicBool::new(stop);
        let start = EngineFile { text: engine.to_owned(), name: "x.toml".to_owned() };
        let made_by = vec!["2026-11-22, tropism-lab 0.1.0, bench 1".to_owned()];
        let tuned = tuner.tune(&start, &registry, made_by, &stop, |report| {
            reports.push(report.to_owned());
        });
        (tuned, reports)
    }

    #[test]
    fn weights_follow_the_results_and_all_else_stays() {
        let (_folder, path) = data(&games());
        let tuner = tuner(path);
        let (tuned, reports) = run(&tuner, false);
        let tuned = tuned.unwrap();
        let engine = Engine::parse(&tuned, "tuned", &tropism::terms::registry()).unwrap();
        let endgame: Vec<i32> = engine.weights().map(|weight| weight.endgame() / 256).collect();
        // A knight wins more often than a pawn; weights that never count stay as they are.
        assert!(endgame[1] > endgame[0] + 50, "{tuned}");
        assert_eq!(endgame[2..], [300, 500, 900]);
        assert!(tuned.starts_with("#: tune: 2026-11-22, tropism-lab "), "{tuned}");
        assert!(tuned.contains("\n#: tune: from x.toml, SHA-256 "), "{tuned}");
        let data = "\n#: tune: data games.txt: 400 positions of 401 games, SHA-256 ";
        assert!(tuned.contains(data), "{tuned}");
        assert!(tuned.contains(", seed 1\n"), "{tuned}");
        assert!(tuned.contains("name = 'x' # by hand\n"), "{tuned}");
        assert!(!tuned.contains("long ago"), "{tuned}");

        assert!(
            reports[0].starts_with("400 positions of 401 games, 2 bad lines left out"),
            "{reports:?}"
        );
        let bad_lines: Vec<&String> =
            reports.iter().filter(|line| line.starts_with("  left out: ")).collect();
        assert_eq!(bad_lines.len(), 2);
        assert!(
            bad_lines.iter().any(|line| line.contains(":802: not `FEN SCORE`")
                && line.ends_with("no score after the position")),
            "{bad_lines:?}"
        );
        let losses: Vec<f64> = reports
            .iter()
            .filter(|line| line.starts_with("epoch "))
            .map(|line| line.split_whitespace().nth(5).unwrap().parse().unwrap())
            .collect();
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least < losses[0], "{losses:?}");
        assert!(reports.last().unwrap().starts_with("epoch "), "{reports:?}");

        // The same settings give the same weights.
        assert_eq!(run(&tuner, false).0.unwrap(), tuned);
    }

    #[test]
    fn frozen_weights_stay_and_so_do_all_when_stopped_at_once() {
        let (_folder, path) = data(&games());
        let mut tuner = tuner(path);
        let body = ENGINE.split_once('\n').unwrap().1;
        assert!(run(&tuner, true).0.unwrap().ends_with(body));
        tuner.freeze = Some(vec!["material".to_owned()]);
        let (tuned, reports) = run(&tuner, false);
        assert!(tuned.unwrap().ends_with(body));
        let last = reports.last().unwrap();
        assert!(last.starts_with("no epoch lowered the validation loss"), "{last}");
        tuner.freeze = Some(vec!["materials".to_owned()]);
        let error = run(&tuner, false).0.unwrap_err().to_string();
        let expected = "cannot freeze \"materials\": there is no term of this name; did you mean \"material\"?";
        assert_eq!(error, expected);
    }

    #[test]
    fn the_worth_of_a_term_in_a_file_with_a_base_is_tuned_and_all_else_stays() {
        let (_folder, path) = data(&games());
        let file = "name = 'x'\nbase = 'tropism'\n[more_knights]\ndoc = 'Knights count more.'\n\
            [more_knights.knight]\ncount = 'count(own.knights)' # by hand\nunit = 'knights'\nworth = [0, 0]\n";
        let tuned = run_on(&tuner(path), file, false).0.unwrap();
        let (before, after) = tuned.rsplit_once("worth = [").unwrap();
        assert!(before.ends_with(&file[..file.len() - "worth = [0, 0]\n".len()]), "{tuned}");
        let endgame: f64 =
            after.trim_end().trim_end_matches(']').split(", ").nth(1).unwrap().parse().unwrap();
        assert!(endgame.abs() > 5.0, "{tuned}");
    }

    /// With so small a step, the weight that counts most goes furthest: that of 7.
    #[test]
    fn a_number_of_an_expression_is_fitted() {
        let (_folder, path) = data(&games());
        let file = format!(
            "{ENGINE}[knight]\ndoc = 'A knight.'\n\
                 let.n = {{ value = 15, from = -20, to = 20 }} # by hand\n\
                 [knight.more]\ncount = 'count(own.knights) * max(0, 10 - abs(n - 7))'\n\
                 unit = 'knights'\nworth = [0, 0]\n"
        )
        .replace("['material']", "['material', 'knight']");
        let mut tuner = tuner(path);
        tuner.descent.step = 0.1;
        tuner.freeze = Some(vec!["material".to_owned()]);
        let (tuned, reports) = run_on(&tuner, &file, false);
        let tuned = tuned.unwrap();
        assert!(
            tuned.contains("let.n = { value = 7, from = -20, to = 20 } # by hand\n"),
            "{tuned}"
        );
        assert!(!tuned.contains("worth = [0, 0]"), "{tuned}");
        let tried = reports.iter().filter(|report| report.starts_with("n of knight = "));
        assert!(tried.count() > 9, "{reports:?}");
        // A frozen term keeps its number.
        tuner.freeze = Some(vec!["knight".to_owned()]);
        let tuned = run_on(&tuner, &file, false).0.unwrap();
        assert!(tuned.contains("let.n = { value = 15,"), "{tuned}");
    }

    /// The games say that knights win. The labels say that they do not.
    #[test]
    fn labels_take_the_place_of_results_by_their_share() {
        let mut text = String::new();
        for line in games().lines().filter(|line| line.len() > 20) {
            let label = if line.contains('N') { "mate -5" } else { "cp 0 wdl 0 1000 0" };
            text += &format!("{line} | {label}\n= 0 1-0\n");
        }
        let (_folder, path) = data(&text);
        let mut tuner = tuner(path);
        let knight = |tuner: &Tune| {
            let tuned = run(tuner, false).0.unwrap();
            let engine = Engine::parse(&tuned, "tuned", &tropism::terms::registry()).unwrap();
            (engine.weights().nth(1).unwrap().endgame() / 256, tuned)
        };
        assert!(knight(&tuner).0 > 120);
        tuner.mix = 1.0;
        let (weight, tuned) = knight(&tuner);
        assert!(weight < 80, "{tuned}");
        assert!(tuned.contains("\n#: tune: mix 1, labels with "), "{tuned}");
        let (_folder, path) = data(&games());
        tuner.data = vec![path];
        let error = run(&tuner, false).0.unwrap_err().to_string();
        assert!(error.starts_with("--mix needs labels, and the data files have none"), "{error}");
    }

    #[test]
    fn only_a_term_that_decides_games_lowers_the_loss() {
        // The side with the knight wins, wherever the knight stands.
        let mut text = String::new();
        for game in 0..200 {
            let file = game % 7;
            let (knight, result) = if game % 2 == 0 { ('N', "1-0") } else { ('n', "0-1") };
            let rank = format!("{}{knight}{}", "1".repeat(file), 7 - file).replace('0', "");
            text += &format!("4k3/p7/8/8/{rank}/8/P7/4K3 w - - 0\n= {game} {result}\n");
        }
        let (_folder, path) = data(&text);
        let engine = Engine::parse(
            "name = 'x'\nterms = ['material', 'knight_forks']\n[material]\npawn = [100, 100]\n\
             knight = [300, 300]\nbishop = [300, 300]\nrook = [500, 500]\nqueen = [900, 900]\n\
             [knight_forks]\nfork = [0, 0]\nfamily = [0, 0]\n",
            "x.toml",
            &tropism::terms::registry(),
        )
        .unwrap();
        let loss = losses(&[path], &engine).unwrap();
        let whole = loss(None);
        assert!(whole < 1e-3, "{whole}");
        assert_eq!(loss(Some("knight_forks")), whole);
        // Without any term a prediction is the toss of a coin.
        assert!((loss(Some("material")) - std::f64::consts::LN_2).abs() < 1e-9);
    }
}
