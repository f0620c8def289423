//! Small steps on the Analyse page: undo, stepping through laps, opening recordings.

use std::time::{Duration, Instant};

use trailbrake_shared::sim::Options;

use crate::PATIENCE;
use crate::analyse::{choose, part, recorded, touch};
use crate::chromium::{Chromium, Window};
use crate::recorded::RecordedRace;
use crate::recording_links::{serving, until};
use crate::replay::{drop_file, press};

const APART: &str = "document.querySelector('[data-figure=apart]')";
const UNDO: &str =
    "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))";

/// The numbers of main lap and reference.
async fn pair(chromium: &Chromium) -> (u64, u64) {
    const PAIR: &str = "return ['main', 'reference'].map(role => Number(document.querySelector(`#lap-list tr.${role}`).dataset.lap))";
    serde_json::from_value(chromium.ask(PAIR).await).expect("numbers")
}

/// Drags over the lanes with Shift, in `moves` steps.
async fn drag(chromium: &Chromium, moves: usize) {
    let script = format!(
        "const lanes = document.querySelector('#lanes'), box = lanes.getBoundingClientRect();
        const say = (what, x) => lanes.dispatchEvent(new PointerEvent(what, {{ pointerId: 1, pointerType: 'mouse', button: 0,
            shiftKey: true, clientX: box.left + x, clientY: box.top + 100, bubbles: true }}));
        lanes.setPointerCapture = () => {{}};
        say('pointerdown', 600);
        for (let move = 1; move <= {moves}; move++) say('pointermove', 600 - 3 * move);
        say('pointerup', 600 - 3 * {moves})"
    );
    chromium.ask(&script).await;
}

