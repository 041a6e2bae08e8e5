//! Engine files: TOML in, [`Engine`] or a helpful error out.

use super::engine::{Engine, PERCENT, Plugin, put};
use super::registry::{Entry, Registry};
use super::{Score, ShapeSpec, WeightSpec};
use std::{fs, ops::Range, path::Path};
use thiserror::Error;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The largest weight a file may give, in centipawns either way.
const MAX_WEIGHT: f64 = 10_000.0;

/// The key by which any section may weigh all of its term more or less.
const PERCENT_SPEC: ShapeSpec = ShapeSpec {
    name: "percent",
    doc: "how much of its weights a term gets",
    min: *PERCENT.start() as i32,
    max: *PERCENT.end() as i32,
};

/// The key by which a file asks for a search that leaves nothing out.
const FULL_WIDTH: &str = "full_width";

/// Why an engine file was refused: what, where, and how to mend it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{origin}{}: {message}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct EngineFileError {
    /// The file's path, or what stands for it.
    pub origin: String,
    /// The line, counted from 1, where the error has one.
    pub line: Option<usize>,
    /// What is wrong and how to mend it.
    pub message: String,
}

impl Engine {
    /// Reads an engine file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or for any reason [`Engine::parse`] has.
    pub fn load(path: &Path, registry: &Registry) -> Result<Engine, EngineFileError> {
        let origin = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| EngineFileError {
            origin: origin.clone(),
            line: None,
            message: format!("cannot be read: {error}"),
        })?;
        Engine::parse(&text, &origin, registry)
    }

    /// Makes an engine of a file's text. `origin` names the file in errors.
    ///
    /// A file with a `base` says only what is different: it takes the terms and weights of the file that
    /// the registry knows by that name, and its own sections change or add to them.
    ///
    /// # Errors
    ///
    /// For text that is no TOML, a missing `name` or `terms`, an unknown base, term or key, a missing
    /// weight, and a value of the wrong type, length or range; each with the line and, for names,
    /// the nearest known one.
    ///
    /// ```
    /// use tropism::{eval::Engine, terms::registry};
    /// let text = "name = 'x'\nterms = ['mop_upp']\n";
    /// let error = Engine::parse(text, "x.toml", &registry()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "x.toml:2: unknown term \"mop_upp\"; did you mean \"mop_up\"?"
    /// );
    /// ```
    pub fn parse(text: &str, origin: &str, registry: &Registry) -> Result<Engine, EngineFileError> {
        Reader { text, registry }.engine().map_err(|fault| fault.at(origin, text))
    }

    /// Adds terms to an engine. `text` is an engine file without `name` and `terms`: a section a
    /// term. A term that the engine has already is replaced. `origin` names the text in errors.
    ///
    /// # Errors
    ///
    /// As [`Engine::parse`]; the engine then stays as it was.
    ///
    /// ```
    /// use tropism::{eval::Engine, terms::registry};
    /// let registry = registry();
    /// let mut engine = Engine::parse("name = 'x'\nterms = []", "x", &registry)?;
    /// engine.plug("[knight_forks]\nfork = [20, 10]\nfamily = [30, 15]", "forks", &registry)?;
    /// assert!(engine.terms().eq(["knight_forks"]));
    /// # Ok::<(), tropism::eval::EngineFileError>(())
    /// ```
    pub fn plug(
        &mut self,
        text: &str,
        origin: &str,
        registry: &Registry,
    ) -> Result<(), EngineFileError> {
        let terms = Reader { text, registry }.sections();
        self.add(terms.map_err(|fault| fault.at(origin, text))?);
        Ok(())
    }
}

/// An error before it knows its file.
struct Fault {
    span: Option<Range<usize>>,
    message: String,
}

impl Fault {
    fn at(self, origin: &str, text: &str) -> EngineFileError {
        EngineFileError {
            origin: origin.to_owned(),
            line: self.span.map(|span| 1 + text[..span.start].matches('\n').count()),
            message: self.message,
        }
    }
}

