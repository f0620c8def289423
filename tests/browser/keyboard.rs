//! Everything on every page is reached with the Tab key, and shows that it has the focus.

use serde_json::{Value, json};

use crate::chromium::{Chromium, Window};
use crate::recorded::RecordedRace;
use crate::recording_links::{serving, until};

/// No page has so many stops.
const MOST_STOPS: usize = 400;

/// Marks the element that has the focus as reached. Returns whether it had been reached before, and its HTML if nothing
/// shows that it has the focus.
const STOP: &str = "const element = document.activeElement;
    if (element == document.body) return [false, null];
    const before = element.reached === true; element.reached = true;
    const ringed = style => style.outlineStyle != 'none' && parseFloat(style.outlineWidth) > 0;
    // A radio button shows it on its label's words, a file field on the button around it.
    const shown = [element, element.nextElementSibling, element.parentElement].filter(Boolean);
    const seen = shown.some(one => ringed(getComputedStyle(one)));
    return [before, seen ? null : element.outerHTML.slice(0, 200)]";

/// What a mouse can press and the Tab key does not reach. Of radio buttons one is reached, and arrows lead to the others.
const UNREACHED: &str = "return [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex=\"0\"], [role=button]')]
    .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0 && element.type != 'radio')
    .filter(element => element.getBoundingClientRect().width > 0 && !element.reached)
    .map(element => element.outerHTML.slice(0, 200))";

async fn tab(chromium: &Chromium) {
    for kind in ["rawKeyDown", "keyUp"] {
        let key = json!({ "type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9 });
        chromium.devtools("Input.dispatchKeyEvent", key).await;
    }
}

/// Goes through the page with the Tab key, and adds what is wrong to a list.
async fn walk(chromium: &Chromium, what: &str, wrong: &mut Vec<String>) {
    chromium.ask("document.activeElement?.blur()").await;
    let mut stops = 0;
    loop {
        tab(chromium).await;
        let stop = chromium.ask(STOP).await;
        if stop[0] == Value::Bool(true) {
            break;
        }
        if let Some(element) = stop[1].as_str() {
            wrong.push(format!("{what}: no focus is seen on {element}"));
        }
        stops += 1;
        assert!(stops < MOST_STOPS, "{what}: the focus never comes back");
    }
    let unreached: Vec<String> = serde_json::from_value(chromium.ask(UNREACHED).await).expect("elements");
    wrong.extend(unreached.into_iter().map(|element| format!("{what}: not reached: {element}")));
    assert!(stops > 5, "{what}: {stops} stops");
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn everything_is_reached_by_keyboard_with_a_visible_focus() {
    let recorded = RecordedRace::new("keyboard", 200.0);
    let program = serving(&recorded);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    // As if somebody sat at the window.
    chromium.devtools("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
    let mut wrong = Vec::new();
    for (page, there) in [
        ("#/connections".to_owned(), "document.querySelector('h1')"),
        ("#/settings".to_owned(), "document.querySelector('[data-section=Recording]')"),
        ("#/library".to_owned(), "document.querySelector('#seen .row')"),
        (format!("#/library?open={}", recorded.id), "document.querySelector('#laps tbody tr')"),
        (
            format!("#/analyse?recording={}", recorded.id),
            "document.querySelector('#corners tr[data-corner]')",
        ),
        (format!("#/live?recording={}", recorded.id), "document.querySelector('[data-figure=transport]')"),
    ] {
        chromium.client.goto("about:blank").await.expect("nothing");
        chromium.client.goto(&format!("{}/{page}", program.url)).await.expect("the page");
        until(&chromium, there).await;
        chromium.settled().await;
        walk(&chromium, &page, &mut wrong).await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    chromium.close().await;
}
