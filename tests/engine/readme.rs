//! What README and `docs` say of terms and positions is what the program says.

use crate::{pages, program};
use std::path::Path;
use tropism::{eval::Engine, search::Game, terms::registry};
use tropism_coach::Explanation;

const README: &str = include_str!("../../README.md");
const TERMS: &str = include_str!("../../docs/terms.md");
const ENDINGS: &str = include_str!("../../docs/endings.md");
const WRITE: &str = include_str!("../../docs/write-a-term.md");

#[track_caller]
fn assert_has(page: &str, text: &str) {
    assert!(page.contains(text), "the page should have:\n{text}");
}

#[test]
fn the_pages_show_what_the_commands_print() {
    let programs = Path::new(program::PATH).parent().unwrap();
    for (page, expected) in [(TERMS, 1), (ENDINGS, 2)] {
        let shown = pages::shown(page);
        assert_eq!(shown.len(), expected);
        for shown in &shown {
            pages::assert_shown(shown, &Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), programs);
        }
    }
}

#[test]
fn the_term_of_a_file() {
    let minimal = include_str!("../../engines/minimal.toml");
    let (_, shown) = README.split_once("```toml\n[safe_forks]").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    assert_has(minimal, shown);
    let fen = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
    assert_has(README, &format!("tropism --engine engines/minimal.toml explain --terms '{fen}'"));
    let engine = Engine::parse(minimal, "minimal.toml", &registry()).unwrap();
    let text = Explanation::new(&engine, &Game::from_fen(fen, None).unwrap()).to_string();
    assert!(text.contains("White: a square for a safe knight fork (c7)"), "{text}");
}

/// A part of an explanation. `game_review` checks the page on explanations.
#[test]
fn the_explanation() {
    let fen = "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1";
    assert_has(README, &format!("`tropism explain '{fen}'`"));
    let text = program::run(&["explain", fen]).success();
    let lines: Vec<_> = text.lines().skip(1).take(4).collect();
    assert_has(README, &format!("```text\n{}\n```", lines.join("\n")));
}

/// The commands of `tropism-lab` are run by its own tests.
#[test]
fn the_page_on_terms_of_files_shows_what_the_commands_print() {
    let of_lab = |command: &str| command.contains("tropism-lab") || command.contains("tuned.toml");
    let mut shown = pages::shown(WRITE);
    shown.retain(|shown| !of_lab(&shown.command) && !shown.command.starts_with("cargo "));
    assert_eq!(shown.len(), 2);
    pages::assert_all(WRITE, &shown, Path::new(program::PATH).parent().unwrap());
}

/// Ten of White's pieces are near its king, itself among them; Black's king is alone.
#[test]
fn the_function_of_the_page_counts() {
    let (_, shown) = WRITE.split_once("after `let.near = ").unwrap();
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

/// `config/openbench` goes to a server as it is.
#[test]
fn the_openbench_file_is_json_with_the_keys_that_its_server_needs() {
    let json: serde_json::Value =
        serde_json::from_str(include_str!("../../config/openbench/tropism.json")).unwrap();
    assert!(json["nps"].as_u64().unwrap() > 0 && json["private"] == false);
    assert_eq!(json["build"]["path"], "");
    let needed = concat!("cargo>=", env!("CARGO_PKG_RUST_VERSION"), ".0");
    assert_eq!(json["build"]["compilers"][0], needed);
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(json[presets]["default"].is_object(), "{presets}");
    }
}

/// Every link from one page to another, or to a file, leads somewhere.
#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "config/README.md",
        "lab/README.md",
    ];
    let pages = pages.map(|page| root.join(page)).into_iter().chain(docs.filter(|p| p.is_file()));
    let mut links = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let ends = |(rest, end): (&str, char)| rest.split(end).next().unwrap().to_owned();
        let links_of = |start, end| text.split(start).skip(1).map(move |rest| ends((rest, end)));
        for link in links_of("](", ')').chain(links_of("src=\"", '"')) {
            if link.starts_with("http") || link.contains('\n') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            if !anchor.is_empty() {
                let target = std::fs::read_to_string(&target).unwrap();
                let mut headings = target.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor_of(line) == anchor);
                assert!(found, "{}: {link}", page.display());
            }
            links += 1;
        }
    }
    assert!(links > 30, "{links}");
}

/// The name by which a heading can be linked to.
fn anchor_of(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
