//! `tropism explain`: why a position is worth what the engine thinks it is.
//!
//! `reasons` sets side by side what both sides have of each weight; `table` writes it
//! in the terminal, `json` for programs, `page` as one page of HTML, for which `marks` and `races` find
//! the ways, races and forks that a term is about. `game` does the same for the games of a PGN file, with
//! `swings` for what a move changed, `curves` to draw it and `chronicle` to tell it.

mod chronicle;
mod curves;
mod game;
mod json;
mod line;
mod marks;
mod page;
mod races;
mod reasons;
mod swings;
mod table;

pub use chronicle::Chronicle;
pub use game::{ExplainError, GameReader, PlayedGame};
pub use line::BestLine;

use crate::eval::{Engine, EvalContext, Row, ScaleReason, Score, Trace};
use crate::search::Game;
use reasons::{Reason, reasons};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

/// Everything that can be said of one position. Prints as a table in pawns, White's point of view.
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
    position: Chess,
    fen: String,
    trace: Trace,
    view: EvalContext,
    outlook: ScaleReason,
    /// The one that decides most first.
    terms: Vec<Said>,
    line: Option<BestLine>,
}

/// What one term says.
#[derive(Clone, Debug)]
struct Said {
    row: Row,
    reasons: Vec<Reason>,
}

/// Less than this is not worth a word, in centipawns: it prints as 0.00.
const NOTHING: f64 = 0.5;

/// Less than this is about level, in centipawns.
const LEVEL: i32 = 20;

/// What is said where no search was asked for.
const NO_SEARCH: &str =
    "The position is judged as it stands, no move is looked at; --depth 12 adds the best line.";

impl Explanation {
    /// Looks at a position.
    pub fn new(engine: &Engine, game: &Game) -> Explanation {
        let position = game.position().chess().clone();
        let trace = engine.trace(&position);
        let view = EvalContext::new(&position);
        let said = |row: &Row| Said { row: row.clone(), reasons: reasons(row, trace.phase) };
        let mut terms: Vec<Said> = trace.rows.iter().map(said).collect();
        let weight = |said: &Said| said.row.total().centipawns(trace.phase).abs();
        terms.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let ahead = Color::from_white(trace.total.taper(trace.phase) > 0);
        let outlook = ScaleReason::new(&view, ahead);
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        Explanation { position, fen, trace, view, outlook, terms, line: None }
    }

    /// Adds the best line of a search.
    pub fn with_line(self, line: BestLine) -> Explanation {
        Explanation { line: Some(line), ..self }
    }

    /// The value in centipawns, White's point of view.
    fn white_value(&self) -> i32 {
        self.position.turn().fold_wb(self.trace.value, -self.trace.value)
    }

    /// A score in centipawns as the game phase has it.
    fn now(&self, score: Score) -> f64 {
        score.centipawns(self.trace.phase)
    }

    /// The terms that say something of this position, and the names of those that do not.
    fn speaking(&self) -> (Vec<&Said>, Vec<&'static str>) {
        let says = |said: &&Said| {
            let sums = [said.row.white, said.row.black, said.row.total()];
            // Reasons that come to nothing together are told all the same.
            let reasons = said.reasons.iter().map(|reason| reason.score);
            sums.into_iter().chain(reasons).any(|score| self.now(score).abs() >= NOTHING)
        };
        let (speaking, silent): (Vec<&Said>, Vec<&Said>) = self.terms.iter().partition(says);
        (speaking, silent.iter().map(|said| said.row.name).collect())
    }

    /// The reasons of all terms that speak for a side, the strongest first.
    fn reasons_for(&self, side: Color) -> Vec<(&'static str, &Reason)> {
        let all = self
            .terms
            .iter()
            .flat_map(|said| said.reasons.iter().map(|reason| (said.row.name, reason)));
        let value = |reason: &Reason| self.now(side.fold_wb(reason.score, -reason.score));
        let mut reasons: Vec<_> = all.filter(|(_, reason)| value(reason) >= NOTHING).collect();
        reasons.sort_by(|a, b| value(b.1).total_cmp(&value(a.1)));
        reasons
    }

    /// The verdict in words; where a search says otherwise, that comes first.
    fn headline(&self) -> String {
        let stands = self.as_it_stands();
        match &self.line {
            Some(line) if !line.moves.is_empty() => {
                format!("{} to depth {}; as it stands, {stands}", line.verdict(), line.depth)
            }
            _ => {
                let mut letters = stands.chars();
                letters.next().map_or(String::new(), |first| {
                    format!("{}{}", first.to_uppercase(), letters.as_str())
                })
            }
        }
    }

    fn as_it_stands(&self) -> String {
        let value = self.white_value();
        match value {
            0 => "it is level".to_owned(),
            value => {
                let side = reasons::side_name(Color::from_white(value > 0));
                let about = if value.abs() < LEVEL { "about level, " } else { "" };
                format!("{about}{side} is ahead by {:.2} pawns", f64::from(value.abs()) / 100.0)
            }
        }
    }

    /// How the phase mixes the values, in words.
    fn tapering(&self) -> String {
        let share = f64::from(self.trace.phase) / f64::from(Score::MAX_PHASE) * 100.0;
        format!(
            "phase {} of {}: a value counts {share:.0} % as in the middlegame and {:.0} % as in the endgame",
            self.trace.phase,
            Score::MAX_PHASE,
            100.0 - share
        )
    }

    /// What is taken from the side ahead, and why, if anything is.
    fn taken(&self) -> Option<String> {
        let balance = self.now(self.trace.total);
        let share = self.outlook.share();
        (share < ScaleReason::Whole.share() && balance.abs() >= NOTHING).then(|| {
            let side = reasons::side_name(Color::from_white(balance > 0.0));
            let percent = 100.0 * f64::from(share) / f64::from(ScaleReason::Whole.share());
            format!("{side} keeps {percent:.0} % of {}: {}", signed(balance), self.outlook.reason())
        })
    }
}

/// Centipawns as pawns with a sign.
fn signed(centipawns: f64) -> String {
    // Zero has no sign.
    let rounded = centipawns.round();
    if rounded == 0.0 { "0.00".to_owned() } else { format!("{:+.2}", rounded / 100.0) }
}
