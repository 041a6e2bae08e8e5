//! Compiled expressions: closures that read an [`Environment`] and allocate nothing.
//!
//! A closure computes the values of both sides at once, one in each lane, because its call takes longer than most of
//! what it does. A value of any type has 64 bits: the compiler has checked the types.

use super::functions::{attacks_of, pieces};
use super::{MAX_COUNT, Type};
use crate::eval::EvalContext;
use shakmaty::{Bitboard, Color, Square};
use std::{cell::Cell, ops::RangeInclusive};

/// The most loops inside each other.
pub(super) const MAX_LOCALS: usize = 8;

/// The most named values of a term, those of the file that it reads among them.
pub(super) const MAX_LETS: usize = 32;

/// The most values that an environment keeps: the names, and parts of expressions that several places read.
pub(super) const MAX_NAMES: usize = 64;

/// A set of lanes: White is measured in the first, Black in the second.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Lanes(u8);

impl Lanes {
    pub(in crate::eval) const NONE: Lanes = Lanes(0);
    pub(in crate::eval) const BOTH: Lanes = Lanes(3);

    /// The lane in which a side is measured.
    pub(in crate::eval) const fn of(side: Color) -> Lanes {
        Lanes(match side {
            Color::White => 1,
            Color::Black => 2,
        })
    }

    #[inline]
    pub(super) fn new(lanes: [bool; 2]) -> Lanes {
        Lanes(u8::from(lanes[0]) | u8::from(lanes[1]) << 1)
    }

    #[inline]
    pub(super) const fn has(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }

    #[inline]
    pub(super) fn any(self) -> bool {
        self != Lanes::NONE
    }

    /// These lanes without others.
    #[inline]
    pub(super) const fn without(self, others: Lanes) -> Lanes {
        Lanes(self.0 & !others.0)
    }

    /// Those of the lanes in which a condition holds.
    #[inline]
    pub(super) const fn holding(self, condition: Pair) -> Lanes {
        Lanes(self.0 & (condition.0 & 1 | condition.1 & 2) as u8)
    }

    /// A value for each lane that is asked for. The other lane, if any, has the same one.
    #[inline]
    pub(super) fn each<T: Copy>(self, value: impl Fn(usize) -> T) -> [T; 2] {
        match self {
            Lanes::BOTH => [value(0), value(1)],
            _ => [value(usize::from(self.has(1))); 2],
        }
    }

    /// Empties the sets of the other lanes.
    #[inline]
    pub(super) fn of_sets(self, sets: [Bitboard; 2]) -> [Bitboard; 2] {
        let keep = |lane| Bitboard(0_u64.wrapping_sub(self.has(lane).into()));
        [sets[0] & keep(0), sets[1] & keep(1)]
    }
}

/// The values of both lanes. Functions return it in registers, which arrays are not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Pair(u64, u64);

impl Pair {
    pub(super) const ZERO: Pair = Pair(0, 0);

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

