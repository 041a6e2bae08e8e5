//! From the tree of an expression to code: types, ranges, cost.

use super::code::{Code, Condition, MOST_LOCALS, Number, Set, Side, Slot, SquareCode};
use super::syntax::{Binary, Each, Expression, Kind, Loop, Unary};
use super::words::{
    Function, QUANTIFIERS, Reads, Squares, Word, find, moves, paths, reach, written,
};
use super::{MAX_NUMBER, Mistake, SQUARES, Type};
use crate::geometry::Mover;
use crate::text::{counted, did_you_mean};
use std::ops::Range;

/// An expression that was checked.
pub(super) struct Compiled {
    pub(super) value: Value,
    pub(super) facts: Facts,
    span: Range<usize>,
}

/// What is known of an expression before it runs.
#[derive(Copy, Clone, Debug)]
pub(super) struct Facts {
    /// The smallest and largest value of a number.
    pub(super) range: (i64, i64),
    /// How long it takes at most: a word or an operator is one step.
    pub(super) cost: u64,
    pub(super) reads: Reads,
    /// The side whose pieces the squares are, if it is one side's only.
    pub(super) side: Option<Side>,
    /// How many squares a set has at most in a game. In positions that no game leads to it can be more:
    /// they only take longer.
    pub(super) squares: u64,
}

/// Code of one of the four types.
pub(super) enum Value {
    Number(Number),
    Square(SquareCode),
    Set(Set),
    Condition(Condition),
}

impl Value {
    pub(super) const fn kind(&self) -> Type {
        match self {
            Value::Number(_) => Type::Number,
            Value::Square(_) => Type::Square,
            Value::Set(_) => Type::Set,
            Value::Condition(_) => Type::Condition,
        }
    }
}

/// A named value: a `let` or the variable of a loop.
#[derive(Clone, Debug)]
struct Local {
    name: String,
    kind: Type,
    slot: Slot,
    facts: Facts,
}

/// Compiles the expressions of a term, one after the other, with the names that are in scope.
#[derive(Clone, Default, Debug)]
pub(super) struct Compiler {
    locals: Vec<Local>,
}

impl Facts {
    const NOTHING: Facts =
        Facts { range: (0, 0), cost: 1, reads: Reads::PawnsAndKings, side: None, squares: SQUARES };

    /// One step more than its parts.
    fn of(parts: &[Facts]) -> Facts {
        let everything = parts.iter().any(|part| part.reads == Reads::Everything);
        Facts {
            cost: parts.iter().map(|part| part.cost).sum::<u64>() + 1,
            reads: if everything { Reads::Everything } else { Reads::PawnsAndKings },
            ..Facts::NOTHING
        }
    }

    fn range(self, range: (i64, i64)) -> Facts {
        Facts { range, ..self }
    }

    fn side(self, side: Option<Side>) -> Facts {
        Facts { side, ..self }
    }

    fn squares(self, squares: u64) -> Facts {
        Facts { squares: squares.min(SQUARES), ..self }
    }
}

impl Compiled {
    fn new(value: Value, facts: Facts, span: Range<usize>) -> Compiled {
        Compiled { value, facts, span }
    }

    /// A number whose range was computed.
    fn number(code: Number, facts: Facts, span: Range<usize>) -> Result<Compiled, Mistake> {
        let (min, max) = facts.range;
        if min < -MAX_NUMBER || max > MAX_NUMBER {
            let message = format!(
                "the value can be {}; numbers must stay from -{MAX_NUMBER} to {MAX_NUMBER}",
                if max > MAX_NUMBER { max } else { min }
            );
            return Err(Mistake::new(span, message).hint("limit it with `min(value, 100)`"));
        }
        Ok(Compiled::new(Value::Number(code), facts, span))
    }

