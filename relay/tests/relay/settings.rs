//! Settings of the page: who may change them, that they count at once, and that they stay.

use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;

use serde_json::json;
use trailbrake_isolation::free_port;
use trailbrake_relay::relaying::{PortRequest, Reach, Settings, TalkRequest};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::TalkOptions;
use trailbrake_shared::games::f1::Kind;
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::library::Listing;
use trailbrake_shared::settings::{Problem, SettingsReport};
use trailbrake_shared::wire::{PortState, Status};

use crate::recorded::recorded;
use crate::recording::{DRIVE, drive};
use crate::running::{Game, OWN_PAGE, Running, ask, change_settings, packet, settings, soon, until};

/// An options file in a folder; settings are kept beside it.
fn config(folder: &Path) -> String {
    let file = folder.join("config.toml");
    fs::write(&file, "").expect("a file");
    format!("--config={}", file.display())
}

/// A relay whose settings are kept in a folder.
fn keeping_in(folder: &Path, more: &[&str]) -> Running {
    let config = config(folder);
    let options: Vec<&str> = [config.as_str()].into_iter().chain(more.iter().copied()).collect();
    Running::start(settings(&options))
}

async fn read(address: SocketAddr) -> SettingsReport {
    ask(address, "GET", "/settings", &[]).await.json()
}

async fn changed(address: SocketAddr, changes: serde_json::Value) -> SettingsReport {
    let answer = change_settings(address, &changes).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The problems of a refused change, each with its setting.
async fn refused(address: SocketAddr, changes: serde_json::Value) -> Vec<(String, String)> {
    let answer = change_settings(address, &changes).await;
    assert_eq!(answer.status, 422, "{}", answer.text());
    let problems: Vec<Problem> = answer.json();
    problems.into_iter().map(|problem| (problem.setting, problem.words)).collect()
}

#[tokio::test]
async fn the_owners_pages_alone_change_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = keeping_in(folder.path(), &["--lan", "--lan-address=127.0.0.1"]);
    let own = relay.report.http;
    changed(own, json!({ "author": "Ann", "console": "10.0.0.9" })).await;

    let link = relay.report.tablets[0].clone();
    let welcome = ask(link.address, "GET", &format!("/?token={}", link.token), &[]).await;
    let cookie = welcome.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie");
    let origin = format!("http://{}", link.address);
    let headers = [("cookie", cookie), ("origin", origin.as_str()), OWN_PAGE];
    let answer = ask(link.address, "PATCH", "/settings", &headers).await;
    assert_eq!(answer.status, 403);
    assert!(answer.text().contains("Only the computer"), "{}", answer.text());
    let seen: SettingsReport = ask(link.address, "GET", "/settings", &[("cookie", cookie)]).await.json();
    assert!(!seen.owner && seen.texts.keys().eq(["author"]), "{seen:?}");
    assert_eq!(ask(link.address, "GET", "/settings", &[]).await.status, 403, "without the link");
    assert!(read(own).await.owner);
    relay.stop().await;
}

#[tokio::test]
async fn wrong_settings_change_nothing_and_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = keeping_in(folder.path(), &["--keep-days=30"]);
    let own = relay.report.http;
    let found = refused(own, json!({ "author": "Ann", "console": "my ps5", "keep-days": "5" })).await;
    let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["keep-days", "console"]);
    assert!(found[0].1.contains("command line") && found[1].1.contains("no address"), "{found:?}");
    let report = read(own).await;
    assert_eq!(report.fixed, ["keep-days", "record"], "the tests record nothing");
    assert!(!report.texts.contains_key("author"));
    let answer = change_settings(own, &json!(["not", "settings"])).await;
    assert_eq!((answer.status, answer.text().contains("not understood")), (400, true));
    assert!(!folder.path().join("settings.json").exists());
    relay.stop().await;
}

