//! Every layout of every distance, and the set routines, in the two patterns of a search: independent
//! calls on random inputs from a prepared array, and chains, in which each call depends on the one
//! before. shakmaty's functions are measured for comparison.
//!
//! `black_box` keeps the compiler from computing several distances with one vector instruction, which
//! a search could not do. Its cost is the same for all.
#![allow(missing_docs)]

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{Bitboard, Square, attacks};
use std::{hint::black_box, time::Duration};
use tropism::geometry::layout::{
    AbsoluteBranchless, AbsoluteDifference, Chebyshev, Combined, Computed, Difference0x88, Knight,
    Layout, Manhattan, Metric, SquarePairs, Superimposed, Udr,
};
use tropism::geometry::{self, Layers, Mover, Terrain, Trajectories};
use tropism::random::SplitMix64;

fn squares() -> impl FnMut() -> Square {
    let mut random = SplitMix64(1);
    move || Square::new(random.below(64) as u32)
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// One function of two squares in both patterns.
fn measure(group: &mut Group, name: &str, distance: impl Fn(Square, Square) -> u32) {
    let mut next = squares();
    let pairs: Vec<_> = (0..1024).map(|_| (next(), next())).collect();
    group.throughput(Throughput::Elements(1024));
    group.bench_function(format!("{name}/pairs"), |b| {
        b.iter(|| {
            for &(x, y) in &pairs {
                black_box(distance(x, y));
            }
        });
    });
    group.bench_function(format!("{name}/chain"), |b| {
        b.iter(|| {
            // Each distance decides from where the next is measured.
            pairs.iter().fold(0, |last, &(x, y)| distance(Square::new((x.to_u32() ^ last) & 63), y))
        });
    });
}

/// The public function of a distance, and all layouts.
fn layouts<M: Metric>(c: &mut Criterion, public: impl Fn(Square, Square) -> u32) {
    let group = &mut c.benchmark_group(M::NAME);
    measure(group, "public", public);
    measure(group, "computed", Computed::<M>::distance);
    measure(group, "64x64", SquarePairs::<M>::distance);
    measure(group, "0x88", Difference0x88::<M>::distance);
    measure(group, "15x15", Superimposed::<M>::distance);
    measure(group, "absolute", AbsoluteDifference::<M>::distance);
    if M::CORNER_RULE {
        measure(group, "absolute-branchless", AbsoluteBranchless::<M>::distance);
    }
}

fn distances(c: &mut Criterion) {
    layouts::<Chebyshev>(c, geometry::chebyshev);
    layouts::<Manhattan>(c, geometry::manhattan);
    layouts::<Knight>(c, geometry::knight_distance);
    layouts::<Combined>(c, geometry::combined_distance);
    layouts::<Udr>(c, geometry::udr_distance);
    let mut group = c.benchmark_group("without layouts");
    measure(&mut group, "shakmaty chebyshev", Square::distance);
    measure(&mut group, "bishop_corner_distance", geometry::bishop_corner_distance);
    group.finish();
}

/// One function of a set in both patterns.
fn measure_set(group: &mut Group, name: &str, sets: &[Bitboard], f: impl Fn(Bitboard) -> Bitboard) {
    group.throughput(Throughput::Elements(sets.len() as u64));
    group.bench_function(format!("{name}/sets"), |b| {
        b.iter(|| {
            for &set in sets {
                black_box(f(set));
            }
        });
    });
    group.bench_function(format!("{name}/chain"), |b| {
        b.iter(|| {
            // The square a1 of each result is added to the next set.
            let start = Bitboard::EMPTY;
            sets.iter().fold(start, |last, &set| f(Bitboard(set.0 | (last.0 & 1))))
        });
    });
}

fn sets(c: &mut Criterion) {
    let mut next = squares();
    for knights in [1, 2, 8] {
        let sets: Vec<Bitboard> =
            (0..1024).map(|_| (0..knights).map(|_| next()).collect()).collect();
        let mut group = c.benchmark_group(format!("attacks of {knights} knights"));
        measure_set(&mut group, "shakmaty, one by one", &sets, |set| {
            set.into_iter().map(attacks::knight_attacks).fold(Bitboard::EMPTY, |a, b| a | b)
        });
        measure_set(&mut group, "knight_attacks", &sets, geometry::knight_attacks);
        measure_set(&mut group, "knight_attacks_stepwise", &sets, |set| {
            geometry::knight_attacks_stepwise(set)
        });
        if knights == 8 {
            measure_set(&mut group, "fork_squares", &sets, geometry::fork_squares);
        }
        group.finish();
    }
}

/// The maps of one piece on a board with 16 pieces, as an evaluation term would use them.
fn fills(c: &mut Criterion) {
    let mut next = squares();
    let mut terrains = Vec::new();
    let mut random = SplitMix64(2);
    for _ in 0..256 {
        let own = (0..8).map(|_| next()).collect::<Bitboard>();
        let enemy = (0..8).map(|_| next()).collect::<Bitboard>() & !own;
        let guarded = Bitboard(random.next() & random.next() & random.next());
        terrains.push((next(), Terrain { own, enemy, guarded }));
    }
    let mut group = c.benchmark_group("fills, 16 pieces");
    group.throughput(Throughput::Elements(256));
    for mover in [Mover::King, Mover::Knight, Mover::Bishop, Mover::Rook, Mover::Queen] {
        group.bench_function(format!("mobility/{mover:?}"), |b| {
            b.iter(|| {
                for (from, terrain) in &terrains {
                    black_box(geometry::mobility(mover, *from, terrain));
                }
            });
        });
        group.bench_function(format!("three layers/{mover:?}"), |b| {
            b.iter(|| {
                for &(from, ref terrain) in &terrains {
                    let layers = Layers::new(mover, from.into(), terrain).skip(1).take(3);
                    black_box(layers.map(|layer| layer.count()).sum::<usize>());
                }
            });
        });
    }
    group.bench_function("trajectories/King", |b| {
        b.iter(|| {
            for &(from, ref terrain) in &terrains {
                let to = from.rotate_180();
                black_box(
                    Trajectories::new(Mover::King, from, to, terrain).map(|paths| paths.count()),
                );
            }
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(900));
    targets = distances, sets, fills
}
criterion_main!(benches);
