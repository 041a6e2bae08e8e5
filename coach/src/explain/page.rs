//! Self-contained pages of HTML.

mod line;

use super::curves::{Curve, MOST};
use super::explanation::{Explanation, TermExplanation};
use super::game_review::GameReview;
use super::mistakes::{Mark, ReviewedMove};
use crate::Assessment;
use crate::board::{self, Overlay, SquareValue};
use crate::format::{NEGLIGIBLE, signed};
use askama::Template;
use line::LineView;
use shakmaty::{Color, Position, Square};
use std::collections::BTreeMap;
use tropism::eval::{Arrow, Reason, Seen};
use tropism::eval::{ShownRow, round_to_sum};
use tropism::text::side_name;

/// The most reasons below a board; the others are folded.
const MAX_LISTED: usize = 4;
/// The most moves of the best line drawn on the board.
const MAX_ARROWS: usize = 3;

#[derive(Template)]
#[template(path = "position.html")]
struct PositionPage<'a> {
    definitions: String,
    engine: &'a str,
    explained: &'a Explanation,
    turn: &'static str,
    board: String,
    /// The reasons of the assessment, with their themes.
    reasons: Vec<ReasonView>,
    /// A threat, the best move or a mistake, each with its line.
    advice: Vec<(String, Option<String>)>,
    rows: Vec<RowView>,
    sum: RowView,
    value: String,
    others: String,
    cards: Vec<Card<'a>>,
}

struct ReasonView {
    value: String,
    class: &'static str,
    term: String,
    sentence: String,
}

struct RowView {
    name: String,
    bar: String,
    white: String,
    black: String,
    total: String,
    class: &'static str,
    middlegame: String,
    endgame: String,
}

struct Card<'a> {
    term: &'a TermExplanation,
    total: String,
    class: &'static str,
    board: String,
    notes: Vec<String>,
    reasons: Vec<ReasonView>,
    rest: Vec<ReasonView>,
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    definitions: String,
    engine: &'a str,
    reviews: &'a [GameReview],
}

/// A mistake with the position before it.
struct MistakeView<'a> {
    reviewed: &'a ReviewedMove,
    class: &'static str,
    board: String,
    lines: [LineView; 2],
}

impl Explanation {
    /// One page of HTML that needs no other file. It is also well-formed XML. Each term that
    /// contributes something has a board.
    ///
    /// # Errors
    ///
    /// Never in practice: only if formatting into memory fails.
    pub fn page(&self) -> Result<String, askama::Error> {
        let (contributing, others) = self.contributing_terms();
        let largest = contributing.iter().map(|term| f64::from(term.value().abs()));
        let largest = largest.fold(NEGLIGIBLE, f64::max);
        let rows = contributing.iter().map(|term| {
            let ShownRow { white, black, total } = term.shown;
            row_view(term.row.name(), Some((white[2], black[2])), total, largest)
        });
        let reasons = self.assessment.iter().flat_map(|found| &found.reasons);
        let view = |reason: &Reason| {
            reason_view(reason.theme.to_string(), reason.sentence(), reason.value)
        };
        let page = PositionPage {
            definitions: board::definitions().to_string(),
            engine: &self.trace.engine,
            explained: self,
            turn: side_name(self.trace.position.turn()),
            board: self.main_board(),
            reasons: reasons.map(view).collect(),
            advice: self.assessment.as_ref().map(Assessment::advice).unwrap_or_default(),
            rows: rows.collect(),
            sum: row_view("sum", None, self.trace.shown().1, f64::INFINITY),
            value: signed(f64::from(self.white_value())),
            others: others.join(", "),
            cards: contributing.iter().map(|term| self.card(term)).collect(),
        };
        page.render()
    }

    /// The board of the position, with the first moves of the best line.
    fn main_board(&self) -> String {
        let best = self.assessment.as_ref().and_then(|found| found.best.as_ref());
        let moves = best.map_or(&[][..], |best| &best.line);
        let moves = &moves[..moves.len().min(MAX_ARROWS)];
        let overlay = Overlay::of_moves(moves, self.trace.position.turn());
        board::draw(&self.trace.position, &overlay, &format!("The position {}", self.fen))
            .to_string()
    }

