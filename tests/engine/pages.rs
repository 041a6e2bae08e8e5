//! Pages whose commands are run and whose outputs are compared.
//!
//! - `<!-- file NAME -->` before a block of code: the block is the file NAME.
//! - `<!-- in NAME: A -> B -->`: the file `broken.toml` is NAME with B instead of A.
//! - A line `$ COMMAND` in a block of text: the lines after it are its output. `...` stands for any
//!   lines, and at the end of a line for the rest of it.

use std::{env, fs, path::Path, process::Command};

/// A command of a page and the output that the page shows.
pub struct Shown {
    pub command: String,
    pub output: Vec<String>,
}

/// The blocks of code of a page, each with the line before it.
fn blocks(page: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = page.lines().collect();
    let mut blocks = Vec::new();
    let mut start = None;
    for (at, line) in lines.iter().enumerate() {
        match start {
            None if line.starts_with("```") => start = Some(at),
            Some(first) if *line == "```" => {
                let before = if first > 0 { lines[first - 1] } else { "" };
                blocks.push((before.to_owned(), lines[first + 1..at].join("\n") + "\n"));
                start = None;
            }
            _ => {}
        }
    }
    blocks
}

/// The text between two marks of a comment, such as `<!-- file ` and ` -->`.
fn marked<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    line.strip_prefix(start)?.strip_suffix(" -->")
}

/// The block that is marked as a file.
pub fn file(page: &str, name: &str) -> String {
    let mut blocks = blocks(page).into_iter();
    let block = blocks.find(|(before, _)| marked(before, "<!-- file ") == Some(name));
    block.unwrap_or_else(|| panic!("the page has no file {name}")).1
}

/// Writes the files of a page into a folder.
fn write_files(page: &str, folder: &Path) {
    for (before, text) in blocks(page) {
        if let Some(name) = marked(&before, "<!-- file ") {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        if let Some((name, change)) = marked(&before, "<!-- in ").and_then(|m| m.split_once(": ")) {
            let (old, new) = change.split_once(" -> ").unwrap();
            let text = fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.contains(old), "{old}");
            fs::write(folder.join("broken.toml"), text.replace(old, new)).unwrap();
        }
    }
}

/// All commands of a page in their order.
pub fn shown(page: &str) -> Vec<Shown> {
    let mut all = Vec::new();
    for (_, block) in blocks(page) {
        let mut in_command = false;
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                all.push(Shown { command: command.to_owned(), output: Vec::new() });
                in_command = true;
            } else if in_command {
                all.last_mut().unwrap().output.push(line.to_owned());
            }
        }
    }
    all
}

/// The commands with a last line `exit code CODE` for those that fail.
pub fn with_codes(shown: Vec<Shown>) -> Vec<Shown> {
    let with_code = |Shown { command, output }| {
        let print = "code=$?; [ $code = 0 ] || echo exit code $code;";
        Shown { command: format!("exec 2>&1\n{command}\n{print}"), output }
    };
    shown.into_iter().map(with_code).collect()
}

/// Runs commands of a page in a folder with its files.
pub fn assert_all(page: &str, shown: &[Shown], programs: &Path) {
    let folder = tempfile::tempdir().unwrap();
    write_files(page, folder.path());
    for shown in shown {
        assert_shown(shown, folder.path(), programs);
    }
}

/// Runs a command in a folder, with the programs of another folder on the path, and compares its output.
pub fn assert_shown(shown: &Shown, folder: &Path, programs: &Path) {
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = [programs.to_owned()].into_iter().chain(env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", &format!("{} 2>&1", shown.command)])
        .env_remove("COLUMNS")
        .current_dir(folder)
        .env("PATH", env::join_paths(paths).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<&str> = text.trim_end().lines().collect();
    assert!(
        matches(&shown.output, &found),
        "$ {}\nshows:\n{}\n\nbut prints:\n{text}",
        shown.command,
        shown.output.join("\n")
    );
}

/// Whether an output is what a page shows.
fn matches(shown: &[String], found: &[&str]) -> bool {
    match shown {
        [] => found.is_empty(),
        [dots, rest @ ..] if dots == "..." => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        [line, rest @ ..] => match (found, line.strip_suffix(" ...")) {
            ([], _) => false,
            ([first, others @ ..], Some(start)) => {
                first.starts_with(start) && matches(rest, others)
            }
            ([first, others @ ..], None) => first == line && matches(rest, others),
        },
    }
}
