//! Pages of HTML that need nothing but themselves.

use super::super::board::{self, Layer, Marks, Painted, Way};
use super::curves::Curve;
use super::marks::marks;
use super::reasons::{Reason, side_name};
use super::{BestLine, Chronicle, Explanation, NOTHING, Said, signed};
use askama::Template;
use shakmaty::{Chess, Color, Position, Square};
use std::collections::BTreeMap;

/// Reasons told for each side at the head of the page.
const FOREMOST: usize = 5;
/// Reasons shown below a board; the others are folded.
const LISTED: usize = 4;
/// Distances written on one square.
const DISTANCES: usize = 2;
/// Moves of the best line drawn on the board.
const ARROWS: usize = 3;

#[derive(Template)]
#[template(path = "position.html")]
struct PositionPage {
    definitions: String,
    headline: String,
    turn: &'static str,
    tapering: String,
    fen: String,
    engine: String,
    taken: Option<String>,
    board: String,
    /// What speaks for White, and for Black.
    sides: Vec<SideView>,
    line: Vec<String>,
    rows: Vec<RowView>,
    sum: RowView,
    value: String,
    silent: String,
    cards: Vec<Card>,
}

struct SideView {
    name: &'static str,
    reasons: Vec<ReasonView>,
}

struct ReasonView {
    value: String,
    class: &'static str,
    term: &'static str,
    sentence: String,
}

struct RowView {
    name: &'static str,
    bar: String,
    white: String,
    black: String,
    total: String,
    class: &'static str,
    middlegame: String,
    endgame: String,
}

struct Card {
    name: &'static str,
    doc: &'static str,
    total: String,
    class: &'static str,
    board: String,
    notes: Vec<String>,
    reasons: Vec<ReasonView>,
    rest: Vec<ReasonView>,
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    definitions: String,
    engine: String,
    games: Vec<GameView>,
}

struct GameView {
    number: usize,
    heading: String,
    length: String,
    fault: Option<String>,
    total: String,
    curves: Vec<CurveView>,
    turns: Vec<TurnView>,
}

struct CurveView {
    name: &'static str,
    curve: String,
}

struct TurnView {
    name: String,
    term: &'static str,
    value: String,
    class: &'static str,
    words: String,
    board: String,
}

impl Explanation {
    /// One page of HTML, also well-formed as XML, that needs no other file.
    ///
    /// # Errors
    ///
    /// If the template cannot be filled in, which formatting into memory rules out.
    pub fn page(&self) -> Result<String, askama::Error> {
        let (speaking, silent) = self.speaking();
        let largest = speaking.iter().map(|said| self.now(said.row.total()).abs());
        let largest = largest.fold(NOTHING, f64::max);
        let rows = speaking.iter().map(|said| {
            let row = &said.row;
            self.row_view(row.name, Some((row.white, row.black)), row.total(), largest)
        });
        let sides = Color::ALL.map(|side| {
            let reasons = self.reasons_for(side).into_iter().take(FOREMOST);
            let reasons = reasons.map(|(term, reason)| self.reason_view(term, reason)).collect();
            SideView { name: side_name(side), reasons }
        });
        let page = PositionPage {
            definitions: board::definitions().to_string(),
            headline: self.headline(),
            turn: side_name(self.position.turn()),
            tapering: self.tapering(),
            fen: self.fen.clone(),
            engine: self.trace.engine.clone(),
            taken: self.taken(),
            board: self.main_board(),
            sides: sides.into(),
            line: self.line.as_ref().map(BestLine::told).unwrap_or_default(),
            rows: rows.collect(),
            sum: self.row_view("sum", None, self.trace.total, f64::INFINITY),
            value: signed(f64::from(self.white_value())),
            silent: silent.join(", "),
            cards: speaking.iter().map(|said| self.card(said)).collect(),
        };
        page.render()
    }

    /// The position, with the first moves of the best line.
    fn main_board(&self) -> String {
        let mut marks = Marks::default();
        let moves = self.line.iter().flat_map(|line| &line.moves).take(ARROWS);
        for (side, m) in
            [self.position.turn(), !self.position.turn()].into_iter().cycle().zip(moves)
        {
            marks.ways.extend(Way::of_move(*m, side));
        }
        let layer = Layer { marks, ..Layer::default() };
        board::draw(&self.position, &layer, &format!("The position {}", self.fen)).to_string()
    }

    fn row_view(
        &self,
        name: &'static str,
        sides: Option<(crate::eval::Score, crate::eval::Score)>,
        total: crate::eval::Score,
        largest: f64,
    ) -> RowView {
        let [white, black] = sides.map_or([const { String::new() }; 2], |(white, black)| {
            [white, black].map(|score| signed(self.now(score)))
        });
        let [middlegame, endgame] =
            [crate::eval::Score::MAX_PHASE, 0].map(|phase| signed(total.centipawns(phase)));
        // The sum is rounded as the search does it.
        let now = match largest {
            f64::INFINITY => f64::from(total.taper(self.trace.phase)),
            _ => self.now(total),
        };
        let bar = board::bar(now / largest).to_string();
        let (total, class) = (signed(now), class(now));
        RowView { name, bar, white, black, total, class, middlegame, endgame }
    }

    fn reason_view(&self, term: &'static str, reason: &Reason) -> ReasonView {
        let value = self.now(reason.score);
        ReasonView { value: signed(value), class: class(value), term, sentence: reason.sentence() }
    }

