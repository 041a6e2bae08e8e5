//! A browser for tests: headless Chromium behind chromedriver.

use data_encoding::BASE64;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::{env, fs, path::PathBuf, sync::LazyLock, thread, time::Duration};
use ureq::{Agent, Body, http::Response};

/// The page in a browser of its own.
pub(crate) struct Page {
    agent: Agent,
    /// The address of the browser for commands of the protocol WebDriver.
    session: String,
    driver: Child,
}

/// How often to ask the page for what a test waits for, and how often it then looks, every 10 milliseconds.
const ASKED: usize = 600;
const LOOKS: usize = 10;

pub(crate) const WIDTH: u32 = 1160;
pub(crate) const HEIGHT: u32 = 960;

/// The address of the page, which is made once for all tests. `TROPISM_WASM` may name the engine as WebAssembly.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tropism-playground"));
    command.args(["--profile", "dev", "--no-open", "--out"]).arg(&folder);
    // The tests search little.
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    if let Some(wasm) = env::var_os("TROPISM_WASM") {
        command.arg("--wasm").arg(wasm);
    }
    assert!(command.status().unwrap().success(), "the page cannot be made");
    format!("file://{}", folder.join("tropism.html").display())
});

/// Starts the driver. Returns its port too.
fn driver() -> (Child, String) {
    let mut child = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let port = lines.find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        Some(port.trim_end_matches('.').to_owned())
    });
    (child, port.expect("chromedriver has not started"))
}

/// The value in the answer of the driver, or its error.
fn value_of(answer: Result<Response<Body>, ureq::Error>) -> Result<Value, String> {
    let mut answer = answer.unwrap();
    let value = answer.body_mut().read_json::<Value>().unwrap()["value"].take();
    if answer.status().is_success() { Ok(value) } else { Err(value["message"].to_string()) }
}

/// The key of an element's name in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

impl Page {
    /// Opens the page as a new user sees it.
    pub(crate) fn open() -> Page {
        Page::sized(WIDTH, HEIGHT)
    }

    /// Opens the page with a new game.
    pub(crate) fn game() -> Page {
        let page = Page::open();
        page.click("#new-game");
        page.wait("$('fen').value.startsWith('rnbqkbnr/pppppppp/')");
        page
    }

    pub(crate) fn sized(width: u32, height: u32) -> Page {
        let (driver, port) = driver();
        let arguments = [
            "--headless=new",
            // Tests may run as root, where the sandbox of Chromium does not start.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            // Without the menus of the browser, each a page of its own.
            "--app=data:,",
            &format!("--window-size={width},{height}"),
        ];
        let capabilities = json!({ "goog:chromeOptions": { "args": arguments }, "goog:loggingPrefs": { "browser": "ALL" } });
        let agent = Agent::config_builder().http_status_as_error(false).build().new_agent();
        let session = format!("http://127.0.0.1:{port}/session");
        let mut page = Page { agent, session, driver };
        let started = page.post("", json!({ "capabilities": { "alwaysMatch": capabilities } }));
        page.session += &format!("/{}", started["sessionId"].as_str().unwrap());
        page.go("");
        page
    }

    /// Opens the page with a fragment, and waits until it is ready.
    pub(crate) fn go(&self, fragment: &str) {
        for address in ["about:blank", &format!("{}{fragment}", *PAGE)] {
            self.post("/url", json!({ "url": address }));
        }
        self.wait("!document.body.inert");
    }

    /// Opens the page anew when its address has followed: it does so after at most 150 ms, and timers end in the
    /// order of their times.
    pub(crate) fn reload(&self) {
        self.value("new Promise((resolve) => setTimeout(resolve, 300))");
        self.post("/refresh", json!({}));
        self.wait("!document.body.inert");
    }

    /// Runs the body of an asynchronous function, which may use `helpers.js`.
    fn look(&self, body: &str, arguments: Value) -> Result<Value, String> {
        let helpers = include_str!("helpers.js");
        self.run(
            &format!("{helpers}; return (async (...given) => {{ {body} }})(...arguments);"),
            arguments,
        )
    }

