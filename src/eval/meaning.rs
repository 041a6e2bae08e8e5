//! What the value of a weight means, as data. The methods of [`WeightSpec`](super::WeightSpec) turn it into English.
//!
//! The *value* of an array weight is its index, of a single pair its count. Most values are distances of
//! a thing, mostly the piece on the square of the contribution, to another thing:
//!
//! ```
//! use tropism::eval::meaning::{KING_MOVES, distance, enemy, own};
//! use tropism::eval::WeightSpec;
//! use shakmaty::{Color, Square};
//!
//! const MEANING: tropism::eval::Meaning = own("rook").is(distance(KING_MOVES, enemy("king")));
//! let spec = WeightSpec::pair("distance", MEANING);
//! assert_eq!(
//!     spec.sentence(7.0, Color::White, Square::H1),
//!     "white rook on h1: 7 king moves from the black king"
//! );
//! ```

/// What the value of a weight means.
#[expect(clippy::large_enum_variant, reason = "meanings are constants, never stored in lists")]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// How many things of a kind the side has: one, and several.
    Count(&'static str, &'static str),
    /// Something that the side has or does not have.
    Has(&'static str),
    /// A quantity of one thing.
    Of {
        /// The thing on the square of the contribution.
        thing: Thing,
        /// What is measured of it.
        quantity: Quantity,
    },
}

/// A piece, a place or a square.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Thing {
    /// A piece of the side that the term measures, as in `rook`.
    Own(&'static str),
    /// A piece of the other side.
    Enemy(&'static str),
    /// Anything else, with its article, as in `the centre`.
    Place(&'static str),
    /// A square of a kind, as in `escape square`.
    Square(&'static str),
}

/// What is measured of a thing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// How many of something it has.
    Amount(Unit),
    /// How many of something it has, where the count is the square of that number.
    Squared(Unit),
    /// Its distance to another thing.
    Distance(Distance),
    /// Two distances in one index: the first times the number in the middle, plus the second.
    Two(Distance, u32, Distance),
    /// Its ranks and files from another thing, and whether it is ahead of it, as its side sees the board.
    Ahead(Thing, Offsets),
}

/// How ranks and files are counted in one index.
///
/// The index is the number of files plus [`files`](Offsets::files) times the ranks ahead, counted from
/// [`least`](Offsets::least). Several such arrays may follow each other, one for each class of things.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// The fewest ranks ahead; negative behind.
    pub least: i32,
    /// How many numbers of ranks there are.
    pub ranks: u32,
    /// How many numbers of files there are.
    pub files: u32,
}

impl Offsets {
    /// The length of one array.
    pub const fn count(self) -> u32 {
        self.ranks * self.files
    }

    /// The index of an offset within one array.
    #[inline]
    pub const fn index(self, ahead: i32, files: u32) -> u32 {
        (ahead - self.least) as u32 * self.files + files
    }

    /// The ranks ahead and the files of an index in any of the arrays.
    pub const fn offset(self, index: u32) -> (i32, u32) {
        let index = index % self.count();
        ((index / self.files) as i32 + self.least, index % self.files)
    }
}

/// A distance to a thing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Distance {
    /// What it is counted in.
    pub unit: Unit,
    /// Between the number and the thing: `from`, `ahead of`, `behind`.
    pub preposition: &'static str,
    /// The thing.
    pub to: Thing,
    /// What distance 0 is called.
    pub zero: Option<&'static str>,
    /// The last index, and what it means, if it is no distance.
    pub last: Option<(u32, Last)>,
    /// A value that stands for all larger ones too.
    pub cap: Option<u32>,
    /// The value counts how much smaller the distance is than this one.
    pub less_than: Option<u32>,
}

/// What the last index of an array means if it is no distance.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Last {
    /// The thing to which the distance is measured does not exist, as in `no pawn in front of it`.
    Alone(&'static str),
    /// There is no such thing, as in `no pawn ahead of the king`.
    Missing(&'static str),
}

/// One of something, and several.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// As in `king move`.
    pub one: &'static str,
    /// As in `king moves`.
    pub many: &'static str,
}

