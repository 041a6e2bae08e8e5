//! Numbers in the expressions of an engine file that a tuner may change, as
//! `let.reach = { value = 3, from = 1, to = 7 }`.

use super::section::{LET, TOLD, named, needed, scale_sections, texts};
use super::{
    KEEPS_SPEC, Key, ParameterSpec, Read, SCALE, Value, as_table, fault, in_order, known_key,
    read_parameter,
};
use crate::eval::Engine;
use std::ops::{Range, RangeInclusive};
use toml::de::DeTable;

/// The largest such number, either way.
const MAX_NUMBER: i32 = 10_000;

/// The keys of a number.
const NUMBER_SPECS: [ParameterSpec; 3] = [
    spec(VALUE, "the number"),
    spec("from", "the least that it may become"),
    spec("to", "the most that it may become"),
];

const VALUE: &str = "value";

const fn spec(name: &'static str, doc: &'static str) -> ParameterSpec {
    ParameterSpec { name, doc, min: -MAX_NUMBER, max: MAX_NUMBER }
}

/// A number and its limits.
pub(super) fn number(name: &str, value: &Value<'_>) -> Read<(i32, RangeInclusive<i32>)> {
    let wanted =
        "an expression in quotes, or a number for the tuner, { value = 3, from = 1, to = 7 }";
    let table = as_table(value, name, wanted)?;
    for key in table.keys() {
        known_key(key, name, NUMBER_SPECS.iter().map(|spec| spec.name))?;
    }
    let mut numbers = [0; 3];
    for (number, spec) in numbers.iter_mut().zip(&NUMBER_SPECS) {
        let Some(value) = table.get(spec.name) else {
            return fault(value.span(), format!("{name} lacks `{}`: {}", spec.name, spec.doc));
        };
        *number = read_parameter(spec, value)?;
    }
    let [number, from, to] = numbers;
    let message = match (from..=to).contains(&number) {
        true => return Ok((number, from..=to)),
        false if from > to => format!("{name}: from {from} is more than to {to}"),
        false => format!("{name} is {number}, which is not from {from} to {to}"),
    };
    fault(value.span(), message)
}

/// A number in the expressions of an engine file that a tuner may change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TunableNumber {
    /// The name that expressions read.
    pub name: String,
    /// The terms whose expressions read it, and the scale factors.
    pub terms: Vec<String>,
    /// What it is now.
    pub value: i32,
    /// What it may become, within -10,000 to 10,000.
    pub range: RangeInclusive<i32>,
    /// The bytes of the text that hold the value.
    place: Range<usize>,
}

impl TunableNumber {
    /// The text of the engine file with another value of the number. `text` is that which the number was read from.
    pub fn write_into(&self, text: &str, value: i32) -> String {
        let (before, after) = (text.get(..self.place.start), text.get(self.place.end..));
        format!("{}{value}{}", before.unwrap_or_default(), after.unwrap_or_default())
    }
}

impl Engine {
    /// The numbers in the expressions of an engine file that a tuner may change, in the order of the text. Those of
    /// the base are not among them. A text that is no engine file may have none.
    ///
    /// ```
    /// use tropism::eval::Engine;
    /// let text = "let.reach = { value = 3, from = 1, to = 7 } # king moves";
    /// let numbers = Engine::tunable_numbers(text);
    /// assert_eq!((&*numbers[0].name, numbers[0].value), ("reach", 3));
    /// assert_eq!(numbers[0].write_into(text, 5), text.replace("3", "5"));
    /// ```
    pub fn tunable_numbers(text: &str) -> Vec<TunableNumber> {
        let Ok(document) = DeTable::parse(text) else { return Vec::new() };
        let file = document.get_ref();
        let sections: Vec<_> = in_order(file)
            .into_iter()
            .filter_map(|(key, section)| Some((key.get_ref(), section.get_ref().as_table()?)))
            .filter(|(name, _)| name.as_ref() != LET)
            .collect();
        let of_file = named(file).unwrap_or_default();
        let readers = |name: &Key<'_>| {
            let reads = |table: &DeTable<'_>| {
                needed(&of_file, &texts(table, &TOLD))
                    .iter()
                    .any(|(known, _)| known.get_ref() == name.get_ref())
            };
            let readers = sections.iter().filter(|(_, table)| reads(table));
            readers.map(|(term, _)| term.to_string()).collect()
        };
        let mut numbers: Vec<TunableNumber> = Vec::new();
        for &(name, value) in &of_file {
            numbers.extend(tunable(name, value, readers(name)));
        }
        for (term, table) in &sections {
            for (name, value) in named(table).unwrap_or_default() {
                numbers.extend(tunable(name, value, vec![term.to_string()]));
            }
        }
        for (name, section) in scale_sections(file).unwrap_or_default() {
            let Some(table) = section.get_ref().as_table() else { continue };
            let keeps = table.get_key_value(KEEPS_SPEC.name).into_iter();
            for (key, value) in named(table).unwrap_or_default().into_iter().chain(keeps) {
                numbers.extend(tunable(key, value, vec![format!("{SCALE}.{}", name.get_ref())]));
            }
        }
        numbers.sort_by_key(|number| number.place.start);
        numbers
    }
}

/// The number of a name, if its value is one.
fn tunable(name: &Key<'_>, table: &Value<'_>, terms: Vec<String>) -> Option<TunableNumber> {
    let name = name.get_ref().to_string();
    let (value, range) = number(&name, table).ok()?;
    let place = table.get_ref().get(VALUE)?.span();
    Some(TunableNumber { name, terms, value, range, place })
}
