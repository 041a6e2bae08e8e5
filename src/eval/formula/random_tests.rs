//! Random terms of engine files: the file is read or rejected, nothing panics, and the mirrored position
//! has the opposite balance.

use super::Type;
use super::words::{OPERATORS, QUANTIFIERS, name_of, words};
use super::words_tests::filled;
use crate::eval::{Engine, EvalContext, Score};
use crate::terms::registry;
use crate::testing::{assert_mirrors, mirrored, position};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use shakmaty::{Chess, Color};
use std::{cell::Cell, sync::LazyLock};

/// Positions, each with the one with the colours exchanged.
static PAIRS: LazyLock<[[Chess; 2]; 8]> = LazyLock::new(|| {
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/4k3/8/8/8/1NB5/4K3 b - - 0 1",
        "4k3/pp3n2/8/2p5/5P2/8/P1N3P1/4K3 w - - 0 1",
        "8/8/8/8/p7/1k6/8/K7 b - - 0 1",
        "k7/8/8/8/8/8/8/7K w - - 0 1",
        "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    ]
    .map(|fen| [mirrored(&position(fen)), position(fen)])
});

/// Asserts that no position and no sink prefers a colour. Returns whether anything was counted.
fn assert_symmetric(engine: &Engine, text: &str) -> bool {
    let mut counts_anything = false;
    for [here, mirror] in PAIRS.iter() {
        assert_mirrors(engine, here);
        let trace = engine.trace(here);
        let mut seen =
            trace.rows.iter().flat_map(|row| Color::ALL.map(|side| row.contributions(side)));
        counts_anything |= seen.any(|seen| !seen.is_empty());
        let _ = trace.to_string();
        let balances = [here, mirror].map(|position| engine.balance(&EvalContext::new(position)));
        assert_eq!([trace.total, -trace.total], balances, "{here:?}\n{text}");
        let counts = [here, mirror].map(|position| {
            let mut counts = vec![0; engine.pairs()];
            engine.record(position, &mut counts);
            counts
        });
        let opposite: Vec<i32> = counts[1].iter().map(|count| -count).collect();
        assert_eq!(counts[0], opposite, "{here:?}\n{text}");
        let sum = engine.weights().zip(&counts[0]).map(|(weight, &count)| weight * count);
        assert_eq!(sum.fold(Score::ZERO, |sum, part| sum + part), balances[0], "{text}");
    }
    counts_anything
}

