//! Alpha-beta search.
//!
//! Interface:
//! - [`search()`] searches by iterative deepening, or answers from exact tables; [`search_at_level`] plays weaker.
//! - [`Search`]: a request, with its [`Limits`] and [`Resources`]; [`Report`] and [`Outcome`]: the answers.
//! - [`Game`] and [`Position`]: what is searched, with hash keys and history.
//! - [`TranspositionTable`], and [`Tablebases`] for Syzygy files.
//! - [`Value`]: centipawns or a distance to mate; [`Odds`]: the chances of win, draw and loss.
//! - [`bench()`], [`perft()`], [`suite()`]: tests of the whole search.
//!
//! Inside, from the root to the leaves:
//! - `iterative_deepening`: the iterations of each thread; `root`: the root moves, ranked by tablebases;
//!   `time`: the clock; `result`: lines and values of a finished iteration; `mate`: completes mate lines.
//! - `shared_state`: stop flag and counters of all threads; `abdada`: the moves that other threads search;
//!   `thread_data`: everything that one thread owns.
//! - `negamax`: the tree; `node`: one node of it; `pruning`: nodes and moves that are not searched;
//!   `depth_adjustment`: late move reductions and singular extensions; `quiescence`: captures and evasions.
//! - `movegen`, `move_picker`: legal moves, in the order in which they are tried; `history`: statistics that
//!   order quiet moves; `correction`: corrections of the static evaluation; `histories`: both together.
//! - `see`: static exchange evaluation; `check_info`: moves that give check; `path`, `cuckoo`: repetitions;
//!   `pv_table`: the principal variation; `parameters`: the constants of all of these.
//!
//! The search knows the evaluation as an [`Engine`](crate::eval::Engine) that returns centipawns. It knows no
//! single term.

mod abdada;
mod bench;
mod check_info;
mod correction;
mod cuckoo;
mod depth_adjustment;
mod exact;
mod histories;
mod history;
mod iterative_deepening;
mod limits;
mod mate;
mod move_picker;
mod movegen;
mod negamax;
mod node;
mod parameters;
mod path;
mod perft;
mod position;
mod pruning;
mod pv_table;
mod quiescence;
mod request;
mod result;
mod root;
mod score;
mod see;
mod shared_state;
mod skill;
mod suite;
mod tablebases;
mod thread_data;
mod time;
mod transposition_table;
mod wdl;

pub use bench::{BenchError, BenchResult, bench, positions as bench_positions};
pub use iterative_deepening::{STACK_SIZE, search};
pub use limits::Limits;
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter};
pub use perft::{Division, divide, perft};
pub use position::{FenError, Game, GameOutcome, Position};
pub use request::{Control, Outcome, Report, Resources, Search, Watcher};
pub use score::{MATE, MAX_EVALUATION, TABLEBASE_WIN, Value};
pub(crate) use see::see_ge;
pub use skill::{Level, search_at_level};
pub(crate) use suite::parse_move;
pub use suite::{SuiteError, SuiteResult, Test, parse_suite, suite};
pub use tablebases::{RankedMove, RankedMoves, TablebaseError, Tablebases};
pub use time::{Clock, DEFAULT_MOVE_OVERHEAD};
pub use transposition_table::{Bound, PackedMove, TranspositionTable, TtEntry};
pub use wdl::{Odds, WDL_MODEL, WdlModel, material};
