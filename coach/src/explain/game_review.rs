//! The review of a game: what a search finds in each position, and the mistakes.

use super::game_search::search_positions;
use super::mistakes::{ReviewedMove, review_moves};
use super::summary::summary;
use crate::assess::{SearchedLine, Searcher, WhiteValue, played};
use crate::exercise::uci;
use crate::format::{bold, plain};
use crate::notation::PlayedGame;
use serde_json::{Value, json};
use shakmaty::{Color, Position};
use std::fmt;
use tropism::eval::Engine;
use tropism::search::{Game, GameOutcome, Limits, TranspositionTable};
use tropism::text::{counted, wrapped};

/// Columns before the words of a mistake.
const INDENT: usize = 4;
/// Columns of a move and of its value.
const MOVE_WIDTH: usize = 14;
const VALUE_WIDTH: usize = 7;
/// The most plies of a best line in the list of moves.
const LISTED_PLIES: usize = 6;

/// A game with the result of a search of each position.
#[derive(Clone, Debug)]
pub struct GameReview {
    pub(super) game: PlayedGame,
    /// The value of each position.
    pub(super) values: Vec<WhiteValue>,
    /// The limits of the search in words.
    pub(super) effort: String,
    /// The moves in their order.
    pub(super) moves: Vec<ReviewedMove>,
    /// How the game ended by the rules.
    outcome: Option<GameOutcome>,
}

/// Which moves of a review are shown.
#[derive(Copy, Clone, Default, Debug)]
pub struct ReviewView<'a> {
    /// All moves, not only those that lose something.
    pub all: bool,
    /// Only the moves of this side.
    pub side: Option<Color>,
    /// Only the moves of the player with this name, or this part of it.
    pub player: Option<&'a str>,
    /// Only moves from this number and up to this one.
    pub numbers: (Option<u32>, Option<u32>),
}

impl ReviewView<'_> {
    pub(super) fn shows(self, review: &GameReview, reviewed: &ReviewedMove) -> bool {
        let (from, to) = self.numbers;
        let is_players = |name| review.game.side_of(name) == Some(reviewed.side);
        (self.all || reviewed.mark.is_some())
            && self.side.is_none_or(|side| side == reviewed.side)
            && self.player.is_none_or(is_players)
            && from.is_none_or(|from| reviewed.number >= from)
            && to.is_none_or(|to| reviewed.number <= to)
    }
}

impl GameReview {
    /// Searches every position of a game within these limits, and calls `progress` after each. It clears the
    /// transposition table first.
    pub fn new(
        engine: &Engine,
        game: PlayedGame,
        limits: &Limits,
        table: &TranspositionTable,
        mut progress: impl FnMut(),
    ) -> GameReview {
        let searcher = Searcher::new(engine, table);
        let searched = search_positions(&searcher, &game, limits, &mut progress);
        let moves = review_moves(&searcher, &game, &searched, limits);
        let values = searched.iter().map(|line| line.value).collect();
        let outcome = played(&Game::new(game.start.clone()), &game.moves).outcome();
        GameReview { game, values, effort: in_words(limits), moves, outcome }
    }

    /// The value of each move, or only of the mistakes with the reasons. In colour, it has the escape codes of
    /// terminals.
    pub fn text(&self, view: ReviewView<'_>, coloured: bool) -> String {
        let text = fmt::from_fn(|f| self.write(f, view)).to_string();
        if coloured { text } else { plain(&text) }
    }

    /// The number of moves, and how the game ended by the rules, which no term shows.
    pub(super) fn length(&self) -> String {
        let moves = counted(self.game.moves.len().div_ceil(2) as u64, "move");
        self.outcome.map_or(moves.clone(), |outcome| format!("{moves}, {outcome}"))
    }

    /// What the values are.
    pub(super) fn legend(&self) -> String {
        format!(
            "values of a search of {} for each position, in pawns; + is good for White; # is mate, #- \
             mate by Black",
            self.effort
        )
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, view: ReviewView<'_>) -> fmt::Result {
        let heading = bold(self.game.title());
        wrapped(f, 0, 2, &format!("{heading}, {}", self.length()))?;
        wrapped(f, 0, 0, &self.legend())?;
        for sentence in self.summary() {
            wrapped(f, 0, 4, &sentence)?;
        }
        let shown: Vec<&ReviewedMove> =
            self.moves.iter().filter(|reviewed| view.shows(self, reviewed)).collect();
        if !shown.is_empty() {
            writeln!(f)?;
        }
        for reviewed in shown {
            self.write_move(f, reviewed)?;
        }
        for fault in &self.game.faults {
            wrapped(f, 0, 4, &format!("  broken: {fault}"))?;
        }
        Ok(())
    }

