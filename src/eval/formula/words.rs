//! The words, loops and operators of expressions: one table, from which the compiler, `tropism words`
//! and `docs/words-of-terms.md` are made.

use super::code::{Draft, Environment, Leaf, Operator, Owner, Pair, Typed, Variable};
use super::functions::{
    NO_PATH, QUEENSIDE, attackers, attacks_of, blocked, east, exchange, fewest_moves, file, files,
    first, half_open_files, least_attackers, nearest, outposts, paths, pawn_spans, pieces,
    points_on, rank, ranks, reach, west,
};
use super::{SQUARES, Type};
use crate::eval::EvalContext;
use crate::geometry::{
    Mover, ahead, back_rank_distance, beside, bishop_corner_distance, centre_distance,
    centre_manhattan, chebyshev, colour_corner_distance, combined_distance, combined71_distance,
    corner_distance, edge_distance, file_distance, fork_squares, is_adjacent,
    is_diagonal_opposition, is_distant_opposition, is_knight_distance, is_opposition, king_attacks,
    knight_attacks, knight_distance, knight_distance_between, knight_fill, manhattan, pawn_attacks,
    promotion_distance, rank_distance, relation_number, same_diagonal, same_line,
    same_rank_or_file, step, sum_rule, udr_distance,
};
use shakmaty::{Bitboard, Color, Square, attacks};
use std::sync::LazyLock;

/// A word of expressions.
pub(super) struct Word {
    pub(super) name: String,
    /// The word is written with `own.` or `enemy.` before it.
    pub(super) has_side: bool,
    /// What it is, for people.
    pub(super) doc: String,
    pub(super) signature: Signature,
    /// Smallest and largest value of a number.
    pub(super) range: Option<(i32, i32)>,
    /// It reads nothing, or pawns and kings only: a term of such words can use the pawn cache.
    pub(super) pawns_and_kings: bool,
    /// Its value is the same in every position, if its arguments are.
    pub(super) is_fixed: bool,
    /// How many squares a set has at most in a game, for the cost of a loop over it.
    squares: u64,
    /// It has so many squares for each square of the first argument.
    for_each: bool,
    /// The squares are those of pieces of the side.
    pub(super) is_pieces: bool,
    /// The steps that it takes without its arguments; if it has squares for each of a set, and more than one step, for
    /// each of these.
    pub(super) cost: u64,
}

/// Makes the code of a word from its side and that of its arguments, whose types were checked.
type Make = Box<dyn Fn(Owner, Vec<Draft>) -> Draft + Send + Sync>;

/// Adds an operator between a value and a word without arguments, in one step.
pub(super) type Join = Box<dyn Fn(Owner, Operator, Draft) -> Draft + Send + Sync>;

/// The types of a function and its code.
pub(super) struct Signature {
    /// The names of its arguments, for people.
    arguments: &'static str,
    pub(super) types: Vec<Type>,
    pub(super) result: Type,
    pub(super) make: Make,
    pub(super) join: Option<Join>,
}

impl Signature {
    fn new<T: Typed>(arguments: &'static str, types: Vec<Type>, make: Make) -> Signature {
        Signature { arguments, types, result: T::TYPE, make, join: None }
    }
}

/// A function of the position and a side. The side is the one before the dot; words without a side do not
/// use it.
fn none<T: Typed>(
    function: impl Fn(&EvalContext, Color) -> T + Copy + Send + Sync + 'static,
) -> Signature {
    // Each closure knows its colours, so nothing is left to decide when it runs.
    let own = move |environment: &Environment<'_>| {
        Pair::new(Owner::Own.colors().map(|color| function(environment.context, color)))
    };
    let enemy = move |environment: &Environment<'_>| {
        Pair::new(Owner::Enemy.colors().map(|color| function(environment.context, color)))
    };
    let make: Make = Box::new(move |side, _| match side {
        Owner::Own => Draft::ZERO.step(move |environment, _| own(environment)),
        Owner::Enemy => Draft::ZERO.step(move |environment, _| enemy(environment)),
    });
    let signature = Signature::new::<T>("", Vec::new(), make);
    let join: Option<Join> = match T::TYPE {
        Type::Set => Some(Box::new(move |side, operator, value| match side {
            Owner::Own => operator.with::<false>(value, own),
            Owner::Enemy => operator.with::<false>(value, enemy),
        })),
        Type::Condition => Some(Box::new(move |side, operator, value| match side {
            Owner::Own => operator.with::<true>(value, own),
            Owner::Enemy => operator.with::<true>(value, enemy),
        })),
        Type::Number | Type::Square => None,
    };
    Signature { join, ..signature }
}

