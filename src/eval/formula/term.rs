//! A term made of expressions.

use super::MAX_COUNT;
use super::code::{Code, Frame, Slot, SquareLoop, Value};
use crate::eval::{EvalContext, Sink, Weight};
use shakmaty::{Color, Square};

/// A term that an engine file writes: it counts what its expressions say.
#[derive(Default)]
pub(in crate::eval) struct FormulaTerm {
    /// Named values that `when` reads.
    pub(in crate::eval) early: Vec<(Slot, Value)>,
    pub(in crate::eval) when: Option<Code<bool>>,
    /// The other named values.
    pub(in crate::eval) late: Vec<(Slot, Value)>,
    pub(in crate::eval) each: Option<SquareLoop>,
    pub(in crate::eval) weights: Vec<FormulaWeight>,
    /// Steps for both sides at most.
    pub(in crate::eval) cost: u64,
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
}

/// What is added for a weight.
pub(in crate::eval) enum Amount {
    /// The pair so many times.
    Count(Code<i32>),
    /// The pair at this index of an array, once. A negative index is the first pair.
    Index(Code<i32>),
}

impl FormulaTerm {
    #[inline]
    pub(in crate::eval) fn measure<S: Sink>(
        &self,
        context: &EvalContext,
        side: Color,
        sink: &mut S,
    ) {
        let frame = Frame::new(context, side);
        self.early.iter().for_each(|(slot, value)| value.assign(&frame, *slot));
        if self.when.as_ref().is_some_and(|when| !when.get(&frame)) {
            return;
        }
        self.late.iter().for_each(|(slot, value)| value.assign(&frame, *slot));
        let Some(each) = &self.each else {
            let king = context.side(side).king;
            self.weights.iter().for_each(|weight| weight.measure(&frame, king, sink));
            return;
        };
        for square in each.set.get(&frame) {
            frame.set_square(each.slot, square);
            self.weights.iter().for_each(|weight| weight.measure(&frame, square, sink));
        }
    }
}

impl FormulaWeight {
    #[inline]
    fn measure<S: Sink>(&self, frame: &Frame<'_>, square: Square, sink: &mut S) {
        let Some(each) = &self.each else {
            self.add(frame, square, sink);
            return;
        };
        let set = each.set.get(frame);
        if let (None, Amount::Count(Code::Constant(1)), None) = (&self.when, &self.amount, &self.at)
        {
            sink.add_each(self.weight, set);
            return;
        }
        for square in set {
            frame.set_square(each.slot, square);
            self.add(frame, square, sink);
        }
    }

    #[inline]
    fn add<S: Sink>(&self, frame: &Frame<'_>, square: Square, sink: &mut S) {
        if self.when.as_ref().is_some_and(|when| !when.get(frame)) {
            return;
        }
        let (weight, count) = match &self.amount {
            Amount::Count(number) => (self.weight, number.get(frame).clamp(-MAX_COUNT, MAX_COUNT)),
            Amount::Index(number) => (self.weight.at(number.get(frame).max(0) as u32), 1),
        };
        // Nothing to count is nothing to explain.
        if count != 0 {
            sink.add(weight, count, self.at.as_ref().map_or(square, |at| at.get(frame)));
        }
    }
}
