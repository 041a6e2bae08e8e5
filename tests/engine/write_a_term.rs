//! What `docs/write-a-term.md` shows is what the commands print. The commands of `tropism-lab` are run by
//! its own tests.

use crate::{pages, program};
use std::path::Path;

const PAGE: &str = include_str!("../../docs/write-a-term.md");

#[test]
fn the_commands_print_what_the_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    pages::write_files(PAGE, folder.path());
    let programs = Path::new(program::PATH).parent().unwrap();
    let of_lab = |command: &str| command.contains("tropism-lab") || command.contains("tuned.toml");
    let mut count = 0;
    for shown in pages::shown(PAGE) {
        if !of_lab(&shown.command) && !shown.command.starts_with("cargo ") {
            pages::assert_shown(&shown, folder.path(), programs);
            count += 1;
        }
    }
    assert_eq!(count, 2);
}
