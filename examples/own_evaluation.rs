//! A UCI engine with an evaluation of its own under the search: material, and pieces near the centre.
//!
//! `cargo run --release --example own_evaluation` speaks UCI.

use std::{error::Error, io, sync::Arc};
use tropism::eval::{Engine, Registry};
use tropism::geometry::centre_manhattan;
use tropism::search::Evaluate;
use tropism::shakmaty::{Chess, Position, Role};
use tropism::uci::{Setup, run};

#[derive(Debug)]
struct MaterialAndCentre;

impl Evaluate for MaterialAndCentre {
    fn evaluate(&self, chess: &Chess) -> i32 {
        let values = chess.board().iter().map(|(square, piece)| {
            let material = match piece.role {
                Role::Pawn => 100,
                Role::Knight | Role::Bishop => 320,
                Role::Rook => 500,
                Role::Queen => 900,
                Role::King => 0,
            };
            // Five centipawns for each rook step nearer to the centre.
            let value = material - 5 * centre_manhattan(square) as i32;
            if piece.color == chess.turn() { value } else { -value }
        });
        values.sum()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::default();
    let engine = Engine::parse("name = 'centre'\nterms = []", "its name", &registry)?;
    let setup = Setup::new(engine, registry).with_evaluation(Arc::new(MaterialAndCentre));
    Ok(run(setup, io::stdin().lock(), io::stdout())?)
}