fn fault<T>(span: Range<usize>, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { span: Some(span), message: message.into() })
}

struct Reader<'a> {
    text: &'a str,
    registry: &'a Registry,
}

type Value<'a> = Spanned<DeValue<'a>>;

impl<'a> Reader<'a> {
    fn document(&self) -> Result<Spanned<DeTable<'a>>, Fault> {
        DeTable::parse(self.text).map_err(|error| Fault {
            span: error.span(),
            message: format!("not valid TOML: {}", error.message()),
        })
    }

    /// Sections alone, each of a term.
    fn sections(&self) -> Result<Vec<Plugin>, Fault> {
        let document = self.document()?;
        let sections = document.get_ref().iter().map(|(key, section)| {
            let name = key.get_ref().as_ref();
            match self.registry.get(name) {
                Some(entry) => plugin(entry, section, None),
                None => self.unknown_term(key.span(), name),
            }
        });
        sections.collect()
    }

    fn unknown_term<T>(&self, span: Range<usize>, name: &str) -> Result<T, Fault> {
        let hint = nearest(name, self.names());
        fault(span, format!("unknown term {name:?}; {hint}"))
    }

    fn engine(&self) -> Result<Engine, Fault> {
        let document = self.document()?;
        let table = document.get_ref();
        for key in table.keys() {
            self.check_top_level_key(key)?;
        }
        let name = match table.get("name") {
            None => return fault(0..0, "`name = \"...\"` is missing: what GUIs show"),
            Some(name) => string(name, "name")?,
        };
        let base = match table.get("base") {
            None => None,
            Some(base) => Some(self.base(base)?),
        };
        let is_full_width = match table.get(FULL_WIDTH) {
            None => base.as_ref().is_some_and(Engine::is_full_width),
            Some(value) => boolean(value, FULL_WIDTH)?,
        };
        let base = base.map(Engine::into_plugins);
        let terms = match (table.get("terms"), base) {
            (None, None) => {
                return fault(0..0, "`terms = [...]` is missing: the terms to use, by name");
            }
            (None, Some(base)) => self.changed(base, table)?,
            (Some(terms), base) => self.terms(terms, table, &base.unwrap_or_default())?,
        };
        Ok(Engine::new(name.to_owned(), is_full_width, terms))
    }

    /// The file to build on.
    fn base(&self, value: &Value) -> Result<Engine, Fault> {
        let name = string(value, "base")?;
        let Some(text) = self.registry.base(name) else {
            let hint = nearest(name, self.registry.bases());
            return fault(value.span(), format!("unknown base {name:?}; {hint}"));
        };
        Engine::parse(text, name, &self.registry.without_bases())
            .or_else(|error| fault(value.span(), format!("the base is not right: {error}")))
    }

    fn check_top_level_key(&self, key: &Spanned<std::borrow::Cow<'_, str>>) -> Result<(), Fault> {
        let name = key.get_ref().as_ref();
        let known = || ["name", "base", "terms", FULL_WIDTH].into_iter().chain(self.names());
        if known().any(|known| known == name) {
            return Ok(());
        }
        let hint = nearest(name, known());
        fault(key.span(), format!("unknown key {name:?}; {hint}"))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.registry.entries().iter().map(|entry| entry.name)
    }

    /// The terms of a base with what the sections say of them; a section of another term adds it.
    fn changed(&self, base: Vec<Plugin>, table: &DeTable) -> Result<Vec<Plugin>, Fault> {
        let mut plugins = base;
        for (name, section) in table {
            if let Some(entry) = self.registry.get(name.get_ref()) {
                let changed = plugin(entry, section, of_name(&plugins, entry.name))?;
                put(&mut plugins, changed);
            }
        }
        Ok(plugins)
    }

    fn terms(&self, list: &Value, table: &DeTable, base: &[Plugin]) -> Result<Vec<Plugin>, Fault> {
        let mut plugins: Vec<Plugin> = Vec::new();
        for item in array(list, "terms")? {
            let name = string(item, "a term")?;
            let Some(entry) = self.registry.get(name) else {
                return self.unknown_term(item.span(), name);
            };
            if of_name(&plugins, name).is_some() {
                return fault(item.span(), format!("term {name:?} is listed twice"));
            }
            plugins.push(match (table.get(name), of_name(base, name)) {
                (Some(section), base) => plugin(entry, section, base)?,
                (None, Some(base)) => base.clone(),
                (None, None) => {
                    let message =
                        format!("term {name:?} is listed, but its section [{name}] is missing");
                    return fault(item.span(), message);
                }
            });
        }
        // A section whose term is switched off is still held to be right.
        for (name, section) in table {
            if let Some(entry) = self.registry.get(name.get_ref()) {
                plugin(entry, section, of_name(base, entry.name))?;
            }
        }
        Ok(plugins)
    }
}