    fn wrong_type(&self, expected: Type) -> Mistake {
        let message = format!(
            "{} is expected here, but this is {}",
            expected.article(),
            self.value.kind().article()
        );
        let mistake = Mistake::new(self.span.clone(), message).example(expected.example());
        match (expected, self.value.kind()) {
            (Type::Number, Type::Set) => mistake.hint("`count(...)` counts the squares of a set"),
            (Type::Number, Type::Condition) => mistake.hint("write `if ... then 1 else 0`"),
            (Type::Condition, Type::Set) => mistake.hint("write `any(...)`"),
            (Type::Condition, Type::Number) => mistake.hint("compare it, as in `... > 0`"),
            (Type::Square, Type::Set) => mistake
                .hint("a loop takes the squares of a set one by one, as in `sum(x in set: ...)`"),
            _ => mistake,
        }
    }

    pub(super) fn into_number(self) -> Result<Number, Mistake> {
        let mistake = self.wrong_type(Type::Number);
        match self.value {
            Value::Number(code) => Ok(code),
            _ => Err(mistake),
        }
    }

    pub(super) fn into_square(self) -> Result<SquareCode, Mistake> {
        let mistake = self.wrong_type(Type::Square);
        match self.value {
            Value::Square(code) => Ok(code),
            _ => Err(mistake),
        }
    }

    /// A set; a square is the set of that square.
    pub(super) fn into_set(self) -> Result<Set, Mistake> {
        let mistake = self.wrong_type(Type::Set);
        match self.value {
            Value::Set(code) => Ok(code),
            Value::Square(code) => Ok(Code::run(move |frame| code.get(frame).into())),
            _ => Err(mistake),
        }
    }

    pub(super) fn into_condition(self) -> Result<Condition, Mistake> {
        let mistake = self.wrong_type(Type::Condition);
        match self.value {
            Value::Condition(code) => Ok(code),
            _ => Err(mistake),
        }
    }
}

impl Compiler {
    /// Checks that a name is neither a word nor the name of another value.
    pub(super) fn check_new(&self, name: &str, span: Range<usize>) -> Result<(), Mistake> {
        let is_word = |name: &str| {
            find(name, false).is_some()
                || find(name, true).is_some()
                || QUANTIFIERS.iter().any(|known| known.name() == name)
        };
        if name.contains('.') {
            return Err(Mistake::new(span, format!("`{name}` cannot be a new name"))
                .hint("names have letters, digits and `_` only"));
        }
        if is_word(name) {
            return Err(Mistake::new(span, format!("`{name}` is a word already"))
                .hint("choose another name"));
        }
        if self.locals.iter().any(|local| local.name == name) {
            return Err(Mistake::new(span, format!("`{name}` is a name already"))
                .hint("choose another name"));
        }
        Ok(())
    }

    /// Gives a value a name for all later expressions. Returns where the value is kept.
    pub(super) fn define(
        &mut self,
        name: &str,
        span: Range<usize>,
        kind: Type,
        facts: Facts,
    ) -> Result<Slot, Mistake> {
        self.check_new(name, span.clone())?;
        let used = self.locals.iter().filter(|local| local.kind == kind).count();
        if used >= MOST_LOCALS {
            let message = format!("more than {MOST_LOCALS} names for {}s", kind.noun());
            return Err(Mistake::new(span, message));
        }
        let slot = Slot(used as u8);
        self.locals.push(Local {
            name: name.to_owned(),
            kind,
            slot,
            facts: Facts { cost: 1, ..facts },
        });
        Ok(slot)
    }

    /// The variable of a loop over a set: the set, and where the variable is kept.
    pub(super) fn each(&mut self, each: &Each) -> Result<(Set, Facts, Slot), Mistake> {
        let set = self.compile(&each.set)?;
        let facts = set.facts;
        let set = set.into_set()?;
        let variable = each.variable_span.clone();
        let slot = self.define(&each.variable, variable, Type::Square, facts.squares(1))?;
        Ok((set, facts, slot))
    }

