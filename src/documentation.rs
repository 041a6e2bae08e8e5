//! Tables and files that are made from the program.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Asserts that a page has this table between `<!-- NAME -->` and `<!-- end -->`. With the environment
/// variable `UPDATE_DOCS` set, writes the table into the page instead.
#[track_caller]
pub(crate) fn assert_table(page: &str, name: &str, table: &str) {
    let text = fs::read_to_string(path(page)).unwrap();
    let marker = format!("<!-- {name} -->\n");
    let (before, rest) = text.split_once(&marker).expect(&marker);
    let (_, after) = rest.split_once("<!-- end -->").expect("<!-- end -->");
    assert_file(page, &format!("{before}{marker}\n{table}\n<!-- end -->{after}"));
}

/// An item of a list in Markdown, its lines at most 118 characters long. A line ends between words; code is kept
/// together if it is short.
pub(crate) fn list_item(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(code) if code.matches('`').count() % 2 == 1 && code.len() < 90 => {
                *code += " ";
                *code += word;
            }
            _ => words.push(word.to_owned()),
        }
    }
    let (mut item, mut column) = ("-".to_owned(), 1);
    for word in words {
        let length = word.chars().count();
        if column + 1 + length > 118 {
            item += "\n ";
            column = 1;
        }
        item += " ";
        item += &word;
        column += 1 + length;
    }
    item + "\n"
}

/// Asserts that a file has this text. With the environment variable `UPDATE_DOCS` set, writes the file
/// instead.
#[track_caller]
pub(crate) fn assert_file(name: &str, expected: &str) {
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path(name), expected).unwrap();
    } else {
        let text = fs::read_to_string(path(name)).unwrap();
        assert!(text == expected, "{name} is out of date: `UPDATE_DOCS=1 cargo test` rewrites it");
    }
}

/// A file of the repository, whichever package is tested.
fn path(name: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").exists());
    root.unwrap_or(package).join(name)
}
