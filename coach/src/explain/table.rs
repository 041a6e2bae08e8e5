//! The explanation in the terminal.

use super::explanation::{Explanation, NO_SEARCH, TermExplanation};
use crate::format::{bold, coloured, plain, signed};
use shakmaty::Position;
use std::fmt;
use tropism::eval::{Counted, ShownRow};
use tropism::text::{line_in_san, side_name, wrapped};

/// The fewest and the most reasons listed below a term. The others are summed.
const FEWEST: usize = 3;
const MOST: usize = 8;
/// Reasons after the fewest are listed if they are at least this share of the first one.
const SHARE: f64 = 0.1;
/// A term whose sides cancel out is explained if its first reason is at least this large, in centipawns.
const CANCELLED: f64 = 25.0;
const VALUES: &str = "values in pawns, + is good for White; what both sides have alike is left out";
/// Columns before the sentence of a reason.
const INDENT: usize = 12;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.coloured().to_string()))
    }
}

impl Explanation {
    /// The same table in colour, with the escape codes of terminals.
    pub fn coloured(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write(f))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.fen)?;
        if self.outcome.is_some() {
            return write!(f, "{}\n\nengine {}", bold(self.headline()), self.trace.engine);
        }
        let turn = side_name(self.trace.position.turn());
        let headline = bold(self.headline());
        wrapped(f, 0, 0, &format!("{headline}, {turn} to move"))?;
        wrapped(f, 0, 0, &self.tapering())?;
        writeln!(f)?;
        wrapped(f, 0, 0, VALUES)?;
        writeln!(f)?;
        let head = ["White", "Black", "total", "middlegame", "endgame"];
        let [white, black, total, mg, eg] = head;
        let head = format!("{:<18}{white:>7}{black:>7}{total:>7}{mg:>12}{eg:>9}", "term");
        writeln!(f, "{}", bold(head))?;
        let (contributing, others) = self.contributing_terms();
        for term in contributing {
            let ShownRow { white, black, total } = term.shown;
            row(f, term.row.name(), Some((white[2], black[2])), total)?;
            self.reasons(f, term)?;
            for note in self.trace.marks(&term.row).notes {
                write!(f, "{:INDENT$}", "")?;
                wrapped(f, INDENT, INDENT, &note)?;
            }
        }
        writeln!(f, "{:-<60}", "")?;
        row(f, "sum", None, self.trace.shown().1)?;
        if let Some(scaling) = self.scaling() {
            let value = f64::from(self.trace.white_value());
            write!(f, "{:<32}{}  ", "value", coloured(value, 7))?;
            wrapped(f, 41, INDENT, &scaling)?;
        }
        if !others.is_empty() {
            writeln!(f)?;
            wrapped(f, 0, 0, &format!("no contribution: {}", others.join(", ")))?;
        }
        writeln!(f)?;
        match self.best_line() {
            Some(line) => wrapped(f, 0, 2, &line)?,
            None => wrapped(f, 0, 0, NO_SEARCH)?,
        }
        write!(f, "\nengine {}", self.trace.engine)
    }

    /// The best line of the search with its value.
    pub(super) fn best_line(&self) -> Option<String> {
        let assessment = self.assessment.as_ref()?;
        let best = assessment.best.as_ref()?;
        let (value, line) = (best.value.figure(), line_in_san(&self.trace.position, &best.line));
        Some(format!("best line to depth {}: {value}  {line}", assessment.depth))
    }

    fn reasons(&self, f: &mut fmt::Formatter<'_>, term: &TermExplanation) -> fmt::Result {
        let exact = |reason: &Counted| self.now(reason.score).abs();
        let shown: Vec<&(Counted, i32)> = term.shown_reasons().collect();
        let first = shown.first().map_or(0.0, |(reason, _)| exact(reason));
        if term.value() == 0 && first < CANCELLED {
            return Ok(());
        }
        let count = shown.len();
        let large = shown.iter().filter(|(reason, _)| exact(reason) >= SHARE * first).count();
        let listed = large.clamp(FEWEST, MOST).min(count);
        // A single reason that is left takes one line as well: show it instead of a sum.
        let listed = if listed + 1 == count { count } else { listed };
        for (reason, value) in &shown[..listed] {
            write!(f, "  {}  ", coloured(f64::from(*value), 8))?;
            wrapped(f, INDENT, INDENT, &reason.sentence())?;
        }
        if listed < count {
            let rest: i32 = shown[listed..].iter().map(|(_, value)| value).sum();
            writeln!(f, "  {}  {} other reasons", coloured(f64::from(rest), 8), count - listed)?;
        }
        Ok(())
    }
}

/// One row; `sides` are the values of White and of Black, all in centipawns.
fn row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    sides: Option<(i32, i32)>,
    total: [i32; 3],
) -> fmt::Result {
    let [mg, eg, now] = total.map(f64::from);
    let value = coloured(now, 7);
    let sides = sides.map_or(format!("{:14}", ""), |(white, black)| {
        format!("{:>7}{:>7}", signed(f64::from(white)), signed(f64::from(black)))
    });
    let [mg, eg] = [mg, eg].map(signed);
    let name = bold(format!("{name:<18}"));
    writeln!(f, "{name}{sides}{value}{mg:>12}{eg:>9}")
}

#[cfg(test)]
mod tests {
    use crate::Explanation;
    use tropism::search::Game;

    fn explained(fen: &str) -> Explanation {
        let engine = tropism::default_engine().unwrap();
        Explanation::new(&engine, &Game::from_fen(fen, None).unwrap())
    }

    #[test]
    fn the_largest_term_comes_first_and_terms_without_contribution_last() {
        let text = explained("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1").to_string();
        let terms: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.starts_with("term "))
            .skip(1)
            .filter(|line| line.starts_with(|c: char| c.is_alphabetic()))
            .map(|line| line.split_whitespace().next().unwrap())
            .collect();
        assert_eq!(terms[..2], ["kpk", "passed_pawns"], "{text}");
        assert!(text.contains("\nno contribution: "), "{text}");
        assert!(!terms.contains(&"kbnk"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn the_coloured_table_is_the_plain_one_with_colours() {
        let explained =
            explained("r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3");
        let coloured = explained.coloured().to_string();
        assert!(coloured.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), explained.to_string());
        assert!(!explained.to_string().contains('\u{1b}'));
    }

    #[test]
    fn scaling_is_explained() {
        let text = explained("4k1b1/p7/8/8/8/8/PP6/B3K3 w - - 0 1").to_string();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("White keeps 53 % of"), "{text}");
        assert!(text.contains("the bishops stand on different colours"), "{text}");
    }
}
