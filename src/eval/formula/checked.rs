//! Checked expressions: their code, and what is known of their values.

use super::code::{Chain, Code, Conditions, MAX_LOCALS, Owner, Sum, Typed, Value};
use super::{Mistake, SQUARES, Type};
use shakmaty::Bitboard;
use std::{ops::Range, vec};

/// An expression that was checked.
pub struct Checked {
    pub value: Value,
    pub facts: Facts,
    pub span: Range<usize>,
}

/// What is known of a value before it is computed.
#[derive(Copy, Clone, Debug)]
pub struct Facts {
    /// The side whose pieces the squares are, if it is one side's only.
    pub side: Option<Owner>,
    /// How many squares a set has at most in a game. In positions that no game leads to it can be more:
    /// they only take longer.
    pub squares: u64,
    /// No number is larger in a game.
    pub max: i32,
    /// The smallest and largest number in any position.
    pub range: [i32; 2],
    /// What it depends on: a bit for the variable of each loop around it, [`Facts::POSITION`] and [`Facts::PIECES`].
    pub reads: u16,
}

impl Facts {
    /// It depends on the position.
    pub const POSITION: u16 = 1 << 15;

    /// It depends on more of the position than pawns and kings.
    pub const PIECES: u16 = 1 << 14;

    /// It depends on a parameter, which each call gives another value.
    pub const PARAMETER: u16 = 1 << 13;

    /// It depends on the variable of a loop or a parameter: the same text can have several values.
    pub const BOUND: u16 = Facts::PARAMETER | ((1 << MAX_LOCALS) - 1);

    /// Nothing is known of a value that depends on nothing.
    pub const NOTHING: Facts = Facts {
        side: None,
        squares: SQUARES,
        max: i32::MAX,
        range: [i32::MIN, i32::MAX],
        reads: 0,
    };

    /// A sum of numbers in these ranges, if it is always within the numbers of expressions.
    pub fn range_of(ends: [i64; 2]) -> Option<[i32; 2]> {
        let [min, max] = ends.map(i32::try_from);
        Some([min.ok()?, max.ok()?])
    }

    /// The side of two sets, if it is the same.
    pub fn common_side(self, other: Facts) -> Option<Owner> {
        self.side.filter(|_| self.side == other.side)
    }
}

/// The arguments of a word.
pub struct Arguments(pub vec::IntoIter<Checked>);

impl Arguments {
    pub fn take<T: Typed>(&mut self) -> Result<Code<T>, Mistake> {
        // The number of arguments was checked.
        self.next()?.into()
    }

    pub fn take_set(&mut self) -> Result<Chain, Mistake> {
        self.next()?.chain()
    }

    fn next(&mut self) -> Result<Checked, Mistake> {
        self.0.next().ok_or_else(|| Mistake::new(0..0, "an argument is missing"))
    }
}

impl Checked {
    fn wrong_type(&self, expected: Type) -> Mistake {
        let kind = self.value.kind();
        let [_, article, example] = expected.words();
        let message = format!("{article} is expected here, but this is {}", kind.words()[1]);
        let mistake = Mistake::new(self.span.clone(), message).example(example);
        match (expected, kind) {
            (Type::Number, Type::Set) => mistake.hint("`count(...)` counts the squares of a set"),
            (Type::Number, Type::Condition) => mistake.hint("write `if ... then 1 else 0`"),
            (Type::Condition, Type::Set) => mistake.hint("write `any(...)`"),
            (Type::Condition, Type::Number) => mistake.hint("compare it, as in `... > 0`"),
            (Type::Square, Type::Set) => mistake
                .hint("a loop takes the squares of a set one by one, as in `sum(x in set: ...)`"),
            _ => mistake,
        }
    }

    /// The code of a value of this type. A square is the set of that square, too.
    pub fn into<T: Typed>(self) -> Result<Code<T>, Mistake> {
        let mistake = self.wrong_type(T::TYPE);
        let value = match self.value {
            Value::Square(code) if T::TYPE == Type::Set => Bitboard::value(code.into_set()),
            value => value,
        };
        T::code(value).ok_or(mistake)
    }

    /// A set, to which operators can be added.
    pub fn chain(self) -> Result<Chain, Mistake> {
        match self.value {
            Value::Set(chain) => Ok(chain),
            value => Ok(Checked { value, ..self }.into::<Bitboard>()?.into()),
        }
    }

    /// A condition, to which others can be added.
    pub fn conditions(self) -> Result<Conditions, Mistake> {
        match self.value {
            Value::Condition(conditions) => Ok(conditions),
            value => Ok(Checked { value, ..self }.into::<bool>()?.into()),
        }
    }

    /// A number, to which others can be added.
    pub fn sum(self) -> Result<Sum, Mistake> {
        match self.value {
            Value::Number(sum) => Ok(sum),
            value => Ok(Checked { value, ..self }.into::<i32>()?.into()),
        }
    }

    pub fn is_set(&self) -> bool {
        matches!(self.value.kind(), Type::Set | Type::Square)
    }

    /// The type that two values have in common, if any.
    pub fn common_type(&self, other: &Checked) -> Type {
        match (self.value.kind(), other.value.kind()) {
            (Type::Square, Type::Square) => Type::Square,
            (Type::Square, _) => Type::Set,
            (kind, _) => kind,
        }
    }
}
