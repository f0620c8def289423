//! The parts of the page that are loaded later: once the browser is idle, or when a page of theirs is opened.

use serde_json::json;

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// Files of parts that the page has fetched.
const PARTS: &str = "performance.getEntriesByType('resource').filter(one => one.name.includes('/parts/'))";

/// Lets the browser fetch parts, or not.
async fn block_parts(chromium: &Chromium, is_blocked: bool) {
    let urls = if is_blocked { json!(["*/parts/*"]) } else { json!([]) };
    chromium.devtools("Network.setBlockedURLs", json!({ "urls": urls })).await;
}

async fn shown(chromium: &Chromium) -> String {
    chromium.ask("return document.querySelector('main').dataset.page").await.as_str().unwrap_or("").to_owned()
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn pages_open_without_the_relay_once_the_first_was_idle() {
    let program = Program::start(&[]);
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    chromium.client.goto(&format!("{}/#/connections", program.url)).await.expect("the page");
    chromium.text("[data-feed]").await;
    // Each part has started once its page opens at once. The last one is fetched last.
    until(&chromium, &format!("{PARTS}.some(part => part.name.includes('/library-'))")).await;
    chromium.ask("return new Promise(done => requestIdleCallback(() => done(0)))").await;
    let encoded = chromium.ask(&format!("return {PARTS}.every(part => part.encodedBodySize > 0)")).await;
    assert_eq!(encoded, true);
    drop(program);
    for page in ["analyse", "library", "settings"] {
        chromium.ask(&format!("location.hash = '#/{page}'; return 0")).await;
        chromium.settled().await;
        assert_eq!(shown(&chromium).await, page);
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_page_that_does_not_load_says_so_and_loads_later() {
    let program = Program::start(&[]);
    for window in [Window::ALL[0], Window { width: 390, height: 844, theme: "light" }] {
        let chromium = Chromium::open_alone(window).await;
        chromium.devtools("Network.enable", json!({})).await;
        block_parts(&chromium, true).await;
        chromium.client.goto(&format!("{}/#/connections", program.url)).await.expect("the page");
        chromium.text("[data-feed]").await;
        chromium.ask("location.hash = '#/analyse'; return 0").await;
        chromium.until("main [role=alert]", |words| words.contains("did not load")).await;
        chromium.picture(&format!("missing-page-{}", window.width)).await;
        chromium.check_clean_but(&["ERR_BLOCKED_BY_CLIENT", "Failed to fetch"]).await;
        // Other pages work.
        chromium.ask("location.hash = '#/live'; return 0").await;
        until(&chromium, "document.querySelector('main').dataset.page === 'live'").await;
        chromium.ask("location.hash = '#/analyse'; return 0").await;
        chromium.text("[data-testid=load-page]").await;
        block_parts(&chromium, false).await;
        chromium.ask("document.querySelector('[data-testid=load-page]').click(); return 0").await;
        until(&chromium, "document.querySelector('main').dataset.page === 'analyse'").await;
        chromium.close().await;
    }
}
