//! Drives Chromium: opens a window of a given size and theme, reads the page, and checks the console.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::error::CmdError;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use trailbrake_isolation::free_port;

use crate::PATIENCE;
use crate::processes;

use pool::Place;

/// Follows the page's own frames. A page that is not ours has none.
const SETTLED: &str = "
    const done = arguments[arguments.length - 1];
    const drawn = () => window.trailbrakeFrame?.().frames ?? 0;
    const first = drawn();
    let before = first, still = 0;
    const follow = () => {
        const now = drawn();
        still = now == before ? still + 1 : 0;
        before = now;
        // Messages fade by an animation, and are read before.
        const moves = document.getAnimations().some(one => one instanceof CSSTransition && one.playState == 'running');
        // At rest, a few empty frames leave time for what observers and microtasks still start. A page that draws a game
        // updates its panels every six frames.
        if (!moves && (still >= 4 || now - first >= 20)) done(null); else requestAnimationFrame(follow);
    };
    requestAnimationFrame(follow);";

/// A browser window.
pub struct Chromium {
    /// `None` once it was given back.
    browser: Option<Browser>,
    /// Its place among the tests that share browsers, if it does.
    place: Option<Place>,
    /// The WebDriver client, for what [`Chromium`] has no method for.
    pub client: Client,
}

/// A window's size and theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// `dark` or `light`.
    pub theme: &'static str,
}

impl Window {
    /// The sizes and themes that every page must look right in.
    pub const ALL: [Self; 4] = [
        Self { width: 1400, height: 900, theme: "dark" },
        Self { width: 1400, height: 900, theme: "light" },
        Self { width: 1024, height: 768, theme: "dark" },
        Self { width: 1024, height: 768, theme: "light" },
    ];
}

impl Chromium {
    /// Opens a browser that other tests may have used before. Their pages came from other programs, which have other ports,
    /// so that this one's page finds nothing of theirs.
    pub async fn open(window: Window) -> Self {
        let place = Place::take();
        let browser = match place.borrow() {
            Some(browser) => browser,
            None => Browser::start(Power::Saving).await,
        };
        Self::show(browser, Some(place), window).await
    }

    /// Starts a browser with an empty profile, for tests of what a browser has once: permissions, downloads, cookies,
    /// memory.
    pub async fn open_alone(window: Window) -> Self {
        Self::show(Browser::start(Power::Full).await, None, window).await
    }

    async fn show(browser: Browser, place: Option<Place>, window: Window) -> Self {
        let client = browser.client.clone();
        let chromium = Self { browser: Some(browser), place, client };
        chromium.look(window).await;
        chromium
    }

    /// Waits until the page shows what was last done to it: a few more frames of its own were drawn, or it draws none as
    /// nothing changes, and no transition runs. However busy the machine is, that takes as many frames.
    pub async fn settled(&self) {
        let settled = self.client.execute_async(SETTLED, Vec::new()).await;
        settled.unwrap_or_else(|error| panic!("the page draws no frame: {error}"));
    }

