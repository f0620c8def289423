//! How long a driver waits for an hour of racing with twenty cars, and for three hours: for the lap list, for two laps
//! on top of each other, and for the stint that weighs what was lost; in the page and on the command line.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use std::time::{Duration, Instant};

use serde_json::json;
use trailbrake_shared::sim::Options;
use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::figures::figure;
use trailbrake_tests::program::{Program, command};
use trailbrake_tests::recorded::RecordedRace;

/// The races' lengths.
const HOURS: [f64; 2] = [1.0, 3.0];
/// How long to wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);
/// Notes when each thing is on the page, and the longest time between two frames: while the overlay is drawn, which ends
/// with the first frame in time, and from then on until the stint is weighed.
const WATCH: &str = "window.seen = {}; window.longest = { overlay: 0, stint: 0 }; let last = 0, drawn = false;
    const wanted = {
        list: () => document.querySelector('[data-lap][data-time]'),
        overlay: () => document.querySelector('[data-figure=apart]'),
        stint: () => document.querySelector('#corners')?.dataset.stint >= 12,
    };
    const look = now => {
        const frame = now - last;
        last = now;
        drawn ||= seen.overlay && frame < 20;
        const what = drawn ? 'stint' : 'overlay';
        if (seen.overlay && !seen.weighed) longest[what] = Math.max(longest[what], frame);
        // The frame that shows the stint counts too.
        seen.weighed = seen.stint;
        for (const [name, there] of Object.entries(wanted)) if (!seen[name] && there()) seen[name] = performance.now();
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    for hours in HOURS {
        let options = Options {
            seed: 5,
            cars: 20,
            player: 3,
            laps: 250,
            keep_truth: false,
            duration_s: 12_000,
            ..Options::default()
        };
        let race = RecordedRace::race("opening", hours * 3600.0, options);
        let name = |what: &str| format!("race of {hours} h: {what}");
        figure("opening", &name("file"), race.bytes as f64 / 1e6, "MB");
        for (what, arguments) in [
            ("laps", &["laps"][..]),
            ("analyse", &["analyse"]),
            ("compare", &["compare", "--lap", "12", "--reference", "9"]),
            ("report", &["report", "--lap", "12", "--reference", "9", "--out", "report.html"]),
        ] {
            let began = Instant::now();
            let mut program = command(arguments[0]);
            program.args(&arguments[1..]).arg(&race.file).current_dir(race.folder());
            let done = program.output().expect("the program");
            assert!(done.status.success(), "{what}: {}", String::from_utf8_lossy(&done.stderr));
            figure(
                "opening",
                &name(&format!("trailbrake {what}")),
                began.elapsed().as_secs_f64() * 1e3,
                "ms",
            );
        }
        page(&race, &name).await;
    }
}

async fn page(race: &RecordedRace, name: &dyn Fn(&str) -> String) {
    let program = Program::start(&["--recordings", &race.folder().to_string_lossy()]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    chromium.client.goto("about:blank").await.expect("an empty page");
    let [lap, reference] = [12, 9].map(|place| {
        let id = race.laps[place].id();
        format!("{}.{}.{}", id.session, id.car.0, id.serial)
    });
    let link = format!("{}/#/analyse?recording={}&lap={lap}&reference={reference}", program.url, race.id);
    chromium.client.goto(&link).await.expect("the page");
    let began = Instant::now();
    loop {
        let seen = chromium
            .ask("return [seen.list, seen.overlay, seen.stint, longest.overlay, longest.stint]")
            .await;
        if let (Some(list), Some(overlay), Some(stint)) =
            (seen[0].as_f64(), seen[1].as_f64(), seen[2].as_f64())
        {
            figure("opening", &name("lap list in the page"), list, "ms");
            figure("opening", &name("two laps overlaid after the list"), overlay - list, "ms");
            figure("opening", &name("stint weighed after that"), stint - overlay, "ms");
            for (what, place) in [("longest frame of the overlay", 3), ("longest frame while weighing", 4)] {
                figure("opening", &name(what), seen[place].as_f64().unwrap_or(f64::NAN), "ms");
            }
            break;
        }
        if began.elapsed() > PATIENCE {
            chromium.picture("opening").await;
            panic!("{seen}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    chromium.close().await;
}
