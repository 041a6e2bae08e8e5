//! Building exact tables, and looking positions up in them. For comparison: generating the legal moves
//! of the same positions, which should cost more than a look-up.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use std::hint::black_box;
use tropism::endgame::{Endgames, Material};

fn built(name: &str) -> Endgames {
    let mut endgames = Endgames::default();
    if let Ok(material) = name.parse::<Material>() {
        endgames.build(material);
    }
    endgames
}

fn building(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10);
    for name in ["KRK", "KBNK", "KQKR"] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| name, built, BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn probing(criterion: &mut Criterion) {
    let endgames = built("KBNK");
    let positions: Vec<Chess> = [
        "8/8/7N/8/8/8/8/K1k1B3 w - - 0 1",
        "7k/8/8/8/3K4/8/8/1NB5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBN5 b - - 0 1",
        "8/8/1BK5/8/8/4N3/8/6k1 b - - 0 1",
    ]
    .iter()
    .filter_map(|fen| fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok())
    .collect();
    let mut group = criterion.benchmark_group("four positions");
    group.bench_function("probe", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|p| endgames.probe(black_box(p))).count());
    });
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| positions.iter().map(|p| black_box(p).legal_moves().len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, building, probing);
criterion_main!(benches);
