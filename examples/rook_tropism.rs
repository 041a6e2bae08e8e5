//! The whole program with a term of its own: the default engine, and rooks near the enemy king.
//!
//! `cargo run --release --example rook_tropism` speaks UCI: `eval` shows the term's row, `uci` its option
//! `rook_tropism percent`. All commands know the term: `cargo run --release --example rook_tropism explain FEN`.

use std::process::ExitCode;
use tropism::eval::meaning::{KING_MOVES, distance, enemy, own};
use tropism::eval::{EvalContext, Scope, Sink, Term};
use tropism::{geometry::chebyshev, shakmaty::Color, term};

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

/// An engine file: centipawns in the middlegame and in the endgame.
const ENGINE: &str =
    "name = 'tropism with rooks'\nbase = 'tropism'\n[rook_tropism]\ndistance = [-3, -1]\n";

fn main() -> ExitCode {
    let mut registry = tropism::terms::registry();
    registry.add::<RookTropism>().set_default(ENGINE);
    tropism_program::main(registry)
}