    pub(super) fn compile(&self, expression: &Expression) -> Result<Compiled, Mistake> {
        let span = expression.span.clone();
        match &expression.kind {
            Kind::Number(digits) => match digits.parse::<i32>() {
                Ok(number) => {
                    let range = (i64::from(number), i64::from(number));
                    Compiled::number(Code::Constant(number), Facts::NOTHING.range(range), span)
                }
                Err(_) => Err(Mistake::new(span, format!("the largest number is {MAX_NUMBER}"))),
            },
            Kind::Word(name) => self.word(name, span),
            Kind::Call(name, arguments) => self.call(name, arguments, span),
            Kind::Loop(parts) => self.quantified(parts, span),
            Kind::Unary(operator, operand) => self.unary(*operator, operand, span),
            Kind::Binary(operator, operands) => {
                let [a, b] = &**operands;
                self.binary(*operator, self.compile(a)?, self.compile(b)?, span)
            }
            Kind::If(parts) => {
                let [condition, yes, no] = &**parts;
                self.choice(condition, self.compile(yes)?, self.compile(no)?, span)
            }
        }
    }

    fn word(&self, name: &str, span: Range<usize>) -> Result<Compiled, Mistake> {
        if let Some(local) = self.locals.iter().find(|local| local.name == name) {
            let value = match local.kind {
                Type::Number => Value::Number(Code::Local(local.slot)),
                Type::Square => Value::Square(Code::Local(local.slot)),
                Type::Set => Value::Set(Code::Local(local.slot)),
                Type::Condition => Value::Condition(Code::Local(local.slot)),
            };
            return Ok(Compiled::new(value, local.facts, span));
        }
        let Some((word, side)) = find(name, false) else {
            return Err(match find(name, true) {
                Some((word, _)) => Mistake::new(span, format!("`{name}` needs arguments"))
                    .hint(format!("write `{}`", word.usage())),
                None => self.unknown(name, span),
            });
        };
        let facts = Facts {
            range: word.range().map_or((0, 0), |(min, max)| (min.into(), max.into())),
            cost: word.cost().into(),
            reads: word.reads,
            side: if word.is_pieces { side } else { None },
            squares: most_squares(word, 1),
        };
        let side = side.unwrap_or(Side::Own);
        let value = match word.function {
            Function::Number(_, function) => Value::Number(Code::Word(function, side)),
            Function::Condition(function) => Value::Condition(Code::Word(function, side)),
            Function::Square(function) => Value::Square(Code::Word(function, side)),
            Function::Set(function) => Value::Set(Code::Word(function, side)),
            _ => return Err(self.unknown(name, span)),
        };
        Ok(Compiled::new(value, facts, span))
    }

