//! Captures, tables of laps and MoTeC logs open on the page as they do on the command line.

use fantoccini::Locator;
use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::program::{Program, command};

use crate::library::{Folder, click, listed};
use crate::recorded::RecordedRace;
use crate::recording_links::until;

/// Some laps.
const SECONDS: f64 = 300.0;
/// The official times in the sample of iRacing's telemetry, whose first and last laps are incomplete.
const IRACING_MS: [u64; 1] = [20_003];

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

/// Laps of about 30 s, each at a speed of its own, in columns of which one has a name that nothing says what it is. The
/// lap's clock begins with each of them.
fn unknown_table(speed: &str, speeds_mps: [f64; 4]) -> String {
    const LAP_M: f64 = 1500.0;
    let mut table = format!("Rundenzeit;LapDist;{speed};Gas;Bremse\n");
    for speed_mps in speeds_mps {
        let rows = (LAP_M / speed_mps * 50.0) as u32;
        for row in 0..rows {
            let time_s = f64::from(row) / 50.0 + 0.01;
            let (metres, pedal) = (time_s * speed_mps, row % 101);
            table += &format!("{time_s:.2};{metres:.2};{:.1};{pedal};{}\n", speed_mps * 3.6, 100 - pedal)
                .replace('.', ",");
        }
    }
    table
}

