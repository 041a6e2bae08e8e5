//! A browser for tests: headless Chromium behind chromedriver.

use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{InputSource, MouseActions, PointerAction},
    elements::Element,
    error::CmdError,
    wd::WebDriverCompatibleCommand,
};
use serde_json::{Value, json};
use std::{env, fs, path::PathBuf, process::Stdio, sync::LazyLock, time::Duration};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};
use url::{ParseError, Url};

/// The page in a browser of its own.
pub(crate) struct Page {
    pub(crate) client: Client,
    address: Url,
    /// Ends with the test.
    _driver: Child,
}

/// How often to look at the page for what a test waits for, every 10 milliseconds.
const LOOKS: usize = 6000;

pub(crate) const WIDTH: u32 = 1160;
pub(crate) const HEIGHT: u32 = 960;

/// The address of the page, which is made once for all tests. `TROPISM_WASM` may name the engine as WebAssembly.
static PAGE: LazyLock<Url> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tropism-playground"));
    command.args(["--profile", "dev", "--no-open", "--out"]).arg(&folder);
    // The tests search little.
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    if let Some(wasm) = env::var_os("TROPISM_WASM") {
        command.arg("--wasm").arg(wasm);
    }
    assert!(command.status().unwrap().success(), "the page cannot be made");
    Url::from_file_path(folder.join("tropism.html")).unwrap()
});

/// Starts the driver.
async fn driver() -> (Child, u16) {
    let command = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn();
    let mut child = command.unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return (child, port.trim_end_matches('.').parse().unwrap());
        }
    }
    panic!("chromedriver has not started");
}

impl Page {
    /// Opens the page as a new user sees it.
    pub(crate) async fn open() -> Page {
        Page::sized(WIDTH, HEIGHT, false).await
    }

    /// Opens the page with a new game.
    pub(crate) async fn game() -> Page {
        let page = Page::open().await;
        page.click("#new-game").await;
        page.wait("$('fen').value.startsWith('rnbqkbnr/pppppppp/')").await;
        page
    }

