//! What goes wrong in a network and on a machine, and what does not come of it. `docs/reliability.md` has the figures.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trailbrake_shared::feed::{FEEDS, Feed};
use trailbrake_shared::games::f1::Kind;
use trailbrake_shared::library::Listing;
use trailbrake_shared::recording::{Info, RecordingId, Writer};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{Datagram, PortStatus};

use crate::library::{path, put};
use crate::noise::Noise;
use crate::recorded::BEGAN;
use crate::recording::{open, packets, recording_into, whole};
use crate::running::{Game, Running, ask, packet, send, settings, soon};

/// How long each port is flooded.
const STORM: Duration = Duration::from_secs(3);
/// How much is driven for the packets that are broken.
const DRIVEN_S: f64 = 5.0;
/// Browsers that connect at the same time, and how often.
const BROWSERS: usize = 50;
const ROUNDS: u8 = 4;
/// What the sockets on the way to a client can hold at most.
const MOST_IN_SOCKETS: usize = 12 << 20;

/// The ports that games send to, each with its feed.
fn flooded(relay: &Running) -> Vec<(u16, Feed)> {
    relay.report.ports.iter().filter_map(|port| Some((port.port, *port.feeds.first()?))).collect()
}

/// A packet of a feed that was damaged in some way, or is nothing but noise.
fn damaged(noise: &mut Noise, good: &[u8]) -> Vec<u8> {
    let mut dice = noise.bytes(8);
    let number = usize::from(dice[1]) << 8 | usize::from(dice[2]);
    let mut bytes = good.to_vec();
    match dice[0] % 4 {
        0 => return noise.bytes(number % 2048),
        1 => bytes.truncate(number % (good.len() + 1)),
        2 => bytes.extend(noise.bytes(number % 64)),
        _ => {
            for flip in dice.drain(3..) {
                let place = (number + usize::from(flip) * 31) % bytes.len().max(1);
                bytes[place] ^= flip;
            }
        }
    }
    bytes
}

/// Sends damaged packets of a feed as fast as the machine can. Returns how many.
fn flood(port: u16, feed: Feed) -> u64 {
    let options = Options { seed: 7, cars: 20, player: 3, ..Options::default() };
    // A game that is asked for its packets sends nothing by itself: its port gets another one's.
    let driven = |feed| Demo::packets(feed, options.clone(), Micros(0), DRIVEN_S);
    let good = driven(feed).or_else(|| driven(Feed::F1)).expect("a simulated game");
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let mut noise = Noise::seeded(u64::from(port));
    let (began, mut sent) = (Instant::now(), 0);
    for (_, bytes) in good.iter().cycle() {
        if began.elapsed() > STORM {
            break;
        }
        // The system's buffer may be full.
        sent += u64::from(socket.send_to(&damaged(&mut noise, bytes), ("127.0.0.1", port)).is_ok());
    }
    sent
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_damaged_packets_on_every_port_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let with_port = FEEDS.iter().filter(|info| !info.ports.is_empty());
    let ports: Vec<String> = with_port.map(|info| format!("--port={}=0", info.feed.id())).collect();
    let record = format!("--recordings={}", folder.path().display());
    let options: Vec<&str> = ports.iter().chain([&record]).map(String::as_str).collect();
    let mut settings = settings(&options);
    settings.recording.shortest_s = 0.0;
    let relay = Running::start(settings);
    let ports = flooded(&relay);
    assert!(ports.len() >= 6, "{ports:?}");
    let mut browser = relay.browser().await;
    let floods = ports.iter().map(|(port, feed)| {
        let (port, feed) = (*port, *feed);
        tokio::task::spawn_blocking(move || flood(port, feed))
    });
    let sent: u64 = join_all(floods).await.into_iter().map(|sent| sent.expect("no panic")).sum();

    // Everything goes on: a good packet arrives, and it is known whose it is.
    let game = Game::start().await;
    let good = packet(Kind::Motion, 7);
    let arrived = soon(async {
        loop {
            game.send(relay.address_of(Feed::F1), &good).await;
            let batch = browser.datagrams(1).await;
            if batch.iter().any(|one| one.sender == game.address()) {
                break batch;
            }
        }
    });
    let batch = arrived.await;
    let own = batch.iter().find(|one| one.sender == game.address()).expect("it arrived");
    assert_eq!((own.feed, &own.bytes), (Some(Feed::F1), &good));
    let status = browser.status(|_| true).await;
    let sum = |count: fn(&PortStatus) -> u64| status.ports.iter().map(count).sum::<u64>();
    let (received, rejected) = (sum(|port| port.packets), sum(|port| port.rejected));
    assert!(received > 0 && rejected > 0 && rejected < received, "{rejected} of {received}");
    assert_eq!((status.recorder.trouble, status.recorder.lost_batches), (None, 0));
    relay.stop().await;

    // What was taken for packets of a game was recorded, and is decoded as the page decodes it.
    let mut recorded = 0;
    for (_, bytes) in whole(folder.path()) {
        let mut receiver = Receiver::default();
        let kept = packets(&bytes);
        recorded += kept.len();
        for packet in &kept {
            let _ = receiver.receive(&packet.datagram());
        }
        open(&bytes).laps();
    }
    println!("| sent | received | rejected | recorded |\n|---|---|---|---|");
    println!("| {sent} | {received} | {rejected} | {recorded} |");
    assert!(recorded > 0);
}

