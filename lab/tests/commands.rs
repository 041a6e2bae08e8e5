//! The commands of the real program, from games to weights.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../tests/engine/pages.rs"]
#[expect(dead_code, reason = "the tests of the engine use the rest")]
mod pages;

use pages::Shown;
use std::{env, fs, path::Path, process::Command};
use tempfile::TempDir;
use tropism::eval::Engine;

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
    assert!(error.contains("use the settings, the engine and the version"), "{error}");

    let tune =
        ["--engine", MINIMAL, "tune", &data, "--out", &tuned, "--epochs", "2", "--step", "0.1"];
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
    let (_, bench) = new.split_once(", bench ").unwrap();
    assert!(bench.starts_with(|first: char| first.is_ascii_digit()), "{new}");
    let command = format!("\n#: tune: tropism-lab --engine {MINIMAL} tune {data} --out {tuned}");
    assert!(new.contains(&command), "{new}");
    assert!(new.contains("\n#: tune: data games.txt: "), "{new}");
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

#[test]
fn positions_are_labelled_judged_and_tuned_to() {
    let folder = tempfile::tempdir().unwrap();
    let (data, judge) = (path(&folder, "games.txt"), judge());
    assert_eq!(lab(&["datagen", "--out", &data, "--games", "20", "--nodes", "60"]).0, Some(0));
    let label = |out: &str, more: &[&str]| {
        let out = path(&folder, out);
        let fixed = ["label", &data, "--judge", &judge, "--nodes", "50", "--option", "Hash=1"];
        let no_tables = ["--option", "ExactEndgames=false"];
        let (code, text, error) = lab(&[&fixed[..], &no_tables, &["--out", &out], more].concat());
        (code, text + &error, fs::read_to_string(&out).unwrap_or_default())
    };

    let (code, text, whole) = label("whole.txt", &["--threads", "1"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("20 games, ") && text.contains(" positions a second and core"));
    let head = "# tropism labels 1: judge tropism ";
    let facts = ", options Hash=1 ExactEndgames=false, nodes 50, part 1/1 of games.txt SHA-256 ";
    assert!(whole.starts_with(head) && whole.lines().next().unwrap().contains(facts), "{whole}");
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    let games = body(&fs::read_to_string(&data).unwrap());
    let without_label = |line: &str| line.split(" | ").next().unwrap().to_owned() + "\n";
    assert_eq!(body(&whole).lines().map(without_label).collect::<String>(), games);
    assert!(whole.lines().skip(1).all(|line| line.starts_with('=') || line.contains(" wdl ")));

    // Neither an interruption nor the number of threads changes the file.
    for length in [0, 30, whole.len() / 2] {
        fs::write(path(&folder, "cut.txt"), &whole[..length]).unwrap();
        let (code, text, cut) = label("cut.txt", &["--threads", "2"]);
        assert_eq!((code, &cut), (Some(0), &whole), "cut at {length}: {text}");
    }
    let (code, text, _) = label("cut.txt", &["--part", "1/2"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("use the settings, the engine and the version"), "{text}");

    // Two parts have the games of the whole.
    let parts = ["1/2", "2/2"].map(|part| label(&part.replace('/', "-"), &["--part", part]).2);
    let lines = |text: &str| {
        let mut lines: Vec<String> = body(text).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&format!("#\n{}{}", body(&parts[0]), body(&parts[1]))), lines(&whole));

    let labels = path(&folder, "whole.txt");
    let (code, text, error) = lab(&["judge", &labels, "--top", "3", "--worst", "2"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let positions = games.lines().filter(|line| !line.starts_with('=')).count();
    assert!(text.starts_with(&format!("{positions} positions of 20 games, ")), "{text}");
    assert!(text.contains(&format!("\n| all | {positions} | 0.0")), "{text}");
    assert!(text.contains("\n| 20 pieces or more | ") && !text.contains("candidate"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("| `")).count(), 2, "{text}");
    let by_odds = text;
    let judge = ["judge", &labels, "--centipawns", "--top", "0", "--candidates", MINIMAL];
    let (code, text, _) = lab(&judge);
    assert_eq!(code, Some(0));
    let all =
        |text: &str| text.lines().find(|line| line.starts_with("| all |")).unwrap().to_owned();
    assert_ne!(all(&text), all(&by_odds));
    assert!(text.contains("\n| candidate | ") && text.contains("\n| pawn_tropism."), "{text}");

    let tuned = path(&folder, "tuned.toml");
    let tune = ["tune", &labels, "--out", &tuned, "--epochs", "1", "--mix", "0.5"];
    let (code, _, error) = lab(&tune);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(fs::read_to_string(&tuned).unwrap().contains("\n#: tune: mix 0.5, labels with "));
}

#[test]
fn a_judge_that_fails_is_an_error_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (path(&folder, "games.txt"), path(&folder, "labels.txt"));
    let position = "4k3/8/8/8/8/8/P7/4K3 w - - 0\n";
    fs::write(&data, format!("{position}= 0 1-0\n{position}= 1 1-0\n")).unwrap();
    let judge = judge();
    let label = |judge: &str, more: &[&str]| {
        let fixed = ["label", &data, "--out", &out, "--threads", "1", "--nodes", "9"];
        let (code, _, error) = lab(&[&fixed[..], &["--judge", judge], more].concat());
        assert_eq!(code, Some(2), "{error}");
        error
    };
    let error = label("no-such-engine", &[]);
    assert!(error.contains("cannot start no-such-engine"), "{error}");
    // A command of the engine that does not speak UCI.
    let error = label(&judge, &["--argument", "words"]);
    assert!(error.contains(" ended after the command \"uci\""), "{error}");
    let error = label(&judge, &["--option", "Contempt=3"]);
    assert!(error.contains("has no option \"Contempt\"; it has Hash, "), "{error}");
    assert!(!Path::new(&out).exists());
}

/// As `tune` takes them: what is wrong is left out and named, and a line that was cut is the end.
#[test]
fn positions_that_are_none_are_left_out_of_labels() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (path(&folder, "games.txt"), path(&folder, "labels.txt"));
    let position = "4k3/8/8/8/8/8/P7/4K3 w - -";
    fs::write(&data, format!("{position} 0\n8/8/8/8/8/8/8/8 w - - 0\n= 1 1-0\n4k3/8/8")).unwrap();
    let fixed = ["label", &data, "--out", &out, "--threads", "1", "--nodes", "9"];
    let (code, text, error) = lab(&[&fixed[..], &["--judge", &judge()]].concat());
    assert!(code == Some(0) && text.starts_with("1 games, 1 positions;"), "{text}{error}");
    assert!(
        error.contains("left out: ") && error.contains("games.txt:2: \"8/8/8/8/8/8/8/8 w - -\": ")
    );
    assert_eq!(error.lines().count(), 1, "{error}");
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
    let script = "#!/bin/sh\nwhile read -r line; do\ncase \"$line\" in\nuci) echo uciok ;;\nisready) echo readyok ;;\n\
        go*) echo info nodes 6 score cp 83\necho bestmove g1f3 ;;\nquit) exit ;;\nesac\ndone\n";
    fs::write(&judge, script).unwrap();
    fs::set_permissions(&judge, fs::Permissions::from_mode(0o755)).unwrap();
    for words in
        [&["label", &data, "--out", "x", "--judge", &judge][..], &["match", "--against", &judge]]
    {
        let (code, _, error) = lab(words);
        assert!(code == Some(2) && error.contains(" does not follow `go nodes "), "{error}");
    }
    for (end, reason) in [
        ("exit", "ended after"),
        ("cat >/dev/null", "has not answered"),
        ("while :; do echo info depth 1; sleep 0.1; done", "has not answered"),
    ] {
        let out = path(&folder, "labels.txt");
        let script = format!(
            "#!/bin/sh\nasked=0\nwhile read -r line; do\ncase \"$line\" in\nuci) printf 'id name L\\351vy\\nuciok\\n' ;;\n\
             isready) echo readyok ;;\ngo*) asked=$((asked + 1))\n[ $asked -gt 2 ] && {end}\n\
             echo info score cp 30\necho bestmove a2a3 ;;\nquit) exit ;;\nesac\ndone\n"
        );
        fs::write(&judge, script).unwrap();
        fs::set_permissions(&judge, fs::Permissions::from_mode(0o755)).unwrap();
        let fixed = ["label", &data, "--out", &out, "--threads", "1", "--timeout", "1"];
        let (code, _, error) = lab(&[&fixed[..], &["--judge", &judge]].concat());
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(reason) && error.contains("\"go nodes 4000\""), "{error}");
        assert!(error.contains("keeps the labels of 1 games"), "{error}");
        let labels = fs::read_to_string(&out).unwrap();
        assert!(labels.ends_with("4k3/8/8/8/8/8/P7/4K3 b - - 0 | cp -30\n= 0 1-0\n"), "{labels}");
        fs::remove_file(&out).unwrap();
    }
}

