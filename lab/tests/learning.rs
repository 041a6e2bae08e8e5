//! From games to weights with the real program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{fs, path::Path, process::Command};
use tropism::eval::Engine;

fn tropism(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tropism-lab")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn games_are_played_and_weights_learnt_from_them() {
    let folder = std::env::temp_dir().join(format!("tropism-learning-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (data, tuned) = (path("games.txt"), path("tuned.toml"));

    let games = ["datagen", "--out", &data, "--games", "24", "--nodes", "60"];
    let (code, text, _) = tropism(&games);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("24 games, "), "{text}");
    // All that was asked for is there, so nothing is added.
    let before = fs::read_to_string(&data).unwrap();
    assert_eq!(tropism(&games).0, Some(0));
    assert_eq!(fs::read_to_string(&data).unwrap(), before);
    let (code, _, error) = tropism(&["datagen", "--out", &data, "--nodes", "61"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("go on with the settings it was made with"), "{error}");

    let minimal = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");
    let tune = ["--engine", minimal, "tune", &data, "--out", &tuned, "--epochs", "2"];
    let (code, text, error) = tropism(&tune);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(text.contains(" positions of 24 games, "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("epoch ")).count(), 3, "{text}");

    // What is frozen and what is no weight is there to the letter.
    let (old, new) = (fs::read_to_string(minimal).unwrap(), fs::read_to_string(&tuned).unwrap());
    let section = |text: &str| {
        text.split_once("[mop_up]").unwrap().1.split_once("# Bobby").unwrap().0.to_owned()
    };
    assert_eq!(section(&old), section(&new));
    assert!(new.starts_with("#: tuned ") && new.contains("\n#: data: games.txt: "), "{new}");
    Engine::load(Path::new(&tuned), &tropism::terms::registry()).unwrap();
    let _ = fs::remove_dir_all(folder);
}
