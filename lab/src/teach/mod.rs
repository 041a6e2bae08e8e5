//! `tropism teach`: weights of mating terms learnt from the exact table of its ending.
//!
//! No position's distance to mate is fitted. What is learnt is to choose moves: full-width searches of
//! every position of the ending at once choose, the worst defence answers, and each weight moves so that
//! mate comes sooner.
//!
//! - `features`: what the terms see in each position.
//! - `levels`: the searches.
//! - `course`: the gradient, and the way down.
//! - [`Lesson`]: the whole, from an engine file to an engine file.

mod course;
mod features;
mod levels;

use course::Course;
use features::Features;
use shakmaty::Color;
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use thiserror::Error;
use tropism::endings::build_tables;
use tropism::endings::{Graph, Stats, follow};
use tropism::{
    endgame::{Endgames, Material},
    eval::{Engine, EngineFileError, Registry, Score},
};

/// What is learnt, and how.
#[derive(Clone, Debug)]
pub(crate) struct Lesson {
    /// An ending against a bare king.
    pub(crate) ending: Material,
    /// The terms whose weights are learnt.
    pub(crate) terms: Vec<String>,
    /// Plies of the searches that choose the moves, in turn.
    pub(crate) plies: Vec<u32>,
    /// Steps on the way.
    pub(crate) steps: u32,
    /// The largest change of a weight in a stride, in units; a step of one or two plies has four strides.
    pub(crate) rate: f32,
    /// How likely the perfect player takes over after a move, above 0 and at most 1: at 1 each move is judged
    /// by the exact table alone, and the less it is, the more matters that the search mates by itself.
    pub(crate) takeover: f32,
    /// Only positions within so many moves of mate are learnt from, at least 1.
    pub(crate) within: u8,
    /// Centipawns in a unit: a move better by one unit than another is taken e times as often.
    pub(crate) unit: f32,
}

/// Why nothing is learnt.
#[derive(Debug, Error)]
pub(crate) enum TeachError {
    /// Only one side moves by its terms.
    #[error("{0}: only endings against a bare king are taught, such as KBNK or KRK")]
    NotBare(Material),
    /// Nobody can mate.
    #[error("{0}: no position is won for the side to move")]
    NothingWon(Material),
    /// The scope is too narrow.
    #[error("{0}: no position is won within {1} moves")]
    NothingNear(Material, u8),
    /// The engine file is not right.
    #[error(transparent)]
    Engine(#[from] EngineFileError),
    /// No such term.
    #[error("the engine has no term {0:?}")]
    NoSuchTerm(String),
}

/// How the weights do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TeachReport {
    /// Steps done.
    pub(crate) step: u32,
    /// Plies of the search.
    pub(crate) plies: u32,
    /// Won positions within so many moves of mate as are learnt from.
    pub(crate) positions: usize,
    /// Those from which mate comes within fifty moves against any defence.
    pub(crate) proved: usize,
    /// The most moves that any of those takes.
    pub(crate) worst: u16,
    /// Moves above the minimum, in the mean over those.
    pub(crate) above: f64,
}

/// Weights are examined every so many steps.
const BETWEEN_REPORTS: u32 = 5;

/// AfterMove so many examinations that found nothing better, the lesson goes back to the best.
const PATIENCE: u32 = 6;

