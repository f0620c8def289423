//! axe-core finds nothing serious on any page, in both themes, with a mouse and on a phone.

use serde_json::Value;

use crate::analyse::{choose, recorded};
use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::recorded::RecordedRace;
use crate::recording_links::{serving, until};
use crate::replay::press;
use crate::team::Team;

/// The windows that are checked.
const WINDOWS: [Window; 3] = [
    Window { width: 1400, height: 900, theme: "dark" },
    Window { width: 1024, height: 768, theme: "light" },
    Window { width: 390, height: 844, theme: "dark" },
];

/// Runs axe-core, and returns what is serious: the rule, and the elements.
const RUN: &str = "const done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: ['violations'] }).then(found => done(found.violations
        .filter(rule => rule.impact == 'serious' || rule.impact == 'critical')
        .map(rule => rule.id + ': ' + rule.nodes.map(node => node.html.slice(0, 160)).join(' | '))));";

/// Checks what is shown now in every window, and adds what is serious to a list.
async fn check(chromium: &Chromium, what: &str, serious: &mut Vec<String>) {
    for window in WINDOWS {
        chromium.look(window).await;
        if chromium.ask("return Boolean(window.axe)").await != Value::Bool(true) {
            let script = std::fs::read_to_string(trailbrake_tests::named_file("TRAILBRAKE_AXE"));
            chromium.ask(&script.expect("axe-core")).await;
        }
        let found = chromium.client.execute_async(RUN, Vec::new()).await.expect("a check");
        let found: Vec<String> = serde_json::from_value(found).expect("rules");
        serious.extend(found.into_iter().map(|rule| format!("{what}, {}: {rule}", window.width)));
    }
    chromium.look(WINDOWS[0]).await;
}

/// Checks the dialog that is about to open, and closes it.
async fn check_dialog(chromium: &Chromium, what: &str, serious: &mut Vec<String>) {
    until(chromium, "document.querySelector('dialog[open]')").await;
    check(chromium, what, serious).await;
    chromium.ask("document.querySelector('dialog[open]').close()").await;
    until(chromium, "!document.querySelector('dialog')").await;
}

async fn open(chromium: &Chromium, url: &str) {
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(url).await.expect("the page");
}

#[tokio::test]
#[ignore = "needs a browser and axe-core: run cargo xtask test"]
async fn nothing_keeps_anybody_out_of_the_pages() {
    let recorded = RecordedRace::new("accessible", 200.0);
    let program = serving(&recorded);
    let chromium = Chromium::open(WINDOWS[0]).await;
    let mut serious = Vec::new();
    for (page, there) in [
        ("connections", "h1"),
        ("settings", "h1"),
        ("analyse", "main"),
        ("library", "#list"),
        ("live", "main"),
    ] {
        open(&chromium, &format!("{}/#/{page}", program.url)).await;
        chromium.text(there).await;
        check(&chromium, page, &mut serious).await;
        for key in ["?", "ctrl+k"] {
            strike(&chromium, key).await;
            check_dialog(&chromium, &format!("{page}, {key}"), &mut serious).await;
        }
    }
    open(&chromium, &format!("{}/#/settings", program.url)).await;
    chromium.text("[data-testid=about]").await;
    chromium.ask("document.querySelector('[data-testid=about]').click()").await;
    check_dialog(&chromium, "about", &mut serious).await;
    for demo in ["f1-2018", "dirt-rally", "ac-server"] {
        open(&chromium, &format!("{}/#/live?demo={demo}", program.url)).await;
        until(&chromium, "document.querySelector('main')?.innerText.length > 300").await;
        chromium.settled().await;
        check(&chromium, &format!("Live, {demo}"), &mut serious).await;
    }
    open(&chromium, &format!("{}/#/live?recording={}", program.url, recorded.id)).await;
    chromium.text("[data-figure=transport]").await;
    check(&chromium, "Replay", &mut serious).await;
    open(&chromium, &format!("{}/#/library", program.url)).await;
    until(&chromium, "document.querySelector('#list [role=row], #seen > *')").await;
    chromium.ask("document.querySelector('#seen > *').click()").await;
    chromium.settled().await;
    check(&chromium, "Library, a recording", &mut serious).await;
    assert!(serious.is_empty(), "{serious:#?}");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser and axe-core: run cargo xtask test"]
async fn nothing_keeps_anybody_out_of_the_analysis() {
    let recorded = recorded("accessible-analysis");
    let program = serving(&recorded);
    let chromium = Chromium::open(WINDOWS[0]).await;
    let mut serious = Vec::new();
    open(&chromium, &format!("{}/#/analyse?recording={}", program.url, recorded.id)).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    check(&chromium, "the laps", &mut serious).await;
    chromium.ask("document.querySelector('#things .thing').click()").await;
    for key in ["i", "o", "m"] {
        press(&chromium, key).await;
    }
    check(&chromium, "a corner, measured, with a note", &mut serious).await;
    press(&chromium, "Escape").await;
    let panels =
        "return [...document.querySelectorAll('[data-testid^=tab-]')].map(tab => tab.dataset.testid)";
    let panels: Vec<String> = serde_json::from_value(chromium.ask(panels).await).expect("tabs");
    assert!(panels.len() > 9, "{panels:?}");
    for panel in panels {
        chromium.ask(&format!("document.querySelector('[data-testid={panel}]').click()")).await;
        chromium.settled().await;
        check(&chromium, &panel, &mut serious).await;
    }
    for (key, what) in [("v", "channels"), ("?", "keys"), ("ctrl+k", "palette")] {
        strike(&chromium, key).await;
        check_dialog(&chromium, what, &mut serious).await;
    }
    for command in ["copy", "name-track", "report"] {
        strike(&chromium, "ctrl+k").await;
        until(&chromium, "document.querySelector('dialog[open] input')").await;
        chromium.ask(&format!("document.querySelector('#command-{command}').click()")).await;
        until(&chromium, "!document.querySelector('#command-copy')").await;
        check_dialog(&chromium, command, &mut serious).await;
    }
    assert!(serious.is_empty(), "{serious:#?}");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser, axe-core and nats-server: run cargo xtask test"]
async fn nothing_keeps_anybody_out_of_the_team() {
    let team = Team::new(&["anna", "bob"]);
    let _anna = team.rig("anna", &["--demo", "f1-2018", "--record-demo"]);
    let chromium = Chromium::open(WINDOWS[0]).await;
    let mut serious = Vec::new();
    for (what, address, there) in [
        ("team", String::new(), "document.querySelector('[data-rig=anna] .state')?.innerText == 'Recording'"),
        ("a rig's Live", "?rig=anna#/live".to_owned(), "document.querySelector('[data-figure=speed]')"),
        ("a rig's library", "?rig=anna#/library".to_owned(), "document.querySelector('#list')"),
        ("all laps", "?rig=-#/library".to_owned(), "document.querySelector('#list')"),
    ] {
        open(&chromium, &format!("{}{address}", team.url)).await;
        until(&chromium, there).await;
        check(&chromium, what, &mut serious).await;
    }
    assert!(serious.is_empty(), "{serious:#?}");
    chromium.check_clean().await;
    chromium.close().await;
}
