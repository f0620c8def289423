//! Laps on screen are shared as one page, which opens from disk with nothing else, or as a small recording.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trailbrake_shared::export::single_file;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{Opening, Recording, SessionSummary, read_whole};
use trailbrake_tests::firefox::Firefox;

use crate::PATIENCE;
use crate::analyse::{choose, recorded};
use crate::analyse_notes::write;
use crate::chromium::{Chromium, Window};
use crate::program::command;
use crate::recorded::{self, Folder};
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// The time between the laps, the laps in the list, and the notes.
const SHOWN: &str = "return [document.querySelector('[data-figure=apart]').textContent,
    [...document.querySelectorAll('#lap-list [data-lap]')].filter(row => row.dataset.time).map(row => row.dataset.lap + ' ' + row.dataset.time),
    [...document.querySelectorAll('#notes li .text')].map(note => note.innerText)]";

/// A folder for downloads.
pub(crate) async fn downloads(chromium: &Chromium, name: &str) -> Folder {
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-{name}-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let behaviour = json!({ "behavior": "allow", "downloadPath": folder.0.to_string_lossy() });
    chromium.devtools("Browser.setDownloadBehavior", behaviour).await;
    folder
}

/// The only finished file in a folder, once it is there.
pub(crate) async fn downloaded(folder: &Path, ending: &str) -> PathBuf {
    let began = Instant::now();
    loop {
        let entries = std::fs::read_dir(folder).expect("the folder").filter_map(Result::ok);
        let found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        if let [path] = found.as_slice()
            && path.to_string_lossy().ends_with(ending)
        {
            return path.clone();
        }
        assert!(began.elapsed() < PATIENCE, "{found:?} instead of one {ending}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The recording inside a page.
fn enclosed(page: &str) -> (Vec<u8>, Recording) {
    let (_, rest) = page.split_once(single_file::RECORDING).expect("a recording");
    let text = rest.split_once('>').and_then(|(_, rest)| rest.split_once("</script>")).expect("an element").0;
    let bytes = single_file::bytes(text).expect("base64");
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, &bytes);
    let recording = opening.finish().expect("a recording");
    (bytes, recording)
}

/// The names of everybody in a recording.
fn names(recording: &Recording) -> Vec<String> {
    let summary: SessionSummary = recording.facts().get().expect("a fact").expect("a session");
    let names = summary.participants.into_iter().map(|participant| participant.name);
    names.filter(|name| !name.is_empty()).collect()
}

pub(crate) async fn save(chromium: &Chromium) {
    until(chromium, "document.querySelectorAll('[data-testid=shared-laps] li').length > 1").await;
    chromium.ask("document.querySelector('[data-testid=save-share]').click()").await;
    // Whatever came out of it is shown in one of two places.
    until(chromium, "[...document.querySelectorAll('[data-testid=shared], [role=dialog] .trouble')].some(words => words.innerText)").await;
    let words = chromium.text("[role=dialog]").await;
    assert!(words.contains("Saved "), "{words}");
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn laps_are_shared_as_a_page_that_opens_from_disk() {
    let recorded = recorded("shared");
    let program = serving(&recorded);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let folder = downloads(&chromium, "shared-page").await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    press(&chromium, "]").await;
    press(&chromium, "m").await;
    write(&chromium, "Brake at the 100 board", "Ann").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;
    let shown = chromium.ask(SHOWN).await;
    let view = address(&chromium).await;

    // Two clicks.
    chromium.ask("document.querySelector('#beside [data-testid=share]').click()").await;
    until(&chromium, "document.querySelectorAll('[data-testid=shared-laps] li').length > 2").await;
    // Each choice has its size before anything is saved.
    chromium.until("[data-testid=share-size]", |words| words.starts_with("About ")).await;
    chromium.until("[data-testid=part-sizes]", |words| words.starts_with("Main lap: ")).await;
    for window in [Window::ALL[0], Window::ALL[1], Window { width: 390, height: 844, theme: "light" }] {
        chromium.look(window).await;
        chromium.picture(&format!("share-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
    let lines = chromium.text("[data-testid=shared-laps]").await;
    assert!(
        lines.contains("Lap 2 · ") && lines.contains("Lap 3 · ") && lines.contains("1 note by Ann"),
        "{lines}"
    );
    save(&chromium).await;
    let file = downloaded(&folder.0, ".html").await;
    chromium.check_clean().await;
    drop(program);

    // The viewer, and a recording of two laps without anybody else.
    let page = std::fs::read_to_string(&file).expect("the page");
    let (clip, recording) = enclosed(&page);
    let viewer = page.len() - single_file_length(&clip);
    assert!(page.len() < viewer + clip.len() * 14 / 10, "{} of {viewer} and {}", page.len(), clip.len());
    let times = |laps: &mut dyn Iterator<Item = u16>| laps.collect::<Vec<_>>();
    assert_eq!(times(&mut recording.laps().laps.iter().map(|row| row.lap.number)), [2, 3]);
    assert_eq!(recording.info().parent, Some(recorded.id));
    let driver = recorded.laps[0].driver.clone().expect("a name");
    assert_eq!(names(&recording), [driver]);
    assert_eq!(notes(recording.facts()).len(), 1);

    // A double click in either browser: the same laps, times, notes and place.
    let url = format!("file://{}", file.display());
    chromium.client.goto(&url).await.expect("the file");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;
    let opened = chromium.ask(SHOWN).await;
    assert_eq!((&opened[0], &opened[2]), (&shown[0], &shown[2]));
    assert_eq!(opened[1].as_array().map(Vec::len), Some(2), "{opened}");
    let moved = |address: &str| address.split_once("cursor=").map(|(_, rest)| rest.to_owned());
    assert_eq!(moved(&address(&chromium).await), moved(&view));
    assert_eq!(chromium.ask("return performance.getEntriesByType('resource').length").await, 0);
    chromium.settled().await;
    chromium.picture("shared-page-1400-dark").await;
    chromium.client.goto(&format!("{url}#/connections")).await.expect("the first page");
    until(&chromium, "document.querySelector('main[data-page=connections]')").await;
    assert_eq!(chromium.ask("return document.querySelector('[data-testid=demo]')").await, Value::Null);
    chromium.check_clean().await;
    chromium.close().await;

    let mut firefox = Firefox::open(1024, 768).await;
    firefox.goto(&url).await;
    firefox.until("document.querySelector('[data-figure=apart]')").await;
    firefox.until("document.querySelectorAll('#notes li').length == 1").await;
    let apart = firefox.ask("document.querySelector('[data-figure=apart]').textContent").await;
    assert_eq!(apart, shown[0]);
    firefox.picture("shared-page-firefox").await;
    firefox.check_clean().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn saving_goes_on_without_the_dialog_and_can_be_cancelled() {
    let recorded = recorded("shared-slowly");
    let program = serving(&recorded);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let folder = downloads(&chromium, "shared-slowly-files").await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    // The relay answers when the test says so.
    const HOLD: &str =
        "const fetched = window.fetch; const held = new Promise(go_on => window.go_on = go_on);
        window.fetch = async (...request) => { await held; return fetched(...request); };";
    chromium.ask("document.querySelector('#beside [data-testid=share]').click()").await;
    until(&chromium, "document.querySelectorAll('[data-testid=shared-laps] li').length > 2").await;
    chromium.ask(HOLD).await;
    chromium.ask("document.querySelector('[data-testid=save-share]').click()").await;
    until(&chromium, "document.querySelector('[data-testid=cancel-share]')").await;
    chromium.ask("document.querySelector('[data-testid=close-dialog]').click()").await;
    until(&chromium, "document.querySelector('[data-testid=sharing] progress')").await;
    chromium.ask("document.querySelector('[data-testid=sharing] [data-testid=cancel-job]').click()").await;
    until(&chromium, "!document.querySelector('[data-figure=job]')").await;
    chromium.ask("window.go_on()").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 0, "a cancelled file");
    chromium.check_clean().await;
    chromium.close().await;
}

/// Names the recording just after the page has opened it to read it, so that the file is longer then.
const NAME_MEANWHILE: &str = "const fetched = window.fetch; let named = false;
    window.fetch = async (...request) => {
        const response = await fetched(...request);
        if (!named && request[1]?.headers?.get?.('range')?.startsWith('bytes=-')) {
            named = true;
            const body = JSON.stringify({ name: 'A name that was given meanwhile' });
            window.answered = (await fetched(`/library/${ID}`, { method: 'PATCH', headers: { 'x-trailbrake': 'page' }, body })).status;
        }
        return response;
    };";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn laps_are_shared_while_somebody_writes_into_the_recording() {
    let recorded = recorded("shared-meanwhile");
    let program = serving(&recorded);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let folder = downloads(&chromium, "shared-meanwhile-files").await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    chromium.ask("document.querySelector('#beside [data-testid=share]').click()").await;
    until(&chromium, "document.querySelectorAll('[data-testid=shared-laps] li').length > 2").await;
    chromium.ask(&NAME_MEANWHILE.replace("${ID}", &id)).await;
    save(&chromium).await;
    assert_eq!(chromium.ask("return window.answered").await, 200);
    let page = std::fs::read_to_string(downloaded(&folder.0, ".html").await).expect("the page");
    let (_, clip) = enclosed(&page);
    let numbers: Vec<u16> = clip.laps().laps.iter().map(|row| row.lap.number).collect();
    assert_eq!(numbers, [2, 3]);
    chromium.check_clean().await;
    chromium.close().await;
}

/// What a clip takes in a page.
fn single_file_length(clip: &[u8]) -> usize {
    clip.len().div_ceil(3) * 4
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_program_exports_laps_as_a_page() {
    let recorded = recorded("exported-page");
    let out = recorded.folder().join("lesson.html");
    let mut export = command("export");
    export.arg(&recorded.file).args(["--format", "html", "--laps", "2", "-o"]).arg(&out);
    assert!(export.status().expect("the program").success());
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.client.goto(&format!("file://{}", out.display())).await.expect("the file");
    until(&chromium, "document.querySelectorAll('#lap-list [data-lap]').length == 1").await;
    until(&chromium, "document.querySelectorAll('#values [data-lane]').length >= 5").await;
    chromium.check_clean().await;

    // From the page itself, laps go on as a recording.
    let folder = downloads(&chromium, "shared-again").await;
    chromium.ask("document.querySelector('#beside [data-testid=share]').click()").await;
    save(&chromium).await;
    let again = downloaded(&folder.0, ".trailbrake.mcap").await;
    let recording = recorded::open(&again, std::fs::metadata(&again).expect("the file").len());
    assert_eq!(recording.laps().laps.len(), 1);
    chromium.check_clean().await;
    chromium.close().await;
}
