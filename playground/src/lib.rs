//! The playground: a local web page that shows an evaluation while you write it.
//!
//! [`Server`] listens on the loopback address only. It reads and writes no file: the page itself saves and
//! loads engine files.
//!
//! - `server`: starts and ends; `guard`: which requests are answered.
//! - `assets`: the page, built into the program. `problem`: requests in JSON, and errors as the page reads them.
//! - `app`: what all requests share; `routes`: the addresses.
//! - `game`: positions and moves of a request; `pgn`: games as text; `engine_file`: its terms and percentages.
//! - `evaluate`, `coach`, `searches`, `lessons`: what the page asks for.

mod app;
mod assets;
mod coach;
mod engine_file;
mod evaluate;
mod game;
mod guard;
mod lessons;
mod pgn;
mod problem;
mod routes;
mod searches;
mod server;

pub use app::MAX_SEARCHES;
pub use server::Server;
