//! What an evaluation costs, for each shipped engine.
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::{hint::black_box, path::Path};
use tropism::{
    eval::{Engine, View},
    terms::registry,
};

fn evaluation(c: &mut Criterion) {
    let fen = "r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14";
    let fen: Fen = fen.parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    let mut group = c.benchmark_group("middlegame");
    group.bench_function("view alone", |b| b.iter(|| View::new(black_box(&position))));
    for name in ["tropism", "minimal", "tropism-material"] {
        let path = format!("{}/engines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let engine = Engine::load(Path::new(&path), &registry()).expect("a shipped engine");
        group.bench_function(name, |b| b.iter(|| engine.evaluate(black_box(&position))));
    }
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
