//! A recording in the page: opened by hand and by dropping, played, jumped in, and refused when it is none.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::{Value, json};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Follower, Info, RecordingId, Writer};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::chromium::{Chromium, Window};
use crate::demo::shown_laps;
use crate::program::Program;

const BEGAN: Micros = Micros(1_795_000_000_000_000);
/// Long enough for two laps.
const SECONDS: f64 = 240.0;
/// How long a jump through all of it may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A recorded race, as a file that goes with the test.
struct Recorded {
    file: PathBuf,
    bytes: u64,
    /// The player's laps, number and milliseconds.
    laps: Vec<(u64, u64)>,
}

impl Recorded {
    /// A race of so many seconds.
    fn new(name: &str, seconds: f64) -> Self {
        let info = Info {
            id: RecordingId(0x7e57),
            parent: None,
            created: BEGAN,
            feed: Feed::F12018.id().to_owned(),
            program: "the tests".to_owned(),
            others_left_out: false,
        };
        let (mut writer, mut receiver, mut follower) =
            (Writer::new(&info), Receiver::default(), Follower::default());
        let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
        let options = Options { seed: 5, cars: 6, ..Options::default() };
        let mut demo = Demo::new(Feed::F12018, options, BEGAN).expect("a demo");
        demo.drive(seconds, &mut |at, bytes| {
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F12018), bytes };
            writer.take(&datagram);
            receiver.overhear(&datagram, &mut |event| follower.hear(event)).expect("a packet");
            follower.look(receiver.session().expect("a session"), at);
        });
        let end = BEGAN.plus_seconds(seconds);
        writer.write_last(end, &Follower::told(receiver.session().expect("a session")));
        writer.write_last(end, &follower.laps());
        writer.write_last(end, follower.timeline());
        let bytes = writer.finish();
        let file =
            std::env::temp_dir().join(format!("trailbrake-{name}-{}.trailbrake.mcap", std::process::id()));
        std::fs::write(&file, &bytes).expect("a file");
        let truth = demo.truth();
        let own = truth.sessions[0].finished.iter().filter(|lap| lap.car == truth.player);
        let laps = own.map(|lap| (u64::from(lap.number), u64::from(lap.time_ms)));
        Self { file, bytes: bytes.len() as u64, laps: laps.collect() }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

async fn press(chromium: &Chromium, key: &str) {
    let press =
        format!("window.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))");
    chromium.ask(&press).await;
}

/// Where the recording is, in whole seconds.
async fn place(chromium: &Chromium) -> u64 {
    let text = chromium.text("[data-figure='replay-time'] b").await;
    let (minutes, seconds) = text.split_once(':').expect("a time");
    minutes.parse::<u64>().expect("minutes") * 60 + seconds.parse::<u64>().expect("seconds")
}

async fn laps_become(chromium: &Chromium, wanted: &[(u64, u64)]) {
    let began = Instant::now();
    loop {
        let shown: Vec<(u64, u64)> = shown_laps(chromium).await.into_iter().collect();
        if shown == wanted {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "shown {shown:?}, driven {wanted:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_recording_plays_like_a_game_and_can_be_jumped_in() {
    let Some(program) = Program::start(&[]) else { return };
    let Some(chromium) = Chromium::open(Window::ALL[0]).await else { return };
    let recorded = Recorded::new("played", SECONDS);
    assert!(recorded.laps.len() >= 2, "{:?}", recorded.laps);
    chromium.client.goto(&program.url).await.expect("the page");
    let field =
        chromium.client.wait().for_element(Locator::Css("[data-action='open']")).await.expect("a button");
    field.send_keys(&recorded.file.to_string_lossy()).await.expect("a file chosen");

    // It plays by itself, and has read but little of the file for that.
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let read = "return document.querySelector('[data-figure=transport]').dataset.read";
    let read: u64 = chromium.ask(read).await.as_str().and_then(|read| read.parse().ok()).expect("bytes");
    assert!(read > 0 && read < recorded.bytes / 2, "{read} of {}", recorded.bytes);

    // To the end: every lap is there, as it was driven.
    press(&chromium, "End").await;
    laps_become(&chromium, &recorded.laps).await;
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("6"));
    assert!(place(&chromium).await >= SECONDS as u64 - 1);

    for window in Window::ALL {
        chromium.look(window).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        chromium.picture(&format!("replay-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;

    // Back to the beginning: what was driven later is not known any more.
    press(&chromium, "Home").await;
    laps_become(&chromium, &[]).await;
    // It stands at its end until it is told to play.
    assert!(place(&chromium).await <= 1);
    press(&chromium, " ").await;
    chromium.until("[data-figure='replay-time'] b", |text| text == "0:02" || text == "0:03").await;
    press(&chromium, " ").await;
    let rests = place(&chromium).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(place(&chromium).await, rests, "it rests");
    press(&chromium, "ArrowRight").await;
    chromium.until("[data-figure='replay-time'] b", |text| text == format!("0:{:02}", rests + 5)).await;

    // Eight times as fast.
    let faster = "const speed = document.querySelector('[data-action=speed]'); speed.value = '8';
        speed.dispatchEvent(new Event('change', { bubbles: true }))";
    chromium.ask(faster).await;
    press(&chromium, " ").await;
    chromium.until("[data-figure='replay-time'] b", |text| text.len() == 4 && text >= "0:35").await;
    press(&chromium, " ").await;

    // By the line's handle into the second lap: the first one is known then.
    let at = recorded.laps[0].1 as f64 / 1e3 + 60.0;
    let scrub = format!(
        "const line = document.querySelector('[data-action=scrub]'); line.value = '{at}';
        line.dispatchEvent(new Event('input', {{ bubbles: true }})); line.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    );
    chromium.ask(&scrub).await;
    laps_become(&chromium, &recorded.laps[..1]).await;

    let close =
        chromium.client.find(Locator::Css("[data-action='close-recording']")).await.expect("a button");
    close.click().await.expect("a click");
    chromium.until("h1", |text| text == "Waiting for a game").await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// Drops a file of these bytes on the page.
async fn drop_file(chromium: &Chromium, name: &str, bytes: &[u8]) {
    let script = "const bytes = new Uint8Array(arguments[1]);
        const dropped = new DataTransfer();
        dropped.items.add(new File([bytes], arguments[0]));
        const on = document.querySelector('main');
        on.dispatchEvent(new DragEvent('dragover', { dataTransfer: dropped, bubbles: true, cancelable: true }));
        on.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));";
    let arguments: Vec<Value> = vec![json!(name), json!(bytes)];
    chromium.client.execute(script, arguments).await.expect("a drop");
}

#[tokio::test]
async fn a_dropped_file_opens_or_says_why_not() {
    let Some(program) = Program::start(&[]) else { return };
    let Some(chromium) = Chromium::open(Window::ALL[2]).await else { return };
    let recorded = Recorded::new("dropped", 40.0);
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("h1").await;
    drop_file(&chromium, "holiday.jpg", &[0xff; 4000]).await;
    let words = chromium.until("[data-figure='faults']", |text| text.contains("holiday.jpg")).await;
    assert!(words.contains("recording"), "{words}");
    chromium.picture("replay-refused").await;

    // The relay was killed while it wrote this one.
    let whole = std::fs::read(&recorded.file).expect("a file");
    drop_file(&chromium, "killed.mcap", &whole[..whole.len() / 4]).await;
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.until("[data-figure='faults']", |text| text.contains("killed.mcap was not finished")).await;
    chromium.check_clean().await;
    chromium.close().await;
}
