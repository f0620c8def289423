//! Captures, tables of laps and MoTeC logs open on the page as they do on the command line.

use fantoccini::Locator;
use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::program::{Program, command};

use crate::recorded::RecordedRace;
use crate::recording_links::until;

/// Some laps.
const SECONDS: f64 = 300.0;

/// Chooses files, one path a line, on a page, and returns the times of the listed laps, in milliseconds.
pub(crate) async fn opened(chromium: &Chromium, page: &str, paths: &str) -> Vec<u64> {
    chromium.client.goto("about:blank").await.expect("an empty page");
    chromium.client.goto(page).await.expect("the page");
    let field =
        chromium.client.wait().for_element(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(paths).await.expect("files chosen");
    chromium.client.wait().for_element(Locator::Css("[data-lap]")).await.expect("a lap");
    let listed =
        "return [...document.querySelectorAll('[data-lap][data-time]')].map(row => Number(row.dataset.time))";
    let times = chromium.ask(listed).await;
    let mut times: Vec<u64> = serde_json::from_value(times).expect("numbers");
    times.retain(|time| *time > 0);
    times.sort_unstable();
    times
}

/// Opens a file once more. The page shows the share that is done as it grows, which it can't while it is busy.
async fn shows_how_far_it_is(chromium: &Chromium, path: &str) {
    let watch = "window.shares = new Set();
        new MutationObserver(() => document.querySelectorAll(\"[data-figure='job']\").forEach(job =>
            (job.textContent.match(/\\d+ %/g) || []).forEach(share => shares.add(share))))
            .observe(document.body, { subtree: true, childList: true, characterData: true });";
    chromium.ask(watch).await;
    let field = chromium.client.find(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(path).await.expect("a file chosen");
    until(chromium, "shares.size >= 3").await;
    until(chromium, "!document.querySelector(\"[data-figure='job']\")").await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn files_of_other_programs_show_the_laps_they_hold() {
    let recorded = RecordedRace::new("other-files", SECONDS);
    let path =
        |ending: &str| recorded.folder().join(format!("other.{ending}")).to_string_lossy().into_owned();
    for (format, ending) in [("pcap", "pcapng"), ("csv", "csv"), ("motec", "ld")] {
        let mut export = command("export");
        export.arg(&recorded.file).args(["--format", format, "-o", &path(ending)]);
        assert!(export.status().expect("the program").success(), "{format}");
    }
    let mut times: Vec<u64> =
        recorded.laps.iter().filter_map(|row| Some(u64::from(row.lap.time?.0))).collect();
    times.sort_unstable();
    assert!(times.len() >= 2, "{times:?}");

    let program = Program::start(&[]);
    let analyse = format!("{}/#/analyse", program.url);
    let chromium = Chromium::open(Window::ALL[0]).await;
    assert_eq!(opened(&chromium, &analyse, &path("pcapng")).await, times);
    assert_eq!(opened(&chromium, &analyse, &path("csv")).await, times);
    shows_how_far_it_is(&chromium, &path("csv")).await;
    let both = [path("ld"), path("ldx")].join("\n");
    assert_eq!(opened(&chromium, &analyse, &both).await, times);
    chromium.picture("analyse-motec-log").await;

    // A log alone has no laps, and a text is no telemetry: the page says why, and what it shows stays.
    for (name, why) in [("other.ld", "the .ldx file"), ("README.md", "not a recording")] {
        let file = recorded.folder().join(name);
        if !file.exists() {
            std::fs::write(&file, "# A text\n").expect("a file");
        }
        let field = chromium.client.find(Locator::Css("[data-testid='open']")).await.expect("a button");
        field.send_keys(&file.to_string_lossy()).await.expect("a file chosen");
        let faults = chromium.until("[data-testid='faults']", |text| text.contains(name)).await;
        assert!(faults.contains(why), "{faults}");
        assert!(chromium.client.find(Locator::Css("[data-lap]")).await.is_ok());
    }
    chromium.check_clean().await;
    chromium.close().await;
}
