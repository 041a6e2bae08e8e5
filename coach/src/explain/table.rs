//! The explanation in the terminal.

use super::explanation::{Explanation, TermExplanation};
use crate::format::{bold, coloured, lay_out, plain, signed};
use askama::Template;
use shakmaty::Position;
use std::fmt;
use tropism::eval::Counted;
use tropism::text::{line_in_san, side_name};

/// The fewest and the most reasons listed below a term. The others are summed.
const FEWEST: usize = 3;
const MOST: usize = 8;
/// Reasons after the fewest are listed if they are at least this share of the first one.
const SHARE: f64 = 0.1;
/// A term whose sides cancel out is explained if its first reason is at least this large, in centipawns.
const CANCELLED: f64 = 25.0;

#[derive(Template)]
#[template(path = "explanation.txt")]
struct Text<'a> {
    it: &'a Explanation,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.coloured().to_string()))
    }
}

impl Explanation {
    /// The same table in colour, with the escape codes of terminals.
    pub fn coloured(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            lay_out(f, &Text { it: self }.to_string())?;
            write!(f, "\nengine {}", self.trace.engine)
        })
    }

    /// The best line of the search with its value.
    pub(super) fn best_line(&self) -> Option<String> {
        let assessment = self.assessment.as_ref()?;
        let best = assessment.best.as_ref()?;
        let (value, line) = (best.value.figure(), line_in_san(&self.trace.position, &best.line));
        Some(format!("best line to depth {}: {value}  {line}", assessment.depth))
    }

    /// The reasons below a term with their values in centipawns, and what the others come to.
    fn listed(&self, term: &TermExplanation) -> Vec<(i32, String)> {
        let exact = |reason: &Counted| self.now(reason.score).abs();
        let shown: Vec<&(Counted, i32)> = term.shown_reasons().collect();
        let first = shown.first().map_or(0.0, |(reason, _)| exact(reason));
        if term.value() == 0 && first < CANCELLED {
            return Vec::new();
        }
        let count = shown.len();
        let large = shown.iter().filter(|(reason, _)| exact(reason) >= SHARE * first).count();
        let listed = large.clamp(FEWEST, MOST).min(count);
        // A single reason that is left takes one line as well: show it instead of a sum.
        let (listed, others) = shown.split_at(if listed + 1 == count { count } else { listed });
        let rest: i32 = others.iter().map(|(_, value)| value).sum();
        let rest = (!others.is_empty()).then(|| (rest, format!("{} other reasons", others.len())));
        listed.iter().map(|(reason, value)| (*value, reason.sentence())).chain(rest).collect()
    }
}

/// One row. All values are in centipawns: those of White and of Black, if they are given, and the total.
fn row(name: &str, sides: &[&i32], [mg, eg, now]: &[i32; 3]) -> String {
    let value = |value: &i32| signed(f64::from(*value));
    let sides: String = sides.iter().map(|it| format!("{:>7}", value(it))).collect();
    let (name, now) = (bold(format!("{name:<18}")), coloured(f64::from(*now), 7));
    format!("{name}{sides:14}{now}{:>12}{:>9}", value(mg), value(eg))
}

#[cfg(test)]
mod tests {
    use crate::Explanation;
    use tropism::search::Game;

    #[test]
    fn the_coloured_table_is_the_plain_one_with_colours() {
        let scotch = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";
        let (engine, game) = (tropism::default_engine(), Game::from_fen(scotch, None));
        let explained = Explanation::new(&engine.unwrap(), &game.unwrap());
        let coloured = explained.coloured().to_string();
        assert!(coloured.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), explained.to_string());
        assert!(!explained.to_string().contains('\u{1b}'));
    }
}