    #[inline]
    fn zip<A: Typed, B: Typed, T: Typed>(self, other: Pair, function: impl Fn(A, B) -> T) -> Pair {
        let ([a0, a1], [b0, b1]) = (self.values(), other.values());
        Pair::new([function(a0, b0), function(a1, b1)])
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

/// What an expression reads: the position, the lanes that are measured, and the named values.
pub(in crate::eval) struct Environment<'a> {
    pub(super) context: &'a EvalContext,
    lanes: Lanes,
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
        lanes: Lanes,
        names: &'a [Code],
        values: &'a [Cell<Pair>],
    ) -> Environment<'a> {
        let squares = [const { Cell::new([Square::A1; 2]) }; Variable::PLACES];
        for owner in [Owner::Own, Owner::Enemy] {
            let kings = owner.colors().map(|color| context.side(color).king);
            squares[Variable::king(owner).index()].set(kings);
        }
        Environment { context, lanes, names, values, known: Cell::new(0), squares }
    }

    /// Calls a function with each square of a set and what stands there attacks, the pieces in the order of their list.
    #[inline]
    fn each_attack(&self, set: Bitboard, mut see: impl FnMut(Square, Bitboard)) {
        let mut others = set;
        for color in Color::ALL {
            let (side, pieces) = (self.context.side(color), pieces(self.context, color) & set);
            // A full list may lack some.
            if pieces.any() && !side.pieces.is_full() {
                others &= !pieces;
                let listed = side.pieces.iter().filter(|piece| pieces.contains(piece.square));
                listed.for_each(|piece| see(piece.square, piece.attacks));
            }
        }
        for square in others {
            see(square, attacks_of(self.context, Color::White, square));
        }
    }

    #[inline]
    fn name(&self, name: u8) -> Pair {
        if self.known.get() >> name & 1 == 0 {
            self.compute(name);
        }
        self.values[usize::from(name)].get()
    }

    /// Computes a name for all lanes that are measured.
    #[inline(never)]
    fn compute(&self, name: u8) {
        let value = self.names[usize::from(name)].get(self, self.lanes);
        self.values[usize::from(name)].set(value);
        self.known.set(self.known.get() | 1 << name);
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

/// The variable of a loop: how many loops are around it. The squares of the kings come after them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Variable(pub(super) u8);

impl Variable {
    /// Places for all variables.
    const PLACES: usize = 2 * MAX_LOCALS;

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

/// The code of an expression. What most expressions end in needs no call through a pointer to a closure.
pub(in crate::eval) enum Code {
    Constant(Pair),
    /// The square of a loop or a king.
    Square(Variable),
    /// The set of that square.
    SetOf(Variable),
    /// What an environment keeps at this index.
    Name(u8),
    Run(Run),
}

type Run = Box<dyn Fn(&Environment<'_>, Lanes) -> Pair + Send + Sync>;

impl Code {
    /// The same value in both lanes.
    pub(in crate::eval) fn constant<T: Typed>(value: T) -> Code {
        Code::Constant(Pair::both(value))
    }

    /// The number, if it is the same in every position. It is then the same for both sides.
    pub(in crate::eval) fn known(&self) -> Option<i32> {
        if let Code::Constant(pair) = self { Some(pair.lane(0)) } else { None }
    }

    /// The values of both lanes. That of a lane that is not asked for can be any value.
    #[inline(always)]
    pub(super) fn get(&self, environment: &Environment<'_>, lanes: Lanes) -> Pair {
        match self {
            Code::Run(run) => run(environment, lanes),
            Code::Square(variable) => Pair::new(environment.squares[variable.index()].get()),
            Code::Name(name) => environment.name(*name),
            _ => self.leaf(environment),
        }
    }

    #[inline(never)]
    fn leaf(&self, environment: &Environment<'_>) -> Pair {
        match self {
            Code::Constant(pair) => *pair,
            Code::SetOf(variable) => {
                let squares = environment.squares[variable.index()].get();
                Pair::new(squares.map(Bitboard::from_square))
            }
            _ => Pair::ZERO,
        }
    }

    /// Whether it takes longer than to test whether it is needed.
    #[inline]
    pub(super) const fn is_long(&self) -> bool {
        matches!(self, Code::Run(_) | Code::Name(_))
    }

    pub(super) fn run(
        function: impl Fn(&Environment<'_>, Lanes) -> Pair + Send + Sync + 'static,
    ) -> Code {
        Code::Run(Box::new(function))
    }

    /// A function of the value.
    pub(super) fn map<A: Typed, T: Typed>(
        self,
        function: impl Fn(A) -> T + Copy + Send + Sync + 'static,
    ) -> Code {
        Code::run(move |environment, lanes| {
            let [a, b] = self.get(environment, lanes).values();
            Pair::new([function(a), function(b)])
        })
    }

    /// A function of two values.
    pub(super) fn apply<A: Typed, B: Typed, T: Typed>(
        [a, b]: [Code; 2],
        function: impl Fn(A, B) -> T + Copy + Send + Sync + 'static,
    ) -> Code {
        // A number is the same in both lanes.
        match (&a, &b) {
            (Code::Constant(pair), _) if A::TYPE == Type::Number => {
                let number = pair.lane(0);
                b.map(move |b| function(number, b))
            }
            (_, Code::Constant(pair)) if B::TYPE == Type::Number => {
                let number = pair.lane(0);
                a.map(move |a| function(a, number))
            }
            _ => Code::run(move |environment, lanes| {
                a.get(environment, lanes).zip(b.get(environment, lanes), function)
            }),
        }
    }

    /// The first value where the condition holds, otherwise the second.
    pub(super) fn choice([condition, yes, no]: [Code; 3]) -> Code {
        Code::run(move |environment, lanes| {
            let holds = lanes.holding(condition.get(environment, lanes));
            if holds == lanes {
                return yes.get(environment, lanes);
            }
            let fails = lanes.without(holds);
            if fails == lanes {
                return no.get(environment, lanes);
            }
            let (yes, no) = (yes.get(environment, holds), no.get(environment, fails));
            if holds.has(0) { Pair(yes.0, no.1) } else { Pair(no.0, yes.1) }
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
    /// The code of the operator between two values.
    pub(super) fn code(self, operands: [Code; 2]) -> Code {
        match self {
            Operator::And => self.of(operands, |a, b| a & b),
            Operator::AndNot => self.of(operands, |a, b| a & !b),
            Operator::Or => self.of(operands, |a, b| a | b),
            Operator::OrNot => self.of(operands, |a, b| a | !b),
        }
    }

    fn of(
        self,
        [a, b]: [Code; 2],
        function: impl Fn(u64, u64) -> u64 + Copy + Send + Sync + 'static,
    ) -> Code {
        let is_long = b.is_long();
        Code::run(move |environment, lanes| {
            let value = a.get(environment, lanes);
            if is_long && self.is_decided(value) {
                return value;
            }
            let other = b.get(environment, lanes);
            Pair(function(value.0, other.0), function(value.1, other.1))
        })
    }

    /// Whether the second value changes nothing in either lane.
    #[inline]
    const fn is_decided(self, value: Pair) -> bool {
        match self {
            Operator::And | Operator::AndNot => value.0 | value.1 == 0,
            Operator::Or | Operator::OrNot => value.0 & value.1 == u64::MAX,
        }
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
    /// Visits the squares, in both lanes at once. `visit` gets the lanes that have a square, and returns those that
    /// need no more squares.
    #[inline]
    pub(super) fn visit(
        &self,
        environment: &Environment<'_>,
        lanes: Lanes,
        mut visit: impl FnMut(Lanes, [Square; 2]) -> Lanes,
    ) {
        let mut sets = lanes.of_sets(self.set.get(environment, lanes).values());
        let place = &environment.squares[self.variable.index()];
        // A name that the body reads first can have loops of its own with the same variable.
        let before = place.get();
        while (sets[0] | sets[1]).any() {
            let lanes = Lanes::new(sets.map(Bitboard::any));
            let squares = sets.map(|set| set.first().unwrap_or(Square::A1));
            place.set(squares);
            environment.forget(self.names);
            let done = visit(lanes, squares);
            sets = sets.map(Bitboard::without_first);
            if done.any() {
                sets = Lanes::BOTH.without(done).of_sets(sets);
            }
        }
        place.set(before);
        environment.forget(self.names);
    }
}

/// What a loop makes of the values of its squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    Sum,
    /// The sum of numbers within the limits of a count.
    Total,
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
            Fold::Sum | Fold::Total | Fold::Mean | Fold::Min | Fold::Max => [Type::Number; 2],
            Fold::Count => [Type::Number, Type::Condition],
            Fold::Any | Fold::All => [Type::Condition; 2],
            Fold::Squares => [Type::Set, Type::Condition],
        }
    }

    /// The same for numbers that are within the limits of a count.
    pub(super) const fn without_limits(self) -> Fold {
        if let Fold::Total = self { Fold::Sum } else { self }
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

    #[inline]
    pub(super) fn of(self, numbers: impl Iterator<Item = i32>) -> i32 {
        let mut folded = (0, 0);
        numbers.for_each(|number| self.add(&mut folded, number));
        self.end(folded)
    }

    /// The value of a loop, whatever its body, over those of its squares on which a condition holds.
    pub(super) fn over(self, squares: SquareLoop, when: Option<Code>, body: Code) -> Code {
        if self.types()[1] == Type::Condition {
            return self.over_conditions(squares, body);
        }
        Code::run(move |environment, lanes| {
            let mut folded = [(0, 0); 2];
            squares.visit(environment, lanes, |lanes, _| {
                let lanes = holding(when.as_ref(), environment, lanes);
                if lanes.any() {
                    let numbers: [i32; 2] = body.get(environment, lanes).values();
                    for (lane, folded) in folded.iter_mut().enumerate() {
                        let number = match self {
                            Fold::Total => numbers[lane].clamp(-MAX_COUNT, MAX_COUNT),
                            _ => numbers[lane],
                        };
                        if matches!(self, Fold::Sum | Fold::Total) {
                            folded.0 += i64::from(number) * i64::from(lanes.has(lane));
                        } else if lanes.has(lane) {
                            self.add(folded, number);
                        }
                    }
                }
                Lanes::NONE
            });
            Pair::new(folded.map(|folded| self.end(folded)))
        })
    }

    /// The value of a loop that looks at how many squares of a set its pieces attack: those numbers, or with a range
    /// those within it, or with `false` outside.
    pub(super) fn over_attacks(self, [set, of]: [Code; 2], range: Option<Within>) -> Code {
        Code::run(move |environment, lanes| {
            let sets = lanes.of_sets(set.get(environment, lanes).values());
            let of = of.get(environment, lanes).values::<Bitboard>();
            let count = |attacks: Bitboard, lane: usize| (attacks & of[lane]).count() as i32;
            let Some((range, is_in)) = &range else {
                return Pair::new([0, 1].map(|lane| {
                    let (mut folded, mut sum) = ((0, 0), 0);
                    if self == Fold::Sum {
                        environment.each_attack(sets[lane], |_, seen| sum += count(seen, lane));
                        return sum;
                    }
                    let add = |_, seen| self.add(&mut folded, count(seen, lane));
                    environment.each_attack(sets[lane], add);
                    self.end(folded)
                }));
            };
            let is_wanted = *is_in == (self != Fold::All);
            self.of_squares([0, 1].map(|lane| {
                let mut found = Bitboard::EMPTY;
                environment.each_attack(sets[lane], |square, seen| {
                    let is_here = range.contains(&count(seen, lane)) == is_wanted;
                    found |= Bitboard(u64::from(is_here) << square as u32);
                });
                found
            }))
        })
    }

    /// The value of a loop that looks for the squares on which a condition holds, or one on which it holds or fails.
    fn over_conditions(self, squares: SquareLoop, condition: Code) -> Code {
        Code::run(move |environment, lanes| {
            let mut found = [Bitboard::EMPTY; 2];
            squares.visit(environment, lanes, |lanes, squares| {
                let holds = lanes.holding(condition.get(environment, lanes));
                let here = if self == Fold::All { lanes.without(holds) } else { holds };
                let sets = here.of_sets(squares.map(Bitboard::from_square));
                found = [found[0] | sets[0], found[1] | sets[1]];
                if matches!(self, Fold::Any | Fold::All) { here } else { Lanes::NONE }
            });
            self.of_squares(found)
        })
    }

    /// The value of a loop that found these squares.
    #[inline]
    fn of_squares(self, found: [Bitboard; 2]) -> Pair {
        match self {
            Fold::Count => Pair::new(found.map(|set| set.count() as i32)),
            Fold::Any => Pair::new(found.map(Bitboard::any)),
            Fold::All => Pair::new(found.map(Bitboard::is_empty)),
            _ => Pair::new(found),
        }
    }
}

/// The numbers that a comparison allows, or with `false` those that it does not.
pub(super) type Within = (RangeInclusive<i32>, bool);

/// The lanes in which a condition holds, if there is one.
#[inline]
pub(super) fn holding(when: Option<&Code>, environment: &Environment<'_>, lanes: Lanes) -> Lanes {
    when.map_or(lanes, |when| lanes.holding(when.get(environment, lanes)))
}
