//! From the Waiting page to the first number: what a new user sees.

use std::time::Duration;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::game::{Dashboard, Game};
use crate::program::Program;
use crate::recording_links::until;

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_packet_becomes_a_number_on_the_page() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    let row = chromium.text("[data-feed='f1']").await;
    assert!(row.contains("F1 2018") && row.contains(&program.f1_port.to_string()), "{row}");

    // An unrecognised packet is counted, with the reason, and the page stays here.
    let mut game = Game::new(program.f1_port);
    game.send_bytes(&[0xca, 0xfe, 0xba, 0xbe]);
    let reason = chromium.until("[data-feed='f1']", |text| text.contains("Unknown packet")).await;
    assert!(reason.contains("1 packet"), "{reason}");
    assert!(reason.contains("ca fe ba be"), "{reason}");

    for (window, speed) in Window::ALL.into_iter().zip([0, 123, 241, 318]) {
        chromium.look(window).await;
        if speed == 0 {
            chromium.picture("waiting").await;
            continue;
        }
        let dashboard = Dashboard { speed, gear: 6, rpm: 11_234, throttle: 87, brake: 12 };
        // Sent repeatedly, as games do: a packet sent before the page listens is lost.
        let shown = tokio::time::timeout(PATIENCE, async {
            loop {
                game.send(dashboard);
                tokio::time::sleep(Duration::from_millis(50)).await;
                let found =
                    chromium.ask("return document.querySelector('[data-figure=speed]')?.textContent").await;
                if found.as_str() == Some(&speed.to_string()) {
                    break;
                }
            }
        });
        shown.await.unwrap_or_else(|_| panic!("{speed} km/h never showed"));
        chromium.until("[data-figure='gear']", |text| text == "6").await;
        // A driver has the lights instead: the number is the engineer's.
        let rpm = "document.querySelector('[data-figure=rpm]').textContent.replace(/\\D/g, '') == '11234'";
        until(&chromium, rpm).await;
        chromium.until("[data-figure='throttle']", |text| text.contains("87")).await;
        chromium.until("[data-figure='brake']", |text| text.contains("12")).await;
    }
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_page_says_when_the_relay_is_gone_and_comes_back_by_itself() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.until("[data-testid='link']", |text| text.contains("onnected")).await;
    let address = program.url.trim_start_matches("http://").to_owned();
    drop(program);
    chromium.until("[data-testid='link']", |text| text.to_lowercase().contains("reconnecting")).await;
    let again = Program::start_at(&address, &[]);
    assert_eq!(again.url, format!("http://{address}"), "the page can only come back to the same address");
    chromium.until("[data-testid='link']", |text| text.to_lowercase().starts_with("connected")).await;
    chromium.close().await;
}
