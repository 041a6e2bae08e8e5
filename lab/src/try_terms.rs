//! `tropism-lab try`: from the idea of a term to a verdict, with the other commands.
//!
//! The long stages (games, weights, match) are commands that are printed, and leave their files in one folder. What is
//! there is not made again, so the same command continues.

use crate::arguments::{self, at_least_1, positive};
use crate::data::{games, read_file};
use crate::provenance::{EngineFile, line_with_engine, sha256};
use crate::{counts::names, opening_book::OpeningBook, statistics::Verdict, tune::STOPPED};
use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use shakmaty::Chess;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fs, sync::Arc};
use tropism::eval::{Engine, Entry, EvalContext, Score};
use tropism::{search::Game, testing::mirrored};
use tropism_program::Context;

/// The most positions of the data in which the counts are looked at, from all over it.
const SAMPLE: usize = 5000;

/// Rounds in which the time of the terms is measured.
const ROUNDS: u32 = 100;

/// Try the new terms of an engine file: check them, fit their weights, and play a match against the engine without them.
///
/// The engine without them is the built-in one, or that of --engine.
#[derive(Args, Clone, Debug)]
pub(crate) struct Try {
    /// The engine file with the new terms.
    #[arg(value_name = "IDEA")]
    idea: PathBuf,
    /// The folder for games, weights and the match; by default the name of the file with `.try`.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Fit the weights to these files of `datagen` or `label`, instead of games that are played for it. If they have
    /// labels, these are judged, and half of what the weights are fitted to.
    #[arg(long, value_name = "DATA", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Games that are played for the weights.
    #[arg(long, value_name = "N", default_value_t = 2000, conflicts_with = "data")]
    games: u64,
    /// Nodes per move of these games.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = at_least_1::<u64>())]
    nodes: u64,
    /// The gain that the match looks for, in Elo: its sequential test decides between 0 and this.
    #[arg(long, value_name = "ELO", default_value_t = 5.0, value_parser = positive)]
    gain: f64,
    /// Nodes per move of the match.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = at_least_1::<u64>())]
    match_nodes: u64,
    /// End the match after so many games, even without a decision.
    #[arg(long, value_name = "N", value_parser = arguments::games(2))]
    match_games: Option<u64>,
}

/// Runs the command of these words with the engine of a context.
pub(crate) type Runner<'r> = &'r dyn Fn(&[&str], &Context) -> Result<Option<Verdict>>;

impl Try {
    /// Runs all stages that are not done with the commands of `run`, and prints what to do next. If a stage fails, what
    /// the stages before it made stays.
    pub(crate) fn run(&self, base: &Context, run: Runner) -> Result<()> {
        let idea = base.of_file(self.idea.clone())?;
        let known: Vec<&str> = base.engine.terms().collect();
        let new: Vec<&str> = idea.engine.terms().filter(|term| !known.contains(term)).collect();
        ensure!(
            !new.is_empty(),
            "{}: the engine {:?} has all terms of this file; write a new term, or compare the two with \
             `tropism-lab match {0}`{2}",
            self.idea.display(),
            base.engine.name(),
            idea.engine.warnings().iter().map(|warning| format!("\n{warning}")).collect::<String>()
        );
        let folder = self.folder.clone().unwrap_or_else(|| self.idea.with_extension("try"));
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;

        let mut step = 0;
        let mut heading = |title: &str| {
            step += 1;
            say(&format!("{}{step}. {title}", if step > 1 { "\n" } else { "" }))
        };
        heading(&format!("Check of {}", new.join(", ")))?;
        check(&idea, &new)?;
        let others = differences(&base.engine, &idea.engine);
        if !others.is_empty() {
            say(&format!(
                "the file differs from the engine {:?} in {} too, so the match tests all of it",
                base.engine.name(),
                others.join(", ")
            ))?;
        }
        let data = if self.data.is_empty() {
            heading("Games for the weights")?;
            vec![self.games(base, run, &folder)?]
        } else {
            self.data.iter().map(|path| path.display().to_string()).collect()
        };
        heading("Counts in the positions of these games")?;
        let has_labels = count(&idea, &new, &data)?;
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        if has_labels {
            heading("The labels")?;
            let idea = self.idea.display().to_string();
            let words = ["judge", "--candidates", &idea, "--top", "5", "--worst", "0"];
            run(&[&words, &data[..]].concat(), base)?;
        }
        heading("Weights of the new terms")?;
        let tuned = path_in(&folder, "tuned.toml");
        fit(base, &idea, &data, has_labels, &tuned, run)?;

        let with = base.of_file(PathBuf::from(&tuned))?;
        if !new.iter().any(|term| counts_for_something(&with.engine, term)) {
            return say(
                "\nEvery new weight is 0, so the engine plays as before, and there is nothing to test. More games may \
                 show a worth: --games",
            );
        }
        heading("The match: B has the new terms")?;
        let verdict = self.play_match([&with, base], &folder, &tuned, run)?;
        heading("What next")?;
        say(&self.advice(verdict, &tuned, base))
    }

