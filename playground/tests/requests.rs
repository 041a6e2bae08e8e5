//! What the page asks: requests and their answers in JSON, without a browser.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use shakmaty::Square;
use tropism_playground::Playground;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SMALL: &str = "name = 'small'\nbase = 'tropism'\n";
const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";

fn raw(name: &str, request: &Value) -> Value {
    serde_json::from_str(&Playground::new().answer(name, &request.to_string())).unwrap()
}

fn answer(name: &str, request: Value) -> Value {
    let answer = raw(name, &request);
    assert_eq!(answer["problem"], Value::Null, "{request}");
    answer
}

/// The sentence about what is wrong.
fn problem(name: &str, request: Value) -> String {
    let answer = raw(name, &request);
    answer["problem"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn a_position_is_evaluated_with_the_drawing_of_a_term() {
    let mut request = json!({ "start": "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1", "moves": ["b5b6"], "engine": SMALL,
        "picked": "passed_pawns", "percents": { "mobility": 0 } });
    let shown = answer("evaluate", request.clone());
    let after = "8/8/1P3k2/8/3K4/8/8/8 b - - 0 1";
    let history = json!([{ "uci": "b5b6", "san": "b6", "after": after }]);
    assert_eq!((&shown["game"]["history"], &shown["game"]["fen"]), (&history, &json!(after)));
    assert_eq!([&shown["game"]["turn"], &shown["game"]["result"]], ["black", "*"]);
    let layers = &shown["evaluation"]["layers"];
    let over = layers["over"].as_str().unwrap();
    assert!(over.starts_with("<svg") && over.contains("b6\n"), "{over}");
    assert!(layers["under"].as_str().unwrap().contains("tint white"), "{layers}");
    let terms = shown["evaluation"]["terms"].as_array().unwrap();
    let sum: f64 = terms.iter().map(|term| term["total"].as_f64().unwrap()).sum();
    assert!((sum - shown["evaluation"]["value"].as_f64().unwrap()).abs() < 1e-6);
    assert!(terms.iter().any(|term| term["name"] == "mobility" && term["percent"] == 0));
    // A turned board has the drawing on turned squares, whose tooltips name the real ones.
    request["flipped"] = true.into();
    let turned = answer("evaluate", request);
    let turned = turned["evaluation"]["layers"]["over"].as_str().unwrap();
    assert!(turned != over && turned.contains("b6\n"), "{turned}");
    // An address of an analysis board is a position, too.
    let link = "https://lichess.org/analysis/8/8/5k2/1P6/3K4/8/8/8_w_-_-_0_1";
    let pasted = answer("evaluate", json!({ "start": link, "engine": SMALL }));
    assert_eq!(pasted["game"]["start"], "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1");
}

#[test]
fn mistakes_are_said_in_words_those_of_engine_files_with_line_and_column() {
    let near = "[near]\ndoc = 'x'\n[near.king]\nunit = 'moves'\ncount = \"chebyshev(own.king, enemy.kng)\"\nworth = [1, 1]\n";
    let shown = answer("evaluate", json!({ "start": START, "engine": format!("{SMALL}{near}") }));
    let error = &shown["error"];
    assert_eq!([&error["line"], &error["column"], &error["length"]], [7, 30, 9]);
    assert!(error["message"].as_str().unwrap().contains("enemy.king"), "{error}");
    // The position is still shown.
    assert_eq!([&shown["game"]["fen"], &shown["evaluation"]], [&json!(START), &Value::Null]);
    // A file that asks for much is refused.
    let term = |count: &str| format!("{SMALL}[x]\n[x.y]\ncount = \"{count}\"\nworth = [1, 1]\n");
    let deep = term(&format!("{}1{}", "(".repeat(5000), ")".repeat(5000)));
    let sum = |of: &str| format!("sum(at in all_squares: {of})");
    let slow = term(&sum(&sum(&sum("king_moves(at, own.king, no_squares)"))));
    let arrays = SMALL.to_owned() + &"x = [".repeat(20_000);
    for engine in [deep, slow, arrays, "#".repeat(129 << 10), "\u{0}".repeat(1000)] {
        let shown = answer("evaluate", json!({ "start": START, "engine": engine }));
        assert!(shown["error"]["message"].is_string(), "{shown}");
    }
    // So are mistakes in games; a finished one has no moves.
    let mated = answer("evaluate", json!({ "start": MATED, "engine": SMALL }));
    assert_eq!([&mated["game"]["result"], &mated["game"]["legal"]], [&json!("1-0"), &json!([])]);
    for (mut request, says) in [
        (json!({ "start": "8/8/8/8/8/8/8/8 w - - 0 1" }), "position"),
        (json!({ "start": START, "moves": ["e2e5"] }), "e2e5\" is no legal move"),
        (json!({ "start": START, "moves": vec!["e2e4"; 1001] }), "more than 1000"),
        (json!({ "start": "x".repeat(201) }), "at most 200"),
        (json!({ "start": START, "percents": { "pawns": 401 } }), "from 0 to 400"),
    ] {
        request["engine"] = SMALL.into();
        let problem = problem("evaluate", request);
        assert!(problem.contains(says), "{problem}");
    }
    // What no page sends is called a bug.
    for name in ["evaluate", "nothing"] {
        assert!(problem(name, json!({ "start": START })).contains("please report it"));
    }
    assert!(problem("unpack", json!("AAAA")).contains("the link cannot be read"));
}

#[test]
fn games_are_read_with_variations_and_the_first_fault() {
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) {good} Nc6 3. Ke3 *";
    let game = answer("pgn", json!({ "text": text }));
    let moves = &game["line"]["moves"];
    assert_eq!([&moves[3]["uci"], &moves[4]], [&json!("b8c6"), &Value::Null]);
    assert!(game["fault"].as_str().unwrap().starts_with("line 3: move 3.Ke3"), "{game}");
    assert_eq!(moves[2]["comments"], json!(["good"]));
    assert_eq!(moves[2]["variations"][0]["moves"][1]["san"], "exf4");
    let two =
        "[White \"A\"]\n\n1. e4 1-0\n\n[White \"B\"]\n[ChapterName \"A race\"]\n\n1. d4 Sf6 *";
    let second = answer("pgn", json!({ "text": two, "game": 2 }));
    assert_eq!(second["games"], json!(["1: A - ?, 1-0", "2: A race"]));
    assert_eq!(second["line"]["moves"][1]["uci"], "g8f6");
    assert!(problem("pgn", json!({ "text": two, "game": 3 })).ends_with("and no game 3"));
    for text in ["", "no game at all", "[FEN \"8/8 w\"]\n\n1. e4"] {
        assert!(!problem("pgn", json!({ "text": text })).is_empty());
    }
}

#[test]
fn the_engine_moves_at_every_strength_searches_and_judges() {
    for level in [0, 10, 20] {
        let request = json!({ "start": "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "engine": SMALL, "level": level, "seed": 1 });
        let san = answer("move", request)["move"]["san"].clone();
        assert!(san.is_string() && (level < 20 || san == "Ra8#"), "{san}");
    }
    let mated = json!({ "start": MATED, "engine": SMALL });
    assert_eq!(problem("move", mated), "there is no legal move");
    // A search reports its lines.
    let (mut page, mut lines) = (Playground::new(), Vec::new());
    let request = json!({ "start": "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "engine": SMALL }).to_string();
    let end = page.search(&request, |line| lines.push(line));
    assert_eq!(end, "{}");
    let last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!([&last["score"], &last["moves"][0]["san"]], ["#1", "Ra8#"]);
    // The coach judges a position and reviews a game.
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let verdict = answer("assess", json!({ "start": fen, "engine": SMALL }));
    let said = verdict["verdict"].as_str().unwrap();
    assert!(said.starts_with("White mates at once"), "{said}");
    assert_eq!([&verdict["best"]["moves"][0], &verdict["expected"]], [&json!("f3f7"), &json!(1.0)]);
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let review = answer("review", json!({ "start": START, "moves": moves, "engine": SMALL }));
    assert_eq!(review["values"].as_array().unwrap().len(), moves.len() + 1);
    assert_eq!(review["moves"][2]["mark"], "??");
}

#[test]
fn lessons_are_won_and_held_with_the_hints_and_the_bar_only_rises() {
    for (ending, is_defence) in [("KRK", false), ("KPK", true)] {
        let mut request = json!({ "ending": ending, "defend": is_defence, "seed": 5 });
        let first = answer("lesson", request.clone());
        let side = if is_defence { " b " } else { " w " };
        assert!(first["start"].as_str().unwrap().contains(side), "{first}");
        request["game"] = json!({ "start": first["start"], "moves": [] });
        let (minimum, mut share) = (first["minimum"].as_u64().unwrap(), 0.0);
        for used in 1..=minimum {
            let hint = answer("hint", request.clone());
            let best = hint["best"]["san"].as_str().unwrap();
            assert!(hint["lines"][0].as_str().unwrap().contains(best), "{hint}");
            request["game"]["moves"].as_array_mut().unwrap().push(hint["best"]["uci"].clone());
            let lesson = answer("lesson", request.clone());
            assert!(lesson["cost"].as_str().unwrap().ends_with("there is no better move."));
            assert_eq!(lesson["used"], used);
            let before = std::mem::replace(&mut share, lesson["share"].as_f64().unwrap());
            assert!(share > before || !is_defence && share == before, "{lesson}");
            if !is_defence {
                assert_eq!([&lesson["left"], &lesson["best"]], [&json!(minimum - used); 2]);
                assert_eq!(lesson["won"], used == minimum);
            }
            if lesson["won"] == true {
                break;
            }
            request["best"] = lesson["best"].clone();
            request["game"]["moves"].as_array_mut().unwrap().push(lesson["reply"]["uci"].clone());
        }
        assert_eq!(share, 1.0);
    }
    // A lesson says when the win is gone, and takes no other game.
    let game = json!({ "start": "8/8/8/8/8/1k6/8/K6R w - - 0 1", "moves": ["h1b1"] });
    let lesson = answer("lesson", json!({ "ending": "KRK", "game": game }));
    assert!(lesson["cost"].is_string() && lesson["won"] == false, "{lesson}");
    for request in [
        json!({ "ending": "KNNK" }),
        json!({ "ending": "KRK", "defend": true }),
        json!({ "ending": "KRK", "game": { "start": START } }),
        json!({ "ending": "KRK", "game": { "start": "7k/8/6K1/8/8/8/8/R7 b - - 0 1" } }),
    ] {
        assert!(problem("lesson", request).contains("lesson"));
    }
    assert!(problem("hint", json!({ "ending": "KRK" })).contains("no game"));
}

#[test]
fn guided_positions_draw_their_term_and_their_numbers_are_true() {
    let examples = answer("examples", Value::Null);
    let file: Value = serde_json::from_str(include_str!("../static/guides.json")).unwrap();
    let guides = file["guides"].as_array().unwrap();
    let shown = |guide: &Value, fen: &Value| {
        let mut all = examples["examples"].as_array().unwrap().iter();
        let named = all.find(|example| example["name"] == guide["engine"]);
        let engine = named.map_or(&guide["engine"], |example| &example["text"]);
        let request = json!({ "start": fen, "engine": engine, "picked": guide["picked"] });
        answer("evaluate", request)
    };
    for guide in guides {
        let positions = guide["positions"].as_array().unwrap().iter().map(|one| &one[1]);
        for fen in positions.chain([&guide["start"]]) {
            let over = shown(guide, fen)["evaluation"]["layers"]["over"].to_string();
            assert!(over.contains("<title"), "{fen} of {} draws nothing: {over}", guide["title"]);
        }
    }
    // The first guide names two distances and two values.
    let race = &guides[0];
    let text = race["text"][0].as_str().unwrap();
    assert!(
        text.contains("3 moves from b8") && text.contains("From f6 the black king needs 4 moves"),
        "{text}"
    );
    assert_eq!([Square::B5, Square::F6].map(|from| from.distance(Square::B8)), [3, 4]);
    let value = |fen| {
        let terms = shown(race, fen)["evaluation"]["terms"].as_array().unwrap().clone();
        terms.iter().find(|term| term["name"] == race["picked"]).unwrap()["total"].as_f64().unwrap()
    };
    let (before, after) = (value(&race["start"]), value(&race["positions"][0][1]));
    let sentence = format!("falls from {before:+.2} to {after:+.2}.");
    assert!(race["try"].as_str().unwrap().contains(&sentence), "{sentence}");
}
