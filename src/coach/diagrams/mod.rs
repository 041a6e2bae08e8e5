//! Geometry made visible: any distance, relation, set or way on a board.

mod draw;
mod systems;

use super::picture::Picture;
use shakmaty::{File, Rank, Square, fen::ParseFenError};
use std::fmt;
use systems::{Kind, SYSTEMS, System};
use thiserror::Error;

/// What to draw.
#[derive(Copy, Clone, Debug, Default)]
pub struct DiagramRequest<'a> {
    /// The name of the system, as [`diagram_list`] has it.
    pub name: &'a str,
    /// The squares it is asked about, at most two.
    pub squares: &'a [String],
    /// The layout to look a distance up in; without one the public function is asked.
    pub layout: Option<&'a str>,
    /// The position that pieces stand in; the start position without one.
    pub fen: Option<&'a str>,
}

/// Why nothing was drawn. Its message says what would have been right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DiagramError {
    /// No system has that name.
    #[error("unknown name {name:?}; the nearest are {nearest}; `tropism geometry --list` has all")]
    Name {
        /// What was given.
        name: String,
        /// Names like it.
        nearest: String,
    },
    /// A word that is no square.
    #[error("{word:?} is no square; {hint}")]
    Square {
        /// What was given.
        word: String,
        /// Which square may have been meant.
        hint: String,
    },
    /// Too few or too many squares for this system.
    #[error("{name} wants {wanted}")]
    Squares {
        /// The system.
        name: &'static str,
        /// What it wants.
        wanted: &'static str,
    },
    /// No layout has that name.
    #[error("unknown layout {layout:?}; the nearest are {nearest}")]
    Layout {
        /// What was given.
        layout: String,
        /// Names like it.
        nearest: String,
    },
    /// A layout for something that is not stored in layouts.
    #[error("{name} has no layouts; {having} have")]
    NoLayouts {
        /// The system.
        name: &'static str,
        /// The systems that have layouts.
        having: String,
    },
    /// A position for something that looks at none.
    #[error("{name} looks at an empty board; {having} take a FEN")]
    NoPosition {
        /// The system.
        name: &'static str,
        /// The systems that look at a position.
        having: String,
    },
    /// A position that cannot be read.
    #[error("{fen:?}: {source}")]
    Fen {
        /// What was given.
        fen: String,
        /// What is wrong with it.
        source: ParseFenError,
    },
    /// A square without the piece that is asked about.
    #[error("{name} wants a {wanted} on {square}")]
    Piece {
        /// The system.
        name: &'static str,
        /// The square.
        square: Square,
        /// What should stand there.
        wanted: &'static str,
    },
    /// A way that does not exist.
    #[error("no way leads from {from} to {to}")]
    NoWay {
        /// The start.
        from: Square,
        /// The end.
        to: Square,
    },
}

/// Draws what is asked for.
///
/// ```
/// use tropism::coach::{DiagramRequest, diagram};
/// let squares = ["f6".to_owned(), "h1".to_owned()];
/// let request = DiagramRequest { name: "chebyshev", squares: &squares, ..Default::default() };
/// let board = diagram(&request)?;
/// assert!(board.to_string().ends_with("f6 to h1: 5"));
/// # Ok::<(), tropism::coach::DiagramError>(())
/// ```
///
/// # Errors
///
/// If a name, square, layout or position is not known, there are too few or too many squares, or
/// there is nothing to draw.
pub fn diagram(request: &DiagramRequest) -> Result<Picture, DiagramError> {
    let name = request.name.to_lowercase().replace('-', "_");
    let system = SYSTEMS.iter().find(|system| system.name == name).ok_or_else(|| {
        let nearest = nearest(&name, SYSTEMS.iter().map(|system| system.name));
        DiagramError::Name { name: request.name.to_owned(), nearest }
    })?;
    let squares = request.squares.iter().map(|word| square(word)).collect::<Result<Vec<_>, _>>()?;
    draw::draw(system, &squares, request)
}

/// All names with one line and the source each, and the layouts. Prints as a table.
pub fn diagram_list() -> impl fmt::Display {
    fmt::from_fn(|f| {
        let width = SYSTEMS.iter().map(|system| system.name.len()).max().unwrap_or(0);
        for System { name, doc, source, .. } in &SYSTEMS {
            writeln!(f, "{name:width$}  {doc} ({source})")?;
        }
        writeln!(f, "\nLayouts of {}:", naming(|kind| matches!(kind, Kind::Layouts(_))))?;
        if let Some(layouts) = SYSTEMS.iter().find_map(System::layouts) {
            for layout in layouts {
                writeln!(f, "{:width$}  {} table entries", layout.name, layout.entries)?;
            }
        }
        write!(f, "\nCPW is the Chess Programming Wiki. ")?;
        write!(f, "Pieces are taken from the start position or from --fen FEN.")
    })
}

/// The names of all systems of a kind.
fn naming(kind: impl Fn(&Kind) -> bool) -> String {
    let names = SYSTEMS.iter().filter(|system| kind(&system.kind)).map(|system| system.name);
    names.collect::<Vec<_>>().join(", ")
}

fn square(word: &str) -> Result<Square, DiagramError> {
    word.parse().map_err(|_| {
        let hint = match *word.to_lowercase().as_bytes() {
            // The letter and the digit that are nearest on the board.
            [file, rank] if file.is_ascii_lowercase() && rank.is_ascii_digit() => {
                let file = File::new(u32::from(file.min(b'h') - b'a'));
                let rank = Rank::new(u32::from(rank.clamp(b'1', b'8') - b'1'));
                format!("the nearest is {}", Square::from_coords(file, rank))
            }
            _ => "squares are a1 to h8".to_owned(),
        };
        DiagramError::Square { word: word.to_owned(), hint }
    })
}

/// The three names most like the one given: those that contain it or begin like it, then those that
/// are the fewest edits away.
fn nearest(given: &str, known: impl Iterator<Item = &'static str>) -> String {
    let mut known: Vec<_> = known.collect();
    known.sort_by_cached_key(|name| {
        (!name.contains(given), strsim::damerau_levenshtein(given, name))
    });
    known.truncate(3);
    known.join(", ")
}

#[cfg(test)]
mod tests;
