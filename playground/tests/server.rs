//! The server without a browser: answers, hostile requests, many clients, clients that leave.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use std::{
    io::{ErrorKind::WouldBlock, Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};
use tropism_playground::{MAX_SEARCHES, Server};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SMALL: &str = "name = 'small'\nbase = 'tropism'\n";

/// An answer: its status and its text, headers included.
struct Answer {
    status: u16,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        let body = self.text.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// A running server.
struct Running(Server);

fn start() -> Running {
    Running(Server::start(0).unwrap())
}

impl Running {
    /// A connection on which these bytes were sent.
    fn sent(&self, request: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.0.port())).unwrap();
        // The server may close before it has read everything.
        stream.write_all(request).ok();
        stream
    }

    /// Sends bytes and reads until the server closes the connection.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut bytes = Vec::new();
        self.sent(request).read_to_end(&mut bytes).ok();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, text }
    }

    fn head(&self, path: &str, length: usize) -> String {
        let port = self.0.port();
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n"
        )
    }

    fn get(&self, path: &str) -> Answer {
        let port = self.0.port();
        let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}");
        self.raw(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes())
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        let head = self.head(path, body.len());
        self.raw(format!("{head}Connection: close\r\n\r\n{body}").as_bytes())
    }

    fn answer(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(!answer.text.contains("{\"problem\""), "{}", answer.text);
        answer.json()
    }

    /// The sentence about what is wrong with the input.
    fn problem(&self, path: &str, body: Value) -> String {
        let answer = self.post(path, &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["problem"].as_str().unwrap().to_owned()
    }
}

/// A term of an evaluation.
fn term<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let terms = answer["evaluation"]["terms"].as_array().unwrap();
    terms.iter().find(|term| term["name"] == name).unwrap()
}

/// Waits until something is true.
fn wait_for(what: &str, is_true: impl Fn() -> bool) {
    for _ in 0..3000 {
        if is_true() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} did not happen");
}

#[test]
fn a_position_is_evaluated_with_the_drawing_of_a_term() {
    let server = start();
    let mut body = json!({ "start": "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1", "moves": ["b5b6"], "engine": SMALL,
        "picked": "passed_pawns", "percents": { "mobility": 0 } });
    let answer = server.answer("/api/evaluate", body.clone());
    assert_eq!(answer["game"]["turn"], "black");
    let after = "8/8/1P3k2/8/3K4/8/8/8 b - - 0 1";
    let history = json!([{ "uci": "b5b6", "san": "b6", "after": after }]);
    assert_eq!((&answer["game"]["history"], &answer["game"]["fen"]), (&history, &json!(after)));
    assert_eq!(answer["game"]["result"], "*");
    let evaluation = &answer["evaluation"];
    let headline = evaluation["headline"].as_str().unwrap();
    assert!(headline.starts_with("Exact: White mates in "), "{headline}");
    let layers = &evaluation["layers"];
    let over = layers["over"].as_str().unwrap();
    assert!(over.starts_with("<svg") && over.contains("b6\n"), "{over}");
    assert!(layers["under"].as_str().unwrap().contains("tint white"), "{layers}");
    let terms = evaluation["terms"].as_array().unwrap();
    let sum: f64 = terms.iter().map(|term| term["total"].as_f64().unwrap()).sum();
    assert!((sum - evaluation["value"].as_f64().unwrap()).abs() < 1e-6);
    assert_eq!(term(&answer, "mobility")["percent"], 0);
    let link = "https://lichess.org/analysis/8/8/5k2/1P6/3K4/8/8/8_w_-_-_0_1";
    let pasted = server.answer("/api/evaluate", json!({ "start": link, "engine": SMALL }));
    assert_eq!(pasted["game"]["start"], "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1");
    // A turned board has the drawing on turned squares, whose tooltips name the real ones.
    body["flipped"] = true.into();
    let turned = server.answer("/api/evaluate", body);
    let turned = turned["evaluation"]["layers"]["over"].as_str().unwrap();
    assert!(turned != over && turned.contains("b6\n"), "{turned}");
}

