//! Any text as an engine file: it is read or rejected with an error that prints. An engine that was read
//! evaluates a few positions, and their mirrored positions have the opposite balance.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};
use std::sync::OnceLock;
use tropism::eval::{Engine, EvalContext, Registry};
use tropism::terms::registry;

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4k3/8/8/8/1NB5/4K3 b - - 0 1",
    "8/8/8/8/p7/1k6/8/K7 b - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
];

/// The terms, and each position with its mirrored one.
struct Known {
    registry: Registry,
    pairs: Vec<[Chess; 2]>,
}

impl Known {
    fn new() -> Known {
        let pairs = POSITIONS.map(|fen| {
            let fen: Fen = fen.parse().unwrap();
            let here: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            let mirror = here.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirror = mirror.position(CastlingMode::Standard).unwrap();
            [here, mirror]
        });
        Known { registry: registry(), pairs: pairs.into() }
    }
}

fuzz_target!(|text: &str| {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let known = KNOWN.get_or_init(Known::new);
    let engine = match Engine::parse(text, "fuzz.toml", &known.registry) {
        Ok(engine) => engine,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for [here, mirror] in &known.pairs {
        let balances = [here, mirror].map(|chess| engine.balance(&EvalContext::new(chess)));
        assert_eq!(balances[0], -balances[1], "{here:?}");
        assert_eq!(engine.evaluate(here), engine.evaluate(mirror), "{here:?}");
        let traces = [here, mirror].map(|chess| engine.trace(chess));
        assert_eq!(traces[0].total, balances[0], "{here:?}");
        for (row, mirrored) in traces[0].rows.iter().zip(&traces[1].rows) {
            assert_eq!((row.white, row.black), (mirrored.black, mirrored.white), "{}", row.name());
        }
        assert!(!traces[0].to_string().is_empty());
        let mut counts = [here, mirror].map(|_| vec![0; engine.pairs()]);
        for (chess, counts) in [here, mirror].into_iter().zip(&mut counts) {
            engine.record(chess, counts);
        }
        assert!(counts[0].iter().zip(&counts[1]).all(|(one, other)| *one == -other), "{here:?}");
    }
});
