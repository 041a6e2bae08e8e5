//! The terms that engine files may name.

use super::formula::FormulaTerm;
use super::{
    EvalContext, Explain, MOST_PAIRS, ParameterSpec, Record, Scope, Score, Sink, Sum, Term,
    WeightSpec, pairs,
};
use shakmaty::Color;
use std::{borrow::Cow, fmt, sync::Arc};

/// A list of known terms. [`terms::registry`](crate::terms::registry) is the one that ships. A program
/// adds its own terms to it:
///
/// ```
/// use shakmaty::Color;
/// use tropism::eval::{EvalContext, Sink, Term, WeightSpec};
///
/// struct MyTerm;
///
/// impl Term for MyTerm {
///     const NAME: &'static str = "my_term";
///     // ...
/// #   const DOC: &'static str = "";
/// #   const SOURCE: &'static str = "";
/// #   const WEIGHTS: &'static [WeightSpec] = &[];
/// #   fn new(_: &[i32]) -> Self { MyTerm }
/// #   fn measure<S: Sink>(&self, _: &EvalContext, _: Color, _: &mut S) {}
/// }
///
/// let mut registry = tropism::terms::registry();
/// registry.add::<MyTerm>();
/// assert_eq!(registry.get("my_term").map(|entry| entry.name), Some("my_term"));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Registry {
    entries: Vec<Entry>,
    bases: Vec<(&'static str, &'static str)>,
}

impl Registry {
    /// Adds a term. A term of the same name is replaced. A term with more than [`MOST_PAIRS`] weight
    /// pairs does not compile.
    pub fn add<T: Term>(&mut self) -> &mut Registry {
        const { assert!(pairs(T::WEIGHTS) <= MOST_PAIRS, "the term has too many weights") };
        self.entries.retain(|entry| entry.name != T::NAME);
        self.entries.push(Entry {
            name: T::NAME,
            doc: T::DOC,
            source: T::SOURCE,
            weights: Cow::Borrowed(T::WEIGHTS),
            parameters: T::PARAMETERS,
            pawns_and_kings: T::PAWNS_AND_KINGS,
            is_tuned_from_games: T::TUNED_FROM_GAMES,
            kind: Kind::Rust(|parameters| Box::new(Shared(Arc::new(RustTerm(T::new(parameters)))))),
        });
        self
    }

    /// Adds an engine file that other files can build on with `base = "NAME"`. The file itself has no
    /// base.
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

    /// The names of the base files.
    pub(super) fn bases(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.bases.iter().map(|&(name, _)| name)
    }

    /// The text of the base file of this name.
    pub(super) fn base(&self, name: &str) -> Option<&'static str> {
        self.bases.iter().find(|&&(known, _)| known == name).map(|&(_, text)| text)
    }

    /// The same terms without base files.
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
    pub weights: Cow<'static, [WeightSpec]>,
    /// [`Term::PARAMETERS`].
    pub parameters: &'static [ParameterSpec],
    /// [`Term::PAWNS_AND_KINGS`].
    pub pawns_and_kings: bool,
    /// [`Term::TUNED_FROM_GAMES`].
    pub is_tuned_from_games: bool,
    pub(super) kind: Kind,
}

/// How a term is written.
#[derive(Clone)]
pub(super) enum Kind {
    /// In Rust: the function makes it from the values of its parameters.
    Rust(fn(&[i32]) -> Box<dyn Measure>),
    /// In an engine file.
    Formula(Arc<FormulaTerm>),
}

impl Entry {
    /// Whether an engine file writes the term itself, as data.
    pub fn is_formula(&self) -> bool {
        matches!(self.kind, Kind::Formula(_))
    }

    /// The term with these parameters.
    pub(super) fn make(&self, parameters: &[i32]) -> Box<dyn Measure> {
        match &self.kind {
            Kind::Rust(make) => make(parameters),
            Kind::Formula(term) => Box::new(Shared(Arc::clone(term))),
        }
    }

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

/// A [`Term`] behind a pointer: one method for each sink, so that terms of different types fit one list.
pub(super) trait Measure: Send + Sync {
    /// [`Term::SCOPE`].
    fn scope(&self) -> Scope;

    /// White's sum minus Black's. Only for positions within the scope.
    fn balance(&self, context: &EvalContext, weights: &[Score; MOST_PAIRS]) -> Score;

    /// All contributions of one side.
    fn explain(&self, context: &EvalContext, side: Color) -> Explain;

    /// Adds White's count minus Black's of each weight to `counts`.
    fn record(&self, context: &EvalContext, counts: &mut [i32]);

    /// Another pointer to the same term.
    fn share(&self) -> Box<dyn Measure>;
}

impl Clone for Box<dyn Measure> {
    fn clone(&self) -> Self {
        (**self).share()
    }
}

/// What measures: a term in Rust or one of an engine file.
trait Measurement: Send + Sync + 'static {
    fn scope(&self) -> Scope;

    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S);
}

/// A term in Rust.
struct RustTerm<T>(T);

impl<T: Term> Measurement for RustTerm<T> {
    #[inline(always)]
    fn scope(&self) -> Scope {
        T::SCOPE
    }

    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        self.0.measure(context, side, sink);
    }
}

impl Measurement for FormulaTerm {
    /// The condition of the term says where it applies.
    fn scope(&self) -> Scope {
        Scope::Everywhere
    }

    #[inline]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        FormulaTerm::measure(self, context, side, sink);
    }
}

/// A term that several engines share. The counted pointer is inside: with `Arc<dyn Measure>` each call
/// would have to compute the address of the term from its alignment.
struct Shared<T>(Arc<T>);

impl<T: Measurement> Measure for Shared<T> {
    fn scope(&self) -> Scope {
        self.0.scope()
    }

    fn balance(&self, context: &EvalContext, weights: &[Score; MOST_PAIRS]) -> Score {
        let sum = |side| {
            let mut sink = Sum::new(weights);
            self.0.measure(context, side, &mut sink);
            sink.total()
        };
        sum(Color::White) - sum(Color::Black)
    }

    fn explain(&self, context: &EvalContext, side: Color) -> Explain {
        let mut sink = Explain::default();
        if self.0.scope().includes(context.is_bare_king_ending) {
            self.0.measure(context, side, &mut sink);
        }
        sink
    }

    fn record(&self, context: &EvalContext, counts: &mut [i32]) {
        if self.0.scope().includes(context.is_bare_king_ending) {
            for (side, sign) in [(Color::White, 1), (Color::Black, -1)] {
                self.0.measure(context, side, &mut Record { counts, sign });
            }
        }
    }

    fn share(&self) -> Box<dyn Measure> {
        Box::new(Shared(self.0.clone()))
    }
}
