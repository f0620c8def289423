//! The Analyse page's address always describes the view, restores it anywhere, and names a missing file.

use fantoccini::Locator;
use trailbrake_shared::sim::Options;

use crate::analyse::{choose, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::{Folder, RecordedRace};
use crate::recording_links::{address, until};
use crate::replay::{drop_file, press};

const APART: &str = "document.querySelector('[data-figure=apart]')";
/// The compared laps, with their times.
const CHIPS: &str = "[...document.querySelectorAll('.chip')].map(chip => chip.innerText.match(/\\w+ \\d+/)[0]
    + ' ' + chip.querySelector('b').innerText).join()";

async fn chips(chromium: &Chromium) -> String {
    chromium.ask(&format!("return {CHIPS}")).await.as_str().expect("words").to_owned()
}

async fn drop_recording(chromium: &Chromium, name: &str, recorded: &RecordedRace) {
    drop_file(chromium, name, &std::fs::read(&recorded.file).expect("the file")).await;
}

/// An address without the words about its session, which the recording under way does not have yet.
fn without_session(address: &str) -> String {
    let keys = address.split('&').filter(|key| !key.starts_with("session="));
    keys.collect::<Vec<_>>().join("&")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_link_without_its_file_says_which_one_to_drop_and_then_shows_what_it_names() {
    let recorded = recorded("linked-laps");
    let other = RecordedRace::new("linked-other", 40.0);
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    let steps = chromium.ask("return history.length").await;

    // Laps selected automatically are in the address, without a new history entry.
    drop_recording(&chromium, "coach & me.mcap", &recorded).await;
    until(&chromium, APART).await;
    until(&chromium, "location.hash.includes('&reference=')").await;
    let latest = address(&chromium).await;
    let named = format!("#/analyse?recording={}&file=coach%20%26%20me.mcap&session=", recorded.id);
    assert!(latest.starts_with(&named), "{latest}");
    assert_eq!(chromium.ask("return history.length").await, steps);

    // Opened without the file, the page asks for it by name, and the console stays free of errors.
    choose(&chromium, 2, 3).await;
    press(&chromium, "]").await;
    until(&chromium, "location.hash.includes('&from=')").await;
    let (link, shown) = (address(&chromium).await, chips(&chromium).await);
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{link}", program.url)).await.expect("the page");
    let words = chromium.until("#nothing", |text| text.contains("Recording not found")).await;
    for detail in
        ["coach & me.mcap", "· F1 2018 · Mercedes · ", &recorded.id.to_string(), "Open the file", "Retry"]
    {
        assert!(words.contains(detail), "{detail}: {words}");
    }
    assert_eq!(address(&chromium).await, link);
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        chromium.picture(&format!("analyse-missing-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
    chromium.ask("document.querySelector('#nothing [data-testid=seek]').click()").await;
    chromium.until("#nothing", |text| text.contains("Recording not found")).await;

    let field = chromium.client.find(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(&recorded.file.to_string_lossy()).await.expect("a file chosen");
    until(&chromium, &format!("{CHIPS} == '{shown}'")).await;
    let name = recorded.file.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(address(&chromium).await, link.replace("coach%20%26%20me.mcap", &name));

    // Opening another file is reported.
    chromium.client.refresh().await.expect("a reload");
    chromium.until("#nothing", |text| text.contains("Recording not found")).await;
    drop_recording(&chromium, "other.mcap", &other).await;
    let faults = chromium.text("[data-testid=faults]").await;
    assert!(faults.contains("other.mcap is another recording than the one that the link names"), "{faults}");
    until(
        &chromium,
        "!location.hash.includes('recording=') || !document.querySelector('#nothing [data-figure=wanted]')",
    )
    .await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_second_file_takes_the_place_of_no_laps_that_somebody_chose() {
    let one = recorded("chosen-first");
    let options = Options { cars: 1, player: 0, seed: 77, again: false, ..Options::default() };
    let two = RecordedRace::race("chosen-second", 301.0, options);
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    drop_recording(&chromium, "one.mcap", &one).await;
    until(&chromium, APART).await;

    // Without a selection by the driver, the file opened last is shown, in full.
    press(&chromium, "]").await;
    until(&chromium, "location.hash.includes('&corner=')").await;
    drop_recording(&chromium, "two.mcap", &two).await;
    let of = |recorded: &RecordedRace| format!("location.hash.includes('recording={}&')", recorded.id);
    until(&chromium, &of(&two)).await;
    until(&chromium, APART).await;
    let seen = address(&chromium).await;
    for left in ["from=", "corner=", "cursor="] {
        assert!(!seen.contains(left), "{left}: {seen}");
    }

    // With one, the compared laps stay, and the list offers the other file's laps.
    choose(&chromium, 2, 3).await;
    press(&chromium, "]").await;
    let (seen, shown) = (address(&chromium).await, chips(&chromium).await);
    drop_recording(&chromium, "one.mcap", &one).await;
    until(&chromium, "document.querySelector('#lap-list [data-lap]') && !document.querySelector('#lap-list [data-chosen]')")
        .await;
    chromium.settled().await;
    assert_eq!((address(&chromium).await, chips(&chromium).await), (seen, shown));
    chromium.picture("analyse-second-file").await;
    chromium.ask("document.querySelector('#lap-list [data-testid=reference]').click()").await;
    until(&chromium, &format!("location.hash.includes('reference={}:')", one.id)).await;
    assert!(address(&chromium).await.contains("&file=two.mcap,one.mcap&"));
    chromium.check_clean().await;
    chromium.close().await;
}

const TIMED: &str = "[...document.querySelectorAll('#lap-list [data-lap]')].filter(row => row.dataset.time)";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_is_driven_now_has_a_link_that_leads_to_it_from_everywhere() {
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-linked-live-{}", std::process::id())));
    let path = folder.0.to_string_lossy().into_owned();
    let options = [
        "--demo=f1-2018",
        "--demo-seed",
        "3",
        "--demo-speed",
        "8",
        "--demo-from",
        "150",
        "--record-demo",
        "--recordings",
        &path,
    ];
    let program = Program::recording(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");

    // The address follows as new laps are finished.
    until(&chromium, &format!("{TIMED}.length >= 2")).await;
    until(&chromium, "/recording=.*&lap=.*&reference=/.test(location.hash)").await;
    let before = address(&chromium).await;
    until(&chromium, &format!("{TIMED}.length >= 3")).await;
    let lap = |address: &str| {
        address.split("&lap=").nth(1).and_then(|rest| rest.split('&').next()).map(str::to_owned)
    };
    let changed =
        format!("(/&lap=(.*?)&/.exec(location.hash) ?? [])[1] != '{}'", lap(&before).expect("a lap"));
    until(&chromium, &format!("location.hash.includes('&lap=') && {changed}")).await;

    chromium.ask(&format!("{TIMED}[0].querySelector('[data-testid=lap]').click()")).await;
    chromium.ask(&format!("{TIMED}[1].querySelector('[data-testid=reference]').click()")).await;
    press(&chromium, "]").await;
    until(&chromium, "/recording=.*&file=.*&lap=.*&reference=.*&from=/.test(location.hash)").await;
    let (link, shown) = (address(&chromium).await, chips(&chromium).await);

    // The link works in another browser and after a reload.
    let late = Chromium::open(Window::ALL[0]).await;
    late.client.goto(&format!("{}/{link}", program.url)).await.expect("the page");
    until(&late, &format!("{CHIPS} == '{shown}'")).await;
    assert_eq!(without_session(&address(&late).await), without_session(&link));
    chromium.client.refresh().await.expect("a reload");
    until(&chromium, &format!("{CHIPS} == '{shown}'")).await;
    assert_eq!(without_session(&address(&chromium).await), without_session(&link));
    late.picture("analyse-linked-live").await;

    // The recording is not being played, so the link leads to the live page.
    let live = chromium.client.find(Locator::Css("nav a[href^='#/live']")).await.expect("a link");
    live.click().await.expect("a click");
    chromium.until("[data-figure=speed]", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    assert!(chromium.ask("return document.querySelector('[data-figure=transport]')").await.is_null());
    for chromium in [chromium, late] {
        chromium.check_clean().await;
        chromium.close().await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_is_driven_and_not_recorded_is_no_link() {
    let program =
        Program::start(&["--demo=f1-2018", "--demo-seed", "3", "--demo-speed", "8", "--demo-from", "150"]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    until(&chromium, &format!("{TIMED}.length >= 2 && {APART}")).await;
    press(&chromium, "]").await;
    until(&chromium, "location.hash.includes('cursor=')").await;
    let seen = address(&chromium).await;
    assert!(!seen.contains("lap=") && !seen.contains("recording="), "{seen}");
    chromium.check_clean().await;
    chromium.close().await;
}