    /// A word that does not exist, with the nearest that does.
    fn unknown(&self, name: &str, span: Range<usize>) -> Mistake {
        let mistake = Mistake::new(span, format!("unknown word `{name}`"));
        let (side, plain) = name.split_once('.').unwrap_or(("", name));
        if matches!(side, "white" | "black") {
            return mistake.hint(format!(
                "a term is written for both sides at once: `own.{plain}` or `enemy.{plain}`"
            ));
        }
        let is_square = matches!(name.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
        if is_square {
            return mistake.hint(
                "single squares have no names, as they are others for the other side: `own.rank(4)`, `centre`",
            );
        }
        let sided = format!("own.{plain}");
        if side.is_empty() && (find(&sided, false).is_some() || find(&sided, true).is_some()) {
            return mistake.hint(format!("write `own.{plain}` or `enemy.{plain}`"));
        }
        if !side.is_empty() && (find(plain, false).is_some() || find(plain, true).is_some()) {
            return mistake.hint(format!("`{plain}` has no side: write `{plain}`"));
        }
        let known: Vec<String> =
            written().chain(self.locals.iter().map(|local| local.name.clone())).collect();
        match did_you_mean(name, known.iter().map(String::as_str)) {
            Some(hint) => mistake.hint(hint),
            None => mistake.hint("`tropism words` lists all words"),
        }
    }

    fn call(
        &self,
        name: &str,
        arguments: &[Expression],
        span: Range<usize>,
    ) -> Result<Compiled, Mistake> {
        if let ("min" | "max", [a, b]) = (name, arguments) {
            return self.smaller_or_larger(name == "min", a, b, span);
        }
        if let Some(quantifier) = QUANTIFIERS.iter().find(|known| known.name() == name)
            && find(name, true).is_none()
        {
            return Err(Mistake::new(span, format!("`{name}` needs a loop"))
                .hint(format!("write `{}`", quantifier.usage)));
        }
        let Some((word, side)) = find(name, true) else {
            return Err(match find(name, false) {
                Some((word, _)) => Mistake::new(span, format!("`{name}` takes no arguments"))
                    .hint(format!("write `{}`", word.usage())),
                None => {
                    let end = span.start + name.len();
                    self.unknown(name, span.start..end)
                }
            });
        };
        let types = word.types();
        if types.len() != arguments.len() {
            let message = format!(
                "`{name}` takes {}, not {}",
                counted(types.len() as u64, "argument"),
                arguments.len()
            );
            return Err(Mistake::new(span, message).hint(format!("write `{}`", word.usage())));
        }
        let compiled = arguments.iter().map(|argument| self.compile(argument));
        let arguments = compiled.collect::<Result<Vec<Compiled>, Mistake>>()?;
        self.function(word, side.unwrap_or(Side::Own), arguments, span)
    }

    fn function(
        &self,
        word: &'static Word,
        side: Side,
        arguments: Vec<Compiled>,
        span: Range<usize>,
    ) -> Result<Compiled, Mistake> {
        let mut parts: Vec<Facts> = arguments.iter().map(|argument| argument.facts).collect();
        parts.push(Facts { cost: word.cost().into(), reads: word.reads, ..Facts::NOTHING });
        let facts = Facts::of(&parts).squares(most_squares(word, parts[0].squares));
        let range = word.range().map_or((0, 0), |(min, max)| (min.into(), max.into()));
        let first = parts[0].range;
        let mut arguments = arguments.into_iter();
        // The number of arguments was checked.
        let mut next =
            || arguments.next().ok_or_else(|| Mistake::new(span.clone(), "an argument is missing"));
        let value = match word.function {
            Function::OfNumber(function) => {
                let number = next()?.into_number()?;
                let most = first.0.abs().max(first.1.abs());
                let code = Code::run(move |frame| function(number.get(frame)));
                return Compiled::number(code, facts.range((0, most)), span);
            }
            Function::OfSquare(_, function) => {
                let square = next()?.into_square()?;
                let code = Code::run(move |frame| function(frame.color(side), square.get(frame)));
                return Compiled::number(code, facts.range(range), span);
            }
            Function::OfSquares(_, function) => {
                let code = Code::of(next()?.into_square()?, next()?.into_square()?, function);
                return Compiled::number(code, facts.range(range), span);
            }
            Function::OfSet(_, function) => {
                let set = next()?.into_set()?;
                let code = Code::run(move |frame| function(set.get(frame)));
                return Compiled::number(code, facts.range(range), span);
            }
            Function::OfSets(_, function) => {
                let code = Code::of(next()?.into_set()?, next()?.into_set()?, function);
                return Compiled::number(code, facts.range(range), span);
            }
            Function::Moves(_) | Function::PawnMoves => {
                let [from, to, closed] =
                    [next()?.into_set()?, next()?.into_set()?, next()?.into_set()?];
                let code = Code::run(move |frame| {
                    let mover = match word.function {
                        Function::Moves(mover) => mover,
                        _ => Mover::Pawn(frame.color(side)),
                    };
                    moves(mover, from.get(frame), to.get(frame), closed.get(frame))
                });
                return Compiled::number(code, facts.range(range), span);
            }
            Function::Reach(mover) => {
                let (from, number) = (next()?.into_set()?, next()?.into_number()?);
                let closed = next()?.into_set()?;
                Value::Set(Code::run(move |frame| {
                    reach(mover, from.get(frame), number.get(frame), closed.get(frame))
                }))
            }
            Function::Paths(mover) => {
                let (from, to) = (next()?.into_square()?, next()?.into_square()?);
                let closed = next()?.into_set()?;
                Value::Set(Code::run(move |frame| {
                    paths(mover, from.get(frame), to.get(frame), closed.get(frame))
                }))
            }
            Function::AreSquares(function) => {
                Value::Condition(Code::of(next()?.into_square()?, next()?.into_square()?, function))
            }
            Function::IsSet(function) => {
                let set = next()?.into_set()?;
                Value::Condition(Code::run(move |frame| function(set.get(frame))))
            }
            Function::SetOfNumber(function) => {
                let number = next()?.into_number()?;
                Value::Set(Code::run(move |frame| function(frame.color(side), number.get(frame))))
            }
            Function::SetOfSquare(function) => {
                let square = next()?.into_square()?;
                Value::Set(Code::run(move |frame| function(frame.color(side), square.get(frame))))
            }
            Function::SetOfSquares(function) => {
                Value::Set(Code::of(next()?.into_square()?, next()?.into_square()?, function))
            }
            Function::SetOfSet(function) => {
                let set = next()?.into_set()?;
                Value::Set(Code::run(move |frame| {
                    function(frame.context, frame.color(side), set.get(frame))
                }))
            }
            Function::SquareOfSet(function) => {
                let (square, set) = (next()?.into_square()?, next()?.into_set()?);
                Value::Square(Code::run(move |frame| {
                    function(frame.color(side), square.get(frame), set.get(frame))
                }))
            }
            Function::Number(..)
            | Function::Condition(_)
            | Function::Square(_)
            | Function::Set(_) => {
                return Err(Mistake::new(span, format!("`{}` takes no arguments", word.name)));
            }
        };
        Ok(Compiled::new(value, facts, span))
    }

    /// `min(a, b)` and `max(a, b)`.
    fn smaller_or_larger(
        &self,
        smaller: bool,
        a: &Expression,
        b: &Expression,
        span: Range<usize>,
    ) -> Result<Compiled, Mistake> {
        let (a, b) = (self.compile(a)?, self.compile(b)?);
        let facts = Facts::of(&[a.facts, b.facts]);
        let (p, q) = (a.facts.range, b.facts.range);
        let (a, b) = (a.into_number()?, b.into_number()?);
        match smaller {
            true => {
                let range = (p.0.min(q.0), p.1.min(q.1));
                Compiled::number(Code::of(a, b, i32::min), facts.range(range), span)
            }
            false => {
                let range = (p.0.max(q.0), p.1.max(q.1));
                Compiled::number(Code::of(a, b, i32::max), facts.range(range), span)
            }
        }
    }

    fn quantified(&self, parts: &Loop, span: Range<usize>) -> Result<Compiled, Mistake> {
        let name = parts.quantifier.as_str();
        if !QUANTIFIERS.iter().any(|known| known.name() == name) {
            let known = QUANTIFIERS.iter().map(|known| known.name());
            let hint = did_you_mean(name, known.clone())
                .unwrap_or_else(|| format!("known are {}", known.collect::<Vec<_>>().join(", ")));
            let message = format!("`{name}` is no word for a loop");
            return Err(Mistake::new(parts.quantifier_span.clone(), message).hint(hint));
        }
        let mut inner = self.clone();
        let (set, of_set, slot) = inner.each(&parts.each)?;
        let body = inner.compile(&parts.body)?;
        let of_body = body.facts;
        let mut facts = Facts::of(&[of_set, of_body]);
        facts.cost = of_set.cost + of_set.squares * (of_body.cost + 1);
        facts.squares = of_set.squares;
        let (low, high) = of_body.range;
        // An empty set has the value 0.
        let with_zero = (low.min(0), high.max(0));
        if matches!(name, "sum" | "mean" | "min" | "max") {
            let body = body.into_number()?;
            return match name {
                "sum" => {
                    let range = (with_zero.0 * SQUARES as i64, with_zero.1 * SQUARES as i64);
                    let code = Code::run(move |frame| {
                        let mut sum = 0;
                        for square in set.get(frame) {
                            frame.set_square(slot, square);
                            sum += body.get(frame);
                        }
                        sum
                    });
                    Compiled::number(code, facts.range(range), span)
                }
                "mean" => {
                    let sums = (with_zero.0 * SQUARES as i64, with_zero.1 * SQUARES as i64);
                    // The sum must fit, too.
                    Compiled::number(Code::Constant(0), facts.range(sums), span.clone())?;
                    let code = Code::run(move |frame| {
                        let set = set.get(frame);
                        let mut sum = 0;
                        for square in set {
                            frame.set_square(slot, square);
                            sum += body.get(frame);
                        }
                        if set.any() { sum / set.count() as i32 } else { 0 }
                    });
                    Compiled::number(code, facts.range(with_zero), span)
                }
                _ => {
                    let choose = if name == "min" { i32::min } else { i32::max };
                    let code = Code::run(move |frame| {
                        let values = set.get(frame).into_iter().map(|square| {
                            frame.set_square(slot, square);
                            body.get(frame)
                        });
                        values.reduce(choose).unwrap_or(0)
                    });
                    Compiled::number(code, facts.range(with_zero), span)
                }
            };
        }
        let body = body.into_condition()?;
        let holds = move |frame: &super::code::Frame<'_>, square| {
            frame.set_square(slot, square);
            body.get(frame)
        };
        let value = match name {
            "count" => {
                let code = Code::run(move |frame| {
                    set.get(frame).into_iter().filter(|&square| holds(frame, square)).count() as i32
                });
                return Compiled::number(code, facts.range((0, SQUARES as i64)), span);
            }
            "any" => Value::Condition(Code::run(move |frame| {
                set.get(frame).into_iter().any(|square| holds(frame, square))
            })),
            "all" => Value::Condition(Code::run(move |frame| {
                set.get(frame).into_iter().all(|square| holds(frame, square))
            })),
            _ => {
                facts.side = of_set.side;
                Value::Set(Code::run(move |frame| {
                    set.get(frame).into_iter().filter(|&square| holds(frame, square)).collect()
                }))
            }
        };
        Ok(Compiled::new(value, facts, span))
    }

