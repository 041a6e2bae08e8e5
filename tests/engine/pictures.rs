//! The pictures in the documentation are those that the program draws.
//!
//! `TROPISM_DRAW=1 cargo test --test engine pictures` draws them again.

use roxmltree::{Document, Node, ParsingOptions};
use std::{env, fs, path::Path};
use tropism::search::Game;
use tropism_coach::{Explanation, diagram};

fn assert_drawn(name: &str, picture: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("docs/pictures").join(name);
    if env::var_os("TROPISM_DRAW").is_some() {
        fs::write(&path, picture).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == picture, "{name} is out of date; TROPISM_DRAW=1 draws it again");
}

/// The board of a term from the page of a position, with the style and the piece images of the page.
fn board(fen: &str, term: &str) -> String {
    let engine = tropism::default_engine().unwrap();
    let explained = Explanation::new(&engine, &Game::from_fen(fen, None).unwrap());
    let page = explained.page();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).unwrap();
    let first = |is: &dyn Fn(&Node) -> bool| document.descendants().find(is).unwrap();
    let card = first(&|node| node.attribute("id") == Some(term));
    let board = card.descendants().find(|node| node.attribute("class") == Some("board")).unwrap();
    let pieces = first(&|node| node.attribute("class") == Some("definitions"));
    let style = first(&|node| node.has_tag_name("style"));
    let [style, pieces, board] = [style, pieces, board].map(|node| &page[node.range()]);
    let size = r#"viewBox="0 0 400 400" width="400" height="400""#;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>\n{style}\n{pieces}\n{board}\n</svg>\n"
    )
}

#[test]
fn boards_of_terms_are_up_to_date() {
    for (term, fen) in [
        ("knight_forks", "r3k3/p6p/8/3N4/8/4K3/P5P1/8 w - - 0 1"),
        ("passed_pawns", "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1"),
    ] {
        assert_drawn(&format!("{term}.svg"), &board(fen, term));
    }
}

#[test]
fn the_board_of_king_trajectories_is_up_to_date() {
    let page = include_str!("../../docs/explain.md");
    let command = "tropism geometry king_trajectories f6 h1";
    assert!(page.contains(&format!("`{command} --svg docs/pictures/king_trajectories.svg`")));
    let squares = ["f6", "h1"].map(str::to_owned);
    let board = diagram("king_trajectories", &squares, None).unwrap();
    assert_drawn("king_trajectories.svg", &board.svg());
}
