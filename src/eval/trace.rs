//! The evaluation of one position, term by term.

use super::rounding::Columns;
use super::{Contribution, Entry, ScaleReason, Score, Weight, WeightSpec};
use crate::text::{columns, wrapped};
use shakmaty::Color;
use std::{fmt, sync::Arc};

/// The width of the column of names, unless a name is longer.
const MIN_NAME_WIDTH: usize = 17;

/// The columns of the table after the names, without those of White and of Black.
const TOTAL: usize = 25;
/// The columns of White and of Black.
const SIDES: usize = 32;

/// An evaluation term by term. Prints as a table in pawns, White's point of view; what is shown
/// adds up.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The name of the engine.
    pub engine: String,
    /// The side to move.
    pub turn: Color,
    /// The game phase, 24 (middlegame) to 0 (endgame).
    pub phase: i32,
    /// One row for each term, in the engine's order.
    pub rows: Vec<Row>,
    /// White minus Black over all rows.
    pub total: Score,
    /// How much of its advantage the side ahead keeps, and why.
    pub scale: ScaleReason,
    /// The value in centipawns for the side to move, as the search gets it.
    pub value: i32,
}

/// The contributions of one term.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the term is: its name, its sentence, its weights.
    pub entry: Arc<Entry>,
    /// The weights at the percentage in force, one entry for each pair.
    pub weights: Vec<Score>,
    /// White's sum.
    pub white: Score,
    /// Black's sum.
    pub black: Score,
    /// White's contributions.
    pub white_contributions: Vec<Contribution>,
    /// Black's contributions.
    pub black_contributions: Vec<Contribution>,
}

impl Row {
    /// The term's name.
    pub fn name(&self) -> &str {
        &self.entry.name
    }

    /// White minus Black.
    pub fn total(&self) -> Score {
        self.white - self.black
    }

    /// What a contribution is worth to its side.
    pub fn worth(&self, contribution: &Contribution) -> Score {
        let weight = self.weights.get(contribution.weight.index()).copied().unwrap_or_default();
        weight * contribution.count
    }

    /// The declared weight that a handle belongs to, and the handle's index in it, 0 for a single pair.
    pub fn weight(&self, weight: Weight) -> Option<(&WeightSpec, usize)> {
        let mut index = weight.index();
        for spec in &self.entry.weights {
            match index.checked_sub(spec.pairs()) {
                None => return Some((spec, index)),
                Some(rest) => index = rest,
            }
        }
        None
    }
}

impl Trace {
    /// The value in centipawns for White.
    pub(crate) fn white_value(&self) -> i32 {
        self.turn.fold_wb(self.value, -self.value)
    }

    /// Why the value is not the sum, if it is not.
    pub(crate) fn scaling(&self) -> Option<String> {
        let balance = self.total.taper(self.phase);
        (balance != self.white_value()).then(|| {
            let side = if balance > 0 { "White" } else { "Black" };
            let share = f64::from(self.scale.share()) / f64::from(ScaleReason::Whole.share());
            let (percent, reason) = (100.0 * share, self.scale.reason());
            format!("{side} keeps {percent:.0} % of {:+.2}: {reason}", pawns(balance))
        })
    }
}

impl fmt::Display for Trace {
    /// Leaves out the columns of White and of Black where the terminal is too narrow for them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.name().len());
        let width = names.max().unwrap_or_default().max(MIN_NAME_WIDTH);
        let sides =
            |text: String| if width + TOTAL + SIDES > columns() { String::new() } else { text };
        let rule = format!(
            "{}-+{}---------------+-------",
            "-".repeat(width),
            sides("---------------+".repeat(2))
        );
        let heads = sides("     White     |     Black     |".to_owned());
        writeln!(f, "{:width$} |{heads}     Total     |", "")?;
        let heads = sides("   mg      eg  |".repeat(2));
        writeln!(f, "{:>width$} |{heads}   mg      eg  |   now", "term")?;
        writeln!(f, "{rule}")?;
        let (shown, sum) = self.shown();
        for (row, shown) in self.rows.iter().zip(shown) {
            writeln!(
                f,
                "{:>width$} |{}{} |{:6.2}",
                row.name(),
                sides(format!("{} |{} |", Pair(shown.white), Pair(shown.black))),
                Pair(shown.total),
                pawns(shown.total[2]),
            )?;
        }
        writeln!(f, "{rule}")?;
        let blank = sides(format!("{:15}|{:15}|", "", ""));
        writeln!(f, "{:>width$} |{blank}{} |{:6.2}", "sum", Pair(sum), pawns(sum[2]))?;
        if let Some(scaling) = self.scaling() {
            let blank = sides(" ".repeat(SIDES)) + &" ".repeat(15);
            writeln!(f, "{:>width$} |{blank}|{:6.2}\n", "value", pawns(self.white_value()))?;
            wrapped(f, 0, 0, &scaling)?;
        }
        writeln!(f)?;
        let mut last = String::new();
        let phase = format!(
            "phase {} of {} (mg all pieces, eg none); pawns, White's view; engine {}",
            self.phase,
            Score::MAX_PHASE,
            self.engine
        );
        wrapped(&mut last, 0, 0, &phase)?;
        f.write_str(last.trim_end())
    }
}

/// The middlegame and the endgame value in pawns.
struct Pair(Columns);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mg, eg, _] = self.0.map(pawns);
        write!(f, "{mg:6.2}  {eg:6.2}")
    }
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}
