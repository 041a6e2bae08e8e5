//! The playground: a local web page that shows an evaluation while you write it.
//!
//! [`Server`] listens on the loopback address only. It reads and writes no file: the page itself saves and
//! loads engine files.
//!
//! - `server`: connections, their number and their time limits; `guard`: which requests are answered.
//! - `assets`: the page, built into the program. `problem`: errors as the page reads them. `body`: requests in JSON.
//! - `app`: what all requests share; `pool`: threads for searches; `engine_cache`: what is
//!   kept; `routes`: the addresses.
//! - `game`: positions and moves of a request; `pgn`: games as text; `engine_file`: its terms and percentages.
//! - `evaluate`, `coach`, `searches`, `lessons`: what the page asks for.

mod app;
mod assets;
mod body;
mod coach;
mod engine_cache;
mod engine_file;
mod evaluate;
mod game;
mod guard;
mod lessons;
mod pgn;
mod pool;
mod problem;
mod routes;
mod searches;
mod server;

pub use app::MAX_SEARCHES;
pub use server::Server;
