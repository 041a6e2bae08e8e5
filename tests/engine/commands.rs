//! Commands that answer once: `commands.md` shows what they print, and with which code they end if they fail.

use crate::{
    pages::{self, Shown},
    program,
};
use std::path::Path;

const PAGE: &str = include_str!("commands.md");

#[test]
fn commands_print_what_the_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    pages::write_files(PAGE, folder.path());
    let programs = Path::new(program::PATH).parent().unwrap();
    let shown = pages::shown(PAGE);
    assert!(shown.len() >= 90, "{}", shown.len());
    for Shown { command, output } in shown {
        let with_code =
            format!("exec 2>&1\n{command}\ncode=$?; [ $code = 0 ] || echo exit code $code;");
        pages::assert_shown(&Shown { command: with_code, output }, folder.path(), programs);
    }
}
