//! Formula terms: what a section of an engine file says of a term that the file writes itself.

use super::numbers::number;
use super::section::{LET, Named, TOLD, boolean, check_name, named, needed, text, texts};
use super::words::{MAX_STEPS, theme};
use super::{
    Fault, FileReader, Key, LoadedTerm, PERCENT_SPEC, Read, TOP_LEVEL_KEYS, Value, array, as_table,
    decimal, fault, in_order, known_key, load_term, name_hint, percent, read_parameter,
    read_weight, wrong_type,
};
use crate::eval::formula::{
    Amount, Compiler, FormulaTerm, FormulaWeight, MAX_COST, Mistake, Subject, Sum, Type,
};
use crate::eval::meaning::{self, Thing, count, distance, enemy, own, place, square};
use crate::eval::registry::{Entry, Kind};
use crate::eval::{MAX_PAIRS, Meaning, ParameterSpec, Scope, Score, Weight, WeightSpec};
use crate::text::did_you_mean;
use std::{borrow::Cow, ops::Range, sync::Arc};
use toml::de::{DeTable, DeValue};

/// The keys of a formula term that are no weights.
pub const TERM_KEYS: [&str; 8] =
    ["doc", "source", "theme", LET, "when", "each", "tuned_from_games", PERCENT_SPEC.name];

/// The keys of a weight of a formula term.
pub const WEIGHT_KEYS: [&str; 10] =
    ["each", "when", "count", "index", "at", "unit", "per", WORTH, "says", "draws"];

/// The key of a weight of a formula term that holds its pair or array of pairs.
pub(in crate::eval) const WORTH: &str = "worth";

/// The key by which a weight counts in fractions.
pub const PER_SPEC: ParameterSpec = ParameterSpec {
    name: "per",
    doc: "how many counts make one unit; 1 if it is missing",
    min: 1,
    max: 10_000,
};

/// Whether a section is meant as a formula term.
pub(super) fn is_one(section: &Value<'_>) -> bool {
    section.get_ref().as_table().is_some_and(|table| {
        let is_mark = |key: &str| {
            key != PERCENT_SPEC.name && (TERM_KEYS.contains(&key) || WEIGHT_KEYS.contains(&key))
        };
        table.iter().any(|(key, value)| is_mark(key.get_ref()) || value.get_ref().is_table())
    })
}

