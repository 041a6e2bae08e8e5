//! Weights in English: what a value says.

use super::meaning::{Distance, FILES, Last, Meaning, Quantity, RANKS, Thing, Unit};
use super::{Seen, WeightSpec, named};
use crate::text::side_name;
use shakmaty::{Bitboard, Color, Square};

/// The most squares that a list names.
const MAX_SQUARES: usize = 4;

impl WeightSpec {
    /// The value of a contribution: its index in an array; for a single pair the count, in units of the weight.
    pub(super) fn value(&self, index: u32, count: i32) -> f64 {
        match (self.length, &self.meaning) {
            (Some(_), _) => index.into(),
            (None, Meaning::Of { quantity: Quantity::Squared(_), .. }) => f64::from(count).sqrt(),
            (None, _) => f64::from(count) / f64::from(self.per),
        }
    }

    /// One value in one sentence, without a period: `black king on g7: 3 moves from the centre`.
    /// `side` is the side that the term measures.
    pub(super) fn sentence(&self, value: f64, side: Color, square: Square) -> String {
        let name = side_name(side);
        match &self.meaning {
            Meaning::Count(unit) => format!("{name}: {} ({square})", unit.number(value)),
            Meaning::Has(what) if value == 1.0 => format!("{name} has {what}"),
            Meaning::Has(what) => format!("{name} has {what}, counted {} times", short(value)),
            Meaning::Of { thing, .. } => match self.missing(value) {
                Some(missing) => format!("{name}: {missing} ({square})"),
                None => format!("{}: {}", thing.on(side, square), self.phrase(value, side)),
            },
        }
    }

    /// Whether each thing has a value of its own, which other things may share. Otherwise the things are counted.
    pub(super) fn has_own_values(&self) -> bool {
        match &self.meaning {
            Meaning::Of { thing, quantity: Quantity::Amount(unit) } => {
                self.length.is_some() || !(*thing == Thing::Side || has_article(&unit.one))
            }
            Meaning::Of { .. } => true,
            _ => self.length.is_some(),
        }
    }

    /// Whether it counts one distance.
    pub(super) const fn is_distance(&self) -> bool {
        matches!(self.meaning, Meaning::Of { quantity: Quantity::Distance(_), .. })
    }

    /// The value that contributions share, or the number of things.
    pub(super) fn value_of(&self, seen: &[Seen]) -> f64 {
        if !self.has_own_values() {
            return sum(seen);
        }
        seen.first().map_or(0.0, |seen| seen.value)
    }

    /// What a side has, as the main clause of a sentence: `White's knight on c3 is 3 knight moves from the black king`.
    /// Contributions that are no number of things have one value.
    pub(super) fn prose(&self, side: Color, seen: &[Seen]) -> String {
        let squares: Bitboard = seen.iter().map(|seen| seen.square).collect();
        let value = self.value_of(seen);
        let name = side_name(side);
        let place = match squares.count() {
            // A king's square says nothing new.
            0 | 1 if matches!(self.meaning, Meaning::Has(_)) => String::new(),
            count if count <= MAX_SQUARES => format!(" on {}", named(squares)),
            _ => String::new(),
        };
        match &self.meaning {
            Meaning::Count(unit) => format!("{name} has {}{place}", unit.number(value)),
            Meaning::Has(what) => format!("{name} has {what}"),
            Meaning::Of { .. } if self.missing(value).is_some() => {
                format!("{name} has {}", self.missing(value).unwrap_or_default())
            }
            Meaning::Of { thing: Thing::Side, quantity: Quantity::Amount(unit) } => {
                format!("{name} has {}", self.number(unit, value))
            }
            Meaning::Of { quantity: Quantity::Amount(unit), .. } if !self.has_own_values() => {
                format!("{name} has {}{place}", unit.number(value))
            }
            Meaning::Of { thing, quantity } => {
                let several = seen.len() > 1;
                let thing = thing.of_side_on(side, squares);
                let verb = match (quantity, several) {
                    (Quantity::Amount(_) | Quantity::Squared(_), true) => "have",
                    (Quantity::Amount(_) | Quantity::Squared(_), false) => "has",
                    (_, true) => "are",
                    (_, false) => "is",
                };
                format!("{thing} {verb} {}", self.phrase(value, side))
            }
        }
    }

