//! What `tropism geometry` can draw, by name: each public function of [`tropism::geometry`], and
//! shortest paths.

use shakmaty::{Bitboard, Color::White, Square};
use tropism::geometry::{self as geo, Mover};

/// One thing to draw.
pub struct System {
    /// The function's name.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    pub kind: Kind,
}

/// What a system takes and what it yields.
pub enum Kind {
    /// A number for two squares.
    Pair(fn(Square, Square) -> u32),
    /// A number for one square.
    Single(fn(Square) -> u32),
    /// A relation of two squares that holds or not.
    Relation(fn(Square, Square) -> bool),
    /// A set of squares for a set of squares.
    Set(fn(Bitboard) -> Bitboard),
    /// A number for two sets of squares.
    Sets(fn(Bitboard, Bitboard) -> Option<u32>),
    /// The eight jumps of a knight.
    Jumps,
    /// The squares on the shortest paths of a king between two squares, by the sum rule.
    SumRule,
    /// The shortest paths of a piece on an empty board.
    Paths(Mover),
    /// The shortest paths of the piece on a square.
    PathsOnBoard,
    /// How many moves the piece on a square needs to every other square. It avoids the squares that enemy pawns
    /// guard, or not.
    Mobility(bool),
    /// The squares where the knight on a square would safely fork.
    Forks,
}

impl Kind {
    /// Whether it depends on the pieces of a position.
    pub fn has_position(&self) -> bool {
        matches!(self, Kind::PathsOnBoard | Kind::Mobility(_) | Kind::Forks)
    }

    /// How many squares it needs, in words.
    pub fn wanted(&self) -> &'static str {
        match self {
            Kind::Single(_) => "no square, or one",
            Kind::Jumps | Kind::Forks => "one square",
            Kind::SumRule | Kind::Paths(_) | Kind::PathsOnBoard => "two squares",
            _ => "one square or two",
        }
    }
}

const DISTANCE: &str = "CPW Distance";
const KNIGHT_DISTANCE: &str = "CPW Knight-Distance";
const KNIGHT_PATTERN: &str = "CPW Knight Pattern";
const KBNK: &str = "CPW KBNK Endgame";
const ISENBERG: &str = "Isenberg 2002";
const STILMAN: &str = "Stilman 1994, CPW Distance";
const LEVINSON: &str = "Levinson and Snyder 1993, CPW Distance";
const FILLS: &str = "CPW Fill Algorithms";

/// Declares all systems: name, kind with its content, source, and what it is. The content is the function of
/// [`tropism::geometry`] with that name where a row says `_`.
macro_rules! systems {
    ($($name:ident: $kind:ident $(($($content:tt)+))?, $source:expr, $doc:literal;)*) => {
        /// All of them, in the order of `--list`.
        pub static SYSTEMS: &[System] = &[$(System {
            name: stringify!($name),
            doc: $doc,
            source: $source,
            kind: Kind::$kind $((systems!(@ $name $($content)+)))?,
        }),*];
    };
    (@ $name:ident _) => { geo::$name };
    (@ $name:ident White) => { |it| geo::$name(White, it) };
    (@ $name:ident $content:expr) => { $content };
}

systems! {
    chebyshev: Pair(_), DISTANCE, "king moves between two squares";
    manhattan: Pair(_), DISTANCE, "rook steps between two squares";
    knight_distance: Pair(_), KNIGHT_DISTANCE, "knight moves between two squares";
    file_distance: Pair(_), DISTANCE, "files between two squares";
    rank_distance: Pair(_), DISTANCE, "ranks between two squares";
    centre_distance: Single(_), "CPW Center Distance", "king moves to the four centre squares";
    centre_manhattan: Single(_), "CPW Center Manhattan-Distance", "rook steps to the four centre squares";
    edge_distance: Single(_), DISTANCE, "king moves to the edge";
    corner_distance: Single(_), KBNK, "rook steps to the nearest corner";
    colour_corner_distance: Single(White), KBNK, "rook steps to the nearer light corner";
    bishop_corner_distance: Pair(_), KBNK, "rook steps to the nearer corner of the colour of a bishop's square";
    back_rank_distance: Single(White), DISTANCE, "ranks from White's back rank";
    promotion_distance: Single(White), DISTANCE, "moves of a white pawn to its last rank, with the double step";
    combined_distance: Pair(_), ISENBERG, "king's distance plus taxi distance, D + T";
    combined71_distance: Pair(_), ISENBERG, "7D + T, one value for each relation";
    relation_number: Pair(_), ISENBERG, "the relations in order, D(D + 1)/2 + T - D";
    udr_distance: Pair(_), ISENBERG,
        "UDRDist, one value for each relation, lines divisible by 8";
    is_adjacent: Relation(_), ISENBERG, "a king's step apart";
    is_opposition: Relation(_), ISENBERG, "direct opposition";
    is_diagonal_opposition: Relation(_), ISENBERG, "diagonal opposition";
    is_distant_opposition: Relation(_), ISENBERG, "distant opposition";
    is_knight_distance: Relation(_), ISENBERG, "a knight's move apart";
    same_line: Relation(_), ISENBERG, "on one rank, file or diagonal";
    same_diagonal: Relation(_), ISENBERG, "on one diagonal";
    same_rank_or_file: Relation(_), ISENBERG, "on one rank or file";
    knight_jumps: Jumps, KNIGHT_PATTERN, "the eight directions of a knight";
    knight_attacks: Set(_), KNIGHT_PATTERN, "what knights attack, four shifts at once";
    knight_attacks_stepwise: Set(_), KNIGHT_PATTERN, "what knights attack, step by step";
    knight_fill: Set(_), KNIGHT_PATTERN, "knights and what they attack";
    knight_distance_between: Sets(_), KNIGHT_DISTANCE,
        "knight moves from the nearest of several squares, by fill";
    fork_squares: Set(_), KNIGHT_PATTERN, "squares from which a knight attacks two of several squares";
    fork_targets: Forks, KNIGHT_PATTERN,
        "squares where the knight on a square would safely fork king, queen and rooks";
    king_attacks: Set(_), FILLS, "what kings attack";
    pawn_attacks: Set(White), FILLS, "what white pawns attack";
    step: Set(White), FILLS, "one rank ahead of white pawns";
    beside: Set(_), FILLS, "the squares left and right";
    ahead: Set(White), FILLS, "all squares in front of white pawns";
    sum_rule: SumRule, STILMAN, "squares on the shortest paths of a king, by the sum of distances";
    king_trajectories: Paths(Mover::King), STILMAN, "shortest paths of a king on an empty board";
    knight_trajectories: Paths(Mover::Knight), STILMAN, "shortest paths of a knight on an empty board";
    trajectories: PathsOnBoard, STILMAN, "shortest paths of the piece on a square, around all other pieces";
    mobility: Mobility(false), LEVINSON,
        "moves of the piece on a square to every other, if no other piece moves";
    mobility_guarded: Mobility(true), LEVINSON,
        "moves of the piece on a square to every other, without squares that enemy pawns guard";
    moves_between: Mobility(false), LEVINSON, "moves of the piece on a square to another";
}
