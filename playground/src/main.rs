//! `tropism-playground`: starts the server and opens the page.

use anyhow::{Context, Result};
use clap::Parser;
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

/// The most threads for calculations. More would only take memory.
const THREADS: usize = 8;

fn main() -> Result<()> {
    let arguments: Arguments = tropism::cli::arguments();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().max_blocking_threads(THREADS).build()?;
    runtime.block_on(serve(arguments))
}

async fn serve(arguments: Arguments) -> Result<()> {
    let port = arguments.port;
    let server = Server::bind(port).await.with_context(|| {
        format!("cannot listen on port {port} of 127.0.0.1; `--port 0` takes a free one")
    })?;
    let link = server.link();
    println!("The playground is at {link}. Ctrl-C ends it.");
    if !arguments.no_open
        && let Err(error) = open::that_detached(&link)
    {
        eprintln!("No browser could be opened ({error}); open the link yourself.");
    }
    server
        .run(async {
            // Without a signal handler the server runs until the process is ended.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
        .await;
    Ok(())
}
