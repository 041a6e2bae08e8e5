//! Tests of engine files: good ones, and the errors of bad ones.

use super::*;
use crate::eval::Term;
use crate::terms::registry;

const GOOD: &str = "name = 'small'\n\
    terms = ['mop_up']\n\
    [mop_up]\n\
    centre = [0, 4.7]\n\
    kings = [0, 1.6]\n\
    won = [0, 100]\n";

fn error(text: &str) -> String {
    Engine::parse(text, "small.toml", &registry()).unwrap_err().to_string()
}

#[test]
fn a_good_file() {
    let engine = Engine::parse(GOOD, "small.toml", &registry()).unwrap();
    assert_eq!(engine.name(), "small");
    assert_eq!(engine.terms().collect::<Vec<_>>(), ["mop_up"]);
}

#[test]
fn the_old_key_full_width_names_the_flag_that_replaced_it() {
    assert_eq!(
        error(&GOOD.replace("terms", "full_width = true\nterms")),
        "small.toml:2: full_width is no longer a key of engine files: it belongs to the search; \
         remove the line, and give `prove` the flag `--full-width`"
    );
}

#[test]
fn a_term_at_half_its_weight_or_switched_off() {
    let weights = |text: &str| Engine::parse(text, "small.toml", &registry()).unwrap();
    let half = GOOD.replace("won = [0, 100]", "won = [0, 100]\npercent = 50");
    assert_eq!(weights(GOOD).percent("mop_up"), Some(100));
    assert_eq!(weights(&half).percent("mop_up"), Some(50));
    assert_eq!(weights(&half).percent("kbnk"), None);
    let queen = crate::terms::testing::position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
    let value = |text: &str| weights(text).evaluate(&queen);
    assert!((value(GOOD) - 2 * value(&half)).abs() <= 1);
    assert_eq!(value(&half.replace("percent = 50", "percent = 0")), 0);
    assert_eq!(
        error(&half.replace("percent = 50", "percent = 401")),
        "small.toml:7: percent is out of range: 0 to 400"
    );
}

/// A file that builds on [`GOOD`].
fn on_base(text: &str) -> Result<Engine, EngineFileError> {
    let mut registry = registry();
    registry.add_base("small", GOOD);
    Engine::parse(&format!("name = 'x'\nbase = 'small'\n{text}"), "x.toml", &registry)
}

/// The endgame weights in tenths of a centipawn.
fn tenths(engine: &Engine) -> Vec<i32> {
    engine.weights().map(|weight| (weight.centipawns(0) * 10.0).round() as i32).collect()
}

#[test]
fn a_base_gives_what_a_file_leaves_out() {
    let same = on_base("").unwrap();
    assert_eq!((same.name(), tenths(&same)), ("x", vec![47, 16, 1000]));
    let other = on_base("[mop_up]\nkings = [0, 3]\npercent = 50\n").unwrap();
    assert_eq!(tenths(&other), [47, 30, 1000]);
    assert_eq!((other.percent("mop_up"), same.percent("mop_up")), (Some(50), Some(100)));
    // The section of another term adds it, unless `terms` leaves it out.
    let forks = "[knight_forks]\nfork = [5, 5]\nfamily = [6, 6]\n";
    let names = |text: &str| on_base(text).unwrap().terms().collect::<Vec<_>>();
    assert_eq!(names(forks), ["mop_up", "knight_forks"]);
    assert_eq!(names(&format!("terms = ['knight_forks']\n{forks}")), ["knight_forks"]);
    assert_eq!(names("terms = ['mop_up']\n"), ["mop_up"]);
}

