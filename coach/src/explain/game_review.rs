//! The review of a game: what a search finds in each position, the mistakes, and the moves that changed
//! a term most.

use super::game_search::{SearchedPosition, search_positions};
use super::mistakes::{ReviewedMove, review_moves};
use super::summary::summary;
use super::swings::words;
use super::table::TextStyle;
use crate::assess::{Searcher, WhiteValue};
use crate::format::NEGLIGIBLE;
use crate::notation::PlayedGame;
use serde_json::{Map, Value, json};
use shakmaty::{Chess, Color, Move, Position};
use std::{fmt, ops::Range};
use tropism::eval::{Engine, Trace};
use tropism::search::{Game, GameOutcome, Limits, TranspositionTable};
use tropism::text::{castling_mode, counted, wrapped};

/// The most key moves of a game.
const MAX_KEY_MOVES: usize = 10;
/// The most key moves of one term.
const MAX_PER_TERM: usize = 3;
/// The smallest change of a key move, in centipawns.
const SMALLEST: f64 = 10.0;
/// A move is shown without its neighbour if at least this share of its change lasts.
const LASTING_SHARE: f64 = 0.6;

/// Columns before the words of a key move, and before those of a mistake.
const INDENT: usize = 6;
const MISTAKE_INDENT: usize = 4;
/// Columns of a move and of its value.
const MOVE_WIDTH: usize = 14;
const VALUE_WIDTH: usize = 7;
/// The most plies of a best line in the list of moves.
const LISTED_PLIES: usize = 6;

/// A game with the result of a search of each position. Prints the value of each move, why mistakes
/// are mistakes, and the moves that changed a term most.
#[derive(Clone, Debug)]
pub struct GameReview {
    pub(super) game: PlayedGame,
    /// The terms in the engine's order.
    pub(super) terms: Vec<String>,
    /// For each position of the game the value of each term, in centipawns, positive if good for White.
    pub(super) values: Vec<Vec<f64>>,
    /// The static evaluation of each position, in centipawns, positive if good for White.
    pub(super) totals: Vec<f64>,
    /// What the search found in each position.
    pub(super) searched: Vec<SearchedPosition>,
    /// The limits of the search in words.
    pub(super) effort: String,
    /// The moves in their order.
    pub(super) moves: Vec<ReviewedMove>,
    /// How the game ended by the rules.
    outcome: Option<GameOutcome>,
    /// In the order of the game.
    pub(super) key_moves: Vec<KeyMove>,
}

/// Which moves of a review are shown.
#[derive(Copy, Clone, Default, Debug)]
pub struct ReviewView {
    /// All moves, not only those that lose something.
    pub all: bool,
    /// Only the moves of this side.
    pub side: Option<Color>,
    /// Only moves from this number and up to this one.
    pub numbers: (Option<u32>, Option<u32>),
    /// The moves that changed a term most as well.
    pub terms: bool,
}

impl ReviewView {
    pub(super) fn shows(self, reviewed: &ReviewedMove) -> bool {
        let (from, to) = self.numbers;
        (self.all || reviewed.mark.is_some())
            && self.side.is_none_or(|side| side == reviewed.side)
            && from.is_none_or(|from| reviewed.number >= from)
            && to.is_none_or(|to| reviewed.number <= to)
    }
}

/// A move that changed a term, or two moves of an exchange.
#[derive(Clone, Debug)]
pub struct KeyMove {
    /// The index of the position after it.
    pub end: usize,
    /// The index of the term.
    pub term: usize,
    /// The change in centipawns, positive if good for White.
    pub change: f64,
    /// The move or moves as players write them.
    pub name: String,
    /// What changed, in words.
    pub words: String,
    pub played: Vec<Move>,
    pub after: Chess,
}

impl GameReview {
    /// The nodes of a search if no limits are given.
    pub const DEFAULT_NODES: u64 = 100_000;

    /// Searches every position of a game within these limits, and calls `progress` after each. It clears the
    /// transposition table first.
    pub fn new(
        engine: &Engine,
        game: PlayedGame,
        limits: &Limits,
        table: &TranspositionTable,
        mut progress: impl FnMut(),
    ) -> GameReview {
        let mut searched = search_positions(engine, &game, limits, table, &mut progress);
        let moves = review_moves(&Searcher { engine, table }, &game, &mut searched, limits);
        let mut end = Game::new(game.start.clone());
        let mut traces = vec![engine.trace(&game.start)];
        for &m in &game.moves {
            end.play(m);
            traces.push(engine.trace(end.position().chess()));
        }
        let now = |trace: &Trace| -> Vec<f64> {
            trace.rows.iter().map(|row| row.total().centipawns(trace.context.phase)).collect()
        };
        let white =
            |trace: &Trace| f64::from(trace.context.turn.fold_wb(trace.value, -trace.value));
        let mut review = GameReview {
            game,
            terms: engine.terms().map(str::to_owned).collect(),
            values: traces.iter().map(now).collect(),
            totals: traces.iter().map(white).collect(),
            searched,
            effort: in_words(limits),
            moves,
            outcome: end.outcome(),
            key_moves: Vec::new(),
        };
        review.key_moves = review.find_key_moves(&traces);
        review
    }

