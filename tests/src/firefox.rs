//! Drives Firefox by WebDriver BiDi, which it speaks itself: opens pages, reads them, and collects what its console says.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use trailbrake_isolation::free_port;

use crate::PATIENCE;

/// Settings of the profile: it starts without questions, and everything but loopback goes to a proxy that is not there.
const SETTINGS: &str = r#"
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.socks", "127.0.0.1");
user_pref("network.proxy.socks_port", 9);
user_pref("network.proxy.socks_remote_dns", true);
user_pref("remote.active-protocols", 1);
user_pref("toolkit.telemetry.enabled", false);
"#;

/// A Firefox with one page.
pub struct Firefox {
    process: Child,
    profile: PathBuf,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    commands: u64,
    /// The page's browsing context.
    page: Value,
    /// Errors and warnings of the console, exceptions included.
    problems: Vec<String>,
}

impl Firefox {
    /// Starts Firefox with an empty profile and a page of this size in CSS pixels.
    pub async fn open(width: u32, height: u32) -> Self {
        let port = free_port();
        let profile = std::env::temp_dir().join(format!("trailbrake-firefox-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&profile).expect("a profile");
        std::fs::write(profile.join("user.js"), SETTINGS).expect("its settings");
        let process = Command::new(crate::named_file("TRAILBRAKE_FIREFOX"))
            .args(["--headless", "--no-remote", "--remote-debugging-port", &port.to_string(), "--profile"])
            .arg(&profile)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Firefox starts");
        let began = Instant::now();
        let socket = loop {
            let address = format!("ws://127.0.0.1:{port}/session");
            match tokio_tungstenite::connect_async(address).await {
                Ok((socket, _)) => break socket,
                Err(error) => assert!(began.elapsed() < PATIENCE, "no Firefox: {error}"),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let mut firefox =
            Self { process, profile, socket, commands: 0, page: Value::Null, problems: Vec::new() };
        firefox.command("session.new", json!({ "capabilities": {} })).await;
        firefox.command("session.subscribe", json!({ "events": ["log.entryAdded"] })).await;
        let pages = firefox.command("browsingContext.getTree", json!({})).await;
        firefox.page = pages["contexts"][0]["context"].clone();
        let viewport = json!({ "context": firefox.page, "viewport": { "width": width, "height": height } });
        firefox.command("browsingContext.setViewport", viewport).await;
        firefox
    }

    /// Opens an address, and waits until it has loaded.
    pub async fn goto(&mut self, url: &str) {
        let parameters = json!({ "context": self.page, "url": url, "wait": "complete" });
        self.command("browsingContext.navigate", parameters).await;
    }

    /// The value of a JavaScript expression in the page.
    pub async fn ask(&mut self, expression: &str) -> Value {
        let parameters = json!({
            "expression": format!("JSON.stringify(({expression}) ?? null)"),
            "target": { "context": self.page },
            "awaitPromise": true,
        });
        let answer = self.command("script.evaluate", parameters).await;
        let text = answer["result"]["value"].as_str().unwrap_or_else(|| panic!("{expression}: {answer}"));
        serde_json::from_str(text).expect("JSON")
    }

    /// Waits until a JavaScript condition is true.
    pub async fn until(&mut self, condition: &str) {
        let began = Instant::now();
        while self.ask(&format!("Boolean({condition})")).await != Value::Bool(true) {
            if began.elapsed() > PATIENCE {
                let shown = self.ask("document.body.innerText").await;
                panic!("never: {condition}; the page shows {shown}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Saves a screenshot in the folder that `TRAILBRAKE_PICTURES` names, if it is set.
    pub async fn picture(&mut self, name: &str) {
        if let Some(folder) = std::env::var_os("TRAILBRAKE_PICTURES") {
            let taken =
                self.command("browsingContext.captureScreenshot", json!({ "context": self.page })).await;
            std::fs::create_dir_all(&folder).expect("a folder for pictures");
            let text = taken["data"].as_str().expect("a picture");
            std::fs::write(PathBuf::from(folder).join(format!("{name}.png")), decoded(text))
                .expect("a picture kept");
        }
    }

    /// Panics if the console holds an error or a warning, or if something is wider than the window.
    pub async fn check_clean(&mut self) {
        let overflow = self.ask("document.documentElement.scrollWidth - innerWidth").await;
        assert!(overflow.as_i64().is_some_and(|pixels| pixels <= 0), "{overflow} pixels too wide");
        assert!(self.problems.is_empty(), "the console says {:#?}", self.problems);
    }

    /// Sends a command and returns its result. What the console says meanwhile is kept.
    async fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.commands += 1;
        let command = json!({ "id": self.commands, "method": method, "params": parameters });
        self.socket.send(Message::text(command.to_string())).await.expect("a command sent");
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let message = message.unwrap_or_else(|_| panic!("{method} is not answered"));
            let message = message.expect("Firefox runs").expect("a message");
            let Message::Text(text) = message else { continue };
            let incoming: Value = serde_json::from_str(&text).expect("JSON");
            if incoming["method"] == "log.entryAdded" {
                self.listen(&incoming["params"]);
            } else if incoming["id"] == json!(self.commands) {
                assert_eq!(incoming["type"], "success", "{method}: {incoming}");
                return incoming["result"].clone();
            }
        }
    }

    fn listen(&mut self, entry: &Value) {
        if matches!(entry["level"].as_str(), Some("error" | "warn")) {
            self.problems.push(entry["text"].as_str().unwrap_or_default().to_owned());
        }
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// The bytes of a text in base 64.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |letter: u8| DIGITS.iter().position(|known| *known == letter);
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for value in text.bytes().filter_map(digit) {
        (bits, held) = (bits << 6 | value as u32, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
