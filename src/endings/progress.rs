//! `tropism prove --progress`: can the engine always get nearer to mate, whatever the defence?
//!
//! The proof follows the plans of [`Aim`](crate::search::Aim)'s module: plans only grow, and there are only so many
//! levels. So if a higher level can be forced within D moves from everywhere, every game ends in mate, without a cycle.

use super::{
    graph::{Graph, position_at},
    outcome::Stats,
    prove::{ProveError, won_against_bare_king},
    solve::fen,
    steps::{Plans, Steps, has_level},
};
use crate::{
    endgame::{Endgames, Material, Table},
    eval::Engine,
    search::strong_side_value,
};
use indicatif::HumanCount;
use rayon::prelude::*;
use shakmaty::{Chess, Color};
use std::fmt;

/// From how many won positions of an ending the engine makes progress until mate.
#[derive(Clone, Debug)]
pub struct ProgressProof {
    material: Material,
    /// The most moves of a step.
    moves: usize,
    /// Won positions with White to move, rotated and reflected ones counted once.
    won: usize,
    /// Those from which mate is forced at all.
    proved: usize,
    /// Those from which it comes within fifty moves.
    stats: Stats,
    /// The moves of the longest mate.
    worst: u16,
    /// The most moves until a level is reached that is higher than all before.
    wait: usize,
    /// The number of positions with Black to move in which the longest step has this many moves, from one
    /// move on.
    steps: Vec<usize>,
    /// The number of positions with Black to move without a step.
    without_step: usize,
    /// Of those the one nearest to mate.
    nearest: Option<Failure>,
}

/// A position without a step.
#[derive(Clone, Debug)]
struct Failure {
    position: Chess,
    moves_to_mate: u8,
    /// In centipawns, as are the highest values that can be forced within one move, two moves and so on.
    value: i32,
    forced: Vec<i32>,
}

impl ProgressProof {
    /// Computes the steps of at most `moves` moves in all positions of an ending against a bare king.
    ///
    /// # Errors
    ///
    /// If the ending cannot be proved.
    pub fn new(
        engine: &Engine,
        material: Material,
        moves: usize,
    ) -> Result<ProgressProof, ProveError> {
        let mut endgames = Endgames::default();
        let table = won_against_bare_king(&mut endgames, material)?;
        let graph = Graph::new(table);
        if graph.won.is_empty() {
            return Err(ProveError::NothingWon(material));
        }
        let value = |(index, has_level): (usize, bool)| {
            let position = has_level.then(|| position_at(table, Color::Black, index)).flatten();
            position.map_or(Steps::NONE, |position| strong_side_value(engine, &position))
        };
        let values = has_level(&graph).into_par_iter().enumerate().map(value).collect();
        let steps = Steps::new(&graph, values, moves);
        let plans = Plans::new(&steps);
        let outcomes = plans.outcomes();
        let mated = graph.won.iter().filter_map(|&index| outcomes[index as usize].moves());
        let mut lengths = vec![0; moves];
        let mut failures = Vec::new();
        for index in steps.counted() {
            match steps.longest_step(index) {
                Some(length) => lengths[length - 1] += 1,
                // Two bishops of one colour cannot mate.
                None if graph.moves_to_mate_after(index).is_some() => failures.push(index),
                None => (),
            }
        }
        let nearest = failures
            .iter()
            .filter_map(|&index| Some((graph.moves_to_mate_after(index)?, index)))
            .min()
            .and_then(|(moves_to_mate, index)| Failure::new(&steps, table, index, moves_to_mate));
        Ok(ProgressProof {
            material,
            moves,
            won: graph.won.len(),
            proved: mated.clone().count(),
            stats: Stats::new(&graph, outcomes, &graph.won),
            worst: mated.max().unwrap_or_default(),
            wait: plans.longest_wait(),
            steps: lengths,
            without_step: failures.len(),
            nearest,
        })
    }

    /// Whether mate is forced from every won position within fifty moves.
    pub fn is_complete(&self) -> bool {
        self.stats.proved == self.won
    }
}

impl Failure {
    fn new(steps: &Steps, table: &Table, index: u32, moves_to_mate: u8) -> Option<Failure> {
        let position = position_at(table, Color::Black, index as usize)?;
        Some(Failure {
            position,
            moves_to_mate,
            value: steps.value(index),
            forced: steps.forced_after_replies(index).collect(),
        })
    }
}

impl fmt::Display for ProgressProof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let count = |number: usize| HumanCount(number as u64).to_string();
        // Shares are rounded down: they must not read 100 % while one position is unproved.
        let percent = |number: usize| (number as f64 / self.won as f64 * 1e5).floor() / 1e3;
        let mean = |sum: u64| sum as f64 / self.stats.proved.max(1) as f64;
        writeln!(f, "{} with steps of at most {} moves", self.material, self.moves)?;
        writeln!(f, "won positions          {:>12}", count(self.won))?;
        for (name, number) in [("mate", self.proved), ("mate within 50 moves", self.stats.proved)] {
            writeln!(f, "{name:<22} {:>12}  {:.3} %", count(number), percent(number))?;
        }
        if self.proved > 0 {
            writeln!(f, "worst case             {:>12}  moves", self.worst)?;
        }
        if self.stats.proved > 0 {
            let Stats { moves, above, .. } = self.stats;
            writeln!(f, "mean, longest defence  {:>12.2}  moves", mean(moves))?;
            writeln!(f, "mean above the minimum {:>12.2}  moves", mean(above))?;
            writeln!(f, "longest wait           {:>12}  moves", self.wait)?;
        }
        write!(f, "\nmoves of a step   positions, Black to move")?;
        for (length, &number) in (1..).zip(&self.steps) {
            write!(f, "\n{length:>15}{:>12}", count(number))?;
        }
        write!(f, "\n{:>15}{:>12}", "no step", count(self.without_step))?;
        if let Some(Failure { position, moves_to_mate, value, forced }) = &self.nearest {
            write!(f, "\n\nThe nearest to mate without a step: {}", fen(position))?;
            write!(
                f,
                "\n  mate in {moves_to_mate}, value {value}; the highest value that can be forced:"
            )?;
            for (moves, forced) in (1..).zip(forced) {
                match *forced {
                    Steps::NONE => write!(f, "\n  {moves:>2} moves: none")?,
                    forced => write!(f, "\n  {moves:>2} moves: {forced}")?,
                }
            }
        }
        Ok(())
    }
}
