//! Typed expressions: what the compiler has checked, and what is known of it before it becomes code.

use super::code::{Fold, MAX_LOCALS, Owner, Pair, Variable};
use super::functions::NO_PATH;
use super::syntax::Rule;
use super::words::{Word, find};
use super::{MAX_COUNT, SQUARES, Type};
use std::{cell::Cell, rc::Rc};

/// An expression that was checked. What stands in a term more than once is one tree.
pub(in crate::eval) type Tree = Rc<Node>;

/// An operation and the expressions that it is made of.
pub(in crate::eval) struct Node {
    pub(super) op: Op,
    pub(super) parts: Vec<Tree>,
    pub(super) kind: Type,
    pub(super) facts: Facts,
    /// It has a name, or is an argument of a function: environments keep it in any case.
    pub(super) is_named: Cell<bool>,
    /// It stands in the term more than once, so that environments keep it if they have a place.
    pub(super) is_repeated: Cell<bool>,
    /// What the code of others reads instead of it.
    pub(super) known: Cell<Option<Known>>,
}

/// What a node does with its parts.
#[derive(Copy, Clone)]
pub(super) enum Op {
    Number(i32),
    /// The square of a loop.
    Square(Variable),
    /// The parameter of a function that is checked. Nothing runs it.
    Parameter,
    /// The set of a square.
    SetOf,
    Word(&'static Word, Owner),
    Operator(Rule),
    If,
    /// A number within the limits of a count.
    Limited,
    /// A loop over its first part, with its second part as body.
    Loop(Fold, Variable),
    /// The squares of a variable for which its first part is 1 and not 0, in which [`Variable::OTHER`] stands for its
    /// second part, if it has one.
    Holding(Variable),
}

/// Where the value of a node is once it has code.
#[derive(Copy, Clone)]
pub(super) enum Known {
    /// Environments keep it at this index.
    Name(u8),
    /// The same in every position.
    Constant(Pair),
}

/// What is known of a value before it is computed.
#[derive(Copy, Clone, Debug)]
pub(super) struct Facts {
    /// The side whose pieces the squares are, if it is one side's only.
    pub(super) side: Option<Owner>,
    /// How many squares a set has at most in a game. In positions that no game leads to it can be more:
    /// they only take longer.
    pub(super) squares: u64,
    /// No number is larger in a game.
    pub(super) max: i32,
    /// What it depends on: a bit for the variable of each loop around it, [`Facts::POSITION`] and [`Facts::PIECES`].
    pub(super) reads: u16,
}

impl Facts {
    /// It depends on the position.
    pub(super) const POSITION: u16 = 1 << 15;

    /// It depends on more of the position than pawns and kings.
    pub(super) const PIECES: u16 = 1 << 14;

    /// It depends on the variable of a loop.
    const LOOPS: u16 = (1 << MAX_LOCALS) - 1;

    /// Nothing is known of a value that depends on nothing.
    pub(super) const NOTHING: Facts =
        Facts { side: None, squares: SQUARES, max: i32::MAX, reads: 0 };

    /// The side of two sets, if it is the same.
    fn common_side(self, other: Facts) -> Option<Owner> {
        self.side.filter(|_| self.side == other.side)
    }
}

impl Node {
    pub(super) fn new(op: Op, kind: Type, facts: Facts, parts: Vec<Tree>) -> Tree {
        let reads = parts.iter().fold(facts.reads, |reads, part| reads | part.facts.reads);
        let reads = match op {
            Op::Loop(_, variable) => reads & !(1 << variable.0),
            Op::Holding(variable) => reads & !(1 << variable.0 | 1 << Variable::OTHER.0),
            _ => reads,
        };
        let [is_named, is_repeated] = [const { Cell::new(false) }; 2];
        let (facts, known) = (Facts { reads, ..facts }, Cell::new(None));
        Rc::new(Node { op, parts, kind, facts, is_named, is_repeated, known })
    }

    pub(super) fn number(number: i32) -> Tree {
        let facts = Facts { max: number, ..Facts::NOTHING };
        Node::new(Op::Number(number), Type::Number, facts, Vec::new())
    }

