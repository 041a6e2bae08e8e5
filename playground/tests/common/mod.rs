//! A server for tests.

use std::future::pending;
use tropism_playground::Server;

/// A running server.
pub(crate) struct Running {
    pub(crate) port: u16,
    pub(crate) searches: Box<dyn Fn() -> usize + Send + Sync>,
}

/// Starts a server that runs until the test ends.
pub(crate) async fn start() -> Running {
    let server = Server::bind(0).await.unwrap();
    let port = server.link().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let searches = Box::new(server.searches());
    tokio::spawn(server.run(pending()));
    Running { port, searches }
}
