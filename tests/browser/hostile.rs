//! What other people write is plain text on every page, and a page that floods the relay learns why it is cut off.

use serde_json::{Value, json};
use trailbrake_shared::wire::{self, ToRelay};
use trailbrake_tests::recorded::BEGAN;

use crate::analyse_names::asked;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{serving, until};
use crate::server_page::{FakeServer, press, write};

/// A name that would run a script if it were markup, and turns what follows it if nothing holds it.
const NAME: &str = "<img src=x onerror=hacked()><script>hacked()</script>\u{202e}gnp";

/// Waits until an element shows the name and nothing of it has become markup.
async fn is_text(chromium: &Chromium, selector: &str) {
    chromium
        .until(selector, |text| text.contains("<img src=x onerror=hacked()><script>hacked()</script>"))
        .await;
    let markup = "return document.querySelectorAll('[onerror], [src=x], script:not([src])').length";
    assert_eq!(chromium.ask(markup).await, json!(0), "{selector}");
    let holds = format!("return getComputedStyle(document.querySelector('{selector}')).unicodeBidi");
    assert_eq!(chromium.ask(&holds).await, json!("isolate"), "{selector}");
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn names_and_notes_with_markup_are_text_on_every_page() {
    let recorded = RecordedRace::new("hostile", 200.0);
    let program = serving(&recorded);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    chromium.text("#seen .col-name").await;
    let path = format!("/library/{}", recorded.id);
    asked(&chromium, "PATCH", &path, &json!({ "name": NAME, "tags": [NAME] })).await;
    let note = json!({ "at": BEGAN.plus_seconds(150.0), "author": NAME, "text": NAME });
    asked(&chromium, "POST", &format!("{path}/notes"), &note).await;

    chromium.client.refresh().await.expect("the page again");
    is_text(&chromium, "#seen .col-name").await;
    chromium
        .client
        .goto(&format!("{}/#/analyse?recording={}", program.url, recorded.id))
        .await
        .expect("a page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    is_text(&chromium, "#notes li .text").await;
    is_text(&chromium, "#notes li .about").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn names_and_chat_of_a_server_with_markup_are_text() {
    let server = FakeServer::start(NAME, NAME);
    let program = Program::start(&[&format!("--ac-server=127.0.0.1:{}", server.port)]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/server", program.url)).await.expect("the page");
    is_text(&chromium, ".drivers [data-testid=select-driver]").await;
    write(&chromium, "message", "Hi").await;
    press(&chromium, "send").await;
    is_text(&chromium, ".chat .scroll").await;
    // The session's events on Live name the driver too.
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    is_text(&chromium, "main").await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// Keeps the page's own sockets within reach of the test.
const KEEP_SOCKETS: &str = "window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); sockets.push(this); } };";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_page_that_floods_says_why_it_was_cut_off_and_connects_again() {
    let program = Program::start(&[]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": KEEP_SOCKETS })).await;
    chromium.client.goto(&program.url).await.expect("the page");
    let is_connected = |text: &str| text.to_lowercase().starts_with("connected");
    chromium.until("[data-testid='link']", is_connected).await;
    let hello = wire::encode(&ToRelay::Hello { page: "0.1.0".into() }).expect("a message");
    let flood = "const live = sockets.find(socket => socket.url.endsWith('/live'));
        for (let number = 0; number < 200; number++) live.send(new Uint8Array(arguments[0]))";
    chromium.client.execute(flood, vec![Value::from(hello)]).await.expect("it is sent");
    chromium.until("[data-testid='faults']", |text| text.contains("This page sends too many messages")).await;
    chromium.until("[data-testid='link']", is_connected).await;
    chromium.close().await;
}
