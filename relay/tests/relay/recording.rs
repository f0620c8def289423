//! What is received is recorded, and reads back unchanged.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::{Details, Listing};
use trailbrake_shared::recording::{Opening, Packet, Recording, read_whole};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

use crate::running::{Game, Running, ask, packet, send, settings, soon};

/// Longer than the shortest recording that is kept.
pub(crate) const DRIVE: Duration = Duration::from_millis(7500);

/// A relay that records into a folder.
pub(crate) fn recording_into(folder: &Path, more: &[&str]) -> Running {
    let folder = format!("--recordings={}", folder.display());
    let options: Vec<&str> = [folder.as_str()].into_iter().chain(more.iter().copied()).collect();
    Running::start(settings(&options))
}

pub(crate) fn open(bytes: &[u8]) -> Recording {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish().expect("a recording")
}

pub(crate) fn packets(bytes: &[u8]) -> Vec<Packet> {
    let mut packets = open(bytes).all_packets();
    read_whole(&mut packets, bytes);
    assert_eq!((packets.damaged(), packets.gaps()), (0, &[][..]));
    packets.take()
}

/// The finished recordings in a folder, by file name.
pub(crate) fn whole(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|ending| ending == "mcap"))
        .map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            (name, fs::read(path).expect("the file"))
        })
        .collect();
    files.sort();
    files
}

/// Runs the simulator's race at real speed. Returns what was sent.
pub(crate) async fn drive(feed: Feed, to: std::net::SocketAddr, game: &Game, time: Duration) -> Vec<Vec<u8>> {
    let mut demo = Demo::new(feed, Options::default(), Micros(0)).expect("a feed that is spoken");
    let began = Instant::now();
    let mut all = Vec::new();
    while began.elapsed() < time {
        let mut sent = Vec::new();
        let now = Micros(0).plus_seconds(began.elapsed().as_secs_f64());
        demo.advance(now, &mut |_, datagram| sent.push(datagram.to_vec()));
        for datagram in sent {
            game.send(to, &datagram).await;
            all.push(datagram);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    all
}

#[tokio::test]
async fn a_game_is_recorded_without_a_browser_and_each_datagram_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    assert!(relay.report.recording.contains(&folder.path().display().to_string()));
    let game = Game::start().await;
    let sent = drive(Feed::F1, relay.address_of(Feed::F1), &game, DRIVE).await;

    // A recording under way is listed, opens through the relay's memory, and its bytes are served.
    let listing: Listing = ask(address, "GET", "/library", &[]).await.json();
    assert_eq!(listing.trouble, None);
    let [entry] = &listing.recordings[..] else { panic!("{listing:#?}") };
    assert!(entry.underway && entry.seconds > 5.0, "{entry:#?}");
    let underway: Listing = ask(address, "GET", "/library?underway=1", &[]).await.json();
    assert_eq!(underway.recordings.first().map(|one| one.id), Some(entry.id));
    let id = entry.id.expect("an id").to_string();
    let tail = ask(address, "GET", &format!("/library/{id}/tail"), &[]).await;
    let range = tail.header("content-range").expect("a range").to_owned();
    let begins: usize =
        range["bytes ".len()..].split('-').next().expect("a place").parse().expect("a number");
    let asked = format!("bytes=0-{}", begins - 1);
    let data = ask(address, "GET", &format!("/library/{id}/file"), &[("range", &asked)]).await;
    assert_eq!(data.status, 206);
    assert_eq!(data.header("content-range"), Some(format!("bytes 0-{}/*", begins - 1).as_str()));
    let name = tail.header("content-disposition").expect("a name");
    assert!(name.contains("_f1-2018_") && name.contains(".trailbrake.mcap"), "{name}");
    let joined = [&data.body[..begins], &tail.body].concat();
    assert_eq!(open(&joined).laps().laps.len(), 20, "the lap under way of each car is in the table already");
    let early = packets(&joined);
    assert!(early.iter().map(|packet| &packet.bytes).eq(&sent[..early.len()]));

    // It can be named while under way.
    let wish = br#"{"name":"Wet practice","tags":["rain"]}"#;
    let named = send(address, "PATCH", &format!("/library/{id}"), wish).await;
    assert_eq!(named.status, 200, "{}", named.text());
    let gone = send(address, "DELETE", &format!("/library/{id}"), b"").await;
    assert_eq!(gone.status, 409, "{}", gone.text());
    relay.stop().await;

    let files = whole(folder.path());
    let [(name, bytes)] = &files[..] else {
        panic!("{:?}", fs::read_dir(folder.path()).map(Iterator::count))
    };
    assert!(name.contains("_f1-2018_") && name.ends_with(".trailbrake.mcap"), "{name}");
    let back = packets(bytes);
    assert!(back.iter().map(|packet| &packet.bytes).eq(&sent), "{} of {}", back.len(), sent.len());
    assert!(back.iter().all(|packet| packet.sender == game.address() && &*packet.feed == "f1"));
    assert!(back.is_sorted_by_key(|packet| packet.at));
    let recording = open(bytes);
    assert_eq!(recording.info().id.to_string(), id);

    // After a restart it has the same id, name and tags.
    let relay = recording_into(folder.path(), &[]);
    let details: Details = ask(relay.report.http, "GET", &format!("/library/{id}"), &[]).await.json();
    assert_eq!(
        (details.entry.name.as_deref(), &details.entry.tags[..]),
        (Some("Wet practice"), &["rain".to_owned()][..])
    );
    assert!(details.facts.contains_key("laps") && details.facts.contains_key("session"));
    relay.stop().await;
}

#[tokio::test]
async fn the_demo_is_recorded_only_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let quiet = recording_into(folder.path(), &["--demo=gran-turismo", "--port=gran-turismo=0"]);
    let asked = tempfile::tempdir().expect("a folder");
    let wished =
        recording_into(asked.path(), &["--demo=gran-turismo", "--record-demo", "--port=gran-turismo=0"]);
    // A game that sends for longer than the menu is recorded.
    let underway = async |relay: &Running| {
        relay.browser().await.status(|status| !status.recorder.underway.is_empty()).await.recorder
    };
    assert_eq!(underway(&wished).await.underway.len(), 1);
    assert!(underway(&quiet).await.underway.iter().all(|one| one.in_memory));
    quiet.stop().await;
    wished.stop().await;
    assert_eq!(whole(folder.path()), []);
    assert_eq!(whole(asked.path()).len(), 1);
}

