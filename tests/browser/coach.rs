//! The coach's loop with two browsers and real files: the driver shares a stint as one page, the coach opens it from
//! disk, pins notes and sets a task, and the driver drives it and reads the verdict.

use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::Locator;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::tasks::tasks;
use trailbrake_shared::sim::{Options, PlantedTask};

use crate::PATIENCE;
use crate::analyse_notes::write;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::{self, RecordedRace};
use crate::recording_links::until;
use crate::replay::press as strike;
use crate::share::{downloaded, downloads, save};
use crate::simulated_game::GameSocket;
use crate::tasks::{fill, press};

/// The corner that the driver brakes too early for, and how many metres.
const CORNER: u8 = 5;
const HABIT_M: f64 = 16.0;
/// Long enough for twelve laps.
const SECONDS: f64 = 1010.0;
/// Laps with the task.
const LAPS: u32 = 12;
/// Times as fast as real when the task is driven.
const SPEED: f64 = 14.0;

/// A driver alone on the track, who brakes too early and from a lap on follows the task.
fn driven(seed: u64, from_lap: u32) -> Options {
    let task = PlantedTask {
        car: 0,
        corner: CORNER,
        habit_m: HABIT_M,
        from_lap,
        share: 1.0,
        brakes_later_m: HABIT_M,
    };
    let alone = Options { cars: 1, player: 0, seed, again: false, keep_truth: false, ..Options::default() };
    Options { task: Some(task), ..alone }
}

/// Shares the whole stint as one page: returns its file in the folder.
async fn share_stint(chromium: &Chromium, folder: &Path) -> std::path::PathBuf {
    chromium.ask("document.querySelector('#beside [data-testid=share]').click()").await;
    until(chromium, "document.querySelector('[role=dialog] input[value=stint]')").await;
    chromium.ask("document.querySelector('[role=dialog] input[value=stint]').click()").await;
    chromium.until("[data-testid=shared-laps]", |lines| lines.starts_with("12 laps · best 1:")).await;
    chromium.settled().await;
    chromium.picture("coach-share").await;
    save(chromium).await;
    chromium.ask("document.querySelector('[data-testid=close-dialog]').click()").await;
    until(chromium, "!document.querySelector('[role=dialog]')").await;
    downloaded(folder, ".html").await
}

/// Pins a note at the corner that the cursor is in.
async fn pin(chromium: &Chromium, text: &str, count: usize) {
    strike(chromium, "m").await;
    write(chromium, text, "Ann").await;
    until(chromium, &format!("document.querySelectorAll('#notes li').length == {count}")).await;
}

