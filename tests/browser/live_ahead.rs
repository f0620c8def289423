//! What Live shows ahead of the car: the reference's pedals and gears, its ghost, names of corners, brake points set by
//! hand, the predicted time, and what the delta is against.

use std::time::Duration;

use serde_json::{Value, json};
use trailbrake_shared::analysis::{
    Corner, CornerEdit, CornerRequest, Fingerprint, LapColumns, ReferenceLine, find_corners,
};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// Each window in which pictures are looked at.
fn windows() -> impl Iterator<Item = Window> {
    Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }])
}

async fn pictures(chromium: &Chromium, name: &str) {
    for window in windows() {
        chromium.look(window).await;
        chromium.picture(&format!("{name}-{}-{}", window.width, window.theme)).await;
    }
    chromium.look(Window::ALL[0]).await;
}

async fn strike(chromium: &Chromium, key: &str) {
    chromium
        .ask(&format!(
            "window.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
        ))
        .await;
}

/// Opens a demo and waits until its lap has a reference.
async fn drive(chromium: &Chromium, program: &Program, demo: &str, speed: u32) {
    chromium.client.goto("about:blank").await.expect("an empty page");
    // In the second lap of a circuit, or in the second run of a stage.
    let from_s = if demo == "dirt-rally" { 200 } else { 85 };
    let url = format!("{}/#/live?demo={demo}&seed=3&speed={speed}&from={from_s}", program.url);
    chromium.client.goto(&url).await.expect("the page");
    chromium.until("[data-figure='brake-point']", |text| text.ends_with(" m") || text == "Brake").await;
}

/// How many pixels of a figure's data layer are drawn in a colour of the style sheet, from a share of its width on.
pub(crate) fn pixels(figure: &str, token: &str, from: f64) -> String {
    format!(
        "const canvas = document.querySelectorAll('{figure} canvas')[1];
         const probe = document.createElement('canvas').getContext('2d');
         probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('{token}').trim();
         probe.fillRect(0, 0, 1, 1);
         const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
         const left = Math.ceil(canvas.width * {from});
         const {{ data }} = canvas.getContext('2d').getImageData(left, 0, canvas.width - left, canvas.height);
         let count = 0;
         for (let at = 0; at < data.length; at += 4) {{
             const apart = Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue);
             if (data[at + 3] > 40 && apart < 12) count += 1;
         }}
         return count;"
    )
}

