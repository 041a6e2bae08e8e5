//! Measures how fast the page is. Run by hand, in release:
//! `cargo test --release --package tropism-playground --test browser -- --ignored --nocapture measure`

use crate::driver::Page;
use serde_json::Value;

/// Changes a term in the editor a hundred times, and waits for each new picture.
const KEYSTROKES: &str = r#"
  const text = document.getElementById("text");
  const [begin, times] = [text.value, []];
  for (let number = 1; number <= 100; number++) {
    const { firstChild } = document.getElementById("over");
    const start = performance.now();
    text.value = begin.replace("worth = [5, 5]", `worth = [${10 + number}, 5]`);
    text.dispatchEvent(new Event("input"));
    await until(() => ![null, firstChild].includes(document.getElementById("over").firstChild));
    times.push(performance.now() - start);
  }
"#;

/// Plays moves, and waits for the first line of the search after each.
const MOVES: &str = r#"
  const times = { board: [], line: [] };
  const square = (name) => document.querySelector(`#board button[data-square=${name}]`);
  const depth = document.getElementById("depth");
  const isAnswered = () => document.getElementById("board").ariaBusy === "false";
  const hasLine = () => Number(depth.textContent) > 0;
  const begin = ["a2a3", "h7h6", "b2b3", "g7g6", "c2c3", "f7f6", "d2d3", "e7e6", "e2e3", "d7d6", "f2f3", "c7c6", "g2g3", "b7b6", "h2h3", "a7a6"];
  for (let number = 0; number < 50; number++) {
    if (number % begin.length === 0) {
      document.getElementById("new-game").click();
      depth.textContent = "";
      await until(() => !document.querySelector('#moves .path') && isAnswered() && hasLine());
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
"#;

async fn times(page: &Page, script: &str) -> Value {
    let script = format!(
        "const [done] = arguments; \
         const until = async (isTrue) => {{ while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1)); }}; \
         (async () => {{ {script} done(times); }})();"
    );
    page.client.execute_async(&script, vec![]).await.unwrap()
}

fn median(times: &Value) -> f64 {
    let mut times: Vec<f64> = serde_json::from_value(times.clone()).unwrap();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures"]
async fn measure() {
    let Some(page) = Page::open(1280, 960, false).await else { return };
    page.click("#add-term").await;
    page.wait("$('over').querySelector('svg')").await;
    let measured = times(&page, KEYSTROKES).await;
    println!("from a keystroke to the new picture: median {:.0} ms of 100", median(&measured));
    page.click("#search-on").await;
    page.wait("Number($('depth').textContent) > 0").await;
    let measured = times(&page, MOVES).await;
    let [board, line] = ["board", "line"].map(|what| median(&measured[what]));
    println!("from a move to the board: {board:.0} ms, to the first line: {line:.0} ms");
    page.close().await;
}
