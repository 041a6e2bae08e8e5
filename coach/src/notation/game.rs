//! A game with all that its text says.

use shakmaty::{Chess, Color, Move, Position};
use std::fmt;
use tropism::text::line_in_san;

/// A game of a PGN text.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The file, where games of several are shown.
    pub file: Option<String>,
    /// The line of the text where it begins, from 1.
    pub line: usize,
    /// The tags in their order, with their values.
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the result is not known.
    pub result: String,
    /// The start position.
    pub start: Chess,
    /// The moves, up to the first that cannot be read.
    pub moves: Vec<Move>,
    /// The moves again, with comments, marks and variations.
    pub text: Line,
    /// What cannot be read, and where.
    pub faults: Vec<String>,
}

/// A row of moves with its notes.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<NotedMove>,
}

impl Line {
    /// Moves without notes.
    pub(crate) fn of_moves(moves: &[Move]) -> Line {
        let noted = moves.iter().map(|&m| NotedMove::new(m, Vec::new()));
        Line { comments: Vec::new(), moves: noted.collect() }
    }
}

/// A move with its notes.
#[derive(Clone, Debug)]
pub struct NotedMove {
    /// The move.
    pub m: Move,
    /// Numeric annotation glyphs, such as 4 for `??`.
    pub nags: Vec<u32>,
    /// The comments after it. What cannot be read of a variation is here as well.
    pub comments: Vec<String>,
    /// What could be played instead of it.
    pub variations: Vec<Line>,
}

impl NotedMove {
    /// A move with marks only.
    pub(super) const fn new(m: Move, nags: Vec<u32>) -> NotedMove {
        NotedMove { m, nags, comments: Vec::new(), variations: Vec::new() }
    }
}

/// What cannot be read of a game.
#[derive(Debug, Default)]
pub struct Faults(pub Vec<String>);

/// The longest word of a message, in characters: no FEN is longer.
const MAX_WORD: usize = 90;

/// How many messages are looked at for one that says the same.
const MAX_KINDS: usize = 8;

impl Faults {
    /// Adds what is wrong in a line of the text, unless it was just said of this line or one before. Long words are
    /// cut.
    pub fn add(&mut self, line: usize, what: impl fmt::Display) {
        let mut text = String::new();
        for word in what.to_string().split_inclusive(' ') {
            match word.char_indices().nth(MAX_WORD) {
                Some((end, _)) => text.extend([&word[..end], "... "]),
                None => text += word,
            }
        }
        let is_said = |fault: &String| fault.split_once(": ").is_some_and(|(_, said)| said == text);
        if !self.0.iter().rev().take(MAX_KINDS).any(is_said) {
            self.0.push(format!("line {line}: {text}"));
        }
    }
}

/// The tags that every game should have, in the order of the PGN standard, with the values that mean
/// "not known".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

impl PlayedGame {
    /// A game without tags, notes and a known result.
    pub fn new(start: Chess, moves: Vec<Move>) -> PlayedGame {
        PlayedGame {
            number: 1,
            file: None,
            line: 1,
            tags: Vec::new(),
            result: "*".to_owned(),
            start,
            moves,
            text: Line::default(),
            faults: Vec::new(),
        }
    }

    /// The players and the result.
    pub fn heading(&self) -> String {
        let [white, black] = ["White", "Black"].map(|name| value(&self.tags, name).unwrap_or("?"));
        format!("{white} - {black}, {}", self.result)
    }

    /// The side of a player, whose name is that in the tags or a part of it, whatever the capitals. The whole name
    /// comes first: `Alt` is not Alter.
    pub fn side_of(&self, name: &str) -> Option<Color> {
        let name = name.to_lowercase();
        let player = |tag| value(&self.tags, tag).unwrap_or_default().to_lowercase();
        let players = [(Color::White, player("White")), (Color::Black, player("Black"))];
        let whole = players.iter().find(|(_, player)| *player == name);
        let side = whole.or_else(|| players.iter().find(|(_, player)| player.contains(&name)));
        side.map(|(side, _)| *side)
    }

    /// Whether the tags say that the clock ended it, as lichess.org and chess.com write it.
    pub fn is_lost_on_time(&self) -> bool {
        let how = value(&self.tags, "Termination").unwrap_or_default().to_lowercase();
        how == "time forfeit" || how.ends_with(" on time")
    }

    /// The move after so many plies as players write it, `22.Nd5`.
    pub fn name(&self, ply: usize) -> String {
        line_in_san(&self.position(ply), &self.moves[ply..=ply])
    }

    /// The number of the game, with its file if there are several, and the heading.
    pub fn title(&self) -> String {
        let file = self.file.as_ref().map(|file| format!("{file}, ")).unwrap_or_default();
        format!("{file}game {}: {}", self.number, self.heading())
    }

    /// All that cannot be read, in one line.
    pub fn fault(&self) -> Option<String> {
        (!self.faults.is_empty()).then(|| self.faults.join("; "))
    }

    /// All that cannot be read, with the number of the game and the players.
    pub fn numbered_fault(&self) -> Option<String> {
        let fault = self.fault()?;
        Some(format!("game {} ({}), {fault}", self.number, self.heading()))
    }

    /// The position after this many plies.
    pub fn position(&self, plies: usize) -> Chess {
        let mut position = self.start.clone();
        self.moves[..plies].iter().for_each(|&m| position.play_unchecked(m));
        position
    }
}

/// The value of a tag, if it has one.
pub fn value<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let tag = tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}
