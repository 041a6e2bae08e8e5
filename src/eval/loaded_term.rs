//! One term of an engine with its weights.

use super::registry::{Entry, Measure};
use super::trace::Row;
use super::{EvalContext, Score};
use shakmaty::Color;
use std::ops::RangeInclusive;

/// The range of the percentage that scales a term's weights: 100 keeps them as the file has them, 0
/// switches the term off.
pub const PERCENT: RangeInclusive<u32> = 0..=400;

/// One term of an engine, with the weights and parameters that the engine file gives it.
#[derive(Clone)]
pub(super) struct LoadedTerm {
    /// What the term is: its names, weights and parameters.
    pub(super) entry: Entry,
    /// The weights as the file has them: one entry for each pair, in the order of the specs.
    pub(super) file_weights: Vec<Score>,
    /// The values of the term's parameters, in the order of their declaration.
    pub(super) parameters: Vec<i32>,
    /// The weights of the file at the percentage in force.
    weights: Vec<Score>,
    /// The percentage that the file gives it.
    pub(super) file_percent: u32,
    /// The percentage of that which was set later.
    set_percent: u32,
    pub(super) term: Box<dyn Measure>,
}

impl LoadedTerm {
    /// A term with its weights, scaled to a percentage.
    pub(super) fn new(
        entry: Entry,
        file_weights: Vec<Score>,
        parameters: Vec<i32>,
        percent: u32,
    ) -> LoadedTerm {
        let mut term = LoadedTerm {
            weights: file_weights.clone(),
            file_weights,
            file_percent: percent,
            set_percent: 100,
            term: entry.make(&parameters),
            parameters,
            entry,
        };
        term.scale();
        term
    }

    /// The weights at the percentage in force.
    pub(super) fn weights(&self) -> &[Score] {
        &self.weights
    }

    /// The file's percentage times the percentage that was set later.
    pub(super) fn percent(&self) -> u32 {
        self.file_percent * self.set_percent / 100
    }

    /// Scales the weights of the file to a percentage within [`PERCENT`].
    pub(super) fn set_percent(&mut self, percent: u32) {
        self.set_percent = percent.clamp(*PERCENT.start(), *PERCENT.end());
        self.scale();
    }

    /// Recomputes the weights in force.
    pub(super) fn scale(&mut self) {
        for (weight, of_file) in self.weights.iter_mut().zip(&self.file_weights) {
            *weight = of_file.percent(self.file_percent).percent(self.set_percent);
        }
    }

    pub(super) fn is_on(&self) -> bool {
        self.file_percent > 0 && self.set_percent > 0
    }

    /// Its row of the trace.
    pub(super) fn row(&self, context: &EvalContext) -> Row {
        let [white, black] = [Color::White, Color::Black].map(|side| {
            let contributions = self.term.explain(context, side).contributions;
            let sum = contributions.iter().fold(Score::ZERO, |sum, contribution| {
                sum + self.weights[contribution.weight.index()] * contribution.count
            });
            (sum, contributions)
        });
        Row {
            name: self.entry.name,
            doc: self.entry.doc,
            specs: self.entry.weights.clone(),
            weights: self.weights.clone(),
            white: white.0,
            black: black.0,
            white_contributions: white.1,
            black_contributions: black.1,
        }
    }
}

/// Adds a term to others. A term of the same name is replaced.
pub(super) fn put(terms: &mut Vec<LoadedTerm>, term: LoadedTerm) {
    match terms.iter_mut().find(|known| known.entry.name == term.entry.name) {
        Some(known) => *known = term,
        None => terms.push(term),
    }
}
