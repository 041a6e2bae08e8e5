//! The evaluation of one position, term by term.

use super::{Contribution, Entry, EvalContext, ScaleEntry, Score, Weight, WeightSpec};
use shakmaty::{Chess, Color};
use std::sync::Arc;

/// An evaluation term by term. Prints as a table in pawns, White's point of view; what is shown
/// adds up.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The name of the engine.
    pub engine: String,
    /// The position.
    pub position: Chess,
    /// What terms read of it.
    pub context: EvalContext,
    /// One row for each term, in the engine's order.
    pub rows: Vec<Row>,
    /// White minus Black over all rows.
    pub total: Score,
    /// Why the side ahead keeps only a share of its advantage, and the share, 0 to 1. Nothing if it keeps all.
    pub scale: Option<(Arc<ScaleEntry>, f64)>,
    /// The value in centipawns for the side to move, as the search gets it.
    pub value: i32,
}

/// The contributions of one term.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the term is: its name, its sentence, its weights.
    pub entry: Arc<Entry>,
    /// The weights at the percentage in force, one entry for each pair.
    pub weights: Vec<Score>,
    /// White's sum.
    pub white: Score,
    /// Black's sum.
    pub black: Score,
    /// White's contributions.
    pub white_contributions: Vec<Contribution>,
    /// Black's contributions.
    pub black_contributions: Vec<Contribution>,
}

impl Row {
    /// The term's name.
    pub fn name(&self) -> &str {
        &self.entry.name
    }

    /// White minus Black.
    pub fn total(&self) -> Score {
        self.white - self.black
    }

    /// The contributions of a side.
    pub fn contributions(&self, side: Color) -> &[Contribution] {
        side.fold_wb(&self.white_contributions, &self.black_contributions)
    }

    /// What a contribution is worth to its side.
    pub fn worth(&self, contribution: &Contribution) -> Score {
        let weight = self.weights.get(contribution.weight.index()).copied().unwrap_or_default();
        weight * contribution.count
    }

    /// The declared weight that a handle belongs to, and the handle's index in it, 0 for a single pair.
    pub fn weight(&self, weight: Weight) -> Option<(&WeightSpec, usize)> {
        let mut index = weight.index();
        for spec in &self.entry.weights {
            let Some(rest) = index.checked_sub(spec.pairs()) else { return Some((spec, index)) };
            index = rest;
        }
        None
    }
}

impl Trace {
    /// The value in centipawns for White.
    pub fn white_value(&self) -> i32 {
        self.context.turn.fold_wb(self.value, -self.value)
    }
}
