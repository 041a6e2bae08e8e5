//! The review of a game: what a search finds in each position, and the mistakes.

use super::game_search::search_positions;
use super::mistakes::{Mark, ReviewedMove, review_moves};
use super::summary::{slide, summary};
use crate::assess::{SearchedLine, Searcher, WhiteValue, played};
use crate::exercise::uci;
use crate::format::{lay_out, plain};
use crate::notation::PlayedGame;
use askama::Template;
use serde_json::{Value, json};
use shakmaty::{Color, Position};
use std::fmt;
use tropism::search::{Game, GameOutcome, Limits};
use tropism::text::{counted, line_in_san};

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

#[derive(Template)]
#[template(path = "review.txt")]
struct ReviewText<'a> {
    it: &'a GameReview,
    shown: Vec<&'a ReviewedMove>,
}

/// The first moves of the best line.
fn first_moves(reviewed: &ReviewedMove) -> String {
    let line = &reviewed.best.moves;
    line_in_san(reviewed.position(), &line[..line.len().min(LISTED_PLIES)])
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
        let ((from, to), number) = (self.numbers, reviewed.position().fullmoves().get());
        let is_players = |name| review.game.side_of(name) == Some(reviewed.side());
        (self.all || reviewed.mark.is_some())
            && self.side.is_none_or(|side| side == reviewed.side())
            && self.player.is_none_or(is_players)
            && from.is_none_or(|from| number >= from)
            && to.is_none_or(|to| number <= to)
    }
}

impl GameReview {
    /// Searches every position of a game within these limits, and calls `progress` after each. It clears the
    /// transposition table first.
    pub fn new(
        searcher: &Searcher,
        game: PlayedGame,
        limits: &Limits,
        mut progress: impl FnMut(),
    ) -> GameReview {
        let searched = search_positions(searcher, &game, limits, &mut progress);
        let values = searched.iter().map(|line| line.value).collect();
        let moves = review_moves(searcher, &game, searched, limits);
        let outcome = played(&Game::new(game.start.clone()), &game.moves).outcome();
        let mut review = GameReview { game, values, effort: in_words(limits), moves, outcome };
        let slide = review.loser().and_then(|loser| slide(&review.moves, loser));
        for step in slide.into_iter().flat_map(|slide| slide.1) {
            let it = &mut review.moves[step];
            if it.mark.is_none() {
                it.best = searcher.defended(&it.game, it.best.clone(), 1, limits);
                it.played = searcher.defended(&it.game, it.played.clone(), 2, limits);
                (it.mark, it.reasons) = (Some(Mark::Inaccuracy), it.why_worse(searcher, limits));
            }
        }
        review
    }

    /// The value of each move, or only of the mistakes with the reasons. In colour, it has the escape codes of
    /// terminals.
    pub fn text(&self, view: ReviewView<'_>, coloured: bool) -> String {
        let shown = self.moves.iter().filter(|reviewed| view.shows(self, reviewed));
        let text = ReviewText { it: self, shown: shown.collect() }.to_string();
        let text = fmt::from_fn(|f| lay_out(f, &text)).to_string();
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

    /// How well both sides played, and where the game turned.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut sentences = summary(&self.moves, self.loser(), self.game.is_lost_on_time());
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
                "move": reviewed.name(),
                "uci": uci(&reviewed.played),
                "best": uci(&reviewed.best),
                "line": reviewed.best_san(),
                "loss": reviewed.loss(),
                "mark": reviewed.mark.map(|mark| mark.sign()),
                "reasons": reviewed.reasons,
                "says": reviewed.sentences(),
                "played": reviewed.played_san(),
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