fn king() -> Signature {
    let make: Make = Box::new(|side, _| Draft::leaf(Leaf::Square(Variable::king(side))));
    Signature::new::<Square>("", Vec::new(), make)
}

/// What makes the code of a word with arguments.
fn make<const N: usize>(code: impl Fn(Owner, [Draft; N]) -> Draft + Send + Sync + 'static) -> Make {
    Box::new(move |side, arguments| {
        let mut arguments = arguments.into_iter();
        code(side, [(); N].map(|()| arguments.next().unwrap_or(Draft::ZERO)))
    })
}

/// A function of a set alone.
fn of_set<T: Typed>(function: impl Fn(Bitboard) -> T + Copy + Send + Sync + 'static) -> Signature {
    Signature::new::<T>("set", vec![Type::Set], make(move |_, [set]| set.map(function)))
}

/// A function of the position, a side and another value.
fn one<A: Typed, T: Typed>(
    arguments: &'static str,
    function: impl Fn(&EvalContext, Color, A) -> T + Copy + Send + Sync + 'static,
) -> Signature {
    let make = make(move |side, [a]| {
        let colors = side.colors();
        a.step(move |environment, a| {
            let of = |lane| function(environment.context, colors[lane], a.lane(lane));
            Pair::new([of(0), of(1)])
        })
    });
    Signature::new::<T>(arguments, vec![A::TYPE], make)
}

/// The same of two values.
fn two<A: Typed, B: Typed, T: Typed>(
    arguments: &'static str,
    function: impl Fn(&EvalContext, Color, A, B) -> T + Copy + Send + Sync + 'static,
) -> Signature {
    let make = make(move |side, operands: [Draft; 2]| {
        let colors = side.colors();
        Draft::both(operands, move |environment, [a, b]| {
            let of = |lane| function(environment.context, colors[lane], a.lane(lane), b.lane(lane));
            Pair::new([of(0), of(1)])
        })
    });
    Signature::new::<T>(arguments, vec![A::TYPE, B::TYPE], make)
}

/// The same of three values.
fn three<A: Typed, B: Typed, C: Typed, T: Typed>(
    arguments: &'static str,
    function: impl Fn(&EvalContext, Color, A, B, C) -> T + Copy + Send + Sync + 'static,
) -> Signature {
    let make = make(move |side, [a, b, c]| {
        let (colors, c) = (side.colors(), c.code());
        Draft::both([a, b], move |environment, [a, b]| {
            let c = c.get(environment);
            let of = |lane: usize| {
                let (a, b, c) = (a.lane(lane), b.lane(lane), c.lane(lane));
                function(environment.context, colors[lane], a, b, c)
            };
            Pair::new([of(0), of(1)])
        })
    });
    Signature::new::<T>(arguments, vec![A::TYPE, B::TYPE, C::TYPE], make)
}

/// A distance of two squares, the same in both directions.
fn metric(function: impl Fn(Square, Square) -> u32 + Copy + Send + Sync + 'static) -> Signature {
    two("a, b", move |_, _, a, b| function(a, b) as i32)
}

fn word(name: impl Into<String>, doc: impl Into<String>, signature: Signature) -> Word {
    Word {
        is_fixed: !signature.types.is_empty(),
        name: name.into(),
        has_side: false,
        doc: doc.into(),
        signature,
        range: None,
        pawns_and_kings: true,
        squares: SQUARES,
        for_each: false,
        is_pieces: false,
        cost: 1,
    }
}

/// A word with `own.` or `enemy.` before it.
fn sided(name: &str, doc: &str, signature: Signature) -> Word {
    Word { has_side: true, ..word(name, doc, signature) }
}

