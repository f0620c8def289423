//! A rally in the page: one car on a stage from A to B, and its runs with their times.

use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::shown_laps;
use crate::program::Program;
use crate::recording_links::until;

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_stage_shows_its_car_its_way_and_its_time() {
    // The page runs its own demo; the same seed drives the same run here.
    let options = Options { seed: 3, ..Options::default() };
    let mut demo = Demo::new(Feed::DirtRally, options, Micros(0)).expect("a demo");
    demo.drive(300.0, &mut |_, _| {});
    let known = u64::from(demo.truth().sessions[0].finished[0].time_ms);

    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let url = format!("{}/#/live?demo=dirt-rally&seed=3&speed=12&from=110", program.url);
    chromium.client.goto(&url).await.expect("the page");
    // The first run has no reference: the bar fills with what is driven.
    chromium
        .until(".delta-bar", |text| text.contains("First run of the stage") && text.ends_with("km to go"))
        .await;
    let driven = "return document.querySelector('.delta-bar .fill[data-side=driven]').getBoundingClientRect().width / innerWidth";
    let share = chromium.ask(driven).await.as_f64().expect("a share");
    assert!((0.2..1.0).contains(&share), "{share} of the stage");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("1"));
    until(&chromium, "document.querySelector('.laps h2')?.textContent == 'Stage runs'").await;
    let began = Instant::now();
    let first = loop {
        if let Some(time) = shown_laps(&chromium).await.get(&1) {
            break *time;
        }
        assert!(began.elapsed() < PATIENCE, "no run was finished");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!(first, known);
    chromium.until(".events", |text| text.contains("Split 3") && text.contains("Jump: ")).await;
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("rally-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}
