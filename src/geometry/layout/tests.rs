use super::*;
use crate::geometry::reference::{breadth_first, coordinates, knight_jumps, numbers, pairs};
use std::collections::BTreeMap;

/// File and rank distance by subtraction.
fn offset(a: Square, b: Square) -> (u32, u32) {
    let ((af, ar), (bf, br)) = (coordinates(a), coordinates(b));
    (af.abs_diff(bf), ar.abs_diff(br))
}

/// Every layout gives `expected` for all 4096 pairs, is symmetric, and satisfies the triangle
/// inequality.
fn prove<M: Metric>(largest: u32, expected: impl Fn(Square, Square) -> u32) {
    type Distance = fn(Square, Square) -> u32;
    let layouts: [(&str, Distance); 6] = [
        ("computed", Computed::<M>::distance),
        ("64x64", SquarePairs::<M>::distance),
        ("0x88", Difference0x88::<M>::distance),
        ("15x15", Superimposed::<M>::distance),
        ("absolute", AbsoluteDifference::<M>::distance),
        ("branchless", AbsoluteBranchless::<M>::distance),
    ];
    for (name, distance) in layouts {
        for (a, b) in pairs() {
            assert_eq!(distance(a, b), expected(a, b), "{} {name} {a} {b}", M::NAME);
            assert_eq!(distance(a, b), distance(b, a), "{} {name} {a} {b}", M::NAME);
        }
    }
    assert_eq!(pairs().map(|(a, b)| expected(a, b)).max(), Some(largest), "{}", M::NAME);
    for (a, b) in pairs() {
        for c in Square::ALL {
            let round = M::compute(a, c) + M::compute(c, b);
            assert!(M::compute(a, b) <= round, "{} {a} {c} {b}", M::NAME);
        }
    }
}

#[test]
fn every_distance_in_every_layout() {
    prove::<Chebyshev>(7, |a, b| offset(a, b).0.max(offset(a, b).1));
    prove::<Manhattan>(14, |a, b| offset(a, b).0 + offset(a, b).1);
    let walks = Square::ALL.map(|from| breadth_first(from, knight_jumps));
    prove::<Knight>(6, |a, b| walks[a.to_usize()][b.to_usize()].unwrap());
    let sum = |king: u32, a, b| {
        let (files, ranks) = offset(a, b);
        king * files.max(ranks) + files + ranks
    };
    prove::<Combined>(21, |a, b| sum(1, a, b));
    prove::<Combined71>(63, |a, b| sum(7, a, b));
    prove::<Udr>(120, |a, b| {
        let (files, ranks) = offset(a, b);
        if files == ranks { sum(15, a, b) / 8 * 8 + 8 } else { sum(15, a, b) }
    });
}

#[test]
fn the_0x88_difference_is_unique_for_distance_and_direction_and_fits_its_table() {
    let mut steps = BTreeMap::new();
    for (a, b) in pairs() {
        let ((af, ar), (bf, br)) = (coordinates(a), coordinates(b));
        let (from, to) = (a.to_u32() as i32, b.to_u32() as i32);
        let printed = to - from + (to | 7) - (from | 7) + 120;
        assert_eq!(Index::X88.of(a, b) as i32, printed, "{a} {b}");
        let step = *steps.entry(printed).or_insert((bf - af, br - ar));
        assert_eq!(step, (bf - af, br - ar), "{a} {b}");
    }
    assert_eq!(steps.len(), 225);
    assert_eq!((steps.keys().min(), steps.keys().max()), (Some(&1), Some(&239)));
}

#[test]
fn nine_is_the_absolute_index_of_diagonal_neighbours_alone() {
    for (a, b) in pairs() {
        assert_eq!(Index::Absolute.of(a, b) == DIAGONAL_NEIGHBOUR, offset(a, b) == (1, 1));
    }
}

#[test]
fn the_printed_tables_of_the_absolute_difference() {
    let table = AbsoluteDifference::<Knight>::TABLE.map(u32::from);
    assert_eq!(numbers("knight distance by absolute difference", 10), table);
    // b2 is not a corner, so the result says whether the other square is one.
    let corners = Square::ALL.map(|square| one_is_a_corner(Square::B2, square));
    assert_eq!(numbers("is a corner by absolute difference", 10), corners);
}

/// The picture of the 15 x 15 array as printed, the top row (from entry 210) first.
#[test]
fn the_printed_15x15_array() {
    let printed = numbers("king distance in a 15x15 array", 10);
    let rows: Vec<u32> = printed.chunks(15).rev().flatten().copied().collect();
    assert_eq!(rows, Superimposed::<Chebyshev>::TABLE.map(u32::from));
    // With c2 on the centre, the corners of the board are where the picture has them.
    let corner = |square| Index::Centred.of(Square::C2, square);
    assert_eq!(corner(Square::C2), 112);
    assert_eq!([Square::A1, Square::H1].map(corner), [90 + 5, 90 + 12]);
    assert_eq!([Square::A8, Square::H8].map(corner), [195 + 5, 195 + 12]);
}