fn of_name<'a>(plugins: &'a [Plugin], name: &str) -> Option<&'a Plugin> {
    plugins.iter().find(|plugin| plugin.name == name)
}

/// A term as its section has it; what the section leaves out is as in `base`.
fn plugin(entry: &Entry, section: &Value, base: Option<&Plugin>) -> Result<Plugin, Fault> {
    let name = entry.name;
    let Some(table) = section.get_ref().as_table() else {
        return wrong_type(section, name, "a section with its weights");
    };
    let keys = || {
        let weights = entry.weights.iter().map(|spec| spec.name);
        let shape = entry.shape.iter().map(|spec| spec.name);
        weights.chain(shape).chain([PERCENT_SPEC.name])
    };
    for key in table.keys() {
        let given = key.get_ref().as_ref();
        if !keys().any(|known| known == given) {
            let hint = nearest(given, keys());
            return fault(key.span(), format!("unknown key {given:?} in [{name}]; {hint}"));
        }
    }
    let lacks =
        |key: &str, doc: &str| fault(section.span(), format!("[{name}] lacks `{key}`: {doc}"));
    let mut weights = Vec::new();
    for spec in entry.weights {
        let places = weights.len()..weights.len() + spec.pairs();
        match (table.get(spec.name), base) {
            (Some(value), _) => read_weight(spec, value, &mut weights)?,
            (None, Some(base)) => weights.extend_from_slice(&base.given[places]),
            (None, None) => return lacks(spec.name, spec.doc),
        }
    }
    let mut shape = Vec::new();
    for (place, spec) in entry.shape.iter().enumerate() {
        shape.push(match (table.get(spec.name), base) {
            (Some(value), _) => read_shape(spec, value)?,
            (None, Some(base)) => base.shape[place],
            (None, None) => return lacks(spec.name, spec.doc),
        });
    }
    let percent = match table.get(PERCENT_SPEC.name) {
        Some(value) => read_shape(&PERCENT_SPEC, value)? as u32,
        None => base.map_or(100, |base| base.listed_percent),
    };
    Ok(Plugin::new(entry, weights, shape, percent))
}

fn read_weight(spec: &WeightSpec, value: &Value, weights: &mut Vec<Score>) -> Result<(), Fault> {
    let Some(length) = spec.length else {
        weights.push(pair(spec, value)?);
        return Ok(());
    };
    let items = array(value, spec.name)?;
    if items.len() != length {
        let message = format!("{} has {} pairs, not {length}", spec.name, items.len());
        return fault(value.span(), message);
    }
    for item in items {
        weights.push(pair(spec, item)?);
    }
    Ok(())
}

fn pair(spec: &WeightSpec, value: &Value) -> Result<Score, Fault> {
    let wanted = "a pair [middlegame, endgame] of centipawns";
    let Some([mg, eg]) = value.get_ref().as_array().map(|array| &**array) else {
        return wrong_type(value, spec.name, wanted);
    };
    let [mg, eg] = [number(spec, mg)?, number(spec, eg)?];
    let per = f64::from(spec.per);
    Ok(Score::from_centipawns(mg / per, eg / per))
}

