//! A motif on the board, and the sentence about it.

use super::motif::Motif;
use shakmaty::{Board, Color, Piece, Square};
use std::fmt;
use tropism::eval::the_piece;
use tropism::text::{article, capitalized, joined, noun, side_name};

/// A square, and the piece that stands there if the motif is about it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The square.
    pub square: Square,
    /// What stands there.
    pub piece: Option<Piece>,
}

impl Spot {
    /// A square with what stands on it.
    pub fn on(board: &Board, square: Square) -> Spot {
        Spot { square, piece: board.piece_at(square) }
    }
}

/// "the knight on f7", or "f7" for a square.
impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.piece {
            Some(piece) => f.write_str(&the_piece(piece.role, self.square)),
            None => write!(f, "{}", self.square),
        }
    }
}

/// A motif, where it happens, and the pieces that take part.
///
/// `Display` writes a clause, "the knight on f7 forks the queen on d8 and the rook on h8"; [`sentence`] makes a
/// sentence of it.
///
/// [`sentence`]: FoundMotif::sentence
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMotif {
    /// Which motif it is.
    pub motif: Motif,
    /// The ply of the line at which it happens: 1 for its first move, 0 for what the board shows before it.
    pub ply: usize,
    /// The side that profits.
    pub side: Color,
    /// The piece that does it, where it stands after the ply.
    pub by: Option<Spot>,
    /// A second piece of the same side, such as the one that opens the line of a discovered attack.
    pub helper: Option<Spot>,
    /// What it is done to: the forked pieces; the pinned piece and the one behind it; the defender that is forced
    /// away and what it defended.
    pub targets: Vec<Spot>,
}

impl FoundMotif {
    pub(super) const fn new(motif: Motif, ply: usize, side: Color) -> FoundMotif {
        FoundMotif { motif, ply, side, by: None, helper: None, targets: Vec::new() }
    }

    pub(super) fn by(mut self, spot: Spot) -> FoundMotif {
        self.by = Some(spot);
        self
    }

    pub(super) fn helper(mut self, spot: Spot) -> FoundMotif {
        self.helper = Some(spot);
        self
    }

    pub(super) fn target(mut self, spot: Spot) -> FoundMotif {
        self.targets.push(spot);
        self
    }

    /// Whether one of the first two moves of the side creates it, in a line that begins with its move.
    pub(crate) fn is_soon(&self) -> bool {
        matches!(self.ply, 1 | 3)
    }

    /// The sentence about it: "The knight on f7 forks the queen on d8 and the rook on h8."
    pub fn sentence(&self) -> String {
        format!("{}.", capitalized(&self.to_string()))
    }
}

impl fmt::Display for FoundMotif {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let square = self.by.map(|it| it.square);
        let has_captured = self.targets.first().map(|it| it.square) == square;
        let clause = match self.motif {
            Motif::HangingPiece if has_captured => {
                "{mover} captures {first}, which nothing defends"
            }
            motif => motif.clause(),
        };
        let name = |spot: Option<&Spot>| spot.map_or_else(String::new, Spot::to_string);
        let piece = self.by.and_then(|it| it.piece).map_or("piece", |piece| noun(piece.role));
        let targets: Vec<String> = self.targets.iter().map(Spot::to_string).collect();
        let parts = [
            ("{by}", name(self.by.as_ref())),
            // A piece that moves away from a square is named without it.
            ("{mover}", format!("the {piece}")),
            ("{piece}", format!("{} {piece}", article(piece))),
            ("{square}", square.map_or_else(String::new, |it| it.to_string())),
            ("{helper}", name(self.helper.as_ref())),
            ("{first}", name(self.targets.first())),
            ("{second}", name(self.targets.get(1))),
            ("{targets}", joined(&targets)),
            ("{own}", side_name(self.side).to_owned()),
            ("{enemy}", side_name(!self.side).to_owned()),
        ];
        let fill = |text: String, (name, value): &(&str, String)| text.replace(name, value);
        f.write_str(&parts.iter().fold(clause.to_owned(), fill))
    }
}
