use super::king_mobility::KingMobility;
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{centre_manhattan, relation_number};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
use std::marker::PhantomData;

/// Mates a bare king with a queen, a rook, or two bishops: one measurement, and a term with weights of
/// its own for each ending.
///
/// Its distances are the relations of all men and of the bare king's nearest corner to each other, and
/// what the bare king can still reach when every square the others attack is closed: its
/// mobility-graph distances.
pub(super) struct BasicMate<E>(PhantomData<E>);

/// What tells one basic mate from another.
pub(super) trait Ending: Send + Sync + 'static {
    /// The name of its term.
    const NAME: &'static str;
    /// The sentence of its term.
    const DOC: &'static str;
    /// The role of all strong men but the king.
    const ROLE: Role;
    /// How many of them there are.
    const COUNT: usize;
}

/// King and queen against king.
pub(super) struct Kqk;

impl Ending for Kqk {
    const NAME: &'static str = "kqk";
    const DOC: &'static str =
        "A queen pens a bare king up at the edge until its own king is there.";
    const ROLE: Role = Role::Queen;
    const COUNT: usize = 1;
}

/// King and rook against king.
pub(super) struct Krk;

impl Ending for Krk {
    const NAME: &'static str = "krk";
    const DOC: &'static str =
        "A rook cuts a bare king off, and the kings' opposition drives it back.";
    const ROLE: Role = Role::Rook;
    const COUNT: usize = 1;
}

/// King and two bishops against king.
pub(super) struct Kbbk;

impl Ending for Kbbk {
    const NAME: &'static str = "kbbk";
    const DOC: &'static str = "Two bishops side by side drive a bare king into a corner.";
    const ROLE: Role = Role::Bishop;
    const COUNT: usize = 2;
}

/// The last places of the arrays of the bare king's ways.
const LONGEST: u32 = 15;
const FAR_PIECE: u32 = 15;
const FAR_BOTH: u32 = 6;

const WEIGHTS: &[WeightSpec] = &[
    WeightSpec::pair("won", "knowing that the ending is won"),
    WeightSpec::array("corner", 10, "bare king and corner 0 to 9 in the order of relations"),
    WeightSpec::array("kings", 36, "the kings 0 to 35 in the order of relations"),
    WeightSpec::array("piece", 36, "piece and bare king 0 to 35 in the order of relations"),
    WeightSpec::array("guard", 36, "piece and own king 0 to 35 in the order of relations"),
    WeightSpec::array("pair", 36, "the two pieces 0 to 35 in the order of relations"),
    WeightSpec::array("king_corner", 36, "own king and corner 0 to 35 in the order of relations"),
    WeightSpec::array("piece_corner", 36, "piece and corner 0 to 35 in the order of relations"),
    WeightSpec::array("king_centre", 7, "own king 0 to 6 rook steps from the centre"),
    WeightSpec::array("flight", 9, "0 to 8 squares the bare king can go to"),
    WeightSpec::array("flight_two", 26, "0 to 25 squares within two moves of the bare king"),
    WeightSpec::array(
        "territory",
        65,
        "0 to 64 squares the bare king could ever reach as the others stand",
    ),
    WeightSpec::array(
        "longest_way",
        16,
        "the farthest square left to the bare king 0 to 15 of its moves away",
    ),
    WeightSpec::array(
        "way_to_centre",
        12,
        "the bare king 0 to 11 of its moves from the centre, 11 if shut out",
    ),
    WeightSpec::array(
        "way_to_piece",
        16,
        "the bare king 0 to 15 of its moves from taking a piece, 15 if it cannot",
    ),
    WeightSpec::array(
        "way_to_both",
        49,
        "0 to 48, seven times its moves to take one piece and its moves to take the other, 6 if it \
         cannot",
    ),
];

impl<E: Ending> Term for BasicMate<E> {
    const NAME: &'static str = E::NAME;
    const DOC: &'static str = E::DOC;
    const SOURCE: &'static str =
        "Chess Programming Wiki, Distance (Isenberg); Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = WEIGHTS;
    const SCOPE: Scope = Scope::BareKing;
    const TUNED_FROM_GAMES: bool = false;

