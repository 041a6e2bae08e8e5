//! Draws any distance, relation, set of squares or shortest path of the geometry on a board.
//!
//! `systems` lists what can be drawn, and `draw` draws it.

mod draw;
mod systems;

use super::{picture::Picture, refusal::Refusal};
use shakmaty::{File, Rank, Square};
use std::fmt;
use systems::{SYSTEMS, System};
use tropism::text::did_you_mean;

/// Draws a system of [`diagram_list`] for at most two squares. What depends on pieces takes those of a FEN, or of the
/// start position.
///
/// ```
/// use tropism_coach::diagram;
/// let board = diagram("chebyshev", &["f6".to_owned(), "h1".to_owned()], None)?;
/// assert!(board.to_string().ends_with("f6 to h1: 5"));
/// # Ok::<(), tropism_coach::Refusal>(())
/// ```
///
/// # Errors
///
/// If a name, square or position is wrong, if there are too few or too many squares, or if
/// there is nothing to draw.
pub fn diagram(name: &str, squares: &[String], fen: Option<&str>) -> Result<Picture, Refusal> {
    let known = name.to_lowercase().replace('-', "_");
    let system = SYSTEMS.iter().find(|system| system.name == known).ok_or_else(|| {
        let hint = did_you_mean(&known, SYSTEMS.iter().map(|system| system.name))
            .unwrap_or_else(|| "`tropism geometry --list` shows all names".to_owned());
        Refusal(format!("unknown name {name:?}; {hint}"))
    })?;
    let squares = squares.iter().map(|word| square(word)).collect::<Result<Vec<_>, _>>()?;
    draw::draw(system, &squares, fen)
}

/// A table of all names, each with one line and its source.
pub fn diagram_list() -> impl fmt::Display {
    fmt::from_fn(|f| {
        let width = SYSTEMS.iter().map(|system| system.name.len()).max().unwrap_or(0);
        for System { name, doc, source, .. } in SYSTEMS {
            writeln!(f, "{name:width$}  {doc} ({source})")?;
        }
        write!(f, "\nCPW is the Chess Programming Wiki. ")?;
        write!(f, "Pieces stand as in the start position or in --fen FEN.")
    })
}

/// The square of a word, or a hint.
fn square(word: &str) -> Result<Square, Refusal> {
    word.parse().map_err(|_| {
        let hint = match *word.to_lowercase().as_bytes() {
            // The nearest file and rank of the board.
            [file, rank] if file.is_ascii_lowercase() && rank.is_ascii_digit() => {
                let file = File::new(u32::from(file.min(b'h') - b'a'));
                let rank = Rank::new(u32::from(rank.clamp(b'1', b'8') - b'1'));
                format!("the nearest is {}", Square::from_coords(file, rank))
            }
            _ => "squares are a1 to h8".to_owned(),
        };
        Refusal(format!("{word:?} is not a square; {hint}"))
    })
}

#[cfg(test)]
mod tests;
