//! One term of an engine with its weights.

use super::registry::{Entry, Measure};
use super::trace::Row;
use super::{Contribution, EvalContext, Score};
use shakmaty::Color;
use std::{ops::RangeInclusive, sync::Arc};

/// The range of the percentage that scales a term's weights: 100 keeps them as the file has them, 0
/// switches the term off.
pub const PERCENT: RangeInclusive<u32> = 0..=400;

/// One term of an engine, with the weights and parameters that the engine file gives it.
#[derive(Clone)]
pub(super) struct LoadedTerm {
    /// What the term is: its names, weights and parameters.
    pub(super) entry: Arc<Entry>,
    /// The weights as the file has them: one entry for each pair, in the order of the specs.
    pub(super) file_weights: Vec<Score>,
    /// The values of the term's parameters, in the order of their declaration.
    pub(super) parameters: Vec<i32>,
    /// The percentage that the file gives it.
    pub(super) file_percent: u32,
    /// The percentage of that which was set later.
    set_percent: u32,
}

impl LoadedTerm {
    /// A term with its weights, scaled to a percentage.
    pub(super) fn new(
        entry: Arc<Entry>,
        file_weights: Vec<Score>,
        parameters: Vec<i32>,
        file_percent: u32,
    ) -> LoadedTerm {
        LoadedTerm { entry, file_weights, parameters, file_percent, set_percent: 100 }
    }

    /// The term with its parameters.
    pub(super) fn make(&self) -> Box<dyn Measure> {
        self.entry.make(&self.parameters)
    }

    /// The weights at the percentage in force.
    pub(super) fn weights(&self) -> impl Iterator<Item = Score> {
        let scaled = |weight: &Score| weight.percent(self.file_percent).percent(self.set_percent);
        self.file_weights.iter().map(scaled)
    }

    /// The file's percentage times the percentage that was set later.
    pub(super) fn percent(&self) -> u32 {
        self.file_percent * self.set_percent / 100
    }

    /// Scales the weights of the file to a percentage within [`PERCENT`].
    pub(super) fn set_percent(&mut self, percent: u32) {
        self.set_percent = percent.clamp(*PERCENT.start(), *PERCENT.end());
    }

    /// Whether it counts at all.
    pub(super) fn is_on(&self) -> bool {
        self.file_percent > 0 && self.set_percent > 0
    }

    /// All contributions of White and of Black.
    pub(super) fn contributions(&self, context: &EvalContext) -> [Vec<Contribution>; 2] {
        if !self.entry.scope.includes(context.is_bare_king_ending) {
            return Default::default();
        }
        let term = self.make();
        Color::ALL.map(|side| term.explain(context, side))
    }

    /// Its row of the trace.
    pub(super) fn row(&self, context: &EvalContext) -> Row {
        let weights: Vec<Score> = self.weights().collect();
        let sum = |contributions: &[Contribution]| {
            contributions.iter().fold(Score::ZERO, |sum, contribution| {
                sum + weights[contribution.weight.index()] * contribution.count
            })
        };
        let [white_contributions, black_contributions] = self.contributions(context);
        Row {
            entry: Arc::clone(&self.entry),
            white: sum(&white_contributions),
            black: sum(&black_contributions),
            weights,
            white_contributions,
            black_contributions,
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
