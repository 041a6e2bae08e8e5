//! Formula terms: what a section of an engine file says of a term that the file writes itself.

use super::{
    Fault, Key, LoadedTerm, PERCENT_SPEC, Reader, Value, array, fault, in_order, nearest,
    read_parameter, read_weight, string, wrong_type,
};
use crate::eval::formula::{MAX_COST, Mistake, Subject, TermBuilder, WeightBuilder, largest};
use crate::eval::meaning::{Unit, count, distance, enemy, own, place, square};
use crate::eval::registry::{Entry, Kind};
use crate::eval::{MOST_PAIRS, Meaning, ParameterSpec, Scope, Score, Weight, WeightSpec};
use std::{ops::Range, sync::Arc};
use toml::de::{DeTable, DeValue};

/// The keys of a formula term that are no weights.
pub(in crate::eval) const TERM_KEYS: [&str; 7] =
    ["doc", "source", "let", "when", "each", "tuned_from_games", PERCENT_SPEC.name];

/// The keys of a weight of a formula term.
pub(in crate::eval) const WEIGHT_KEYS: [&str; 8] =
    ["each", "when", "count", "index", "at", "unit", "per", WORTH];

/// The key of a weight of a formula term that holds its pair or array of pairs.
pub(in crate::eval) const WORTH: &str = "worth";

/// The longest name, in bytes.
pub(in crate::eval) const MAX_NAME: usize = 40;

/// The longest text for people, in bytes.
pub(in crate::eval) const MAX_TEXT: usize = 500;

/// The largest sum, in centipawns, that the formula terms of a file may give one side in a game. A [`Score`] holds
/// the sums of both sides, each at 400 percent of 400 percent, with room for the built-in terms.
const MAX_WORTH: f64 = 200_000.0;

/// The largest sum of the counts of a weight for one side. The difference of both sides fits an `i32`,
/// which the tuner needs also of a weight that is worth nothing.
const MAX_COUNT: u64 = 1_000_000_000;

/// The largest `per`.
pub(in crate::eval) const MAX_PER: i32 = 10_000;

/// The key by which a weight counts in fractions.
const PER_SPEC: ParameterSpec =
    ParameterSpec { name: "per", doc: "how many counts make one unit", min: 1, max: MAX_PER };

/// What the formula terms of a file have used of what they may use together.
#[derive(Default)]
pub(super) struct Limits {
    cost: u64,
    worth: f64,
}

impl Limits {
    /// What the terms of the base use that the file does not change.
    pub(super) fn of_base(base: &[LoadedTerm], table: &DeTable<'_>) -> Limits {
        let mut limits = Limits::default();
        for term in base.iter().filter(|term| !table.contains_key(&*term.entry.name)) {
            if let Kind::Formula(formula) = &term.entry.kind {
                limits.cost += formula.cost();
                limits.worth += formula.worth(&term.file_weights);
            }
        }
        limits
    }

    /// Adds the largest sum of a term or weight for one side.
    fn add_worth(&mut self, name: &str, worth: f64, span: Range<usize>) -> Result<(), Fault> {
        self.worth += worth;
        if self.worth <= MAX_WORTH {
            return Ok(());
        }
        let message = format!(
            "{name} can be worth {worth:.0} centipawns, and the terms of this file {:.0} together; the \
             most is {MAX_WORTH}: give it less worth, or limit the count with `min(count, 10)`",
            self.worth
        );
        fault(span, message)
    }

    fn add_cost(&mut self, name: &str, cost: u64, span: Range<usize>) -> Result<(), Fault> {
        self.cost += cost;
        if self.cost <= MAX_COST {
            return Ok(());
        }
        let message = format!(
            "the terms of this file can take {} steps for a position with [{name}]; the most is \
             {MAX_COST}: use fewer loops inside loops, and smaller sets",
            self.cost
        );
        fault(span, message)
    }
}

/// Whether a section is meant as a formula term.
pub(super) fn is_one(section: &Value<'_>) -> bool {
    section.get_ref().as_table().is_some_and(|table| {
        let is_mark = |key: &str| ["doc", "let", "when", "each"].contains(&key);
        table.iter().any(|(key, value)| is_mark(key.get_ref()) || value.get_ref().is_table())
    })
}

