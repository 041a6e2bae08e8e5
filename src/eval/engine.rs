//! An engine: named terms with their weights.

use super::active_terms::ActiveTerms;
use super::registry::{Entry, Measure};
use super::trace::{Row, Trace};
use super::{EvalContext, ScaleFactor, Score, WeightSpec};
use shakmaty::{Chess, Color};
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// An evaluation made of terms: what one engine file says.
///
/// Read one with [`Engine::parse`] or [`Engine::load`]. A term that the file does not list is not
/// here at all and costs nothing.
///
/// ```
/// use shakmaty::Chess;
/// let engine = tropism::default_engine()?;
/// // The start position is the same for both sides, but for the right to move.
/// assert!((1..50).contains(&engine.evaluate(&Chess::default())));
/// # Ok::<(), tropism::eval::EngineFileError>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    name: String,
    terms: Vec<Plugin>,
    /// What an evaluation needs of the terms, made anew whenever they or their weights change.
    active_terms: Arc<ActiveTerms>,
}

/// One term of an engine, ready for use.
#[derive(Clone)]
pub(super) struct Plugin {
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    pub(super) specs: &'static [WeightSpec],
    /// One entry a pair, in the order of the specs, as the file has them.
    pub(super) given: Vec<Score>,
    /// The term's shape numbers, likewise.
    pub(super) shape: Vec<i32>,
    /// The same at the percentage in force.
    weights: Vec<Score>,
    /// The percentage that the file gives it.
    pub(super) listed_percent: u32,
    /// The percentage of that which has been set since.
    set_percent: u32,
    /// Its sum may be remembered.
    pub(super) pawns_and_kings: bool,
    pub(super) term: Box<dyn Measure>,
}

/// The range of the percentage at which a term is weighed; 100 is as the file has it, 0 is off.
pub const PERCENT: RangeInclusive<u32> = 0..=400;

impl Engine {
    pub(super) fn new(name: String, terms: Vec<Plugin>) -> Engine {
        Engine { name, active_terms: Arc::new(ActiveTerms::new(&terms)), terms }
    }

    pub(super) fn plugins(&self) -> &[Plugin] {
        &self.terms
    }

    pub(super) fn into_plugins(self) -> Vec<Plugin> {
        self.terms
    }

    /// The name its file gives it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes another name, for an engine that is no longer what its file says.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Adds terms; one of the same name is replaced.
    pub(super) fn add(&mut self, terms: Vec<Plugin>) {
        terms.into_iter().for_each(|term| put(&mut self.terms, term));
        self.rebuild();
    }

    fn rebuild(&mut self) {
        self.active_terms = Arc::new(ActiveTerms::new(&self.terms));
    }

