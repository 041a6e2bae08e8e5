//! Tests of engine files: good ones, and the errors of bad ones.

use super::*;
use crate::eval::{Declared, EvalContext};
use crate::terms::king_pawn_tropism::KingPawnTropism;
use crate::terms::registry;
use crate::testing::{measured, position};
use shakmaty::Color;

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
fn a_term_at_half_its_weight_or_switched_off() {
    let weights = |text: &str| Engine::parse(text, "small.toml", &registry()).unwrap();
    let half = GOOD.replace("won = [0, 100]", "won = [0, 100]\npercent = 50");
    assert_eq!(weights(GOOD).percent("mop_up"), Some(100));
    assert_eq!(weights(&half).percent("mop_up"), Some(50));
    assert_eq!(weights(&half).percent("kbnk"), None);
    let queen = crate::testing::position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
    let value = |text: &str| weights(text).evaluate(&queen);
    assert!((value(GOOD) - 2 * value(&half)).abs() <= 1);
    assert_eq!(value(&half.replace("percent = 50", "percent = 0")), 0);
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
    let names = |text: &str| {
        let engine = on_base(text).unwrap();
        engine.terms().map(str::to_owned).collect::<Vec<_>>()
    };
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
    let fen = "k7/8/8/7p/4P3/4K3/8/8 w - - 0 1";
    let [plain, changed_term] = [6, 100].map(|passed| KingPawnTropism::new(&[passed, 3, 2]));
    for (engine, term) in [(base, plain), (changed, changed_term)] {
        let mut counts = [0];
        engine.record(&position(fen), &mut counts);
        let [white, black] = Color::ALL.map(|side| measured(&term, fen, side)[0].1);
        assert_eq!(counts, [white - black]);
    }
}

#[test]
fn errors_of_a_file_with_a_base() {
    let fault = |text: &str| on_base(text).unwrap_err().to_string();
    assert_eq!(
        fault("[knight_forks]\nfork = [5, 5]\n"),
        "x.toml:3:1: [knight_forks] lacks `family`: squares for safe forks of king and queen\n  \
         [knight_forks]\n  ^^^^^^^^^^^^^^"
    );
    assert_eq!(
        fault("terms = ['mop_up', 'kbnk']\n"),
        "x.toml:3:20: term \"kbnk\" is listed, but its section [kbnk] is missing\n  \
         terms = ['mop_up', 'kbnk']\n                     ^^^^^^"
    );
}

#[test]
fn each_section_tells_its_first_mistake() {
    let forks = "[knight_forks]\nfork = [5, 5, 5]\nfamily = 'x'\n";
    let term = "[x]\ndoc = 'x'\nwhen = 'own.kng'\n[x.y]\nunit = 'u'\nworth = 1\n";
    let text = GOOD.replace("kings", "kinks") + forks + term;
    let wrong_pair =
        "fork must be a pair [middlegame, endgame] of centipawns, or one number for both";
    assert_eq!(
        error(&text),
        format!(
            "small.toml:5:1: unknown key \"kinks\" in [mop_up]; did you mean \"kings\"?\n  \
             kinks = [0, 1.6]\n  ^^^^^\n\
             small.toml:8:8: {wrong_pair}, but is an array of 3\n  \
             fork = [5, 5, 5]\n         ^^^^^^^^^\n\
             small.toml:12:9: unknown word `own.kng`; did you mean \"own.king\"?\n  \
             when = 'own.kng'\n          ^^^^^^^"
        )
    );
    let many: String = (0..100).map(|number| term.replace("[x", &format!("[x{number}"))).collect();
    let errors = Engine::parse(&format!("{GOOD}{many}"), "x", &registry()).unwrap_err();
    assert_eq!(errors.others.len(), MAX_FAULTS - 1);
    assert!(errors.others.iter().all(|other| other.others.is_empty()));
}

#[test]
fn a_missing_file_is_named() {
    let error = Engine::load(Path::new("no/such.toml"), &registry()).unwrap_err();
    assert!(error.to_string().starts_with("no/such.toml: cannot be read: "));
}

#[test]
fn a_file_that_is_not_in_utf8_is_refused_with_its_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"name = 'x'\n# Z\xfcrich\nterms = []\n").unwrap();
    let error = Engine::load(file.path(), &registry()).unwrap_err();
    assert_eq!((error.line, error.column), (Some(2), Some(4)));
    assert_eq!(error.message, "byte 0xFC is not UTF-8: save the file in UTF-8");
}

