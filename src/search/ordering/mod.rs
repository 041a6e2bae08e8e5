//! Legal moves and the order in which they are tried.
//!
//! `movegen`: legal moves; `move_picker`: their order; `history`: statistics of moves; `correction`: corrections of the
//! static evaluation; [`Histories`]: both together; `see`: static exchange evaluation; `check_info`: moves that give check.

pub mod check_info;
pub mod correction;
pub mod history;
pub mod move_picker;
pub mod movegen;
pub mod see;

use correction::Corrections;
use history::History;

/// The statistics that a search collects: move histories and corrections of the evaluation. The next search of the same
/// game continues with them. The default is empty and has no memory.
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
