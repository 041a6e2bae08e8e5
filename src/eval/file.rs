//! Engine files: TOML in, [`Engine`] or a helpful error out.

use super::engine::{Engine, PERCENT, Plugin};
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
    /// # Errors
    ///
    /// For text that is no TOML, a missing `name` or `terms`, an unknown term or key, a missing
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
                Some(entry) => plugin(entry, section),
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
        let terms = match table.get("terms") {
            None => return fault(0..0, "`terms = [...]` is missing: the terms to use, by name"),
            Some(terms) => self.terms(terms, table)?,
        };
        Ok(Engine::new(name.to_owned(), terms))
    }

    fn check_top_level_key(&self, key: &Spanned<std::borrow::Cow<'_, str>>) -> Result<(), Fault> {
        let name = key.get_ref().as_ref();
        let known = || ["name", "terms"].into_iter().chain(self.names());
        if known().any(|known| known == name) {
            return Ok(());
        }
        let hint = nearest(name, known());
        fault(key.span(), format!("unknown key {name:?}; {hint}"))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.registry.entries().iter().map(|entry| entry.name)
    }

    fn terms(&self, list: &Value, table: &DeTable) -> Result<Vec<Plugin>, Fault> {
        let mut plugins: Vec<Plugin> = Vec::new();
        for item in array(list, "terms")? {
            let name = string(item, "a term")?;
            let Some(entry) = self.registry.get(name) else {
                return self.unknown_term(item.span(), name);
            };
            if plugins.iter().any(|plugin| plugin.name == entry.name) {
                return fault(item.span(), format!("term {name:?} is listed twice"));
            }
            let Some(section) = table.get(name) else {
                let message =
                    format!("term {name:?} is listed, but its section [{name}] is missing");
                return fault(item.span(), message);
            };
            plugins.push(plugin(entry, section)?);
        }
        // A section whose term is switched off is still held to be right.
        for (name, section) in table {
            if let Some(entry) = self.registry.get(name.get_ref()) {
                plugin(entry, section)?;
            }
        }
        Ok(plugins)
    }
}

fn plugin(entry: &Entry, section: &Value) -> Result<Plugin, Fault> {
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
    let get = |key: &str, doc: &str| match table.get(key) {
        Some(value) => Ok(value),
        None => fault(section.span(), format!("[{name}] lacks `{key}`: {doc}")),
    };
    let mut weights = Vec::new();
    for spec in entry.weights {
        read_weight(spec, get(spec.name, spec.doc)?, &mut weights)?;
    }
    let mut shape = Vec::new();
    for spec in entry.shape {
        shape.push(read_shape(spec, get(spec.name, spec.doc)?)?);
    }
    let percent = match table.get(PERCENT_SPEC.name) {
        Some(value) => read_shape(&PERCENT_SPEC, value)? as u32,
        None => 100,
    };
    Ok(Plugin::new(entry, weights, percent, (entry.plug)(&shape)))
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
    let close = known
        .clone()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(edits, candidate)| edits <= 1 + candidate.len() / 3)
        .min();
    match close {
        Some((_, candidate)) => format!("did you mean {candidate:?}?"),
        None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
