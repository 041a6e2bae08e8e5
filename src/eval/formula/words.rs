//! The words, loops and operators of expressions: one table, from which the compiler, `tropism words`
//! and `docs/words-of-terms.md` are made.

use super::Type;
use super::code::Side;
use crate::eval::EvalContext;
use crate::geometry::{
    Layers, Mover, Terrain, Trajectories, ahead, back_rank_distance, beside,
    bishop_corner_distance, centre_distance, centre_manhattan, chebyshev, colour_corner_distance,
    combined_distance, combined71_distance, corner_distance, edge_distance, file_distance,
    fork_squares, is_adjacent, is_diagonal_opposition, is_distant_opposition, is_knight_distance,
    is_opposition, king_attacks, knight_attacks, knight_distance, knight_distance_between,
    knight_fill, manhattan, moves_between, pawn_attacks, promotion_distance, rank_distance,
    relation_number, same_diagonal, same_line, same_rank_or_file, step, sum_rule, udr_distance,
};
use shakmaty::{Bitboard, Color, Rank, Square};

/// The number of moves that stands for "no path".
const NO_PATH: i32 = 64;

/// A word of expressions.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    /// The word is written with `own.` or `enemy.` before it.
    pub(super) has_side: bool,
    /// What it is, for people.
    pub(super) doc: &'static str,
    /// The names of its arguments, for people.
    pub(super) arguments: &'static [&'static str],
    pub(super) reads: Reads,
    /// How many squares its value has in a game.
    pub(super) squares: Squares,
    /// The squares are those of pieces of the side.
    pub(super) is_pieces: bool,
    pub(super) function: Function,
}

/// How many squares a set has at most in a game, for the cost of a loop over it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Squares {
    AtMost(u64),
    /// So many for each square of the first argument.
    ForEach(u64),
}

/// Words under one heading.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) words: &'static [Word],
}

/// What a word reads of the position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Reads {
    /// Nothing, or pawns and kings only: a term of such words can use the pawn cache.
    PawnsAndKings,
    /// Other pieces or the side to move.
    Everything,
}

/// Smallest and largest value.
type Range = (i32, i32);

/// A function of the position and a side, with its arguments. The side is the one before the dot;
/// words without a side do not use it.
#[derive(Copy, Clone, Debug)]
pub(super) enum Function {
    Number(Range, fn(&EvalContext, Color) -> i32),
    Condition(fn(&EvalContext, Color) -> bool),
    Square(fn(&EvalContext, Color) -> Square),
    Set(fn(&EvalContext, Color) -> Bitboard),
    OfNumber(fn(i32) -> i32),
    OfSquare(Range, fn(Color, Square) -> i32),
    OfSquares(Range, fn(Square, Square) -> i32),
    OfSet(Range, fn(Bitboard) -> i32),
    OfSets(Range, fn(Bitboard, Bitboard) -> i32),
    /// The moves of a piece from a set to another while a third set is closed.
    Moves(Mover),
    /// The moves of a pawn.
    PawnMoves,
    /// The squares reached in a number of moves at most while a set is closed.
    Reach(Mover),
    /// The squares on the shortest paths between two squares while a set is closed.
    Paths(Mover),
    AreSquares(fn(Square, Square) -> bool),
    IsSet(fn(Bitboard) -> bool),
    SetOfNumber(fn(Color, i32) -> Bitboard),
    SetOfSquare(fn(Color, Square) -> Bitboard),
    SetOfSquares(fn(Square, Square) -> Bitboard),
    SetOfSet(fn(&EvalContext, Color, Bitboard) -> Bitboard),
    SquareOfSet(fn(Color, Square, Bitboard) -> Square),
}

