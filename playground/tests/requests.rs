//! What the page asks: requests and their answers in JSON, without a browser.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use shakmaty::Square;
use tropism_playground::Playground;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SMALL: &str = "name = 'small'\nbase = 'tropism'\n";

fn raw(name: &str, request: &Value) -> Value {
    serde_json::from_str(&Playground::new().answer(name, &request.to_string())).unwrap()
}

fn answer(name: &str, request: Value) -> Value {
    let answer = raw(name, &request);
    assert_eq!(answer["problem"], Value::Null, "{request}");
    answer
}

/// The requests of `requests.txt`.
#[test]
fn answers_have_the_parts_that_the_file_says() {
    let lines = include_str!("requests.txt").lines();
    let mut found = Value::Null;
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.splitn(3, ' ');
        let [first, second, rest] = [(); 3].map(|()| words.next().unwrap());
        if first == ">" {
            found = serde_json::from_str(&Playground::new().answer(second, rest)).unwrap();
            continue;
        }
        let part = found.pointer(first).unwrap_or(&Value::Null);
        let is_right = match second {
            "=" => *part == serde_json::from_str::<Value>(rest).unwrap(),
            "!" => *part != serde_json::from_str::<Value>(rest).unwrap(),
            _ => part.as_str().is_some_and(|text| text.contains(rest)),
        };
        assert!(is_right, "{line}: {found}");
    }
}

#[test]
fn a_position_is_evaluated_with_the_drawing_of_a_term() {
    let mut request = json!({ "start": "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1", "moves": ["b5b6"], "engine": SMALL,
        "picked": "passed_pawns", "percents": { "mobility": 0 } });
    let shown = answer("evaluate", request.clone());
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
}

#[test]
fn requests_that_ask_for_much_are_refused() {
    let term = |count: &str| format!("{SMALL}[x]\n[x.y]\ncount = \"{count}\"\nworth = [1, 1]\n");
    let deep = term(&format!("{}1{}", "(".repeat(5000), ")".repeat(5000)));
    let sum = |of: &str| format!("sum(at in all_squares: {of})");
    let slow = term(&sum(&sum(&sum("king_moves(at, own.king, no_squares)"))));
    let arrays = SMALL.to_owned() + &"x = [".repeat(20_000);
    for engine in [deep, slow, arrays, "#".repeat(129 << 10), "\u{0}".repeat(1000)] {
        let shown = answer("evaluate", json!({ "start": START, "engine": engine }));
        assert!(shown["error"]["message"].is_string(), "{shown}");
    }
    for (request, says) in [
        (json!({ "start": START, "moves": vec!["e2e4"; 1001], "engine": SMALL }), "more than 1000"),
        (json!({ "start": "x".repeat(201), "engine": SMALL }), "at most 200"),
    ] {
        let refused = raw("evaluate", &request);
        assert!(refused["problem"].as_str().unwrap().contains(says), "{refused}");
    }
}

#[test]
fn a_search_reports_its_lines() {
    let (mut page, mut lines) = (Playground::new(), Vec::new());
    let request = json!({ "start": "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "engine": SMALL }).to_string();
    let end = page.search(&request, |line| lines.push(line));
    assert_eq!(end, "{}");
    let last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!([&last["score"], &last["moves"][0]["san"]], ["#1", "Ra8#"]);
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
