//! The page in a real browser: headless Chromium. Without chromedriver these tests say so and pass.
//!
//! `TROPISM_DRAW=1 cargo test --package tropism-playground --test browser` draws the pictures of
//! `docs/playground.md`. `TROPISM_AXE` may hold the path of a file `axe.min.js` of axe-core, whose rules are then checked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod driver;
mod measure;
mod work;

use driver::Page;
use fantoccini::actions::MOUSE_BUTTON_LEFT;
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, san::San};

const WIDTH: u32 = 1160;
const HEIGHT: u32 = 960;

const NEAR: &str = "
[near]
doc = \"A knight near the enemy king is a threat.\"
each = \"knight in own.knights\"
[near.distance]
count = \"6 - knight_distance(knight, enemy.kng)\"
unit = \"knight moves nearer than 6\"
worth = [5, 5]
";

#[tokio::test(flavor = "multi_thread")]
async fn bishop_and_knight_mate_by_clicks() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.click("[data-ending=KBNK]").await;
    page.wait("$('lesson-name').textContent.startsWith('Bishop and knight')").await;
    let (mut share, mut moves) = (0.0, 0);
    let fen = "$('fen').value";
    page.wait(&format!("{fen}.split(' ')[0].match(/[BN]/g)?.length === 2")).await;
    loop {
        page.click("#hint").await;
        page.wait("one('#hints li')").await;
        let hint = page.text("one('#hints li').textContent").await;
        let san = hint.strip_prefix("Best is ").and_then(|rest| rest.split(',').next()).unwrap();
        let before = page.text(fen).await;
        let position: Chess =
            before.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let san: San = san.trim_end_matches(['+', '#']).parse().unwrap();
        let m = san.to_move(&position).unwrap();
        page.square(&m.from().unwrap().to_string()).await;
        page.square(&m.to().to_string()).await;
        moves += 1;
        // The defender has answered, or it is mate.
        page.wait("!one('#hints li')").await;
        let value = page.value("$('way').value").await.as_f64().unwrap();
        assert!(value >= share, "the bar has fallen");
        share = value;
        if moves == 5 {
            page.draw("lesson", "#board-box").await;
        }
        if page.value("$('status').textContent.includes('over')").await == true {
            break;
        }
        page.wait(&format!("{fen} !== {before:?} && {fen}.includes(' w ')")).await;
        assert!(moves <= 33 && position.turn().is_white());
    }
    assert_eq!(share, 1.0);
    let end = page.text("$('lesson-value').textContent").await;
    assert_eq!(end, format!("Checkmate in {moves} moves; the least was {moves}."));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_term_is_written_corrected_drawn_and_weighed() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.click("#text").await;
    page.value("$('text').setSelectionRange(1e6, 1e6)").await;
    page.type_into("#text", NEAR).await;
    page.wait("$('mistake').textContent.includes('enemy.king')").await;
    let text = page.text("$('text').value").await;
    let line = 1 + text.lines().position(|line| line.contains("enemy.kng")).unwrap();
    let column = 1 + text.lines().nth(line - 1).unwrap().find("enemy.kng").unwrap();
    let mistake = page.text("one('#mistake p').textContent").await;
    assert!(mistake.starts_with(&format!("Line {line}, column {column}: ")), "{mistake}");
    assert_eq!(page.text("one('#marks mark').textContent").await, "enemy.kng");
    assert_eq!(page.text("one('#numbers .wrong').textContent.trim()").await, line.to_string());
    page.draw("mistake", "#writing").await;
    // The button selects the mistake, and typing corrects it.
    page.click("#mistake button").await;
    page.type_into("#text", "enemy.king").await;
    page.wait("one('[data-term=near]')").await;
    assert_eq!(page.text("$('mistake').textContent").await, "");
    // The new term is drawn at once, on the squares of the knights.
    page.wait("one('[data-term=near] input[type=radio]').checked").await;
    page.wait("count('#under .tint') === 4 || count('#over title') === 4").await;
    page.wait("one('[data-term=near] .cost').textContent.includes(' % of the time')").await;
    // 1.Nf3 brings a knight nearer: the term has a value.
    page.play("g1", "f3").await;
    let value = "Number(one('[data-term=near] .value').textContent)";
    page.wait(&format!("{value} !== 0")).await;
    let single = page.value(value).await.as_f64().unwrap();
    // 20 steps of 5 percent with the keyboard.
    page.type_into("[data-term=near] input[type=range]", &"\u{e014}".repeat(20)).await;
    page.wait("one('[data-term=near] output').textContent === '200 %'").await;
    page.wait(&format!("{value} === {}", 2.0 * single)).await;
    // Switched off, it is worth nothing.
    page.click("[data-term=near] input[type=checkbox]").await;
    page.wait(&format!("{value} === 0")).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_in_a_reload_or_a_link() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.play("e2", "e4").await;
    page.wait_moves("1.e4").await;
    page.click("#flip").await;
    page.click("#add-term").await;
    page.wait("one('[data-term=my_term]')").await;
    page.type_into("[data-term=my_term] input[type=range]", &"\u{e012}".repeat(10)).await;
    page.click("[data-term=pawns] input[type=checkbox]").await;
    page.wait("one('[data-term=pawns]').classList.contains('off')").await;
    let shown = "[$('text').value, $('fen').value, \
        played(), $('headline').textContent, \
        $('over').innerHTML, $('terms').innerText.replace(/\\s*\\d+ ns.*/g, ''), \
        one('#board button').dataset.square]";
    let before = page.value(shown).await;
    page.reload().await;
    assert_eq!(page.value(shown).await, before);
    page.go(&page.text("location.hash").await).await;
    assert_eq!(page.value(shown).await, before);
    // A broken link is said to be one.
    page.go("#p=AAAA").await;
    assert!(page.text("$('problem').textContent").await.contains("link"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_shows_everything_without_scrolling_sideways() {
    let Some(page) = Page::open(1000, 844, false).await else { return };
    // The window of a headless browser has a least width, so the page is shown in a narrow frame.
    page.client.set_window_size(390, 844).await.unwrap();
    let narrow = page.value("window.innerWidth").await.as_f64().unwrap();
    assert!(narrow <= 500.0, "{narrow}");
    page.value("document.documentElement.style.width = '390px'").await;
    let panels = [
        ("", "main"),
        ("[data-ending=KQK]", "#lesson"),
        ("[data-guide='3']", "#guide"),
        ("#set-up", "#setup-panel"),
        ("[data-guide='0']", "#guide"),
    ];
    for (step, panel) in panels {
        if !step.is_empty() {
            page.click(step).await;
        }
        page.wait(&format!("one('{panel}').checkVisibility()")).await;
        page.wait("$('status').textContent.includes('to move')").await;
        let widest = "Math.max(...[...document.querySelectorAll('main *')].filter((e) => \
             !e.closest('#page, #mistake pre, svg')).map((e) => e.getBoundingClientRect().right))";
        let widest = page.value(widest).await.as_f64().unwrap();
        assert!(widest <= 390.5, "after {step:?} something reaches to {widest}");
    }
    page.draw("phone", "header").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_is_played_by_keyboard_and_by_drag() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    page.value("one('[data-square=d7]').focus()").await;
    // From d7, where nothing can be taken up, to d2: up to d4.
    page.type_into("#board button[data-square=d7]", &"\u{e015}".repeat(5)).await;
    page.wait("document.activeElement.dataset.square === 'd2'").await;
    page.type_into("#board button[data-square=d2]", "\u{e007}").await;
    page.wait("one('#board td.selected button').dataset.square === 'd2'").await;
    page.type_into("#board button[data-square=d2]", "\u{e013}\u{e013}").await;
    page.type_into("#board button[data-square=d4]", "\u{e007}").await;
    page.wait_moves("1.d4").await;
    assert_eq!(page.text("$('announce').textContent").await, "White: d4.");
    // Silent, unless the user wants sounds.
    page.value("window.OscillatorNode = class extends OscillatorNode { start() { window.heard = played(); super.start(); } }").await;
    page.drag("g8", "f6", MOUSE_BUTTON_LEFT).await;
    page.wait_moves("1.d4 Nf6").await;
    page.click("#sound").await;
    page.drag("g1", "f3", MOUSE_BUTTON_LEFT).await;
    page.wait_moves("1.d4 Nf6 2.Nf3").await;
    // The sound does not wait for the server.
    assert_eq!(page.text("window.heard").await, "1.d4 Nf6");
    page.click("#back").await;
    // No legal move, so nothing happens.
    page.drag("a1", "a5", MOUSE_BUTTON_LEFT).await;
    page.click("#back").await;
    page.wait_moves("1.d4").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_files_are_loaded_and_saved() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    let folder = std::fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../engines"));
    let file = folder.unwrap().join("miser.toml");
    let slider = "[data-term=threats] input[type=range]";
    page.type_into(slider, "\u{e012}").await;
    page.wait("one('[data-term=threats] output').textContent === '95 %'").await;
    // A loaded file starts at 100 percent.
    page.type_into("#load", file.to_str().unwrap()).await;
    page.wait("one('[data-term=threats] output').textContent === '100 %'").await;
    let text = std::fs::read_to_string(file).unwrap();
    page.wait("$('text').value.includes('miser')").await;
    assert_eq!(page.text("$('text').value").await, text);
    page.type_into(slider, "\u{e012}").await;
    page.wait("one('[data-term=threats] output').textContent === '95 %'").await;
    // The browser would save the blob; the test reads it.
    page.value("(URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return '#'; })").await;
    page.click("#save").await;
    page.wait("window.saved").await;
    let saved = page.text("window.saved").await;
    let engine =
        tropism::eval::Engine::parse(&saved, "saved", &tropism::terms::registry()).unwrap();
    // The file has 200 percent, of which the slider leaves 95.
    assert_eq!(engine.percent("threats"), Some(190));
    // An example replaces it.
    page.click("#examples option[value=minimal]").await;
    page.wait("one('[data-term=safe_forks]')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guided_positions_open() {
    let Some(page) = Page::open(WIDTH, HEIGHT, false).await else { return };
    for guide in (0..5).rev() {
        let button = format!("[data-guide='{guide}']");
        page.click(&button).await;
        page.wait(&format!("one(\"{button}\").ariaPressed === 'true'")).await;
        page.wait("$('over').querySelector('svg') && $('guide-text').children.length === 2 && $('mistake').textContent === ''").await;
    }
    page.click("#search-on").await;
    page.wait("Number($('depth').textContent) >= 10 && $('coach').ariaBusy === 'false'").await;
    page.draw("start", "header").await;
    page.close().await;
}

/// The states of the page whose accessibility is checked: what leads to each, and when it is reached.
const STATES: [(&str, &str); 15] = [
    ("", "$('verdict').textContent.includes('equal')"),
    ("$('search-on').click()", "one('#lines button')"),
    ("one('[data-panel=players-panel]').click()", "!$('players-panel').hidden"),
    ("one('[data-panel=games-panel]').click()", "!$('games-panel').hidden"),
    ("one('[data-panel=lessons-panel]').click()", "!$('lessons-panel').hidden"),
    ("one('[data-panel=guides-panel]').click()", "!$('guides-panel').hidden"),
    ("one('[data-panel=task-panel]').click()", "!$('task-panel').hidden"),
    ("one('[data-ending=KRK]').click()", "!$('lesson').hidden"),
    ("one(\"[data-guide='0']\").click()", "$('over').firstChild"),
    ("$('set-up').click()", "!$('setup-panel').hidden"),
    ("$('set-up').click(), $('read-fen').click()", "$('setup-panel').hidden"),
    (
        "$('pgn').value = '1. e4 e5 2. Qh5 (2. Nf3) Nc6 3. Bc4 Nf6 4. Qxf7# {.}', $('read-pgn').click()",
        "$('status').textContent.includes('checkmate')",
    ),
    ("$('review').click()", "one('#mistakes button')"),
    (
        "$('text').value += '\\n[pawns]\\nx = 1\\n', $('text').dispatchEvent(new Event('input'))",
        "one('#mistake button')",
    ),
    ("document.querySelectorAll('details').forEach((e) => { e.open = true; })", "$('idle').open"),
];

/// Checks all states. With the path of axe-core in `TROPISM_AXE`, its rules are checked as well.
async fn check_states(page: &Page) {
    let axe = std::env::var_os("TROPISM_AXE").map(|path| std::fs::read_to_string(path).unwrap());
    for (step, state) in STATES {
        page.value(&format!("({})", if step.is_empty() { "0" } else { step })).await;
        page.wait(state).await;
        let faults = page.client.execute(include_str!("accessibility.js"), vec![]).await.unwrap();
        assert_eq!(faults, Value::Array(Vec::new()), "faults of accessibility after {step:?}");
        if let Some(axe) = &axe {
            let run = "const done = arguments[0]; axe.run().then(({ violations }) => done(violations.map(({ id, nodes }) => \
                 id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | '))));";
            let faults = page.client.execute_async(&format!("{axe};{run}"), vec![]).await.unwrap();
            assert_eq!(faults, Value::Array(Vec::new()), "axe-core after {step:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifteen_states_are_accessible_in_light_in_the_dark_and_on_a_phone() {
    for (width, dark) in [(WIDTH, false), (WIDTH, true), (500, false)] {
        let Some(page) = Page::open(WIDTH, HEIGHT, dark).await else { return };
        page.client.set_window_size(width, HEIGHT).await.unwrap();
        let is_dark = page.value("matchMedia('(prefers-color-scheme: dark)').matches").await;
        assert_eq!(is_dark, dark);
        check_states(&page).await;
        page.close().await;
    }
}
