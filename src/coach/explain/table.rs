//! The explanation in the terminal.

use super::marks::marks;
use super::reasons::Reason;
use super::{Explanation, NO_SEARCH, NOTHING, signed};
use crate::eval::Score;
use anstyle::{AnsiColor, Style};
use shakmaty::{Color, Position};
use std::fmt;

/// Reasons listed below a term at least and at most; the others are summed.
const FEWEST: usize = 3;
const MOST: usize = 8;
/// More than the fewest are listed if they come to this share of the first.
const SHARE: f64 = 0.1;
/// What is said of a term that comes to nothing, in centipawns: sides that outweigh each other.
const OUTWEIGHED: f64 = 25.0;
/// Columns of a terminal that lines are broken for.
const WIDTH: usize = 96;
/// Columns before the words of a reason.
const INDENT: usize = 12;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

impl Explanation {
    /// The same table with the escape codes of terminals. Write it to a stream that removes them
    /// where they are not understood.
    pub fn painted(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write(f, true))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, painted: bool) -> fmt::Result {
        let pen = Pen { painted };
        let bold = pen.style(Style::new().bold());
        writeln!(f, "{}", self.fen)?;
        let turn = self.position.turn().fold_wb("White", "Black");
        writeln!(f, "{bold}{}{bold:#}, {turn} to move", self.headline())?;
        writeln!(f, "{}", self.tapering())?;
        writeln!(
            f,
            "\npawns, White's view; below each term what it is about, alike on both sides left out\n"
        )?;
        let head = ["White", "Black", "total", "middlegame", "endgame"];
        let [white, black, total, mg, eg] = head;
        writeln!(f, "{bold}{:<18}{white:>8}{black:>8}{total:>8}{mg:>13}{eg:>9}{bold:#}", "term")?;
        let (speaking, silent) = self.speaking();
        for said in speaking {
            let row = &said.row;
            self.row(f, pen, row.name, Some((row.white, row.black)), row.total())?;
            self.reasons(f, pen, &said.reasons)?;
            for note in marks(said, &self.view, &self.position).notes {
                write!(f, "{:INDENT$}", "")?;
                wrapped(f, INDENT, INDENT, &note)?;
            }
        }
        writeln!(f, "{:-<64}", "")?;
        self.row(f, pen, "sum", None, self.trace.total)?;
        if let Some(taken) = self.taken() {
            let value = f64::from(self.white_value());
            writeln!(f, "{:<34}{}  {taken}", "value", pen.value(value, 8))?;
        }
        if !silent.is_empty() {
            writeln!(f)?;
            wrapped(f, 0, 0, &format!("silent: {}", silent.join(", ")))?;
        }
        writeln!(f)?;
        match &self.line {
            Some(line) => {
                for told in line.told() {
                    wrapped(f, 0, 2, &told)?;
                }
            }
            None => wrapped(f, 0, 0, NO_SEARCH)?,
        }
        write!(f, "\nengine {}", self.trace.engine)
    }

    fn row(
        &self,
        f: &mut fmt::Formatter<'_>,
        pen: Pen,
        name: &str,
        sides: Option<(Score, Score)>,
        total: Score,
    ) -> fmt::Result {
        let [mg, eg] = [Score::MAX_PHASE, 0].map(|phase| signed(total.centipawns(phase)));
        let bold = pen.style(Style::new().bold());
        let now = match sides {
            Some(_) => self.now(total),
            // Rounded as the search does it.
            None => f64::from(total.taper(self.trace.phase)),
        };
        let value = pen.value(now, 8);
        let sides = sides.map_or(format!("{:16}", ""), |(white, black)| {
            format!("{:>8}{:>8}", signed(self.now(white)), signed(self.now(black)))
        });
        writeln!(f, "{bold}{name:<18}{bold:#}{sides}{value}{mg:>13}{eg:>9}")
    }

    fn reasons(&self, f: &mut fmt::Formatter<'_>, pen: Pen, reasons: &[Reason]) -> fmt::Result {
        let weight = |reason: &Reason| self.now(reason.score);
        let count = reasons.iter().filter(|reason| weight(reason).abs() >= NOTHING).count();
        let first = reasons.first().map_or(0.0, |reason| weight(reason).abs());
        let whole: f64 = reasons.iter().map(weight).sum();
        if whole.abs() < NOTHING && first < OUTWEIGHED {
            return Ok(());
        }
        let heavy = reasons.iter().filter(|reason| weight(reason).abs() >= SHARE * first).count();
        let listed = heavy.clamp(FEWEST, MOST).min(count);
        // One more line says as much as one that sums up a single reason.
        let listed = if listed + 1 == count { count } else { listed };
        for reason in &reasons[..listed] {
            write!(f, "  {}  ", pen.value(weight(reason), 8))?;
            wrapped(f, INDENT, INDENT, &reason.sentence())?;
        }
        if listed < count {
            let rest: f64 = reasons[listed..].iter().map(weight).sum();
            writeln!(f, "  {}  {} other weights", pen.value(rest, 8), count - listed)?;
        }
        Ok(())
    }
}