#[test]
fn mistakes_of_engine_files_have_line_and_column() {
    let server = start();
    let engine = format!(
        "{SMALL}[near]\ndoc = 'x'\n[near.king]\nunit = 'moves'\ncount = \"chebyshev(own.king, enemy.kng)\"\nworth = [1, 1]\n"
    );
    let answer = server.answer("/api/evaluate", json!({ "start": START, "engine": engine }));
    let error = &answer["error"];
    assert_eq!(json!([error["line"], error["column"], error["length"]]), json!([7, 30, 9]));
    assert!(error["message"].as_str().unwrap().contains("enemy.king"), "{error}");
    // The position is still shown.
    assert_eq!(answer["game"]["fen"], START);
    assert_eq!(answer["evaluation"], Value::Null);
}

#[test]
fn finished_games_and_mistakes_in_games_are_said_in_words() {
    let server = start();
    let mated =
        json!({ "start": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "engine": SMALL, "picked": "material" });
    let answer = server.answer("/api/evaluate", mated);
    assert!(answer["game"]["outcome"].as_str().unwrap().contains("White"), "{answer}");
    assert_eq!(answer["game"]["legal"], json!([]));
    for (body, says) in [
        (json!({ "start": "8/8/8/8/8/8/8/8 w - - 0 1", "engine": SMALL }), "this is no position"),
        (json!({ "start": START, "moves": ["e2e5"], "engine": SMALL }), "e2e5\" is no legal move"),
        (json!({ "start": START, "moves": vec!["e2e4"; 1001], "engine": SMALL }), "more than 1000"),
        (json!({ "start": "x".repeat(201), "engine": SMALL }), "at most 200"),
        (json!({ "start": START, "engine": SMALL, "percents": { "pawns": 401 } }), "from 0 to 400"),
    ] {
        let problem = server.problem("/api/evaluate", body);
        assert!(problem.contains(says), "{problem}");
    }
    // What the page shows of a request that no page sends is a sentence; the rest is for programs.
    let answer = server.post("/api/evaluate", &json!({ "start": START }));
    assert_eq!(answer.status, 422);
    assert!(answer.json()["problem"].as_str().unwrap().ends_with("reload the page."));
    assert!(answer.json()["detail"].as_str().unwrap().contains("missing field"));
}

