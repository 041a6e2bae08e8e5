//! What `docs/write-a-term.md` shows is what the commands print. The commands of `tropism-lab` are run by
//! its own tests.

use crate::{pages, program};
use std::path::Path;
use tropism::{eval::Engine, search::Game, terms::registry};

const PAGE: &str = include_str!("../../docs/write-a-term.md");

#[test]
fn the_commands_print_what_the_page_shows() {
    let of_lab = |command: &str| command.contains("tropism-lab") || command.contains("tuned.toml");
    let mut shown = pages::shown(PAGE);
    shown.retain(|shown| !of_lab(&shown.command) && !shown.command.starts_with("cargo "));
    assert_eq!(shown.len(), 2);
    pages::assert_all(PAGE, &shown, Path::new(program::PATH).parent().unwrap());
}

/// Ten of White's pieces are near its king, itself among them; Black's king is alone.
#[test]
fn the_function_of_the_page_counts() {
    let (_, shown) = PAGE.split_once("after `let.near = ").unwrap();
    let (function, shown) = shown.split_once("`, weights can count `").unwrap();
    let (call, _) = shown.split_once('`').unwrap();
    let text = format!(
        "name = 'x'\nterms = ['t']\n[t]\ndoc = 'x'\nlet.near = {function}\n\
         [t.w]\nunit = 'x'\nworth = [1, 1]\ncount = '{call}'\n"
    );
    let engine = Engine::parse(&text, "x.toml", &registry()).unwrap();
    let game = Game::from_fen("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", None).unwrap();
    let mut counts = vec![0; engine.pairs()];
    engine.record(game.position().chess(), &mut counts);
    assert_eq!(counts, [10 - 1]);
}
