//! The statistics that a search collects. The next search of the same game continues with them.

use super::correction::Corrections;
use super::history::History;

/// Move histories and corrections of the evaluation. The default is empty and has no memory.
#[derive(Default, Debug)]
pub struct Histories {
    pub history: History,
    pub corrections: Corrections,
}

impl Histories {
    /// Zero everywhere.
    pub fn zeroed() -> Histories {
        Histories { history: History::new(), corrections: Corrections::new() }
    }
}
