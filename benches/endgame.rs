//! Building exact tables, and looking positions up in them. For comparison: generating the legal moves
//! of the same positions, which should cost more than a look-up.
//!
//! With `TROPISM_RTBGEN` naming a folder with `rtbgen` and `rtbgenp`, the generators of Syzygy tables, and `RTBPATH` one
//! with tables of three pieces, each table is also made in turns with them: `cargo bench --bench endgame -- ratios`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use std::{env, hint::black_box, process::Command, time::Instant};
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

/// The endings whose tables are made in turns with Syzygy's generator.
const COMPARED: [&str; 16] = [
    "KQRK", "KRRK", "KBBK", "KBNK", "KNNK", "KQKR", "KQKB", "KRKB", "KRKN", "KQPK", "KRPK", "KBPK",
    "KPPK", "KQKP", "KRKP", "KNKP",
];

/// Prints the time to make each table, the smaller ones being there, beside that of Syzygy's generator with two threads
/// and without compression: medians of five.
fn ratios(_: &mut Criterion) {
    let Ok(folder) = env::var("TROPISM_RTBGEN") else { return };
    for name in COMPARED {
        let smaller: Vec<String> = smaller(name).collect();
        let mut ours = Vec::new();
        let mut theirs = Vec::new();
        for _ in 0..5 {
            let mut endgames = Endgames::default();
            smaller.iter().filter_map(|it| it.parse().ok()).for_each(|it| endgames.build(it));
            let Ok(material) = name.parse() else { continue };
            let start = Instant::now();
            endgames.build(material);
            ours.push(start.elapsed().as_secs_f64());
            let program = if name.contains('P') { "rtbgenp" } else { "rtbgen" };
            let versus = format!("K{}vK{}", &name[1..side(name)], &name[side(name) + 1..]);
            let start = Instant::now();
            let output = Command::new(format!("{folder}/{program}"))
                .args(["-t", "2", "-g", &versus])
                .current_dir(env::temp_dir())
                .output();
            if !output.is_ok_and(|output| output.status.success()) {
                return eprintln!("{program} {versus} failed");
            }
            theirs.push(start.elapsed().as_secs_f64());
        }
        let [ours, theirs] = [ours, theirs].map(median);
        println!("{name}: {ours:.3} s, Syzygy {theirs:.3} s, ratio {:.2}", ours / theirs);
    }
}

/// Where the second king stands in the name of an ending.
fn side(name: &str) -> usize {
    name.rfind('K').unwrap_or_default()
}

/// The endings that one capture or promotion leads to.
fn smaller(name: &str) -> impl Iterator<Item = String> + '_ {
    let pieces = name.char_indices().filter(|&(_, piece)| piece != 'K');
    pieces.flat_map(move |(at, piece)| {
        let with = move |piece: &str| [&name[..at], piece, &name[at + 1..]].concat();
        let promoted: &[&str] = if piece == 'P' { &["Q", "R", "B", "N"] } else { &[] };
        std::iter::once(with("")).chain(promoted.iter().map(move |it| with(it)))
    })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

criterion_group!(benches, building, probing, ratios);
criterion_main!(benches);
