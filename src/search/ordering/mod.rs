//! Legal moves and the order in which they are tried.
//!
//! `movegen`: legal moves; `move_picker`: their order; `history`: statistics of moves; `correction`: corrections of the
//! static evaluation; `histories`: both together; `see`: static exchange evaluation; `check_info`: moves that give check.

pub mod check_info;
pub mod correction;
pub mod histories;
pub mod history;
pub mod move_picker;
pub mod movegen;
pub mod see;
