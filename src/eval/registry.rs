//! The terms that engine files may name.

use super::formula::FormulaTerm;
use super::{
    Account, Contribution, Engine, EngineFileError, EvalContext, MAX_PAIRS, Marks, ParameterSpec,
    ScaleEntry, Scope, Score, Speech, Sum, Term, WeightSpec, meaning::Text,
};
use shakmaty::Color;
use std::{fmt, sync::Arc};

/// A list of known terms. [`terms::registry`](crate::terms::registry) is the one that ships. A program
/// adds its own terms to it, as [`Term`] shows.
#[derive(Clone, Default, Debug)]
pub struct Registry {
    entries: Vec<Arc<Entry>>,
    scales: Vec<Arc<ScaleEntry>>,
    bases: Vec<(&'static str, &'static str)>,
    default_file: &'static str,
    /// The names of terms that another one replaced.
    replaced: Vec<Text>,
}

impl Registry {
    /// Adds a term. A term of the same name is replaced. A name or theme that files cannot write is an error of
    /// [`Engine::parse`].
    pub fn add<T: Declared>(&mut self) -> &mut Registry {
        self.add_entry(T::entry())
    }

    pub(super) fn add_entry(&mut self, new: Entry) -> &mut Registry {
        if self.get(&new.name).is_some() {
            self.replaced.push(new.name.clone());
            self.entries.retain(|entry| entry.name != new.name);
        }
        self.entries.push(Arc::new(new));
        self
    }

    /// Adds a scale factor or a known draw, which all engine files use that do not switch it off. One of the same name
    /// is replaced.
    pub fn add_scale(&mut self, new: ScaleEntry) -> &mut Registry {
        self.scales.retain(|scale| scale.name != new.name);
        self.scales.push(Arc::new(new));
        self
    }

    /// All scale factors and known draws. The first that applies decides.
    pub fn scales(&self) -> &[Arc<ScaleEntry>] {
        &self.scales
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
    pub fn bases(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.bases.iter().map(|&(name, _)| name)
    }

    /// The text of the base file of this name.
    pub(super) fn base(&self, name: &str) -> Option<&'static str> {
        self.bases.iter().find(|&&(known, _)| known == name).map(|&(_, text)| text)
    }

    /// The same terms without base files.
    pub(super) fn without_bases(&self) -> Registry {
        Registry { bases: Vec::new(), ..self.clone() }
    }

    /// Sets the engine file that a program with these terms uses if it is given none. It may build on a base.
    pub fn set_default(&mut self, text: &'static str) -> &mut Registry {
        self.default_file = text;
        self
    }

    /// The text of the engine file that is used if none is given.
    pub fn default_file(&self) -> &'static str {
        self.default_file
    }

    /// The engine of [`Registry::default_file`].
    ///
    /// # Errors
    ///
    /// If the file is wrong. Tests rule that out for the terms that ship.
    pub fn default_engine(&self) -> Result<Engine, EngineFileError> {
        Engine::parse(self.default_file, "the built-in engine file", self)
    }

    /// All entries, in the order they were added.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// Whether the term of this name replaced another one.
    pub(super) fn replaces(&self, name: &str) -> bool {
        self.replaced.iter().any(|replaced| replaced == name)
    }

    /// The entry of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// What a registry needs of a term in Rust. The macro [`term!`](crate::term!) implements it.
pub trait Declared: Term + Sized {
    /// What the term is called and which weights and parameters it has.
    fn entry() -> Entry;

    /// Makes the term from the values of its parameters, in the order of their declaration.
    fn new(parameters: &[i32]) -> Self;
}

