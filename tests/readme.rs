//! What the README says of options, commands, terms and a trace is what the program says.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use tropism::{
    search::Game,
    terms::registry,
    tools::{Explanation, GeometryRequest, Practice, Screen, Side, geometry},
    uci::{COMMANDS, Kind, OPTIONS, OptionSpec},
};

const README: &str = include_str!("../README.md");

fn assert_has(text: &str) {
    assert!(README.contains(text), "the README should have:\n{text}");
}

#[test]
fn all_options() {
    let mut table = String::new();
    for option in OPTIONS {
        let values = match option.kind {
            Kind::Spin { default, min, max } => format!("{min} to {max}, default {default}"),
            Kind::Check { default } => format!("true or false, default {default}"),
            Kind::Button => "button".to_owned(),
            Kind::Text => "text".to_owned(),
        };
        writeln!(table, "| `{}` | {values} | {} |", option.name, option.doc).unwrap();
    }
    let Kind::Spin { default, min, max } = OptionSpec::of_term("", "").kind else { panic!() };
    write!(table, "| `TERM percent` | {min} to {max}, default {default} |").unwrap();
    assert_has(&table);
}

#[test]
fn all_commands() {
    let mut table = String::new();
    for (usage, doc) in COMMANDS {
        writeln!(table, "| `{}` | {doc} |", usage.replace('|', "\\|")).unwrap();
    }
    assert_has(&table);
}

#[test]
fn all_terms() {
    let mut table = String::new();
    for term in registry().entries() {
        writeln!(table, "| `{}` | {} | {} |", term.name, term.doc, term.source).unwrap();
    }
    assert_has(&table);
}

#[test]
fn the_geometry() {
    let squares = ["f6", "h1"].map(str::to_owned);
    assert_has("`tropism geometry king_trajectories f6 h1`");
    let name = "king_trajectories";
    let request = GeometryRequest { name, squares: &squares, ..Default::default() };
    assert_has(&geometry(&request).unwrap().to_string());
}

#[test]
fn the_practice() {
    let engine = tropism::default_engine().unwrap();
    assert_has("`tropism practise KRK --seed 1`");
    let practice = Practice::new(&engine, "KRK".parse().unwrap(), Side::Strong, 1).unwrap();
    let mut out = Vec::new();
    practice.run(b"hint\n".as_slice(), &mut out, Screen::default()).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_has(text.split_once("Left after").unwrap().0);
}

#[test]
fn the_trace() {
    let fen = "8/6k1/8/4K3/3N4/3B4/8/8 w - - 0 1";
    assert_has(fen);
    let game = Game::from_fen(fen, None).unwrap();
    let trace = tropism::default_engine().unwrap().trace(game.position().chess()).to_string();
    assert_has(&trace);
}

#[test]
fn the_explanation() {
    let fen = "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1";
    assert_has(&format!("`tropism explain '{fen}'`"));
    let engine = tropism::default_engine().unwrap();
    assert_has(&Explanation::new(&engine, &Game::from_fen(fen, None).unwrap()).to_string());
}