/// Checks that the section of a built-in term does not write a term of its own.
pub(super) fn is_not_built_in(entry: &Entry, table: &DeTable<'_>) -> Read<()> {
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

impl<'a> FileReader<'a> {
    /// The term that a section writes. A section without `doc` changes the worth of a term of the base.
    pub(super) fn formula_term(
        &self,
        (key, names): (&Key<'a>, &[&str]),
        section: &Value<'a>,
        base: Option<&LoadedTerm>,
        shared: &[Named<'_, 'a>],
    ) -> Read<LoadedTerm> {
        let name = check_name(key)?;
        let table = as_table(section, name, "a section that writes a term")?;
        match base {
            Some(base) if !table.contains_key("doc") => load_term(&base.entry, section, Some(base)),
            _ => self.written_term((name, names), section, table, shared),
        }
    }

    fn written_term(
        &self,
        (name, names): (&str, &[&str]),
        section: &Value<'a>,
        table: &DeTable<'a>,
        shared: &[Named<'_, 'a>],
    ) -> Read<LoadedTerm> {
        let sections = weight_sections(name, table)?;
        let Some(doc) = table.get("doc") else {
            let others = names.iter().copied().filter(|other| *other != name);
            let known = TOP_LEVEL_KEYS.into_iter().chain(self.names()).chain(others);
            let hint = did_you_mean(name, known).map(|hint| format!("; {hint}"));
            let hint = hint.unwrap_or_default();
            let message = format!("[{name}] lacks `doc`: one sentence on what it measures{hint}");
            return fault(section.span(), message);
        };
        let doc = text(doc, "doc")?;
        let source = table.get("source").map(|source| text(source, "source")).transpose()?;
        let theme = table.get_key_value("theme").map(|it| theme(it.1, it.0)).transpose()?;
        let key = "tuned_from_games";
        let is_tuned_from_games = table.get(key).map_or(Ok(true), |value| boolean(value, key))?;
        if sections.is_empty() {
            let message =
                format!("[{name}] has no weight: add a section [{name}.NAME] with `worth`");
            return fault(section.span(), message);
        }
        let [name, doc, source, theme] =
            [name, doc, source.unwrap_or("an engine file"), theme.unwrap_or(name)]
                .map(|text| text.to_owned().into());
        let usual = Entry::with([name, doc, source], Kind::Formula(Arc::default()));
        let mut entry = Entry { theme, is_tuned_from_games, ..usual };
        let worths = self.add_formula(&mut entry, (table, section.span()), &sections, shared)?;
        Ok(LoadedTerm::new(Arc::new(entry), worths, Vec::new(), percent(table, 100)?))
    }

    /// Adds what the expressions of a section say to its term, and returns the worth of its weights.
    fn add_formula(
        &self,
        entry: &mut Entry,
        (table, span): (&DeTable<'a>, Range<usize>),
        sections: &[Section<'_, 'a>],
        shared: &[Named<'_, 'a>],
    ) -> Read<Vec<Score>> {
        let (mut compiler, of_loop) = self.compiler(table, shared)?;
        let when = self.compiled(table, &mut compiler, ("", "when"), Compiler::when)?;
        let (when, scope) = when.unzip();
        let each = self.compiled(table, &mut compiler, ("", "each"), Compiler::each)?;
        let (each, subject) = each.unzip();
        self.define(&mut compiler, &of_loop, &[])?;
        let mut term = FormulaTerm { when, each, ..FormulaTerm::default() };
        let mut worths = Vec::new();
        for section in sections {
            entry.weights.push(compiler.nested(|compiler| {
                self.weight(compiler, &mut term, subject.as_ref(), section, &mut worths)
            })?);
        }
        term.each.iter_mut().for_each(|each| compiler.leave(each));
        (term.cost, term.longest) = (compiler.cost(), compiler.longest.clone());
        let with_words = compiler.cost_with_words();
        if with_words > MAX_STEPS && term.cost <= MAX_COST {
            let message = format!(
                "words and drawings of [{}] can take {with_words} steps; the most is {MAX_STEPS}: use \
                 fewer loops inside loops, and smaller sets",
                entry.name
            );
            return fault(span, message);
        }
        entry.scope = scope.unwrap_or(Scope::Everywhere);
        entry.pawns_and_kings = compiler.pawns_and_kings();
        term.names = compiler.names();
        entry.kind = Kind::Formula(Arc::new(term));
        Ok(worths)
    }

    /// A compiler for the expressions of a section, for those of its words and drawings too, with the names that they
    /// read. Those that read the square of the section's loop are not defined.
    pub(super) fn compiler<'t>(
        &self,
        table: &'t DeTable<'a>,
        shared: &[Named<'t, 'a>],
    ) -> Read<(Compiler, Vec<Named<'t, 'a>>)> {
        let mut compiler = Compiler::new();
        let mut names = needed(shared, &texts(table, &[]));
        let shared_texts = names.iter().filter_map(|(_, value)| value.get_ref().as_str());
        let previewed = texts(table, &TOLD).into_iter().chain(shared_texts);
        previewed.for_each(|text| compiler.preview(text));
        let variable = |compiler: &mut Compiler, table: &DeTable<'a>| {
            self.compiled(table, compiler, ("", "each"), Compiler::variable)
        };
        let of_term = variable(&mut compiler, table)?;
        compiler.of_loop.extend(of_term);
        for weight in table.values().filter_map(|value| value.get_ref().as_table()) {
            let of_weight = variable(&mut compiler, weight).unwrap_or_default();
            compiler.elsewhere.extend(of_weight);
        }
        let (of_loop, others) = named(table)?.into_iter().partition::<Vec<_>, _>(|(key, value)| {
            compiler.reads_loop(key.get_ref(), value.get_ref().as_str().unwrap_or_default())
        });
        names.extend(others);
        self.define(&mut compiler, &names, &of_loop)?;
        Ok((compiler, of_loop))
    }

    /// The named values that all terms of a file can read. They are checked even if no term reads them.
    pub(super) fn shared_names<'t>(&self, file: &'t DeTable<'a>) -> Read<Vec<Named<'t, 'a>>> {
        let names = named(file)?;
        for (index, &(key, value)) in names.iter().enumerate() {
            let (before, later) = names.split_at(index);
            let text = value.get_ref().as_str().unwrap_or_default();
            let mut needed = needed(before, &[text]);
            needed.push((key, value));
            self.define(&mut Compiler::new(), &needed, &later[1..])?;
        }
        Ok(names)
    }

    /// Defines named values, each of which reads those before it and none of those that come later.
    pub(super) fn define(
        &self,
        compiler: &mut Compiler,
        names: &[Named<'_, 'a>],
        later: &[Named<'_, 'a>],
    ) -> Read<()> {
        let owned = |(key, value): &Named<'_, 'a>| {
            (key.get_ref().to_string(), value.get_ref().as_str().unwrap_or_default().to_owned())
        };
        compiler.later = names.iter().chain(later).map(owned).collect();
        for &(key, value) in names {
            let name = check_name(key)?;
            let text = match value.get_ref().as_str() {
                Some(text) => Cow::Borrowed(text),
                None => number(name, value)?.0.to_string().into(),
            };
            compiler.check_new(name, 0..0).map_err(|mistake| Fault {
                span: Some(key.span()),
                message: mistake.message,
                example: mistake.example,
            })?;
            let defined =
                compiler.timed(|| format!("let.{name}"), |compiler| compiler.define(name, &text));
            defined.map_err(|mistake| self.mistake(value, mistake))?;
        }
        compiler.later.clear();
        Ok(())
    }

    /// The expression of a key, if the table has the key. `weight` names the weight that it belongs to.
    pub(super) fn compiled<T>(
        &self,
        table: &DeTable<'a>,
        compiler: &mut Compiler,
        (weight, key): (&str, &str),
        compile: impl FnOnce(&mut Compiler, &str) -> Result<T, Mistake>,
    ) -> Read<Option<T>> {
        let Some(value) = table.get(key) else { return Ok(None) };
        let text = match value.get_ref() {
            // `count = 1` needs no quotes.
            DeValue::Integer(integer) if key == "count" => decimal(key, value, integer)?,
            DeValue::String(text) => text,
            _ => return wrong_type(value, key, "an expression in quotes"),
        };
        let name = || format!("{weight}{}{key}", if weight.is_empty() { "" } else { "." });
        let compiled = compiler.timed(name, |compiler| compile(compiler, text));
        compiled.map(Some).map_err(|mistake| self.mistake(value, mistake))
    }

    /// Adds a weight to the term, which visits `subject`. Its pairs are added to `weights`.
    fn weight(
        &self,
        compiler: &mut Compiler,
        term: &mut FormulaTerm,
        subject: Option<&Subject>,
        (key, table, span): &Section<'_, 'a>,
        weights: &mut Vec<Score>,
    ) -> Read<WeightSpec> {
        let name = check_name(key)?;
        for (key, value) in *table {
            known_key(key, name, WEIGHT_KEYS)
                .map_err(|fault| name_hint(fault, key, value, &WEIGHT_KEYS))?;
        }
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
        let per = table.get("per").map_or(Ok(1), |per| read_parameter(&PER_SPEC, per))?;
        let length = length_of(name, table, worth)?;
        let first = weights.len();
        if first + length.unwrap_or(1) > MAX_PAIRS {
            return fault(worth.span(), format!("the term has more than {MAX_PAIRS} pairs"));
        }
        // The loop first: the other expressions read its variable.
        let (mut each, own_subject) =
            self.compiled(table, compiler, (name, "each"), Compiler::each)?.unzip();
        compiler.spend(1);
        let typed = |kind| move |compiler: &mut Compiler, text: &str| compiler.tree(text, kind);
        let when = self.compiled(table, compiler, (name, "when"), typed(Type::Condition))?;
        let at = compiler
            .told(|compiler| self.compiled(table, compiler, (name, "at"), typed(Type::Square)))?;
        let key = if length.is_some() { "index" } else { "count" };
        let tree = self.compiled(table, compiler, (name, key), typed(Type::Number))?;
        // First what the search runs.
        let is_single = length.is_none();
        let sum = is_single.then(|| compiler.sum(when.as_ref(), tree.as_ref())).flatten();
        let [when, at, number] =
            [&when, &at, &tree].map(|tree| tree.as_ref().and_then(|tree| compiler.part(tree)));
        let (amount, cap) = match (number, length, tree.as_ref()) {
            (None, ..) => (Amount::Once, None),
            (Some(index), Some(length), tree) => {
                let last = length as i32 - 1;
                let has_more = tree.is_none_or(|index| index.max() > last);
                (Amount::Index(index), has_more.then_some(last as u32))
            }
            (Some(count), None, _) if count.known() == Some(1) => (Amount::Once, None),
            (Some(count), None, _) => (Amount::Count(count), None),
        };
        let subject = subject_of(table, own_subject.or(subject.cloned()));
        let meaning = match &amount {
            Amount::Once => thing(unit)?,
            Amount::Count(count) if count.known().is_some() => thing(unit)?,
            _ => quantity(unit, subject, table.contains_key("at"))?,
        };
        let no_path = tree.as_ref().and_then(|number| number.no_path());
        let pair = WeightSpec::pair(name.to_owned(), meaning);
        let spec = WeightSpec { length, per, cap, no_path, ..pair };
        read_weight(WORTH, &spec, worth, weights)?;
        let weight = Weight::array(first, spec.pairs());
        match sum {
            Some(count) => term.sums.push(Sum { weight, count }),
            None => term.has_arrays = true,
        }
        let told = compiler.told(|compiler| self.told(compiler, table, &spec, tree.as_ref()))?;
        each.iter_mut().for_each(|each| compiler.leave(each));
        term.weights.push(FormulaWeight { weight, each, when, at, amount, told });
        Ok(spec)
    }

    /// A mistake of an expression as a fault of the file.
    pub(super) fn mistake(&self, value: &Value, mistake: Mistake) -> Fault {
        let span = value.span();
        let raw = &self.text[span.clone()];
        let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|it| raw.starts_with(it));
        let mut start = quotes.map_or(0, str::len);
        // The first line break after three quotes is no part of the text.
        if start == 3 {
            let newline = ["\r\n", "\n"].into_iter().find(|it| raw[start..].starts_with(it));
            start += newline.map_or(0, str::len);
        }
        let text = value.get_ref().as_str().unwrap_or_default();
        // Where the text has escapes, its columns are not those of the file.
        let is_verbatim = raw[start..].starts_with(text);
        let span = match is_verbatim {
            true => span.start + start + mistake.span.start..span.start + start + mistake.span.end,
            false => span,
        };
        Fault { span: Some(span), message: mistake.message, example: mistake.example }
    }
}

