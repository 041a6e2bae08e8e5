//! Tactical motifs: forks, pins, mates with a name, and what else players call by name.
//!
//! - [`motifs_of_line`]: what happens along a forced line, seen from the side that profits.
//! - [`motifs_of_move`]: what one move creates.
//! - [`zugzwang`]: whether a line leads to it. Only this one searches.
//!
//! A motif is found by its definition on the board: whoever asks knows that the line is good. Each [`FoundMotif`] names
//! its pieces and squares, and makes a sentence of them.
//!
//! ```
//! use tropism_coach::{motifs::motifs_of_move, notation::read_move};
//! use tropism::notation::read_fen;
//! let position = read_fen("3q3r/8/8/k5N1/8/8/8/6K1 w - - 0 1", None)?;
//! let found = motifs_of_move(&position, read_move("Nf7", &position).unwrap());
//! assert_eq!(found[0].to_string(), "the knight on f7 forks the queen on d8 and the rook on h8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_move;
mod combination;
mod found;
mod line;
mod mates;
mod motif;
mod pins;
mod report;
mod safety;
#[cfg(test)]
mod tests;
mod whole_line;
mod zugzwang;

pub use found::{FoundMotif, Spot};
pub(super) use line::Step;
pub use motif::Motif;
pub(super) use pins::pins;
pub use report::LineReport;
pub(super) use safety::{is_in_danger, value, worth};
pub use zugzwang::zugzwang;

use line::Line;
use shakmaty::{Chess, Color, Move, Position};

/// The motifs along a line, seen from `side`, in the order of their plies. The line should be forced: the opponent's
/// moves are taken for the best. It ends at the first move that is not legal.
pub fn motifs_of_line(start: &Chess, line: &[Move], side: Color) -> Vec<FoundMotif> {
    let line = Line::new(start, line, side);
    let mut found = Vec::new();
    // A single move has to show what it does by itself.
    if line.own().count() == 1 {
        let only = line.own().filter(|step| !step.after.is_checkmate());
        found.extend(only.flat_map(by_move::creates));
    }
    for step in line.own() {
        if line.goes_on(step) {
            found.extend(by_move::fork(step));
            found.extend(by_move::lasting_relative_pins(step, &line));
        }
        found.extend(by_move::discovered_check(step));
        found.extend(by_move::special_moves(step));
        found.extend(mates::mate(step));
    }
    found.extend(line.combinations().flat_map(|it| combination::motifs(&it).collect::<Vec<_>>()));
    found.extend(whole_line::motifs(&line));
    // An attack on a wing that ends with a fork or a back-rank mate is called by that name.
    let is_else = |found: &FoundMotif| matches!(found.motif, Motif::Fork | Motif::BackRankMate);
    let has_name = found.iter().any(is_else);
    let is_attack = |motif| matches!(motif, Motif::KingsideAttack | Motif::QueensideAttack);
    found.retain(|found| !(has_name && is_attack(found.motif)));
    found.sort_by_key(|found| (found.ply, found.motif));
    found.dedup();
    found
}

/// The motifs that a single move creates. None if the move is not legal.
pub fn motifs_of_move(position: &Chess, m: Move) -> Vec<FoundMotif> {
    let Some(step) = Step::new(1, position, m) else { return Vec::new() };
    let mut found = by_move::creates(&step);
    found.extend(by_move::hanging_capture(&step, None));
    found.extend(by_move::discovered_check(&step));
    found.extend(by_move::special_moves(&step));
    found.extend(mates::mate(&step));
    found
}