    /// The last position whose evaluation has a meaning: after mate or stalemate it has none.
    fn last_evaluated(&self) -> usize {
        (self.values.len() - 1).saturating_sub(self.outcome.is_some().into())
    }

    /// The moves that changed a term most.
    fn find_key_moves(&self, traces: &[Trace]) -> Vec<KeyMove> {
        let plies = 0..self.last_evaluated();
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
            let words =
                words([(&old.rows[term], old.context.phase), (&new.rows[term], new.context.phase)]);
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
        let answered = ply..(ply + 2).min(self.last_evaluated());
        let sign = change(&alone).signum();
        let lasting = [&alone, &answering, &answered].map(|span| sign * change(span));
        let lasting = lasting.into_iter().fold(f64::INFINITY, f64::min).max(0.0);
        let whole = |span: &Range<usize>| sign * change(span) * LASTING_SHARE <= lasting;
        let spans = [alone, answering, answered];
        let span = spans.iter().find(|span| whole(span)).unwrap_or(&spans[0]);
        (lasting, span.clone())
    }

    /// The same in colour, with the escape codes of terminals. Write it to a stream that removes them
    /// for a terminal without colours.
    pub fn coloured(&self, view: ReviewView) -> impl fmt::Display {
        fmt::from_fn(move |f| self.write(f, view, true))
    }

