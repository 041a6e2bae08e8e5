//! What a term of an engine file says and draws: its expressions once more, with those of its words and drawings.
//!
//! They are compiled apart from what the search runs, so that words and drawings cost it nothing.

use super::code::{Code, Environment, Lanes, MAX_NAMES, SquareLoop, Value};
use super::functions::NO_PATH;
use super::syntax::{self, Expression, Node};
use super::template::{Sight, Template};
use super::{Amount, MAX_COUNT};
use crate::eval::marks::MAX_WAYS;
use crate::eval::{Account, Arrow, Counted, EvalContext, Marks, Seen, Walk, Weight};
use crate::geometry::Mover;
use shakmaty::{Bitboard, Color, Square};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The twin of a term for people.
#[derive(Default)]
pub(in crate::eval) struct Shown {
    pub(in crate::eval) names: Vec<Value>,
    pub(in crate::eval) when: Option<Code<bool>>,
    pub(in crate::eval) each: Option<SquareLoop>,
    pub(in crate::eval) weights: Vec<ShownWeight>,
}

/// A weight with its words and its drawing.
pub(in crate::eval) struct ShownWeight {
    pub(in crate::eval) weight: Weight,
    pub(in crate::eval) each: Option<SquareLoop>,
    pub(in crate::eval) when: Option<Code<bool>>,
    pub(in crate::eval) at: Option<Code<Square>>,
    pub(in crate::eval) amount: Amount,
    /// What its words and drawings name.
    pub(in crate::eval) sets: Vec<Code<Bitboard>>,
    pub(in crate::eval) says: Option<Template>,
    pub(in crate::eval) draws: Vec<Drawing>,
}

/// A part of a drawing. Numbers are indices of sets.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) enum Drawing {
    /// A ring around each square.
    Ring(usize),
    /// A dot on each square.
    Dot(usize),
    /// An arrow from each square of a set to each of another.
    Arrow(usize, usize),
    /// A shortest way from each square of a set to each of another, with its length.
    Way(Way<usize>),
}

/// A way whose length an expression counts, between places of an expression or between sets.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Way<Place> {
    pub(in crate::eval) walk: Walk,
    pub(in crate::eval) from: Place,
    pub(in crate::eval) to: Place,
    /// The squares that the piece of [`Walk::Moves`] cannot enter.
    pub(in crate::eval) closed: Option<Place>,
    /// Of several ways, only the shortest counts.
    pub(in crate::eval) is_shortest: bool,
}

/// The ways whose lengths an expression counts. The variable of a loop stands for its set, a name of the file for its
/// expression.
pub(in crate::eval) fn ways(text: &str, names: &BTreeMap<&str, &str>) -> Vec<Way<String>> {
    let mut finder = WayFinder { names: names.clone(), loops: Vec::new(), found: Vec::new() };
    finder.read(text);
    finder.found
}

/// The number that stands for no path, if an expression is a number of moves around closed squares.
pub(in crate::eval) fn no_path(text: &str) -> Option<u32> {
    match syntax::expression(text).ok()?.node {
        Node::Call(name, _) if name.ends_with("_moves") => Some(NO_PATH as u32),
        _ => None,
    }
}

struct WayFinder<'n> {
    /// Those not yet read.
    names: BTreeMap<&'n str, &'n str>,
    /// The loops around an expression: variable, set, and whether only the smallest number counts.
    loops: Vec<(String, String, bool)>,
    found: Vec<Way<String>>,
}

impl WayFinder<'_> {
    fn read(&mut self, text: &str) {
        if let Ok(expression) = syntax::expression(text) {
            self.find(&expression, text);
        }
    }

    fn find(&mut self, expression: &Expression, text: &str) {
        let written =
            |part: &Expression| text.get(part.span.clone()).unwrap_or_default().trim().to_owned();
        match &expression.node {
            Node::Loop(parts) => {
                let is_min = parts.quantifier == "min";
                self.loops.push((parts.each.variable.clone(), written(&parts.each.set), is_min));
                self.find(&parts.body, text);
                self.loops.pop();
            }
            Node::Word(name) => {
                if let Some(text) = self.names.remove(name.as_str()) {
                    self.read(text);
                }
            }
            Node::Call(name, arguments) => {
                let moves = |mover| Walk::Moves(mover, Bitboard::EMPTY);
                let walk = match name.as_str() {
                    "chebyshev" => Walk::King,
                    "knight_distance" | "knight_distance_between" => Walk::KNIGHT,
                    "manhattan" => Walk::RookSteps,
                    "rank_distance" => Walk::Ranks,
                    "file_distance" => Walk::Files,
                    "king_moves" => moves(Mover::King),
                    "knight_moves" => moves(Mover::Knight),
                    "bishop_moves" => moves(Mover::Bishop),
                    "rook_moves" => moves(Mover::Rook),
                    "queen_moves" => moves(Mover::Queen),
                    _ => return arguments.iter().for_each(|part| self.find(part, text)),
                };
                let mut places = arguments.iter().map(|place| {
                    let place = written(place);
                    let of_loop = self.loops.iter().find(|(variable, ..)| *variable == place);
                    of_loop.map_or(place, |(_, set, _)| set.clone())
                });
                let (Some(from), Some(to)) = (places.next(), places.next()) else { return };
                let closed = places.next();
                let is_of_sets = closed.is_some() || name == "knight_distance_between";
                let is_shortest = is_of_sets || self.loops.iter().any(|(.., is_min)| *is_min);
                self.found.push(Way { walk, from, to, closed, is_shortest });
            }
            _ => expression.parts().for_each(|part| self.find(part, text)),
        }
    }
}