    fn unary(
        &self,
        operator: Unary,
        operand: &Expression,
        span: Range<usize>,
    ) -> Result<Compiled, Mistake> {
        let operand = self.compile(operand)?;
        let facts = Facts::of(&[operand.facts]);
        let (min, max) = operand.facts.range;
        let value = match operator {
            Unary::Negative => {
                let number = operand.into_number()?;
                let code = match number {
                    Code::Constant(number) => Code::Constant(-number),
                    number => Code::run(move |frame| -number.get(frame)),
                };
                return Compiled::number(code, facts.range((-max, -min)), span);
            }
            Unary::Not => {
                let condition = operand.into_condition()?;
                Value::Condition(Code::run(move |frame| !condition.get(frame)))
            }
            Unary::Complement => {
                let set = operand.into_set()?;
                Value::Set(Code::run(move |frame| !set.get(frame)))
            }
        };
        Ok(Compiled::new(value, facts, span))
    }

    fn binary(
        &self,
        operator: Binary,
        a: Compiled,
        b: Compiled,
        span: Range<usize>,
    ) -> Result<Compiled, Mistake> {
        use Binary::{
            And, Divide, Equal, Greater, GreaterEqual, In, Intersection, Less, LessEqual, Minus,
            Or, Plus, Remainder, Times, Unequal, Union,
        };
        let facts = Facts::of(&[a.facts, b.facts]);
        let is_set = |operand: &Compiled| matches!(operand.value, Value::Set(_) | Value::Square(_));
        let sides = [a.facts.side, b.facts.side];
        let [a_squares, b_squares] = [a.facts.squares, b.facts.squares];
        let value = match operator {
            Or => {
                let (a, b) = (a.into_condition()?, b.into_condition()?);
                Value::Condition(Code::run(move |frame| a.get(frame) || b.get(frame)))
            }
            And => {
                let (a, b) = (a.into_condition()?, b.into_condition()?);
                Value::Condition(Code::run(move |frame| a.get(frame) && b.get(frame)))
            }
            In => {
                let (square, set) = (a.into_square()?, b.into_set()?);
                Value::Condition(Code::of(square, set, |square, set| set.contains(square)))
            }
            Union => {
                let side = if sides[0] == sides[1] { sides[0] } else { None };
                let value = Value::Set(Code::of(a.into_set()?, b.into_set()?, |a, b| a | b));
                let squares = a_squares + b_squares;
                return Ok(Compiled::new(value, facts.side(side).squares(squares), span));
            }
            Intersection => {
                let side = sides[0].or(sides[1]);
                let value = Value::Set(Code::of(a.into_set()?, b.into_set()?, |a, b| a & b));
                let squares = a_squares.min(b_squares);
                return Ok(Compiled::new(value, facts.side(side).squares(squares), span));
            }
            Minus if is_set(&a) && is_set(&b) => {
                let value = Value::Set(Code::of(a.into_set()?, b.into_set()?, |a, b| a & !b));
                return Ok(Compiled::new(value, facts.side(sides[0]).squares(a_squares), span));
            }
            Equal | Unequal => {
                let is_equal = operator == Equal;
                Value::Condition(match (a.value.kind(), b.value.kind()) {
                    (Type::Square, Type::Square) => {
                        Code::of(a.into_square()?, b.into_square()?, move |a, b| {
                            (a == b) == is_equal
                        })
                    }
                    (Type::Condition, _) => {
                        Code::of(a.into_condition()?, b.into_condition()?, move |a, b| {
                            (a == b) == is_equal
                        })
                    }
                    (Type::Number, _) => {
                        Code::of(a.into_number()?, b.into_number()?, move |a, b| {
                            (a == b) == is_equal
                        })
                    }
                    _ => Code::of(a.into_set()?, b.into_set()?, move |a, b| (a == b) == is_equal),
                })
            }
            Less | LessEqual | Greater | GreaterEqual => {
                let compare: fn(&i32, &i32) -> bool = match operator {
                    Less => i32::lt,
                    LessEqual => i32::le,
                    Greater => i32::gt,
                    _ => i32::ge,
                };
                let (a, b) = (a.into_number()?, b.into_number()?);
                Value::Condition(Code::of(a, b, move |a, b| compare(&a, &b)))
            }
            Plus if is_set(&a) && is_set(&b) => {
                return Err(Mistake::new(span, "`+` adds numbers").hint("`|` unites sets"));
            }
            Plus | Minus | Times | Divide | Remainder => {
                let (p, q) = (a.facts.range, b.facts.range);
                let (a, b) = (a.into_number()?, b.into_number()?);
                let (range, code) = arithmetic(operator, (p, a), (q, b));
                return Compiled::number(code, facts.range(range), span);
            }
        };
        Ok(Compiled::new(value, facts, span))
    }

