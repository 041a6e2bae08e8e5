//! Measures how fast the page is. Run by hand, in release:
//! `cargo test --release --package tropism-playground --test browser -- --ignored --nocapture measure`

use crate::driver::Page;
use fantoccini::wd::TimeoutConfiguration;
use serde_json::Value;
use std::time::Duration;

/// Changes a term in the editor a hundred times, and waits for each new picture.
const KEYSTROKES: &str = r#"
const done = arguments[arguments.length - 1];
(async () => {
  const text = document.getElementById("text");
  const [begin, times] = [text.value, []];
  for (let number = 1; number <= 100; number++) {
    const drawn = new Promise((resolve) => {
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(document.getElementById("over"), { childList: true });
    });
    const start = performance.now();
    text.value = begin.replace("worth = [5, 5]", `worth = [${10 + number}, 5]`);
    text.dispatchEvent(new Event("input"));
    await drawn;
    times.push(performance.now() - start);
  }
  done(times);
})();
"#;

/// Plays moves, and waits for the first line of the search after each.
const MOVES: &str = r#"
const done = arguments[arguments.length - 1];
(async () => {
  const times = { board: [], line: [] };
  const square = (name) => document.querySelector(`#board button[data-square=${name}]`);
  const until = async (isTrue) => { while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1)); };
  const depth = document.getElementById("depth");
  const played = () => document.querySelectorAll('#moves .path').length;
  const isAnswered = () => document.getElementById("board").ariaBusy === "false";
  const hasLine = () => Number(depth.textContent) > 0;
  const begin = ["a2a3", "h7h6", "b2b3", "g7g6", "c2c3", "f7f6", "d2d3", "e7e6", "e2e3", "d7d6", "f2f3", "c7c6", "g2g3", "b7b6", "h2h3", "a7a6"];
  for (let number = 0; number < 50; number++) {
    if (number % begin.length === 0) {
      document.getElementById("new-game").click();
      depth.textContent = "";
      await until(() => played() === 0 && isAnswered() && hasLine());
    }
    const move = begin[number % begin.length];
    const start = performance.now();
    for (const at of [0, 2]) square(move.slice(at, at + 2)).click();
    await until(() => square(move.slice(2)).dataset.piece && !square(move.slice(0, 2)).dataset.piece);
    times.board.push(performance.now() - start);
    await until(hasLine);
    times.line.push(performance.now() - start);
    await until(isAnswered);
  }
  done(times);
})();
"#;

fn median(times: &Value) -> f64 {
    let mut times: Vec<f64> = serde_json::from_value(times.clone()).unwrap();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures"]
async fn measure() {
    let Some(page) = Page::open(1280, 960, false).await else { return };
    let patient = TimeoutConfiguration::new(Some(Duration::from_secs(600)), None, None);
    page.client.update_timeouts(patient).await.unwrap();
    page.click("#add-term").await;
    page.wait("$('over').querySelector('svg')").await;
    let times = page.client.execute_async(KEYSTROKES, vec![]).await.unwrap();
    println!("from a keystroke to the new picture: median {:.0} ms of 100", median(&times));
    page.click("#search-on").await;
    page.wait("Number($('depth').textContent) > 0").await;
    let times = page.client.execute_async(MOVES, vec![]).await.unwrap();
    let [board, line] = ["board", "line"].map(|what| median(&times[what]));
    println!("from a move to the board: {board:.0} ms, to the first line: {line:.0} ms");
    page.close().await;
}
