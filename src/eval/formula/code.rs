//! Compiled expressions: closures that read an [`Environment`] and allocate nothing.
//!
//! A closure computes the values of both sides at once, White's in the first lane and Black's in the second, because its
//! call takes longer than most of what it does. A value of any type has 64 bits: the compiler has checked the types.

use super::Type;
use super::functions::{attacks_of, pieces};
use crate::eval::EvalContext;
use shakmaty::{Bitboard, Color, Square};
use std::cell::Cell;

/// The most loops inside each other.
pub(super) const MAX_LOCALS: usize = 8;

/// The most named values of a term, those of the file that it reads among them.
pub(super) const MAX_LETS: usize = 32;

/// The most values that an environment keeps: the names, and parts of expressions that several places read.
pub(super) const MAX_NAMES: usize = 64;

/// The most calls of functions in a term, so that reading a file takes no time that a person notices.
pub(super) const MAX_CALLS: usize = 256;

/// The most expressions around a call, so that functions that call functions do not use up the stack. One expression
/// alone cannot have so many.
pub(super) const MAX_CALL_DEPTH: usize = 256;

/// The values of both lanes. Functions return it in registers, which arrays are not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Pair(u64, u64);

impl Pair {
    pub(super) const ZERO: Pair = Pair(0, 0);

    /// The condition that holds in both lanes.
    pub(super) const HOLDS: Pair = Pair(u64::MAX, u64::MAX);

    /// The condition that holds in the lane of a side.
    pub(super) const fn of(side: Color) -> Pair {
        match side {
            Color::White => Pair(u64::MAX, 0),
            Color::Black => Pair(0, u64::MAX),
        }
    }

    /// Where a condition holds, the value, and 0 elsewhere.
    #[inline]
    pub(super) const fn and(self, condition: Pair) -> Pair {
        Pair(self.0 & condition.0, self.1 & condition.1)
    }

    #[inline]
    pub(super) fn new<T: Typed>(values: [T; 2]) -> Pair {
        Pair(values[0].bits(), values[1].bits())
    }

    /// The same value in both lanes.
    pub(super) fn both<T: Typed>(value: T) -> Pair {
        Pair::new([value; 2])
    }

    #[inline]
    pub(super) fn lane<T: Typed>(self, lane: usize) -> T {
        T::of_bits(if lane == 0 { self.0 } else { self.1 })
    }

    #[inline]
    pub(in crate::eval) fn values<T: Typed>(self) -> [T; 2] {
        [T::of_bits(self.0), T::of_bits(self.1)]
    }
}

/// A Rust type of values: one for each [`Type`].
pub(in crate::eval) trait Typed: Copy + Send + Sync + 'static {
    const TYPE: Type;

    fn bits(self) -> u64;

    fn of_bits(bits: u64) -> Self;
}

macro_rules! types {
    ($($type:ty: $kind:ident, $value:ident => $to_bits:expr, $bits:ident => $of_bits:expr;)*) => {$(
        impl Typed for $type {
            const TYPE: Type = Type::$kind;

            #[inline]
            fn bits(self) -> u64 {
                let $value = self;
                $to_bits
            }

            #[inline]
            fn of_bits($bits: u64) -> Self {
                $of_bits
            }
        }
    )*};
}
types! {
    i32: Number, value => value as u64, bits => bits as i32;
    Square: Square, square => square as u64, bits => Square::new(bits as u32 % 64);
    Bitboard: Set, set => set.0, bits => Bitboard(bits);
    // Operators of bits are those of conditions, too.
    bool: Condition, holds => 0_u64.wrapping_sub(holds.into()), bits => bits != 0;
}

/// What an expression reads: the position and the named values.
pub(in crate::eval) struct Environment<'a> {
    pub(super) context: &'a EvalContext,
    /// What the names stand for. A name is computed when it is read first.
    names: &'a [Code],
    /// The values of the names that are known.
    values: &'a [Cell<Pair>],
    /// Which of them are known, a bit for each.
    known: Cell<u64>,
    /// The squares at which loops are, the outermost first, and those of the kings.
    squares: [Cell<[Square; 2]>; Variable::PLACES],
}

