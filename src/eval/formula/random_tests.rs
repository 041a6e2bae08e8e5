//! Random terms of engine files: the file is read or rejected, nothing panics, and the mirrored position
//! has the opposite balance.

use super::Type;
use super::words::{QUANTIFIERS, Word, words};
use crate::eval::{Contribution, Engine, EvalContext, Score};
use crate::terms::registry;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use shakmaty::{Chess, EnPassantMode, Position};
use std::{cell::Cell, sync::LazyLock};

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4k3/8/8/8/1NB5/4K3 b - - 0 1",
    "4k3/pp3n2/8/2p5/5P2/8/P1N3P1/4K3 w - - 0 1",
    "8/8/8/8/p7/1k6/8/K7 b - - 0 1",
    "k7/8/8/8/8/8/8/7K w - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
];

/// Each position and the one with the colours exchanged.
static PAIRS: LazyLock<Vec<[Chess; 2]>> = LazyLock::new(|| {
    let pairs = POSITIONS.map(|fen| {
        let here = crate::terms::testing::position(fen);
        let mirror = here.to_setup(EnPassantMode::Legal).into_mirrored();
        [here.clone(), mirror.position(here.castles().mode()).unwrap()]
    });
    pairs.into()
});

/// The contributions of a side, in an order of their own, on the squares seen from the side.
fn sorted(contributions: &[Contribution], flips: bool) -> Vec<(usize, i32, u32)> {
    let square =
        |seen: &Contribution| if flips { seen.square.flip_vertical() } else { seen.square };
    let mut sorted: Vec<_> = contributions
        .iter()
        .map(|seen| (seen.weight.index(), seen.count, u32::from(square(seen))))
        .collect();
    sorted.sort_unstable();
    sorted
}

