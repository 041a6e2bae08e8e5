//! Finds the commit that the program is built from, for the headers of the engine files it writes.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=TROPISM_COMMIT");
    // The name of a commit says "-dirty" if a file was changed after it, so every source counts.
    for source in ["build.rs", "src", "../src", "../engines", "../Cargo.lock"] {
        println!("cargo:rerun-if-changed={source}");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = env::var("TROPISM_COMMIT")
        .ok()
        .or_else(|| git(&["describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]));
    println!("cargo:rustc-env=TROPISM_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// What a git command prints; none without git or outside a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