impl Lesson {
    /// Learns, and gives the text of the engine file with the best weights met: those which prove most of what is
    /// learnt from, at the depth that proves least, and of equals those which mate soonest. Where nothing better
    /// comes for a while, the lesson goes back to them. `text` is the engine file to begin
    /// with, `origin` its name. `stop` ends the lesson early.
    ///
    /// # Errors
    ///
    /// If there is nothing to learn, or the engine file lacks the term.
    pub(crate) fn run(
        &self,
        text: &str,
        origin: &str,
        registry: &Registry,
        stop: &AtomicBool,
        mut report: impl FnMut(&TeachReport),
    ) -> Result<String, TeachError> {
        let mut engine = Engine::parse(text, origin, registry)?;
        // A file that cannot take what is learnt is refused before the work.
        engine.write_into(text, origin, registry)?;
        let taught = self.taught(&engine)?;
        if self.ending.men().iter().filter(|man| man.color == Color::Black).count() > 1 {
            return Err(TeachError::NotBare(self.ending));
        }
        let mut endgames = Endgames::default();
        build_tables(&mut endgames, self.ending);
        let table = endgames.table(&self.ending).ok_or(TeachError::NothingWon(self.ending))?;
        let graph = Graph::new(table);
        if graph.won.is_empty() {
            return Err(TeachError::NothingWon(self.ending));
        }
        let features = Features::new(table, &engine, &taught, self.unit);
        let weights: Vec<Score> = engine.weights().collect();
        let start = taught
            .iter()
            .map(|&at| weights[at].endgame() as f32 / Score::GRAINS as f32 / self.unit)
            .collect();
        let mut course = Course::new(self, &graph, &features, start);
        if course.places().is_empty() {
            return Err(TeachError::NothingNear(self.ending, self.within));
        }
        let mut best: Option<(Marks, Vec<f32>)> = None;
        let mut in_vain = 0;
        for step in 0..=self.steps {
            let last = step == self.steps || stop.load(Relaxed);
            if step % BETWEEN_REPORTS == 0 || last {
                in_vain += 1;
                for weights in [&course.mean, &course.weights].map(|weights| self.rounded(weights))
                {
                    let marks = self.examine(&course, &graph, &weights, step, &mut report);
                    if best.as_ref().is_none_or(|(before, _)| marks.better_than(before)) {
                        best = Some((marks, weights));
                        in_vain = 0;
                    }
                }
                if in_vain == 0 {
                    course.go_on();
                } else if in_vain == PATIENCE
                    && let Some((_, weights)) = &best
                {
                    in_vain = 0;
                    course.back_to(weights);
                }
            }
            if last {
                break;
            }
            course.step();
        }
        if let Some((_, learnt)) = best {
            let weights = self.written(&engine, &taught, &course.telling, &learnt);
            engine.set_weights(weights);
        }
        Ok(engine.write_into(text, origin, registry)?)
    }

    /// The places of the terms' weights among those of the engine, in its order.
    fn taught(&self, engine: &Engine) -> Result<Vec<usize>, TeachError> {
        let unknown = |term: &&String| engine.parts().all(|(name, _)| name != term.as_str());
        if let Some(term) = self.terms.iter().find(unknown) {
            return Err(TeachError::NoSuchTerm(term.clone()));
        }
        let mut taught = Vec::new();
        let mut start = 0;
        for (name, pairs) in engine.parts() {
            if self.is_taught(name) {
                taught.extend(start..start + pairs);
            }
            start += pairs;
        }
        Ok(taught)
    }

    fn is_taught(&self, term: &str) -> bool {
        self.terms.iter().any(|taught| taught == term)
    }

    /// Weights of whole centipawns, as they are written.
    fn rounded(&self, weights: &[f32]) -> Vec<f32> {
        weights.iter().map(|weight| (weight * self.unit).round() / self.unit).collect()
    }

    /// How good weights are at all depths. Each is reported.
    fn examine(
        &self,
        course: &Course,
        graph: &Graph,
        weights: &[f32],
        step: u32,
        report: &mut impl FnMut(&TeachReport),
    ) -> Marks {
        let mut marks = Marks { proved: usize::MAX, above: 0.0 };
        let places = course.places();
        for (depth, &plies) in self.plies.iter().enumerate() {
            let choices = course.choices(weights, depth);
            let outcomes = follow(graph, |place| choices[place as usize]);
            let Stats { proved, worst, above, .. } = Stats::new(graph, &outcomes, places);
            let above = above as f64 / proved.max(1) as f64;
            report(&TeachReport { step, plies, positions: places.len(), proved, worst, above });
            marks.proved = marks.proved.min(proved);
            marks.above += above;
        }
        marks
    }

    /// All weights of the engine with those that were learnt, the same for every phase. Where there was
    /// nothing to learn they stay as they are.
    fn written(
        &self,
        engine: &Engine,
        taught: &[usize],
        telling: &[bool],
        learnt: &[f32],
    ) -> Vec<Score> {
        let mut weights: Vec<Score> = engine.weights().collect();
        let told = taught.iter().zip(learnt).zip(telling).filter(|(_, telling)| **telling);
        for ((&at, learnt), _) in told {
            let value = f64::from(learnt * self.unit).round();
            weights[at] = Score::from_centipawns(value, value);
        }
        weights
    }
}

/// How good weights are.
struct Marks {
    proved: usize,
    above: f64,
}

impl Marks {
    fn better_than(&self, other: &Marks) -> bool {
        self.proved > other.proved || (self.proved == other.proved && self.above < other.above)
    }
}

