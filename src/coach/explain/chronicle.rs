//! A game told by the terms: their values after each move, and the moves that changed them.

use super::reasons::side_name;
use super::swings::words;
use super::table::{Pen, wrapped};
use super::{NOTHING, PlayedGame, signed};
use crate::eval::{Engine, Trace};
use anstyle::Style;
use serde_json::{Value, json};
use shakmaty::{Chess, Move, Position};
use std::{fmt, ops::Range};

/// Swings told of a game.
const TOLD: usize = 10;
/// Of one term.
const TOLD_OF_TERM: usize = 3;
/// The least change that is told, in centipawns.
const LEAST: f64 = 10.0;
/// A move is told alone if this share of its change lasts.
const MOST_OF: f64 = 0.6;

/// A game with what each term said after each move. Prints the moves after which a term swung most.
#[derive(Clone, Debug)]
pub struct Chronicle {
    pub(super) game: PlayedGame,
    /// The terms in the engine's order.
    pub(super) terms: Vec<&'static str>,
    /// In centipawns, White's point of view: for each position of the game what each term says.
    pub(super) values: Vec<Vec<f64>>,
    /// What the engine makes of it.
    pub(super) totals: Vec<f64>,
    /// The position it ended in.
    last: Chess,
    /// In the order of the game.
    pub(super) turns: Vec<Turn>,
}

/// A move after which a term swung, or two of an exchange, and the position it led to.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The place of that position.
    pub(super) end: usize,
    /// The place of the term.
    pub(super) term: usize,
    /// The change in centipawns, White's point of view.
    pub(super) change: f64,
    /// The move with its number.
    pub(super) name: String,
    pub(super) words: String,
    pub(super) played: Vec<Move>,
    pub(super) after: Chess,
}

impl Chronicle {
    /// Looks at every position of a game.
    pub fn new(engine: &Engine, game: PlayedGame) -> Chronicle {
        let mut position = game.start.clone();
        let mut traces = vec![engine.trace(&position)];
        for &m in &game.moves {
            position.play_unchecked(m);
            traces.push(engine.trace(&position));
        }
        let now = |trace: &Trace| -> Vec<f64> {
            trace.rows.iter().map(|row| row.total().centipawns(trace.phase)).collect()
        };
        let white = |trace: &Trace| f64::from(trace.turn.fold_wb(trace.value, -trace.value));
        let mut told = Chronicle {
            game,
            terms: engine.terms().collect(),
            values: traces.iter().map(now).collect(),
            totals: traces.iter().map(white).collect(),
            last: position,
            turns: Vec::new(),
        };
        told.turns = told.largest(&traces);
        told
    }

    /// The moves to be told.
    fn largest(&self, traces: &[Trace]) -> Vec<Turn> {
        let plies = 0..self.game.moves.len();
        let all = plies.flat_map(|ply| (0..self.terms.len()).map(move |term| (ply, term)));
        let mut swings: Vec<_> =
            all.map(|(ply, term)| (self.lasting(ply, term), ply, term)).collect();
        swings.retain(|((lasting, _), ..)| *lasting >= LEAST);
        swings.sort_by(|a, b| b.0.0.total_cmp(&a.0.0));
        let mut told = vec![0; self.terms.len()];
        swings.retain(|&(_, _, term)| {
            told[term] += 1;
            told[term] <= TOLD_OF_TERM
        });
        swings.truncate(TOLD);
        swings.sort_by_key(|&(_, ply, _)| ply);
        let turn = |((_, span), _, term): ((f64, Range<usize>), usize, usize)| {
            let (name, after) = self.game.name(span.clone());
            let [old, new] = [&traces[span.start], &traces[span.end]];
            let words = words([(&old.rows[term], old.phase), (&new.rows[term], new.phase)]);
            let change = self.values[span.end][term] - self.values[span.start][term];
            let played = self.game.moves[span.clone()].to_vec();
            Turn { end: span.end, term, change, name, words, played, after }
        };
        swings.into_iter().map(turn).collect()
    }

    /// How much of a move's change was neither there before the move it answers nor gone after the
    /// answer to it, and between which positions that is: what an exchange only moves to and fro is
    /// no swing, and what is left of it is told of both moves.
    fn lasting(&self, ply: usize, term: usize) -> (f64, Range<usize>) {
        let change =
            |span: &Range<usize>| self.values[span.end][term] - self.values[span.start][term];
        let alone = ply..ply + 1;
        let answering = ply.saturating_sub(1)..ply + 1;
        let answered = ply..(ply + 2).min(self.values.len() - 1);
        let sign = change(&alone).signum();
        let least = [&alone, &answering, &answered].map(|span| sign * change(span));
        let least = least.into_iter().fold(f64::INFINITY, f64::min).max(0.0);
        let whole = |span: &Range<usize>| sign * change(span) * MOST_OF <= least;
        let spans = [alone, answering, answered];
        let span = spans.iter().find(|span| whole(span)).unwrap_or(&spans[0]);
        (least, span.clone())
    }

