//! The words of a weight with a measured distance in them.

use crate::eval::WeightSpec;

/// How the sentence of a weight is said with a number. The sentence of a weight for each distance
/// names its range, `0 to 7`; the number takes its place.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    head: String,
    tail: String,
    /// The number that stands for more than can be counted, and how it is said.
    beyond: Option<(u32, String)>,
    number: fn(u32) -> String,
}

/// What follows the range where the number is two or three distances in one, what is said instead, and how
/// they are written.
type Twofold = (&'static str, &'static str, fn(u32) -> String);

const TWOFOLD: [Twofold; 9] = [
    (
        ": four times its ranks from home and its files from the edge",
        " ranks from home and files from the edge",
        |place| pair(place, 4),
    ),
    (" in the order of their relations", " squares apart", offsets),
    (" in the order of relations", " squares apart", offsets),
    (
        ", seven times its moves to take one piece and its moves to take the other, 6 if it cannot",
        " moves of the bare king to take one piece and the other",
        |ways| pair(ways, 7),
    ),
    (": four for each move after the first, and the king moves", " king moves apart", |way| {
        format!("in {}, {}", moves(way / 4), way % 4)
    }),
    (": 36 for each move after the first, and their relation", " squares apart", |way| {
        format!("in {}, {}", moves(way / 36), offsets(way % 36))
    }),
    (
        ": 64 for each move after the first, eight for each rook step, and the king moves",
        " rook steps and king moves apart",
        |way| format!("in {}, {}", moves(way / 64), pair(way % 64, 8)),
    ),
    (
        ": 56 for each move after the first, seven for each rook step, and the knight moves",
        " rook steps and knight moves apart",
        |way| format!("in {}, {}", moves(way / 56), pair(way % 56, 7)),
    ),
    (
        ": 56 for each move after the first, seven for each king move, and the knight moves",
        " king moves and knight moves apart",
        |way| format!("in {}, {}", moves(way / 56), pair(way % 56, 7)),
    ),
];

/// Two distances, the first counted `times` as often.
fn pair(both: u32, times: u32) -> String {
    format!("{} and {}", both / times, both % times)
}

/// So many moves after the first.
fn moves(after: u32) -> String {
    if after == 0 { "1 move".to_owned() } else { format!("{} moves", after + 1) }
}

/// Units as the weights name them, and one of them.
const ONE: [(&str, &str); 10] = [
    (" ranks", " rank"),
    (" files", " file"),
    (" moves", " move"),
    (" king moves", " king move"),
    (" knight moves", " knight move"),
    (" rook steps", " rook step"),
    (" own pawns", " own pawn"),
    (" squares", " square"),
    (" safe squares", " safe square"),
    (" points", " point"),
];

/// The two offsets of a relation, the longer first, undone from
/// [`relation_number`](crate::geometry::relation_number).
fn offsets(relation: u32) -> String {
    let longer = (0..8).rev().find(|k| k * (k + 1) / 2 <= relation).unwrap_or_default();
    format!("{longer} by {}", relation - longer * (longer + 1) / 2)
}

impl Reading {
    pub(super) fn new(spec: &WeightSpec) -> Reading {
        let plain = |head: &str, tail: &str| Reading {
            head: head.to_owned(),
            tail: tail.to_owned(),
            beyond: None,
            number: |distance| distance.to_string(),
        };
        let Some(last) = spec.length.map(|length| length.saturating_sub(1) as u32) else {
            return Reading { number: |_| String::new(), ..plain(spec.doc, "") };
        };
        let Some((head, tail)) = spec.doc.split_once(&format!("0 to {last}")) else {
            return plain(&format!("{}: ", spec.doc), "");
        };
        for (rest, said, number) in TWOFOLD {
            if tail == rest {
                // "a knight, place 14: ..." is "a knight 3 and 2 ranks from home and files ...".
                let place = head.strip_suffix(", place ");
                let head = place.map_or(head.to_owned(), |head| format!("{head} "));
                return Reading { number, ..plain(&head, said) };
            }
        }
        for (clause, said) in [
            ("for none", "none".to_owned()),
            ("if shut out", format!("more than {}", last.saturating_sub(1))),
            ("if it cannot", format!("more than {}", last.saturating_sub(1))),
        ] {
            if let Some(tail) = tail.strip_suffix(&format!(", {last} {clause}")) {
                return Reading { beyond: Some((last, said)), ..plain(head, tail) };
            }
        }
        plain(head, tail)
    }

