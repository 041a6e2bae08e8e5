//! Compiled expressions: closures that read a [`Frame`] and allocate nothing.

use crate::eval::EvalContext;
use shakmaty::{Bitboard, Color, Square};
use std::cell::Cell;

/// The most names of one type that are in use at once in a term.
pub(super) const MOST_LOCALS: usize = 8;

/// What an expression reads: the position, the side that is measured, and the named values.
pub(super) struct Frame<'a> {
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
    pub(super) fn color(&self, side: Side) -> Color {
        self.colors[side as usize]
    }

    #[inline]
    pub(super) fn assign<T: Local>(&self, slot: Slot, code: &Code<T>) {
        T::cell(self, slot).set(code.get(self));
    }

    #[inline]
    pub(super) fn set_square(&self, slot: Slot, square: Square) {
        self.squares[slot.index()].set(square);
    }
}

/// The side before the dot of a word.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Own,
    Enemy,
}

/// Where a named value is kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Slot(pub(super) u8);

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
pub(super) enum Code<T> {
    Constant(T),
    Word(fn(&EvalContext, Color) -> T, Side),
    Local(Slot),
    Run(Run<T>),
}

pub(super) type Number = Code<i32>;
pub(super) type SquareCode = Code<Square>;
pub(super) type Set = Code<Bitboard>;
pub(super) type Condition = Code<bool>;

/// A type of values that a frame keeps.
pub(super) trait Local: Copy + Send + Sync + 'static {
    fn cell<'f>(frame: &'f Frame<'_>, slot: Slot) -> &'f Cell<Self>;
}

macro_rules! locals {
    ($($type:ty: $field:ident),*) => {$(
        impl Local for $type {
            #[inline]
            fn cell<'f>(frame: &'f Frame<'_>, slot: Slot) -> &'f Cell<Self> {
                &frame.$field[slot.index()]
            }
        }
    )*};
}
locals!(i32: numbers, Square: squares, Bitboard: sets, bool: conditions);

impl<T: Local> Code<T> {
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

    /// The same function of two other expressions.
    pub(super) fn of<A: Local, B: Local>(
        a: Code<A>,
        b: Code<B>,
        function: impl Fn(A, B) -> T + Send + Sync + 'static,
    ) -> Code<T> {
        Code::run(move |frame| function(a.get(frame), b.get(frame)))
    }
}
