//! Alpha-beta over positions.
//!
//! - [`search()`]: iterative deepening, the entry; [`search_exactly`]: the same, behind the tables of
//!   exact endings.
//! - `worker`: one thread's tree and its limits; `negamax`: the tree with its pruning; `quiescence`:
//!   what comes below it.
//! - [`Rules`]: legal moves, in the portions a search wants them.
//! - `order`: which move first: table move, winning captures, killers, history.
//! - `exchange`: static exchange evaluation.
//! - [`Table`]: the transposition table.
//! - [`Position`], [`Game`]: what is searched, with keys and history.
//! - [`Limits`]: when to stop.
//! - [`Value`]: what comes out.
//!
//! The search knows an [`Engine`](crate::eval::Engine) that turns positions into centipawns, and
//! never a single term.

mod checks;
mod correction;
mod deepening;
mod exact;
mod exchange;
mod generate;
mod history;
mod learnt;
mod limits;
mod line;
mod negamax;
mod order;
mod parameters;
mod position;
mod quiescence;
mod score;
mod table;
mod worker;

pub use deepening::{Control, Outcome, Report, Search, search};
pub use exact::search_exactly;
pub use exchange::{exchange_at_least, exchange_value};
pub use generate::Rules;
pub use limits::{Clock, DEFAULT_MOVE_OVERHEAD, Limits};
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter};
pub use position::{FenError, Game, Position};
pub use score::{DRAW, INFINITY, MATE, MATE_BOUND, MAX_EVALUATION, MAX_PLY, Value, mated_in};
pub use table::{Bound, Entry, PackedMove, Table};