    /// A measured distance as it is written.
    pub(super) fn number(&self, distance: u32) -> String {
        match &self.beyond {
            Some((last, said)) if *last == distance => said.clone(),
            _ => (self.number)(distance),
        }
    }

    /// The sentence with an N where the distance goes.
    pub(super) fn label(&self) -> String {
        if self.number(0).is_empty() { self.head.clone() } else { self.with("N") }
    }

    /// The sentence with a distance.
    pub(super) fn told(&self, distance: u32) -> String {
        match &self.beyond {
            // None of them 7 ranks ahead is one nowhere ahead.
            Some((last, said)) if *last == distance && said == "none" => {
                let tail = self.tail.strip_prefix(" ranks").unwrap_or(&self.tail);
                format!("{}nowhere{tail}", self.head)
            }
            _ => self.with(&self.number(distance)),
        }
    }

    fn with(&self, number: &str) -> String {
        let one = ONE.iter().find_map(|(many, one)| {
            let rest = self.tail.strip_prefix(many).filter(|_| number == "1")?;
            Some(format!("{one}{rest}"))
        });
        format!("{}{number}{}", self.head, one.as_ref().unwrap_or(&self.tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::relation_number;
    use shakmaty::Square;

    #[test]
    fn distances_take_the_place_of_the_range() {
        let spec = WeightSpec::array("way", 8, "a passed pawn 0 to 7 ranks from its back rank");
        assert_eq!(Reading::new(&spec).told(5), "a passed pawn 5 ranks from its back rank");
        assert_eq!(Reading::new(&spec).told(1), "a passed pawn 1 rank from its back rank");
        assert_eq!(Reading::new(&spec).label(), "a passed pawn N ranks from its back rank");
        let spec = WeightSpec::array("own", 8, "the pawn 0 to 7 ranks ahead, 7 for none");
        assert_eq!(Reading::new(&spec).told(2), "the pawn 2 ranks ahead");
        assert_eq!(Reading::new(&spec).told(7), "the pawn nowhere ahead");
        let spec = WeightSpec::array("way", 12, "the king 0 to 11 moves away, 11 if shut out");
        assert_eq!(Reading::new(&spec).told(11), "the king more than 10 moves away");
        let spec = WeightSpec::array("odd", 3, "a foreign weight");
        assert_eq!(Reading::new(&spec).told(2), "a foreign weight: 2");
        let pair = Reading::new(&WeightSpec::pair("a", "a pawn"));
        assert_eq!((pair.told(0).as_str(), pair.label().as_str()), ("a pawn", "a pawn"));
    }

    #[test]
    fn two_distances_in_one_are_told_apart() {
        for square in Square::ALL {
            let (file, rank) = (square.file().to_u32(), square.rank().to_u32());
            let told = format!("{} by {}", file.max(rank), file.min(rank));
            assert_eq!(offsets(relation_number(Square::A1, square)), told, "{square}");
        }
        let registry = crate::terms::registry();
        let told = |name: &str, number: u32| {
            let weights = registry.get("ways_out").unwrap().weights;
            Reading::new(weights.iter().find(|spec| spec.name == name).unwrap()).told(number)
        };
        assert_eq!(told("edge", 7), "a way out and the edge in 2 moves, 3 king moves apart");
        assert_eq!(told("bishop", 7), "a way out and a bishop in 1 move, 3 by 1 squares apart");
        assert_eq!(
            told("right_king", 2 * 64 + 8 * 3 + 5),
            "a way out, right corner and strong king in 3 moves, 3 and 5 rook steps and king moves apart"
        );
        assert_eq!(
            told("king_knight", 56 + 7 * 2 + 6),
            "a way out, strong king and knight in 2 moves, 2 and 6 king moves and knight moves apart"
        );
        for spec in registry.entries().iter().flat_map(|term| term.weights) {
            let reading = Reading::new(spec);
            for distance in 0..spec.pairs() as u32 {
                let told = reading.told(distance);
                for code in ["in the order of", " times ", "place", "likewise", " to 7 "] {
                    assert!(!told.contains(code), "{}: {told}", spec.name);
                }
            }
        }
    }
}
