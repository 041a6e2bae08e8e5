//! Terms in Rust beside the same terms as data: nanoseconds for both sides of a position, without the context and
//! without the pawn cache. The two alternate, so that both meet the same disturbances; the least of many rounds counts.
//!
//! `cargo bench --bench formulas`
#![allow(missing_docs, clippy::expect_used)]

use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};
use tropism::{
    eval::{Engine, EvalContext},
    terms::registry,
};

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

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
    const ROUNDS: usize = 400;
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

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines/minimal.toml");
    let minimal = std::fs::read_to_string(path).expect("a shipped engine");
    let middlegame = position("r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14");
    let ending = position("7k/8/8/8/8/2K5/8/4R3 b - - 0 1");
    let shipped = [
        ("mop_up", "mop_up_distance", &ending),
        ("mop_up", "mop_up_distance", &middlegame),
        ("king_pawn_tropism", "pawn_tropism", &middlegame),
        ("knight_forks", "safe_forks", &middlegame),
    ];
    let shipped = shipped
        .map(|(rust, data, position)| (data, default_with(rust), alone(data, &minimal), position));
    println!("{:20} {:>8} {:>8} {:>6}", "term", "Rust, ns", "data, ns", "ratio");
    for (term, rust, data, position) in &shipped {
        let times = least(&EvalContext::new(position), &[rust, data]);
        println!("{term:20} {:8.1} {:8.1} {:6.2}", times[0], times[1], times[1] / times[0]);
    }
}
