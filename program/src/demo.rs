//! `tropism demo`.

use super::shared::seed_from_clock;
use super::{Context, fitted};
use anyhow::Result;
use clap::Args;
use console::Term;
use std::{env, io, time::Duration};
use tropism::endgame::Material;
use tropism_coach::Playback;

/// Watch the shortest mate, for example with bishop and knight, against the best defence.
#[derive(Args)]
pub(super) struct Demo {
    /// An ending of up to four pieces, with pawns of one side at most.
    #[arg(long, value_name = "ENDING", default_value = "KBNK")]
    ending: Material,
    /// Moves of each side shown in a second; with 0, each move is shown as soon as it is played.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// The seed that selects one of the positions with the longest mate; without it, the clock
    /// decides.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Demo {
    pub(super) fn run(self, _: Context) -> Result<()> {
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let mut demo = tropism_coach::Demo::new(self.ending, seed)?;
        // A move of each side is two scenes.
        let pause = if self.speed > 0.0 {
            Duration::from_secs_f64(0.5 / self.speed)
        } else {
            Duration::ZERO
        };
        let mut out = fitted(io::stdout().lock());
        Ok(demo.run(&mut out, playback(pause))?)
    }
}

/// In place if standard output is a terminal that is large enough.
fn playback(pause: Duration) -> Playback {
    let terminal = Term::stdout();
    let (rows, columns) = terminal.size();
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let fits = Playback::fits(rows.into(), columns.into());
    Playback {
        in_place: terminal.is_term() && !is_dumb && fits,
        coloured: console::colors_enabled(),
        // Nobody watches a file.
        pause: if terminal.is_term() { pause } else { Duration::ZERO },
    }
}

/// Reads how many moves are shown in a second.
fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| *speed == 0.0 || (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "a number from 0.01 to 1000, or 0".to_owned())
}