#[test]
fn a_base_gives_the_parameters_of_a_term() {
    let parse = |text: &str| Engine::parse(text, "x.toml", &registry()).unwrap();
    let text = "name = 'x'\nbase = 'tropism'\nterms = ['king_pawn_tropism']\n";
    let [base, changed] = ["", "[king_pawn_tropism]\npassed = 100\n"]
        .map(|section| parse(&format!("{text}{section}")));
    // A passed pawn one move from White's king and another of Black's six moves away.
    let position = crate::terms::testing::position("k7/8/8/7p/4P3/4K3/8/8 w - - 0 1");
    let [passed, backward, other] = [6, 3, 2];
    let plain = crate::terms::king_pawn_tropism::KingPawnTropism::new(&[passed, backward, other]);
    let changed_term =
        crate::terms::king_pawn_tropism::KingPawnTropism::new(&[100, backward, other]);
    for (engine, term) in [(base, plain), (changed, changed_term)] {
        let mut counts = [0];
        engine.record(&position, &mut counts);
        let mut expected = [0];
        for (side, sign) in [(shakmaty::Color::White, 1), (shakmaty::Color::Black, -1)] {
            let mut sink = crate::eval::Record { counts: &mut expected, sign };
            term.measure(&crate::eval::EvalContext::new(&position), side, &mut sink);
        }
        assert_eq!(counts, expected);
    }
}

#[test]
fn errors_of_a_file_with_a_base() {
    let fault = |text: &str| on_base(text).unwrap_err().to_string();
    assert_eq!(
        fault("[mop_up]\nking = [0, 3]\n"),
        "x.toml:4: unknown key \"king\" in [mop_up]; did you mean \"kings\"?"
    );
    assert_eq!(
        fault("[knight_forks]\nfork = [5, 5]\n"),
        "x.toml:3: [knight_forks] lacks `family`: squares for safe forks of king and queen"
    );
    assert_eq!(
        fault("terms = ['mop_up', 'kbnk']\n"),
        "x.toml:3: term \"kbnk\" is listed, but its section [kbnk] is missing"
    );
    assert_eq!(
        error("name = 'x'\nbase = 'tropsim'\n"),
        "small.toml:2: unknown base \"tropsim\"; did you mean \"tropism\"?"
    );
    assert_eq!(
        error("name = 'x'\nbase = 3\n"),
        "small.toml:2: base must be a string, but is of type integer"
    );
}

#[test]
fn every_error_names_its_line_and_the_fix() {
    for (from, to, expected) in [
        ("name = 'small'\n", "", "small.toml:1: `name = \"...\"` is missing: what GUIs show"),
        (
            "name = 'small'",
            "name = 3",
            "small.toml:1: name must be a string, but is of type integer",
        ),
        (
            "name = 'small'",
            "nane = 'small'",
            "small.toml:1: unknown key \"nane\"; did you mean \"name\"?",
        ),
        (
            "terms = ['mop_up']\n",
            "",
            "small.toml:1: `terms = [...]` is missing: the terms to use, by name",
        ),
        ("['mop_up']", "'mop_up'", "small.toml:2: terms must be an array, but is of type string"),
        (
            "['mop_up']",
            "['mopup']",
            "small.toml:2: unknown term \"mopup\"; did you mean \"mop_up\"?",
        ),
        ("['mop_up']", "['mop_up', 'mop_up']", "small.toml:2: term \"mop_up\" is listed twice"),
        (
            "['mop_up']",
            "['mop_up', 'kbnk']",
            "small.toml:2: term \"kbnk\" is listed, but its section [kbnk] is missing",
        ),
        (
            "centre",
            "center",
            "small.toml:4: unknown key \"center\" in [mop_up]; did you mean \"centre\"?",
        ),
        (
            "kings = [0, 1.6]\n",
            "",
            "small.toml:3: [mop_up] lacks `kings`: king, rook steps from the enemy king",
        ),
        (
            "[0, 1.6]",
            "[0, 1.6, 3]",
            "small.toml:5: kings must be a pair [middlegame, endgame] of centipawns, or one number for both, but is an array of 3",
        ),
        ("1.6", "'x'", "small.toml:5: kings must be a number of centipawns, but is of type string"),
        ("1.6", "1e9", "small.toml:5: 1e9 is out of range for kings: -10000 to 10000"),
        ("1.6", "nan", "small.toml:5: nan is out of range for kings: -10000 to 10000"),
    ] {
        assert!(GOOD.contains(from));
        assert_eq!(error(&GOOD.replace(from, to)), expected);
    }
    assert!(error("name = \n").starts_with("small.toml:1: not valid TOML: "));
    assert!(error(&GOOD.replace("[mop_up]\n", "[mop_up\n")).starts_with("small.toml:3: "));
}

