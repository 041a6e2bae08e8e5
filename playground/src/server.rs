//! Connections: a limited number, each with a limited time for its headers.

use crate::{app::App, app::MAX_SEARCHES, routes::routes};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{io, net::Ipv4Addr, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

/// The most connections at a time. Others wait until one is closed.
const MAX_CONNECTIONS: usize = 256;

/// The longest time that a client may take for the headers of a request, or wait before its next one.
const HEADER_TIME: Duration = Duration::from_secs(30);

/// The pause after an error of the system, such as too many open files.
const PAUSE: Duration = Duration::from_millis(50);

/// The server of the playground. It listens on the loopback address.
///
/// ```
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let server = tropism_playground::Server::bind(0).await?;
/// assert!(server.link().starts_with("http://127.0.0.1:"));
/// // The server runs until the future that it is given is done.
/// server.run(async {}).await;
/// # Ok::<(), std::io::Error>(())
/// # })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
}

impl Server {
    /// Listens on a port of 127.0.0.1; 0 is any free one.
    ///
    /// # Errors
    ///
    /// If the port is taken or not allowed, or if there are no threads for searches.
    pub async fn bind(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let app = Arc::new(App::new(listener.local_addr()?.port())?);
        Ok(Server { listener, app })
    }

    /// The address of the page.
    pub fn link(&self) -> String {
        format!("http://127.0.0.1:{}/", self.app.port)
    }

    /// The number of searches that run, for tests and measurements.
    pub fn searches(&self) -> impl Fn() -> usize + Send + Sync + 'static {
        let searches = Arc::clone(&self.app.searches);
        move || MAX_SEARCHES.saturating_sub(searches.available_permits())
    }

    /// Answers requests until `end` is done.
    pub async fn run(self, end: impl Future<Output = ()>) {
        tokio::select! {
            () = self.accept() => {}
            () = end => {}
        }
    }

    async fn accept(&self) {
        let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        // The semaphore is never closed.
        while let Ok(permit) = Arc::clone(&connections).acquire_owned().await {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let app = Arc::clone(&self.app);
            tokio::spawn(async move {
                serve(stream, app).await;
                drop(permit);
            });
        }
    }
}

/// Answers the requests of one connection.
async fn serve(stream: TcpStream, app: Arc<App>) {
    // Lines of a search are short, and each should arrive at once. Without the option they only come later.
    stream.set_nodelay(true).ok();
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes(app)));
    // An error means that the client has left or sent no HTTP. Nobody is there to read a message.
    connection.await.ok();
}
