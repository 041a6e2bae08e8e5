//! The page in a real browser: headless Chromium. Without it these tests are ignored.
//!
//! `TROPISM_DRAW=1 cargo test --package tropism-playground --test browser` draws the pictures of
//! `docs/playground.md`. `TROPISM_AXE` may hold the path of a file `axe.min.js` of axe-core, whose rules are then checked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod driver;
mod measure;
mod work;

use driver::{HEIGHT, Page, WIDTH};
use fantoccini::actions::MOUSE_BUTTON_LEFT;
use serde_json::json;

const NEAR: &str = "\n[near]\ndoc = \"A knight near the enemy king is a threat.\"\neach = \"knight in own.knights\"\n[near.distance]\n\
    count = \"6 - knight_distance(knight, enemy.kng)\"\nunit = \"knight moves nearer than 6\"\nworth = [5, 5]\n";

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn the_first_minute_leads_from_a_distance_to_an_own_term() {
    let page = Page::open().await;
    page.wait("see('purpose') && has('purpose', 'distances') && see('drawing')").await;
    page.wait("one('#over .arrow polyline') && has('drawn-name', 'passed_pawns')").await;
    page.draw("start", "header").await;
    // What was measured on a square stands in the place of the reading.
    page.value(
        "one('[data-square=b5]').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))",
    )
    .await;
    page.is("one('#measured li').textContent", "b5").await;
    page.wait("!see('reading')").await;
    // The text says how the value changes, and it does.
    let said = "/ from (\\S+) to (\\S+)\\./.exec($('guide-try').textContent).slice(1)";
    let said = page.value(said).await;
    let value = "$('drawn-value').textContent";
    page.is(value, said[0].clone()).await;
    page.click("#step-position").await;
    page.is(value, said[1].clone()).await;
    page.click("#step-weigh").await;
    let slider = "[data-term=passed_pawns] input[type=range]";
    page.wait(&format!("document.activeElement.matches('{slider}')")).await;
    page.type_into(slider, "\u{e010}").await;
    page.wait(&format!("Number({value}) > 3.5 * {}", said[1].as_str().unwrap())).await;
    page.click("#step-write").await;
    page.wait("document.activeElement === $('text') && one('[data-term=my_term]')").await;
    page.wait("has('drawn-name', 'my_term') && one('#over .arrow')").await;
    // The page is one page for the back button.
    page.client.back().await.unwrap();
    page.is("location.href", "about:blank").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn terms_are_written_corrected_drawn_weighed_and_reset() {
    let page = Page::game().await;
    page.click("#text").await;
    page.value("$('text').setSelectionRange(1e6, 1e6)").await;
    page.type_into("#text", NEAR).await;
    page.wait("has('mistake', 'enemy.king')").await;
    let text = page.text("$('text').value").await;
    let line = 1 + text.lines().position(|line| line.contains("enemy.kng")).unwrap();
    let column = 1 + text.lines().nth(line - 1).unwrap().find("enemy.kng").unwrap();
    page.wait(&format!("has('mistake', 'Line {line}, column {column}: ')")).await;
    let marked =
        "all('#marks mark, #numbers .wrong').map((e) => e.textContent.trim()).sort().join()";
    page.is(marked, format!("{line},enemy.kng")).await;
    page.draw("mistake", "#writing").await;
    // The button selects the mistake, and typing corrects it. The new term is drawn at once.
    page.click("#mistake button").await;
    page.type_into("#text", "enemy.king").await;
    page.wait("one('[data-term=near] input[type=radio]').checked && !has('mistake', 'Line')").await;
    page.wait(
        "count('#over title') === 4 && one('[data-term=near] .cost').textContent.includes('%')",
    )
    .await;
    // 1.Nf3 brings a knight nearer: the term has a value.
    page.play("g1 f3", "1.Nf3").await;
    let value = "Number(one('[data-term=near] .value').textContent)";
    page.wait(&format!("{value} !== 0")).await;
    let single = page.value(value).await.as_f64().unwrap();
    // 20 steps of 5 percent with the keyboard; switched off, it is worth nothing.
    page.type_into("[data-term=near] input[type=range]", &"\u{e014}".repeat(20)).await;
    page.is("one('[data-term=near] output').textContent", "200 %").await;
    page.is(value, 2.0 * single).await;
    page.click("[data-term=near] input[type=checkbox]").await;
    page.wait(&format!("{value} === 0")).await;
    page.click("#reset-weights").await;
    page.is(value, single).await;
    // Words are completed while one types, and every mistake is shown.
    page.write("name = 'own'\nbase = 'tropism'\n[a]\ndoc = 'A.'\n[a.b]\nunit = 'moves'\nworth = [1, 1]\ncount = \"knight_dist").await;
    page.wait("see('words') && has('words', 'knight_distance(')").await;
    page.wait("rect('#words').top >= 0 && rect('#words').bottom <= innerHeight").await;
    page.type_into("#text", "\u{e007}(own.king, enemy.kng)\"\n[c]\ndoc = 'C.'\n[c.d]\nunit = 'x'\nworth = [1, 1]\ncount = \"nothing\"").await;
    page.wait("$('text').value.includes('knight_distance(own.king, enemy.kng)')").await;
    for marks in ["#marks mark", "#numbers .wrong", "#mistake button"] {
        page.is(&format!("count('{marks}')"), 2).await;
    }
    page.is("CSS.highlights.get('section').size", 4).await;
    // The words stand beside it.
    page.type_into("#word-filter", "opposition").await;
    page.wait("has('word-box', 'is_opposition') && !has('word-box', 'king_moves')").await;
    // A term may have any name, and one that is inserted leaves what is there.
    page.write("name = 'own'\nbase = 'tropism'\n[constructor]\ndoc = 'x'\n[constructor.b]\nunit = 'x'\nworth = [1, 1]\n").await;
    page.is("one('[data-term=constructor] output').textContent", "100 %").await;
    page.fill("insert-term", "safe_forks").await;
    page.wait("$('text').value.includes('[safe_forks]') && one('[data-term=constructor]')").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn nothing_is_lost_by_a_reload_a_link_the_back_button_or_a_second_tab() {
    let page = Page::game().await;
    page.play("e2 e4", "1.e4").await;
    page.click("#flip").await;
    page.click("#add-term").await;
    page.type_into("[data-term=my_term] input[type=range]", &"\u{e012}".repeat(10)).await;
    page.click("[data-term=pawns] input[type=checkbox]").await;
    page.wait("one('[data-term=pawns]').classList.contains('off')").await;
    let shown = "[$('text').value, $('fen').value, played(), $('headline').textContent, $('over').innerHTML, \
        $('terms').textContent.replace(/\\d+ ns.*?time/g, ''), one('#board button').dataset.square, \
        one('[aria-selected=true]').id]";
    let before = page.value(shown).await;
    page.reload().await;
    page.is(shown, before.clone()).await;
    page.go(&page.text("location.hash").await).await;
    page.is(shown, before).await;
    // The back button leads to the game before, forward to the next one.
    page.value("(window.pages = history.length)").await;
    page.set("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1").await;
    page.wait("history.length > window.pages").await;
    page.back("1.e4").await;
    page.client.execute("history.forward()", vec![]).await.unwrap();
    page.wait("$('fen').value.startsWith('8/8/4k3')").await;
    page.back("1.e4").await;
    // A second tab keeps its own game; the texts of both are in both lists.
    let first = page.client.window().await.unwrap();
    let second = page.client.new_window(true).await.unwrap();
    page.client.switch_to_window(second.handle).await.unwrap();
    page.go("").await;
    page.press("new-game", "").await;
    page.play("d2 d4", "1.d4").await;
    page.write("name = 'own'\nbase = 'tropism'\n# of the second tab").await;
    page.fill("examples", "minimal").await;
    page.client.switch_to_window(first).await.unwrap();
    page.wait("$('earlier').options[1].text.startsWith('own, ') && played() === '1.e4'").await;
    // Who comes back may go on where the last visit ended.
    page.go("").await;
    page.press("go-on", "1.d4").await;
    page.wait("!see('go-on') && $('text').value.includes('safe_forks')").await;
    // A broken link is said to be one; what an e-mail has put behind it is not part of it.
    let link = page.text("location.hash").await;
    page.go(&format!("{link}.)")).await;
    page.moves("1.d4").await;
    page.go("#p=AAAA").await;
    page.wait("has('problem', 'link')").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn a_phone_shows_everything_without_scrolling_sideways() {
    let page = Page::sized(1000, 844, false).await;
    // The window of a headless browser has a least width, so the page is shown in a narrow frame.
    page.client.set_window_size(390, 844).await.unwrap();
    page.value("document.documentElement.style.width = '390px'").await;
    page.click("[data-ending=KQK]").await;
    page.wait("see('lesson')").await;
    let steps = "#tab-lessons-panel #tab-terms-panel #tab-writing #tab-coach-panel #tab-game-panel [data-guide='3'] #set-up [data-guide='0']";
    for step in steps.split(' ') {
        page.click(step).await;
        let wide = "all('main *, header *').filter((e) => !e.closest('#page, #mistake pre, svg') && \
             e.getBoundingClientRect().right > 390.5).map((e) => e.id || e.className)";
        page.is(wide, json!([])).await;
    }
    page.draw("phone", "header").await;
    page.close().await;
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn board_and_tabs_are_used_by_keyboard_and_pieces_by_drag() {
    let page = Page::game().await;
    let focused = "document.activeElement.dataset.square";
    page.value("one('[data-square=d7]').focus()").await;
    // From d7, where nothing can be taken up, to d2: up to d4.
    page.type_into("#board [data-square=d7]", &"\u{e015}".repeat(5)).await;
    page.is(focused, "d2").await;
    page.type_into("#board [data-square=d2]", "\u{e007}").await;
    page.is("one('#board td.selected button').dataset.square", "d2").await;
    page.type_into("#board [data-square=d2]", "\u{e013}\u{e013}").await;
    page.is(focused, "d4").await;
    page.type_into("#board [data-square=d4]", "\u{e007}").await;
    page.moves("1.d4").await;
    page.is("$('announce').textContent", "White: d4.").await;
    page.drag("g1", "f3", MOUSE_BUTTON_LEFT).await;
    page.is("$('announce').textContent", "Black is to move. Set up moves any piece.").await;
    page.drag("g8", "f6", MOUSE_BUTTON_LEFT).await;
    page.moves("1.d4 Nf6").await;
    page.drag("g1", "f3", MOUSE_BUTTON_LEFT).await;
    page.moves("1.d4 Nf6 2.Nf3").await;
    // What is no legal move is said, and a piece stays taken up only as long as it can move.
    page.drag("b8", "b5", MOUSE_BUTTON_LEFT).await;
    page.is("$('announce').textContent", "b8 to b5 is no legal move.").await;
    page.squares("b8").await;
    page.key("ArrowLeft", "1.d4 Nf6").await;
    page.wait("!one('#board td.selected')").await;
    // A drawing is removed by keyboard.
    let radio = "[data-term=pawns] input[type=radio]";
    page.click(radio).await;
    page.wait("see('drawing')").await;
    page.type_into(radio, "\u{e017}").await;
    page.wait(&format!("!one('{radio}').checked && !see('drawing')")).await;
    // Arrow keys go from tab to tab, around the end, and not through the game.
    page.click("#tab-guides-panel").await;
    for (from, key, to) in [
        ("guides-panel", "\u{e014}", "terms-panel"),
        ("terms-panel", "\u{e012}", "guides-panel"),
        ("guides-panel", "\u{e012}", "game-panel"),
    ] {
        page.type_into(&format!("#tab-{from}"), key).await;
        page.is("document.activeElement.id", format!("tab-{to}")).await;
        page.is("all('[role=tabpanel]:not([hidden])').map((e) => e.id).join()", to).await;
        page.is("count('[role=tab][tabindex=\"0\"]')", 1).await;
    }
    page.moves("1.d4 Nf6").await;
    page.close().await;
}

/// The states of the page whose accessibility is checked: what leads to each, and when it is reached.
const STATES: [(&str, &str); 14] = [
    ("0", "one('#over .arrow')"),
    ("$('tab-terms-panel').click(), $('idle').open = true", "see('idle-terms')"),
    ("$('tab-coach-panel').click()", "$('coach').ariaBusy === 'false'"),
    ("$('search-on').click()", "one('#lines button')"),
    ("$('tab-game-panel').click()", "see('pgn')"),
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

/// Checks all states. With the path of axe-core in `TROPISM_AXE`, its rules are checked as well.
async fn check_states(page: &Page) {
    let axe = std::env::var_os("TROPISM_AXE").map(|path| std::fs::read_to_string(path).unwrap());
    for (step, state) in STATES {
        page.value(&format!("({step})")).await;
        page.wait(state).await;
        let faults = page.client.execute(include_str!("accessibility.js"), vec![]).await.unwrap();
        assert_eq!(faults, json!([]), "faults of accessibility after {step:?}");
        if let Some(axe) = &axe {
            let run = "const done = arguments[0]; axe.run().then(({ violations }) => done(violations.map(({ id, nodes }) => \
                 id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | '))));";
            let faults = page.client.execute_async(&format!("{axe};{run}"), vec![]).await.unwrap();
            assert_eq!(faults, json!([]), "axe-core after {step:?}");
        }
    }
}

#[tokio::test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
async fn fourteen_states_are_accessible_in_light_in_the_dark_and_on_a_phone() {
    for (width, dark) in [(WIDTH, false), (WIDTH, true), (500, false)] {
        let page = Page::sized(WIDTH, HEIGHT, dark).await;
        page.client.set_window_size(width, HEIGHT).await.unwrap();
        page.is("matchMedia('(prefers-color-scheme: dark)').matches", dark).await;
        check_states(&page).await;
        page.close().await;
    }
}
