//! The review of a game: the value of each term after each move, and the moves that changed a term
//! most.

use super::format::NEGLIGIBLE;
use super::pgn::PlayedGame;
use super::swings::words;
use super::table::TextStyle;
use crate::eval::{Engine, Trace};
use crate::search::{Game, GameOutcome};
use crate::text::{counted, wrapped};
use anstyle::Style;
use serde_json::{Value, json};
use shakmaty::{Chess, Move};
use std::{fmt, ops::Range};

/// The most key moves of a game.
const MAX_KEY_MOVES: usize = 10;
/// The most key moves of one term.
const MAX_PER_TERM: usize = 3;
/// The smallest change of a key move, in centipawns.
const SMALLEST: f64 = 10.0;
/// A move is shown without its neighbour if at least this share of its change lasts.
const LASTING_SHARE: f64 = 0.6;

/// Columns before the words of a key move.
const INDENT: usize = 6;

/// A game with the value of each term after each move. Prints the moves that changed a term most.
#[derive(Clone, Debug)]
pub struct GameReview {
    pub(super) game: PlayedGame,
    /// The terms in the engine's order.
    pub(super) terms: Vec<&'static str>,
    /// For each position of the game the value of each term, in centipawns, positive if good for White.
    pub(super) values: Vec<Vec<f64>>,
    /// The static evaluation of each position, in centipawns, positive if good for White.
    pub(super) totals: Vec<f64>,
    /// How the game has ended by the rules, if it has.
    outcome: Option<GameOutcome>,
    /// In the order of the game.
    pub(super) key_moves: Vec<KeyMove>,
}

/// A move that changed a term, or two moves of an exchange.
#[derive(Clone, Debug)]
pub(super) struct KeyMove {
    /// The index of the position after it.
    pub(super) end: usize,
    /// The index of the term.
    pub(super) term: usize,
    /// The change in centipawns, positive if good for White.
    pub(super) change: f64,
    /// The move or moves as players write them.
    pub(super) name: String,
    /// What changed, in words.
    pub(super) words: String,
    pub(super) played: Vec<Move>,
    pub(super) after: Chess,
}

impl GameReview {
    /// Evaluates every position of a game.
    pub fn new(engine: &Engine, game: PlayedGame) -> GameReview {
        let mut played = Game::new(game.start.clone());
        let mut traces = vec![engine.trace(&game.start)];
        for &m in &game.moves {
            played.play(m);
            traces.push(engine.trace(played.position().chess()));
        }
        let now = |trace: &Trace| -> Vec<f64> {
            trace.rows.iter().map(|row| row.total().centipawns(trace.phase)).collect()
        };
        let white = |trace: &Trace| f64::from(trace.turn.fold_wb(trace.value, -trace.value));
        let mut review = GameReview {
            game,
            terms: engine.terms().collect(),
            values: traces.iter().map(now).collect(),
            totals: traces.iter().map(white).collect(),
            outcome: played.outcome(),
            key_moves: Vec::new(),
        };
        review.key_moves = review.find_key_moves(&traces);
        review
    }

    /// The moves that changed a term most.
    fn find_key_moves(&self, traces: &[Trace]) -> Vec<KeyMove> {
        let plies = 0..self.game.moves.len();
        let all = plies.flat_map(|ply| (0..self.terms.len()).map(move |term| (ply, term)));
        let mut changes: Vec<_> =
            all.map(|(ply, term)| (self.lasting(ply, term), ply, term)).collect();
        changes.retain(|((lasting, _), ..)| *lasting >= SMALLEST);
        changes.sort_by(|a, b| b.0.0.total_cmp(&a.0.0));
        let mut counts = vec![0; self.terms.len()];
        changes.retain(|&(_, _, term)| {
            counts[term] += 1;
            counts[term] <= MAX_PER_TERM
        });
        changes.truncate(MAX_KEY_MOVES);
        changes.sort_by_key(|&(_, ply, _)| ply);
        let key_move = |((_, span), _, term): ((f64, Range<usize>), usize, usize)| {
            let (name, after) = self.game.name(span.clone());
            let [old, new] = [&traces[span.start], &traces[span.end]];
            let words = words([(&old.rows[term], old.phase), (&new.rows[term], new.phase)]);
            let change = self.values[span.end][term] - self.values[span.start][term];
            let played = self.game.moves[span.clone()].to_vec();
            KeyMove { end: span.end, term, change, name, words, played, after }
        };
        changes.into_iter().map(key_move).collect()
    }

    /// How much of the change of a move lasts, and the plies that it is measured over. The change
    /// lasts if it is not just the reversal of the move before, and if the reply does not reverse it.
    /// In an exchange only the net change of capture and recapture counts.
    fn lasting(&self, ply: usize, term: usize) -> (f64, Range<usize>) {
        let change =
            |span: &Range<usize>| self.values[span.end][term] - self.values[span.start][term];
        let alone = ply..ply + 1;
        let answering = ply.saturating_sub(1)..ply + 1;
        let answered = ply..(ply + 2).min(self.values.len() - 1);
        let sign = change(&alone).signum();
        let lasting = [&alone, &answering, &answered].map(|span| sign * change(span));
        let lasting = lasting.into_iter().fold(f64::INFINITY, f64::min).max(0.0);
        let whole = |span: &Range<usize>| sign * change(span) * LASTING_SHARE <= lasting;
        let spans = [alone, answering, answered];
        let span = spans.iter().find(|span| whole(span)).unwrap_or(&spans[0]);
        (lasting, span.clone())
    }

