//! The viewer: the page on a web host, without a relay, below a path.

use std::time::{Duration, Instant};

use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::named_file;
use trailbrake_tests::program::command;
use trailbrake_tests::web_host::WebHost;

use crate::PATIENCE;
use crate::other_files;
use crate::recorded::RecordedRace;

/// Some laps.
const SECONDS: f64 = 300.0;
/// A path below a host's own pages.
const PATH: &str = "/coach/tools/laps/";

/// Opens files on the first page, which leads to their laps; the times of those.
async fn opened(chromium: &Chromium, url: &str, paths: &str) -> Vec<u64> {
    let times = other_files::opened(chromium, url, paths).await;
    let page = chromium.ask("return document.querySelector('main').dataset.page").await;
    assert_eq!(page, "analyse", "a coach wants to see laps");
    times
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_coach_opens_files_on_a_web_host_even_without_a_connection() {
    let recorded = RecordedRace::new("viewer", SECONDS);
    let path = |ending: &str| recorded.folder().join(format!("sent.{ending}")).to_string_lossy().into_owned();
    for (format, ending) in [("pcap", "pcapng"), ("csv", "csv"), ("motec", "ld")] {
        let mut export = command("export");
        export.arg(&recorded.file).args(["--format", format, "-o", &path(ending)]);
        assert!(export.status().expect("the program").success(), "{format}");
    }
    let mut times: Vec<u64> =
        recorded.laps.iter().filter_map(|row| Some(u64::from(row.lap.time?.0))).collect();
    times.sort_unstable();
    let recording = recorded.file.to_string_lossy().into_owned();

    let host = WebHost::start(named_file("TRAILBRAKE_VIEWER"), PATH);
    let url = host.url.clone();
    let chromium = Chromium::open_alone(Window { width: 1024, height: 768, theme: "light" }).await;
    chromium.client.goto(&url).await.expect("the page");
    assert_eq!(chromium.text("h1").await, "Open a recording");
    assert_eq!(chromium.until("[data-testid=link]", |words| !words.is_empty()).await, "Viewer");
    let pages =
        chromium.ask("return [...document.querySelectorAll('nav a')].map(a => a.textContent).join()").await;
    assert_eq!(pages, "Live,Analyse,Open");
    let first = Window { width: 1024, height: 768, theme: "light" };
    for window in [Window::ALL[0], Window { width: 390, height: 844, theme: "dark" }, first] {
        chromium.look(window).await;
        chromium.picture(&format!("viewer-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    for files in [&recording, &path("pcapng"), &path("csv"), &[path("ld"), path("ldx")].join("\n")] {
        assert_eq!(opened(&chromium, &url, files).await, times, "{files}");
    }
    chromium.picture("viewer-analyse-1024-light").await;

    // No page asks the host for anything but its files.
    for page in ["library", "live", "settings", "connections", "analyse"] {
        chromium.client.goto("about:blank").await.expect("an empty page");
        chromium.client.goto(&format!("{url}#/{page}")).await.expect("the page");
        let words = chromium.until("main", |words| words.len() > 20).await;
        chromium.settled().await;
        for absent in ["game is sending", "Library", "Connections", "relay", "Drive a lap"] {
            assert!(!words.contains(absent), "{page} speaks of {absent}: {words}");
        }
    }
    chromium.client.goto(&format!("{url}#/live?demo=f1-2018&speed=20")).await.expect("the demo");
    chromium.until("[data-testid=link]", |words| words.contains("F1 2018")).await;
    chromium.check_clean().await;
    assert_eq!(host.strange(), [""; 0]);

    // Without the host, what the browser has kept opens the same file.
    let began = Instant::now();
    while chromium.ask("return navigator.serviceWorker.ready.then(own => own.active.state)").await
        != "activated"
    {
        assert!(began.elapsed() < PATIENCE, "the viewer is not kept");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(host);
    assert_eq!(opened(&chromium, &url, &recording).await, times);
    chromium.check_clean().await;
    chromium.close().await;
}
