//! Compiled expressions: closures that read a [`Frame`] and allocate nothing.

use super::Type;
use crate::eval::EvalContext;
use shakmaty::{Bitboard, Color, Square};
use std::cell::Cell;

/// The most names of one type that are in use at once in a term.
pub(super) const MOST_LOCALS: usize = 8;

/// What an expression reads: the position, the side that is measured, and the named values.
pub(in crate::eval) struct Frame<'a> {
    pub(super) context: &'a EvalContext,
    /// The side that is measured and the other one.
    colors: [Color; 2],
    numbers: [Cell<i32>; MOST_LOCALS],
    squares: [Cell<Square>; MOST_LOCALS],
    sets: [Cell<Bitboard>; MOST_LOCALS],
    conditions: [Cell<bool>; MOST_LOCALS],
}

impl<'a> Frame<'a> {
    #[inline]
    pub(super) fn new(context: &'a EvalContext, side: Color) -> Frame<'a> {
        Frame {
            context,
            colors: [side, !side],
            numbers: Default::default(),
            squares: [const { Cell::new(Square::A1) }; MOST_LOCALS],
            sets: [const { Cell::new(Bitboard::EMPTY) }; MOST_LOCALS],
            conditions: Default::default(),
        }
    }

    #[inline]
    pub(super) fn color(&self, side: Owner) -> Color {
        self.colors[side as usize]
    }

    #[inline]
    pub(super) fn assign<T: Typed>(&self, slot: Slot, code: &Code<T>) {
        T::cell(self, slot).set(code.get(self));
    }

    #[inline]
    pub(super) fn set_square(&self, slot: Slot, square: Square) {
        self.squares[slot.index()].set(square);
    }
}

/// The side before the dot of a word.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) enum Owner {
    Own,
    Enemy,
}

/// Where a named value is kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Slot(pub(super) u8);

impl Slot {
    /// The remainder proves to the compiler that the index is within the array.
    #[inline]
    const fn index(self) -> usize {
        self.0 as usize % MOST_LOCALS
    }
}

type Run<T> = Box<dyn Fn(&Frame<'_>) -> T + Send + Sync>;

/// An expression whose value has the type `T`. What most expressions end in, words and named values,
/// needs no call through a pointer to a closure.
pub(in crate::eval) enum Code<T> {
    Constant(T),
    Word(fn(&EvalContext, Color) -> T, Owner),
    Local(Slot),
    Run(Run<T>),
}

/// Code of one of the four types.
pub(in crate::eval) enum Value {
    Number(Code<i32>),
    Square(Code<Square>),
    Set(Code<Bitboard>),
    Condition(Code<bool>),
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

    /// Keeps the value in the frame.
    #[inline]
    pub(super) fn assign(&self, frame: &Frame<'_>, slot: Slot) {
        match self {
            Value::Number(code) => frame.assign(slot, code),
            Value::Square(code) => frame.assign(slot, code),
            Value::Set(code) => frame.assign(slot, code),
            Value::Condition(code) => frame.assign(slot, code),
        }
    }
}

/// A Rust type of values: one for each [`Type`].
pub(in crate::eval) trait Typed: Copy + Send + Sync + 'static {
    const TYPE: Type;

    /// Where a frame keeps a value.
    fn cell<'f>(frame: &'f Frame<'_>, slot: Slot) -> &'f Cell<Self>;

    fn value(code: Code<Self>) -> Value;

    /// The code of a value of this type.
    fn code(value: Value) -> Option<Code<Self>>;
}

macro_rules! types {
    ($($type:ty: $kind:ident, $field:ident;)*) => {$(
        impl Typed for $type {
            const TYPE: Type = Type::$kind;

            #[inline]
            fn cell<'f>(frame: &'f Frame<'_>, slot: Slot) -> &'f Cell<Self> {
                &frame.$field[slot.index()]
            }

            fn value(code: Code<Self>) -> Value {
                Value::$kind(code)
            }

            fn code(value: Value) -> Option<Code<Self>> {
                if let Value::$kind(code) = value { Some(code) } else { None }
            }
        }
    )*};
}
types! {
    i32: Number, numbers;
    Square: Square, squares;
    Bitboard: Set, sets;
    bool: Condition, conditions;
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
    #[inline]
    pub(super) fn get(&self, frame: &Frame<'_>) -> T {
        match self {
            Code::Constant(value) => *value,
            Code::Word(function, side) => function(frame.context, frame.color(*side)),
            Code::Local(slot) => T::cell(frame, *slot).get(),
            Code::Run(run) => run(frame),
        }
    }

    pub(super) fn run(function: impl Fn(&Frame<'_>) -> T + Send + Sync + 'static) -> Code<T> {
        Code::Run(Box::new(function))
    }

    /// A function of the value.
    pub(super) fn map<U: Typed>(
        self,
        function: impl Fn(T) -> U + Send + Sync + 'static,
    ) -> Code<U> {
        match self {
            Code::Constant(value) => Code::Constant(function(value)),
            code => Code::run(move |frame| function(code.get(frame))),
        }
    }
}

/// A loop over the squares of a set.
pub(in crate::eval) struct SquareLoop {
    pub(super) set: Code<Bitboard>,
    /// Where the variable is kept.
    pub(super) slot: Slot,
}

impl SquareLoop {
    /// The value of the body for each square.
    #[inline]
    pub(super) fn values<T: Typed>(
        &self,
        frame: &Frame<'_>,
        body: &Code<T>,
    ) -> impl Iterator<Item = (Square, T)> {
        self.set.get(frame).into_iter().map(move |square| {
            frame.set_square(self.slot, square);
            (square, body.get(frame))
        })
    }
}
