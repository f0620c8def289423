//! The library: search, names, tags, the bin, imports; with thousands of recordings and with none.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::{Value, json};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::time::LapTime;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::{Race, shortest};

/// Long enough for two laps.
const SECONDS: f64 = 240.0;
/// A phone.
const SMALL: Window = Window { width: 390, height: 844, theme: "dark" };

/// A folder of recordings that is deleted with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("trailbrake-library-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(format!("{name}.trailbrake.mcap"));
        std::fs::write(&path, bytes).expect("a file");
        path.to_string_lossy().into_owned()
    }

    pub(crate) fn program(&self) -> Program {
        Program::start(&["--recordings", &self.0.to_string_lossy()])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Waits until a script returns the wanted value.
pub(crate) async fn until(chromium: &Chromium, script: &str, wanted: Value) {
    let began = Instant::now();
    loop {
        let now = chromium.ask(script).await;
        if now == wanted {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{script}: {now}, and not {wanted}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until `count` recordings are listed.
pub(crate) async fn listed(chromium: &Chromium, count: usize) {
    until(chromium, "return document.querySelector('#list')?.dataset.count", json!(count.to_string())).await;
}

/// The texts of the rows' cells of a class, from top to bottom.
pub(crate) async fn cells(chromium: &Chromium, class: &str) -> Vec<String> {
    let script =
        format!("return [...document.querySelectorAll('#seen .col-{class}')].map(cell => cell.textContent)");
    serde_json::from_value(chromium.ask(&script).await).expect("texts")
}

/// Clicks an element once it can be clicked.
pub(crate) async fn click(chromium: &Chromium, selector: &str) {
    let began = Instant::now();
    loop {
        let found = chromium.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
        let found = found.unwrap_or_else(|error| panic!("{selector}: {error}"));
        match found.click().await {
            Ok(()) => return,
            // The page replaced the element in between, or something lies over it.
            Err(error) => assert!(began.elapsed() < PATIENCE, "{selector}: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) async fn press(chromium: &Chromium, key: &str) {
    let press = format!(
        "document.querySelector('#list').dispatchEvent(new KeyboardEvent('keydown',
            {{ key: '{key}', ctrlKey: {}, bubbles: true, cancelable: true }}))",
        key == "z"
    );
    chromium.ask(&press).await;
}

/// Fills in a field and commits it.
async fn write(chromium: &Chromium, selector: &str, text: &str) {
    let script =
        "const field = document.querySelector(arguments[0]); field.focus(); field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true })); field.blur();";
    chromium.client.execute(script, vec![json!(selector), json!(text)]).await.expect("a field");
}

pub(crate) async fn pictures(chromium: &Chromium, name: &str) {
    for window in Window::ALL.into_iter().chain([SMALL]) {
        chromium.look(window).await;
        chromium.picture(&format!("library-{name}-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
}

/// A library of four recordings: a race of two laps, a short and later one, a named one, and a broken file.
struct OpenLibrary {
    race: Race,
    program: Program,
    chromium: Chromium,
    /// Removed with the test.
    _folder: Folder,
}

/// Opens the page with the four recordings.
async fn open_library(name: &str) -> OpenLibrary {
    let folder = Folder::new(name);
    let race = Race::drive(0xa, 0, SECONDS);
    assert!(race.laps.len() >= 2, "{:?}", race.laps);
    folder.put("race", &race.bytes);
    folder.put("later", &Race::drive(0xb, 90, 30.0).bytes);
    folder.put("named", &shortest(7, "Spa, wet"));
    folder.put("broken", b"no recording");
    let program = folder.program();
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    listed(&chromium, 4).await;
    OpenLibrary { race, program, chromium, _folder: folder }
}

/// Opens the details of the race. Returns its id.
async fn open_race(chromium: &Chromium) -> String {
    let id = RecordingId(0xa).to_string();
    click(chromium, &format!("[data-testid='row'][data-of='{id}']")).await;
    chromium.until("[data-figure='facts']", |text| text.contains("the tests")).await;
    id
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn recordings_are_listed_searched_and_sorted() {
    let OpenLibrary { race, program, chromium, _folder } = open_library("listed").await;
    // Newest first, each with its laps and best time.
    let best = race.laps.iter().map(|(_, time)| *time).min().expect("a lap");
    let best = LapTime(u32::try_from(best).expect("a time")).to_string();
    assert_eq!(cells(&chromium, "best").await, ["", "", &*best]);
    assert_eq!(cells(&chromium, "laps").await, ["", "", &*race.laps.len().to_string()]);
    assert_eq!(cells(&chromium, "length").await, ["0:29", "0:00", "3:59"]);
    assert!(cells(&chromium, "name").await[1].starts_with("Spa, wet"));
    let broken = chromium.text("#seen .trouble").await;
    assert!(broken.starts_with("broken.trailbrake.mcap") && broken.len() > 40, "{broken}");
    assert_eq!(chromium.text("[data-figure='count']").await, "4 recordings");

    // Every word has to match, and the search is in the address.
    write(&chromium, "#search", &format!("f1 {best}")).await;
    listed(&chromium, 1).await;
    let address = chromium.ask("return location.hash").await;
    assert_eq!(address, json!(format!("#/library?q=f1%20{}", best.replace(':', "%3a"))));
    write(&chromium, "#search", "nowhere").await;
    chromium.until("[data-figure='instead']", |text| text.starts_with("No matches")).await;
    click(&chromium, "[data-testid='clear-search']").await;
    listed(&chromium, 4).await;
    write(&chromium, "#tag", "odd").await;
    listed(&chromium, 1).await;
    chromium.client.goto(&format!("{}/#/library?sort=length", program.url)).await.expect("the page");
    listed(&chromium, 4).await;
    assert_eq!(cells(&chromium, "length").await, ["0:29", "3:59", "0:00"], "what has none comes last");
    click(&chromium, "[data-testid='sort-length']").await;
    until(&chromium, "return document.querySelector('#seen .col-length').textContent", json!("3:59")).await;

    // On a phone a recording whose track has no name is called by its car.
    chromium.look(SMALL).await;
    let first = format!(
        "const row = document.querySelector('[data-testid=row][data-of=\"{}\"]'), car = row.querySelector('.col-car'),
        top = cell => row.querySelector(cell).getBoundingClientRect().top;
        return car.innerText != '' && top('.col-car') < top('.col-date') && Math.abs(top('.col-car') - top('.col-best')) < 4",
        RecordingId(0xa)
    );
    until(&chromium, &first, json!(true)).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_recording_shows_its_laps_and_takes_a_name_and_tags() {
    let OpenLibrary { race, chromium, program: _program, _folder } = open_library("details").await;
    // The race's details list the laps that were driven.
    let id = open_race(&chromium).await;
    let shown = "return [...document.querySelectorAll('#laps tbody tr')].map(row => [row.dataset.lap, row.querySelector('th').textContent])";
    let mut expected: Vec<(String, String)> = Vec::new();
    for (number, time) in &race.laps {
        expected.push((number.to_string(), LapTime(u32::try_from(*time).expect("a time")).to_string()));
    }
    expected.push(((race.laps.len() + 1).to_string(), "running".to_owned()));
    until(&chromium, shown, json!(expected)).await;
    // Beside the details, driver and size are still in the list.
    let beside = "return ['driver', 'size'].map(name => document.querySelector(`.names .col-${name}`).checkVisibility())";
    assert_eq!(chromium.ask(beside).await, json!([true, true]));
    let others = chromium.ask("return document.querySelectorAll('[data-testid=seat] option').length").await;
    assert_eq!(others, json!(6));
    let play =
        chromium.ask("return document.querySelector('[data-testid=play-recording]').getAttribute('href')");
    assert_eq!(play.await, json!(format!("#/live?recording={id}")));
    let file = "return fetch(document.querySelector('[data-testid=download]').href).then(answer => answer.blob()).then(blob => blob.size)";
    assert_eq!(chromium.ask(file).await, json!(race.bytes.len()));

    // The row and the relay have the name and the tag.
    write(&chromium, "#title", "Evening race").await;
    write(&chromium, "[data-testid='add-tag']", "practice").await;
    let name = format!(
        "return document.querySelector(\"[data-testid='row'][data-of='{id}'] .col-name\").textContent"
    );
    until(&chromium, &name, json!("Evening racepractice")).await;
    let expected = format!(
        "return fetch('/library/{id}').then(answer => answer.json()).then(details => [details.entry.name, details.entry.tags])"
    );
    assert_eq!(chromium.ask(&expected).await, json!(["Evening race", ["practice"]]));
    pictures(&chromium, "details").await;
    click(&chromium, "[data-testid='remove-tag']").await;
    until(&chromium, &expected, json!(["Evening race", []])).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn notes_of_a_lap_are_written_and_deleted() {
    let OpenLibrary { chromium, program: _program, _folder, .. } = open_library("notes").await;
    open_race(&chromium).await;
    // A note about the second lap, and another note of the same author about the same moment.
    let about = "return [...document.querySelectorAll('#note-about option')]
        .find(option => option.textContent === 'Lap 2').value";
    let about: String = serde_json::from_value(chromium.ask(about).await).expect("a choice");
    for text in ["Brakes too early", "Better exit"] {
        write(&chromium, "#note-author", "Ann").await;
        write(&chromium, "#note-text", text).await;
        write(&chromium, "#note-about", &about).await;
        click(&chromium, "[data-testid='add-note']").await;
        chromium.until("[data-figure='notes']", |shown| shown.contains(text)).await;
        let left = chromium.ask("return document.querySelector('#note-text').value").await;
        assert_eq!(left, json!(""), "the field is ready for the next");
    }
    let notes = "return [...document.querySelectorAll('#notes li')].map(note => [...note.querySelectorAll('p')].map(part => part.firstChild.textContent))";
    until(&chromium, notes, json!([["Brakes too early", "Ann · lap 2"], ["Better exit", "Ann · lap 2"]]))
        .await;
    pictures(&chromium, "notes").await;
    click(&chromium, "[data-testid='delete-note']").await;
    until(&chromium, notes, json!([["Better exit", "Ann · lap 2"]])).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_lap_becomes_a_recording_of_its_own() {
    let OpenLibrary { race, chromium, program: _program, _folder } = open_library("taken").await;
    let id = open_race(&chromium).await;
    // One lap becomes a recording of its own, without other drivers.
    click(&chromium, "#laps tbody tr:nth-child(2) input").await;
    let taking = chromium.until("[data-figure='export']", |text| text.contains("1 lap selected")).await;
    assert!(taking.contains("are removed"), "{taking}");
    let chosen = "return document.querySelector('[data-figure=export] input:checked').value";
    assert_eq!(chromium.ask(chosen).await, json!("left-out"), "other cars are removed by default");
    chromium.picture("library-taking").await;
    click(&chromium, "[data-testid='export']").await;
    listed(&chromium, 5).await;
    chromium.until("[data-figure='facts']", |text| text.contains("other drivers left out")).await;
    let laps = "return [...document.querySelectorAll('#laps tbody tr')].map(row => row.dataset.lap)";
    until(&chromium, laps, json!([race.laps[1].0.to_string()])).await;
    // It hangs below its recording, and says so.
    let below = "const clip = document.querySelector('#seen .clip');
        return [clip.previousElementSibling.dataset.of, clip.querySelector('.badge').textContent,
            clip.querySelector('.col-date').title.startsWith('Clip of ')]";
    assert_eq!(chromium.ask(below).await, json!([id, "clip", true]));
    chromium.picture("library-clip").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn recordings_are_thrown_away_and_brought_back() {
    let OpenLibrary { chromium, program: _program, _folder, .. } = open_library("bin").await;
    let later = RecordingId(0xb).to_string();
    click(&chromium, &format!("[data-testid='row'][data-of='{later}']")).await;
    // The browser prints every refused request: its details are there before it is deleted.
    chromium.until("[data-figure='facts']", |text| text.contains("the tests")).await;
    press(&chromium, "Delete").await;
    listed(&chromium, 3).await;

    // Deleted and restored at once, with its name.
    let id = open_race(&chromium).await;
    write(&chromium, "#title", "Evening race").await;
    let name = format!(
        "return document.querySelector(\"[data-testid='row'][data-of='{id}'] .col-name\").textContent"
    );
    until(&chromium, &name, json!("Evening race")).await;
    press(&chromium, "Delete").await;
    chromium.until("[data-figure='toast']", |text| text.starts_with("Evening race: moved to bin.")).await;
    listed(&chromium, 2).await;
    press(&chromium, "z").await;
    listed(&chromium, 3).await;
    chromium.until("[data-figure='toast']", |text| text.contains("back")).await;

    // Restored from the bin.
    open_race(&chromium).await;
    click(&chromium, "[data-testid='delete']").await;
    listed(&chromium, 2).await;
    click(&chromium, "[data-testid='bin']").await;
    listed(&chromium, 2).await;
    click(&chromium, &format!("[data-testid='row'][data-of='{id}']")).await;
    pictures(&chromium, "bin").await;
    click(&chromium, "[data-testid='restore']").await;
    listed(&chromium, 1).await;
    click(&chromium, "[data-testid='leave-bin']").await;
    listed(&chromium, 3).await;

    // Removing from the bin is final, so the page asks first.
    press(&chromium, "Home").await;
    press(&chromium, "Delete").await;
    listed(&chromium, 2).await;
    click(&chromium, "[data-testid='bin']").await;
    listed(&chromium, 2).await;
    click(&chromium, "[data-testid='empty-bin']").await;
    chromium.until("[data-figure='sure']", |text| text == "Remove 2 recordings for good?").await;
    click(&chromium, "[data-testid='empty-bin-for-good']").await;
    chromium.until("[data-figure='instead']", |text| text.starts_with("The bin is empty")).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn without_its_relay_the_last_list_stays_and_the_page_says_so() {
    let OpenLibrary { program, chromium, _folder, .. } = open_library("gone").await;
    drop(program);
    chromium.ask("window.dispatchEvent(new Event('focus'))").await;
    let trouble = chromium.until("[data-figure='library-trouble']", |text| !text.is_empty()).await;
    assert!(trouble.starts_with("The relay does not answer."), "{trouble}");
    assert_eq!(cells(&chromium, "date").await.len(), 3);
    chromium.picture("library-gone").await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_is_being_recorded_stands_on_top() {
    let folder = Folder::new("underway");
    // By the driver's clock, this one began later than the recording under way.
    folder.put("newest", &shortest(10_000_000, "From the future"));
    let options =
        ["--recordings", &folder.0.to_string_lossy(), "--demo=f1-2018", "--record-demo", "--demo-speed", "4"];
    let program = Program::recording(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    // The recording under way appears automatically and grows.
    listed(&chromium, 2).await;
    until(
        &chromium,
        "return document.querySelector('#seen .row').classList.contains('underway')",
        json!(true),
    )
    .await;
    click(&chromium, "#seen .underway").await;
    chromium.until("[data-figure='facts']", |text| text.contains("Recorded by")).await;
    let length = cells(&chromium, "length").await[0].clone();
    let grown =
        format!("return document.querySelector('#seen .underway .col-length').textContent !== '{length}'");
    until(&chromium, &grown, json!(true)).await;
    write(&chromium, "#title", "This very race").await;
    until(&chromium, "return document.querySelector('#seen .col-name').textContent", json!("This very race"))
        .await;
    chromium.until("#actions", |text| text.contains("being recorded")).await;
    chromium.picture("library-underway").await;
    chromium.check_clean().await;
    // It can't be deleted, and the relay says why.
    press(&chromium, "Delete").await;
    let why = chromium.until("[data-figure='toast']", |text| !text.is_empty()).await;
    assert!(why.contains("once it has ended"), "{why}");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn an_empty_library_says_when_nothing_is_recorded() {
    let folder = Folder::new("off");
    let program = folder.program();
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    chromium.until("[data-figure='instead']", |text| text.contains("Recording is off")).await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn files_are_imported_or_the_page_gives_the_reason() {
    let (folder, elsewhere) = (Folder::new("into"), Folder::new("from"));
    let program = Program::recording(&["--recordings", &folder.0.to_string_lossy()]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    let hint =
        chromium.until("[data-figure='instead']", |text| text.starts_with("Nothing recorded yet")).await;
    assert!(hint.contains(&*folder.0.to_string_lossy()), "{hint}");
    pictures(&chromium, "empty").await;
    let race = elsewhere.put("race", &Race::drive(0xc, 0, 30.0).bytes);
    let other = elsewhere.put("holiday", &[0xff; 4000]);
    let door = chromium.client.find(Locator::Css("[data-testid='import']")).await.expect("a door");
    door.send_keys(&format!("{race}\n{other}")).await.expect("files chosen");
    listed(&chromium, 1).await;
    assert_eq!(cells(&chromium, "length").await, ["0:29"]);
    let why = chromium.until("[data-figure='job']", |text| text.contains("ismiss")).await;
    assert!(why.starts_with("holiday.trailbrake.mcap"), "{why}");
    assert!(why.len() > 60, "it says why: {why}");
    chromium.picture("library-refused").await;
    click(&chromium, "[data-testid='cancel-job']").await;
    until(&chromium, "return document.querySelectorAll('[data-figure=job]').length", json!(0)).await;
    // On this page a dropped file is imported, not opened.
    let drop = "const dropped = new DataTransfer();
        dropped.items.add(new File([new Uint8Array(arguments[1])], arguments[0]));
        const on = document.querySelector('main');
        on.dispatchEvent(new DragEvent('dragover', { dataTransfer: dropped, bubbles: true, cancelable: true }));
        on.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));";
    let arguments = vec![json!("dropped.mcap"), json!(shortest(9, "Dropped"))];
    chromium.client.execute(drop, arguments).await.expect("a drop");
    listed(&chromium, 2).await;
    chromium.until("[data-figure='toast']", |text| text == "Dropped imported.").await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn thousands_are_listed_with_a_few_rows_in_the_document() {
    const MANY: u128 = 5000;
    let folder = Folder::new("many");
    for id in 1..=MANY {
        folder.put(&format!("short-{id:04}"), &shortest(id, &format!("Stint {id:04}")));
    }
    let program = folder.program();
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    listed(&chromium, 5000).await;
    let rows = "return document.querySelectorAll('#seen .row').length";
    let few = |rows: &Value| rows.as_u64().is_some_and(|rows| (20..80).contains(&rows));
    let at_first = chromium.ask(rows).await;
    assert!(few(&at_first), "{at_first} rows");
    assert_eq!(cells(&chromium, "name").await[0], "Stint 5000even", "the newest first");

    // To the end, by keyboard and by scrolling: the visible rows are in the document.
    press(&chromium, "End").await;
    let seen = "const list = document.querySelector('#list').getBoundingClientRect();
        return [...document.querySelectorAll('#seen .row')].filter(row => {
            const place = row.getBoundingClientRect(); return place.top >= list.top && place.bottom <= list.bottom;
        }).map(row => row.querySelector('.col-name').textContent).at(-1)";
    until(&chromium, seen, json!("Stint 0001odd")).await;
    let at_end = chromium.ask(rows).await;
    assert!(few(&at_end), "{at_end} rows");
    chromium.ask("document.querySelector('#list').scrollTop = 2500 * 34").await;
    let middle = "const list = document.querySelector('#list').getBoundingClientRect();
        return document.elementFromPoint(list.left + 40, list.top + 300).closest('.row')?.querySelector('.col-name').textContent.slice(0, 8)";
    until(&chromium, middle, json!("Stint 24")).await;

    // A link goes to its row, wherever that is in the list.
    let far = RecordingId(123).to_string();
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/#/library?open={far}", program.url)).await.expect("the page");
    chromium.until("#details", |text| text.contains("short-0123")).await;
    let in_view = format!(
        "const row = document.querySelector('[data-testid=\"row\"][data-of=\"{far}\"]')?.getBoundingClientRect();
        return !!row && row.top > 0 && row.bottom <= innerHeight"
    );
    until(&chromium, &in_view, json!(true)).await;
    press(&chromium, "Escape").await;

    write(&chromium, "#search", "stint 4711 odd").await;
    listed(&chromium, 1).await;
    assert_eq!(cells(&chromium, "name").await, ["Stint 4711odd"]);
    assert_eq!(chromium.text("[data-figure='count']").await, "1 of 5\u{202f}000 recordings");
    // Escape clears the field and the search.
    let field = chromium.client.find(Locator::Css("#search")).await.expect("the field");
    field.send_keys("\u{e00c}").await.expect("a key");
    listed(&chromium, 5000).await;
    assert_eq!(
        chromium.ask("return [document.querySelector('#search').value, location.hash.includes('q=')]").await,
        json!(["", false])
    );
    pictures(&chromium, "many").await;
    let quick = "const began = performance.now(); const field = document.querySelector('#search');
        field.value = 'stint 471'; field.dispatchEvent(new Event('input', { bubbles: true }));
        return performance.now() - began";
    println!("a search through 5000 takes {} ms", chromium.ask(quick).await);
    listed(&chromium, (1..=MANY).filter(|id| format!("{id:04}").contains("471")).count()).await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// Serves only the page's files, as any static host does. Returns the address.
fn host_of_files() -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
    assert!(folder.join("index.html").exists(), "the page has not been built");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = [0; 4096];
            let length = stream.read(&mut asked).unwrap_or_default();
            let asked = String::from_utf8_lossy(&asked[..length]).into_owned();
            let path = asked.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
            let path = if path.is_empty() { "index.html".to_owned() } else { path };
            let kind = match path.rsplit('.').next() {
                Some("html") => "text/html",
                Some("js") => "text/javascript",
                Some("css") => "text/css",
                Some("wasm") => "application/wasm",
                _ => "image/svg+xml",
            };
            let (status, body) = match std::fs::read(folder.join(&path)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", b"<html><body>no such page</body></html>".to_vec()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    format!("http://{address}")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn without_a_relay_the_page_says_so_and_opens_files() {
    let address = host_of_files();
    let chromium = Chromium::open(Window::ALL[1]).await;
    chromium.client.goto(&format!("{address}/#/library")).await.expect("the page");
    let hint =
        chromium.until("[data-figure='instead']", |text| text.starts_with("There is no library here")).await;
    assert!(hint.contains("No Trailbrake answers at this address"), "{hint}");
    chromium.picture("library-nowhere").await;
    let folder = Folder::new("alone");
    let race = folder.put("race", &Race::drive(0xd, 0, 30.0).bytes);
    let door = chromium.client.find(Locator::Css("[data-testid='open']")).await.expect("a door");
    door.send_keys(&race).await.expect("a file chosen");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.close().await;
}
