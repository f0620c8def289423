//! Units are chosen per quantity, everywhere at once, and kept.

use crate::analyse::{number, recorded};
use crate::analyse_marks::opened;
use crate::chromium::Window;
use crate::recording_links::until;

/// Chooses a unit on the Settings page.
async fn choose(chromium: &crate::chromium::Chromium, unit: &str) {
    until(chromium, &format!("document.querySelector('main.settings input[value=\"{unit}\"]')")).await;
    chromium.ask(&format!("document.querySelector('main.settings input[value=\"{unit}\"]').click()")).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn units_are_chosen_once_for_all_pages() {
    let recorded = recorded("units");
    let (program, chromium) = opened(&recorded).await;
    chromium.ask("document.querySelector('#things .thing').click()").await;
    let min = ".closely [data-line=min] .main";
    let metric = number(&chromium, min).await;
    let analyse = chromium.ask("return location.hash").await;
    chromium.ask("document.querySelector('a[href=\"#/settings\"]').click()").await;
    choose(&chromium, "mph").await;
    choose(&chromium, "psi").await;
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        chromium.picture(&format!("settings-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;

    // The corner card and the corner table, in miles per hour.
    chromium.ask(&format!("location.hash = {analyse}")).await;
    until(&chromium, &format!("document.querySelector('{min}')")).await;
    let imperial = number(&chromium, min).await;
    assert!((imperial - metric / 1.609_344).abs() <= 1.0, "{metric} km/h, {imperial} mph");
    until(&chromium, "document.querySelector('#corners thead').innerText.includes('Δ mph')").await;
    until(
        &chromium,
        "[...document.querySelectorAll('#corners .closely small')].some(unit => unit.innerText == 'mph')",
    )
    .await;

    // Kept after a reload, on the live page too.
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/#/live?demo=f1-2018", program.url)).await.expect("the page");
    chromium.until(".speed small", |unit| unit == "mph").await;
    chromium.until("[data-figure='tyre-legend']", |legend| legend.to_lowercase().contains("psi")).await;
    chromium.check_clean().await;
    chromium.close().await;
}
