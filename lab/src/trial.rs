//! `tropism-lab try`: from the idea of a term to a verdict, with the other commands.
//!
//! The long stages (games, weights, match) are commands that are printed, and leave their files in one folder. What is
//! there is not made again, so the same command continues.

use crate::{
    arguments::positive,
    cli,
    counts::names,
    data::games,
    openings::Openings,
    provenance::{EngineFile, hash},
    statistics::Verdict,
    tune::STOPPED,
};
use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use shakmaty::{Chess, EnPassantMode, Position as _};
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};
use tropism::{
    eval::{Engine, EvalContext, Score},
    search::Game,
};
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
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The gain that the match looks for, in Elo: its sequential test decides between 0 and this.
    #[arg(long, value_name = "ELO", default_value_t = 5.0, value_parser = positive)]
    gain: f64,
    /// Nodes per move of the match.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// End the match after so many games, even without a decision.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    match_games: Option<u64>,
}

impl Try {
    /// Runs all stages that are not done, and prints what to do next.
    ///
    /// # Errors
    ///
    /// If the file has no new term or a stage fails. What the stages before it made stays.
    pub(crate) fn run(&self, base: &Context) -> Result<()> {
        let idea = base.of_file(self.idea.clone())?;
        let known: Vec<&str> = base.engine.terms().collect();
        let new: Vec<&str> = idea.engine.terms().filter(|term| !known.contains(term)).collect();
        ensure!(
            !new.is_empty(),
            "{}: the engine {:?} has all terms of this file; write a new term, or compare the two with \
             `tropism-lab match {0}`",
            self.idea.display(),
            base.engine.name()
        );
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => self.idea.with_extension("try"),
        };
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let in_folder = |name: &str| folder.join(name).display().to_string();

        say(&format!("1. Check of {}", new.join(", ")))?;
        check(&idea, &new)?;
        let others = differences(&base.engine, &idea.engine);
        if !others.is_empty() {
            say(&format!(
                "the file differs from the engine {:?} in {} too, so the match tests all of it",
                base.engine.name(),
                others.join(", ")
            ))?;
        }

        let data = match &self.data[..] {
            [] => {
                say("\n2. Games for the weights")?;
                let (games, nodes) = (self.games.to_string(), self.nodes.to_string());
                let out = in_folder("games.txt");
                let words = ["datagen", "--out", &out, "--games", &games, "--nodes", &nodes];
                let hint = "no games for the weights; --folder names a folder for other settings";
                cli::run_words(&words, base).context(hint)?;
                vec![out]
            }
            data => data.iter().map(|path| path.display().to_string()).collect(),
        };
        say("\n3. Counts in the positions of these games")?;
        let has_labels = count(&idea, &new, &data)?;
        let files: Vec<&str> = data.iter().map(String::as_str).collect();
        if has_labels {
            say("\n4. The labels")?;
            let idea = self.idea.display().to_string();
            let words =
                [&["judge", "--candidates", &idea, "--top", "5", "--worst", "0"], &files[..]];
            cli::run_words(&words.concat(), base)?;
        }

        say("\n5. Weights of the new terms")?;
        let (start, tuned) = (EngineFile::of(&idea)?, in_folder("tuned.toml"));
        // The terms of the base, and new ones of which results say little.
        let entries = idea.engine.entries();
        let fixed =
            entries.filter(|entry| !entry.is_tuned_from_games || known.contains(&&*entry.name));
        let fixed: Vec<&str> = fixed.map(|entry| &*entry.name).collect();
        // What the header of the weights says if they were made so.
        let mut facts = vec![format!("from {}", start.identity()), fixed.join(" ")];
        for file in &files {
            let text = fs::read_to_string(file).with_context(|| (*file).to_owned())?;
            facts.push(format!("SHA-256 {}", hash(&text)));
        }
        let is_made = |text: &str| {
            facts.iter().all(|fact| text.contains(&format!("{fact}\n"))) && !text.contains(STOPPED)
        };
        if fs::read_to_string(&tuned).is_ok_and(|text| is_made(&text)) {
            say(&format!("{tuned} has them; delete it to fit them again"))?;
        } else {
            let target: &[&str] = if has_labels { &["--mix", "0.5"] } else { &[] };
            let out = ["--out", &tuned, "--freeze"];
            let words = [&["tune"], &files[..], target, &out, &fixed[..]].concat();
            cli::run_words(&words, &idea)?;
            let text = fs::read_to_string(&tuned).with_context(|| tuned.clone())?;
            ensure!(!text.contains(STOPPED), "stopped; the same command fits the weights again");
        }

        let with = base.of_file(PathBuf::from(&tuned))?;
        if !new.iter().any(|term| counts_for_something(&with.engine, term)) {
            return say(
                "\nEvery new weight is 0, so the engine plays as before, and there is nothing to test. More games may \
                 show a worth: --games",
            );
        }
        say("\n6. The match: B has the new terms")?;
        let (nodes, gain) = (self.match_nodes.to_string(), self.gain.to_string());
        let engines = [&with, base].map(|context| Ok(EngineFile::of(context)?.hash_of_engine()));
        let [with, without]: [Result<String>; 2] = engines;
        let settings = format!("{} {} {nodes} {gain}", with?, without?);
        let pgn = in_folder(&format!("match-{}.pgn", &hash(&settings)[..8]));
        let games = self.match_games.map(|games| games.to_string());
        let mut words =
            vec!["match", &tuned, "--nodes", &nodes, "--pgn", &pgn, "--sprt", "0", &gain];
        words.extend(games.iter().flat_map(|games| ["--games", games.as_str()]));
        let verdict = cli::run_words(&words, base)?;

        say("\n7. What next")?;
        say(&match verdict {
            Some(Verdict::Accepted) => {
                let words = ["match", &tuned, "--tc", "8+0.08", "--sprt", "0", &gain];
                format!(
                    "The idea gains. Keep the sections of {tuned}, and confirm it with a clock before you rely on it: {}",
                    cli::line_of(&words, base)
                )
            }
            Some(Verdict::Rejected) => format!(
                "No gain of {gain} Elo. Step 3 says how often each weight counts, and {tuned} what the games say it is \
                 worth: a worth near 0 means that the other terms know it already."
            ),
            None => {
                "No decision yet: the same command continues the match, beyond its games with a larger --match-games."
                    .to_owned()
            }
        })
    }
}

/// Prints a line.
fn say(line: &str) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Checks that no position prefers a colour, and shows what the new terms cost.
fn check(idea: &Context, new: &[&str]) -> Result<()> {
    let openings = Openings::shipped(1)?;
    let positions: Vec<Chess> =
        openings.positions().map(|game| game.position().chess().clone()).collect();
    for chess in &positions {
        let mirror = chess.to_setup(EnPassantMode::Legal).into_mirrored();
        let mirror: Chess =
            mirror.position(chess.castles().mode()).context("a mirrored position")?;
        let [here, there] =
            [chess, &mirror].map(|chess| idea.engine.balance(&EvalContext::new(chess)));
        if here != -there {
            bail!("the evaluation prefers a colour in {}", crate::openings::four_fields(chess));
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
        let text = fs::read_to_string(path).with_context(|| path.clone())?;
        // The stage that fits the weights names bad lines.
        let games = games(&text, &mut Vec::new());
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
