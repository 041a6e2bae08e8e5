//! Compiled expressions: closures that read a [`Environment`] and allocate nothing.
//!
//! A closure computes the values of both sides at once, one in each lane, because its call takes longer than most of
//! what it does.

use super::{
    Type,
    functions::{attacks_of, pieces},
};
use crate::eval::EvalContext;
use shakmaty::{Bitboard, Color, Square};
use std::{
    cell::Cell,
    ops::{BitAnd, BitOr, Not},
};

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

impl BitAnd for Lanes {
    type Output = Lanes;

    #[inline]
    fn bitand(self, other: Lanes) -> Lanes {
        Lanes(self.0 & other.0)
    }
}

impl BitOr for Lanes {
    type Output = Lanes;

    #[inline]
    fn bitor(self, other: Lanes) -> Lanes {
        Lanes(self.0 | other.0)
    }
}

impl Not for Lanes {
    type Output = Lanes;

    #[inline]
    fn not(self) -> Lanes {
        Lanes(self.0 ^ Lanes::BOTH.0)
    }
}

/// What an expression reads: the position, the lanes that are measured, and the named values.
pub(in crate::eval) struct Environment<'a> {
    pub(super) context: &'a EvalContext,
    lanes: Lanes,
    /// What the names stand for. A name is computed when it is read first.
    names: &'a [Value],
    /// The values of the names that are known.
    values: &'a [Cell<[u64; 2]>],
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
        names: &'a [Value],
        values: &'a [Cell<[u64; 2]>],
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
    pub(super) fn each_attack(&self, set: Bitboard, mut see: impl FnMut(Square, Bitboard)) {
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
    fn name<T: Typed>(&self, name: Name) -> T::Pair {
        if self.known.get() >> name.0 & 1 == 0 {
            self.compute(name);
        }
        T::unpacked(self.values[name.index()].get())
    }

    /// Computes a name for all lanes that are measured.
    #[inline(never)]
    fn compute(&self, name: Name) {
        let value = self.names[name.index()].packed(self, self.lanes);
        self.values[name.index()].set(value);
        self.known.set(self.known.get() | 1 << name.0);
    }

    #[inline]
    pub(super) fn set_squares(&self, variable: Variable, squares: [Square; 2]) {
        self.squares[variable.index()].set(squares);
    }

    /// Forgets names, because what they read has changed: a bit for each.
    #[inline]
    fn forget(&self, names: u64) {
        self.known.set(self.known.get() & !names);
    }

    #[inline]
    fn squares(&self, variable: Variable) -> [Square; 2] {
        self.squares[variable.index()].get()
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

/// Where an environment keeps a named value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Name(pub(super) u8);

impl Name {
    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
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

type Run<T> = Box<dyn Fn(&Environment<'_>, Lanes) -> <T as Typed>::Returned + Send + Sync>;

/// An expression whose value has the type `T`. What most expressions end in needs no call through a pointer to a
/// closure.
pub(in crate::eval) enum Code<T: Typed> {
    Constant(T::Pair),
    /// The square of a loop or a king, or the set of it.
    Variable(Variable),
    Name(Name),
    Run(Run<T>),
}

/// Code of one of the four types.
pub(in crate::eval) enum Value {
    Number(Sum),
    Square(Code<Square>),
    Set(Chain),
    Condition(Conditions),
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

    /// The value as an environment keeps it.
    #[inline]
    pub(super) fn packed(&self, environment: &Environment<'_>, lanes: Lanes) -> [u64; 2] {
        match self {
            Value::Number(sum) => i32::packed(sum.get(environment, lanes)),
            Value::Square(code) => Square::packed(code.get(environment, lanes)),
            Value::Set(chain) => Bitboard::packed(chain.get(environment, lanes)),
            Value::Condition(conditions) => bool::packed(conditions.get(environment, lanes)),
        }
    }
}

/// A Rust type of values: one for each [`Type`].
pub(in crate::eval) trait Typed: Copy + Send + Sync + 'static {
    const TYPE: Type;

    /// The values of both lanes.
    type Pair: Copy + Send + Sync + 'static;

    /// The values of both lanes as closures return them: in registers, which arrays are not.
    type Returned: Copy;

    fn returned(pair: Self::Pair) -> Self::Returned;

    fn received(returned: Self::Returned) -> Self::Pair;

    fn pair(values: [Self; 2]) -> Self::Pair;

    fn lane(pair: Self::Pair, lane: usize) -> Self;

    /// As an environment keeps it.
    fn packed(pair: Self::Pair) -> [u64; 2];

    fn unpacked(packed: [u64; 2]) -> Self::Pair;

    /// Squares, or the sets of them. No number and no condition comes from a square.
    #[inline]
    fn squares(squares: [Square; 2]) -> Self::Pair {
        Self::unpacked(squares.map(|square| match Self::TYPE {
            Type::Set => Bitboard::from_square(square).0,
            _ => square as u64,
        }))
    }

    fn value(code: Code<Self>) -> Value;

    /// The code of a value of this type.
    fn code(value: Value) -> Option<Code<Self>>;
}

macro_rules! types {
    ($($type:ty: $kind:ident, $value:ident => $pack:expr, $bits:ident => $unpack:expr, $code:ident => $finish:expr;)*) => {$(
        impl Typed for $type {
            const TYPE: Type = Type::$kind;

            type Pair = [$type; 2];

            type Returned = ($type, $type);

            #[inline]
            fn returned([a, b]: [Self; 2]) -> (Self, Self) {
                (a, b)
            }

            #[inline]
            fn received((a, b): (Self, Self)) -> [Self; 2] {
                [a, b]
            }

            #[inline]
            fn pair(values: [Self; 2]) -> [Self; 2] {
                values
            }

            #[inline]
            fn lane(pair: [Self; 2], lane: usize) -> Self {
                pair[lane]
            }

            #[inline]
            fn packed(pair: [Self; 2]) -> [u64; 2] {
                pair.map(|$value| $pack)
            }

            #[inline]
            fn unpacked(packed: [u64; 2]) -> [Self; 2] {
                packed.map(|$bits| $unpack)
            }

            fn value(code: Code<Self>) -> Value {
                Value::$kind(code.into())
            }

            fn code(value: Value) -> Option<Code<Self>> {
                if let Value::$kind($code) = value { Some($finish) } else { None }
            }
        }
    )*};
}
types! {
    i32: Number, value => value as u64, bits => bits as i32, sum => sum.finish();
    Square: Square, square => square as u64, bits => Square::new(bits as u32 % 64), code => code;
    Bitboard: Set, set => set.0, bits => Bitboard(bits), chain => chain.finish();
}

impl Typed for bool {
    const TYPE: Type = Type::Condition;

    type Pair = Lanes;

    type Returned = Lanes;

    #[inline]
    fn returned(lanes: Lanes) -> Lanes {
        lanes
    }

    #[inline]
    fn received(lanes: Lanes) -> Lanes {
        lanes
    }

    #[inline]
    fn pair(values: [Self; 2]) -> Lanes {
        Lanes::new(values)
    }

    #[inline]
    fn lane(pair: Lanes, lane: usize) -> bool {
        pair.has(lane)
    }

    #[inline]
    fn packed(pair: Lanes) -> [u64; 2] {
        [pair.0.into(), 0]
    }

    #[inline]
    fn unpacked(packed: [u64; 2]) -> Lanes {
        Lanes(packed[0] as u8)
    }

    fn value(code: Code<Self>) -> Value {
        Value::Condition(code.into())
    }

    fn code(value: Value) -> Option<Code<Self>> {
        if let Value::Condition(conditions) = value { Some(conditions.finish()) } else { None }
    }
}

/// An expression with `$T` as the Rust type that belongs to a [`Type`].
macro_rules! with_type {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            Type::Number => {
                type $T = i32;
                $body
            }
            Type::Square => {
                type $T = shakmaty::Square;
                $body
            }
            Type::Set => {
                type $T = shakmaty::Bitboard;
                $body
            }
            Type::Condition => {
                type $T = bool;
                $body
            }
        }
    };
}
pub(super) use with_type;

impl<T: Typed> Code<T> {
    /// The same value in both lanes.
    pub(in crate::eval) fn constant(value: T) -> Code<T> {
        Code::Constant(T::pair([value; 2]))
    }

    /// The values of both lanes. That of a lane that is not asked for can be any value.
    #[inline(always)]
    pub(super) fn get(&self, environment: &Environment<'_>, lanes: Lanes) -> T::Pair {
        match (self, T::TYPE) {
            (Code::Run(run), _) => T::received(run(environment, lanes)),
            (Code::Variable(variable), Type::Square) => T::squares(environment.squares(*variable)),
            (Code::Name(name), _) => environment.name::<T>(*name),
            _ => T::received(self.leaf(environment, lanes)),
        }
    }

    #[inline(never)]
    fn leaf(&self, environment: &Environment<'_>, lanes: Lanes) -> T::Returned {
        T::returned(match self {
            Code::Run(run) => T::received(run(environment, lanes)),
            Code::Name(name) => environment.name::<T>(*name),
            Code::Constant(pair) => *pair,
            Code::Variable(variable) => T::squares(environment.squares(*variable)),
        })
    }

    /// Whether it takes longer than to test whether it is needed.
    #[inline]
    const fn is_long(&self) -> bool {
        matches!(self, Code::Run(_) | Code::Name(_))
    }

    pub(super) fn run(
        function: impl Fn(&Environment<'_>, Lanes) -> T::Pair + Send + Sync + 'static,
    ) -> Code<T> {
        Code::Run(Box::new(move |environment, lanes| T::returned(function(environment, lanes))))
    }

    /// A function of the value.
    pub(super) fn map<U: Typed>(
        self,
        function: impl Fn(T) -> U + Copy + Send + Sync + 'static,
    ) -> Code<U> {
        Code::run(move |environment, lanes| {
            let pair = self.get(environment, lanes);
            U::pair([0, 1].map(|lane| function(T::lane(pair, lane))))
        })
    }

    /// A function of two values.
    pub(super) fn apply<A: Typed, B: Typed>(
        a: Code<A>,
        b: Code<B>,
        function: impl Fn(A, B) -> T + Copy + Send + Sync + 'static,
    ) -> Code<T> {
        // A number of the text needs no call.
        if let (Code::Constant(pair), Type::Number) = (&b, B::TYPE) {
            let number = B::lane(*pair, 0);
            return a.map(move |a| function(a, number));
        }
        Code::run(move |environment, lanes| {
            let (a, b) = (a.get(environment, lanes), b.get(environment, lanes));
            T::pair([0, 1].map(|lane| function(A::lane(a, lane), B::lane(b, lane))))
        })
    }

    /// The first value where the condition holds, otherwise the second.
    pub(super) fn choice(condition: Code<bool>, yes: Code<T>, no: Code<T>) -> Code<T> {
        Code::run(move |environment, lanes| {
            let holds = condition.get(environment, lanes) & lanes;
            if holds == lanes {
                return yes.get(environment, lanes);
            }
            let fails = !holds & lanes;
            if fails == lanes {
                return no.get(environment, lanes);
            }
            let (yes, no) = (yes.get(environment, holds), no.get(environment, fails));
            let chosen = |lane| T::lane(if holds.has(lane) { yes } else { no }, lane);
            T::pair([chosen(0), chosen(1)])
        })
    }
}

impl Code<Square> {
    /// The set of the square.
    pub(super) fn into_set(self) -> Code<Bitboard> {
        match self {
            Code::Variable(variable) => Code::Variable(variable),
            code => code.map(Bitboard::from_square),
        }
    }
}

/// Conditions that all hold, or that do not: one closure for all of them. One that does not decide is followed by the
/// next, for the lanes that are open.
pub(in crate::eval) struct Conditions {
    /// Each with whether it has to hold.
    parts: Vec<(Code<bool>, bool)>,
    is_negated: bool,
}

impl From<Code<bool>> for Conditions {
    fn from(code: Code<bool>) -> Conditions {
        Conditions { parts: vec![(code, true)], is_negated: false }
    }
}

impl Conditions {
    pub(super) fn and(self, other: Conditions) -> Conditions {
        let parts = [self, other].map(|conditions| match conditions.is_negated {
            true => vec![(conditions.finish(), true)],
            false => conditions.parts,
        });
        Conditions { parts: parts.into_iter().flatten().collect(), is_negated: false }
    }

    pub(super) fn or(self, other: Conditions) -> Conditions {
        !(!self).and(!other)
    }

    #[inline]
    fn get(&self, environment: &Environment<'_>, lanes: Lanes) -> Lanes {
        let mut open = lanes;
        for (code, has_to_hold) in &self.parts {
            let holds = code.get(environment, open);
            open = open & if *has_to_hold { holds } else { !holds };
            if !open.any() {
                break;
            }
        }
        if self.is_negated { !open & lanes } else { open }
    }

    fn finish(mut self) -> Code<bool> {
        match (&*self.parts, self.is_negated) {
            ([(_, true)], false) => self.parts.remove(0).0,
            _ => Code::run(move |environment, lanes| self.get(environment, lanes)),
        }
    }
}

impl Not for Conditions {
    type Output = Conditions;

    fn not(mut self) -> Conditions {
        match &mut *self.parts {
            [(_, has_to_hold)] => *has_to_hold = !*has_to_hold,
            _ => self.is_negated = !self.is_negated,
        }
        self
    }
}

/// A set made of sets, from the left to the right: one closure for all of its operators.
pub(in crate::eval) struct Chain {
    first: Code<Bitboard>,
    steps: Vec<ChainStep>,
}

/// What a chain does with the next set.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SetOperator {
    Union,
    Intersection,
    Difference,
}

struct ChainStep {
    operator: SetOperator,
    set: Code<Bitboard>,
}

impl From<Code<Bitboard>> for Chain {
    fn from(first: Code<Bitboard>) -> Chain {
        Chain { first, steps: Vec::new() }
    }
}

impl Chain {
    /// A function of the whole set.
    pub(super) fn map<T: Typed>(
        self,
        function: impl Fn(Bitboard) -> T + Copy + Send + Sync + 'static,
    ) -> Code<T> {
        if self.steps.is_empty() {
            return self.first.map(function);
        }
        Code::run(move |environment, lanes| T::pair(self.get(environment, lanes).map(function)))
    }

    /// The chain with one more operator.
    pub(super) fn then(mut self, operator: SetOperator, mut other: Chain) -> Chain {
        let can_swap = match operator {
            SetOperator::Union => true,
            // An empty set first saves the second.
            SetOperator::Intersection => !self.first.is_long(),
            SetOperator::Difference => false,
        };
        if can_swap && self.steps.len() < other.steps.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.steps.push(ChainStep { operator, set: other.finish() });
        self
    }

    #[inline(always)]
    pub(super) fn get(&self, environment: &Environment<'_>, lanes: Lanes) -> [Bitboard; 2] {
        let mut sets = self.first.get(environment, lanes);
        for ChainStep { operator, set } in &self.steps {
            if set.is_long() && *operator != SetOperator::Union && (sets[0] | sets[1]).is_empty() {
                continue;
            }
            let other = set.get(environment, lanes);
            for (set, other) in sets.iter_mut().zip(other) {
                *set = match operator {
                    SetOperator::Union => *set | other,
                    SetOperator::Intersection => *set & other,
                    SetOperator::Difference => *set & !other,
                };
            }
        }
        sets
    }

    fn finish(self) -> Code<Bitboard> {
        match self.steps.is_empty() {
            true => self.first,
            false => Code::run(move |environment, lanes| self.get(environment, lanes)),
        }
    }
}

/// A sum of multiples. Its value cannot exceed the numbers of expressions, so it need not saturate; a multiple alone
/// can, and wraps around.
pub(in crate::eval) struct Sum {
    constant: i32,
    terms: Vec<(i32, Code<i32>)>,
}

impl From<Code<i32>> for Sum {
    fn from(code: Code<i32>) -> Sum {
        match code {
            Code::Constant([a, b]) if a == b => Sum { constant: a, terms: Vec::new() },
            code => Sum { constant: 0, terms: vec![(1, code)] },
        }
    }
}

impl Sum {
    /// The value, if it is the same number in every position.
    pub(super) fn known(&self) -> Option<i32> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub(super) fn times(mut self, factor: i32) -> Sum {
        let times = |number: &mut i32| *number = number.wrapping_mul(factor);
        times(&mut self.constant);
        self.terms.iter_mut().for_each(|(multiple, _)| times(multiple));
        self
    }

    pub(super) fn plus(mut self, other: Sum) -> Sum {
        self.constant = self.constant.wrapping_add(other.constant);
        self.terms.extend(other.terms);
        self
    }

    #[inline]
    fn get(&self, environment: &Environment<'_>, lanes: Lanes) -> [i32; 2] {
        let start = [self.constant; 2];
        self.terms.iter().fold(start, |sums, (multiple, code)| {
            let numbers = code.get(environment, lanes);
            // The number of a lane that is not asked for can be any number.
            let add = |lane: usize| sums[lane].wrapping_add(multiple.wrapping_mul(numbers[lane]));
            [add(0), add(1)]
        })
    }

    pub(super) fn finish(mut self) -> Code<i32> {
        match (self.constant, &*self.terms) {
            (constant, []) => Code::constant(constant),
            (0, [(1, _)]) => self.terms.remove(0).1,
            (constant, &[(multiple, _)]) => {
                let code = self.terms.remove(0).1;
                code.map(move |number| multiple.wrapping_mul(number).wrapping_add(constant))
            }
            _ => Code::run(move |environment, lanes| self.get(environment, lanes)),
        }
    }
}

/// A loop over the squares of a set.
pub(in crate::eval) struct SquareLoop {
    pub(super) set: Code<Bitboard>,
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
        let mut sets = lanes.of_sets(self.set.get(environment, lanes));
        // A name that the body reads first can have loops of its own with the same variable.
        let before = environment.squares(self.variable);
        while (sets[0] | sets[1]).any() {
            let lanes = Lanes::new(sets.map(Bitboard::any));
            let squares = sets.map(|set| set.first().unwrap_or(Square::A1));
            environment.set_squares(self.variable, squares);
            environment.forget(self.names);
            let done = visit(lanes, squares);
            sets = sets.map(Bitboard::without_first);
            if done.any() {
                sets = (!done).of_sets(sets);
            }
        }
        environment.set_squares(self.variable, before);
    }
}

