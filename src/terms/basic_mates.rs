use super::king_mobility::{
    FLIGHT_SQUARES, FROM_CENTRE, KingMobility, MOVES_TO_CENTRE, REACHABLE, WITHIN_TWO_MOVES,
};
use crate::eval::meaning::{Distance, MOVES, Thing, Unit, distance, enemy, has, own, place};
use crate::eval::{EvalContext, Scope, Sink, Term, Weight, WeightSpec, find};
use crate::geometry::{centre_manhattan, relation_number};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
use std::marker::PhantomData;

/// Mates a bare king with a queen, a rook or two bishops: one measurement, and a term with its own
/// weights for each material.
///
/// It measures the relations of all pieces and of the bare king's nearest corner to each other, and the
/// mobility-graph distances of the bare king.
pub(super) struct BasicMate<M>(PhantomData<M>);

/// The material of a basic mate.
pub(super) trait MatingMaterial: Send + Sync + 'static {
    /// The name of its term.
    const NAME: &'static str;
    /// The sentence of its term.
    const DOC: &'static str;
    /// What its pieces are called.
    const PIECE: &'static str;
    /// The role of all strong pieces except the king.
    const ROLE: Role;
    /// How many of them there are.
    const COUNT: usize;
}

/// King and queen against king.
pub(super) struct Kqk;

impl MatingMaterial for Kqk {
    const NAME: &'static str = "kqk";
    const DOC: &'static str =
        "A queen confines a bare king to the edge until her own king arrives.";
    const PIECE: &'static str = "queen";
    const ROLE: Role = Role::Queen;
    const COUNT: usize = 1;
}

/// King and rook against king.
pub(super) struct Krk;

impl MatingMaterial for Krk {
    const NAME: &'static str = "krk";
    const DOC: &'static str =
        "A rook cuts a bare king off, and the opposition of the kings drives it back.";
    const PIECE: &'static str = "rook";
    const ROLE: Role = Role::Rook;
    const COUNT: usize = 1;
}

/// King and two bishops against king.
pub(super) struct Kbbk;

impl MatingMaterial for Kbbk {
    const NAME: &'static str = "kbbk";
    const DOC: &'static str = "Two bishops and their king drive a bare king into a corner.";
    const PIECE: &'static str = "bishop";
    const ROLE: Role = Role::Bishop;
    const COUNT: usize = 2;
}

/// King and rook against king, to measure progress.
pub(super) struct KrkLevels;

impl MatingMaterial for KrkLevels {
    const NAME: &'static str = "krk_levels";
    const DOC: &'static str = "How far a rook has come on the way to mate.";
    const PIECE: &'static str = "rook";
    const ROLE: Role = Role::Rook;
    const COUNT: usize = 1;
}

/// King and two bishops against king, to measure progress.
pub(super) struct KbbkLevels;

impl MatingMaterial for KbbkLevels {
    const NAME: &'static str = "kbbk_levels";
    const DOC: &'static str = "How far two bishops have come on the way to mate.";
    const PIECE: &'static str = "bishop";
    const ROLE: Role = Role::Bishop;
    const COUNT: usize = 2;
}

/// The last indexes of the arrays of the bare king's distances.
const LONGEST: u32 = 15;
const FAR_PIECE: u32 = 15;
const FAR_BOTH: u32 = 6;

/// The corner that is nearest to the bare king.
const CORNER: Thing = place("the nearest corner");

const TO_FARTHEST: Unit = Unit {
    one: "move to the farthest square it can reach",
    many: "moves to the farthest square it can reach",
};
const FROM_CAPTURE: Distance = distance(MOVES, enemy("king"))
    .preposition("from capture by")
    .or_more(FAR_PIECE - 1)
    .last(FAR_PIECE, "out of the king's reach");
const TO_NEARER_PIECE: Distance = distance(MOVES, place("one piece"))
    .or_more(FAR_BOTH - 1)
    .last(FAR_BOTH, "cut off from one piece");
const TO_OTHER_PIECE: Distance = distance(MOVES, place("the other"))
    .or_more(FAR_BOTH - 1)
    .last(FAR_BOTH, "cut off from the other");

