//! A server for tests.

use std::future::pending;
use tokio::task::JoinHandle;
use tropism_playground::Server;

/// A running server.
pub(crate) struct Running {
    pub(crate) port: u16,
    pub(crate) searches: Box<dyn Fn() -> usize + Send + Sync>,
    pub(crate) task: JoinHandle<()>,
}

/// Starts a server that runs until the test ends.
pub(crate) async fn start() -> Running {
    start_at(0).await
}

/// Starts a server at a port.
pub(crate) async fn start_at(port: u16) -> Running {
    let server = Server::bind(port).await.unwrap();
    let port = server.link().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let searches = Box::new(server.searches());
    Running { port, searches, task: tokio::spawn(server.run(pending())) }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}
