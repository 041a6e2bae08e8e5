//! Searches: the lines of one as they are found, and the move of an engine at a strength.
//!
//! A search hears nothing until it ends: the page ends the thread that it runs in.

use crate::engine_file::EngineRequest;
use crate::game::{GameRequest, MoveView, views};
use crate::{Playground, problem::Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position};
use std::time::Duration;
use tropism::endgame::Endgames;
use tropism::search::{Bound, Level, Limits, Report, SearchRequest};
use tropism_coach::WhiteValue;

/// The longest search that the page shows.
const ANALYSIS_TIME: Duration = Duration::from_secs(60);

/// The time of a move of the engine at full strength.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The most lines of a search.
const MAX_LINES: usize = 5;

#[derive(Deserialize)]
pub(crate) struct PageSearch {
    #[serde(flatten)]
    game: GameRequest,
    #[serde(flatten)]
    engine: EngineRequest,
    /// The strength of a move, 0 to [`Level::FULL`].
    #[serde(default)]
    level: u32,
    /// Chooses among moves that are nearly best.
    #[serde(default)]
    seed: u64,
    /// How many of the best lines are searched, 1 to [`MAX_LINES`].
    #[serde(default)]
    lines: usize,
}

impl PageSearch {
    /// Searches for a time at a level, and returns the best move.
    fn search(
        &self,
        page: &mut Playground,
        (time, level): (Duration, u32),
        mut report: impl FnMut(&Chess, &Report),
    ) -> Result<Option<MoveView>, Problem> {
        let (game, engine) = (self.game.play()?.game, self.engine.engine(page)?);
        let chess = game.position().chess();
        let endgames = Endgames::of(chess.board());
        let lines = self.lines.clamp(1, MAX_LINES);
        let limits = Limits { move_time: Some(time), lines, ..Limits::default() };
        let request = SearchRequest::new(&game, &engine, page.table()?, &limits)
            .with_endgames(&endgames)
            .at_level(Level::new(level), self.seed);
        let outcome = tropism::search::search(&request, |line| report(chess, line));
        Ok(outcome.best.map(|best| MoveView::new(chess, best)))
    }
}

/// The lines of a search as they are found.
pub(crate) fn lines(
    request: &PageSearch,
    page: &mut Playground,
    mut report: impl FnMut(Value),
) -> Result<Value, Problem> {
    let limits = (ANALYSIS_TIME, Level::FULL);
    request.search(page, limits, |chess, line| report(report_view(chess, line)))?;
    Ok(json!({}))
}

fn report_view(chess: &Chess, report: &Report) -> Value {
    let seconds = report.time.as_secs_f64();
    json!({
        "number": report.number,
        "depth": report.depth,
        "score": score(chess.turn(), report),
        "expected": WhiteValue::new(report.value, chess.turn()).expected_points(chess.board()),
        "moves": views(chess, &report.line),
        "nodes": report.nodes,
        "nps": (report.nodes as f64 / seconds.max(0.001)).round(),
    })
}

/// The value in pawns, positive if good for White; `#3` if White mates in three moves.
fn score(turn: Color, report: &Report) -> String {
    let bound = match (report.bound, turn) {
        (Bound::Exact, _) => "",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "≥ ",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "≤ ",
    };
    format!("{bound}{}", WhiteValue::new(report.value, turn).figure())
}

/// A move of the engine at a strength.
pub(crate) fn engine_move(request: &PageSearch, page: &mut Playground) -> Result<Value, Problem> {
    let best = request.search(page, (MOVE_TIME, request.level), |_, _| ())?;
    let best = best.ok_or_else(|| Problem::Input("there is no legal move".to_owned()))?;
    Ok(json!({ "move": best }))
}
