//! The whole laboratory with a term of its own: the default engine, and knights near the enemy king.
//!
//! `cargo run --release -p tropism-lab --example own_term counts FILE --terms knight_tropism` prints its counts. All
//! commands know the term, and every engine file may name it.

use std::process::ExitCode;
use tropism::eval::meaning::{KNIGHT_MOVES, distance, enemy, own};
use tropism::eval::{EvalContext, Scope, Sink, Term};
use tropism::{geometry::knight_distance, shakmaty::Color, term};

term! {
    /// Measures how far a knight is from the enemy king.
    struct KnightTropism;

    name = "knight_tropism";
    doc = "A knight near the enemy king is a threat.";
    source = "Chess Programming Wiki, King Safety (king tropism)";
    scope = Scope::NotBareKing;

    weights {
        distance = own("knight").is(distance(KNIGHT_MOVES, enemy("king")));
    }
}

impl Term for KnightTropism {
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let king = context.side(!side).king;
        for knight in context.side(side).knights {
            sink.add(W.distance, knight_distance(knight, king) as i32, knight);
        }
    }
}

/// An engine file: centipawns in the middlegame and in the endgame.
const ENGINE: &str =
    "name = 'tropism with knights'\nbase = 'tropism'\n[knight_tropism]\ndistance = [-3, -1]\n";

fn main() -> ExitCode {
    let mut registry = tropism::terms::registry();
    registry.add::<KnightTropism>().set_default(ENGINE);
    tropism_lab::main(registry)
}
