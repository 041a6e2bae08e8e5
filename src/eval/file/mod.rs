//! Engine files: TOML in, [`Engine`] or a helpful error out.
//!
//! `formula`: the terms that a file writes itself. `scale`: the scale factors. `numbers`: the numbers in their expressions that a tuner may change.

mod formula;
mod numbers;
mod scale;
mod section;
#[cfg(test)]
mod tests;
mod words;

use super::engine::Engine;
use super::formula::{FormulaTerm, MAX_COST};
use super::loaded_term::{LoadedTerm, PERCENT, put};
use super::registry::{Entry, Registry};
use super::scale::LoadedScale;
use super::{ParameterSpec, Score, WeightSpec};
pub(in crate::eval) use formula::WORTH;
pub use formula::{PER_SPEC, TERM_KEYS, WEIGHT_KEYS};
pub use numbers::TunableNumber;
pub use scale::{KEEPS_SPEC, ON, SCALE_KEYS};
pub(in crate::eval) use section::{LET, MAX_NAME, MAX_TEXT};
pub use section::{SCALE, is_term_name};
use std::fs::{self, File};
use std::{borrow::Cow, fmt, io::Read as _, ops::Range, path::Path, sync::Arc};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};
pub use words::DRAWS_KEYS;
pub(in crate::eval) use words::MAX_STEPS;

/// The largest weight a file may give, in centipawns either way.
pub(in crate::eval) const MAX_WEIGHT: f64 = 10_000.0;

/// The key by which a section scales all weights of its term.
pub const PERCENT_SPEC: ParameterSpec = ParameterSpec {
    name: "percent",
    doc: "the percentage that scales the term's weights",
    min: *PERCENT.start() as i32,
    max: *PERCENT.end() as i32,
};

/// The keys of an engine file that are no sections.
pub const TOP_LEVEL_KEYS: [&str; 5] = ["name", "base", "terms", SCALE, section::LET];

/// The longest engine file, in bytes.
pub(in crate::eval) const MAX_FILE: u64 = 1 << 20;

/// Why an engine file was rejected: what is wrong, where, and how to fix it.
///
/// It prints as `FILE:LINE:COLUMN: MESSAGE`. The lines after it show the place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineFileError {
    /// The file's path, or another name for the text.
    pub origin: String,
    /// The line, counted from 1, where the error has one.
    pub line: Option<usize>,
    /// The column, counted from 1 in characters, where the error has a line.
    pub column: Option<usize>,
    /// How many characters of the line are wrong; 0 where the error has no line.
    pub length: usize,
    /// What is wrong and how to fix it.
    pub message: String,
    /// The line of the file, a line with `^` under the mistake, and perhaps a line with an example.
    pub excerpt: Option<Box<str>>,
    /// The mistakes in sections further down, the first of each section, and with this one ten at most.
    pub others: Box<[EngineFileError]>,
}

impl fmt::Display for EngineFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)?;
        for place in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{place}")?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(excerpt) = &self.excerpt {
            write!(f, "\n{excerpt}")?;
        }
        self.others.iter().try_for_each(|other| write!(f, "\n{other}"))
    }
}

impl std::error::Error for EngineFileError {}

impl EngineFileError {
    /// An error that concerns a whole file.
    fn of_file(origin: &str, message: String) -> EngineFileError {
        EngineFileError { origin: origin.to_owned(), message, ..EngineFileError::default() }
    }

    /// An error at a place in the text.
    pub(super) fn at(
        origin: &str,
        text: &str,
        span: Range<usize>,
        message: String,
    ) -> EngineFileError {
        EngineFileError {
            line: Some(1 + text[..span.start].matches('\n').count()),
            column: Some(1 + text[line_start(text, span.start)..span.start].chars().count()),
            length: text[span].chars().take_while(|&c| c != '\n').count().max(1),
            ..EngineFileError::of_file(origin, message)
        }
    }
}

