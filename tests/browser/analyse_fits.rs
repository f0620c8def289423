//! Everything on the Analyse page is visible and reachable at every window size, and what is unavailable says why.

use serde_json::{Value, json};
use trailbrake_shared::sim::Options;

use crate::analyse::{choose, cursor, recorded};
use crate::analyse_keyboard::strike;
use crate::analyse_marks::opened;
use crate::chromium::{Chromium, Window};
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// The window sizes under test: width and height.
const WINDOWS: [(u32, u32); 5] = [(1400, 900), (1181, 800), (1024, 768), (780, 900), (390, 844)];

/// Changes the window's size, with a mouse or with touch.
async fn look(chromium: &Chromium, (width, height): (u32, u32), touched: bool) {
    let touch = json!({ "enabled": touched, "maxTouchPoints": if touched { 5 } else { 1 } });
    chromium.devtools("Emulation.setTouchEmulationEnabled", touch).await;
    chromium.look(Window { width, height, theme: "dark" }).await;
    until(chromium, &format!("matchMedia('(pointer: coarse)').matches == {touched}")).await;
    chromium.settled().await;
}

/// Lists the buttons above the lanes that leave their column or are covered.
const ASTRAY: &str = "const column = document.querySelector('#beside').getBoundingClientRect();
    return [...document.querySelectorAll('#beside button')].filter(button => {
        const box = button.getBoundingClientRect();
        const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.left < column.left || box.right > column.right || !button.contains(seen);
    }).map(button => button.dataset.testid)";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn every_tool_stands_in_its_column() {
    let recorded = recorded("tools");
    let (_program, chromium) = opened(&recorded).await;
    chromium.ask("document.querySelector('#things .thing').click()").await;
    until(&chromium, "document.querySelector('#beside [data-testid=all]')").await;
    for touched in [false, true] {
        for window in WINDOWS {
            look(&chromium, window, touched).await;
            let astray = chromium.ask(ASTRAY).await;
            assert_eq!(astray, Value::Array(Vec::new()), "{window:?}, touched: {touched}");
            let hand = if touched { "touched" } else { "pointed" };
            chromium.picture(&format!("fits-{}-{hand}", window.0)).await;
        }
    }
    chromium.check_clean().await;
    chromium.close().await;
}

