//! The command `tropism explain`.

use crate::program;
use serde_json::Value;
use shakmaty::Position;
use std::fs;
use tempfile::tempdir;
use tropism::eval::Score;
use tropism::search::{Game, Limits, TranspositionTable};
use tropism_coach::{Explanation, Searcher};

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 b - - 0 1",
    "8/6k1/8/4K3/3N4/3B4/8/8 w - - 0 1",
    "4k1b1/p7/8/8/8/8/PP6/B3K3 w - - 0 1",
    "8/8/8/4k3/8/8/8/R3K3 b - - 0 1",
];

fn explain(arguments: &[&str]) -> String {
    program::run(&[&["explain"], arguments].concat()).success()
}

fn sum(values: &Value, key: impl Fn(&Value) -> f64) -> f64 {
    values.as_array().unwrap().iter().map(key).sum()
}

#[test]
fn json_adds_up_to_the_evaluation() {
    let engine = tropism::default_engine().unwrap();
    for fen in POSITIONS {
        let game = Game::from_fen(fen, None).unwrap();
        let text = Explanation::new(&engine, &game).json().to_string();
        let json: Value = serde_json::from_str(&text).unwrap();
        let trace = engine.trace(game.position().chess());
        for (phase, key) in
            [(Score::MAX_PHASE, "middlegame"), (0, "endgame"), (trace.context.phase, "now")]
        {
            let value = |value: &Value| value[key].as_f64().unwrap();
            let whole = value(&json["sum"]);
            assert!((whole - trace.total.centipawns(phase) / 100.0).abs() < 1e-9, "{fen}");
            let terms = sum(&json["terms"], |term| value(&term["total"]));
            assert!((terms - whole).abs() < 1e-6, "{fen} {key}: {terms} {whole}");
            let shown = |value: &Value| value["total"]["shown"].as_f64().unwrap();
            let sum_shown = json["sum"]["shown"].as_f64().unwrap();
            assert!((sum(&json["terms"], shown) - sum_shown).abs() < 1e-6, "{fen}");
            for term in json["terms"].as_array().unwrap() {
                assert!((sum(&term["weights"], shown) - shown(term)).abs() < 1e-6, "{fen}");
                let total = value(&term["total"]);
                let weights = sum(&term["weights"], |weight| value(&weight["total"]));
                assert!((weights - total).abs() < 1e-6, "{fen} {}", term["name"]);
                for weight in term["weights"].as_array().unwrap() {
                    let side = |side: &str| sum(&weight[side], |seen| value(&seen["worth"]));
                    let seen = side("white") - side("black");
                    assert!((seen - value(&weight["total"])).abs() < 1e-6, "{fen} {weight}");
                }
            }
        }
        // The value is the sum times the scale factor, cut to centipawns.
        let [now, share, value] =
            [&json["sum"]["now"], &json["share"], &json["value"]].map(|v| v.as_f64().unwrap());
        assert!((now * share - value).abs() < 0.011, "{fen}: {now} {share} {value}");
        let white = game.position().chess().turn().fold_wb(trace.value, -trace.value);
        assert!((value * 100.0 - f64::from(white)).abs() < 1e-9, "{fen}");
    }
}

/// The figures of each line that begins with one of these names.
fn figures(text: &str, names: &[&str]) -> Vec<Vec<f64>> {
    let is_row = |line: &&str| line.split_whitespace().next().is_some_and(|it| names.contains(&it));
    let figures = |line: &str| line.split(['|', ' ']).filter_map(|it| it.parse().ok()).collect();
    text.lines().filter(is_row).map(figures).collect()
}

#[test]
fn rows_of_the_table_add_up() {
    let engine = tropism::default_engine().unwrap();
    let names: Vec<&str> = engine.terms().collect();
    for fen in POSITIONS {
        let game = Game::from_fen(fen, None).unwrap();
        let text = Explanation::new(&engine, &game).to_string();
        let trace = engine.trace(game.position().chess()).to_string();
        let (rows, whole) = (figures(&text, &names), figures(&text, &["sum"])[0][0]);
        assert!((rows.iter().map(|row| row[2]).sum::<f64>() - whole).abs() < 1e-6, "{fen}: {text}");
        assert!(rows.iter().all(|row| (row[0] - row[1] - row[2]).abs() < 1e-6), "{fen}: {text}");
        // The largest contribution comes first.
        let is_sorted = |pair: &[Vec<f64>]| pair[0][2].abs() >= pair[1][2].abs() - 0.011;
        assert!(rows.windows(2).all(is_sorted), "{text}");
        // Seven columns, of which the sum has the last three.
        let (rows, sums) = (figures(&trace, &names), &figures(&trace, &["sum"])[0]);
        for (column, whole) in sums.iter().enumerate() {
            let sum: f64 = rows.iter().map(|row| row[4 + column]).sum();
            assert!((sum - whole).abs() < 1e-6, "{fen}: {trace}");
        }
        assert!((sums[2] - whole).abs() < 1e-6, "{fen}: {text}{trace}");
    }
}

#[test]
fn piped_output_is_plain_and_the_page_is_written() {
    let folder = tempdir().unwrap();
    let page = folder.path().join("page.html");
    let fen = POSITIONS[2];
    let text = explain(&[fen, "--terms", "--html", page.to_str().unwrap(), "--depth", "4"]);
    assert!(text.contains("best line to depth 4: ") && !text.contains('\u{1b}'), "{text}");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("data-pieces="));
    let engine = tropism::default_engine().unwrap();
    let game = Game::from_fen(fen, None).unwrap();
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let hash = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE).unwrap();
    let searcher = Searcher::new(&engine, &hash);
    let again = Explanation::new(&engine, &game).with_assessment(&searcher, &game, &limits.into());
    assert_eq!(text.trim_end(), again.to_string());
    assert_eq!(explain(&[fen, "--depth", "4"]).trim_end(), again.assessed().unwrap());
    assert_eq!(html, again.page());
    let json: Value = serde_json::from_str(&explain(&[fen, "--json", "--depth", "4"])).unwrap();
    assert_eq!(json, again.json());
    assert!(!json["assessment"]["best"]["moves"].as_array().unwrap().is_empty());
}

/// The assessment of a position.
fn assessed(fen: &str) -> Value {
    let text = explain(&[fen, "--json", "--nodes", "30000"]);
    serde_json::from_str::<Value>(&text).unwrap()["assessment"].clone()
}

#[test]
fn verdicts_and_reasons_are_those_of_the_file() {
    let mut said = String::new();
    for line in include_str!("verdicts.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(' ') {
            Some(("+", words)) => assert!(said.contains(words), "no {words:?} in {said}"),
            Some(("-", words)) => assert!(!said.contains(words), "{words:?} in {said}"),
            Some(_) => said = assessed(line).to_string(),
            None => {}
        }
    }
}
