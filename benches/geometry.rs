//! Distances in the pattern search uses them: random pairs from a prepared array.
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use shakmaty::{Bitboard, Square, attacks};
use std::hint::black_box;
use tropism::geometry;

/// Pairs of squares from a fixed sequence of pseudorandom numbers.
fn pairs() -> Vec<(Square, Square)> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Square::new((state >> 58) as u32)
    };
    (0..1024).map(|_| (next(), next())).collect()
}

fn distances(c: &mut Criterion) {
    let pairs = pairs();
    let mut group = c.benchmark_group("1024 pairs");
    let mut measure = |name: &str, distance: &dyn Fn(Square, Square) -> u32| {
        group.bench_function(name, |b| {
            b.iter(|| pairs.iter().map(|&(x, y)| distance(x, y)).sum::<u32>())
        });
    };
    measure("shakmaty Square::distance", &|x, y| x.distance(y));
    measure("chebyshev", &geometry::chebyshev);
    measure("manhattan", &geometry::manhattan);
    measure("knight_distance", &geometry::knight_distance);
    measure("bishop_corner_distance", &geometry::bishop_corner_distance);
    group.finish();
}

fn sets(c: &mut Criterion) {
    let set = Bitboard(0x0042_0810_0024_1200);
    let mut group = c.benchmark_group("sets");
    group.bench_function("knight_attacks of 8 knights", |b| {
        b.iter(|| geometry::knight_attacks(black_box(set)))
    });
    group.bench_function("the same, knight by knight with shakmaty", |b| {
        b.iter(|| {
            black_box(set).into_iter().map(attacks::knight_attacks).fold(Bitboard(0), |a, b| a | b)
        })
    });
    group.bench_function("fork_squares", |b| b.iter(|| geometry::fork_squares(black_box(set))));
    group.finish();
}

criterion_group!(benches, distances, sets);
criterion_main!(benches);