impl Word {
    fn range(self, min: i32, max: i32) -> Word {
        Word { range: Some((min, max)), ..self }
    }

    fn steps(self, cost: u64) -> Word {
        Word { cost, ..self }
    }

    fn at_most(self, squares: u64) -> Word {
        Word { squares, ..self }
    }

    fn for_each(self, squares: u64) -> Word {
        Word { for_each: true, ..self.at_most(squares) }
    }

    /// The word is the squares of so many pieces of the side at most.
    fn own(self, max: u64) -> Word {
        Word { is_pieces: true, ..self.at_most(max) }
    }

    /// The word reads more than pawns and kings.
    fn pieces(self) -> Word {
        Word { pawns_and_kings: false, is_fixed: false, ..self }
    }

    /// The word reads nothing.
    fn fixed(self) -> Word {
        Word { is_fixed: true, ..self }
    }

    /// How many squares it has at most in a game if its first argument has so many.
    pub(super) fn max_squares(&self, of_first: u64) -> u64 {
        if self.for_each { SQUARES.min(self.squares * of_first) } else { self.squares }
    }

    /// The steps that it takes if its first argument has so many squares at most.
    pub(super) fn cost_of(&self, of_first: u64) -> u64 {
        if self.for_each && self.cost > 1 { self.cost * of_first } else { self.cost }
    }

    /// How it is written: `own.promotion_distance(square)`.
    pub(super) fn usage(&self) -> String {
        let side = if self.has_side { "own." } else { "" };
        match self.signature.arguments {
            "" => format!("{side}{}", self.name),
            arguments => format!("{side}{}({arguments})", self.name),
        }
    }

    /// The type of its value with its range: `number, 0 to 7`.
    pub(super) fn value(&self) -> String {
        let kind = self.signature.result.noun();
        match self.range {
            Some((min, max)) => format!("{kind}, {min} to {max}"),
            None => kind.to_owned(),
        }
    }
}