impl Engine {
    /// Reads an engine file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or for any error of [`Engine::parse`].
    pub fn load(path: &Path, registry: &Registry) -> Result<Engine, EngineFileError> {
        let origin = path.display().to_string();
        let bytes = read(path).map_err(|message| EngineFileError::of_file(&origin, message))?;
        Engine::parse(utf8(&bytes, &origin)?, &origin, registry)
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
    /// the nearest known one. The error has the first mistake of each section.
    ///
    /// ```
    /// use tropism::{eval::Engine, terms::registry};
    /// let text = "name = 'x'\nterms = ['mop_upp']\n";
    /// let error = Engine::parse(text, "x.toml", &registry()).unwrap_err();
    /// let message = "x.toml:2:10: unknown term \"mop_upp\"; did you mean \"mop_up\"?";
    /// assert_eq!(error.to_string().lines().next(), Some(message));
    /// ```
    pub fn parse(text: &str, origin: &str, registry: &Registry) -> Result<Engine, EngineFileError> {
        FileReader { text, origin, registry }.engine().map_err(|faults| {
            let mut errors = faults.into_iter().map(|fault| fault.at(origin, text));
            let first = errors.next().unwrap_or_default();
            EngineFileError { others: errors.collect(), ..first }
        })
    }
}

/// The bytes of a file, or why it cannot be read.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let complaint = |error| format!("cannot be read: {error}");
    // A pipe or a device might never end; a pipe without a writer could not even be opened.
    let metadata = fs::metadata(path).map_err(complaint)?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { "a folder" } else { "no regular file" };
        return Err(format!("cannot be read: it is {kind}"));
    }
    let file = File::open(path).map_err(complaint)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(complaint)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("has more than {MAX_FILE} bytes, the most of an engine file"));
    }
    Ok(bytes)
}

/// The text of a file, or where it is not in UTF-8.
fn utf8<'b>(bytes: &'b [u8], origin: &str) -> Result<&'b str, EngineFileError> {
    str::from_utf8(bytes).map_err(|error| {
        let (valid, rest) = bytes.split_at(error.valid_up_to());
        let byte = rest.first().copied().unwrap_or_default();
        let message = format!("byte 0x{byte:02X} is not UTF-8: save the file in UTF-8");
        let end = valid.len();
        EngineFileError::at(origin, &String::from_utf8_lossy(valid), end..end, message)
    })
}

/// An error before it knows its file.
struct Fault {
    span: Option<Range<usize>>,
    message: String,
    /// How it is right.
    example: Option<&'static str>,
}

impl Fault {
    fn new(span: Range<usize>, message: String) -> Fault {
        Fault { span: Some(span), message, example: None }
    }

    fn at(self, origin: &str, text: &str) -> EngineFileError {
        let Some(span) = self.span else {
            return EngineFileError::of_file(origin, self.message);
        };
        // What a file lacks has no place.
        let excerpt = (span != (0..0)).then(|| excerpt(text, span.clone(), self.example).into());
        EngineFileError { excerpt, ..EngineFileError::at(origin, text, span, self.message) }
    }
}

/// The errors of a file are a list: one, or one of each of several sections.
impl From<Fault> for Vec<Fault> {
    fn from(fault: Fault) -> Vec<Fault> {
        vec![fault]
    }
}

/// The most errors that are told about a file.
const MAX_FAULTS: usize = 10;

/// How many characters of a line an error shows.
const MAX_EXCERPT: usize = 110;

/// Where the line of a place begins. The byte order mark that editors write before the first line is not shown.
fn line_start(text: &str, place: usize) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    text[..place].rfind('\n').map_or(mark.min(place), |newline| newline + 1)
}

/// The line of a mistake, marks under the mistake, and an example.
fn excerpt(text: &str, span: Range<usize>, example: Option<&str>) -> String {
    let start = line_start(text, span.start);
    let end = text[span.start..].find('\n').map_or(text.len(), |length| span.start + length);
    let before = text[start..span.start].chars().count();
    // Of a long line, the part with the mistake.
    let skipped = if before > MAX_EXCERPT / 2 { before - MAX_EXCERPT / 4 } else { 0 };
    let line = text[start..end].trim_end().chars().skip(skipped).take(MAX_EXCERPT);
    let line: String =
        line.map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
    // Tabs stay, so that the marks are in the right column.
    let blanks = text[start..span.start].chars().skip(skipped);
    let indent: String = blanks.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let marks = text[span.start..span.end.min(end)].chars().count();
    let marks = marks.clamp(1, MAX_EXCERPT - (before - skipped));
    let example = example.map(|example| format!("\n  example: {example}")).unwrap_or_default();
    format!("  {line}\n  {indent}{}{example}", "^".repeat(marks))
}

