//! Sets the compiler and the target as environment variables for the program.

use std::{env, process::Command};

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo:rustc-env=TROPISM_COMPILER={}", version.unwrap_or_default());
    println!("cargo:rustc-env=TROPISM_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
}
