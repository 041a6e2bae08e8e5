//! Percentages of terms, over UCI: a change discards the results of earlier searches.

use crate::gui::{Gui, last_info};

/// The score, number of nodes and line of a search to depth 8.
fn result(gui: &mut Gui) -> Vec<String> {
    let lines = gui.go("go depth 8");
    let words: Vec<&str> = last_info(&lines).split_whitespace().collect();
    let after = |word: &str| {
        let place = words.iter().position(|&other| other == word).unwrap();
        words[place + 1..].iter().take(2).map(|word| (*word).to_owned()).collect::<Vec<_>>()
    };
    [after("score"), after("nodes")[..1].to_vec(), after("pv")].concat()
}

/// A new program with these options, and the result of its search.
fn fresh(options: &[&str]) -> (Gui, Vec<String>) {
    let mut gui = Gui::start();
    for option in options {
        gui.send(&format!("setoption name {option}"));
    }
    let result = result(&mut gui);
    (gui, result)
}

#[test]
fn a_change_discards_earlier_results() {
    let (mut gui, at_full) = fresh(&[]);
    let (_, without) = fresh(&["mobility percent value 0"]);
    assert_ne!(at_full, without);
    gui.send("setoption name mobility percent value 0");
    assert_eq!(result(&mut gui), without);
    gui.send("setoption name mobility percent value 100");
    assert_eq!(result(&mut gui), at_full);
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
