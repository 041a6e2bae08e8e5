//! What all requests share.

use crate::problem::Problem;
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tropism::{
    eval::{Engine, EngineFileError, Registry},
    search::TranspositionTable,
};

/// The name of the engine file in errors. The page does not show it.
pub(crate) const ORIGIN: &str = "engine.toml";

/// How many engines are kept. One for the text of each of a few open pages is enough.
const KEPT: usize = 16;

/// The most searches at a time.
pub const MAX_SEARCHES: usize = 4;

/// The most positions and games that the coach studies at a time.
const MAX_STUDIES: usize = 2;

/// The most other calculations at a time.
const MAX_CALCULATIONS: usize = 8;

/// The most threads that all of these need.
pub(crate) const MAX_BLOCKING: usize = MAX_SEARCHES + MAX_STUDIES + MAX_CALCULATIONS;

/// The size of the transposition table of each search, in MiB.
const TABLE: usize = 16;

/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a search waits: until the one that it follows has noticed that its client has left.
const SEARCH_PATIENCE: Duration = Duration::from_millis(500);

/// The state of the server.
pub(crate) struct App {
    pub(crate) port: u16,
    pub(crate) registry: Registry,
    /// The engines of the last texts: a slider or a move changes no text.
    engines: Mutex<VecDeque<(String, Engine)>>,
    pub(crate) searches: Arc<Semaphore>,
    /// The transposition tables of searches that have ended, for the next ones: allocated anew for each search,
    /// they would leave gaps in the memory.
    hash_tables: Mutex<Vec<TranspositionTable>>,
    studies: Arc<Semaphore>,
    calculations: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(port: u16) -> App {
        App {
            port,
            registry: tropism::terms::registry(),
            engines: Mutex::default(),
            searches: Arc::new(Semaphore::new(MAX_SEARCHES)),
            hash_tables: Mutex::default(),
            studies: Arc::new(Semaphore::new(MAX_STUDIES)),
            calculations: Arc::new(Semaphore::new(MAX_CALCULATIONS)),
        }
    }

    /// The engine of a text.
    pub(crate) fn engine(&self, text: &str) -> Result<Engine, EngineFileError> {
        let known = |(of, _): &&(String, Engine)| of == text;
        if let Some((_, engine)) = self.engines.blocking_lock().iter().find(known) {
            return Ok(engine.clone());
        }
        let engine = Engine::parse(text, ORIGIN, &self.registry)?;
        let mut kept = self.engines.blocking_lock();
        kept.push_front((text.to_owned(), engine.clone()));
        kept.truncate(KEPT);
        Ok(engine)
    }

    /// Waits for a moment for one of the few searches that may run.
    pub(crate) async fn search_permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let busy =
            "The server is busy: as many searches run as may run at a time, in other windows.";
        permit(&self.searches, SEARCH_PATIENCE, busy).await
    }

    /// Waits for the coach.
    pub(crate) async fn coach_permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        permit(&self.studies, PATIENCE, "The coach is busy with other positions.").await
    }

    /// An empty transposition table: one of an earlier search, if there is one.
    pub(crate) fn hash_table(&self) -> Result<TranspositionTable, Problem> {
        let used = self.hash_tables.blocking_lock().pop();
        let table = used.or_else(|| TranspositionTable::new(TABLE).ok());
        table.ok_or(Problem::Bug("there is no memory for a search"))
    }

    /// Takes back a table, and empties it for the next search. There are as many as searches have run at a time.
    pub(crate) fn keep_hash_table(&self, table: TranspositionTable) {
        table.clear();
        self.hash_tables.blocking_lock().push(table);
    }

    /// Runs a calculation where it does not hold up other requests.
    pub(crate) async fn calculate<T: Send + 'static>(
        self: Arc<App>,
        calculation: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = permit(&self.calculations, PATIENCE, "The server is busy.").await?;
        run(move || {
            let result = calculation(&self);
            // The permit belongs to the calculation, which goes on if the client leaves.
            drop(permit);
            result
        })
        .await
    }
}

/// Runs what takes long on a thread of its own, with a stack for the deepest line of a search.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    // The message of a panic is already on standard error.
    let task = tokio::task::spawn_blocking(work);
    task.await.unwrap_or(Err(Problem::Bug("the calculation crashed")))
}

async fn permit(
    semaphore: &Arc<Semaphore>,
    patience: Duration,
    busy: &'static str,
) -> Result<OwnedSemaphorePermit, Problem> {
    match tokio::time::timeout(patience, Arc::clone(semaphore).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(Problem::Busy(busy)),
    }
}
