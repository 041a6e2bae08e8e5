//! What all requests share.

use crate::problem::Problem;
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tropism::{
    eval::{Engine, Registry},
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

/// Work of one kind, of which only so much is done at a time.
#[derive(Clone)]
pub(crate) struct Limit {
    most: usize,
    places: Arc<Semaphore>,
    patience: Duration,
    busy: &'static str,
}

impl Limit {
    fn new(most: usize, patience: Duration, busy: &'static str) -> Limit {
        Limit { most, places: Arc::new(Semaphore::new(most)), patience, busy }
    }

    /// Waits for a place.
    pub(crate) async fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let place = Arc::clone(&self.places).acquire_owned();
        match tokio::time::timeout(self.patience, place).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(Problem::Busy(self.busy)),
        }
    }

    /// Works at a place of its own, on a thread where it does not hold up other requests.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.place().await?;
        let task = tokio::task::spawn_blocking(move || {
            let result = work();
            // The place belongs to the work, which goes on if the client leaves.
            drop(place);
            result
        });
        // The message of a panic is already on standard error.
        task.await.unwrap_or(Err(Problem::Bug("the calculation crashed")))
    }

    /// How much is being done.
    pub(crate) fn count(&self) -> usize {
        self.most.saturating_sub(self.places.available_permits())
    }
}

/// The state of the server.
pub(crate) struct App {
    pub(crate) port: u16,
    pub(crate) registry: Registry,
    /// The engines of the last texts: a slider or a move changes no text.
    engines: Mutex<VecDeque<(String, Engine)>>,
    /// The transposition tables of searches that have ended, for the next ones: allocated anew for each search,
    /// they would leave gaps in the memory.
    hash_tables: Mutex<Vec<TranspositionTable>>,
    pub(crate) searches: Limit,
    pub(crate) studies: Limit,
    pub(crate) calculations: Limit,
}

impl App {
    pub(crate) fn new(port: u16) -> App {
        let many = "The server is busy with searches in other windows.";
        App {
            port,
            registry: tropism::terms::registry(),
            engines: Mutex::default(),
            hash_tables: Mutex::default(),
            searches: Limit::new(MAX_SEARCHES, SEARCH_PATIENCE, many),
            studies: Limit::new(MAX_STUDIES, PATIENCE, "The coach is busy with other positions."),
            calculations: Limit::new(MAX_CALCULATIONS, PATIENCE, "The server is busy."),
        }
    }

    /// The engine of a text.
    pub(crate) fn engine(&self, text: &str) -> Result<Engine, Problem> {
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

    /// Searches with an empty transposition table. There are as many as searches have run at a time.
    pub(crate) fn with_hash_table<T>(
        &self,
        search: impl FnOnce(&TranspositionTable) -> T,
    ) -> Result<T, Problem> {
        let used = self.hash_tables.blocking_lock().pop();
        let table = used.or_else(|| TranspositionTable::new(TABLE).ok());
        let table = table.ok_or(Problem::Bug("there is no memory for a search"))?;
        let result = search(&table);
        // The next search does not wait for this.
        table.clear();
        self.hash_tables.blocking_lock().push(table);
        Ok(result)
    }
}