impl fmt::Display for TeachReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // A share is rounded down: it may not say 100 % while one position is left.
        let percent = (self.proved as f64 / self.positions as f64 * 1e5).floor() / 1e3;
        write!(
            f,
            "step {:>5}, {} plies: {percent:>7.3} % proved, worst {:>2}, {:.2} above the minimum",
            self.step, self.plies, self.worst, self.above
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levels::Levels;
    use tropism::{
        endings::position_at,
        search::{Game, Limits, Search, TranspositionTable, Value, search},
        terms::registry,
    };

    fn lesson(ending: &str, term: &str) -> Lesson {
        Lesson {
            ending: ending.parse().unwrap(),
            terms: vec![term.to_owned()],
            plies: vec![1],
            steps: 50,
            rate: 0.1,
            takeover: 0.03,
            within: u8::MAX,
            unit: 12.0,
        }
    }

    fn run(lesson: &Lesson, text: &str) -> Result<(String, Vec<TeachReport>), TeachError> {
        let mut reports = Vec::new();
        let stop = AtomicBool::new(false);
        let taught =
            lesson.run(text, "test.toml", &registry(), &stop, |report| reports.push(*report))?;
        Ok((taught, reports))
    }

    #[test]
    fn a_sweep_finds_what_a_search_finds_that_leaves_nothing_out() {
        let engine = tropism::default_engine().unwrap();
        let ending: Material = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(ending, |_| ());
        let table = endgames.table(&ending).unwrap();
        let graph = Graph::new(table);
        let all = 0..engine.pairs();
        let features = Features::new(table, &engine, &[], 1.0);
        assert!(features.telling().is_empty());
        let everywhere: Vec<u32> = (0..graph.entry_count() as u32).collect();
        let memory = TranspositionTable::with_entries(1 << 12).unwrap();
        // In one ply there is nothing to leave out; from four on a search sees repetitions, a sweep does not.
        let searches = [(false, 1, 1), (true, 1, 20), (true, 2, 20), (true, 3, 50)];
        for (full_width, plies, every) in searches {
            let levels = Levels::new(&graph, &features, Vec::new(), plies, &everywhere);
            let choices = levels.choices(&graph.won, |_| 0.0);
            let limits = Limits { depth: Some(plies), full_width, ..Limits::default() };
            for &place in graph.won.iter().step_by(every) {
                memory.clear();
                let game = Game::new(position_at(table, Color::White, place as usize).unwrap());
                let request = Search::new(&game, &engine, &memory, &limits);
                let found = search(&request, |_| ()).value;
                let value = levels.value(choices[place as usize].unwrap());
                match found {
                    Value::Mate(moves) => {
                        assert!(moves as u32 <= plies.div_ceil(2) && levels::is_mate(value));
                    }
                    Value::Centipawns(found) => {
                        assert_eq!(value, found as f32, "place {place}, {plies} plies");
                    }
                }
            }
        }
        assert!(all.len() > 100);
    }

    #[test]
    fn fifty_steps_teach_most_of_the_queens_mate() {
        let zero: String = registry()
            .get("kqk")
            .unwrap()
            .weights
            .iter()
            .map(|spec| match spec.length {
                None => format!("{} = [0, 0]\n", spec.name),
                Some(length) => format!("{} = [{}]\n", spec.name, "[0, 0],".repeat(length)),
            })
            .collect();
        let text = format!("name = 'x'\nterms = ['kqk']\n\n[kqk]\n{zero}");
        let (taught, reports) = run(&lesson("KQK", "kqk"), &text).unwrap();
        let (first, last) = (reports[0], *reports.last().unwrap());
        assert_eq!((first.step, last.step, last.positions), (0, 50, 18_492));
        assert!(first.proved < 1_000, "{first}");
        assert!(last.proved > 9_000, "{last}");
        // What was written is what was examined, and can be had again.
        let again = Lesson { steps: 0, ..lesson("KQK", "kqk") };
        let (same, marks) = run(&again, &taught).unwrap();
        let best = reports.iter().map(|report| report.proved).max();
        assert_eq!(Some(marks[0].proved), best);
        assert_eq!(same, taught);
        assert_eq!(run(&lesson("KQK", "kqk"), &text).unwrap().0, taught);
    }

    #[test]
    fn what_cannot_be_taught_is_refused() {
        let error = |ending: &str, term: &str| {
            run(&lesson(ending, term), tropism::DEFAULT_ENGINE_FILE).unwrap_err().to_string()
        };
        assert_eq!(error("KRK", "krkk"), "the engine has no term \"krkk\"");
        assert_eq!(error("KBK", "krk"), "KBK: no position is won for the side to move");
        assert_eq!(
            error("KQKR", "kqk"),
            "KQKR: only endings against a bare king are taught, such as KBNK or KRK"
        );
        let narrow = Lesson { within: 0, ..lesson("KRK", "krk") };
        let refused = run(&narrow, tropism::DEFAULT_ENGINE_FILE).unwrap_err().to_string();
        assert_eq!(refused, "KRK: no position is won within 0 moves");
    }
}
