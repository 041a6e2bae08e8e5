//! Random terms of engine files: the file is read or rejected, nothing panics, each value is what the expressions mean,
//! and the mirrored position has the opposite balance.

use super::files_tests::{PAIRS, assert_symmetric, compare};
use super::words::{QUANTIFIERS, name_of};
use crate::eval::{Engine, Registry};
use crate::terms::registry;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use std::cell::Cell;

fn file(section: &str) -> String {
    format!("name = 'random'\nterms = ['t']\n{section}")
}

/// Runs a test of random values, as many as the environment variable `FORMULAS` says, or else `cases`.
fn run<S: Strategy>(strategy: &S, cases: u32, test: impl Fn(S::Value)) -> u32 {
    let cases =
        std::env::var("FORMULAS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases);
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(strategy, |value| {
        test(value);
        Ok(())
    });
    if let Err(TestError::Fail(reason, value)) = &result {
        panic!("{reason}\n{value:?}");
    }
    result.unwrap();
    cases
}

/// Asserts that a file is symmetric in all positions, if it can be read.
fn assert_all_symmetric(text: &str, registry: &Registry) -> bool {
    match Engine::parse(text, "random.toml", registry) {
        Ok(engine) => {
            let all = PAIRS.iter().step_by(3);
            all.for_each(|[here, mirror]| _ = assert_symmetric(&engine, [here, mirror], text));
            true
        }
        Err(error) => {
            let _ = error.to_string();
            false
        }
    }
}

/// An expression cannot hang or crash the engine, and it means what it says.
#[test]
fn random_files_count_what_they_mean() {
    let [read, compared] = [Cell::new(0), Cell::new(0_usize)];
    let cases = run(&vec(any::<u16>(), 0..240), 512, |choices| {
        if let Some(values) = compare(&choices) {
            read.set(read.get() + 1);
            compared.set(compared.get() + values);
        }
    });
    println!("{cases} files, {} read, {} values compared", read.get(), compared.get());
    // Most of them are right, and not too expensive; otherwise this test says little.
    assert!(
        read.get() > cases as usize / 3 && compared.get() > cases as usize,
        "{read:?} {compared:?}"
    );
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
    let registry = registry();
    run(&(expression, 0..keys.len()), 2048, |(expression, key)| {
        let text: String = expression
            .iter()
            .map(|&(token, blank)| format!("{}{}", tokens[token], if blank { " " } else { "" }))
            .collect();
        let worth = if keys[key] == "index" { "[[1, 2], [3, 4]]" } else { "[1, 2]" };
        let key = keys[key];
        let weight = format!("[t.w]\nunit = 'u'\nworth = {worth}\n{key} = '{text}'\n");
        assert_all_symmetric(&file(&format!("[t]\ndoc = 'd'\n{weight}")), &registry);
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
            read += u32::from(assert_all_symmetric(&text, &registry));
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
    let [here, mirror] = &PAIRS[1];
    assert!(assert_symmetric(&engine, [here, mirror], &text));
    let mut counts = [0];
    engine.record(here, &mut counts);
    assert_eq!(counts[0].abs(), 2 * 64 * 64 * super::MAX_COUNT);
}

/// A report of a file that took two milliseconds for a position.
#[test]
fn the_lines_of_each_square_are_steps() {
    let set = format!("{}~x{}", "queen_attacks(".repeat(27), ")".repeat(27));
    let text = format!(
        "name = 'x'\n[t]\ndoc = 'd'\n[t.w]\nunit = 'u'\nworth = [1, 1]\n\
         count = 'sum(x in all_squares: count({set}))'\n"
    );
    let error = Engine::parse(&text, "x.toml", &registry()).unwrap_err().to_string();
    assert!(error.contains(" steps for a position; the most is 100000. [t] takes "), "{error}");
}

/// A file that builds on another may take no more steps together with it.
#[test]
fn the_terms_of_a_base_take_steps_too() {
    let mut registry = registry();
    let costly = |term: &str, squares: &str| {
        format!(
            "[{term}]\ndoc = 'd'\n[{term}.w]\nunit = 'u'\nworth = [1, 1]\n\
             count = 'sum(x in all_squares: sum(y in {squares}: file_distance(x, y) * rank_distance(x, y)))'\n"
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
    assert!(error.starts_with("x.toml:2:8: the terms of this file can take "), "{error}");
    assert!(error.contains(" steps for a position; the most is 100000. [t] takes "), "{error}");
    assert!(error.contains(" in `w.count`: use fewer loops"), "{error}");
}