/// Chooses a file on the page that is open.
async fn choose(chromium: &Chromium, path: &str) {
    let field =
        chromium.client.wait().for_element(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(path).await.expect("a file chosen");
}

/// Selects an option as a driver does.
async fn select(chromium: &Chromium, selector: &str, value: &str) {
    let script = format!(
        "const field = document.querySelector(\"{selector}\"); field.value = '{value}';
         field.dispatchEvent(new Event('change', {{ bubbles: true }})); return field.value"
    );
    assert_eq!(chromium.ask(&script).await, value, "{selector}");
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_table_of_an_unknown_program_opens_once_its_columns_are_named() {
    let folder = std::env::temp_dir().join(format!("trailbrake-unknown-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("drive.csv").to_string_lossy().into_owned();
    std::fs::write(&path, unknown_table("Tempo 1", [48.0, 50.0, 52.0, 49.0])).expect("a file");
    let program = Program::start(&[]);
    let analyse = format!("{}/#/analyse", program.url);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&analyse).await.expect("the page");
    choose(&chromium, &path).await;

    // What names and values say is guessed, and shown as it is read.
    chromium.until("[data-testid='table-laps']", |text| text.starts_with("4 laps: ")).await;
    assert_eq!(chromium.ask("return document.querySelector(\"[data-is='Gas']\").value").await, "throttle");
    assert_eq!(chromium.ask("return document.querySelector(\"[data-is='Tempo 1']\").value").await, "");
    let clock = chromium.text("[data-column='Rundenzeit'] .csv-read").await;
    assert!(clock.starts_with("0.010 s"), "{clock}");
    // What is missing is corrected.
    select(&chromium, "[data-is='Tempo 1']", "speed").await;
    chromium.until("[data-column='Tempo 1'] .csv-read", |text| text.starts_with("173 km/h")).await;
    for window in [Window::ALL[0], Window { width: 390, height: 844, theme: "light" }] {
        chromium.look(window).await;
        chromium.picture(&format!("columns-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
        let wide = "const list = document.querySelector('.csv-columns .found');
            return [list.scrollWidth - list.clientWidth, document.querySelector('.csv-columns').getBoundingClientRect().right - innerWidth]";
        let wide: [f64; 2] = serde_json::from_value(chromium.ask(wide).await).expect("numbers");
        assert!(wide[0] <= 0.0 && wide[1] <= 0.0, "{wide:?} pixels too wide");
    }
    chromium.look(Window::ALL[0]).await;
    let open = chromium.client.find(Locator::Css("[data-testid='open-table']")).await.expect("a button");
    open.click().await.expect("a click");

    // The laps are there, and are compared by distance.
    chromium.client.wait().for_element(Locator::Css("[data-lap]")).await.expect("a lap");
    chromium.until("[data-figure=method]", |text| text.starts_with("aligned by the game's distance")).await;
    let words = chromium.until("[data-figure=by-distance]", |text| !text.is_empty()).await;
    assert!(words.starts_with("Compared by distance: no positions"), "{words}");
    chromium.picture("analyse-unknown-table").await;
    chromium.check_clean().await;

    // After a reload the same columns are read alike, without a question.
    let expected = [28_840, 30_000, 30_612, 31_240];
    let times = opened(&chromium, &analyse, &path).await;
    assert_eq!(times.len(), expected.len(), "{times:?}");
    for (time, expected) in times.iter().zip(expected) {
        assert!(time.abs_diff(expected) <= 20, "{times:?}");
    }
    chromium.until("[data-testid='faults']", |text| text.contains("is read as before")).await;
    // Who opens it again can change them.
    choose(&chromium, &path).await;
    chromium.until("[data-testid='table-laps']", |text| text.starts_with("4 laps: ")).await;
    assert_eq!(chromium.ask("return document.querySelector(\"[data-is='Tempo 1']\").value").await, "speed");
    chromium.close().await;
    std::fs::remove_dir_all(&folder).expect("an empty folder");
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn unknown_tables_that_are_imported_together_are_asked_about_one_by_one() {
    let (folder, elsewhere) = (Folder::new("tables-into"), Folder::new("tables-from"));
    let speeds = [[48.0, 50.0, 52.0, 49.0], [47.0, 51.0, 50.0, 49.0], [46.0, 47.0, 48.0, 45.0]];
    let files = [("one", "Tempo 1"), ("alike", "Tempo 1"), ("other", "Tempo 2")].into_iter().zip(speeds);
    let files: Vec<String> = files
        .map(|((name, speed), speeds)| {
            let file = elsewhere.0.join(format!("{name}.csv"));
            std::fs::write(&file, unknown_table(speed, speeds)).expect("a file");
            file.to_string_lossy().into_owned()
        })
        .collect();
    let program = Program::recording(&["--recordings", &folder.0.to_string_lossy()]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    let field = chromium.client.wait().for_element(Locator::Css("[data-testid='import']")).await;
    field.expect("a field").send_keys(&files.join("\n")).await.expect("files chosen");

    // One answer is for all with the same columns, and none is forgotten.
    for (file, speed) in [("one.csv", "Tempo 1"), ("other.csv", "Tempo 2")] {
        chromium.until(".csv-columns h2", |title| title.eq_ignore_ascii_case(file)).await;
        select(&chromium, &format!("[data-is='{speed}']"), "speed").await;
        click(&chromium, "[data-testid='open-table']").await;
    }
    listed(&chromium, 3).await;
    until(&chromium, "!document.querySelector('.csv-columns')").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn telemetry_of_iracing_shows_its_laps() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/ibt/two_laps");
    let folder = std::env::temp_dir().join(format!("trailbrake-iracing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("oval.ibt").to_string_lossy().into_owned();
    std::fs::copy(path, &file).expect("a file");
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let times = opened(&chromium, &format!("{}/#/analyse", program.url), &file).await;
    assert_eq!(times, IRACING_MS);
    assert_eq!(chromium.text("[data-figure=track]").await, "Oval");
    chromium.check_clean().await;
    chromium.close().await;
    std::fs::remove_dir_all(&folder).expect("an empty folder");
}

#[tokio::test]
#[ignore = "needs captures and a browser: run cargo xtask test"]
async fn a_lap_of_garage_61_shows_its_time_and_the_length_of_its_track() {
    let folder = std::env::temp_dir().join(format!("trailbrake-garage-61-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("lap.csv").to_string_lossy().into_owned();
    let captures = std::env::var_os("TRAILBRAKE_CAPTURES").expect("a folder of captures");
    let lap = std::path::Path::new(&captures).join("next/garage61/road-atlanta-lap.csv");
    std::fs::copy(lap, &file).expect("a file");
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let times = opened(&chromium, &format!("{}/#/analyse", program.url), &file).await;
    // 78.7667 s between the rows, 9.8 ms before and 9.2 ms behind them.
    assert_eq!(times, [78_786]);
    let note = chromium.until("[data-testid='faults']", |text| text.contains("lap.csv")).await;
    assert!(note.contains("the lap time is ± 0.02 s"), "{note}");
    chromium.picture("analyse-garage-61").await;
    // The driver knows the official time.
    let button =
        chromium.client.wait().for_element(Locator::Css("[data-figure='computed-time'] button")).await;
    button.expect("a button").click().await.expect("a click");
    let field = chromium
        .client
        .wait()
        .for_element(Locator::Css("[data-testid='official-time']"))
        .await
        .expect("a field");
    field.send_keys("1:18.790\u{e007}").await.expect("a time typed");
    until(&chromium, "document.querySelector(\"[data-lap][data-time='78790']\")").await;
    until(&chromium, "!document.querySelector(\"[data-figure='computed-time']\")").await;
    chromium.check_clean().await;
    chromium.close().await;
    std::fs::remove_dir_all(&folder).expect("an empty folder");
}
