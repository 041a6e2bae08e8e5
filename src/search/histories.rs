//! The statistics that a search collects. The next search of the same game continues with them.

use super::correction::Corrections;
use super::history::History;

/// Move histories and corrections of the evaluation. The default is empty and has no memory.
#[derive(Default, Debug)]
pub(super) struct Histories {
    pub(super) history: History,
    pub(super) corrections: Corrections,
}

impl Histories {
    /// Zero everywhere.
    pub(super) fn zeroed() -> Histories {
        Histories { history: History::new(), corrections: Corrections::new() }
    }
}
