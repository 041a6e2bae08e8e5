//! Draws any distance, relation, set of squares or shortest path of the geometry on a board.
//!
//! `systems` lists what can be drawn, `request` says what to draw and what can be wrong with it, and
//! `draw` draws it.

mod draw;
mod request;
mod systems;

use super::picture::Picture;
use shakmaty::{File, Rank, Square};
use std::fmt;
use systems::{Kind, SYSTEMS, System, names_of};
use tropism::text::did_you_mean;

pub use request::{DiagramError, DiagramRequest};

/// Draws what a request names.
///
/// ```
/// use tropism_coach::{DiagramRequest, diagram};
/// let squares = ["f6".to_owned(), "h1".to_owned()];
/// let request = DiagramRequest { name: "chebyshev", squares: &squares, ..Default::default() };
/// let board = diagram(&request)?;
/// assert!(board.to_string().ends_with("f6 to h1: 5"));
/// # Ok::<(), tropism_coach::DiagramError>(())
/// ```
///
/// # Errors
///
/// If a name, square, layout or position is wrong, if there are too few or too many squares, or if
/// there is nothing to draw.
pub fn diagram(request: &DiagramRequest) -> Result<Picture, DiagramError> {
    let name = request.name.to_lowercase().replace('-', "_");
    let system = SYSTEMS.iter().find(|system| system.name == name).ok_or_else(|| {
        let hint = did_you_mean(&name, SYSTEMS.iter().map(|system| system.name))
            .unwrap_or_else(|| "`tropism geometry --list` shows all names".to_owned());
        DiagramError(format!("unknown name {:?}; {hint}", request.name))
    })?;
    let squares = request.squares.iter().map(|word| square(word)).collect::<Result<Vec<_>, _>>()?;
    draw::draw(system, &squares, request)
}

/// A table of all names, each with one line and its source, and of the layouts.
pub fn diagram_list() -> impl fmt::Display {
    fmt::from_fn(|f| {
        let width = SYSTEMS.iter().map(|system| system.name.len()).max().unwrap_or(0);
        for System { name, doc, source, .. } in SYSTEMS {
            writeln!(f, "{name:width$}  {doc} ({source})")?;
        }
        writeln!(f, "\nLayouts of {}:", names_of(|kind| matches!(kind, Kind::Layouts(_))))?;
        if let Some(layouts) = SYSTEMS.iter().find_map(System::layouts) {
            for layout in layouts {
                writeln!(f, "{:width$}  {} table entries", layout.name, layout.entries)?;
            }
        }
        write!(f, "\nCPW is the Chess Programming Wiki. ")?;
        write!(f, "Pieces stand as in the start position or in --fen FEN.")
    })
}

/// The square of a word, or a hint.
fn square(word: &str) -> Result<Square, DiagramError> {
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
        DiagramError(format!("{word:?} is not a square; {hint}"))
    })
}

#[cfg(test)]
mod tests;
