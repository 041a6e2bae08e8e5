//! From the tree of an expression to code: types and cost.

use super::checked::{Arguments, Checked, Facts};
use super::code::{Code, MOST_LOCALS, Owner, Slot, SquareLoop, Typed, Value, with_type};
use super::syntax::{self, Each, Expression, Loop, Node, Rule};
use super::words::{QUANTIFIERS, Word, find, is_word, name_of, quantifier, written};
use super::{Mistake, SQUARES, Type};
use crate::text::{counted, did_you_mean};
use shakmaty::{Bitboard, Square};
use std::{collections::VecDeque, ops::Range};

/// Steps that a term takes for a side whatever it measures.
const COST_OF_TERM: u64 = 25;

/// A named value: a `let` or the variable of a loop.
#[derive(Debug)]
struct Local {
    name: String,
    kind: Type,
    slot: Slot,
    facts: Facts,
}

/// The piece that a loop visits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Subject {
    /// The variable's name.
    pub(in crate::eval) name: String,
    /// Whether it is a piece of the own side or of the other, if that is sure.
    pub(in crate::eval) is_own: Option<bool>,
}

/// Compiles the expressions of a term, one after the other, with the names that are in scope.
#[derive(Debug)]
pub(in crate::eval) struct Compiler {
    locals: Vec<Local>,
    /// Names of `let` that have no value yet, for messages. The first one is defined next.
    later: VecDeque<String>,
    /// How often the next expression runs for a side, at most in a game.
    rounds: u64,
    /// Steps for a side at most.
    cost: u64,
    /// Whether the expressions read pawns and kings only.
    pub(in crate::eval) pawns_and_kings: bool,
}

impl Default for Compiler {
    fn default() -> Compiler {
        Compiler {
            locals: Vec::new(),
            later: VecDeque::new(),
            rounds: 1,
            cost: COST_OF_TERM,
            pawns_and_kings: true,
        }
    }
}

impl Compiler {
    /// An expression of this type.
    pub(in crate::eval) fn read<T: Typed>(&mut self, text: &str) -> Result<Code<T>, Mistake> {
        self.compile(&syntax::expression(text)?)?.into()
    }

    /// A number, and one that is never smaller in a game.
    pub(in crate::eval) fn number(&mut self, text: &str) -> Result<(Code<i32>, i32), Mistake> {
        let compiled = self.compile(&syntax::expression(text)?)?;
        let most = compiled.facts.most;
        Ok((compiled.into()?, most))
    }

    /// A loop over a set, `VARIABLE in SET`. What is compiled next is its body.
    pub(in crate::eval) fn each(&mut self, text: &str) -> Result<(SquareLoop, Subject), Mistake> {
        let each = syntax::each(text)?;
        let (squares, facts) = self.enter(&each)?;
        let is_own = facts.side.map(|side| side == Owner::Own);
        Ok((squares, Subject { name: each.variable, is_own }))
    }

