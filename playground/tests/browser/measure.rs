//! Measures how fast the page is. Run by hand, in release:
//! `cargo test --release --package tropism-playground --test browser -- --ignored --nocapture measure`

use crate::driver::Page;

/// Changes a term in the editor a hundred times, and waits for each new picture.
const KEYSTROKES: &str = r#"
  const begin = $("text").value;
  for (let number = 1; number <= 100; number++) {
    const { firstChild } = $("over");
    const start = performance.now();
    $("text").value = begin.replace("worth = [1, 5]", `worth = [${10 + number}, 5]`);
    $("text").dispatchEvent(new Event("input"));
    await until(() => ![null, firstChild].includes($("over").firstChild));
    times.push(performance.now() - start);
  }
"#;

/// Plays moves, which shows the board, and waits for what is measured after each.
const MOVES: &str = r#"
  const painted = () => new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
  const moves = "a2a3 h7h6 b2b3 g7g6 c2c3 f7f6 d2d3 e7e6 e2e3 d7d6 f2f3 c7c6 g2g3 b7b6 h2h3 a7a6".split(" ");
  for (const move of [...moves, "", ...moves]) {
    const start = performance.now();
    if (!move) $("new-game").click();
    for (const [at] of move.matchAll(/../g)) one(`#board [data-square=${at}]`).click();
    await painted();
    const board = performance.now() - start;
    if (WHAT === "line") await until(() => Number($("depth").textContent) > 0);
    if (WHAT === "coach") await until(() => $("coach").ariaBusy === "false");
    times.push(WHAT === "board" ? board : performance.now() - start);
  }
"#;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The times that a script measures, in milliseconds.
fn times(page: &Page, script: &str) -> Vec<f64> {
    let until = "const until = async (isTrue) => { while (!isTrue()) await new Promise((r) => setTimeout(r, 1)); }";
    let measured =
        format!("(async () => {{ {until}; const times = []; {script} return times; }})()");
    serde_json::from_value(page.value(&measured)).unwrap()
}

#[test]
#[ignore = "measures"]
fn measure() {
    let mut shown = Vec::new();
    for _ in 0..9 {
        let page = Page::open();
        page.wait("performance.getEntriesByName('shown').length");
        let mark = page.value("performance.getEntriesByName('shown')[0].startTime");
        shown.extend(mark.as_f64());
        page.close();
    }
    println!("from the opening in a new browser to the first picture: {:.0} ms", median(shown));
    let page = Page::game();
    page.click("#add-term");
    page.wait("$('over').querySelector('svg')");
    let keystrokes = times(&page, KEYSTROKES);
    println!("from a keystroke to the new picture: {:.0} ms", median(keystrokes));
    page.click("#tab-coach-panel");
    for (what, search) in [("board", false), ("coach", false), ("board", true), ("line", true)] {
        page.press("new-game", "");
        page.value(&format!("$('search-on').checked === {search} || $('search-on').click()"));
        page.wait(&format!("!{search} || Number($('depth').textContent) > 0"));
        let times = times(&page, &MOVES.replace("WHAT", &format!("'{what}'")));
        let beside = if search { ", a search beside" } else { "" };
        println!("from a move to the {what}{beside}: {:.0} ms", median(times));
    }
    page.close();
}
