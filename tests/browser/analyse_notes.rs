//! Notes on laps: written at the cursor, saved in the recording, and found again by track position.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{LapRow, Note};

use crate::analyse::{choose, cursor, part, recorded, touch};
use crate::analyse_keyboard::strike;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::{self, Folder, RecordedRace};
use crate::recording_links::{address, serving, until};
use crate::replay::{drop_file, press};

/// What the list shows of each note: text, author and place, and the colour of its lap.
const LISTED: &str = "return [...document.querySelectorAll('#notes li')].map(note =>
    [note.querySelector('.text').innerText, note.querySelector('.about').innerText, note.querySelector('.ink').className])";

async fn listed(chromium: &Chromium) -> Vec<(String, String, String)> {
    serde_json::from_value(chromium.ask(LISTED).await).expect("notes")
}

/// Types into the editor's fields and presses Enter.
pub(crate) async fn write(chromium: &Chromium, text: &str, author: &str) {
    until(chromium, "document.activeElement?.dataset.testid == 'note-text'").await;
    let fill = format!(
        "document.querySelector('[data-testid=note-text]').value = '{text}'; document.querySelector('[data-testid=note-author]').value = '{author}'"
    );
    chromium.ask(&fill).await;
    const ENTER: &str =
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))";
    chromium.ask(ENTER).await;
}

/// The notes of a recording, from the relay.
async fn at_relay(chromium: &Chromium, id: &str) -> Vec<Note> {
    let ask = format!(
        "const asked = new XMLHttpRequest(); asked.open('GET', '/library/{id}', false); asked.send();
        return Object.entries(JSON.parse(asked.responseText).facts).filter(([name]) => name.startsWith('note/')).map(([, note]) => note)"
    );
    serde_json::from_value(chromium.ask(&ask).await).expect("notes")
}

fn row(recorded: &RecordedRace, number: u16) -> &LapRow {
    recorded.laps.iter().find(|row| row.lap.number == number).expect("the lap")
}

/// The main lap's time at the cursor, seconds.
async fn clock_s(chromium: &Chromium) -> f64 {
    press(chromium, "x").await;
    until(chromium, "location.hash.includes('axis=time')").await;
    let address = address(chromium).await;
    let (_, rest) = address.split_once("&cursor=").expect("a cursor");
    let clock_s = rest.split('&').next().expect("a number").parse().expect("a number");
    press(chromium, "x").await;
    clock_s
}