/// The weights of an ending whose strong pieces have this name.
const fn weights(piece: &'static str) -> [WeightSpec; 16] {
    [
        WeightSpec::pair("won", has("a won ending")),
        WeightSpec::array("corner", 10, enemy("king").relation(CORNER)),
        WeightSpec::array("kings", 36, own("king").relation(enemy("king"))),
        WeightSpec::array("piece", 36, own(piece).relation(enemy("king"))),
        WeightSpec::array("guard", 36, own(piece).relation(own("king"))),
        WeightSpec::array("pair", 36, own(piece).relation(place("the other piece"))),
        WeightSpec::array("king_corner", 36, own("king").relation(CORNER)),
        WeightSpec::array("piece_corner", 36, own(piece).relation(CORNER)),
        WeightSpec::array("king_centre", 7, own("king").is(FROM_CENTRE)),
        WeightSpec::array("flight", 9, FLIGHT_SQUARES),
        WeightSpec::array("flight_two", 26, WITHIN_TWO_MOVES),
        WeightSpec::array("territory", 65, REACHABLE),
        WeightSpec::array("longest_way", 16, enemy("king").with(TO_FARTHEST.one, TO_FARTHEST.many)),
        WeightSpec::array("way_to_centre", 12, MOVES_TO_CENTRE),
        WeightSpec::array("way_to_piece", 16, own(piece).is(FROM_CAPTURE)),
        WeightSpec::array(
            "way_to_both",
            49,
            enemy("king").both(TO_NEARER_PIECE, FAR_BOTH + 1, TO_OTHER_PIECE),
        ),
    ]
}

/// All endings have their weights in the same order.
const WEIGHTS: &[WeightSpec] = &weights("piece");

impl<M: MatingMaterial> BasicMate<M> {
    const WEIGHTS_OF_MATERIAL: [WeightSpec; 16] = weights(M::PIECE);
}

impl<M: MatingMaterial> Term for BasicMate<M> {
    const NAME: &'static str = M::NAME;
    const DOC: &'static str = M::DOC;
    const SOURCE: &'static str =
        "Chess Programming Wiki, Distance (Isenberg); Levinson and Snyder 1993, Distance";
    const WEIGHTS: &'static [WeightSpec] = &Self::WEIGHTS_OF_MATERIAL;
    const SCOPE: Scope = Scope::BareKing;
    const TUNED_FROM_GAMES: bool = false;

    fn new(_: &[i32]) -> Self {
        BasicMate(PhantomData)
    }

    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WON: Weight = find(WEIGHTS, "won");
        if !has_material::<M>(context, side) {
            return;
        }
        let (strong, weak) = (context.side(side), context.side(!side));
        sink.add(WON, 1, weak.king);
        let pieces = strong.by_role(M::ROLE);
        measure_relations(strong.king, pieces, weak.king, sink);
        measure_mobility(&KingMobility::new(context, side), pieces, weak.king, sink);
    }
}

/// Whether `side` has exactly this material and can mate. Two bishops on one colour cannot.
fn has_material<M: MatingMaterial>(context: &EvalContext, side: Color) -> bool {
    let (strong, weak) = (context.side(side), context.side(!side));
    weak.is_bare()
        && strong.all.count() == M::COUNT + 1
        && strong.by_role(M::ROLE).count() == M::COUNT
        && strong.pieces_can_mate()
}

/// Distances on an empty board.
fn measure_relations(king: Square, pieces: Bitboard, bare: Square, sink: &mut impl Sink) {
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

/// Mobility-graph distances of the bare king.
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
        let distances = [one, other].map(|piece| mobility.distance_to(piece.into(), FAR_BOTH));
        let [near, far] = [distances[0].min(distances[1]), distances[0].max(distances[1])];
        sink.add(WAY_TO_BOTH.at((FAR_BOTH + 1) * near + far), 1, bare);
    }
}

/// The corner of the quarter of the board that a square lies in.
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
        // Only a1, b1 and c1 are left: the rook, guarded by its king, holds the second rank and d1.
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
    fn distances_to_the_pieces_say_what_can_be_captured_and_when() {
        // The bare king is next to b2 and four moves from e2 through c2; nothing guards either bishop.
        let measured = measured(
            &BasicMate::<KbbkLevels>::new(&[]),
            "8/8/8/8/8/8/kB2B3/7K w - - 0 1",
            Color::White,
        );
        let distances: Vec<_> = measured
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
        assert_eq!(distances, expected);
    }

    #[test]
    fn each_term_applies_to_its_material_only() {
        let applies = |fen: &str| {
            [
                measured(&BasicMate::<Kqk>::new(&[]), fen, Color::White).len(),
                measured(&BasicMate::<Krk>::new(&[]), fen, Color::White).len(),
                measured(&BasicMate::<KbbkLevels>::new(&[]), fen, Color::White).len(),
            ]
            .map(|count| count > 0)
        };
        assert_eq!(applies("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), [true, false, false]);
        assert_eq!(applies("7k/8/8/8/8/8/8/KR6 w - - 0 1"), [false, true, false]);
        assert_eq!(applies("7k/8/8/8/8/8/8/KBB5 w - - 0 1"), [false, false, true]);
        for fen in [
            // Bishops of one colour cannot mate.
            "7k/8/8/8/8/8/8/KB1B4 w - - 0 1",
            "7k/8/8/8/8/8/8/KRR5 w - - 0 1",
            "7k/8/8/8/8/8/P7/KR6 w - - 0 1",
            "7k/7p/8/8/8/8/8/KQ6 w - - 0 1",
        ] {
            assert_eq!(applies(fen), [false; 3], "{fen}");
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
