//! Who is asked, and with which weights: chosen once when weights change, not at each evaluation.

use super::engine::Plugin;
use super::pawn_cache::{Stamp, remembered};
use super::registry::Measure;
use super::{EvalContext, MOST_PAIRS, Score};

/// The terms of an engine that are on, sorted by when they are asked.
pub(super) struct ActiveTerms {
    /// Asked where a bare king is to be mated.
    mating: Vec<ActiveTerm>,
    /// Asked elsewhere, and their sum is remembered.
    pawns_and_kings: Vec<ActiveTerm>,
    /// Asked elsewhere, each time.
    others: Vec<ActiveTerm>,
    /// The weights of all terms one after the other, near each other in memory, and zeros behind them so
    /// that the weights of the last one fill an array too.
    weights: Vec<Score>,
    stamp: Stamp,
}

/// A term that is asked.
#[derive(Clone)]
struct ActiveTerm {
    term: Box<dyn Measure>,
    /// Where its weights begin.
    first: usize,
}

impl ActiveTerms {
    pub(super) fn new(plugins: &[Plugin]) -> ActiveTerms {
        let mut active_terms = ActiveTerms {
            mating: Vec::new(),
            pawns_and_kings: Vec::new(),
            others: Vec::new(),
            weights: Vec::new(),
            stamp: Stamp::new(),
        };
        for plugin in plugins.iter().filter(|plugin| plugin.is_on()) {
            let term = ActiveTerm { term: plugin.term.clone(), first: active_terms.weights.len() };
            active_terms.weights.extend_from_slice(plugin.weights());
            if plugin.term.has_a_say(true) {
                active_terms.mating.push(term.clone());
            }
            if plugin.term.has_a_say(false) {
                let pawns_and_kings = plugin.pawns_and_kings;
                let list = if pawns_and_kings {
                    &mut active_terms.pawns_and_kings
                } else {
                    &mut active_terms.others
                };
                list.push(term);
            }
        }
        active_terms.weights.resize(active_terms.weights.len() + MOST_PAIRS, Score::ZERO);
        active_terms
    }

    /// White's sum minus Black's over all terms, pawns and kings from memory.
    pub(super) fn balance(&self, view: &EvalContext) -> Score {
        if view.mating {
            self.sum(&self.mating, view)
        } else {
            let pawns = remembered(self.stamp, view, || self.sum(&self.pawns_and_kings, view));
            pawns + self.sum(&self.others, view)
        }
    }

    /// The same with nothing remembered.
    pub(super) fn balance_anew(&self, view: &EvalContext) -> Score {
        if view.mating {
            self.sum(&self.mating, view)
        } else {
            self.sum(&self.pawns_and_kings, view) + self.sum(&self.others, view)
        }
    }

    #[inline]
    fn sum(&self, active: &[ActiveTerm], view: &EvalContext) -> Score {
        active.iter().fold(Score::ZERO, |sum, term| {
            // There are always as many: zeros stand behind the last ones.
            let weights = self.weights[term.first..].first_chunk();
            sum + weights.map_or(Score::ZERO, |weights| term.term.balance(view, weights))
        })
    }
}
