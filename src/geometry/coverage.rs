//! The table of the module page names real tests and every public item. Its links are checked by
//! rustdoc.

use std::{fs, path::Path};

const PAGE: &str = include_str!("mod.rs");

/// All Rust source files below a folder or in a file.
fn sources(path: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| sources(path.to_str().unwrap())).collect()
    } else {
        vec![fs::read_to_string(path).unwrap()]
    }
}

/// The words in backticks of a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn documentation() -> impl Iterator<Item = &'static str> {
    PAGE.lines().filter_map(|line| line.strip_prefix("//!"))
}

#[test]
fn every_test_that_the_page_names_exists() {
    let code = [sources("src/geometry"), sources("tests/geometry.rs")].concat().concat();
    let (mut rows, mut named) = (0, 0);
    for line in documentation() {
        if let [_, system, _, _, test, _] = line.split('|').collect::<Vec<_>>()[..]
            && !["system", "---"].contains(&system.trim())
        {
            rows += 1;
            assert_eq!(quoted(test).count(), 1, "a row without its test: {line}");
        }
        // Names of tests are sentences; names of functions and terms are shorter.
        for name in quoted(line).filter(|name| name.matches('_').count() >= 3) {
            assert!(code.contains(&format!("fn {name}(")), "{name}");
            named += 1;
        }
    }
    assert!(rows >= 30 && named > rows, "{rows} rows, {named} tests");
}

#[test]
fn every_public_item_is_on_the_page() {
    let exported = PAGE.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let mut count = 0;
    for list in exported {
        let names = list.split_once("::").map_or(list, |(_, names)| names);
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let linked = format!("[`{name}`]");
            assert!(
                name.is_empty() || documentation().any(|line| line.contains(&linked)),
                "{name}"
            );
            count += usize::from(!name.is_empty());
        }
    }
    // Fewer, and the list was not understood.
    assert!(count >= 40, "{count}");
}

/// Functions, methods and types; fields, variants and constants are shown with their type.
#[test]
fn every_public_item_has_an_example() {
    let mut count = 0;
    for source in sources("src/geometry") {
        let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
        for (i, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split(' ').take(3).collect();
            let ["pub", kind, name] = words[..] else { continue };
            if !["const", "fn", "struct", "enum", "trait", "type"].contains(&kind)
                || (kind == "const" && name != "fn")
                || name.starts_with('$')
            {
                continue;
            }
            let above = lines[..i].iter().rev();
            let mut docs =
                above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
            assert!(docs.any(|&line| line == "/// ```"), "{line}");
            count += 1;
        }
    }
    assert!(count >= 70, "{count}");
}