    /// The same without colour.
    pub fn plain(&self, view: ReviewView) -> impl fmt::Display {
        fmt::from_fn(move |f| self.write(f, view, false))
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

    /// What the values are.
    pub(super) fn legend(&self) -> String {
        format!(
            "values of a search of {} for each position, in pawns; + is good for White; # is mate, #- \
             mate by Black",
            self.effort
        )
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, view: ReviewView, coloured: bool) -> fmt::Result {
        let text_style = TextStyle { coloured };
        let heading = text_style.bold(self.game.title());
        wrapped(f, 0, 2, &format!("{heading}, {}", self.length()))?;
        wrapped(f, 0, 0, &self.legend())?;
        for sentence in self.summary() {
            wrapped(f, 0, 2, &sentence)?;
        }
        let shown: Vec<&ReviewedMove> =
            self.moves.iter().filter(|reviewed| view.shows(reviewed)).collect();
        if !shown.is_empty() {
            writeln!(f)?;
        }
        for reviewed in shown {
            self.write_move(f, reviewed, text_style)?;
        }
        if view.terms {
            self.write_key_moves(f, text_style)?;
        }
        for fault in &self.game.faults {
            wrapped(f, 0, 4, &format!("  broken: {fault}"))?;
        }
        Ok(())
    }

    fn write_key_moves(&self, f: &mut fmt::Formatter<'_>, text_style: TextStyle) -> fmt::Result {
        writeln!(f, "\nmoves that changed a term of the static evaluation most")?;
        for key_move in &self.key_moves {
            let term = &self.terms[key_move.term];
            let change = text_style.value(key_move.change, 0);
            writeln!(f, "  after {}: {term} {change}", text_style.bold(&key_move.name))?;
            write!(f, "{:INDENT$}", "")?;
            wrapped(f, INDENT, INDENT, &key_move.words)?;
        }
        if self.key_moves.is_empty() {
            writeln!(f, "  no term changed by {:.2} or more", SMALLEST / 100.0)?;
        }
        Ok(())
    }

    /// How well both sides played, and where the game turned.
    pub(super) fn summary(&self) -> Vec<String> {
        let start = self.searched.first().map_or(WhiteValue::Centipawns(0), |first| first.value);
        summary(&self.game, &self.moves, start)
    }

    /// One line: the move, its value, and the best line if it is another one. Below a mistake, why it
    /// is one.
    fn write_move(
        &self,
        f: &mut fmt::Formatter<'_>,
        reviewed: &ReviewedMove,
        text_style: TextStyle,
    ) -> fmt::Result {
        let (name, value) = (reviewed.marked_name(), reviewed.value.figure());
        let padded = format!("{name:<MOVE_WIDTH$}");
        match reviewed.mark {
            Some(_) => write!(f, "  {}", text_style.bold(padded))?,
            None => write!(f, "  {padded}")?,
        }
        write!(f, "{value:>VALUE_WIDTH$}")?;
        match reviewed.mark {
            Some(_) => {
                writeln!(f)?;
                for sentence in reviewed.sentences() {
                    write!(f, "{:MISTAKE_INDENT$}", "")?;
                    wrapped(f, MISTAKE_INDENT, MISTAKE_INDENT + 2, &sentence)?;
                }
                for (label, line) in
                    [("better", &reviewed.best_san), ("played", &reviewed.played_san)]
                {
                    write!(f, "{:MISTAKE_INDENT$}", "")?;
                    wrapped(f, MISTAKE_INDENT, MISTAKE_INDENT + 8, &format!("{label}: {line}"))?;
                }
                Ok(())
            }
            None if reviewed.is_best => writeln!(f, "  best"),
            None => {
                let best: Vec<&str> = reviewed.best_san.split(' ').take(LISTED_PLIES).collect();
                let value = reviewed.best_value.figure();
                let start = 2 + name.chars().count().max(MOVE_WIDTH) + VALUE_WIDTH;
                wrapped(f, start, start + 2, &format!("  best was {} ({value})", best.join(" ")))
            }
        }
    }

    /// Everything in JSON, in pawns and positive if good for White: the value of each position by the
    /// search, the moves with the best line and the mark of each, the static evaluation and each of its
    /// terms in each position, and the moves that changed a term most, as `swings`.
    pub fn json(&self) -> Value {
        let pawns = |values: &[f64]| values.iter().map(|value| value / 100.0).collect::<Vec<_>>();
        let curve =
            |term: usize| pawns(&self.values.iter().map(|row| row[term]).collect::<Vec<_>>());
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
            "values": self.json_values(),
            "moves": self.json_moves(),
            "static": pawns(&self.totals),
            "terms": curves.collect::<Vec<_>>(),
            "swings": swings.collect::<Vec<_>>(),
            "broken": self.game.fault(),
        })
    }

    /// For each position its value and White's expected points.
    fn json_values(&self) -> Vec<Value> {
        let mut position = self.game.start.clone();
        let mut moves = self.game.moves.iter();
        let values = self.searched.iter().map(|searched| {
            let expected = searched.value.expected_points(position.board());
            if let Some(&m) = moves.next() {
                position.play_unchecked(m);
            }
            let (kind, value) = searched.value.json();
            json!({ kind: value, "expected": expected })
        });
        values.collect()
    }

    fn json_moves(&self) -> Vec<Value> {
        let mode = castling_mode(&self.game.start);
        let uci = |m: &Move| m.to_uci(mode).to_string();
        let moves = self.moves.iter().zip(&self.game.moves).map(|(reviewed, played)| {
            let mut object = Map::new();
            let mut add = |key: &str, value: Value| object.insert(key.to_owned(), value);
            add("move", json!(reviewed.name));
            add("uci", json!(uci(played)));
            add("best", json!(reviewed.best_line.first().map(uci)));
            add("line", json!(reviewed.best_san));
            add("loss", json!((reviewed.loss * 1e4).round() / 1e4));
            add("mark", json!(reviewed.mark.map(|mark| mark.sign())));
            add("reasons", json!(reviewed.reasons));
            add("played", json!(reviewed.played_san));
            Value::Object(object)
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

impl fmt::Display for GameReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, ReviewView::default(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Games;

    #[test]
    fn a_lost_piece_is_a_key_move_and_an_exchange_is_not() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 Nc6 5. Bb5 Nf6 6. Bxc6 dxc6 7. O-O *\n";
        let engine = tropism::default_engine().unwrap();
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let mut searched = 0;
        let game = Games::new(text).next().unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let review = GameReview::new(&engine, game, &limits, &table, || searched += 1);
        assert_eq!((searched, review.moves.len()), (14, 13));
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
        let terms = ReviewView { terms: true, ..ReviewView::default() };
        let with_terms = review.plain(terms).to_string();
        assert!(with_terms.contains("after 3...Nxe5: material -"), "{with_terms}");
        assert_eq!(review.json()["plies"], 13);
    }

    #[test]
    fn after_mate_no_term_changes() {
        let engine = tropism::default_engine().unwrap();
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let mate = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
        let table = TranspositionTable::new(1).unwrap();
        let review =
            GameReview::new(&engine, Games::new(mate).next().unwrap(), &limits, &table, || ());
        assert!(!review.key_moves.is_empty());
        assert!(review.key_moves.iter().all(|key_move| key_move.end < 7), "{review}");
    }
}