/// The choices of a random text. None are left for a long text: the first of all parts is then taken,
/// which is the simplest.
struct Choices<'a>(std::slice::Iter<'a, u16>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.0.next().map_or(0, |&choice| usize::from(choice) % limit)
    }

    fn expression(&mut self, kind: Type, depth: usize, scope: &mut Vec<(String, Type)>) -> String {
        let names = scope.iter().filter(|(_, of_name)| *of_name == kind);
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        if !names.is_empty() && self.below(3) == 1 {
            return names[self.below(names.len())].clone();
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

    /// The section of a term with one to three weights.
    fn term(&mut self) -> String {
        let mut scope = Vec::new();
        let mut text = "[t]\ndoc = 'd'\n".to_owned();
        let mut names = String::new();
        for number in 0..self.below(4) {
            let kinds = [Type::Number, Type::Square, Type::Set, Type::Condition];
            let kind = kinds[self.below(kinds.len())];
            names += &format!("v{number} = '{}'\n", self.expression(kind, 3, &mut scope));
            scope.push((format!("v{number}"), kind));
        }
        if self.below(3) == 1 {
            text += &format!("when = '{}'\n", self.expression(Type::Condition, 2, &mut scope));
        }
        if self.below(3) == 1 {
            text += &format!("each = 'e in {}'\n", self.expression(Type::Set, 2, &mut scope));
            scope.push(("e".to_owned(), Type::Square));
        }
        if !names.is_empty() {
            text += &format!("[t.let]\n{names}");
        }
        for number in 0..=self.below(3) {
            text += &self.weight(number, &mut scope.clone());
        }
        text
    }

    fn weight(&mut self, number: usize, scope: &mut Vec<(String, Type)>) -> String {
        let mut text = format!("[t.w{number}]\nunit = 'things'\n");
        if self.below(3) == 1 {
            text += &format!("each = 'f in {}'\n", self.expression(Type::Set, 2, scope));
            scope.push(("f".to_owned(), Type::Square));
        }
        if self.below(3) == 1 {
            text += &format!("when = '{}'\n", self.expression(Type::Condition, 2, scope));
        }
        if self.below(2) == 1 {
            text += &format!("at = '{}'\n", self.expression(Type::Square, 1, scope));
        }
        let count = self.expression(Type::Number, 3, scope);
        text + &match self.below(4) {
            0 => "worth = [3, 5]\n".to_owned(),
            1 => format!("index = '{count}'\nworth = [[1, 2], [-3, 4], [0.5, 6]]\n"),
            2 => format!("count = '{count}'\nworth = [0, 0]\n"),
            _ => format!("count = '{count}'\nworth = [0.01, -0.02]\n"),
        }
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

fn file(section: &str) -> String {
    format!("name = 'random'\nterms = ['t']\n{section}")
}

/// Runs a test of random texts. Returns how many of them were read, and how many of those counted
/// anything.
fn run<S: Strategy>(strategy: &S, cases: u32, text: impl Fn(S::Value) -> String) -> [u32; 2] {
    let registry = registry();
    let [read, counting] = [Cell::new(0), Cell::new(0)];
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(strategy, |value| {
        let text = text(value);
        match Engine::parse(&text, "random.toml", &registry) {
            Ok(engine) => {
                read.set(read.get() + 1);
                counting.set(counting.get() + u32::from(assert_symmetric(&engine, &text)));
            }
            Err(error) => {
                let _ = error.to_string();
            }
        }
        Ok(())
    });
    if let Err(TestError::Fail(reason, value)) = &result {
        panic!("{reason}\n{value:?}");
    }
    result.unwrap();
    [read.get(), counting.get()]
}

#[test]
fn random_terms_are_symmetric() {
    let choices = vec(any::<u16>(), 0..120);
    let [read, counting] = run(&choices, 512, |choices| file(&Choices(choices.iter()).term()));
    // Most of them are right, and not too expensive; otherwise this test says little.
    assert!(read > 300 && counting > 200, "{read} of 512 read, {counting} count");
}

#[test]
fn random_tokens_are_read_or_rejected() {
    let mut tokens: Vec<String> = super::words::written().collect();
    tokens.extend(QUANTIFIERS.iter().map(|(usage, ..)| format!("{}(x in ", name_of(usage))));
    let others = "x own enemy . , : ( ) [ ] { } ! = ? ^ \" \\ # $ ü ♔ \t 0 1 7 64 1000000 2147483647 2147483648 \
                  99999999999999999999 and or not in if then else + - * / % | & ~ < <= > >= == != || &&";
    // Half of all tokens are from here.
    for other in others.split(' ').cycle().take(tokens.len()) {
        tokens.push(other.to_owned());
    }
    let expression = vec((0..tokens.len(), any::<bool>()), 0..24);
    let keys = ["count", "index", "at", "when", "each"];
    run(&(expression, 0..keys.len()), 2048, |(expression, key)| {
        let text: String = expression
            .iter()
            .map(|&(token, blank)| format!("{}{}", tokens[token], if blank { " " } else { "" }))
            .collect();
        let worth = if keys[key] == "index" { "[[1, 2], [3, 4]]" } else { "[1, 2]" };
        let key = keys[key];
        file(&format!("[t]\ndoc = 'd'\n[t.w]\nunit = 'u'\nworth = {worth}\n{key} = '{text}'\n"))
    });
}

/// The deepest and longest expressions that the limits allow do not use up the stack of a thread of two
/// MiB, as those of tests and of thread pools are.
#[test]
fn extreme_expressions_are_read_or_rejected() {
    let repeated = |head: &str, middle: &str, tail: &str, count| {
        format!("{}{middle}{}", head.repeat(count), tail.repeat(count))
    };
    let mut expressions = vec![String::new(), " ".repeat(2001), "(".repeat(2000), ")".repeat(2000)];
    for count in [16, 31, 32, 33, 63, 64, 65, 199, 399, 500] {
        for (head, middle, tail) in [
            ("(", "1", ")"),
            ("-", "1", ""),
            ("- ", "1", ""),
            ("-(", "1", ")"),
            ("abs(", "1", ")"),
            ("abs(-(", "1", "))"),
            ("min(", "1", ",1)"),
            ("1+", "1", ""),
            ("1-(", "1", ")"),
            ("1-(1*1+", "1", ")"),
            ("count(~", "edge", ")"),
            ("count(", "edge", "&edge)"),
            ("if any(edge) then ", "1", " else 1"),
            ("if not any(edge) then 1 else ", "1", ""),
            ("if ", "any(edge)", " then any(edge) else any(edge)"),
            ("sum(x in edge:", "1", ")"),
            ("if", "1", ""),
            ("not ", "any(edge)", ""),
        ] {
            expressions.push(repeated(head, middle, tail, count));
        }
    }
    // Prefixes and operators between all parentheses.
    expressions.push(repeated("-1-(-", "1", "*1+1)", 31));
    let chain = "+1".repeat(11);
    expressions.push(repeated("(1+", "1", &format!("){chain}"), 31));
    let registry = registry();
    let mut read = 0;
    for expression in expressions {
        for key in ["count", "when", "each"] {
            let text = file(&format!(
                "[t]\ndoc = 'd'\n[t.w]\nunit = 'u'\nworth = [0.01, 0.02]\n{key} = '{expression}'\n"
            ));
            if let Ok(engine) = Engine::parse(&text, "extreme.toml", &registry) {
                read += 1;
                assert_symmetric(&engine, &text);
            }
        }
    }
    assert!(read > 50, "{read}");
}

/// The largest counts on the most squares. Their sums are 32-bit numbers for the tuner.
#[test]
fn the_largest_counts_are_symmetric() {
    let text = file(
        "[t]\ndoc = 'd'\neach = 'x in all_squares'\n\
         let.most = 'if own.to_move then 2147483647 else -2147483647'\n\
         [t.w]\nunit = 'u'\neach = 'y in all_squares'\ncount = 'most'\nworth = [9999, 0.1]\n",
    );
    let engine = Engine::parse(&text, "largest.toml", &registry()).unwrap();
    assert!(assert_symmetric(&engine, &text));
    let mut counts = [0];
    engine.record(&PAIRS[1][0], &mut counts);
    assert_eq!(counts[0].abs(), 2 * 64 * 64 * super::MAX_COUNT);
}

/// A file that builds on another may take no more steps together with it.
#[test]
fn the_terms_of_a_base_take_steps_too() {
    let mut registry = registry();
    let costly = |term: &str, squares: &str| {
        format!(
            "[{term}]\ndoc = 'd'\n[{term}.w]\nunit = 'u'\nworth = [1, 1]\n\
             count = 'sum(x in all_squares: sum(y in {squares}: file_distance(x, y)))'\n"
        )
    };
    let base = format!("name = 'base'\nterms = ['t']\n{}", costly("t", "all_squares"));
    registry.add_base("base", base.leak());
    let parse = |section: &str| {
        let text = format!("name = 'x'\nbase = 'base'\n{section}");
        Engine::parse(&text, "x.toml", &registry).map_err(|error| error.to_string())
    };
    assert!(parse("[t]\nw.worth = [2, 2]\n").is_ok());
    assert!(parse(&costly("t", "edge")).is_ok());
    assert!(parse(&costly("u", "centre")).is_ok());
    let error = parse(&costly("u", "edge")).unwrap_err();
    assert!(error.starts_with("x.toml:3:1: the terms of this file can take "), "{error}");
}
