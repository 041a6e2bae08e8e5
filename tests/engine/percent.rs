//! Percentages of terms, over UCI: a change discards the results of earlier searches.

use crate::gui::Gui;

const SEARCH: &str = "go depth 8";

/// A new program with these options, and the result of its search.
fn fresh(options: &[&str]) -> (Gui, (String, String)) {
    let mut gui = Gui::start();
    for option in options {
        gui.send(&format!("setoption name {option}"));
    }
    let found = gui.found(SEARCH);
    (gui, found)
}

#[test]
fn a_change_discards_earlier_results() {
    let (mut gui, at_full) = fresh(&[]);
    let (_, without) = fresh(&["mobility percent value 0"]);
    assert_ne!(at_full, without);
    gui.send("setoption name mobility percent value 0");
    assert_eq!(gui.found(SEARCH), without);
    gui.send("setoption name mobility percent value 100");
    assert_eq!(gui.found(SEARCH), at_full);
}

#[test]
fn the_order_of_options_does_not_matter() {
    const FILE: &str = "EngineFile value engines/minimal.toml";
    const PERCENT: &str = "material percent value 400";
    let (_, file_first) = fresh(&[FILE, PERCENT]);
    let (_, file_last) = fresh(&[PERCENT, FILE]);
    assert_eq!(file_first, file_last);
    assert_ne!(file_first, fresh(&[FILE]).1);
}