    /// The values of White and of Black in one sentence.
    pub(super) fn summary(&self, seen: [&[Seen]; 2]) -> String {
        match (&self.meaning, seen) {
            (_, [[], []]) => format!("{}: the same for both sides", self.meaning.label()),
            (_, [[one], []]) => self.sentence(one.value, Color::White, one.square),
            (_, [[], [one]]) => self.sentence(one.value, Color::Black, one.square),
            (Meaning::Has(what), _) => format!("both sides have {what}"),
            _ => {
                let sides = Color::ALL.into_iter().zip(seen).filter(|(_, seen)| !seen.is_empty());
                let lists =
                    sides.map(|(side, seen)| format!("{} {}", side_name(side), self.list(seen)));
                format!("{}: {}", self.meaning.label(), lists.collect::<Vec<_>>().join("; "))
            }
        }
    }

    /// Values in a list, after the label and the side.
    fn list(&self, seen: &[Seen]) -> String {
        let each = |value: fn(&WeightSpec, f64) -> String| {
            let each = seen.iter().map(|it| format!("{} {}", it.square, value(self, it.value)));
            each.collect::<Vec<_>>().join(", ")
        };
        // Numbers of moves have no sum with a thing that has no path.
        if let Meaning::Of { .. } = self.meaning
            && (self.length.is_some() || seen.iter().any(|seen| self.is_no_path(seen.value)))
        {
            return each(WeightSpec::figure);
        }
        let amount = short(sum(seen));
        let is_plain = seen.iter().all(|seen| seen.value == 1.0);
        if seen.len() > MAX_SQUARES || seen.len() == 1 && !is_plain {
            return amount;
        }
        let squares = match is_plain {
            true => seen.iter().map(|seen| seen.square.to_string()).collect::<Vec<_>>().join(" "),
            false => each(|_, value| short(value)),
        };
        format!("{amount} ({squares})")
    }

    /// A value as a figure on a board or in a list: `3`, `2 by 1`, `none`.
    pub(super) fn figure(&self, value: f64) -> String {
        let Meaning::Of { quantity, .. } = &self.meaning else { return short(value) };
        let index = value as u32;
        match quantity {
            _ if self.is_no_path(value) => "none".to_owned(),
            _ if self.is_cap(value) => format!("{} or more", short(value)),
            Quantity::Amount(_) | Quantity::Squared(_) => short(value),
            Quantity::Distance(distance) => distance.figure(value),
            Quantity::Two(first, size, second) => {
                let [a, b] = [index / size, index % size].map(f64::from);
                format!("{} and {}", first.figure(a), second.figure(b))
            }
            Quantity::Ahead(_, offsets) => {
                let (ahead, files) = offsets.offset(index);
                format!("{ahead} by {files}")
            }
        }
    }

    /// A value with its unit: `3 king moves from the black king`.
    pub(super) fn amount(&self, value: f64, side: Color) -> String {
        match &self.meaning {
            Meaning::Count(unit) => unit.number(value),
            Meaning::Has(what) => what.to_string(),
            Meaning::Of { .. } if self.is_no_path(value) => "without a path".to_owned(),
            Meaning::Of { .. } => self.phrase(value, side),
        }
    }

    /// What a value says of the thing.
    fn phrase(&self, value: f64, side: Color) -> String {
        let Meaning::Of { quantity, .. } = &self.meaning else { return short(value) };
        let index = value as u32;
        match quantity {
            Quantity::Amount(unit) | Quantity::Squared(unit) if value == 0.0 => {
                format!("no {}", unit.many)
            }
            Quantity::Amount(unit) => self.number(unit, value),
            Quantity::Squared(unit) => format!("{}, squared", unit.number(value)),
            Quantity::Distance(distance) if self.is_no_path(value) => {
                format!("without a path to {}", distance.to.the(side))
            }
            Quantity::Distance(distance) => {
                distance.phrase(value, side, |unit, number| self.number(unit, number))
            }
            Quantity::Two(first, size, second) => {
                let [a, b] = [index / size, index % size].map(f64::from);
                let [a, b] = [(first, a), (second, b)]
                    .map(|(distance, value)| distance.phrase(value, side, Unit::number));
                format!("{a} and {b}")
            }
            Quantity::Ahead(to, offsets) => ahead(offsets.offset(index), to, &to.the(side)),
        }
    }

