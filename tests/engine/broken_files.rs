//! Mistakes in engine files and the errors that they give: the blocks of `broken_files.txt`.

use crate::common::unescaped;
use std::{env, fs};
use tropism::{eval::Engine, terms::registry};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/engine/broken_files.txt");

#[test]
fn each_mistake_has_its_error() {
    let text = fs::read_to_string(FILE).unwrap();
    let (intro, rest) = text.split_once("```toml\n").unwrap();
    let (good, blocks) = rest.split_once("```\n").unwrap();
    Engine::parse(good, "small.toml", &registry()).unwrap();
    let mut written = format!("{intro}```toml\n{good}```\n");
    let mut count = 0;
    for block in blocks.split("\n- ").skip(1) {
        let (from, rest) = block.split_once("\n+ ").unwrap();
        let to = rest.lines().next().unwrap();
        let [old, new] = [from, to].map(unescaped);
        assert!(good.contains(&old), "{from}");
        let broken = good.replacen(&old, &new, 1);
        let error = Engine::parse(&broken, "small.toml", &registry()).unwrap_err();
        // A beginner must be able to find the place, and the mistake must not be in Rust's words.
        assert!(error.line.is_some() && error.column.is_some(), "{error}");
        let error = error.to_string();
        assert!(!error.contains("::") && !error.contains("Some("), "{error}");
        written.push_str(&format!("\n- {from}\n+ {to}\n{error}\n"));
        count += 1;
    }
    assert!(count >= 60, "{count}");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(FILE, &written).unwrap();
    } else {
        assert!(text == written, "`UPDATE_DOCS=1 cargo test broken_files` rewrites {FILE}");
    }
}