impl Word {
    /// The types of its arguments.
    pub(super) const fn types(&self) -> &'static [Type] {
        use Type::{Number, Set, Square};
        match self.function {
            Function::Number(..)
            | Function::Condition(_)
            | Function::Square(_)
            | Function::Set(_) => &[],
            Function::OfNumber(_) | Function::SetOfNumber(_) => &[Number],
            Function::OfSquare(..) | Function::SetOfSquare(_) => &[Square],
            Function::OfSquares(..) | Function::AreSquares(_) | Function::SetOfSquares(_) => {
                &[Square, Square]
            }
            Function::OfSet(..) | Function::IsSet(_) | Function::SetOfSet(_) => &[Set],
            Function::OfSets(..) => &[Set, Set],
            Function::Moves(_) | Function::PawnMoves => &[Set, Set, Set],
            Function::Reach(_) => &[Set, Number, Set],
            Function::Paths(_) => &[Square, Square, Set],
            Function::SquareOfSet(_) => &[Square, Set],
        }
    }

    /// The type of its value.
    pub(super) const fn result(&self) -> Type {
        match self.function {
            Function::Number(..)
            | Function::OfNumber(_)
            | Function::OfSquare(..)
            | Function::OfSquares(..)
            | Function::OfSet(..)
            | Function::OfSets(..)
            | Function::Moves(_)
            | Function::PawnMoves => Type::Number,
            Function::Condition(_) | Function::AreSquares(_) | Function::IsSet(_) => {
                Type::Condition
            }
            Function::Square(_) | Function::SquareOfSet(_) => Type::Square,
            Function::Set(_)
            | Function::SetOfNumber(_)
            | Function::SetOfSquare(_)
            | Function::SetOfSquares(_)
            | Function::SetOfSet(_)
            | Function::Reach(_)
            | Function::Paths(_) => Type::Set,
        }
    }

    /// The range of its value, if it is a number of fixed range.
    pub(super) const fn range(&self) -> Option<Range> {
        match self.function {
            Function::Number(range, _)
            | Function::OfSquare(range, _)
            | Function::OfSquares(range, _)
            | Function::OfSet(range, _)
            | Function::OfSets(range, _) => Some(range),
            Function::Moves(_) | Function::PawnMoves => Some((0, NO_PATH)),
            _ => None,
        }
    }

    /// How long it takes, in steps of the cost limit, without its arguments.
    pub(super) const fn cost(&self) -> u32 {
        match self.function {
            Function::Moves(_) | Function::PawnMoves | Function::Reach(_) => 60,
            Function::Paths(_) => 200,
            Function::SetOfSquares(_) | Function::SquareOfSet(_) => 60,
            Function::OfSets(..) => 10,
            _ => 1,
        }
    }

    /// How it is written: `own.promotion_distance(square)`.
    pub(super) fn usage(&self) -> String {
        let side = if self.has_side { "own." } else { "" };
        match self.arguments {
            [] => format!("{side}{}", self.name),
            arguments => format!("{side}{}({})", self.name, arguments.join(", ")),
        }
    }

    /// The type of its value with its range: `number, 0 to 7`.
    pub(super) fn value(&self) -> String {
        let kind = self.result().noun();
        match self.range() {
            Some((min, max)) => format!("{kind}, {min} to {max}"),
            None => kind.to_owned(),
        }
    }
}

/// A loop: `NAME(VARIABLE in SET: BODY)`.
#[derive(Debug)]
pub(super) struct Quantifier {
    pub(super) usage: &'static str,
    pub(super) value: &'static str,
    pub(super) doc: &'static str,
}

/// The words that look at each square of a set.
pub(super) const QUANTIFIERS: &[Quantifier] = &[
    Quantifier {
        usage: "sum(x in set: number)",
        value: "number",
        doc: "the sum over all squares x of the set",
    },
    Quantifier {
        usage: "mean(x in set: number)",
        value: "number",
        doc: "the mean over all squares x of the set, rounded towards zero; 0 for an empty set",
    },
    Quantifier {
        usage: "min(x in set: number)",
        value: "number",
        doc: "the smallest value for a square x of the set; 0 for an empty set",
    },
    Quantifier {
        usage: "max(x in set: number)",
        value: "number",
        doc: "the largest value for a square x of the set; 0 for an empty set",
    },
    Quantifier {
        usage: "count(x in set: condition)",
        value: "number, 0 to 64",
        doc: "for how many squares x of the set the condition holds",
    },
    Quantifier {
        usage: "any(x in set: condition)",
        value: "condition",
        doc: "whether the condition holds for a square x of the set",
    },
    Quantifier {
        usage: "all(x in set: condition)",
        value: "condition",
        doc: "whether the condition holds for all squares x of the set; true for an empty set",
    },
    Quantifier {
        usage: "squares(x in set: condition)",
        value: "set",
        doc: "the squares x of the set for which the condition holds",
    },
];

