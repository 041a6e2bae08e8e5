//! Alpha-beta over positions.
//!
//! - [`search()`]: iterative deepening, the entry; [`search_exactly`]: the same, behind the tables of
//!   exact endings.
//! - `root`: which root moves may be chosen; `shared`: what threads share; `busy`: which moves
//!   they are at; `mate`: lines of mates, shown to their end.
//! - `worker`: one thread's tree and its limits; `negamax`: the tree; `pruning`: what is left out of
//!   it; `depth`: how deep moves are searched; `quiescence`: what comes below it; `node`: what all of
//!   them know of a position.
//! - [`MoveGenerator`]: legal moves, in the portions a search wants them.
//! - `order`: which move first: table move, winning captures, killers, history.
//! - `exchange`: static exchange evaluation.
//! - `path`: what has been on the board before; `upcoming`: what one move brings back.
//! - [`TranspositionTable`]: the transposition table.
//! - [`Position`], [`Game`]: what is searched, with keys and history.
//! - [`Tablebases`]: Syzygy tables, at the root and inside the tree.
//! - [`search_at_level`]: weaker play.
//! - [`Limits`]: when to stop.
//! - [`Value`]: what comes out; [`Odds`]: what it means for the result.
//!
//! The search knows an [`Engine`](crate::eval::Engine) that turns positions into centipawns, and
//! never a single term.

mod abdada;
mod bench;
mod check_info;
mod correction;
mod deepening;
mod depth;
mod exact;
mod histories;
mod history;
mod limits;
mod line;
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
mod transposition_table;
mod upcoming;
mod wdl;

pub use bench::{BenchError, BenchResult, bench, positions as bench_positions};
pub use deepening::{STACK_SIZE, search};
pub use exact::search_exactly;
pub use limits::{Clock, DEFAULT_MOVE_OVERHEAD, Limits};
pub use movegen::MoveGenerator;
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter};
pub use perft::{Division, divide, perft};
pub use position::{FenError, Game, Position};
pub use request::{Control, Outcome, Report, Resources, Search, Watcher};
pub use score::{
    DRAW, INFINITY, MATE, MATE_BOUND, MAX_EVALUATION, MAX_PLY, TABLEBASE_WIN, Value, mated_in,
};
pub use see::{see, see_ge};
pub use skill::{Level, search_at_level};
pub use suite::{SuiteError, SuiteResult, Test, parse_suite, suite};
pub use tablebases::{Ranked, RankedMove, TablebaseError, Tablebases};
pub use transposition_table::{Bound, Entry, PackedMove, TranspositionTable};
pub use wdl::{Odds, WDL_MODEL, WdlModel, material};
