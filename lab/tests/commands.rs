//! The commands of the real program, from games to weights.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../tests/engine/pages.rs"]
mod pages;

use pages::Shown;
use std::{env, fs, path::Path, process::Command};
use tempfile::TempDir;

const MINIMAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engines/minimal.toml");

/// The exit code, standard output and standard error of a run.
fn lab(arguments: &[&str]) -> (Option<i32>, String, String) {
    run(Path::new(env!("CARGO_BIN_EXE_tropism-lab")), arguments)
}

fn run(program: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What a run prints that succeeds and reports no error.
#[track_caller]
fn success((code, text, error): (Option<i32>, String, String)) -> String {
    assert_eq!((code, error.as_str()), (Some(0), ""), "{text}");
    text
}

/// The error of a run that fails.
#[track_caller]
fn failure((code, text, error): (Option<i32>, String, String)) -> String {
    assert_eq!(code, Some(2), "{text}{error}");
    error
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// The folder of this program and of the engine.
fn programs() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tropism-lab")).parent().unwrap()
}

/// The engine itself, as the judge. The tests of the engine build it beside this program.
fn judge() -> String {
    let judge = programs().join(format!("tropism{}", env::consts::EXE_SUFFIX));
    assert!(judge.exists(), "cargo build --bin tropism makes {}", judge.display());
    judge.display().to_string()
}

/// The judge of this test is a script: it labels one position and ends, says nothing more, or talks without an answer.
/// Its name is not in UTF-8. Before, it is one that knows no number of nodes.
#[cfg(unix)]
#[test]
fn the_labels_before_a_failure_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (data, judge) = (path(&folder, "games.txt"), path(&folder, "judge"));
    let position = "4k3/8/8/8/8/8/P7/4K3 b - - 0\n";
    fs::write(&data, format!("{position}= 0 1-0\n{position}= 1 1-0\n")).unwrap();
    let set_judge = |go: &str| {
        let script = format!(
            "#!/bin/sh\nasked=0\nwhile read -r line; do\ncase \"$line\" in\nuci) printf 'id name L\\351vy\\nuciok\\n' ;;\n\
             isready) echo readyok ;;\ngo*) asked=$((asked + 1))\n{go} ;;\nquit) exit ;;\nesac\ndone\n"
        );
        fs::write(&judge, script).unwrap();
        fs::set_permissions(&judge, fs::Permissions::from_mode(0o755)).unwrap();
    };
    set_judge("echo info nodes 6 score cp 83\necho bestmove g1f3");
    for words in
        [&["label", &data, "--out", "x", "--judge", &judge][..], &["match", "--against", &judge]]
    {
        let error = failure(lab(words));
        assert!(error.contains(" does not follow `go nodes "), "{error}");
    }
    for (end, reason) in [
        ("exit", "ended after"),
        ("cat >/dev/null", "has not answered"),
        ("while :; do echo info depth 1; sleep 0.1; done", "has not answered"),
    ] {
        let out = path(&folder, "labels.txt");
        set_judge(&format!("[ $asked -gt 2 ] && {end}\necho info score cp 30\necho bestmove a2a3"));
        let fixed = ["label", &data, "--out", &out, "--threads", "1", "--timeout", "1"];
        let error = failure(lab(&[&fixed[..], &["--judge", &judge]].concat()));
        assert!(error.contains(reason) && error.contains("\"go nodes 4000\""), "{error}");
        assert!(error.contains("keeps the labels of 1 games"), "{error}");
        let labels = fs::read_to_string(&out).unwrap();
        assert!(labels.ends_with("4k3/8/8/8/8/8/P7/4K3 b - - 0 | cp -30\n= 0 1-0\n"), "{labels}");
        fs::remove_file(&out).unwrap();
    }
}

