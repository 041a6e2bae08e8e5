//! The explanation of one position.

use super::format::{NEGLIGIBLE, signed};
use super::line::BestLine;
use super::reasons::{Reason, reasons, side_name};
use crate::eval::{Engine, EvalContext, Row, ScaleReason, Score, Trace};
use crate::search::{Game, GameOutcome};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

/// Why the engine evaluates a position as it does. Prints as a table; values are in pawns and
/// positive if good for White.
///
/// ```
/// use tropism::{search::Game, coach::Explanation};
/// let engine = tropism::default_engine()?;
/// let game = Game::from_fen("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1", None)?;
/// let explained = Explanation::new(&engine, &game);
/// assert!(explained.to_string().contains("white passed pawn on b6: 5 ranks from its back rank"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(super) position: Chess,
    pub(super) fen: String,
    /// How the game has ended, if it has. Then the evaluation has no meaning and is not shown.
    pub(super) outcome: Option<GameOutcome>,
    pub(super) trace: Trace,
    pub(super) context: EvalContext,
    /// Why the evaluation is scaled, if it is.
    pub(super) scale: ScaleReason,
    /// The term with the largest value first.
    pub(super) terms: Vec<TermExplanation>,
    pub(super) line: Option<BestLine>,
}

/// The value of one term and its reasons.
#[derive(Clone, Debug)]
pub(super) struct TermExplanation {
    pub(super) row: Row,
    pub(super) reasons: Vec<Reason>,
}

/// A smaller value is called about equal, in centipawns.
const ABOUT_EQUAL: i32 = 20;

/// The note under an explanation without a search.
pub(super) const NO_SEARCH: &str =
    "This is the static evaluation, without a search. --depth 12 adds the best line of a search.";

impl Explanation {
    /// Explains the current position of a game.
    pub fn new(engine: &Engine, game: &Game) -> Explanation {
        let position = game.position().chess().clone();
        let trace = engine.trace(&position);
        let context = EvalContext::new(&position);
        let explain =
            |row: &Row| TermExplanation { row: row.clone(), reasons: reasons(row, trace.phase) };
        let mut terms: Vec<TermExplanation> = trace.rows.iter().map(explain).collect();
        let size = |term: &TermExplanation| term.row.total().centipawns(trace.phase).abs();
        terms.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let ahead = Color::from_white(trace.total.taper(trace.phase) > 0);
        let scale = ScaleReason::new(&context, ahead);
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let outcome = game.outcome();
        Explanation { position, fen, outcome, trace, context, scale, terms, line: None }
    }

    /// Adds the best line of a search.
    pub fn with_line(self, line: BestLine) -> Explanation {
        Explanation { line: Some(line), ..self }
    }

    /// The value in centipawns, positive if good for White.
    pub(super) fn white_value(&self) -> i32 {
        self.position.turn().fold_wb(self.trace.value, -self.trace.value)
    }

    /// A score in centipawns at the current game phase.
    pub(super) fn now(&self, score: Score) -> f64 {
        score.centipawns(self.trace.phase)
    }

    /// The terms that contribute something, and the names of those that do not. None contributes to a
    /// finished game.
    pub(super) fn contributing_terms(&self) -> (Vec<&TermExplanation>, Vec<&'static str>) {
        if self.outcome.is_some() {
            return Default::default();
        }
        let contributes = |term: &&TermExplanation| {
            let sums = [term.row.white, term.row.black, term.row.total()];
            // Reasons that cancel out are shown as well.
            let reasons = term.reasons.iter().map(|reason| reason.score);
            sums.into_iter().chain(reasons).any(|score| self.now(score).abs() >= NEGLIGIBLE)
        };
        let (contributing, others): (Vec<&TermExplanation>, Vec<&TermExplanation>) =
            self.terms.iter().partition(contributes);
        (contributing, others.iter().map(|term| term.row.name).collect())
    }

    /// The reasons of all terms that are good for a side, the strongest first.
    pub(super) fn reasons_for(&self, side: Color) -> Vec<(&'static str, &Reason)> {
        let all = self
            .terms
            .iter()
            .flat_map(|term| term.reasons.iter().map(|reason| (term.row.name, reason)));
        let value = |reason: &Reason| self.now(side.fold_wb(reason.score, -reason.score));
        let mut reasons: Vec<_> = all.filter(|(_, reason)| value(reason) >= NEGLIGIBLE).collect();
        reasons.sort_by(|a, b| value(b.1).total_cmp(&value(a.1)));
        reasons
    }

    /// The evaluation in words, or how the game has ended. The value of a search comes first, if there
    /// is one.
    pub(super) fn headline(&self) -> String {
        if let Some(outcome) = self.outcome {
            return format!("The game is over: {outcome}");
        }
        let evaluation = self.static_evaluation();
        match &self.line {
            Some(line) if !line.moves.is_empty() => {
                format!("{} at depth {}; static evaluation: {evaluation}", line.score(), line.depth)
            }
            _ => {
                let mut letters = evaluation.chars();
                letters.next().map_or(String::new(), |first| {
                    format!("{}{}", first.to_uppercase(), letters.as_str())
                })
            }
        }
    }

    fn static_evaluation(&self) -> String {
        let value = self.white_value();
        match value {
            0 => "the position is equal".to_owned(),
            value => {
                let side = side_name(Color::from_white(value > 0));
                let about = if value.abs() < ABOUT_EQUAL { "about equal, " } else { "" };
                format!("{about}{side} is ahead by {:.2} pawns", f64::from(value.abs()) / 100.0)
            }
        }
    }

    /// How the game phase mixes the two values of a score, in words.
    pub(super) fn tapering(&self) -> String {
        let share = f64::from(self.trace.phase) / f64::from(Score::MAX_PHASE) * 100.0;
        format!(
            "game phase {} of {}: a value is {share:.0} % middlegame and {:.0} % endgame",
            self.trace.phase,
            Score::MAX_PHASE,
            100.0 - share
        )
    }

    /// How much of its advantage the side ahead keeps, and why, if it does not keep all of it.
    pub(super) fn scaling(&self) -> Option<String> {
        let balance = self.now(self.trace.total);
        let share = self.scale.share();
        (share < ScaleReason::Whole.share() && balance.abs() >= NEGLIGIBLE).then(|| {
            let side = side_name(Color::from_white(balance > 0.0));
            let percent = 100.0 * f64::from(share) / f64::from(ScaleReason::Whole.share());
            format!("{side} keeps {percent:.0} % of {}: {}", signed(balance), self.scale.reason())
        })
    }
}
