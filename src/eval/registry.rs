//! The terms that engine files may name.

use super::{
    EvalContext, Explain, MOST_PAIRS, Record, Score, ShapeSpec, Sum, Term, WeightSpec, pairs,
};
use shakmaty::Color;
use std::{fmt, sync::Arc};

/// A list of known terms. [`terms::registry`](crate::terms::registry) is the one that ships; a
/// program with terms of its own adds them:
///
/// ```
/// let mut registry = tropism::terms::registry();
/// # use tropism::terms::Material as MyTerm;
/// # let mut registry = tropism::eval::Registry::default();
/// registry.add::<MyTerm>();
/// ```
#[derive(Clone, Default, Debug)]
pub struct Registry {
    entries: Vec<Entry>,
    bases: Vec<(&'static str, &'static str)>,
}

impl Registry {
    /// Makes a term known. A term of the same name is replaced. One with more than [`MOST_PAIRS`] does
    /// not compile.
    pub fn add<T: Term>(&mut self) -> &mut Registry {
        const { assert!(pairs(T::WEIGHTS) <= MOST_PAIRS, "the term has too many weights") };
        self.entries.retain(|entry| entry.name != T::NAME);
        self.entries.push(Entry {
            name: T::NAME,
            doc: T::DOC,
            source: T::SOURCE,
            weights: T::WEIGHTS,
            shape: T::SHAPE,
            pawns_and_kings: T::PAWNS_AND_KINGS,
            plug: |shape| Box::new(Plugged(Arc::new(T::new(shape)))),
        });
        self
    }

    /// Makes an engine file known by a name, for other files to build on: `base = "NAME"`. The file itself
    /// has no base.
    ///
    /// ```
    /// use tropism::{eval::Engine, terms::registry};
    /// let mut registry = registry();
    /// registry.add_base("forks", "name = 'f'\nterms = ['knight_forks']\n[knight_forks]\nfork = [14, 10]\nfamily = [24, 20]");
    /// let more = "name = 'more forks'\nbase = 'forks'\n[knight_forks]\nfork = [28, 20]";
    /// let engine = Engine::parse(more, "more.toml", &registry)?;
    /// assert_eq!(engine.weights().map(|weight| weight.taper(0)).collect::<Vec<_>>(), [20, 20]);
    /// # Ok::<(), tropism::eval::EngineFileError>(())
    /// ```
    pub fn add_base(&mut self, name: &'static str, text: &'static str) -> &mut Registry {
        self.bases.retain(|&(known, _)| known != name);
        self.bases.push((name, text));
        self
    }

    /// The names of the files to build on.
    pub(super) fn bases(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.bases.iter().map(|&(name, _)| name)
    }

    /// The text of the file of this name.
    pub(super) fn base(&self, name: &str) -> Option<&'static str> {
        self.bases.iter().find(|&&(known, _)| known == name).map(|&(_, text)| text)
    }

    /// The same terms, and nothing to build on.
    pub(super) fn without_bases(&self) -> Registry {
        Registry { entries: self.entries.clone(), bases: Vec::new() }
    }

    /// All entries, in the order they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of this name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// What the registry knows of a term.
#[derive(Clone)]
pub struct Entry {
    /// [`Term::NAME`].
    pub name: &'static str,
    /// [`Term::DOC`].
    pub doc: &'static str,
    /// [`Term::SOURCE`].
    pub source: &'static str,
    /// [`Term::WEIGHTS`].
    pub weights: &'static [WeightSpec],
    /// [`Term::SHAPE`].
    pub shape: &'static [ShapeSpec],
    /// [`Term::PAWNS_AND_KINGS`].
    pub pawns_and_kings: bool,
    /// Makes the term ready for use.
    pub(super) plug: fn(&[i32]) -> Box<dyn Measure>,
}

impl Entry {
    /// The name of the UCI option that sets the percentage of its weights.
    pub fn option_name(&self) -> String {
        format!("{} percent", self.name)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// [`Term`] with its sinks chosen, so that terms of different types fit one list.
pub(super) trait Measure: Send + Sync {
    /// Whether it judges positions where a bare king is to be mated, or all others.
    fn has_a_say(&self, mating: bool) -> bool;

    /// White's sum minus Black's, where it has a say.
    fn balance(&self, view: &EvalContext, weights: &[Score; MOST_PAIRS]) -> Score;

    /// Everything one side was credited with.
    fn explain(&self, view: &EvalContext, side: Color) -> Explain;

    /// Adds White's count minus Black's of each weight to `counts`.
    fn record(&self, view: &EvalContext, counts: &mut [i32]);

    /// The same term once more, not a copy of it.
    fn share(&self) -> Box<dyn Measure>;
}

impl Clone for Box<dyn Measure> {
    fn clone(&self) -> Self {
        (**self).share()
    }
}

/// The pointer that counts is inside: with `Arc<dyn Measure>` each call would have to work out where the
/// term begins.
struct Plugged<T>(Arc<T>);

impl<T: Term> Measure for Plugged<T> {
    fn has_a_say(&self, mating: bool) -> bool {
        if mating { T::WITH_BARE_KING } else { T::WITHOUT_BARE_KING }
    }

    fn balance(&self, view: &EvalContext, weights: &[Score; MOST_PAIRS]) -> Score {
        let sum = |side| {
            let mut sink = Sum::new(weights);
            self.0.measure(view, side, &mut sink);
            sink.total()
        };
        sum(Color::White) - sum(Color::Black)
    }

    fn explain(&self, view: &EvalContext, side: Color) -> Explain {
        let mut sink = Explain::default();
        if self.has_a_say(view.mating) {
            self.0.measure(view, side, &mut sink);
        }
        sink
    }

    fn record(&self, view: &EvalContext, counts: &mut [i32]) {
        if self.has_a_say(view.mating) {
            for (side, sign) in [(Color::White, 1), (Color::Black, -1)] {
                self.0.measure(view, side, &mut Record { counts, sign });
            }
        }
    }

    fn share(&self) -> Box<dyn Measure> {
        Box::new(Plugged(self.0.clone()))
    }
}
