//! The root: iterations, time and threads.
//!
//! `threads`: starts and ends a search; `iterative_deepening`: the iterations of a thread; `line`: one line of an
//! iteration; `root_moves`: the moves that may be chosen, ranked by tables; `exact`: answers from exact tables; `result`:
//! lines and values of an iteration; `mate`: completes mate lines; `time`: the clock.

pub mod exact;
pub mod iterative_deepening;
pub mod line;
pub mod mate;
pub mod result;
pub mod root_moves;
pub mod threads;
pub mod time;
