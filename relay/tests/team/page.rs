//! The hub's page: the overview, a rig's library, and joining a rig late.

use std::path::PathBuf;

use futures_util::StreamExt as _;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use trailbrake_shared::library::Listing;
use trailbrake_shared::recording::{Opening, Packet, read_whole};
use trailbrake_shared::wire::{self, RigState, TeamRig, ToBrowser};

use crate::archive::{archived, is_equal, rig};
use crate::client::{Peer, soon};
use crate::http::{address, ask, get};
use crate::program::{Hub, servers, until};
use crate::rig::finished;

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

fn rigs(address: &str) -> Vec<TeamRig> {
    serde_json::from_slice(&get(address, "/team/rigs").body).expect("rigs")
}

fn listing(address: &str, path: &str) -> Listing {
    serde_json::from_slice(&get(address, path).body).expect("a list")
}

pub(crate) async fn live(address: &str, rig: &str) -> Socket {
    let url = format!("ws://{address}/rig/{rig}/live");
    soon("a connection", connect_async(url)).await.expect("a connection").0
}

/// The next message, read by a function.
pub(crate) async fn next<T>(socket: &mut Socket, mut read: impl FnMut(ToBrowser<'_>) -> Option<T>) -> T {
    soon("a message", async {
        loop {
            let message = socket.next().await.expect("a message").expect("a message");
            if let Message::Binary(bytes) = message
                && let Some(found) = read(wire::decode(&bytes).expect("a message"))
            {
                return found;
            }
        }
    })
    .await
}

fn packets(bytes: &[u8]) -> Vec<Packet> {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    let mut packets = opening.finish().expect("a recording").all_packets();
    read_whole(&mut packets, bytes);
    packets.take()
}

/// The packets of a batch.
pub(crate) fn batch(message: ToBrowser<'_>) -> Option<Vec<Packet>> {
    let ToBrowser::Batch(datagrams) = message else { return None };
    Some(datagrams.iter().map(|datagram| Packet::of(datagram, 0)).collect())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn a_page_at_the_hub_sees_a_rig_as_its_own_page_does_and_joins_it_late() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    rig(&hub, "bob");
    hub.start(&server);
    let mut serving = hub.serve(None);
    let page = address(&mut serving);
    let running = anna.start();

    let first = String::from_utf8(get(&page, "/").body).expect("text");
    assert!(first.contains(r#"<meta name="trailbrake-team" content="hub">"#), "{first}");
    let shown = until(|| rigs(&page).into_iter().find(|one| one.records && one.drive.lap.is_some()));
    assert_eq!((shown.name.as_str(), shown.drive.feed.as_deref()), ("anna", Some("f1")));
    assert!(shown.drive.sends && shown.drive.driver.is_some() && shown.help.is_none(), "{shown:?}");
    let names: Vec<_> = rigs(&page).into_iter().map(|one| (one.name, one.state)).collect();
    assert_eq!(names[1], ("bob".to_owned(), RigState::Offline));

    // Live first, then the recording so far: nothing is missing between them.
    let mut socket = live(&page, "anna").await;
    let greeted = next(&mut socket, |message| matches!(message, ToBrowser::Hello { .. }).then_some(()));
    greeted.await;
    let mut received = next(&mut socket, batch).await;
    let listed = until(|| listing(&page, "/rig/anna/library").recordings.pop());
    assert!(
        listed.underway && listed.track == shown.drive.track && listed.driver == shown.drive.driver,
        "{listed:?}"
    );
    let id = listed.id.expect("an id");
    let tail = get(&page, &format!("/rig/anna/library/{id}/tail"));
    assert_eq!(tail.status, 200, "{}", tail.head);
    let (_, range) = tail.head.split_once("content-range: bytes ").expect("a range");
    let len: u64 = range.split('-').next().and_then(|len| len.parse().ok()).expect("a length");
    let part = format!("Range: bytes=0-{}\r\n", len - 1);
    let mut file = ask(&page, "GET", &format!("/rig/anna/library/{id}/file"), &part).body;
    assert_eq!(file.len() as u64, len);
    file.extend(tail.body);
    let so_far = packets(&file);
    let last = so_far.last().expect("packets").at;
    while received.last().is_none_or(|packet| packet.at <= last) {
        received.extend(next(&mut socket, batch).await);
    }

    // What is wrong harms nobody.
    let peer = Peer::rig(&hub, "anna").await;
    for nonsense in ["", "\u{b}nonsense", "{}"] {
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("Tb", "1");
        headers.insert("Kind", "page");
        peer.client.publish_with_headers("tb.live.anna", headers, nonsense.into()).await.expect("sent");
        peer.client.publish("tb.live.anna", nonsense.into()).await.expect("sent");
        peer.client.publish("tb.rig.anna", nonsense.into()).await.expect("sent");
    }
    received.extend(next(&mut socket, batch).await);

    // A rig that is away says so, and what can't be changed here, too.
    let mut away = live(&page, "bob").await;
    let reason = soon("a reason", async {
        loop {
            if let Some(Ok(Message::Close(Some(frame)))) = away.next().await {
                return frame.reason.to_string();
            }
        }
    });
    assert_eq!(reason.await, "bob is offline");
    for (method, path, status, words) in [
        ("GET", "/rig/cleo/library", 404, "no such rig"),
        ("GET", "/rig/..%2fanna/library", 404, "no such rig"),
        ("POST", "/rig/anna/library?name=x", 409, "changed on the rig itself"),
        ("DELETE", &format!("/rig/anna/library/{id}"), 409, "changed on the rig itself"),
        ("POST", &format!("/rig/anna/library/{id}/notes"), 409, "once it has ended"),
        ("PATCH", "/rig/anna/settings", 409, "changed on the rig itself"),
        ("POST", "/team/rigs", 405, ""),
        ("POST", "/", 405, ""),
    ] {
        let answer = ask(&page, method, path, "");
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, status, "{method} {path}: {body}");
        assert!(body.contains(words), "{method} {path}: {body}");
    }

    drop(socket);
    running.stop();
    is_equal(&hub, "anna", &anna, 1);
    // Each packet once, recorded or live.
    let whole = packets(&finished(&anna.library).remove(0).bytes);
    let end = received.last().expect("packets").at;
    let first_live = received.first().expect("packets").at;
    assert!(first_live <= last, "the recording reaches past the first live packet");
    let expected = whole.iter().filter(|packet| packet.at < end);
    let seen = so_far.iter().chain(received.iter().filter(|packet| packet.at > last));
    let contents = |packet: &Packet| (packet.at, packet.bytes.clone());
    let seen: Vec<_> = seen.filter(|packet| packet.at < end).map(contents).collect();
    assert!(expected.map(contents).eq(seen), "something is missing or there twice");
    let path: PathBuf = archived(&hub, "anna");
    let after = listing(&page, "/rig/anna/library").recordings;
    assert!(after.len() == 1 && !after[0].underway && path.join(&after[0].file).exists(), "{after:?}");
    serving.stop();
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn rigs_in_one_lobby_have_a_gap() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let both = [rig(&hub, "anna"), rig(&hub, "bob")];
    hub.start(&server);
    let mut serving = hub.serve(None);
    let page = address(&mut serving);
    let anna = both[0].start();
    until(|| rigs(&page).iter().any(|one| one.drive.position.is_some()).then_some(()));
    assert!(rigs(&page).iter().all(|one| one.gap.is_none()), "one rig alone");
    // The same race, as its game sends it to another rig.
    let bob = both[1].start();
    until(|| rigs(&page).iter().all(|one| one.gap.is_some()).then_some(()));
    anna.stop();
    bob.stop();
}

#[test]
fn the_page_is_open_to_others_only_where_that_is_asked_for() {
    let hub = Hub::new(&[]);
    for (more, words) in [
        ("--http=192.0.2.1:0", "would not be encrypted: name a certificate"),
        ("--http=0.0.0.0:0", "needs one of this machine's addresses"),
    ] {
        let error = crate::program::error_of(&["team", "serve", &hub.dir(), more]);
        assert!(error.contains(words), "{error}");
    }
}
