//! Names of a track and its corners: edited on the page, kept by the relay, and included in clips.

use serde_json::{Value, json};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;

use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::{drop_file, press};

/// Opens the editor from the open corner, or from the session if no corner is open.
async fn edit(chromium: &Chromium) {
    const OPEN: &str = "(document.querySelector('#open-corner [data-testid=names]')
        ?? document.querySelector('#session [data-testid=name-track]')).click()";
    chromium.ask(OPEN).await;
    until(chromium, "document.querySelector('[role=dialog] [data-testid=save-names]')").await;
}

/// Fills in a field of the editor and saves.
async fn call(chromium: &Chromium, field: &str, name: &str) {
    edit(chromium).await;
    // What is named has the focus.
    until(chromium, &format!("document.activeElement?.dataset.testid == '{field}'")).await;
    chromium.ask(&format!("document.querySelector('[data-testid={field}]').value = '{name}'")).await;
    chromium.ask(&format!("document.querySelector('[data-testid={field}]').focus()")).await;
    const ENTER: &str =
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))";
    chromium.ask(ENTER).await;
    until(chromium, "!document.querySelector('[role=dialog]')").await;
}

/// Clicks a button of the editor, which stays open.
async fn change(chromium: &Chromium, action: &str, corners: usize) {
    edit(chromium).await;
    chromium.ask(&format!("document.querySelector('[data-testid={action}]').click()")).await;
    until(chromium, &format!("document.querySelectorAll('#corners tr[data-corner]').length == {corners}"))
        .await;
    strike(chromium, "escape").await;
    until(chromium, "!document.querySelector('[role=dialog]')").await;
}

/// The corner names in the corner table, in driving order.
async fn corners(chromium: &Chromium) -> Vec<String> {
    const NAMES: &str = "return [...document.querySelectorAll('#corners tr[data-corner]')]
        .sort((one, other) => one.dataset.corner - other.dataset.corner)
        .map(row => row.querySelector('th button').innerText.trim())";
    serde_json::from_value(chromium.ask(NAMES).await).expect("names")
}

/// The relay's response to a request.
pub(crate) async fn asked(chromium: &Chromium, method: &str, path: &str, body: &Value) -> Value {
    let ask = format!(
        "const asked = new XMLHttpRequest(); asked.open('{method}', '{path}', false); asked.setRequestHeader('x-trailbrake', 'page'); asked.send({body}); return asked.responseText",
        body = json!(body.to_string())
    );
    serde_json::from_str(chromium.ask(&ask).await.as_str().expect("text")).expect("JSON")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_track_and_its_corners_are_called_as_people_call_them() {
    let alone = Options { cars: 1, player: 0, seed: 12, again: false, ..Options::default() };
    let recorded = RecordedRace::show("named", Feed::GranTurismo, 260.0, alone);
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium
        .client
        .goto(&format!("{}/#/analyse?recording={}", program.url, recorded.id))
        .await
        .expect("a page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    let found = corners(&chromium).await;
    assert!(found.len() > 5 && found[0] == "T1", "{found:?}");

    // The game sends no track name; it is entered once.
    call(&chromium, "track-name", "Old mill").await;
    until(&chromium, "document.querySelector('#session [data-figure=track]').innerText == 'Old mill'").await;
    until(&chromium, "!document.querySelector('#session [data-testid=name-track]')").await;
    let book = asked(&chromium, "GET", "/tracks", &Value::Null).await;
    assert_eq!(book["tracks"][0]["name"], "Old mill", "{book}");

    // A corner's name appears everywhere the corner is mentioned.
    press(&chromium, "]").await;
    until(&chromium, "document.querySelector('#open-corner [data-testid=names]')").await;
    call(&chromium, "corner-name", "Mill bend").await;
    until(
        &chromium,
        "document.querySelector(\"#corners [data-corner='1']\").innerText.includes('Mill bend')",
    )
    .await;
    chromium.ask("document.querySelector('[data-testid=report]').click()").await;
    until(
        &chromium,
        "decodeURIComponent(document.querySelector('img.paper')?.src ?? '').includes('Mill bend')",
    )
    .await;
    strike(&chromium, "escape").await;
    chromium.picture("names-lanes").await;

    // Merge with the next corner, undo, and split.
    change(&chromium, "merge-corner", found.len() - 1).await;
    change(&chromium, "undo-corner", found.len()).await;
    assert_eq!(corners(&chromium).await[0], "Mill bend");
    assert_eq!(corners(&chromium).await[1..], found[1..]);
    change(&chromium, "split-corner", found.len() + 1).await;
    let split = corners(&chromium).await;
    assert_eq!((split[0].as_str(), split[1].as_str()), ("Mill bend", "T2"), "{split:?}");
    let shown = address(&chromium).await;

    // A rejected name shows an error and can be corrected.
    edit(&chromium).await;
    for (width, height) in [(1400, 900), (1024, 768), (390, 844)] {
        for theme in ["light", "dark"] {
            chromium.look(Window { width, height, theme }).await;
            chromium.picture(&format!("names-{width}-{theme}")).await;
            chromium.check_clean().await;
        }
    }
    let long = "document.querySelector('[data-testid=corner-name]').value = 'x'.repeat(80);
        document.querySelector('[data-testid=save-names]').click()";
    chromium.ask(long).await;
    let alert = chromium.until("[role=dialog] [role=alert]", |words| !words.is_empty()).await;
    assert!(alert.contains("60 letters"), "{alert}");
    strike(&chromium, "escape").await;

    // A clip carries the names, so they show without this relay's track names.
    let row = recorded.laps.iter().find(|row| row.lap.counts().is_some()).expect("a lap");
    let key = json!({ "car": row.car, "session": row.session, "serial": row.lap.serial });
    let taken =
        asked(&chromium, "POST", &format!("/library/{}/trim", recorded.id), &json!({ "laps": [key] })).await;
    let file = taken["file"].as_str().expect("a file");
    let bytes = std::fs::read(recorded.folder().join(file)).expect("the file");
    let elsewhere = recorded.folder().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).expect("a folder");
    let other = Program::start(&["--recordings", &elsewhere.to_string_lossy()]);
    chromium.client.goto(&format!("{}/#/analyse", other.url)).await.expect("the page");
    until(&chromium, "document.querySelector('#main[data-page=analyse]')").await;
    drop_file(&chromium, file, &bytes).await;
    until(&chromium, "document.querySelector('#session [data-figure=track]')?.innerText == 'Old mill'").await;
    until(&chromium, "document.querySelectorAll('#corners tr[data-corner]').length > 0").await;
    assert_eq!(corners(&chromium).await[..2], split[..2], "{shown}");
    chromium.close().await;
}