    /// Plays the games for the weights, and returns their file.
    fn games(&self, base: &Context, run: Runner, folder: &Path) -> Result<String> {
        let (games, nodes) = (self.games.to_string(), self.nodes.to_string());
        let out = path_in(folder, "games.txt");
        run(&["datagen", "--out", &out, "--games", &games, "--nodes", &nodes], base)
            .context("no games for the weights; --folder names a folder for other settings")?;
        Ok(out)
    }

    /// The match of the engine with the new terms against the base.
    fn play_match(
        &self,
        engines: [&Context; 2],
        folder: &Path,
        tuned: &str,
        run: Runner,
    ) -> Result<Option<Verdict>> {
        let (nodes, gain) = (self.match_nodes.to_string(), self.gain.to_string());
        let [with, without] = engines.map(EngineFile::of);
        let hashes = [with?.sha256_of_engine(), without?.sha256_of_engine()];
        let settings = format!("{} {nodes} {gain}", hashes.join(" "));
        let pgn = path_in(folder, &format!("match-{}.pgn", &sha256(&settings)[..8]));
        let games = self.match_games.map(|games| games.to_string());
        let mut words =
            vec!["match", tuned, "--nodes", &nodes, "--pgn", &pgn, "--sprt", "0", &gain];
        words.extend(games.iter().flat_map(|games| ["--games", games]));
        run(&words, engines[1])
    }

    /// What to do after the match.
    fn advice(&self, verdict: Option<Verdict>, tuned: &str, base: &Context) -> String {
        let gain = self.gain.to_string();
        match verdict {
            Some(Verdict::Accepted) => {
                let words = ["match", tuned, "--tc", "8+0.08", "--sprt", "0", &gain];
                format!(
                    "The idea gains. Keep the sections of {tuned}, and confirm it with a clock before you rely on it: {}",
                    line_with_engine(&words, base)
                )
            }
            Some(Verdict::Rejected) => format!(
                "No gain of {gain} Elo. The counts above say how often each weight counts, and {tuned} what the games say it is \
                 worth: a worth near 0 means that the other terms know it already."
            ),
            None => {
                "No decision yet: the same command continues the match, beyond its games with a larger --match-games."
                    .to_owned()
            }
        }
    }
}

/// Fits the weights of the new terms and writes them to the file `tuned`, unless it has them.
fn fit(
    base: &Context,
    idea: &Context,
    data: &[&str],
    has_labels: bool,
    tuned: &str,
    run: Runner,
) -> Result<()> {
    // The terms of the base, and new ones of which results say little.
    let is_fixed = |entry: &&Arc<Entry>| {
        !entry.is_tuned_from_games || base.engine.terms().any(|term| term == entry.name)
    };
    let fixed: Vec<&str> = idea.engine.entries().filter(is_fixed).map(|it| &*it.name).collect();
    // What the header of the weights says if they were made so.
    let mut facts = vec![format!("from {}", EngineFile::of(idea)?.identity()), fixed.join(" ")];
    for file in data {
        facts.push(format!("SHA-256 {}", sha256(&read_file(Path::new(file))?)));
    }
    let is_made = |text: &str| {
        facts.iter().all(|fact| text.contains(&format!("{fact}\n"))) && !text.contains(STOPPED)
    };
    if fs::read_to_string(tuned).is_ok_and(|text| is_made(&text)) {
        return say(&format!("{tuned} has them; delete it to fit them again"));
    }
    let target: &[&str] = if has_labels { &["--mix", "0.5"] } else { &[] };
    let out = ["--out", tuned, "--freeze"];
    run(&[&["tune"], data, target, &out, &fixed].concat(), idea)?;
    let is_stopped = read_file(Path::new(tuned))?.contains(STOPPED);
    ensure!(!is_stopped, "stopped; the same command fits the weights again");
    Ok(())
}

