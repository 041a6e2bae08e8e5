//! `tropism-lab counts`: what the terms count in positions, for notebooks and other programs.

use crate::{arguments::no_such_term, opening_book::OpeningBook, random_moves::four_fields};
use anyhow::{Result, ensure};
use clap::Args;
use serde_json::{Map, Value, json};
use shakmaty::Chess;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use tropism::eval::Engine;
use tropism_program::Context;

/// Print the count of every weight in each position of a file: White's minus Black's.
///
/// The value is in centipawns from the side to move's point of view. It is the sum of each count times its weight, of
/// which `per` counts make one, at the term's percentage, between middlegame and endgame by the phase, reduced where
/// the position cannot be won.
#[derive(Args, Clone, Debug)]
pub(crate) struct Counts {
    /// The positions: one FEN or EPD on each line, or a PGN, whose games give their last positions.
    #[arg(value_name = "FILE")]
    positions: PathBuf,
    /// Print one JSON object on each line, with the counts that are not 0, instead of a table with commas.
    #[arg(long)]
    jsonl: bool,
    /// Only these terms.
    #[arg(long, value_name = "TERM", num_args = 1..)]
    terms: Vec<String>,
}

impl Counts {
    /// Prints the counts.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let positions = OpeningBook::read_positions(&self.positions)?;
        let positions = positions.positions().map(|game| game.position().chess());
        self.write(&mut BufWriter::new(io::stdout().lock()), positions, &context.engine)
    }

    /// Writes the counts of positions.
    pub(crate) fn write<'p>(
        &self,
        out: &mut impl Write,
        positions: impl Iterator<Item = &'p Chess>,
        engine: &Engine,
    ) -> Result<()> {
        for term in &self.terms {
            let is_known = engine.terms().any(|known| known == term);
            ensure!(is_known, "--terms: {}", no_such_term(engine, term));
        }
        let names = names(engine);
        let is_shown = |name: &str| {
            let term = name.split('.').next().unwrap_or_default();
            self.terms.is_empty() || self.terms.iter().any(|shown| shown == term)
        };
        let shown: Vec<(usize, &String)> =
            names.iter().enumerate().filter(|(_, name)| is_shown(name)).collect();
        if !self.jsonl {
            let heads: Vec<&str> = shown.iter().map(|(_, name)| name.as_str()).collect();
            writeln!(out, "fen,phase,value,{}", heads.join(","))?;
        }
        let mut counts = vec![0; names.len()];
        for chess in positions {
            let phase = engine.record(chess, &mut counts).phase;
            let (fen, value) = (four_fields(chess), engine.evaluate(chess));
            if self.jsonl {
                let counted = shown.iter().filter(|&&(index, _)| counts[index] != 0);
                let counts: Map<String, Value> =
                    counted.map(|&(index, name)| (name.clone(), counts[index].into())).collect();
                let line = json!({ "fen": fen, "phase": phase, "value": value, "counts": counts });
                writeln!(out, "{line}")?;
            } else {
                write!(out, "{fen},{phase},{value}")?;
                shown.iter().try_for_each(|&(index, _)| write!(out, ",{}", counts[index]))?;
                writeln!(out)?;
            }
        }
        Ok(out.flush()?)
    }
}

/// The names of all pairs of weights, in the order of [`Engine::record`]: `TERM.WEIGHT`, and for the pairs of an array
/// `TERM.WEIGHT.INDEX`.
pub(crate) fn names(engine: &Engine) -> Vec<String> {
    let weights = engine.entries().flat_map(|entry| {
        entry.weights.iter().map(|spec| (format!("{}.{}", entry.name, spec.name), spec.length))
    });
    weights
        .flat_map(|(name, length)| match length {
            None => vec![name],
            Some(length) => (0..length).map(|index| format!("{name}.{index}")).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::{eval::Score, search::Game};

    const FENS: [&str; 3] = [
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -",
        "2r5/5pkp/1p4p1/1P1p4/3P4/3KP1P1/R6P/8 w - -",
        "8/8/8/4k3/8/8/8/R3K3 w - -",
    ];

    fn text(jsonl: bool, terms: &[&str]) -> Result<String> {
        let terms = terms.iter().map(|&term| term.to_owned()).collect();
        let counts = Counts { positions: PathBuf::new(), jsonl, terms };
        let games = FENS.map(|fen| Game::from_fen(fen, None).unwrap());
        let mut out = Vec::new();
        let positions = games.iter().map(|game| game.position().chess());
        counts.write(&mut out, positions, &tropism::default_engine()?)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn the_counts_and_weights_give_the_value() {
        let engine = tropism::default_engine().unwrap();
        let text = text(false, &[]).unwrap();
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(head[..4], ["fen", "phase", "value", "material.pawn"]);
        for (line, fen) in lines.zip(FENS) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!((cells[0], cells.len()), (fen, head.len()));
            let [phase, value]: [i32; 2] = [1, 2].map(|cell| cells[cell].parse().unwrap());
            let pairs = engine.weights().zip(&cells[3..]);
            let sum = pairs.fold(Score::ZERO, |sum, (weight, count)| {
                sum + weight * count.parse::<i32>().unwrap()
            });
            let white = if fen.contains(" w ") { value } else { -value };
            // Only the ending is reduced.
            assert!(sum.taper(phase).abs() >= white.abs(), "{fen}");
            assert!(fen.starts_with("2r5") || sum.taper(phase) == white, "{fen}");
        }
    }

    #[test]
    fn json_has_the_same_counts_without_zeros() {
        let [csv, json] =
            [false, true].map(|jsonl| text(jsonl, &["material", "mobility"]).unwrap());
        let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        for (row, line) in csv.lines().skip(1).zip(json.lines()) {
            let object: Value = serde_json::from_str(line).unwrap();
            let cells: Vec<&str> = row.split(',').collect();
            assert_eq!(object["fen"], cells[0]);
            for (name, cell) in head.iter().zip(&cells).skip(3) {
                assert!(name.starts_with("material.") || name.starts_with("mobility."));
                assert_eq!(
                    object["counts"][name].as_i64().unwrap_or(0),
                    cell.parse::<i64>().unwrap()
                );
            }
        }
        let error = text(false, &["forks"]).unwrap_err().to_string();
        assert!(error.starts_with("--terms: the engine has no term \"forks\"; it has material, "));
    }
}
