//! The page of benchmarks, open in a browser.

use serde_json::Value;

use crate::chromium::{Chromium, Window};
use crate::web_host::WebHost;

/// The page, and the browser that shows it.
pub struct BenchPage {
    chromium: Chromium,
    _host: WebHost,
}

impl BenchPage {
    /// Opens the page that `cargo xtask bench` has built.
    pub async fn open() -> Self {
        let folder = std::env::var_os("TRAILBRAKE_BENCH_PAGE").expect("cargo xtask bench builds the page");
        let host = WebHost::start(folder.into(), "/");
        let chromium = Chromium::open(Window::ALL[0]).await;
        chromium.client.goto(&host.url).await.expect("the page of benchmarks");
        chromium.until("#state", |state| state == "ready").await;
        Self { chromium, _host: host }
    }

    /// Calls one of the page's functions and returns its result.
    pub async fn call(&self, call: &str) -> Value {
        self.chromium.ask(&format!("return benchmark.{call}")).await
    }

    /// Closes the browser.
    pub async fn close(self) {
        self.chromium.close().await;
    }
}
