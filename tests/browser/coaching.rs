//! A driver's page and a coach's tablet on one relay: who is there, following, cursors, notes and who may write.

use trailbrake_isolation::{ADDRESS, has_own_network};

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::Folder;
use crate::recording_links::until;
use crate::replay::press as strike;

const TIMED: &str = "[...document.querySelectorAll('#lap-list [data-lap]')].filter(row => row.dataset.time)";
const NOTES: &str = "[...document.querySelectorAll('#notes .text')].map(note => note.innerText)";

async fn press(chromium: &Chromium, testid: &str) {
    until(chromium, &format!("document.querySelector('[data-testid={testid}]')")).await;
    chromium.ask(&format!("document.querySelector('[data-testid={testid}]').click()")).await;
}

/// Writes a note at the cursor.
async fn write_note(chromium: &Chromium, text: &str, author: &str) {
    strike(chromium, "m").await;
    until(chromium, "document.querySelector('[data-testid=save-note]')").await;
    let fill = format!(
        "document.querySelector('dialog textarea').value = '{text}';
         document.querySelector('[data-testid=note-author]').value = '{author}'"
    );
    chromium.ask(&fill).await;
    press(chromium, "save-note").await;
}

#[tokio::test]
#[ignore = "needs a namespace of its own: run cargo xtask test"]
async fn a_coach_follows_the_driver_and_writes_when_allowed() {
    if !has_own_network("coaching::a_coach_follows_the_driver_and_writes_when_allowed") {
        return;
    }
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-coaching-{}", std::process::id())));
    let path = folder.0.to_string_lossy().into_owned();
    let options = [
        "--lan",
        "--demo=f1-2018",
        "--demo-speed",
        "4",
        "--demo-from",
        "150",
        "--record-demo",
        "--recordings",
        &path,
    ];
    let program = Program::recording(&options);
    let driver = Chromium::open_alone(Window::ALL[0]).await;
    driver.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    until(&driver, &format!("{TIMED}.length >= 2")).await;
    driver.ask(&format!("{TIMED}[0].querySelector('[data-testid=lap]').click()")).await;
    driver.ask(&format!("{TIMED}[1].querySelector('[data-testid=reference]').click()")).await;
    until(
        &driver,
        "document.querySelector('#corners tr[data-corner]') && location.hash.includes('recording=')",
    )
    .await;
    until(&driver, "!document.querySelector('[data-testid=people]')").await;

    // The coach's tablet appears on the driver's page, and follows it.
    let coach = Chromium::open_alone(Window::ALL[2]).await;
    coach.client.goto(&program.tablet_link(ADDRESS)).await.expect("the page");
    driver.until("[data-testid=people]", |text| text.trim() == "2").await;
    press(&driver, "people").await;
    driver.until("[data-testid=person] b", |text| text == "Tablet 1").await;
    driver.picture("people-owner").await;
    driver.check_clean().await;
    press(&driver, "close-dialog").await;
    press(&coach, "people").await;
    coach.until("[data-testid=person] b", |text| text == "Driver's PC").await;
    assert_eq!(
        coach.ask("return document.querySelector('[data-testid=tablets-may-write]')").await,
        serde_json::Value::Null
    );
    press(&coach, "follow").await;
    coach.until("[data-testid=follow-bar]", |text| text.contains("Following Driver's PC")).await;
    let laps = "location.hash.match(/lap=[^&]*&reference=[^&]*/)?.[0]";
    let chosen = driver.ask(&format!("return {laps}")).await;
    until(&coach, &format!("{laps} == {chosen}")).await;

    // Zoom and cursor go along.
    strike(&driver, "Home").await;
    strike(&driver, "]").await;
    let part = "location.hash.match(/from=[^&]*&to=[^&]*/)?.[0]";
    until(&driver, part).await;
    let shown = driver.ask(&format!("return {part}")).await;
    until(&coach, &format!("{part} == {shown}")).await;
    let cursor = driver.text("[data-figure=cursor]").await;
    coach.until("[data-figure=cursor]", |text| text == cursor).await;
    coach.picture("coaching-follower").await;
    coach.check_clean_but(&["403"]).await;
    coach.look(Window { width: 390, height: 844, theme: "dark" }).await;
    coach.picture("coaching-phone").await;
    const OVERLAP: &str = "const seats = [...document.querySelectorAll('.bar nav a, .bar button, .bar a.cog, .bar .pill')]
        .map(seat => seat.getBoundingClientRect()).filter(seat => seat.width > 0);
        return seats.some((seat, place) => seats.slice(place + 1).some(next => next.left < seat.right - 1 && next.right > seat.left + 1))";
    assert_eq!(coach.ask(OVERLAP).await, false, "the bar is too full");
    coach.check_clean_but(&["403"]).await;
    coach.look(Window::ALL[2]).await;

    // A note of the driver appears on the tablet, which may not write one itself.
    write_note(&driver, "late", "Dan").await;
    until(&coach, &format!("{NOTES}.includes('late')")).await;
    driver.until("[data-testid=note]", |text| !text.is_empty()).await;
    until(
        &coach,
        "document.querySelector('#notes [data-testid=note]').getAttribute('aria-disabled') == 'true'",
    )
    .await;
    // On a tablet the notes are in the drawer of the laps.
    const REFUSAL: &str = "document.querySelector('#notes [data-figure=read-only]')?.textContent";
    until(&coach, &format!("{REFUSAL}?.startsWith('Read-only')")).await;

    // Own navigation ends following, and the driver's cursor is seen there under their name.
    strike(&coach, "0").await;
    until(&coach, "!document.querySelector('[data-testid=follow-bar]')").await;
    coach.picture("coaching-cursors").await;

    // The owner allows tablets to write.
    press(&driver, "people").await;
    press(&driver, "tablets-may-write").await;
    press(&driver, "close-dialog").await;
    until(&coach, "!document.querySelector('#notes [data-figure=read-only]')").await;
    write_note(&coach, "brake at the board", "Anna").await;
    until(&driver, &format!("{NOTES}.includes('brake at the board')")).await;
    press(&driver, "people").await;
    driver.until("[data-testid=person] b", |text| text == "Anna").await;
    press(&driver, "close-dialog").await;

    // Who leaves is not there any more.
    coach.close().await;
    until(&driver, "!document.querySelector('[data-testid=people]')").await;
    driver.check_clean().await;
    driver.close().await;
}