/// How many pairs a weight has; none if it has no array.
fn length_of(name: &str, table: &DeTable<'_>, worth: &Value<'_>) -> Read<Option<usize>> {
    let Some(index) = table.get("index") else {
        let pairs = worth.get_ref().as_array().map_or(&[][..], |items| items);
        if pairs.is_empty() || pairs.iter().any(|item| !item.get_ref().is_array()) {
            return Ok(None);
        }
        let message = format!(
            "{name} has an array of pairs: `index` chooses one of them; `count` multiplies a single pair"
        );
        return fault(worth.span(), message);
    };
    if table.contains_key("count") {
        return fault(
            index.span(),
            format!("{name} has both `count` and `index`; give one of them"),
        );
    }
    match array(worth, "the worth of a weight with `index`")? {
        [] => fault(worth.span(), "the array is empty; give one pair for each index"),
        items => Ok(Some(items.len())),
    }
}

/// What a weight is shown on, if that is a piece or a square that its loop visits.
fn subject_of(table: &DeTable<'_>, of_loop: Option<Subject>) -> Option<Subject> {
    let king = |is_own| Some(Subject { name: "king".to_owned(), is_own: Some(is_own) });
    match table.get("at").and_then(|at| at.get_ref().as_str()).map(str::trim) {
        Some("own.king") => king(true),
        Some("enemy.king") => king(false),
        Some(at) => of_loop.filter(|subject| subject.name == at),
        None => of_loop,
    }
}

