//! Who is asked, and with which weights: chosen once when weights change, not at each evaluation.

use super::engine::Plugin;
use super::memory::{Stamp, remembered};
use super::registry::Measure;
use super::{MOST_PAIRS, Score, View};

/// The terms of an engine that are on, sorted by when they are asked.
pub(super) struct Roster {
    /// Asked where a bare king is to be mated.
    mating: Vec<Voice>,
    /// Asked elsewhere, and their sum is remembered.
    pawns_and_kings: Vec<Voice>,
    /// Asked elsewhere, each time.
    others: Vec<Voice>,
    /// The weights of all terms one after the other, near each other in memory, and zeros behind them so
    /// that the weights of the last one fill an array too.
    weights: Vec<Score>,
    stamp: Stamp,
}

/// A term that is asked.
#[derive(Clone)]
struct Voice {
    term: Box<dyn Measure>,
    /// Where its weights begin.
    first: usize,
}

impl Roster {
    pub(super) fn new(plugins: &[Plugin]) -> Roster {
        let mut roster = Roster {
            mating: Vec::new(),
            pawns_and_kings: Vec::new(),
            others: Vec::new(),
            weights: Vec::new(),
            stamp: Stamp::new(),
        };
        for plugin in plugins.iter().filter(|plugin| plugin.is_on()) {
            let voice = Voice { term: plugin.term.clone(), first: roster.weights.len() };
            roster.weights.extend_from_slice(plugin.weights());
            if plugin.term.has_a_say(true) {
                roster.mating.push(voice.clone());
            }
            if plugin.term.has_a_say(false) {
                let pawns_and_kings = plugin.pawns_and_kings;
                let list =
                    if pawns_and_kings { &mut roster.pawns_and_kings } else { &mut roster.others };
                list.push(voice);
            }
        }
        roster.weights.resize(roster.weights.len() + MOST_PAIRS, Score::ZERO);
        roster
    }

    /// White's sum minus Black's over all terms, pawns and kings from memory.
    pub(super) fn balance(&self, view: &View) -> Score {
        if view.mating {
            self.sum(&self.mating, view)
        } else {
            let pawns = remembered(self.stamp, view, || self.sum(&self.pawns_and_kings, view));
            pawns + self.sum(&self.others, view)
        }
    }

    /// The same with nothing remembered.
    pub(super) fn balance_anew(&self, view: &View) -> Score {
        if view.mating {
            self.sum(&self.mating, view)
        } else {
            self.sum(&self.pawns_and_kings, view) + self.sum(&self.others, view)
        }
    }

    #[inline]
    fn sum(&self, voices: &[Voice], view: &View) -> Score {
        voices.iter().fold(Score::ZERO, |sum, voice| {
            // There are always as many: zeros stand behind the last ones.
            let weights = self.weights[voice.first..].first_chunk();
            sum + weights.map_or(Score::ZERO, |weights| voice.term.balance(view, weights))
        })
    }
}
