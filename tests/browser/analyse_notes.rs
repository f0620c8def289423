//! Notes on laps: written at the cursor, saved in the recording, and found again by track position.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{Authored, LapRow, Note, NoteColour};

use crate::PATIENCE;
use crate::analyse::{choose, cursor, part, recorded, touch, touches};
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

/// Writes a note at the cursor and waits until so many are listed.
async fn pin(chromium: &Chromium, text: &str, count: usize) {
    press(chromium, "m").await;
    write(chromium, text, "Ann").await;
    until(chromium, &format!("document.querySelectorAll('#notes li').length == {count}")).await;
}

/// Waits until the texts of the notes stand in this order.
async fn listed_as(chromium: &Chromium, texts: &[&str]) {
    const TEXTS: &str =
        "[...document.querySelectorAll('#notes li .text')].map(text => text.innerText).join('|')";
    until(chromium, &format!("{TEXTS} == '{}'", texts.join("|"))).await;
}

/// Waits until this note is the current one, which the heading counts.
async fn is_current(chromium: &Chromium, text: &str, number: &str) {
    const CURRENT: &str = "[...document.querySelectorAll('#notes li[aria-current=true] .text')].map(text => text.innerText).join('|')";
    until(chromium, &format!("{CURRENT} == '{text}'")).await;
    assert_eq!(chromium.text("#notes [data-figure=note-number]").await, number);
}

