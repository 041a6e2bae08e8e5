//! What all sections of an engine file have: names, named values and texts for people.

use super::{Key, Read, TOP_LEVEL_KEYS, Value, as_table, fault, in_order, string, wrong_type};
use crate::eval::Entry;
use toml::de::{DeTable, DeValue};

/// The key for named values, of a term or of the whole file.
pub(in crate::eval) const LET: &str = "let";

/// The key of the table of scale factors.
pub const SCALE: &str = "scale";

/// The longest name, in bytes.
pub(in crate::eval) const MAX_NAME: usize = 40;

/// The longest text for people, in bytes.
pub(in crate::eval) const MAX_TEXT: usize = 500;

/// A named value: its name and its expression.
pub(super) type Named<'t, 'a> = (&'t Key<'a>, &'t Value<'a>);

/// The named values of a term or a file.
pub(super) fn named<'t, 'a>(table: &'t DeTable<'a>) -> Read<Vec<Named<'t, 'a>>> {
    entries(table, LET, "a table of names and expressions")
}

/// The sections of the scale factors of a file, in its order.
pub(super) fn scale_sections<'t, 'a>(file: &'t DeTable<'a>) -> Read<Vec<Named<'t, 'a>>> {
    entries(file, SCALE, "a table of scale factors, in sections [scale.NAME]")
}

/// The entries of the table of a key, in the order of the file.
fn entries<'t, 'a>(table: &'t DeTable<'a>, key: &str, wanted: &str) -> Read<Vec<Named<'t, 'a>>> {
    let Some(value) = table.get(key) else { return Ok(Vec::new()) };
    Ok(in_order(as_table(value, key, wanted)?))
}

/// Those of the shared names that the texts of a term read, or that one of them reads.
pub(super) fn needed<'t, 'a>(shared: &[Named<'t, 'a>], texts: &[&str]) -> Vec<Named<'t, 'a>> {
    let mut texts = texts.to_vec();
    let mut needed = Vec::new();
    for &(key, value) in shared.iter().rev() {
        if texts.iter().any(|text| has_word(text, key.get_ref())) {
            texts.extend(value.get_ref().as_str());
            needed.push((key, value));
        }
    }
    needed.reverse();
    needed
}

/// Whether a word stands in an expression.
pub(super) fn has_word(expression: &str, word: &str) -> bool {
    let mut words =
        expression.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
    words.any(|known| known == word)
}

/// The keys whose texts the search never computes: those for people and drawings.
pub(super) const TOLD: [&str; 6] = ["doc", "source", "theme", "unit", "says", "draws"];

/// All texts of a section and the tables in it, but those of some keys.
pub(super) fn texts<'t>(table: &'t DeTable<'_>, without: &[&str]) -> Vec<&'t str> {
    let mut texts = Vec::new();
    for (key, value) in table {
        if !without.contains(&&**key.get_ref()) {
            add_texts(value, without, &mut texts);
        }
    }
    texts
}

fn add_texts<'t>(value: &'t Value<'_>, without: &[&str], found: &mut Vec<&'t str>) {
    match value.get_ref() {
        DeValue::String(text) => found.push(text),
        DeValue::Array(array) => {
            array.iter().for_each(|value| add_texts(value, without, found));
        }
        DeValue::Table(table) => found.extend(texts(table, without)),
        _ => {}
    }
}

/// Whether a term, a weight or a value can have this name: it stands in tables and UCI options.
pub fn is_term_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn bad_name(name: &str) -> String {
    format!(
        "{name:?} cannot be a name: use lower-case letters, digits and `_`, at most {MAX_NAME}, and begin with a letter"
    )
}

/// What is wrong with the names of a term in Rust: they stand in files, tables and UCI options.
pub(super) fn fault_of_term(entry: &Entry) -> Option<String> {
    let weights = entry.weights.iter().map(|spec| &*spec.name);
    let parameters = entry.parameters.iter().map(|spec| spec.name);
    let mut names = [&*entry.name, &*entry.theme].into_iter().chain(weights).chain(parameters);
    let fault = match names.find(|name| !is_term_name(name)) {
        Some(wrong) => bad_name(wrong),
        None if TOP_LEVEL_KEYS.contains(&&*entry.name) => {
            "its name is a key of engine files".into()
        }
        None => return None,
    };
    Some(format!("the term {:?} of this program: {fault}", entry.name))
}

/// The name of a key that gives one.
pub(super) fn check_name<'k>(key: &'k Key<'_>) -> Read<&'k str> {
    let name = key.get_ref().as_ref();
    if is_term_name(name) {
        return Ok(name);
    }
    fault(key.span(), bad_name(name))
}

/// A text for people: one line.
pub(super) fn text<'t>(value: &'t Value<'_>, key: &str) -> Read<&'t str> {
    let text = string(value, key)?.trim();
    let found = match text.chars().find(|c| c.is_control()) {
        _ if text.is_empty() => "is empty".to_owned(),
        Some('\n' | '\r') => "has a line break".to_owned(),
        Some('\t') => "has a tab: write spaces".to_owned(),
        Some(control) => format!("has the control character U+{:04X}", u32::from(control)),
        None if text.len() > MAX_TEXT => format!("has {} bytes", text.len()),
        None => return Ok(text),
    };
    fault(value.span(), format!("{key} must be one line of 1 to {MAX_TEXT} bytes, but {found}"))
}

/// True or false.
pub(super) fn boolean(value: &Value<'_>, key: &str) -> Read<bool> {
    match value.get_ref() {
        DeValue::Boolean(value) => Ok(*value),
        _ => wrong_type(value, key, "true or false"),
    }
}