/// How it is written, what its value is, and what it means, for people.
type Described = (&'static str, &'static str, &'static str);

/// The words that look at each square of a set: `NAME(VARIABLE in SET: BODY)`.
#[rustfmt::skip]
pub(super) const QUANTIFIERS: &[Described] = &[
    ("sum(x in set: number)", "number", "the sum over all squares x of the set"),
    ("mean(x in set: number)", "number", "the mean over all squares x of the set, rounded towards zero; 0 for an empty set"),
    ("min(x in set: number)", "number", "the smallest value for a square x of the set; 0 for an empty set"),
    ("max(x in set: number)", "number", "the largest value for a square x of the set; 0 for an empty set"),
    ("count(x in set: condition)", "number, 0 to 64", "for how many squares x of the set the condition holds"),
    ("any(x in set: condition)", "condition", "whether the condition holds for a square x of the set"),
    ("all(x in set: condition)", "condition", "whether the condition holds for all squares x of the set; true for an empty set"),
    ("squares(x in set: condition)", "set", "the squares x of the set for which the condition holds"),
];

/// The operators, the strongest first; those of one row bind equally strongly and are read from the left. The notes
/// of the vocabulary say what the letters are.
#[rustfmt::skip]
pub(super) const OPERATORS: &[Described] = &[
    ("-a", "number", "the number with the other sign"),
    ("~s", "set", "all squares that the set has not; as strong as the sign of a number"),
    ("a * b, a / b, a % b", "number", "product, quotient rounded towards zero, and remainder; what is divided by zero gives 0"),
    ("a + b, a - b", "number", "sum and difference"),
    ("s - t", "set", "the squares of the first set that the second has not; stronger than `&` and `|`, so `s & t - u` is `s & (t - u)`"),
    ("s & t", "set", "the squares that both sets have"),
    ("s | t", "set", "the squares that one of the sets has, or both"),
    ("a < b, a <= b, a > b, a >= b", "condition", "whether a number is smaller, not larger, larger, not smaller than another"),
    ("a == b, a != b, x == y, s == t, p == q", "condition", "whether two numbers, squares, sets or conditions are equal, or with `!=` not; as strong as `<`"),
    ("x in s", "condition", "whether the set has the square; as strong as `<`"),
    ("not p", "condition", "whether the condition does not hold"),
    ("p and q", "condition", "whether both conditions hold"),
    ("p or q", "condition", "whether one of the conditions holds, or both"),
    ("if p then a else b", "any", "the first value if the condition holds, otherwise the second; both of one type"),
];

/// Words under one heading.
type Group = (&'static str, Vec<Word>);

/// All words, in the order of the documentation.
pub(super) static WORDS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    vec![
    ("Distances between squares", vec![
        word("chebyshev", "king moves from a to b", metric(chebyshev)).range(0, 7),
        word("manhattan", "rook steps from a to b", metric(manhattan)).range(0, 14),
        word("file_distance", "files from a to b", metric(file_distance)).range(0, 7),
        word("rank_distance", "ranks from a to b", metric(rank_distance)).range(0, 7),
        word("knight_distance", "knight moves from a to b", metric(knight_distance)).range(0, 6),
        word("combined_distance", "Chebyshev plus Manhattan distance (D + T), a different number for nearly every relation", metric(combined_distance)).range(0, 21),
        word("combined71_distance", "7 times the Chebyshev plus the Manhattan distance, a different number for every relation", metric(combined71_distance)).range(0, 63),
        word("relation_number", "the relation of two squares, numbered from the nearest: 0 the same square, 1 side by side, 2 diagonally adjacent, and so on", metric(relation_number)).range(0, 35),
        word("udr_distance", "Isenberg's unique distance relationship, a different number for every relation: divisible by 8 on a common line, by 16 on a common rank or file, 8 for a square and itself", metric(udr_distance)).range(8, 120),
    ]),
    ("Distances to parts of the board", vec![
        word("centre_distance", "king moves to the nearest of d4, e4, d5 and e5", one("square", |_, _, square| centre_distance(square) as i32)).range(0, 3),
        word("centre_manhattan", "rook steps to the nearest of d4, e4, d5 and e5", one("square", |_, _, square| centre_manhattan(square) as i32)).range(0, 6),
        word("edge_distance", "king moves to the nearest edge", one("square", |_, _, square| edge_distance(square) as i32)).range(0, 3),
        word("corner_distance", "rook steps to the nearest corner", one("square", |_, _, square| corner_distance(square) as i32)).range(0, 6),
        word("bishop_corner_distance", "rook steps from the king to the nearer corner of the colour of the bishop's square", two("bishop, king", |_, _, bishop, king| bishop_corner_distance(bishop, king) as i32)).range(0, 7),
        word("wrong_corner_distance", "rook steps from the king to the nearer corner of the other colour", two("bishop, king", |_, _, bishop: Square, king| colour_corner_distance(if bishop.is_light() { Color::Black } else { Color::White }, king) as i32)).range(0, 7),
        word("file_number", "the file of a square, from 1 for the a-file to 8 for the h-file", one("square", |_, _, square: Square| square.file() as i32 + 1)).range(1, 8),
        sided("rank_number", "the rank of a square, from 1 for the side's back rank to 8", one("square", |_, side, square| back_rank_distance(side, square) as i32 + 1)).range(1, 8),
        sided("back_rank_distance", "ranks from the side's back rank", one("square", |_, side, square| back_rank_distance(side, square) as i32)).range(0, 7),
        sided("promotion_distance", "moves of a pawn of the side to its last rank, with the double step", one("square", |_, side, square| promotion_distance(side, square) as i32)).range(0, 6),
    ]),
    ("Moves, reach and paths", moves_and_paths()),
    ("Relations of two squares", vec![
        word("is_adjacent", "whether a king on a attacks b", two("a, b", |_, _, a, b| is_adjacent(a, b))),
        word("is_opposition", "whether two kings are in direct opposition", two("a, b", |_, _, a, b| is_opposition(a, b))),
        word("is_diagonal_opposition", "whether two kings are in diagonal opposition", two("a, b", |_, _, a, b| is_diagonal_opposition(a, b))),
        word("is_distant_opposition", "whether two kings are in distant opposition", two("a, b", |_, _, a, b| is_distant_opposition(a, b))),
        word("is_knight_distance", "whether a knight on a attacks b", two("a, b", |_, _, a, b| is_knight_distance(a, b))),
        word("same_line", "whether two squares are on one rank, file or diagonal", two("a, b", |_, _, a, b| same_line(a, b))),
        word("same_diagonal", "whether two squares are on one diagonal", two("a, b", |_, _, a, b| same_diagonal(a, b))),
        word("same_rank_or_file", "whether two squares are on one rank or file", two("a, b", |_, _, a, b| same_rank_or_file(a, b))),
    ]),
    ("Sets made from sets", vec![
        word("king_attacks", "the squares next to those of the set", of_set(king_attacks)).for_each(8),
        word("knight_attacks", "the squares that knights on the set attack", of_set(knight_attacks)).for_each(8),
        word("bishop_attacks", "the squares that bishops on the set attack, with the pieces where they stand", one("set", |context, _, set| Mover::Bishop.attacks(set, context.occupied))).pieces().for_each(13).steps(2),
        word("rook_attacks", "the squares that rooks on the set attack, with the pieces where they stand", one("set", |context, _, set| Mover::Rook.attacks(set, context.occupied))).pieces().for_each(14).steps(2),
        word("queen_attacks", "the squares that queens on the set attack, with the pieces where they stand", one("set", |context, _, set| Mover::Queen.attacks(set, context.occupied))).pieces().for_each(27).steps(4),
        word("bishop_lines", "the squares that bishops on a set attack if only a second set is occupied", two("set, occupied", |_, _, set, occupied| Mover::Bishop.attacks(set, occupied))).for_each(13).steps(2),
        word("rook_lines", "the squares that rooks on a set attack if only a second set is occupied", two("set, occupied", |_, _, set, occupied| Mover::Rook.attacks(set, occupied))).for_each(14).steps(2),
        word("queen_lines", "the squares that queens on a set attack if only a second set is occupied", two("set, occupied", |_, _, set, occupied| Mover::Queen.attacks(set, occupied))).for_each(27).steps(4),
        word("knight_fill", "the set and the squares that knights on it attack", of_set(knight_fill)).for_each(9),
        word("fork_squares", "the squares from which a knight attacks two or more squares of the set", of_set(fork_squares)),
        word("beside", "the squares to the left and right of those of the set", of_set(beside)).for_each(2),
        word("west", "the squares one file nearer to the a-file than those of the set", of_set(west)).for_each(1),
        word("east", "the squares one file nearer to the h-file than those of the set", of_set(east)).for_each(1),
        sided("pawn_attacks", "the squares that pawns of the side on the set attack", one("set", |_, side, set| pawn_attacks(side, set))).for_each(2),
        sided("step", "the squares one step ahead of those of the set, seen from the side", one("set", |_, side, set| step(side, set))).for_each(1),
        sided("ahead", "all squares ahead of those of the set on their files, seen from the side", one("set", |_, side, set| ahead(side, set))).for_each(7),
        sided("behind", "all squares behind those of the set on their files, seen from the side", one("set", |_, side: Color, set| ahead(!side, set))).for_each(7),
    ]),
    ("Parts of the board", vec![
        word("all_squares", "all 64 squares", none(|_, _| Bitboard::FULL)).fixed(),
        word("no_squares", "the empty set", none(|_, _| Bitboard::EMPTY)).fixed().at_most(0),
        word("centre", "d4, e4, d5 and e5", none(|_, _| Bitboard::CENTER)).fixed().at_most(4),
        word("edge", "the first and last ranks and files", none(|_, _| Bitboard::EDGES)).fixed().at_most(28),
        word("corners", "a1, h1, a8 and h8", none(|_, _| Bitboard::CORNERS)).fixed().at_most(4),
        word("queenside", "the files a to d", none(|_, _| QUEENSIDE)).fixed().at_most(32),
        word("kingside", "the files e to h", none(|_, _| !QUEENSIDE)).fixed().at_most(32),
        word("file", "a file, from 1 for the a-file to 8; no squares for any other number", one("number", file)).at_most(8),
        word("same_file", "the squares on the files of a set", of_set(files)).for_each(8),
        word("same_rank", "the squares on the ranks of a set", of_set(ranks)).for_each(8),
        word("same_colour", "the light squares for a light square, the dark ones for a dark square", one("square", |_, _, square: Square| if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES })).at_most(32),
        word("other_colour", "the dark squares for a light square, the light ones for a dark square", one("square", |_, _, square: Square| if square.is_light() { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES })).at_most(32),
        word("between", "the squares between two squares on a common line; no squares if there is no such line", two("a, b", |_, _, a, b| attacks::between(a, b))).at_most(6),
        sided("rank", "the squares of a rank, 1 to 8, counted from the side's back rank; no squares for other numbers", one("number", rank)).at_most(8),
    ]),
    ("The position", vec![
        word("occupied", "all squares with pieces", none(|context, _| context.occupied)).pieces().at_most(32),
        word("pawns", "the pawns of both sides", none(|context, _| context.pawns())).at_most(16),
        word("phase", "the game phase: 24 with all pieces on the board, 0 with none", none(|context, _| context.phase)).pieces().range(0, 24),
        word("is_bare_king_ending", "whether one side has only its king and the pieces of the other side can force mate", none(|context, _| context.is_bare_king_ending)).pieces(),
        word("is_dead_draw", "whether neither side can force mate", none(|context, _| context.is_dead_draw())).pieces(),
        sided("king", "the king's square", king()).own(1),
        sided("all", "all squares with pieces of the side, pawns and king included", none(|context, side| context.side(side).all)).pieces().own(16),
        sided("pieces", "its knights, bishops, rooks and queens", none(pieces)).pieces().own(15),
        sided("pawns", "its pawns", none(|context, side| context.side(side).pawns)).own(8),
        sided("knights", "its knights", none(|context, side| context.side(side).knights)).pieces().own(10),
        sided("bishops", "its bishops", none(|context, side| context.side(side).bishops)).pieces().own(10),
        sided("rooks", "its rooks", none(|context, side| context.side(side).rooks)).pieces().own(10),
        sided("queens", "its queens", none(|context, side| context.side(side).queens)).pieces().own(9),
        sided("passed", "its pawns with no enemy pawn ahead on the same or a neighbouring file", none(|context, side| context.side(side).passed)).own(8),
        sided("backward", "its pawns without an own pawn beside or behind on a neighbouring file, whose next square an enemy pawn attacks", none(|context, side| context.side(side).backward)).own(8),
        sided("blocked", "its pawns with a piece or pawn of either side directly ahead", none(blocked)).pieces().own(8),
        sided("half_open_files", "the squares on files with enemy pawns and without its pawns", none(half_open_files)),
        word("open_files", "the squares on files without pawns", none(|context, _| !files(context.pawns()))),
        sided("pawn_spans", "the squares that its pawns attack, or could attack after moves ahead", none(pawn_spans)),
        sided("outposts", "the squares of its ranks 4 to 7 that its pawns attack and no enemy pawn could ever attack", none(outposts)).at_most(16),
        sided("lone_pawn", "its pawn, if that pawn and the kings are all that is on the board", none(|context, side| context.lone_pawn(side).map_or(Bitboard::EMPTY, Bitboard::from_square))).pieces().own(1),
        sided("attacks", "the squares that it attacks, the squares it defends included", none(|context, side| context.side(side).attacks)).pieces(),
        sided("twice", "the squares that it attacks two or more times", none(|context, side| context.side(side).twice)).pieces(),
        sided("pawn_attacks", "the squares that its pawns attack", none(|context, side| context.side(side).pawn_attacks)).at_most(16),
        sided("knight_attacks", "the squares that its knights attack", none(|context, side| context.side(side).knight_attacks)).pieces(),
        sided("bishop_attacks", "the squares that its bishops attack", none(|context, side| context.side(side).bishop_attacks)).pieces(),
        sided("rook_attacks", "the squares that its rooks attack", none(|context, side| context.side(side).rook_attacks)).pieces(),
        sided("queen_attacks", "the squares that its queens attack", none(|context, side| context.side(side).queen_attacks)).pieces(),
        sided("minor_attacks", "the squares that its knights and bishops attack", none(|context, side| context.side(side).minor_attacks())).pieces(),
        sided("king_attacks", "the squares that its king attacks", none(|context, side| context.side(side).king_attacks)).at_most(8),
        sided("closed_to_king", "the squares that the other side's king cannot go to: all that the side attacks, also through that king, and the square of its own king", none(|context, side| context.closed_to_king(side))).pieces(),
        sided("blockers", "the pieces of either side that stand alone between its king and an enemy bishop, rook or queen on the same line", none(|context, side| context.side(side).blockers)).pieces().at_most(8),
        sided("pinned", "its pieces and pawns that stand alone between its king and an enemy bishop, rook or queen on the same line", none(|context, side| context.side(side).blockers & context.side(side).all)).pieces().own(8),
        word("attacks", "the squares that the piece or pawn on a square attacks, with the pieces where they stand, the squares it defends included; no squares for an empty square", one("square", attacks_of)).pieces().at_most(27).steps(5),
        sided("attackers", "its pieces and pawns that attack a square, or defend it, the king included", one("square", attackers)).pieces().own(16).steps(5),
        sided("least_attackers", "those of its `attackers` of a square that are worth least: pawns, knights and bishops, rooks, queens, the king last", one("square", least_attackers)).pieces().own(16).steps(6),
        word("points", "what stands on a square, in points: pawn 1, knight and bishop 3, rook 5, queen 9; 0 for a king and an empty square", one("square", points_on)).pieces().range(0, 9).steps(5),
        sided("exchange", "what the side wins at least by captures on a square, with its best choice to stop, in points: pawn 1, knight and bishop 3, rook 5, queen 9; pins and promotions are ignored", one("square", exchange)).pieces().range(0, 9).steps(60),
        sided("castling_rights", "the castling rights that it has left", none(|context, side| context.side(side).castling_rights as i32)).pieces().range(0, 2),
        sided("to_move", "whether it is the side's turn", none(|context, side| context.turn == side)).pieces(),
        sided("is_bare", "whether it has nothing but its king", none(|context, side| context.side(side).is_bare())).pieces(),
        sided("is_bishop_and_knight", "whether it has its king, one bishop, one knight and nothing else", none(|context, side| context.side(side).is_bishop_and_knight())).pieces(),
        sided("has_pieces", "whether it has more than king and pawns", none(|context, side| context.side(side).has_pieces())).pieces(),
        sided("can_mate", "whether it can force mate, now or with a promoted pawn", none(|context, side| context.side(side).can_mate())).pieces(),
        sided("pieces_can_mate", "whether its pieces alone can force mate", none(|context, side| context.side(side).pieces_can_mate())).pieces(),
        sided("points", "its pieces without pawns: 3 for a knight or bishop, 5 for a rook, 9 for a queen", none(|context, side| context.side(side).points())).pieces().range(0, 576),
    ]),
    ("Numbers, and squares of sets", vec![
        word("count", "how many squares the set has", of_set(|set| set.count() as i32)).range(0, 64),
        word("any", "whether the set has a square", of_set(Bitboard::any)),
        sided("nearest", "the square of the set with the fewest king moves from a square; of several the one nearest to the side's back rank, then to the a-file; the square itself if the set is empty", two("square, set", nearest)).at_most(1).steps(60),
        Word { is_fixed: false, ..sided("first", "the square of the set that is nearest to the side's back rank, of several the one nearest to the a-file: of a set with one square, that square; the square of the side's king if the set is empty", one("set", first)).at_most(1).steps(5) },
        word("sign", "1 for a number above 0, -1 for one below, 0 for 0", one("number", |_, _, number: i32| number.signum())),
        word("abs", "the number without its sign", one("number", |_, _, number: i32| number.saturating_abs())),
        word("min", "the smaller of two numbers", two("a, b", |_, _, a: i32, b: i32| a.min(b))),
        word("max", "the larger of two numbers", two("a, b", |_, _, a: i32, b: i32| a.max(b))),
    ]),
    ]
});

