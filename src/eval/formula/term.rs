//! A term made of expressions.

use super::code::{Code, Condition, Frame, Number, Set, Side, Slot, SquareCode};
use super::compile::{Compiler, Facts, Value};
use super::words::Reads;
use super::{Mistake, SQUARES, syntax};
use crate::eval::{EvalContext, Score, Sink, Weight};
use shakmaty::Color;
use std::ops::Range;

/// Steps that a term takes for a side whatever it measures.
const COST_OF_TERM: u64 = 25;

/// A term that an engine file writes: it counts what its expressions say.
pub(in crate::eval) struct FormulaTerm {
    /// Named values that `when` reads.
    early: Vec<Local>,
    when: Option<Condition>,
    /// The other named values.
    late: Vec<Local>,
    each: Option<(Set, Slot)>,
    weights: Vec<FormulaWeight>,
    /// The largest sum of counts of each weight for one side in a game.
    most: Vec<u64>,
    /// Steps for both sides at most.
    cost: u64,
}

/// A named value of a term.
enum Local {
    Number(Slot, Number),
    Square(Slot, SquareCode),
    Set(Slot, Set),
    Condition(Slot, Condition),
}

struct FormulaWeight {
    /// Its first pair.
    weight: Weight,
    each: Option<(Set, Slot)>,
    when: Option<Condition>,
    /// The square it is shown on.
    at: SquareCode,
    amount: Amount,
}

/// What is added for a weight.
enum Amount {
    /// The pair so many times.
    Count(Number),
    /// The pair at this index of an array, once. The last index is the second number.
    Index(Number, i32),
}

impl FormulaTerm {
    /// The largest sum, in centipawns, that it gives one side in a game with these weights, one for each
    /// pair.
    pub(in crate::eval) fn worth(&self, weights: &[Score]) -> f64 {
        let worths = self.weights.iter().zip(&self.most).map(|(weight, &most)| {
            let first = weight.weight.index();
            let pairs = match weight.amount {
                Amount::Count(_) => 1,
                Amount::Index(_, last) => last as usize + 1,
            };
            most as f64 * largest(&weights[first..first + pairs])
        });
        worths.sum()
    }

    /// Steps for both sides at most.
    pub(in crate::eval) const fn cost(&self) -> u64 {
        self.cost
    }

    #[inline]
    pub(in crate::eval) fn measure<S: Sink>(
        &self,
        context: &EvalContext,
        side: Color,
        sink: &mut S,
    ) {
        let frame = Frame::new(context, side);
        self.early.iter().for_each(|local| local.assign(&frame));
        if self.when.as_ref().is_some_and(|when| !when.get(&frame)) {
            return;
        }
        self.late.iter().for_each(|local| local.assign(&frame));
        match &self.each {
            None => self.weights.iter().for_each(|weight| weight.measure(&frame, sink)),
            Some((set, slot)) => {
                for square in set.get(&frame) {
                    frame.set_square(*slot, square);
                    self.weights.iter().for_each(|weight| weight.measure(&frame, sink));
                }
            }
        }
    }
}

/// The largest value of weights in a phase of the game, in centipawns, without its sign.
pub(in crate::eval) fn largest(weights: &[Score]) -> f64 {
    let phases = |pair: &Score| [pair.centipawns(0), pair.centipawns(Score::MAX_PHASE)];
    weights.iter().flat_map(phases).map(f64::abs).fold(0.0, f64::max)
}

impl Local {
    #[inline]
    fn assign(&self, frame: &Frame<'_>) {
        match self {
            Local::Number(slot, code) => frame.assign(*slot, code),
            Local::Square(slot, code) => frame.assign(*slot, code),
            Local::Set(slot, code) => frame.assign(*slot, code),
            Local::Condition(slot, code) => frame.assign(*slot, code),
        }
    }
}