pub(crate) async fn most_pixels(chromium: &Chromium, question: &str) -> i64 {
    let mut most = 0;
    for _ in 0..20 {
        most = most.max(chromium.ask(question).await.as_i64().expect("a count"));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    most
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_reference_goes_on_ahead_of_the_car() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let url = format!("{}/#/live?demo=f1-2018&seed=3&speed=1", program.url);
    chromium.client.goto(&url).await.expect("the page");
    // The first lap has no reference: nothing is known of what comes.
    chromium.until(".trace h2", |text| text.to_lowercase().starts_with("last 12 s")).await;
    // Right of now: 7 of 12 seconds and a margin.
    let ahead = pixels(".traces", "--throttle", 0.62);
    drive(&chromium, &program, "f1-2018", 4).await;
    chromium.until(".trace h2", |text| text.to_lowercase().starts_with("last 7 s, next 5 s")).await;
    assert!(most_pixels(&chromium, &ahead).await > 100, "the reference's throttle is drawn ahead");
    let brake = pixels(".traces", "--brake", 0.62);
    assert!(most_pixels(&chromium, &brake).await > 100, "the reference's brake is drawn ahead");
    let ghost = pixels(".map", "--reference", 0.0);
    assert!(most_pixels(&chromium, &ghost).await > 20, "the ghost is on the map");
    pictures(&chromium, "ahead-f1-2018").await;
    // A telephone has a panel for the last braking.
    chromium.look(Window { width: 390, height: 844, theme: "dark" }).await;
    let rows =
        "[...document.querySelectorAll('[data-testid=braking-values] tbody tr')].map(row => row.innerText)";
    let read = format!("{rows}.length == 3 && /^Brake point, .*apex\\s+\\d+\\s+\\d+$/.test({rows}[0])");
    until(&chromium, &read).await;
    chromium.look(Window::ALL[0]).await;
    strike(&chromium, "l").await;
    until(&chromium, "document.querySelector('[data-testid=lanes]').ariaPressed == 'true'").await;
    let lanes = pixels(".traces", "--reference", 0.7);
    assert!(most_pixels(&chromium, &lanes).await > 100, "the reference is in every lane");
    let values = "[...document.querySelectorAll('[data-testid=lane-values] tr')].map(row => row.innerText)";
    let read = format!("{values}.length == 8 && /^Speed\\s+\\d+ km\\/h$/.test({values}[0])");
    until(&chromium, &read).await;
    pictures(&chromium, "ahead-lanes").await;
    strike(&chromium, "l").await;
    for (demo, speed) in [("gran-turismo", 6), ("dirt-rally", 10), ("ac-remote", 6)] {
        drive(&chromium, &program, demo, speed).await;
        chromium.until(".trace h2", |text| text.to_lowercase().starts_with("last 7 s, next 5 s")).await;
        pictures(&chromium, &format!("ahead-{demo}")).await;
    }
    // The warning is about this test's own reading.
    chromium.check_clean_but(&["willReadFrequently"]).await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_delta_is_against_what_the_driver_chooses() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    drive(&chromium, &program, "gran-turismo", 6).await;
    let chosen = "document.querySelector('[data-testid=delta-target]').selectedOptions[0].textContent";
    until(&chromium, &format!("/^session best 1:[0-9.]+$/.test({chosen})")).await;
    chromium.until("[data-figure='predicted']", |text| text.starts_with("1:")).await;
    // Two laps make a theoretical best that is faster than both.
    until(&chromium, "document.querySelectorAll('.laps tr[data-time]').length >= 3").await;
    chromium
        .ask(
            "const chooser = document.querySelector('[data-testid=delta-target]');
             chooser.value = 'theoretical';
             chooser.dispatchEvent(new Event('change', { bubbles: true }))",
        )
        .await;
    until(&chromium, &format!("/^theoretical best 1:[0-9.]+$/.test({chosen})")).await;
    let faster = format!(
        "const time = (words) => {{ const [minutes, seconds] = words.split(' ').at(-1).split(':'); return 60 * minutes + Number(seconds) }};
         return time(document.querySelector('[data-figure=best]').textContent) - time({chosen})"
    );
    let faster = chromium.ask(&faster).await.as_f64().expect("seconds");
    assert!(faster > 0.0 && faster < 5.0, "{faster} s");
    pictures(&chromium, "delta-theoretical").await;
    // The choice is kept, for other sessions too.
    drive(&chromium, &program, "f1-2018", 6).await;
    until(&chromium, &format!("/^theoretical best 1:[0-9.]+$/.test({chosen})")).await;
    strike(&chromium, "d").await;
    until(&chromium, &format!("{chosen}.startsWith('session best')")).await;
    strike(&chromium, "d").await;
    until(&chromium, &format!("{chosen}.startsWith('all-time best')")).await;
    // A lap of the list, and back.
    chromium.ask("document.querySelector('.laps tr[data-time] [data-testid=compare]').click()").await;
    until(&chromium, &format!("/^lap [0-9]+ 1:[0-9.]+$/.test({chosen})")).await;
    chromium.ask("document.querySelector('.laps tr.reference [data-testid=compare]').click()").await;
    until(&chromium, &format!("{chosen}.startsWith('all-time best')")).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn brake_points_set_by_hand_are_kept_for_their_track() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let count = |count: u32| format!("document.querySelectorAll('.brake-points li').length == {count}");
    let press = |name: &str| format!("document.querySelector('.brake-points [data-testid={name}]').click()");
    chromium.client.goto(&format!("{}/#/live?demo=f1-2018&seed=3", program.url)).await.expect("the page");
    // Before there is a lap to measure along, the dialog says so.
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 20)).await;
    strike(&chromium, "b").await;
    chromium.until(".brake-points", |text| text.contains("Finish a lap first")).await;
    chromium.picture("brake-points-none").await;
    drive(&chromium, &program, "f1-2018", 6).await;
    strike(&chromium, "b").await;
    // A point set by hand is the next one when the car comes around.
    until(&chromium, "document.querySelector('.cue').dataset.own == 'true'").await;
    chromium.ask("document.querySelector('.cue').click()").await;
    until(&chromium, &count(1)).await;
    chromium.ask(&press("set-brake-point")).await;
    until(&chromium, &count(2)).await;
    let at = "[...document.querySelectorAll('.brake-points li')].map(row => Number(row.dataset.at))";
    let before = chromium.ask(&format!("return {at}")).await;
    chromium.ask("document.querySelector('.brake-points li [aria-label=\"5 m later\"]').click()").await;
    until(&chromium, &format!("Math.abs({at}[0] - {} - 5) <= 1", before[0])).await;
    pictures(&chromium, "brake-points").await;
    let kept = chromium.ask(&format!("return {at}")).await;

    drive(&chromium, &program, "f1-2018", 6).await;
    chromium.ask("document.querySelector('.cue').click()").await;
    until(&chromium, &count(2)).await;
    assert_eq!(chromium.ask(&format!("return {at}")).await, kept, "a reload keeps them");
    chromium.ask("document.querySelector('.brake-points li [aria-label=Delete]').click()").await;
    until(&chromium, &count(1)).await;
    // Another track has none.
    drive(&chromium, &program, "dirt-rally", 10).await;
    chromium.ask("document.querySelector('.cue').click()").await;
    chromium.until(".brake-points", |text| text.contains("None on this track yet")).await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// The demo's circuit, and its corners.
