//! Commands that answer once: `commands.txt` shows what they print, and with which code they end if they fail.

use crate::{pages, program};
use std::path::Path;

const PAGE: &str = include_str!("commands.txt");

#[test]
fn commands_print_what_the_page_shows() {
    let shown = pages::with_codes(pages::shown(PAGE));
    assert!(shown.len() >= 110, "{}", shown.len());
    pages::assert_all(PAGE, &shown, Path::new(program::PATH).parent().unwrap());
}
