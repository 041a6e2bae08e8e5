//! The rows of `ARCHITECTURE.md`: imports run one way, and no two files of a package import each other. What a term means
//! stands with the term: the packages that explain know none by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module of the engine, and the modules that it may import.
const ROWS: [(&str, &[&str]); 10] = [
    ("text", &[]),
    ("random", &[]),
    ("geometry", &[]),
    ("notation", &["text"]),
    ("endgame", &["geometry"]),
    ("eval", &["endgame", "geometry", "random", "text"]),
    ("terms", &["endgame", "eval", "geometry", "text"]),
    ("testing", &["eval"]),
    ("search", &["endgame", "eval", "geometry", "notation", "random"]),
    ("uci", &["endgame", "eval", "search", "text"]),
];

/// A package, and the packages that it may import.
const PACKAGES: [(&str, &[&str]); 4] = [
    ("src", &[]),
    ("coach/src", &["tropism"]),
    ("program/src", &["tropism", "tropism_coach"]),
    ("lab/src", &["tropism", "tropism_coach", "tropism_program"]),
];

/// Words that are a term's name and something else: the unit pawns, a word of the geometry, the
/// pieces to set up.
const OTHER_MEANINGS: [(&str, &str); 5] = [
    ("coach/src/assess/text.rs", "pawns"),
    ("coach/src/assess/value.rs", "pawns"),
    ("coach/src/diagrams/systems.rs", "mobility"),
    ("playground/static/index.html", "pieces"),
    ("playground/src/page.rs", "pieces"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files with an ending below a folder, without tests.
fn files(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_test = name == "tests" || name.ends_with("_tests") || name == "documentation";
        match path.is_dir() {
            _ if is_test => {}
            true => found.extend(files(&path, ends)),
            false if path.extension().is_some_and(|end| ends.iter().any(|it| *it == end)) => {
                found.push(path);
            }
            false => {}
        }
    }
    found
}

/// The source of a file without its tests.
fn source(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

/// The code of a file without comments and tests.
fn code(path: &Path) -> String {
    let text = source(path);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that follow a path in a text: `eval` of `crate::eval::Engine`.
fn after<'t>(text: &'t str, path: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(path).flat_map(move |(at, _)| {
        let rest = &text[at + path.len()..];
        let name = |text: &'t str| {
            text.trim_start()
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()
                .unwrap_or_default()
        };
        match rest.strip_prefix('{') {
            // The first names of a list; lists in lists begin with the name of their module.
            Some(list) => {
                let mut depth = 0;
                let mut names = vec![name(list)];
                for (at, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => names.push(name(&list[at + 1..])),
                        _ => {}
                    }
                }
                names
            }
            None => vec![name(rest)],
        }
    })
}

#[test]
fn modules_of_the_engine_import_one_way() {
    let modules: BTreeSet<&str> = ROWS.iter().map(|(module, _)| *module).collect();
    let mut wrong = Vec::new();
    for (module, allowed) in ROWS {
        let folder = root().join("src").join(module);
        let mut paths = if folder.is_dir() { files(&folder, &["rs"]) } else { Vec::new() };
        paths.extend(Some(folder.with_extension("rs")).filter(|file| file.exists()));
        assert!(!paths.is_empty(), "{module}");
        for path in paths {
            for name in after(&code(&path), "crate::") {
                if modules.contains(name) && name != module && !allowed.contains(&name) {
                    wrong.push(format!("{} imports {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn packages_import_one_way() {
    let names = ["tropism_coach", "tropism_program", "tropism_lab", "tropism_playground"];
    for (folder, allowed) in PACKAGES {
        for path in files(&root().join(folder), &["rs"]) {
            let text = code(&path);
            let is_entry = path.ends_with("main.rs");
            for name in names.iter().filter(|name| !allowed.contains(*name) && !is_entry) {
                assert!(!text.contains(&format!("{name}::")), "{} imports {name}", path.display());
            }
        }
    }
}

/// Two files of one folder that name each other, straight or round a corner.
#[test]
fn no_files_import_each_other() {
    let mut circles = Vec::new();
    for (package, _) in PACKAGES {
        let mut folders: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for path in files(&root().join(package), &["rs"]) {
            folders.entry(path.parent().unwrap().to_owned()).or_default().push(path);
        }
        for (folder, paths) in folders {
            let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
            let known: BTreeSet<String> = paths.iter().map(|path| stem(path)).collect();
            let imports: BTreeMap<String, BTreeSet<String>> = paths
                .iter()
                .filter(|path| !["mod", "lib", "main"].contains(&&*stem(path)))
                .map(|path| {
                    let text = code(path);
                    let prefix = if folder.ends_with("src") { "crate::" } else { "super::" };
                    let names = after(&text, prefix).filter(|name| known.contains(*name));
                    (stem(path), names.map(str::to_owned).collect())
                })
                .collect();
            for file in imports.keys() {
                let mut reached = BTreeSet::new();
                let mut next: Vec<&String> = imports[file].iter().collect();
                while let Some(name) = next.pop() {
                    if reached.insert(name) {
                        next.extend(imports.get(name).into_iter().flatten());
                    }
                }
                if reached.contains(file) {
                    circles.push(format!("{}/{file}", folder.display()));
                }
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn no_reader_knows_a_term_by_name() {
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
        let found = files(&root().join(folder), &["rs", "js", "html"]);
        assert!(!found.is_empty(), "{folder}");
        for path in found {
            let text = source(&path);
            let place = path.strip_prefix(root()).unwrap().display().to_string();
            for entry in registry.entries() {
                let name = &*entry.name;
                let is_other = OTHER_MEANINGS.contains(&(&place, name));
                let quoted = ["\"", "'", "`"].map(|quote| format!("{quote}{name}{quote}"));
                if !is_other && quoted.iter().any(|name| text.contains(name)) {
                    named.push(format!("{place}: {name}"));
                }
            }
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}
