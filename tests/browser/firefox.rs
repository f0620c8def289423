//! Every page in Firefox: the same page in another engine, with its console clean.

use std::time::Duration;

use trailbrake_tests::firefox::Firefox;

use crate::program::Program;
use crate::recorded::RecordedRace;
use trailbrake_shared::sim::Options;

/// Long enough for three laps.
const SECONDS: f64 = 330.0;

#[tokio::test]
#[ignore = "needs Firefox: run cargo xtask test"]
async fn every_page_works_in_firefox() {
    let options = Options { seed: 4, keep_truth: false, ..Options::default() };
    let recorded = RecordedRace::race("firefox", SECONDS, options);
    let program = Program::start(&["--recordings", &recorded.folder().to_string_lossy()]);
    let mut firefox = Firefox::open(1024, 768).await;

    firefox.goto(&program.url).await;
    firefox.until("document.querySelectorAll('[data-feed]').length >= 6").await;
    firefox.until("/onnected/.test(document.querySelector('[data-testid=link]').textContent)").await;
    firefox.picture("firefox-connections").await;
    firefox.check_clean().await;

    // The demo: the gear changes, and after a lap there is a delta.
    firefox.goto(&format!("{}/#/live?demo=f1-2018&seed=3&speed=20&from=130", program.url)).await;
    firefox.until("Number(document.querySelector('[data-figure=speed]')?.textContent) > 50").await;
    let gear = firefox.ask("document.querySelector('[data-figure=gear]').textContent").await;
    firefox.until(&format!("document.querySelector('[data-figure=gear]').textContent != {gear}")).await;
    firefox.until("document.querySelectorAll('.laps [data-lap][data-time]').length >= 2").await;
    firefox.until("/^[+\u{2212}]?\\d/.test(document.querySelector('[data-figure=delta]').textContent)").await;
    firefox.picture("firefox-live").await;
    firefox.check_clean().await;
    firefox.ask("document.querySelector('[data-testid=stop-demo]').click()").await;
    firefox.until("location.hash == '#/connections'").await;

    // A recording: two laps compared, drawn on the lanes, and the values at the cursor.
    firefox.goto(&format!("{}/#/analyse?recording={}", program.url, recorded.id)).await;
    firefox.until("document.querySelector('#lap-list tr.reference')").await;
    firefox.until("document.querySelectorAll('#values [data-lane]').length >= 5").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    firefox.ask(PRESS_RIGHT).await;
    firefox.until("/\\d/.test(document.querySelector('#values [data-lane=Speed] span').textContent)").await;
    firefox.picture("firefox-analyse").await;
    firefox.check_clean().await;

    firefox.goto(&format!("{}/#/library", program.url)).await;
    firefox.until("document.body.innerText.includes('F1 2018')").await;
    firefox.picture("firefox-library").await;
    firefox.check_clean().await;

    firefox.goto(&format!("{}/#/settings", program.url)).await;
    firefox.until("document.querySelector('main select, main input')").await;
    firefox.picture("firefox-settings").await;
    firefox.check_clean().await;
}

const PRESS_RIGHT: &str = "window.dispatchEvent(new KeyboardEvent('keydown', \
    { key: 'ArrowRight', code: 'ArrowRight', bubbles: true }))";
