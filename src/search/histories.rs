//! What a search learns besides values, and the next one of the same game goes on with.

use super::correction::Corrections;
use super::history::History;

/// Scores of moves and corrections of evaluations. The default has no room for any.
#[derive(Default, Debug)]
pub(super) struct Histories {
    pub(super) history: History,
    pub(super) corrections: Corrections,
}

impl Histories {
    pub(super) fn blank() -> Histories {
        Histories { history: History::new(), corrections: Corrections::new() }
    }
}
