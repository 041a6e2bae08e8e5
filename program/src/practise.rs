//! `tropism practise`.

use super::shared::{check_named, parse_game, seed_from_clock};
use super::{Context, fitted};
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::{collections::VecDeque, thread};
use tropism::endgame::Material;
use tropism_coach::{Practice, PracticeOptions, Side};

/// Play out an ending such as KBNK against perfect play: mate, or hold a draw.
#[derive(Args)]
pub struct Practise {
    /// An ending of up to four pieces, with pawns of one side at most, or a position of one.
    #[arg(required = true, value_name = "ENDING or FEN")]
    what: Vec<String>,
    /// Your side: the strong side mates, the weak side holds a draw if the ending has many that are hard to
    /// hold, and otherwise holds out.
    #[arg(long, value_enum, default_value_t = OwnSide::Strong)]
    side: OwnSide,
    /// Show the board from Black's side.
    #[arg(long)]
    flip: bool,
    /// The seed that selects one of the won positions; without it, the clock decides.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The side that the user plays.
#[derive(Clone, Copy, ValueEnum)]
enum OwnSide {
    /// The side that has to mate.
    Strong,
    /// The side that has to hold a draw, or to hold out.
    Weak,
}

impl Practise {
    pub fn run(self, context: Context) -> Result<()> {
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        check_named(&self.what)?;
        let side = match self.side {
            OwnSide::Strong => Side::Strong,
            OwnSide::Weak => Side::Weak,
        };
        let practice = match &self.what[..] {
            [ending] if !ending.contains('/') && ending != "startpos" => {
                let material = ending.parse::<Material>().with_context(|| ending.clone())?;
                Practice::new(&context.engine, material, side, seed)?
            }
            fen => {
                let game = parse_game(fen)?;
                Practice::from_position(&context.engine, game.position().chess(), side)?
            }
        };
        let options = practice_options(self.flip);
        let mut out = fitted(io::stdout().lock());
        practice.run(BufReader::new(Input::new()?), &mut out, options)?;
        Ok(out.flush()?)
    }
}

/// How to write to the user on this terminal.
pub fn practice_options(flipped: bool) -> PracticeOptions {
    let prompt = io::stdin().is_terminal();
    PracticeOptions { coloured: console::colors_enabled(), flipped, prompt }
}

/// Standard input, which ends at its end or when the user presses Ctrl-C. So the practice prints its
/// summary in both cases.
pub struct Input {
    /// Lines; an empty one is the end.
    lines: Receiver<io::Result<Vec<u8>>>,
    ended: bool,
    /// What is left of the last line.
    rest: VecDeque<u8>,
}

impl Input {
    pub fn new() -> Result<Input> {
        let (sender, lines) = mpsc::channel();
        let on_interrupt = sender.clone();
        ctrlc::set_handler(move || {
            // Without a receiver the practice has ended.
            let _ = on_interrupt.send(Ok(Vec::new()));
        })?;
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            loop {
                let mut line = Vec::new();
                let read = io::stdin().lock().read_until(b'\n', &mut line);
                let is_last = !matches!(read, Ok(length) if length > 0);
                if sender.send(read.map(|_| line)).is_err() || is_last {
                    break;
                }
            }
        })?;
        Ok(Input { lines, ended: false, rest: VecDeque::new() })
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A reader may ask again after the end, when nothing will be sent any more.
        if self.rest.is_empty() && !self.ended {
            self.rest = self.lines.recv().unwrap_or_else(|_| Ok(Vec::new()))?.into();
            self.ended = self.rest.is_empty();
        }
        self.rest.read(buffer)
    }
}