/// Writes a paragraph from a column on, broken between words; the lines after the first are indented.
pub(super) fn wrapped(
    f: &mut fmt::Formatter<'_>,
    mut column: usize,
    indent: usize,
    text: &str,
) -> fmt::Result {
    for (place, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            write!(f, "\n{:indent$}{word}", "")?;
            column = indent + length;
            continue;
        }
        let space = if place > 0 { " " } else { "" };
        write!(f, "{space}{word}")?;
        column += space.len() + length;
    }
    writeln!(f)
}

/// How figures are written.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) painted: bool,
}

impl Pen {
    /// A style, or none.
    pub(super) fn style(self, style: Style) -> Style {
        if self.painted { style } else { Style::new() }
    }

    /// Centipawns as pawns: what is White's in one colour, what is Black's in another.
    pub(super) fn value(self, centipawns: f64, width: usize) -> String {
        let colour = match Color::from_white(centipawns > 0.0) {
            _ if centipawns.abs() < NOTHING => return format!("{:>width$}", signed(centipawns)),
            Color::White => AnsiColor::Cyan,
            Color::Black => AnsiColor::Yellow,
        };
        let style = self.style(colour.on_default());
        format!("{style}{:>width$}{style:#}", signed(centipawns))
    }
}

#[cfg(test)]
mod tests {
    use crate::coach::Explanation;
    use crate::search::Game;

    fn explained(fen: &str) -> Explanation {
        let engine = crate::default_engine().unwrap();
        Explanation::new(&engine, &Game::from_fen(fen, None).unwrap())
    }

    #[test]
    fn the_heaviest_term_comes_first_and_silence_is_folded() {
        let text = explained("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1").to_string();
        let terms: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.starts_with("term "))
            .skip(1)
            .filter(|line| line.starts_with(|c: char| c.is_alphabetic()))
            .map(|line| line.split_whitespace().next().unwrap())
            .collect();
        assert_eq!(terms[..2], ["kpk", "passed_pawns"], "{text}");
        assert!(text.contains("\nsilent: "), "{text}");
        assert!(!terms.contains(&"kbnk"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn the_painted_table_is_the_plain_one_with_colours() {
        let explained =
            explained("r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3");
        let painted = explained.painted().to_string();
        assert!(painted.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), explained.to_string());
        assert!(!explained.to_string().contains('\u{1b}'));
    }

    #[test]
    fn what_is_taken_from_the_side_ahead_is_told() {
        let text = explained("4k1b1/p7/8/8/8/8/PP6/B3K3 w - - 0 1").to_string();
        assert!(text.contains("White keeps 53 % of"), "{text}");
        assert!(text.contains("the bishops stand on different colours"), "{text}");
    }
}
