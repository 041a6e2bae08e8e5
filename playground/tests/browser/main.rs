//! The page in a real browser: headless Chromium. Without it these tests are ignored.
//!
//! `TROPISM_DRAW=1 cargo test --package tropism-playground --test browser` draws the pictures of
//! `docs/playground.md`. `TROPISM_AXE` may hold the path of a file `axe.min.js` of axe-core, whose rules are then checked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod driver;
mod measure;
mod work;

use driver::{HEIGHT, MOUSE_BUTTON_LEFT, Page, WIDTH};
use serde_json::json;

const NEAR: &str = "\n[near]\ndoc = \"A knight near the enemy king is a threat.\"\neach = \"knight in own.knights\"\n[near.distance]\n\
    count = \"6 - knight_distance(knight, enemy.kng)\"\nunit = \"knight moves nearer than 6\"\nworth = [5, 5]\n";

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn the_first_minute_leads_from_a_distance_to_an_own_term() {
    let page = Page::open();
    page.wait("see('purpose') && has('purpose', 'distances') && see('drawing')");
    page.wait("one('#over .arrow polyline') && has('drawn-name', 'passed_pawns')");
    page.draw("start", "header");
    // What was measured on a square stands in the place of the reading.
    page.value(
        "one('[data-square=b5]').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))",
    );
    page.is("one('#measured li').textContent", "b5");
    page.wait("!see('reading')");
    // The text says how the value changes, and it does.
    let said = "/ from (\\S+) to (\\S+)\\./.exec($('guide-try').textContent).slice(1)";
    let said = page.value(said);
    let value = "$('drawn-value').textContent";
    page.is(value, said[0].clone());
    page.click("#step-position");
    page.is(value, said[1].clone());
    page.click("#step-weigh");
    let slider = "[data-term=passed_pawns] input[type=range]";
    page.wait(&format!("document.activeElement.matches('{slider}')"));
    page.type_into(slider, "\u{e010}");
    page.wait(&format!("Number({value}) > 3.5 * {}", said[1].as_str().unwrap()));
    page.click("#step-write");
    page.wait("document.activeElement === $('text') && one('[data-term=my_term]')");
    page.wait("has('drawn-name', 'my_term') && one('#over .arrow')");
    // The page is one page for the back button.
    page.post("/back", json!({}));
    page.is("location.href", "about:blank");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn terms_are_written_corrected_drawn_weighed_and_reset() {
    let page = Page::game();
    page.click("#text");
    page.value("$('text').setSelectionRange(1e6, 1e6)");
    page.type_into("#text", NEAR);
    page.wait("has('mistake', 'enemy.king')");
    let text = page.text("$('text').value");
    let line = 1 + text.lines().position(|line| line.contains("enemy.kng")).unwrap();
    let column = 1 + text.lines().nth(line - 1).unwrap().find("enemy.kng").unwrap();
    page.wait(&format!("has('mistake', 'Line {line}, column {column}: ')"));
    let marked =
        "all('#marks mark, #numbers .wrong').map((e) => e.textContent.trim()).sort().join()";
    page.is(marked, format!("{line},enemy.kng"));
    page.draw("mistake", "#writing");
    // The button selects the mistake, and typing corrects it. The new term is drawn at once.
    page.click("#mistake button");
    page.type_into("#text", "enemy.king");
    page.wait("one('[data-term=near] input[type=radio]').checked && !has('mistake', 'Line')");
    page.wait(
        "count('#over title') === 4 && one('[data-term=near] .cost').textContent.includes('%')",
    );
    // 1.Nf3 brings a knight nearer: the term has a value.
    page.play("g1 f3", "1.Nf3");
    let value = "Number(one('[data-term=near] .value').textContent)";
    page.wait(&format!("{value} !== 0"));
    let single = page.value(value).as_f64().unwrap();
    // 20 steps of 5 percent with the keyboard; switched off, it is worth nothing.
    page.type_into("[data-term=near] input[type=range]", &"\u{e014}".repeat(20));
    page.is("one('[data-term=near] output').textContent", "200 %");
    page.is(value, 2.0 * single);
    page.click("[data-term=near] input[type=checkbox]");
    page.wait(&format!("{value} === 0"));
    page.click("#reset-weights");
    page.is(value, single);
    // Words are completed while one types, and every mistake is shown.
    page.write("name = 'own'\nbase = 'tropism'\n[a]\ndoc = 'A.'\n[a.b]\nunit = 'moves'\nworth = [1, 1]\ncount = \"knight_dist");
    page.wait("see('words') && has('words', 'knight_distance(')");
    page.wait("rect('#words').top >= 0 && rect('#words').bottom <= innerHeight");
    page.type_into("#text", "\u{e007}(own.king, enemy.kng)\"\n[c]\ndoc = 'C.'\n[c.d]\nunit = 'x'\nworth = [1, 1]\ncount = \"nothing\"");
    page.wait("$('text').value.includes('knight_distance(own.king, enemy.kng)')");
    for marks in ["#marks mark", "#numbers .wrong", "#mistake button"] {
        page.is(&format!("count('{marks}')"), 2);
    }
    page.is("CSS.highlights.get('section').size", 4);
    // The words stand beside it.
    page.type_into("#word-filter", "opposition");
    page.wait("has('word-box', 'is_opposition') && !has('word-box', 'king_moves')");
    // A term may have any name, and one that is inserted leaves what is there.
    page.write("name = 'own'\nbase = 'tropism'\n[constructor]\ndoc = 'x'\n[constructor.b]\nunit = 'x'\nworth = [1, 1]\n");
    page.is("one('[data-term=constructor] output').textContent", "100 %");
    page.fill("insert-term", "safe_forks");
    page.wait("$('text').value.includes('[safe_forks]') && one('[data-term=constructor]')");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn nothing_is_lost_by_a_reload_a_link_the_back_button_or_a_second_tab() {
    let page = Page::game();
    page.play("e2 e4", "1.e4");
    page.click("#flip");
    page.click("#add-term");
    page.type_into("[data-term=my_term] input[type=range]", &"\u{e012}".repeat(10));
    page.click("[data-term=pawns] input[type=checkbox]");
    page.wait("one('[data-term=pawns]').classList.contains('off')");
    let shown = "[$('text').value, $('fen').value, played(), $('headline').textContent, $('over').innerHTML, \
        $('terms').textContent.replace(/\\d+ ns.*?time/g, ''), one('#board button').dataset.square, \
        one('[aria-selected=true]').id]";
    let before = page.value(shown);
    page.reload();
    page.is(shown, before.clone());
    page.go(&page.text("location.hash"));
    page.is(shown, before);
    // The back button leads to the game before, forward to the next one.
    page.value("(window.pages = history.length)");
    page.set("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1");
    page.wait("history.length > window.pages");
    page.back("1.e4");
    page.value("history.forward()");
    page.wait("$('fen').value.startsWith('8/8/4k3')");
    page.back("1.e4");
    // A second tab keeps its own game; the texts of both are in both lists.
    let first = page.get("/window");
    let second = page.post("/window/new", json!({ "type": "tab" }));
    page.post("/window", json!({ "handle": second["handle"] }));
    page.go("");
    page.press("new-game", "");
    page.play("d2 d4", "1.d4");
    page.write("name = 'own'\nbase = 'tropism'\n# of the second tab");
    page.fill("examples", "minimal");
    page.post("/window", json!({ "handle": first }));
    page.wait("$('earlier').options[1].text.startsWith('own, ') && played() === '1.e4'");
    // Who comes back may go on where the last visit ended.
    page.go("");
    page.press("go-on", "1.d4");
    page.wait("!see('go-on') && $('text').value.includes('safe_forks')");
    // A broken link is said to be one; what an e-mail has put behind it is not part of it.
    let link = page.text("location.hash");
    page.go(&format!("{link}.)"));
    page.moves("1.d4");
    page.go("#p=AAAA");
    page.wait("has('problem', 'link')");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn a_phone_shows_everything_without_scrolling_sideways() {
    let page = Page::sized(1000, 844);
    // The window of a headless browser has a least width, so the page is shown in a narrow frame.
    page.resize(390, 844);
    page.value("document.documentElement.style.width = '390px'");
    page.click("[data-ending=KQK]");
    page.wait("see('lesson')");
    let steps = "#tab-lessons-panel #tab-terms-panel #tab-writing #tab-coach-panel #tab-game-panel [data-guide='3'] #set-up [data-guide='0']";
    for step in steps.split(' ') {
        page.click(step);
        let wide = "all('main *, header *').filter((e) => !e.closest('#page, #mistake pre, svg') && \
             e.getBoundingClientRect().right > 390.5).map((e) => e.id || e.className)";
        page.is(wide, json!([]));
    }
    page.draw("phone", "header");
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn board_and_tabs_are_used_by_keyboard_and_pieces_by_drag() {
    let page = Page::game();
    let focused = "document.activeElement.dataset.square";
    page.value("one('[data-square=d7]').focus()");
    // From d7, where nothing can be taken up, to d2: up to d4.
    page.type_into("#board [data-square=d7]", &"\u{e015}".repeat(5));
    page.is(focused, "d2");
    page.type_into("#board [data-square=d2]", "\u{e007}");
    page.is("one('#board td.selected button').dataset.square", "d2");
    page.type_into("#board [data-square=d2]", "\u{e013}\u{e013}");
    page.is(focused, "d4");
    page.type_into("#board [data-square=d4]", "\u{e007}");
    page.moves("1.d4");
    page.is("$('announce').textContent", "White: d4.");
    page.drag("g1", "f3", MOUSE_BUTTON_LEFT);
    page.is("$('announce').textContent", "Black is to move. Set up moves any piece.");
    page.drag("g8", "f6", MOUSE_BUTTON_LEFT);
    page.moves("1.d4 Nf6");
    page.drag("g1", "f3", MOUSE_BUTTON_LEFT);
    page.moves("1.d4 Nf6 2.Nf3");
    // What is no legal move is said, and a piece stays taken up only as long as it can move.
    page.drag("b8", "b5", MOUSE_BUTTON_LEFT);
    page.is("$('announce').textContent", "b8 to b5 is no legal move.");
    page.squares("b8");
    page.key("ArrowLeft", "1.d4 Nf6");
    page.wait("!one('#board td.selected')");
    // A drawing is removed by keyboard.
    let radio = "[data-term=pawns] input[type=radio]";
    page.click(radio);
    page.wait("see('drawing')");
    page.type_into(radio, "\u{e017}");
    page.wait(&format!("!one('{radio}').checked && !see('drawing')"));
    // Arrow keys go from tab to tab, around the end, and not through the game.
    page.click("#tab-guides-panel");
    for (from, key, to) in [
        ("guides-panel", "\u{e014}", "terms-panel"),
        ("terms-panel", "\u{e012}", "guides-panel"),
        ("guides-panel", "\u{e012}", "game-panel"),
    ] {
        page.type_into(&format!("#tab-{from}"), key);
        page.is("document.activeElement.id", format!("tab-{to}"));
        page.is("all('[role=tabpanel]:not([hidden])').map((e) => e.id).join()", to);
        page.is("count('[role=tab][tabindex=\"0\"]')", 1);
    }
    page.moves("1.d4 Nf6");
    page.close();
}

/// The states of the page whose accessibility is checked: what leads to each, and when it is reached. The search ends after its state.
const STATES: [(&str, &str); 14] = [
    ("0", "one('#over .arrow')"),
    ("$('tab-terms-panel').click(), $('idle').open = true", "see('idle-terms')"),
    ("$('tab-coach-panel').click()", "$('coach').ariaBusy === 'false'"),
    ("$('search-on').click()", "one('#lines button')"),
    ("$('search-on').click(), $('tab-game-panel').click()", "see('pgn')"),
    ("$('tab-lessons-panel').click()", "see('lesson-list')"),
    ("one('[data-ending=KRK]').click()", "see('lesson')"),
    ("$('set-up').click()", "see('setup-panel')"),
    ("$('setup-done').click(), fill('task-text', 'A task')", "see('task')"),
    ("fill('pgn', '1. f3 e5 2. g4 (2. e4 {.}) Qh4#'), $('read-pgn').click()", "has('moves', '#')"),
    ("$('tab-coach-panel').click(), $('review').click()", "one('#mistakes button')"),
    ("$('tab-writing').click()", "see('text')"),
    ("fill('text', $('text').value + '\\n[pawns]\\nx = 1\\n')", "one('#mistake button')"),
    ("all('details').forEach((e) => { e.open = true; })", "$('idle').open"),
];

/// The shapes in which each state is checked: a window, the same in the dark, and a phone.
const SHAPES: [(u32, &str); 3] = [(WIDTH, "light"), (WIDTH, "dark"), (500, "light")];

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn fourteen_states_are_accessible_in_light_in_the_dark_and_on_a_phone() {
    let axe = std::env::var_os("TROPISM_AXE").map(|path| std::fs::read_to_string(path).unwrap());
    let page = Page::open();
    for (step, state) in STATES {
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
