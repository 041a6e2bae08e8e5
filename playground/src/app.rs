//! What all requests share.

use crate::engine_cache::EngineCache;
use crate::pool::Pool;
use crate::problem::Problem;
use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tropism::{eval::Registry, search::TranspositionTable};

/// The most searches at a time.
pub const MAX_SEARCHES: usize = 4;

/// The most other calculations at a time.
const MAX_CALCULATIONS: usize = 8;

/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// The state of the server.
pub(crate) struct App {
    pub(crate) port: u16,
    pub(crate) registry: Registry,
    pub(crate) engines: EngineCache,
    pub(crate) searches: Arc<Semaphore>,
    /// The transposition tables of searches that have ended, for the next ones: allocated anew for each search,
    /// they would leave gaps in the memory.
    pub(crate) hash_tables: Mutex<Vec<TranspositionTable>>,
    /// The threads of searches.
    pub(crate) searchers: Pool,
    calculations: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(port: u16) -> io::Result<App> {
        Ok(App {
            port,
            registry: tropism::terms::registry(),
            engines: EngineCache::default(),
            searches: Arc::new(Semaphore::new(MAX_SEARCHES)),
            hash_tables: Mutex::default(),
            searchers: Pool::new(MAX_SEARCHES)?,
            calculations: Arc::new(Semaphore::new(MAX_CALCULATIONS)),
        })
    }

    /// Waits for one of the few searches that may run.
    pub(crate) async fn search_permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        permit(&self.searches, "as many searches run as may run at a time; try again later").await
    }

    /// Runs a calculation where it does not hold up other requests.
    pub(crate) async fn calculate<T: Send + 'static>(
        self: Arc<App>,
        calculation: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = permit(&self.calculations, "the server is busy; try again later").await?;
        let task = tokio::task::spawn_blocking(move || {
            let result = calculation(&self);
            // The permit belongs to the calculation, which goes on if the client leaves.
            drop(permit);
            result
        });
        task.await.unwrap_or(Err(Problem::Bug("the calculation crashed")))
    }
}

async fn permit(
    semaphore: &Arc<Semaphore>,
    busy: &'static str,
) -> Result<OwnedSemaphorePermit, Problem> {
    match tokio::time::timeout(PATIENCE, Arc::clone(semaphore).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(Problem::Busy(busy)),
    }
}
