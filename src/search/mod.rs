//! Alpha-beta search.
//!
//! Interface:
//! - [`search()`] searches by iterative deepening, answers from exact tables, or plays weaker.
//! - [`SearchRequest`]: a request, with its [`Limits`] and [`Resources`]; [`Report`] and [`Outcome`]: the answers.
//! - [`Game`] and [`Position`]: what is searched, with hash keys and history.
//! - [`Evaluate`]: what the search asks of an evaluation; [`Engine`](crate::eval::Engine) is one answer.
//! - [`TranspositionTable`], and [`Tablebases`] for Syzygy files.
//! - [`Value`]: centipawns or a distance to mate; [`Odds`]: the chances of win, draw and loss.
//! - [`bench()`], [`perft()`]: tests of the whole search.
//!
//! Inside, `root` searches deeper and deeper until the time is over, `tree` is the tree of one thread, `ordering` says
//! which moves are tried first, and `tools` are built on a search. `position` is what is searched, `score` what it is
//! worth, `transposition_table` what is remembered, `tablebases` what Syzygy files say, `parameters` the constants.
//!
//! The search knows no term: the evaluation returns centipawns.

mod level;
mod ordering;
mod parameters;
mod position;
mod request;
mod root;
mod score;
mod tablebase_files;
mod tablebases;
mod tools;
mod transposition_table;
mod tree;

pub use crate::notation::FenError;
pub use level::Level;
pub use ordering::see::see_ge;
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter};
pub use position::{Game, GameOutcome, Position};
pub use request::{
    Control, Evaluate, Limits, OnRootMove, Outcome, Report, Resources, SearchRequest,
};
pub use root::exact::exact_value;
pub(crate) use root::exact::holds_in_game;
pub use root::threads::STACK_SIZE;
pub use root::time::{Clock, DEFAULT_MOVE_OVERHEAD};
pub use score::{MATE, MAX_EVALUATION, TABLEBASE_WIN, Value};
pub use tablebases::{RankedMove, RankedMoves, TablebaseError, TablebaseFiles, Tablebases};
pub use tools::bench::{
    BENCH_DEPTH, BenchError, BenchResult, bench, positions as bench_positions, quick_cost,
};
pub use tools::perft::{Division, MAX_PERFT, divide, perft};
pub use tools::search;
pub use tools::wdl::{Odds, WDL_MODEL, WdlModel, material};
pub use transposition_table::{Bound, PackedMove, TranspositionTable, TtEntry};
