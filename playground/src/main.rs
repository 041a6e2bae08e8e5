//! `tropism-playground`: starts the server and opens the page.

use anyhow::{Context, Result};
use clap::Parser;
use std::io::{self, Write};
use tropism_playground::Server;

/// A local web page that shows a chess evaluation while you write it.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The port on 127.0.0.1; 0 takes any free one.
    #[arg(long, default_value_t = 8064)]
    port: u16,
    /// Only print the link, and do not open a browser.
    #[arg(long)]
    no_open: bool,
}

fn main() -> Result<()> {
    let arguments: Arguments = tropism_program::arguments();
    let port = arguments.port;
    let server = Server::start(port).with_context(|| {
        format!("cannot listen on port {port} of 127.0.0.1; `--port 0` takes a free one")
    })?;
    let link = server.link();
    writeln!(io::stdout(), "The playground is at {link}. Ctrl-C ends it.")?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(&link)
    {
        eprintln!("No browser could be opened ({error}); open the link yourself.");
    }
    loop {
        std::thread::park();
    }
}
