//! What a driver sets on the page counts at once, is kept by the relay, and says what is wrong.

use serde_json::Value;
use trailbrake_isolation::{ADDRESS, has_own_network};

use crate::analyse::{choose, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::Folder;
use crate::recording_links::{serving, until};

/// A folder with an options file, beside which settings are kept.
fn options_file(name: &str) -> (Folder, String) {
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-{name}-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let file = folder.0.join("config.toml");
    std::fs::write(&file, "keep-days = 30").expect("a file");
    let file = file.to_string_lossy().into_owned();
    (folder, file)
}

fn field(setting: &str) -> String {
    format!("document.querySelector('[data-setting=\"{setting}\"]')")
}

/// Types into a field and leaves it.
async fn type_into(chromium: &Chromium, setting: &str, text: &str) {
    let field = field(setting);
    until(chromium, &field).await;
    let typed = format!(
        "const field = {field}; field.value = '{text}'; field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    );
    chromium.ask(&typed).await;
}

/// What a section says: that it is saved, or what is wrong.
async fn says(chromium: &Chromium, section: &str, words: &str) {
    let condition = format!(
        "[...document.querySelectorAll('[data-section=\"{section}\"] :is(.saved, .trouble)')].map(words => words.innerText).join('|').includes('{words}')"
    );
    until(chromium, &condition).await;
}

async fn value(chromium: &Chromium, setting: &str) -> Value {
    chromium.ask(&format!("return {}.value", field(setting))).await
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn settings_are_kept_by_the_relay_and_wrong_ones_are_explained() {
    let (folder, file) = options_file("driver-settings");
    let program = Program::start(&["--config", &file]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let page = format!("{}/#/settings", program.url);
    chromium.client.goto(&page).await.expect("the page");

    type_into(&chromium, "author", "Ann").await;
    says(&chromium, "Author", "Saved.").await;
    // A window has two ends.
    type_into(&chromium, "tyre-surface-from", "85").await;
    says(&chromium, "Tyre windows", "enter both").await;
    type_into(&chromium, "tyre-surface-to", "80").await;
    says(&chromium, "Tyre windows", "ends above where it begins").await;
    type_into(&chromium, "tyre-surface-to", "99").await;
    says(&chromium, "Tyre windows", "Saved.").await;
    // What the page can't know, the relay refuses.
    type_into(&chromium, "forward", &format!("f1-2018=127.0.0.1:{}", program.f1_port)).await;
    says(&chromium, "Forwarding", "would come back").await;
    type_into(&chromium, "forward", "f1-2018=127.0.0.1:5301").await;
    says(&chromium, "Forwarding", "Saved.").await;
    type_into(&chromium, "console", "my ps5").await;
    says(&chromium, "Games that send on request", "One looks like 192.168.1.7.").await;

    // The options file sets one.
    assert_eq!(chromium.ask(&format!("return {}.disabled", field("keep-days"))).await, true);
    assert_eq!(value(&chromium, "keep-days").await, "30");
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "light" }]) {
        chromium.look(window).await;
        chromium.ask("document.querySelector('[data-section=Author]').scrollIntoView()").await;
        chromium.settled().await;
        chromium.picture(&format!("driver-settings-{}-{}", window.width, window.theme)).await;
        chromium.check_clean_but(&["422"]).await;
    }
    let kept = std::fs::read_to_string(folder.0.join("settings.json")).expect("the settings");
    for words in ["Ann", "85", "99", "127.0.0.1:5301"] {
        assert!(kept.contains(words), "{kept}");
    }
    assert!(!kept.contains("my ps5"), "{kept}");

    // Another run has them, and so has another browser.
    program.kill();
    let program = Program::start(&["--config", &file]);
    let other = Chromium::open(Window::ALL[0]).await;
    other.client.goto(&format!("{}/#/settings", program.url)).await.expect("the page");
    until(&other, &format!("{}?.value == 'Ann'", field("author"))).await;
    assert_eq!(value(&other, "tyre-surface-to").await, "99");
    other.check_clean().await;
    other.close().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_steering_range_turns_shares_into_degrees() {
    let recorded = recorded("steering-range");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let analyse = format!("#/analyse?recording={}", recorded.id);
    chromium.client.goto(&format!("{}/{analyse}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    let steering = "document.querySelector('#values [data-lane=Steering]')?.innerText";
    until(&chromium, &format!("{steering}?.includes('%')")).await;
    chromium.ask("location.hash = '#/settings'").await;
    type_into(&chromium, "steering.f1", "400").await;
    says(&chromium, "Steering range", "Saved.").await;
    chromium.ask(&format!("location.hash = '{analyse}'")).await;
    until(&chromium, &format!("{steering}?.includes('°')")).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn corners_are_rated_before_times_are_shown() {
    let recorded = recorded("debriefed");
    let (_folder, file) = options_file("debrief-settings");
    let recordings = recorded.folder().to_string_lossy().into_owned();
    let program = Program::recording(&["--config", &file, "--recordings", &recordings]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/settings", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-section=Debrief] input[value=yes]')").await;
    chromium.ask("document.querySelector('[data-section=Debrief] input[value=yes]').click()").await;
    says(&chromium, "Debrief", "Saved.").await;
    chromium.ask(&format!("location.hash = '#/analyse?recording={}'", recorded.id)).await;
    until(&chromium, "document.querySelectorAll('.ratings li').length > 5").await;

    // No time is in sight.
    const TIME: &str = "[...document.querySelectorAll('main.analyse *')].filter(element => element.checkVisibility({ visibilityProperty: true }) && /\\d:\\d\\d\\.\\d/.test(element.innerText))";
    assert_eq!(chromium.ask(&format!("return {TIME}.length")).await, 0);
    for window in [Window::ALL[0], Window::ALL[3], Window { width: 390, height: 844, theme: "dark" }] {
        chromium.look(window).await;
        chromium.picture(&format!("debrief-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
    let rate = |corner: &str, felt: u8, text: &str| {
        format!(
            "const row = document.querySelector('.ratings [data-corner={corner}]'); row.querySelector('input[value=\"{felt}\"]').click();
            const text = row.querySelector(':scope > input'); text.value = '{text}'; text.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        )
    };
    chromium.ask("document.querySelector('[data-testid=save-debrief]').click()").await;
    until(&chromium, "document.querySelector('.debrief .trouble').innerText").await;
    chromium.ask(&rate("T5", 2, "slid wide")).await;
    chromium.ask(&rate("T3", 5, "")).await;
    chromium.ask("document.querySelector('[data-testid=debrief-author]').value = 'Dan'").await;
    chromium.ask("document.querySelector('[data-testid=save-debrief]').click()").await;

    // The ratings are notes in the recording, and stand beside the data.
    until(&chromium, "!document.querySelector('[role=dialog]')").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 2").await;
    assert_ne!(chromium.ask(&format!("return {TIME}.length")).await, 0);
    let mark = |corner: u8| {
        format!(
            "document.querySelector('#corners tr[data-corner=\"{corner}\"] [data-figure=felt-mark]')?.innerText"
        )
    };
    until(&chromium, &format!("{} == '2' && {} == '5'", mark(5), mark(3))).await;
    chromium.ask("document.querySelector('#corners tr[data-corner=\"5\"] button').click()").await;
    chromium.until("[data-figure=felt]", |words| words == "Dan · Felt 2 of 5: slid wide").await;
    chromium.picture("debriefed").await;
    chromium.check_clean().await;

    // It is asked once.
    chromium.ask("location.reload()").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 2").await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    assert_eq!(chromium.ask("return document.querySelector('[role=dialog]')").await, Value::Null);
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a namespace of its own: run cargo xtask test"]
async fn a_tablet_signs_with_its_own_name_and_changes_nothing_else() {
    if !has_own_network("driver_settings::a_tablet_signs_with_its_own_name_and_changes_nothing_else") {
        return;
    }
    let (folder, file) = options_file("tablet-settings");
    let program = Program::start(&["--lan", "--config", &file]);
    let tablet = Chromium::open(Window::ALL[2]).await;
    tablet.client.goto(&program.tablet_link(ADDRESS)).await.expect("the page");
    until(&tablet, "document.querySelector('a[href=\"#/settings\"]')").await;
    tablet.ask("location.hash = '#/settings'").await;
    type_into(&tablet, "author", "Anna").await;
    says(&tablet, "Author", "Saved.").await;
    assert_eq!(tablet.ask(&format!("return {}.disabled", field("tyre-surface-from"))).await, true);
    let choice = "document.querySelector('[data-section=Debrief] input').disabled";
    assert_eq!(tablet.ask(&format!("return {choice}")).await, true);
    assert_eq!(tablet.ask(&format!("return {}", field("port.f1"))).await, Value::Null);
    assert!(!folder.0.join("settings.json").exists(), "the name is the tablet's own");
    tablet.ask("location.reload()").await;
    until(&tablet, &format!("{}?.value == 'Anna'", field("author"))).await;
    tablet.check_clean().await;
    tablet.close().await;
}