    /// The set of a square.
    pub(super) fn set_of(square: Tree) -> Tree {
        Node::new(Op::SetOf, Type::Set, square.facts, vec![square])
    }

    pub(super) fn word(word: &'static Word, side: Owner, parts: Vec<Tree>) -> Tree {
        let of_first = parts.first().map_or(SQUARES, |part| part.facts.squares);
        let facts = Facts {
            reads: match (word.is_fixed, word.pawns_and_kings) {
                (true, _) => 0,
                (false, true) => Facts::POSITION,
                (false, false) => Facts::POSITION | Facts::PIECES,
            },
            side: word.is_pieces.then_some(side),
            squares: word.max_squares(of_first),
            max: match (&*word.name, &*parts) {
                ("min", [a, b]) => a.facts.max.min(b.facts.max),
                ("count", [set]) => set.facts.squares as i32,
                _ => word.range.map_or(i32::MAX, |(_, max)| max),
            },
        };
        Node::new(Op::Word(word, side), word.signature.result, facts, parts)
    }

    /// A word without a side that the program itself writes.
    pub(super) fn plain(name: &str, parts: Vec<Tree>) -> Option<Tree> {
        let (word, _) = find(name, !parts.is_empty())?;
        Some(Node::word(word, Owner::Own, parts))
    }

    /// An operator with parts of the right types.
    pub(super) fn operator(rule: Rule, parts: Vec<Tree>) -> Tree {
        let [p, q] = [parts.first(), parts.last()]
            .map(|part| part.map_or(Facts::NOTHING, |part| part.facts));
        let is_set = parts.first().is_some_and(|part| part.kind == Type::Set);
        let (kind, facts) = match rule {
            Rule::union => {
                let squares = SQUARES.min(p.squares + q.squares);
                (Type::Set, Facts { side: p.common_side(q), squares, ..Facts::NOTHING })
            }
            Rule::intersection => {
                let squares = p.squares.min(q.squares);
                (Type::Set, Facts { side: p.side.or(q.side), squares, ..Facts::NOTHING })
            }
            Rule::minus if is_set => (Type::Set, Facts { max: i32::MAX, ..p }),
            Rule::complement => (Type::Set, Facts::NOTHING),
            Rule::plus
            | Rule::minus
            | Rule::times
            | Rule::divide
            | Rule::remainder
            | Rule::negative => (Type::Number, Facts::NOTHING),
            _ => (Type::Condition, Facts::NOTHING),
        };
        Node::new(Op::Operator(rule), kind, facts, parts)
    }

    /// The nearest number within the limits of a count.
    pub(super) fn limited(number: Tree) -> Tree {
        match number.op {
            Op::Number(0..MAX_COUNT) => number,
            Op::Word(word, _) if word.range.is_some() => number,
            _ => Node::new(Op::Limited, Type::Number, number.facts, vec![number]),
        }
    }

    pub(super) fn choice(condition: Tree, yes: Tree, no: Tree) -> Tree {
        let (kind, p, q) = (yes.kind, yes.facts, no.facts);
        let facts = Facts {
            side: p.common_side(q),
            squares: p.squares.max(q.squares),
            max: p.max.max(q.max),
            reads: 0,
        };
        Node::new(Op::If, kind, facts, vec![condition, yes, no])
    }

    pub(super) fn looped(fold: Fold, variable: Variable, set: Tree, body: Tree) -> Tree {
        let max = if fold == Fold::Count { set.facts.squares as i32 } else { i32::MAX };
        let facts = Facts { max, ..set.facts };
        Node::new(Op::Loop(fold, variable), fold.types()[0], facts, vec![set, body])
    }

    /// No number is larger in a game.
    pub(in crate::eval) const fn max(&self) -> i32 {
        self.facts.max
    }

    /// The number that stands for no path, if it is a number of moves around closed squares.
    pub(in crate::eval) fn no_path(&self) -> Option<u32> {
        matches!(self.op, Op::Word(word, _) if word.name.ends_with("_moves"))
            .then_some(NO_PATH as u32)
    }

