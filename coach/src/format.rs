//! How values are written, and how text is coloured. What has no colours is the same without the escape codes.

use anstyle::{AnsiColor, Style};
use shakmaty::Color;
use std::fmt;
use tropism::text::wrapped;

/// A smaller value prints as 0.00, in centipawns. It is left out.
pub const NEGLIGIBLE: f64 = 0.5;

/// Centipawns as pawns with a sign; zero has none.
pub fn signed(centipawns: f64) -> String {
    let rounded = centipawns.round();
    if rounded == 0.0 { "0.00".to_owned() } else { format!("{:+.2}", rounded / 100.0) }
}

/// Text in bold letters.
pub fn bold(text: impl fmt::Display) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}")
}

/// Centipawns as pawns, in one colour if good for White and in another if good for Black.
pub fn coloured(centipawns: f64, width: usize) -> String {
    let style = match Color::from_white(centipawns > 0.0) {
        _ if centipawns.abs() < NEGLIGIBLE => Style::new(),
        Color::White => AnsiColor::Cyan.on_default(),
        Color::Black => AnsiColor::Yellow.on_default(),
    };
    format!("{style}{:>width$}{style:#}", signed(centipawns))
}

/// Text without escape codes.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Writes lines. One that begins with a column and a bar, `4|text`, is broken between words, and what does not fit goes on
/// in that column.
pub fn lay_out(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for line in text.lines() {
        let column = line.split_once('|').and_then(|(it, text)| Some((it.parse().ok()?, text)));
        match column {
            Some((column, text)) => wrapped(f, 0, column, text)?,
            None => writeln!(f, "{line}")?,
        }
    }
    Ok(())
}
