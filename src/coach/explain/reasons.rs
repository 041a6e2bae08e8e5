//! What a term saw, weight by weight, and what both sides have alike left out.

use super::words::Reading;
use crate::eval::{Contribution, Row, Score, WeightSpec};
use shakmaty::{Color, Square};

/// One thing seen on one square.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Seen {
    pub(super) square: Square,
    /// The place in an array of weights: the distance.
    pub(super) distance: u32,
    pub(super) count: i32,
    /// Worth to the side that is credited with it.
    pub(super) worth: Score,
}

/// All that both sides have of one weight.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) spec: &'static WeightSpec,
    /// White minus Black.
    pub(super) score: Score,
    /// What the sides have of it, by colour.
    pub(super) seen: [Vec<Seen>; 2],
}

/// The weights of a term that anything was counted of, the one that decides most first.
pub(super) fn reasons(row: &Row, phase: i32) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = row.specs.iter().map(|spec| Reason::new(row, spec)).collect();
    reasons.retain(|reason| reason.seen.iter().any(|seen| !seen.is_empty()));
    reasons.sort_by(|a, b| {
        b.score.centipawns(phase).abs().total_cmp(&a.score.centipawns(phase).abs())
    });
    reasons
}

impl Reason {
    /// What a row has of one of its weights.
    pub(super) fn new(row: &Row, spec: &'static WeightSpec) -> Reason {
        let seen = [&row.white_contributions, &row.black_contributions].map(|contributions| {
            let of_spec = |judgement: &Contribution| {
                let (known, place) = row.weight(judgement.weight)?;
                (known.name == spec.name && judgement.count != 0).then_some(Seen {
                    square: judgement.square,
                    distance: place as u32,
                    count: judgement.count,
                    worth: row.worth(judgement),
                })
            };
            contributions.iter().filter_map(of_spec).collect::<Vec<_>>()
        });
        let [white, black] = [0, 1]
            .map(|side: usize| seen[side].iter().fold(Score::ZERO, |sum, seen| sum + seen.worth));
        Reason { spec, score: white - black, seen }
    }

    /// In one sentence: what there is, of which side, where. What both sides have alike is no reason
    /// and is left out where each has its own distance.
    pub(super) fn sentence(&self) -> String {
        let reading = Reading::new(self.spec);
        let unlike = match self.spec.length {
            Some(_) => Reason { seen: self.unlike(), ..self.clone() },
            None => self.clone(),
        };
        if let [[one], []] | [[], [one]] = unlike.seen.each_ref().map(Vec::as_slice)
            && (self.spec.length.is_some() || one.count == 1)
        {
            let side = side_name(Color::from_white(unlike.seen[1].is_empty()));
            return format!("{side}: {} ({})", reading.told(one.distance), one.square);
        }
        if self.spec.length.is_none() {
            let sides = self.each_side(|seen| self.amount(seen));
            return format!("{}: {sides}", reading.label());
        }
        let list = |seen: &[Seen]| {
            let each = seen
                .iter()
                .map(|seen| format!("{} {}", seen.square, reading.number(seen.distance)));
            each.collect::<Vec<_>>().join(", ")
        };
        format!("{}: {}", reading.label(), unlike.each_side(list))
    }

    /// What each thing seen has to do with the difference between the sides, in centipawns to its
    /// side's credit: what both sides have on average is taken out, and where one side has more of
    /// them, what it has more is shared among its own. The shares still come to White minus Black.
    ///
    /// Without that a board would show what every knight costs, not which knight stands better.
    pub(super) fn shares(&self, phase: i32) -> [Vec<f64>; 2] {
        let worth = |seen: &Seen| seen.worth.centipawns(phase);
        let counts = self.seen.each_ref().map(|seen| seen.len() as f64);
        let sum: f64 = self.seen.iter().flatten().map(worth).sum();
        let mean = sum / (counts[0] + counts[1]).max(1.0);
        [0, 1].map(|side: usize| {
            let more = (counts[side] - counts[1 - side]).max(0.0);
            let share = mean * more / counts[side].max(1.0);
            self.seen[side].iter().map(|seen| worth(seen) - mean + share).collect()
        })
    }

