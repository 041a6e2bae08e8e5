//! The values of options that a search reads when it starts.

use crate::search::Level;
use std::time::Duration;

/// What the user has set. [`OPTIONS`](super::options::OPTIONS) holds the values at start.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    pub threads: usize,
    /// The number of best lines to show.
    pub lines: usize,
    pub chess960: bool,
    pub show_wdl: bool,
    pub move_overhead: Duration,
    pub skill_level: u32,
    pub limit_strength: bool,
    pub elo: u32,
    pub fifty_move_rule: bool,
}

impl Settings {
    /// How strong to play. `UCI_Elo` takes precedence over `Skill Level`.
    pub fn level(&self) -> Level {
        match self {
            Settings { limit_strength: true, elo, .. } => Level::of_elo(*elo),
            Settings { skill_level, .. } => Level::new(*skill_level),
        }
    }
}
