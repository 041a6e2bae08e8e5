//! The configurations for other programs, the completions and the manual.

use crate::program::{self, PATH as PROGRAM};
use std::{fs, path::Path, process::Command};
use tempfile::{tempdir, tempdir_in};

fn output_of(arguments: &[&str]) -> String {
    program::run(arguments).success()
}

#[test]
fn cute_chess_gets_its_entries_once_and_keeps_the_others() {
    // The entry of the minimal engine needs its file above the program, as in a clone, wherever this test was
    // built. A link, because a fresh copy may be refused as busy while another test starts a program.
    let folder = tempdir_in(Path::new(PROGRAM).parent().unwrap()).unwrap();
    let program = folder.path().join(Path::new(PROGRAM).file_name().unwrap());
    fs::hard_link(PROGRAM, &program).unwrap();
    fs::create_dir(folder.path().join("engines")).unwrap();
    let minimal = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");
    fs::copy(minimal, folder.path().join("engines/minimal.toml")).unwrap();
    let output = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments);
        program::finish(command, b"").success()
    };
    let list = folder.path().join("engines.json");
    fs::write(&list, r#"[{"name": "other", "command": "other", "new key": {"b": 1, "a": 2}}]"#)
        .unwrap();
    let file = list.to_str().unwrap();
    let install = ["install-config", "cutechess", "--file", file];
    assert!(output(&install).ends_with("engines.json.1.bak\n"));
    let text = fs::read_to_string(&list).unwrap();
    let entries: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entries.as_array().unwrap().len(), 3);
    assert_eq!(entries[0]["new key"]["a"], 2);
    assert_eq!(entries[1]["command"], program.to_str().unwrap());
    assert_eq!(entries[2]["options"][0]["value"], "engines/minimal.toml");
    assert_eq!(output(&install), format!("{file} is up to date\n"));
    assert_eq!(fs::read_to_string(&list).unwrap(), text);
}

#[test]
#[cfg(unix)]
fn the_engine_list_is_in_the_folder_of_cute_chess() {
    let settings = tempdir().unwrap();
    let mut command = program::command(&["install-config", "cutechess"]);
    command.env("XDG_CONFIG_HOME", settings.path());
    program::finish(command, b"").success();
    assert!(settings.path().join("cutechess/engines.json").is_file());
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_engine_list_as_it_was() {
    // A report of a list that was empty after the disk was full, and its copy too. A limit on the size of files stands
    // for the disk; it counts in blocks of 512 bytes.
    let install = |list: &Path, blocks: usize| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", PROGRAM, "install-config", "cutechess", "--file"]);
        program::finish(
            {
                command.arg(list);
                command
            },
            b"",
        )
    };
    let entry =
        |length: usize| format!(r#"[{{"name": "other", "note": "{}"}}]"#, "x".repeat(length));
    // No room for the copy; room for the copy and not for the new entries; no list yet.
    for (before, blocks) in [(Some(entry(2_000)), 1), (Some(entry(900)), 2), (None, 0)] {
        let folder = tempdir().unwrap();
        let list = folder.path().join("engines.json");
        before.iter().for_each(|text| fs::write(&list, text).unwrap());
        let error = install(&list, blocks).refusal();
        let kept = if before.is_some() { "nothing is changed" } else { "is not written" };
        assert!(error.contains(kept), "{error}");
        assert_eq!(fs::read_to_string(&list).ok(), before);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), usize::from(before.is_some()));
    }
}

#[test]
fn the_shown_configuration_names_this_program() {
    let entries = output_of(&["install-config", "cutechess", "--print"]);
    assert!(entries.contains(&serde_json::to_string(PROGRAM).unwrap()), "{entries}");
}

/// `config/openbench` goes to a server as it is.
#[test]
fn the_openbench_file_is_json_with_the_keys_that_its_server_needs() {
    let json: serde_json::Value =
        serde_json::from_str(include_str!("../../config/openbench/tropism.json")).unwrap();
    assert!(json["nps"].as_u64().unwrap() > 0 && json["private"] == false);
    assert_eq!(json["build"]["path"], "");
    let needed = concat!("cargo>=", env!("CARGO_PKG_RUST_VERSION"), ".0");
    assert_eq!(json["build"]["compilers"][0], needed);
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(json[presets]["default"].is_object(), "{presets}");
    }
}

#[test]
fn completions_and_manual_have_every_command() {
    const COMMANDS: [&str; 6] =
        ["bench", "eval", "explain", "install-config", "manual", "practise"];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = output_of(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| text.contains(command)), "{shell}");
    }
    let page = output_of(&["manual"]);
    assert!(page.contains("\n.TH tropism 1"), "{page}");
    let folder = tempdir().unwrap();
    let pages = folder.path();
    assert_eq!(output_of(&["manual", "--dir", pages.to_str().unwrap()]), "");
    for command in COMMANDS {
        assert!(pages.join(format!("tropism-{command}.1")).is_file(), "{command}");
    }
}
