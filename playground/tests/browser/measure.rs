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

/// Plays moves, which shows the board, and waits for the first line of the search after each.
const MOVES: &str = r#"
  const moves = "a2a3 h7h6 b2b3 g7g6 c2c3 f7f6 d2d3 e7e6 e2e3 d7d6 f2f3 c7c6 g2g3 b7b6 h2h3 a7a6".split(" ");
  for (const move of [...moves, "", ...moves]) {
    const start = performance.now();
    if (!move) $("new-game").click();
    for (const [at] of move.matchAll(/../g)) one(`#board [data-square=${at}]`).click();
    const board = performance.now() - start;
    await until(() => Number($("depth").textContent) > 0);
    times.push(WHAT === "board" ? board : performance.now() - start);
  }
"#;

/// The median of the times that a script measures, in milliseconds.
async fn median(page: &Page, script: &str) -> f64 {
    let until = "const until = async (isTrue) => { while (!isTrue()) await new Promise((r) => setTimeout(r, 1)); }";
    let measured =
        format!("(async () => {{ {until}; const times = []; {script} return times; }})()");
    let mut times: Vec<f64> = serde_json::from_value(page.value(&measured).await).unwrap();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[tokio::test]
#[ignore = "measures"]
async fn measure() {
    let page = Page::game().await;
    page.click("#add-term").await;
    page.wait("$('over').querySelector('svg')").await;
    println!("from a keystroke to the new picture: {:.0} ms", median(&page, KEYSTROKES).await);
    page.click("#search-on").await;
    for what in ["board", "line"] {
        page.press("new-game", "").await;
        page.wait("Number($('depth').textContent) > 0").await;
        let time = median(&page, &MOVES.replace("WHAT", &format!("'{what}'"))).await;
        println!("from a move to the {what}: {time:.0} ms");
    }
    page.close().await;
}
