//! A term made of expressions.

use super::code::{Code, Environment, MAX_NAMES, Pair, SquareLoop};
use super::{Drawing, MAX_COUNT, Template};
use crate::eval::{Contribution, EvalContext, MAX_PAIRS, Score, Weight};
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
    /// What the search adds up: a weight without an array is one number.
    pub(in crate::eval) sums: Vec<Sum>,
    pub(in crate::eval) has_arrays: bool,
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
    pub(in crate::eval) told: Told,
}

/// What a weight counts on all squares of its loops.
pub(in crate::eval) struct Sum {
    pub(in crate::eval) weight: Weight,
    pub(in crate::eval) count: Code,
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
        let environment = Environment::new(context, &self.names, &values);
        let lane = side.fold_wb(0, 1);
        let applies: bool = holding(self.when.as_ref(), &environment, Pair::of(side)).lane(lane);
        applies.then(|| number.get(&environment).lane(lane))
    }

    /// White's sum minus Black's.
    pub(in crate::eval) fn balance(
        &self,
        context: &EvalContext,
        weights: &[Score; MAX_PAIRS],
    ) -> Score {
        // To clear places that nobody uses would take longer than many terms.
        match self.names.len() {
            0 => self.balance_with::<0>(context, weights),
            1..=8 => self.balance_with::<8>(context, weights),
            _ => self.balance_with::<MAX_NAMES>(context, weights),
        }
    }

    #[inline]
    fn balance_with<const NAMES: usize>(
        &self,
        context: &EvalContext,
        weights: &[Score; MAX_PAIRS],
    ) -> Score {
        let values = [const { Cell::new(Pair::ZERO) }; NAMES];
        let environment = Environment::new(context, &self.names, &values);
        let lanes = holding(self.when.as_ref(), &environment, Pair::HOLDS);
        if lanes == Pair::ZERO {
            return Score::ZERO;
        }
        // The remainder proves to the compiler that the index is within the array.
        let worth = |weight: Weight| weights[weight.index() % MAX_PAIRS];
        let sums = self.sums.iter().fold(Score::ZERO, |total, sum| {
            let [white, black] = sum.count.get(&environment).and(lanes).values::<i32>();
            total + worth(sum.weight) * (white - black)
        });
        if !self.has_arrays {
            return sums;
        }
        let mut arrays = Score::ZERO;
        self.count(&environment, lanes, false, |_, lane, Contribution { weight, count, .. }| {
            arrays += worth(weight) * if lane == 0 { count } else { -count };
        });
        sums + arrays
    }

    /// Calls a function with everything that a side contributes: what is read of the position, and the index of the
    /// weight.
    pub(in crate::eval) fn contribute(
        &self,
        context: &EvalContext,
        side: Color,
        mut see: impl FnMut(&Environment<'_>, usize, Contribution),
    ) {
        let values = [const { Cell::new(Pair::ZERO) }; MAX_NAMES];
        let environment = Environment::new(context, &self.names, &values);
        let lanes = holding(self.when.as_ref(), &environment, Pair::of(side));
        self.count(&environment, lanes, true, |index, _, seen| see(&environment, index, seen));
    }

    /// Calls a function with everything that is counted: the index of the weight, and the lane. Where nothing is shown,
    /// squares are not the right ones, and weights without an array are not counted.
    fn count(
        &self,
        environment: &Environment<'_>,
        lanes: Pair,
        is_shown: bool,
        mut see: impl FnMut(usize, usize, Contribution),
    ) {
        let kings = Color::ALL.map(|side| environment.context.side(side).king);
        visit(self.each.as_ref(), environment, (lanes, kings), |lanes, squares| {
            for (index, weight) in self.weights.iter().enumerate() {
                if is_shown || matches!(weight.amount, Amount::Index(_)) {
                    let each = weight.each.as_ref();
                    visit(each, environment, (lanes, squares), |lanes, squares| {
                        let see = |lane, seen| see(index, lane, seen);
                        weight.count(environment, (lanes, squares), is_shown, see);
                    });
                }
            }
        });
    }
}

/// Calls a function with the squares of a loop, or without one with these squares, and their lanes.
fn visit(
    each: Option<&SquareLoop>,
    environment: &Environment<'_>,
    (lanes, squares): (Pair, [Square; 2]),
    mut see: impl FnMut(Pair, [Square; 2]),
) {
    match each {
        None => see(lanes, squares),
        Some(each) if lanes != Pair::ZERO => {
            each.visit(environment, each.set.get(environment).and(lanes), see);
        }
        Some(_) => {}
    }
}

/// Those of the lanes in which a condition holds, if there is one.
#[inline]
pub(super) fn holding(when: Option<&Code>, environment: &Environment<'_>, lanes: Pair) -> Pair {
    when.map_or(lanes, |when| when.get(environment).and(lanes))
}

impl FormulaWeight {
    /// Calls a function with each lane that counts anything.
    fn count(
        &self,
        environment: &Environment<'_>,
        (lanes, squares): (Pair, [Square; 2]),
        is_shown: bool,
        mut see: impl FnMut(usize, Contribution),
    ) {
        let lanes = holding(self.when.as_ref(), environment, lanes);
        if lanes == Pair::ZERO {
            return;
        }
        let numbers = match &self.amount {
            Amount::Once => [1; 2],
            Amount::Count(number) | Amount::Index(number) => number.get(environment).values(),
        };
        let squares = match &self.at {
            Some(at) if is_shown => at.get(environment).values(),
            _ => squares,
        };
        for lane in 0..2 {
            let (weight, count) = match self.amount {
                Amount::Index(_) => (self.weight.at(numbers[lane].max(0) as u32), 1),
                _ => (self.weight, numbers[lane].clamp(-MAX_COUNT, MAX_COUNT)),
            };
            // Nothing to count is nothing to explain.
            if lanes.lane(lane) && count != 0 {
                see(lane, Contribution { weight, count, square: squares[lane] });
            }
        }
    }
}
