//! The whole program with a term of its own: the default engine, and rooks near the enemy king.
//!
//! `cargo run --release --example rook_tropism` speaks UCI: `eval` shows the term's row, `uci` its option
//! `rook_tropism percent`. All commands know the term: `cargo run --release --example rook_tropism explain FEN`.

use std::process::ExitCode;
use tropism::eval::meaning::{KING_MOVES, distance, enemy, own};
use tropism::eval::{Account, EvalContext, Reason, Scope, Sink, Term, the_piece};
use tropism::shakmaty::{Color, Role};
use tropism::{geometry::chebyshev, term, text::side_name};

term! {
    /// Measures how far a rook is from the enemy king.
    pub struct RookTropism;

    name = "rook_tropism";
    doc = "A rook near the enemy king is a threat.";
    source = "Chess Programming Wiki, King Safety (king tropism)";
    says = reasons;
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

/// Who has the nearer rook. Without this function the program makes a sentence of the meaning of the weight.
fn reasons(account: &Account) -> Vec<Reason> {
    let value = account.of_terms(&["rook_tropism"]);
    let side = Color::from_white(value > 0.0);
    let king = account.context().side(!side).king;
    let rooks = account.squares(side, &["distance"]).into_iter();
    let nearest = rooks.min_by_key(|&rook| chebyshev(rook, king));
    let reason = |rook| {
        let rook = the_piece(Role::Rook, rook);
        let clause = format!("{rook} of {} is near the enemy king", side_name(side));
        account.reason(side, value.abs(), clause, Vec::new())
    };
    nearest.map(reason).into_iter().collect()
}

/// An engine file: centipawns in the middlegame and in the endgame.
pub const ENGINE: &str =
    "name = 'tropism with rooks'\nbase = 'tropism'\n[rook_tropism]\ndistance = [-3, -1]\n";

fn main() -> ExitCode {
    let mut registry = tropism::terms::registry();
    registry.add::<RookTropism>().set_default(ENGINE);
    tropism_program::main(registry)
}
