//! What a term means stands with the term: the packages that explain know none by name.

use std::{fs, path::Path};

/// Words that are a term's name and something else: the unit pawns, a word of the geometry, the
/// pieces to set up.
const OTHER_MEANINGS: [(&str, &str); 5] = [
    ("coach/src/assess/text.rs", "pawns"),
    ("coach/src/assess/value.rs", "pawns"),
    ("coach/src/diagrams/systems.rs", "mobility"),
    ("playground/static/index.html", "pieces"),
    ("playground/src/page.rs", "pieces"),
];

/// The source of a file without its tests, which may name terms.
fn source(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_code =
            path.extension().is_some_and(|end| ["rs", "js", "html"].iter().any(|it| *it == end));
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        match path.is_dir() {
            true if !is_test => files(&path, found),
            false if is_code && !is_test => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn no_reader_knows_a_term_by_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let registry = tropism::terms::registry();
    let mut named = Vec::new();
    for folder in [
        "coach/src",
        "coach/templates",
        "program/src",
        "playground/src",
        "playground/static",
        "src/search",
        "src/uci",
        "src/text",
    ] {
        let mut found = Vec::new();
        files(&root.join(folder), &mut found);
        assert!(!found.is_empty(), "{folder}");
        for path in found {
            let text = source(&path);
            let place = path.strip_prefix(&root).unwrap().display().to_string();
            for entry in registry.entries() {
                let name = &*entry.name;
                let is_other =
                    OTHER_MEANINGS.iter().any(|&(file, word)| file == place && word == name);
                let quoted = ["\"", "'", "`"].map(|quote| format!("{quote}{name}{quote}"));
                if !is_other && quoted.iter().any(|name| text.contains(name)) {
                    named.push(format!("{place}: {name}"));
                }
            }
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}
