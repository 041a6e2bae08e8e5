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

/// One sentence a line, after its move. What a discovered check attacks is said once.
impl fmt::Display for LineReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.found.is_empty() {
            return write!(f, "This line has no motif that has a name.");
        }
        let is_said = |found: &&FoundMotif| {
            let checks = |other: &FoundMotif| {
                other.ply == found.ply && other.motif == Motif::DiscoveredCheck
            };
            found.motif != Motif::DiscoveredAttack || !self.found.iter().any(checks)
        };
        let line = PlayedGame::new(self.start.clone(), self.moves.clone());
        let sentences = self.found.iter().filter(is_said).map(|found| match found.ply {
            0 => found.sentence(),
            ply => format!("{}: {found}.", line.name(ply - 1)),
        });
        f.write_str(&sentences.collect::<Vec<String>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_move;
    use tropism::notation::read_fen;

    fn report(fen: &str, words: &[&str]) -> LineReport {
        let start = read_fen(fen, None).unwrap();
        let mut position = start.clone();
        let moves = words.iter().map(|word| {
            let m = read_move(word, &position).unwrap();
            position.play_unchecked(m);
            m
        });
        let moves: Vec<Move> = moves.collect();
        LineReport::new(&tropism::default_engine().unwrap(), &start, &moves)
    }

    #[test]
    fn the_side_that_moves_last_profits() {
        let fork = "3q3r/8/8/k5N1/8/8/8/6K1 w - - 0 1";
        let report = report(fork, &["Nf7", "Qd7", "Nxh8"]);
        let json = report.json();
        assert_eq!((&json["fen"], &json["side"]), (&json!(fork), &json!("white")));
        assert_eq!(json["line"], json!(["g5f7", "d8d7", "f7h8"]));
        let sentence = "The knight on f7 forks the queen on d8 and the rook on h8.";
        let expected = json!({
            "motif": "fork", "title": "fork", "ply": 1, "by": "f7", "helper": null,
            "targets": ["d8", "h8"], "sentence": sentence,
        });
        assert_eq!(json["motifs"][0], expected);
        let told = "1.Nf7: the knight on f7 forks the queen on d8 and the rook on h8.";
        assert!(report.to_string().starts_with(told), "{report}");
    }

    #[test]
    fn a_line_without_motifs_says_so() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let report = report(start, &["e4"]);
        assert_eq!(report.to_string(), "This line has no motif that has a name.");
        assert_eq!(report.json()["motifs"], json!([]));
    }
}