#[tokio::test]
async fn a_forward_gets_packets_at_once_and_a_loop_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = keeping_in(folder.path(), &[]);
    let (own, udp_address) = (relay.report.http, relay.address_of(Feed::F1));
    let (game, one, other) = (Game::start().await, Game::start().await, Game::start().await);
    let found = refused(own, json!({ "forward": format!("f1-2018={udp_address}") })).await;
    assert!(found[0].0 == "forward" && found[0].1.contains("would come back"), "{found:?}");

    let line = |target: &Game| format!("f1-2018={}", target.address());
    changed(own, json!({ "forward": line(&one) })).await;
    game.send(udp_address, &packet(Kind::Motion, 1)).await;
    assert_eq!(one.receive().await, packet(Kind::Motion, 1));
    changed(own, json!({ "forward": format!("{}\n{}", line(&one), line(&other)) })).await;
    game.send(udp_address, &packet(Kind::Motion, 2)).await;
    for target in [&one, &other] {
        assert_eq!(target.receive().await, packet(Kind::Motion, 2));
    }
    let mut browser = relay.browser().await;
    let counts = [2_u64, 1];
    browser.status(|status| status.forwards.iter().map(|row| row.packets).eq(counts)).await;
    changed(own, json!({ "forward": "" })).await;
    browser.status(|status| status.forwards.is_empty()).await;
    relay.stop().await;
}

#[tokio::test]
async fn a_new_port_receives_at_once_and_the_old_one_is_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = keeping_in(folder.path(), &[]);
    let (own, before) = (relay.report.http, relay.address_of(Feed::F1));
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    game.send(before, &packet(Kind::Motion, 1)).await;
    assert_eq!(browser.datagrams(1).await[0].port, before.port());

    let (first, second) = (free_port(), free_port());
    changed(own, json!({ "port.f1-2018": format!("{first}, {second}") })).await;
    for (number, port) in [(2, first), (3, second)] {
        game.send(([127, 0, 0, 1], port).into(), &packet(Kind::Motion, number)).await;
        let received = browser.datagrams(1).await;
        assert_eq!((received[0].port, &received[0].bytes), (port, &packet(Kind::Motion, number)));
    }
    drop(UdpSocket::bind(before).expect("nobody has the old port"));
    // One that stays goes on counting; one that another program has is reported.
    let taken = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let taken_port = taken.local_addr().expect("an address").port();
    changed(own, json!({ "port.f1-2018": format!("{first} {taken_port}") })).await;
    let status = browser.status(|status| status.ports.iter().any(|port| port.port == taken_port)).await;
    let of_game = status.ports.iter().filter(|port| port.feeds.contains(&Feed::F1));
    let states: Vec<(u16, bool, u64)> =
        of_game.map(|port| (port.port, port.state == PortState::Open, port.packets)).collect();
    let mut expected = vec![(first, true, 1), (taken_port, false, 0)];
    expected.sort_unstable();
    assert_eq!(states, expected);
    game.send(([127, 0, 0, 1], first).into(), &packet(Kind::Motion, 4)).await;
    assert_eq!(browser.datagrams(1).await[0].bytes, packet(Kind::Motion, 4));
    relay.stop().await;
}

#[tokio::test]
async fn a_console_is_asked_for_another_packet_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let console = tokio::net::UdpSocket::bind("127.0.0.1:0").await.expect("a socket");
    let there = console.local_addr().expect("an address");
    let options = TalkOptions { letter: Some('A'), address: Some(there), ..TalkOptions::default() };
    let request = TalkRequest { feed: Feed::GranTurismo, options, reach: Reach::Only(vec![(33739, there)]) };
    let ports = vec![PortRequest { port: 0, feeds: vec![Feed::GranTurismo] }];
    let config = config(folder.path());
    let relay = Running::start(Settings { ports, asking: vec![request], ..settings(&[&config]) });
    let mut room = [0; 100];
    let (len, from) = soon(console.recv_from(&mut room)).await.expect("a heartbeat");
    assert_eq!((&room[..len], from), (&[Letter::A.byte()][..], relay.address_of(Feed::GranTurismo)));
    changed(relay.report.http, json!({ "heartbeat": "B" })).await;
    soon(async {
        loop {
            let (len, from) = console.recv_from(&mut room).await.expect("a heartbeat");
            assert_eq!(from, relay.address_of(Feed::GranTurismo), "the same socket");
            if room[..len] == [Letter::B.byte()] {
                break;
            }
        }
    })
    .await;
    relay.stop().await;
}

