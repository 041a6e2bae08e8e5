//! An engine: named terms with their weights.

use super::active_terms::ActiveTerms;
use super::loaded_term::LoadedTerm;
use super::scale::{LoadedScale, Scales, scaled};
use super::trace::{Row, Trace};
use super::{Entry, EvalContext, ScaleEntry, ScaleFactor, Score};
use shakmaty::{ByColor, Chess, Color};
use std::{fmt, sync::Arc};

/// An evaluation made of terms, as one engine file describes it.
///
/// Read one with [`Engine::parse`] or [`Engine::load`]. A term that the file does not list costs nothing.
///
/// ```
/// use shakmaty::Chess;
/// let engine = tropism::default_engine()?;
/// // The start position is equal for both sides, except for the right to move.
/// assert!((1..50).contains(&engine.evaluate(&Chess::default())));
/// # Ok::<(), tropism::eval::EngineFileError>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    name: String,
    terms: Vec<LoadedTerm>,
    /// The active terms and their weights, rebuilt whenever they change.
    active_terms: Arc<ActiveTerms>,
    scales: Arc<Scales>,
    pub(super) warnings: Vec<String>,
}

impl Engine {
    pub(super) fn new(name: String, terms: Vec<LoadedTerm>, scales: Vec<LoadedScale>) -> Engine {
        let active_terms = Arc::new(ActiveTerms::new(&terms));
        let scales = Arc::new(Scales::new(scales));
        Engine { name, active_terms, terms, scales, warnings: Vec::new() }
    }

    pub(super) fn loaded_terms(&self) -> &[LoadedTerm] {
        &self.terms
    }

    pub(super) fn loaded_scales(&self) -> &[LoadedScale] {
        &self.scales.list
    }

    /// The name its file gives it.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn rebuild(&mut self) {
        self.active_terms = Arc::new(ActiveTerms::new(&self.terms));
    }

    /// What its file has without effect, each as `FILE:LINE:COLUMN: MESSAGE`: a term that is not listed, and named values
    /// that no expression reads.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The names of its terms, in the file's order.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|term| &*term.entry.name)
    }

    /// What is known of its terms, in the file's order.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.terms.iter().map(|term| &term.entry)
    }

    /// The value of a position in centipawns, from the side to move's point of view.
    ///
    /// A side that cannot force mate is never ahead, so the value is zero when neither side can.
    pub fn evaluate(&self, position: &Chess) -> i32 {
        EvalContext::with(position, |context| {
            self.value(context, self.active_terms.balance(context, true))
        })
    }

    /// White's sum minus Black's over all terms, computed without the pawn cache. [`ScaleFactor::value`]
    /// turns it into centipawns.
    pub fn balance(&self, context: &EvalContext) -> Score {
        self.active_terms.balance(context, false)
    }

    /// White's balance as a value for the side to move.
    #[inline]
    fn value(&self, context: &EvalContext, balance: Score) -> i32 {
        let white = scaled(balance, context.phase, |side| self.scales.share(context, side));
        if context.turn.is_white() { white } else { -white }
    }

    /// The scale factor that applies to a side if it is ahead, and what it then keeps, in 64ths.
    pub fn scale(&self, context: &EvalContext, side: Color) -> Option<(&Arc<ScaleEntry>, i32)> {
        self.scales.find(context, side)
    }

    /// How many weight pairs all its terms have together.
    pub fn pairs(&self) -> usize {
        self.terms.iter().map(|term| term.file_weights.len()).sum()
    }

    /// All its weight pairs, term by term in declared order, before any percentage is applied.
    pub fn weights(&self) -> impl Iterator<Item = Score> {
        self.terms.iter().flat_map(|term| term.file_weights.iter().copied())
    }

    /// Replaces the weights, in the same order.
    pub fn set_weights(&mut self, weights: impl IntoIterator<Item = Score>) {
        let own = self.terms.iter_mut().flat_map(|term| term.file_weights.iter_mut());
        for (own, weight) in own.zip(weights) {
            *own = weight;
        }
        self.rebuild();
    }

    /// The percentage that scales a term's weights: the file's times the one of [`Engine::set_percent`];
    /// `None` if the engine does not have the term.
    pub fn percent(&self, term: &str) -> Option<u32> {
        let term = self.terms.iter().find(|known| known.entry.name == term)?;
        Some(term.percent())
    }

    /// Scales the weights of a term to a percentage within [`PERCENT`](super::PERCENT) of what the file
    /// gives it: 100 is as the file has it. Returns whether the engine has the term.
    ///
    /// ```
    /// # use tropism::search::Game;
    /// let mut engine = tropism::default_engine()?;
    /// let pawn_up = Game::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - -", None)?;
    /// let before = engine.evaluate(pawn_up.position().chess());
    /// assert!(engine.set_percent("material", 200));
    /// assert!(engine.evaluate(pawn_up.position().chess()) > before);
    /// assert!(!engine.set_percent("no_such_term", 200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_percent(&mut self, term: &str, percent: u32) -> bool {
        let Some(term) = self.terms.iter_mut().find(|known| known.entry.name == term) else {
            return false;
        };
        term.set_percent(percent);
        self.rebuild();
        true
    }

    /// The terms with the number of pairs each has, in the file's order.
    pub fn parts(&self) -> impl Iterator<Item = (&str, usize)> {
        self.terms.iter().map(|term| (&*term.entry.name, term.file_weights.len()))
    }

    /// Measures a position for a tuner: fills `counts`, one entry for each pair, with White's counts minus
    /// Black's. [`ScaleFactor::value`] turns their weighted sum into the value.
    pub fn record(&self, position: &Chess, counts: &mut [i32]) -> ScaleFactor {
        let context = EvalContext::new(position);
        counts.fill(0);
        let mut rest = counts;
        for term in &self.terms {
            let (own, others) = rest.split_at_mut(term.file_weights.len());
            for (contributions, sign) in term.contributions(&context).iter().zip([1, -1]) {
                contributions.iter().for_each(|seen| own[seen.weight.index()] += sign * seen.count);
            }
            rest = others;
        }
        let shares = ByColor::new_with(|side| self.scales.share(&context, side));
        ScaleFactor { phase: context.phase, shares }
    }

    /// The value of [`Engine::evaluate`] with the contributions that led to it.
    pub fn trace(&self, position: &Chess) -> Trace {
        let context = EvalContext::new(position);
        let rows: Vec<Row> = self.terms.iter().map(|term| term.row(&context)).collect();
        let total = rows.iter().fold(Score::ZERO, |sum, row| sum + row.total());
        let ahead = Color::from_white(total.taper(context.phase) > 0);
        let scale = self.scale(&context, ahead);
        Trace {
            scale: scale.map(|(entry, share)| (Arc::clone(entry), f64::from(share) / 64.0)),
            engine: self.name.clone(),
            value: self.value(&context, total),
            position: position.clone(),
            context,
            total,
            rows,
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<_> = self.terms().collect();
        f.debug_struct("Engine").field("name", &self.name).field("terms", &terms).finish()
    }
}
