//! Games in PGN, as programs, sites and people write them.

use super::comments::Comments;
use super::game::PlayedGame;
use super::lexer::{Lexer, Place};
use super::section::Section;

/// Reads the games of a text one by one.
///
/// Each game is read as far as possible, and what cannot be read is named in [`PlayedGame::faults`]. Pieces may have
/// the letters of another language if these fit the whole game better than English.
///
/// ```
/// use tropism_coach::notation::Games;
/// let text = "1. e4 e5 2. Sf3 Sc6 3. Lb5 *  1. d4 d5 2. Ke3 *";
/// let games: Vec<_> = Games::new(text).collect();
/// assert_eq!((games[0].moves.len(), games[0].faults.len()), (5, 0));
/// assert_eq!(games[1].moves.len(), 2);
/// assert!(games[1].faults[0].starts_with("line 1: move 2.Ke3 cannot be read: no king can go to e3"));
/// ```
#[derive(Clone, Debug)]
pub struct Games {
    text: String,
    comments: Comments,
    at: usize,
    line: usize,
    number: usize,
    /// How many characters and parts of the text have been looked at. One that is looked at twice counts twice.
    pub steps: usize,
}

impl Games {
    /// The most steps for each byte of a text.
    pub const MAX_STEPS: usize = 30;

    /// Reads games in PGN.
    pub fn new(text: &str) -> Games {
        let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
        // From the source of a web page.
        for (entity, sign) in [
            ("&nbsp;", " "),
            ("<br>", " "),
            ("<br/>", " "),
            ("<br />", " "),
            ("&frac12;", "\u{bd}"),
            ("&quot;", "\""),
            ("&amp;", "&"),
        ] {
            text = text.replace(entity, sign);
        }
        // A block of code in Markdown.
        if text.lines().any(|line| line.starts_with("```")) {
            let lines = text.lines().map(|line| if line.starts_with("```") { "" } else { line });
            text = lines.collect::<Vec<_>>().join("\n");
        }
        // A quoted mail.
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        if text.starts_with('>') && lines.all(|line| line.starts_with('>')) {
            let lines = text.lines().map(|line| line.trim_start_matches(['>', ' ']));
            text = lines.collect::<Vec<_>>().join("\n");
        }
        let (comments, steps) = (Comments::of(&text), text.len());
        Games { text, comments, at: 0, line: 1, number: 0, steps }
    }
}

impl Iterator for Games {
    type Item = PlayedGame;

    fn next(&mut self) -> Option<PlayedGame> {
        let mut lexer = Lexer::new(&self.text, &self.comments, self.at, self.line);
        let section = Section::new(&mut lexer);
        self.steps += lexer.steps.get() + section.as_ref().map_or(0, |section| section.steps);
        self.number += 1;
        Place { at: self.at, line: self.line, .. } = lexer.place;
        Some(section?.game(&self.text, self.number))
    }
}
