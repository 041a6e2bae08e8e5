//! Searches: the lines of one as events, and the move of an engine at a strength.
//!
//! A search ends with its time, or when the client has left: whoever waits for it holds a [`StopOnDrop`].

use crate::{
    app::App,
    engine_file::EngineRequest,
    game::{GameRequest, MoveView, views},
    problem::{Body, Problem},
};
use axum::{
    Json,
    extract::State,
    response::sse::{Event, KeepAlive, Sse},
};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position};
use std::{
    convert::Infallible,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};
use tokio::sync::mpsc;
use tokio_stream::{Stream, StreamExt, wrappers::UnboundedReceiverStream};
use tropism::{
    endgame::Endgames,
    search::{Bound, Control, Level, Limits, Report, SearchRequest},
};
use tropism_coach::WhiteValue;

/// The longest search that the page shows.
const ANALYSIS_TIME: Duration = Duration::from_secs(60);

/// The time of a move of the engine at full strength.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The most lines of a search.
const MAX_LINES: usize = 5;

/// How often an event without content shows whether the client is still there.
const PULSE: Duration = Duration::from_secs(5);

/// The pause of a search after its first line. On a computer with few cores the page needs them to draw the move.
const BREATH: Duration = Duration::from_millis(40);

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

/// Stops the search when nobody waits for it any more.
#[derive(Default)]
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop.store(true, Relaxed);
    }
}

impl PageSearch {
    /// Searches for a time, and returns the best move.
    fn search(
        &self,
        app: &App,
        control: &Control,
        time: Duration,
        mut report: impl FnMut(&Chess, &Report),
    ) -> Result<Option<MoveView>, Problem> {
        let (game, engine) = (self.game.play()?.game, self.engine.engine(app)?);
        let chess = game.position().chess();
        let endgames = Endgames::of(chess.board());
        let lines = self.lines.clamp(1, MAX_LINES);
        let limits = Limits { move_time: Some(time), lines, ..Limits::default() };
        let outcome = app.with_hash_table(|table| {
            let request = SearchRequest::new(&game, &engine, table, &limits)
                .with_endgames(&endgames)
                .with_control(control)
                .at_level(Level::new(self.level), self.seed);
            tropism::search::search(&request, |line| report(chess, line))
        })?;
        Ok(outcome.best.map(|best| MoveView::new(chess, best)))
    }
}

/// The lines of a search as they are found, then its end.
pub(crate) async fn search(
    State(app): State<Arc<App>>,
    Body(mut request): Body<PageSearch>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    request.level = Level::FULL;
    let place = app.searches.place().await?;
    let stop = StopOnDrop::default();
    let control = Arc::clone(&stop.0);
    // A search has a few hundred reports at most, so a client that does not read keeps little memory.
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::task::spawn_blocking(move || {
        let mut is_first = true;
        let outcome = request.search(&app, &control, ANALYSIS_TIME, |chess, report| {
            // Without a receiver the search is being stopped.
            sender.send(("line", report_view(chess, report))).ok();
            if std::mem::take(&mut is_first) {
                std::thread::sleep(BREATH);
            }
        });
        let end = match outcome {
            Ok(_) => ("end", json!({})),
            Err(problem) => ("problem", problem.view()),
        };
        sender.send(end).ok();
        drop(place);
    });
    let events = UnboundedReceiverStream::new(receiver).map(move |(name, data)| {
        // The stream owns the guard: without a client both are dropped.
        let _ = &stop;
        Ok(Event::default().event(name).data(data.to_string()))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(PULSE)))
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
pub(crate) async fn engine_move(
    State(app): State<Arc<App>>,
    Body(request): Body<PageSearch>,
) -> Result<Json<Value>, Problem> {
    // If the client leaves, this future is dropped, and the guard stops the search.
    let stop = StopOnDrop::default();
    let (own, control) = (Arc::clone(&app), Arc::clone(&stop.0));
    let search = move || request.search(&own, &control, MOVE_TIME, |_, _| ());
    let best = app.searches.run(search).await?;
    let best = best.ok_or_else(|| Problem::Input("there is no legal move".to_owned()))?;
    Ok(Json(json!({ "move": best })))
}