impl FormulaWeight {
    #[inline]
    fn measure<S: Sink>(&self, frame: &Frame<'_>, sink: &mut S) {
        let Some((set, slot)) = &self.each else {
            self.add(frame, sink);
            return;
        };
        let set = set.get(frame);
        if let (None, Amount::Count(Code::Constant(1)), Code::Local(at)) =
            (&self.when, &self.amount, &self.at)
            && at == slot
        {
            sink.add_each(self.weight, set);
            return;
        }
        for square in set {
            frame.set_square(*slot, square);
            self.add(frame, sink);
        }
    }

    #[inline]
    fn add<S: Sink>(&self, frame: &Frame<'_>, sink: &mut S) {
        if self.when.as_ref().is_some_and(|when| !when.get(frame)) {
            return;
        }
        let (weight, count) = match &self.amount {
            Amount::Count(number) => (self.weight, number.get(frame)),
            Amount::Index(number, last) => {
                (self.weight.at(number.get(frame).clamp(0, *last) as u32), 1)
            }
        };
        // Nothing to count is nothing to explain.
        if count != 0 {
            sink.add(weight, count, self.at.get(frame));
        }
    }
}

/// Makes a term, expression by expression, in the order in which they run.
pub(in crate::eval) struct TermBuilder {
    compiler: Compiler,
    term: FormulaTerm,
    /// Steps for one side at most, without those inside the loop of the term.
    cost: u64,
    /// Steps for each round of the loop of the term.
    cost_of_round: u64,
    reads: Reads,
    each: Option<(Slot, Subject)>,
    /// How often the loop of the term runs at most in a game.
    rounds: u64,
}

/// The piece that a loop visits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Subject {
    /// The variable's name.
    pub(in crate::eval) name: String,
    /// Whether it is a piece of the own side or of the other, if that is sure.
    pub(in crate::eval) is_own: Option<bool>,
}

impl Default for TermBuilder {
    fn default() -> TermBuilder {
        TermBuilder {
            compiler: Compiler::default(),
            term: FormulaTerm {
                early: Vec::new(),
                when: None,
                late: Vec::new(),
                each: None,
                weights: Vec::new(),
                most: Vec::new(),
                cost: 0,
            },
            cost: 0,
            cost_of_round: 0,
            reads: Reads::PawnsAndKings,
            each: None,
            rounds: 1,
        }
    }
}

impl TermBuilder {
    /// Checks that a name is neither a word nor the name of another value.
    pub(in crate::eval) fn check_new(&self, name: &str) -> Result<(), Mistake> {
        self.compiler.check_new(name, 0..name.len())
    }

    /// Gives the value of an expression a name.
    pub(in crate::eval) fn define(&mut self, name: &str, text: &str) -> Result<(), Mistake> {
        let compiled = self.compiler.compile(&syntax::expression(text)?)?;
        let (kind, facts) = (compiled.value.kind(), compiled.facts);
        let slot = self.compiler.define(name, 0..text.len(), kind, facts)?;
        self.spend(facts);
        let local = match compiled.value {
            Value::Number(code) => Local::Number(slot, code),
            Value::Square(code) => Local::Square(slot, code),
            Value::Set(code) => Local::Set(slot, code),
            Value::Condition(code) => Local::Condition(slot, code),
        };
        self.term.late.push(local);
        Ok(())
    }

    /// The condition of the term. All names defined so far are computed before it.
    pub(in crate::eval) fn when(&mut self, text: &str) -> Result<(), Mistake> {
        let (condition, facts) = condition(&self.compiler, text)?;
        self.spend(facts);
        self.term.early.append(&mut self.term.late);
        self.term.when = Some(condition);
        Ok(())
    }

    /// The loop of the term.
    pub(in crate::eval) fn each(&mut self, text: &str) -> Result<(), Mistake> {
        let (set, facts, slot, subject) = each(&mut self.compiler, text)?;
        self.spend(facts);
        self.term.each = Some((set, slot));
        self.each = Some((slot, subject));
        self.rounds = facts.squares;
        Ok(())
    }