    /// Sets size and theme of the page, and waits until it shows them.
    pub async fn look(&self, window: Window) {
        let metrics = json!({
            "width": window.width, "height": window.height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let theme = json!({ "features": [{ "name": "prefers-color-scheme", "value": window.theme }] });
        self.devtools("Emulation.setEmulatedMedia", theme).await;
        self.settled().await;
    }

    /// Gives the browser a touch screen. A page that is open already may lose the next gesture to the browser, which learns only
    /// with a painted frame where a page takes touches itself.
    pub async fn add_touch_screen(&self) {
        let touch = json!({ "enabled": true, "maxTouchPoints": 5 });
        self.devtools("Emulation.setTouchEmulationEnabled", touch).await;
    }

    /// The text of the first element that matches a selector. Waits until there is one.
    pub async fn text(&self, selector: &str) -> String {
        let began = Instant::now();
        loop {
            let element = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
            match element.unwrap_or_else(|error| panic!("{selector}: {error}")).text().await {
                Ok(text) => return text,
                // The page replaced the element in between: read the new one.
                Err(error) => assert!(began.elapsed() < PATIENCE, "{selector}: {error}"),
            }
        }
    }

    /// Waits until an element's text satisfies a condition, and returns the text.
    pub async fn until(&self, selector: &str, wanted: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let text = self.text(selector).await;
            if wanted(&text) {
                return text;
            }
            assert!(began.elapsed() < PATIENCE, "{selector} still shows {text:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Runs JavaScript in the page and returns its result.
    pub async fn ask(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Panics if the console holds an error or a warning, or if something is wider than the window.
    pub async fn check_clean(&self) {
        self.check_clean_but(&[]).await;
    }

    /// Like [`Self::check_clean`], but ignores console messages that contain one of these words.
    pub async fn check_clean_but(&self, expected: &[&str]) {
        let message = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        let is_expected = |entry: &Value| expected.iter().any(|words| message(entry).contains(words));
        let log = self.client.issue_cmd(Log).await.expect("the console's log");
        let bad: Vec<_> = log
            .as_array()
            .expect("a list")
            .iter()
            .filter(|entry| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")))
            .filter(|entry| !is_expected(entry))
            .collect();
        assert!(bad.is_empty(), "the console says {bad:#?}");
        let overflow = self.ask("return document.documentElement.scrollWidth - innerWidth").await;
        assert!(overflow.as_i64().is_some_and(|pixels| pixels <= 0), "{overflow} pixels too wide");
    }

    /// Saves a screenshot in the folder that `TRAILBRAKE_PICTURES` names, if it is set.
    pub async fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("TRAILBRAKE_PICTURES") {
            let png = self.client.screenshot().await.expect("a picture");
            std::fs::create_dir_all(&folder).expect("a folder for pictures");
            std::fs::write(PathBuf::from(folder).join(format!("{name}.png")), png).expect("a picture kept");
        }
    }

    /// The bytes of memory that the processes of this browser's pages take.
    pub fn page_bytes(&self) -> u64 {
        self.browser.as_ref().map_or(0, |browser| processes::page_bytes(browser.driver.id()))
    }

    /// Leaves the browser to other tests, or ends the one that was only for this test.
    pub async fn close(mut self) {
        let (Some(place), Some(browser)) = (&self.place, self.browser.take()) else { return };
        if browser.clear().await.is_ok() {
            place.give_back(browser);
        }
    }

    /// Sends a command to Chromium's developer tools.
    pub async fn devtools(&self, command: &'static str, parameters: Value) {
        let command = DevTools { command, parameters };
        self.client.issue_cmd(command).await.expect("a command to the developer tools");
    }
}

/// A browser with its driver.
struct Browser {
    driver: Child,
    port: u16,
    /// The driver's session id.
    session: Option<String>,
    profile: PathBuf,
    client: Client,
}

/// The arguments of every browser.
const ARGUMENTS: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
];

/// How a browser uses the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Power {
    /// Every frame of the screen.
    Full,
    /// Half of the frames, as on a laptop that saves its battery, and code compiled once and quickly: several browsers share
    /// the machine.
    Saving,
}

impl Power {
    /// The browser's further arguments for it.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Full => &[],
            // A page of a test ends before a better compilation of it pays off.
            Self::Saving => &["--js-flags=--liftoff-only"],
        }
    }

    /// The browser's setting for it.
    fn setting(self) -> Value {
        match self {
            Self::Full => json!({}),
            Self::Saving => json!({ "performance_tuning.battery_saver_mode.state": 3 }),
        }
    }
}

impl Browser {
    /// Starts a browser with an empty profile.
    async fn start(power: Power) -> Self {
        let [browser, driver] = ["TRAILBRAKE_CHROMIUM", "TRAILBRAKE_CHROMEDRIVER"].map(crate::named_file);
        let port = free_port();
        let profile = std::env::temp_dir().join(format!("trailbrake-browser-{}-{port}", std::process::id()));
        let driver = Command::new(driver)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let profile_argument = format!("--user-data-dir={}", profile.display());
        let arguments = [ARGUMENTS, power.arguments(), &[profile_argument.as_str()]].concat();
        let options = json!({
            "goog:chromeOptions": {
                "binary": browser.to_string_lossy(),
                "localState": power.setting(),
                "args": arguments,
            },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(capabilities) = options else { unreachable!("an object was written") };
        // The client's own task lasts as long as the browser, and so longer than the runtime of one test.
        let client = pool::runtime().spawn(connect(port, capabilities)).await.expect("no panic");
        let session = client.session_id().await.ok().flatten();
        Self { driver, port, session, profile, client }
    }

    /// Leaves one window with an empty page, without what a test has set, and forgets what the console says.
    async fn clear(&self) -> Result<(), CmdError> {
        let windows = self.client.windows().await?;
        let Some((first, others)) = windows.split_first() else { return Ok(()) };
        for other in others {
            self.client.switch_to_window(other.clone()).await?;
            self.client.close_window().await?;
        }
        self.client.switch_to_window(first.clone()).await?;
        self.client.goto("about:blank").await?;
        for command in ["Emulation.setTouchEmulationEnabled", "Emulation.setFocusEmulationEnabled"] {
            self.client.issue_cmd(DevTools { command, parameters: json!({ "enabled": false }) }).await?;
        }
        self.client.issue_cmd(Log).await.map(drop)
    }
}

/// Connects to a driver as soon as it listens.
async fn connect(port: u16, capabilities: Capabilities) -> Client {
    let began = Instant::now();
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        match builder.connect(&format!("http://127.0.0.1:{port}")).await {
            Ok(client) => return client,
            Err(error) => assert!(began.elapsed() < PATIENCE, "no browser: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser outlives a driver that is killed: when a test panics, its window is still open.
        if let Some(session) = &self.session {
            let _ = end_session(self.port, session);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Browsers that go from test to test.
mod pool {
    use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

    use tokio::runtime::{Builder, Runtime};

    use super::Browser;

    struct Pool {
        idle: Vec<Browser>,
        /// How many tests have a place.
        places: usize,
    }

    static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), places: 0 });

    fn pool() -> MutexGuard<'static, Pool> {
        POOL.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The runtime of the browsers' clients.
    pub(super) fn runtime() -> &'static Runtime {
        static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(1).enable_all().build().expect("a runtime")
        });
        &RUNTIME
    }