    /// The error in the game, if there is one, with the number of the game and the players.
    pub fn fault(&self) -> Option<String> {
        let fault = self.game.fault.as_ref()?;
        Some(format!("game {} ({}), {fault}", self.game.number, self.game.heading))
    }

    /// The same in colour, with the escape codes of terminals. Write it to a stream that removes them
    /// for a terminal without colours.
    pub fn coloured(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write(f, true))
    }

    /// The indices of the terms that contributed something in some position.
    pub(super) fn contributing_terms(&self) -> Vec<usize> {
        let contributes =
            |&term: &usize| self.values.iter().any(|row| row[term].abs() >= NEGLIGIBLE);
        (0..self.terms.len()).filter(contributes).collect()
    }

    /// The number of moves, and how the game ended by the rules, which no term shows.
    pub(super) fn length(&self) -> String {
        let moves = counted(self.game.moves.len().div_ceil(2) as u64, "move");
        self.outcome.map_or(moves.clone(), |outcome| format!("{moves}, {outcome}"))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, coloured: bool) -> fmt::Result {
        let text_style = TextStyle { coloured };
        let bold = text_style.style(Style::new().bold());
        let PlayedGame { number, heading, .. } = &self.game;
        writeln!(f, "{bold}game {number}: {heading}{bold:#}, {}", self.length())?;
        if let [first, .., last] = self.totals[..] {
            let [first, last] = [first, last].map(|value| text_style.value(value, 0));
            // The evaluation of a finished game has no meaning.
            let end = self.outcome.map_or(format!(", {last} at the end"), |_| String::new());
            writeln!(f, "value {first} at the start{end}; + is good for White")?;
        }
        for key_move in &self.key_moves {
            let term = self.terms[key_move.term];
            let change = text_style.value(key_move.change, 0);
            writeln!(f, "  after {bold}{}{bold:#}: {term} {change}", key_move.name)?;
            write!(f, "{:INDENT$}", "")?;
            wrapped(f, INDENT, INDENT, &key_move.words)?;
        }
        if self.key_moves.is_empty() {
            writeln!(f, "  no term changed by {:.2} or more", SMALLEST / 100.0)?;
        }
        if let Some(fault) = &self.game.fault {
            writeln!(f, "  broken: {fault}")?;
        }
        Ok(())
    }

    /// Everything in JSON: the value of each term in each position, in pawns and positive if good for
    /// White, and the moves that changed a term most, as `swings`.
    pub fn json(&self) -> Value {
        let pawns = |values: Vec<f64>| values.into_iter().map(|value| value / 100.0).collect();
        let curve =
            |term: usize| -> Vec<f64> { pawns(self.values.iter().map(|row| row[term]).collect()) };
        let curves = self
            .contributing_terms()
            .into_iter()
            .map(|term| json!({ "name": self.terms[term], "values": curve(term) }));
        let swings = self.key_moves.iter().map(|key_move| {
            json!({
                "ply": key_move.end,
                "move": key_move.name,
                "term": self.terms[key_move.term],
                "change": key_move.change / 100.0,
                "words": key_move.words,
            })
        });
        let values: Vec<f64> = pawns(self.totals.clone());
        json!({
            "game": self.game.number,
            "heading": self.game.heading,
            "plies": self.game.moves.len(),
            "outcome": self.outcome.map(|outcome| outcome.to_string()),
            "values": values,
            "terms": curves.collect::<Vec<_>>(),
            "swings": swings.collect::<Vec<_>>(),
            "broken": self.game.fault,
        })
    }
}

impl fmt::Display for GameReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pgn::tests::games;
    use super::*;

    #[test]
    fn a_lost_piece_is_a_key_move_and_an_exchange_is_not() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 Nc6 5. Bb5 Nf6 6. Bxc6 dxc6 7. O-O *\n";
        let engine = crate::default_engine().unwrap();
        let review = GameReview::new(&engine, games("swing", text).remove(0));
        assert_eq!((review.values.len(), review.totals.len()), (14, 14));
        let material: Vec<(&str, &str)> = review
            .key_moves
            .iter()
            .filter(|key_move| review.terms[key_move.term] == "material")
            .map(|key_move| (key_move.name.as_str(), key_move.words.as_str()))
            .collect();
        assert_eq!(material, [("3...Nxe5", "White has 1 fewer knight (2 to 1)")]);
        for (values, total) in review.values.iter().zip(&review.totals) {
            let sum: f64 = values.iter().sum();
            assert!((sum - total).abs() < 1.0, "{sum} {total}");
        }
        let text = review.to_string();
        assert!(text.starts_with("game 1: ? - ?, *, 7 moves\n"), "{text}");
        assert!(text.contains("after 3...Nxe5: material -"), "{text}");
        assert_eq!(review.json()["plies"], 13);
    }
}
