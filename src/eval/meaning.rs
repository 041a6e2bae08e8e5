//! What the value of a weight means, as data. The coach makes English sentences of it.
//!
//! The *value* of an array weight is its index, of a single pair its count. Most values are distances of
//! a thing, mostly the piece on the square of the contribution, to another thing:
//!
//! ```
//! use tropism::eval::meaning::{KING_MOVES, distance, enemy, own};
//!
//! let meaning = own("rook").is(distance(KING_MOVES, enemy("king")));
//! assert_eq!(meaning.label(), "rook, king moves from the enemy king");
//! ```

use super::Walk;
use crate::text::article;
use shakmaty::Color;
use std::borrow::Cow;

/// A word or phrase: of the program, or of an engine file.
pub type Text = Cow<'static, str>;

/// What the value of a weight means.
#[expect(clippy::large_enum_variant, reason = "most meanings are the large one")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// How many things of a kind the side has: one, and several.
    Count(Unit),
    /// Something that the side has or does not have.
    Has(Text),
    /// A quantity of one thing.
    Of {
        /// The thing on the square of the contribution.
        thing: Thing,
        /// What is measured of it.
        quantity: Quantity,
    },
}

/// A piece, a place or a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Thing {
    /// The side that the term measures, as a whole.
    Side,
    /// A piece of the side that the term measures, as in `rook`.
    Own(Text),
    /// A piece of the other side.
    Enemy(Text),
    /// Anything else, with its article, as in `the centre`.
    Place(Text),
    /// A square of a kind, as in `escape square`.
    Square(Text),
}

/// What is measured of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
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
/// [`min_ahead`](Offsets::min_ahead). Several such arrays may follow each other, one for each class of things.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Offsets {
    /// The fewest ranks ahead; negative behind.
    pub min_ahead: i32,
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
        (ahead - self.min_ahead) as u32 * self.files + files
    }

    /// The ranks ahead and the files of an index in any of the arrays.
    pub const fn offset(self, index: u32) -> (i32, u32) {
        let index = index % self.count();
        ((index / self.files) as i32 + self.min_ahead, index % self.files)
    }
}

/// A distance to a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distance {
    /// What it is counted in.
    pub unit: Unit,
    /// Between the number and the thing: `from`, `ahead of`, `behind`.
    pub preposition: Text,
    /// The thing.
    pub to: Thing,
    /// What distance 0 is called.
    pub zero: Option<Text>,
    /// The last index, and what it means, if it is no distance.
    pub last: Option<(u32, Last)>,
    /// The value counts how much smaller the distance is than this one.
    pub less_than: Option<u32>,
}

/// What the last index of an array means if it is no distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Last {
    /// The thing to which the distance is measured does not exist, as in `no pawn in front of it`.
    Alone(Text),
    /// There is no such thing, as in `no pawn ahead of the king`.
    Missing(Text),
}

/// One of something, and several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// As in `king move`.
    pub one: Text,
    /// As in `king moves`.
    pub many: Text,
}

impl Unit {
    /// A unit that the program knows.
    pub const fn new(one: &'static str, many: &'static str) -> Unit {
        Unit { one: Text::Borrowed(one), many: Text::Borrowed(many) }
    }
}

/// Moves of a king on an empty board: Chebyshev distance.
pub const KING_MOVES: Unit = Unit::new("king move", "king moves");
/// Moves of a knight on an empty board.
pub const KNIGHT_MOVES: Unit = Unit::new("knight move", "knight moves");
/// Steps along ranks and files: Manhattan distance.
pub const ROOK_STEPS: Unit = Unit::new("rook step", "rook steps");
/// Moves of the thing itself, with the other pieces where they stand.
pub const MOVES: Unit = Unit::new("move", "moves");
/// Ranks.
pub const RANKS: Unit = Unit::new("rank", "ranks");
/// Files.
pub const FILES: Unit = Unit::new("file", "files");

