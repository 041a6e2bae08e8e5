//! Random engine files with terms that write themselves, and their comparison with what they mean.

use super::Type;
use super::plain_tests::PlainFile;
use super::words::{OPERATORS, QUANTIFIERS, name_of, words};
use crate::eval::{Engine, EvalContext, Reason, Registry, Score};
use crate::terms::registry;
use crate::testing::{mirrored, position};
use shakmaty::{Chess, Color};
use std::sync::LazyLock;

/// Positions, each with the one with the colours exchanged.
pub(in crate::eval) static PAIRS: LazyLock<Vec<[Chess; 2]>> = LazyLock::new(|| {
    let fens = include_str!("positions.txt").lines();
    fens.map(|fen| [mirrored(&position(fen)), position(fen)]).collect()
});

static REGISTRY: LazyLock<Registry> = LazyLock::new(registry);

/// Reads a random file. What it counts in a position must be what its expressions mean, for both sides and in the
/// mirrored position, and all that is shown of it must be shown. Returns how many values were compared, if the file was
/// read.
pub fn compare(choices: &[u16]) -> Option<usize> {
    let text = Choices(choices.iter()).file();
    let engine = match Engine::parse(&text, "random.toml", &REGISTRY) {
        Ok(engine) => engine,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let plain = PlainFile::new(&text);
    let chosen =
        choices.iter().fold(0_usize, |sum, &choice| (sum * 31 + usize::from(choice)) % 65_537);
    let [here, mirror] = &PAIRS[chosen % PAIRS.len()];
    assert_symmetric(&engine, [here, mirror], &text);
    Some(assert_plain(&engine, &plain, here, &text))
}

/// Asserts that an engine counts what its file means. Returns how many values were compared.
fn assert_plain(engine: &Engine, plain: &PlainFile<'_>, here: &Chess, text: &str) -> usize {
    let context = EvalContext::new(here);
    let trace = engine.trace(here);
    let mut compared = 0;
    for row in &trace.rows {
        for side in Color::ALL {
            let seen = row.contributions(side).iter();
            let mut seen: Vec<_> =
                seen.map(|seen| (seen.weight.index(), seen.count, seen.square)).collect();
            seen.sort_unstable();
            let expected = plain.term(row.name(), &context, side);
            assert_eq!(seen, expected, "{} for {side} in {here:?}\n{text}", row.name());
            compared += seen.len().max(1);
        }
    }
    if text.contains("[scale.s]") {
        for side in Color::ALL {
            let expected = plain.scale("s", &context, side).map(|kept| (kept * 64 + 50) / 100);
            match engine.scale(&context, side) {
                Some((entry, share)) if entry.name == "s" => {
                    assert_eq!(Some(share), expected, "{text}")
                }
                // A draw comes before it, and a bare king is never scaled.
                other => assert!(
                    expected.is_none() || other.is_some() || context.is_bare_king_ending,
                    "{side} in {here:?}\n{text}"
                ),
            }
            compared += 1;
        }
    }
    compared
}

/// Asserts that no position and no sink prefers a colour. Returns whether anything was counted.
pub(super) fn assert_symmetric(engine: &Engine, [here, mirror]: [&Chess; 2], text: &str) -> bool {
    let trace = engine.trace(here);
    let mut seen = trace.rows.iter().flat_map(|row| Color::ALL.map(|side| row.contributions(side)));
    let counts_anything = seen.any(|seen| !seen.is_empty());
    let _ = trace.to_string();
    let _ = trace.reasons().iter().map(Reason::sentence).collect::<Vec<_>>();
    trace.rows.iter().for_each(|row| drop(trace.marks(row)));
    let balances = [here, mirror].map(|position| engine.balance(&EvalContext::new(position)));
    assert_eq!([trace.total, -trace.total], balances, "{here:?}\n{text}");
    assert_eq!(engine.evaluate(here), engine.evaluate(mirror), "{here:?}\n{text}");
    let counts = [here, mirror].map(|position| {
        let mut counts = vec![0; engine.pairs()];
        engine.record(position, &mut counts);
        counts
    });
    let opposite: Vec<i32> = counts[1].iter().map(|count| -count).collect();
    assert_eq!(counts[0], opposite, "{here:?}\n{text}");
    let sum = engine.weights().zip(&counts[0]).map(|(weight, &count)| weight * count);
    assert_eq!(sum.fold(Score::ZERO, |sum, part| sum + part), balances[0], "{text}");
    counts_anything
}

/// The choices of a random text. None are left for a long text: the first of all parts is then taken,
/// which is the simplest.
pub(super) struct Choices<'a>(pub(super) std::slice::Iter<'a, u16>);

