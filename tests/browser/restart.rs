//! The program ends in a crash and is started again, while a game sends and pages are open.

use std::time::{Duration, Instant};

use trailbrake_isolation::free_port;
use trailbrake_shared::feed::Feed;

use crate::chromium::{Chromium, Window};
use crate::library::Folder;
use crate::program::Program;
use crate::recording_links::until;
use crate::simulated_game::GameSocket;

/// A lap takes seven seconds.
const SPEED: f64 = 12.0;
/// How long the program is away.
const AWAY: Duration = Duration::from_secs(4);
const LIST: &str =
    "(() => { const asked = new XMLHttpRequest(); asked.open('GET', '/library', false); asked.send();
    return JSON.parse(asked.responseText).recordings })()";
const FAULT: &str = "(document.querySelector('.faults')?.innerText ?? '')";
/// Number and time of each lap. The rest of a row changes with a faster lap.
const LAPS: &str = "[...document.querySelectorAll('.laps [data-lap][data-time]')]
    .map(row => `lap ${row.dataset.lap}: ${row.dataset.time}`)";
/// How much earlier than the crash a page may have received its last message.
const LAST_MESSAGE: Duration = Duration::from_secs(3);

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn open_pages_go_on_after_a_crash_and_say_what_was_missed() {
    let folder = Folder::new("restart");
    let (address, recordings) =
        (format!("127.0.0.1:{}", free_port()), folder.0.to_string_lossy().into_owned());
    let mut program = Program::recording_at(&address, &["--recordings", &recordings]);
    let game = GameSocket::open().start(Feed::DirtRally, program.port("dirt-rally"), SPEED);
    let pages = [Chromium::open(Window::ALL[0]).await, Chromium::open(Window::ALL[2]).await];
    for page in &pages {
        page.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
        until(page, &format!("{LAPS}.length >= 1")).await;
    }
    let before = pages[0].ask(&format!("return {LAPS}")).await;

    let crashed = Instant::now();
    program.restart(AWAY);
    let began = Instant::now();
    for page in &pages {
        until(page, &format!("{FAULT}.includes('was started again')")).await;
    }
    println!("both pages were back {:.1} s after the start", began.elapsed().as_secs_f64());
    let page = &pages[0];
    let fault = page.ask(&format!("return {FAULT}")).await;
    let fault = fault.as_str().expect("text");
    let seconds: u64 = fault
        .split("away for ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("{fault}"));
    // A page that is behind still receives messages from before the crash, and a busy machine starts slowly.
    let longest = (crashed.elapsed() + LAST_MESSAGE).as_secs() + 1;
    assert!((AWAY.as_secs() / 2..=longest).contains(&seconds), "{fault} It was at most {longest} s.");
    // The laps from before stay, and further ones come.
    let count = before.as_array().expect("laps").len();
    let kept = format!("before.every(lap => laps.includes(lap)) && laps.length > {count}");
    until(page, &format!("((before, laps) => {kept})({before}, {LAPS})")).await;
    page.picture("restart").await;
    drop(game);

    // What was recorded before the crash is in the library, once it is indexed.
    until(page, &format!("{LIST}.some(entry => !entry.underway && entry.laps >= 1)")).await;
    for page in pages {
        page.close().await;
    }
}
