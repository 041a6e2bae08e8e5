//! The README's example of a package that uses the library compiles and runs.

use std::{fs, path::Path, process::Command};

const README: &str = include_str!("../../README.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The block after the heading of the library that starts with this line.
fn block(start: &str) -> &'static str {
    let (_, library) = README.split_once("**As a library**").unwrap();
    let (_, block) = library.split_once(start).unwrap();
    block.split_once("```").unwrap().0
}

/// `cargo test --test engine -- --ignored library`.
#[test]
#[ignore = "compiles the engine without its program"]
fn the_package_of_the_readme_runs() {
    let folder = tempfile::tempdir().unwrap();
    let dependencies = block("```toml\n").replace("../tropism", ROOT);
    let package = "[package]\nname = 'author'\nversion = '0.1.0'\nedition = '2024'\n";
    let body = block("```rust\n").replace("# Ok", "Ok");
    let profile = "[profile.dev]\ndebug = false\n";
    let main = format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{body}}}\n");
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), format!("{package}{dependencies}{profile}"))
        .unwrap();
    fs::write(folder.path().join("src/main.rs"), main).unwrap();
    fs::copy(Path::new(ROOT).join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("Some(Normal { role: Pawn, from: B5"), "{text}");
    assert!(text.ends_with(", Mate(9) for the side to move\n"), "{text}");
}