    /// A test that uses a shared browser. Nothing is called when all tests have ended, so the last one to leave ends the
    /// idle browsers.
    pub(super) struct Place(());

    impl Place {
        pub(super) fn take() -> Self {
            pool().places += 1;
            Self(())
        }

        /// An idle browser; `None` if one has to be started.
        pub(super) fn borrow(&self) -> Option<Browser> {
            pool().idle.pop()
        }

        pub(super) fn give_back(&self, browser: Browser) {
            pool().idle.push(browser);
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let mut pool = pool();
            pool.places -= 1;
            let ended = if pool.places == 0 { std::mem::take(&mut pool.idle) } else { Vec::new() };
            // Ending them takes a moment, in which others may borrow.
            drop(pool);
            drop(ended);
        }
    }
}

/// Asks the driver to close the browser. Blocking, since this runs while a failing test unwinds.
fn end_session(port: u16, session: &str) -> std::io::Result<()> {
    let mut driver = TcpStream::connect(("127.0.0.1", port))?;
    driver.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        driver,
        "DELETE /session/{session} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    )?;
    // The response arrives once the browser is gone.
    driver.read(&mut [0; 64]).map(drop)
}

/// The WebDriver command that returns the console messages since the previous call.
#[derive(Debug)]
struct Log;

/// The WebDriver command that sends one command to Chromium's developer tools.
#[derive(Debug)]
struct DevTools {
    command: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.command, "params": self.parameters });
        (http::Method::POST, Some(body.to_string()))
    }
}