/// Lists the parts of lap rows and of the corner table that are hidden or leave their column.
const UNSEEN: &str = "const found = [];
    for (const [column, part] of [['#lap-list', '.sectors i'], ['#lap-list', 'tr'], ['.right', '#corners [data-figure=lost]']]) {
        const edge = document.querySelector(column).getBoundingClientRect();
        const parts = [...document.querySelector(column).querySelectorAll(part)];
        const seen = part => {
            const box = part.getBoundingClientRect();
            return part.checkVisibility() && box.width > 0 && box.height > 0 && box.left >= edge.left && box.right <= edge.right;
        };
        if (!parts.length || !parts.every(seen)) found.push(part);
    }
    const right = document.querySelector('.panel-area');
    if (right.scrollWidth > right.clientWidth) found.push('the right column scrolls sideways');
    return found";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn sectors_and_losses_are_seen_in_every_window() {
    let recorded = recorded("sectors");
    let (_program, chromium) = opened(&recorded).await;
    until(&chromium, "document.querySelector('#corners [data-figure=lost]')?.innerText.match(/[0-9]/)").await;
    // The longest text that a lap's row can show.
    chromium.ask("document.querySelectorAll('#lap-list .comparison')[2].textContent = 'incomplete'").await;
    for touched in [false, true] {
        for window in WINDOWS {
            look(&chromium, window, touched).await;
            assert_eq!(
                chromium.ask(UNSEEN).await,
                Value::Array(Vec::new()),
                "{window:?}, touched: {touched}"
            );
            chromium.check_clean().await;
        }
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_finger_reaches_every_command() {
    let recorded = recorded("fingers");
    let (_program, chromium) = opened(&recorded).await;
    for window in [(1024, 768), (390, 844)] {
        look(&chromium, window, true).await;
        const SMALL: &str = "return [...document.querySelectorAll('.foot button, #track-tools button')].filter(button => {
            const box = button.getBoundingClientRect();
            return box.width < 44 || box.height < 44 || box.right > innerWidth }).map(button => button.dataset.testid)";
        assert_eq!(chromium.ask(SMALL).await, Value::Array(Vec::new()), "{window:?}");
        let rows = "return new Set([...document.querySelectorAll('#track-tools button')].map(button => button.offsetTop)).size";
        assert_eq!(chromium.ask(rows).await, 1, "{window:?}");
        chromium.ask("document.querySelector('.foot [data-testid=palette]').click()").await;
        until(&chromium, "document.querySelector('#found [data-testid=measure-in]')").await;
        // A search without results says so.
        const FIND: &str = "const field = document.querySelector('#command'); field.value = 'xyzzy';
            field.dispatchEvent(new Event('input', { bubbles: true }))";
        chromium.ask(FIND).await;
        chromium.until("[role=dialog] [role=status]", |text| text == "No command found.").await;
        chromium.ask("document.querySelector('[data-testid=close-dialog]').click()").await;
        until(&chromium, "!document.querySelector('[role=dialog]')").await;
    }
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_is_opened_by_a_key_comes_into_sight() {
    let recorded = recorded("in-sight");
    let (_program, chromium) = opened(&recorded).await;
    chromium.look(Window { width: 1400, height: 700, theme: "dark" }).await;
    const BELOW: &str = "const column = document.querySelector('.panel-area').getBoundingClientRect();
        const part = document.querySelector(PART).getBoundingClientRect();
        return part.top < column.top - 1 || part.top > column.bottom - 20";
    let hidden = |part: &str| BELOW.replace("PART", &format!("'{part}'"));
    for number in 1..=12 {
        press(&chromium, "]").await;
        until(&chromium, &format!("document.querySelector('tr.opened[data-corner=\"{number}\"]')")).await;
        let row = hidden("#open-corner h2");
        assert_eq!(chromium.ask(&row).await, false, "corner {number}");
    }
    // A panel also scrolls into view, whatever is above it.
    for key in ["home", "i", "end", "o"] {
        strike(&chromium, key).await;
    }
    until(&chromium, "document.querySelector('#measured table')").await;
    let words = chromium.text("#measured tr[data-slot=speed] .sum").await;
    assert!(words.starts_with("distance (from speed) ") && words.ends_with(" m"), "{words}");
    press(&chromium, "g").await;
    chromium.until("[data-testid=panel] h2", |text| text.eq_ignore_ascii_case("g-g")).await;
    assert_eq!(chromium.ask(&hidden("[data-testid=figure-0]")).await, false);
    // All keys fit without scrolling.
    chromium.look(Window::ALL[0]).await;
    strike(&chromium, "?").await;
    until(&chromium, "document.querySelector('.sheet-of-keys')").await;
    let beyond =
        "const keys = document.querySelector('.sheet-of-keys'); return keys.scrollHeight - keys.clientHeight";
    assert_eq!(chromium.ask(beyond).await, 0);
    chromium.picture("fits-keys").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_can_t_be_done_or_was_not_sent_says_so() {
    let practice = Options { cars: 3, player: 0, seed: 31, again: false, ..Options::default() };
    let recorded = RecordedRace::race("reasons", 300.0, practice);
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    // Without a cursor, measuring and notes are refused with a reason.
    for key in ["i", "o", "m"] {
        strike(&chromium, key).await;
        chromium.until("#said", |text| text == "Click a lane to place the cursor first.").await;
    }

    // Channels that were not sent are in the list, with the reason.
    choose(&chromium, 2, 1).await;
    const LOOK_FOR: &str = "const field = document.querySelector('#command'); field.value = 'handb';
        field.dispatchEvent(new Event('input', { bubbles: true }))";
    press(&chromium, "v").await;
    until(&chromium, "document.querySelector('#command')").await;
    chromium.ask(LOOK_FOR).await;
    chromium
        .until("#found .unsent", |text| text.contains("Handbrake") && text.contains("Not sent by this game"))
        .await;
    chromium.picture("fits-unsent").await;
    strike(&chromium, "escape").await;

    // The game sends less about other drivers' cars than about the player's own.
    let own = chromium.ask("return document.querySelector('#missing').textContent").await;
    assert_eq!(own, "");
    let other =
        address(&chromium).await.replace("&lap=0.0.", "&lap=0.1.") + "&lanes=speed,suspension_position_fl";
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{other}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('#missing')?.textContent").await;
    let missing = chromium.text("#missing").await;
    assert!(
        missing.starts_with("Not sent for this driver's car: ") && missing.contains("Suspension"),
        "{missing}"
    );
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_keyboard_reaches_the_lanes_soon_and_buttons_are_large_and_named() {
    let recorded = recorded("tab-stops");
    let (_program, chromium) = opened(&recorded).await;
    press(&chromium, "]").await;

    // The list of laps is one Tab stop, and arrows go from there to the other buttons.
    const STOPS: &str = "return document.querySelectorAll('#lap-list button:not([tabindex=\"-1\"])').length";
    let stops = chromium.ask(STOPS).await.as_u64().expect("a number");
    assert!(stops <= 2, "{stops} Tab stops, the all-time best included");
    const FOCUSED: &str = "const one = document.activeElement;
        return [Number(one.closest('[data-lap]')?.dataset.lap), one.dataset.testid]";
    let focused = async || -> (u64, String) {
        serde_json::from_value(chromium.ask(FOCUSED).await).expect("a button of a lap")
    };
    const ENTER: &str = "document.querySelector('#lap-list [data-lap] [tabindex=\"0\"]').focus()";
    chromium.ask(ENTER).await;
    let (lap, column) = focused().await;
    assert_eq!(column, "lap");
    for (key, wanted) in [
        ("ArrowDown", (lap - 1, "lap")),
        ("ArrowRight", (lap - 1, "exclude-lap")),
        ("ArrowRight", (lap - 1, "reference")),
        ("ArrowRight", (lap - 1, "reference")),
        ("ArrowUp", (lap, "reference")),
        ("ArrowLeft", (lap, "exclude-lap")),
        ("ArrowLeft", (lap, "lap")),
        ("ArrowLeft", (lap, "overlay")),
    ] {
        let before = cursor(&chromium).await;
        strike(&chromium, key).await;
        assert_eq!(focused().await, (wanted.0, wanted.1.to_owned()), "{key}");
        assert_eq!(cursor(&chromium).await, before, "arrows stay in the list");
    }
    assert_eq!(chromium.ask(STOPS).await, stops);

    // A dialog takes the focus and puts it back.
    strike(&chromium, "ctrl+k").await;
    until(&chromium, "document.activeElement?.id == 'command'").await;
    strike(&chromium, "escape").await;
    until(&chromium, "!document.querySelector('[role=dialog]')").await;
    assert_eq!(focused().await, (lap, "overlay".to_owned()));

    // A sign says its word under the mouse.
    const SIGN: &str = "document.querySelector('#lap-list [data-testid=exclude-lap]')";
    let middle = format!(
        "const {{ x, y, width, height }} = {SIGN}.getBoundingClientRect(); return [x + width / 2, y + height / 2]"
    );
    let middle = chromium.ask(&middle).await;
    let over = json!({ "type": "mouseMoved", "x": middle[0], "y": middle[1] });
    chromium.devtools("Input.dispatchMouseEvent", over).await;
    until(&chromium, &format!("{SIGN}.querySelector('small').checkVisibility()")).await;
    // What folds a column is a button, and says what it does.
    const FOLDS: &str =
        "return [...document.querySelectorAll('.foot .fold')].map(button => [button.ariaExpanded,
        button.querySelector('svg') != null, getComputedStyle(button).borderTopColor.endsWith(', 0)')])";
    assert_eq!(chromium.ask(FOLDS).await, json!([["true", true, false], ["true", true, false]]));

    // Targets are at least 24 pixels, and a name contains the words that are seen.
    const SMALL: &str = "return [...document.querySelectorAll('#beside button, .left button, .centre button, .foot button')]
        .filter(button => { const box = button.getBoundingClientRect(); return box.width && (box.width < 24 || box.height < 24) })
        .map(button => button.outerHTML)";
    assert_eq!(chromium.ask(SMALL).await, json!([]));
    const MISNAMED: &str = "return [...document.querySelectorAll('.analyse [aria-label]')]
        .filter(one => one.matches('button') && /[a-z]/i.test(one.innerText))
        .filter(one => !one.ariaLabel.toLowerCase().includes(one.innerText.trim().toLowerCase())).map(one => one.outerHTML)";
    assert_eq!(chromium.ask(MISNAMED).await, json!([]));
    // Nothing of the lap list is cut.
    const CUT: &str = "return [...document.querySelectorAll('#session *, #lap-list *')]
        .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX != 'visible')
        .map(one => one.outerHTML)";
    for window in Window::ALL {
        chromium.look(window).await;
        assert_eq!(chromium.ask(CUT).await, json!([]), "{window:?}");
        chromium.picture(&format!("laps-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}