    /// How well both sides played, and where the game turned.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut sentences = summary(&self.moves, self.loser());
        let end = self.outcome.map_or(&*self.game.result, |outcome| outcome.result());
        let tag = self.game.tagged_result().filter(|tag| ![end, "*"].contains(tag));
        let differs = |tag| format!("The tag Result says {tag}, but the game ends with {end}.");
        sentences.extend(tag.map(differs));
        sentences
    }

    /// The side that lost, by the rules or by the result in the file.
    pub(super) fn loser(&self) -> Option<Color> {
        let by_result = match self.game.result.as_str() {
            "1-0" => Some(Color::Black),
            "0-1" => Some(Color::White),
            _ => None,
        };
        self.outcome.map_or(by_result, |outcome| outcome.winner().map(|winner| !winner))
    }

    /// One line: the move, its value, and the best line if it is another one. Below a mistake, why it
    /// is one.
    fn write_move(&self, f: &mut fmt::Formatter<'_>, reviewed: &ReviewedMove) -> fmt::Result {
        let (name, value) = (reviewed.marked_name(), reviewed.played.value.figure());
        let padded = format!("{name:<MOVE_WIDTH$}");
        if reviewed.mark.is_some() {
            writeln!(f, "  {}{value:>VALUE_WIDTH$}", bold(padded))?;
            for sentence in reviewed.sentences() {
                write!(f, "{:INDENT$}", "")?;
                wrapped(f, INDENT, INDENT + 2, &sentence)?;
            }
            let better = reviewed.is_mistake().then_some(("better", &reviewed.best_san));
            for (label, line) in better.into_iter().chain([("leads to", &reviewed.played_san)]) {
                write!(f, "{:INDENT$}", "")?;
                wrapped(f, INDENT, INDENT + 10, &format!("{label}: {line}"))?;
            }
            return Ok(());
        }
        write!(f, "  {padded}{value:>VALUE_WIDTH$}")?;
        if reviewed.is_best() {
            return writeln!(f, "  {}", if reviewed.is_equal { "good" } else { "best" });
        }
        let best: Vec<&str> = reviewed.best_san.split(' ').take(LISTED_PLIES).collect();
        let value = reviewed.best.value.figure();
        let start = 2 + name.chars().count().max(MOVE_WIDTH) + VALUE_WIDTH;
        wrapped(f, start, start + 2, &format!("  best was {} ({value})", best.join(" ")))
    }

    /// Everything in JSON, in pawns and positive if good for White: the value of each position by the search with White's
    /// expected points, and the moves with the best line and the mark of each.
    pub fn json(&self) -> Value {
        let value = |(ply, value): (usize, &WhiteValue)| {
            let expected = value.expected_points(self.game.position(ply).board());
            let (kind, value) = value.json();
            json!({ kind: value, "expected": expected })
        };
        json!({
            "game": self.game.number,
            "heading": self.game.heading(),
            "file": self.game.file,
            "result": self.game.result,
            "end": self.length(),
            "plies": self.game.moves.len(),
            "outcome": self.outcome.map(|outcome| outcome.to_string()),
            "search": self.effort,
            "summary": self.summary(),
            "values": self.values.iter().enumerate().map(value).collect::<Vec<Value>>(),
            "moves": self.json_moves(),
            "broken": self.game.fault(),
        })
    }

    fn json_moves(&self) -> Vec<Value> {
        let uci = |line: &SearchedLine| uci(&self.game.start, &line.moves).into_iter().next();
        let moves = self.moves.iter().map(|reviewed| {
            json!({
                "move": reviewed.name,
                "uci": uci(&reviewed.played),
                "best": uci(&reviewed.best),
                "line": reviewed.best_san,
                "loss": reviewed.loss,
                "mark": reviewed.mark.map(|mark| mark.sign()),
                "reasons": reviewed.reasons,
                "says": reviewed.sentences(),
                "played": reviewed.played_san,
            })
        });
        moves.collect()
    }
}

/// The limits of a search in words.
fn in_words(limits: &Limits) -> String {
    match limits {
        Limits { depth: Some(depth), .. } => format!("depth {depth}"),
        Limits { nodes: Some(nodes), .. } => counted(*nodes, "node"),
        Limits { move_time: Some(time), .. } => format!("{} ms", time.as_millis()),
        _ => "no limits".to_owned(),
    }
}