/// Counts the pixels of a token's colour in the strip above the lanes, within a few CSS pixels of a fraction of the
/// axis.
async fn flagged(chromium: &Chromium, token: &str, share: f64) -> u64 {
    let count = format!(
        "const host = document.querySelector('#lanes'), sheet = host.querySelector('canvas');
        const copy = Object.assign(document.createElement('canvas'), {{ width: sheet.width, height: sheet.height }});
        const pen = copy.getContext('2d', {{ willReadFrequently: true }}); pen.drawImage(sheet, 0, 0);
        const probe = document.createElement('i'); probe.style.color = getComputedStyle(document.documentElement).getPropertyValue('{token}');
        document.body.append(probe);
        const [r, g, b] = getComputedStyle(probe).color.match(/\\d+/g).map(Number); probe.remove();
        const width = host.clientWidth, at = 118 + {share} * (width - 118 - 14);
        const data = pen.getImageData(Math.round(at) - 1, 0, 14, 22).data; let found = 0;
        for (let i = 0; i < data.length; i += 4) found += data[i] == r && data[i + 1] == g && data[i + 2] == b;
        return found"
    );
    chromium.ask(&count).await.as_u64().expect("a number")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_note_is_pinned_to_its_place_and_its_moment_inside_the_recording() {
    let recorded = recorded("noted");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;
    press(&chromium, "Home").await;
    for _ in 0..5 {
        press(&chromium, "]").await;
    }
    let (at_m, at_s) = (cursor(&chromium).await, clock_s(&chromium).await);

    // Escape discards a note. A note needs a text and an author.
    press(&chromium, "m").await;
    until(&chromium, "document.querySelector('[data-testid=note-text]')").await;
    let about = chromium.text("[data-figure=note-place]").await;
    assert!(about.starts_with("Lap 2 · T5 · "), "{about}");
    strike(&chromium, "escape").await;
    until(&chromium, "!document.querySelector('[role=dialog]')").await;
    press(&chromium, "m").await;
    write(&chromium, "", "").await;
    chromium.until("[data-testid=note-trouble]", |text| text == "Write a note.").await;
    write(&chromium, "Brakes far too early", "").await;
    chromium.until("[data-testid=note-trouble]", |text| text == "Add your name first.").await;
    assert!(at_relay(&chromium, &id).await.is_empty());
    chromium.picture("analyse-note-editor").await;
    const AUTHOR: &str = "document.querySelector('[data-testid=note-author]').value = 'Ann'; document.querySelector('[data-testid=note-text]').focus()";
    chromium.ask(AUTHOR).await;
    write(&chromium, "Brakes far too early", "Ann").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;

    // The recording keeps it with the packets' time and its track position.
    let kept = at_relay(&chromium, &id).await;
    let [note] = kept.as_slice() else { panic!("{kept:?}") };
    let own = row(&recorded, 2);
    assert_eq!(
        (note.text.as_str(), note.author.as_str(), note.car),
        ("Brakes far too early", "Ann", Some(own.car))
    );
    assert!(
        (note.at.seconds_since(own.from) - at_s).abs() < 2e-3,
        "{} and {at_s}",
        note.at.seconds_since(own.from)
    );
    let distance_m = f64::from(note.distance_m.expect("a place"));
    assert!((distance_m - at_m).abs() < 0.06, "{distance_m} and {at_m}");
    let (text, about, ink) = listed(&chromium).await.remove(0);
    assert_eq!((text.as_str(), ink.as_str()), ("Brakes far too early", "ink main"));
    assert!(about.starts_with("Ann · Lap 2 · T5 · "), "{about}");

    // The lanes show a flag in the colour of the note's lap, also when that lap is the reference.
    press(&chromium, "0").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(flagged(&chromium, "--main", at_m / whole).await > 20);
    assert_eq!(flagged(&chromium, "--main", at_m / whole / 2.0).await, 0);
    choose(&chromium, 3, 2).await;
    until(&chromium, "document.querySelector('#notes .ink.reference')").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(flagged(&chromium, "--reference", at_m / whole).await > 20);

    // Another note at the same place is separate. Clicking either goes there.
    choose(&chromium, 2, 3).await;
    press(&chromium, "Home").await;
    chromium.ask("document.querySelector('#notes [data-testid=go-to-note]').click()").await;
    until(&chromium, "location.hash.includes('from=')").await;
    assert!((cursor(&chromium).await - at_m).abs() < 0.2);
    let (from, to) = part(&chromium).await.expect("a part");
    assert!(from < at_m && at_m < to && to - from < 400.0, "{from} {at_m} {to}");
    press(&chromium, "m").await;
    write(&chromium, "Look at the 100 m board", "Ann").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 2").await;
    assert_eq!(at_relay(&chromium, &id).await.len(), 2);

    // If its lap is not on screen, clicking the note shows that lap.
    chromium.ask("document.querySelector(\"[data-lap='3'] [data-testid=lap]\").click()").await;
    chromium.ask("document.querySelector(\"[data-lap='1'] [data-testid=reference]\").click()").await;
    until(&chromium, "document.querySelectorAll('#lap-list [data-chosen]').length == 2").await;
    press(&chromium, "Home").await;
    chromium.ask("document.querySelector('#notes [data-testid=go-to-note]').click()").await;
    until(&chromium, "document.querySelector('#lap-list tr.main').dataset.lap == '2'").await;
    until(&chromium, "document.querySelector('#foot [data-figure=corner]').innerText.startsWith('T5')").await;

    // Deleting a note can be undone.
    chromium.ask("document.querySelector('#notes [data-testid=delete-note]').click()").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;
    assert_eq!(at_relay(&chromium, &id).await.len(), 1);
    chromium.ask("document.querySelector('#notes [data-testid=restore-note]').click()").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 2").await;
    let back = at_relay(&chromium, &id).await;
    assert!(back.iter().any(|other| other == note), "{back:?}");

    // A reload shows the saved notes.
    chromium.client.refresh().await.expect("a reload");
    until(&chromium, "document.querySelectorAll('#notes li').length == 2").await;
    for window in Window::ALL {
        chromium.look(window).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        chromium.picture(&format!("analyse-notes-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window { width: 390, height: 844, theme: "dark" }).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    chromium.picture("analyse-notes-390").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn notes_on_a_file_without_a_relay_are_saved_as_a_copy_of_it() {
    let recorded = recorded("noted-file");
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-saved-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let path = folder.0.to_string_lossy().into_owned();
    chromium
        .devtools("Browser.setDownloadBehavior", json!({ "behavior": "allow", "downloadPath": path }))
        .await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    let bytes = std::fs::read(&recorded.file).expect("the file");
    drop_file(&chromium, "coach.trailbrake.mcap", &bytes).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    let kept = chromium.text("[data-figure=notes-kept]").await;
    assert!(kept.contains("kept in this browser until you save a copy"), "{kept}");
    assert!(!kept.contains("Save a copy"), "there is nothing to save: {kept}");
    choose(&chromium, 2, 3).await;
    press(&chromium, "]").await;
    let at_m = cursor(&chromium).await;
    press(&chromium, "m").await;
    write(&chromium, "Trail it in", "Bob").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;

    // Unsaved notes survive a reload, and the browser asks before the page is left.
    const ASKS: &str = "const leaving = new Event('beforeunload', { cancelable: true });
        window.dispatchEvent(leaving); return leaving.defaultPrevented";
    assert_eq!(chromium.ask(ASKS).await, json!(true));
    chromium.client.refresh().await.expect("the page");
    chromium.until("#nothing", |text| text.contains("If it was a file that you opened, open it again")).await;
    drop_file(&chromium, "coach.trailbrake.mcap", &bytes).await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;
    assert_eq!(listed(&chromium).await[0].0, "Trail it in");
    assert_eq!(chromium.ask(ASKS).await, json!(true));
    chromium.ask("document.querySelector('[data-testid=save-notes]').click()").await;

    let copy = folder.0.join("coach.trailbrake.mcap");
    let began = Instant::now();
    while std::fs::metadata(&copy).map_or(0, |file| file.len()) < bytes.len() as u64 {
        assert!(began.elapsed() < Duration::from_secs(30), "no file came to {}", copy.display());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let saved = std::fs::read(&copy).expect("the copy");
    let recording = recorded::open(&copy, saved.len() as u64);
    let found = notes(recording.facts());
    let [note] = found.as_slice() else { panic!("{found:?}") };
    let own = row(&recorded, 2);
    assert_eq!((note.text.as_str(), note.author.as_str(), note.car), ("Trail it in", "Bob", Some(own.car)));
    assert!((f64::from(note.distance_m.expect("a place")) - at_m).abs() < 0.06, "{note:?}");
    assert!(own.from <= note.at && note.at < own.to, "{note:?}");
    // The packets are unchanged.
    assert_eq!((recording.info().id, recording.blocks()), (recorded.id, recorded.blocks));
    assert_eq!(chromium.ask(ASKS).await, json!(false), "everything is saved");
    // Browsers ask nobody, and log a message, if nobody has interacted with the page.
    chromium.check_clean_but(&["beforeunload"]).await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_finger_that_rests_on_the_lanes_drops_a_note_and_one_that_moves_does_not() {
    let recorded = recorded("noted-touched");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium
        .devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true, "maxTouchPoints": 5 }))
        .await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;

    touch(&chromium, "touchStart", &[0.25]).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    touch(&chromium, "touchMove", &[0.3]).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    touch(&chromium, "touchEnd", &[]).await;
    touch(&chromium, "touchStart", &[0.4]).await;
    touch(&chromium, "touchEnd", &[]).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    assert!(chromium.ask("return document.querySelector('[role=dialog]')").await.is_null());

    touch(&chromium, "touchStart", &[0.5]).await;
    until(&chromium, "document.querySelector('[data-testid=note-text]')").await;
    touch(&chromium, "touchEnd", &[]).await;
    assert!((cursor(&chromium).await / whole - 0.5).abs() < 0.01);
    const SMALL: &str = "return [...document.querySelectorAll('[role=dialog] button')].map(button => button.getBoundingClientRect())
        .filter(box => box.width < 44 || box.height < 44).length";
    assert_eq!(chromium.ask(SMALL).await, 0);
    chromium.picture("analyse-note-touched").await;
    const FILL: &str = "document.querySelector('[data-testid=note-text]').value = 'Here'; document.querySelector('[data-testid=note-author]').value = 'Ann';
        document.querySelector('[data-testid=save-note]').click()";
    chromium.ask(FILL).await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;
    let kept = at_relay(&chromium, &id).await;
    let [note] = kept.as_slice() else { panic!("{kept:?}") };
    assert!((f64::from(note.distance_m.expect("a place")) / whole - 0.5).abs() < 0.01, "{note:?}");
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_is_driven_now_is_noted_in_the_recording_under_way() {
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-noted-live-{}", std::process::id())));
    let path = folder.0.to_string_lossy().into_owned();
    let options = ["--demo", "--demo-seed", "3", "--demo-speed", "8", "--record-demo", "--recordings", &path];
    let program = Program::recording(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    const TIMED: &str =
        "[...document.querySelectorAll('#lap-list [data-lap]')].filter(row => row.dataset.time)";
    until(&chromium, &format!("{TIMED}.length >= 2")).await;
    // Two fixed laps, whatever is driven meanwhile.
    chromium.ask(&format!("{TIMED}[0].querySelector('[data-testid=lap]').click()")).await;
    chromium.ask(&format!("{TIMED}[1].querySelector('[data-testid=reference]').click()")).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    press(&chromium, "Home").await;
    press(&chromium, "]").await;
    let at_s = clock_s(&chromium).await;
    let (at_m, main) =
        (cursor(&chromium).await, "return Number(document.querySelector('#lap-list tr.main').dataset.lap)");
    let main = chromium.ask(main).await.as_u64().expect("a lap");
    press(&chromium, "m").await;
    write(&chromium, "Live", "Ann").await;
    until(&chromium, "document.querySelectorAll('#notes li').length == 1").await;
    let (_, about, ink) = listed(&chromium).await.remove(0);
    assert!(about.starts_with(&format!("Ann · Lap {main} · ")) && ink == "ink main", "{about} {ink}");

    const UNDERWAY: &str = "const asked = new XMLHttpRequest(); asked.open('GET', '/library', false); asked.send();
        const id = JSON.parse(asked.responseText).recordings.find(one => one.underway).id;
        asked.open('GET', `/library/${id}`, false); asked.send(); return JSON.parse(asked.responseText).facts";
    let facts = chromium.ask(UNDERWAY).await;
    let notes = facts.as_object().expect("facts").iter().filter(|(name, _)| name.starts_with("note/"));
    let notes: Vec<&Value> = notes.map(|(_, note)| note).collect();
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    let rows = facts["laps"]["laps"].as_array().expect("laps").iter();
    let row =
        rows.clone().find(|row| row["car"] == note["car"] && row["lap"]["number"].as_u64() == Some(main));
    let row = row.expect("the lap");
    let micros = |value: &Value| value.as_u64().expect("a moment") as f64 / 1e6;
    assert!((micros(&note["at"]) - micros(&row["from"]) - at_s).abs() < 0.02, "{note} {row} {at_s}");
    assert!((note["distance_m"].as_f64().expect("a place") - at_m).abs() < 0.06, "{note}");
    chromium.check_clean().await;
    chromium.close().await;
}