/// The games of a file, in the order of their pairs. The day does not matter.
fn games(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let is_fixed = |line: &&str| !line.starts_with("[Date ");
    let mut games: Vec<String> = text
        .split_inclusive("\n\n[Event ")
        .map(|game| game.lines().filter(is_fixed).collect::<Vec<_>>().join("\n"))
        .map(|game| game.trim_end_matches("[Event ").trim().to_owned())
        .collect();
    games.sort();
    games
}

#[test]
fn a_match_continues_and_gives_the_same_games_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.pgn", "two.pgn"].map(|name| path(&folder, name));
    let play = |pgn: &str, more: &[&str]| {
        let fixed = ["match", MINIMAL, "--set", "material=0", "--hash", "1", "--pgn", pgn];
        lab(&[&fixed[..], more].concat())
    };
    let settings = ["--nodes", "50", "--games", "8"];
    let (code, text, error) = play(&one, &[&settings[..], &["--concurrency", "1"]].concat());
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(
        text.starts_with("A: minimal.toml, SHA-256 ") && text.contains(", material=0\n8 games: ")
    );
    assert!(text.contains("\nB is weaker: -") && text.ends_with(" Elo after 8 games\n"), "{text}");

    // What is left after it was killed is completed, and the games do not depend on the threads.
    let whole = fs::read_to_string(&one).unwrap();
    fs::write(&two, &whole[..whole.len() / 2]).unwrap();
    let (code, again, error) = play(&two, &[&settings[..], &["--concurrency", "3"]].concat());
    assert_eq!((code, error.as_str(), &again), (Some(0), "", &text));
    assert_eq!(games(&one), games(&two));
    assert_eq!(games(&one).len(), 8);

    // More games continue the match; anything else is another match.
    let (code, more, _) = play(&one, &["--nodes", "50", "--games", "10"]);
    assert!(code == Some(0) && more.contains("\n10 games: "), "{more}");
    let longer = fs::read_to_string(&one).unwrap();
    assert!(longer.starts_with(&whole));
    for (other, tag) in [
        (&["--nodes", "51"][..], "Limit"),
        (&["--nodes", "50", "--set", "pawn_tropism=0"], "EngineB"),
        (&["--nodes", "50", "--seed", "2"], "Openings"),
        (&["--nodes", "50", "--play-out"], "Adjudication"),
        (&["--nodes", "50", "--sprt", "-5", "0"], "Test"),
    ] {
        let (code, _, error) = play(&one, other);
        assert_eq!(code, Some(2), "{error}");
        let start = format!("one.pgn has games of another match: its {tag} is ");
        assert!(error.contains(&start), "{error}");
    }
    assert_eq!(fs::read_to_string(&one).unwrap(), longer);
}

