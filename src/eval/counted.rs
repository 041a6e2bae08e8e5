//! The contributions of a term, weight by weight; what both sides have alike is left out.

use super::{Contribution, Row, Score, WeightSpec};
use shakmaty::{Color, Square};

/// One contribution: a thing seen on one square.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// Where.
    pub square: Square,
    /// The index in an array of weights, 0 for a single pair.
    pub distance: u32,
    /// How many units.
    pub count: i32,
    /// The index in an array; for a single pair the count, in units of the weight.
    pub(super) value: f64,
    /// Its worth to the side that the term measured.
    pub worth: Score,
}

/// All contributions of one weight.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The weight.
    pub spec: WeightSpec,
    /// White minus Black.
    pub score: Score,
    /// The contributions of White and of Black.
    pub seen: [Vec<Seen>; 2],
}

impl Row {
    /// The weights that counted anything, the largest difference between the sides at a game phase first.
    pub fn counted(&self, phase: i32) -> Vec<Counted> {
        let mut all: Vec<Counted> =
            self.entry.weights.iter().map(|spec| Counted::new(self, spec)).collect();
        all.retain(|counted| counted.seen.iter().any(|seen| !seen.is_empty()));
        let size = |counted: &Counted| counted.score.centipawns(phase).abs();
        all.sort_by(|a, b| size(b).total_cmp(&size(a)));
        all
    }
}

impl Counted {
    /// The contributions of one weight in a row.
    pub fn new(row: &Row, spec: &WeightSpec) -> Counted {
        let seen = [&row.white_contributions, &row.black_contributions].map(|contributions| {
            let of_spec = |contribution: &Contribution| {
                let (known, place) = row.weight(contribution.weight)?;
                let &Contribution { count, square, .. } = contribution;
                let (distance, worth) = (place as u32, row.worth(contribution));
                let value = spec.value(distance, count);
                let seen = Seen { square, distance, count, value, worth };
                (known.name == spec.name && count != 0).then_some(seen)
            };
            contributions.iter().filter_map(of_spec).collect::<Vec<_>>()
        });
        let [white, black] = [0, 1]
            .map(|side: usize| seen[side].iter().fold(Score::ZERO, |sum, seen| sum + seen.worth));
        Counted { spec: spec.clone(), score: white - black, seen }
    }

    /// One sentence: what there is, of which side, where. Of an array weight, what both sides have alike
    /// is left out: it is no reason.
    pub fn sentence(&self) -> String {
        self.spec.summary(self.telling().each_ref().map(Vec::as_slice))
    }

    /// The same for players: what is measured, without a list of more than a few squares.
    pub fn short(&self) -> String {
        const MAX_SQUARES: usize = 3;
        match self.telling().iter().map(Vec::len).sum::<usize>() {
            ..=MAX_SQUARES => self.sentence(),
            _ => self.spec.meaning.name(),
        }
    }

    /// What the two sides have, apart from what is the same of an array weight.
    pub(super) fn telling(&self) -> [Vec<Seen>; 2] {
        if self.spec.length.is_some() { self.unlike() } else { self.seen.clone() }
    }

    /// The weight without a value.
    pub fn label(&self) -> String {
        self.spec.meaning.label()
    }

    /// A value as it is written on a board.
    pub fn number(&self, seen: &Seen) -> String {
        self.spec.figure(seen.value)
    }

    /// One contribution of a side in one sentence.
    pub fn sentence_of(&self, side: Color, seen: &Seen) -> String {
        self.spec.sentence(seen.value, side, seen.square)
    }

    /// The contributions that the other side does not have too, first on the mirrored square, then
    /// anywhere.
    pub(super) fn unlike(&self) -> [Vec<Seen>; 2] {
        let [mut white, mut black] = self.seen.clone();
        for mirrored in [true, false] {
            white.retain(|own| {
                let same = |other: &Seen| {
                    (own.distance, own.count) == (other.distance, other.count)
                        && (!mirrored || own.square == other.square.flip_vertical())
                };
                match black.iter().position(same) {
                    Some(at) => {
                        black.remove(at);
                        false
                    }
                    None => true,
                }
            });
        }
        [white, black]
    }
}
