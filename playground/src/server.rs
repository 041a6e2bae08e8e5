//! The server: listens on the loopback address and answers in threads of its own.

use crate::{
    app::{App, MAX_BLOCKING},
    routes::routes,
};
use axum::serve::ListenerExt;
use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};
use tropism::search::STACK_SIZE;

/// How long a thread waits for the next calculation. New threads would leave gaps in the memory, so it is long.
const KEEP_ALIVE: Duration = Duration::from_secs(24 * 60 * 60);

/// The server of the playground. It answers until it is dropped.
///
/// ```
/// let server = tropism_playground::Server::start(0)?;
/// assert_eq!(server.link(), format!("http://127.0.0.1:{}/", server.port()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Server {
    app: Arc<App>,
    /// `None` when it is being dropped.
    runtime: Option<Runtime>,
}

impl Server {
    /// Listens on a port of 127.0.0.1; 0 is any free one.
    ///
    /// # Errors
    ///
    /// If the port is taken or not allowed, or if there are no threads.
    pub fn start(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(MAX_BLOCKING)
            .thread_stack_size(STACK_SIZE)
            .thread_keep_alive(KEEP_ALIVE)
            .build()?;
        let app = Arc::new(App::new(listener.local_addr()?.port()));
        let context = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        // Lines of a search are short, and each should arrive at once. Without the option they only come later.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        runtime.spawn(axum::serve(listener, routes(Arc::clone(&app))).into_future());
        drop(context);
        Ok(Server { app, runtime: Some(runtime) })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.app.port
    }

    /// The address of the page.
    pub fn link(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port())
    }

    /// The number of searches that run, for tests and measurements.
    pub fn searches(&self) -> usize {
        self.app.searches.count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Searches end when the connections that wait for them do; nothing here waits for either.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