#[tokio::test]
async fn recording_stops_and_starts_and_limits_count_at_once() {
    let [folder, recordings] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
    let old = recordings.path().join("old.trailbrake.mcap");
    fs::write(&old, recorded(Feed::F1, 5, 10.0)).expect("a file");
    let option = format!("--recordings={}", recordings.path().display());
    let relay = keeping_in(folder.path(), &[&option]);
    let (own, udp_address) = (relay.report.http, relay.address_of(Feed::F1));
    let mut browser = relay.browser().await;
    browser.status(|status| status.recorder.folder.is_some()).await;

    changed(own, json!({ "record": "no" })).await;
    let game = Game::start().await;
    drive(Feed::F1, udp_address, &game, DRIVE).await;
    let status = browser.status(|status| !status.recorder.underway.is_empty()).await;
    assert!(status.recorder.folder.is_none() && status.recorder.underway[0].in_memory, "{status:?}");
    changed(own, json!({ "record": "yes" })).await;
    let game = Game::start().await;
    drive(Feed::F1, udp_address, &game, DRIVE).await;
    let is_recorded =
        |status: &Status| status.recorder.folder.is_some() && !status.recorder.underway.is_empty();
    let status = browser.status(is_recorded).await;
    assert!(!status.recorder.underway[0].in_memory, "{status:?}");

    assert!(old.exists());
    changed(own, json!({ "keep-gb": "0.000000001" })).await;
    until(async || (!old.exists()).then_some(())).await;
    let listing: Listing = ask(own, "GET", "/library", &[]).await.json();
    assert!(listing.recordings.iter().all(|entry| entry.underway), "{listing:?}");
    relay.stop().await;
}

#[tokio::test]
async fn settings_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (port, target) = (free_port(), Game::start().await);
    let changes = json!({
        "author": "Ann",
        "port.f1-2018": port.to_string(),
        "forward": format!("f1-2018={}", target.address()),
    });
    let relay = keeping_in(folder.path(), &[]);
    let before = changed(relay.report.http, changes).await;
    relay.stop().await;

    let config = config(folder.path());
    let mut again = settings(&[&config]);
    again.ports = vec![PortRequest { port, feeds: vec![Feed::F1] }];
    let relay = Running::start(again);
    assert_eq!(read(relay.report.http).await, before);
    Game::start().await.send(relay.address_of(Feed::F1), &packet(Kind::Motion, 7)).await;
    assert_eq!(target.receive().await, packet(Kind::Motion, 7));
    relay.stop().await;
}

#[tokio::test]
async fn a_damaged_file_is_reported_and_kept_until_a_change_sets_it_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("settings.json");
    fs::write(&file, "{ \"version\": 1, ").expect("a file");
    let relay = keeping_in(folder.path(), &[]);
    let own = relay.report.http;
    let warning = read(own).await.warning.expect("a warning");
    assert!(warning.contains("are damaged") && warning.contains("settings.json.broken-1"), "{warning}");
    assert_eq!(relay.report.settings.as_deref(), Some(warning.as_str()), "the terminal says it too");
    assert_eq!(fs::read_to_string(&file).expect("the file"), "{ \"version\": 1, ");
    let report = changed(own, json!({ "author": "Ann" })).await;
    assert_eq!((report.warning, report.texts["author"].as_str()), (None, "Ann"));
    let aside = fs::read_to_string(folder.path().join("settings.json.broken-1")).expect("the old file");
    assert_eq!(aside, "{ \"version\": 1, ");
    relay.stop().await;
}

#[tokio::test]
async fn what_cannot_be_kept_is_not_applied() {
    let folder = tempfile::tempdir().expect("a folder");
    // A folder where the file should be.
    fs::create_dir(folder.path().join("settings.json")).expect("a folder");
    let relay = keeping_in(folder.path(), &[]);
    let answer = change_settings(relay.report.http, &json!({ "author": "Ann" })).await;
    assert_eq!(answer.status, 507, "{}", answer.text());
    assert!(answer.text().contains("can't be read"), "{}", answer.text());
    assert!(!read(relay.report.http).await.texts.contains_key("author"));
    relay.stop().await;
}