/// The games of a match. The day does not matter.
fn games(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("[Date "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_match_continues_and_gives_the_same_games_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.pgn", "two.pgn"].map(|name| path(&folder, name));
    let play = |pgn: &str, more: &[&str]| {
        let fixed = ["match", MINIMAL, "--set", "material=0", "--hash", "1", "--pgn", pgn];
        success(lab(&[&fixed[..], &["--nodes", "50", "--games"], more].concat()))
    };
    let text = play(&one, &["8", "--concurrency", "1"]);
    assert!(
        text.starts_with("A: minimal.toml, SHA-256 ") && text.contains(", material=0\n8 games: ")
    );
    assert!(text.contains("\nB is weaker: -") && text.ends_with(" Elo after 8 games\n"), "{text}");

    // What is left after it was killed is completed, and the games do not depend on the threads.
    let whole = fs::read_to_string(&one).unwrap();
    fs::write(&two, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(play(&two, &["8", "--concurrency", "3"]), text);
    assert_eq!(games(&one), games(&two));
    assert_eq!(whole.matches("[Event ").count(), 8);

    // More games continue the match.
    let more = play(&one, &["10"]);
    assert!(more.contains("\n10 games: "), "{more}");
    assert!(fs::read_to_string(&one).unwrap().starts_with(&whole));
}

/// At a number of nodes, a game against a program is that against the same engine in this one.
#[test]
fn a_match_is_played_against_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let [within, other] = ["within.pgn", "other.pgn"].map(|name| path(&folder, name));
    let fixed = ["match", MINIMAL, "--nodes", "60", "--games", "4", "--hash", "1"];
    let play = |pgn: &str, more: &[&str]| lab(&[&fixed[..], &["--pgn", pgn], more].concat());
    success(play(&within, &[]));
    let judge = judge();
    let against = ["--against", &judge];
    let text = success(play(&other, &against));
    let moves = |path: &str| -> Vec<String> {
        let games = games(path);
        games.lines().filter(|line| !line.starts_with('[')).map(str::to_owned).collect()
    };
    assert_eq!(moves(&within), moves(&other));
    let whole = fs::read_to_string(&other).unwrap();
    assert!(
        whole.contains("[EngineA \"tropism ") && whole.contains(", program tropism"),
        "{whole}"
    );
    // The same command continues, and with another option it is another match.
    fs::write(&other, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(success(play(&other, &against)), text);
    let error = failure(play(&other, &["--against", &judge, "--option", "Hash=2"]));
    assert!(error.contains("its EngineA is "), "{error}");
    let clock =
        [&fixed[..2], &["--tc", "0.2+0.002", "--games", "2", "--hash", "1"], &against].concat();
    let text = success(lab(&[&clock[..], &["--pgn", &path(&folder, "clock.pgn")]].concat()));
    // Beside other work a game may be lost on time.
    assert!(text.contains("\n2 games: "), "{text}");
}

/// Runs a command until something is true, and sends Ctrl-C. Returns the exit code and standard error.
#[cfg(unix)]
fn stopped(words: &[&str], when: impl Fn() -> bool) -> (Option<i32>, String) {
    use std::process::Stdio;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tropism-lab"));
    let mut child =
        command.args(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !when() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, judge) = (path(&folder, "m.pgn"), judge());
    let fixed = ["match", MINIMAL, "--hash", "1", "--pgn", &pgn, "--games", "100000"];
    for more in [&["--nodes", "50"][..], &["--nodes", "51", "--against", &judge]] {
        let has_games = || fs::metadata(&pgn).is_ok_and(|file| file.len() > 0);
        let (code, error) = stopped(&[&fixed[..], more].concat(), has_games);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains("tropism-lab: stopped; ") && error.contains("continues the match"));
        fs::remove_file(&pgn).unwrap();
    }
}

#[test]
fn commands_print_what_the_page_shows() {
    let page = include_str!("commands.txt");
    let shown = pages::with_codes(pages::shown(page));
    assert!(shown.len() >= 35, "{}", shown.len());
    pages::assert_all(page, &shown, programs());
}

#[cfg(unix)]
#[test]
fn an_idea_whose_match_is_stopped_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (idea, out) = (path(&folder, "idea.toml"), path(&folder, "out"));
    fs::write(&idea, pages::file(include_str!("commands.txt"), "small.toml")).unwrap();
    let fixed = ["try", &idea, "--folder", &out, "--games", "24", "--nodes", "60"];
    let more = ["--match-nodes", "51", "--match-games", "100000"];
    let is_match = |path: &Path| path.extension().is_some_and(|it| it == "pgn");
    let has_games = |path: &Path| fs::metadata(path).is_ok_and(|file| file.len() > 0);
    let (code, error) = stopped(&[&fixed[..], &more].concat(), || {
        let mut files = fs::read_dir(&out).into_iter().flatten().filter_map(Result::ok);
        files.any(|file| is_match(&file.path()) && has_games(&file.path()))
    });
    assert!(code == Some(2) && error.contains("tropism-lab: stopped; "), "{error}");
}

/// The program of an author with one more term in Rust. The tests of this package build it beside the laboratory.
#[test]
fn a_laboratory_with_a_term_of_its_own_has_it_in_every_command() {
    let examples = Path::new(env!("CARGO_BIN_EXE_tropism-lab")).with_file_name("examples");
    let program = examples.join(format!("own_term{}", env::consts::EXE_SUFFIX));
    assert!(program.exists(), "cargo build -p tropism-lab --example own_term makes it");
    let folder = tempfile::tempdir().unwrap();
    let [positions, own, built_in] =
        ["positions.epd", "own.pgn", "built-in.pgn"].map(|name| path(&folder, name));
    fs::write(&positions, "4k3/p7/8/8/8/8/4P3/1R2K3 w - -\n").unwrap();
    let text = success(run(&program, &["counts", &positions, "--terms", "rook_tropism"]));
    let (head, line) = text.split_once('\n').unwrap();
    assert_eq!(head, "fen,phase,value,rook_tropism.distance");
    assert!(line.starts_with("4k3/") && line.ends_with(",7\n"), "{line}");

    let fixed = ["match", "--games", "2", "--nodes", "50", "--hash", "1"];
    let words = [&fixed[..], &["--set", "rook_tropism=0", "--pgn", &own]].concat();
    let text = success(run(&program, &words));
    assert!(text.contains(", rook_tropism=0\n2 games: "), "{text}");
    // The laboratory without this term is another program: its bench is another one.
    let error = failure(lab(&words));
    assert!(error.contains("the engine has no term \"rook_tropism\"; it has "), "{error}");
    let words = [&fixed[..], &["--set", "mobility=0", "--pgn", &built_in]].concat();
    success(lab(&words));
    let [own, built_in] = [own, built_in].map(|pgn| {
        let text = fs::read_to_string(pgn).unwrap();
        text.lines().find(|line| line.starts_with("[Program ")).unwrap().to_owned()
    });
    assert!(own.contains(", bench ") && own != built_in, "{own}");
}

/// Games, tuning and matches of `docs/write-a-term.md`.
#[test]
fn the_commands_print_what_the_page_on_terms_shows() {
    let page = include_str!("../../docs/write-a-term.md");
    let mut shown = pages::shown(page);
    shown.retain(|Shown { command, .. }| {
        command.contains("tropism-lab") || command.contains("tuned.toml")
    });
    assert_eq!(shown.len(), 2);
    pages::assert_all(page, &shown, programs());
}
