//! What an evaluation term is: terms, the sinks they measure into, and the engine that adds them up.
//!
//! - [`Term`]: one plug-in. It reads the [`EvalContext`] of a position for one side and reports *weight x
//!   count* to a [`Sink`]; it never sees the value of a weight. The macro [`term!`](crate::term!) declares a term; the
//!   [`Meaning`] of a weight says as data what a value of it means.
//! - [`Sink`]: who reads the measurement. A sum for the search, contributions with their squares for
//!   explanations and for the tuner.
//! - [`Score`]: a middlegame and an endgame value side by side, tapered by the game phase.
//! - [`Registry`]: the terms that engine files may name.
//! - [`ScaleEntry`]: a scale factor or a known draw, which lets a side win with a share of its advantage only.
//! - [`Engine`]: a list of terms with their weights, read from a TOML file by [`Engine::parse`].
//! - [`Trace`]: the evaluation of one position, term by term.

mod account;
mod active_terms;
mod context;
mod cost;
mod counted;
mod engine;
pub mod file;
mod flatten;
mod formula;
mod loaded_term;
mod marks;
pub mod meaning;
mod paths;
mod pawn_cache;
mod registry;
mod rounding;
mod scale;
mod score;
mod sentence;
mod sink;
mod term;
mod trace;
mod trace_table;
mod weight;
mod write;

pub use account::{Account, ENDGAME_PHASE, Reason, Speech, the_piece, theme};
pub(crate) use account::{MAX_NAMED, named};
pub use context::{EvalContext, Piece, Side};
pub use cost::{EvaluationCost, TermCost};
pub use counted::{Counted, Seen};
pub use engine::Engine;
pub use file::{EngineFileError, TunableNumber};
#[cfg(fuzzing)]
pub use formula::compare_formulas;
pub use formula::{IDEAS, LIMITS, MAX_LENGTH, NOTES, vocabulary};
pub use loaded_term::PERCENT;
pub use marks::{Arrow, Marks};
pub use meaning::Meaning;
pub use paths::{Walk, shortest};
pub use registry::{Declared, Entry, Registry};
pub use rounding::{ShownRow, round_to_sum};
pub use scale::{Advantage, ScaleEntry, ScaleFactor, ScaleScope};
pub use score::Score;
use sink::Sum;
pub use sink::{Contribution, Sink};
pub use term::{Scope, Term};
pub use trace::{Row, Trace};
pub use weight::{MAX_PAIRS, ParameterSpec, Weight, WeightSpec};
