//! What expressions and terms mean by their definition: a walk of the tree, one side at a time, in the author's order.
//! Tests and fuzz targets compare with it what the compiler makes of them.

use super::code::{Code, Draft, Environment, Owner};
use super::syntax::{self, Definition, Each, Expression, Loop, Node, Rule};
use super::words::{Word, find};
use super::{MAX_COUNT, Mistake, Type};
use crate::eval::EvalContext;
use shakmaty::{Bitboard, Color, Square};
use std::rc::Rc;
use toml::de::{DeTable, DeValue};

/// A value of an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Plain {
    Number(i32),
    Square(Square),
    Set(Bitboard),
    Condition(bool),
}

impl Plain {
    pub(super) const fn kind(self) -> Type {
        match self {
            Plain::Number(_) => Type::Number,
            Plain::Square(_) => Type::Square,
            Plain::Set(_) => Type::Set,
            Plain::Condition(_) => Type::Condition,
        }
    }

    fn number(self) -> i32 {
        let Plain::Number(number) = self else { panic!("{self:?} is no number") };
        number
    }

    fn square(self) -> Square {
        let Plain::Square(square) = self else { panic!("{self:?} is no square") };
        square
    }

    fn set(self) -> Bitboard {
        match self {
            Plain::Set(set) => set,
            Plain::Square(square) => square.into(),
            other => panic!("{other:?} is no set"),
        }
    }

    fn holds(self) -> bool {
        let Plain::Condition(holds) = self else { panic!("{self:?} is no condition") };
        holds
    }

    /// The same as a value of a type.
    fn of(self, kind: Type) -> Plain {
        if kind == Type::Set { Plain::Set(self.set()) } else { self }
    }

    /// The same as compiled code.
    fn code(self) -> Draft {
        match self {
            Plain::Number(number) => Draft::constant(number),
            Plain::Square(square) => Draft::constant(square),
            Plain::Set(set) => Draft::constant(set),
            Plain::Condition(holds) => Draft::constant(holds),
        }
    }

    /// What compiled code of a type computes for the own side, in its lane.
    pub(super) fn computed(
        (kind, code): (Type, &Code),
        environment: &Environment<'_>,
        side: Color,
    ) -> Plain {
        let (pair, lane) = (code.get(environment), side.fold_wb(0, 1));
        match kind {
            Type::Number => Plain::Number(pair.lane(lane)),
            Type::Square => Plain::Square(pair.lane(lane)),
            Type::Set => Plain::Set(pair.lane(lane)),
            Type::Condition => Plain::Condition(pair.lane(lane)),
        }
    }

    /// The value of a word for a side.
    fn of_word(word: &Word, context: &EvalContext, side: Color, arguments: Vec<Plain>) -> Plain {
        let arguments = arguments.into_iter().map(Plain::code).collect();
        let code = (word.signature.make)(Owner::Own, arguments).code();
        let environment = Environment::new(context, &[], &[]);
        Plain::computed((word.signature.result, &code), &environment, side)
    }
}

fn saturated(number: i64) -> Plain {
    Plain::Number(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
}

/// Evaluates for one side in one position.
#[derive(Clone)]
pub(super) struct Walker<'a> {
    pub(super) context: &'a EvalContext,
    pub(super) side: Color,
    /// The names that are known, the newest last.
    pub(super) names: Vec<(String, Plain)>,
    /// The functions that are known, each with how many names and functions were known before it.
    pub(super) functions: Vec<(String, Rc<Definition>, [usize; 2])>,
}

