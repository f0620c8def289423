//! Every chart of the Analyse page can be read as a table, by keyboard, and says what it shows.

use serde_json::json;

use crate::analyse::{choose, recorded};
use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::recording_links::{serving, until};
use crate::replay::press;

/// Presses a chart's button, and waits for its tables.
async fn show(chromium: &Chromium, id: &str) {
    chromium.ask(&format!("document.querySelector('[data-testid=show-{id}]').click()")).await;
    until(chromium, &format!("document.querySelector('#{id} tbody tr')")).await;
    let button = format!("document.querySelector('[data-testid=show-{id}]').getAttribute('aria-expanded')");
    assert_eq!(chromium.ask(&format!("return {button}")).await, "true");
}

/// How many tables a chart has, and whether each has a caption, heads over its columns and names of its rows.
async fn tables(chromium: &Chromium, id: &str) -> u64 {
    let sound = format!(
        "return [...document.querySelectorAll('#{id} table')].every(table => table.caption?.innerText
            && table.querySelectorAll('thead th[scope=col]').length == table.rows[1].cells.length
            && table.querySelectorAll('tbody th[scope=row]').length == table.tBodies[0].rows.length)"
    );
    assert_eq!(chromium.ask(&sound).await, true, "{id}");
    let count = format!("return document.querySelectorAll('#{id} table').length");
    chromium.ask(&count).await.as_u64().expect("a number")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn charts_are_read_as_tables() {
    let recorded = recorded("tables");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let address = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&address).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;

    // Each lane has its table, and its values are those of the gutter.
    show(&chromium, "lanes-tables").await;
    let lanes = tables(&chromium, "lanes-tables").await;
    assert!(lanes >= 6, "{lanes}");
    let rows = "return document.querySelector('#lanes-tables table').tBodies[0].rows.length";
    let rows = chromium.ask(rows).await.as_u64().expect("a number");
    assert!((10..60).contains(&rows), "{rows}");
    press(&chromium, "Home").await;
    let speed = "[...document.querySelectorAll('#lanes-tables table')]
        .find(table => table.caption.innerText.startsWith('Speed'))";
    let same = format!(
        "{speed}.tBodies[0].rows[0].cells[1].innerText == document.querySelector('#values [data-lane=Speed] span').innerText"
    );
    until(&chromium, &same).await;

    show(&chromium, "map-tables").await;
    assert_eq!(tables(&chromium, "map-tables").await, 2, "colours and brake points");

    // All figures of a panel have their tables, also after another panel was opened.
    press(&chromium, "g").await;
    until(&chromium, "document.querySelector('[data-testid=figure-0]')").await;
    show(&chromium, "figure-0-table").await;
    let directions = "return document.querySelectorAll('#figure-0-table tbody tr').length";
    assert_eq!(chromium.ask(directions).await, 8);
    chromium.ask("document.querySelector('[data-testid=tab-often]').click()").await;
    until(
        &chromium,
        "document.querySelector('#figure-0-table caption')?.innerText.includes('share of the time')",
    )
    .await;
    assert_eq!(tables(&chromium, "figure-0-table").await, 1);
    let named = "return [...document.querySelectorAll('[role=img]')]
        .every(chart => chart.getAttribute('aria-label') && document.getElementById(chart.getAttribute('aria-details')))";
    assert_eq!(chromium.ask(named).await, true, "every chart has a name and points at its table");
    chromium.picture("analyse-tables-1400").await;
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;

    // The report: its lanes, and the brake points of its map.
    chromium.ask("document.querySelector('[data-testid=report]').click()").await;
    until(&chromium, "document.querySelector('[data-testid=show-report-tables]')").await;
    show(&chromium, "report-tables").await;
    assert_eq!(tables(&chromium, "report-tables").await, lanes + 1);
    chromium.ask("document.querySelector('[data-testid=close-dialog]').click()").await;
    until(&chromium, "!document.querySelector('[role=dialog]')").await;

    // The palette shows and hides them, too.
    for there in
        ["!document.querySelector('#lanes-tables table')", "document.querySelector('#lanes-tables table')"]
    {
        strike(&chromium, "ctrl+k").await;
        until(&chromium, "document.querySelector('dialog[open] input')").await;
        chromium.ask("document.querySelector('#command-lanes-table').click()").await;
        until(&chromium, there).await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_lanes_are_two_keys_away() {
    let recorded = recorded("skip-to-lanes");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let address = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&address).await.expect("the page");
    until(&chromium, "document.querySelector('[data-testid=skip-to-lanes]')").await;
    // As if somebody sat at the window.
    chromium.devtools("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
    chromium.ask("document.querySelector('[data-testid=skip-to-lanes]').focus()").await;
    let seen = "document.activeElement.getBoundingClientRect().top >= 0";
    until(&chromium, seen).await;
    chromium.ask("document.activeElement.click()").await;
    until(&chromium, "document.activeElement.id == 'lanes'").await;
    // The ring is for the keyboard, not for a click and the keys after it.
    const RING: &str = "return getComputedStyle(document.querySelector('#lanes')).outlineStyle";
    let shift = |what: &str| json!({ "type": what, "key": "Shift", "code": "ShiftLeft" });
    for (what, ring) in [("keys", "solid"), ("a click", "none")] {
        if what == "a click" {
            let press =
                |what: &str| json!({ "type": what, "x": 700, "y": 400, "button": "left", "clickCount": 1 });
            chromium.devtools("Input.dispatchMouseEvent", press("mousePressed")).await;
            chromium.devtools("Input.dispatchMouseEvent", press("mouseReleased")).await;
        }
        chromium.devtools("Input.dispatchKeyEvent", shift("rawKeyDown")).await;
        chromium.devtools("Input.dispatchKeyEvent", shift("keyUp")).await;
        assert_eq!(chromium.ask("return document.activeElement.id").await, "lanes", "{what}");
        assert_eq!(chromium.ask(RING).await, ring, "{what}");
    }
    chromium.close().await;
}
