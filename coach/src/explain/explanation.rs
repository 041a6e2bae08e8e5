//! The explanation of one position.

use crate::assess::exact_mate;
use crate::exercise::fen;
use crate::{Assessment, Searcher, Thinking};
use shakmaty::{Color, Position};
use tropism::endgame::Dtm;
use tropism::eval::{Counted, Engine, Row, Score, ShownRow, Trace, round_to_sum};
use tropism::search::{Game, GameOutcome, exact_value};
use tropism::text::{capitalized, side_name};

/// Why the engine evaluates a position as it does. Prints as a table; values are in pawns and
/// positive if good for White.
///
/// ```
/// use tropism::search::Game;
/// use tropism_coach::Explanation;
/// let engine = tropism::default_engine()?;
/// let game = Game::from_fen("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1", None)?;
/// let explained = Explanation::new(&engine, &game);
/// assert!(explained.to_string().contains("white passed pawn on b6: 5 ranks from its back rank"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(super) fen: String,
    /// How the game has ended, if it has. Then the evaluation has no meaning and is not shown.
    pub(super) outcome: Option<GameOutcome>,
    /// The exact value for the side to move, if tables have the position.
    pub(crate) exact: Option<Dtm>,
    pub(crate) trace: Trace,
    /// The term with the largest value first. A finished game has none.
    pub(super) terms: Vec<TermExplanation>,
    /// What the search says, if there was one.
    pub assessment: Option<Assessment>,
}

/// The value of one term and its reasons.
#[derive(Clone, Debug)]
pub struct TermExplanation {
    pub row: Row,
    /// The row as it is shown.
    pub shown: ShownRow,
    /// Each with what is shown for it, in centipawns. They add up to the row's total.
    pub reasons: Vec<(Counted, i32)>,
}

impl TermExplanation {
    fn new(row: &Row, shown: ShownRow, phase: i32) -> TermExplanation {
        let reasons = row.counted(phase);
        let exact: Vec<f64> = reasons.iter().map(|reason| reason.score.centipawns(phase)).collect();
        let values = round_to_sum(&exact, shown.total[2]);
        let reasons = reasons.into_iter().zip(values).collect();
        TermExplanation { row: row.clone(), shown, reasons }
    }

    /// The total at the current game phase as it is shown, in centipawns.
    pub fn value(&self) -> i32 {
        self.shown.total[2]
    }

    /// The reasons that are shown, with their values in centipawns.
    pub fn shown_reasons(&self) -> impl Iterator<Item = &(Counted, i32)> {
        self.reasons.iter().filter(|(_, value)| *value != 0)
    }
}

/// A smaller value is called about equal, in centipawns.
const ABOUT_EQUAL: i32 = 20;

impl Explanation {
    /// Explains the current position of a game.
    pub fn new(engine: &Engine, game: &Game) -> Explanation {
        Explanation { exact: exact_value(game), ..Explanation::without_tables(engine, game) }
    }

    /// The same without the exact tables, whose making takes a moment.
    pub fn without_tables(engine: &Engine, game: &Game) -> Explanation {
        let trace = engine.trace(game.position().chess());
        let outcome = game.outcome();
        let rows = trace.rows.iter().zip(trace.shown().0).filter(|_| outcome.is_none());
        let new = |(row, shown)| TermExplanation::new(row, shown, trace.context.phase);
        let mut terms: Vec<TermExplanation> = rows.map(new).collect();
        let size = |term: &TermExplanation| term.row.total().centipawns(trace.context.phase).abs();
        terms.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let fen = fen(&trace.position);
        Explanation { fen, outcome, exact: None, trace, terms, assessment: None }
    }

    /// Adds what searches of the game say of the position.
    pub fn with_assessment(
        self,
        searcher: &Searcher,
        game: &Game,
        thinking: &Thinking,
    ) -> Explanation {
        let assessment = Assessment::new(&self, searcher, game, thinking);
        Explanation { assessment: Some(assessment), ..self }
    }

    /// The assessment as text, if there is one, with the position and the engine.
    pub fn assessed(&self) -> Option<String> {
        let assessment = self.assessment.as_ref()?;
        Some(format!("{}\n{assessment}\nengine {}", self.fen, self.trace.engine))
    }

