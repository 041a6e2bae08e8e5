//! The page in a real browser: headless Chromium. Without it these tests are ignored.
//!
//! `TROPISM_DRAW=1 cargo test --package tropism-playground --test browser` draws the pictures of
//! `docs/playground.md`. `TROPISM_AXE` may hold the path of a file `axe.min.js` of axe-core, whose rules are then checked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod conversations;
mod driver;
mod measure;

use driver::{HEIGHT, Page, WIDTH};
use serde_json::json;

/// The shapes in which each state is checked: a window, the same in the dark, and a phone.
const SHAPES: [(u32, &str); 3] = [(WIDTH, "light"), (WIDTH, "dark"), (500, "light")];

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn fourteen_states_are_accessible_in_light_in_the_dark_and_on_a_phone() {
    let axe = std::env::var_os("TROPISM_AXE").map(|path| std::fs::read_to_string(path).unwrap());
    let page = Page::open();
    let states = include_str!("states.txt").lines().filter_map(|line| line.split_once(" | "));
    assert_eq!(states.clone().count(), 14);
    for (step, state) in states {
        page.value(&format!("({step})"));
        page.wait(state);
        for (width, colours) in SHAPES {
            page.resize(width, HEIGHT);
            page.prefer(colours);
            let faults = page.run(include_str!("accessibility.js"), json!([])).unwrap();
            assert_eq!(faults, json!([]), "{colours}, {width} pixels wide, after {step:?}");
            if let Some(axe) = &axe {
                let run = "return axe.run().then(({ violations }) => violations.map(({ id, nodes }) => \
                     id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | ')));";
                let faults = page.run(&format!("{axe};{run}"), json!([])).unwrap();
                assert_eq!(
                    faults,
                    json!([]),
                    "axe-core, {colours}, {width} pixels wide, after {step:?}"
                );
            }
        }
    }
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn bishop_and_knight_mate_by_the_arrows_of_the_hints() {
    let page = Page::open();
    page.click("[data-ending=KBNK]");
    page.wait("has('lesson-name', 'Bishop and knight')");
    let (mut share, mut moves) = (0.0, 0);
    while page.value("has('status', 'over')") == false {
        page.click("#hint-arrow");
        page.wait("one('#best polygon')");
        page.squares(&page.text("arrow()"));
        moves += 1;
        // The defender has answered, or it is mate.
        page.wait(&format!("has('lesson-value', ' {moves} move')"));
        page.wait(&format!("has('status', 'over') || count('#moves .path') === 2 * {moves}"));
        let value = page.value("$('way').value").as_f64().unwrap();
        assert!(value >= share && moves <= 33, "the bar has fallen");
        share = value;
        if moves == 5 {
            page.draw("lesson", "#board-box");
        }
    }
    let end = format!("Checkmate in {moves} moves; the least was {moves}.");
    page.is("$('lesson-value').textContent", end);
    page.wait("$('way').value === 1 && has('lesson-list', 'Bishop and knight ✓')");
    page.close();
}

/// A file that is loaded starts at 100 percent, and is saved with the new ones.
#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn files_are_loaded_and_saved() {
    let page = Page::game();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/miser.toml");
    let file = std::fs::canonicalize(file).unwrap();
    let slider = "[data-term=threats] input[type=range]";
    let percent = "one('[data-term=threats] output').textContent";
    page.type_into(slider, "\u{e012}");
    page.is(percent, "95 %");
    page.type_into("#load", file.to_str().unwrap());
    page.is("text()", std::fs::read_to_string(file).unwrap());
    page.is(percent, "100 %");
    page.type_into(slider, "\u{e012}");
    page.value("catchTexts()");
    page.click("#save");
    page.wait("window.saved");
    let saved = page.text("window.saved");
    let engine = tropism::eval::Engine::parse(&saved, "saved", &tropism::terms::registry());
    // The file has 200 percent, of which the slider leaves 95.
    assert_eq!(engine.unwrap().percent("threats"), Some(190));
    page.close();
}