impl Walker<'_> {
    pub(super) fn read(&mut self, text: &str) -> Result<Plain, Mistake> {
        Ok(self.value(&syntax::expression(text)?))
    }

    fn word(&self, name: &str, arguments: &[Plain]) -> Plain {
        let (word, side) = find(name, !arguments.is_empty()).unwrap();
        let side = match side {
            Some(Owner::Enemy) => !self.side,
            _ => self.side,
        };
        let types = word.signature.types.iter();
        let arguments = types.zip(arguments).map(|(&kind, argument)| argument.of(kind));
        Plain::of_word(word, self.context, side, arguments.collect())
    }

    fn value(&mut self, expression: &Expression) -> Plain {
        match &expression.node {
            Node::Number(digits) => Plain::Number(digits.parse().unwrap()),
            Node::Word(name) => match self.names.iter().rev().find(|(known, _)| known == name) {
                Some((_, value)) => *value,
                None => self.word(name, &[]),
            },
            Node::Call(name, arguments) => {
                let arguments: Vec<Plain> =
                    arguments.iter().map(|argument| self.value(argument)).collect();
                match self.functions.iter().find(|(known, ..)| known == name) {
                    Some((_, function, known)) => self.called(function, *known, &arguments),
                    None => self.word(name, &arguments),
                }
            }
            Node::Loop(parts) => self.quantified(parts),
            Node::Unary(operator, operand) => match (operator, self.value(operand)) {
                (Rule::negative, Plain::Number(number)) => saturated(-i64::from(number)),
                (Rule::not, Plain::Condition(holds)) => Plain::Condition(!holds),
                (_, operand) => Plain::Set(!operand.set()),
            },
            Node::Binary(operator, operands) => {
                let [a, b] = operands.each_ref().map(|operand| self.value(operand));
                binary(*operator, a, b)
            }
            Node::If(parts) => {
                let [condition, yes, no] = parts.each_ref().map(|part| self.value(part));
                let kind = if yes.kind() == no.kind() { yes.kind() } else { Type::Set };
                (if condition.holds() { yes } else { no }).of(kind)
            }
        }
    }

    /// The value of a function of the file, which knows its arguments and what stands above it.
    fn called(&self, function: &Definition, known: [usize; 2], arguments: &[Plain]) -> Plain {
        let mut inside = self.clone();
        inside.names.truncate(known[0]);
        inside.functions.truncate(known[1]);
        let parameters = function.parameters.iter().zip(arguments);
        inside.names.extend(
            parameters.map(|(parameter, value)| (parameter.name.clone(), value.of(parameter.kind))),
        );
        inside.value(&function.body)
    }

    /// Calls a function with each square of a loop, in the order of their numbers, while it is known by its name.
    pub(super) fn visit(&mut self, each: &Each, mut body: impl FnMut(&mut Self, Square)) {
        for square in self.value(&each.set).set() {
            self.names.push((each.variable.clone(), Plain::Square(square)));
            body(self, square);
            self.names.pop();
        }
    }

    fn quantified(&mut self, parts: &Loop) -> Plain {
        let mut seen = Vec::new();
        self.visit(&parts.each, |walker, square| seen.push((square, walker.value(&parts.body))));
        let numbers = || seen.iter().map(|(_, value)| value.number());
        let holding = || seen.iter().filter(|(_, value)| value.holds()).map(|(square, _)| *square);
        let sum = || numbers().map(i64::from).sum::<i64>();
        match parts.quantifier.as_str() {
            "sum" => saturated(sum()),
            "mean" => saturated(sum().checked_div(seen.len() as i64).unwrap_or(0)),
            "min" => Plain::Number(numbers().min().unwrap_or(0)),
            "max" => Plain::Number(numbers().max().unwrap_or(0)),
            "count" => Plain::Number(holding().count() as i32),
            "any" => Plain::Condition(holding().next().is_some()),
            "all" => Plain::Condition(holding().count() == seen.len()),
            "squares" => Plain::Set(holding().collect()),
            other => panic!("{other} is no loop"),
        }
    }
}

fn binary(operator: Rule, a: Plain, b: Plain) -> Plain {
    use Plain::{Condition, Number};
    let same_kind = a.kind() == b.kind();
    let equal = || if same_kind { a == b } else { a.set() == b.set() };
    match (operator, a, b) {
        (Rule::plus, Number(a), Number(b)) => saturated(i64::from(a) + i64::from(b)),
        (Rule::minus, Number(a), Number(b)) => saturated(i64::from(a) - i64::from(b)),
        (Rule::times, Number(a), Number(b)) => saturated(i64::from(a) * i64::from(b)),
        (Rule::divide, Number(a), Number(b)) => {
            saturated(i64::from(a).checked_div(b.into()).unwrap_or(0))
        }
        (Rule::remainder, Number(a), Number(b)) => {
            saturated(i64::from(a).checked_rem(b.into()).unwrap_or(0))
        }
        (Rule::less, ..) => Condition(a.number() < b.number()),
        (Rule::less_equal, ..) => Condition(a.number() <= b.number()),
        (Rule::greater, ..) => Condition(a.number() > b.number()),
        (Rule::greater_equal, ..) => Condition(a.number() >= b.number()),
        (Rule::equal, ..) => Condition(equal()),
        (Rule::unequal, ..) => Condition(!equal()),
        (Rule::and, ..) => Condition(a.holds() && b.holds()),
        (Rule::or, ..) => Condition(a.holds() || b.holds()),
        (Rule::member, ..) => Condition(b.set().contains(a.square())),
        (Rule::union, ..) => Plain::Set(a.set() | b.set()),
        (Rule::intersection, ..) => Plain::Set(a.set() & b.set()),
        (Rule::minus, ..) => Plain::Set(a.set() & !b.set()),
        _ => panic!("{operator:?} of {a:?} and {b:?}"),
    }
}

/// The entries of a table in the order of the file.
fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t str, &'t DeValue<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter().map(|(key, value)| (key.get_ref().as_ref(), value.get_ref())).collect()
}

