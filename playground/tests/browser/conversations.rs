//! Conversations with the page, in a browser of their own: the texts in this folder.
//!
//! One starts with `== its name`. The next line opens the page: `open`, `game` (a new one), or `sized WIDTH HEIGHT`. Each
//! line after it is a step, whose two parts are divided by ` | `. A part in quotation marks is written as in JSON, and
//! `%NAME%` is the value of that name, in JSON. Expressions are in JavaScript and may use `helpers.js`.
//! - `is EXPRESSION | VALUE` and `wait EXPRESSION`: waits until it has the value, or is true.
//! - `do EXPRESSION` and `keep NAME | EXPRESSION`: evaluates it once, and keeps the value.
//! - `play SQUARES`, `press ID`, `back`, `key KEY`, `pgn TEXT` or `moves`, ` | ` and moves: clicks squares or a button, goes
//!   back, presses a key or reads a game, and waits until these moves are on the board.
//! - `set FEN` sets up a position, `leave` goes back to another page, `new-tab` opens a second tab, and `first-tab` shows
//!   the first one again.
//! - Other words are methods of [`Page`]; `type` is `type_into`.

use crate::driver::Page;
use serde_json::{Value, json};
use std::sync::{Mutex, atomic::AtomicUsize, atomic::Ordering::Relaxed};
use std::{collections::HashMap, panic::catch_unwind, thread};

const TEXTS: [&str; 3] =
    [include_str!("page.txt"), include_str!("work.txt"), include_str!("analysis.txt")];

fn step(page: &Page, kept: &mut HashMap<String, Value>, line: &str) {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut parts = rest.split(" | ").map(|part| {
        kept.iter().fold(part.to_owned(), |part, (name, value)| {
            part.replace(&format!("%{name}%"), &value.to_string())
        })
    });
    let [first, second] = [(); 2].map(|()| parts.next().unwrap_or_default());
    let read = |part: &str| serde_json::from_str(part).unwrap_or_else(|_| part.to_owned());
    let (given, other) = (read(&first), read(&second));
    let words: Vec<&str> = given.split(' ').collect();
    match (command, &words[..]) {
        ("is", _) => {
            page.is(&first, serde_json::from_str(&second).unwrap_or(Value::String(second)))
        }
        ("wait", _) => page.wait(&first),
        ("do", _) => _ = page.value(&first),
        ("keep", _) => _ = kept.insert(first, page.value(&second)),
        ("click", _) => page.click(&given),
        ("squares", _) => page.squares(&given),
        ("type", _) => page.type_into(&given, &other),
        ("fill", _) => page.fill(&given, &other),
        ("write", _) => page.write(&given),
        ("set", _) => {
            page.fill("fen", &given);
            page.click("#read-fen");
        }
        ("drag", [from, to, button]) => page.drag(from, to, if *button == "left" { 0 } else { 2 }),
        ("go", _) => page.go(&given),
        ("reload", _) => page.reload(),
        ("draw", _) => page.draw(&given, &other),
        ("resize", [width, height]) => page.resize(width.parse().unwrap(), height.parse().unwrap()),
        ("new-tab", _) => {
            let tab = page.post("/window/new", json!({ "type": "tab" }));
            page.post("/window", json!({ "handle": tab["handle"] }));
        }
        ("first-tab", _) => {
            let tabs = page.get("/window/handles");
            page.post("/window", json!({ "handle": tabs[0] }));
        }
        ("leave", _) => _ = page.post("/back", json!({})),
        ("moves", _) => page.moves(&given),
        ("back", _) => {
            page.post("/back", json!({}));
            page.moves(&given);
        }
        ("play", _) => {
            page.squares(&given);
            page.moves(&other);
        }
        ("press", _) => page.press(&given, &other),
        ("key", _) => {
            page.value(&format!("press('{given}')"));
            page.moves(&other);
        }
        ("pgn", _) => {
            page.fill("pgn", &given);
            page.press("read-pgn", &other);
        }
        _ => panic!("{line:?} is no step of a conversation"),
    }
}

fn run(conversation: &str) {
    let mut lines = conversation.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (name, opening) = (lines.next().unwrap(), lines.next().unwrap());
    let page = match opening.split(' ').collect::<Vec<_>>()[..] {
        ["open"] => Page::open(),
        ["game"] => Page::game(),
        ["sized", width, height] => Page::sized(width.parse().unwrap(), height.parse().unwrap()),
        _ => panic!("{opening:?} opens no page"),
    };
    let mut kept = HashMap::new();
    for line in lines {
        println!("{name}: {line}");
        step(&page, &mut kept, line);
    }
    page.close();
}

#[test]
#[cfg_attr(not(browser), ignore = "needs chromedriver and the target wasm32-unknown-unknown")]
fn every_conversation() {
    let all: Vec<&str> = TEXTS.iter().flat_map(|text| text.split("\n== ").skip(1)).collect();
    assert_eq!(all.len(), 17);
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(conversation) = all.get(next.fetch_add(1, Relaxed)) {
            if catch_unwind(|| run(conversation)).is_err() {
                failed.lock().unwrap().push(conversation.lines().next());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed:?}");
}
