//! Self-contained pages of HTML.

use super::curves::{self, MOST};
use super::explanation::{Explanation, TermExplanation};
use super::game_review::GameReview;
use super::mistakes::ReviewedMove;
use crate::board::{self, Overlay, SquareValue};
use crate::format::{NEGLIGIBLE, signed};
use askama::Template;
use shakmaty::{Chess, Color, Move, Position, Square};
use std::collections::BTreeMap;
use tropism::eval::{Arrow, Counted, Seen, round_to_sum};
use tropism::text::{numbered_moves, side_name};

/// The most reasons below a board; the others are folded.
const MAX_LISTED: usize = 4;
/// The most moves of the best line drawn on the board.
const MAX_ARROWS: usize = 3;

#[derive(Template)]
#[template(path = "position.html")]
struct PositionPage<'a> {
    engine: &'a str,
    explained: &'a Explanation,
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    engine: &'a str,
    reviews: &'a [GameReview],
}

/// A move to click on, and the position after it. The script of the page draws what it has, and knows no rules.
struct StepView {
    /// The move as players write it, with its number where it needs one.
    text: String,
    /// The pieces after it, as a FEN has them.
    pieces: String,
    /// The squares of the move, `e2e4`.
    squares: String,
}

/// A line that a page plays on its board.
fn steps(start: &Chess, moves: &[Move]) -> Vec<StepView> {
    let mut position = start.clone();
    let step = |(&m, text): (&Move, String)| {
        let squares = board::ends(m, position.turn()).map(|(from, to)| format!("{from}{to}"));
        position.play_unchecked(m);
        let (pieces, squares) = (position.board().to_string(), squares.unwrap_or_default());
        StepView { text, pieces, squares }
    };
    moves.iter().zip(numbered_moves(start, moves)).map(step).collect()
}

impl Explanation {
    /// One page of HTML that needs no other file. It is also well-formed XML. Each term that
    /// contributes something has a board.
    pub fn page(&self) -> String {
        PositionPage { engine: &self.trace.engine, explained: self }.to_string()
    }

    /// The board of the position, with the first moves of the best line.
    fn main_board(&self) -> String {
        let best = self.assessment.as_ref().and_then(|found| found.best.as_ref());
        let moves = best.map_or(&[][..], |best| &best.line);
        let turn = self.trace.position.turn();
        let sides = [turn, !turn].into_iter().cycle();
        let moves = moves.iter().zip(sides).take(MAX_ARROWS);
        let arrows = moves.map(|(&m, side)| (m, side, side.fold_wb("white", "black")));
        let overlay = Overlay::of_moves(arrows);
        board::draw(&self.trace.position, &overlay, &format!("The position {}", self.fen))
    }

    /// The board of a term.
    fn board(&self, term: &TermExplanation, overlay: &Overlay) -> String {
        let name = format!("{}: contributions by square", term.row.name());
        board::draw(&self.trace.position, overlay, &name)
    }

    /// Where the bar of a term begins and ends, in percent of the width: from the middle to the right for White, to the
    /// left for Black, as long as its share of the largest value.
    fn bar(&self, term: &TermExplanation) -> (f64, f64) {
        let largest = self.terms.iter().map(|term| f64::from(term.value().abs()));
        let share = f64::from(term.value()) / largest.fold(NEGLIGIBLE, f64::max);
        (50.0 + 50.0 * share.min(0.0), 50.0 + 50.0 * share.max(0.0))
    }

    /// What the board of a term shows.
    fn overlay(&self, term: &TermExplanation) -> Overlay {
        let mut marks = self.trace.marks(&term.row);
        let values = self.square_values(term, &marks.arrows);
        let has_figures = values.iter().any(|square| !square.figure.is_empty());
        let unit = figure_unit(term).filter(|_| has_figures);
        let told = unit.map(|unit| format!("The number at the top of a square: {unit}."));
        marks.legend.extend(told);
        if marks.arrows.iter().any(|arrow| arrow.length.is_some()) {
            marks.legend.push("The number on an arrow: the length of its way.".to_owned());
        }
        Overlay { values, marks, ..Overlay::default() }
    }

    /// What the board of a term shows in addition to the pieces, for a program that draws the pieces itself.
    /// `None` if the engine does not have the term, or if the game is over.
    pub fn layers(&self, term: &str, is_turned: bool) -> Option<TermLayers> {
        let term = self.terms.iter().find(|known| known.row.name() == term)?;
        let overlay = self.overlay(term);
        let notes = notes(&overlay);
        let overlay = if is_turned { overlay.turned() } else { overlay };
        let [under, over] = board::layers(&overlay);
        Some(TermLayers { under, over, notes })
    }

