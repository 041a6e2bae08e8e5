//! A term made of expressions.

use super::code::{Code, Environment, Lanes, MAX_NAMES, Pair, SquareLoop, holding};
use super::{Drawing, MAX_COUNT, Template};
use crate::eval::{EvalContext, Sink, Weight};
use shakmaty::{Color, Square};
use std::cell::Cell;

/// A term that an engine file writes: it counts what its expressions say.
#[derive(Default)]
pub(in crate::eval) struct FormulaTerm {
    /// What is computed when it is read first.
    pub(in crate::eval) names: Vec<Code>,
    pub(in crate::eval) when: Option<Code>,
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
    pub(in crate::eval) when: Option<Code>,
    /// The square that it is shown on; without it, that of the innermost loop, or else the own king's.
    pub(in crate::eval) at: Option<Code>,
    pub(in crate::eval) amount: Amount,
    /// What it counts on all squares of its loops, for the search; none if it has no loop or an array.
    pub(in crate::eval) sum: Option<Code>,
    pub(in crate::eval) told: Told,
}

/// What a weight says and draws. The search runs nothing of it.
#[derive(Default)]
pub(in crate::eval) struct Told {
    /// What words and drawings name.
    pub(in crate::eval) sets: Vec<Code>,
    pub(in crate::eval) says: Option<Template>,
    pub(in crate::eval) draws: Vec<Drawing>,
}

/// What is added for a weight.
pub(in crate::eval) enum Amount {
    /// The pair once.
    Once,
    /// The pair so many times, within the limits of a count.
    Count(Code),
    /// The pair at this index of an array, once. A negative index is the first pair.
    Index(Code),
}

impl FormulaTerm {
    /// A number for a side, if the term applies to it.
    pub(in crate::eval) fn number(
        &self,
        number: &Code,
        context: &EvalContext,
        side: Color,
    ) -> Option<i32> {
        let values = [const { Cell::new(Pair::ZERO) }; MAX_NAMES];
        let environment = Environment::new(context, Lanes::of(side), &self.names, &values);
        let lanes = holding(self.when.as_ref(), &environment, Lanes::of(side));
        let numbers = || number.get(&environment, lanes).lane(side.fold_wb(0, 1));
        lanes.any().then(numbers)
    }

    /// Measures the sides of these lanes, each with the sink of its lane. Only what is shown has its right square.
    #[inline]
    pub(in crate::eval) fn measure<S: Sink>(
        &self,
        context: &EvalContext,
        lanes: Lanes,
        sinks: &mut [S; 2],
        is_shown: bool,
    ) {
        // To clear places that nobody uses would take longer than many terms.
        match self.names.len() {
            0 => self.measure_with::<0, S>(context, lanes, sinks, is_shown),
            1..=8 => self.measure_with::<8, S>(context, lanes, sinks, is_shown),
            _ => self.measure_with::<MAX_NAMES, S>(context, lanes, sinks, is_shown),
        }
    }

    #[inline]
    fn measure_with<const NAMES: usize, S: Sink>(
        &self,
        context: &EvalContext,
        lanes: Lanes,
        sinks: &mut [S; 2],
        is_shown: bool,
    ) {
        let values = [const { Cell::new(Pair::ZERO) }; NAMES];
        let environment = Environment::new(context, lanes, &self.names, &values);
        let lanes = holding(self.when.as_ref(), &environment, lanes);
        if !lanes.any() {
            return;
        }
        let mut add = |lane: usize, weight, count, square| sinks[lane].add(weight, count, square);
        let mut is_summed = true;
        for weight in &self.weights {
            match &weight.sum {
                Some(sum) if !is_shown => {
                    let sums = sum.get(&environment, lanes).values();
                    let lanes = (0..2).filter(|&lane| lanes.has(lane));
                    lanes.for_each(|lane| add(lane, weight.weight, sums[lane], Square::A1));
                }
                _ => is_summed = false,
            }
        }
        if is_summed {
            return;
        }
        self.visit(&environment, lanes, |lanes, squares| {
            for weight in self.weights.iter().filter(|weight| is_shown || weight.sum.is_none()) {
                weight.visit(&environment, lanes, squares, |lanes, squares| {
                    weight.count(&environment, lanes, squares, is_shown, &mut add);
                });
            }
        });
    }

    /// Calls a function with the squares of the term's loop, or once with those of the kings, and their lanes.
    #[inline(always)]
    pub(super) fn visit(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        see: impl FnMut(Lanes, [Square; 2]),
    ) {
        let kings = Color::ALL.map(|side| environment.context.side(side).king);
        visit(self.each.as_ref(), environment, (lanes, kings), see);
    }
}

/// Calls a function with the squares of a loop, or without one with these squares, and their lanes.
#[inline(always)]
fn visit(
    each: Option<&SquareLoop>,
    environment: &Environment<'_>,
    (lanes, squares): (Lanes, [Square; 2]),
    mut see: impl FnMut(Lanes, [Square; 2]),
) {
    match each {
        None => see(lanes, squares),
        Some(each) => each.visit(environment, lanes, |lanes, squares| {
            see(lanes, squares);
            Lanes::NONE
        }),
    }
}

impl FormulaWeight {
    /// Calls a function with the squares of its loop, or without one with these squares, and their lanes.
    #[inline(always)]
    pub(super) fn visit(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        squares: [Square; 2],
        see: impl FnMut(Lanes, [Square; 2]),
    ) {
        visit(self.each.as_ref(), environment, (lanes, squares), see);
    }

    /// Calls a function with each lane that counts anything, with the pair, the count and the square.
    #[inline(always)]
    pub(super) fn count(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        squares: [Square; 2],
        is_shown: bool,
        see: &mut impl FnMut(usize, Weight, i32, Square),
    ) {
        let lanes = holding(self.when.as_ref(), environment, lanes);
        if !lanes.any() {
            return;
        }
        let numbers = match &self.amount {
            Amount::Once => [1; 2],
            Amount::Count(number) | Amount::Index(number) => {
                number.get(environment, lanes).values()
            }
        };
        let squares = match &self.at {
            Some(at) if is_shown => at.get(environment, lanes).values(),
            _ => squares,
        };
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