    fn card<'a>(&self, term: &'a TermExplanation) -> Card<'a> {
        let now = f64::from(term.value());
        let overlay = self.overlay(term);
        let notes = notes(&overlay);
        let name = format!("{}: contributions by square", term.row.name());
        let board = board::draw(&self.trace.position, &overlay, &name).to_string();
        let mut reasons: Vec<ReasonView> = term
            .shown_reasons()
            .map(|(reason, value)| {
                reason_view(term.row.name().to_owned(), reason.short(), f64::from(value))
            })
            .collect();
        let rest = reasons.split_off(reasons.len().min(MAX_LISTED));
        Card { term, total: signed(now), class: class(now), board, notes, reasons, rest }
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
        if self.outcome.is_some() {
            return None;
        }
        let overlay = self.overlay(term);
        let notes = notes(&overlay);
        let overlay = if is_turned { overlay.turned() } else { overlay };
        let [under, over] = board::layers(&overlay).map(|layer| layer.to_string());
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
        for (reason, &whole) in term.reasons.iter().zip(&term.values) {
            let sides = Color::ALL.into_iter().zip(&reason.seen);
            let all: Vec<(Color, &Seen)> =
                sides.flat_map(|(side, seen)| seen.iter().map(move |seen| (side, seen))).collect();
            let worth =
                |(side, seen): &(Color, &Seen)| self.now(side.fold_wb(seen.worth, -seen.worth));
            let worths = round_to_sum(&all.iter().map(worth).collect::<Vec<f64>>(), whole);
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
    let mut units = term.reasons.iter().map(|reason| reason.spec.meaning.unit());
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

impl GameReview {
    /// One page of HTML for games that needs no other file. It is also well-formed XML.
    ///
    /// # Errors
    ///
    /// Never in practice: only if formatting into memory fails.
    pub fn page(engine: &str, reviews: &[GameReview]) -> Result<String, askama::Error> {
        let page = GamePage { definitions: board::definitions().to_string(), engine, reviews };
        page.render()
    }

    /// The position in which the game begins.
    fn board(&self) -> String {
        board::draw(&self.game.start, &Overlay::default(), "The position at the start").to_string()
    }

    fn curve(&self) -> String {
        let start = &self.game.start;
        let values: Vec<f64> = self.values.iter().map(|value| value.clamped(MOST)).collect();
        let marked = self.moves.iter().enumerate().filter(|(_, reviewed)| reviewed.mark.is_some());
        let dots = marked.map(|(ply, reviewed)| {
            (ply + 1, format!("{}: {}", reviewed.marked_name(), reviewed.played.value.figure()))
        });
        let first = (u32::from(start.fullmoves()), start.turn().is_black());
        Curve { values: &values, dots: dots.collect(), first }.draw().to_string()
    }

    /// The moves of the game, each with its value and what was better.
    fn whole_line(&self) -> LineView {
        let mut line = LineView::new("", &self.game.start, &self.game.moves);
        for (step, reviewed) in line.steps.iter_mut().zip(&self.moves) {
            step.text.push_str(reviewed.mark.map_or("", Mark::sign));
            step.class = reviewed.mark.map_or("", |_| "marked");
            let value = reviewed.played.value.figure();
            step.note = match reviewed.is_best() {
                true => [&[value], &reviewed.sentences()[..]].concat().join(" "),
                false => {
                    let best = reviewed.best.value.figure();
                    format!("{value}. Best was {} ({best})", reviewed.best_san)
                }
            };
        }
        line
    }

    /// The mistakes, each with the position before it: the move that was played and the better one.
    fn mistakes<'a>(&'a self) -> Vec<MistakeView<'a>> {
        let marked = self.moves.iter().enumerate().filter(|(_, reviewed)| reviewed.is_mistake());
        let view = |(ply, reviewed): (usize, &'a ReviewedMove)| {
            let position = self.game.position(ply);
            let better = reviewed.best.moves.first().copied();
            let overlay = Overlay::of_mistake(self.game.moves[ply], better, reviewed.side);
            let title = format!("The position before {}", reviewed.name);
            let lines = [("Better:", &reviewed.best.moves), ("Leads to:", &reviewed.played.moves)];
            MistakeView {
                reviewed,
                class: class(reviewed.played.value.clamped(MOST)),
                board: board::draw(&position, &overlay, &title).to_string(),
                lines: lines.map(|(label, line)| LineView::new(label, &position, line)),
            }
        };
        marked.map(view).collect()
    }
}

/// One row; `sides` are the values of White and of Black, all in centipawns.
fn row_view(name: &str, sides: Option<(i32, i32)>, total: [i32; 3], largest: f64) -> RowView {
    let [white, black] = sides.map_or([const { String::new() }; 2], |(white, black)| {
        [white, black].map(|value| signed(f64::from(value)))
    });
    let [middlegame, endgame, now] = total.map(f64::from);
    let bar = board::bar(now / largest).to_string();
    let [middlegame, endgame] = [middlegame, endgame].map(signed);
    let (name, total, class) = (name.to_owned(), signed(now), class(now));
    RowView { name, bar, white, black, total, class, middlegame, endgame }
}

fn reason_view(term: String, sentence: String, value: f64) -> ReasonView {
    ReasonView { value: signed(value), class: class(value), term, sentence }
}

/// The CSS class of a value: the side that it is good for.
fn class(value: f64) -> &'static str {
    match value {
        value if value.abs() < NEGLIGIBLE => "level",
        value if value > 0.0 => "white",
        _ => "black",
    }
}

#[cfg(test)]
mod tests;
