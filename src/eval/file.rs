//! Engine files: TOML in, [`Engine`] or a helpful error out.

use super::engine::Engine;
use super::loaded_term::{LoadedTerm, PERCENT, put};
use super::registry::{Entry, Registry};
use super::{ParameterSpec, Score, WeightSpec};
use std::{fs, ops::Range, path::Path};
use thiserror::Error;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The largest weight a file may give, in centipawns either way.
const MAX_WEIGHT: f64 = 10_000.0;

/// The key by which a section scales all weights of its term.
const PERCENT_SPEC: ParameterSpec = ParameterSpec {
    name: "percent",
    doc: "the percentage that scales the term's weights",
    min: *PERCENT.start() as i32,
    max: *PERCENT.end() as i32,
};

/// A key that engine files had once.
const FULL_WIDTH: &str = "full_width";

/// Why an engine file was rejected: what is wrong, where, and how to fix it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{origin}{}: {message}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct EngineFileError {
    /// The file's path, or another name for the text.
    pub origin: String,
    /// The line, counted from 1, where the error has one.
    pub line: Option<usize>,
    /// What is wrong and how to fix it.
    pub message: String,
}

impl Engine {
    /// Reads an engine file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or for any error of [`Engine::parse`].
    pub fn load(path: &Path, registry: &Registry) -> Result<Engine, EngineFileError> {
        let origin = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| EngineFileError {
            origin: origin.clone(),
            line: None,
            message: format!("cannot be read: {error}"),
        })?;
        Engine::parse(&text, &origin, registry)
    }

    /// Reads the text of an engine file. `origin` names the file in errors.
    ///
    /// A file with a `base` gives only the differences: it takes the terms and weights of the base file
    /// that the registry has under that name, and its own sections change them or add to them.
    ///
    /// # Errors
    ///
    /// If the text is not TOML; for a missing `name` or `terms`, an unknown base, term or key, a missing
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

    /// Adds terms to an engine. `text` is an engine file without `name` and `terms`, with one section for
    /// each term. A term that the engine already has is replaced. `origin` names the text in errors.
    ///
    /// # Errors
    ///
    /// As [`Engine::parse`]; the engine is then unchanged.
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

    /// Reads a file that has only sections of terms.
    fn sections(&self) -> Result<Vec<LoadedTerm>, Fault> {
        let document = self.document()?;
        let sections = document.get_ref().iter().map(|(key, section)| {
            let name = key.get_ref().as_ref();
            match self.registry.get(name) {
                Some(entry) => load_term(entry, section, None),
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
        let base = base.map(Engine::into_terms);
        let terms = match (table.get("terms"), base) {
            (None, None) => {
                return fault(0..0, "`terms = [...]` is missing: the terms to use, by name");
            }
            (None, Some(base)) => self.changed(base, table)?,
            (Some(terms), base) => self.terms(terms, table, &base.unwrap_or_default())?,
        };
        Ok(Engine::new(name.to_owned(), terms))
    }

    /// The base engine.
    fn base(&self, value: &Value) -> Result<Engine, Fault> {
        let name = string(value, "base")?;
        let Some(text) = self.registry.base(name) else {
            let hint = nearest(name, self.registry.bases());
            return fault(value.span(), format!("unknown base {name:?}; {hint}"));
        };
        Engine::parse(text, name, &self.registry.without_bases())
            .or_else(|error| fault(value.span(), format!("the base file is wrong: {error}")))
    }

    fn check_top_level_key(&self, key: &Spanned<std::borrow::Cow<'_, str>>) -> Result<(), Fault> {
        let name = key.get_ref().as_ref();
        if name == FULL_WIDTH {
            return fault(
                key.span(),
                "full_width is no longer a key of engine files: it belongs to the search; \
                 remove the line, and give `prove` the flag `--full-width`",
            );
        }
        let known = || ["name", "base", "terms"].into_iter().chain(self.names());
        if known().any(|known| known == name) {
            return Ok(());
        }
        let hint = nearest(name, known());
        fault(key.span(), format!("unknown key {name:?}; {hint}"))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.registry.entries().iter().map(|entry| entry.name)
    }

    /// The terms of a base, changed by the sections; the section of another term adds that term.
    fn changed(&self, base: Vec<LoadedTerm>, table: &DeTable) -> Result<Vec<LoadedTerm>, Fault> {
        let mut terms = base;
        for (name, section) in table {
            if let Some(entry) = self.registry.get(name.get_ref()) {
                let changed = load_term(entry, section, of_name(&terms, entry.name))?;
                put(&mut terms, changed);
            }
        }
        Ok(terms)
    }

    fn terms(
        &self,
        list: &Value,
        table: &DeTable,
        base: &[LoadedTerm],
    ) -> Result<Vec<LoadedTerm>, Fault> {
        let mut terms: Vec<LoadedTerm> = Vec::new();
        for item in array(list, "terms")? {
            let name = string(item, "a term")?;
            let Some(entry) = self.registry.get(name) else {
                return self.unknown_term(item.span(), name);
            };
            if of_name(&terms, name).is_some() {
                return fault(item.span(), format!("term {name:?} is listed twice"));
            }
            terms.push(match (table.get(name), of_name(base, name)) {
                (Some(section), base) => load_term(entry, section, base)?,
                (None, Some(base)) => base.clone(),
                (None, None) => {
                    let message =
                        format!("term {name:?} is listed, but its section [{name}] is missing");
                    return fault(item.span(), message);
                }
            });
        }
        // A section whose term is not listed must still be correct.
        for (name, section) in table {
            if let Some(entry) = self.registry.get(name.get_ref()) {
                load_term(entry, section, of_name(base, entry.name))?;
            }
        }
        Ok(terms)
    }
}

fn of_name<'a>(terms: &'a [LoadedTerm], name: &str) -> Option<&'a LoadedTerm> {
    terms.iter().find(|term| term.name == name)
}