/// What a part of a file says, or what is wrong with it.
type Read<T> = Result<T, Fault>;

fn fault<T>(span: Range<usize>, message: impl Into<String>) -> Read<T> {
    Err(Fault::new(span, message.into()))
}

struct FileReader<'a> {
    text: &'a str,
    origin: &'a str,
    registry: &'a Registry,
}

type Value<'a> = Spanned<DeValue<'a>>;
type Key<'a> = Spanned<Cow<'a, str>>;

/// The steps that a term or a scale factor can take.
struct Cost {
    name: String,
    steps: u64,
    /// Its longest expression, and the steps of that.
    longest: (String, u64),
    span: Range<usize>,
}

impl Cost {
    fn new(name: String, term: &FormulaTerm, span: Range<usize>) -> Cost {
        Cost { name, steps: term.cost, longest: term.longest.clone(), span }
    }

    /// That of a term, if a file writes it.
    fn of(term: &LoadedTerm, span: Range<usize>) -> Option<Cost> {
        Some(Cost::new(term.entry.name.to_string(), term.entry.formula()?, span))
    }
}

/// Checks that the terms of a file do not take too many steps together. Otherwise, the one that takes most is wrong.
fn check_steps(costs: Vec<Cost>) -> Read<()> {
    let sum = costs.iter().fold(0_u64, |sum, cost| sum.saturating_add(cost.steps));
    let Some(most) = costs.into_iter().max_by_key(|cost| cost.steps).filter(|_| sum > MAX_COST)
    else {
        return Ok(());
    };
    let Cost { name, steps, longest: (at, of_longest), span } = most;
    fault(
        span,
        format!(
            "the terms of this file can take {sum} steps for a position; the most is {MAX_COST}. [{name}] takes \
             {steps} of them, {of_longest} in `{at}`: use fewer loops inside loops, and smaller sets"
        ),
    )
}

/// The terms of the sections of a file, and the scale factors that it has then.
type Sections = (Vec<LoadedTerm>, Vec<LoadedScale>);