fn number(spec: &WeightSpec, value: &Value) -> Result<f64, Fault> {
    let text = match value.get_ref() {
        DeValue::Float(float) => float.as_str(),
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        _ => return wrong_type(value, spec.name, "a number of centipawns"),
    };
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= MAX_WEIGHT => Ok(number),
        _ => fault(
            value.span(),
            format!("{text} is out of range for {}: -{MAX_WEIGHT} to {MAX_WEIGHT}", spec.name),
        ),
    }
}

fn read_shape(spec: &ShapeSpec, value: &Value) -> Result<i32, Fault> {
    let ShapeSpec { name, min, max, .. } = *spec;
    let parsed = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse::<i32>().ok(),
        _ => return wrong_type(value, name, "a whole number"),
    };
    match parsed {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        _ => fault(value.span(), format!("{name} is out of range: {min} to {max}")),
    }
}

fn string<'a>(value: &'a Value, what: &str) -> Result<&'a str, Fault> {
    match value.get_ref().as_str() {
        Some(string) => Ok(string),
        None => wrong_type(value, what, "a string"),
    }
}

fn boolean(value: &Value, what: &str) -> Result<bool, Fault> {
    match value.get_ref().as_bool() {
        Some(boolean) => Ok(boolean),
        None => wrong_type(value, what, "true or false"),
    }
}

fn array<'a, 'b>(value: &'a Value<'b>, what: &str) -> Result<&'a [Value<'b>], Fault> {
    match value.get_ref().as_array() {
        Some(array) => Ok(array),
        None => wrong_type(value, what, "an array"),
    }
}

fn wrong_type<T>(value: &Value, what: &str, wanted: &str) -> Result<T, Fault> {
    let found = match value.get_ref() {
        DeValue::Array(array) => format!("an array of {}", array.len()),
        other => format!("of type {}", other.type_str()),
    };
    fault(value.span(), format!("{what} must be {wanted}, but is {found}"))
}

