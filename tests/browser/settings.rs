//! Units are chosen per quantity, everywhere at once, and kept. What the program is, and a sample for a bug report.

use crate::analyse::{number, recorded};
use crate::analyse_marks::opened;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// Chooses a unit on the Settings page.
async fn choose(chromium: &Chromium, unit: &str) {
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
    chromium.ask("document.querySelector('[data-testid=all-figures]').click()").await;
    let metric = number(&chromium, min).await;
    let analyse = chromium.ask("return location.hash").await;
    chromium.ask("document.querySelector('a[href=\"#/settings\"]').click()").await;
    choose(&chromium, "mph").await;
    choose(&chromium, "psi").await;
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        chromium.picture(&format!("settings-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;

    // The corner card and the corner table, in miles per hour.
    chromium.ask(&format!("location.hash = {analyse}")).await;
    until(&chromium, &format!("document.querySelector('{min}')")).await;
    chromium.ask("document.querySelector('[data-testid=all-figures]').click()").await;
    let imperial = number(&chromium, min).await;
    assert!((imperial - metric / 1.609_344).abs() <= 1.0, "{metric} km/h, {imperial} mph");
    until(
        &chromium,
        "[...document.querySelectorAll('#open-corner .closely small')].some(unit => unit.innerText == 'mph')",
    )
    .await;

    // Kept after a reload, on the live page too.
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/#/live?demo=f1-2018", program.url)).await.expect("the page");
    chromium.until(".speed small", |unit| unit == "mph").await;
    crate::tasks::press(&chromium, "view-engineer").await;
    chromium.until(".tyres", |tyres| tyres.contains(" psi")).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs the page as it is delivered: run cargo xtask test"]
async fn the_program_names_its_commit_and_licences_and_saves_a_sample() {
    let program = Program::start(&["--demo"]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/settings", program.url)).await.expect("the page");
    chromium.text("[data-testid=about]").await;
    chromium.ask("document.querySelector('[data-testid=about]').click()").await;
    // The page under test is built as a release, from a checkout.
    chromium.until("[data-testid=commit]", |commit| commit.contains(" of 20")).await;
    for window in [Window::ALL[0], Window { width: 390, height: 844, theme: "light" }] {
        chromium.look(window).await;
        chromium.picture(&format!("about-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    let answers = |selector: &str| {
        let link = format!("document.querySelector('dialog {selector}').href");
        format!("return fetch({link}).then(async got => [got.status, (await got.arrayBuffer()).byteLength])")
    };
    let licences = chromium.ask(&answers("a[target]")).await;
    assert!(licences[0] == 200 && licences[1].as_u64() > Some(100), "{licences}");
    let sample = chromium.ask(&answers("[data-testid=save-sample]")).await;
    assert!(sample[0] == 200 && sample[1].as_u64() > Some(1000), "{sample}");
    chromium.close().await;
}
