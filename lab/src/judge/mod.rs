//! `tropism-lab judge`: how far the static evaluation is from the labels of another engine, and which counts of the terms
//! go with the difference.
//!
//! - `measure`: values, residuals and counts of all positions.
//! - [`Judge`]: the tables.
//!
//! The curve between centipawns and expected points is logistic; its scale is fitted to the labels. The *residual* of a
//! position is White's expected points by its label minus those by the evaluation. A count that goes with the residual is
//! something that the evaluation misses or weighs wrongly.

mod measure;

use anyhow::Result;
use clap::Args;
use measure::{Correlation, Judged, MIN_SUPPORT, Measured};
use shakmaty::{Board, Color};
use std::{
    io::{self, Write},
    path::PathBuf,
};
use tropism_program::Context;

/// Measure how far the static evaluation is from the labels of another engine, and what goes with the difference.
#[derive(Args, Clone, Debug)]
pub(crate) struct Judge {
    /// Files that `tropism-lab label` wrote.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// An engine file whose terms are compared with the difference although the engine does not have them; may be given
    /// several times.
    #[arg(long, value_name = "FILE")]
    candidates: Vec<PathBuf>,
    /// Ignore the probabilities of the judge: its centipawns become points by a curve fitted to the results of the games.
    #[arg(long)]
    centipawns: bool,
    /// The number of counts to show.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// The number of positions to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,
}

/// From this number of pieces on, kings and pawns included, a position counts as a middlegame.
const MIDDLEGAME_PIECES: usize = 20;

impl Judge {
    /// Prints the tables.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let judged = Judged::new(&self.data, &self.candidates, self.centipawns, context)?;
        let output = &mut io::stdout().lock();
        writeln!(output, "{judged}\n")?;
        print_errors(output, &judged)?;
        let (candidates, own): (Vec<_>, Vec<_>) =
            judged.correlations().into_iter().partition(|row| row.feature.is_candidate);
        print_correlations(output, "count", &own[..self.top.min(own.len())])?;
        if !candidates.is_empty() {
            print_correlations(output, "candidate", &candidates)?;
        }
        if self.worst > 0 {
            print_worst(output, &judged, self.worst)?;
        }
        Ok(())
    }
}

/// The positions with the largest residuals.
fn print_worst(output: &mut impl Write, judged: &Judged, count: usize) -> io::Result<()> {
    let mut order: Vec<&Measured> = judged.positions.iter().collect();
    order.sort_by(|one, other| other.residual.abs().total_cmp(&one.residual.abs()));
    writeln!(output, "\n| position | label | evaluation | residual |\n|---|---|---|---|")?;
    for Measured { fen, label, value, residual, .. } in order.into_iter().take(count) {
        writeln!(output, "| `{fen}` | {label} | {value:+.0} | {residual:+.3} |")?;
    }
    Ok(())
}

/// The mean squared error of all positions and of classes of them.
fn print_errors(output: &mut impl Write, judged: &Judged) -> io::Result<()> {
    writeln!(
        output,
        "| positions | number | mean squared error | with a curve of their own | its centipawns |\n\
         |---|---|---|---|---|"
    )?;
    let mut row = |name: &str, is_in: &dyn Fn(&Board) -> bool| {
        let class: Vec<&Measured> =
            judged.positions.iter().filter(|position| is_in(&position.board)).collect();
        if class.len() < MIN_SUPPORT && class.len() < judged.positions.len() {
            return Ok(());
        }
        let own = measure::scale_of(&class);
        let [error, own_error] =
            [judged.scale, own].map(|scale| measure::mean_squared_error(&class, scale));
        writeln!(output, "| {name} | {} | {error:.5} | {own_error:.5} | {own:.0} |", class.len())
    };
    row("all", &|_| true)?;
    row("20 pieces or more", &|board| board.occupied().count() >= MIDDLEGAME_PIECES)?;
    row("fewer pieces", &|board| board.occupied().count() < MIDDLEGAME_PIECES)?;
    row("equal material", &is_equal)?;
    row("unequal material", &|board| !is_equal(board))?;
    for class in 0..8 {
        row(&class_name(class), &|board| class_of(board) == class)?;
    }
    Ok(())
}

/// Whether both sides have the same pieces.
fn is_equal(board: &Board) -> bool {
    board.material_side(Color::White) == board.material_side(Color::Black)
}

/// The kinds of pieces other than pawns and kings.
const KINDS: [&str; 3] = ["queens", "rooks", "minor pieces"];

/// The kinds of pieces on the board, one bit each; 0 with all of them.
fn class_of(board: &Board) -> usize {
    let kinds = [board.queens(), board.rooks(), board.bishops() | board.knights()];
    let bits = kinds.iter().enumerate().map(|(kind, set)| usize::from(set.is_empty()) << kind);
    bits.sum()
}

fn class_name(class: usize) -> String {
    let kinds = KINDS.iter().enumerate().filter(|(kind, _)| class & 1 << kind == 0);
    let names: Vec<&str> = kinds.map(|(_, name)| *name).collect();
    if names.is_empty() { "pawns only".to_owned() } else { names.join(", ") }
}

fn print_correlations(
    output: &mut impl Write,
    heading: &str,
    rows: &[Correlation],
) -> io::Result<()> {
    writeln!(
        output,
        "\n| {heading} | positions | correlation with the residual | in standard errors | centipawns to add |\n\
         |---|---|---|---|---|"
    )?;
    for Correlation { feature, positions, correlation, certainty, change } in rows {
        let name = &feature.name;
        writeln!(
            output,
            "| {name} | {positions} | {correlation:+.4} | {certainty:+.1} | {change:+.1} |"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(placement: &str) -> Board {
        placement.parse().unwrap()
    }

    #[test]
    fn a_class_is_named_by_the_pieces_on_the_board() {
        for (placement, name) in [
            ("4k3/8/8/8/8/8/4P3/4K3", "pawns only"),
            ("4k3/8/8/8/8/8/4P3/4K2R", "rooks"),
            ("3qk3/8/8/8/8/8/4P3/4K1N1", "queens, minor pieces"),
            ("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR", "queens, rooks, minor pieces"),
        ] {
            assert_eq!(class_name(class_of(&board(placement))), name);
        }
    }

    #[test]
    fn material_is_equal_if_the_pieces_are() {
        assert!(is_equal(&board("4k1n1/8/8/8/8/8/8/4K1N1")));
        assert!(!is_equal(&board("4kb2/8/8/8/8/8/8/4K1N1")));
    }
}