/// What to say of a name that is not known.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    crate::text::did_you_mean(name, known.clone())
        .unwrap_or_else(|| format!("known are {}", known.collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Term;
    use crate::terms::registry;

    const GOOD: &str = "name = 'small'\n\
        terms = ['mop_up']\n\
        [mop_up]\n\
        centre = [0, 4.7]\n\
        kings = [0, 1.6]\n\
        won = [0, 100]\n";

    fn error(text: &str) -> String {
        Engine::parse(text, "small.toml", &registry()).unwrap_err().to_string()
    }

    #[test]
    fn a_good_file() {
        let engine = Engine::parse(GOOD, "small.toml", &registry()).unwrap();
        assert_eq!(engine.name(), "small");
        assert_eq!(engine.terms().collect::<Vec<_>>(), ["mop_up"]);
    }

    #[test]
    fn a_search_that_leaves_nothing_out() {
        let full: &str = GOOD.replace("terms", "full_width = true\nterms").leak();
        let is_full_width =
            |text: &str| Engine::parse(text, "x", &registry()).unwrap().is_full_width();
        assert_eq!([GOOD, full].map(is_full_width), [false, true]);
        let mut registry = registry();
        registry.add_base("full", full);
        for (text, expected) in [("", true), ("full_width = false", false)] {
            let text = format!("name = 'x'\nbase = 'full'\n{text}");
            assert_eq!(Engine::parse(&text, "x", &registry).unwrap().is_full_width(), expected);
        }
        assert_eq!(
            error(&full.replace("true", "1")),
            "small.toml:2: full_width must be true or false, but is of type integer"
        );
    }

    #[test]
    fn a_term_at_half_its_weight_or_switched_off() {
        let weights = |text: &str| Engine::parse(text, "small.toml", &registry()).unwrap();
        let half = GOOD.replace("won = [0, 100]", "won = [0, 100]\npercent = 50");
        assert_eq!(weights(GOOD).percent("mop_up"), Some(100));
        assert_eq!(weights(&half).percent("mop_up"), Some(50));
        assert_eq!(weights(&half).percent("kbnk"), None);
        let queen = crate::terms::testing::position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
        let value = |text: &str| weights(text).evaluate(&queen);
        assert!((value(GOOD) - 2 * value(&half)).abs() <= 1);
        assert_eq!(value(&half.replace("percent = 50", "percent = 0")), 0);
        assert_eq!(
            error(&half.replace("percent = 50", "percent = 401")),
            "small.toml:7: percent is out of range: 0 to 400"
        );
    }

    /// A file that builds on [`GOOD`].
    fn on_base(text: &str) -> Result<Engine, EngineFileError> {
        let mut registry = registry();
        registry.add_base("small", GOOD);
        Engine::parse(&format!("name = 'x'\nbase = 'small'\n{text}"), "x.toml", &registry)
    }

    /// The endgame weights in tenths of a centipawn.
    fn tenths(engine: &Engine) -> Vec<i32> {
        engine.weights().map(|weight| (weight.centipawns(0) * 10.0).round() as i32).collect()
    }

    #[test]
    fn a_base_gives_what_a_file_does_not_say() {
        let same = on_base("").unwrap();
        assert_eq!((same.name(), tenths(&same)), ("x", vec![47, 16, 1000]));
        let other = on_base("[mop_up]\nkings = [0, 3]\npercent = 50\n").unwrap();
        assert_eq!(tenths(&other), [47, 30, 1000]);
        assert_eq!((other.percent("mop_up"), same.percent("mop_up")), (Some(50), Some(100)));
        // Another term comes with its section, and `terms` has the last word.
        let forks = "[knight_forks]\nfork = [5, 5]\nfamily = [6, 6]\n";
        let names = |text: &str| on_base(text).unwrap().terms().collect::<Vec<_>>();
        assert_eq!(names(forks), ["mop_up", "knight_forks"]);
        assert_eq!(names(&format!("terms = ['knight_forks']\n{forks}")), ["knight_forks"]);
        assert_eq!(names("terms = ['mop_up']\n"), ["mop_up"]);
    }

    #[test]
    fn a_base_keeps_numbers_that_shape_a_term() {
        let parse = |text: &str| Engine::parse(text, "x.toml", &registry()).unwrap();
        let text = "name = 'x'\nbase = 'tropism'\nterms = ['king_pawn_tropism']\n";
        let [base, changed] = ["", "[king_pawn_tropism]\npassed = 100\n"]
            .map(|section| parse(&format!("{text}{section}")));
        // A passed pawn one move from White's king and another of Black's six moves away.
        let position = crate::terms::testing::position("k7/8/8/7p/4P3/4K3/8/8 w - - 0 1");
        let [passed, backward, other] = [6, 3, 2];
        let plain = crate::terms::KingPawnTropism::new(&[passed, backward, other]);
        let shaped = crate::terms::KingPawnTropism::new(&[100, backward, other]);
        for (engine, term) in [(base, plain), (changed, shaped)] {
            let mut counts = [0];
            engine.record(&position, &mut counts);
            let mut expected = [0];
            for (side, sign) in [(shakmaty::Color::White, 1), (shakmaty::Color::Black, -1)] {
                let mut sink = crate::eval::Record { counts: &mut expected, sign };
                term.measure(&crate::eval::EvalContext::new(&position), side, &mut sink);
            }
            assert_eq!(counts, expected);
        }
    }

    #[test]
    fn faults_of_a_file_with_a_base() {
        let fault = |text: &str| on_base(text).unwrap_err().to_string();
        assert_eq!(
            fault("[mop_up]\nking = [0, 3]\n"),
            "x.toml:4: unknown key \"king\" in [mop_up]; did you mean \"kings\"?"
        );
        assert_eq!(
            fault("[knight_forks]\nfork = [5, 5]\n"),
            "x.toml:3: [knight_forks] lacks `family`: a safe square that forks king and queen, besides"
        );
        assert_eq!(
            fault("terms = ['mop_up', 'kbnk']\n"),
            "x.toml:3: term \"kbnk\" is listed, but its section [kbnk] is missing"
        );
        assert_eq!(
            error("name = 'x'\nbase = 'tropsim'\n"),
            "small.toml:2: unknown base \"tropsim\"; did you mean \"tropism\"?"
        );
        assert_eq!(
            error("name = 'x'\nbase = 3\n"),
            "small.toml:2: base must be a string, but is of type integer"
        );
    }

    #[test]
    fn every_fault_names_its_line_and_the_way_out() {
        for (from, to, expected) in [
            ("name = 'small'\n", "", "small.toml:1: `name = \"...\"` is missing: what GUIs show"),
            (
                "name = 'small'",
                "name = 3",
                "small.toml:1: name must be a string, but is of type integer",
            ),
            (
                "name = 'small'",
                "nane = 'small'",
                "small.toml:1: unknown key \"nane\"; did you mean \"name\"?",
            ),
            (
                "terms = ['mop_up']\n",
                "",
                "small.toml:1: `terms = [...]` is missing: the terms to use, by name",
            ),
            (
                "['mop_up']",
                "'mop_up'",
                "small.toml:2: terms must be an array, but is of type string",
            ),
            (
                "['mop_up']",
                "['mopup']",
                "small.toml:2: unknown term \"mopup\"; did you mean \"mop_up\"?",
            ),
            ("['mop_up']", "['mop_up', 'mop_up']", "small.toml:2: term \"mop_up\" is listed twice"),
            (
                "['mop_up']",
                "['mop_up', 'kbnk']",
                "small.toml:2: term \"kbnk\" is listed, but its section [kbnk] is missing",
            ),
            (
                "centre",
                "center",
                "small.toml:4: unknown key \"center\" in [mop_up]; did you mean \"centre\"?",
            ),
            (
                "kings = [0, 1.6]\n",
                "",
                "small.toml:3: [mop_up] lacks `kings`: each rook step the kings are nearer than 14",
            ),
            (
                "[0, 1.6]",
                "[0, 1.6, 3]",
                "small.toml:5: kings must be a pair [middlegame, endgame] of centipawns, but is an array of 3",
            ),
            (
                "1.6",
                "'x'",
                "small.toml:5: kings must be a number of centipawns, but is of type string",
            ),
            ("1.6", "1e9", "small.toml:5: 1e9 is out of range for kings: -10000 to 10000"),
            ("1.6", "nan", "small.toml:5: nan is out of range for kings: -10000 to 10000"),
        ] {
            assert!(GOOD.contains(from));
            assert_eq!(error(&GOOD.replace(from, to)), expected);
        }
        assert!(error("name = \n").starts_with("small.toml:1: not valid TOML: "));
        assert!(error(&GOOD.replace("[mop_up]\n", "[mop_up\n")).starts_with("small.toml:3: "));
    }

    #[test]
    fn a_far_off_name_gets_the_whole_list() {
        let names = registry().entries().iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
        let text = GOOD.replace("['mop_up']", "['zzzzzzzz']");
        assert_eq!(
            error(&text),
            format!("small.toml:2: unknown term \"zzzzzzzz\"; known are {names}")
        );
    }

    #[test]
    fn a_section_that_is_switched_off_is_still_checked() {
        let text = GOOD.replace("['mop_up']", "[]").replace("kings", "kinks");
        assert_eq!(
            error(&text),
            "small.toml:5: unknown key \"kinks\" in [mop_up]; did you mean \"kings\"?"
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Engine::load(Path::new("no/such.toml"), &registry()).unwrap_err();
        assert!(error.to_string().starts_with("no/such.toml: cannot be read: "));
    }
}