    /// The reasons that are good for a side, the strongest first: the name of the term, the value in
    /// centipawns (positive if good for White), and a sentence. None of a finished game.
    pub fn sentences(&self, side: Color) -> Vec<(&str, i32, String)> {
        let all = self.terms.iter().flat_map(|term| {
            let reasons = term.shown_reasons();
            reasons.map(|(reason, value)| (term.row.name(), *value, reason.short()))
        });
        let mut reasons: Vec<_> = all.filter(|it| side.fold_wb(it.1, -it.1) > 0).collect();
        reasons.sort_by_key(|&(_, value, _)| std::cmp::Reverse(value.abs()));
        reasons
    }

    /// The value in centipawns, positive if good for White. A finished game has none.
    pub fn value(&self) -> Option<i32> {
        self.outcome.is_none().then(|| self.trace.white_value())
    }

    /// The terms with their values as they are shown, in centipawns, positive if good for White: the largest first.
    /// None of a finished game.
    pub fn shown_terms(&self) -> impl Iterator<Item = (&str, i32)> {
        self.terms.iter().map(|term| (term.row.name(), term.value()))
    }

    /// A score in centipawns at the current game phase.
    pub(super) fn now(&self, score: Score) -> f64 {
        score.centipawns(self.trace.context.phase)
    }

    /// The terms that contribute something, and the names of those that do not.
    pub(super) fn contributing_terms(&self) -> (Vec<&TermExplanation>, Vec<&str>) {
        let contributes = |term: &&TermExplanation| {
            let ShownRow { white, black, total } = term.shown;
            // Reasons that cancel out are shown as well.
            [white, black, total].iter().any(|columns| columns[2] != 0)
                || term.shown_reasons().next().is_some()
        };
        let (contributing, others): (Vec<_>, Vec<_>) = self.terms.iter().partition(contributes);
        (contributing, others.into_iter().map(|term| term.row.name()).collect())
    }

    /// The verdict of the assessment, or the headline without one.
    pub(super) fn verdict(&self) -> String {
        match &self.assessment {
            Some(found) => found.verdict.trim_end_matches('.').to_owned(),
            None => self.headline(),
        }
    }

    /// The evaluation in words, or how the game has ended. The value of a search comes first, if there
    /// is one.
    pub fn headline(&self) -> String {
        if let Some(outcome) = self.outcome {
            return format!("The game is over: {outcome}");
        }
        let evaluation = self.static_evaluation();
        if let Some(exact) = self.exact {
            let mate = exact_mate(exact, self.trace.position.turn());
            let result = mate.map_or("draw".to_owned(), |(_, clause)| clause);
            return format!("Exact: {result}; static evaluation: {evaluation}");
        }
        match self.assessment.as_ref().and_then(|found| Some((found.depth, found.best.as_ref()?))) {
            Some((depth, best)) => {
                let value = best.value.figure();
                format!("{value} at depth {depth}; static evaluation: {evaluation}")
            }
            None => capitalized(&evaluation),
        }
    }

    fn static_evaluation(&self) -> String {
        let value = self.trace.white_value();
        if value == 0 {
            return "the position is equal".to_owned();
        }
        let side = side_name(Color::from_white(value > 0));
        let about = if value.abs() < ABOUT_EQUAL { "about equal, " } else { "" };
        format!("{about}{side} is ahead by {:.2} pawns", f64::from(value.abs()) / 100.0)
    }

    /// How the game phase mixes the two values of a score, in words.
    pub(super) fn tapering(&self) -> String {
        let (phase, most) = (self.trace.context.phase, Score::MAX_PHASE);
        let share = f64::from(phase) / f64::from(most) * 100.0;
        let rest = 100.0 - share;
        format!(
            "game phase {phase} of {most}: a value is {share:.0} % middlegame and {rest:.0} % endgame"
        )
    }

    /// How much of its advantage the side ahead keeps, and why, if it does not keep all of it.
    pub fn scaling(&self) -> Option<String> {
        self.trace.scaling()
    }
}