impl<'a> FileReader<'a> {
    fn document(&self) -> Read<Spanned<DeTable<'a>>> {
        if let Some(message) =
            self.registry.entries().iter().find_map(|entry| section::fault_of_term(entry))
        {
            return Err(Fault { span: None, message, example: None });
        }
        DeTable::parse(self.text).map_err(|error| {
            let span = error.span();
            let mut message = format!("not valid TOML: {}", error.message());
            // The parser marks the key and does not name it.
            let key = span.clone().and_then(|span| self.text.get(span));
            if let ("duplicate key", Some(key)) = (error.message(), key) {
                message = format!("{message} `{}`", key.trim());
            }
            let example = span.as_ref().and_then(|span| toml_example(self.text, span.start));
            Fault { span, message, example }
        })
    }

    fn engine(&self) -> Result<Engine, Vec<Fault>> {
        let document = self.document()?;
        let table = document.get_ref();
        let base = table.get("base").map(|base| self.base(base)).transpose()?;
        for (key, value) in table {
            self.check_top_level_key(key, value, base.as_ref())?;
        }
        let name = match table.get("name") {
            None => fault(0..0, "`name = \"...\"` is missing: what GUIs show")?,
            // GUIs show it in one line.
            Some(name) => section::text(name, "name")?,
        };
        let has_base = base.is_some();
        let (mut terms, scales) = match base {
            Some(base) => (base.loaded_terms().to_vec(), base.loaded_scales().to_vec()),
            None => {
                let all = self.registry.scales().iter().cloned();
                (Vec::new(), all.map(LoadedScale::new).collect())
            }
        };
        // A section whose term is not listed must still be correct.
        let (sections, scales) = self.load_sections(table, &terms, scales)?;
        let mut warnings = unread_names(table);
        match table.get("terms") {
            None if !has_base => fault(
                0..0,
                "`terms = [...]` is missing: the terms to use, by name; `base = \"tropism\"` takes those of the default engine",
            )?,
            None => sections.into_iter().for_each(|section| put(&mut terms, section)),
            Some(list) => {
                terms = self.listed(list, &sections, &terms)?;
                let keys = in_order(table).into_iter().map(|(key, _)| key);
                warnings.extend(keys.filter_map(|key| {
                    let name = &**key.get_ref();
                    let is_left_out =
                        of_name(&sections, name).is_some() && of_name(&terms, name).is_none();
                    let message =
                        format!("[{name}] counts nothing, because `terms` does not list {name:?}");
                    is_left_out.then(|| Fault::new(key.span(), message))
                }));
            }
        }
        let mut engine = Engine::new(name.to_owned(), terms, scales);
        warnings.sort_by_key(|warning| warning.span.as_ref().map(|span| span.start));
        engine.warnings = warnings
            .into_iter()
            .map(|warning| warning.at(self.origin, self.text))
            .map(|warning| EngineFileError { excerpt: None, ..warning }.to_string())
            .collect();
        Ok(engine)
    }

    /// The terms of all sections, in the order of the file, and all scale factors. `base` gives what a section leaves
    /// out, and `scales` are the scale factors that the file can change.
    fn load_sections(
        &self,
        table: &DeTable<'a>,
        base: &[LoadedTerm],
        scales: Vec<LoadedScale>,
    ) -> Result<Sections, Vec<Fault>> {
        // The terms of the base that the file does not change take steps too.
        let place = |key: &str| table.get(key).map_or(0..0, Spanned::span);
        let unchanged = base.iter().filter(|term| !table.contains_key(&*term.entry.name));
        let mut costs: Vec<Cost> =
            unchanged.filter_map(|term| Cost::of(term, place("base"))).collect();
        let shared = self.shared_names(table)?;
        let scales = self.scales(table, scales, &shared)?;
        costs.extend(scales.iter().filter_map(|scale| {
            let (name, term) = scale.formula()?;
            Some(Cost::new(format!("{SCALE}.{name}"), term, place(SCALE)))
        }));
        let (mut terms, mut faults) = (Vec::new(), Vec::new());
        let names = table.keys().map(|key| key.get_ref().as_ref());
        let names: Vec<&str> = base.iter().map(|term| &*term.entry.name).chain(names).collect();
        for (key, section) in in_order(table) {
            let name = key.get_ref().as_ref();
            if TOP_LEVEL_KEYS.contains(&name) || faults.len() == MAX_FAULTS {
                continue;
            }
            let base = of_name(base, name);
            let term = match self.registry.get(name) {
                Some(entry) => {
                    load_term(entry, section, base).map_err(|fault| self.of_replaced(name, fault))
                }
                None => self.formula_term((key, &names), section, base, &shared),
            };
            match term {
                Ok(term) => {
                    costs.extend(Cost::of(&term, key.span()));
                    terms.push(term);
                }
                Err(fault) => faults.push(fault),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        // The steps are those of a file without other mistakes.
        check_steps(costs)?;
        Ok((terms, scales))
    }

    /// A mistake in the section of a term of this program says so if the term took the name of another.
    fn of_replaced(&self, name: &str, fault: Fault) -> Fault {
        if !self.registry.replaces(name) {
            return fault;
        }
        let message = format!(
            "{}; this program has a term of its own called {name:?}, which replaces the built-in one: give it \
             another name, or the section its weights",
            fault.message
        );
        Fault { message, ..fault }
    }

    /// The base engine.
    fn base(&self, value: &Value) -> Read<Engine> {
        let name = string(value, "base")?;
        let Some(text) = self.registry.base(name) else {
            let hint = nearest(name, self.registry.bases());
            return fault(value.span(), format!("unknown base {name:?}; {hint}"));
        };
        Engine::parse(text, name, &self.registry.without_bases())
            .or_else(|error| fault(value.span(), format!("the base file is wrong: {error}")))
    }

    fn check_top_level_key(&self, key: &Key, value: &Value, base: Option<&Engine>) -> Read<()> {
        let name = key.get_ref().as_ref();
        let of_base = base.into_iter().flat_map(Engine::entries).filter(|entry| entry.is_formula());
        let known: Vec<&str> = TOP_LEVEL_KEYS
            .into_iter()
            .chain(self.names())
            .chain(of_base.map(|entry| &*entry.name))
            .collect();
        if formula::is_one(value) || known.contains(&name) {
            return Ok(());
        }
        fault(key.span(), format!("unknown key {name:?}; {}", key_hint(name, known.into_iter())))
    }

    /// The names of the registry's terms.
    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.registry.entries().iter().map(|entry| &*entry.name)
    }

    /// The terms that the value of the key `terms` names, from the sections or else from the base.
    fn listed(
        &self,
        list: &Value,
        sections: &[LoadedTerm],
        base: &[LoadedTerm],
    ) -> Read<Vec<LoadedTerm>> {
        let mut terms: Vec<LoadedTerm> = Vec::new();
        for item in array(list, "terms")? {
            let name = string(item, "a term")?;
            if of_name(&terms, name).is_some() {
                return fault(item.span(), format!("term {name:?} is listed twice"));
            }
            let Some(term) = of_name(sections, name).or_else(|| of_name(base, name)) else {
                if self.registry.get(name).is_none() {
                    let of_base =
                        base.iter().filter(|term| of_name(sections, &term.entry.name).is_none());
                    let of_file = sections.iter().chain(of_base).map(|term| &term.entry);
                    let of_file = of_file.filter(|it| it.is_formula()).map(|it| &*it.name);
                    let hint = nearest(name, self.names().chain(of_file));
                    return fault(item.span(), format!("unknown term {name:?}; {hint}"));
                }
                return fault(
                    item.span(),
                    format!("term {name:?} is listed, but its section [{name}] is missing"),
                );
            };
            terms.push(term.clone());
        }
        Ok(terms)
    }
}