#[test]
fn an_unknown_name_without_a_near_one_gets_the_whole_list() {
    let names = registry().entries().iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
    let text = GOOD.replace("['mop_up']", "['zzzzzzzz']");
    assert_eq!(error(&text), format!("small.toml:2: unknown term \"zzzzzzzz\"; known are {names}"));
}

#[test]
fn the_section_of_a_term_that_is_not_listed_is_checked() {
    let text = GOOD.replace("['mop_up']", "[]").replace("kings", "kinks");
    assert_eq!(
        error(&text),
        "small.toml:5: unknown key \"kinks\" in [mop_up]; did you mean \"kings\"?"
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = Engine::load(Path::new("no/such.toml"), &registry()).unwrap_err();
    assert!(error.to_string().starts_with("no/such.toml: cannot be read: "));
}

#[test]
fn aims_are_endings_of_pieces_against_a_bare_king() {
    let read = |text: &str| Engine::parse(text, "x.toml", &crate::terms::registry());
    let names = |text: &str| -> Vec<String> {
        read(text).unwrap().aims().iter().map(ToString::to_string).collect()
    };
    assert!(names("name = 'x'\nterms = []").is_empty());
    assert_eq!(names("name = 'x'\naims = ['krk', 'KBNK']\nterms = []"), ["KRK", "KBNK"]);
    // Those of the base stay unless the file has its own.
    assert_eq!(names("name = 'x'\nbase = 'tropism'"), ["KQK", "KRK", "KBBK", "KBNK"]);
    assert!(names("name = 'x'\nbase = 'tropism'\naims = []").is_empty());
    for ending in ["KPK", "KRKN", "rook"] {
        let error = read(&format!("name = 'x'\naims = [\n'{ending}']\nterms = []")).unwrap_err();
        let expected = format!(
            "x.toml:3: \"{ending}\" is not an ending of pieces against a bare king, such as KRK or KBNK"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn terms_for_levels_are_no_part_of_the_evaluation() {
    let registry = crate::terms::registry();
    let read = |text: &str| Engine::parse(text, "x.toml", &registry);
    let text =
        "name = 'x'\nterms = []\nlevels = ['knight_forks']\n[knight_forks]\nfork = 1\nfamily = 2";
    let engine = read(text).unwrap();
    assert_eq!(engine.terms().count(), 0);
    assert!(engine.levels().unwrap().terms().eq(["knight_forks"]));
    // A file with a base changes them, and they stay what they are.
    let changed = read("name = 'x'\nbase = 'tropism'\n[kbnk_levels]\nwon = 7").unwrap();
    let default = crate::default_engine().unwrap();
    assert!(changed.terms().eq(default.terms()));
    let [old, new] = [&default, &changed].map(|engine| engine.levels().unwrap());
    assert!(old.terms().eq(new.terms()));
    assert_eq!(old.weights().zip(new.weights()).filter(|(old, new)| old != new).count(), 1);
    let none = read("name = 'x'\nbase = 'tropism'\nlevels = []").unwrap();
    assert!(none.levels().is_none());
    let error = read("name = 'x'\nterms = []\nlevels = ['kbnk_level']").unwrap_err();
    assert_eq!(
        error.to_string(),
        "x.toml:3: unknown term \"kbnk_level\"; did you mean \"kbnk_levels\"?"
    );
}
