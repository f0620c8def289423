//! The map of Live in the first lap, before a whole lap is known.

use std::time::{Duration, Instant};

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::live_ahead::{most_pixels, pixels};
use crate::program::Program;

/// The longer side of the line that is drawn of the track, in CSS pixels.
const LONG: &str = "const canvas = document.querySelector('.map canvas');
    const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let at = 3; at < data.length; at += 4) {
        if (data[at] < 40) continue;
        const [x, y] = [((at - 3) / 4) % width, Math.floor((at - 3) / 4 / width)];
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
    return Math.max(right - left, bottom - top) / devicePixelRatio;";

/// The line so far is drawn, and the car on it, while no lap is listed.
async fn check_first_lap(demo: &str) {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let url = format!("{}/#/live?demo={demo}&seed=3&speed=2", program.url);
    chromium.client.goto(&url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let began = Instant::now();
    loop {
        let long = chromium.ask(LONG).await.as_f64().expect("pixels");
        if long > 80.0 {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{demo}: the line is {long} pixels long");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let laps = chromium.ask("return document.querySelectorAll('.laps tr[data-time]').length").await;
    assert_eq!(laps.as_u64(), Some(0), "{demo}: it is still the first lap");
    let car = most_pixels(&chromium, &pixels(".map", "--main", 0.0)).await;
    assert!(car > 60, "{demo}: {car} pixels of the car");
    chromium.picture(&format!("first-lap-{demo}")).await;
    // The warning is about this test's own reading.
    chromium.check_clean_but(&["willReadFrequently"]).await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_first_lap_of_gran_turismo_is_on_the_map_with_its_car() {
    check_first_lap("gran-turismo").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_first_lap_of_ac_remote_is_on_the_map_with_its_car() {
    check_first_lap("ac-remote").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_first_lap_of_ac_lua_is_on_the_map_with_its_car() {
    check_first_lap("ac-lua").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_first_lap_of_ac_telemetry_tool_is_on_the_map_with_its_car() {
    check_first_lap("ac-telemetry-tool").await;
}