    /// A number with its unit: `4 or more moves`, where larger ones count as four.
    fn number(&self, unit: &Unit, number: f64) -> String {
        let no_path = if self.no_path.is_some() { " or no path" } else { "" };
        match self.is_cap(number) {
            _ if self.is_no_path(number) => "no path".to_owned(),
            true => format!("{} or more {}{no_path}", short(number), unit.many),
            false => unit.number(number),
        }
    }

    fn is_cap(&self, value: f64) -> bool {
        self.cap.is_some_and(|cap| f64::from(cap) == value)
    }

    fn is_no_path(&self, value: f64) -> bool {
        self.no_path.is_some_and(|no_path| f64::from(no_path) == value)
    }

    /// What is said if the thing does not exist.
    fn missing(&self, value: f64) -> Option<&str> {
        match &self.meaning {
            Meaning::Of { quantity: Quantity::Distance(distance), .. } => match &distance.last {
                Some((last, Last::Missing(phrase))) if f64::from(*last) == value => Some(phrase),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Distance {
    /// What the last index means if the value is that index.
    fn state(&self, value: f64) -> Option<&str> {
        match &self.last {
            Some((last, Last::Alone(phrase) | Last::Missing(phrase)))
                if f64::from(*last) == value =>
            {
                Some(phrase)
            }
            _ => None,
        }
    }

    /// The distance that a value stands for.
    fn length(&self, value: f64) -> f64 {
        self.less_than.map_or(value, |largest| f64::from(largest) - value)
    }

    /// `number` writes a number with its unit.
    fn phrase(&self, value: f64, side: Color, number: impl Fn(&Unit, f64) -> String) -> String {
        let (length, to) = (self.length(value), self.to.the(side));
        match (self.state(value), &self.zero) {
            (Some(last), _) => last.to_owned(),
            (None, Some(zero)) if length == 0.0 => zero.to_string(),
            _ => format!("{} {} {to}", number(&self.unit, length), self.preposition),
        }
    }

    fn figure(&self, value: f64) -> String {
        if self.state(value).is_some() { "none".to_owned() } else { short(self.length(value)) }
    }
}

impl Thing {
    /// As the object of a sentence: `the black king`.
    fn the(&self, side: Color) -> String {
        match self {
            Thing::Side => side_name(side).to_owned(),
            Thing::Own(noun) => format!("the {side} {noun}"),
            Thing::Enemy(noun) => format!("the {} {noun}", !side),
            Thing::Place(name) => name.to_string(),
            Thing::Square(kind) => format!("the {kind}"),
        }
    }

    /// At the head of a sentence: `black king on g7`.
    fn on(&self, side: Color, square: Square) -> String {
        match self {
            Thing::Side => side_name(side).to_owned(),
            Thing::Own(noun) => format!("{side} {noun} on {square}"),
            Thing::Enemy(noun) => format!("{} {noun} on {square}", !side),
            Thing::Place(name) => format!("{name} ({square})"),
            Thing::Square(kind) => format!("{kind} {square}"),
        }
    }

    /// As the subject of a sentence: `White's knights on c3 and f3`.
    fn of_side_on(&self, side: Color, squares: Bitboard) -> String {
        let (noun, of) = match self {
            Thing::Side => return side_name(side).to_owned(),
            Thing::Own(noun) => (noun, side_name(side)),
            Thing::Enemy(noun) => (noun, side_name(!side)),
            Thing::Place(name) => return name.to_string(),
            Thing::Square(kind) => return format!("the {kind} {}", named(squares)),
        };
        match squares.count() {
            0 | 1 => format!("{of}'s {noun} on {}", named(squares)),
            count if count <= MAX_SQUARES => format!("{of}'s {noun}s on {}", named(squares)),
            count => format!("{count} {noun}s of {of}"),
        }
    }
}

impl Unit {
    /// `1 move`, `2 moves`; `a rook on an open file` is one.
    fn number(&self, number: f64) -> String {
        match tenths(number) == 1.0 {
            true if has_article(&self.one) => self.one.to_string(),
            true => format!("1 {}", self.one),
            false => format!("{} {}", short(number), self.many),
        }
    }
}

/// `2 ranks ahead of the white king, 1 file aside`. What belongs to the enemy comes from the other end of the board, so
/// a thing is short of it or past it.
fn ahead((ahead, files): (i32, u32), to: &Thing, name: &str) -> String {
    let is_enemy = matches!(to, Thing::Enemy(_));
    let [before, behind] = if is_enemy { ["past", "short of"] } else { ["ahead of", "behind"] };
    let ranks = RANKS.number(ahead.abs().into());
    let rank = match ahead {
        0 => format!("on the rank of {name}"),
        1.. => format!("{ranks} {before} {name}"),
        _ => format!("{ranks} {behind} {name}"),
    };
    match files {
        0 => format!("{rank}, on its file"),
        _ => format!("{rank}, {} aside", FILES.number(files.into())),
    }
}

/// Whether a unit names one thing with its article, so that no number stands before it.
fn has_article(unit: &str) -> bool {
    ["a ", "an ", "the "].iter().any(|article| unit.starts_with(article))
}

/// The sum of the values.
fn sum(seen: &[Seen]) -> f64 {
    // Not `sum()`, which is -0 for an empty list.
    seen.iter().fold(0.0, |sum, seen| sum + seen.value)
}

/// A number with at most one decimal.
fn short(number: f64) -> String {
    format!("{}", tenths(number))
}

/// The number rounded to one decimal.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Score;
    use crate::eval::meaning::{
        MOVES, Offsets, ROOK_STEPS, count, distance, enemy, has, own, place,
    };
    use crate::terms::registry;

    const WHITE: Color = Color::White;

    fn pair(meaning: Meaning) -> WeightSpec {
        WeightSpec::pair("x", meaning)
    }

    fn array(meaning: Meaning) -> WeightSpec {
        WeightSpec::array("x", 64, meaning)
    }

    fn seen(value: f64, square: Square) -> Seen {
        Seen { value, square, distance: 0, count: 1, worth: Score::ZERO }
    }

    #[test]
    fn contributions_are_sentences() {
        use Square::*;
        let safe_moves = array(own("knight").with("safe move", "safe moves"));
        let danger = enemy("king").with_squared("point", "points");
        let squared = pair(danger).per(100);
        let ahead = distance(RANKS, place("the next pawn")).alone(7, "no pawn ahead");
        let centre = distance(MOVES, place("the centre")).zero("in the centre");
        let centre = WeightSpec { cap: Some(10), ..array(enemy("king").is(centre)) };
        // A count of how much nearer the kings are than 14 rook steps.
        let kings = pair(own("king").is(distance(ROOK_STEPS, enemy("king")).less_than(14)));
        let file = own("king on its file");
        let file = distance(RANKS, file).preposition("ahead of").missing(7, "no pawn on the file");
        let file = array(own("pawn").is(file));
        let home = distance(RANKS, place("its back rank")).zero("on its back rank");
        let home = array(own("knight").both(home, 4, distance(FILES, place("the edge"))));
        for (spec, value, square, text) in [
            (&pair(count("a pawn", "pawns")), 1.0, E4, "White: a pawn (e4)"),
            (&pair(has("the bishop pair")), 1.0, E8, "White has the bishop pair"),
            (&safe_moves, 7.0, C3, "white knight on c3: 7 safe moves"),
            (&safe_moves, 0.0, C3, "white knight on c3: no safe moves"),
            // The number whose square counts.
            (&squared, squared.value(0, 169), G8, "black king on g8: 13 points, squared"),
            (&squared, squared.value(0, 1), G8, "black king on g8: 1 point, squared"),
            (&array(own("pawn").is(ahead)), 7.0, F4, "white pawn on f4: no pawn ahead"),
            (&centre, 0.0, G7, "black king on g7: in the centre"),
            (&centre, 1.0, G7, "black king on g7: 1 move from the centre"),
            (&centre, 10.0, G7, "black king on g7: 10 or more moves from the centre"),
            (&kings, 4.0, C3, "white king on c3: 10 rook steps from the black king"),
            (&file, 2.0, F3, "white pawn on f3: 2 ranks ahead of the white king on its file"),
            (&file, 7.0, F1, "White: no pawn on the file (f1)"),
            (
                &home,
                14.0,
                F4,
                "white knight on f4: 3 ranks from its back rank and 2 files from the edge",
            ),
        ] {
            assert_eq!(spec.sentence(value, WHITE, square), text);
        }
        let of_black = pair(has("the bishop pair")).sentence(1.0, Color::Black, E8);
        assert_eq!(of_black, "Black has the bishop pair");
        assert_eq!(safe_moves.meaning.label(), "knight, safe moves");
    }

    #[test]
    fn contributions_of_both_sides_are_summed_up() {
        let spec = pair(count("an isolated pawn", "isolated pawns"));
        let [one, two] = [Square::A2, Square::C2].map(|square| seen(1.0, square));
        let both = spec.summary([&[one.clone(), two], &[one]]);
        assert_eq!(both, "isolated pawns: White 2 (a2 c2); Black 1 (a2)");
        let ahead = distance(RANKS, place("the next pawn")).alone(7, "no pawn ahead");
        let [one, two] = [2.0, 7.0].map(|value| seen(value, Square::F4));
        let text = "pawn, ranks from the next pawn: White f4 2; Black f4 none";
        assert_eq!(array(own("pawn").is(ahead)).summary([&[one], &[two]]), text);
    }

    #[test]
    fn ranks_and_files_with_their_direction() {
        const OFFSETS: Offsets = Offsets { min_ahead: -7, ranks: 15, files: 8 };
        let of_own = array(own("pawn").ahead(own("king"), OFFSETS));
        let of_enemy = array(own("pawn").ahead(enemy("king"), OFFSETS));
        for (ahead, files, own, enemy, aside) in [
            (2, 1, "2 ranks ahead of", "2 ranks past", "1 file aside"),
            (-1, 0, "1 rank behind", "1 rank short of", "on its file"),
            (0, 3, "on the rank of", "on the rank of", "3 files aside"),
        ] {
            // A second array follows the first.
            let value = f64::from(OFFSETS.count() + OFFSETS.index(ahead, files));
            for (spec, place, king) in [(&of_own, own, "white"), (&of_enemy, enemy, "black")] {
                let text = format!("white pawn on f3: {place} the {king} king, {aside}");
                assert_eq!(spec.sentence(value, WHITE, Square::F3), text);
            }
            assert_eq!(of_own.figure(value), format!("{ahead} by {files}"));
        }
        assert_eq!(of_own.meaning.label(), "pawn, ranks and files from its king");
    }

    #[test]
    fn every_value_of_every_weight_is_a_sentence_for_people() {
        let registry = registry();
        let specs = registry.entries().iter().flat_map(|entry| &entry.weights);
        let sentences = specs.flat_map(|spec| {
            let values = (0..spec.length.unwrap_or(4)).map(|value| value as f64);
            let of_value = |value| spec.sentence(value, Color::Black, Square::H8);
            let texts = values.map(of_value).chain([spec.meaning.label()]);
            texts.map(|text| (&spec.name, text)).collect::<Vec<_>>()
        });
        let mut seen = 0;
        for (name, text) in sentences {
            seen += 1;
            assert!(!text.is_empty() && !text.ends_with('.'), "{name}: {text}");
            assert!(text.chars().count() < 120, "{name}: {text}");
            for code in [" N ", "order of relations", "index", "_", "  ", " to "] {
                assert!(!text.contains(code), "{name}: {text}");
            }
        }
        assert!(seen > 2000, "{seen}");
    }
}