fn circuit() -> (Fingerprint, Vec<Corner>) {
    let options = Options { cars: 1, player: 0, seed: 3, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::F1, options, Micros(0)).expect("a demo");
    let mut receiver = Receiver::default();
    for second in 1..=200 {
        demo.drive(f64::from(second), &mut |at, bytes| {
            let sender = ([127, 0, 0, 1], 9).into();
            let datagram = Datagram { at, sender, port: 0, feed: Some(Feed::F1), bytes };
            receiver.receive(&datagram).expect("a packet");
        });
    }
    let session = receiver.session().expect("a session");
    let car = session.player().and_then(|player| session.car(player)).expect("a player");
    let lap = car.laps.best().expect("a lap");
    let columns = car.traces.lap(lap.serial).expect("columns");
    let line = ReferenceLine::learn(&LapColumns::new(lap, columns)).expect("a line");
    (Fingerprint::of(&line), find_corners(&line))
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn corners_have_the_names_of_the_track_book() {
    let folder = std::env::temp_dir().join(format!("trailbrake-named-corners-{}", std::process::id()));
    let program = Program::start(&["--recordings", &folder.to_string_lossy()]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let (fingerprint, corners) = circuit();
    chromium.client.goto(&format!("{}/#/settings", program.url)).await.expect("the page");
    for corner in &corners {
        let name = format!("Bend {}", corner.number);
        let edit = Some(CornerEdit::Rename { at_m: corner.apex_m, name });
        let name = Some("Demo ring".to_owned());
        let request = CornerRequest { fingerprint: fingerprint.clone(), name, edit };
        let body = json!(serde_json::to_string(&request).expect("JSON"));
        let ask = format!(
            "const asked = new XMLHttpRequest(); asked.open('POST', '/tracks/corner', false); asked.setRequestHeader('x-trailbrake', 'page');
             asked.send({body}); return asked.status"
        );
        assert_eq!(chromium.ask(&ask).await, Value::from(200));
    }
    drive(&chromium, &program, "f1-2018", 6).await;
    chromium.until("[data-figure='next-corner']", |text| text.starts_with("Bend ")).await;
    chromium.until("[data-figure='last-corner']", |text| text.starts_with("Bend ")).await;
    pictures(&chromium, "corner-names").await;
    chromium.check_clean().await;
    chromium.close().await;
    // Only this test used it.
    let _ = std::fs::remove_dir_all(folder);
}