impl Quantifier {
    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        self.usage.split('(').next().unwrap_or_default()
    }
}

/// Operators that bind equally strongly and are read from the left.
#[derive(Debug)]
pub(super) struct Operator {
    /// How they are written. The notes of the vocabulary say what the letters are.
    pub(super) usage: &'static [&'static str],
    pub(super) value: &'static str,
    pub(super) doc: &'static str,
}

/// The operators, the strongest first.
pub(super) const OPERATORS: &[Operator] = &[
    Operator { usage: &["min(a, b)"], value: "number", doc: "the smaller of two numbers" },
    Operator { usage: &["max(a, b)"], value: "number", doc: "the larger of two numbers" },
    Operator { usage: &["-a"], value: "number", doc: "the number with the other sign" },
    Operator {
        usage: &["~s"],
        value: "set",
        doc: "all squares that the set has not; as strong as the sign of a number",
    },
    Operator {
        usage: &["a * b", "a / b", "a % b"],
        value: "number",
        doc: "product, quotient rounded towards zero, and remainder; what is divided by zero gives 0",
    },
    Operator { usage: &["a + b", "a - b"], value: "number", doc: "sum and difference" },
    Operator {
        usage: &["s - t"],
        value: "set",
        doc: "the squares of the first set that the second has not; stronger than `&` and `|`, so `s & t - u` is `s & (t - u)`",
    },
    Operator { usage: &["s & t"], value: "set", doc: "the squares that both sets have" },
    Operator {
        usage: &["s | t"],
        value: "set",
        doc: "the squares that one of the sets has, or both",
    },
    Operator {
        usage: &["a < b", "a <= b", "a > b", "a >= b"],
        value: "condition",
        doc: "whether a number is smaller, not larger, larger, not smaller than another",
    },
    Operator {
        usage: &["a == b", "a != b", "x == y", "s == t", "p == q"],
        value: "condition",
        doc: "whether two numbers, squares, sets or conditions are equal, or with `!=` not; as strong as `<`",
    },
    Operator {
        usage: &["x in s"],
        value: "condition",
        doc: "whether the set has the square; as strong as `<`",
    },
    Operator { usage: &["not p"], value: "condition", doc: "whether the condition does not hold" },
    Operator { usage: &["p and q"], value: "condition", doc: "whether both conditions hold" },
    Operator {
        usage: &["p or q"],
        value: "condition",
        doc: "whether one of the conditions holds, or both",
    },
    Operator {
        usage: &["if p then a else b"],
        value: "any",
        doc: "the first value if the condition holds, otherwise the second; both of one type",
    },
];

const fn word(name: &'static str, doc: &'static str, function: Function) -> Word {
    Word {
        name,
        has_side: false,
        doc,
        arguments: &[],
        reads: Reads::PawnsAndKings,
        squares: Squares::AtMost(64),
        is_pieces: false,
        function,
    }
}

/// A word with `own.` or `enemy.` before it.
const fn sided(name: &'static str, doc: &'static str, function: Function) -> Word {
    Word { has_side: true, ..word(name, doc, function) }
}

impl Word {
    const fn of(self, arguments: &'static [&'static str]) -> Word {
        Word { arguments, ..self }
    }

    const fn at_most(self, squares: u64) -> Word {
        Word { squares: Squares::AtMost(squares), ..self }
    }

    const fn for_each(self, squares: u64) -> Word {
        Word { squares: Squares::ForEach(squares), ..self }
    }

    /// The word is the squares of so many pieces of the side at most.
    const fn own(self, most: u64) -> Word {
        Word { is_pieces: true, ..self.at_most(most) }
    }

    /// The word reads more than pawns and kings.
    const fn pieces(self) -> Word {
        Word { reads: Reads::Everything, ..self }
    }
}

