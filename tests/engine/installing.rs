//! The configurations for other programs, the completions and the manual.

use crate::program;
use tempfile::tempdir;

fn output_of(arguments: &[&str]) -> String {
    program::run(arguments).success()
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
    const COMMANDS: [&str; 5] = ["bench", "eval", "explain", "manual", "practise"];
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