impl Shown {
    /// What a side contributes to each weight.
    fn sights(&self, context: &EvalContext, side: Color) -> Vec<Vec<Sight>> {
        let lanes = Lanes::of(side);
        let values = [const { Cell::new([0; 2]) }; MAX_NAMES];
        let environment = Environment::new(context, lanes, &self.names, &values);
        let mut sights: Vec<Vec<Sight>> = self.weights.iter().map(|_| Vec::new()).collect();
        if !self.when.as_ref().is_none_or(|when| (when.get(&environment, lanes) & lanes).any()) {
            return sights;
        }
        let mut add = |lanes: Lanes, square: Square| {
            for (weight, sights) in self.weights.iter().zip(&mut sights) {
                weight.add(&environment, lanes, square, side, sights);
            }
        };
        match &self.each {
            None => add(lanes, context.side(side).king),
            Some(each) => each.visit(&environment, lanes, |lanes, squares| {
                add(lanes, squares[side.fold_wb(0, 1)]);
                Lanes::NONE
            }),
        }
        sights
    }

    /// The sentence of a weight for contributions of one value, if the file writes one.
    pub(in crate::eval) fn clause(
        &self,
        account: &Account,
        counted: &Counted,
        of: Color,
        group: &[Seen],
    ) -> Option<String> {
        let specs = &account.row.entry.weights;
        let index = specs.iter().position(|spec| spec.name == counted.spec.name)?;
        let says = self.weights.get(index)?.says.as_ref()?;
        let sights = self.sights(account.context(), of).into_iter().nth(index)?;
        let is_meant = |sight: &&Sight| {
            let place = account.row.weight(sight.weight).map_or(0, |(_, place)| place);
            group.iter().any(|seen| {
                (seen.square, seen.distance, seen.count)
                    == (sight.square, place as u32, sight.count)
            })
        };
        let sights: Vec<&Sight> = sights.iter().filter(is_meant).collect();
        let value = counted.spec.value_of(group);
        Some(says.fill(&counted.spec, of, value, &sights))
    }

    /// Whether the file writes a sentence for any weight.
    pub(in crate::eval) fn has_words(&self) -> bool {
        self.weights.iter().any(|weight| weight.says.is_some())
    }

    /// Everything that the term draws.
    pub(in crate::eval) fn marks(&self, context: &EvalContext) -> Marks {
        let mut marks = Marks::default();
        for side in Color::ALL {
            for (weight, sights) in self.weights.iter().zip(self.sights(context, side)) {
                for sight in &sights {
                    weight
                        .draws
                        .iter()
                        .for_each(|part| part.draw(sight, context, side, &mut marks));
                }
            }
        }
        marks
    }
}

impl ShownWeight {
    fn add(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        square: Square,
        side: Color,
        sights: &mut Vec<Sight>,
    ) {
        let lane = side.fold_wb(0, 1);
        let mut see = |lanes: Lanes, square: Square| {
            if !self.when.as_ref().is_none_or(|when| (when.get(environment, lanes) & lanes).any()) {
                return;
            }
            let number = match &self.amount {
                Amount::Once => 1,
                Amount::Count(number) | Amount::Index(number) => {
                    number.get(environment, lanes)[lane]
                }
            };
            let (weight, count) = match self.amount {
                Amount::Index(_) => (self.weight.at(number.max(0) as u32), 1),
                _ => (self.weight, number.clamp(-MAX_COUNT, MAX_COUNT)),
            };
            if count == 0 {
                return;
            }
            let square = self.at.as_ref().map_or(square, |at| at.get(environment, lanes)[lane]);
            let sets = self.sets.iter().map(|set| set.get(environment, lanes)[lane]).collect();
            sights.push(Sight { weight, count, square, sets });
        };
        match &self.each {
            None => see(lanes, square),
            Some(each) => each.visit(environment, lanes, |lanes, squares| {
                see(lanes, squares[lane]);
                Lanes::NONE
            }),
        }
    }
}

impl Drawing {
    fn draw(self, sight: &Sight, context: &EvalContext, side: Color, marks: &mut Marks) {
        let set = |index: usize| sight.sets.get(index).copied().unwrap_or_default();
        let pairs = |from: usize, to: usize| {
            let ends = set(from).into_iter().flat_map(move |from| {
                set(to).into_iter().filter(move |to| *to != from).map(move |to| (from, to))
            });
            ends.take(MAX_WAYS)
        };
        match self {
            Drawing::Ring(ring) => set(ring).into_iter().for_each(|square| marks.add_ring(square)),
            Drawing::Dot(dots) => {
                let new = set(dots).into_iter().filter(|square| !marks.dots.contains(square));
                let new: Vec<Square> = new.collect();
                marks.dots.extend(new);
            }
            Drawing::Arrow(from, to) => {
                pairs(from, to)
                    .for_each(|(from, to)| marks.add_arrow(Arrow::straight(from, to, side)));
            }
            Drawing::Way(Way { walk, from, to, closed, is_shortest }) => {
                let walk = match (walk, closed) {
                    (Walk::Moves(mover, _), Some(closed)) => Walk::Moves(mover, set(closed)),
                    _ => walk,
                };
                let ways = set(from).into_iter().flat_map(|from| {
                    let owner = if context.side(side).all.contains(from) { side } else { !side };
                    set(to).into_iter().filter_map(move |to| walk.way(context, owner, from, to))
                });
                let mut ways: Vec<Arrow> = ways.collect();
                ways.sort_by_key(|way| way.length);
                let is_there = (set(from) & set(to)).any();
                ways.truncate(match is_shortest {
                    true => usize::from(!is_there),
                    false => MAX_WAYS,
                });
                ways.into_iter().for_each(|way| marks.add_arrow(way));
            }
        }
    }
}
