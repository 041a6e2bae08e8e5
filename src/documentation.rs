//! Tables in `docs` that are made from the program.

use std::{env, fs, path::Path};

/// Asserts that a page has this table between `<!-- NAME -->` and `<!-- end -->`. With the environment
/// variable `UPDATE_DOCS` set, writes the table into the page instead.
#[track_caller]
pub(crate) fn assert_table(page: &str, name: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(&path).unwrap();
    let marker = format!("<!-- {name} -->\n");
    let (before, rest) = text.split_once(&marker).expect(&marker);
    let (_, after) = rest.split_once("<!-- end -->").expect("<!-- end -->");
    let expected = format!("{before}{marker}\n{table}\n<!-- end -->{after}");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    } else {
        assert!(text == expected, "{page} is out of date: `UPDATE_DOCS=1 cargo test` rewrites it");
    }
}
