//! A UCI engine with a term of its own: the default engine, and rooks near the enemy king.
//!
//! `cargo run --release --example rook_tropism` speaks UCI: `eval` shows the term's row, `uci` its
//! option `rook_tropism percent`, and engine files may name it.

use shakmaty::Color;
use std::{error::Error, io};
use tropism::eval::meaning::{KING_MOVES, distance, enemy, own};
use tropism::eval::{EvalContext, Scope, Sink, Term};
use tropism::geometry::chebyshev;
use tropism::term;

term! {
    /// Measures how far a rook is from the enemy king.
    struct RookTropism;

    name = "rook_tropism";
    doc = "A rook near the enemy king is a threat.";
    source = "Chess Programming Wiki, King Safety (king tropism)";
    scope = Scope::NotBareKing;

    weights {
        distance = own("rook").is(distance(KING_MOVES, enemy("king")));
    }
}

impl Term for RookTropism {
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let king = context.side(!side).king;
        for rook in context.side(side).rooks {
            sink.add(W.distance, chebyshev(rook, king) as i32, rook);
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
