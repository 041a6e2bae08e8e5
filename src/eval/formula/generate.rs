//! From checked expressions to code: what is computed once, and what runs without a loop.

use super::Type;
use super::code::{
    Code, Environment, Fold, Lanes, MAX_LETS, MAX_NAMES, Operator, Pair, SquareLoop, Variable,
    Within,
};
use super::syntax::Rule;
use super::tree::{Known, Node, Op, Tree, factors, without_loop};
use super::words::MakeLoop;
use crate::eval::EvalContext;
use shakmaty::{Bitboard, Chess, Square};
use std::{cell::Cell, sync::LazyLock};

/// Makes the code of a term.
#[derive(Default)]
pub(super) struct Generator {
    /// What environments compute when it is read first, and keep.
    pub(super) names: Vec<Code>,
    /// What they depend on, as `Facts::reads`.
    names_read: Vec<u16>,
    /// There was no place for a name.
    pub(super) is_full: bool,
    /// A file whose terms take too many steps is rejected, and must not take them here.
    pub(super) is_too_long: bool,
}

impl Generator {
    /// The code of an expression with so many loops around it. What stands in the term twice, or stays the same while
    /// a loop runs, is computed once.
    pub(super) fn code(&mut self, tree: &Tree, depth: u8) -> Code {
        match tree.known.get() {
            Some(Known::Name(name)) => return Code::Name(name),
            Some(Known::Constant(pair)) => return Code::Constant(pair),
            None => {}
        }
        // A word alone takes hardly longer than to look for its value.
        let is_word = tree.parts.is_empty();
        let is_wanted = tree.is_repeated.get() || tree.depth() < depth && !is_word;
        // The names of the file need places, too.
        let has_place = self.names.len() < MAX_NAMES - MAX_LETS;
        let is_kept = tree.is_named.get() || is_wanted && has_place;
        let code = self.fresh(tree, if is_kept { tree.depth() } else { depth });
        let is_long = matches!(code, Code::Run(_));
        let known = match code {
            code if is_long && tree.facts.reads == 0 && !self.is_too_long => {
                Known::Constant(self.value(&code))
            }
            code if is_long && is_kept && self.names.len() < MAX_NAMES => {
                self.names.push(code);
                self.names_read.push(tree.facts.reads);
                Known::Name(self.names.len() as u8 - 1)
            }
            code => {
                self.is_full |= is_long && is_kept;
                return code;
            }
        };
        tree.known.set(Some(known));
        self.code(tree, depth)
    }

    fn codes<const N: usize>(&mut self, parts: [&Tree; N], depth: u8) -> [Code; N] {
        parts.map(|part| self.code(part, depth))
    }

    /// A value that depends on nothing.
    fn value(&self, code: &Code) -> Pair {
        static ANY: LazyLock<EvalContext> = LazyLock::new(|| EvalContext::new(&Chess::default()));
        let values = vec![Cell::new(Pair::ZERO); self.names.len()];
        code.get(&Environment::new(&ANY, Lanes::BOTH, &self.names, &values), Lanes::BOTH)
    }

    fn fresh(&mut self, tree: &Tree, depth: u8) -> Code {
        match (tree.op, &tree.parts[..]) {
            (Op::Number(number), _) => Code::constant(number),
            (Op::Square(variable), _) => Code::Square(variable),
            (Op::Word(word, side), parts) => {
                let arguments = parts.iter().map(|part| self.code(part, depth));
                (word.signature.make)(side, arguments.collect())
            }
            (Op::SetOf, [square]) => match self.code(square, depth) {
                Code::Square(variable) => Code::SetOf(variable),
                code => code.map(Bitboard::from_square),
            },
            (Op::Operator(rule), _) => self.operator(rule, tree, depth),
            (Op::If, [condition, yes, no]) => Code::choice(self.codes([condition, yes, no], depth)),
            (Op::Loop(fold, variable), [set, body]) => {
                self.looped(fold, variable, [set, body], depth)
            }
            _ => Code::Constant(Pair::ZERO),
        }
    }

    fn operator(&mut self, rule: Rule, tree: &Tree, depth: u8) -> Code {
        let operands = match (rule, &tree.parts[..]) {
            (Rule::negative, [number]) => [Code::constant(0), self.code(number, depth)],
            (Rule::or | Rule::and | Rule::not, _) => return self.bits(tree, depth),
            _ if tree.kind == Type::Set => return self.bits(tree, depth),
            (_, [a, b]) => self.codes([a, b], depth),
            _ => return Code::Constant(Pair::ZERO),
        };
        match rule {
            // Whatever their type, equal values have equal bits.
            Rule::equal => Code::apply(operands, |a: Bitboard, b: Bitboard| a == b),
            Rule::unequal => Code::apply(operands, |a: Bitboard, b: Bitboard| a != b),
            Rule::less => Code::apply(operands, |a: i32, b: i32| a < b),
            Rule::less_equal => Code::apply(operands, |a: i32, b: i32| a <= b),
            Rule::greater => Code::apply(operands, |a: i32, b: i32| a > b),
            Rule::greater_equal => Code::apply(operands, |a: i32, b: i32| a >= b),
            Rule::plus => Code::apply(operands, i32::saturating_add),
            Rule::minus | Rule::negative => Code::apply(operands, i32::saturating_sub),
            Rule::times => Code::apply(operands, i32::saturating_mul),
            Rule::divide => {
                Code::apply(operands, |a: i32, b: i32| if b == 0 { 0 } else { a.saturating_div(b) })
            }
            Rule::remainder => {
                Code::apply(operands, |a: i32, b: i32| a.checked_rem(b).unwrap_or(0))
            }
            _ => Code::apply(operands, |square: Square, set: Bitboard| set.contains(square)),
        }
    }