/// Asserts that no position and no sink prefers a colour. Returns whether anything was counted.
fn assert_symmetric(engine: &Engine, text: &str) -> bool {
    let mut counts_anything = false;
    for [here, mirror] in PAIRS.iter() {
        let balances = [here, mirror].map(|position| engine.balance(&EvalContext::new(position)));
        assert_eq!(balances[0], -balances[1], "{here:?}\n{text}");
        assert_eq!(engine.evaluate(here), engine.evaluate(mirror), "{here:?}\n{text}");
        let traces = [here, mirror].map(|position| engine.trace(position));
        assert_eq!(traces[0].total, balances[0], "{here:?}\n{text}");
        for (row, mirrored) in traces[0].rows.iter().zip(&traces[1].rows) {
            assert_eq!((row.white, row.black), (mirrored.black, mirrored.white), "{text}");
            for (own, other) in [
                (&row.white_contributions, &mirrored.black_contributions),
                (&row.black_contributions, &mirrored.white_contributions),
            ] {
                assert_eq!(sorted(own, false), sorted(other, true), "{here:?}\n{text}");
                counts_anything |= !own.is_empty();
            }
        }
        let _ = traces[0].to_string();
        let mut counts = [here, mirror].map(|_| vec![0; engine.pairs()]);
        for (position, counts) in [here, mirror].into_iter().zip(&mut counts) {
            engine.record(position, counts);
        }
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

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// The names that are in scope and the number of the next one.
    fn expression(&mut self, kind: Type, depth: usize, scope: &mut Vec<(String, Type)>) -> String {
        let names: Vec<String> = scope
            .iter()
            .filter(|(_, of_name)| *of_name == kind)
            .map(|(name, _)| name.clone())
            .collect();
        if !names.is_empty() && self.below(3) == 1 {
            return names[self.below(names.len())].clone();
        }
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(kind);
        }
        let next = depth - 1;
        match self.below(4) {
            0 => self.call(kind, next, scope),
            1 if self.below(3) == 0 => {
                let condition = self.expression(Type::Condition, next, scope);
                let [yes, no] = [(); 2].map(|()| self.expression(kind, next, scope));
                format!("(if {condition} then {yes} else {no})")
            }
            1 | 2 => self.operation(kind, next, scope),
            _ => self.quantified(kind, next, scope),
        }
    }

    fn leaf(&mut self, kind: Type) -> String {
        if kind == Type::Number && self.below(2) == 0 {
            return self.one(&["1", "0", "2", "3", "7", "64", "1000", "1000000"]).to_owned();
        }
        self.word(kind, |word| word.types().is_empty(), |_, _| String::new())
    }

    fn call(&mut self, kind: Type, depth: usize, scope: &mut Vec<(String, Type)>) -> String {
        self.word(
            kind,
            |word| !word.types().is_empty(),
            |choices, word| {
                let arguments =
                    word.types().iter().map(|&kind| choices.expression(kind, depth, scope));
                format!("({})", arguments.collect::<Vec<_>>().join(", "))
            },
        )
    }

    /// A word of the type; a leaf if there is none.
    fn word(
        &mut self,
        kind: Type,
        fits: impl Fn(&Word) -> bool,
        arguments: impl FnOnce(&mut Self, &Word) -> String,
    ) -> String {
        let words: Vec<&Word> =
            words().filter(|word| word.result() == kind && fits(word)).collect();
        let word = words[self.below(words.len())];
        let side = if word.has_side { self.one(&["own.", "enemy."]) } else { "" };
        format!("{side}{}{}", word.name, arguments(self, word))
    }

    fn operation(&mut self, kind: Type, depth: usize, scope: &mut Vec<(String, Type)>) -> String {
        let (operators, operands): (&[&str], Type) = match kind {
            Type::Number if self.below(5) == 0 => {
                return format!("-{}", self.expression(kind, depth, scope));
            }
            Type::Number if self.below(4) == 0 => {
                let name = self.one(&["min", "max"]);
                let [a, b] = [(); 2].map(|()| self.expression(kind, depth, scope));
                return format!("{name}({a}, {b})");
            }
            Type::Number => (&["+", "-", "*", "/", "%"], Type::Number),
            Type::Square => return self.leaf(kind),
            Type::Set if self.below(5) == 0 => {
                return format!("~{}", self.expression(kind, depth, scope));
            }
            Type::Set => (&["|", "&", "-"], self.set_or_square()),
            Type::Condition if self.below(6) == 0 => {
                return format!("(not {})", self.expression(kind, depth, scope));
            }
            Type::Condition => match self.below(5) {
                0 => (&["and", "or", "==", "!="], Type::Condition),
                1 => (&["==", "!="], self.set_or_square()),
                2 => {
                    let square = self.expression(Type::Square, depth, scope);
                    return format!("({square} in {})", self.expression(Type::Set, depth, scope));
                }
                _ => (&["<", ">", "<=", ">=", "==", "!="], Type::Number),
            },
        };
        let operator = self.one(operators);
        let [a, b] = [(); 2].map(|()| self.expression(operands, depth, scope));
        format!("({a} {operator} {b})")
    }

    fn set_or_square(&mut self) -> Type {
        if self.below(4) == 0 { Type::Square } else { Type::Set }
    }

    fn quantified(&mut self, kind: Type, depth: usize, scope: &mut Vec<(String, Type)>) -> String {
        let (names, body): (&[&str], Type) = match kind {
            Type::Number if self.below(4) == 0 => (&["count"], Type::Condition),
            Type::Number => (&["sum", "mean", "min", "max"], Type::Number),
            Type::Condition => (&["any", "all"], Type::Condition),
            Type::Set => (&["squares"], Type::Condition),
            Type::Square => return self.leaf(kind),
        };
        let name = self.one(names);
        let set = self.expression(Type::Set, depth.min(1), scope);
        let variable = format!("x{}", scope.len());
        scope.push((variable.clone(), Type::Square));
        let body = self.expression(body, depth, scope);
        scope.pop();
        format!("{name}({variable} in {set}: {body})")
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
    tokens.extend(QUANTIFIERS.iter().map(|quantifier| format!("{}(x in ", quantifier.name())));
    let others = [
        "x",
        "own",
        "enemy",
        ".",
        ",",
        ":",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "!",
        "=",
        "?",
        "^",
        "\"",
        "\\",
        "#",
        "$",
        "ü",
        "♔",
        "\t",
        "0",
        "1",
        "7",
        "64",
        "1000000",
        "1000001",
        "2147483648",
        "99999999999999999999",
        "and",
        "or",
        "not",
        "in",
        "if",
        "then",
        "else",
        "+",
        "-",
        "*",
        "/",
        "%",
        "|",
        "&",
        "~",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "!=",
        "||",
        "&&",
    ];
    // Half of all tokens are from here.
    for other in others.iter().cycle().take(tokens.len()) {
        tokens.push((*other).to_owned());
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

/// The counts are summed as 32-bit numbers for the tuner, whatever the weight is worth.
#[test]
fn the_sum_of_counts_has_a_limit() {
    let text = file(
        "[t]\ndoc = 'd'\neach = 'x in all_squares'\n\
         [t.w]\nunit = 'u'\neach = 'y in all_squares'\ncount = 'COUNT'\nworth = [0, 0]\n",
    );
    let parse = |count: &str| {
        let text = text.replace("COUNT", count);
        let engine = Engine::parse(&text, "x.toml", &registry());
        engine.map(|engine| assert_symmetric(&engine, &text)).map_err(|error| error.to_string())
    };
    assert_eq!(parse("200000"), Ok(true));
    assert_eq!(
        parse("1000000"),
        Err("x.toml:9: w can count to 4096000000; the most is 1000000000: \
             limit the count with `min(count, 10)`"
            .to_owned())
    );
}

/// A file that builds on another can change what its terms are worth, within the same limit.
#[test]
fn a_changed_worth_has_the_limit_of_a_new_one() {
    let mut registry = registry();
    registry.add_base(
        "base",
        "name = 'base'\nterms = ['t', 'u']\n\
         [t]\ndoc = 'd'\n[t.w]\nunit = 'u'\ncount = '64 * phase'\nworth = [1, 1]\n\
         [u]\ndoc = 'd'\n[u.w]\nunit = 'u'\ncount = 'phase'\nworth = [1000, 0]\n",
    );
    let parse = |worth: &str| {
        let text = format!("name = 'x'\nbase = 'base'\n[t.w]\nworth = {worth}\n");
        let engine = Engine::parse(&text, "x.toml", &registry);
        engine.map(|engine| assert_symmetric(&engine, &text)).map_err(|error| error.to_string())
    };
    assert_eq!(parse("[100, 100]"), Ok(true));
    assert_eq!(
        parse("[100, -120]"),
        Err("x.toml:3: t can be worth 184320 centipawns, and the terms of this file 208320 \
             together; the most is 200000: give it less worth, or limit the count with \
             `min(count, 10)`"
            .to_owned())
    );
}