/// The visible part, once the address names one that is wanted: after many changes the address follows a little later.
async fn shown_part(chromium: &Chromium, wanted: impl Fn(Option<(f64, f64)>) -> bool) -> Option<(f64, f64)> {
    let began = Instant::now();
    loop {
        let part = part(chromium).await;
        if wanted(part) {
            return part;
        }
        assert!(began.elapsed() < PATIENCE, "the address still names {part:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Turns the mouse wheel over the lanes.
async fn turn(chromium: &Chromium, notches: usize) {
    let script = format!(
        "const lanes = document.querySelector('#lanes'), box = lanes.getBoundingClientRect();
        for (let notch = 0; notch < {notches}; notch++)
            lanes.dispatchEvent(new WheelEvent('wheel', {{ deltaY: -100, clientX: box.left + 500, clientY: box.top + 100,
                bubbles: true, cancelable: true }}))"
    );
    chromium.ask(&script).await;
}

/// Whether two parts are the same but for `by` metres.
fn near(one: Option<(f64, f64)>, other: Option<(f64, f64)>, by: f64) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one.0 - other.0).abs() < by && (one.1 - other.1).abs() < by,
        (one, other) => one == other,
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_whole_gesture_is_undone_at_once_also_on_another_axis() {
    let recorded = recorded("undone");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.add_touch_screen().await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, APART).await;

    turn(&chromium, 8).await;
    let zoomed = shown_part(&chromium, |part| part.is_some()).await;
    drag(&chromium, 30).await;
    let first = shown_part(&chromium, |part| !near(part, zoomed, 0.1)).await;
    drag(&chromium, 30).await;
    shown_part(&chromium, |part| !near(part, first, 0.1)).await;
    // Changing the axis to time and back keeps the undo steps.
    press(&chromium, "x").await;
    press(&chromium, "x").await;
    for before in [first, zoomed] {
        chromium.ask(UNDO).await;
        shown_part(&chromium, |part| near(part, before, 1.0)).await;
    }
    chromium.ask(UNDO).await;
    // All notches of the wheel.
    shown_part(&chromium, |part| part.is_none()).await;

    // Undo goes back from a corner to the one before.
    press(&chromium, "]").await;
    until(&chromium, "location.hash.includes('&corner=')").await;
    let opened = chromium.ask("return /corner=(\\d+)/.exec(location.hash)[1]").await;
    press(&chromium, "]").await;
    until(&chromium, &format!("/corner=(\\d+)/.exec(location.hash)[1] != {opened}")).await;
    chromium.ask(UNDO).await;
    until(&chromium, &format!("/corner=(\\d+)/.exec(location.hash)[1] == {opened}")).await;

    // A pinch in many steps is undone as one.
    press(&chromium, "0").await;
    // Until the lanes are painted as they are now, the browser may take a pinch for itself.
    chromium.settled().await;
    touch(&chromium, "touchStart", &[0.4, 0.6]).await;
    for step in 1..=10 {
        touch(&chromium, "touchMove", &[0.4 - 0.02 * f64::from(step), 0.6 + 0.02 * f64::from(step)]).await;
    }
    touch(&chromium, "touchEnd", &[]).await;
    shown_part(&chromium, |part| part.is_some()).await;
    chromium.settled().await;
    chromium.ask(UNDO).await;
    // All of the pinch.
    shown_part(&chromium, |part| part.is_none()).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_next_lap_is_another_one_than_the_reference_and_six_are_enough() {
    let options = Options { cars: 2, player: 0, seed: 31, again: false, ..Options::default() };
    let recorded = RecordedRace::race("stepped", 500.0, options);
    assert!(recorded.laps.len() >= 4, "{}", recorded.laps.len());
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, APART).await;
    choose(&chromium, 4, 3).await;
    for (key, wanted) in [("p", (2, 3)), ("p", (1, 3)), ("p", (1, 3)), ("n", (2, 3)), ("n", (4, 3))] {
        press(&chromium, key).await;
        assert_eq!(pair(&chromium).await, wanted, "{key}");
    }

    // A lap beyond the number of colours is refused, and the page says so.
    for seat in ["0", "1"] {
        let list = format!(
            "const field = document.querySelector('[data-testid=seat]'); field.value = '{seat}';
            field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        chromium.ask(&list).await;
        chromium.settled().await;
        const NEXT: &str =
            "document.querySelector('#lap-list [data-testid=overlay][aria-pressed=false]')?.click()";
        for _ in 0..5 {
            chromium.ask(NEXT).await;
            chromium.settled().await;
        }
    }
    until(&chromium, "document.querySelectorAll('.chip').length == 6").await;
    let message = chromium.text("#note [data-figure=full]").await;
    assert!(message.starts_with("Six laps max"), "{message}");
    chromium.picture("analyse-six").await;

    // Another driver's lap can be removed without listing that driver.
    chromium.ask("document.querySelector(\".chip[data-place='5'] [data-testid=remove]\").click()").await;
    until(&chromium, "document.querySelectorAll('.chip').length == 5").await;
    until(&chromium, "!document.querySelector('#note [data-figure=full]')").await;
    // When the reference is removed, the next lap becomes the reference, if there is one.
    for left in [4, 3, 2] {
        chromium.ask("document.querySelector(\".chip[data-place='1'] [data-testid=remove]\").click()").await;
        until(&chromium, &format!("document.querySelectorAll('.chip').length == {left} && {APART}")).await;
    }
    chromium.ask("document.querySelector(\".chip[data-place='1'] [data-testid=remove]\").click()").await;
    until(&chromium, &format!("!{APART}")).await;
    assert!(chromium.ask("return document.querySelector(\".chip[data-place='0'] button\")").await.is_null());
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_recording_is_opened_on_the_page_by_key_and_out_of_the_library() {
    let recorded = recorded("opened-there");
    let short = RecordedRace::race(
        "opened-short",
        30.0,
        Options { cars: 1, player: 0, seed: 3, again: false, ..Options::default() },
    );
    assert!(short.laps.is_empty());
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;

    // The key opens the browser's file dialog, which is only counted.
    const WATCH: &str = "window.asked = 0; document.addEventListener('click', event => {
        if (event.target.type === 'file') { event.preventDefault(); window.asked += 1 }
    }, true)";
    chromium.ask(WATCH).await;
    const OPEN: &str =
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'o', ctrlKey: true, bubbles: true }))";
    chromium.ask(OPEN).await;
    until(&chromium, "window.asked == 1").await;
    chromium.picture("analyse-nothing").await;

    // A recording without laps says so, and another one can be opened.
    drop_file(&chromium, "short.mcap", &std::fs::read(&short.file).expect("the file")).await;
    chromium.until("#nothing b", |text| text == "No finished lap").await;
    chromium.picture("analyse-no-lap").await;
    let field =
        chromium.client.find(fantoccini::Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(&recorded.file.to_string_lossy()).await.expect("a file chosen");
    until(&chromium, APART).await;
    chromium.ask(OPEN).await;
    until(&chromium, "window.asked == 2").await;

    // The library opens the Analyse page, too.
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('#seen [data-testid=row]')").await;
    chromium.ask("document.querySelector('#seen [data-testid=row]').click()").await;
    until(&chromium, "document.querySelector('#actions [data-testid=analyse-recording]')").await;
    chromium.picture("library-analyse").await;
    chromium.ask("document.querySelector('#actions [data-testid=analyse-recording]').click()").await;
    until(&chromium, APART).await;
    until(&chromium, &format!("location.hash.startsWith('#/analyse?recording={}&')", recorded.id)).await;
    chromium.check_clean().await;
    chromium.close().await;
}