/// What a text can read: its names with their types, and its functions as they are written, `f0(number, set)`.
type Scope = Vec<(String, Type)>;

impl Choices<'_> {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0.next().map_or(0, |&choice| usize::from(choice) % limit)
    }

    fn expression(&mut self, kind: Type, depth: usize, scope: &mut Scope) -> String {
        let names = scope.iter().filter(|(_, of_name)| *of_name == kind);
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        if !names.is_empty() && self.below(3) == 1 {
            let name = &names[self.below(names.len())];
            // The simplest arguments end each call.
            let depth = depth.saturating_sub(1);
            return filled(name, |_, kind| match depth {
                0 => usages(kind, 0)[0].clone(),
                _ => self.expression(kind, depth, scope),
            });
        }
        // Words, words with arguments, operators, loops.
        let mut choice = if depth == 0 { 0 } else { self.below(4) };
        let mut usages = usages(kind, choice);
        if usages.is_empty() {
            (choice, usages) = (0, self::usages(kind, 0));
        }
        let usage = &usages[self.below(usages.len())];
        let next = depth.saturating_sub(1);
        if choice < 2 {
            return filled(usage, |_, kind| self.expression(kind, next, scope));
        }
        if choice == 2 {
            let is_any = usage.starts_with("if");
            return filled(&format!("({usage})"), |word, of_word| {
                let of_choice = is_any && matches!(word, "a" | "b");
                self.expression(if of_choice { kind } else { of_word }, next, scope)
            });
        }
        let (variable, known) = (format!("x{}", scope.len()), scope.len());
        let text = filled(usage, |word, kind| match word {
            "x" => variable.clone(),
            "set" => {
                let set = self.expression(kind, next.min(1), scope);
                scope.push((variable.clone(), Type::Square));
                set
            }
            _ => self.expression(kind, next, scope),
        });
        scope.truncate(known);
        text
    }

    /// Up to so many named values and functions.
    fn names(&mut self, letter: char, most: usize, scope: &mut Scope) -> String {
        const KINDS: [Type; 4] = [Type::Number, Type::Square, Type::Set, Type::Condition];
        let mut names = String::new();
        for number in 0..self.below(most + 1) {
            let (kind, known) = (KINDS[self.below(KINDS.len())], scope.len());
            let types: Vec<Type> = (0..self.below(4).saturating_sub(1))
                .map(|_| KINDS[self.below(KINDS.len())])
                .collect();
            let nouns = || types.iter().map(|kind| kind.noun());
            let parameters = nouns().enumerate().map(|(at, noun)| format!("k{at}: {noun}"));
            let parameters = parameters.collect::<Vec<_>>().join(", ");
            scope.extend(types.iter().enumerate().map(|(at, &kind)| (format!("k{at}"), kind)));
            let value = self.expression(kind, 3, scope);
            scope.truncate(known);
            let name = format!("{letter}{number}");
            if types.is_empty() {
                names += &format!("{name} = '{value}'\n");
                scope.push((name, kind));
            } else {
                names += &format!("{name} = '({parameters}) {value}'\n");
                scope.push((format!("{name}({})", nouns().collect::<Vec<_>>().join(", ")), kind));
            }
        }
        names
    }

    /// One time in three, a key with an expression.
    fn key(&mut self, key: &str, kind: Type, scope: &mut Scope) -> String {
        match self.below(3) {
            1 => format!("{key} = '{}'\n", self.expression(kind, 2, scope)),
            _ => String::new(),
        }
    }

    /// One time in three, a loop.
    fn each(&mut self, variable: &str, scope: &mut Scope) -> String {
        if self.below(3) != 1 {
            return String::new();
        }
        let text = format!("each = '{variable} in {}'\n", self.expression(Type::Set, 2, scope));
        scope.push((variable.to_owned(), Type::Square));
        text
    }

    /// The section of a term with one to three weights.
    fn term(&mut self, name: &str, scope: &mut Scope) -> String {
        let mut names = self.names('v', 3, scope);
        let mut text = format!("[{name}]\ndoc = 'd'\n");
        text += &self.key("when", Type::Condition, scope);
        text += &self.each("e", scope);
        // Those that can read the square of the loop.
        names += &self.names('l', 2, scope);
        if !names.is_empty() {
            text += &format!("[{name}.let]\n{names}");
        }
        for number in 0..=self.below(3) {
            text += &format!("[{name}.w{number}]\n{}", self.weight(&mut scope.clone()));
        }
        text
    }

    fn weight(&mut self, scope: &mut Scope) -> String {
        let mut text = "unit = 'things'\n".to_owned();
        text += &self.each("f", scope);
        text += &self.key("when", Type::Condition, scope);
        text += &self.key("at", Type::Square, scope);
        if self.below(4) == 1 {
            let set = self.expression(Type::Set, 1, scope);
            text += &format!("says = '{{the {set}}} {{is|are}} {{count}} {{squares}}'\n");
            text += &format!("draws = {{ ring = '{set}', arrow = 'own.king -> {set}' }}\n");
        }
        let count = self.expression(Type::Number, 3, scope);
        text + &match self.below(4) {
            0 => "worth = [3, 5]\n".to_owned(),
            1 => format!("index = '{count}'\nworth = [[1, 2], [-3, 4], [0.5, 6]]\n"),
            2 => format!("count = '{count}'\nworth = [0, 0]\n"),
            _ => format!("count = '{count}'\nworth = [0.01, -0.02]\n"),
        }
    }

    /// A scale factor, which keeps what an expression says.
    fn scale(&mut self, scope: &mut Scope) -> String {
        let names = self.names('v', 2, scope);
        let mut text = "[scale.s]\ndoc = 'd'\nsays = 'it is so'\n".to_owned();
        text += &self.key("when", Type::Condition, scope);
        text += &format!("keeps = '{}'\n", self.expression(Type::Number, 2, scope));
        if !names.is_empty() {
            text += &format!("[scale.s.let]\n{names}");
        }
        text
    }

    /// A whole file: named values, a scale factor, and one or two terms.
    pub(super) fn file(&mut self) -> String {
        let mut scope = Vec::new();
        let names = self.names('n', 3, &mut scope);
        let has_scale = self.below(4) == 1;
        let terms = 1 + self.below(2);
        let mut text = format!("name = 'random'\nterms = {:?}\n", &["t", "u"][..terms]);
        if !names.is_empty() {
            text += &format!("[let]\n{names}");
        }
        if has_scale {
            text += &self.scale(&mut scope.clone());
        }
        for name in &["t", "u"][..terms] {
            text += &self.term(name, &mut scope.clone());
        }
        text
    }
}