/// Checks that the section of a built-in term does not write a term of its own.
pub(super) fn is_not_built_in(entry: &Entry, table: &DeTable<'_>) -> Result<(), Fault> {
    let name = &*entry.name;
    let is_weight = |key: &str| entry.weights.iter().any(|spec| spec.name == key);
    for (key, value) in table {
        let own_key = ["doc", "source", "let", "when", "each"].contains(&key.get_ref().as_ref());
        if value.get_ref().is_table() || (own_key && !is_weight(key.get_ref())) {
            return fault(
                key.span(),
                format!(
                    "{name} is a built-in term, and its section has weights only; \
                     a term that you write yourself needs another name"
                ),
            );
        }
    }
    Ok(())
}

/// A weight of a section: its name and its table.
type Section<'t, 'a> = (&'t Key<'a>, &'t DeTable<'a>, Range<usize>);

impl<'a> Reader<'a> {
    /// The term that a section writes. A section without `doc` changes the worth of a term of the base.
    pub(super) fn formula_term(
        &self,
        key: &Key<'a>,
        section: &Value<'a>,
        base: Option<&LoadedTerm>,
        limits: &mut Limits,
    ) -> Result<LoadedTerm, Fault> {
        let name = check_name(key)?;
        let Some(table) = section.get_ref().as_table() else {
            return wrong_type(section, name, "a section that writes a term");
        };
        let term = match base {
            Some(base) if !table.contains_key("doc") => {
                let term = self.changed_worth(base, section, table)?;
                if let Kind::Formula(formula) = &term.entry.kind {
                    limits.add_cost(name, formula.cost(), section.span())?;
                    limits.add_worth(name, formula.worth(&term.file_weights), section.span())?;
                }
                term
            }
            _ => self.written_term(name, section, table, limits)?,
        };
        Ok(term)
    }

    fn written_term(
        &self,
        name: &str,
        section: &Value<'a>,
        table: &DeTable<'a>,
        limits: &mut Limits,
    ) -> Result<LoadedTerm, Fault> {
        let sections = weight_sections(name, table)?;
        let doc = match table.get("doc") {
            Some(doc) => text(doc, "doc")?,
            None => {
                let message = format!("[{name}] lacks `doc`: one sentence on what it measures");
                return fault(section.span(), message);
            }
        };
        let source =
            table.get("source").map_or(Ok("an engine file"), |source| text(source, "source"));
        let is_tuned_from_games = match table.get("tuned_from_games") {
            None => true,
            Some(value) => match value.get_ref() {
                DeValue::Boolean(value) => *value,
                _ => return wrong_type(value, "tuned_from_games", "true or false"),
            },
        };
        let mut builder = TermBuilder::default();
        self.define(&mut builder, table)?;
        if let Some(each) = table.get("each") {
            builder.each(string(each, "each")?).map_err(|mistake| self.mistake(each, mistake))?;
        }
        let mut weights = Vec::new();
        let mut specs = Vec::new();
        if sections.is_empty() {
            let message =
                format!("[{name}] has no weight: add a section [{name}.NAME] with `worth`");
            return fault(section.span(), message);
        }
        for weight in sections {
            let spec = self.weight(&mut builder, weight, &mut weights, limits)?;
            specs.push(spec);
        }
        limits.add_cost(name, builder.cost(), section.span())?;
        let (term, pawns_and_kings) = builder.finish();
        let entry = Entry {
            name: name.to_owned().into(),
            doc: doc.to_owned().into(),
            source: source?.to_owned().into(),
            weights: specs,
            parameters: &[],
            scope: Scope::Everywhere,
            pawns_and_kings,
            is_tuned_from_games,
            kind: Kind::Formula(Arc::new(term)),
        };
        Ok(LoadedTerm::new(Arc::new(entry), weights, Vec::new(), percent(table)?.unwrap_or(100)))
    }

