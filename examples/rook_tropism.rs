//! A UCI engine with a term of its own: the default engine, and rooks near the enemy king.
//!
//! `cargo run --release --example rook_tropism` speaks UCI: `eval` shows the term's row, `uci` its
//! option `rook_tropism percent`, and engine files may name it.

use shakmaty::Color;
use std::{error::Error, io};
use tropism::eval::meaning::{KING_MOVES, distance, enemy, own};
use tropism::eval::{EvalContext, Sink, Term, Weight, WeightSpec, find};
use tropism::geometry::chebyshev;

/// A rook near the enemy king is a threat.
struct RookTropism;

impl Term for RookTropism {
    const NAME: &'static str = "rook_tropism";
    const DOC: &'static str = "A rook near the enemy king is a threat.";
    const SOURCE: &'static str = "Chess Programming Wiki, King Safety (king tropism)";
    const WEIGHTS: &'static [WeightSpec] =
        &[WeightSpec::pair("distance", own("rook").is(distance(KING_MOVES, enemy("king"))))];

    fn new(_: &[i32]) -> Self {
        RookTropism
    }

    fn measure<S: Sink>(&self, view: &EvalContext, side: Color, sink: &mut S) {
        const DISTANCE: Weight = find(RookTropism::WEIGHTS, "distance");
        let target = view.side(!side).king;
        for rook in view.side(side).rooks {
            sink.add(DISTANCE, chebyshev(rook, target) as i32, rook);
        }
    }
}

/// A section of an engine file: centipawns in the middlegame and in the endgame.
const WEIGHTS: &str = "[rook_tropism]\ndistance = [-3, -1]\n";

fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = tropism::terms::registry();
    registry.add::<RookTropism>();
    let mut engine = tropism::default_engine()?;
    engine.plug(WEIGHTS, "rook_tropism", &registry)?;
    engine.set_name("tropism with rooks");
    let setup = tropism::uci::Setup { engine, registry };
    Ok(tropism::uci::run(setup, io::stdin().lock(), io::stdout())?)
}