    /// Announces the names that [`Compiler::define`] defines next, in this order.
    pub(in crate::eval) fn announce<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        self.later = names.map(str::to_owned).collect();
    }

    /// Gives the value of an expression a name. Returns the value and where it is kept.
    pub(in crate::eval) fn define(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<(Slot, Value), Mistake> {
        let Checked { value, facts, .. } = self.compile(&syntax::expression(text)?)?;
        self.later.pop_front();
        Ok((self.declare(name, 0..text.len(), value.kind(), facts)?, value))
    }

    /// Counts steps: a word or an operator is one.
    pub(in crate::eval) fn spend(&mut self, steps: u64) {
        self.cost = self.cost.saturating_add(self.rounds.saturating_mul(steps));
    }

    /// Steps for both sides at most.
    pub(in crate::eval) const fn cost(&self) -> u64 {
        self.cost.saturating_mul(2)
    }

    /// Leaves the loops that are entered in between.
    pub(in crate::eval) fn nested<T>(&mut self, inside: impl FnOnce(&mut Compiler) -> T) -> T {
        let (names, rounds) = (self.locals.len(), self.rounds);
        let result = inside(self);
        self.locals.truncate(names);
        self.rounds = rounds;
        result
    }

    /// Checks that a name is neither a word nor the name of another value.
    pub(in crate::eval) fn check_new(&self, name: &str, span: Range<usize>) -> Result<(), Mistake> {
        let (what, hint) = if name.contains('.') {
            ("cannot be a new name", "names have letters, digits and `_` only")
        } else if is_word(name) || quantifier(name).is_some() {
            ("is a word already", "choose another name")
        } else if self.locals.iter().any(|local| local.name == name) {
            ("is a name already", "choose another name")
        } else {
            return Ok(());
        };
        Err(Mistake::new(span, format!("`{name}` {what}")).hint(hint))
    }

    /// Adds a name for all later expressions. Returns where its value is kept.
    fn declare(
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
        self.locals.push(Local { name: name.to_owned(), kind, slot, facts });
        Ok(slot)
    }

    /// Enters a loop. Returns also what is known of its set.
    fn enter(&mut self, each: &Each) -> Result<(SquareLoop, Facts), Mistake> {
        let set = self.compile(&each.set)?;
        let facts = set.facts;
        let set = set.into()?;
        let of_variable = Facts { squares: 1, ..facts };
        let span = each.variable_span.clone();
        let slot = self.declare(&each.variable, span, Type::Square, of_variable)?;
        self.rounds = self.rounds.saturating_mul(facts.squares);
        Ok((SquareLoop { set, slot }, facts))
    }

    fn compile(&mut self, expression: &Expression) -> Result<Checked, Mistake> {
        let span = expression.span.clone();
        // A loop spends its steps itself, round by round.
        if !matches!(expression.node, Node::Loop(_)) {
            self.spend(1);
        }
        let (value, facts) = match &expression.node {
            Node::Number(digits) => match digits.parse() {
                Ok(number) => {
                    let facts = Facts { most: number, ..Facts::NOTHING };
                    (Value::Number(Code::Constant(number)), facts)
                }
                Err(_) => {
                    let message = format!("the largest number is {}", i32::MAX);
                    return Err(Mistake::new(span, message));
                }
            },
            Node::Word(name) => self.word(name, &span)?,
            Node::Call(name, arguments) => self.call(name, arguments, &span)?,
            Node::Loop(parts) => self.quantified(parts)?,
            Node::Unary(operator, operand) => self.unary(*operator, operand)?,
            Node::Binary(operator, operands) => self.binary(*operator, operands, &span)?,
            Node::If(parts) => self.choice(parts)?,
        };
        Ok(Checked { value, facts, span })
    }

    fn word(&mut self, name: &str, span: &Range<usize>) -> Result<(Value, Facts), Mistake> {
        if let Some(local) = self.locals.iter().find(|local| local.name == name) {
            let value = with_type!(local.kind, T => T::value(Code::Local(local.slot)));
            return Ok((value, local.facts));
        }
        if let Some((word, side)) = find(name, false) {
            return self.apply(word, side, Vec::new());
        }
        Err(match find(name, true) {
            Some((word, _)) => Mistake::new(span.clone(), format!("`{name}` needs arguments"))
                .hint(format!("write `{}`", word.usage())),
            None => self.unknown(name, span.clone()),
        })
    }

    /// A word that does not exist, with the nearest that does.
    fn unknown(&self, name: &str, span: Range<usize>) -> Mistake {
        match self.later.iter().position(|later| later == name) {
            Some(0) => {
                let message = format!("the expression of `{name}` cannot read `{name}` itself");
                return Mistake::new(span, message);
            }
            Some(_) => {
                return Mistake::new(span, format!("`{name}` is defined further down in `let`"))
                    .hint("define it above the expressions that read it");
            }
            None => {}
        }
        let mistake = Mistake::new(span, format!("unknown word `{name}`"));
        let (side, plain) = name.split_once('.').unwrap_or(("", name));
        if matches!(side, "white" | "black") {
            return mistake.hint(format!(
                "a term is written for both sides at once: `own.{plain}` or `enemy.{plain}`"
            ));
        }
        if matches!(name.as_bytes(), [b'a'..=b'h', b'1'..=b'8']) {
            return mistake.hint(
                "single squares have no names, as they are others for the other side: `own.rank(4)`, `centre`",
            );
        }
        if side.is_empty() && is_word(&format!("own.{plain}")) {
            return mistake.hint(format!("write `own.{plain}` or `enemy.{plain}`"));
        }
        if !side.is_empty() && is_word(plain) {
            return mistake.hint(format!("`{plain}` has no side: write `{plain}`"));
        }
        let known: Vec<String> =
            written().chain(self.locals.iter().map(|local| local.name.clone())).collect();
        let hint = did_you_mean(name, known.iter().map(String::as_str));
        mistake.hint(hint.as_deref().unwrap_or("`tropism words` lists all words"))
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        span: &Range<usize>,
    ) -> Result<(Value, Facts), Mistake> {
        let mistake = |message: &str, usage: &str| {
            let message = format!("`{name}` {message}");
            Err(Mistake::new(span.clone(), message).hint(format!("write `{usage}`")))
        };
        let Some((word, side)) = find(name, true) else {
            return match (quantifier(name), find(name, false)) {
                (Some((usage, ..)), _) => mistake("needs a loop", usage),
                (None, Some((word, _))) => mistake("takes no arguments", &word.usage()),
                (None, None) => Err(self.unknown(name, span.start..span.start + name.len())),
            };
        };
        let expected = word.signature.types.len();
        if expected != arguments.len() {
            let expected = counted(expected as u64, "argument");
            let message = format!("takes {expected}, not {}", arguments.len());
            let as_loop = quantifier(name).map(|(usage, ..)| format!("` or `{usage}"));
            return mistake(&message, &(word.usage() + as_loop.as_deref().unwrap_or_default()));
        }
        let compiled = arguments.iter().map(|argument| self.compile(argument));
        let arguments = compiled.collect::<Result<Vec<Checked>, Mistake>>()?;
        self.spend(word.cost);
        self.apply(word, side, arguments)
    }

    fn apply(
        &mut self,
        word: &'static Word,
        side: Option<Owner>,
        arguments: Vec<Checked>,
    ) -> Result<(Value, Facts), Mistake> {
        self.pawns_and_kings &= word.pawns_and_kings;
        let of_first = arguments.first().map_or(Facts::NOTHING, |argument| argument.facts);
        let facts = Facts {
            side: side.filter(|_| word.is_pieces),
            squares: word.most_squares(of_first.squares),
            most: match (&*word.name, &*arguments) {
                ("min", [a, b]) => a.facts.most.min(b.facts.most),
                ("count", [set]) => set.facts.squares as i32,
                _ => word.range.map_or(i32::MAX, |(_, most)| most),
            },
        };
        let arguments = &mut Arguments(arguments.into_iter());
        Ok(((word.signature.make)(side.unwrap_or(Owner::Own), arguments)?, facts))
    }

    fn quantified(&mut self, parts: &Loop) -> Result<(Value, Facts), Mistake> {
        let name = parts.quantifier.as_str();
        if quantifier(name).is_none() {
            let known = QUANTIFIERS.iter().map(|(usage, ..)| name_of(usage));
            let hint = did_you_mean(name, known.clone())
                .unwrap_or_else(|| format!("known are {}", known.collect::<Vec<_>>().join(", ")));
            let message = format!("`{name}` is no word for a loop");
            return Err(Mistake::new(parts.quantifier_span.clone(), message).hint(hint));
        }
        let (squares, facts, body) = self.nested(|inner| {
            let (squares, facts) = inner.enter(&parts.each)?;
            inner.spend(1);
            Ok::<_, Mistake>((squares, facts, inner.compile(&parts.body)?))
        })?;
        let most = if name == "count" { facts.squares as i32 } else { i32::MAX };
        let facts = Facts { most, ..facts };
        if matches!(name, "sum" | "mean" | "min" | "max") {
            let body: Code<i32> = body.into()?;
            let number = match name {
                // The other side visits the squares in another order, so only the whole sum saturates.
                "sum" => Code::run(move |frame| {
                    let numbers = squares.values(frame, &body).map(|(_, number)| i64::from(number));
                    let sum: i64 = numbers.sum();
                    sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32
                }),
                "mean" => Code::run(move |frame| {
                    let add = |(sum, count), (_, number)| (sum + i64::from(number), count + 1);
                    let (sum, count) = squares.values(frame, &body).fold((0_i64, 0_i64), add);
                    sum.checked_div(count).unwrap_or(0) as i32
                }),
                "min" => Code::run(move |frame| {
                    squares.values(frame, &body).map(|(_, number)| number).min().unwrap_or(0)
                }),
                _ => Code::run(move |frame| {
                    squares.values(frame, &body).map(|(_, number)| number).max().unwrap_or(0)
                }),
            };
            return Ok((Value::Number(number), facts));
        }
        let body: Code<bool> = body.into()?;
        let value = match name {
            "count" => Value::Number(Code::run(move |frame| {
                squares.values(frame, &body).filter(|&(_, holds)| holds).count() as i32
            })),
            "any" => Value::Condition(Code::run(move |frame| {
                squares.values(frame, &body).any(|(_, holds)| holds)
            })),
            "all" => Value::Condition(Code::run(move |frame| {
                squares.values(frame, &body).all(|(_, holds)| holds)
            })),
            _ => Value::Set(Code::run(move |frame| {
                let holding = squares.values(frame, &body).filter(|&(_, holds)| holds);
                holding.map(|(square, _)| square).collect()
            })),
        };
        Ok((value, facts))
    }

    fn unary(&mut self, operator: Rule, operand: &Expression) -> Result<(Value, Facts), Mistake> {
        let operand = self.compile(operand)?;
        let value = match operator {
            Rule::negative => Value::Number(operand.into::<i32>()?.map(i32::saturating_neg)),
            Rule::not => Value::Condition(operand.into::<bool>()?.map(|holds| !holds)),
            _ => Value::Set(operand.into::<Bitboard>()?.map(|set| !set)),
        };
        Ok((value, Facts::NOTHING))
    }

    fn binary(
        &mut self,
        operator: Rule,
        [a, b]: &[Expression; 2],
        span: &Range<usize>,
    ) -> Result<(Value, Facts), Mistake> {
        let (a, b) = (self.compile(a)?, self.compile(b)?);
        let (p, q) = (a.facts, b.facts);
        let are_sets = a.is_set() && b.is_set();
        let facts = match operator {
            Rule::union => Facts {
                side: p.common_side(q),
                squares: SQUARES.min(p.squares + q.squares),
                ..Facts::NOTHING
            },
            Rule::intersection => Facts {
                side: p.side.or(q.side),
                squares: p.squares.min(q.squares),
                ..Facts::NOTHING
            },
            Rule::minus => Facts { most: i32::MAX, ..p },
            _ => Facts::NOTHING,
        };
        let value = match operator {
            Rule::or => {
                let (a, b) = (a.into::<bool>()?, b.into::<bool>()?);
                Ok(Value::Condition(Code::run(move |frame| a.get(frame) || b.get(frame))))
            }
            Rule::and => {
                let (a, b) = (a.into::<bool>()?, b.into::<bool>()?);
                Ok(Value::Condition(Code::run(move |frame| a.get(frame) && b.get(frame))))
            }
            Rule::member => apply(a, b, |square: Square, set: Bitboard| set.contains(square)),
            Rule::union => apply(a, b, |a: Bitboard, b: Bitboard| a | b),
            Rule::intersection => apply(a, b, |a: Bitboard, b: Bitboard| a & b),
            Rule::minus if are_sets => apply(a, b, |a: Bitboard, b: Bitboard| a & !b),
            Rule::plus if are_sets => {
                Err(Mistake::new(span.clone(), "`+` adds numbers").hint("`|` unites sets"))
            }
            Rule::equal => {
                with_type!(a.common_type(&b), T => apply(a, b, |a: T, b: T| a == b))
            }
            Rule::unequal => {
                with_type!(a.common_type(&b), T => apply(a, b, |a: T, b: T| a != b))
            }
            Rule::less => apply(a, b, |a: i32, b: i32| a < b),
            Rule::less_equal => apply(a, b, |a: i32, b: i32| a <= b),
            Rule::greater => apply(a, b, |a: i32, b: i32| a > b),
            Rule::greater_equal => apply(a, b, |a: i32, b: i32| a >= b),
            Rule::plus => apply(a, b, i32::saturating_add),
            Rule::minus => apply(a, b, i32::saturating_sub),
            Rule::times => apply(a, b, i32::saturating_mul),
            Rule::divide => {
                apply(a, b, |a: i32, b: i32| if b == 0 { 0 } else { a.saturating_div(b) })
            }
            _ => apply(a, b, |a: i32, b: i32| a.checked_rem(b).unwrap_or(0)),
        };
        Ok((value?, facts))
    }

    fn choice(
        &mut self,
        [condition, yes, no]: &[Expression; 3],
    ) -> Result<(Value, Facts), Mistake> {
        let condition: Code<bool> = self.compile(condition)?.into()?;
        let (yes, no) = (self.compile(yes)?, self.compile(no)?);
        let facts = Facts {
            side: yes.facts.common_side(no.facts),
            squares: yes.facts.squares.max(no.facts.squares),
            most: yes.facts.most.max(no.facts.most),
        };
        let value = with_type!(yes.common_type(&no), T => {
            let (yes, no) = (yes.into::<T>()?, no.into::<T>()?);
            T::value(Code::run(move |frame| {
                if condition.get(frame) { yes.get(frame) } else { no.get(frame) }
            }))
        });
        Ok((value, facts))
    }
}

/// A function of two values.
fn apply<A: Typed, B: Typed, T: Typed>(
    a: Checked,
    b: Checked,
    function: impl Fn(A, B) -> T + Send + Sync + 'static,
) -> Result<Value, Mistake> {
    let (a, b) = (a.into::<A>()?, b.into::<B>()?);
    Ok(T::value(Code::run(move |frame| function(a.get(frame), b.get(frame)))))
}

/// The value of an expression without loops or names around it, for the tests of words.
#[cfg(test)]
pub(super) fn value(text: &str) -> Result<Value, Mistake> {
    Ok(Compiler::default().compile(&syntax::expression(text)?)?.value)
}