/// What is known of a term before an engine file gives it values. The macro [`term!`](crate::term!)
/// describes the fields.
pub struct Entry {
    /// Its key in engine files and its row in the trace: lower case, words joined by `_`.
    pub name: Text,
    /// One sentence for people: what it measures and why that matters on the board.
    pub doc: Text,
    /// Where the idea was published.
    pub source: Text,
    /// What its sentences are about.
    pub theme: Text,
    /// Who puts its counts into words.
    pub speech: Speech,
    /// Draws what it counts, in addition to the worth of each square.
    pub draws: Option<fn(&Account) -> Marks>,
    /// The weights that it multiplies its counts with.
    pub weights: Vec<WeightSpec>,
    /// Whole numbers inside its formula.
    pub parameters: &'static [ParameterSpec],
    /// The positions that it applies to. A term of activity or structure has [`Scope::NotBareKing`], so that
    /// it does not disturb the terms that mate a bare king.
    pub scope: Scope,
    /// Whether it reads only the pawns and kings of the context. Its sum is then cached until one of them
    /// moves.
    pub pawns_and_kings: bool,
    /// Whether the tuner fits the weights to the results of games. Weights that drive a won ending to mate
    /// come from exact tables or from a published formula; games say little about them.
    pub is_tuned_from_games: bool,
    pub(super) kind: Kind,
}

/// How a term is written.
pub(super) enum Kind {
    /// In Rust: the function makes it from the values of its parameters.
    Rust(fn(&[i32]) -> Box<dyn Measure>),
    /// In an engine file.
    Formula(Arc<FormulaTerm>),
}

impl Entry {
    /// A term in Rust that applies everywhere, reads the whole board and is tuned from games.
    pub fn new<T: Declared>(
        name: &'static str,
        doc: &'static str,
        source: &'static str,
        weights: Vec<WeightSpec>,
        parameters: &'static [ParameterSpec],
    ) -> Entry {
        let kind = Kind::Rust(|parameters| Box::new(T::new(parameters)));
        let usual = Entry::with([name, doc, source].map(Text::from), kind);
        Entry { weights, parameters, ..usual }
    }

    /// A term without weights.
    pub(super) fn with([name, doc, source]: [Text; 3], kind: Kind) -> Entry {
        Entry {
            theme: name.clone(),
            name,
            doc,
            source,
            speech: Speech::Plain,
            draws: None,
            weights: Vec::new(),
            parameters: &[],
            scope: Scope::Everywhere,
            pawns_and_kings: false,
            is_tuned_from_games: true,
            kind,
        }
    }

    /// Whether an engine file writes the term itself, as data.
    pub fn is_formula(&self) -> bool {
        self.formula().is_some()
    }

    /// The term, if an engine file writes it.
    pub(super) fn formula(&self) -> Option<&FormulaTerm> {
        match &self.kind {
            Kind::Rust(_) => None,
            Kind::Formula(term) => Some(term),
        }
    }

    /// The term with these parameters.
    pub(super) fn make(&self, parameters: &[i32]) -> Box<dyn Measure> {
        match &self.kind {
            Kind::Rust(make) => make(parameters),
            Kind::Formula(term) => Box::new(Arc::clone(term)),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A [`Term`] behind a pointer: one method for each sink, so that terms of different types fit one list.
pub(super) trait Measure: Send + Sync {
    /// White's sum minus Black's.
    fn balance(&self, context: &EvalContext, weights: &[Score; MAX_PAIRS]) -> Score;

    /// All contributions of one side.
    fn explain(&self, context: &EvalContext, side: Color) -> Vec<Contribution>;
}

impl<T: Term> Measure for T {
    fn balance(&self, context: &EvalContext, weights: &[Score; MAX_PAIRS]) -> Score {
        let sum = |side| {
            let mut sink = Sum::new(weights);
            self.measure(context, side, &mut sink);
            sink.total()
        };
        sum(Color::White) - sum(Color::Black)
    }

    fn explain(&self, context: &EvalContext, side: Color) -> Vec<Contribution> {
        let mut contributions = Vec::new();
        self.measure(context, side, &mut contributions);
        contributions
    }
}

impl Measure for Arc<FormulaTerm> {
    fn balance(&self, context: &EvalContext, weights: &[Score; MAX_PAIRS]) -> Score {
        FormulaTerm::balance(self, context, weights)
    }

    fn explain(&self, context: &EvalContext, side: Color) -> Vec<Contribution> {
        let mut contributions = Vec::new();
        self.contribute(context, side, |_, _, contribution| contributions.push(contribution));
        contributions
    }
}
