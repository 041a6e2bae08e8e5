//! `tropism-lab openings`: the openings that `match` plays, and how they are made.

use crate::{
    arguments::at_least_1,
    opening_book::OpeningBook,
    provenance::Provenance,
    random_moves::{RandomMoves, four_fields},
    terminal::progress_bar,
};
use anyhow::{Result, ensure};
use clap::{Args, builder::RangedU64ValueParser};
use rayon::prelude::*;
use shakmaty::Chess;
use std::{
    collections::HashSet,
    io::{self, Write},
};
use tropism::{
    eval::Engine,
    random::SplitMix64,
    search::{Control, Game, TranspositionTable},
};
use tropism_program::Context;

/// Openings that are tried at a time.
const PORTION: u64 = 32;

/// So many portions without a new opening mean that there are no more.
const BARREN: u32 = 30;

/// Print the openings that `match` plays, or make others.
#[derive(Args, Clone, Debug)]
pub(crate) struct Openings {
    /// Make so many openings of random moves after which neither side is ahead, all different.
    #[arg(long, value_name = "N")]
    make: Option<usize>,
    /// Plies of an opening.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "make",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=100))]
    plies: usize,
    /// The largest lead after each move, in centipawns.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 30, requires = "make",
          value_parser = clap::value_parser!(i32).range(1..))]
    max_lead: i32,
    /// Nodes of the search for the lead at the end; each move before has a tenth of them.
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "make",
          value_parser = at_least_1::<u64>())]
    nodes: u64,
    /// Seed of the random moves.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "make")]
    seed: u64,
}

impl Openings {
    /// Prints the openings, one EPD a line. Those that are made have a header that says how.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let mut out = io::stdout().lock();
        let Some(count) = self.make else {
            // Without the header, because other programs take each line for a position.
            for line in OpeningBook::shipped_lines() {
                writeln!(out, "{line}")?;
            }
            return Ok(());
        };
        let play = Provenance::play(&context.registry)?;
        writeln!(out, "# {}\n# {play}", Provenance::command())?;
        for line in self.make(count, &context.engine)? {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// Makes openings, as lines in EPD.
    fn make(&self, count: usize, engine: &Engine) -> Result<Vec<String>> {
        let bar = progress_bar("{wide_bar} {pos} of {len}, {eta}", count as u64, 0);
        let (mut seen, mut lines) = (HashSet::new(), Vec::new());
        let (mut next, mut barren) = (0, 0);
        while lines.len() < count {
            barren += 1;
            ensure!(
                barren <= BARREN,
                "only {} openings are found; use more --plies or a larger --max-lead",
                lines.len()
            );
            let numbers = next..next + PORTION;
            next = numbers.end;
            let found = numbers.into_par_iter().map(|number| self.opening(number, engine));
            for line in found.collect::<Result<Vec<_>>>()?.into_iter().flatten() {
                // Other moves may lead to the same position.
                if lines.len() < count && seen.insert(line.clone()) {
                    lines.push(line);
                    barren = 0;
                    bar.inc(1);
                }
            }
        }
        bar.finish_and_clear();
        Ok(lines)
    }

    /// The opening of this number; `None` if a side is ahead at its end, or before it whatever is tried.
    fn opening(&self, number: u64, engine: &Engine) -> Result<Option<String>> {
        let moves = RandomMoves {
            engine,
            table: &TranspositionTable::new(TranspositionTable::MIN_SIZE)?,
            nodes: self.nodes.div_ceil(10),
            max_lead: Some(self.max_lead),
            control: &Control::default(),
        };
        let mut random = SplitMix64::stream(self.seed, number);
        let game = moves.play(Game::new(Chess::default()), self.plies, &mut random);
        let end = RandomMoves { nodes: self.nodes, ..moves };
        let is_whole = game.keys().len() == self.plies + 1;
        let is_balanced = is_whole && end.lead(&game) <= self.max_lead;
        Ok(is_balanced.then(|| four_fields(game.position().chess())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;

    #[test]
    fn openings_are_made_again_from_the_same_numbers() {
        let engine = tropism::default_engine().unwrap();
        let book = Openings { make: None, plies: 4, max_lead: 60, nodes: 200, seed: 1 };
        let lines = book.make(6, &engine).unwrap();
        assert_eq!(lines, book.make(6, &engine).unwrap());
        assert_eq!(lines[..3], book.make(3, &engine).unwrap());
        assert_eq!(lines.iter().collect::<HashSet<_>>().len(), 6);
        assert_ne!(lines, Openings { seed: 2, ..book }.make(6, &engine).unwrap());
        // White has 20 first moves.
        let error = Openings { plies: 1, ..book }.make(21, &engine).unwrap_err().to_string();
        assert!(
            error.ends_with("openings are found; use more --plies or a larger --max-lead"),
            "{error}"
        );
    }

    #[test]
    fn the_shipped_openings_are_many_and_all_different() {
        let lines: Vec<&str> = OpeningBook::shipped_lines().collect();
        assert!(lines.len() >= 500, "{}", lines.len());
        assert_eq!(lines.iter().collect::<HashSet<_>>().len(), lines.len());
        let engine = tropism::default_engine().unwrap();
        for line in lines {
            let game = Game::from_fen(line, None).unwrap();
            let chess = game.position().chess();
            // Eight plies were played. Without a search the evaluation is only roughly even.
            assert!(chess.turn().is_white() && chess.board().occupied().count() >= 26, "{line}");
            assert_eq!(four_fields(chess), line);
            assert!(engine.evaluate(chess).abs() < 500, "{line}");
        }
    }
}