/// A warning for each named value that no expression reads.
fn unread_names(file: &DeTable<'_>) -> Vec<Fault> {
    let mut unread = Vec::new();
    let mut check = |table: &DeTable<'_>, tables: &[&DeTable<'_>]| {
        let names = section::named(table).unwrap_or_default();
        for (key, value) in &names {
            let name = &**key.get_ref();
            let others = names.iter().filter(|(other, _)| other.get_ref() != key.get_ref());
            let in_names = others.filter_map(|(_, other)| other.get_ref().as_str());
            let texts = tables.iter().flat_map(|it| section::texts(it, &[LET])).chain(in_names);
            if !texts.into_iter().any(|text| section::has_word(text, name)) {
                let message = format!("no expression reads `{name}`");
                let (start, end) = (key.span().start, value.span().end.max(key.span().end));
                let span = start..end.min(start + name.len());
                unread.push(Fault::new(span, message));
            }
        }
    };
    let scales = section::scale_sections(file).unwrap_or_default();
    let sections =
        in_order(file).into_iter().filter(|(key, _)| !TOP_LEVEL_KEYS.contains(&&**key.get_ref()));
    let tables: Vec<&DeTable<'_>> =
        sections.chain(scales).filter_map(|(_, section)| section.get_ref().as_table()).collect();
    check(file, &tables);
    tables.iter().for_each(|table| check(table, &[table]));
    unread
}

/// A line in TOML such as the one of a mistake was meant to be.
fn toml_example(text: &str, place: usize) -> Option<&'static str> {
    let line = text.get(line_start(text, place)..place)?.trim_start();
    Some(match line {
        _ if line.starts_with('[') => "[rook_ways.distance]",
        _ if line.starts_with(WORTH) => "worth = [10, 5]",
        _ if line.starts_with("terms") => "terms = [\"material\", \"rook_ways\"]",
        _ => "count = \"count(own.rooks)\"",
    })
}

/// The entries of a table in the order of the file.
fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Key<'a>, &'t Value<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn of_name<'a>(terms: &'a [LoadedTerm], name: &str) -> Option<&'a LoadedTerm> {
    terms.iter().find(|term| term.entry.name == name)
}