/// The worth that a section gives to a weight of a term of the base.
pub(super) fn changed_worth<'t, 'a>(
    entry: &Entry,
    section: &Value<'_>,
    weight: &'t Value<'a>,
) -> Read<&'t Value<'a>> {
    let weight = weight.get_ref().as_table().filter(|weight| weight.len() == 1);
    match weight.and_then(|weight| weight.get(WORTH)) {
        Some(worth) => Ok(worth),
        None => fault(
            section.span(),
            format!(
                "[{}] comes from the base: change only `worth`, or write the whole term, with `doc`",
                entry.name
            ),
        ),
    }
}

/// The sections of the weights, in the order of the file. All other keys of the term are checked.
fn weight_sections<'t, 'a>(name: &str, table: &'t DeTable<'a>) -> Read<Vec<Section<'t, 'a>>> {
    let mut sections = Vec::new();
    for (key, value) in in_order(table) {
        let found = key.get_ref().as_ref();
        match value.get_ref().as_table() {
            _ if TERM_KEYS.contains(&found) => {}
            Some(weight) if !["says", "draws"].contains(&found) => {
                sections.push((key, weight, value.span()));
            }
            _ if WEIGHT_KEYS.contains(&found) => {
                let message = format!(
                    "{found} belongs to a weight: its section is [{name}.NAME], or [TERM.{name}]"
                );
                return fault(key.span(), message);
            }
            _ => {
                known_key(key, &format!("[{name}]"), TERM_KEYS)
                    .map_err(|fault| name_hint(fault, key, value, &TERM_KEYS))?;
            }
        }
    }
    Ok(sections)
}

