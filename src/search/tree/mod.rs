//! The tree of one thread.
//!
//! `negamax`: the moves of a node; `quiescence`: captures and evasions; `pruning`: nodes and moves that are not searched;
//! `depth_adjustment`: late move reductions and singular extensions; `node`: the data of one node; `thread_data`: what a
//! thread owns; `shared_state`: what all threads share; `path`, `cuckoo`: repetitions; `pv_table`: the principal
//! variation.

pub mod cuckoo;
pub mod depth_adjustment;
pub mod negamax;
pub mod node;
pub mod path;
pub mod pruning;
pub mod pv_table;
pub mod quiescence;
pub mod shared_state;
pub mod thread_data;