#[test]
fn a_match_is_described_for_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, idea, book] = ["m.pgn", "an idea.toml", "960.epd"].map(|name| path(&folder, name));
    fs::write(&idea, IDEA).unwrap();
    fs::write(&book, "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd -\n").unwrap();
    let describe = |words: &[&str]| {
        let fixed = ["match", "--hash", "1", "--pgn", &pgn];
        let (code, text, error) = lab(&[&fixed[..], words].concat());
        assert_eq!((code, error.as_str()), (Some(0), ""));
        text
    };
    let text = describe(&[MINIMAL, "--set", "material=0", "--fastchess", "--nodes", "50"]);
    for part in [
        "tropism-lab openings > openings.epd\nfastchess -engine cmd=",
        " name=B \"args=--engine /",
        " \"option.material percent=0\" -engine cmd=",
        " -each tc=inf nodes=50 option.Hash=1 -openings file=openings.epd ",
        " -rounds 200 -games 2 -repeat ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("-variant"), "{text}");
    // fastchess splits the arguments of an engine at blanks outside quotes.
    let sprt = ["--sprt", "0", "3", "--normalised", "--alpha", "0.1"];
    let text = describe(&[&["--fastchess", &idea, "--openings", &book][..], &sprt].concat());
    assert!(text.contains(&format!(" \"args=--engine \\\"{idea}\\\"\" ")), "{text}");
    let sprt = "-variant fischerandom -sprt elo0=0 elo1=3 alpha=0.1 beta=0.05 model=normalized\n";
    assert!(text.ends_with(sprt), "{text}");

    let words = ["--openbench", "--tc", "3+0.03", "--sprt", "0", "5", &idea];
    let text = describe(&words);
    for line in [
        "Dev Branch         a branch in which engines/tropism.toml is the output of `tropism flatten \"",
        "Dev Options        Threads=1 Hash=1",
        "Base Branch        main",
        "Time Control       3.0+0.03",
        "Test Bounds        [0.00, 5.00]",
        "Test Confidence    [0.05, 0.05]",
    ] {
        assert!(text.lines().any(|shown| shown.starts_with(line)), "{text}");
    }
    // What is printed there needs no base, as the built-in engine file has none.
    let program = Path::new(&judge()).to_owned();
    let (code, whole, error) = run(&program, &["flatten", &idea]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(whole.contains("\n[material]\n") && whole.contains("\n[near.steps]\n"), "{whole}");
    assert!(!whole.contains("\nbase"), "{whole}");
}

/// At a number of nodes, a game against a program is that against the same engine in this one.
#[test]
fn a_match_is_played_against_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let [within, other] = ["within.pgn", "other.pgn"].map(|name| path(&folder, name));
    let fixed = ["match", MINIMAL, "--nodes", "60", "--games", "4", "--hash", "1"];
    let play = |pgn: &str, more: &[&str]| lab(&[&fixed[..], &["--pgn", pgn], more].concat());
    assert_eq!(play(&within, &[]).0, Some(0));
    let judge = judge();
    let against = ["--against", &judge];
    let (code, text, error) = play(&other, &against);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{text}");
    let moves = |path: &str| -> Vec<String> {
        let is_move = |line: &&str| !line.starts_with(['[', '"']);
        let mut all: Vec<String> =
            games(path).iter().map(|game| game.lines().filter(is_move).collect()).collect();
        all.sort();
        all
    };
    assert_eq!(moves(&within), moves(&other));
    let whole = fs::read_to_string(&other).unwrap();
    assert!(
        whole.contains("[EngineA \"tropism ") && whole.contains(", program tropism"),
        "{whole}"
    );
    // The same command continues, and with another option it is another match.
    fs::write(&other, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(play(&other, &against), (code, text, error));
    let (code, _, error) = play(&other, &["--against", &judge, "--option", "Threads=2"]);
    assert!(code == Some(2) && error.contains("its EngineA is "), "{error}");
    let (code, _, error) = play(&other, &["--option", "Threads=2"]);
    assert!(code == Some(2) && error.contains("for the program of --against"), "{error}");
    let clock =
        [&fixed[..2], &["--tc", "1+0.01", "--games", "2", "--hash", "1"], &against].concat();
    let (code, text, error) = lab(&[&clock[..], &["--pgn", &path(&folder, "clock.pgn")]].concat());
    assert!(
        code == Some(0) && text.contains("\n2 games: ") && !text.contains("on time"),
        "{error}{text}"
    );
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
fn a_match_of_an_engine_against_itself_warns() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = path(&folder, "match.pgn");
    let book = path(&folder, "book.epd");
    fs::write(&book, "7k/8/6K1/8/8/8/8/R7 w - -\n").unwrap();
    let fixed = ["match", "--nodes", "1", "--games", "2", "--hash", "1"];
    let (code, text, error) = lab(&[&fixed[..], &["--pgn", &pgn, "--openings", &book]].concat());
    assert_eq!(code, Some(0));
    assert!(error.contains("the match measures noise only; give another file"), "{error}");
    assert!(text.contains("\n2 games: B won 1, drew 0, lost 1; pairs 0 0 1 0 0; "), "{text}");
}

#[test]
fn wrong_input_is_an_error_with_a_reason() {
    let page = include_str!("refusals.txt");
    let shown = pages::with_codes(pages::shown(page));
    assert!(shown.len() >= 16, "{}", shown.len());
    pages::assert_all(page, &shown, programs());
}

const IDEA: &str = "name = 'idea'\nbase = 'tropism'\n[near]\ndoc = 'Rooks near the king.'\neach = 'rook in own.rooks'\n\
    steps = { count = '7 - chebyshev(rook, enemy.king)', unit = 'steps', worth = [2, 2] }\n";

#[test]
fn an_idea_is_tried_and_the_same_command_continues() {
    let folder = tempfile::tempdir().unwrap();
    let (idea, out) = (path(&folder, "idea.toml"), path(&folder, "out"));
    fs::write(&idea, IDEA).unwrap();
    let fixed = ["try", &idea, "--folder", &out, "--games", "24", "--nodes", "60"];
    let run = |games| lab(&[&fixed[..], &["--match-nodes", "50", "--match-games", games]].concat());
    let (code, text, error) = run("4");
    assert_eq!((code, error.as_str()), (Some(0), ""), "{text}");
    let parts = [
        "1. Check of near\n",
        " positions and their mirror images have opposite values; the new terms take ",
        "\n2. Games for the weights\ntropism-lab datagen --out ",
        "\n24 games, ",
        "\n3. Counts in the positions of these games\nnear.steps ",
        "\n5. Weights of the new terms\ntropism-lab --engine ",
        "\nepoch   0 ",
        "\n6. The match: B has the new terms\ntropism-lab match ",
        "\n4 games: ",
        "\n7. What next\nNo decision yet: the same command continues the match, ",
    ];
    let mut rest = text.as_str();
    for part in parts {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part:?} in {text}")).1;
    }
    // Only the new weight is fitted, and what is there is not made again.
    let tuned = fs::read_to_string(folder.path().join("out/tuned.toml")).unwrap();
    assert!(tuned.contains("base = 'tropism'\n[near]"), "{tuned}");
    let frozen = tuned.lines().find(|line| line.contains("frozen: ")).unwrap();
    assert!(frozen.contains(" mobility ") && !frozen.contains(" near"), "{frozen}");
    let (code, again, _) = run("6");
    assert_eq!(code, Some(0));
    assert!(again.contains("tuned.toml has them; delete it to fit them again\n"), "{again}");
    assert!(again.contains("\n6 games: "), "{again}");
    assert_eq!(fs::read_to_string(folder.path().join("out/tuned.toml")).unwrap(), tuned);

    // Stopped in its match, it says so; the file of a match is named by its settings.
    #[cfg(unix)]
    {
        let more = ["--match-nodes", "51", "--match-games", "100000"];
        let names = || fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let before: Vec<_> = names().collect();
        let (code, error) = stopped(&[&fixed[..], &more].concat(), || {
            names().any(|path| !before.contains(&path) && fs::metadata(path).unwrap().len() > 0)
        });
        assert!(code == Some(2) && error.contains("tropism-lab: stopped; "), "{error}");
    }

    // Without a worth there is nothing to test; a file of somebody else is not written over.
    fs::write(&idea, IDEA.replace("[2, 2]", "[0, 0]")).unwrap();
    let (code, text, _) = run("4");
    assert!(code == Some(0) && text.contains("\nEvery new weight is 0, "), "{text}");
    fs::write(folder.path().join("out/tuned.toml"), "name = 'mine'").unwrap();
    let (code, _, error) = run("4");
    assert!(code == Some(2) && error.contains("was not written by `tropism-lab tune`"), "{error}");

    fs::write(&idea, "name = 'x'\nbase = 'tropism'\n").unwrap();
    let (code, _, error) = run("4");
    assert_eq!(code, Some(2));
    assert!(error.contains("has all terms of this file; write a new term"), "{error}");
}