/// The term of a section; `base` gives the values that the section leaves out.
fn load_term(entry: &Arc<Entry>, section: &Value, base: Option<&LoadedTerm>) -> Read<LoadedTerm> {
    let name = &*entry.name;
    let table = as_table(section, name, "a section with its weights")?;
    if !entry.is_formula() {
        formula::is_not_built_in(entry, table)?;
    }
    let keys = || {
        let weights = entry.weights.iter().map(|spec| &*spec.name);
        let parameters = entry.parameters.iter().map(|spec| spec.name);
        weights.chain(parameters).chain([PERCENT_SPEC.name])
    };
    for key in table.keys() {
        known_key(key, &format!("[{name}]"), keys())?;
    }
    let lacks =
        |key: &str, doc: &str| fault(section.span(), format!("[{name}] lacks `{key}`: {doc}"));
    let mut weights = Vec::new();
    for spec in entry.weights.iter() {
        let pairs = weights.len()..weights.len() + spec.pairs();
        match (table.get(&*spec.name), base) {
            (Some(value), _) if entry.is_formula() => {
                let worth = formula::changed_worth(entry, section, value)?;
                read_weight(WORTH, spec, worth, &mut weights)?;
            }
            (Some(value), _) => read_weight(&spec.name, spec, value, &mut weights)?,
            (None, Some(base)) => weights.extend_from_slice(&base.file_weights[pairs]),
            (None, None) => return lacks(&spec.name, &spec.meaning.label()),
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
    let percent = percent(table, base.map_or(100, |base| base.file_percent))?;
    Ok(LoadedTerm::new(Arc::clone(entry), weights, parameters, percent))
}

/// The percentage that a section gives its term.
fn percent(table: &DeTable<'_>, otherwise: u32) -> Read<u32> {
    let percent = table.get(PERCENT_SPEC.name);
    percent.map_or(Ok(otherwise), |value| Ok(read_parameter(&PERCENT_SPEC, value)? as u32))
}

/// Checks that a key is one of those that its place knows.
fn known_key<'n>(
    key: &Key<'_>,
    place: &str,
    known: impl IntoIterator<Item = &'n str, IntoIter: Clone>,
) -> Read<()> {
    let (found, known) = (key.get_ref().as_ref(), known.into_iter());
    if known.clone().any(|known| known == found) {
        return Ok(());
    }
    fault(key.span(), format!("unknown key {found:?} in {place}; {}", key_hint(found, known)))
}

/// A hint for an unknown key: what was meant by it, the nearest known one, or all of them.
fn key_hint<'n>(found: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    let meant = MEANT.iter().find(|(meant, words)| {
        words.split(' ').any(|word| word == found) && known.clone().any(|known| known == *meant)
    });
    match meant {
        Some((meant, _)) => format!("did you mean {meant:?}?"),
        None => nearest(found, known),
    }
}

/// Keys, and what people write for them who do not know them.
const MEANT: [(&str, &str); 14] = [
    ("when", "condition cond if where only applies filter"),
    ("each", "for for_each foreach loop over every"),
    ("worth", "weight weights value values score bonus penalty centipawns points pair"),
    ("count", "number amount times expression expr formula measure value"),
    ("index", "array bucket"),
    ("at", "square on place position shown_on"),
    ("unit", "noun label what name title"),
    ("says", "text sentence message words template reason"),
    ("draws", "drawing arrow arrows ring marks"),
    ("per", "scale divisor denominator fraction"),
    ("doc", "description comment about explanation title"),
    ("let", "names define definitions variables vars functions with"),
    ("percent", "factor strength"),
    ("on", "enabled active"),
];

/// The same, or how to give an expression a name, if no known key is like the unknown one.
fn name_hint(fault: Fault, key: &Key<'_>, value: &Value<'_>, known: &[&str]) -> Fault {
    let (key, message) = (&**key.get_ref(), &fault.message);
    let is_typo = known.iter().any(|known| key.starts_with(&known[..1]));
    let is_meant = MEANT.iter().any(|(_, words)| words.split(' ').any(|word| word == key));
    let message = match message.split_once("; ") {
        _ if TERM_KEYS.contains(&key) => {
            format!("{key} belongs to the term: write it above the sections of its weights")
        }
        Some((unknown, _)) if value.get_ref().is_str() && !is_typo && !is_meant => {
            format!("{unknown}; to name an expression, write `let.{key}`")
        }
        _ if !value.get_ref().is_str() && !message.ends_with('?') => {
            format!("{message}; a weight is a section [TERM.NAME]")
        }
        _ => return fault,
    };
    Fault { message, ..fault }
}

