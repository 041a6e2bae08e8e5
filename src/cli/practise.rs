//! Won endings, played out.

use super::{Context, save_svg, seed_of_the_clock, write_page};
use crate::coach;
use anyhow::{Context as _, Result};
use clap::Args;
use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    time::Duration,
};

/// Play out a won ending, such as KBNK, against perfect play.
#[derive(Args)]
pub(super) struct Practise {
    /// An ending of up to four men without pawns.
    #[arg(value_name = "ENDING")]
    ending: String,
    /// Your side: the strong one mates, the weak one holds out.
    #[arg(long, value_enum, default_value_t = coach::Side::Strong)]
    side: coach::Side,
    /// Which of the won positions; without it the clock decides.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Practise {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let material = self.ending.parse().with_context(|| self.ending.clone())?;
        let seed = self.seed.unwrap_or_else(seed_of_the_clock);
        let practice = coach::Practice::new(&context.engine, material, self.side, seed)?;
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        let options = coach::PracticeOptions {
            coloured: out.current_choice() != anstream::ColorChoice::Never,
            prompt: io::stdin().is_terminal(),
        };
        practice.run(io::stdin().lock(), &mut out, options)?;
        Ok(())
    }
}

/// Watch it mate with bishop and knight against the best defence there is.
#[derive(Args)]
pub(super) struct Demo {
    /// An ending of up to four men without pawns.
    #[arg(long, value_name = "ENDING", default_value = "KBNK")]
    ending: String,
    /// Moves of each side shown in a second; 0 shows them as they are found.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Which of the longest positions; without it the clock decides.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the game to this file as a film strip.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write it to this file as one page, with what each move has brought nearer.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Demo {
    pub(super) fn run(self, context: &Context) -> Result<()> {
        let material = self.ending.parse().with_context(|| self.ending.clone())?;
        let seed = self.seed.unwrap_or_else(seed_of_the_clock);
        let mut demo = coach::Demo::new(&context.engine, material, seed)?;
        // A move of each side is two scenes.
        let pause = if self.speed > 0.0 {
            Duration::from_secs_f64(0.5 / self.speed)
        } else {
            Duration::ZERO
        };
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        demo.run(&mut out, coach::Playback::for_terminal(pause))?;
        if let Some(path) = &self.html {
            write_page(path, &demo.page()?)?;
        }
        save_svg(self.svg.as_deref(), || demo.film_strip())
    }
}

/// Reads how many moves are shown in a second.
fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| *speed == 0.0 || (0.01..=1000.0).contains(speed));
    speed.ok_or_else(|| "a number from 0.01 to 1000, or 0".to_owned())
}
