//! The motifs of a line as text and for programs.

use super::found::{FoundMotif, Spot};
use super::{motifs_of_line, zugzwang};
use crate::eval::Engine;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, fen::Fen};
use std::fmt;

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
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table.
    pub fn new(
        engine: &Engine,
        start: &Chess,
        moves: &[Move],
    ) -> Result<LineReport, std::collections::TryReserveError> {
        let side = if moves.len() % 2 == 1 { start.turn() } else { !start.turn() };
        let mut found = motifs_of_line(start, moves, side);
        found.extend(zugzwang(engine, start, moves, side)?);
        found.sort_by_key(|found| (found.ply, found.motif));
        Ok(LineReport { start: start.clone(), moves: moves.to_vec(), side, found })
    }

    /// What was found, in the order of the plies.
    pub fn found(&self) -> &[FoundMotif] {
        &self.found
    }

    /// The line and its motifs in JSON: `fen`, `line` in UCI, `side`, and `motifs`, each with the name that collections
    /// of puzzles use, the ply (1 for the first move), the squares, and the sentence.
    pub fn json(&self) -> Value {
        let fen = Fen::from_position(&self.start, EnPassantMode::Legal).to_string();
        let mode = self.start.castles().mode();
        let line: Vec<String> = self.moves.iter().map(|m| m.to_uci(mode).to_string()).collect();
        json!({
            "fen": fen,
            "line": line,
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

/// One sentence a line.
impl fmt::Display for LineReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.found.is_empty() {
            return write!(f, "This line has no motif that has a name.");
        }
        let sentences: Vec<String> = self.found.iter().map(FoundMotif::sentence).collect();
        f.write_str(&sentences.join("\n"))
    }
}