const fn group(title: &'static str, words: &'static [Word]) -> Group {
    Group { title, words }
}

const SQUARE: &[&str] = &["square"];
const A_B: &[&str] = &["a", "b"];
const SET: &[&str] = &["set"];
const NUMBER: &[&str] = &["number"];
const FROM_TO: &[&str] = &["from", "to", "closed"];
const FROM_MOVES: &[&str] = &["from", "moves", "closed"];

macro_rules! fewest_moves {
    ($piece:literal, $past:literal) => {
        concat!(
            "the fewest moves of ",
            $piece,
            " from a square of the first set to a square of the second, never ",
            $past,
            " a closed square; 64 if there is no path"
        )
    };
}

macro_rules! reached {
    ($piece:literal, $past:literal) => {
        concat!(
            "the squares that ",
            $piece,
            " reaches from a square of the set in so many moves or fewer, never ",
            $past,
            " a closed square; the squares of the set are among them"
        )
    };
}

macro_rules! shortest_paths {
    ($piece:literal, $past:literal) => {
        concat!(
            "the squares on which ",
            $piece,
            " stops on any of its shortest paths from one square to another, both included, never ",
            $past,
            " a closed square; no squares if there is no path"
        )
    };
}

/// All words, in the order of the documentation.
pub(super) const WORDS: &[Group] = &[
    group("Distances between squares", &[
        word("chebyshev", "king moves from a to b", Function::OfSquares((0, 7), |a, b| chebyshev(a, b) as i32)).of(A_B),
        word("manhattan", "rook steps from a to b", Function::OfSquares((0, 14), |a, b| manhattan(a, b) as i32)).of(A_B),
        word("file_distance", "files from a to b", Function::OfSquares((0, 7), |a, b| file_distance(a, b) as i32)).of(A_B),
        word("rank_distance", "ranks from a to b", Function::OfSquares((0, 7), |a, b| rank_distance(a, b) as i32)).of(A_B),
        word("knight_distance", "knight moves from a to b", Function::OfSquares((0, 6), |a, b| knight_distance(a, b) as i32)).of(A_B),
        word("combined_distance", "Chebyshev plus Manhattan distance (D + T), a different number for nearly every relation", Function::OfSquares((0, 21), |a, b| combined_distance(a, b) as i32)).of(A_B),
        word("combined71_distance", "7 times the Chebyshev plus the Manhattan distance, a different number for every relation", Function::OfSquares((0, 63), |a, b| combined71_distance(a, b) as i32)).of(A_B),
        word("relation_number", "the relation of two squares, numbered from the nearest: 0 the same square, 1 side by side, 2 diagonally adjacent, and so on", Function::OfSquares((0, 35), |a, b| relation_number(a, b) as i32)).of(A_B),
        word("udr_distance", "Isenberg's unique distance relationship, a different number for every relation: divisible by 8 on a common line, by 16 on a common rank or file, 8 for a square and itself", Function::OfSquares((8, 120), |a, b| udr_distance(a, b) as i32)).of(A_B),
    ]),
    group("Distances to parts of the board", &[
        word("centre_distance", "king moves to the nearest of d4, e4, d5 and e5", Function::OfSquare((0, 3), |_, square| centre_distance(square) as i32)).of(SQUARE),
        word("centre_manhattan", "rook steps to the nearest of d4, e4, d5 and e5", Function::OfSquare((0, 6), |_, square| centre_manhattan(square) as i32)).of(SQUARE),
        word("edge_distance", "king moves to the nearest edge", Function::OfSquare((0, 3), |_, square| edge_distance(square) as i32)).of(SQUARE),
        word("corner_distance", "rook steps to the nearest corner", Function::OfSquare((0, 6), |_, square| corner_distance(square) as i32)).of(SQUARE),
        word("bishop_corner_distance", "rook steps from the king to the nearer corner of the colour of the bishop's square", Function::OfSquares((0, 7), |bishop, king| bishop_corner_distance(bishop, king) as i32)).of(&["bishop", "king"]),
        word("wrong_corner_distance", "rook steps from the king to the nearer corner of the other colour", Function::OfSquares((0, 7), |bishop, king| colour_corner_distance(if bishop.is_light() { Color::Black } else { Color::White }, king) as i32)).of(&["bishop", "king"]),
        sided("back_rank_distance", "ranks from the side's back rank", Function::OfSquare((0, 7), |side, square| back_rank_distance(side, square) as i32)).of(SQUARE),
        sided("promotion_distance", "moves of a pawn of the side to its last rank, with the double step", Function::OfSquare((0, 6), |side, square| promotion_distance(side, square) as i32)).of(SQUARE),
    ]),
    group("Moves, reach and paths", &[
        word("knight_distance_between", "knight moves from the nearest square of a to b; 7 if a set is empty", Function::OfSets((0, 7), |a, b| knight_distance_between(a, b).map_or(7, |moves| moves as i32))).of(A_B),
        word("king_moves", fewest_moves!("a king", "onto"), Function::Moves(Mover::King)).of(FROM_TO),
        word("knight_moves", fewest_moves!("a knight", "onto"), Function::Moves(Mover::Knight)).of(FROM_TO),
        word("bishop_moves", fewest_moves!("a bishop", "onto or past"), Function::Moves(Mover::Bishop)).of(FROM_TO),
        word("rook_moves", fewest_moves!("a rook", "onto or past"), Function::Moves(Mover::Rook)).of(FROM_TO),
        word("queen_moves", fewest_moves!("a queen", "onto or past"), Function::Moves(Mover::Queen)).of(FROM_TO),
        sided("pawn_moves", "the fewest moves of a pawn of the side from a square of the first set to a square of the second: ahead, one step or from its second rank two, never onto or past a closed square; 64 if there is no path", Function::PawnMoves).of(FROM_TO),
        word("king_reach", reached!("a king", "onto"), Function::Reach(Mover::King)).of(FROM_MOVES),
        word("knight_reach", reached!("a knight", "onto"), Function::Reach(Mover::Knight)).of(FROM_MOVES),
        word("bishop_reach", reached!("a bishop", "onto or past"), Function::Reach(Mover::Bishop)).of(FROM_MOVES),
        word("rook_reach", reached!("a rook", "onto or past"), Function::Reach(Mover::Rook)).of(FROM_MOVES),
        word("queen_reach", reached!("a queen", "onto or past"), Function::Reach(Mover::Queen)).of(FROM_MOVES),
        word("king_paths", shortest_paths!("a king", "onto"), Function::Paths(Mover::King)).of(FROM_TO),
        word("knight_paths", shortest_paths!("a knight", "onto"), Function::Paths(Mover::Knight)).of(FROM_TO),
        word("bishop_paths", shortest_paths!("a bishop", "onto or past"), Function::Paths(Mover::Bishop)).of(FROM_TO),
        word("rook_paths", shortest_paths!("a rook", "onto or past"), Function::Paths(Mover::Rook)).of(FROM_TO),
        word("queen_paths", shortest_paths!("a queen", "onto or past"), Function::Paths(Mover::Queen)).of(FROM_TO),
        word("taxi_paths", "the squares of all shortest paths in rook steps between two squares (sum rule)", Function::SetOfSquares(|a, b| sum_rule(a, b, manhattan))).of(A_B),
    ]),
    group("Relations of two squares", &[
        word("is_adjacent", "whether a king on a attacks b", Function::AreSquares(is_adjacent)).of(A_B),
        word("is_opposition", "whether two kings are in direct opposition", Function::AreSquares(is_opposition)).of(A_B),
        word("is_diagonal_opposition", "whether two kings are in diagonal opposition", Function::AreSquares(is_diagonal_opposition)).of(A_B),
        word("is_distant_opposition", "whether two kings are in distant opposition", Function::AreSquares(is_distant_opposition)).of(A_B),
        word("is_knight_distance", "whether a knight on a attacks b", Function::AreSquares(is_knight_distance)).of(A_B),
        word("same_line", "whether two squares are on one rank, file or diagonal", Function::AreSquares(same_line)).of(A_B),
        word("same_diagonal", "whether two squares are on one diagonal", Function::AreSquares(same_diagonal)).of(A_B),
        word("same_rank_or_file", "whether two squares are on one rank or file", Function::AreSquares(same_rank_or_file)).of(A_B),
    ]),
    group("Sets made from sets", &[
        word("king_attacks", "the squares next to those of the set", Function::SetOfSet(|_, _, set| king_attacks(set))).of(SET).for_each(8),
        word("knight_attacks", "the squares that knights on the set attack", Function::SetOfSet(|_, _, set| knight_attacks(set))).of(SET).for_each(8),
        word("bishop_attacks", "the squares that bishops on the set attack, with the pieces where they stand", Function::SetOfSet(|context, _, set| Mover::Bishop.attacks(set, context.occupied))).of(SET).pieces().for_each(13),
        word("rook_attacks", "the squares that rooks on the set attack, with the pieces where they stand", Function::SetOfSet(|context, _, set| Mover::Rook.attacks(set, context.occupied))).of(SET).pieces().for_each(14),
        word("queen_attacks", "the squares that queens on the set attack, with the pieces where they stand", Function::SetOfSet(|context, _, set| Mover::Queen.attacks(set, context.occupied))).of(SET).pieces().for_each(27),
        word("knight_fill", "the set and the squares that knights on it attack", Function::SetOfSet(|_, _, set| knight_fill(set))).of(SET).for_each(9),
        word("fork_squares", "the squares from which a knight attacks two or more squares of the set", Function::SetOfSet(|_, _, set| fork_squares(set))).of(SET),
        word("beside", "the squares to the left and right of those of the set", Function::SetOfSet(|_, _, set| beside(set))).of(SET).for_each(2),
        sided("pawn_attacks", "the squares that pawns of the side on the set attack", Function::SetOfSet(|_, side, set| pawn_attacks(side, set))).of(SET).for_each(2),
        sided("step", "the squares one step ahead of those of the set, seen from the side", Function::SetOfSet(|_, side, set| step(side, set))).of(SET).for_each(1),
        sided("ahead", "all squares ahead of those of the set on their files, seen from the side", Function::SetOfSet(|_, side, set| ahead(side, set))).of(SET).for_each(7),
    ]),
    group("Parts of the board", &[
        word("all_squares", "all 64 squares", Function::Set(|_, _| Bitboard::FULL)),
        word("no_squares", "the empty set", Function::Set(|_, _| Bitboard::EMPTY)).at_most(0),
        word("centre", "d4, e4, d5 and e5", Function::Set(|_, _| Bitboard::CENTER)).at_most(4),
        word("edge", "the first and last ranks and files", Function::Set(|_, _| Bitboard::EDGES)).at_most(28),
        word("corners", "a1, h1, a8 and h8", Function::Set(|_, _| Bitboard::CORNERS)).at_most(4),
        word("same_file", "the squares on the file of a square", Function::SetOfSquare(|_, square| Bitboard::from_file(square.file()))).of(SQUARE).at_most(8),
        word("same_rank", "the squares on the rank of a square", Function::SetOfSquare(|_, square| Bitboard::from_rank(square.rank()))).of(SQUARE).at_most(8),
        word("same_colour", "the light squares for a light square, the dark ones for a dark square", Function::SetOfSquare(|_, square| if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES })).of(SQUARE).at_most(32),
        sided("rank", "the squares of a rank, 1 to 8, counted from the side's back rank; no squares for other numbers", Function::SetOfNumber(rank)).of(NUMBER).at_most(8),
    ]),
    group("The position", &[
        word("occupied", "all squares with pieces", Function::Set(|context, _| context.occupied)).pieces().at_most(32),
        word("pawns", "the pawns of both sides", Function::Set(|context, _| context.pawns())).at_most(16),
        word("phase", "the game phase: 24 with all pieces on the board, 0 with none", Function::Number((0, 24), |context, _| context.phase)).pieces(),
        word("is_bare_king_ending", "whether one side has only its king and the pieces of the other side can force mate", Function::Condition(|context, _| context.is_bare_king_ending)).pieces(),
        word("is_dead_draw", "whether neither side can force mate", Function::Condition(|context, _| context.is_dead_draw())).pieces(),
        sided("king", "the king's square", Function::Square(|context, side| context.side(side).king)).own(1),
        sided("all", "all squares with pieces of the side, pawns and king included", Function::Set(|context, side| context.side(side).all)).pieces().own(16),
        sided("pieces", "its knights, bishops, rooks and queens", Function::Set(pieces)).pieces().own(15),
        sided("pawns", "its pawns", Function::Set(|context, side| context.side(side).pawns)).own(8),
        sided("knights", "its knights", Function::Set(|context, side| context.side(side).knights)).pieces().own(10),
        sided("bishops", "its bishops", Function::Set(|context, side| context.side(side).bishops)).pieces().own(10),
        sided("rooks", "its rooks", Function::Set(|context, side| context.side(side).rooks)).pieces().own(10),
        sided("queens", "its queens", Function::Set(|context, side| context.side(side).queens)).pieces().own(9),
        sided("passed", "its pawns with no enemy pawn ahead on the same or a neighbouring file", Function::Set(|context, side| context.side(side).passed)).own(8),
        sided("backward", "its pawns that no own pawn can ever defend and whose next square an enemy pawn attacks", Function::Set(|context, side| context.side(side).backward)).own(8),
        sided("lone_pawn", "its pawn, if that pawn and the kings are all that is on the board", Function::Set(|context, side| context.lone_pawn(side).map_or(Bitboard::EMPTY, Bitboard::from_square))).pieces().own(1),
        sided("attacks", "the squares that it attacks, the squares it defends included", Function::Set(|context, side| context.side(side).attacks)).pieces(),
        sided("twice", "the squares that it attacks two or more times", Function::Set(|context, side| context.side(side).twice)).pieces(),
        sided("pawn_attacks", "the squares that its pawns attack", Function::Set(|context, side| context.side(side).pawn_attacks)).at_most(16),
        sided("knight_attacks", "the squares that its knights attack", Function::Set(|context, side| context.side(side).knight_attacks)).pieces(),
        sided("bishop_attacks", "the squares that its bishops attack", Function::Set(|context, side| context.side(side).bishop_attacks)).pieces(),
        sided("rook_attacks", "the squares that its rooks attack", Function::Set(|context, side| context.side(side).rook_attacks)).pieces(),
        sided("queen_attacks", "the squares that its queens attack", Function::Set(|context, side| context.side(side).queen_attacks)).pieces(),
        sided("minor_attacks", "the squares that its knights and bishops attack", Function::Set(|context, side| context.side(side).minor_attacks())).pieces(),
        sided("king_attacks", "the squares that its king attacks", Function::Set(|context, side| context.side(side).king_attacks)).at_most(8),
        sided("closed_to_king", "the squares that the other side's king cannot go to: all that the side attacks, also through that king, and the square of its own king", Function::Set(|context, side| context.closed_to_king(side))).pieces(),
        sided("blockers", "the pieces of either side that stand alone between its king and an enemy bishop, rook or queen on the same line", Function::Set(|context, side| context.side(side).blockers)).pieces().at_most(8),
        sided("castling_rights", "the castling rights that it has left", Function::Number((0, 2), |context, side| context.side(side).castling_rights as i32)).pieces(),
        sided("to_move", "whether it is the side's turn", Function::Condition(|context, side| context.turn == side)).pieces(),
        sided("is_bare", "whether it has nothing but its king", Function::Condition(|context, side| context.side(side).is_bare())).pieces(),
        sided("is_bishop_and_knight", "whether it has its king, one bishop, one knight and nothing else", Function::Condition(|context, side| context.side(side).is_bishop_and_knight())).pieces(),
        sided("has_pieces", "whether it has more than king and pawns", Function::Condition(|context, side| context.side(side).has_pieces())).pieces(),
        sided("can_mate", "whether it can force mate, now or with a promoted pawn", Function::Condition(|context, side| context.side(side).can_mate())).pieces(),
        sided("pieces_can_mate", "whether its pieces alone can force mate", Function::Condition(|context, side| context.side(side).pieces_can_mate())).pieces(),
        sided("points", "its pieces without pawns: 3 for a knight or bishop, 5 for a rook, 9 for a queen", Function::Number((0, 576), |context, side| context.side(side).points())).pieces(),
    ]),
    group("Numbers, and squares of sets", &[
        word("count", "how many squares the set has", Function::OfSet((0, 64), |set| set.count() as i32)).of(SET),
        word("any", "whether the set has a square", Function::IsSet(|set| set.any())).of(SET),
        sided("nearest", "the square of the set with the fewest king moves from a square; of several the one nearest to the side's back rank, then to the a-file; the square itself if the set is empty", Function::SquareOfSet(nearest)).of(&["square", "set"]).at_most(1),
        word("abs", "the number without its sign", Function::OfNumber(i32::abs)).of(NUMBER),
    ]),
];