    fn new(_: &[i32]) -> Self {
        BasicMate(PhantomData)
    }

    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WON: Weight = find(WEIGHTS, "won");
        if !is_ending::<E>(context, side) {
            return;
        }
        let (strong, weak) = (context.side(side), context.side(!side));
        sink.add(WON, 1, weak.king);
        let pieces = strong.by_role(E::ROLE);
        measure_men(strong.king, pieces, weak.king, sink);
        measure_mobility(&KingMobility::new(context, side), pieces, weak.king, sink);
    }
}

/// Whether `side` mates with just the men of this ending. Two bishops on one colour cannot.
fn is_ending<E: Ending>(context: &EvalContext, side: Color) -> bool {
    let (strong, weak) = (context.side(side), context.side(!side));
    weak.is_bare()
        && strong.all.count() == E::COUNT + 1
        && strong.by_role(E::ROLE).count() == E::COUNT
        && strong.pieces_can_mate()
}

/// Distances on the board as if it were empty.
fn measure_men(king: Square, pieces: Bitboard, bare: Square, sink: &mut impl Sink) {
    const CORNER: Weight = find(WEIGHTS, "corner");
    const KINGS: Weight = find(WEIGHTS, "kings");
    const PIECE: Weight = find(WEIGHTS, "piece");
    const GUARD: Weight = find(WEIGHTS, "guard");
    const PAIR: Weight = find(WEIGHTS, "pair");
    const KING_CORNER: Weight = find(WEIGHTS, "king_corner");
    const PIECE_CORNER: Weight = find(WEIGHTS, "piece_corner");
    const KING_CENTRE: Weight = find(WEIGHTS, "king_centre");
    let corner = nearest_corner(bare);
    let mut relation = |weight: Weight, a: Square, b: Square| {
        sink.add(weight.at(relation_number(a, b)), 1, a);
    };
    relation(CORNER, bare, corner);
    relation(KINGS, king, bare);
    relation(KING_CORNER, king, corner);
    for piece in pieces {
        relation(PIECE, piece, bare);
        relation(GUARD, piece, king);
        relation(PIECE_CORNER, piece, corner);
    }
    if let (Some(one), Some(other)) = (pieces.first(), pieces.last())
        && one != other
    {
        relation(PAIR, one, other);
    }
    sink.add(KING_CENTRE.at(centre_manhattan(king)), 1, king);
}

/// Distances of the bare king as the others stand.
fn measure_mobility(mobility: &KingMobility, pieces: Bitboard, bare: Square, sink: &mut impl Sink) {
    const FLIGHT: Weight = find(WEIGHTS, "flight");
    const FLIGHT_TWO: Weight = find(WEIGHTS, "flight_two");
    const TERRITORY: Weight = find(WEIGHTS, "territory");
    const LONGEST_WAY: Weight = find(WEIGHTS, "longest_way");
    const WAY_TO_CENTRE: Weight = find(WEIGHTS, "way_to_centre");
    const WAY_TO_PIECE: Weight = find(WEIGHTS, "way_to_piece");
    const WAY_TO_BOTH: Weight = find(WEIGHTS, "way_to_both");
    for (weight, distance) in [
        (FLIGHT, mobility.flight_squares()),
        (FLIGHT_TWO, mobility.within_two_moves()),
        (TERRITORY, mobility.reachable()),
        (LONGEST_WAY, mobility.farthest(LONGEST)),
        (WAY_TO_CENTRE, mobility.distance_to_centre()),
    ] {
        sink.add(weight.at(distance), 1, bare);
    }
    for piece in pieces {
        sink.add(WAY_TO_PIECE.at(mobility.distance_to(piece.into(), FAR_PIECE)), 1, piece);
    }
    if let (Some(one), Some(other)) = (pieces.first(), pieces.last())
        && one != other
    {
        let ways = [one, other].map(|piece| mobility.distance_to(piece.into(), FAR_BOTH));
        let [near, far] = [ways[0].min(ways[1]), ways[0].max(ways[1])];
        sink.add(WAY_TO_BOTH.at((FAR_BOTH + 1) * near + far), 1, bare);
    }
}