/// Reads the pairs of a weight. Errors call it `name`.
fn read_weight(name: &str, spec: &WeightSpec, value: &Value, weights: &mut Vec<Score>) -> Read<()> {
    let Some(length) = spec.length else {
        weights.push(pair(name, spec.per, value)?);
        return Ok(());
    };
    let items = array(value, name)?;
    check_is_no_pair(name, value, items)?;
    if items.len() != length {
        let message = format!("{name} has {} pairs, not {length}", items.len());
        return fault(value.span(), message);
    }
    for item in items {
        weights.push(pair(name, spec.per, item)?);
    }
    Ok(())
}

/// Refuses two numbers where an array of pairs is wanted: they read as one pair and as two.
fn check_is_no_pair(name: &str, value: &Value, items: &[Value]) -> Read<()> {
    let texts: Option<Vec<&str>> = items
        .iter()
        .map(|item| match item.get_ref() {
            DeValue::Integer(integer) => Some(integer.as_str()),
            DeValue::Float(float) => Some(float.as_str()),
            _ => None,
        })
        .collect();
    let Some([first, second]) = texts.as_deref() else { return Ok(()) };
    let message = format!(
        "{name} could be one pair or two: write [[{first}, {second}]] for one pair of middlegame and endgame, \
         [[{first}, {first}], [{second}, {second}]] for two pairs"
    );
    fault(value.span(), message)
}

fn pair(name: &str, per: i32, value: &Value) -> Read<Score> {
    let wanted = "a pair [middlegame, endgame] of centipawns, or one number for both";
    let (mg, eg) = match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => (value, value),
        DeValue::Array(array) if array.len() == 2 => (&array[0], &array[1]),
        _ => return wrong_type(value, name, wanted),
    };
    let per = f64::from(per);
    Ok(Score::from_centipawns(number(name, mg)? / per, number(name, eg)? / per))
}

fn number(name: &str, value: &Value) -> Read<f64> {
    let text = match value.get_ref() {
        DeValue::Float(float) => float.as_str(),
        DeValue::Integer(integer) => decimal(name, value, integer)?,
        _ => return wrong_type(value, name, "a number of centipawns"),
    };
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= MAX_WEIGHT => Ok(number),
        _ => fault(
            value.span(),
            format!("{text} is out of range for {name}: -{MAX_WEIGHT} to {MAX_WEIGHT}"),
        ),
    }
}

fn read_parameter(spec: &ParameterSpec, value: &Value) -> Read<i32> {
    let ParameterSpec { name, min, max, .. } = *spec;
    let parsed = match value.get_ref() {
        DeValue::Integer(integer) => decimal(name, value, integer)?.parse::<i32>().ok(),
        _ => return wrong_type(value, name, "a whole number"),
    };
    match parsed {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        _ => fault(value.span(), format!("{name} is out of range: {min} to {max}")),
    }
}

/// The digits of a whole number, which TOML also reads in hexadecimal, octal and binary.
fn decimal<'i>(name: &str, value: &Value, integer: &'i DeInteger) -> Read<&'i str> {
    if integer.radix() == 10 {
        return Ok(integer.as_str());
    }
    let number = u64::from_str_radix(integer.as_str(), integer.radix());
    let hint = number.map_or_else(|_| String::new(), |it| format!(": write {it} for {integer}"));
    fault(value.span(), format!("{name} must be a decimal number{hint}"))
}

fn string<'a>(value: &'a Value, what: &str) -> Read<&'a str> {
    value.get_ref().as_str().map_or_else(|| wrong_type(value, what, "a string"), Ok)
}

fn as_table<'a, 'b>(value: &'a Value<'b>, what: &str, wanted: &str) -> Read<&'a DeTable<'b>> {
    value.get_ref().as_table().map_or_else(|| wrong_type(value, what, wanted), Ok)
}

fn array<'a, 'b>(value: &'a Value<'b>, what: &str) -> Read<&'a [Value<'b>]> {
    let array = value.get_ref().as_array().map(|array| &**array);
    array.map_or_else(|| wrong_type(value, what, "an array"), Ok)
}

fn wrong_type<T>(value: &Value, what: &str, wanted: &str) -> Read<T> {
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
