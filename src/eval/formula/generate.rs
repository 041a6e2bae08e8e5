//! From checked expressions to code: what is computed once, and what runs without a loop.

use super::code::{
    Code, Digits, Draft, Environment, Fold, Leaf, MAX_LETS, MAX_NAMES, Operator, Owner, Pair,
    SquareLoop, Variable, Within,
};
use super::syntax::Rule;
use super::tree::{Known, Node, Op, Tree, factors, of_squares, with_fewer_squares};
use super::words::Join;
use super::{MAX_COUNT, Type};
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
    /// The code of an expression with so many loops around it.
    pub(super) fn code(&mut self, tree: &Tree, depth: u8) -> Code {
        self.draft(tree, depth).code()
    }

    /// The same with steps that can follow. What stands in the term twice, or stays the same while a loop runs, is
    /// computed once.
    fn draft(&mut self, tree: &Tree, depth: u8) -> Draft {
        match tree.known.get() {
            Some(Known::Name(name)) => return Draft::name(name),
            Some(Known::Constant(pair)) => return Draft::leaf(Leaf::Constant(pair)),
            None => {}
        }
        let is_wanted = tree.is_repeated.get() || tree.depth() < depth;
        // The names of the file need places, too.
        let has_place = self.names.len() < MAX_NAMES - MAX_LETS;
        let is_kept = !tree.is_short() && (tree.is_named.get() || is_wanted && has_place);
        let draft = self.fresh(tree, if is_kept { tree.depth() } else { depth });
        let is_long = draft.as_leaf().is_none();
        let known = match draft {
            draft if is_long && tree.facts.reads == 0 && !self.is_too_long => Known::Constant(
                self.values(&draft.code(), |code, environment| code.get(environment)),
            ),
            draft if is_long && is_kept && self.names.len() < MAX_NAMES => {
                self.names.push(draft.code());
                self.names_read.push(tree.facts.reads);
                Known::Name(self.names.len() as u8 - 1)
            }
            draft => {
                self.is_full |= is_long && is_kept;
                return draft;
            }
        };
        tree.known.set(Some(known));
        self.draft(tree, depth)
    }

    fn drafts<const N: usize>(&mut self, parts: [&Tree; N], depth: u8) -> [Draft; N] {
        parts.map(|part| self.draft(part, depth))
    }

    /// What code computes that does not depend on the position.
    fn values<T>(&self, code: &Code, read: impl FnOnce(&Code, &Environment<'_>) -> T) -> T {
        static ANY: LazyLock<EvalContext> = LazyLock::new(|| EvalContext::new(&Chess::default()));
        let values = vec![Cell::new(Pair::ZERO); self.names.len()];
        read(code, &Environment::new(&ANY, &self.names, &values))
    }

    /// The values of an expression for all squares x, one table for each square of [`Variable::OTHER`] if it reads that.
    fn tables(&mut self, tree: &Tree, x: Variable) -> Vec<[Pair; 64]> {
        let others = if tree.reads(Variable::OTHER) { &Square::ALL[..] } else { &[Square::A1] };
        // A file that takes too long is not read.
        let others = if self.is_too_long { &[] } else { others };
        let code = self.code(tree, 0);
        self.values(&code, |code, environment| {
            let tables = others.iter().map(|&other| {
                environment.put(Variable::OTHER, other);
                Square::ALL.map(|square| {
                    environment.put(x, square);
                    code.get(environment)
                })
            });
            tables.collect()
        })
    }

    fn fresh(&mut self, tree: &Tree, depth: u8) -> Draft {
        match (tree.op, &tree.parts[..]) {
            (Op::Number(number), _) => Draft::constant(number),
            (Op::Square(variable), _) => Draft::leaf(Leaf::Square(variable)),
            (Op::Word(word, side), parts) => {
                let arguments = parts.iter().map(|part| self.draft(part, depth));
                (word.signature.make)(side, arguments.collect())
            }
            (Op::SetOf, [square]) => {
                let square = self.draft(square, depth);
                match square.as_leaf() {
                    Some(Leaf::Square(variable)) => Draft::leaf(Leaf::SetOf(variable)),
                    _ => square.map(Bitboard::from_square),
                }
            }
            (Op::Operator(rule), _) => self.operator(rule, tree, depth),
            (Op::Limited, [number]) => {
                let limited = |number: i32| number.clamp(-MAX_COUNT, MAX_COUNT);
                self.draft(number, depth).map(limited)
            }
            (Op::If, [condition, yes, no]) => {
                Draft::choice(self.drafts([condition, yes, no], depth))
            }
            (Op::Loop(fold, variable), [set, body]) => {
                self.looped(fold, variable, [set, body], depth)
            }
            (Op::Holding(x), [number, other @ ..]) => {
                let other = other.first().map_or(Draft::ZERO, |other| self.draft(other, depth));
                match Digits::new(&self.tables(number, x)) {
                    Some(digits) => digits.odd(other),
                    None => Draft::ZERO,
                }
            }
            _ => Draft::ZERO,
        }
    }

    fn operator(&mut self, rule: Rule, tree: &Tree, depth: u8) -> Draft {
        let operands = match (rule, &tree.parts[..]) {
            (Rule::negative, [number]) => [Draft::constant(0), self.draft(number, depth)],
            (Rule::or | Rule::and | Rule::not, _) => return self.bits(tree, depth),
            _ if tree.kind == Type::Set => return self.bits(tree, depth),
            (_, [a, b]) => self.drafts([a, b], depth),
            _ => return Draft::ZERO,
        };
        match rule {
            // Whatever their type, equal values have equal bits.
            Rule::equal => Draft::apply(operands, |a: Bitboard, b: Bitboard| a == b),
            Rule::unequal => Draft::apply(operands, |a: Bitboard, b: Bitboard| a != b),
            Rule::less => Draft::apply(operands, |a: i32, b: i32| a < b),
            Rule::less_equal => Draft::apply(operands, |a: i32, b: i32| a <= b),
            Rule::greater => Draft::apply(operands, |a: i32, b: i32| a > b),
            Rule::greater_equal => Draft::apply(operands, |a: i32, b: i32| a >= b),
            Rule::plus => Draft::apply(operands, i32::saturating_add),
            Rule::minus | Rule::negative => Draft::apply(operands, i32::saturating_sub),
            Rule::times => Draft::apply(operands, i32::saturating_mul),
            Rule::divide => Draft::apply(
                operands,
                |a: i32, b: i32| if b == 0 { 0 } else { a.saturating_div(b) },
            ),
            Rule::remainder => {
                Draft::apply(operands, |a: i32, b: i32| a.checked_rem(b).unwrap_or(0))
            }
            _ => Draft::apply(operands, |square: Square, set: Bitboard| set.contains(square)),
        }
    }

    /// Operators of sets, and of conditions in the author's order.
    fn bits(&mut self, tree: &Tree, depth: u8) -> Draft {
        let is_and = !matches!(tree.op, Op::Operator(Rule::or | Rule::union));
        let mut parts = Vec::new();
        factors(tree, is_and, &mut parts);
        if tree.kind == Type::Set {
            // Sets that stay the same while a loop runs are one.
            let is_fixed = |(part, _): &(Tree, bool)| part.depth() < depth;
            let fixed = parts.iter().filter(|part| is_fixed(part)).count();
            if (2..parts.len()).contains(&fixed) {
                let (fixed, others) = parts.into_iter().partition::<Vec<_>, _>(is_fixed);
                parts = others;
                parts.extend(joined(fixed, is_and).map(|fixed| (fixed, false)));
            }
            // First what is long, because a step that joins a word or the set of a square calls nothing.
            let is_short = |part: &Tree| word_of(part).is_some() || matches!(part.op, Op::SetOf);
            parts.sort_by_key(|(part, is_negated)| (*is_negated, is_short(part)));
        }
        let operators = match is_and {
            true => [Operator::And, Operator::AndNot],
            false => [Operator::Or, Operator::OrNot],
        };
        let mut parts = parts.into_iter();
        let first = match parts.next() {
            Some((part, true)) => self.draft(&part, depth).map(|bits: Bitboard| !bits),
            Some((part, false)) => self.draft(&part, depth),
            None => Draft::ZERO,
        };
        parts.fold(first, |first, (part, is_negated)| {
            let operator = operators[usize::from(is_negated)];
            match word_of(&part) {
                Some((join, side)) => join(side, operator, first),
                None => operator.join(first, self.draft(&part, depth)),
            }
        })
    }

    fn looped(&mut self, fold: Fold, x: Variable, [set, body]: [&Tree; 2], depth: u8) -> Draft {
        if let Some(tree) = with_fewer_squares(fold, x, [set, body]) {
            return self.draft(&tree, depth);
        }
        let mut other = None;
        if body.kind == Type::Number
            && let Some(numbers) = of_squares(body, x, &mut other)
            && let Some(digits) = Digits::new(&self.tables(&numbers, x))
        {
            let other = other.map_or(Draft::ZERO, |other| self.draft(&other, depth));
            return digits.code(fold, [self.draft(set, depth), other]);
        }
        if let (Fold::Sum, Op::Loop(Fold::Sum, y), [seconds, numbers]) =
            (fold, body.op, &body.parts[..])
            && !seconds.reads(x)
            && let Some(numbers) = of_squares(numbers, y, &mut other)
            && other.as_ref().is_some_and(|other| other.is_square(x))
            && let Some(digits) = Digits::new(&self.tables(&numbers, y))
        {
            return digits.sum_of_pairs(self.drafts([set, seconds], depth));
        }
        if let (Fold::Sum, Some((part, of))) = (fold, counted(body, x))
            && let Some(part) = of_squares(&part, x, &mut other)
            && other.is_none()
        {
            let sets = self.tables(&part, x);
            return Digits::of_sets(&sets).sum_of_pairs(self.drafts([set, &of], depth));
        }
        if let Some((of, range)) = attacks_counted(body, x) {
            return fold.over_attacks(self.drafts([set, &of], depth), range);
        }
        let set = self.code(set, depth);
        let body = self.code(body, x.0 + 1);
        let squares = SquareLoop { set, variable: x, names: self.names_of(x) };
        fold.over(squares, body)
    }

    /// The names that read the square of a loop whose body has code, a bit for each.
    pub(super) fn names_of(&self, variable: Variable) -> u64 {
        let bits = self.names_read.iter().map(|reads| reads >> variable.0 & 1).enumerate();
        bits.fold(0, |names, (index, bit)| names | u64::from(bit) << index)
    }
}