/// What a loop makes of the numbers of its squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    Sum,
    Mean,
    Min,
    Max,
}

impl Fold {
    /// The loop named so.
    pub(super) fn named(name: &str) -> Option<Fold> {
        Some(match name {
            "sum" => Fold::Sum,
            "mean" => Fold::Mean,
            "min" => Fold::Min,
            "max" => Fold::Max,
            _ => return None,
        })
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
            Fold::Sum | Fold::Mean => *folded + number,
        };
        *count += 1;
    }

    /// One number of all; 0 of none.
    #[inline]
    fn end(self, (folded, count): (i64, i64)) -> i32 {
        saturated(match self {
            Fold::Mean => folded.checked_div(count).unwrap_or(0),
            _ => folded,
        })
    }

    #[inline]
    pub(super) fn of(self, numbers: impl Iterator<Item = i32>) -> i32 {
        let mut folded = (0, 0);
        numbers.for_each(|number| self.add(&mut folded, number));
        self.end(folded)
    }

    /// The number of a loop whose body counts what the piece on its square attacks of another set.
    pub(super) fn over_attacks(self, set: Code<Bitboard>, of: Code<Bitboard>) -> Code<i32> {
        Code::run(move |environment, lanes| {
            let sets = lanes.of_sets(set.get(environment, lanes));
            let of = of.get(environment, lanes);
            [0, 1].map(|lane| {
                let (mut folded, mut sum) = ((0, 0), 0);
                if self == Fold::Sum {
                    let count = |attacks: Bitboard| (attacks & of[lane]).count() as i32;
                    environment.each_attack(sets[lane], |_, attacks| sum += count(attacks));
                    return sum;
                }
                environment.each_attack(sets[lane], |_, attacks| {
                    self.add(&mut folded, (attacks & of[lane]).count() as i32);
                });
                self.end(folded)
            })
        })
    }

    /// The number of a loop, whatever its body, over those of its squares on which a condition holds.
    pub(super) fn over(
        self,
        squares: SquareLoop,
        when: Option<Code<bool>>,
        body: Code<i32>,
    ) -> Code<i32> {
        Code::run(move |environment, lanes| {
            let mut folded = [(0, 0); 2];
            squares.visit(environment, lanes, |lanes, _| {
                let lanes = holding(when.as_ref(), environment, lanes);
                if lanes.any() {
                    let numbers = body.get(environment, lanes);
                    for lane in 0..2 {
                        if self == Fold::Sum {
                            let is_here = i64::from(lanes.has(lane));
                            folded[lane].0 += i64::from(numbers[lane]) * is_here;
                        } else if lanes.has(lane) {
                            self.add(&mut folded[lane], numbers[lane]);
                        }
                    }
                }
                Lanes::NONE
            });
            folded.map(|folded| self.end(folded))
        })
    }
}

/// The lanes in which a condition holds, if there is one.
#[inline]
pub(super) fn holding(
    when: Option<&Code<bool>>,
    environment: &Environment<'_>,
    lanes: Lanes,
) -> Lanes {
    when.map_or(lanes, |when| when.get(environment, lanes) & lanes)
}

/// The nearest number of an expression.
fn saturated(number: i64) -> i32 {
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}