/// The words for the moves, reach and paths of pieces.
fn moves_and_paths() -> Vec<Word> {
    const PIECES: [(&str, Mover, &str); 5] = [
        ("king", Mover::King, "onto"),
        ("knight", Mover::Knight, "onto"),
        ("bishop", Mover::Bishop, "onto or past"),
        ("rook", Mover::Rook, "onto or past"),
        ("queen", Mover::Queen, "onto or past"),
    ];
    let moves = PIECES.map(|(piece, mover, past)| {
        let doc = format!("the fewest moves of a {piece} from a square of the first set to a square of the second, never {past} a closed square; 64 if there is no path");
        word(format!("{piece}_moves"), doc, three("from, to, closed", move |_, _, from, to, closed| fewest_moves(mover, from, to, closed)))
            .range(0, NO_PATH)
            .steps(60)
    });
    let pawn_doc = "the fewest moves of a pawn of the side from a square of the first set to a square of the second: ahead, one step or from its second rank two, never onto or past a closed square; 64 if there is no path";
    let pawn_moves = sided(
        "pawn_moves",
        pawn_doc,
        three("from, to, closed", |_, side, from, to, closed| {
            fewest_moves(Mover::Pawn(side), from, to, closed)
        }),
    )
    .range(0, NO_PATH)
    .steps(60);
    let reach = PIECES.map(|(piece, mover, past)| {
        let doc = format!("the squares that a {piece} reaches from a square of the set in so many moves or fewer, never {past} a closed square; the squares of the set are among them");
        word(format!("{piece}_reach"), doc, three("from, moves, closed", move |_, _, from, moves, closed| reach(mover, from, moves, closed))).steps(60)
    });
    let paths = PIECES.map(|(piece, mover, past)| {
        let doc = format!("the squares on which a {piece} stops on any of its shortest paths from one square to another, both included, never {past} a closed square; no squares if there is no path");
        word(format!("{piece}_paths"), doc, three("from, to, closed", move |_, _, from, to, closed| paths(mover, from, to, closed))).steps(200)
    });
    let knights = word(
        "knight_distance_between",
        "knight moves from the nearest square of a to b; 7 if a set is empty",
        two("a, b", |_, _, a, b| knight_distance_between(a, b).map_or(7, |moves| moves as i32)),
    )
    .range(0, 7)
    .steps(10);
    let taxi = word(
        "taxi_paths",
        "the squares of all shortest paths in rook steps between two squares (sum rule)",
        two("a, b", |_, _, a, b| sum_rule(a, b, manhattan)),
    )
    .steps(60);
    let pieces = moves.into_iter().chain([pawn_moves]).chain(reach).chain(paths);
    [knights].into_iter().chain(pieces).chain([taxi]).collect()
}