    /// What is wrong with the game, with its number and names.
    pub fn fault(&self) -> Option<String> {
        let fault = self.game.fault.as_ref()?;
        Some(format!("game {} ({}), {fault}", self.game.number, self.game.heading))
    }

    /// The same with the escape codes of terminals. Write it to a stream that removes them where
    /// they are not understood.
    pub fn painted(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write(f, true))
    }

    /// The terms that said something at some time, by their place.
    pub(super) fn speaking(&self) -> Vec<usize> {
        let says = |&term: &usize| self.values.iter().any(|row| row[term].abs() >= NOTHING);
        (0..self.terms.len()).filter(says).collect()
    }

    /// How long it was, and whether it ended in mate, which no term sees.
    pub(super) fn length(&self) -> String {
        let moves = match self.game.moves.len().div_ceil(2) {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        match &self.last {
            last if last.is_checkmate() => format!("{moves}, {} mates", side_name(!last.turn())),
            _ => moves,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, painted: bool) -> fmt::Result {
        let pen = Pen { painted };
        let bold = pen.style(Style::new().bold());
        let PlayedGame { number, heading, .. } = &self.game;
        writeln!(f, "{bold}game {number}: {heading}{bold:#}, {}", self.length())?;
        if let [first, .., last] = self.totals[..] {
            let [first, last] = [first, last].map(|value| pen.value(value, 0));
            writeln!(f, "White's view: {first} at the start, {last} at the end")?;
        }
        for turn in &self.turns {
            let term = self.terms[turn.term];
            write!(f, "  after {bold}{:<16}{bold:#} {term:<18}", turn.name)?;
            write!(f, "{}  ", pen.value(turn.change, 6))?;
            wrapped(f, 52, 25, &turn.words)?;
        }
        if self.turns.is_empty() {
            writeln!(f, "  no term swung by {} or more", signed(LEAST))?;
        }
        if let Some(fault) = &self.game.fault {
            writeln!(f, "  broken: {fault}")?;
        }
        Ok(())
    }

    /// Everything in JSON: the value of each term in each position, in pawns and White's point of view,
    /// and the swings.
    pub fn json(&self) -> Value {
        let pawns = |values: Vec<f64>| values.into_iter().map(|value| value / 100.0).collect();
        let curve =
            |term: usize| -> Vec<f64> { pawns(self.values.iter().map(|row| row[term]).collect()) };
        let curves = self
            .speaking()
            .into_iter()
            .map(|term| json!({ "name": self.terms[term], "values": curve(term) }));
        let swings = self.turns.iter().map(|turn| {
            json!({
                "ply": turn.end,
                "move": turn.name,
                "term": self.terms[turn.term],
                "change": turn.change / 100.0,
                "words": turn.words,
            })
        });
        let values: Vec<f64> = pawns(self.totals.clone());
        json!({
            "game": self.game.number,
            "heading": self.game.heading,
            "plies": self.game.moves.len(),
            "values": values,
            "terms": curves.collect::<Vec<_>>(),
            "swings": swings.collect::<Vec<_>>(),
            "broken": self.game.fault,
        })
    }
}

impl fmt::Display for Chronicle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::games;
    use super::*;

    #[test]
    fn an_exchange_is_no_swing_and_a_piece_left_hanging_is() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 Nc6 5. Bb5 Nf6 6. Bxc6 dxc6 7. O-O *\n";
        let engine = crate::default_engine().unwrap();
        let told = Chronicle::new(&engine, games("swing", text).remove(0));
        assert_eq!((told.values.len(), told.totals.len()), (14, 14));
        let material: Vec<(&str, &str)> = told
            .turns
            .iter()
            .filter(|turn| told.terms[turn.term] == "material")
            .map(|turn| (turn.name.as_str(), turn.words.as_str()))
            .collect();
        assert_eq!(material, [("3...Nxe5", "White has 1 fewer knight (2 to 1)")]);
        for (values, total) in told.values.iter().zip(&told.totals) {
            let sum: f64 = values.iter().sum();
            assert!((sum - total).abs() < 1.0, "{sum} {total}");
        }
        let text = told.to_string();
        assert!(text.starts_with("game 1: ? - ?, *, 7 moves\n"), "{text}");
        assert!(text.contains("after 3...Nxe5         material           -"), "{text}");
        assert_eq!(told.json()["plies"], 13);
    }
}