/// The words of a unit for one and for several.
fn unit_words<'t>(unit: &'t Value<'_>) -> Read<(Cow<'t, str>, &'t str)> {
    match unit.get_ref().as_array().map(|array| &**array) {
        Some([one, many]) => Ok((text(one, "unit")?.into(), text(many, "unit")?)),
        Some(_) => {
            wrong_type(unit, "unit", "a text, or an array of the words for one and for several")
        }
        None => {
            let many = text(unit, "unit")?;
            Ok((singular(many).into(), many))
        }
    }
}

/// What the unit of a constant says: a thing that is there or not.
fn thing(unit: &Value<'_>) -> Read<Meaning> {
    let (one, many) = unit_words(unit)?;
    Ok(count(one.into_owned(), many.to_owned()))
}

/// What the unit of any other number says: a quantity of the piece it is shown on or else of the side, and
/// `... from ...` a distance of the piece, of the square `at` or else of the king.
fn quantity(unit: &Value<'_>, subject: Option<Subject>, has_at: bool) -> Read<Meaning> {
    let (one, many) = unit_words(unit)?;
    let thing = subject.map(|Subject { name, is_own }| match (name.replace('_', " "), is_own) {
        (name, Some(true)) => own(name),
        (name, Some(false)) => enemy(name),
        (name, None) => square(name),
    });
    Ok(match (one.split_once(" from "), many.split_once(" from ")) {
        (Some((one, _)), Some((many, to))) => {
            let unit = meaning::unit(one.to_owned(), many.to_owned());
            let thing =
                thing.unwrap_or_else(|| if has_at { square("square") } else { own("king") });
            // Of an enemy piece, nobody knows whose enemy is meant.
            let is_enemy = matches!(thing, Thing::Enemy(_));
            let to = match to.strip_prefix("the enemy ").filter(|_| !is_enemy) {
                Some(noun) => enemy(noun.to_owned()),
                None => place(to.to_owned()),
            };
            thing.is(distance(unit, to))
        }
        _ => thing.unwrap_or(Thing::Side).with(one.into_owned(), many.to_owned()),
    })
}

/// The unit for the number one: `king moves from the centre` is `king move from the centre`, and `rooks on open files`
/// `rook on open files`.
fn singular(unit: &str) -> String {
    const AFTER: [&str; 12] = [
        " from ", " on ", " of ", " to ", " in ", " near ", " beside ", " before ", " behind ",
        " with ", " that ", " for ",
    ];
    let end = AFTER.iter().filter_map(|word| unit.find(word)).min().unwrap_or(unit.len());
    let (head, tail) = unit.split_at(end);
    let is_plural = head.ends_with('s') && !head.ends_with("ss");
    match head.strip_suffix("ies") {
        Some(stem) => format!("{stem}y{tail}"),
        None => format!("{}{tail}", if is_plural { &head[..head.len() - 1] } else { head }),
    }
}