/// All words.
pub(super) fn words() -> impl Iterator<Item = &'static Word> {
    WORDS.iter().flat_map(|(_, words)| words)
}

/// The word of this name, with arguments or without.
pub(super) fn find(name: &str, has_arguments: bool) -> Option<(&'static Word, Option<Owner>)> {
    let (side, plain) = match name.split_once('.') {
        Some(("own", plain)) => (Some(Owner::Own), plain),
        Some(("enemy", plain)) => (Some(Owner::Enemy), plain),
        Some(_) => return None,
        None => (None, name),
    };
    let fits = |word: &&Word| {
        word.name == plain
            && word.has_side == side.is_some()
            && word.signature.types.is_empty() != has_arguments
    };
    words().find(fits).map(|word| (word, side))
}

/// All words as they can be written, without arguments.
pub(super) fn written() -> impl Iterator<Item = String> {
    let words = words().flat_map(|word| {
        let sides: &[&str] = if word.has_side { &["own.", "enemy."] } else { &[""] };
        sides.iter().map(|side| format!("{side}{}", word.name))
    });
    let loops = QUANTIFIERS.iter().map(|(usage, ..)| name_of(usage).to_owned());
    words.chain(loops.filter(|name| !is_word(name)))
}

/// Whether there is a word of this name, with arguments or without.
pub(super) fn is_word(name: &str) -> bool {
    find(name, false).or_else(|| find(name, true)).is_some()
}

/// The loop of this name.
pub(super) fn quantifier(name: &str) -> Option<&'static Described> {
    QUANTIFIERS.iter().find(|(usage, ..)| name_of(usage) == name)
}

/// The name of what is written so.
pub(super) fn name_of(usage: &str) -> &str {
    usage.split('(').next().unwrap_or_default()
}