/// A piece of the side that the term measures.
pub fn own(piece: impl Into<Text>) -> Thing {
    Thing::Own(piece.into())
}

/// A piece of the other side.
pub fn enemy(piece: impl Into<Text>) -> Thing {
    Thing::Enemy(piece.into())
}

/// Anything that has no colour, with its article.
pub fn place(name: impl Into<Text>) -> Thing {
    Thing::Place(name.into())
}

/// A square of a kind.
pub(super) fn square(kind: impl Into<Text>) -> Thing {
    Thing::Square(kind.into())
}

/// A unit of an engine file, or of the program.
pub(super) fn unit(one: impl Into<Text>, many: impl Into<Text>) -> Unit {
    Unit { one: one.into(), many: many.into() }
}

/// How many things of a kind a side has.
pub fn count(one: impl Into<Text>, many: impl Into<Text>) -> Meaning {
    Meaning::Count(unit(one, many))
}

/// Something that a side has or does not have, as in `the bishop pair`.
pub fn has(what: impl Into<Text>) -> Meaning {
    Meaning::Has(what.into())
}

/// A distance from a thing.
pub fn distance(unit: Unit, to: Thing) -> Distance {
    Distance { unit, preposition: "from".into(), to, zero: None, last: None, less_than: None }
}

impl Meaning {
    /// The meaning without a value, as the heading of a list: `knights, king moves from the enemy king`.
    pub fn label(&self) -> String {
        match self {
            Meaning::Count(unit) => unit.many.to_string(),
            Meaning::Has(what) => what.to_string(),
            Meaning::Of { thing, quantity } => {
                let quantity = match quantity {
                    Quantity::Amount(unit) => unit.many.to_string(),
                    Quantity::Squared(unit) => format!("{}, squared", unit.many),
                    Quantity::Distance(distance) => distance.label(thing),
                    Quantity::Two(a, _, b) => format!("{} and {}", a.label(thing), b.label(thing)),
                    Quantity::Ahead(to, _) => {
                        "ranks and files from ".to_owned() + &to.target(thing)
                    }
                };
                match thing {
                    Thing::Side => quantity,
                    _ => format!("{}, {quantity}", thing.in_general()),
                }
            }
        }
    }

    /// What one number counts, as in `king moves from the enemy king`. `None` for things, and for two numbers.
    pub fn unit(&self) -> Option<String> {
        match self {
            Meaning::Of { quantity: Quantity::Amount(unit), .. } => Some(unit.many.to_string()),
            Meaning::Of { thing, quantity: Quantity::Distance(to) } => Some(to.label(thing)),
            _ => None,
        }
    }

    /// How a distance from a king is walked, if it is one: also the side of the thing, and that of the king. `side` is
    /// that which the term measures.
    pub(super) fn walk(&self, side: Color) -> Option<(Walk, Color, Color)> {
        let Meaning::Of { thing, quantity: Quantity::Distance(to) } = self else { return None };
        let of = |thing: &Thing| match thing {
            Thing::Own(_) => Some(side),
            Thing::Enemy(_) => Some(!side),
            _ => None,
        };
        let walk = match &*to.unit.one {
            "king move" => Walk::King,
            "rook step" => Walk::RookSteps,
            "rank" => Walk::Ranks,
            "file" => Walk::Files,
            _ => return None,
        };
        let is_king = matches!(&to.to, Thing::Own(it) | Thing::Enemy(it) if it.starts_with("king"));
        Some((walk, of(thing)?, of(&to.to)?)).filter(|_| is_king)
    }