/// The coach's part: two notes and a task, saved as a recording.
async fn coach(chromium: &Chromium, page: &Path, folder: &Path) -> std::path::PathBuf {
    chromium.client.goto(&format!("file://{}", page.display())).await.expect("the driver's page");
    until(chromium, "document.querySelectorAll('#corners tr[data-corner]').length > 5").await;
    // The stint is read bit by bit.
    let counted = r"/in \d+ of \d+ laps/.test(document.querySelector('#things')?.innerText)";
    until(chromium, counted).await;
    strike(chromium, "Home").await;
    for _ in 0..CORNER {
        strike(chromium, "]").await;
    }
    pin(chromium, "Brake at the 100 board", 1).await;
    strike(chromium, "]").await;
    pin(chromium, "Good: keep this line", 2).await;
    strike(chromium, "[").await;
    chromium.settled().await;
    chromium.picture("coach-lesson").await;

    until(chromium, "document.querySelector('[data-testid=set-task]')").await;
    press(chromium, "set-task").await;
    until(chromium, "document.querySelector('[data-testid=task-words]')").await;
    assert_eq!(chromium.text("[role=dialog] h2").await.to_lowercase(), format!("task for t{CORNER}"));
    let now = chromium.text("[data-figure=task-now]").await;
    let laps: u32 =
        now.rsplit(" in ").next().and_then(|words| words.split(' ').next()?.parse().ok()).expect("laps");
    assert!(laps >= 10, "the baseline is the whole stint: {now}");
    fill(chromium, "task-words", "Brake at the 100 board").await;
    fill(chromium, "task-change", "16").await;
    fill(chromium, "task-tolerance", "7").await;
    fill(chromium, "task-laps", &LAPS.to_string()).await;
    chromium.picture("coach-task").await;
    press(chromium, "save-task").await;
    until(chromium, "document.querySelectorAll('#tasks [data-testid=task]').length == 1").await;
    chromium.ask("document.querySelector('#notes [data-testid=save-notes]').click()").await;
    let lesson = downloaded(folder, ".trailbrake.mcap").await;
    chromium.check_clean().await;
    lesson
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_lesson_goes_from_the_driver_to_the_coach_and_back() {
    let recorded = RecordedRace::race("coached", SECONDS, driven(7321, u32::MAX));
    assert!(recorded.laps.len() >= 11, "{} laps", recorded.laps.len());
    let path = recorded.folder().to_string_lossy().into_owned();
    let program = Program::recording(&["--recordings", &path]);
    let (driver, ann) = (Chromium::open_alone(Window::ALL[0]).await, Chromium::open(Window::ALL[0]).await);
    let sent = downloads(&driver, "coach-sent").await;
    let lessons = downloads(&ann, "coach-lessons").await;

    let analyse = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    driver.client.goto(&analyse).await.expect("the page");
    until(&driver, "document.querySelector('[data-figure=apart]')").await;
    let page = share_stint(&driver, &sent.0).await;
    let lesson = coach(&ann, &page, &lessons.0).await;
    ann.close().await;

    // The file holds the lesson, and the driver opens it.
    let file = recorded::open(&lesson, std::fs::metadata(&lesson).expect("the file").len());
    assert_eq!((notes(file.facts()).len(), tasks(file.facts()).len()), (2, 1));
    assert_eq!(file.info().parent, Some(recorded.id));
    driver.client.goto(&format!("{}/#/library", program.url)).await.expect("the library");
    let import =
        driver.client.wait().for_element(Locator::Css("[data-testid='import']")).await.expect("a field");
    import.send_keys(&lesson.to_string_lossy()).await.expect("a file chosen");
    // The notes and the task join the driver's own recording.
    let said = driver.until("[data-figure='toast']", |text| text.contains("Drive it now")).await;
    assert!(said.contains("2 notes by Ann added") && said.contains("Task by Ann"), "{said}");
    until(&driver, "document.querySelector('#seen [data-badge=tasks]')?.textContent == '1 task'").await;
    driver.picture("coach-library").await;
    assert_eq!(driver.ask("return document.querySelectorAll('#seen .row').length").await, 1);
    driver.ask(&format!("location.hash = '#/analyse?recording={}'", recorded.id)).await;
    until(&driver, "document.querySelectorAll('#tasks [data-testid=task]').length == 1").await;
    until(&driver, "document.querySelectorAll('#notes li').length == 2").await;
    // The message offers the task, and Analyse knows that it is driven.
    driver.ask("location.hash = '#/library'").await;
    press(&driver, "drive-now").await;
    until(&driver, "location.hash.startsWith('#/live')").await;
    driver.ask(&format!("location.hash = '#/analyse?recording={}'", recorded.id)).await;
    driver.until("[data-testid=drive-task]", |text| text == "On Live").await;

    // The driver drives it: Live says after the corner that it was hit.
    driver.ask("location.hash = '#/live'").await;
    let game = GameSocket::open();
    let game = game.drive(Feed::F1, program.port("f1"), SPEED, driven(7322, 1));
    driver.until("[data-figure=task]", |text| text.contains("Brake at the 100 board")).await;
    until(&driver, "document.querySelector('[data-figure=task][data-mark=Hit]')").await;
    driver.picture("coach-hit").await;
    let began = Instant::now();
    while !driver.text("[data-figure=task]").await.ends_with("paid off") {
        assert!(began.elapsed() < PATIENCE, "{}", driver.text("[data-figure=task]").await);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }

    // The verdict.
    driver.ask("location.hash = '#/analyse'").await;
    let verdict = driver.until("[data-figure=verdict]", |text| text.ends_with("paid off.")).await;
    assert!(verdict.starts_with("Hit ") && verdict.contains("s gained"), "{verdict}");
    driver.settled().await;
    driver.picture("coach-verdict").await;
    drop(game);
    driver.check_clean().await;
    driver.close().await;
}
