//! Tells the tests whether the page can be tested in a browser here: without one they are ignored.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(browser)");
    for name in ["PATH", "TROPISM_WASM"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let paths = env::var_os("PATH").unwrap_or_default();
    let driver = format!("chromedriver{}", env::consts::EXE_SUFFIX);
    let has_driver = env::split_paths(&paths).any(|folder| folder.join(&driver).exists());
    if has_driver && (env::var_os("TROPISM_WASM").is_some() || has_target()) {
        println!("cargo::rustc-cfg=browser");
    }
}

/// Whether the compiler has the standard library of WebAssembly.
fn has_target() -> bool {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()));
    let found =
        rustc.args(["--print", "target-libdir", "--target", "wasm32-unknown-unknown"]).output();
    found.is_ok_and(|found| Path::new(String::from_utf8_lossy(&found.stdout).trim()).exists())
}
