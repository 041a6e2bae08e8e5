//! The commands of the real program, from games to weights.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../tests/engine/pages.rs"]
#[expect(dead_code, reason = "the tests of the engine use the rest")]
mod pages;

use std::{fs, path::Path, process::Command};
use tempfile::TempDir;
use tropism::eval::Engine;

const MINIMAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");

/// The exit code, standard output and standard error of a run.
fn lab(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tropism-lab")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn games_are_played_and_weights_are_tuned_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let (data, tuned) = (path(&folder, "games.txt"), path(&folder, "tuned.toml"));

    let games = ["datagen", "--out", &data, "--games", "24", "--nodes", "60"];
    let (code, text, _) = lab(&games);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("24 games, "), "{text}");
    // The file has all games already, so nothing is added.
    let before = fs::read_to_string(&data).unwrap();
    assert_eq!(lab(&games).0, Some(0));
    assert_eq!(fs::read_to_string(&data).unwrap(), before);
    let (code, _, error) = lab(&["datagen", "--out", &data, "--nodes", "61"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("use the settings it was made with"), "{error}");

    let tune = ["--engine", MINIMAL, "tune", &data, "--out", &tuned, "--epochs", "2"];
    let (code, text, error) = lab(&tune);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(text.contains(" positions of 24 games, "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("epoch ")).count(), 3, "{text}");

    // Frozen weights and everything that is not a weight stay to the letter.
    let (old, new) = (fs::read_to_string(MINIMAL).unwrap(), fs::read_to_string(&tuned).unwrap());
    let section = |text: &str| {
        text.split_once("[mop_up_distance]")
            .unwrap()
            .1
            .split_once("\n[pawn_tropism]")
            .unwrap()
            .0
            .to_owned()
    };
    assert_eq!(section(&old), section(&new));
    Engine::load(Path::new(&tuned), &tropism::terms::registry()).unwrap();

    // The header says how the weights were made.
    let program = format!(", tropism-lab {}, commit ", env!("CARGO_PKG_VERSION"));
    assert!(new.contains("\n#: tune: 2") && new.contains(&program), "{new}");
    assert!(new.contains(", bench 2"), "{new}");
    let command = format!("\n#: tune: tropism-lab --engine {MINIMAL} tune {data} --out {tuned}");
    assert!(new.contains(&command), "{new}");
    assert!(new.contains("\n#: tune: data games.txt: "), "{new}");
}

#[test]
fn mating_weights_are_trained() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(&folder, "trained.toml");
    let train = ["train", "KQK", "--term", "kqk", "--out", &out, "--iterations", "2"];
    let (code, text, _) = lab(&train);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("iteration     0, 1 plies: 100.000 % proved"), "{text}");
    // The default engine is tuned, and its header stays.
    let trained = fs::read_to_string(&out).unwrap();
    assert!(trained.starts_with("#:schema schema.json\n#: train KQK: "), "{trained}");
    assert!(trained.contains("\n#: tune: "), "{trained}");
    Engine::load(Path::new(&out), &tropism::terms::registry()).unwrap();
}

#[test]
fn wrong_input_is_an_error_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, out) = (path(&folder, "empty.txt"), path(&folder, "out.toml"));
    fs::write(&empty, "").unwrap();
    for (arguments, reason) in [
        (&["tune", &empty, "--out", &out][..], "the data files have 0 games"),
        (&["calibrate", "wdl", &empty], "no whole game; `tropism-lab datagen --out FILE` makes"),
        (&["ablate", "thrats", "--games", "0"], "the engine has no term \"thrats\"; it has "),
        (&["train", "KRK", "--term", "rook", "--out", &out], "the engine has no term \"rook\""),
        (&["--engine", "nowhere.toml", "ablate"], "nowhere.toml"),
        (&["train", "KRK", "--term", "krk", "--out", &out, "--within", "0"], "--within"),
    ] {
        let (code, _, error) = lab(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {error}");
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
    assert!(!Path::new(&out).exists());
}

/// Games, tuning and matches of `docs/write-a-term.md`.
#[test]
fn the_commands_print_what_the_page_on_terms_shows() {
    let page = include_str!("../../docs/write-a-term.md");
    let folder = tempfile::tempdir().unwrap();
    pages::write_files(page, folder.path());
    let programs = Path::new(env!("CARGO_BIN_EXE_tropism-lab")).parent().unwrap();
    let mut count = 0;
    for shown in pages::shown(page) {
        if shown.command.contains("tropism-lab") || shown.command.contains("learnt.toml") {
            pages::assert_shown(&shown, folder.path(), programs);
            count += 1;
        }
    }
    assert_eq!(count, 4);
}