    fn choice(
        &self,
        condition: &Expression,
        yes: Compiled,
        no: Compiled,
        span: Range<usize>,
    ) -> Result<Compiled, Mistake> {
        let condition = self.compile(condition)?;
        let facts = Facts::of(&[condition.facts, yes.facts, no.facts]);
        let side = if yes.facts.side == no.facts.side { yes.facts.side } else { None };
        let (p, q) = (yes.facts.range, no.facts.range);
        let range = (p.0.min(q.0), p.1.max(q.1));
        let squares = yes.facts.squares.max(no.facts.squares);
        let condition = condition.into_condition()?;
        let value = match (yes.value.kind(), no.value.kind()) {
            (Type::Number, _) => {
                Value::Number(either(condition, yes.into_number()?, no.into_number()?))
            }
            (Type::Condition, _) => {
                Value::Condition(either(condition, yes.into_condition()?, no.into_condition()?))
            }
            (Type::Square, Type::Square) => {
                Value::Square(either(condition, yes.into_square()?, no.into_square()?))
            }
            _ => Value::Set(either(condition, yes.into_set()?, no.into_set()?)),
        };
        let facts = facts.range(range).side(side).squares(squares);
        Ok(Compiled::new(value, facts, span))
    }
}

/// How many squares the value of a word has at most in a game; `argument` is how many its first set has.
fn most_squares(word: &Word, argument: u64) -> u64 {
    match word.squares {
        Squares::AtMost(squares) => squares,
        Squares::ForEach(squares) => squares * argument,
    }
}

