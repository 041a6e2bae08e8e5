//! `tropism demo`.

use super::shared::{check_outputs, save_svg, seed_from_clock, write_file};
use super::{Context, fitted};
use crate::coach::{self, Playback};
use crate::endgame::Material;
use anyhow::Result;
use clap::Args;
use std::{io, path::PathBuf, time::Duration};

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
    /// Also write the game to this file as a film strip.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also write the game to this file as an HTML page with the distances after each move.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Demo {
    pub(super) fn run(self, _: Context) -> Result<()> {
        check_outputs([self.svg.as_deref(), self.html.as_deref()])?;
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let mut demo = coach::Demo::new(self.ending, seed)?;
        // A move of each side is two scenes.
        let pause = if self.speed > 0.0 {
            Duration::from_secs_f64(0.5 / self.speed)
        } else {
            Duration::ZERO
        };
        let mut out = fitted(io::stdout().lock());
        demo.run(&mut out, Playback::for_terminal(pause))?;
        if let Some(path) = &self.html {
            write_file(path, &demo.page()?)?;
        }
        save_svg(self.svg.as_deref(), || demo.film_strip())
    }
}

/// Reads how many moves are shown in a second.
fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| *speed == 0.0 || (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "a number from 0.01 to 1000, or 0".to_owned())
}