    /// The names of its terms, in the file's order.
    pub fn terms(&self) -> impl Iterator<Item = &'static str> {
        self.terms.iter().map(|plugin| plugin.name)
    }

    /// The value of a position in centipawns, from the side to move's point of view.
    ///
    /// Zero when neither side can force mate; and a side that cannot is never ahead, whatever
    /// its pieces are worth.
    pub fn evaluate(&self, position: &Chess) -> i32 {
        EvalContext::ask(position, |view| value(view, self.active_terms.balance(view)))
    }

    /// White's sum minus Black's over all terms, with nothing remembered. [`ScaleFactor::value`] makes
    /// centipawns of it.
    pub fn balance(&self, view: &EvalContext) -> Score {
        self.active_terms.balance_anew(view)
    }

    /// How many weight pairs all its terms have together.
    pub fn pairs(&self) -> usize {
        self.terms.iter().map(|plugin| plugin.given.len()).sum()
    }

    /// All its weight pairs, term by term, each as its term declares them, whatever the percentage
    /// at which they are weighed.
    pub fn weights(&self) -> impl Iterator<Item = Score> {
        self.terms.iter().flat_map(|plugin| plugin.given.iter().copied())
    }

    /// Takes other weights, in the same order.
    pub fn set_weights(&mut self, weights: impl IntoIterator<Item = Score>) {
        let own = self.terms.iter_mut().flat_map(|plugin| plugin.given.iter_mut());
        for (own, weight) in own.zip(weights) {
            *own = weight;
        }
        self.terms.iter_mut().for_each(Plugin::weigh);
        self.rebuild();
    }

    /// The percentage at which a term is weighed: its file's, times what [`Engine::set_percent`] has
    /// set since; `None` if the engine does not have the term.
    pub fn percent(&self, term: &str) -> Option<u32> {
        let plugin = self.terms.iter().find(|plugin| plugin.name == term)?;
        Some(plugin.listed_percent * plugin.set_percent / 100)
    }

    /// Weighs a term at a percentage, within [`PERCENT`], of what its file gives it, a percentage in
    /// the file included: 100 is always as the file has it. Returns whether the engine has the term.
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
        let Some(plugin) = self.terms.iter_mut().find(|plugin| plugin.name == term) else {
            return false;
        };
        plugin.set_percent = percent.clamp(*PERCENT.start(), *PERCENT.end());
        plugin.weigh();
        self.rebuild();
        true
    }

    /// The terms with the number of pairs each has, in the file's order.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.terms.iter().map(|plugin| (plugin.name, plugin.given.len()))
    }

    /// Measures a position for a tuner: fills `counts`, one place a pair, with White's counts
    /// minus Black's. The value follows from them by [`ScaleFactor::value`].
    pub fn record(&self, position: &Chess, counts: &mut [i32]) -> ScaleFactor {
        let view = EvalContext::new(position);
        counts.fill(0);
        let mut rest = counts;
        for plugin in &self.terms {
            let (own, others) = rest.split_at_mut(plugin.given.len());
            plugin.term.record(&view, own);
            rest = others;
        }
        ScaleFactor::new(&view)
    }

    /// The same value with everything that led to it.
    pub fn trace(&self, position: &Chess) -> Trace {
        let view = EvalContext::new(position);
        let rows: Vec<Row> = self.terms.iter().map(|plugin| plugin.row(&view)).collect();
        let total = rows.iter().fold(Score::ZERO, |sum, row| sum + row.total());
        Trace {
            engine: self.name.clone(),
            turn: view.turn,
            phase: view.phase,
            value: value(&view, total),
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

/// Adds a term to others, in place of one of the same name if there is one.
pub(super) fn put(terms: &mut Vec<Plugin>, term: Plugin) {
    match terms.iter_mut().find(|known| known.name == term.name) {
        Some(known) => *known = term,
        None => terms.push(term),
    }
}

/// White's balance as a value for the side to move.
fn value(view: &EvalContext, balance: Score) -> i32 {
    let white = ScaleFactor::value_once(view, balance);
    if view.turn.is_white() { white } else { -white }
}

impl Plugin {
    /// A term with its weights, weighed at a percentage.
    pub(super) fn new(entry: &Entry, given: Vec<Score>, shape: Vec<i32>, percent: u32) -> Plugin {
        let mut plugin = Plugin {
            name: entry.name,
            doc: entry.doc,
            specs: entry.weights,
            weights: given.clone(),
            given,
            listed_percent: percent,
            set_percent: 100,
            pawns_and_kings: entry.pawns_and_kings,
            term: (entry.plug)(&shape),
            shape,
        };
        plugin.weigh();
        plugin
    }

    fn weigh(&mut self) {
        for (weight, given) in self.weights.iter_mut().zip(&self.given) {
            *weight = given.percent(self.listed_percent).percent(self.set_percent);
        }
    }

    /// Its weights at the percentage in force.
    pub(super) fn weights(&self) -> &[Score] {
        &self.weights
    }

    pub(super) fn is_on(&self) -> bool {
        self.listed_percent > 0 && self.set_percent > 0
    }

    fn row(&self, view: &EvalContext) -> Row {
        let [white, black] = [Color::White, Color::Black].map(|side| {
            let contributions = self.term.explain(view, side).contributions;
            let sum = contributions.iter().fold(Score::ZERO, |sum, judgement| {
                sum + self.weights[judgement.weight.index()] * judgement.count
            });
            (sum, contributions)
        });
        Row {
            name: self.name,
            doc: self.doc,
            specs: self.specs,
            weights: self.weights.clone(),
            white: white.0,
            black: black.0,
            white_contributions: white.1,
            black_contributions: black.1,
        }
    }
}