/// All words.
pub(super) fn words() -> impl Iterator<Item = &'static Word> {
    WORDS.iter().flat_map(|group| group.words)
}

fn rank(side: Color, number: i32) -> Bitboard {
    let rank = (1..=8).contains(&number).then(|| Rank::new((number - 1) as u32));
    rank.map_or(Bitboard::EMPTY, |rank| {
        Bitboard::from_rank(side.fold_wb(rank, rank.flip_vertical()))
    })
}

fn pieces(context: &EvalContext, side: Color) -> Bitboard {
    let side = context.side(side);
    side.all & !side.pawns & !Bitboard::from_square(side.king)
}

fn nearest(side: Color, from: Square, set: Bitboard) -> Square {
    // Seen from the side, so that the mirrored position has the mirrored square.
    let order = |square: &Square| {
        (
            chebyshev(from, *square),
            square.rank().to_u32() ^ side.fold_wb(0, 7),
            square.file().to_u32(),
        )
    };
    set.into_iter().min_by_key(order).unwrap_or(from)
}

pub(super) fn moves(mover: Mover, from: Bitboard, to: Bitboard, closed: Bitboard) -> i32 {
    let terrain = Terrain { own: closed, ..Terrain::EMPTY };
    moves_between(mover, from, to, &terrain).map_or(NO_PATH, |moves| moves as i32)
}