/// Moves of a king on an empty board: Chebyshev distance.
pub const KING_MOVES: Unit = Unit { one: "king move", many: "king moves" };
/// Moves of a knight on an empty board.
pub const KNIGHT_MOVES: Unit = Unit { one: "knight move", many: "knight moves" };
/// Steps along ranks and files: Manhattan distance.
pub const ROOK_STEPS: Unit = Unit { one: "rook step", many: "rook steps" };
/// Moves of the thing itself, with the other pieces where they stand.
pub const MOVES: Unit = Unit { one: "move", many: "moves" };
/// Ranks.
pub const RANKS: Unit = Unit { one: "rank", many: "ranks" };
/// Files.
pub const FILES: Unit = Unit { one: "file", many: "files" };

/// A piece of the side that the term measures.
pub const fn own(piece: &'static str) -> Thing {
    Thing::Own(piece)
}

/// A piece of the other side.
pub const fn enemy(piece: &'static str) -> Thing {
    Thing::Enemy(piece)
}

/// Anything that has no colour, with its article.
pub const fn place(name: &'static str) -> Thing {
    Thing::Place(name)
}

/// A square of a kind.
pub(super) const fn square(kind: &'static str) -> Thing {
    Thing::Square(kind)
}

/// How many things of a kind a side has.
pub const fn count(one: &'static str, many: &'static str) -> Meaning {
    Meaning::Count(one, many)
}

/// Something that a side has or does not have, as in `the bishop pair`.
pub const fn has(what: &'static str) -> Meaning {
    Meaning::Has(what)
}

/// A distance from a thing.
pub const fn distance(unit: Unit, to: Thing) -> Distance {
    Distance { unit, preposition: "from", to, zero: None, last: None, cap: None, less_than: None }
}

impl Distance {
    /// Other words than `from`.
    pub const fn preposition(self, preposition: &'static str) -> Distance {
        Distance { preposition, ..self }
    }

    /// What distance 0 is called, as in `in the centre`.
    pub const fn zero(self, phrase: &'static str) -> Distance {
        Distance { zero: Some(phrase), ..self }
    }

    /// A value that stands for all larger ones too: `10 or more`.
    pub const fn or_more(self, value: u32) -> Distance {
        Distance { cap: Some(value), ..self }
    }

    /// The value counts how much smaller the distance is than `largest`.
    pub const fn less_than(self, largest: u32) -> Distance {
        Distance { less_than: Some(largest), ..self }
    }

    /// An index for a thing whose distance is to nothing, as in `no pawn in front of it`.
    pub const fn alone(self, index: u32, phrase: &'static str) -> Distance {
        Distance { last: Some((index, Last::Alone(phrase))), ..self }
    }

    /// An index for positions in which the thing does not exist.
    pub const fn missing(self, index: u32, phrase: &'static str) -> Distance {
        Distance { last: Some((index, Last::Missing(phrase))), ..self }
    }
}

impl Thing {
    /// The meaning of a weight: a distance of this thing.
    pub const fn is(self, distance: Distance) -> Meaning {
        self.of(Quantity::Distance(distance))
    }

    /// How many of something this thing has.
    pub const fn with(self, one: &'static str, many: &'static str) -> Meaning {
        self.of(Quantity::Amount(Unit { one, many }))
    }

    /// The same where the count is the square of that number.
    pub const fn with_squared(self, one: &'static str, many: &'static str) -> Meaning {
        self.of(Quantity::Squared(Unit { one, many }))
    }

    /// Two distances in one index: the first times `size`, plus the second.
    pub const fn both(self, first: Distance, size: u32, second: Distance) -> Meaning {
        self.of(Quantity::Two(first, size, second))
    }

    /// The ranks and files of this thing from another, as [`Quantity::Ahead`].
    pub const fn ahead(self, of: Thing, offsets: Offsets) -> Meaning {
        self.of(Quantity::Ahead(of, offsets))
    }

    const fn of(self, quantity: Quantity) -> Meaning {
        Meaning::Of { thing: self, quantity }
    }
}
