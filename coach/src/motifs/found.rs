//! A motif on the board, and the sentence about it.

use super::motif::Motif;
use shakmaty::{Board, Color, Piece, Square};
use std::fmt;
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

    /// The piece without its square, for a piece that moves away from it: "the knight".
    fn piece_only(&self) -> String {
        self.piece.map_or_else(|| self.square.to_string(), |it| format!("the {}", noun(it.role)))
    }
}

/// "the knight on f7", or "f7" for a square.
impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.piece {
            Some(piece) => write!(f, "the {} on {}", noun(piece.role), self.square),
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
    /// The ply of the line at which it happens: 1 for its first move, 0 for what stands on the board before it.
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

    /// The sentence about it: "The knight on f7 forks the queen on d8 and the rook on h8."
    pub fn sentence(&self) -> String {
        format!("{}.", capitalized(&self.to_string()))
    }

    /// A target by its place in the list.
    fn target_name(&self, index: usize) -> String {
        self.targets.get(index).map_or_else(String::new, Spot::to_string)
    }

    /// All targets: "the king on g8, the queen on d8 and the rook on h8".
    fn target_list(&self) -> String {
        let names: Vec<String> = self.targets.iter().map(Spot::to_string).collect();
        joined(&names)
    }
}

impl fmt::Display for FoundMotif {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let own = side_name(self.side);
        let enemy = side_name(!self.side);
        let by = self.by.as_ref().map_or_else(String::new, Spot::to_string);
        let mover = self.by.as_ref().map_or_else(String::new, Spot::piece_only);
        let helper = self.helper.as_ref().map_or_else(String::new, Spot::to_string);
        let square = self.by.map_or_else(String::new, |it| it.square.to_string());
        let [first, second] = [0, 1].map(|index| self.target_name(index));
        let has_captured = self.targets.first().map(|it| it.square) == self.by.map(|it| it.square);
        match self.motif {
            Motif::Fork => write!(f, "{by} forks {}", self.target_list()),
            Motif::Pin | Motif::RelativePin => write!(f, "{by} pins {first} to {second}"),
            Motif::Skewer => write!(f, "{by} skewers {first} and {second} behind it"),
            Motif::DiscoveredAttack => {
                write!(f, "{helper} opens the line on which {by} attacks {}", self.target_list())
            }
            Motif::DiscoveredCheck => {
                write!(f, "{helper} opens the line on which {by} gives check to {first}")
            }
            Motif::DoubleCheck => write!(f, "{by} and {helper} give check to {first} at once"),
            Motif::HangingPiece if has_captured => {
                write!(f, "{mover} captures {first}, which nothing defends")
            }
            Motif::HangingPiece => write!(f, "{by} attacks {first}, which nothing defends"),
            Motif::TrappedPiece => write!(f, "{by} attacks {first}, which has no safe square"),
            Motif::CapturingDefender => {
                write!(f, "{mover} captures {first}, which defends {second}")
            }
            Motif::Deflection => write!(f, "{by} forces {first} away from {second}"),
            Motif::Attraction => write!(f, "{mover} on {square} lures {first} there"),
            Motif::Interference => write!(f, "{by} cuts {first} off from {second}"),
            Motif::Clearance => write!(f, "{by} has made way for {helper} to go to {first}"),
            Motif::XRayAttack => write!(f, "{by} works through {first} to {second}"),
            Motif::Intermezzo => {
                write!(f, "{own} plays {mover} to {square} before capturing {first}")
            }
            Motif::Sacrifice => write!(f, "{own} sacrifices {by}"),
            Motif::QuietMove => write!(f, "{by} makes a quiet move, without check or capture"),
            Motif::DefensiveMove => write!(f, "{by} makes a defensive move"),
            Motif::Zugzwang => {
                write!(f, "{enemy} is in zugzwang: every move makes the position worse")
            }
            Motif::ExposedKing => write!(f, "no pawn shields {first}"),
            Motif::WeakBackRank => write!(f, "{first} has no flight square from its back rank"),
            Motif::AttackingF2F7 => write!(f, "{mover} captures on {square}, beside {first}"),
            Motif::KingsideAttack => write!(f, "{own} attacks {first} on the kingside"),
            Motif::QueensideAttack => write!(f, "{own} attacks {first} on the queenside"),
            Motif::AdvancedPawn => write!(f, "{own} has a far advanced pawn on {square}"),
            Motif::Promotion | Motif::UnderPromotion => {
                write!(f, "the pawn becomes {} on {square}", with_article(self.by))
            }
            Motif::EnPassant => write!(f, "the pawn captures en passant on {square}"),
            Motif::Castling => write!(f, "{own} castles"),
            Motif::StalemateTrick => write!(f, "{own} saves the game by stalemate"),
            Motif::PerpetualCheck => write!(f, "{own} saves the game by perpetual check"),
            Motif::Mate => write!(f, "{by} mates {first}"),
            mate if Motif::MateIn1 <= mate && mate <= Motif::MateIn5 => {
                write!(f, "{own} forces {mate}")
            }
            mate if Motif::SmotheredMate <= mate && mate <= Motif::SwallowstailMate => {
                write!(f, "{by} mates {first}: {mate}")
            }
            endgame => write!(f, "this is {} {endgame}", article(endgame.title())),
        }
    }
}

/// "a queen".
fn with_article(spot: Option<Spot>) -> String {
    let piece = spot.and_then(|spot| spot.piece).map_or("piece", |piece| noun(piece.role));
    format!("{} {piece}", article(piece))
}