#[test]
fn a_number_for_the_tuner_is_read_as_its_value() {
    let file = |reach: &str| {
        format!(
            "name = 'x'\nterms = ['near']\n[near]\ndoc = 'Near.'\nlet.reach = {reach}\n\
             [near.king]\ncount = 'reach * count(own.pawns)'\n\
             unit = 'steps'\nworth = 10\n"
        )
    };
    let tunable = file("{ value = -3, from = -5, to = 7 }");
    let [number] = &Engine::tunable_numbers(&tunable)[..] else { panic!("{tunable}") };
    assert_eq!((&*number.terms, number.value), (&["near".to_owned()][..], -3));
    assert_eq!(number.range, -5..=7);
    let other = number.write_into(&tunable, 7);
    assert_eq!(other, file("{ value = 7, from = -5, to = 7 }"));
    let pawn = position("8/8/8/2k5/8/2K5/P7/8 w - - 0 1");
    let registry = registry();
    let counts = |text: &str| {
        let mut counts = vec![0];
        Engine::parse(text, "small.toml", &registry).unwrap().record(&pawn, &mut counts);
        counts
    };
    assert_eq!(counts(&other), counts(&file("'7'")));
    assert_eq!(counts(&tunable), counts(&file("'-3'")));
    // One of the file belongs to the terms that read it, by another name of the file too.
    let shared = tunable.replace("let.reach = { value = -3, from = -5, to = 7 }\n", "");
    let shared = shared.replace("reach *", "twice *").replace(
        "[near]\n",
        "[let]\nreach = { value = 3, from = 1, to = 7 }\ntwice = '2 * reach'\n[near]\n",
    );
    assert_eq!(Engine::tunable_numbers(&shared)[0].terms, ["near"]);
    Engine::parse(&shared, "small.toml", &registry).unwrap();
}

/// The queen against the rook without pawns, and bishops on different colours.
const QUEEN: &str = "4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1";
const BISHOPS: &str = "4k1b1/pp6/8/8/8/8/PPP5/B3K3 w - - 0 1";

/// What is left of an advantage of White in an engine with these sections, in 64ths, and why.
fn scaled(base: Option<&str>, sections: &str, fen: &str) -> (i32, String) {
    let mut registry = registry();
    let base = base.map(|text| {
        let text = format!("name = 'base'\nterms = []\n{text}");
        registry.add_base("base", text.leak());
        "base = 'base'"
    });
    let text = format!("name = 'x'\n{}\n{sections}", base.unwrap_or("terms = []"));
    let engine = Engine::parse(&text, "x.toml", &registry).unwrap();
    let found = engine.scale(&EvalContext::new(&position(fen)), Color::White);
    found.map_or((64, String::new()), |(scale, share)| (share, scale.name.to_string()))
}

#[test]
fn scale_factors_are_changed_switched_off_and_written() {
    let is = |found: (i32, String), share, name: &str| assert_eq!(found, (share, name.to_owned()));
    // A file without sections uses the usual ones, and the default engine has the same numbers.
    for text in ["", "[scale]\n", "scale.blockade.on = true\n"] {
        is(scaled(None, text, QUEEN), 40, "no_pawns");
        is(scaled(None, text, BISHOPS), 34, "opposite_bishops");
    }
    let default = crate::default_engine().unwrap();
    let usual = Engine::parse("name = 'x'\nterms = []", "x", &registry()).unwrap();
    for (one, other) in default.loaded_scales().iter().zip(usual.loaded_scales()) {
        assert_eq!((&one.entry.name, one.share), (&other.entry.name, other.share));
    }
    is(scaled(None, "scale.no_pawns.keeps = 50\n", QUEEN), 32, "no_pawns");
    let off = "scale.no_pawns.on = false\n";
    is(scaled(None, off, QUEEN), 64, "");
    // The base switches it off, the file switches it on again.
    is(scaled(Some(off), "", QUEEN), 64, "");
    is(scaled(Some(off), "scale.no_pawns.on = true\n", QUEEN), 40, "no_pawns");
    // A scale factor of the file comes before the others, but after the known draws. `own` is the side ahead.
    is(
        scaled(
            None,
            "[scale.mine]\ndoc = 'd'\nsays = 's'\nkeeps = 50",
            "4k3/p7/8/8/8/8/8/N3K3 w - - 0 1",
        ),
        0,
        "cannot_mate",
    );
    let mine = "[scale.mine]\ndoc = 'd'\nsays = 's'\nwhen = 'any(own.queens)'\n";
    for (keeps, share) in [
        ("25", 16),
        ("'20 + 5 * count(enemy.rooks)'", 16),
        ("'-7 - phase'", 0),
        ("'1000 + phase'", 64),
    ] {
        let text = format!("{mine}keeps = {keeps}\n");
        is(scaled(None, &text, QUEEN), share, "mine");
        is(scaled(None, &text, BISHOPS), 34, "opposite_bishops");
        is(scaled(Some(&text), "scale.mine.on = false\n", QUEEN), 40, "no_pawns");
    }
    let base = format!("{mine}keeps = 25\n");
    is(scaled(Some(&base), "scale.mine.keeps = 50\n", QUEEN), 32, "mine");
    is(
        scaled(
            Some(&base),
            &mine.replace("any", "not any").replace("\nsays", "\nkeeps = 1\nsays"),
            QUEEN,
        ),
        40,
        "no_pawns",
    );
    // Pieces that mate a bare king keep all, unless the file knows a draw.
    let bare = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    is(scaled(None, &base, bare), 64, "");
    is(scaled(None, &format!("{mine}keeps = 0\n"), bare), 0, "mine");
}

