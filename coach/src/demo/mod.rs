//! `tropism demo`: the shortest mate against the perfect defender, in a terminal or line by line. `scene` is what
//! there is to see after a move.

mod scene;

use crate::exercise::{Exercise, longest_win};
use scene::{Gauge, Scene, WIDTH};
use shakmaty::{Color, Position};
use std::{
    io::{self, Write},
    thread,
    time::Duration,
};
use thiserror::Error;
use tropism::endgame::{Endgames, Material};
use tropism::text::{columns, counted};

/// The most columns of a line of the one-line-per-move form.
const LINE: usize = 80;

/// No position of the ending is won, so there is no game to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}: no position is won, so there is nothing to show; try KBNK or KRK")]
pub struct DemoError(Material);

/// A game from a position of an ending in which mate takes longest. White mates in the fewest moves, and Black
/// holds out as long as possible.
pub struct Demo {
    material: Material,
    seed: u64,
    exercise: Exercise,
    /// One for each position so far.
    scenes: Vec<Scene>,
}

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
    /// Builds the tables and chooses a random one of the positions in which mate takes longest. The
    /// same `seed` gives the same game.
    ///
    /// # Errors
    ///
    /// If no position of the ending is won.
    pub fn new(material: Material, seed: u64) -> Result<Demo, DemoError> {
        let endgames = Endgames::of_ending(material);
        let start = longest_win(&endgames, material, seed).ok_or(DemoError(material))?;
        let exercise = Exercise::new(endgames, start, Color::White);
        let scenes = vec![Scene::new(material, String::new(), &exercise, seed)];
        Ok(Demo { material, seed, exercise, scenes })
    }

    /// Plays one move. Returns whether the game was still going on.
    fn step(&mut self) -> bool {
        let black_answers = self.exercise.position().turn().is_black();
        let Some(m) = self.exercise.reply() else { return false };
        let played = self.exercise.play(m);
        // White's move and the reply form one line.
        let words = match (played.rsplit_once('.'), self.scenes.last()) {
            (Some((_, reply)), Some(before)) if black_answers => {
                format!("{} {reply}", before.words)
            }
            _ => played,
        };
        self.scenes.push(Scene::new(self.material, words, &self.exercise, self.seed));
        true
    }

    /// How the game ended, in one sentence.
    fn result(&self) -> String {
        let (used, least) = (self.exercise.used(), self.exercise.minimum());
        match self.exercise.is_finished() {
            true => {
                let moves = counted(used as u64, "move");
                format!("Mate in {moves}, {} above the minimum of {least}.", used - least)
            }
            false => format!("{used} moves so far; the minimum is {least}."),
        }
    }

    /// Plays the game and shows it.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn run(&mut self, out: &mut impl Write, playback: Playback) -> io::Result<()> {
        let mut height = 0;
        let mut explained = Vec::new();
        if !playback.in_place {
            writeln!(out, "{}\n", self.scenes[0].picture)?;
        }
        loop {
            match playback.in_place {
                true => height = self.draw(out, height, playback.coloured)?,
                false => self.print_line(out, &mut explained)?,
            }
            out.flush()?;
            if !self.step() {
                break;
            }
            thread::sleep(playback.pause);
        }
        let gap = if playback.in_place { "" } else { "\n" };
        writeln!(out, "{gap}{}", self.result())?;
        out.flush()
    }

    /// Draws the last scene over the one before it, which had so many lines. Returns how many lines there are now.
    fn draw(&self, out: &mut impl Write, height: usize, coloured: bool) -> io::Result<usize> {
        let Some((scene, earlier)) = self.scenes.split_last() else { return Ok(height) };
        let before = earlier.iter().rev().nth(1);
        let lines = scene.lines(before, coloured);
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
        Ok(height.max(lines.len()))
    }

    /// Prints a move of each side in a line, once Black has replied, and explains the distances that are new.
    fn print_line(&self, out: &mut impl Write, explained: &mut Vec<String>) -> io::Result<()> {
        let Some(scene) = self.scenes.last().filter(|scene| scene.is_whole) else { return Ok(()) };
        for meaning in scene.gauges.iter().map(Gauge::meaning) {
            if !explained.contains(&meaning) {
                writeln!(out, "{meaning}")?;
                explained.push(meaning);
            }
        }
        writeln!(out, "{}", line(scene))
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

    fn demo(ending: &str, seed: u64) -> Demo {
        Demo::new(ending.parse().unwrap(), seed).unwrap()
    }

    #[test]
    fn a_game_starts_from_a_longest_win_and_ends_with_the_shortest_mate() {
        for (ending, least) in [("KQK", 10), ("KRK", 16), ("KPK", 28)] {
            let mut demo = demo(ending, 3);
            assert_eq!(demo.result(), format!("0 moves so far; the minimum is {least}."));
            while demo.step() {}
            let expected = format!("Mate in {least} moves, 0 above the minimum of {least}.");
            assert_eq!(demo.result(), expected);
        }
    }

    #[test]
    fn a_seed_determines_the_start_position() {
        let start = |seed| demo("KRK", seed).exercise.position().clone();
        assert_eq!(start(4), start(4));
        assert!((0..8).any(|seed| start(seed) != start(4)));
    }

    #[test]
    fn an_ending_without_a_win_is_refused() {
        assert_eq!(
            Demo::new("KBK".parse().unwrap(), 1).err().map(|error| error.to_string()).as_deref(),
            Some("KBK: no position is won, so there is nothing to show; try KBNK or KRK")
        );
    }

    #[test]
    fn one_line_per_move_has_80_columns_and_no_escape_codes() {
        let mut demo = demo("KRK", 1);
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
        let mut demo = demo("KRK", 1);
        while demo.step() {}
        for (i, scene) in demo.scenes.iter().enumerate() {
            for line in scene.lines(i.checked_sub(2).map(|i| &demo.scenes[i]), i % 2 == 0) {
                assert_eq!(width(&line), WIDTH, "{line:?}");
            }
        }
    }
}