fn either<T: super::code::Local>(condition: Condition, yes: Code<T>, no: Code<T>) -> Code<T> {
    Code::run(move |frame| if condition.get(frame) { yes.get(frame) } else { no.get(frame) })
}

/// The range and the code of an operation on two numbers. No operation overflows: the operands are
/// within [`MAX_NUMBER`], and a range beyond that is rejected before the code runs.
fn arithmetic(
    operator: Binary,
    (p, a): ((i64, i64), Number),
    (q, b): ((i64, i64), Number),
) -> ((i64, i64), Number) {
    match operator {
        Binary::Plus => ((p.0 + q.0, p.1 + q.1), Code::of(a, b, |a, b| a + b)),
        Binary::Minus => ((p.0 - q.1, p.1 - q.0), Code::of(a, b, |a, b| a - b)),
        Binary::Times => {
            let products = [p.0 * q.0, p.0 * q.1, p.1 * q.0, p.1 * q.1];
            let min = products.into_iter().fold(i64::MAX, i64::min);
            let max = products.into_iter().fold(i64::MIN, i64::max);
            ((min, max), Code::of(a, b, |a, b| a * b))
        }
        Binary::Divide => {
            let most = p.0.abs().max(p.1.abs());
            let min = if p.0 >= 0 && q.0 >= 0 { 0 } else { -most };
            ((min, most), Code::of(a, b, |a: i32, b| a.checked_div(b).unwrap_or(0)))
        }
        _ => {
            let most = p.0.abs().max(p.1.abs()).min(q.0.abs().max(q.1.abs()));
            let min = if p.0 >= 0 { 0 } else { -most };
            ((min, most), Code::of(a, b, |a: i32, b| a.checked_rem(b).unwrap_or(0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_for_all_operands() {
        let operators =
            [Binary::Plus, Binary::Minus, Binary::Times, Binary::Divide, Binary::Remainder];
        let apply = |operator, a: i64, b: i64| match operator {
            Binary::Plus => a + b,
            Binary::Minus => a - b,
            Binary::Times => a * b,
            Binary::Divide => a.checked_div(b).unwrap_or(0),
            _ => a.checked_rem(b).unwrap_or(0),
        };
        let ranges = || (-4..=4_i64).flat_map(|low| (low..=4).map(move |high| (low, high)));
        for operator in operators {
            for p in ranges() {
                for q in ranges() {
                    let constant = || Code::Constant(0);
                    let ((min, max), _) = arithmetic(operator, (p, constant()), (q, constant()));
                    for a in p.0..=p.1 {
                        for b in q.0..=q.1 {
                            let value = apply(operator, a, b);
                            assert!((min..=max).contains(&value), "{operator:?} {a} {b}");
                        }
                    }
                }
            }
        }
    }
}