    /// The named values and the condition. The condition reads the names that are defined before it.
    fn define(&self, builder: &mut TermBuilder, table: &DeTable<'a>) -> Result<(), Fault> {
        let names = match table.get("let") {
            None => Vec::new(),
            Some(names) => match names.get_ref().as_table() {
                Some(names) => in_order(names),
                None => return wrong_type(names, "let", "a table of names and expressions"),
            },
        };
        let when = table.get("when");
        let reads = |name: &str| match when.and_then(|when| when.get_ref().as_str()) {
            Some(when) => has_word(when, name),
            None => false,
        };
        // Names that only the weights read are not computed where the condition does not hold.
        let before =
            names.iter().rposition(|(name, _)| reads(name.get_ref())).map_or(0, |at| at + 1);
        for (index, (key, value)) in names.iter().enumerate() {
            if index == before {
                self.when(builder, when)?;
            }
            let name = check_name(key)?;
            let text = string(value, name)?;
            builder.check_new(name).map_err(|mistake| Fault {
                span: Some(key.span()),
                message: mistake.message,
                expression: Some(mistake.example),
            })?;
            builder.define(name, text).map_err(|mistake| self.mistake(value, mistake))?;
        }
        if before >= names.len() {
            self.when(builder, when)?;
        }
        Ok(())
    }

    fn when(&self, builder: &mut TermBuilder, when: Option<&Value<'a>>) -> Result<(), Fault> {
        match when {
            None => Ok(()),
            Some(when) => {
                builder.when(string(when, "when")?).map_err(|mistake| self.mistake(when, mistake))
            }
        }
    }

    /// Adds a weight to the term and its pairs to `weights`.
    fn weight(
        &self,
        builder: &mut TermBuilder,
        (key, table, span): Section<'_, 'a>,
        weights: &mut Vec<Score>,
        limits: &mut Limits,
    ) -> Result<WeightSpec, Fault> {
        let name = check_name(key)?;
        check_keys(table, name, &WEIGHT_KEYS)?;
        let lacks =
            |key: &str, doc: &str| fault(span.clone(), format!("{name} lacks `{key}`: {doc}"));
        let Some(worth) = table.get(WORTH) else {
            return lacks(
                WORTH,
                "a pair [middlegame, endgame] of centipawns, or with `index` an array of pairs",
            );
        };
        let Some(unit) = table.get("unit") else {
            return lacks("unit", "what is counted, as in \"king moves from the enemy king\"");
        };
        let per = match table.get("per") {
            None => 1,
            Some(per) => read_parameter(&PER_SPEC, per)?,
        };
        if let (Some(_), Some(index)) = (table.get("count"), table.get("index")) {
            return fault(
                index.span(),
                format!("{name} has both `count` and `index`; give one of them"),
            );
        }
        let first = weights.len();
        let length = match table.get("index") {
            None => None,
            Some(_) => match array(worth, "the worth of a weight with `index`")? {
                [] => {
                    return fault(worth.span(), "the array is empty; give one pair for each index");
                }
                items => Some(items.len()),
            },
        };
        let pairs = length.unwrap_or(1);
        if first + pairs > MOST_PAIRS {
            return fault(worth.span(), format!("the term has more than {MOST_PAIRS} pairs"));
        }
        let is_array_of_pairs = worth.get_ref().as_array().is_some_and(|items| {
            items.iter().all(|item| item.get_ref().is_array()) && !items.is_empty()
        });
        if length.is_none() && is_array_of_pairs {
            let message = format!(
                "{name} has an array of pairs: `index` chooses one of them; `count` multiplies a single pair"
            );
            return fault(worth.span(), message);
        }
        let mut built = builder.weight();
        self.read_expressions(&mut built, table, length)?;
        let meaning = meaning(unit, &built, length)?;
        let spec = WeightSpec { name: name.to_owned().into(), meaning, length, per };
        read_weight(WORTH, &spec, worth, weights)?;
        if built.most() > MAX_COUNT {
            let message = format!(
                "{name} can count to {}; the most is {MAX_COUNT}: limit the count with `min(count, 10)`",
                built.most()
            );
            return fault(table.get("count").unwrap_or(worth).span(), message);
        }
        let most = built.most_in_game() as f64 * largest(&weights[first..]);
        limits.add_worth(name, most, worth.span())?;
        builder.add(Weight::new(first), built);
        Ok(spec)
    }

