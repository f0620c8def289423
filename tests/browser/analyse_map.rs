//! The track from above on the page for laps side by side: what it is coloured by, and what is said of it.

use std::collections::BTreeMap;

use serde_json::Value;
use trailbrake_shared::sim::Options;

use crate::by_id::{address, serving, until};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::Recorded;
use crate::replay::press;

/// Long enough for three laps.
const SECONDS: f64 = 300.0;

/// A driver alone on the track.
fn recorded(name: &str) -> Recorded {
    Recorded::race(
        name,
        SECONDS,
        Options { cars: 1, player: 0, seed: 31, again: false, ..Options::default() },
    )
}

/// Opens two laps of a recording side by side.
async fn opened(chromium: &Chromium, program: &Program, recorded: &Recorded, rest: &str) {
    let link = format!("{}/#/analyse?recording={}{rest}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(chromium, "document.querySelector('#track-legend span')").await;
}

/// Chooses by what the track is coloured, as people do.
async fn colour_by(chromium: &Chromium, chooser: &str, choice: &str) {
    let choose = format!(
        "const field = document.querySelector('[data-action={chooser}]'); field.value = '{choice}';
         field.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    );
    chromium.ask(&choose).await;
    until(chromium, &format!("document.querySelector('[data-action={chooser}]').value == '{choice}'")).await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
}

/// How many pixels of the track have exactly the colour of each of some tokens.
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

/// What `trailbrake analyse` says of a channel between two places of a lap.
fn between(recorded: &Recorded, lap: u64, from: f64, to: f64) -> Value {
    let binary = std::env::var_os("TRAILBRAKE_BIN").expect("the program");
    let mut command = std::process::Command::new(binary);
    command.arg("analyse").arg(&recorded.file).arg("--json");
    command.args(["--lap", &lap.to_string(), "--between", &format!("{from}..{to}")]);
    let said: Value = serde_json::from_slice(&command.output().expect("an answer").stdout).expect("json");
    said["lap"]["between"].clone()
}

/// The number in what is told at the cursor.
async fn told(chromium: &Chromium) -> f64 {
    let words = chromium.text("[data-figure=track-value]").await;
    let number = words.split(' ').next().and_then(|number| number.replace('−', "-").parse().ok());
    number.unwrap_or_else(|| panic!("{words}"))
}

#[tokio::test]
async fn the_track_is_coloured_by_what_somebody_chooses_and_says_what_it_means() {
    const RAMP: [&str; 8] =
        ["--ramp-1", "--ramp-2", "--ramp-3", "--ramp-4", "--ramp-5", "--ramp-6", "--ramp-7", "--ramp-8"];
    let recorded = recorded("coloured");
    let Some(program) = serving(&recorded) else { return };
    let Some(chromium) = Chromium::open(Window::ALL[0]).await else { return };
    opened(&chromium, &program, &recorded, "").await;

    // The delta of two laps, with both signs named.
    let legend = chromium.text("#track-legend").await;
    assert!(legend.contains("gaining") && legend.contains("losing time"), "{legend}");
    let counts = pixels(&chromium, &["--loss", "--loss-some", "--gain", "--gain-some", "--ramp-4"]).await;
    assert!(
        counts["--loss"] + counts["--loss-some"] + counts["--gain"] + counts["--gain-some"] > 50,
        "{counts:?}"
    );
    assert_eq!(counts["--ramp-4"], 0);

    // Speed: all of the ramp, a scale, and at the cursor what the command line says of that place.
    colour_by(&chromium, "track-colour", "speed").await;
    assert!(address(&chromium).await.contains("&colour=speed"), "{}", address(&chromium).await);
    let counts = pixels(&chromium, &RAMP).await;
    assert!(counts.values().filter(|count| **count > 10).count() >= 5, "{counts:?}");
    let legend = chromium.text("#track-legend").await;
    assert!(legend.ends_with("km/h"), "{legend}");
    press(&chromium, "]").await;
    until(&chromium, "document.querySelector('[data-figure=track-value]')").await;
    let lap = chromium.ask("return Number(document.querySelector('#lap-list tr.main').dataset.lap)").await;
    let lap = lap.as_u64().expect("a lap");
    let cursor = chromium.text("#foot [data-figure=cursor]").await;
    let cursor: f64 = cursor.trim_end_matches(" m").parse().expect("metres");
    let speed = &between(&recorded, lap, cursor - 6.0, cursor + 6.0)["speed"];
    let kmh = |of: &str| speed[of].as_f64().unwrap_or_else(|| panic!("{of}: {speed}")) * 3.6;
    let said = told(&chromium).await;
    assert!((kmh("low") - 1.0..=kmh("high") + 1.0).contains(&said), "{said}, {speed}");

    // Pedals have names, and colours of their own.
    colour_by(&chromium, "track-colour", "pedals").await;
    let counts = pixels(&chromium, &["--throttle", "--brake", "--ramp-4"]).await;
    assert!(counts["--throttle"] > 50 && counts["--brake"] > 10 && counts["--ramp-4"] == 0, "{counts:?}");
    let legend = chromium.text("#track-legend").await;
    assert!(legend.contains("throttle") && legend.contains("brake"), "{legend}");

    // The hottest tyre is as hot as the hottest of the four, and one of them can be chosen.
    colour_by(&chromium, "track-colour", "temperature").await;
    chromium.until("#track-legend", |legend| legend.contains("°C") && legend.contains("the hottest")).await;
    let hottest = told(&chromium).await;
    let mut wheels = Vec::new();
    for wheel in ["FL", "FR", "RL", "RR"] {
        colour_by(&chromium, "track-wheel", wheel).await;
        chromium.until("#track-legend", |legend| legend.contains(wheel)).await;
        wheels.push(told(&chromium).await);
    }
    assert_eq!(wheels.iter().copied().fold(f64::MIN, f64::max), hottest, "{wheels:?}");
    assert!(address(&chromium).await.contains("&colour=temperature&wheel=rr"));

    // Whoever gets the address sees the same.
    let (seen, said) = (address(&chromium).await, told(&chromium).await);
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=track-value]')").await;
    assert_eq!((address(&chromium).await, told(&chromium).await), (seen, said));

    let surface = chromium
        .ask(
            "const of = document.querySelector('[data-action=track-colour] [value=surface]');
            return [of.textContent, of.disabled]",
        )
        .await;
    assert_eq!(surface, serde_json::json!(["Surface: not sent by this game", true]));
    for by in ["gear", "slip", "temperature"] {
        colour_by(&chromium, "track-colour", by).await;
        let counts = pixels(&chromium, &RAMP).await;
        assert!(counts.values().any(|count| *count > 50), "{by}: {counts:?}");
    }
    // The key goes on to the next that is sent, and from the last to the first.
    press(&chromium, "t").await;
    until(&chromium, "document.querySelector('[data-action=track-colour]').value == 'delta'").await;
    for (window, by) in Window::ALL.into_iter().zip(["speed", "speed", "temperature", "pedals"]) {
        chromium.look(window).await;
        colour_by(&chromium, "track-colour", by).await;
        chromium.picture(&format!("map-{by}-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
async fn what_cannot_colour_the_track_stands_there_with_the_reason() {
    let recorded = recorded("uncoloured");
    let Some(program) = serving(&recorded) else { return };
    let Some(chromium) = Chromium::open(Window::ALL[0]).await else { return };
    let row = &recorded.laps[0];
    // One lap by itself has no delta.
    let alone = format!("&lap=0.{}.{}", row.car.0, row.lap.serial);
    opened(&chromium, &program, &recorded, &alone).await;
    until(&chromium, "document.querySelector('[data-action=track-colour]').value == 'speed'").await;
    let delta = chromium
        .ask(
            "const [delta] = document.querySelectorAll('[data-action=track-colour] option');
        return [delta.textContent, delta.disabled]",
        )
        .await;
    assert_eq!(delta, serde_json::json!(["Delta: it takes a second lap to compare with", true]));
    // Asked for all the same, it says why there are no colours.
    opened(&chromium, &program, &recorded, &(alone + "&colour=delta")).await;
    chromium
        .until("#track-legend", |legend| legend == "No colours: it takes a second lap to compare with.")
        .await;
    chromium.check_clean().await;
    chromium.close().await;
}
