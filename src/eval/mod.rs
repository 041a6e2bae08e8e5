//! What a judgement is: terms, the sinks they measure into, and the engine that adds them up.
//!
//! - [`Term`]: one plug-in. It looks at a [`EvalContext`] of the position from one side and reports
//!   *weight x count* to a [`Sink`]; it never sees the value of a weight.
//! - [`Sink`]: who reads the measurement. [`Sum`] makes a score of it, [`Explain`] keeps every
//!   judgement with its square, [`Record`] keeps the counts for the tuner.
//! - [`Score`]: a middlegame and an endgame value side by side, tapered by the game phase.
//! - [`Registry`]: the terms that engine files may name.
//! - [`ScaleFactor`]: what the men on the board let a side make of an advantage.
//! - [`Engine`]: a list of terms with their weights, read from a TOML file by [`Engine::parse`].
//! - [`Trace`]: the evaluation of one position, term by term.

mod active_terms;
mod context;
mod engine;
mod file;
mod loaded_term;
mod pawn_cache;
mod registry;
mod scale;
mod score;
mod sink;
mod term;
mod trace;
mod write;

pub use context::{EvalContext, Piece, Side};
pub use engine::Engine;
pub use file::EngineFileError;
pub use loaded_term::PERCENT;
pub use registry::{Entry, Registry};
pub use scale::{ScaleFactor, ScaleReason};
pub use score::Score;
pub use sink::{Contribution, Explain, Record, Sink, Sum};
use term::pairs;
pub use term::{MOST_PAIRS, ParameterSpec, Scope, Term, Weight, WeightSpec, find};
pub use trace::{Row, Trace};