    fn read_expressions(
        &self,
        built: &mut WeightBuilder,
        table: &DeTable<'a>,
        length: Option<usize>,
    ) -> Result<(), Fault> {
        // The loop first: the other expressions read its variable.
        for key in ["each", "when", "at", "count", "index"] {
            let Some(value) = table.get(key) else { continue };
            let number;
            let text = match value.get_ref() {
                // `count = 1` needs no quotes.
                DeValue::Integer(integer) if key == "count" => {
                    number = integer.as_str().to_owned();
                    &number
                }
                _ => string(value, key)?,
            };
            let read = match key {
                "each" => built.each(text),
                "when" => built.when(text),
                "at" => built.at(text),
                "count" => built.count(text),
                _ => built.index(text, length.unwrap_or(1)),
            };
            read.map_err(|mistake| self.mistake(value, mistake))?;
        }
        Ok(())
    }

    /// A term of the base with other worths.
    fn changed_worth(
        &self,
        base: &LoadedTerm,
        section: &Value<'a>,
        table: &DeTable<'a>,
    ) -> Result<LoadedTerm, Fault> {
        let entry = &base.entry;
        let name = &*entry.name;
        let mut weights = base.file_weights.clone();
        for (key, value) in table {
            let key_name = key.get_ref().as_ref();
            if key_name == PERCENT_SPEC.name {
                continue;
            }
            let mut first = 0;
            let spec = entry.weights.iter().find(|spec| {
                let is_it = spec.name == key_name;
                first += if is_it { 0 } else { spec.pairs() };
                is_it
            });
            let Some(spec) = spec else {
                let known = entry.weights.iter().map(|spec| &*spec.name).chain([PERCENT_SPEC.name]);
                let hint = nearest(key_name, known);
                return fault(key.span(), format!("unknown key {key_name:?} in [{name}]; {hint}"));
            };
            let worth = value.get_ref().as_table().and_then(|table| {
                let is_alone = table.len() == 1;
                table.get(WORTH).filter(|_| is_alone)
            });
            let Some(worth) = worth else {
                let message = format!(
                    "[{name}] comes from the base: change only `worth`, or write the whole term, with `doc`"
                );
                return fault(section.span(), message);
            };
            let mut changed = Vec::new();
            read_weight(WORTH, spec, worth, &mut changed)?;
            weights[first..first + spec.pairs()].copy_from_slice(&changed);
        }
        let percent = percent(table)?.unwrap_or(base.file_percent);
        Ok(LoadedTerm::new(Arc::clone(entry), weights, Vec::new(), percent))
    }

    /// A mistake of an expression as a fault of the file.
    fn mistake(&self, value: &Value<'a>, mistake: Mistake) -> Fault {
        let span = value.span();
        let raw = &self.text[span.clone()];
        let quotes =
            ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| raw.starts_with(quotes));
        let mut start = quotes.map_or(0, str::len);
        // The first line break after three quotes is no part of the text.
        if start == 3 {
            let newline =
                ["\r\n", "\n"].into_iter().find(|newline| raw[start..].starts_with(newline));
            start += newline.map_or(0, str::len);
        }
        let text = value.get_ref().as_str().unwrap_or_default();
        // Where the text has escapes, its columns are not those of the file.
        let is_verbatim = raw[start..].starts_with(text);
        let span = match is_verbatim {
            true => span.start + start + mistake.span.start..span.start + start + mistake.span.end,
            false => span,
        };
        Fault { span: Some(span), message: mistake.message, expression: Some(mistake.example) }
    }
}

/// Whether a word stands in an expression.
fn has_word(expression: &str, word: &str) -> bool {
    let mut words =
        expression.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
    words.any(|known| known == word)
}

