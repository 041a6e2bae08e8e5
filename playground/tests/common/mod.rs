//! A server for tests.

use std::future::pending;
use tokio::task::JoinHandle;
use tropism_playground::Server;

/// A running server.
pub(crate) struct Running {
    pub(crate) port: u16,
    pub(crate) searches: Box<dyn Fn() -> usize + Send + Sync>,
    task: JoinHandle<()>,
}

/// Starts a server that runs until the test ends.
pub(crate) async fn start() -> Running {
    start_at(0).await
}

async fn start_at(port: u16) -> Running {
    let server = Server::bind(port).await.unwrap();
    let port = server.link().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let searches = Box::new(server.searches());
    Running { port, searches, task: tokio::spawn(server.run(pending())) }
}

impl Running {
    /// Ends the server with all its connections.
    #[allow(dead_code, reason = "each test program compiles this module for itself")]
    pub(crate) async fn end(&mut self) {
        self.task.abort();
        while !self.task.is_finished() {
            tokio::task::yield_now().await;
        }
    }

    /// Starts a new server at the same port.
    #[allow(dead_code, reason = "each test program compiles this module for itself")]
    pub(crate) async fn come_back(&mut self) {
        *self = start_at(self.port).await;
    }
}