#[test]
fn games_are_read_and_written() {
    let server = start();
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) {good} Nc6 3. Ke3 *";
    let game = server.answer("/api/pgn", json!({ "text": text }));
    let moves = |game: &Value| -> Vec<String> {
        let moves = game["line"]["moves"].as_array().unwrap().iter();
        moves.map(|m| m["uci"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(moves(&game), ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert!(game["fault"].as_str().unwrap().starts_with("line 3: move 3.Ke3"), "{game}");
    let noted = &game["line"]["moves"][2];
    assert_eq!(noted["comments"], json!(["good"]));
    assert_eq!(noted["variations"][0]["moves"][1]["san"], "exf4");
    let two = "[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n\n1. d4 Sf6 *";
    let second = server.answer("/api/pgn", json!({ "text": two, "game": 2 }));
    assert_eq!(second["games"], json!(["1: A - ?, 1-0", "2: B - ?, *"]));
    assert_eq!(moves(&second), ["d2d4", "g8f6"]);
    let problem = server.problem("/api/pgn", json!({ "text": two, "game": 3 }));
    assert_eq!(problem, "this text has 2 games, and no game 3");
    for text in ["", "no game at all", "[FEN \"8/8 w\"]\n\n1. e4"] {
        assert!(!server.problem("/api/pgn", json!({ "text": text })).is_empty());
    }
}

#[test]
fn the_engine_moves_at_every_strength() {
    let server = start();
    for level in [0, 10, 20] {
        let fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
        let body = json!({ "start": fen, "engine": SMALL, "level": level, "seed": 1 });
        let answer = server.answer("/api/move", body);
        assert!(answer["move"]["uci"].is_string(), "{answer}");
        if level == 20 {
            assert_eq!(answer["move"]["san"], "Ra8#");
        }
    }
    let mated = json!({ "start": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "engine": SMALL });
    assert_eq!(server.problem("/api/move", mated), "there is no legal move");
}

#[test]
fn lessons_are_won_and_held_with_the_hints_and_the_bar_only_rises() {
    let server = start();
    let defence = json!({ "ending": "KPK", "defend": true, "seed": 5 });
    for (mut body, is_defence) in [(json!({ "ending": "KRK", "seed": 3 }), false), (defence, true)]
    {
        let first = server.answer("/api/lesson", body.clone());
        let side = if is_defence { " b " } else { " w " };
        assert!(first["start"].as_str().unwrap().contains(side), "{first}");
        body["game"] = json!({ "start": first["start"], "moves": [] });
        let (minimum, mut share) = (first["minimum"].as_u64().unwrap(), 0.0);
        for used in 1..=minimum {
            let hint = server.answer("/api/hint", body.clone());
            let best = hint["best"]["san"].as_str().unwrap();
            let line = hint["lines"][0].as_str().unwrap();
            let said = if is_defence { best.to_owned() } else { format!("Best is {best},") };
            assert!(line.find(&said).is_some_and(|at| is_defence || at == 0), "{hint}");
            body["game"]["moves"].as_array_mut().unwrap().push(hint["best"]["uci"].clone());
            let answer = server.answer("/api/lesson", body.clone());
            let cost = answer["cost"].as_str().unwrap();
            assert!(cost.ends_with("there is no better move."), "{answer}");
            assert_eq!(answer["used"], used);
            let before = std::mem::replace(&mut share, answer["share"].as_f64().unwrap());
            assert!(share > before || !is_defence && share == before, "{answer}");
            if !is_defence {
                assert_eq!([&answer["left"], &answer["best"]], [&json!(minimum - used); 2]);
                assert_eq!(answer["won"], used == minimum);
            }
            if answer["won"] == true {
                break;
            }
            body["best"] = answer["best"].clone();
            let reply = answer["reply"]["uci"].clone();
            body["game"]["moves"].as_array_mut().unwrap().push(reply);
        }
        assert_eq!(share, 1.0);
    }
}

#[test]
fn a_lesson_says_when_the_win_is_gone() {
    let server = start();
    let game = json!({ "start": "8/8/8/8/8/k7/8/K6R w - - 0 1", "moves": ["h1b1"] });
    let answer = server.answer("/api/lesson", json!({ "ending": "KRK", "game": game }));
    assert!(answer["reply"].is_object() && answer["won"] == false, "{answer}");
    let game = json!({ "start": "8/8/8/8/8/1k6/8/K6R w - - 0 1", "moves": ["h1b1"] });
    let answer = server.answer("/api/lesson", json!({ "ending": "KRK", "game": game }));
    assert!(answer["cost"].is_string(), "{answer}");
    for body in [
        json!({ "ending": "KNNK" }),
        json!({ "ending": "KRK", "defend": true }),
        json!({ "ending": "KRK", "game": { "start": START } }),
        json!({ "ending": "KRK", "game": { "start": "7k/8/6K1/8/8/8/8/R7 b - - 0 1" } }),
    ] {
        assert!(server.problem("/api/lesson", body).contains("lesson"));
    }
    server.problem("/api/hint", json!({ "ending": "KRK" }));
    for ending in ["KQK", "KPK"] {
        let answer = server.answer("/api/lesson", json!({ "ending": ending, "seed": 1 }));
        assert!(answer["minimum"].as_u64() > Some(0), "{answer}");
    }
}

#[test]
fn guided_positions_are_right() {
    let server = start();
    let examples = server.get("/api/examples").json();
    let guides: Value = serde_json::from_str(include_str!("../static/guides.json")).unwrap();
    let guides = guides["guides"].as_array().unwrap();
    assert_eq!(guides.len(), 5);
    for guide in guides {
        let examples = examples["examples"].as_array().unwrap();
        let example = examples.iter().find(|example| example["name"] == guide["engine"]);
        let engine = example.map_or(&guide["engine"], |example| &example["text"]);
        let body = json!({ "start": guide["start"], "engine": engine, "picked": guide["picked"] });
        let answer = server.answer("/api/evaluate", body);
        assert_eq!(answer["error"], Value::Null);
        let picked = term(&answer, guide["picked"].as_str().unwrap());
        assert_ne!(picked["total"], 0.0, "{}", guide["title"]);
        assert!(answer["evaluation"]["layers"].is_object());
    }
    // The first guide names two values.
    let mut shown = Vec::new();
    for start in [guides[0]["start"].as_str().unwrap(), "8/8/4k3/1P6/3K4/8/8/8 w - - 0 1"] {
        let body = json!({ "start": start, "engine": "name = 'guide'\nbase = 'tropism'\n" });
        let answer = server.answer("/api/evaluate", body);
        shown.push(format!("{:+.2}", term(&answer, "passed_pawns")["total"].as_f64().unwrap()));
    }
    let sentence = format!("falls from {} to {}.", shown[0], shown[1]);
    assert!(guides[0]["try"].as_str().unwrap().contains(&sentence), "{sentence}");
}

/// Hostile requests and the status of each answer. `|` ends a line.
const HOSTILE: &[(&str, &str, u16)] = &[
    ("another host name (DNS rebinding)", "GET /|Host: evil.example:{port}", 403),
    ("another port in Host", "GET /|Host: localhost:1", 403),
    ("no Host", "GET /", 403),
    ("no Host in HTTP/1.0", "GET / HTTP/1.0", 403),
    ("two Hosts", "GET /|{host}|Host: evil.example", 403),
    ("a foreign address line", "GET http://evil.example/|{host}", 403),
    ("a foreign Origin", "GET /api/examples|{host}|Origin: http://evil.example", 403),
    ("an opaque Origin", "GET /api/examples|{host}|Origin: null", 403),
    ("another loopback name", "GET /api/words|{host}|Origin: http://127.0.0.1:{port}", 403),
    ("a cross-site script tag", "GET /main.js|{host}|Sec-Fetch-Site: cross-site", 403),
    ("a cross-site form", "POST /api/search|{host}|Origin: http://evil.example|{form}||{}", 403),
    ("a form without Origin", "POST /api/search|{host}|{form}||{}", 403),
    ("no content type", "POST /api/search|{host}|Content-Length: 2||{}", 403),
    ("a preflight of another site", "OPTIONS /api/search|{host}|Origin: http://evil.example", 403),
    ("a body of 4 GB", "POST /api/evaluate|{host}|{json}|Content-Length: 4294967296||{}", 413),
    ("a broken body", "POST /api/evaluate|{host}|{json}|Content-Length: 1||{", 422),
    ("the wrong types", "POST /api/evaluate|{host}|{json}|Content-Length: 11||{\"start\":1}", 422),
    ("a path outside", "GET /../../etc/passwd|{host}", 404),
    ("an encoded path outside", "GET /%2e%2e/%2e%2e/etc/passwd|{host}", 404),
    ("a method that nothing has", "DELETE /|{host}|{json}", 405),
    ("no HTTP", "\u{16}\u{3}\u{1}|", 400),
    ("both lengths", "POST /|{host}|{json}|Content-Length: 2|Content-Length: 3||{}", 400),
];

/// The bytes of a hostile request.
fn hostile(request: &str, port: u16) -> String {
    let (head, body) = request.split_once("||").unwrap_or((request, ""));
    let head = match head.contains(" HTTP/") || !head.contains(' ') {
        true => head.replacen('|', "|Connection: close|", 1),
        false => format!("{head}|").replacen('|', " HTTP/1.1|Connection: close|", 1),
    };
    let head = head
        .trim_end_matches('|')
        .replace("{host}", "Host: localhost:{port}")
        .replace("{json}", "Content-Type: application/json")
        .replace("{form}", "Content-Type: text/plain|Content-Length: 2")
        .replace("{port}", &port.to_string());
    format!("{}\r\n\r\n{body}", head.replace('|', "\r\n"))
}

#[test]
fn hostile_requests_are_refused() {
    let server = start();
    for (name, request, status) in HOSTILE {
        let answer = server.raw(hostile(request, server.0.port()).as_bytes());
        assert_eq!(answer.status, *status, "{name}: {}", answer.text);
        if answer.status != 400 {
            assert!(answer.text.contains("content-security-policy: default-src 'none'"), "{name}");
        }
        assert!(!answer.text.to_lowercase().contains("access-control-allow"), "{name}");
    }
    // After all that the server still answers.
    assert_eq!(server.get("/").status, 200);
    assert_eq!(server.0.searches(), 0);
}

#[test]
fn a_body_that_grows_without_end_is_refused() {
    let server = start();
    let head = format!(
        "POST /api/evaluate HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        server.0.port()
    );
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, " ".repeat(1 << 16));
    assert_eq!(server.raw((head + &chunk.repeat(32)).as_bytes()).status, 413);
}

#[test]
fn engine_files_that_ask_for_much_are_refused_or_answered() {
    let server = start();
    let deep =
        format!("{SMALL}[x]\n[x.y]\ncount = \"{}1{}\"\n", "(".repeat(5000), ")".repeat(5000));
    let slow = format!(
        "{SMALL}[x]\n[x.y]\ncount = \"sum(a in all_squares: sum(b in all_squares: sum(c in all_squares: \
         king_moves(a, b, no_squares))))\"\nworth = [1, 1]\n"
    );
    let arrays = format!("{SMALL}{}", "x = [".repeat(20_000));
    let long = "#".repeat(129 << 10);
    for engine in [deep, slow, arrays, long, "\u{0}".repeat(1000), "[".repeat(100_000)] {
        let body = json!({ "start": START, "engine": engine });
        let answer = server.answer("/api/evaluate", body);
        assert!(answer["error"]["message"].is_string(), "{answer}");
    }
}

#[test]
fn slow_connections_keep_a_hundred_clients_not_waiting() {
    let server = start();
    let slow: Vec<TcpStream> = (0..300).map(|_| server.sent(b"GET / HTTP/1.1\r\nHost: ")).collect();
    thread::scope(|scope| {
        for number in 0..100 {
            let server = &server;
            scope.spawn(move || {
                let engine = format!("name = '{}'\nbase = 'tropism'\n", number % 5);
                let body = json!({ "start": START, "moves": ["e2e4"], "engine": engine, "picked": "mobility" });
                assert_eq!(server.post("/api/evaluate", &body).status, 200);
            });
        }
    });
    // None of the slow ones had to end.
    for mut stream in slow {
        stream.set_nonblocking(true).unwrap();
        assert_eq!(stream.read(&mut [0]).unwrap_err().kind(), WouldBlock);
    }
}

#[test]
fn the_coach_judges_a_position_and_reviews_a_game() {
    let server = start();
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let answer = server.answer("/api/assess", json!({ "start": fen, "engine": SMALL }));
    assert_eq!(answer["verdict"], "White mates in 1 move.");
    assert_eq!((&answer["best"]["moves"][0], &answer["expected"]), (&json!("f3f7"), &json!(1.0)));
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let body = json!({ "start": START, "moves": moves, "engine": SMALL });
    let review = server.answer("/api/review", body);
    assert_eq!(review["values"].as_array().unwrap().len(), moves.len() + 1);
    assert_eq!(review["moves"][2]["mark"], "??");
    let words = server.get("/api/words").json();
    assert!(words["words"][0][1][0][2].is_string(), "{words}");
}

/// Starts a search whose events the caller reads, and waits for its first line.
fn searching(server: &Running) -> TcpStream {
    let body = json!({ "start": START, "engine": SMALL }).to_string();
    let head = server.head("/api/search", body.len());
    let mut stream = server.sent(format!("{head}\r\n{body}").as_bytes());
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while !text.contains("event: line") {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
    assert!(text.contains("text/event-stream") && text.contains("\"depth\":"), "{text}");
    stream
}

#[test]
fn only_a_few_searches_run_at_a_time_and_all_end() {
    let server = start();
    let mut streams: Vec<TcpStream> = (0..MAX_SEARCHES).map(|_| searching(&server)).collect();
    assert_eq!(server.0.searches(), MAX_SEARCHES);
    // One more is refused in words, and runs when a client has left.
    let body = json!({ "start": START, "engine": SMALL });
    let refused = server.post("/api/search", &body);
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.json()["problem"].as_str().unwrap().starts_with("The server is busy"));
    let next = thread::scope(|scope| {
        let next = scope.spawn(|| searching(&server));
        drop(streams.pop());
        next.join().unwrap()
    });
    assert_eq!(server.0.searches(), MAX_SEARCHES);
    drop((next, streams));
    wait_for("the end of all searches", || server.0.searches() == 0);
    // What is wrong is an event.
    let wrong = server.post("/api/search", &json!({ "start": "no position", "engine": SMALL }));
    assert!(wrong.text.contains("event: problem") && wrong.text.contains("this is no position"));
}

#[test]
fn a_search_ends_when_its_client_leaves() {
    let server = start();
    let body = json!({ "start": START, "engine": SMALL, "level": 20 }).to_string();
    for path in ["/api/search", "/api/move"] {
        let head = server.head(path, body.len());
        let stream = server.sent(format!("{head}\r\n{body}").as_bytes());
        wait_for("the search", || server.0.searches() == 1);
        drop(stream);
        wait_for("the end of the search", || server.0.searches() == 0);
    }
}