    fn spend(&mut self, facts: Facts) {
        self.cost += facts.cost;
        self.read(facts);
    }

    fn read(&mut self, facts: Facts) {
        if facts.reads == Reads::Everything {
            self.reads = Reads::Everything;
        }
    }

    /// Starts a weight.
    pub(in crate::eval) fn weight(&self) -> WeightBuilder {
        WeightBuilder {
            compiler: self.compiler.clone(),
            each: None,
            when: None,
            at: None,
            amount: None,
            slot: self.each.as_ref().map(|(slot, _)| *slot),
            subject: self.each.as_ref().map(|(_, subject)| subject.clone()),
            rounds: if self.each.is_some() { SQUARES } else { 1 },
            outer_rounds: self.rounds,
            rounds_in_game: 1,
            most: 0,
            is_capped: false,
            facts: Vec::new(),
            cost: 0,
        }
    }

    /// Adds a weight whose first pair is `weight`. A weight without an amount counts 1.
    pub(in crate::eval) fn add(&mut self, weight: Weight, built: WeightBuilder) {
        self.cost_of_round += built.cost + 1;
        self.term.most.push(built.most_in_game());
        built.facts.iter().for_each(|&facts| self.read(facts));
        let at = match (built.at, built.slot) {
            (Some((at, _)), _) => at,
            (None, Some(slot)) => Code::Local(slot),
            (None, None) => Code::Word(|context, side| context.side(side).king, Side::Own),
        };
        self.term.weights.push(FormulaWeight {
            weight,
            each: built.each,
            when: built.when,
            at,
            amount: built.amount.unwrap_or(Amount::Count(Code::Constant(1))),
        });
    }

    /// Steps for both sides at most.
    pub(in crate::eval) fn cost(&self) -> u64 {
        2 * (COST_OF_TERM + self.cost + self.rounds * self.cost_of_round)
    }

    /// The term, and whether it reads only pawns and kings.
    pub(in crate::eval) fn finish(mut self) -> (FormulaTerm, bool) {
        self.term.cost = self.cost();
        (self.term, self.reads == Reads::PawnsAndKings)
    }
}

/// Makes a weight of a term.
pub(in crate::eval) struct WeightBuilder {
    compiler: Compiler,
    each: Option<(Set, Slot)>,
    when: Option<Condition>,
    at: Option<(SquareCode, Option<Subject>)>,
    amount: Option<Amount>,
    /// The variable of the innermost loop.
    slot: Option<Slot>,
    subject: Option<Subject>,
    /// How often the amount is added at most.
    rounds: u64,
    /// How often the loop of the term runs at most in a game.
    outer_rounds: u64,
    /// How often the loop of the weight runs at most in a game.
    rounds_in_game: u64,
    /// The largest amount.
    most: u64,
    /// Larger indexes than the last one of the array count as the last.
    is_capped: bool,
    facts: Vec<Facts>,
    cost: u64,
}

impl WeightBuilder {
    /// The loop of the weight, inside the loop of the term.
    pub(in crate::eval) fn each(&mut self, text: &str) -> Result<(), Mistake> {
        let (set, facts, slot, subject) = each(&mut self.compiler, text)?;
        self.cost += facts.cost;
        self.facts.push(facts);
        self.each = Some((set, slot));
        self.slot = Some(slot);
        self.subject = Some(subject);
        self.rounds *= SQUARES;
        self.rounds_in_game = facts.squares;
        Ok(())
    }

    /// The condition of the weight.
    pub(in crate::eval) fn when(&mut self, text: &str) -> Result<(), Mistake> {
        let (condition, facts) = condition(&self.compiler, text)?;
        self.spend(facts);
        self.when = Some(condition);
        Ok(())
    }

