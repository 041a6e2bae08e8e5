//! Scenes shown in a terminal, each in the place of the one before, or line by line.

use super::Demo;
use super::scene::{Scene, WIDTH};
use console::Term;
use std::{
    io::{self, Write},
    thread,
    time::Duration,
};

/// Columns of a line that is not on a terminal.
const LINE: usize = 80;

/// How a demonstration is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Show {
    /// Each scene in the place of the one before; otherwise a line a move.
    pub in_place: bool,
    /// The time a scene stays before the next, if they take each other's place.
    pub pause: Duration,
}

impl Show {
    /// In place where standard output is a terminal that is large enough.
    pub fn fitting(pause: Duration) -> Show {
        const ROWS: u16 = 23;
        let terminal = Term::stdout();
        let (rows, columns) = terminal.size();
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let fits = rows >= ROWS && usize::from(columns) >= WIDTH;
        Show { in_place: terminal.is_term() && !is_dumb && fits, pause }
    }
}

impl Demo<'_> {
    /// Plays the game and shows it. What is in colour has escape codes: write to a stream that
    /// removes them where they are not understood.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn run(&mut self, out: &mut impl Write, show: Show) -> io::Result<()> {
        if show.in_place {
            self.run_in_place(out, show.pause)?;
        } else {
            self.run_by_line(out)?;
        }
        writeln!(out, "{}", self.result())?;
        out.flush()
    }

    fn run_in_place(&mut self, out: &mut impl Write, pause: Duration) -> io::Result<()> {
        let terminal = Term::stdout();
        let mut height = 0;
        loop {
            let Some((scene, earlier)) = self.scenes.split_last() else { return Ok(()) };
            let lines = scene.lines(earlier.len().checked_sub(2).and_then(|i| earlier.get(i)));
            out.flush()?;
            terminal.move_cursor_up(height)?;
            for line in &lines {
                writeln!(out, "{line}")?;
            }
            // Not every scene has as many distances as the one before.
            for _ in lines.len()..height {
                writeln!(out, "{:WIDTH$}", "")?;
            }
            out.flush()?;
            height = height.max(lines.len());
            if !self.step() {
                return Ok(());
            }
            thread::sleep(pause);
        }
    }

    fn run_by_line(&mut self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.scenes[0].picture)?;
        writeln!(out)?;
        let mut shown = 0;
        while self.step() {
            let last = self.scenes.len() - 1;
            if self.scenes[last].is_whole {
                writeln!(out, "{}", line(&self.scenes[shown], &self.scenes[last]))?;
                shown = last;
            }
        }
        writeln!(out)
    }
}

/// A move of each side, the value, and what has become less, as much of it as fits.
fn line(before: &Scene, now: &Scene) -> String {
    let mut line = format!("{:<18}{:<12}", now.words, now.value);
    for (i, fall) in now.falls(before).into_iter().enumerate() {
        let next = format!("{}{fall}", if i > 0 { ", " } else { "" });
        if line.len() + next.len() > LINE {
            break;
        }
        line += &next;
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_by_line_without_escape_codes_in_80_columns() {
        let engine = crate::default_engine().unwrap();
        let mut demo = Demo::new(&engine, "KRK".parse().unwrap(), 1).unwrap();
        let mut out = Vec::new();
        demo.run(&mut out, Show::default()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.lines().all(|line| line.len() <= LINE), "{text}");
        assert!(text.starts_with("KRK: white to move, mate in 16\n\n8 "), "{text}");
        let moves: Vec<&str> = text.lines().filter(|line| line.contains(". ")).collect();
        let moves: Vec<&&str> = moves.iter().filter(|line| line.contains("mate")).collect();
        assert_eq!(moves.len(), demo.exercise.used(), "{text}");
        assert!(moves[0].starts_with("1. "), "{text}");
        assert!(moves.last().unwrap().contains("# "), "{text}");
        assert!(text.ends_with(&format!("{}\n", demo.result())), "{text}");
    }

    #[test]
    fn scenes_have_one_width() {
        let engine = crate::default_engine().unwrap();
        let mut demo = Demo::new(&engine, "KRK".parse().unwrap(), 1).unwrap();
        while demo.step() {}
        for (i, scene) in demo.scenes.iter().enumerate() {
            for line in scene.lines(i.checked_sub(2).map(|i| &demo.scenes[i])) {
                let plain = anstream::adapter::strip_str(&line).to_string();
                assert_eq!(plain.chars().count(), WIDTH, "{plain:?}");
            }
        }
    }
}