impl Walker<'_> {
    fn key(&mut self, table: &DeTable<'_>, key: &str) -> Option<Plain> {
        let text = table.get(key)?.get_ref().as_str()?;
        Some(self.read(text).unwrap())
    }

    fn applies(&mut self, table: &DeTable<'_>) -> bool {
        self.key(table, "when").is_none_or(Plain::holds)
    }

    /// Defines the names of a table that read none of these, and returns the others with those that they read.
    fn define(&mut self, table: &DeTable<'_>, unknown: &[String]) -> Vec<(String, Definition)> {
        let (mut unknown, mut others) = (unknown.to_vec(), Vec::new());
        let names = table.get("let").and_then(|names| names.get_ref().as_table());
        for (name, value) in names.into_iter().flat_map(in_order) {
            let definition = syntax::definition(value.as_str().unwrap()).unwrap();
            let is_parameter =
                |name: &String| definition.parameters.iter().any(|p| p.name == *name);
            let mut free = unknown.iter().filter(|name| !is_parameter(name));
            if free.any(|name| definition.body.mentions(name)) {
                unknown.push(name.to_owned());
                others.push((name.to_owned(), definition));
            } else {
                self.define_one(name, definition);
            }
        }
        others
    }

    fn define_one(&mut self, name: &str, definition: Definition) {
        if definition.parameters.is_empty() {
            let value = self.value(&definition.body);
            self.names.push((name.to_owned(), value));
        } else {
            let known = [self.names.len(), self.functions.len()];
            self.functions.push((name.to_owned(), Rc::new(definition), known));
        }
    }

    /// Calls a function once, or for each square of the loop of a table.
    fn each(
        &mut self,
        table: &DeTable<'_>,
        square: Square,
        mut body: impl FnMut(&mut Self, Square),
    ) {
        match table.get("each").and_then(|each| each.get_ref().as_str()) {
            None => body(self, square),
            Some(text) => self.visit(&syntax::each(text).unwrap(), body),
        }
    }

    /// What a section counts: the weight's index among the pairs of the term, count and square.
    fn section(&mut self, section: &DeTable<'_>) -> Vec<(usize, i32, Square)> {
        let mut seen = Vec::new();
        let each = section.get("each").and_then(|each| each.get_ref().as_str());
        let variable = each.map(|each| syntax::each(each).unwrap().variable);
        let of_loop = self.define(section, variable.as_slice());
        if !self.applies(section) {
            return seen;
        }
        let king = self.context.side(self.side).king;
        self.each(section, king, |walker, square| {
            let known = [walker.names.len(), walker.functions.len()];
            for (name, definition) in &of_loop {
                walker.define_one(name, definition.clone());
            }
            let mut first = 0;
            for (name, weight) in in_order(section) {
                let Some(weight) = weight.as_table().filter(|_| name != "let") else { continue };
                let pairs = match (weight.get("index"), weight.get("worth")) {
                    (Some(_), Some(worth)) => worth.get_ref().as_array().unwrap().len(),
                    _ => 1,
                };
                walker.each(weight, square, |walker, square| {
                    if !walker.applies(weight) {
                        return;
                    }
                    let count = walker.key(weight, "count").map(Plain::number);
                    let index = walker.key(weight, "index").map(Plain::number);
                    let index = index.map(|index| index.clamp(0, pairs as i32 - 1) as usize);
                    let count = count.unwrap_or(1).clamp(-MAX_COUNT, MAX_COUNT);
                    let square = walker.key(weight, "at").map_or(square, Plain::square);
                    if count != 0 {
                        seen.push((first + index.unwrap_or(0), count, square));
                    }
                });
                first += pairs;
            }
            walker.names.truncate(known[0]);
            walker.functions.truncate(known[1]);
        });
        seen
    }
}

/// What each side contributes to a term of an engine file, and what a scale factor of it keeps for each side.
pub(super) struct PlainFile<'a>(DeTable<'a>);

impl<'a> PlainFile<'a> {
    pub(super) fn new(text: &'a str) -> PlainFile<'a> {
        PlainFile(DeTable::parse(text).unwrap().into_inner())
    }

    fn walker<'c>(&self, context: &'c EvalContext, side: Color) -> Walker<'c> {
        let mut walker = Walker { context, side, names: Vec::new(), functions: Vec::new() };
        walker.define(&self.0, &[]);
        walker
    }

    /// The contributions to a term, sorted: index of the pair, count, square.
    pub(super) fn term(
        &self,
        name: &str,
        context: &EvalContext,
        side: Color,
    ) -> Vec<(usize, i32, Square)> {
        let mut walker = self.walker(context, side);
        let mut seen = walker.section(self.0[name].get_ref().as_table().unwrap());
        seen.sort_unstable();
        seen
    }

    /// The percentage that a scale factor with an expression keeps, if it applies.
    pub(super) fn scale(&self, name: &str, context: &EvalContext, side: Color) -> Option<i32> {
        let mut walker = self.walker(context, side);
        let scales = self.0["scale"].get_ref().as_table().unwrap();
        let section = scales[name].get_ref().as_table().unwrap();
        walker.define(section, &[]);
        let applies = walker.applies(section);
        applies.then(|| walker.key(section, "keeps").unwrap().number().clamp(0, 100))
    }
}
