//! Assetto Corsa's Telemetry Tool and Lua app in the page: each shows what it sends, and names what it does not send.

use std::time::{Duration, Instant};

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::{TruthFile, shown_laps};
use crate::live_ahead::{most_pixels, pixels};
use crate::program::Program;
use crate::recording_links::until;
use crate::tasks::press;

/// Waits until `count` laps are listed. Returns number, shown time and driven time of each, in milliseconds.
async fn laps(chromium: &Chromium, truth: &TruthFile, count: usize) -> Vec<(u64, u64, u64)> {
    let began = Instant::now();
    loop {
        let shown = shown_laps(chromium).await;
        // Read after the page, so that every shown lap is in it.
        let known = truth.laps();
        if shown.len() >= count && known.len() >= shown.len() {
            let pairs = shown.into_iter();
            return pairs
                .map(|(number, millis)| (number, millis, known.get(&number).copied().unwrap_or(0)))
                .collect();
        }
        assert!(began.elapsed() < PATIENCE, "shown {shown:?}, driven {known:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Whether a channel's key is marked absent in the traces' header, as for channels that were never sent.
async fn is_absent(chromium: &Chromium, figure: &str) -> bool {
    let key = format!("document.querySelector('.key [data-figure={figure}]').parentElement");
    chromium.ask(&format!("return {key}.classList.contains('absent')")).await.as_bool().expect("a key")
}

async fn pictures(chromium: &Chromium, name: &str) {
    // Session time begins with the first packet. The engineer's view has the events.
    chromium.ask("document.querySelector('[data-testid=view-engineer]').click()").await;
    chromium.text(".events .when").await;
    let first =
        chromium.ask("return [...document.querySelectorAll('.events .when')].pop()?.textContent").await;
    assert!(first.as_str().is_some_and(|time| time.len() <= 5), "{first}");
    chromium.ask("document.querySelector('[data-testid=view-driver]').click()").await;
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("{name}-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_telemetry_tools_cars_laps_and_tyres_are_shown_and_nothing_else() {
    let truth = TruthFile::new("ac-telemetry-tool");
    let file = truth.path();
    let options = [
        "--demo=ac-telemetry-tool",
        "--demo-seed",
        "5",
        "--demo-speed",
        "8",
        "--demo-from",
        "220",
        "--demo-truth",
        &file,
    ];
    let program = Program::start(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    for (number, shown, driven) in laps(&chromium, &truth, 3).await {
        assert_eq!(shown, driven, "lap {number}");
    }
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("20"), "all cars are on the map");
    // The player is the simulator's eighth driver, whatever the order in the packet.
    chromium.until("tr.own", |text| text.contains("DAU")).await;
    chromium.until("[data-figure='gear']", |text| text.parse::<u8>().is_ok_and(|gear| gear > 0)).await;
    chromium.until("[data-figure='delta']", |text| text.starts_with(['+', '−', '0'])).await;
    until(&chromium, "document.querySelector('.tyres').ariaLabel == 'Tyres, inner'").await;
    let tyres = chromium.ask("return document.querySelector('.tyres').textContent").await;
    let tyres = tyres.as_str().expect("text").to_lowercase();
    assert!(!tyres.contains("surface") && !tyres.contains("wear") && !tyres.contains("bar"), "{tyres}");
    // The steering lock is unknown, so the angle is shown in degrees and not as a fraction of it.
    chromium.until("[data-figure='steering']", |text| text.ends_with('°')).await;
    assert!(!is_absent(&chromium, "steering").await);
    pictures(&chromium, "ac-telemetry-tool").await;
    let steering = most_pixels(&chromium, &pixels(".traces", "--soft", 0.0)).await;
    assert!(steering > 100, "the wheel has a line in the pedals' figure: {steering} pixels");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_lua_apps_laps_are_marked_as_inferred_and_its_numbers_as_sent() {
    let truth = TruthFile::new("ac-lua");
    let file = truth.path();
    let options = [
        "--demo=ac-lua",
        "--demo-seed",
        "5",
        "--demo-speed",
        "8",
        "--demo-from",
        "150",
        "--demo-truth",
        &file,
    ];
    let program = Program::start(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    for (number, shown, driven) in laps(&chromium, &truth, 2).await {
        // The last packet before the line is at most one frame earlier.
        assert!((shown..=shown + 17).contains(&driven), "lap {number}: {shown} of {driven}");
    }
    let inferred =
        "return [...document.querySelectorAll('[data-lap][data-time]')].map(row => row.dataset.inferred)";
    let inferred = chromium.ask(inferred).await;
    assert!(inferred.as_array().is_some_and(|all| all.iter().all(|one| one == "true")), "{inferred}");
    chromium.until(".laps", |text| text.contains("≈ 1:")).await;
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("1"), "the app sends one car");
    chromium.until("[data-figure='gear']", |text| text.parse::<u8>().is_ok_and(|gear| gear > 0)).await;
    press(&chromium, "view-engineer").await;
    let tyres = chromium.until(".tyres", |text| text.contains("wear")).await.to_lowercase();
    assert!(!tyres.contains("inner") && !tyres.contains("bar"), "{tyres}");
    press(&chromium, "view-driver").await;
    assert!(is_absent(&chromium, "steering").await, "it has no known measure");
    pictures(&chromium, "ac-lua").await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn both_demos_run_in_the_page_alone() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    for (feed, cars) in [("ac-telemetry-tool", "20"), ("ac-lua", "1")] {
        let url = format!("{}/#/live?demo={feed}&seed=2", program.url);
        chromium.client.goto(&url).await.expect("the page");
        chromium
            .until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50))
            .await;
        let shown = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
        assert_eq!(shown.as_str(), Some(cars), "{feed}");
        chromium.check_clean().await;
    }
    chromium.close().await;
}
