//! Values of options that are no more than values.

use super::options::OptionSpec;
use crate::search::{DEFAULT_MOVE_OVERHEAD, Level, Tablebases};
use std::time::Duration;

/// What the user has set, as far as it is only looked at when a search begins.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) threads: usize,
    /// Lines to show.
    pub(super) lines: usize,
    pub(super) chess960: bool,
    pub(super) shows_odds: bool,
    /// The user looks at a position and does not play: full strength.
    pub(super) analyses: bool,
    pub(super) overhead: Duration,
    pub(super) skill: u32,
    pub(super) is_limited: bool,
    pub(super) elo: u32,
    pub(super) probe_depth: i32,
    pub(super) probe_limit: usize,
    pub(super) fifty_moves: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            lines: 1,
            chess960: false,
            shows_odds: false,
            analyses: false,
            overhead: DEFAULT_MOVE_OVERHEAD,
            skill: Level::FULL,
            is_limited: false,
            elo: Level::HIGHEST_ELO,
            probe_depth: 1,
            probe_limit: Tablebases::MAX_PIECES,
            fifty_moves: true,
        }
    }
}

impl Settings {
    /// Sets an option. `false` if it is none of these.
    pub(super) fn set(&mut self, option: &OptionSpec, text: &str) -> Result<bool, String> {
        match option.name {
            "Threads" => self.threads = option.number(text)? as usize,
            "MultiPV" => self.lines = option.number(text)? as usize,
            "UCI_Chess960" => self.chess960 = option.check(text)?,
            "UCI_ShowWDL" => self.shows_odds = option.check(text)?,
            "UCI_AnalyseMode" => self.analyses = option.check(text)?,
            "Move Overhead" => self.overhead = Duration::from_millis(option.number(text)? as u64),
            "Skill Level" => self.skill = option.number(text)? as u32,
            "UCI_LimitStrength" => self.is_limited = option.check(text)?,
            "UCI_Elo" => self.elo = option.number(text)? as u32,
            "SyzygyProbeDepth" => self.probe_depth = option.number(text)? as i32,
            "SyzygyProbeLimit" => self.probe_limit = option.number(text)? as usize,
            "Syzygy50MoveRule" => self.fifty_moves = option.check(text)?,
            // GUIs ask whether it is there. What it says, `go ponder` says again.
            "Ponder" => drop(option.check(text)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// How strong to play. `UCI_Elo` counts before `Skill Level` where both hold back.
    pub(super) fn level(&self) -> Level {
        match self {
            Settings { analyses: true, .. } => Level::new(Level::FULL),
            Settings { is_limited: true, elo, .. } => Level::of_elo(*elo),
            Settings { skill, .. } => Level::new(*skill),
        }
    }
}