/// A copy of a recording with a note of each of these people, five seconds into lap 2.
fn copy_with(recorded: &RecordedRace, people: &[(&str, &str)]) -> Vec<u8> {
    recorded::with_facts(&recorded.file, |facts| {
        for (author, text) in people {
            let at = row(recorded, 2).from.plus_seconds(5.0);
            let note =
                json!({ "recording": recorded.id, "at": at, "author": author, "text": text, "written": at });
            let note: Note = serde_json::from_value(note).expect("a note");
            facts.store(&note.name(), note.stored(at));
        }
    })
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
        const width = host.clientWidth, left = width < 480 ? 118 : 158, at = left + {share} * (width - left - 14);
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

    // The lanes show a flag in the note's colour, also when its lap is the reference.
    press(&chromium, "0").await;
    chromium.settled().await;
    assert!(flagged(&chromium, "--note-amber", at_m / whole).await > 20);
    assert_eq!(flagged(&chromium, "--note-amber", at_m / whole / 2.0).await, 0);
    choose(&chromium, 3, 2).await;
    until(&chromium, "document.querySelector('#notes .ink.reference')").await;
    chromium.settled().await;
    assert!(flagged(&chromium, "--note-amber", at_m / whole).await > 20);

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
    let content = |note: &Note| Note { written: None, ..note.clone() };
    assert!(back.iter().any(|other| content(other) == content(note)), "{back:?}");

    // A reload shows the saved notes.
    chromium.client.refresh().await.expect("a reload");
    until(&chromium, "document.querySelectorAll('#notes li').length == 2").await;
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("analyse-notes-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window { width: 390, height: 844, theme: "dark" }).await;
    chromium.picture("analyse-notes-390").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn notes_are_a_lesson_plan_with_colours_and_an_order() {
    let recorded = recorded("noted-plan");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;

    // Until they are moved, notes stand in the order of their places, whenever they were written.
    let mut places_m = Vec::new();
    for (count, (text, corners)) in [("late", 5), ("early", 1), ("middle", 3)].into_iter().enumerate() {
        press(&chromium, "Home").await;
        for _ in 0..corners {
            press(&chromium, "]").await;
        }
        places_m.push((text, cursor(&chromium).await));
        pin(&chromium, text, count + 1).await;
    }
    let place_m = |text: &str| places_m.iter().find(|(other, _)| *other == text).expect("a note").1;
    listed_as(&chromium, &["early", "middle", "late"]).await;
    assert_eq!(chromium.text("#notes [data-figure=note-number]").await, "3");

    // Editing keeps moment and author.
    let find =
        |kept: Vec<Note>, text: &str| kept.into_iter().find(|note| note.text == text).expect("the note");
    let before = find(at_relay(&chromium, &id).await, "early");
    chromium.ask("document.querySelector('#notes [data-testid=edit-note]').click()").await;
    until(&chromium, "document.activeElement?.dataset.testid == 'note-text'").await;
    assert_eq!(chromium.ask("return document.activeElement.value").await, "early");
    assert!(chromium.text("[data-figure=note-place]").await.starts_with("Ann · Lap 2 · "));
    assert!(chromium.ask("return document.querySelector('[data-testid=note-author]')").await.is_null());
    chromium.picture("analyse-note-edited").await;
    chromium.check_clean().await;
    const GREEN: &str = "document.querySelector('[data-testid=note-colours] [value=green]').click();
        document.querySelector('[data-testid=note-text]').value = 'earlier';
        document.querySelector('[data-testid=save-note]').click()";
    chromium.ask(GREEN).await;
    listed_as(&chromium, &["earlier", "middle", "late"]).await;
    let kept = at_relay(&chromium, &id).await;
    assert_eq!(kept.len(), 3, "{kept:?}");
    let edited = find(kept, "earlier");
    assert_eq!((edited.at, &edited.author, &edited.colour), (before.at, &before.author, &NoteColour::Green));
    assert_eq!((edited.car, edited.distance_m), (before.car, before.distance_m));

    // List and lanes show the note's own colour.
    const SHOWN: &str = "const probe = document.createElement('i'); probe.style.color = 'var(--note-green)'; document.body.append(probe);
        const colour = getComputedStyle(probe).color; probe.remove();
        const number = document.querySelector('#notes li .number');
        return [number.innerText, getComputedStyle(number).backgroundColor == colour]";
    assert_eq!(chromium.ask(SHOWN).await, json!(["1", true]));
    press(&chromium, "0").await;
    chromium.settled().await;
    assert!(flagged(&chromium, "--note-green", place_m("early") / whole).await > 20);
    assert!(flagged(&chromium, "--note-amber", place_m("late") / whole).await > 20);

    // A moved note stays where it was moved to, and beyond the ends nothing happens.
    let strike_row = |row: usize, what: &str| {
        format!("document.querySelectorAll('#notes li')[{row}].querySelector('[data-testid={what}]').click()")
    };
    chromium.ask(&strike_row(0, "note-up")).await;
    chromium.ask(&strike_row(0, "note-down")).await;
    listed_as(&chromium, &["middle", "earlier", "late"]).await;
    chromium.ask(&strike_row(2, "note-up")).await;
    listed_as(&chromium, &["middle", "late", "earlier"]).await;
    let ranks = at_relay(&chromium, &id).await.into_iter().filter(|note| note.rank_mm.is_some()).count();
    assert_eq!(ranks, 2, "only the moved notes have a place of their own");
    chromium.client.refresh().await.expect("a reload");
    listed_as(&chromium, &["middle", "late", "earlier"]).await;

    // Keys go through the plan, all around, and show each note's place.
    let check_place = async |text: &str| {
        chromium.settled().await;
        let (at_m, (from, to)) = (cursor(&chromium).await, part(&chromium).await.expect("a part"));
        assert!((at_m - place_m(text)).abs() < 0.2, "{text}: {at_m}");
        assert!(from < at_m && at_m < to && to - from < 400.0, "{text}: {from} {at_m} {to}");
    };
    press(&chromium, "j").await;
    is_current(&chromium, "middle", "1 of 3").await;
    check_place("middle").await;
    press(&chromium, "j").await;
    is_current(&chromium, "late", "2 of 3").await;
    check_place("late").await;
    press(&chromium, "k").await;
    press(&chromium, "k").await;
    is_current(&chromium, "earlier", "3 of 3").await;
    check_place("early").await;
    chromium.ask("document.querySelector('#notes [data-testid=next-note]').click()").await;
    is_current(&chromium, "middle", "1 of 3").await;
    const SEEN: &str = "const list = document.querySelector('#notes').getBoundingClientRect(),
            note = document.querySelector('#notes li[aria-current]').getBoundingClientRect();
        return note.top >= list.top - 1 && note.top < list.bottom";
    assert_eq!(chromium.ask(SEEN).await, json!(true));

    // A note whose lap is not on screen brings that lap.
    choose(&chromium, 3, 1).await;
    press(&chromium, "j").await;
    until(&chromium, "document.querySelector('#lap-list tr.main').dataset.lap == '2'").await;
    is_current(&chromium, "late", "2 of 3").await;

    // Where there is a note, the editor of a new one offers to edit it.
    check_place("late").await;
    press(&chromium, "m").await;
    chromium.until("[data-testid=edit-here]", |text| text == "Edit “late”").await;
    chromium.ask("document.querySelector('[data-testid=edit-here]').click()").await;
    until(&chromium, "document.activeElement?.value == 'late'").await;
    strike(&chromium, "escape").await;
    until(&chromium, "!document.querySelector('[role=dialog]')").await;
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("analyse-plan-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_file_with_notes_opens_in_analyse_and_another_copy_says_what_it_adds() {
    let recorded = recorded("noted-copies");
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("h1").await;
    let coachs = copy_with(&recorded, &[("Ann", "Late")]);
    drop_file(&chromium, "coach.trailbrake.mcap", &coachs).await;
    until(&chromium, "location.hash.startsWith('#/analyse')").await;
    listed_as(&chromium, &["Late"]).await;
    assert!(chromium.ask("return document.querySelector('[data-figure=notes-merged]')").await.is_null());

    // Another copy of the same recording adds its notes to those that are there.
    let anothers = copy_with(&recorded, &[("Bob", "Wide")]);
    drop_file(&chromium, "other.trailbrake.mcap", &anothers).await;
    chromium.until("[data-figure=notes-merged]", |text| text == "1 note by Bob added: “Wide”.").await;
    listed_as(&chromium, &["Late", "Wide"]).await;
    // No file has both.
    until(&chromium, "document.querySelector('[data-testid=save-notes]')").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn notes_on_a_file_without_a_relay_are_saved_as_a_copy_of_it() {
    let recorded = recorded("noted-file");
    let program = Program::start(&[]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
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
        assert!(began.elapsed() < PATIENCE, "no file came to {}", copy.display());
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
    chromium.add_touch_screen().await;
    let id = recorded.id.to_string();
    chromium.client.goto(&format!("{}/#/analyse?recording={id}", program.url)).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    press(&chromium, "End").await;
    let whole = cursor(&chromium).await;

    // A busy browser lets the first touches go by.
    while cursor(&chromium).await > 0.5 * whole {
        touches(&chromium, &[("touchStart", &[0.2]), ("touchEnd", &[])]).await;
    }
    // The finger moves, or lifts, well before it would count as resting, however busy the machine is.
    touches(&chromium, &[("touchStart", &[0.25]), ("touchMove", &[0.3])]).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    touch(&chromium, "touchEnd", &[]).await;
    touches(&chromium, &[("touchStart", &[0.4]), ("touchEnd", &[])]).await;
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
