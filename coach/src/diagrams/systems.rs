//! What `tropism geometry` can draw, by name: each public function of [`tropism::geometry`], and
//! shortest paths.

use shakmaty::{Bitboard, Color, Square};
use tropism::geometry::layout::{
    Chebyshev, Choice, Combined, Combined71, Knight, Manhattan, Metric, Udr,
};
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
    /// A distance between two squares that every layout stores.
    Layouts([Choice; 6]),
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
    /// The squares between two squares by the sum rule.
    SumRule(fn(Square, Square) -> u32),
    /// The shortest paths of a piece on an empty board.
    Paths(Mover),
    /// The shortest paths of the piece on a square.
    PathsOnBoard,
    /// How many moves the piece on a square needs to every other square.
    Mobility(PawnGuards),
    /// The squares where the knight on a square would safely fork.
    Forks,
}

/// Whether a piece may move to squares that enemy pawns guard.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum PawnGuards {
    Allowed,
    Avoided,
}

impl System {
    /// The layouts of its distance, if it is one that layouts store.
    pub fn layouts(&self) -> Option<&[Choice]> {
        match &self.kind {
            Kind::Layouts(choices) => Some(choices),
            _ => None,
        }
    }
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
            Kind::SumRule(_) | Kind::Paths(_) | Kind::PathsOnBoard => "two squares",
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

const fn metric<M: Metric>(doc: &'static str, source: &'static str) -> System {
    System { name: M::NAME, doc, source, kind: Kind::Layouts(Choice::all::<M>()) }
}

const fn system(name: &'static str, doc: &'static str, source: &'static str, kind: Kind) -> System {
    System { name, doc, source, kind }
}

/// All of them, in the order of `--list`.
pub static SYSTEMS: [System; 44] = [
    metric::<Chebyshev>("king moves between two squares", DISTANCE),
    metric::<Manhattan>("rook steps between two squares", DISTANCE),
    metric::<Knight>("knight moves between two squares", KNIGHT_DISTANCE),
    system("file_distance", "files between two squares", DISTANCE, Kind::Pair(geo::file_distance)),
    system("rank_distance", "ranks between two squares", DISTANCE, Kind::Pair(geo::rank_distance)),
    system(
        "centre_distance",
        "king moves to the four centre squares",
        "CPW Center Distance",
        Kind::Single(geo::centre_distance),
    ),
    system(
        "centre_manhattan",
        "rook steps to the four centre squares",
        "CPW Center Manhattan-Distance",
        Kind::Single(geo::centre_manhattan),
    ),
    system("edge_distance", "king moves to the edge", DISTANCE, Kind::Single(geo::edge_distance)),
    system(
        "corner_distance",
        "rook steps to the nearest corner",
        KBNK,
        Kind::Single(geo::corner_distance),
    ),
    system(
        "colour_corner_distance",
        "rook steps to the nearer light corner",
        KBNK,
        Kind::Single(|square| geo::colour_corner_distance(Color::White, square)),
    ),
    system(
        "bishop_corner_distance",
        "rook steps to the nearer corner of the colour of a bishop's square",
        KBNK,
        Kind::Pair(geo::bishop_corner_distance),
    ),
    system(
        "back_rank_distance",
        "ranks from White's back rank",
        DISTANCE,
        Kind::Single(|square| geo::back_rank_distance(Color::White, square)),
    ),
    system(
        "promotion_distance",
        "moves of a white pawn to its last rank, with the double step",
        DISTANCE,
        Kind::Single(|square| geo::promotion_distance(Color::White, square)),
    ),
    metric::<Combined>("king's distance plus taxi distance, D + T", ISENBERG),
    metric::<Combined71>("7D + T, one value for each relation", ISENBERG),
    system(
        "relation_number",
        "the relations in order, D(D + 1)/2 + T - D",
        ISENBERG,
        Kind::Pair(geo::relation_number),
    ),
    metric::<Udr>("UDRDist, one value for each relation, lines divisible by 8", ISENBERG),
    system("is_adjacent", "a king's step apart", ISENBERG, Kind::Relation(geo::is_adjacent)),
    system("is_opposition", "direct opposition", ISENBERG, Kind::Relation(geo::is_opposition)),
    system(
        "is_diagonal_opposition",
        "diagonal opposition",
        ISENBERG,
        Kind::Relation(geo::is_diagonal_opposition),
    ),
    system(
        "is_distant_opposition",
        "distant opposition",
        ISENBERG,
        Kind::Relation(geo::is_distant_opposition),
    ),
    system(
        "is_knight_distance",
        "a knight's move apart",
        ISENBERG,
        Kind::Relation(geo::is_knight_distance),
    ),
    system("same_line", "on one rank, file or diagonal", ISENBERG, Kind::Relation(geo::same_line)),
    system("same_diagonal", "on one diagonal", ISENBERG, Kind::Relation(geo::same_diagonal)),
    system(
        "same_rank_or_file",
        "on one rank or file",
        ISENBERG,
        Kind::Relation(geo::same_rank_or_file),
    ),
    system("knight_jumps", "the eight directions of a knight", KNIGHT_PATTERN, Kind::Jumps),
    system(
        "knight_attacks",
        "what knights attack, four shifts at once",
        KNIGHT_PATTERN,
        Kind::Set(geo::knight_attacks),
    ),
    system(
        "knight_attacks_stepwise",
        "what knights attack, step by step",
        KNIGHT_PATTERN,
        Kind::Set(geo::knight_attacks_stepwise),
    ),
    system(
        "knight_fill",
        "knights and what they attack",
        KNIGHT_PATTERN,
        Kind::Set(geo::knight_fill),
    ),
    system(
        "knight_distance_between",
        "knight moves from the nearest of several squares, by fill",
        KNIGHT_DISTANCE,
        Kind::Sets(geo::knight_distance_between),
    ),
    system(
        "fork_squares",
        "squares from which a knight attacks two of several squares",
        KNIGHT_PATTERN,
        Kind::Set(geo::fork_squares),
    ),
    system(
        "fork_targets",
        "squares where the knight on a square would safely fork king, queen and rooks",
        KNIGHT_PATTERN,
        Kind::Forks,
    ),
    system("king_attacks", "what kings attack", FILLS, Kind::Set(geo::king_attacks)),
    system(
        "pawn_attacks",
        "what white pawns attack",
        FILLS,
        Kind::Set(|set| geo::pawn_attacks(Color::White, set)),
    ),
    system(
        "step",
        "one rank ahead of white pawns",
        FILLS,
        Kind::Set(|set| geo::step(Color::White, set)),
    ),
    system("beside", "the squares left and right", FILLS, Kind::Set(geo::beside)),
    system(
        "ahead",
        "all squares in front of white pawns",
        FILLS,
        Kind::Set(|set| geo::ahead(Color::White, set)),
    ),
    system(
        "sum_rule",
        "squares on the shortest paths of a king, by the sum of distances",
        STILMAN,
        Kind::SumRule(geo::chebyshev),
    ),
    system(
        "king_trajectories",
        "shortest paths of a king on an empty board",
        STILMAN,
        Kind::Paths(Mover::King),
    ),
    system(
        "knight_trajectories",
        "shortest paths of a knight on an empty board",
        STILMAN,
        Kind::Paths(Mover::Knight),
    ),
    system(
        "trajectories",
        "shortest paths of the piece on a square, around all other pieces",
        STILMAN,
        Kind::PathsOnBoard,
    ),
    system(
        "mobility",
        "moves of the piece on a square to every other, if no other piece moves",
        LEVINSON,
        Kind::Mobility(PawnGuards::Allowed),
    ),
    system(
        "mobility_guarded",
        "moves of the piece on a square to every other, without squares that enemy pawns guard",
        LEVINSON,
        Kind::Mobility(PawnGuards::Avoided),
    ),
    system(
        "moves_between",
        "moves of the piece on a square to another",
        LEVINSON,
        Kind::Mobility(PawnGuards::Allowed),
    ),
];

/// The names of all systems of a kind.
pub fn names_of(kind: impl Fn(&Kind) -> bool) -> String {
    let names = SYSTEMS.iter().filter(|system| kind(&system.kind)).map(|system| system.name);
    names.collect::<Vec<_>>().join(", ")
}