    fn card(&self, said: &Said) -> Card {
        let now = self.now(said.row.total());
        let painted = self.painted_squares(said);
        let marks = marks(said, &self.view, &self.position);
        let legend = marks.legend.map(str::to_owned);
        let notes = marks.notes.iter().cloned().chain(legend).collect();
        let name = format!("{}: contributions by square", said.row.name);
        let board = board::draw(&self.position, &Layer { painted, marks }, &name).to_string();
        let counts = said.reasons.iter().filter(|r| self.now(r.score).abs() >= NOTHING);
        let mut reasons: Vec<ReasonView> =
            counts.map(|reason| self.reason_view(said.row.name, reason)).collect();
        let rest = reasons.split_off(reasons.len().min(LISTED));
        let (total, class) = (signed(now), class(now));
        Card { name: said.row.name, doc: said.row.doc, total, class, board, notes, reasons, rest }
    }

    /// What each square contributes to a term; all together come to its total. See
    /// [`Reason::shares`].
    pub(super) fn painted_squares(&self, said: &Said) -> Vec<Painted> {
        let mut squares: BTreeMap<Square, Vec<(f64, String, String)>> = BTreeMap::new();
        for reason in &said.reasons {
            let shares = reason.shares(self.trace.phase);
            let sides = Color::ALL.into_iter().zip(reason.seen.iter().zip(shares));
            for (side, (seen, shares)) in sides {
                for (seen, share) in seen.iter().zip(shares) {
                    let worth = self.now(side.fold_wb(seen.worth, -seen.worth));
                    let distance = reason.spec.length.map(|_| short(&reason.number(seen)));
                    let told = format!("{} {}", signed(worth), reason.told(side, seen));
                    squares.entry(seen.square).or_default().push((
                        side.fold_wb(share, -share),
                        distance.unwrap_or_default(),
                        told,
                    ));
                }
            }
        }
        let value = |seen: &[(f64, String, String)]| seen.iter().map(|seen| seen.0).sum::<f64>();
        let largest = squares.values().map(|seen| value(seen).abs()).fold(NOTHING, f64::max);
        let painted = squares.into_iter().map(|(square, mut seen)| {
            seen.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
            let value = value(&seen);
            let distances = seen.iter().filter(|seen| !seen.1.is_empty()).take(DISTANCES);
            let distances: Vec<&str> = distances.map(|seen| seen.1.as_str()).collect();
            let told: Vec<&str> = seen.iter().map(|seen| seen.2.as_str()).collect();
            Painted {
                square,
                value,
                strength: value.abs() / largest,
                distances: distances.join(" · "),
                told: told.join("\n"),
            }
        });
        painted.collect()
    }
}

impl Chronicle {
    /// One page of HTML for games, also well-formed as XML, that needs no other file.
    ///
    /// # Errors
    ///
    /// If the template cannot be filled in, which formatting into memory rules out.
    pub fn page(engine: &str, games: &[Chronicle]) -> Result<String, askama::Error> {
        let page = GamePage {
            definitions: board::definitions().to_string(),
            engine: engine.to_owned(),
            games: games.iter().map(Chronicle::view).collect(),
        };
        page.render()
    }

    fn view(&self) -> GameView {
        let start = &self.game.start;
        let first = (u32::from(start.fullmoves()), start.turn().is_black());
        let draw = |name: &str, values: &[f64], term: Option<usize>| {
            let turns = self.turns.iter().filter(|turn| term.is_none_or(|term| turn.term == term));
            let dots = turns.map(|turn| {
                let (name, term) = (&turn.name, self.terms[turn.term]);
                (turn.end, format!("{name} {term} {}", signed(turn.change)))
            });
            Curve { name, values, dots: dots.collect(), first, large: term.is_none() }
                .draw()
                .to_string()
        };
        let curves = self.speaking().into_iter().map(|term| {
            let values: Vec<f64> = self.values.iter().map(|row| row[term]).collect();
            let name = self.terms[term];
            CurveView { name, curve: draw(name, &values, Some(term)) }
        });
        let turns = self.turns.iter().map(|turn| {
            let mut marks = Marks::default();
            // The last move was made by the side that is not to move now.
            let sides = [!turn.after.turn(), turn.after.turn()].into_iter().cycle();
            let played = turn.played.iter().rev().zip(sides);
            marks.ways.extend(played.filter_map(|(&m, side)| Way::of_move(m, side)));
            let layer = Layer { marks, ..Layer::default() };
            TurnView {
                name: turn.name.clone(),
                term: self.terms[turn.term],
                value: signed(turn.change),
                class: class(turn.change),
                words: turn.words.clone(),
                board: draw_after(&turn.after, &layer, &turn.name),
            }
        });
        GameView {
            number: self.game.number,
            heading: self.game.heading.clone(),
            length: self.length(),
            fault: self.game.fault.clone(),
            total: draw("The value", &self.totals, None),
            curves: curves.collect(),
            turns: turns.collect(),
        }
    }
}

fn draw_after(position: &Chess, layer: &Layer, name: &str) -> String {
    board::draw(position, layer, &format!("The position after {name}")).to_string()
}

/// The class of a value: whose it is.
fn class(value: f64) -> &'static str {
    match value {
        value if value.abs() < NOTHING => "level",
        value if value > 0.0 => "white",
        _ => "black",
    }
}

/// A distance as it fits on a square.
fn short(number: &str) -> String {
    number
        .replace(" and ", "/")
        .replace(" by ", "/")
        .replace("more than ", ">")
        .replace("none", "-")
}

#[cfg(test)]
mod tests;
