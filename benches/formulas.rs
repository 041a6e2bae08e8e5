//! Terms in Rust beside the same terms as data: nanoseconds for both sides of a position, without the context and
//! without the pawn cache. The two alternate, so that both meet the same disturbances; the least of many rounds counts.
//!
//! `cargo bench --bench formulas`
#![allow(missing_docs, clippy::expect_used)]

mod authors;

use std::time::{Duration, Instant};
use std::{hint::black_box, path::Path};
use tropism::eval::{Engine, EvalContext};
use tropism::{terms::registry, testing::position};

/// An engine with one term of an engine file.
fn alone(term: &str, text: &str) -> Engine {
    let section = text.split("\n[").filter(|section| {
        section.starts_with(&format!("{term}]")) || section.starts_with(&format!("{term}."))
    });
    let text = section
        .fold(format!("name = 'x'\nterms = ['{term}']\n"), |text, section| text + "\n[" + section);
    Engine::parse(&text, term, &registry()).expect("one term")
}

fn default_with(term: &str) -> Engine {
    let text = format!("name = 'x'\nbase = 'tropism'\nterms = ['{term}']\n");
    Engine::parse(&text, "x", &registry()).expect("a term of the default engine")
}

/// Nanoseconds of each engine for a position: the least of many rounds.
fn least(context: &EvalContext, engines: &[&Engine]) -> Vec<f64> {
    const ROUNDS: usize = 200;
    const SUMS: u32 = 1000;
    let mut least = vec![Duration::MAX; engines.len()];
    for _ in 0..ROUNDS {
        for (engine, least) in engines.iter().zip(&mut least) {
            let start = Instant::now();
            for _ in 0..SUMS {
                black_box(engine.balance(black_box(context)));
            }
            *least = start.elapsed().min(*least);
        }
    }
    least.iter().map(|time| time.as_secs_f64() * 1e9 / f64::from(SUMS)).collect()
}

/// A term of an author as text, and in Rust with the same worth.
fn author(name: &str, text: &str) -> [Engine; 2] {
    let mut registry = registry();
    authors::add_to(&mut registry);
    let section = text
        .split("\n[")
        .find(|section| section.starts_with(&format!("{name}.")) && section.contains("worth"));
    let worth = section.and_then(|section| section.split("worth = ").nth(1)).expect("a worth");
    let file = format!("name = 'x'\nterms = ['rust_{name}']\n[rust_{name}]\nit = {worth}\n");
    [Engine::parse(&file, name, &registry).expect("a term in Rust"), alone(name, text)]
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let (minimal, texts) = (read("../engines/minimal.toml"), read("authors.toml"));
    let middlegame = "r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14";
    let opposite = "2kr3r/pp1qbpp1/2n1pn1p/2pp3b/3P1B2/2P1PN1P/PP1NBPP1/R2QR1K1 w - - 0 12";
    let ending = "8/2p2pk1/3p2p1/p2P3p/P1P4P/6P1/3K1P2/8 w - - 0 1";
    let bare = "7k/8/8/8/8/2K5/8/4R3 b - - 0 1";
    // `cargo bench --bench formulas -- NAME` measures the terms of this name only.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    let of_author = |name| {
        let [rust, data] = author(name, &texts);
        (name, rust, data, vec![middlegame, opposite, ending])
    };
    let shipped = [
        ("mop_up", "mop_up_distance", vec![bare]),
        ("mop_up", "mop_up_distance", vec![middlegame]),
        ("king_pawn_tropism", "pawn_tropism", vec![middlegame]),
        ("knight_forks", "safe_forks", vec![middlegame]),
    ];
    let shipped =
        shipped.map(|(rust, data, fens)| (data, default_with(rust), alone(data, &minimal), fens));
    println!("{:20} {:>8} {:>8} {:>6}", "term", "Rust, ns", "data, ns", "ratio");
    let mut logarithms = 0.0;
    let terms = shipped.into_iter().chain(authors::NAMES.iter().copied().map(of_author));
    for (term, rust, data, fens) in terms.filter(|(term, ..)| is_wanted(term)) {
        let mut times = [0.0; 2];
        for fen in &fens {
            let context = EvalContext::new(&position(fen));
            if authors::NAMES.contains(&term) {
                assert_eq!(rust.balance(&context), data.balance(&context), "{term} in {fen}");
            }
            let least = least(&context, &[&rust, &data]);
            times = [times[0] + least[0], times[1] + least[1]];
        }
        let [rust, data] = times.map(|time| time / fens.len() as f64);
        println!("{term:20} {rust:8.1} {data:8.1} {:6.2}", data / rust);
        if authors::NAMES.contains(&term) {
            logarithms += (data / rust).ln();
        }
    }
    let mean = (logarithms / authors::NAMES.len() as f64).exp();
    println!("geometric mean of the terms of authors {mean:.2}");
}
