//! The evaluation of one position, made visible.

use super::{Contribution, Score, Weight, WeightSpec};
use shakmaty::Color;
use std::fmt;

/// An evaluation term by term. Prints as a table in pawns, White's point of context.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The name of the engine.
    pub engine: String,
    /// The side to move.
    pub turn: Color,
    /// The game phase, 24 (middlegame) to 0 (endgame).
    pub phase: i32,
    /// One row a term, in the engine's order.
    pub rows: Vec<Row>,
    /// White minus Black over all rows.
    pub total: Score,
    /// The value in centipawns for the side to move, as the search gets it.
    pub value: i32,
}

/// What one term says.
#[derive(Clone, Debug)]
pub struct Row {
    /// The term's name.
    pub name: &'static str,
    /// The term's sentence.
    pub doc: &'static str,
    /// The term's weights, for names.
    pub specs: &'static [WeightSpec],
    /// What its weights are worth at the percentage in force, one entry a pair.
    pub weights: Vec<Score>,
    /// White's sum.
    pub white: Score,
    /// Black's sum.
    pub black: Score,
    /// What White was credited with.
    pub white_contributions: Vec<Contribution>,
    /// What Black was credited with.
    pub black_contributions: Vec<Contribution>,
}

impl Row {
    /// White minus Black.
    pub fn total(&self) -> Score {
        self.white - self.black
    }

    /// What a judgement is worth to the side that is credited with it.
    pub fn worth(&self, judgement: &Contribution) -> Score {
        let weight = self.weights.get(judgement.weight.index()).copied().unwrap_or_default();
        weight * judgement.count
    }

    /// The declared weight a handle belongs to, and the handle's place in it if it is an array.
    pub fn weight(&self, weight: Weight) -> Option<(&'static WeightSpec, usize)> {
        let mut index = weight.index();
        for spec in self.specs {
            match index.checked_sub(spec.pairs()) {
                None => return Some((spec, index)),
                Some(rest) => index = rest,
            }
        }
        None
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str =
            "------------------+---------------+---------------+---------------+-------";
        writeln!(f, "                  |     White     |     Black     |     Total     |")?;
        writeln!(f, "             term |   mg      eg  |   mg      eg  |   mg      eg  |   now")?;
        writeln!(f, "{RULE}")?;
        for row in &self.rows {
            writeln!(
                f,
                "{:>17} |{} |{} |{} |{:6.2}",
                row.name,
                Pair(row.white),
                Pair(row.black),
                Pair(row.total()),
                pawns(row.total().taper(self.phase)),
            )?;
        }
        writeln!(f, "{RULE}")?;
        let now = self.total.taper(self.phase);
        writeln!(f, "{:>17} |{:15}|{:15}|{} |{:6.2}", "sum", "", "", Pair(self.total), pawns(now))?;
        let white = if self.turn.is_white() { self.value } else { -self.value };
        if white != now {
            writeln!(f, "{:>17} |{:47}|{:6.2}", "prospects", "", pawns(white))?;
        }
        writeln!(f)?;
        write!(
            f,
            "phase {} of {} (mg all pieces, eg none); pawns, White's view; engine {}",
            self.phase,
            Score::MAX_PHASE,
            self.engine
        )
    }
}

/// Both halves of a score in pawns.
struct Pair(Score);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mg, eg] = [Score::MAX_PHASE, 0].map(|phase| pawns(self.0.taper(phase)));
        write!(f, "{mg:6.2}  {eg:6.2}")
    }
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}