    /// The square that the weight is shown on.
    pub(in crate::eval) fn at(&mut self, text: &str) -> Result<(), Mistake> {
        let compiled = self.compiler.compile(&syntax::expression(text)?)?;
        self.spend(compiled.facts);
        let king = match text.trim() {
            "own.king" => Some(true),
            "enemy.king" => Some(false),
            _ => None,
        };
        let subject = king.map(|is_own| Subject { name: "king".to_owned(), is_own: Some(is_own) });
        self.at = Some((compiled.into_square()?, subject));
        Ok(())
    }

    /// How often the weight counts.
    pub(in crate::eval) fn count(&mut self, text: &str) -> Result<(), Mistake> {
        let (number, range) = self.number(text)?;
        self.most = range.start.unsigned_abs().max(range.end.unsigned_abs());
        self.amount = Some(Amount::Count(number));
        Ok(())
    }

    /// Which pair of an array of this length counts.
    pub(in crate::eval) fn index(&mut self, text: &str, length: usize) -> Result<(), Mistake> {
        let (number, range) = self.number(text)?;
        self.most = 1;
        if range.end < 0 || range.start >= length as i64 {
            let message = format!(
                "the index is {} to {}, and the array has the indexes 0 to {}",
                range.start,
                range.end,
                length - 1
            );
            return Err(Mistake::new(0..text.len(), message));
        }
        self.is_capped = range.end >= length as i64;
        self.amount = Some(Amount::Index(number, length as i32 - 1));
        Ok(())
    }

    /// A number and its smallest and largest value.
    fn number(&mut self, text: &str) -> Result<(Number, Range<i64>), Mistake> {
        let compiled = self.compiler.compile(&syntax::expression(text)?)?;
        self.spend(compiled.facts);
        let (min, max) = compiled.facts.range;
        Ok((compiled.into_number()?, min..max))
    }

    fn spend(&mut self, facts: Facts) {
        self.cost += self.rounds_in_game * facts.cost;
        self.facts.push(facts);
    }

    /// The largest sum of amounts for a side.
    pub(in crate::eval) fn most(&self) -> u64 {
        self.rounds * self.most_of_round()
    }

    /// The largest sum of amounts for a side in a game.
    pub(in crate::eval) fn most_in_game(&self) -> u64 {
        self.outer_rounds * self.rounds_in_game * self.most_of_round()
    }

    fn most_of_round(&self) -> u64 {
        if self.amount.is_some() { self.most } else { 1 }
    }

    /// Whether the amount is the same wherever the weight counts.
    pub(in crate::eval) fn is_constant(&self) -> bool {
        matches!(self.amount, None | Some(Amount::Count(Code::Constant(_))))
    }

    /// Whether larger indexes than the last one of the array count as the last.
    pub(in crate::eval) const fn is_capped(&self) -> bool {
        self.is_capped
    }

    /// The piece on the square that the weight is shown on; without a loop, a king.
    pub(in crate::eval) fn subject(&self) -> Option<Subject> {
        match (&self.at, &self.subject) {
            (Some((_, subject)), _) => subject.clone(),
            (None, Some(subject)) => Some(subject.clone()),
            (None, None) => Some(Subject { name: "king".to_owned(), is_own: Some(true) }),
        }
    }
}

fn condition(compiler: &Compiler, text: &str) -> Result<(Condition, Facts), Mistake> {
    let compiled = compiler.compile(&syntax::expression(text)?)?;
    let facts = compiled.facts;
    Ok((compiled.into_condition()?, facts))
}

fn each(compiler: &mut Compiler, text: &str) -> Result<(Set, Facts, Slot, Subject), Mistake> {
    let each = syntax::each(text)?;
    let (set, facts, slot) = compiler.each(&each)?;
    let subject = Subject { name: each.variable, is_own: facts.side.map(|side| side == Side::Own) };
    Ok((set, facts, slot, subject))
}

/// The type of an expression without loops or names around it, for the tests of words.
#[cfg(test)]
pub(super) fn type_of(text: &str) -> Result<super::Type, Mistake> {
    Ok(Compiler::default().compile(&syntax::expression(text)?)?.value.kind())
}
