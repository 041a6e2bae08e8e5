//! Which terms are measured, and with which weights: chosen once when weights change, not at each
//! evaluation.

use super::loaded_term::LoadedTerm;
use super::pawn_cache::{WeightsId, cached_sum};
use super::registry::Measure;
use super::{EvalContext, MAX_PAIRS, Score};

/// The terms of an engine that are switched on, sorted by the positions they apply to.
pub(super) struct ActiveTerms {
    /// Terms that apply where pieces mate a bare king.
    bare_king: Vec<ActiveTerm>,
    /// Terms that apply elsewhere and read only pawns and kings: their sum is cached.
    pawns_and_kings: Vec<ActiveTerm>,
    /// All other terms that apply elsewhere.
    others: Vec<ActiveTerm>,
    /// The weights of all terms one after the other, near each other in memory. Zeros follow, so that
    /// the weights of the last term fill an array too.
    weights: Vec<Score>,
    /// Identifies these weights in the pawn cache.
    id: WeightsId,
}

/// A term that is measured.
struct ActiveTerm {
    term: Box<dyn Measure>,
    /// Index of its first weight.
    first: usize,
}

impl ActiveTerms {
    pub(super) fn new(terms: &[LoadedTerm]) -> ActiveTerms {
        let mut active_terms = ActiveTerms {
            bare_king: Vec::new(),
            pawns_and_kings: Vec::new(),
            others: Vec::new(),
            weights: Vec::new(),
            id: WeightsId::new(),
        };
        for loaded in terms.iter().filter(|loaded| loaded.is_on()) {
            let first = active_terms.weights.len();
            active_terms.weights.extend(loaded.weights());
            if loaded.entry.scope.includes(true) {
                active_terms.bare_king.push(ActiveTerm { term: loaded.make(), first });
            }
            if loaded.entry.scope.includes(false) {
                let ActiveTerms { pawns_and_kings, others, .. } = &mut active_terms;
                let list = if loaded.entry.pawns_and_kings { pawns_and_kings } else { others };
                list.push(ActiveTerm { term: loaded.make(), first });
            }
        }
        active_terms.weights.resize(active_terms.weights.len() + MAX_PAIRS, Score::ZERO);
        active_terms
    }

    /// White's sum minus Black's over all terms. With the pawn cache, the sum of pawns and kings comes from there.
    #[inline]
    pub(super) fn balance(&self, context: &EvalContext, has_cache: bool) -> Score {
        if context.is_bare_king_ending {
            return self.sum(&self.bare_king, context);
        }
        let measure = || self.sum(&self.pawns_and_kings, context);
        let pawns = if has_cache { cached_sum(self.id, context, measure) } else { measure() };
        pawns + self.sum(&self.others, context)
    }

    #[inline]
    fn sum(&self, active: &[ActiveTerm], context: &EvalContext) -> Score {
        active.iter().fold(Score::ZERO, |sum, term| {
            // The slice is always long enough: zeros follow the last weights.
            let weights = self.weights[term.first..].first_chunk();
            sum + weights.map_or(Score::ZERO, |weights| term.term.balance(context, weights))
        })
    }
}