    /// The value of a JavaScript expression, which may use `helpers.js`.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.look(&format!("return {expression};"), json!([])).unwrap()
    }

    pub(crate) fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a JavaScript expression has a value. What it reads need not be there yet. The page itself looks,
    /// because each question of the driver costs the time of three processes.
    pub(crate) fn is(&self, expression: &str, wanted: impl Into<Value>) {
        let wanted = wanted.into();
        let body = format!("return await until(async () => ({expression}), ...given);");
        let mut found = String::new();
        for _ in 0..ASKED {
            match self.look(&body, json!([wanted, LOOKS])) {
                Ok(answer) if answer[0] == true => return,
                Ok(answer) => found = answer[1].to_string(),
                // The page is being replaced.
                Err(error) => {
                    found = error;
                    thread::sleep(Duration::from_millis(100));
                }
            }
        }
        let problem = self.text("$('problem').textContent");
        panic!("{expression} is not {wanted} but {found}; the page says {problem:?}");
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) fn wait(&self, expression: &str) {
        self.is(&format!("Boolean({expression})"), true);
    }

    /// Opens what an element is folded into, and scrolls it into view.
    fn show(&self, selector: &str) -> Value {
        self.wait(&format!("one({})", json!(selector)));
        let element = self.post("/element", json!({ "using": "css selector", "value": selector }));
        self.look("unfold(...given);", json!([element])).unwrap();
        element
    }

    /// Clicks an element as a user does: where it is shown, scrolled into view.
    pub(crate) fn click(&self, selector: &str) {
        let clicked = self.with_element(selector, "click", json!({}));
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Gives a command that is for one element.
    fn with_element(&self, selector: &str, command: &str, body: Value) -> Result<Value, String> {
        let element = self.show(selector);
        let id = element[ELEMENT].as_str().unwrap();
        self.command(&format!("/element/{id}/{command}"), body)
    }

    /// Clicks squares one after the other.
    pub(crate) fn squares(&self, squares: &str) {
        for square in squares.split(' ') {
            self.click(&format!("#board [data-square={square}]"));
        }
    }

    /// Clicks a button by its id, and waits until these moves are on the board.
    pub(crate) fn press(&self, id: &str, moves: &str) {
        self.click(&format!("#{id}"));
        self.moves(moves);
    }

    /// Waits until these moves are on the board.
    pub(crate) fn moves(&self, moves: &str) {
        self.is("played()", moves);
    }

    /// Presses a button of the mouse on a square and releases it on another: 0 is the left one, and 2 the right one.
    pub(crate) fn drag(&self, from: &str, to: &str, button: u64) {
        let actions = [(from, "pointerDown"), (to, "pointerUp")].map(|(square, press)| {
            let element = self.show(&format!("#board [data-square={square}]"));
            let to = json!({ "type": "pointerMove", "origin": element, "x": 0, "y": 0 });
            [to, json!({ "type": press, "button": button })]
        });
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions.as_flattened() });
        self.post("/actions", json!({ "actions": [mouse] }));
    }

    pub(crate) fn type_into(&self, selector: &str, keys: &str) {
        self.with_element(selector, "value", json!({ "text": keys })).unwrap();
    }

    /// Pastes into a field, or chooses an option of a list, by its id.
    pub(crate) fn fill(&self, id: &str, value: &str) {
        self.value(&format!("fill('{id}', {})", json!(value)));
    }

    /// Writes an engine file into the editor as a user does.
    pub(crate) fn write(&self, text: &str) {
        self.click("#text");
        self.value("$('text').select()");
        self.type_into("#text", text);
    }

    /// Saves a picture of the window, from the element of a selector down, if `TROPISM_DRAW` is set.
    pub(crate) fn draw(&self, name: &str, top: &str) {
        if env::var_os("TROPISM_DRAW").is_none() {
            return;
        }
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
        self.value(&format!("one('{top}').scrollIntoView()"));
        let picture = self.get("/screenshot");
        let picture = BASE64.decode(picture.as_str().unwrap().as_bytes()).unwrap();
        fs::write(folder.join(format!("playground-{name}.png")), picture).unwrap();
    }

    /// Closes the browser. Nothing may have been written to its console.
    pub(crate) fn close(self) {
        let log = self.post("/se/log", json!({ "type": "browser" }));
        assert_eq!(log, json!([]), "the console is not empty");
    }

    /// Gives a command of the protocol. Returns its value or its error.
    fn command(&self, path: &str, body: Value) -> Result<Value, String> {
        value_of(self.agent.post(format!("{}{path}", self.session)).send_json(body))
    }

    /// Runs a script, and waits for the promise that it returns.
    pub(crate) fn run(&self, script: &str, arguments: Value) -> Result<Value, String> {
        self.command("/execute/sync", json!({ "script": script, "args": arguments }))
    }

    /// Gives a command that succeeds.
    pub(crate) fn post(&self, path: &str, body: Value) -> Value {
        self.command(path, body).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Asks for a value.
    pub(crate) fn get(&self, path: &str) -> Value {
        value_of(self.agent.get(format!("{}{path}", self.session)).call()).unwrap()
    }

    /// Prefers light or dark colours, as a system does.
    pub(crate) fn prefer(&self, colours: &str) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": colours }] });
        let command = json!({ "cmd": "Emulation.setEmulatedMedia", "params": media });
        self.post("/goog/cdp/execute", command);
        self.wait(&format!("matchMedia('(prefers-color-scheme: {colours})').matches"));
    }

    /// Changes the size of the window.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.post("/window/rect", json!({ "width": width, "height": height }));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The driver closes its browser when the session ends.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