fn path_in(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// Prints a line.
fn say(line: &str) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Checks that no position prefers a colour, and shows what the new terms cost.
fn check(idea: &Context, new: &[&str]) -> Result<()> {
    let openings = OpeningBook::shipped(1)?;
    let positions: Vec<Chess> =
        openings.positions().map(|game| game.position().chess().clone()).collect();
    for chess in &positions {
        let [here, there] =
            [chess, &mirrored(chess)].map(|chess| idea.engine.balance(&EvalContext::new(chess)));
        if here != -there {
            bail!("the evaluation prefers a colour in {}", crate::random_moves::four_fields(chess));
        }
    }
    let cost = idea.engine.cost(&positions[..positions.len().min(100)], ROUNDS);
    let own = cost.terms.iter().filter(|term| new.contains(&term.name.as_str()));
    let own: f64 = own.map(|term| term.nanoseconds).sum::<f64>().max(0.0);
    say(&format!(
        "{} positions and their mirror images have opposite values; the new terms take {own:.0} of {:.0} ns ({:.0} %)",
        positions.len(),
        cost.sum(),
        100.0 * own / cost.sum()
    ))?;
    cost.complaint().map_or(Ok(()), |complaint| say(&complaint))
}

/// The terms of an engine that the other one lacks, or weighs differently.
fn differences(engine: &Engine, other: &Engine) -> Vec<String> {
    let names = engine.terms().filter(|term| weights_of(engine, term) != weights_of(other, term));
    names.map(str::to_owned).collect()
}

/// The weights of a term, and its percentage.
fn weights_of(engine: &Engine, term: &str) -> Option<(Vec<Score>, u32)> {
    let mut start = 0;
    let (_, pairs) = engine.parts().find(|&(name, pairs)| {
        start += pairs;
        name == term
    })?;
    Some((engine.weights().skip(start - pairs).take(pairs).collect(), engine.percent(term)?))
}

fn counts_for_something(engine: &Engine, term: &str) -> bool {
    weights_of(engine, term).is_some_and(|(weights, percent)| {
        percent > 0 && weights.iter().any(|weight| *weight != Score::ZERO)
    })
}

/// Shows in how many positions of the data each new weight counts. Returns whether the data have labels.
fn count(idea: &Context, new: &[&str], data: &[String]) -> Result<bool> {
    let names = names(&idea.engine);
    let mut counts = vec![0; names.len()];
    let mut counted = vec![0_usize; names.len()];
    let (mut positions, mut has_labels) = (0, false);
    for path in data {
        let text = read_file(Path::new(path))?;
        // The stage that fits the weights names bad lines.
        let (games, _) = games(&text);
        let recorded = games.iter().flat_map(|game| &game.positions);
        has_labels |= recorded.clone().any(|recorded| recorded.label.is_some());
        let step = recorded.clone().count().div_ceil(SAMPLE / data.len()).max(1);
        for recorded in recorded.step_by(step) {
            let Ok(game) = Game::from_fen(recorded.fen, None) else { continue };
            idea.engine.record(game.position().chess(), &mut counts);
            counted
                .iter_mut()
                .zip(&counts)
                .for_each(|(sum, &count)| *sum += usize::from(count != 0));
            positions += 1;
        }
    }
    ensure!(positions > 0, "{}: there are no positions", data.join(", "));
    let mut is_any = false;
    for (name, counted) in names.iter().zip(counted) {
        if new.contains(&name.split('.').next().unwrap_or_default()) {
            is_any |= counted > 0;
            let share = 100.0 * counted as f64 / positions as f64;
            say(&format!("{name:40} {share:5.1} % of {positions} positions"))?;
        }
    }
    ensure!(
        is_any,
        "every new weight counts the same for both sides in all of these positions; look at the conditions"
    );
    Ok(has_labels)
}