/// The corner of a square's own quarter of the board.
fn nearest_corner(square: Square) -> Square {
    let file = if square.file() < File::E { File::A } else { File::H };
    let rank = if square.rank() < Rank::Fifth { Rank::First } else { Rank::Eighth };
    Square::from_coords(file, rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::{assert_measured, measured};

    #[test]
    fn a_rook_that_cuts_the_king_off() {
        // a1, b1 and c1 are all that is left: the rook holds the second rank and d1, its king guards it.
        let term = BasicMate::<Krk>::new(&[]);
        assert_measured(
            &term,
            "8/8/8/8/8/2K5/3R4/1k6 b - - 0 1",
            Color::White,
            &[
                ("won", 1, Square::B1),
                ("corner 1", 1, Square::B1),
                ("kings 4", 1, Square::C3),
                ("king_corner 5", 1, Square::C3),
                ("piece 4", 1, Square::D2),
                ("guard 2", 1, Square::D2),
                ("piece_corner 7", 1, Square::D2),
                ("king_centre 2", 1, Square::C3),
                ("flight 2", 1, Square::B1),
                ("flight_two 3", 1, Square::B1),
                ("territory 3", 1, Square::B1),
                ("longest_way 1", 1, Square::B1),
                ("way_to_centre 11", 1, Square::B1),
                ("way_to_piece 15", 1, Square::D2),
            ],
        );
    }

    #[test]
    fn ways_to_the_pieces_say_what_can_be_taken_and_when() {
        // The bare king is next to b2 and four moves from e2, by way of c2; nothing guards either.
        let measured =
            measured(&BasicMate::<Kbbk>::new(&[]), "8/8/8/8/8/8/kB2B3/7K w - - 0 1", Color::White);
        let ways: Vec<_> = measured
            .iter()
            .filter(|(name, ..)| name.starts_with("way_to") || name.starts_with("pair"))
            .map(|(name, _, square)| (name.as_str(), *square))
            .collect();
        let expected = [
            ("pair 6", Square::B2),
            ("way_to_centre 4", Square::A2),
            ("way_to_piece 1", Square::B2),
            ("way_to_piece 4", Square::E2),
            ("way_to_both 11", Square::A2),
        ];
        assert_eq!(ways, expected);
    }

    #[test]
    fn each_ending_has_its_own_men_and_no_others() {
        let sees = |fen: &str| {
            [
                measured(&BasicMate::<Kqk>::new(&[]), fen, Color::White).len(),
                measured(&BasicMate::<Krk>::new(&[]), fen, Color::White).len(),
                measured(&BasicMate::<Kbbk>::new(&[]), fen, Color::White).len(),
            ]
            .map(|count| count > 0)
        };
        assert_eq!(sees("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), [true, false, false]);
        assert_eq!(sees("7k/8/8/8/8/8/8/KR6 w - - 0 1"), [false, true, false]);
        assert_eq!(sees("7k/8/8/8/8/8/8/KBB5 w - - 0 1"), [false, false, true]);
        for fen in [
            // Bishops of one colour cannot mate.
            "7k/8/8/8/8/8/8/KB1B4 w - - 0 1",
            "7k/8/8/8/8/8/8/KRR5 w - - 0 1",
            "7k/8/8/8/8/8/P7/KR6 w - - 0 1",
            "7k/7p/8/8/8/8/8/KQ6 w - - 0 1",
        ] {
            assert_eq!(sees(fen), [false; 3], "{fen}");
        }
    }

    #[test]
    fn the_nearest_corner_is_nearer_than_the_others() {
        for square in Square::ALL {
            let nearest = nearest_corner(square);
            for corner in Bitboard::CORNERS.without(nearest) {
                assert!(
                    crate::geometry::manhattan(square, nearest)
                        < crate::geometry::manhattan(square, corner)
                );
            }
        }
    }
}
