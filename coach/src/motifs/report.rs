//! The motifs of a line as text and for programs.

use super::found::{FoundMotif, Spot};
use super::{Motif, motifs_of_line, zugzwang};
use crate::exercise::{fen, uci};
use crate::notation::PlayedGame;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Move, Position};
use std::fmt;
use tropism::eval::Engine;

/// The motifs of a line, seen from the side that moves last: a forced line ends with the move that profits.
#[derive(Clone, Debug)]
pub struct LineReport {
    start: Chess,
    moves: Vec<Move>,
    side: Color,
    found: Vec<FoundMotif>,
}

impl LineReport {
    /// Finds the motifs. The engine searches for zugzwang.
    pub fn new(engine: &Engine, start: &Chess, moves: &[Move]) -> LineReport {
        let side = if moves.len() % 2 == 1 { start.turn() } else { !start.turn() };
        let mut found = motifs_of_line(start, moves, side);
        found.extend(zugzwang(engine, start, moves, side));
        found.sort_by_key(|found| (found.ply, found.motif));
        LineReport { start: start.clone(), moves: moves.to_vec(), side, found }
    }

    /// The line and its motifs in JSON: `fen`, `line` in UCI, `side`, and `motifs`, each with the name that collections
    /// of puzzles use, the ply (1 for the first move), the squares, and the sentence.
    pub fn json(&self) -> Value {
        json!({
            "fen": fen(&self.start),
            "line": uci(&self.start, &self.moves),
            "side": self.side.fold_wb("white", "black"),
            "motifs": self.found.iter().map(motif).collect::<Vec<_>>(),
        })
    }
}

fn motif(found: &FoundMotif) -> Value {
    let square = |spot: &Spot| spot.square.to_string();
    json!({
        "motif": found.motif.name(),
        "title": found.motif.title(),
        "ply": found.ply,
        "by": found.by.as_ref().map(square),
        "helper": found.helper.as_ref().map(square),
        "targets": found.targets.iter().map(square).collect::<Vec<_>>(),
        "sentence": found.sentence(),
    })
}

/// One sentence a line, after its move. What a discovered check attacks is said once, and so is a mate with a name.
impl fmt::Display for LineReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.found.is_empty() {
            return write!(f, "This line has no motif that has a name.");
        }
        let has = |at: usize, is: &dyn Fn(Motif) -> bool| {
            self.found.iter().any(|found| found.ply == at && is(found.motif))
        };
        let is_said = |found: &&FoundMotif| match found.motif {
            Motif::DiscoveredAttack => !has(found.ply, &|it| it == Motif::DiscoveredCheck),
            Motif::Mate => !has(found.ply, &|it| it.title().ends_with(" mate")),
            _ => true,
        };
        let line = PlayedGame::new(self.start.clone(), self.moves.clone());
        let sentences = self.found.iter().filter(is_said).map(|found| match found.ply {
            0 => found.sentence(),
            ply => format!("{}: {found}.", line.name(ply - 1)),
        });
        f.write_str(&sentences.collect::<Vec<String>>().join("\n"))
    }
}
