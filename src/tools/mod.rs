//! What the program can do besides playing: one file a tool, each a subcommand and, where it
//! makes sense there, a UCI command.

mod ablate;
mod bench;
mod board;
mod calibrate;
mod data;
mod datagen;
mod demo;
mod explain;
mod geometry;
mod install;
mod men;
mod perft;
mod picture;
mod policy;
mod practise;
mod prove;
mod selfplay;
mod solve;
#[cfg(any(test, feature = "tune"))]
mod spsa;
mod suite;
mod teach;
mod tune;

pub use ablate::{AblateError, Ablation, Worth};
pub use bench::{BenchError, BenchResult, bench};
pub use calibrate::{FitError, LevelMatch, WdlFit, compare_levels, fit_wdl};
pub use datagen::{DataCount, Datagen, DatagenError};
pub use demo::{Demo, DemoError, Show};
pub use explain::{BestLine, Chronicle, ExplainError, Explanation, GameReader, PlayedGame};
pub use geometry::{GeometryError, GeometryRequest, geometry, geometry_list};
pub use install::{InstallError, Installed, Place, Program};
pub use perft::{Division, divide, perft};
pub use picture::{Cell, Picture};
pub use practise::{Practice, PractiseError, Screen, Side};
pub use prove::{Proof, ProveError, Sample};
pub use solve::{Solution, SolveError, Verdict};
#[cfg(any(test, feature = "tune"))]
pub use spsa::StateError;
#[cfg(feature = "tune")]
pub use spsa::{Spsa, SpsaError};
pub use suite::{SuiteError, SuiteResult, Test, parse_suite, suite};
pub use teach::{Lesson, TeachError, TeachReport};
pub use tune::{TuneError, TuneReport, Tuner};