    pub(crate) async fn sized(width: u32, height: u32, dark: bool) -> Page {
        let (driver, port) = driver().await;
        let arguments = [
            "--headless=new",
            // Tests may run as root, where the sandbox of Chromium does not start.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            &format!("--window-size={width},{height}"),
            &format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)),
        ];
        let capabilities = json!({ "goog:chromeOptions": { "args": arguments }, "goog:loggingPrefs": { "browser": "ALL" } });
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(serde_json::from_value(capabilities).unwrap())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap();
        let page = Page { client, address: PAGE.clone(), _driver: driver };
        page.go("").await;
        page
    }

    /// Opens the page with a fragment, and waits until it is ready.
    pub(crate) async fn go(&self, fragment: &str) {
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&format!("{}{fragment}", self.address)).await.unwrap();
        self.wait("!document.body.inert").await;
    }

    /// Opens the page anew when its address has followed: it does so after at most 150 ms, and timers end in the
    /// order of their times.
    pub(crate) async fn reload(&self) {
        self.value("new Promise((resolve) => setTimeout(resolve, 300))").await;
        self.client.refresh().await.unwrap();
        self.wait("!document.body.inert").await;
    }

    async fn look(&self, expression: &str) -> Result<Value, CmdError> {
        let script = format!("{}; return {expression};", include_str!("helpers.js"));
        self.client.execute(&script, vec![]).await
    }

    /// The value of a JavaScript expression, which may use `helpers.js`.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        self.look(expression).await.unwrap()
    }

    pub(crate) async fn text(&self, expression: &str) -> String {
        self.value(expression).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a JavaScript expression has a value. What it reads need not be there yet.
    pub(crate) async fn is(&self, expression: &str, wanted: impl Into<Value>) {
        let wanted = wanted.into();
        let mut found = String::new();
        for _ in 0..LOOKS {
            match self.look(expression).await {
                Ok(value) if value == wanted => return,
                Ok(value) => found = value.to_string(),
                Err(error) => found = error.to_string(),
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let problem = self.text("$('problem').textContent").await;
        panic!("{expression} is not {wanted} but {found}; the page says {problem:?}");
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) async fn wait(&self, expression: &str) {
        self.is(&format!("Boolean({expression})"), true).await;
    }

    /// Opens what an element is folded into, and scrolls it into view.
    async fn show(&self, selector: &str) -> Element {
        self.wait(&format!("one({})", json!(selector))).await;
        let element = self.client.find(Locator::Css(selector)).await.unwrap();
        let show = "const [node] = arguments; const panel = node.closest('[role=tabpanel][hidden]'); \
             if (panel) document.getElementById(`tab-${panel.id}`).click(); \
             for (let at = node.closest('details'); at; at = at.parentElement.closest('details')) at.open = true; \
             node.scrollIntoView({ block: 'nearest' });";
        self.client.execute(show, vec![serde_json::to_value(&element).unwrap()]).await.unwrap();
        element
    }

    /// Clicks an element as a user does: where it is shown, scrolled into view.
    pub(crate) async fn click(&self, selector: &str) {
        let clicked = self.show(selector).await.click().await;
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Clicks squares one after the other.
    pub(crate) async fn squares(&self, squares: &str) {
        for square in squares.split(' ') {
            self.click(&format!("#board [data-square={square}]")).await;
        }
    }

    /// Clicks squares one after the other, and waits until these moves are on the board.
    pub(crate) async fn play(&self, squares: &str, moves: &str) {
        self.squares(squares).await;
        self.moves(moves).await;
    }

    /// Clicks a button by its id, and waits until these moves are on the board.
    pub(crate) async fn press(&self, id: &str, moves: &str) {
        self.click(&format!("#{id}")).await;
        self.moves(moves).await;
    }

    /// Presses the back button of the browser, and waits until these moves are on the board.
    pub(crate) async fn back(&self, moves: &str) {
        self.client.back().await.unwrap();
        self.moves(moves).await;
    }

    /// Waits until these moves are on the board.
    pub(crate) async fn moves(&self, moves: &str) {
        self.is("played()", moves).await;
    }

    /// Presses a button of the mouse on a square and releases it on another.
    pub(crate) async fn drag(&self, from: &str, to: &str, button: u64) {
        let mut actions = MouseActions::new("mouse".to_owned());
        let presses = [(from, PointerAction::Down { button }), (to, PointerAction::Up { button })];
        for (square, press) in presses {
            let element = self.show(&format!("#board [data-square={square}]")).await;
            let to = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
            actions = actions.then(to).then(press);
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    pub(crate) async fn type_into(&self, selector: &str, keys: &str) {
        self.show(selector).await.send_keys(keys).await.unwrap();
    }

    /// Presses a key where nothing has the focus, and waits until these moves are on the board.
    pub(crate) async fn key(&self, key: &str, moves: &str) {
        self.value(&format!("press('{key}')")).await;
        self.moves(moves).await;
    }

    /// Pastes into a field, or chooses an option of a list, by its id.
    pub(crate) async fn fill(&self, id: &str, value: &str) {
        self.value(&format!("fill('{id}', {})", json!(value))).await;
    }

    /// Sets a position by its FEN.
    pub(crate) async fn set(&self, fen: &str) {
        self.fill("fen", fen).await;
        self.click("#read-fen").await;
    }

    /// Reads a text in PGN, and waits until these moves are on the board.
    pub(crate) async fn read_pgn(&self, text: &str, moves: &str) {
        self.fill("pgn", text).await;
        self.press("read-pgn", moves).await;
    }

    /// Writes an engine file into the editor as a user does.
    pub(crate) async fn write(&self, text: &str) {
        self.click("#text").await;
        self.value("$('text').select()").await;
        self.type_into("#text", text).await;
    }

    /// Saves a picture of the window, from the element of a selector down, if `TROPISM_DRAW` is set.
    pub(crate) async fn draw(&self, name: &str, top: &str) {
        if env::var_os("TROPISM_DRAW").is_none() {
            return;
        }
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
        self.value(&format!("one('{top}').scrollIntoView()")).await;
        let picture = self.client.screenshot().await.unwrap();
        fs::write(folder.join(format!("playground-{name}.png")), picture).unwrap();
    }

    /// Closes the browser. Nothing may have been written to its console.
    pub(crate) async fn close(self) {
        let log = self.client.issue_cmd(BrowserLog).await.unwrap();
        assert_eq!(log, json!([]), "the console is not empty");
        self.client.close().await.unwrap();
    }
}

/// What the page has written to the console, a command of chromedriver beyond the standard.
#[derive(Debug)]
struct BrowserLog;

impl WebDriverCompatibleCommand for BrowserLog {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}
