//! Typed expressions: what the compiler has checked, and what is known of it before it becomes code.

use super::code::{Fold, MAX_LOCALS, Owner, Pair, Variable};
use super::functions::NO_PATH;
use super::syntax::Rule;
use super::words::{Word, find};
use super::{SQUARES, Type};
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
    /// A loop over its first part, with its second part as body.
    Loop(Fold, Variable),
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

    /// Whether its code is a part of the code around it.
    pub(super) fn is_inline(&self) -> bool {
        !self.is_named.get() && !self.is_repeated.get() && self.known.get().is_none()
    }
}

/// The set of all squares x for which a condition holds, without a loop; `None` if no rule finds it.
fn lifted(condition: &Tree, x: Variable) -> Option<Tree> {
    if !condition.reads(x) {
        let [all, none] = ["all_squares", "no_squares"].map(|name| Node::plain(name, Vec::new()));
        return Some(Node::choice(Rc::clone(condition), all?, none?));
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

/// Those squares of a loop on which a condition holds, without a loop, if a rule finds them.
fn filtered(set: &Tree, condition: &Tree, x: Variable) -> Option<Tree> {
    Some(Node::operator(Rule::intersection, vec![Rc::clone(set), lifted(condition, x)?]))
}

/// A loop as an expression that is faster: `count(x in s: x in t)` is `count(s & t)`. The sum of a small number and a
/// distance, or of their difference, is a product and the sum of distances: no number in it exceeds those of
/// expressions.
pub(super) fn without_loop(fold: Fold, x: Variable, [set, body]: [&Tree; 2]) -> Option<Tree> {
    match fold {
        Fold::Squares => filtered(set, body, x),
        Fold::Count => Node::plain("count", vec![filtered(set, body, x)?]),
        Fold::Any => Node::plain("any", vec![filtered(set, body, x)?]),
        Fold::All => {
            let others = Node::operator(Rule::minus, vec![Rc::clone(set), lifted(body, x)?]);
            Some(Node::operator(Rule::not, vec![Node::plain("any", vec![others])?]))
        }
        Fold::Sum => {
            let Op::Operator(operator @ (Rule::plus | Rule::minus)) = body.op else { return None };
            let is_small = |part: &Tree| matches!(part.op, Op::Number(0..10_000));
            let is_distance = |part: &Tree| matches!(part.op, Op::Word(word, _) if word.signature.make_loop.is_some());
            if !body.parts.iter().any(is_small) || !body.parts.iter().any(is_distance) {
                return None;
            }
            let parts = body.parts.iter().map(|part| match is_small(part) {
                true => {
                    let count = Node::plain("count", vec![Rc::clone(set)])?;
                    Some(Node::operator(Rule::times, vec![Rc::clone(part), count]))
                }
                false => Some(Node::looped(fold, x, Rc::clone(set), Rc::clone(part))),
            });
            Some(Node::operator(operator, parts.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// The parts of sets or conditions that all must hold, or of which one must, each with whether it is negated.
pub(super) fn factors(tree: &Tree, is_and: bool, found: &mut Vec<(Tree, bool)>) {
    let mut add = |part: &Tree, is_negated: bool| {
        let is_grouped = tree.kind == Type::Condition && part.depth() < tree.depth();
        match part.op {
            Op::Operator(_) if !is_negated && !is_grouped && part.is_inline() => {
                factors(part, is_and, found);
            }
            _ => found.push((Rc::clone(part), is_negated)),
        }
    };
    match (tree.op, &tree.parts[..]) {
        (Op::Operator(Rule::and | Rule::intersection), [a, b]) if is_and => {
            add(a, false);
            add(b, false);
        }
        (Op::Operator(Rule::or | Rule::union), [a, b]) if !is_and => {
            add(a, false);
            add(b, false);
        }
        (Op::Operator(Rule::minus), [a, b]) if is_and && tree.kind == Type::Set => {
            add(a, false);
            add(b, true);
        }
        (Op::Operator(Rule::not | Rule::complement), [part]) => add(part, true),
        _ => found.push((Rc::clone(tree), false)),
    }
}
