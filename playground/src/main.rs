//! `tropism-playground`: makes the page, as one file and as a folder for a web host, and opens it.

mod page;

use anyhow::{Context, Result, bail};
use clap::Parser;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs, process::Command};

/// Makes the playground: a web page that shows a chess evaluation while you write it.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The folder for the page.
    #[arg(long, value_name = "FOLDER", default_value = "target/playground")]
    out: PathBuf,
    /// The engine as WebAssembly; without it, it is built.
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
    /// The profile of the build: `dev` is built quickly and searches slowly.
    #[arg(long, default_value = "page")]
    profile: String,
    /// Only make the page, and do not open a browser.
    #[arg(long)]
    no_open: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<()> {
    let arguments: Arguments = tropism_program::arguments();
    let wasm = arguments.wasm.clone().map_or_else(|| build(&arguments.profile), Ok)?;
    let bytes = fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let files = page::Files::new(bytes)?;
    let (file, site) = (arguments.out.join("tropism.html"), arguments.out.join("site"));
    let write = |path: &Path, bytes: &[u8]| {
        fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    fs::create_dir_all(&site).with_context(|| format!("cannot make {}", site.display()))?;
    write(&file, files.one_file.as_bytes())?;
    write(&site.join("index.html"), files.index.as_bytes())?;
    write(&site.join(page::MODULE), &files.module)?;
    let (file, site) = (fs::canonicalize(file)?, fs::canonicalize(site)?);
    let text = format!(
        "The page is {}, one file to open or to send. For a web host: {}",
        file.display(),
        site.display()
    );
    writeln!(io::stdout(), "{text}")?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(&file)
    {
        eprintln!("No browser could be opened ({error}); open the file yourself.");
    }
    Ok(())
}

/// Builds the engine for the page.
fn build(profile: &str) -> Result<PathBuf> {
    // A folder of its own: a build that waits for this one may hold the other.
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/page");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["rustc", "--locked", "--lib", "--crate-type", "cdylib", "--profile", profile]);
    cargo.args(["--target", TARGET, "--target-dir"]).arg(&target);
    // The flags for this target are in the workspace's own configuration.
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("RUSTFLAGS");
    let status = cargo.status().context("cannot run cargo")?;
    if !status.success() {
        bail!(
            "the engine could not be built for the page; if the messages above say that {TARGET} may not be \
             installed, `rustup target add {TARGET}` installs it"
        );
    }
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(TARGET).join(folder).join("tropism_playground.wasm"))
}
