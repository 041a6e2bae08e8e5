//! What `docs/write-a-term.md` shows is what the commands print. The commands of `tropism-lab` are run by
//! its own tests.

use crate::{pages, program};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const PAGE: &str = include_str!("../../docs/write-a-term.md");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_commands_print_what_the_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    pages::write_files(PAGE, folder.path());
    let programs = Path::new(program::PATH).parent().unwrap();
    let of_lab = |command: &str| command.contains("tropism-lab") || command.contains("learnt.toml");
    let mut count = 0;
    for shown in pages::shown(PAGE) {
        if !of_lab(&shown.command) && !shown.command.starts_with("cargo ") {
            pages::assert_shown(&shown, folder.path(), programs);
            count += 1;
        }
    }
    assert_eq!(count, 2);
}

/// Copies what the build needs.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let name = entry.unwrap().file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// Follows the part on Rust in a copy of the sources: about a minute.
/// `cargo test --test engine -- --ignored write_a_term`.
#[test]
#[ignore = "compiles a copy of the engine"]
fn the_term_in_rust_compiles_and_its_test_passes() {
    let folder = tempfile::tempdir().unwrap();
    let needed = [
        ".cargo",
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src",
        "engines",
        "docs",
        "examples",
        "templates",
        "lab",
        "playground",
        "benches",
        "config",
        "tests",
        "README.md",
    ];
    for name in needed {
        copy(&Path::new(ROOT).join(name), &folder.path().join(name));
    }
    fs::write(
        folder.path().join("src/terms/rook_tropism.rs"),
        pages::file(PAGE, "src/terms/rook_tropism.rs"),
    )
    .unwrap();
    let list = folder.path().join("src/terms/mod.rs");
    fs::write(&list, patched(&fs::read_to_string(&list).unwrap())).unwrap();

    let target: PathBuf = Path::new(program::PATH).ancestors().nth(2).unwrap().to_owned();
    // Without optimisation this takes a third of the time; the dependencies are those of the other tests.
    let output = Command::new(env!("CARGO"))
        .args(["test", "--locked", "--lib", "--config", "profile.dev.opt-level=0"])
        .args(["--", "rook_tropism", "the_table_of_terms"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", target)
        .env("UPDATE_DOCS", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("each_rook_counts_its_moves_to_the_other_king ... ok"), "{text}");
    let table = fs::read_to_string(folder.path().join("docs/terms.md")).unwrap();
    assert!(table.contains("| `rook_tropism` | A rook near the enemy king is a threat. |"));
}

/// The list of terms with the page's diff applied: each added line goes after the line before it.
fn patched(list: &str) -> String {
    let (_, diff) = PAGE.split_once("<!-- diff src/terms/mod.rs -->\n```diff\n").unwrap();
    let diff = diff.split_once("```").unwrap().0;
    let lines: Vec<&str> = diff.lines().collect();
    let mut text = list.to_owned();
    for pair in lines.windows(3) {
        let [before, added, after] = pair else { continue };
        if let (Some(before), Some(added), Some(after)) =
            (before.strip_prefix(' '), added.strip_prefix('+'), after.strip_prefix(' '))
        {
            // The line before and the line after stand in the file in this order.
            let at = text.find(&format!("{before}\n")).expect(before) + before.len() + 1;
            assert!(text[at..].contains(after), "{after}");
            text.insert_str(at, &format!("{added}\n"));
        }
    }
    assert_ne!(text, list);
    text
}

#[test]
fn the_diff_fits_the_list_of_terms() {
    let list = fs::read_to_string(Path::new(ROOT).join("src/terms/mod.rs")).unwrap();
    let patched = patched(&list);
    let correct = "correct the diff in docs/write-a-term.md";
    let modules = "mod placement;\nmod rook_tropism;\nmod shelter;\n";
    assert!(patched.contains(modules), "{correct}");
    let terms = "        .add::<initiative::Initiative>()\n        .add::<rook_tropism::RookTropism>()\n        .add_base(";
    assert!(patched.contains(terms), "{correct}");
}