    /// The meaning as a name for players: `how far a knight is from its king`.
    pub fn name(&self) -> String {
        let Meaning::Of { thing, quantity } = self else { return self.label() };
        let one = thing.with_article();
        let from =
            |distance: &Distance| format!("{} {}", distance.preposition, distance.to.target(thing));
        match quantity {
            Quantity::Amount(unit) if *thing == Thing::Side => unit.many.to_string(),
            Quantity::Amount(unit) | Quantity::Squared(unit) => {
                format!("{} of each {}", unit.many, thing.in_general())
            }
            Quantity::Distance(distance) => format!("how far {one} is {}", from(distance)),
            Quantity::Two(a, _, b) => format!("how far {one} is {} and {}", from(a), from(b)),
            Quantity::Ahead(to, _) => {
                format!("where {one} stands as seen from {}", to.target(thing))
            }
        }
    }
}

impl Distance {
    /// Other words than `from`.
    pub fn preposition(self, preposition: impl Into<Text>) -> Distance {
        Distance { preposition: preposition.into(), ..self }
    }

    /// What distance 0 is called, as in `in the centre`.
    pub fn zero(self, phrase: impl Into<Text>) -> Distance {
        Distance { zero: Some(phrase.into()), ..self }
    }

    /// The value counts how much smaller the distance is than `largest`.
    pub fn less_than(self, largest: u32) -> Distance {
        Distance { less_than: Some(largest), ..self }
    }

    /// An index for a thing whose distance is to nothing, as in `no pawn in front of it`.
    pub fn alone(self, index: u32, phrase: impl Into<Text>) -> Distance {
        Distance { last: Some((index, Last::Alone(phrase.into()))), ..self }
    }

    /// An index for positions in which the thing does not exist.
    pub fn missing(self, index: u32, phrase: impl Into<Text>) -> Distance {
        Distance { last: Some((index, Last::Missing(phrase.into()))), ..self }
    }

    fn label(&self, thing: &Thing) -> String {
        format!("{} {} {}", self.unit.many, self.preposition, self.to.target(thing))
    }
}

impl Thing {
    /// The meaning of a weight: a distance of this thing.
    pub fn is(self, distance: Distance) -> Meaning {
        self.of(Quantity::Distance(distance))
    }

    /// How many of something this thing has.
    pub fn with(self, one: impl Into<Text>, many: impl Into<Text>) -> Meaning {
        self.of(Quantity::Amount(unit(one, many)))
    }

    /// The same where the count is the square of that number.
    pub fn with_squared(self, one: impl Into<Text>, many: impl Into<Text>) -> Meaning {
        self.of(Quantity::Squared(unit(one, many)))
    }

    /// Two distances in one index: the first times `size`, plus the second.
    pub fn both(self, first: Distance, size: u32, second: Distance) -> Meaning {
        self.of(Quantity::Two(first, size, second))
    }

    /// The ranks and files of this thing from another, as [`Quantity::Ahead`].
    pub fn ahead(self, of: Thing, offsets: Offsets) -> Meaning {
        self.of(Quantity::Ahead(of, offsets))
    }

    fn of(self, quantity: Quantity) -> Meaning {
        Meaning::Of { thing: self, quantity }
    }

    /// As the object of a phrase about this thing of either side: `its king`, `the enemy king`.
    fn target(&self, subject: &Thing) -> String {
        match (self, subject) {
            (Thing::Own(noun), Thing::Own(_)) => format!("its {noun}"),
            (Thing::Own(noun), _) => format!("the {noun}"),
            (Thing::Enemy(_), _) => format!("the {}", self.in_general()),
            _ => self.in_general(),
        }
    }

    /// `a rook`, `an enemy pawn`, `the centre`.
    fn with_article(&self) -> String {
        let name = self.in_general();
        match self {
            Thing::Place(_) => name,
            _ => format!("{} {name}", article(&name)),
        }
    }

    /// In a phrase about both sides.
    pub fn in_general(&self) -> String {
        match self {
            Thing::Side => "side".to_owned(),
            Thing::Enemy(noun) => format!("enemy {noun}"),
            Thing::Own(name) | Thing::Place(name) | Thing::Square(name) => name.to_string(),
        }
    }
}
