//! Progress on standard error, shown only if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `length` items.
pub(super) fn bar(length: usize) -> ProgressBar {
    styled(ProgressBar::new(length as u64), "{wide_bar} {human_pos} of {human_len}, {eta}")
}

/// A template that cannot be parsed leaves the default style.
fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