pub(super) fn reach(mover: Mover, from: Bitboard, moves: i32, closed: Bitboard) -> Bitboard {
    let terrain = Terrain { own: closed, ..Terrain::EMPTY };
    let layers = Layers::new(mover, from, &terrain).take((moves.max(-1) + 1) as usize);
    layers.fold(Bitboard::EMPTY, |reached, layer| reached | layer)
}

pub(super) fn paths(mover: Mover, from: Square, to: Square, closed: Bitboard) -> Bitboard {
    let terrain = Terrain { own: closed, ..Terrain::EMPTY };
    let trajectories = Trajectories::new(mover, from, to, &terrain);
    trajectories.map_or(Bitboard::EMPTY, |paths| paths.squares())
}

/// The word of this name, with arguments or without.
pub(super) fn find(name: &str, has_arguments: bool) -> Option<(&'static Word, Option<Side>)> {
    let (side, plain) = match name.split_once('.') {
        Some(("own", plain)) => (Some(Side::Own), plain),
        Some(("enemy", plain)) => (Some(Side::Enemy), plain),
        Some(_) => return None,
        None => (None, name),
    };
    let fits = |word: &&Word| {
        word.name == plain
            && word.has_side == side.is_some()
            && word.arguments.is_empty() != has_arguments
    };
    words().find(fits).map(|word| (word, side))
}

/// All words as they can be written, without arguments.
pub(super) fn written() -> impl Iterator<Item = String> {
    let words = words().flat_map(|word| {
        let sides: &[&str] = if word.has_side { &["own.", "enemy."] } else { &[""] };
        sides.iter().map(|side| format!("{side}{}", word.name))
    });
    words.chain(QUANTIFIERS.iter().map(|quantifier| quantifier.name().to_owned()))
}
