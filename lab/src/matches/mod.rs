//! `tropism-lab match`: games between two engines, until a test or the number of games ends them.
//!
//! - `arguments`: what the user says of the match.
//! - `entrant`: the two engines, from files and percentages.
//! - `schedule`: pairs of games on several threads.
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
mod schedule;

use crate::{
    opening_book::OpeningBook, pairing::Pairing, play::MATCH_ADJUDICATION, statistics::Verdict,
    terminal::print_line,
};
use anyhow::{Result, ensure};
pub(crate) use arguments::Match;
use entrant::Entrant;
use record::Record;
use report::{MatchEnd, Standing};
use std::io::{self, Write};
use tropism::search::Control;
use tropism_program::Context;

impl Match {
    /// Plays the match and prints what it says. Returns the verdict of the test if it has decided.
    pub(crate) fn run(&self, context: &Context) -> Result<Option<Verdict>> {
        self.check()?;
        let entrants = match &self.against {
            Some(program) => {
                let program = Entrant::program(program, &self.uci, self.limit())?;
                Entrant::against(program, &self.files, &self.set, context)?
            }
            None => Entrant::both(&self.files, &self.set, context)?,
        };
        let [a, b] = &entrants;
        let end = MatchEnd { pairs: self.games().div_ceil(2), test: self.test() };
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
        let mut standing = Standing::new(end, pairs);
        let pairing = Pairing {
            players: [b, a].map(|entrant| entrant.player(self.limit())),
            openings: &openings,
            referee: &context.registry.default_engine()?,
            adjudication: (!self.play_out).then_some(&MATCH_ADJUDICATION),
            seed: self.seed,
            control: &Control::default(),
        };
        schedule::play(&pairing, self.threads(), self.hash, &mut standing, &mut record)?;
        print_line(&standing.line());
        standing.details().iter().for_each(print_line);
        writeln!(io::stdout(), "{}", standing.sentence())?;
        ensure!(
            standing.is_over(),
            "stopped; {} has {} games, and the same command continues the match",
            self.pgn.display(),
            standing.finished()
        );
        Ok(standing.verdict)
    }
}