    pub(super) fn is_square(&self, x: Variable) -> bool {
        matches!(self.op, Op::Square(variable) if variable == x)
    }

    pub(super) const fn reads(&self, x: Variable) -> bool {
        self.facts.reads >> x.0 & 1 != 0
    }

    /// How many loops are around the innermost one whose square it reads, that one among them.
    pub(super) const fn depth(&self) -> u8 {
        (u16::BITS - (self.facts.reads & Facts::LOOPS).leading_zeros()) as u8
    }

    /// How many words a set is made of, if it is made of words without arguments only.
    fn words(&self) -> Option<usize> {
        match self.op {
            Op::Word(..) if self.parts.is_empty() => Some(1),
            Op::Operator(_) if self.kind == Type::Set => {
                self.parts.iter().map(|part| part.words()).sum()
            }
            _ => None,
        }
    }

    /// Whether it takes no longer to compute it than to keep it and to look for its value.
    pub(super) fn is_short(&self) -> bool {
        self.words().is_some_and(|words| words <= 5)
    }

    /// Whether its code is a part of the code around it.
    pub(super) fn is_inline(&self) -> bool {
        let is_kept = (self.is_named.get() || self.is_repeated.get()) && !self.is_short();
        !is_kept && self.known.get().is_none()
    }
}

/// An expression that reads the square x of a loop and one other square at most, with [`Variable::OTHER`] for that
/// square, so that its value can be computed for all squares when the file is read.
pub(super) fn of_squares(tree: &Tree, x: Variable, other: &mut Option<Tree>) -> Option<Tree> {
    if tree.kind == Type::Square && tree.facts.reads != 0 && !tree.reads(x) {
        let other = other.get_or_insert_with(|| Rc::clone(tree));
        let is_other = match (tree.op, other.op) {
            (Op::Square(a), Op::Square(b)) => a == b,
            _ => Rc::ptr_eq(tree, other),
        };
        let square = Op::Square(Variable::OTHER);
        let facts = Facts { squares: 1, reads: 1 << Variable::OTHER.0, ..Facts::NOTHING };
        return is_other.then(|| Node::new(square, Type::Square, facts, Vec::new()));
    }
    let reads = match tree.op {
        Op::Number(_) | Op::SetOf | Op::Operator(_) | Op::If | Op::Limited => 0,
        Op::Square(_) => tree.facts.reads,
        Op::Word(word, _) if word.is_fixed && word.cost == 1 => 0,
        _ => return None,
    };
    let parts = tree.parts.iter().map(|part| of_squares(part, x, other)).collect::<Option<_>>()?;
    Some(Node::new(tree.op, tree.kind, Facts { reads, ..tree.facts }, parts))
}

/// The set of all squares x for which a condition holds, without a loop; `None` if no rule finds it.
fn lifted(condition: &Tree, x: Variable) -> Option<Tree> {
    if !condition.reads(x) {
        let [all, none] = ["all_squares", "no_squares"].map(|name| Node::plain(name, Vec::new()));
        return Some(Node::choice(Rc::clone(condition), all?, none?));
    }
    let mut other = None;
    if let Some(tree) = of_squares(condition, x, &mut other) {
        let number = Node::choice(tree, Node::number(1), Node::number(0));
        let parts = [number].into_iter().chain(other).collect();
        return Some(Node::new(Op::Holding(x), Type::Set, Facts::NOTHING, parts));
    }
    match (condition.op, &condition.parts[..]) {
        (Op::Operator(Rule::not), [operand]) => {
            Some(Node::operator(Rule::complement, vec![lifted(operand, x)?]))
        }
        (Op::Operator(operator @ (Rule::and | Rule::or)), [a, b]) => {
            let operator = if operator == Rule::and { Rule::intersection } else { Rule::union };
            Some(Node::operator(operator, vec![lifted(a, x)?, lifted(b, x)?]))
        }
        (Op::Operator(Rule::member), [square, set]) => {
            (square.is_square(x) && !set.reads(x)).then(|| Rc::clone(set))
        }
        _ => None,
    }
}

fn not(condition: &Tree) -> Tree {
    Node::operator(Rule::not, vec![Rc::clone(condition)])
}

/// Those squares x of a set for which the parts of a condition hold that are known without a loop, if there are any, and
/// the other parts.
fn narrowed(set: &Tree, condition: &Tree, x: Variable) -> Option<(Tree, Option<Tree>)> {
    let (mut squares, mut rest, mut parts) = (Rc::clone(set), None, Vec::new());
    factors(condition, true, &mut parts);
    for (part, is_negated) in parts {
        let part = if is_negated { not(&part) } else { part };
        match (lifted(&part, x), rest.take()) {
            (Some(kept), others) => {
                squares = Node::operator(Rule::intersection, vec![squares, kept]);
                rest = others;
            }
            (None, Some(others)) => rest = Some(Node::operator(Rule::and, vec![others, part])),
            (None, None) => rest = Some(part),
        }
    }
    (!Rc::ptr_eq(&squares, set)).then_some((squares, rest))
}

/// A loop as an expression that is faster: `count(x in s: x in t)` is `count(s & t)`, and a loop over fewer squares is
/// better than one that asks at each of them.
pub(super) fn with_fewer_squares(fold: Fold, x: Variable, [set, body]: [&Tree; 2]) -> Option<Tree> {
    let squares = |set, body| Node::looped(Fold::Squares, x, set, body);
    let holding = |body| squares(Rc::clone(set), body);
    match (fold, body.op, &body.parts[..]) {
        (Fold::Sum, Op::If, [when, number, zero]) if matches!(zero.op, Op::Number(0)) => {
            Some(Node::looped(fold, x, holding(Rc::clone(when)), Rc::clone(number)))
        }
        (Fold::Sum, Op::Number(1), _) => Node::plain("count", vec![Rc::clone(set)]),
        (Fold::Count, ..) => Node::plain("count", vec![holding(Rc::clone(body))]),
        (Fold::Any, ..) => Node::plain("any", vec![holding(Rc::clone(body))]),
        (Fold::All, ..) => Some(not(&Node::plain("any", vec![holding(not(body))])?)),
        (Fold::Squares, ..) => match narrowed(set, body, x) {
            Some((fewer, None)) => Some(fewer),
            Some((fewer, Some(rest))) => Some(squares(fewer, rest)),
            None => {
                narrowed(set, &not(body), x)?;
                set.is_repeated.set(true);
                let parts = vec![Rc::clone(set), holding(not(body))];
                Some(Node::operator(Rule::minus, parts))
            }
        },
        _ => None,
    }
}

/// The parts of sets or conditions that all must hold, or of which one must, each with whether it is negated.
pub(super) fn factors(tree: &Tree, is_and: bool, found: &mut Vec<(Tree, bool)>) {
    add_factors(tree, tree, [is_and, false], found);
}

/// Adds a part of an expression. What is negated consists of negated parts, of which one must hold if all must.
fn add_factors(
    whole: &Tree,
    part: &Tree,
    [is_and, is_negated]: [bool; 2],
    found: &mut Vec<(Tree, bool)>,
) {
    let is_grouped = part.kind == Type::Condition && part.depth() < whole.depth();
    let is_whole = Rc::ptr_eq(whole, part);
    let mut add = |part, is_negated| add_factors(whole, part, [is_and, is_negated], found);
    match (part.op, &part.parts[..]) {
        _ if !is_whole && (is_grouped || !part.is_inline()) => {
            found.push((Rc::clone(part), is_negated))
        }
        (Op::Operator(Rule::and | Rule::intersection), [a, b]) if is_and != is_negated => {
            add(a, is_negated);
            add(b, is_negated);
        }
        (Op::Operator(Rule::or | Rule::union), [a, b]) if is_and == is_negated => {
            add(a, is_negated);
            add(b, is_negated);
        }
        (Op::Operator(Rule::minus), [a, b]) if is_and != is_negated && part.kind == Type::Set => {
            add(a, is_negated);
            add(b, !is_negated);
        }
        (Op::Operator(Rule::not | Rule::complement), [part]) => add(part, !is_negated),
        _ => found.push((Rc::clone(part), is_negated)),
    }
}