/// The term of a section; `base` gives the values that the section leaves out.
fn load_term(
    entry: &Entry,
    section: &Value,
    base: Option<&LoadedTerm>,
) -> Result<LoadedTerm, Fault> {
    let name = entry.name;
    let Some(table) = section.get_ref().as_table() else {
        return wrong_type(section, name, "a section with its weights");
    };
    let keys = || {
        let weights = entry.weights.iter().map(|spec| spec.name);
        let parameters = entry.parameters.iter().map(|spec| spec.name);
        weights.chain(parameters).chain([PERCENT_SPEC.name])
    };
    for key in table.keys() {
        let found = key.get_ref().as_ref();
        if !keys().any(|known| known == found) {
            let hint = nearest(found, keys());
            return fault(key.span(), format!("unknown key {found:?} in [{name}]; {hint}"));
        }
    }
    let lacks =
        |key: &str, doc: &str| fault(section.span(), format!("[{name}] lacks `{key}`: {doc}"));
    let mut weights = Vec::new();
    for spec in entry.weights {
        let pairs = weights.len()..weights.len() + spec.pairs();
        match (table.get(spec.name), base) {
            (Some(value), _) => read_weight(spec, value, &mut weights)?,
            (None, Some(base)) => weights.extend_from_slice(&base.file_weights[pairs]),
            (None, None) => return lacks(spec.name, &spec.label()),
        }
    }
    let mut parameters = Vec::new();
    for (index, spec) in entry.parameters.iter().enumerate() {
        parameters.push(match (table.get(spec.name), base) {
            (Some(value), _) => read_parameter(spec, value)?,
            (None, Some(base)) => base.parameters[index],
            (None, None) => return lacks(spec.name, spec.doc),
        });
    }
    let percent = match table.get(PERCENT_SPEC.name) {
        Some(value) => read_parameter(&PERCENT_SPEC, value)? as u32,
        None => base.map_or(100, |base| base.file_percent),
    };
    Ok(LoadedTerm::new(entry, weights, parameters, percent))
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

fn read_parameter(spec: &ParameterSpec, value: &Value) -> Result<i32, Fault> {
    let ParameterSpec { name, min, max, .. } = *spec;
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

/// A hint for an unknown name: the nearest known one, or all of them.
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
    fn the_old_key_full_width_names_the_flag_that_replaced_it() {
        assert_eq!(
            error(&GOOD.replace("terms", "full_width = true\nterms")),
            "small.toml:2: full_width is no longer a key of engine files: it belongs to the search; \
             remove the line, and give `prove` the flag `--full-width`"
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
    fn a_base_gives_what_a_file_leaves_out() {
        let same = on_base("").unwrap();
        assert_eq!((same.name(), tenths(&same)), ("x", vec![47, 16, 1000]));
        let other = on_base("[mop_up]\nkings = [0, 3]\npercent = 50\n").unwrap();
        assert_eq!(tenths(&other), [47, 30, 1000]);
        assert_eq!((other.percent("mop_up"), same.percent("mop_up")), (Some(50), Some(100)));
        // The section of another term adds it, unless `terms` leaves it out.
        let forks = "[knight_forks]\nfork = [5, 5]\nfamily = [6, 6]\n";
        let names = |text: &str| on_base(text).unwrap().terms().collect::<Vec<_>>();
        assert_eq!(names(forks), ["mop_up", "knight_forks"]);
        assert_eq!(names(&format!("terms = ['knight_forks']\n{forks}")), ["knight_forks"]);
        assert_eq!(names("terms = ['mop_up']\n"), ["mop_up"]);
    }

    #[test]
    fn a_base_gives_the_parameters_of_a_term() {
        let parse = |text: &str| Engine::parse(text, "x.toml", &registry()).unwrap();
        let text = "name = 'x'\nbase = 'tropism'\nterms = ['king_pawn_tropism']\n";
        let [base, changed] = ["", "[king_pawn_tropism]\npassed = 100\n"]
            .map(|section| parse(&format!("{text}{section}")));
        // A passed pawn one move from White's king and another of Black's six moves away.
        let position = crate::terms::testing::position("k7/8/8/7p/4P3/4K3/8/8 w - - 0 1");
        let [passed, backward, other] = [6, 3, 2];
        let plain =
            crate::terms::king_pawn_tropism::KingPawnTropism::new(&[passed, backward, other]);
        let changed_term =
            crate::terms::king_pawn_tropism::KingPawnTropism::new(&[100, backward, other]);
        for (engine, term) in [(base, plain), (changed, changed_term)] {
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
    fn errors_of_a_file_with_a_base() {
        let fault = |text: &str| on_base(text).unwrap_err().to_string();
        assert_eq!(
            fault("[mop_up]\nking = [0, 3]\n"),
            "x.toml:4: unknown key \"king\" in [mop_up]; did you mean \"kings\"?"
        );
        assert_eq!(
            fault("[knight_forks]\nfork = [5, 5]\n"),
            "x.toml:3: [knight_forks] lacks `family`: squares for safe forks of king and queen"
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
    fn every_error_names_its_line_and_the_fix() {
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
                "small.toml:3: [mop_up] lacks `kings`: king, rook steps from the enemy king",
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
    fn an_unknown_name_without_a_near_one_gets_the_whole_list() {
        let names = registry().entries().iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
        let text = GOOD.replace("['mop_up']", "['zzzzzzzz']");
        assert_eq!(
            error(&text),
            format!("small.toml:2: unknown term \"zzzzzzzz\"; known are {names}")
        );
    }

    #[test]
    fn the_section_of_a_term_that_is_not_listed_is_checked() {
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
