//! Shows the game in a terminal, each board in place of the last one, or as one line per move.

use super::game::Demo;
use super::scene::{Gauge, Scene, WIDTH};
use std::{
    io::{self, Write},
    thread,
    time::Duration,
};
use tropism::text::columns;

/// The most columns of a line of the one-line-per-move form.
const LINE: usize = 80;

/// How a demonstration is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Playback {
    /// Draw each board in place of the last one; otherwise print one line per move.
    pub in_place: bool,
    /// Whether boards in place have colours.
    pub coloured: bool,
    /// How long each position is shown in a terminal.
    pub pause: Duration,
}

impl Playback {
    /// Whether a terminal is large enough for boards in place.
    pub fn fits(rows: usize, columns: usize) -> bool {
        const ROWS: usize = 23;
        rows >= ROWS && columns >= WIDTH
    }
}

impl Demo {
    /// Plays the game and shows it.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn run(&mut self, out: &mut impl Write, playback: Playback) -> io::Result<()> {
        if playback.in_place {
            self.run_in_place(out, playback)?;
        } else {
            self.run_by_line(out, playback.pause)?;
        }
        writeln!(out, "{}", self.result())?;
        out.flush()
    }

    fn run_in_place(&mut self, out: &mut impl Write, playback: Playback) -> io::Result<()> {
        let mut height = 0;
        loop {
            let Some((scene, earlier)) = self.scenes.split_last() else { return Ok(()) };
            let before = earlier.len().checked_sub(2).and_then(|i| earlier.get(i));
            let lines = scene.lines(before, playback.coloured);
            if height > 0 {
                write!(out, "\u{1b}[{height}A")?;
            }
            for line in &lines {
                writeln!(out, "{line}")?;
            }
            // The last scene may have had more distances than this one.
            for _ in lines.len()..height {
                writeln!(out, "{:WIDTH$}", "")?;
            }
            out.flush()?;
            height = height.max(lines.len());
            if !self.step() {
                return Ok(());
            }
            thread::sleep(playback.pause);
        }
    }

    fn run_by_line(&mut self, out: &mut impl Write, pause: Duration) -> io::Result<()> {
        writeln!(out, "{}\n", self.scenes[0].picture)?;
        let mut explained = Vec::new();
        loop {
            let Some(scene) = self.scenes.last() else { return Ok(()) };
            for meaning in scene.gauges.iter().map(Gauge::meaning) {
                if scene.is_whole && !explained.contains(&meaning) {
                    writeln!(out, "{meaning}")?;
                    explained.push(meaning);
                }
            }
            if scene.is_whole {
                writeln!(out, "{}", line(scene))?;
                out.flush()?;
            }
            if !self.step() {
                return writeln!(out);
            }
            thread::sleep(pause);
        }
    }
}

/// A move of each side, the value, and as many of the distances as fit.
fn line(scene: &Scene) -> String {
    let words = if scene.words.is_empty() { "Start" } else { &scene.words };
    let mut line = format!("{words:<18}{:<12}", scene.value);
    for (i, words) in scene.gauges.iter().map(Gauge::words).enumerate() {
        let next = format!("{}{words}", if i > 0 { "  " } else { "" });
        if line.len() + next.len() > LINE.min(columns()) {
            break;
        }
        line += &next;
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::text::width;

    #[test]
    fn one_line_per_move_has_80_columns_and_no_escape_codes() {
        let mut demo = Demo::new("KRK".parse().unwrap(), 1).unwrap();
        let mut out = Vec::new();
        demo.run(&mut out, Playback::default()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.lines().all(|line| line.len() <= LINE), "{text}");
        assert!(text.starts_with("KRK: white to move, mate in 16\n\n8 "), "{text}");
        let is_move = |line: &&str| line.split(' ').next().is_some_and(|word| word.contains('.'));
        let moves: Vec<&str> = text.lines().filter(is_move).collect();
        assert_eq!(moves.len(), demo.exercise.used(), "{text}");
        assert!(moves[0].starts_with("1."), "{text}");
        assert!(moves.last().unwrap().contains("# "), "{text}");
        // The exact moves to mate count down, one with each move.
        for (number, line) in (1..16).zip(&moves) {
            assert!(line.contains(&format!(" mate in {} ", 16 - number)), "{line}");
        }
        assert!(text.ends_with(&format!("{}\n", demo.result())), "{text}");
    }

    #[test]
    fn all_scenes_have_the_same_width() {
        let mut demo = Demo::new("KRK".parse().unwrap(), 1).unwrap();
        while demo.step() {}
        for (i, scene) in demo.scenes.iter().enumerate() {
            for line in scene.lines(i.checked_sub(2).map(|i| &demo.scenes[i]), i % 2 == 0) {
                assert_eq!(width(&line), WIDTH, "{line:?}");
            }
        }
    }
}