impl<'a> Environment<'a> {
    /// `values` has a place for each name.
    #[inline]
    pub(super) fn new(
        context: &'a EvalContext,
        names: &'a [Code],
        values: &'a [Cell<Pair>],
    ) -> Environment<'a> {
        let squares = [const { Cell::new([Square::A1; 2]) }; Variable::PLACES];
        for owner in [Owner::Own, Owner::Enemy] {
            let kings = owner.colors().map(|color| context.side(color).king);
            squares[Variable::king(owner).index()].set(kings);
        }
        Environment { context, names, values, known: Cell::new(0), squares }
    }

    /// Puts a square in the place of a variable, in both lanes.
    pub(super) fn put(&self, variable: Variable, square: Square) {
        self.squares[variable.index()].set([square; 2]);
    }

    /// Calls a function with each square of a set and what stands there attacks, the pieces in the order of their list.
    #[inline(always)]
    fn each_attack(&self, set: Bitboard, mut see: impl FnMut(Square, Bitboard)) {
        let mut others = set;
        for color in Color::ALL {
            let (side, pieces) = (self.context.side(color), pieces(self.context, color) & set);
            // A full list may lack some.
            if pieces.any() && !side.pieces.is_full() {
                others &= !pieces;
                for piece in &side.pieces {
                    if pieces.contains(piece.square) {
                        see(piece.square, piece.attacks);
                    }
                }
            }
        }
        for square in others {
            see(square, attacks_of(self.context, Color::White, square));
        }
    }

    /// The value of a name, if it is known.
    #[inline]
    fn known(&self, name: u8) -> Option<Pair> {
        (self.known.get() >> name & 1 != 0).then(|| self.values[usize::from(name)].get())
    }

    /// Computes a name and passes it on.
    #[inline(never)]
    fn compute(&self, name: u8, next: &Next) -> Pair {
        let value = self.names[usize::from(name)].get(self);
        self.values[usize::from(name)].set(value);
        self.known.set(self.known.get() | 1 << name);
        next.pass(self, value)
    }

    /// Forgets names, because what they read has changed: a bit for each.
    #[inline]
    fn forget(&self, names: u64) {
        self.known.set(self.known.get() & !names);
    }
}

/// The side before the dot of a word.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) enum Owner {
    Own,
    Enemy,
}

impl Owner {
    /// The colour of this side in each lane.
    #[inline]
    pub(super) const fn colors(self) -> [Color; 2] {
        match self {
            Owner::Own => [Color::White, Color::Black],
            Owner::Enemy => [Color::Black, Color::White],
        }
    }
}

/// The variable of a loop: how many loops are around it. The squares of the kings come after them, then
/// [`Variable::OTHER`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Variable(pub(super) u8);

impl Variable {
    /// Places for all variables.
    const PLACES: usize = 2 * MAX_LOCALS;

    /// The square that a table is made for besides that of a loop.
    pub(super) const OTHER: Variable = Variable(MAX_LOCALS as u8 + 2);

    /// The square of a king.
    pub(super) const fn king(owner: Owner) -> Variable {
        Variable(MAX_LOCALS as u8 + owner as u8)
    }

    /// The remainder proves to the compiler that the index is within the array.
    #[inline]
    const fn index(self) -> usize {
        self.0 as usize % Variable::PLACES
    }
}

/// Where the value of an expression begins: what is read without a closure and without a call.
#[derive(Copy, Clone)]
pub(super) enum Leaf {
    Constant(Pair),
    /// The square of a loop or a king.
    Square(Variable),
    /// The set of that square.
    SetOf(Variable),
}

