//! The track map on the Analyse page: its colours, its legend and its values.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use trailbrake_shared::sim::Options;

use crate::analyse::choose;
use crate::chromium::{Chromium, Window};
use crate::program::{Program, command};
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// Long enough for three laps.
const SECONDS: f64 = 300.0;

/// A driver alone on the track.
fn recorded(name: &str) -> RecordedRace {
    RecordedRace::race(
        name,
        SECONDS,
        Options { cars: 1, player: 0, seed: 31, again: false, ..Options::default() },
    )
}

/// Opens two laps of a recording for comparison.
async fn opened(chromium: &Chromium, program: &Program, recorded: &RecordedRace, rest: &str) {
    let link = format!("{}/#/analyse?recording={}{rest}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(chromium, "document.querySelector('#track-legend span')").await;
}

/// Selects a colour channel in one of the map's lists.
async fn colour_by(chromium: &Chromium, chooser: &str, choice: &str) {
    let choose = format!(
        "const field = document.querySelector('[data-testid={chooser}]'); field.value = '{choice}';
         field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    );
    chromium.ask(&choose).await;
    until(chromium, &format!("document.querySelector('[data-testid={chooser}]').value == '{choice}'")).await;
    chromium.settled().await;
}

/// Counts the track's pixels that have exactly the colour of each of some tokens.
async fn pixels(chromium: &Chromium, tokens: &[&str]) -> BTreeMap<String, u64> {
    let script = format!(
        "const canvas = document.querySelector('#map canvas');
         // A copy is read, not what the page draws on: the browser would warn, and draw otherwise.
         const copy = Object.assign(document.createElement('canvas'), {{ width: canvas.width, height: canvas.height }});
         const pen = copy.getContext('2d', {{ willReadFrequently: true }});
         pen.drawImage(canvas, 0, 0);
         const {{ data }} = pen.getImageData(0, 0, canvas.width, canvas.height);
         const style = getComputedStyle(document.documentElement);
         const counts = {{}};
         for (const token of {tokens:?}) {{
             const hex = parseInt(style.getPropertyValue(token).trim().slice(1), 16);
             const [red, green, blue] = [hex >> 16, hex >> 8 & 255, hex & 255];
             counts[token] = 0;
             for (let at = 0; at < data.length; at += 4)
                 counts[token] += data[at] == red && data[at + 1] == green && data[at + 2] == blue && data[at + 3] == 255;
         }}
         return counts"
    );
    serde_json::from_value(chromium.ask(&script).await).expect("counts")
}

/// What `trailbrake analyse` prints for the part of a lap between two positions.
fn between(recorded: &RecordedRace, lap: u64, from: f64, to: f64) -> Value {
    let mut command = command("analyse");
    command.arg(&recorded.file).arg("--json");
    command.args(["--lap", &lap.to_string(), "--between", &format!("{from}..{to}")]);
    let analysis: Value = serde_json::from_slice(&command.output().expect("an answer").stdout).expect("json");
    analysis["lap"]["between"].clone()
}

/// The number shown for the cursor's position.
async fn value_shown(chromium: &Chromium) -> f64 {
    let words = chromium.text("[data-figure=track-value]").await;
    let number = words.split(' ').next().and_then(|number| number.replace('−', "-").parse().ok());
    number.unwrap_or_else(|| panic!("{words}"))
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_track_is_coloured_by_what_somebody_chooses_and_says_what_it_means() {
    const RAMP: [&str; 8] =
        ["--ramp-1", "--ramp-2", "--ramp-3", "--ramp-4", "--ramp-5", "--ramp-6", "--ramp-7", "--ramp-8"];
    let recorded = recorded("coloured");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    opened(&chromium, &program, &recorded, "").await;

    // The delta of two laps; the legend names both signs.
    let legend = chromium.text("#track-legend").await;
    assert!(legend.contains("faster") && legend.contains("slower"), "{legend}");
    let counts = pixels(&chromium, &["--loss", "--loss-some", "--gain", "--gain-some", "--ramp-4"]).await;
    assert!(
        counts["--loss"] + counts["--loss-some"] + counts["--gain"] + counts["--gain-some"] > 50,
        "{counts:?}"
    );
    assert_eq!(counts["--ramp-4"], 0);

    // Speed: the whole ramp, a scale, and the command line's value at the cursor.
    colour_by(&chromium, "track-colour", "speed").await;
    assert!(address(&chromium).await.contains("&colour=speed"), "{}", address(&chromium).await);
    let counts = pixels(&chromium, &RAMP).await;
    assert!(counts.values().filter(|count| **count > 10).count() >= 5, "{counts:?}");
    let legend = chromium.text("#track-legend").await;
    assert!(legend.ends_with("km/h"), "{legend}");
    press(&chromium, "]").await;
    press(&chromium, "0").await;
    until(&chromium, "document.querySelector('[data-figure=track-value]')").await;
    let lap = chromium.ask("return Number(document.querySelector('#lap-list tr.main').dataset.lap)").await;
    let lap = lap.as_u64().expect("a lap");
    let cursor = chromium.text("#foot [data-figure=cursor]").await;
    let cursor: f64 = cursor.trim_end_matches(" m").parse().expect("metres");
    let speed = &between(&recorded, lap, cursor - 6.0, cursor + 6.0)["speed"];
    let kmh = |of: &str| speed[of].as_f64().unwrap_or_else(|| panic!("{of}: {speed}")) * 3.6;
    let at_cursor = value_shown(&chromium).await;
    assert!((kmh("low") - 1.0..=kmh("high") + 1.0).contains(&at_cursor), "{at_cursor}, {speed}");

    // Pedals have names and colours of their own.
    colour_by(&chromium, "track-colour", "pedals").await;
    let counts = pixels(&chromium, &["--throttle", "--brake", "--ramp-4"]).await;
    assert!(counts["--throttle"] > 50 && counts["--brake"] > 10 && counts["--ramp-4"] == 0, "{counts:?}");
    let legend = chromium.text("#track-legend").await;
    assert!(legend.contains("throttle") && legend.contains("brake"), "{legend}");

    // The hottest tyre is the hottest of the four, and one of them can be selected.
    colour_by(&chromium, "track-colour", "temperature").await;
    chromium.until("#track-legend", |legend| legend.contains("°C") && legend.contains("hottest tyre")).await;
    let hottest = value_shown(&chromium).await;
    let mut wheels = Vec::new();
    for wheel in ["FL", "FR", "RL", "RR"] {
        colour_by(&chromium, "track-wheel", wheel).await;
        chromium.until("#track-legend", |legend| legend.contains(wheel)).await;
        wheels.push(value_shown(&chromium).await);
    }
    assert_eq!(wheels.iter().copied().fold(f64::MIN, f64::max), hottest, "{wheels:?}");
    assert!(address(&chromium).await.contains("&colour=temperature&wheel=rr"));

    // The address restores the same view.
    let (seen, value) = (address(&chromium).await, value_shown(&chromium).await);
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=track-value]')").await;
    assert_eq!((address(&chromium).await, value_shown(&chromium).await), (seen, value));

    let surface = chromium
        .ask(
            "const of = document.querySelector('[data-testid=track-colour] [value=surface]');
            return [of.textContent, of.disabled]",
        )
        .await;
    assert_eq!(surface, json!(["Surface: not sent by this game", true]));
    for by in ["gear", "slip", "temperature"] {
        colour_by(&chromium, "track-colour", by).await;
        let counts = pixels(&chromium, &RAMP).await;
        assert!(counts.values().any(|count| *count > 50), "{by}: {counts:?}");
    }
    // The key selects the next channel that is sent, and wraps from the last to the first.
    press(&chromium, "t").await;
    until(&chromium, "document.querySelector('[data-testid=track-colour]').value == 'delta'").await;
    for (window, by) in Window::ALL.into_iter().zip(["speed", "speed", "temperature", "pedals"]) {
        chromium.look(window).await;
        colour_by(&chromium, "track-colour", by).await;
        chromium.picture(&format!("map-{by}-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_cannot_colour_the_track_stands_there_with_the_reason() {
    let recorded = recorded("uncoloured");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let row = &recorded.laps[0];
    // A single lap has no delta.
    let alone = format!("&lap=0.{}.{}", row.car.0, row.lap.serial);
    opened(&chromium, &program, &recorded, &alone).await;
    until(&chromium, "document.querySelector('[data-testid=track-colour]').value == 'speed'").await;
    let delta = chromium
        .ask(
            "const [delta] = document.querySelectorAll('[data-testid=track-colour] option');
        return [delta.textContent, delta.disabled]",
        )
        .await;
    assert_eq!(delta, json!(["Delta: it takes a second lap to compare with", true]));
    // If the address asks for it anyway, the map says why it has no colours.
    opened(&chromium, &program, &recorded, &(alone + "&colour=delta")).await;
    chromium
        .until("#track-legend", |legend| legend == "No colours: it takes a second lap to compare with.")
        .await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// The map window that the address names: the centre's x and z, and the width in metres.
async fn window(chromium: &Chromium) -> Option<[f64; 3]> {
    let address = address(chromium).await;
    let (_, rest) = address.split_once("&map=")?;
    let mut numbers = rest.split('&').next()?.split(',').map(|number| number.parse::<f64>().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The map's left, top, width and height on the page.
async fn edges(chromium: &Chromium) -> [f64; 4] {
    const EDGES: &str =
        "const { left, top, width, height } = document.querySelector('#map').getBoundingClientRect();
        return [left, top, width, height]";
    serde_json::from_value(chromium.ask(EDGES).await).expect("numbers")
}

/// The world position under a point of the map, in pixels from its centre: x points left and z up.
fn under([x, z, across]: [f64; 3], [_, _, width, height]: [f64; 4], right: f64, down: f64) -> [f64; 2] {
    let scale = (width.min(height) - 52.0) / across;
    [x - right / scale, z - down / scale]
}

async fn wheel(chromium: &Chromium, right: f64, down: f64, delta: f64) {
    let [left, top, width, height] = edges(chromium).await;
    let (x, y) = (left + width / 2.0 + right, top + height / 2.0 + down);
    let turn = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta });
    chromium.devtools("Input.dispatchMouseEvent", turn).await;
    chromium.settled().await;
}

async fn mouse(chromium: &Chromium, what: &str, x: f64, y: f64) {
    let event = json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
    chromium.devtools("Input.dispatchMouseEvent", event).await;
}

async fn tool(chromium: &Chromium, action: &str) {
    chromium.ask(&format!("document.querySelector('#track-tools [data-testid={action}]').click()")).await;
    chromium.settled().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_map_follows_the_lanes_to_a_corner_and_shows_the_lines_of_all_laps_through_it() {
    let recorded = crate::analyse::recorded("lines");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    opened(&chromium, &program, &recorded, "").await;
    choose(&chromium, 2, 3).await;
    chromium.settled().await;
    const LINES: [&str; 2] = ["--main", "--reference"];
    let all = pixels(&chromium, &LINES).await;
    assert_eq!(all["--main"], 0, "from afar there are no lines of laps");

    // To the corner, with the difference of brake points in metres.
    chromium.ask("document.querySelector('#things .thing').click()").await;
    until(&chromium, "location.hash.includes('from=')").await;
    chromium.settled().await;
    let near = pixels(&chromium, &LINES).await;
    assert!(near["--main"] > 100 && near["--reference"] > all["--reference"], "{near:?}");
    let spoken = chromium.ask("return document.querySelector('#map').getAttribute('aria-label')").await;
    let spoken = spoken.as_str().expect("words").to_owned();
    let metres = spoken.split("T5: braked ").nth(1).and_then(|rest| rest.split_once(" m earlier"));
    let metres: f64 =
        metres.and_then(|(metres, _)| metres.parse().ok()).unwrap_or_else(|| panic!("{spoken}"));
    let line = chromium
        .ask("return document.querySelector('#open-corner [data-line=brake-on] td:last-child').textContent")
        .await;
    assert_eq!(line, format!("{metres:.0} earlier"), "{spoken}");
    chromium.picture("map-lines-1400-dark").await;

    // Zoomed by the driver: the wheel zooms around the position under the pointer.
    assert_eq!(window(&chromium).await, None, "it follows");
    wheel(&chromium, 60.0, -30.0, -100.0).await;
    let (first, space) = (window(&chromium).await.expect("a window"), edges(&chromium).await);
    wheel(&chromium, 60.0, -30.0, -100.0).await;
    let second = window(&chromium).await.expect("a window");
    assert!((first[2] / second[2] - 1.2).abs() < 0.01, "{first:?} {second:?}");
    let (one, other) = (under(first, space, 60.0, -30.0), under(second, space, 60.0, -30.0));
    assert!((one[0] - other[0]).abs() < 0.6 && (one[1] - other[1]).abs() < 0.6, "{one:?} {other:?}");
    tool(&chromium, "map-out").await;
    let third = window(&chromium).await.expect("a window");
    assert!((third[2] / second[2] - 1.5).abs() < 0.01 && (third[0] - second[0]).abs() < 0.2, "{third:?}");
    tool(&chromium, "map-in").await;
    // Dragging moves the track.
    let [left, top, width, height] = space;
    let (x, y) = (left + width / 2.0, top + height / 2.0);
    mouse(&chromium, "mousePressed", x, y).await;
    mouse(&chromium, "mouseMoved", x + 20.0, y).await;
    mouse(&chromium, "mouseMoved", x + 40.0, y + 10.0).await;
    mouse(&chromium, "mouseReleased", x + 40.0, y + 10.0).await;
    chromium.settled().await;
    let dragged = window(&chromium).await.expect("a window");
    let wanted = under(second, space, -40.0, -10.0);
    assert!(
        (dragged[0] - wanted[0]).abs() < 1.0 && (dragged[1] - wanted[1]).abs() < 1.0,
        "{dragged:?} {wanted:?}"
    );

    // The address restores the same view.
    let (seen, counts) = (address(&chromium).await, pixels(&chromium, &LINES).await);
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('#track-tools button')").await;
    chromium.settled().await;
    assert_eq!(address(&chromium).await, seen);
    // The address rounds to decimetres, which are less than a pixel.
    for (ink, count) in pixels(&chromium, &LINES).await {
        assert!(count.abs_diff(counts[&ink]) <= 20, "{ink}: {count} and {counts:?}");
    }

    // A click moves the cursor to where the main lap passed.
    tool(&chromium, "map-all").await;
    assert!(address(&chromium).await.contains("&map=all"));
    chromium.settled().await;
    const DOT: &str = "const canvas = document.querySelectorAll('#map canvas')[1];
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        const pen = copy.getContext('2d', { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        const hex = parseInt(getComputedStyle(document.documentElement).getPropertyValue('--main').trim().slice(1), 16);
        let [count, x, y] = [0, 0, 0];
        for (let at = 0; at < data.length; at += 4)
            if (data[at] == hex >> 16 && data[at + 1] == (hex >> 8 & 255) && data[at + 2] == (hex & 255) && data[at + 3] == 255)
                [count, x, y] = [count + 1, x + at / 4 % canvas.width, y + Math.floor(at / 4 / canvas.width)];
        return [x / count, y / count]";
    let dot: [f64; 2] = serde_json::from_value(chromium.ask(DOT).await).expect("a dot");
    let cursor = || async {
        let text = chromium.text("#foot [data-figure=cursor]").await;
        text.trim_end_matches(" m").parse::<f64>().expect("metres")
    };
    let before = cursor().await;
    press(&chromium, "0").await;
    press(&chromium, "Home").await;
    assert_eq!(cursor().await, 0.0);
    // The right column may have scrolled to the opened corner.
    let [left, top, ..] = edges(&chromium).await;
    for what in ["mousePressed", "mouseReleased"] {
        mouse(&chromium, what, left + dot[0], top + dot[1]).await;
    }
    chromium.settled().await;
    assert!((cursor().await - before).abs() < 12.0, "{} and {before}", cursor().await);
    // The button makes the map follow the lanes again.
    tool(&chromium, "map-follow").await;
    assert!(!address(&chromium).await.contains("&map="));
    tool(&chromium, "map-lines").await;
    assert!(address(&chromium).await.contains("&lines=all"));
    assert!(pixels(&chromium, &LINES).await["--main"] > 100, "wanted from afar");
    for view in [Window::ALL[1], Window::ALL[2], Window { width: 390, height: 844, theme: "dark" }] {
        chromium.look(view).await;
        chromium.ask("document.querySelector('[data-testid=close-corner]')?.click()").await;
        until(&chromium, "document.querySelector('#things .thing')").await;
        chromium.ask("document.querySelector('#things .thing').click()").await;
        chromium.settled().await;
        chromium.ask("document.querySelector('#map').scrollIntoView({ block: 'center' })").await;
        chromium.picture(&format!("map-lines-{}-{}", view.width, view.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn two_fingers_on_the_map_go_nearer() {
    let recorded = recorded("pinched");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.add_touch_screen().await;
    opened(&chromium, &program, &recorded, "").await;
    let small = "[...document.querySelectorAll('#track-tools button, .choosers select')]
        .filter(one => one.getBoundingClientRect().height < 44).length == 0";
    until(&chromium, small).await;
    tool(&chromium, "map-in").await;
    let before = window(&chromium).await.expect("a window");
    let [left, top, width, height] = edges(&chromium).await;
    let touch = |what: &'static str, fingers: &[f64]| {
        let point = |(id, right): (usize, &f64)| json!({ "id": id, "x": left + width / 2.0 + right, "y": top + height / 2.0 });
        let points: Vec<Value> = fingers.iter().enumerate().map(point).collect();
        json!({ "type": what, "touchPoints": points })
    };
    for (what, fingers) in [
        ("touchStart", &[-30.0, 30.0][..]),
        ("touchMove", &[-45.0, 30.0]),
        ("touchMove", &[-60.0, 60.0]),
        ("touchEnd", &[]),
    ] {
        chromium.devtools("Input.dispatchTouchEvent", touch(what, fingers)).await;
    }
    chromium.settled().await;
    let after = window(&chromium).await.expect("a window");
    assert!((before[2] / after[2] - 2.0).abs() < 0.05, "{before:?} {after:?}");
    chromium.check_clean().await;
    chromium.close().await;
}
