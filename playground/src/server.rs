//! Connections: a limited number, each with a limited time for its headers.

use crate::{app::App, app::MAX_SEARCHES, routes::routes};
use hyper::{
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{
    collections::VecDeque,
    io,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::{AbortHandle, JoinSet},
};

/// The most connections at a time. The next one closes the oldest that has sent no request, or waits.
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
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        // They end with the server.
        let mut connections = JoinSet::new();
        let mut silent: VecDeque<Silent> = VecDeque::new();
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            while connections.try_join_next().is_some() {}
            silent.retain(Silent::is_waiting);
            // Clients that have sent no request yet do not keep others waiting.
            if places.available_permits() == 0
                && let Some(oldest) = silent.pop_front()
            {
                oldest.handle.abort();
            }
            // The semaphore is never closed.
            let Ok(permit) = Arc::clone(&places).acquire_owned().await else { return };
            let (app, has_asked) = (Arc::clone(&self.app), Arc::new(AtomicBool::new(false)));
            let asked = Arc::clone(&has_asked);
            let handle = connections.spawn(async move {
                serve(stream, app, &asked).await;
                drop(permit);
            });
            silent.push_back(Silent { has_asked, handle });
        }
    }
}

/// A connection without a request.
struct Silent {
    has_asked: Arc<AtomicBool>,
    handle: AbortHandle,
}

impl Silent {
    fn is_waiting(&self) -> bool {
        !self.has_asked.load(Relaxed) && !self.handle.is_finished()
    }
}

/// Answers the requests of one connection, and notes the first.
async fn serve(stream: TcpStream, app: Arc<App>, has_asked: &AtomicBool) {
    // Lines of a search are short, and each should arrive at once. Without the option they only come later.
    stream.set_nodelay(true).ok();
    let router = TowerToHyperService::new(routes(app));
    let service = service_fn(|request| {
        has_asked.store(true, Relaxed);
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .serve_connection(TokioIo::new(stream), service);
    // An error means that the client has left or sent no HTTP. Nobody is there to read a message.
    connection.await.ok();
}