impl Leaf {
    #[inline(always)]
    fn get(self, environment: &Environment<'_>) -> Pair {
        match self {
            Leaf::Constant(pair) => pair,
            Leaf::Square(variable) => Pair::new(environment.squares[variable.index()].get()),
            Leaf::SetOf(variable) => {
                let squares = environment.squares[variable.index()].get();
                Pair::new(squares.map(Bitboard::from_square))
            }
        }
    }
}

/// A closure of the value before it.
type Step = Box<dyn Fn(&Environment<'_>, Pair) -> Pair + Send + Sync>;

/// The step after another one, if there is one. To pass a value on is the last that a step does, so that the call is a
/// jump, and the value stays in registers.
struct Next(Option<Step>);

impl Next {
    #[inline(always)]
    fn pass(&self, environment: &Environment<'_>, value: Pair) -> Pair {
        match &self.0 {
            Some(step) => step(environment, value),
            None => value,
        }
    }
}

/// The code of an expression: where its value begins, and the steps that it passes.
pub(in crate::eval) struct Code {
    first: Leaf,
    steps: Next,
}

impl Code {
    /// The same value in both lanes.
    pub(in crate::eval) fn constant<T: Typed>(value: T) -> Code {
        Draft::constant(value).code()
    }

    /// The number, if it is the same in every position. It is then the same for both sides.
    pub(in crate::eval) fn known(&self) -> Option<i32> {
        match self {
            Code { first: Leaf::Constant(pair), steps: Next(None) } => Some(pair.lane(0)),
            _ => None,
        }
    }

    /// The values of both lanes. Where a loop has no more squares for a lane, its value can be any one.
    #[inline(always)]
    pub(super) fn get(&self, environment: &Environment<'_>) -> Pair {
        self.steps.pass(environment, self.first.get(environment))
    }
}

/// Code to which steps can be added.
pub(super) struct Draft {
    first: Leaf,
    /// Each makes a step of the one after it.
    steps: Vec<Box<dyn FnOnce(Next) -> Step>>,
}

impl Draft {
    pub(super) const ZERO: Draft = Draft::leaf(Leaf::Constant(Pair::ZERO));

    pub(super) const fn leaf(first: Leaf) -> Draft {
        Draft { first, steps: Vec::new() }
    }

    /// What an environment keeps at this index.
    pub(super) fn name(name: u8) -> Draft {
        let make = move |next: Next| -> Step {
            Box::new(move |environment, _| match environment.known(name) {
                Some(value) => next.pass(environment, value),
                None => environment.compute(name, &next),
            })
        };
        Draft { first: Leaf::Constant(Pair::ZERO), steps: vec![Box::new(make)] }
    }

    /// The same value in both lanes.
    pub(in crate::eval) fn constant<T: Typed>(value: T) -> Draft {
        Draft::leaf(Leaf::Constant(Pair::both(value)))
    }

    /// The whole value, if it has no step.
    pub(super) fn as_leaf(&self) -> Option<Leaf> {
        self.steps.is_empty().then_some(self.first)
    }

    pub(super) fn code(self) -> Code {
        let steps = self.steps.into_iter().rev();
        Code {
            first: self.first,
            steps: steps.fold(Next(None), |next, make| Next(Some(make(next)))),
        }
    }

    /// Adds a step.
    pub(super) fn step(
        mut self,
        function: impl Fn(&Environment<'_>, Pair) -> Pair + Send + Sync + 'static,
    ) -> Draft {
        self.steps.push(Box::new(|next| {
            Box::new(move |environment, value| next.pass(environment, function(environment, value)))
        }));
        self
    }

    /// A function of the value.
    pub(super) fn map<A: Typed, T: Typed>(
        self,
        function: impl Fn(A) -> T + Send + Sync + 'static,
    ) -> Draft {
        self.step(move |_, value| {
            let [a, b] = value.values();
            Pair::new([function(a), function(b)])
        })
    }

    /// A function of two values. What is no leaf is passed on, so that most steps call nothing.
    pub(super) fn both(
        [a, b]: [Draft; 2],
        function: impl Fn(&Environment<'_>, [Pair; 2]) -> Pair + Send + Sync + 'static,
    ) -> Draft {
        match [a.as_leaf(), b.as_leaf()] {
            [_, Some(b)] => {
                a.step(move |environment, a| function(environment, [a, b.get(environment)]))
            }
            [Some(a), None] => {
                b.step(move |environment, b| function(environment, [a.get(environment), b]))
            }
            [None, None] => {
                let b = b.code();
                a.step(move |environment, a| function(environment, [a, b.get(environment)]))
            }
        }
    }

    /// A function of two values of a lane.
    pub(super) fn apply<A: Typed, B: Typed, T: Typed>(
        operands: [Draft; 2],
        function: impl Fn(A, B) -> T + Send + Sync + 'static,
    ) -> Draft {
        Draft::both(operands, move |_, [a, b]| {
            let ([a0, a1], [b0, b1]) = (a.values(), b.values());
            Pair::new([function(a0, b0), function(a1, b1)])
        })
    }

    /// A function of the position and two sets of a lane.
    fn of_sets<T: Typed>(
        operands: [Draft; 2],
        function: impl Fn(&Environment<'_>, Bitboard, Bitboard) -> T + Send + Sync + 'static,
    ) -> Draft {
        Draft::both(operands, move |environment, [a, b]| {
            Pair::new([0, 1].map(|lane| function(environment, a.lane(lane), b.lane(lane))))
        })
    }

    /// The first value where the condition holds, otherwise the second.
    pub(super) fn choice([condition, yes, no]: [Draft; 3]) -> Draft {
        let [yes, no] = [yes, no].map(Draft::code);
        condition.step(move |environment, holds| match holds {
            Pair::HOLDS => yes.get(environment),
            Pair::ZERO => no.get(environment),
            _ => {
                let (yes, no) = (yes.get(environment).and(holds), no.get(environment));
                let no = no.and(Pair(!holds.0, !holds.1));
                Pair(yes.0 | no.0, yes.1 | no.1)
            }
        })
    }
}

/// An operator of sets or of conditions, which are bits alike.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    And,
    AndNot,
    Or,
    OrNot,
}

impl Operator {
    /// The operator between two values.
    pub(super) fn join(self, value: Draft, other: Draft) -> Draft {
        match other.as_leaf() {
            Some(leaf) => self.with::<false>(value, move |environment| leaf.get(environment)),
            None => {
                let code = other.code();
                self.with::<true>(value, move |environment| code.get(environment))
            }
        }
    }

    /// The operator between a value and another one. If that takes long, it is read only where it can change the result.
    pub(super) fn with<const IS_LONG: bool>(
        self,
        value: Draft,
        other: impl Fn(&Environment<'_>) -> Pair + Send + Sync + 'static,
    ) -> Draft {
        match self {
            Operator::And => value.bits::<IS_LONG>(other, |a, b| a & b),
            Operator::AndNot => value.bits::<IS_LONG>(other, |a, b| a & !b),
            Operator::Or => value.bits::<IS_LONG>(other, |a, b| a | b),
            Operator::OrNot => value.bits::<IS_LONG>(other, |a, b| a | !b),
        }
    }
}

impl Draft {
    fn bits<const IS_LONG: bool>(
        self,
        other: impl Fn(&Environment<'_>) -> Pair + Send + Sync + 'static,
        function: impl Fn(u64, u64) -> u64 + Send + Sync + 'static,
    ) -> Draft {
        self.step(move |environment, value| {
            // The bits that the other value can change.
            let open = |bits| function(bits, 0) ^ function(bits, u64::MAX);
            if IS_LONG && open(value.0) | open(value.1) == 0 {
                return value;
            }
            let other = other(environment);
            Pair(function(value.0, other.0), function(value.1, other.1))
        })
    }
}

/// A loop over the squares of a set.
pub(in crate::eval) struct SquareLoop {
    pub(super) set: Code,
    pub(super) variable: Variable,
    /// The names that read the variable, a bit for each.
    pub(super) names: u64,
}

impl SquareLoop {
    /// Visits the squares of sets, in both lanes at once. `visit` gets the squares and the lanes that have one.
    #[inline]
    pub(super) fn visit(
        &self,
        environment: &Environment<'_>,
        sets: Pair,
        mut visit: impl FnMut(Pair, [Square; 2]),
    ) {
        let mut sets = sets.values::<Bitboard>();
        let place = &environment.squares[self.variable.index()];
        // A name that the body reads first can have loops of its own with the same variable.
        let before = place.get();
        while (sets[0] | sets[1]).any() {
            // The square of an empty set is any one.
            let squares = sets.map(|set| Square::of_bits(set.0.trailing_zeros().into()));
            place.set(squares);
            environment.forget(self.names);
            visit(Pair::new(sets.map(Bitboard::any)), squares);
            sets = sets.map(Bitboard::without_first);
        }
        place.set(before);
        environment.forget(self.names);
    }
}

/// Numbers of 8 binary digits for all squares of a loop and all squares of one other place, for each lane. A digit is
/// the set of the squares whose number has it, so that a sum counts the squares of sets instead of visiting them.
pub(super) struct Digits {
    /// It is added to each number.
    least: i32,
    /// How many digits are used.
    length: usize,
    sets: Box<[[u64; 8]; 128]>,
}

impl Digits {
    /// The digits of the numbers for each other square, if no number needs more. Without another square there is one table.
    pub(super) fn new(tables: &[[Pair; 64]]) -> Option<Digits> {
        let numbers = || tables.iter().flatten().flat_map(|pair| pair.values::<i32>());
        let (least, most) = (numbers().min()?.min(0), numbers().max()?);
        let range = most.checked_sub(least).filter(|range| *range < 256)?;
        let length = (i32::BITS - range.leading_zeros()) as usize;
        let mut sets = Box::new([[0; 8]; 128]);
        for (other, table) in tables.iter().enumerate() {
            for (square, pair) in table.iter().enumerate() {
                for lane in 0..2 {
                    let number = pair.lane::<i32>(lane) - least;
                    for (digit, set) in sets[2 * other + lane].iter_mut().enumerate() {
                        *set |= u64::from(number >> digit & 1 != 0) << square;
                    }
                }
            }
        }
        Some(Digits { least, length, sets })
    }

    /// 1 for the squares of a set, another one for each other square, and 0 elsewhere.
    pub(super) fn of_sets(tables: &[[Pair; 64]]) -> Digits {
        let mut sets = Box::new([[0; 8]; 128]);
        for (other, pair) in tables.iter().flatten().enumerate() {
            [sets[2 * other][0], sets[2 * other + 1][0]] = [pair.0, pair.1];
        }
        Digits { least: 0, length: 1, sets }
    }

    /// The squares whose number is odd.
    pub(super) fn odd(self, other: Draft) -> Draft {
        other.step(move |_, others| {
            let set = |lane| self.sets[2 * usize::from(others.lane::<Square>(lane)) + lane][0];
            Pair(set(0), set(1))
        })
    }

    /// The code of a loop over a set, with the square of the other place.
    pub(super) fn code(self, fold: Fold, operands: [Draft; 2]) -> Draft {
        match (fold, self.least, self.length) {
            (Fold::Sum, 0, 0..=3) => self.folded(operands, |_, set, digits| sum::<3>(set, digits)),
            (Fold::Sum, 0, 4) => self.folded(operands, |_, set, digits| sum::<4>(set, digits)),
            (Fold::Sum | Fold::Mean, ..) => {
                self.folded(operands, move |all, set, digits| all.total(fold, set, digits))
            }
            _ => self.folded(operands, move |all, set, digits| all.one(fold, set, digits)),
        }
    }

    fn folded(
        self,
        operands: [Draft; 2],
        fold: impl Fn(&Digits, Bitboard, &[u64; 8]) -> i32 + Send + Sync + 'static,
    ) -> Draft {
        Draft::both(operands, move |_, [sets, others]| {
            let of = |lane| {
                let other = usize::from(others.lane::<Square>(lane));
                fold(&self, sets.lane(lane), &self.sets[2 * other + lane])
            };
            Pair::new([of(0), of(1)])
        })
    }

    /// The code of a sum over all pairs of a square of the first set, which is the other place, and one of the second.
    pub(super) fn sum_of_pairs(self, operands: [Draft; 2]) -> Draft {
        match (self.least, self.length) {
            (0, 0..=4) => self.paired(operands, |_, set, digits| sum::<4>(set, digits)),
            _ => self.paired(operands, |all, set, digits| all.total(Fold::Sum, set, digits)),
        }
    }

    fn paired(
        self,
        operands: [Draft; 2],
        sum: impl Fn(&Digits, Bitboard, &[u64; 8]) -> i32 + Send + Sync + 'static,
    ) -> Draft {
        Draft::both(operands, move |_, [firsts, seconds]| {
            let of = |lane| {
                let (firsts, seconds) = (firsts.lane::<Bitboard>(lane), seconds.lane(lane));
                let digits = |first| &self.sets[2 * usize::from(first) + lane];
                let sums =
                    firsts.into_iter().map(|first| i64::from(sum(&self, seconds, digits(first))));
                Fold::Sum.end((sums.sum(), 0))
            };
            Pair::new([of(0), of(1)])
        })
    }

    /// The sum or the mean of the numbers of a set.
    fn total(&self, fold: Fold, set: Bitboard, digits: &[u64; 8]) -> i32 {
        let (above, count) = (i64::from(sum::<8>(set, digits)), set.count() as i64);
        fold.end((above + count * i64::from(self.least), count))
    }

    /// The least or the largest number of a set.
    fn one(&self, fold: Fold, set: Bitboard, digits: &[u64; 8]) -> i32 {
        if set.is_empty() {
            return 0;
        }
        // The squares whose number has the digits so far.
        let mut left = set.0;
        let number = digits.iter().rev().fold(0, |number, digit| {
            let wanted = if fold == Fold::Max { left & digit } else { left & !digit };
            left = if wanted == 0 { left } else { wanted };
            2 * number + i32::from((wanted != 0) == (fold == Fold::Max))
        });
        number + self.least
    }
}

/// The sum of the numbers of a set that have so many digits.
#[inline(always)]
fn sum<const LENGTH: usize>(set: Bitboard, digits: &[u64; 8]) -> i32 {
    let digits = digits[..LENGTH].iter().rev();
    digits.fold(0, |sum, digit| 2 * sum + (set.0 & digit).count_ones() as i32)
}

/// What a loop makes of the values of its squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    Sum,
    Mean,
    Min,
    Max,
    Count,
    Any,
    All,
    Squares,
}

impl Fold {
    /// The loop named so.
    pub(super) fn named(name: &str) -> Option<Fold> {
        Some(match name {
            "sum" => Fold::Sum,
            "mean" => Fold::Mean,
            "min" => Fold::Min,
            "max" => Fold::Max,
            "count" => Fold::Count,
            "any" => Fold::Any,
            "all" => Fold::All,
            "squares" => Fold::Squares,
            _ => return None,
        })
    }

    /// The type of the loop, and that of its body.
    pub(super) const fn types(self) -> [Type; 2] {
        match self {
            Fold::Sum | Fold::Mean | Fold::Min | Fold::Max => [Type::Number; 2],
            Fold::Count => [Type::Number, Type::Condition],
            Fold::Any | Fold::All => [Type::Condition; 2],
            Fold::Squares => [Type::Set, Type::Condition],
        }
    }

    /// Adds a number to those that were folded. The second value counts them.
    #[inline]
    fn add(self, (folded, count): &mut (i64, i64), number: i32) {
        let number = i64::from(number);
        *folded = match self {
            Fold::Min if *count > 0 => number.min(*folded),
            Fold::Max if *count > 0 => number.max(*folded),
            Fold::Min | Fold::Max => number,
            // The other side visits the squares in another order, so only the whole sum saturates.
            _ => *folded + number,
        };
        *count += 1;
    }

    /// One number of all; 0 of none.
    #[inline]
    fn end(self, (folded, count): (i64, i64)) -> i32 {
        let number = match self {
            Fold::Mean => folded.checked_div(count).unwrap_or(0),
            _ => folded,
        };
        number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }

    /// The value of a loop, whatever its body: one number of all, or the squares on which a condition holds.
    pub(super) fn over(self, squares: SquareLoop, body: Code) -> Draft {
        match self {
            Fold::Sum => Draft::ZERO.step(move |environment, _| {
                let mut sums = [0; 2];
                squares.visit(environment, squares.set.get(environment), |lanes, _| {
                    let numbers = body.get(environment).and(lanes).values::<i32>();
                    sums = [sums[0] + i64::from(numbers[0]), sums[1] + i64::from(numbers[1])];
                });
                Pair::new(sums.map(|sum| Fold::Sum.end((sum, 0))))
            }),
            Fold::Mean | Fold::Min | Fold::Max => Draft::ZERO.step(move |environment, _| {
                let mut folded = [(0, 0); 2];
                squares.visit(environment, squares.set.get(environment), |lanes, _| {
                    let numbers = body.get(environment).values();
                    let lanes = (0..2).filter(|&lane| lanes.lane(lane));
                    lanes.for_each(|lane| self.add(&mut folded[lane], numbers[lane]));
                });
                Pair::new(folded.map(|folded| self.end(folded)))
            }),
            _ => Draft::ZERO.step(move |environment, _| {
                let mut found = Pair::ZERO;
                squares.visit(environment, squares.set.get(environment), |lanes, squares| {
                    let holds = body.get(environment).and(lanes);
                    let here = Pair::new(squares.map(Bitboard::from_square)).and(holds);
                    found = Pair(found.0 | here.0, found.1 | here.1);
                });
                found
            }),
        }
    }

    /// The value of a loop that looks at how many squares of a set its pieces attack: one of those numbers, or with a
    /// range the squares whose number is within it, or with `false` outside.
    pub(super) fn over_attacks(self, operands: [Draft; 2], range: Option<Within>) -> Draft {
        let count = |attacks: Bitboard, of: Bitboard| (attacks & of).count() as i32;
        match (range, self) {
            (Some(([least, most], is_in)), _) => {
                Draft::of_sets(operands, move |environment, set, of| {
                    let (mut found, width) = (Bitboard::EMPTY, most.wrapping_sub(least) as u32);
                    if is_in && least > of.count() as i32 {
                        return found;
                    }
                    environment.each_attack(set, |square, seen| {
                        let number = count(seen, of).wrapping_sub(least) as u32;
                        let is_here = (number <= width) == is_in;
                        found |= Bitboard(u64::from(is_here) << square as u32);
                    });
                    found
                })
            }
            (None, Fold::Sum) => Draft::of_sets(operands, move |environment, set, of| {
                let mut sum = 0;
                environment.each_attack(set, |_, seen| sum += count(seen, of));
                sum
            }),
            (None, _) => Draft::of_sets(operands, move |environment, set, of| {
                let mut folded = (0, 0);
                environment.each_attack(set, |_, seen| self.add(&mut folded, count(seen, of)));
                self.end(folded)
            }),
        }
    }
}

/// The least and the largest number that a comparison allows, or with `false` that it does not.
pub(super) type Within = ([i32; 2], bool);