#[test]
fn an_ablation_continues_with_the_terms_that_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(&folder, "table.md");
    let ablate = |more: &[&str]| {
        let fixed = ["--engine", MINIMAL, "ablate", "--games", "2", "--nodes", "20", "--out", &out];
        lab(&[&fixed[..], more].concat())
    };
    let (code, text, error) = ablate(&["material"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let table = fs::read_to_string(&out).unwrap();
    assert!(table.starts_with("<!-- ") && table.ends_with(&text), "{table}");
    // A row that was cut is measured again, and one that is there is not.
    fs::write(&out, format!("{table}| mop_up_dis")).unwrap();
    let (code, again, _) = ablate(&[]);
    assert!(code == Some(0) && again.starts_with(&text) && again.lines().count() > 4, "{again}");
    assert_eq!(fs::read_to_string(&out).unwrap(), table.replace(&text, &again));
    let (code, _, error) = ablate(&["--seed", "2"]);
    assert!(
        code == Some(2) && error.contains("use the settings, the engine and the version"),
        "{error}"
    );
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
    fs::write(&positions, "4k3/8/8/8/8/8/4P3/1N2K3 w - -\n").unwrap();
    let (code, text, error) = run(&program, &["counts", &positions, "--terms", "knight_tropism"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let (head, line) = text.split_once('\n').unwrap();
    assert_eq!(head, "fen,phase,value,knight_tropism.distance");
    assert!(line.starts_with("4k3/") && line.ends_with(",4\n"), "{line}");

    let fixed = ["match", "--games", "2", "--nodes", "50", "--hash", "1"];
    let words = [&fixed[..], &["--set", "knight_tropism=0", "--pgn", &own]].concat();
    let (code, text, error) = run(&program, &words);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(text.contains(", knight_tropism=0\n2 games: "), "{text}");
    // The laboratory without this term is another program: its bench is another one.
    let (code, _, error) = lab(&words);
    assert_eq!(code, Some(2));
    assert!(error.contains("the engine has no term \"knight_tropism\"; it has "), "{error}");
    let words = [&fixed[..], &["--set", "mobility=0", "--pgn", &built_in]].concat();
    assert_eq!(lab(&words).0, Some(0));
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