    /// What each square contributes to a term. A number is the sum of the lines of its tooltip, and the squares
    /// add up to the term.
    pub(super) fn square_values(
        &self,
        term: &TermExplanation,
        arrows: &[Arrow],
    ) -> Vec<SquareValue> {
        let mut squares: BTreeMap<Square, Vec<(i32, String, String)>> = BTreeMap::new();
        let has_figures = figure_unit(term).is_some();
        for (reason, whole) in &term.reasons {
            let sides = Color::ALL.into_iter().zip(&reason.seen);
            let all: Vec<(Color, &Seen)> =
                sides.flat_map(|(side, seen)| seen.iter().map(move |seen| (side, seen))).collect();
            let worth =
                |(side, seen): &(Color, &Seen)| self.now(side.fold_wb(seen.worth, -seen.worth));
            let worths = round_to_sum(&all.iter().map(worth).collect::<Vec<f64>>(), *whole);
            for ((side, seen), worth) in all.into_iter().zip(worths) {
                let figure = reason.number(seen).replace(" or more", "+");
                let line =
                    format!("{} {}", signed(f64::from(worth)), reason.sentence_of(side, seen));
                squares.entry(seen.square).or_default().push((worth, figure, line));
            }
        }
        let value = |seen: &[(i32, String, String)]| seen.iter().map(|seen| seen.0).sum::<i32>();
        let largest = squares.values().map(|seen| value(seen).abs()).max().unwrap_or_default();
        let values = squares.into_iter().map(|(square, mut seen)| {
            seen.sort_by_key(|seen| std::cmp::Reverse(seen.0.abs()));
            let is_on_arrow = |figure: &str| {
                let starts = arrows.iter().filter(|arrow| arrow.squares.first() == Some(&square));
                starts.filter_map(|arrow| arrow.length).any(|length| length.to_string() == figure)
            };
            // Words do not fit on a square; the tooltip has them.
            let fits = |figure: &str| !figure.contains(char::is_alphabetic) && !is_on_arrow(figure);
            let figure = match &seen[..] {
                [(_, figure, _)] if has_figures && fits(figure) => figure,
                _ => "",
            };
            let lines: Vec<&str> = seen.iter().map(|seen| seen.2.as_str()).collect();
            SquareValue {
                square,
                value: value(&seen),
                strength: f64::from(value(&seen).abs()) / f64::from(largest.max(1)),
                figure: figure.to_owned(),
                tooltip: format!("{square}\n{}", lines.join("\n")),
            }
        });
        values.collect()
    }
}

/// What the figures on the squares count, if all count the same. Otherwise no figure would say what it means.
fn figure_unit(term: &TermExplanation) -> Option<String> {
    let mut units = term.reasons.iter().map(|(reason, _)| reason.spec.meaning.unit());
    let first = units.next()??;
    units.all(|unit| unit.as_ref() == Some(&first)).then_some(first)
}

/// What a board shows of one term. Both pictures are SVG of the 64 squares; they use the classes of the
/// style sheet of a page: `tint`, `dot`, `ring`, `arrow`, `number`, `worth`, `distance`, `area`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermLayers {
    /// What lies under the pieces.
    pub under: String,
    /// What lies on the pieces.
    pub over: String,
    /// Findings and the meaning of the marks, one sentence each.
    pub notes: Vec<String>,
}

/// The sentences below a board.
fn notes(overlay: &Overlay) -> Vec<String> {
    overlay.marks.notes.iter().chain(&overlay.marks.legend).cloned().collect()
}

impl TermExplanation {
    /// The reasons below its board, and those that are folded.
    fn listed(&self) -> [Vec<&(Counted, i32)>; 2] {
        let mut listed: Vec<_> = self.shown_reasons().collect();
        let folded = listed.split_off(listed.len().min(MAX_LISTED));
        [listed, folded]
    }
}

impl GameReview {
    /// One page of HTML for games that needs no other file. It is also well-formed XML.
    pub fn page(engine: &str, reviews: &[GameReview]) -> String {
        GamePage { engine, reviews }.to_string()
    }

    /// The position in which the game begins.
    fn board(&self) -> String {
        board::draw(&self.game.start, &Overlay::default(), "The position at the start")
    }

    fn curve(&self) -> String {
        let start = &self.game.start;
        let values: Vec<f64> = self.values.iter().map(|value| value.clamped(MOST)).collect();
        let marked = self.moves.iter().enumerate().filter(|(_, reviewed)| reviewed.mark.is_some());
        let dots = marked.map(|(ply, reviewed)| {
            (ply + 1, format!("{}: {}", reviewed.marked_name(), reviewed.played.value.figure()))
        });
        let first = (u32::from(start.fullmoves()), start.turn().is_black());
        curves::draw(&values, dots.collect(), first)
    }

    fn mistakes(&self) -> Vec<&ReviewedMove> {
        self.moves.iter().filter(|reviewed| reviewed.is_mistake()).collect()
    }
}

impl ReviewedMove {
    /// Its value and what was better.
    fn note(&self) -> String {
        let value = self.played.value.figure();
        match self.is_best() {
            true => [&[value], &self.sentences()[..]].concat().join(" "),
            false => {
                let best = self.best.value.figure();
                format!("{value}. Best was {} ({best})", self.best_san())
            }
        }
    }

    /// The position before it, with the move that was played and the better one.
    fn board(&self) -> String {
        let lines = [(&self.played, "mistake"), (&self.best, "better")].into_iter();
        let moves = lines.filter_map(|(it, class)| Some((*it.moves.first()?, self.side(), class)));
        let overlay = Overlay::of_moves(moves);
        board::draw(self.position(), &overlay, &format!("The position before {}", self.name()))
    }
}

/// Centipawns in pawns.
fn pawns(value: &(impl Copy + Into<f64>)) -> String {
    signed((*value).into())
}

/// The CSS class of a value: the side that it is good for.
fn class(value: &(impl Copy + Into<f64>)) -> &'static str {
    match (*value).into() {
        value if value.abs() < NEGLIGIBLE => "level",
        value if value > 0.0 => "white",
        _ => "black",
    }
}

#[cfg(test)]
mod tests;