/// How a word without arguments whose value is not known yet is joined to another value.
fn word_of(tree: &Tree) -> Option<(&'static Join, Owner)> {
    match tree.op {
        Op::Word(word, side) if tree.is_inline() && !word.is_fixed => {
            Some((word.signature.join.as_ref()?, side))
        }
        _ => None,
    }
}

/// The set of which a body counts what the piece on the square of a loop attacks, if it does nothing else but to
/// compare that with a number.
fn attacks_counted(body: &Tree, x: Variable) -> Option<(Tree, Option<Within>)> {
    if let (Op::Operator(rule), [count, number]) = (body.op, &body.parts[..]) {
        let Op::Number(number) = number.op else { return None };
        let range = match rule {
            Rule::less => ([i32::MIN, number.saturating_sub(1)], true),
            Rule::less_equal => ([i32::MIN, number], true),
            Rule::greater => ([number.saturating_add(1), i32::MAX], true),
            Rule::greater_equal => ([number, i32::MAX], true),
            Rule::equal => ([number, number], true),
            Rule::unequal => ([number, number], false),
            _ => return None,
        };
        let (of, None) = attacks_counted(count, x)? else { return None };
        return Some((of, Some(range)));
    }
    let (part, of) = counted(body, x)?;
    let is_attacks = matches!(part.op, Op::Word(word, _) if word.name == "attacks");
    (is_attacks && part.parts[0].is_square(x)).then_some((of, None))
}

/// The set that reads x and the one that does not, if a body counts the squares that both have.
fn counted(body: &Tree, x: Variable) -> Option<(Tree, Tree)> {
    let (Op::Word(word, _), [set]) = (body.op, &body.parts[..]) else { return None };
    let mut parts = Vec::new();
    factors(set, true, &mut parts);
    let (of_x, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(part, _)| part.reads(x));
    let [(part, false)] = &of_x[..] else { return None };
    let of = joined(others, true).or_else(|| Node::plain("all_squares", Vec::new()))?;
    (word.name == "count").then(|| (Tree::clone(part), of))
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
