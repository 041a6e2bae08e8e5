//! `tropism-lab match`: games between two engines, until a test or the number of games ends them.
//!
//! - `arguments`: what the user says of the match.
//! - `entrant`: the two engines, from files and percentages.
//! - `record`: the games in a file, from which the match continues.
//! - `report`: what the games say.
//! - `elsewhere`: the same match in other programs.
//!
//! At a fixed number of nodes, a pair of games depends only on the engines, the openings, the seed and its number.

mod arguments;
mod elsewhere;
mod entrant;
mod record;
mod report;

use crate::terminal::{print_line, stop_on_ctrl_c};
use crate::{
    opening_book::OpeningBook, pairing::Pairing, play::MATCH_ADJUDICATION, statistics::Verdict,
};
use anyhow::{Context as _, Result, ensure};
pub(crate) use arguments::Match;
use entrant::Entrant;
use record::Record;
use report::Standing;
use std::io::{self, Write};
use tropism_program::{Context, progress_bar};

/// Games between two lines about the progress, if the output is no terminal.
const GAMES_PER_LINE: u64 = 100;

impl Match {
    /// Plays the match and prints what it says. Returns the verdict of the test if it has decided.
    pub(crate) fn run(&self, context: &Context) -> Result<Option<Verdict>> {
        self.check()?;
        let program = self.against.as_ref();
        let program = program.map(|path| Entrant::program(path, &self.uci, self.limit()));
        let entrants = Entrant::both(program.transpose()?, &self.files, &self.set, context)?;
        let [a, b] = &entrants;
        if self.openbench {
            writeln!(io::stdout(), "{}", elsewhere::openbench(self, &entrants))?;
            return Ok(None);
        }
        let openings = match &self.openings {
            Some(path) => OpeningBook::read(path)?.shuffled(self.seed),
            None => OpeningBook::shipped(self.seed)?,
        };
        if self.fastchess {
            let line = elsewhere::fastchess(self, &entrants, openings.is_chess960());
            writeln!(io::stdout(), "{line}")?;
            return Ok(None);
        }
        if a.is_same(b) {
            eprintln!(
                "tropism-lab: A and B are the same engine, so the match measures noise only; give \
                 another file, or change a term of B with --set TERM=PERCENT"
            );
        }
        let settings = self.settings(&entrants, &openings, &context.registry)?;
        let names = [a.name.clone(), b.name.clone()];
        let (mut record, pairs) = Record::open(&self.pgn, settings, names)?;
        writeln!(io::stdout(), "A: {}\nB: {}", a.identity(), b.identity())?;
        let mut standing = Standing::new(self.pairs(), self.test(), &pairs);
        let pairing = Pairing {
            openings: &openings,
            referee: &context.registry.default_engine()?,
            adjudication: (!self.play_out).then_some(&MATCH_ADJUDICATION),
            seed: self.seed,
        };
        if !standing.is_over() {
            self.play(&pairing, &entrants, &mut standing, &mut record).context(
                "the same command continues the match after its last whole pair of games",
            )?;
        }
        print_line(&standing.line());
        standing.details().iter().for_each(print_line);
        writeln!(io::stdout(), "{}", standing.sentence())?;
        ensure!(
            standing.is_over(),
            "stopped; {} has {} games, and the same command continues the match",
            self.pgn.display(),
            standing.games()
        );
        Ok(standing.verdict)
    }

    /// Plays pairs until the match is over or the user stops it. They are written to the record in the order of their
    /// numbers: what waits for an earlier pair is lost if the program is killed.
    fn play(
        &self,
        pairing: &Pairing,
        [a, b]: &[Entrant; 2],
        standing: &mut Standing,
        record: &mut Record,
    ) -> Result<()> {
        let players =
            || Ok([b.player(self.limit(), self.hash)?, a.player(self.limit(), self.hash)?]);
        let players = (0..self.threads()).map(|_| players()).collect::<Result<_>>()?;
        let bar = progress_bar("{msg}", 0, 0);
        bar.set_message(standing.line());
        let stop = stop_on_ctrl_c()?;
        let numbers = standing.games() / 2..self.pairs();
        let played = pairing.play(players, numbers, &stop, |pair| {
            standing.add(&record.write(&pair)?);
            bar.set_message(standing.line());
            let is_line_due = standing.games().is_multiple_of(GAMES_PER_LINE);
            if bar.is_hidden() && is_line_due && !standing.is_over() {
                print_line(&standing.line());
            }
            Ok(!standing.is_over())
        });
        bar.finish_and_clear();
        played
    }
}