/// How a value of a type is written: by a word, a word with arguments, an operator or a loop.
fn usages(kind: Type, choice: usize) -> Vec<String> {
    const NUMBERS: [&str; 8] = ["1", "0", "2", "3", "7", "64", "1000", "2147483647"];
    let described = |rows: &[(&str, &str, &str)]| -> Vec<String> {
        let fits = |value: &str| value == "any" || value.split(',').next() == Some(kind.noun());
        let rows = rows.iter().filter(|(_, value, _)| fits(value));
        rows.flat_map(|(usage, ..)| usage.split(", ").map(str::to_owned)).collect()
    };
    match choice {
        2 => described(OPERATORS),
        3 => described(QUANTIFIERS),
        _ => {
            let fits = |types: &[Type]| types.is_empty() == (choice == 0);
            let words =
                words().filter(|word| word.signature.result == kind && fits(&word.signature.types));
            let written = words.flat_map(|word| {
                let usage = word.usage();
                let types: Vec<&str> =
                    word.signature.types.iter().map(|kind| kind.noun()).collect();
                let own = match &*types {
                    [] => usage,
                    types => format!("{}({})", name_of(&usage), types.join(", ")),
                };
                let enemy = own.replacen("own.", "enemy.", 1);
                [own, enemy]
            });
            let numbers = NUMBERS.iter().filter(|_| kind == Type::Number && choice == 0);
            numbers.map(|&number| number.to_owned()).chain(written).collect()
        }
    }
}

/// Replaces the placeholders of a usage by values of their types.
pub(super) fn filled(usage: &str, mut value: impl FnMut(&str, Type) -> String) -> String {
    let mut text = String::new();
    for part in usage.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let word = part.trim_end_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        text += &match word {
            "a" | "b" | "number" => value(word, Type::Number),
            "p" | "q" | "condition" => value(word, Type::Condition),
            "x" | "y" | "square" => value(word, Type::Square),
            "s" | "t" | "set" => value(word, Type::Set),
            other => other.to_owned(),
        };
        text += &part[word.len()..];
    }
    text
}