#[tokio::test]
async fn a_missing_folder_is_reported_while_live_data_goes_on() {
    let above = tempfile::tempdir().expect("a folder");
    let folder = above.path().join("laps");
    let relay = recording_into(&folder, &[]);
    let to = relay.address_of(Feed::F1);
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    let driving = tokio::spawn(async move { drive(Feed::F1, to, &game, Duration::from_secs(25)).await });
    let one = browser.status(|status| !status.recorder.underway.is_empty()).await;
    assert_eq!((one.recorder.trouble, one.recorder.lost_batches), (None, 0));

    fs::remove_dir_all(&folder).expect("removed");
    let gone = browser.status(|status| status.recorder.trouble.is_some()).await;
    assert!(gone.recorder.trouble.expect("words").contains("is gone"));
    assert!(!browser.datagrams(10).await.is_empty(), "live data goes on");

    fs::create_dir(&folder).expect("a folder");
    let back = browser
        .status(|status| status.recorder.trouble.is_none() && !status.recorder.underway.is_empty())
        .await;
    assert_eq!(back.recorder.underway.len(), 1);
    driving.abort();
    relay.stop().await;
    assert_eq!(whole(&folder).len(), 1, "recorded again once there was a folder");
}

#[tokio::test]
async fn a_look_at_the_menu_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let game = Game::start().await;
    for number in 0..20 {
        let bytes = packet(trailbrake_shared::games::f1::Kind::LapData, number);
        game.send(relay.address_of(Feed::F1), &bytes).await;
    }
    let mut browser = relay.browser().await;
    soon(browser.status(|status| status.ports[0].packets == 20)).await;
    relay.stop().await;
    assert_eq!(whole(folder.path()), []);
}
