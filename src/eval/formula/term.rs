//! A term made of expressions.

use super::code::{Code, Environment, Lanes, MAX_NAMES, SquareLoop, Value, holding};
use super::{Drawing, MAX_COUNT, Template};
use crate::eval::{EvalContext, Sink, Weight};
use shakmaty::{Bitboard, Color, Square};
use std::cell::Cell;

/// A term that an engine file writes: it counts what its expressions say.
#[derive(Default)]
pub(in crate::eval) struct FormulaTerm {
    /// What is computed when it is read first.
    pub(in crate::eval) names: Vec<Value>,
    pub(in crate::eval) when: Option<Code<bool>>,
    pub(in crate::eval) each: Option<SquareLoop>,
    pub(in crate::eval) weights: Vec<FormulaWeight>,
    /// Steps for both sides at most.
    pub(in crate::eval) cost: u64,
    /// Where the expression stands that can take the most steps, as `let.forks`, and its steps.
    pub(in crate::eval) longest: (String, u64),
}

/// A weight of such a term.
pub(in crate::eval) struct FormulaWeight {
    /// Its first pair.
    pub(in crate::eval) weight: Weight,
    pub(in crate::eval) each: Option<SquareLoop>,
    pub(in crate::eval) when: Option<Code<bool>>,
    /// The square that it is shown on; without it, that of the innermost loop, or else the own king's.
    pub(in crate::eval) at: Option<Code<Square>>,
    pub(in crate::eval) amount: Amount,
    pub(in crate::eval) told: Told,
}

/// What a weight says and draws. The search runs the sums of the term, so that words and drawings cost it nothing.
#[derive(Default)]
pub(in crate::eval) struct Told {
    /// What words and drawings name.
    pub(in crate::eval) sets: Vec<Code<Bitboard>>,
    pub(in crate::eval) says: Option<Template>,
    pub(in crate::eval) draws: Vec<Drawing>,
}

/// What is added for a weight.
pub(in crate::eval) enum Amount {
    /// The pair once.
    Once,
    /// The pair so many times, within the limits of a count.
    Count(Code<i32>),
    /// The pair so many times: the sum of the counts of all squares.
    Sum(Code<i32>),
    /// The pair at this index of an array, once. A negative index is the first pair.
    Index(Code<i32>),
}

impl FormulaTerm {
    /// Measures the sides of these lanes, each with the sink of its lane.
    #[inline]
    pub(in crate::eval) fn measure<S: Sink>(
        &self,
        context: &EvalContext,
        lanes: Lanes,
        sinks: &mut [S; 2],
    ) {
        // To clear places that nobody uses would take longer than many terms.
        match self.names.len() {
            0 => self.measure_with::<0, S>(context, lanes, sinks),
            1..=8 => self.measure_with::<8, S>(context, lanes, sinks),
            _ => self.measure_with::<MAX_NAMES, S>(context, lanes, sinks),
        }
    }

    fn measure_with<const NAMES: usize, S: Sink>(
        &self,
        context: &EvalContext,
        lanes: Lanes,
        sinks: &mut [S; 2],
    ) {
        let values = [const { Cell::new([0; 2]) }; NAMES];
        let environment = Environment::new(context, lanes, &self.names, &values);
        let lanes = holding(self.when.as_ref(), &environment, lanes);
        if !lanes.any() {
            return;
        }
        let Some(each) = &self.each else {
            let kings = [Color::White, Color::Black].map(|side| context.side(side).king);
            self.weights
                .iter()
                .for_each(|weight| weight.measure(&environment, lanes, kings, sinks));
            return;
        };
        each.visit(&environment, lanes, |lanes, squares| {
            self.weights
                .iter()
                .for_each(|weight| weight.measure(&environment, lanes, squares, sinks));
            Lanes::NONE
        });
    }
}

impl FormulaWeight {
    #[inline(always)]
    fn measure<S: Sink>(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        squares: [Square; 2],
        sinks: &mut [S; 2],
    ) {
        if let Amount::Sum(number) = &self.amount {
            let sums = number.get(environment, lanes);
            for lane in 0..2 {
                if lanes.has(lane) {
                    sinks[lane].add(self.weight, sums[lane], squares[lane]);
                }
            }
            return;
        }
        let mut see = |lane: usize, weight, count, square| sinks[lane].add(weight, count, square);
        let Some(each) = &self.each else {
            self.count(environment, lanes, squares, &mut see);
            return;
        };
        each.visit(environment, lanes, |lanes, squares| {
            self.count(environment, lanes, squares, &mut see);
            Lanes::NONE
        });
    }

    /// Calls a function with each lane that counts anything, with the pair, the count and the square.
    #[inline(always)]
    pub(super) fn count(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        squares: [Square; 2],
        see: &mut impl FnMut(usize, Weight, i32, Square),
    ) {
        let lanes = holding(self.when.as_ref(), environment, lanes);
        if !lanes.any() {
            return;
        }
        let numbers = match &self.amount {
            Amount::Once => [1; 2],
            Amount::Count(number) | Amount::Index(number) | Amount::Sum(number) => {
                number.get(environment, lanes)
            }
        };
        let squares = self.at.as_ref().map_or(squares, |at| at.get(environment, lanes));
        for lane in 0..2 {
            let (weight, count) = match self.amount {
                Amount::Index(_) => (self.weight.at(numbers[lane].max(0) as u32), 1),
                _ => (self.weight, numbers[lane].clamp(-MAX_COUNT, MAX_COUNT)),
            };
            // Nothing to count is nothing to explain.
            if lanes.has(lane) && count != 0 {
                see(lane, weight, count, squares[lane]);
            }
        }
    }
}
