//! The playground: a web page that shows an evaluation while you write it. Engine and coach run in the page, as
//! WebAssembly.
//!
//! [`Playground`] answers requests in JSON; the page asks it for everything that needs chess. An answer depends on the
//! request only, so it does not matter which thread of the page asks.
//!
//! - `game`: positions and moves of a request; `pgn`: games as text; `engine_file`: terms and percentages; `link`: the
//!   state of the page as text.
//! - `evaluate`, `coach`, `search`, `lessons`: what the page asks for. `problem`: errors as the page reads them.

#[cfg(target_arch = "wasm32")]
mod bindings;
mod coach;
mod engine_file;
mod evaluate;
mod game;
mod lessons;
mod link;
mod pgn;
mod problem;
mod search;

use lessons::LessonRequest;
use problem::Problem;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::VecDeque;
use tropism::eval::{Engine, Registry};
use tropism::search::TranspositionTable;

/// The name of the engine file in errors. The page does not show it.
const ORIGIN: &str = "engine.toml";

/// How many engines are kept: the text of the editor, the last good one, and that of a guide.
const KEPT: usize = 4;

/// The size of the transposition table, in MiB.
const TABLE: usize = 16;

/// Answers the requests of a page.
///
/// ```
/// let mut page = tropism_playground::Playground::new();
/// let answer = page.answer("evaluate", r#"{ "start": "7k/8/8/8/8/8/8/K7 w - - 0 1", "engine": "" }"#);
/// assert!(answer.contains(r#""turn":"white""#));
/// ```
pub struct Playground {
    registry: Registry,
    /// The engines of the last texts: a slider or a move changes no text.
    engines: VecDeque<(String, Engine)>,
    /// Allocated by the first search.
    table: Option<TranspositionTable>,
}

impl Default for Playground {
    fn default() -> Playground {
        Playground::new()
    }
}

impl Playground {
    /// Knows all terms, and has read no engine file yet.
    pub fn new() -> Playground {
        Playground { registry: tropism::terms::registry(), engines: VecDeque::new(), table: None }
    }

    /// The answer to a request, both in JSON. An answer with the key `problem` is a sentence that says what is wrong.
    pub fn answer(&mut self, name: &str, request: &str) -> String {
        let answer = match name {
            "evaluate" => self.work(request, evaluate::evaluate),
            "examples" => Ok(engine_file::examples()),
            "cost" => self.work(request, engine_file::cost),
            "save" => self.work(request, engine_file::save),
            "pgn" => self.work(request, pgn::read),
            "assess" => self.work(request, coach::assess),
            "review" => self.work(request, coach::review),
            "move" => self.work(request, search::engine_move),
            "lesson" => self.work(request, LessonRequest::state),
            "hint" => self.work(request, LessonRequest::hint),
            "pack" => self.work(request, link::pack),
            "unpack" => self.work(request, link::unpack),
            _ => Err(Problem::Malformed(format!("no request has the name {name:?}"))),
        };
        answer.unwrap_or_else(|problem| problem.view()).to_string()
    }

    /// Searches a position; `report` gets each line as it is found, in JSON. The answer is like those of
    /// [`Playground::answer`].
    pub fn search(&mut self, request: &str, mut report: impl FnMut(String)) -> String {
        let lines = |request: &_, page: &mut _| {
            search::lines(request, page, |line| report(line.to_string()))
        };
        self.work(request, lines).unwrap_or_else(|problem| problem.view()).to_string()
    }

    fn work<R: DeserializeOwned>(
        &mut self,
        request: &str,
        work: impl FnOnce(&R, &mut Playground) -> Result<Value, Problem>,
    ) -> Result<Value, Problem> {
        let request = serde_json::from_str(request);
        work(&request.map_err(|error| Problem::Malformed(error.to_string()))?, self)
    }

    /// The engine of a text.
    fn engine(&mut self, text: &str) -> Result<Engine, Problem> {
        if let Some((_, engine)) = self.engines.iter().find(|(of, _)| of == text) {
            return Ok(engine.clone());
        }
        let engine = Engine::parse(text, ORIGIN, &self.registry)?;
        self.engines.push_front((text.to_owned(), engine.clone()));
        self.engines.truncate(KEPT);
        Ok(engine)
    }

    /// An empty transposition table.
    fn table(&mut self) -> Result<&TranspositionTable, Problem> {
        if self.table.is_none() {
            self.table = TranspositionTable::new(TABLE).ok();
        }
        let table = self.table.as_ref();
        let table =
            table.ok_or_else(|| Problem::Input("there is no memory for a search".to_owned()))?;
        table.clear();
        Ok(table)
    }
}
