//! What a term of an engine file says and draws.

use super::Type;
use super::code::{Fold, Variable};
use super::template::Sight;
use super::term::FormulaTerm;
use super::tree::{Node, Op, Tree};
use crate::eval::marks::MAX_WAYS;
use crate::eval::{Account, Arrow, Contribution, Counted, EvalContext, Marks, Seen, Walk};
use crate::geometry::Mover;
use shakmaty::{Bitboard, Color, Square};
use std::{collections::HashSet, rc::Rc};

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

/// The ways whose lengths an expression counts. The square of a loop stands for its set.
pub(in crate::eval) fn ways(tree: &Tree) -> Vec<Way<Tree>> {
    let mut finder = WayFinder::default();
    finder.find(tree);
    finder.found
}

#[derive(Default)]
struct WayFinder {
    seen: HashSet<*const Node>,
    /// The loops around an expression: square, set, and whether only the smallest number counts.
    loops: Vec<(Variable, Tree, bool)>,
    found: Vec<Way<Tree>>,
}

impl WayFinder {
    fn find(&mut self, tree: &Tree) {
        if !self.seen.insert(Rc::as_ptr(tree)) {
            return;
        }
        let walk = if let Op::Word(word, _) = tree.op { walk(&word.name) } else { None };
        match (tree.op, walk, &tree.parts[..]) {
            (Op::Loop(fold, x), _, [set, body]) => {
                self.loops.push((x, Rc::clone(set), fold == Fold::Min));
                self.find(body);
                self.loops.pop();
            }
            (Op::Word(word, _), Some(walk), [from, to, closed @ ..]) => {
                let [from, to] = [from, to].map(|place| self.place(place));
                let is_of_sets = word.signature.types[0] == Type::Set;
                let is_shortest = is_of_sets || self.loops.iter().any(|(.., is_min)| *is_min);
                let closed = closed.first().cloned();
                self.found.push(Way { walk, from, to, closed, is_shortest });
            }
            (.., parts) => parts.iter().for_each(|part| self.find(part)),
        }
    }

    /// The set at an end of a way.
    fn place(&self, place: &Tree) -> Tree {
        let of_loop = self.loops.iter().find(|(x, ..)| {
            place.is_square(*x) || matches!(place.op, Op::SetOf if place.parts[0].is_square(*x))
        });
        match (of_loop, place.kind) {
            (Some((_, set, _)), _) => Rc::clone(set),
            (None, Type::Square) => Node::set_of(Rc::clone(place)),
            (None, _) => Rc::clone(place),
        }
    }
}

/// How the length is counted that a word says.
fn walk(word: &str) -> Option<Walk> {
    let moves = |mover| Walk::Moves(mover, Bitboard::EMPTY);
    Some(match word {
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
        _ => return None,
    })
}

impl FormulaTerm {
    /// What a side contributes to each weight.
    fn sights(&self, context: &EvalContext, side: Color) -> Vec<Vec<Sight>> {
        let mut sights: Vec<Vec<Sight>> = self.weights.iter().map(|_| Vec::new()).collect();
        self.contribute(context, side, |environment, index, contribution| {
            let Contribution { weight, count, square } = contribution;
            let sets = self.weights[index].told.sets.iter();
            let sets = sets.map(|set| set.get(environment).lane(side.fold_wb(0, 1))).collect();
            sights[index].push(Sight { weight, count, square, sets });
        });
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
        let says = self.weights.get(index)?.told.says.as_ref()?;
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
        self.weights.iter().any(|weight| weight.told.says.is_some())
    }

    /// Everything that the term draws.
    pub(in crate::eval) fn marks(&self, context: &EvalContext) -> Marks {
        let mut marks = Marks::default();
        for side in Color::ALL {
            for (weight, sights) in self.weights.iter().zip(self.sights(context, side)) {
                for sight in &sights {
                    let draws = weight.told.draws.iter();
                    draws.for_each(|part| part.draw(sight, context, side, &mut marks));
                }
            }
        }
        marks
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