    /// The words of the weight, with an N for the distance.
    pub(super) fn label(&self) -> String {
        Reading::new(self.spec).label()
    }

    /// A distance as it is written on a board.
    pub(super) fn number(&self, seen: &Seen) -> String {
        Reading::new(self.spec).number(seen.distance)
    }

    /// One thing in the words of the weight.
    pub(super) fn told(&self, seen: &Seen) -> String {
        let told = Reading::new(self.spec).told(seen.distance);
        if self.spec.length.is_some() || seen.count == 1 {
            return told;
        }
        format!("{told}: {}", self.units(std::slice::from_ref(seen)))
    }

    fn each_side(&self, say: impl Fn(&[Seen]) -> String) -> String {
        let sides = Color::ALL.into_iter().zip(&self.seen).filter(|(_, seen)| !seen.is_empty());
        let said: Vec<String> =
            sides.map(|(color, seen)| format!("{} {}", side_name(color), say(seen))).collect();
        said.join("; ")
    }

    /// How many units a side has of a single weight, and where if that is not too long a list.
    fn amount(&self, seen: &[Seen]) -> String {
        const LISTED: usize = 4;
        let amount = self.units(seen);
        let squares: Vec<String> = seen.iter().map(|seen| seen.square.to_string()).collect();
        if squares.len() > LISTED || seen.iter().any(|seen| seen.count != 1) {
            amount
        } else {
            format!("{amount} ({})", squares.join(" "))
        }
    }

    /// The sum of the counts, in units of the weight.
    pub(super) fn units(&self, seen: &[Seen]) -> String {
        let units = self.amount_of(seen);
        if units.fract() == 0.0 { format!("{units}") } else { format!("{units:.1}") }
    }

    /// The same as a number.
    pub(super) fn amount_of(&self, seen: &[Seen]) -> f64 {
        f64::from(seen.iter().map(|seen| seen.count).sum::<i32>()) / f64::from(self.spec.per)
    }

    /// What of it the other side does not have as well, first on the mirrored square, then anywhere.
    fn unlike(&self) -> [Vec<Seen>; 2] {
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

/// A side's name at the head of a sentence.
pub(super) fn side_name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn sentences(term: &str, fen: &str) -> Vec<String> {
        let engine = crate::default_engine().unwrap();
        let trace = engine.trace(Game::from_fen(fen, None).unwrap().position().chess());
        let row = trace.rows.iter().find(|row| row.name == term).unwrap();
        reasons(row, trace.phase).iter().map(Reason::sentence).collect()
    }

    #[test]
    fn what_both_sides_have_is_left_out() {
        // The knights on their own squares are the same; c3 and g8 are not.
        let fen = "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 0 1";
        let said = sentences("mobility", fen);
        assert!(
            said.contains(
                &"a knight with N safe squares one move away: White c3 7; Black b8 3".to_owned()
            ),
            "{said:?}"
        );
        let said = sentences("material", fen);
        assert!(said.contains(&"a pawn: White 8; Black 8".to_owned()), "{said:?}");
        assert!(said.contains(&"a queen: White 1 (d1); Black 1 (d8)".to_owned()), "{said:?}");
    }

    #[test]
    fn one_thing_alone_is_a_sentence() {
        let said = sentences("passed_pawns", "4k3/8/1P6/8/8/8/8/4K3 w - - 0 1");
        assert!(
            said.contains(&"White: a passed pawn 5 ranks from its back rank (b6)".to_owned()),
            "{said:?}"
        );
        let said = sentences("king_pawn_tropism", "4k3/8/1P6/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(
            said,
            ["each square of mean distance from the king to all pawns: White 5; Black 3"]
        );
    }
}