/// The sections of the weights, in the order of the file. All other keys of the term are checked.
fn weight_sections<'t, 'a>(
    name: &str,
    table: &'t DeTable<'a>,
) -> Result<Vec<Section<'t, 'a>>, Fault> {
    let mut sections = Vec::new();
    for (key, value) in in_order(table) {
        match value.get_ref().as_table() {
            _ if TERM_KEYS.contains(&key.get_ref().as_ref()) => {}
            Some(weight) => sections.push((key, weight, value.span())),
            None => {
                let found = key.get_ref().as_ref();
                let hint = nearest(found, TERM_KEYS.into_iter());
                return fault(
                    key.span(),
                    format!(
                        "unknown key {found:?} in [{name}]; {hint}; a weight is a section [{name}.{found}]"
                    ),
                );
            }
        }
    }
    Ok(sections)
}

fn check_keys(table: &DeTable<'_>, name: &str, known: &[&str]) -> Result<(), Fault> {
    for key in table.keys() {
        let found = key.get_ref().as_ref();
        if !known.contains(&found) {
            let hint = nearest(found, known.iter().copied());
            return fault(key.span(), format!("unknown key {found:?} in {name}; {hint}"));
        }
    }
    Ok(())
}

/// Whether a term, a weight or a value can have this name: it stands in tables and UCI options.
pub(crate) fn is_term_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The name of a key that gives one.
fn check_name<'k>(key: &'k Key<'_>) -> Result<&'k str, Fault> {
    let name = key.get_ref().as_ref();
    if is_term_name(name) {
        return Ok(name);
    }
    let message = format!(
        "{name:?} cannot be a name: use lower-case letters, digits and `_`, at most {MAX_NAME}, and begin with a letter"
    );
    fault(key.span(), message)
}

/// A text for people: one line.
pub(super) fn text<'t>(value: &'t Value<'_>, key: &str) -> Result<&'t str, Fault> {
    let text = string(value, key)?.trim();
    if text.is_empty() || text.len() > MAX_TEXT || text.contains(char::is_control) {
        let message = format!("{key} must be one line of 1 to {MAX_TEXT} bytes");
        return fault(value.span(), message);
    }
    Ok(text)
}

fn percent(table: &DeTable<'_>) -> Result<Option<u32>, Fault> {
    let percent = table.get(PERCENT_SPEC.name);
    percent.map(|value| Ok(read_parameter(&PERCENT_SPEC, value)? as u32)).transpose()
}

/// What the unit of a weight says of its values. A constant is a thing that is there or not; any other
/// number is a quantity of the piece it is shown on, and `... from ...` a distance of it.
fn meaning(
    unit: &Value<'_>,
    weight: &WeightBuilder,
    length: Option<usize>,
) -> Result<Meaning, Fault> {
    let (one, many) = match unit.get_ref().as_array().map(|array| &**array) {
        Some([one, many]) => (text(one, "unit")?.to_owned(), text(many, "unit")?.to_owned()),
        Some(_) => {
            return wrong_type(
                unit,
                "unit",
                "a text, or an array of the words for one and for several",
            );
        }
        None => {
            let many = text(unit, "unit")?;
            (singular(many), many.to_owned())
        }
    };
    if weight.is_constant() && length.is_none() {
        let is_pair = unit.get_ref().is_array();
        return Ok(count(if is_pair { one } else { many.clone() }, many));
    }
    let thing = match weight.subject() {
        Some(Subject { name, is_own }) => {
            let name = name.replace('_', " ");
            match is_own {
                Some(true) => own(name),
                Some(false) => enemy(name),
                None => square(name),
            }
        }
        None => square("square"),
    };
    Ok(match (one.split_once(" from "), many.split_once(" from ")) {
        (Some((one, _)), Some((many, to))) => {
            let unit = Unit { one: one.to_owned().into(), many: many.to_owned().into() };
            let distance = distance(unit, place(to.to_owned()));
            thing.is(match length {
                Some(length) if weight.is_capped() => distance.or_more(length as u32 - 1),
                _ => distance,
            })
        }
        _ => thing.with(one, many),
    })
}

/// The unit for the number one: `king moves from the centre` is `king move from the centre`.
fn singular(unit: &str) -> String {
    let (head, tail) = unit.find(" from ").map_or((unit, ""), |at| unit.split_at(at));
    format!("{}{tail}", head.strip_suffix('s').unwrap_or(head))
}
