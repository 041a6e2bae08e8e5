//! How long the terms of an engine take.

use super::loaded_term::LoadedTerm;
use super::registry::Measure;
use super::{Engine, EvalContext, MAX_PAIRS, Score};
use shakmaty::Chess;
use std::{hint::black_box, time::Duration};
use web_time::Instant;

/// How often each position is measured in a round, because a term takes hardly longer than to read the clock.
const TIMES: u32 = 4;

/// About the time of the default engine's terms, in contexts.
const CONTEXTS: f64 = 4.0;

/// The time of an evaluation, in nanoseconds for a position.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationCost {
    /// What all terms read: occupancy, attacks, pawn structure.
    pub context: f64,
    /// The terms that are switched on, in the file's order.
    pub terms: Vec<TermCost>,
}

/// The time of a term.
#[derive(Clone, PartialEq, Debug)]
pub struct TermCost {
    /// Its name.
    pub name: String,
    /// Nanoseconds for both sides of a position, without the pawn cache.
    pub nanoseconds: f64,
    /// It reads pawns and kings only, so the search mostly takes it from the cache.
    pub is_cached: bool,
    /// Where its longest expression stands, as `let.forks`, if an engine file writes the term. It is the one that can
    /// take the most steps, not the one that did.
    pub longest: Option<String>,
    /// The steps that a term of an engine file can take for a position at most, and those of its longest expression.
    pub steps: [u64; 2],
}

impl EvaluationCost {
    /// Context and terms together.
    pub fn sum(&self) -> f64 {
        self.context + self.terms.iter().map(|term| term.nanoseconds).sum::<f64>()
    }

    /// A sentence, if the terms that the engine file writes take longer than everything else. Nothing is said of those
    /// that take less than four times what the context takes: an engine of few terms has them for the most part.
    pub fn complaint(&self) -> Option<String> {
        let written = || self.terms.iter().filter(|term| term.longest.is_some() && !term.is_cached);
        let sum: f64 = written().map(|term| term.nanoseconds).sum();
        let rest = self.sum() - sum;
        let dearest = written().max_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds))?;
        (sum > rest && sum > CONTEXTS * self.context).then(|| {
            format!(
                "the terms that this file writes take {sum:.0} ns for a position, and all else {rest:.0} ns; most goes \
                 to [{}], whose longest expression is `{}`; `tropism bench --terms` shows all",
                dearest.name,
                dearest.longest.as_deref().unwrap_or_default()
            )
        })
    }
}

/// A term to be timed.
struct Timed<'e> {
    loaded: &'e LoadedTerm,
    term: Box<dyn Measure>,
    weights: Box<[Score; MAX_PAIRS]>,
    min: Duration,
}

impl Engine {
    /// Measures how long an evaluation takes in these positions: the least time of so many rounds, in which everything
    /// takes its turn, so that a disturbance meets all alike.
    pub fn cost(&self, positions: &[Chess], rounds: u32) -> EvaluationCost {
        let contexts: Vec<EvalContext> = positions.iter().map(EvalContext::new).collect();
        let on = self.loaded_terms().iter().filter(|term| term.is_on());
        let mut terms: Vec<Timed<'_>> = on
            .map(|loaded| {
                let mut weights = Box::new([Score::ZERO; MAX_PAIRS]);
                weights
                    .iter_mut()
                    .zip(loaded.weights())
                    .for_each(|(place, weight)| *place = weight);
                Timed { loaded, term: loaded.make(), weights, min: Duration::MAX }
            })
            .collect();
        let mut min = Duration::MAX;
        for _ in 0..rounds {
            let start = Instant::now();
            for position in positions {
                for _ in 0..TIMES {
                    EvalContext::with(black_box(position), |context| {
                        black_box(context.phase);
                    });
                }
            }
            min = min.min(start.elapsed());
            for Timed { loaded, term, weights, min } in &mut terms {
                let start = Instant::now();
                for context in &contexts {
                    for _ in 0..TIMES {
                        if loaded.entry.scope.includes(context.is_bare_king_ending) {
                            black_box(term.balance(black_box(context), weights));
                        }
                    }
                }
                *min = start.elapsed().min(*min);
            }
        }
        let count = f64::from(TIMES) * positions.len().max(1) as f64;
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9 / count;
        let cost = |Timed { loaded, min, .. }: &Timed<'_>| TermCost {
            name: loaded.entry.name.to_string(),
            nanoseconds: nanoseconds(*min),
            is_cached: loaded.entry.pawns_and_kings,
            longest: loaded.entry.formula().map(|term| term.longest.0.clone()),
            steps: loaded.entry.formula().map_or([0; 2], |term| [term.cost, term.longest.1]),
        };
        EvaluationCost { context: nanoseconds(min), terms: terms.iter().map(cost).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::registry;

    fn engine(section: &str) -> Engine {
        let text = format!("name = 'x'\nbase = 'tropism'\n{section}");
        Engine::parse(&text, "x", &registry()).unwrap()
    }

    #[test]
    fn all_terms_are_measured_and_a_formula_names_its_longest_expression() {
        let dear = "[dear]\ndoc = 'x'\nlet.near = 'squares(x in all_squares: any(own.pieces & king_attacks(x)))'\n\
                    [dear.ways]\ncount = 'sum(x in near: knight_moves(x, enemy.king, own.all))'\nunit = 'u'\nworth = [0, 0]\n";
        let cost = engine(dear).cost(&[Chess::default()], 1);
        assert_eq!(cost.terms.len(), engine("").terms().count() + 1);
        assert!(cost.context > 0.0 && cost.terms.iter().all(|term| term.nanoseconds >= 0.0));
        let longest: Vec<&str> =
            cost.terms.iter().filter_map(|term| term.longest.as_deref()).collect();
        assert_eq!(longest, ["ways.count"]);
    }

    #[test]
    fn formulas_that_take_more_than_all_else_are_a_complaint() {
        let term = |name: &str, nanoseconds: f64, longest: Option<&str>| TermCost {
            name: name.to_owned(),
            nanoseconds,
            is_cached: false,
            longest: longest.map(str::to_owned),
            steps: [0; 2],
        };
        let complaint = |own: f64, rust: f64| {
            let terms = vec![
                term("dear", own, Some("ways.count")),
                term("cheap", 1.0, Some("let.near")),
                term("rust", rust, None),
            ];
            EvaluationCost { context: 100.0, terms }.complaint()
        };
        let said = complaint(1000.0, 300.0).unwrap();
        assert!(
            said.starts_with(
                "the terms that this file writes take 1001 ns for a position, and all else 400 ns"
            ),
            "{said}"
        );
        assert!(said.contains("[dear], whose longest expression is `ways.count`"), "{said}");
        // Less than the rest, and little in itself.
        assert_eq!(complaint(1000.0, 1000.0), None);
        assert_eq!(complaint(350.0, 100.0), None);
    }
}
