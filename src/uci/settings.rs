//! The values of options that a search reads when it starts.

use crate::search::Level;
use std::time::Duration;

/// What the user has set. [`OPTIONS`](super::options::OPTIONS) holds the values at start.
#[derive(Clone, Default, Debug)]
pub(super) struct Settings {
    pub(super) threads: usize,
    /// The number of best lines to show.
    pub(super) lines: usize,
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
    pub(super) move_overhead: Duration,
    pub(super) skill_level: u32,
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    pub(super) fifty_move_rule: bool,
}

impl Settings {
    /// How strong to play. `UCI_Elo` takes precedence over `Skill Level`.
    pub(super) fn level(&self) -> Level {
        match self {
            Settings { limit_strength: true, elo, .. } => Level::of_elo(*elo),
            Settings { skill_level, .. } => Level::new(*skill_level),
        }
    }
}
