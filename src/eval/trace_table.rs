//! The table of an evaluation term by term.

use super::rounding::Columns;
use super::{Score, Trace};
use crate::text::{columns, side_name, wrapped};
use shakmaty::Color;
use std::fmt;

/// The width of the column of names, unless a name is longer.
const MIN_NAME_WIDTH: usize = 17;

/// The columns of the table after the names, without those of White and of Black.
const TOTAL: usize = 25;
/// The columns of White and of Black.
const SIDES: usize = 32;

impl Trace {
    /// Why the value is not the sum, if it is not.
    pub fn scaling(&self) -> Option<String> {
        let balance = pawns(self.total.taper(self.context.phase));
        let percent = 100.0 * self.scale.as_ref()?.1;
        let (side, why) = self.scale_reason()?;
        Some(format!("{} keeps {percent:.0} % of {balance:+.2}: {why}", side_name(side)))
    }

    /// The side whose advantage a scale factor reduces, and why, as a clause.
    pub fn scale_reason(&self) -> Option<(Color, &str)> {
        let balance = self.total.taper(self.context.phase);
        let (entry, _) = self.scale.as_ref()?;
        let side = Color::from_white(balance > 0);
        (balance != self.white_value()).then_some((side, &*entry.says))
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
            self.context.phase,
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
