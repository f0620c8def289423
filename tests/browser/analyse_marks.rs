//! Braking marks along the lanes: where each lap braked, on both axes, and how much earlier the main lap did.

use crate::analyse::{choose, compared, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// The page with lap 2, which brakes too early for a corner, compared with lap 3.
pub(crate) async fn opened(recorded: &RecordedRace) -> (Program, Chromium) {
    let program = serving(recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    (program, chromium)
}

/// A lap's brake point, peak and release for a corner, as positions on the axis.
async fn braked(chromium: &Chromium, lap: usize, corner: u64) -> [f64; 3] {
    let find = format!(
        "return document.querySelector('#brakings [data-place=\"{lap}\"][data-corner=\"{corner}\"]').dataset.at.trim().split(' ').map(Number)"
    );
    serde_json::from_value(chromium.ask(&find).await).expect("three places")
}

/// The lanes that have braking marks.
async fn marked(chromium: &Chromium) -> String {
    let lanes = chromium.ask("return document.querySelector('#brakings > div').dataset.lanes.trim()").await;
    lanes.as_str().expect("lanes").to_owned()
}

/// How many marks have a label.
async fn worded(chromium: &Chromium) -> u64 {
    chromium.settled().await;
    let count = chromium.ask("return Number(document.querySelector('#brakings').dataset.worded ?? 0)").await;
    count.as_u64().expect("a count")
}

/// Moves the cursor to an axis position through the address. Returns how far the reference's brake is pressed there, in
/// per cent.
async fn reference_brakes(chromium: &Chromium, link: &str, at: f64) -> f64 {
    let link = link.split('&').filter(|part| !part.starts_with("cursor=")).collect::<Vec<_>>().join("&");
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{link}&cursor={at}")).await.expect("the page");
    until(chromium, "document.querySelector('#values [data-lane=Pedals]')").await;
    const PEDALS: &str = "document.querySelectorAll('#values [data-lane=Pedals] span')[1].textContent";
    until(chromium, &format!("{PEDALS}.match(/[0-9] · [0-9]/)")).await;
    let text = chromium.ask(&format!("return {PEDALS}")).await;
    let brake = text.as_str().and_then(|text| text.split(" · ").nth(1)?.parse().ok());
    brake.unwrap_or_else(|| panic!("{text}"))
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn marks_say_where_the_laps_braked_on_both_axes() {
    let recorded = recorded("marked");
    let (program, chromium) = opened(&recorded).await;
    until(&chromium, "document.querySelector('#brakings [data-corner]')").await;
    assert_eq!(marked(&chromium).await, "speed pedals");

    // The marks are at the command line's brake point and release.
    let comparison = compared(&recorded.file, 2, 3, &[]);
    let turn = comparison["corners"].as_array().and_then(|corners| {
        corners.iter().find(|corner| corner["name"].as_str().is_some_and(|name| name.starts_with("Turn 5")))
    });
    let figure = |name: &str| turn.and_then(|turn| turn[name].as_f64()).expect("a figure");
    let [own, other] = [braked(&chromium, 0, 5).await, braked(&chromium, 1, 5).await];
    assert!((own[0] - figure("brake_on_m")).abs() < 0.01, "{own:?}");
    assert!((own[2] - figure("release_m")).abs() < 0.01, "{own:?}");
    assert!((own[0] - other[0] - figure("brake_diff_m")).abs() < 0.01, "{own:?} {other:?}");
    assert!([own, other].iter().all(|places| places.is_sorted()), "{own:?} {other:?}");

    // Marks are labelled when zoomed in to a corner; over the whole lap only some are.
    let corners =
        chromium.ask("return document.querySelectorAll('#brakings [data-place=\"0\"]').length").await;
    assert!(worded(&chromium).await < corners.as_u64().expect("a count"), "{corners}");
    chromium.picture("marks-1400-whole-dark").await;
    chromium.ask("document.querySelector('#things .thing').click()").await;
    until(&chromium, "location.hash.includes('from=')").await;
    assert!(worded(&chromium).await > 0);
    for theme in ["dark", "light"] {
        for (width, height) in [(1400, 900), (1024, 768), (390, 844)] {
            chromium.look(Window { width, height, theme }).await;
            chromium.picture(&format!("marks-{width}-{theme}")).await;
            chromium.check_clean().await;
        }
    }
    chromium.look(Window::ALL[0]).await;

    // Over time each lap's mark follows its own clock, so the reference's brake comes on at its mark.
    press(&chromium, "x").await;
    until(&chromium, "location.hash.includes('axis=time')").await;
    let [own_s, other_s] = [braked(&chromium, 0, 5).await, braked(&chromium, 1, 5).await];
    assert!([own_s, other_s].iter().all(|clocks| clocks.is_sorted() && clocks[2] < 120.0), "{own_s:?}");
    let link = format!("{}/{}", program.url, address(&chromium).await);
    let (before, behind) = (
        reference_brakes(&chromium, &link, other_s[0] - 0.15).await,
        reference_brakes(&chromium, &link, other_s[0] + 0.15).await,
    );
    assert!(before < 3.0 && behind > 10.0, "{before} {behind} at {other_s:?}");
    chromium.picture("marks-1400-time").await;

    // With separate pedal lanes the braking marks are in the brake lane, and coasting is in both.
    let lanes = link.split('&').filter(|part| !part.starts_with("lanes=")).collect::<Vec<_>>().join("&");
    for (lanes_of, with_marks) in [("throttle,brake", "brake"), ("throttle", ""), ("gear", "")] {
        chromium.client.goto("about:blank").await.expect("nothing");
        chromium.client.goto(&format!("{lanes}&lanes={lanes_of}")).await.expect("the page");
        until(&chromium, "document.querySelector('#brakings [data-corner]')").await;
        assert_eq!(marked(&chromium).await, with_marks);
    }
    chromium.check_clean().await;
    chromium.close().await;
}
