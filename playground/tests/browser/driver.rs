//! A browser for tests: headless Chromium behind chromedriver.

use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{InputSource, MouseActions, PointerAction},
    elements::Element,
    wd::WebDriverCompatibleCommand,
};
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{self, Write},
    path::PathBuf,
    process::Stdio,
    sync::LazyLock,
    time::Duration,
};
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

/// How long to wait between two looks at the page, and how often to look.
const PAUSE: Duration = Duration::from_millis(10);
const LOOKS: usize = 6000;

/// The address of the page, which is made once for all tests; without it, why there is none. `TROPISM_WASM` may name
/// the engine as WebAssembly.
static PAGE: LazyLock<Result<Url, &str>> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tropism-playground"));
    command.arg("--no-open").arg("--out").arg(&folder);
    // Quick to build: the tests measure nothing.
    let profile = [("LTO", "off"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", "1")];
    command.envs(profile.map(|(key, value)| (format!("CARGO_PROFILE_PAGE_{key}"), value)));
    if let Some(wasm) = env::var_os("TROPISM_WASM") {
        command.arg("--wasm").arg(wasm);
    }
    match command.status() {
        Ok(status) if status.success() => {
            Ok(Url::from_file_path(folder.join("tropism.html")).unwrap())
        }
        _ => Err("the engine cannot be built for the page"),
    }
});

/// Starts the driver; `None` if it is not installed.
async fn driver() -> Option<(Child, u16)> {
    let command = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn();
    let mut child = command.ok()?;
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return Some((child, port.trim_end_matches('.').parse().ok()?));
        }
    }
    None
}

impl Page {
    /// Opens the page in a window of this size; `None` if there is no page or no browser.
    pub(crate) async fn open(width: u32, height: u32, dark: bool) -> Option<Page> {
        let found = match (&*PAGE, driver().await) {
            (Ok(address), Some(driver)) => Ok((address, driver)),
            (Err(reason), _) => Err(*reason),
            (_, None) => Err("chromedriver is not installed"),
        };
        let (address, (driver, port)) = match found {
            Ok(found) => found,
            Err(reason) => {
                // Written past the capture of the test harness, which hides what passing tests print.
                let text = format!("SKIPPED: {reason}, so the page is not tested in a browser\n");
                io::stderr().write_all(text.as_bytes()).unwrap();
                return None;
            }
        };
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
        let capabilities = serde_json::from_value(json!({
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        }));
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities.unwrap())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap();
        let page = Page { client, address: address.clone(), _driver: driver };
        page.go("").await;
        Some(page)
    }

    /// Opens the page with a fragment, and waits until it is ready.
    pub(crate) async fn go(&self, fragment: &str) {
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&format!("{}{fragment}", self.address)).await.unwrap();
        self.wait("!document.body.inert").await;
    }

    /// The value of a JavaScript expression. `$` finds an element by its id, `one` by a selector; `count` counts
    /// them, `rect` is the place of one; `played()` are the moves on the board.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        let script = format!(
            "const $ = (id) => document.getElementById(id); const one = (css) => document.querySelector(css); \
             const count = (css) => document.querySelectorAll(css).length; const rect = (css) => \
             one(css).getBoundingClientRect(); const played = () => \
             [...document.querySelectorAll('#moves .path')].map((e) => e.textContent).join(' '); return {expression};"
        );
        self.client.execute(&script, vec![]).await.unwrap()
    }

    pub(crate) async fn text(&self, expression: &str) -> String {
        self.value(expression).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) async fn wait(&self, expression: &str) {
        for _ in 0..LOOKS {
            if self.value(&format!("Boolean({expression})")).await == true {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let problem = self.text("$('problem').textContent").await;
        panic!("never true: {expression}; the page says {problem:?}");
    }

    /// Opens what an element is folded into, and scrolls it into view.
    async fn show(&self, selector: &str) -> Element {
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

    pub(crate) async fn square(&self, square: &str) {
        self.click(&format!("#board button[data-square={square}]")).await;
    }

    pub(crate) async fn type_into(&self, selector: &str, keys: &str) {
        self.show(selector).await.send_keys(keys).await.unwrap();
    }

    /// Pastes into a field, or chooses an option of a list.
    pub(crate) async fn fill(&self, selector: &str, value: &str) {
        self.value(&format!(
            "(() => {{ const e = one('{selector}'); e.value = {}; \
             for (const name of ['input', 'change']) e.dispatchEvent(new Event(name)); }})()",
            json!(value)
        ))
        .await;
    }

    /// Saves a picture of the window for the documentation, if `TROPISM_DRAW` is set. `top` is the selector of
    /// what is at the top of the window.
    pub(crate) async fn draw(&self, name: &str, top: &str) {
        if env::var_os("TROPISM_DRAW").is_none() {
            return;
        }
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
        self.value(&format!("document.querySelector('{top}').scrollIntoView()")).await;
        let picture = self.client.screenshot().await.unwrap();
        fs::write(folder.join(format!("playground-{name}.png")), picture).unwrap();
    }

    /// Sends a command of the DevTools protocol.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) {
        let body = json!({ "cmd": command, "params": parameters });
        self.client.issue_cmd(Own("goog/cdp/execute", body)).await.unwrap();
    }

    /// Closes the browser. Nothing may have been written to its console.
    pub(crate) async fn close(self) {
        let log = self.client.issue_cmd(Own("se/log", json!({ "type": "browser" }))).await.unwrap();
        assert_eq!(log, json!([]), "the console is not empty");
        self.client.close().await.unwrap();
    }
}

/// A command of chromedriver beyond the standard: the end of its address, and its body.
#[derive(Debug)]
struct Own(&'static str, Value);

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}
