//! Measures how fast the page is. Run by hand, in release:
//! `cargo test --release --package tropism-playground --test browser -- --ignored --nocapture measure`

use crate::driver::Page;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The times of something on the page, in milliseconds.
fn times(page: &Page, what: &str) -> Vec<f64> {
    let script = include_str!("measure.js");
    let measured = page.value(&format!("(async () => {{ const what = '{what}'; {script} }})()"));
    serde_json::from_value(measured).unwrap()
}

#[test]
#[ignore = "measures"]
fn measure() {
    let mut shown = Vec::new();
    for _ in 0..9 {
        let page = Page::open();
        page.wait("performance.getEntriesByName('shown').length");
        let mark = page.value("performance.getEntriesByName('shown')[0].startTime");
        shown.extend(mark.as_f64());
        page.close();
    }
    println!("from the opening in a new browser to the first picture: {:.0} ms", median(shown));
    let page = Page::game();
    page.click("#add-term");
    page.wait("$('over').querySelector('svg')");
    let keystrokes = times(&page, "keystroke");
    println!("from a keystroke to the new picture: {:.0} ms", median(keystrokes));
    page.click("#tab-coach-panel");
    for (what, search) in [("board", false), ("coach", false), ("board", true), ("line", true)] {
        page.press("new-game", "");
        page.value(&format!("$('search-on').checked === {search} || $('search-on').click()"));
        page.wait(&format!("!{search} || Number($('depth').textContent) > 0"));
        let times = times(&page, what);
        let beside = if search { ", a search beside" } else { "" };
        println!("from a move to the {what}{beside}: {:.0} ms", median(times));
    }
    page.close();
}