#[test]
fn shipped_files_have_nothing_in_vain() {
    for file in ["tropism", "minimal", "hunter", "miser", "builder"] {
        let path = format!("{}/engines/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let engine = Engine::load(Path::new(&path), &registry()).unwrap();
        assert_eq!(engine.warnings(), [""; 0], "{file}");
    }
}

#[test]
fn columns_do_not_count_a_byte_order_mark() {
    let text = error("\u{feff}name = 3\n");
    assert!(text.starts_with("small.toml:1:8: "), "{text}");
    // Found by fuzzing: a mark at the start of a later line was not shown either, although the mistake began there.
    let text = error(
        "name = 'x'\nterms = ['t']\n[t]\ndoc = 'x'\n[t.w]\nunit = 'x'\nworth = [1, 1]\n\
         count = '''\n\u{feff}own.pawns'''\n",
    );
    assert!(
        text.starts_with("small.toml:9:1: ") && text.contains("\n  \u{feff}own.pawns"),
        "{text}"
    );
}

#[test]
fn a_term_in_rust_with_the_name_of_a_built_in_term_says_so() {
    let mut entry = KingPawnTropism::entry();
    entry.name = "mop_up".into();
    let mut registry = registry();
    registry.add_entry(entry);
    let error = Engine::parse(GOOD, "small.toml", &registry).unwrap_err().to_string();
    assert!(error.contains("called \"mop_up\", which replaces the built-in one"), "{error}");
}

#[test]
fn scale_factors_have_numbers_for_the_tuner() {
    let numbers = Engine::tunable_numbers(
        "[scale.mine]\nlet.few = { value = 1, from = 0, to = 2 }\nkeeps = { value = 25, from = 0, to = 50 }\n",
    );
    let numbers: Vec<_> = numbers.iter().map(|it| (&*it.name, &*it.terms[0], it.value)).collect();
    assert_eq!(numbers, [("few", "scale.mine", 1), ("keeps", "scale.mine", 25)]);
}

/// An author's crate learns it when the first file is read.
#[test]
fn a_term_in_rust_with_a_bad_name_is_refused() {
    let error = |change: fn(&mut crate::eval::Entry)| {
        let mut entry = KingPawnTropism::entry();
        change(&mut entry);
        let mut registry = Registry::default();
        registry.add_entry(entry);
        Engine::parse("name = 'x'\nterms = []", "x.toml", &registry).unwrap_err().to_string()
    };
    let rule = "cannot be a name: use lower-case letters";
    let named = error(|entry| entry.name = "Kings and pawns".into());
    let term = "x.toml: the term \"Kings and pawns\" of this program: \"Kings and pawns\"";
    assert!(named.starts_with(&format!("{term} {rule}")), "{named}");
    let themed = error(|entry| entry.theme = "king safety".into());
    assert!(themed.contains(&format!("program: \"king safety\" {rule}")), "{themed}");
    assert!(error(|entry| entry.name = "terms".into()).ends_with("is a key of engine files"));
}
