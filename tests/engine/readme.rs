//! What README and `docs` say of terms and positions is what the program says.

use std::path::Path;
use tropism::{
    coach::{DiagramRequest, Explanation, Practice, PracticeOptions, Side, diagram},
    eval::Engine,
    search::Game,
    terms::registry,
};

const README: &str = include_str!("../../README.md");
const TERMS: &str = include_str!("../../docs/terms.md");
const EXPLAINING: &str = include_str!("../../docs/explain.md");
const ENDINGS: &str = include_str!("../../docs/endings.md");

#[track_caller]
fn assert_has(page: &str, text: &str) {
    assert!(page.contains(text), "the page should have:\n{text}");
}

#[test]
fn the_geometry() {
    let squares = ["f6", "h1"].map(str::to_owned);
    assert_has(EXPLAINING, "`tropism geometry king_trajectories f6 h1`");
    let name = "king_trajectories";
    let request = DiagramRequest { name, squares: &squares, ..Default::default() };
    assert_has(EXPLAINING, &diagram(&request).unwrap().to_string());
}

/// What the page shows of a practice after `hint`.
fn assert_hint(command: &str, practice: Practice) {
    assert_has(ENDINGS, &format!("`tropism practise {command}`"));
    let mut out = Vec::new();
    practice.run(b"hint\n".as_slice(), &mut out, PracticeOptions::default()).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_has(ENDINGS, text.split_once("Left after").unwrap().0);
}

#[test]
fn the_practice() {
    let engine = tropism::default_engine().unwrap();
    let practice = Practice::new(&engine, "KPK".parse().unwrap(), Side::Weak, 1).unwrap();
    assert_hint("KPK --side weak --seed 1", practice);
    for fen in ["8/8/1K2k3/1R6/8/8/8/8 w - - 0 1", "8/4k3/8/8/3KP3/8/8/8 w - - 0 1"] {
        let game = Game::from_fen(fen, None).unwrap();
        let position = game.position().chess();
        let practice = Practice::from_position(&engine, position, Side::Strong).unwrap();
        assert_hint(&format!("'{fen}'"), practice);
    }
}

fn trace(engine: &Engine, fen: &str) -> String {
    engine.trace(Game::from_fen(fen, None).unwrap().position().chess()).to_string()
}

#[test]
fn the_traces() {
    let fen = "8/6k1/8/4K3/3N4/3B4/8/8 w - - 0 1";
    assert_has(EXPLAINING, &format!("`tropism eval '{fen}'`"));
    assert_has(EXPLAINING, &trace(&tropism::default_engine().unwrap(), fen));
    let fen = "r3k3/p6p/8/3N4/8/4K3/P5P1/8 w - - 0 1";
    assert_has(TERMS, &format!("`{fen}`"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines/minimal.toml");
    assert_has(TERMS, &trace(&Engine::load(&file, &registry()).unwrap(), fen));
}

#[test]
fn the_term_of_a_file() {
    let minimal = include_str!("../../engines/minimal.toml");
    let (_, shown) = README.split_once("```toml\n[safe_forks]").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    assert_has(minimal, shown);
    let fen = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
    assert_has(README, &format!("tropism --engine engines/minimal.toml explain '{fen}'"));
    let engine = Engine::parse(minimal, "minimal.toml", &registry()).unwrap();
    let text = Explanation::new(&engine, &Game::from_fen(fen, None).unwrap()).to_string();
    assert!(text.contains("White: a square for a safe knight fork (c7)"), "{text}");
}

#[test]
fn the_explanation() {
    let fen = "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1";
    let engine = tropism::default_engine().unwrap();
    let text = Explanation::new(&engine, &Game::from_fen(fen, None).unwrap()).to_string();
    assert_has(EXPLAINING, &format!("`tropism explain '{fen}'`"));
    assert_has(EXPLAINING, &text);
    // The README shows its beginning.
    assert_has(README, &format!("`tropism explain '{fen}'`"));
    let (_, heaviest) = text.split_once("passed_pawns ").unwrap();
    let lines: Vec<_> = heaviest.lines().take(5).collect();
    assert_has(README, &format!("```text\npassed_pawns {}\n```", lines.join("\n")));
}

/// Every link from one page to another, or to a file, leads somewhere.
#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md"];
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
