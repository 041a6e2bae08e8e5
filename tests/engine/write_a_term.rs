//! What `docs/write-a-term.md` shows is what the commands print. The commands of `tropism-lab` are run by
//! its own tests.

use crate::{pages, program};
use std::path::Path;

const PAGE: &str = include_str!("../../docs/write-a-term.md");

#[test]
fn the_commands_print_what_the_page_shows() {
    let of_lab = |command: &str| command.contains("tropism-lab") || command.contains("tuned.toml");
    let mut shown = pages::shown(PAGE);
    shown.retain(|shown| !of_lab(&shown.command) && !shown.command.starts_with("cargo "));
    assert_eq!(shown.len(), 2);
    pages::assert_all(PAGE, &shown, Path::new(program::PATH).parent().unwrap());
}