    /// Operators of sets, and of conditions in the author's order.
    fn bits(&mut self, tree: &Tree, depth: u8) -> Code {
        let is_and = !matches!(tree.op, Op::Operator(Rule::or | Rule::union));
        let mut parts = Vec::new();
        factors(tree, is_and, &mut parts);
        // Sets that stay the same while a loop runs are one.
        let is_fixed = |(part, _): &(Tree, bool)| tree.kind == Type::Set && part.depth() < depth;
        let fixed = parts.iter().filter(|part| is_fixed(part)).count();
        if (2..parts.len()).contains(&fixed) {
            let (fixed, others) = parts.into_iter().partition::<Vec<_>, _>(is_fixed);
            parts = others;
            parts.extend(joined(fixed, is_and).map(|fixed| (fixed, false)));
        }
        let operators = match is_and {
            true => [Operator::And, Operator::AndNot],
            false => [Operator::Or, Operator::OrNot],
        };
        let mut codes =
            parts.iter().map(|(part, is_negated)| (self.code(part, depth), *is_negated));
        let first = match codes.next() {
            Some((code, true)) => code.map(|bits: Bitboard| !bits),
            Some((code, false)) => code,
            None => Code::Constant(Pair::ZERO),
        };
        codes.fold(first, |first, (code, is_negated)| {
            operators[usize::from(is_negated)].code([first, code])
        })
    }

    fn looped(&mut self, fold: Fold, x: Variable, [set, body]: [&Tree; 2], depth: u8) -> Code {
        if let Some(tree) = without_loop(fold, x, [set, body]) {
            return self.code(&tree, depth);
        }
        if let Some((make, square)) = distances(body, x) {
            let [set, square] = self.codes([set, square], depth);
            return make(fold.without_limits(), set, square);
        }
        if let Some((of, range)) = attacks_counted(body, x) {
            return fold.without_limits().over_attacks(self.codes([set, &of], depth), range);
        }
        let set = self.code(set, depth);
        // Squares of which nothing is added.
        let (when, body) = match (body.op, &body.parts[..]) {
            (Op::If, [when, body, otherwise])
                if matches!(otherwise.op, Op::Number(0))
                    && matches!(fold, Fold::Sum | Fold::Total) =>
            {
                (Some(self.code(when, x.0 + 1)), body)
            }
            _ => (None, body),
        };
        let fold = if is_small(body) { fold.without_limits() } else { fold };
        let body = self.code(body, x.0 + 1);
        let mut squares = SquareLoop { set, variable: x, names: 0 };
        self.close(&mut squares);
        fold.over(squares, when, body)
    }

    /// Tells a loop, whose body has code, the names that read its square.
    pub(super) fn close(&self, squares: &mut SquareLoop) {
        let bits = self.names_read.iter().map(|reads| reads >> squares.variable.0 & 1).enumerate();
        squares.names = bits.fold(0, |names, (index, bit)| names | u64::from(bit) << index);
    }
}

/// The set of which a body counts what the piece on the square of a loop attacks, if it does nothing else but to
/// compare that with a number.
fn attacks_counted(body: &Tree, x: Variable) -> Option<(Tree, Option<Within>)> {
    if let (Op::Operator(rule), [count, number]) = (body.op, &body.parts[..]) {
        let Op::Number(number) = number.op else { return None };
        let range = match rule {
            Rule::less => (number..=i32::MAX, false),
            Rule::less_equal => (i32::MIN..=number, true),
            Rule::greater => (i32::MIN..=number, false),
            Rule::greater_equal => (number..=i32::MAX, true),
            Rule::equal => (number..=number, true),
            Rule::unequal => (number..=number, false),
            _ => return None,
        };
        let (of, None) = attacks_counted(count, x)? else { return None };
        return Some((of, Some(range)));
    }
    let (Op::Word(word, _), [set]) = (body.op, &body.parts[..]) else { return None };
    let mut parts = Vec::new();
    factors(set, true, &mut parts);
    let (of_x, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(part, _)| part.reads(x));
    let [(attacks, false)] = &of_x[..] else { return None };
    let is_attacks = matches!(attacks.op, Op::Word(word, _) if word.name == "attacks");
    let is_counted = word.name == "count" && is_attacks && attacks.parts[0].is_square(x);
    if !is_counted {
        return None;
    }
    let of = joined(others, true).or_else(|| Node::plain("all_squares", Vec::new()))?;
    Some((of, None))
}

/// The parts of an intersection, or of a union, as one set.
fn joined(parts: Vec<(Tree, bool)>, is_and: bool) -> Option<Tree> {
    let parts = parts.into_iter().map(|(part, is_negated)| match is_negated {
        true => Node::operator(Rule::complement, vec![part]),
        false => part,
    });
    let operator = if is_and { Rule::intersection } else { Rule::union };
    parts.reduce(|a, b| Node::operator(operator, vec![a, b]))
}

/// Whether a number is within the limits of a count.
fn is_small(number: &Tree) -> bool {
    matches!(number.op, Op::Word(word, _) if word.range.is_some())
}

/// How the distances of the squares of a loop from another square are folded without a call for each, if the body is
/// such a distance.
fn distances(body: &Tree, x: Variable) -> Option<(&'static MakeLoop, &Tree)> {
    let (Op::Word(word, _), [a, b]) = (body.op, &body.parts[..]) else { return None };
    let make = word.signature.make_loop.as_ref()?;
    let other = if a.is_square(x) { b } else { a };
    ((a.is_square(x) || b.is_square(x)) && !other.reads(x)).then_some((make, other))
}
