//! What is built on a search: where every search starts, tests of the whole, weaker play, the meaning of a value.

pub mod bench;
pub mod perft;
pub mod skill;
pub mod wdl;

use super::request::{Outcome, Report, SearchRequest};
use super::root::threads::search_fully;
use skill::search_at_level;

/// Searches until a limit is reached or the control stops it. If there is a legal move, at least one report
/// with a move precedes the outcome.
///
/// A position that exact tables have is answered from them at once: with the shortest mate or the longest defence. If
/// it is drawn, or if a draw by the rules of the game comes before the mate, the search chooses among the moves that
/// keep the result.
///
/// With one thread and no clock, the result depends on the request and the contents of the table only.
pub fn search(request: &SearchRequest, mut report: impl FnMut(&Report)) -> Outcome {
    // What is below exists once, not once for each caller.
    let report: &mut dyn FnMut(&Report) = &mut report;
    if request.level.is_full() {
        search_fully(request, report)
    } else {
        search_at_level(request, report)
    }
}
