//! What a search learns besides values, and the next one of the same game goes on with.

use super::correction::Corrections;
use super::history::History;

/// Scores of moves and corrections of evaluations. The default has no room for any.
#[derive(Default, Debug)]
pub(super) struct Learnt {
    pub(super) history: History,
    pub(super) corrections: Corrections,
}

impl Learnt {
    pub(super) fn blank() -> Learnt {
        Learnt { history: History::new(), corrections: Corrections::new() }
    }
}