#[tokio::test]
async fn fifty_browsers_that_come_back_at_once_all_receive_again() {
    let relay = Running::usual();
    let address = relay.address_of(Feed::F1);
    let game = Game::start().await;
    let mut slowest = Duration::ZERO;
    for round in 0..ROUNDS {
        let began = Instant::now();
        let mut browsers = join_all((0..BROWSERS).map(|_| relay.browser())).await;
        for browser in &mut browsers {
            browser.status(|_| true).await;
        }
        slowest = slowest.max(began.elapsed());
        game.send(address, &packet(Kind::Motion, round)).await;
        for browser in &mut browsers {
            let batch = browser.datagrams(1).await;
            assert_eq!(batch[0].bytes.last(), Some(&round));
        }
        // All go at once, without a word.
        drop(browsers);
    }
    println!("fifty browsers were in after {:.2} s at most", slowest.as_secs_f64());
    relay.stop().await;
}

/// A recording that is larger than what the sockets on the way can hold, of packets that are hard to compress.
fn long_recording(id: u128) -> Vec<u8> {
    let mut writer = Writer::new(&info(id, None));
    let (mut noise, sender) = (Noise::seeded(7), ([127, 0, 0, 1], 5000).into());
    for number in 0..(MOST_IN_SOCKETS / 1000) as u64 {
        let at = Micros(BEGAN.0 + number * 1_000);
        writer.take(&Datagram { at, sender, port: 20777, feed: None, bytes: &noise.bytes(1200) });
    }
    [writer.bytes(), writer.finish()].concat()
}

fn info(id: u128, parent: Option<u128>) -> Info {
    Info {
        id: RecordingId(id),
        parent: parent.map(RecordingId),
        created: Micros(BEGAN.0 + id as u64),
        feed: "gran-turismo".into(),
        program: "the tests".into(),
        others_left_out: false,
    }
}

#[tokio::test]
async fn a_recording_that_is_deleted_while_it_is_read_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = long_recording(7);
    assert!(bytes.len() > MOST_IN_SOCKETS, "{}", bytes.len());
    put(folder.path(), "one", &bytes);
    let relay = recording_into(folder.path(), &[]);
    let listing: Listing = ask(relay.report.http, "GET", "/library", &[]).await.json();
    assert_eq!(listing.recordings.len(), 1);
    let mut stream = TcpStream::connect(relay.report.http).await.expect("a connection");
    let request = format!(
        "GET {} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        path(7, "/file"),
        relay.report.http
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = vec![0; 600];
    stream.read_exact(&mut answer).await.expect("the beginning");
    let gone = send(relay.report.http, "DELETE", &path(7, ""), b"").await;
    assert_eq!(gone.status, 200, "{}", gone.text());
    soon(stream.read_to_end(&mut answer)).await.expect("the rest");
    let body = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("headers") + 4;
    assert!(answer[body..] == bytes[..], "{} of {} bytes", answer.len() - body, bytes.len());
    assert_eq!(ask(relay.report.http, "GET", &path(7, "/file"), &[]).await.status, 404);
    relay.stop().await;
}

#[tokio::test]
async fn recordings_that_say_they_were_cut_out_of_each_other_are_listed_and_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    for (id, parent) in [(1, 2), (2, 1), (3, 3)] {
        let mut writer = Writer::new(&info(id, Some(parent)));
        put(folder.path(), &id.to_string(), &[writer.bytes(), writer.finish()].concat());
    }
    let relay = recording_into(folder.path(), &[]);
    for (query, count) in
        [("", 3), ("?id=00000000000000000000000000000001", 1), ("?id=00000000000000000000000000000003", 1)]
    {
        let listing: Listing = ask(relay.report.http, "GET", &format!("/library{query}"), &[]).await.json();
        assert_eq!(listing.recordings.len(), count, "{query}");
    }
    for id in 1..=3 {
        assert_eq!(ask(relay.report.http, "GET", &path(id, ""), &[]).await.status, 200);
        let named = send(relay.report.http, "PATCH", &path(id, ""), br#"{"name":"wet"}"#).await;
        assert_eq!(named.status, 200, "{}", named.text());
    }
    relay.stop().await;
}
