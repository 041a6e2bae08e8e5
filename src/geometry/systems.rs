//! Every system of the sources, with a value that its text prints or that is counted by hand.

use super::layout::{
    AbsoluteBranchless, AbsoluteDifference, Chebyshev, Computed, Difference0x88, Knight, Layout,
    SquarePairs, Superimposed,
};
use super::*;
use shakmaty::{Bitboard, Color, Square};

/// Whether the functions of a system give the known value.
type Check = fn() -> bool;

/// The rows of the table on the module page, in its order.
const SYSTEMS: [(&str, Check); 36] = {
    use Square::{A1, A8, B1, B2, B3, B4, C2, C4, C6, C7, D4, D5, E4, E5, E6, E8, F6, G6, H1, H8};
    [
        ("Chebyshev distance, routine", || {
            chebyshev(F6, H1) == 5 && Computed::<Chebyshev>::distance(F6, H1) == 5
        }),
        ("lookup, 64 x 64", || SquarePairs::<Chebyshev>::distance(F6, H1) == 5),
        ("lookup by 0x88 difference, 240 entries", || {
            Difference0x88::<Chebyshev>::distance(F6, H1) == 5
        }),
        ("lookup of an array 15 x 15, 225 entries", || {
            Superimposed::<Chebyshev>::distance(F6, H1) == 5
        }),
        ("Manhattan or taxi distance", || manhattan(A1, H8) == 14),
        ("file and rank distance", || {
            let (files, ranks) = (file_distance(F6, H1), rank_distance(F6, H1));
            (files, ranks, back_rank_distance(Color::Black, F6)) == (2, 5, 2)
        }),
        ("centre distance", || centre_distance(C6) == 1 && edge_distance(C6) == 2),
        ("centre Manhattan distance", || centre_manhattan(A1) == 6),
        ("squares of trajectories, by the sum rule", || sum_rule(F6, H1, chebyshev).count() == 14),
        ("the shortest paths themselves", || {
            let paths = Trajectories::new(Mover::King, F6, H1, &Terrain::EMPTY);
            paths.is_some_and(|paths| paths.paths().count() == 25)
        }),
        ("mobility-graph distance", || {
            let map: DistanceMap = mobility(Mover::King, F6, &Terrain::EMPTY);
            let moves = moves_between(Mover::King, F6.into(), H1.into(), &Terrain::EMPTY);
            (map.get(H1), moves) == (Some(5), Some(5))
        }),
        ("king-pawn tropism, king-piece tropism", || chebyshev(E4, A1) + chebyshev(E4, H8) == 8),
        ("mop-up evaluation", || centre_manhattan(H8) + 14 - manhattan(H8, F6) == 16),
        ("distance of a pawn from promotion, for races with kings", || {
            promotion_distance(Color::White, B2) == 5 && promotion_distance(Color::White, B3) == 5
        }),
        ("combined distance, D + T", || combined_distance(A1, H8) == 21),
        ("opposition, far opposition, adjacent, knight distance", || {
            is_opposition(E4, E6)
                && is_diagonal_opposition(E4, G6)
                && is_distant_opposition(E4, E8)
                && is_adjacent(E4, E5)
                && is_knight_distance(E4, F6)
        }),
        ("7D + T", || combined71_distance(A1, D4) == 27 && relation_number(A1, H8) == 35),
        ("UDRDist", || udr_distance(A1, B4) == 0x31),
        ("common line, diagonal, rank or file", || {
            same_line(A1, H8) && same_diagonal(A1, H8) && same_rank_or_file(A1, H1)
        }),
        ("knight distance by fill of sets", || {
            knight_distance_between(A1.into(), H8.into()) == Some(6)
        }),
        ("knight distance by fill of squares", || Computed::<Knight>::distance(A1, B2) == 4),
        ("knight distance by lookup, the corner rule", || {
            knight_distance(A1, B2) == 4 && knight_distance(D4, E5) == 2
        }),
        ("knight distance by 0x88 difference, with the corner rule", || {
            Difference0x88::<Knight>::distance(A1, B2) == 4
        }),
        ("knight distance by absolute rank-file distance, with a branch", || {
            AbsoluteDifference::<Knight>::distance(A1, B2) == 4
        }),
        ("knight distance by absolute rank-file distance, branchless", || {
            AbsoluteBranchless::<Knight>::distance(A1, B2) == 4
        }),
        ("knight attacks by lookup", || shakmaty::attacks::knight_attacks(D4).count() == 8),
        ("knight attacks in eight directions, both mask orders", || {
            let landed = KnightJump::NoNoEa.shift_then_mask(D4.into());
            let same = KnightJump::NoNoEa.mask_then_shift(D4.into());
            landed == E6.into() && same == landed
        }),
        ("multiple knight attacks, step by step", || {
            knight_attacks_stepwise(A1.into()) == Bitboard::from_square(B3).with(C2)
        }),
        ("multiple knight attacks, in parallel", || {
            knight_attacks(A1.into()) == Bitboard::from_square(B3).with(C2)
        }),
        ("knight fill", || knight_fill(A1.into()).count() == 3),
        ("squares reached in two or more moves over safe squares", || {
            let terrain = Terrain { guarded: B3.into(), ..Terrain::EMPTY };
            // Five squares over c2 alone; a1 is where the knight came from.
            Layers::new(Mover::Knight, A1.into(), &terrain).nth(2).map(Bitboard::count) == Some(5)
        }),
        ("fills of other pieces", || {
            king_attacks(A1.into()) == Mover::King.attacks(A1.into(), Bitboard::EMPTY)
        }),
        ("knight forks", || {
            let king_and_rook = Bitboard::from_square(E8).with(A8);
            fork_squares(king_and_rook) == C7.into()
        }),
        ("safe forks within reach", || {
            let king_and_rook = Bitboard::from_square(E8).with(A8);
            fork_targets(king_and_rook, D5.into(), D5.into(), Bitboard::EMPTY) == C7.into()
        }),
        ("corner distance of the bishop's colour", || bishop_corner_distance(C4, B1) == 6),
        ("corner distance of one colour, and of all corners", || {
            colour_corner_distance(Color::White, B1) == 6 && corner_distance(B1) == 1
        }),
    ]
};

#[test]
fn every_row_of_the_table_has_functions_with_a_known_value() {
    let page = include_str!("systems.md").lines().skip(2);
    let rows: Vec<&str> = page.map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    assert_eq!(rows, SYSTEMS.map(|(system, _)| system));
    for (system, check) in SYSTEMS {
        assert!(check(), "{system}");
    }
}
