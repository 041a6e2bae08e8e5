//! What a term of an engine file says and draws: its expressions once more, with those of its words and drawings.
//!
//! They are compiled apart from what the search runs, so that words and drawings cost it nothing.

use super::code::{Code, Frame, Lanes, MOST_NAMES, SquareLoop, Value};
use super::syntax::{self, Expression, Node};
use super::template::{Sight, Template};
use super::{Amount, MAX_COUNT};
use crate::eval::{
    Account, Arrow, Counted, EvalContext, Marks, Seen, Weight, shortest, straightest,
};
use crate::geometry::{Mover, Terrain, manhattan};
use shakmaty::{Bitboard, Color, Square};
use std::cell::Cell;

/// The most ways that a drawing has; more would hide the board.
const MOST_WAYS: usize = 6;

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
    /// A shortest way of a piece, with its number of moves.
    Way(Walk, usize, usize),
}

/// How the length of a way is counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) enum Walk {
    King,
    Knight,
    /// Steps along ranks and files.
    RookSteps,
}

impl Walk {
    /// The squares of a way on the empty board, and its length.
    fn way(self, from: Square, to: Square) -> Option<(Vec<Square>, u32)> {
        let mover = match self {
            Walk::King => Mover::King,
            Walk::Knight => Mover::Knight,
            Walk::RookSteps => {
                let corner = Square::from_coords(to.file(), from.rank());
                let mut way = vec![from, corner, to];
                way.dedup();
                return Some((way, manhattan(from, to)));
            }
        };
        let way = straightest(mover, from, to, &Terrain::EMPTY)?;
        let moves = way.len() as u32 - 1;
        Some((way, moves))
    }
}

/// The ways whose lengths an expression counts: between which squares. The variable of a loop stands for its set.
pub(in crate::eval) fn walks(text: &str) -> Vec<(Walk, String, String)> {
    let mut found = Vec::new();
    if let Ok(expression) = syntax::expression(text) {
        find_walks(&expression, text, &mut Vec::new(), &mut found);
    }
    found
}

fn find_walks<'t>(
    expression: &'t Expression,
    text: &'t str,
    loops: &mut Vec<(&'t str, &'t str)>,
    found: &mut Vec<(Walk, String, String)>,
) {
    let written = |part: &'t Expression| text.get(part.span.clone()).unwrap_or_default().trim();
    match &expression.node {
        Node::Loop(parts) => {
            loops.push((&parts.each.variable, written(&parts.each.set)));
            find_walks(&parts.body, text, loops, found);
            loops.pop();
        }
        Node::Call(name, arguments) => {
            let walk = match name.as_str() {
                "chebyshev" => Some(Walk::King),
                "knight_distance" => Some(Walk::Knight),
                "manhattan" => Some(Walk::RookSteps),
                _ => None,
            };
            if let (Some(walk), [from, to]) = (walk, &arguments[..]) {
                let [from, to] = [from, to].map(|end| {
                    let end = written(end);
                    let of_loop = loops.iter().find(|(variable, _)| *variable == end);
                    of_loop.map_or(end, |(_, set)| set).to_owned()
                });
                found.push((walk, from, to));
            }
        }
        _ => expression.parts().for_each(|part| find_walks(part, text, loops, found)),
    }
}

impl Shown {
    /// What a side contributes to each weight.
    fn sights(&self, context: &EvalContext, side: Color) -> Vec<Vec<Sight>> {
        let lanes = Lanes::of(side);
        let values = [const { Cell::new([0; 2]) }; MOST_NAMES];
        let frame = Frame::new(context, lanes, &self.names, &values);
        let mut sights: Vec<Vec<Sight>> = self.weights.iter().map(|_| Vec::new()).collect();
        if !self.when.as_ref().is_none_or(|when| (when.get(&frame, lanes) & lanes).any()) {
            return sights;
        }
        let mut add = |lanes: Lanes, square: Square| {
            for (weight, sights) in self.weights.iter().zip(&mut sights) {
                weight.add(&frame, lanes, square, side, sights);
            }
        };
        match &self.each {
            None => add(lanes, context.side(side).king),
            Some(each) => each.visit(&frame, lanes, |lanes, squares| {
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
        let value = counted.spec.value_of(&counted.readings(group));
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
        frame: &Frame<'_>,
        lanes: Lanes,
        square: Square,
        side: Color,
        sights: &mut Vec<Sight>,
    ) {
        let lane = side.fold_wb(0, 1);
        let mut see = |lanes: Lanes, square: Square| {
            if !self.when.as_ref().is_none_or(|when| (when.get(frame, lanes) & lanes).any()) {
                return;
            }
            let number = match &self.amount {
                Amount::Once => 1,
                Amount::Count(number) | Amount::Index(number) => number.get(frame, lanes)[lane],
            };
            let (weight, count) = match self.amount {
                Amount::Index(_) => (self.weight.at(number.max(0) as u32), 1),
                _ => (self.weight, number.clamp(-MAX_COUNT, MAX_COUNT)),
            };
            if count == 0 {
                return;
            }
            let square = self.at.as_ref().map_or(square, |at| at.get(frame, lanes)[lane]);
            let sets = self.sets.iter().map(|set| set.get(frame, lanes)[lane]).collect();
            sights.push(Sight { weight, count, square, sets });
        };
        match &self.each {
            None => see(lanes, square),
            Some(each) => each.visit(frame, lanes, |lanes, squares| {
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
            ends.take(MOST_WAYS)
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
            Drawing::Way(walk, from, to) => {
                for (from, to) in pairs(from, to) {
                    let owner = if context.side(side).all.contains(from) { side } else { !side };
                    let Some((direct, moves)) = walk.way(from, to) else { continue };
                    // Around pieces, if that takes no longer: the number is that of the distance.
                    let around = shortest(context, from, to, owner)
                        .filter(|around| walk == Walk::King && around.len() == direct.len());
                    marks.add_arrow(Arrow { squares: around.unwrap_or(direct), side: owner });
                    if !marks.numbers.iter().any(|(square, _)| *square == to) {
                        marks.numbers.push((to, moves.to_string()));
                    }
                    marks.legend =
                        vec!["Numbers: the moves of the way that ends there.".to_owned()];
                }
            }
        }
    }
}
