//! Many rigs at once: `cargo xtask team-load`. They send what F1 with 20 cars records, and every byte is in the archive.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use async_nats::{HeaderMap, Request};
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::task::JoinSet;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, Datagram, Status, ToBrowser};

use crate::client::{Peer, soon};
use crate::http::address;
use crate::page::{batch, live, next};
use crate::program::{Hub, PATIENCE, servers};

/// How many rigs and for how many seconds, unless `TRAILBRAKE_TEAM_LOAD` says otherwise: `100 600`.
const USUAL: (usize, u64) = (4, 5);
/// What a rig records in a second.
const BYTES: usize = 46_000;
/// What a run that was asked for may take, 99 % of all pieces and of all batches, and the server's share of a core.
const MOST: Duration = Duration::from_millis(2500);
const MOST_LIVE: Duration = Duration::from_millis(150);
const MOST_SHARE: f64 = 0.25;
/// How many rigs somebody watches, what a watched rig sends at once, and how often.
const WATCHED: usize = 10;
const BATCH: usize = 10_250;
const BATCH_EVERY: Duration = Duration::from_millis(50);

/// A rig's second of bytes.
fn second(rig: usize, number: u64) -> Vec<u8> {
    let mut state = (rig as u64) << 32 | number | 1 << 63;
    let next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(BYTES).collect()
}

/// Asks, and reads the answer.
async fn ask(peer: &Peer, subject: &str, request: Request) -> Value {
    let answer = soon("an answer", peer.client.send_request(subject.to_owned(), request)).await;
    serde_json::from_slice(&answer.expect("one").payload).expect("JSON")
}

/// Sends seconds as they pass, and takes the time until each is on the archive's disk.
async fn drive(peer: Peer, rig: usize, seconds: u64, file: PathBuf) -> Vec<Duration> {
    let [subject, question] = ["rec", "have"].map(|kind| format!("tb.{kind}.rig-{rig}.{rig:032x}"));
    let (mut sequence, mut took) = (0_u64, Vec::new());
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    for number in 0..seconds {
        tick.tick().await;
        let begun = Instant::now();
        let (from, to) = (number * BYTES as u64, (number + 1) * BYTES as u64);
        loop {
            let mut headers = HeaderMap::new();
            for (name, value) in [
                ("Tb", "1".to_owned()),
                ("Kind", "data".to_owned()),
                ("From", from.to_string()),
                ("To", to.to_string()),
                ("Nats-Expected-Last-Subject-Sequence", sequence.to_string()),
            ] {
                headers.insert(name, value);
            }
            let request = Request::new().headers(headers).payload(second(rig, number).into());
            let answer = ask(&peer, &subject, request).await;
            sequence = answer["seq"].as_u64().unwrap_or_else(|| panic!("{answer}"));
            if answer["error"].is_null() {
                break;
            }
            // The stream is full, or what was in it has left: the hub says where to go on, as it does to a rig.
            assert!(begun.elapsed() < PATIENCE, "second {number} of rig {rig} is not taken: {answer}");
            let answer = ask(&peer, &question, Request::new()).await;
            sequence = answer["sequence"].as_u64().unwrap_or_else(|| panic!("{answer}"));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        while fs::metadata(&file).map_or(0, |metadata| metadata.len()) < to {
            assert!(begun.elapsed() < PATIENCE, "second {number} of rig {rig} does not arrive");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        took.push(begun.elapsed());
    }
    took
}

/// Reports a rig, and sends batches while the hub asks for them. Each is of the time since `begun` at which it is sent.
async fn show(peer: Peer, rig: usize, begun: Instant) {
    let mut asks =
        soon("a subscription", peer.client.subscribe(format!("tb.ask.rig-{rig}"))).await.expect("one");
    let (mut number, mut is_asked) = (0_u64, false);
    let mut report = tokio::time::interval(Duration::from_secs(5));
    let mut tick = tokio::time::interval(BATCH_EVERY);
    let bytes = second(rig, 0);
    loop {
        let is_batch = tokio::select! {
            _ = report.tick() => {
                let text = r#"{"version":"1","instance":1}"#;
                peer.client.publish(format!("tb.rig.rig-{rig}"), text.into()).await.expect("sent");
                continue;
            }
            Some(_) = asks.next() => false,
            _ = tick.tick(), if is_asked => true,
        };
        is_asked = true;
        let now = Micros(begun.elapsed().as_micros() as u64);
        let datagram = Datagram {
            at: now,
            sender: ([127, 0, 0, 1], 20777).into(),
            port: 20777,
            feed: Some(Feed::F1),
            bytes: &bytes[..BATCH],
        };
        let messages = if is_batch {
            vec![ToBrowser::Batch(vec![datagram])]
        } else {
            // Each question is answered with how things are.
            let hello = ToBrowser::Hello { relay: "1".into(), now, started: Micros(0) };
            vec![hello, ToBrowser::Status(Status::default())]
        };
        for message in messages {
            let mut headers = HeaderMap::new();
            headers.insert("Tb", "1");
            headers.insert("Kind", "page");
            headers.insert("Number", number.to_string());
            number += 1;
            let payload = wire::encode(&message).expect("a message");
            let subject = format!("tb.live.rig-{rig}");
            peer.client.publish_with_headers(subject, headers, payload.into()).await.expect("sent");
        }
    }
}

/// Watches a rig as a page does, and takes the time until each batch is there.
async fn watch(page: String, rig: usize, begun: Instant, seconds: u64) -> Vec<Duration> {
    let mut socket = live(&page, &format!("rig-{rig}")).await;
    let mut took = Vec::new();
    while begun.elapsed() < Duration::from_secs(seconds) {
        for packet in next(&mut socket, batch).await {
            took.push(begun.elapsed().saturating_sub(Duration::from_micros(packet.at.0)));
        }
    }
    took
}

/// The time within which 99 % are there.
fn late(took: &mut [Duration]) -> Duration {
    took.sort();
    took[took.len() * 99 / 100]
}

/// Seconds of a processor that a process has used.
fn used(id: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let ticks: f64 =
        stat.split_whitespace().skip(13).take(2).filter_map(|number| number.parse::<f64>().ok()).sum();
    ticks / 100.0
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn what_many_rigs_send_is_there_once_and_soon() {
    let asked = std::env::var("TRAILBRAKE_TEAM_LOAD").ok();
    let named = asked.as_ref().and_then(|text| text.split_once(' '));
    let named = named.and_then(|(rigs, seconds)| Some((rigs.parse().ok()?, seconds.parse().ok()?)));
    let (rigs, seconds): (usize, u64) = named.unwrap_or(USUAL);
    for program in servers() {
        let mut hub = Hub::new(&[]);
        if asked.is_none() {
            // As in a long run, what the archive has makes room for the rest.
            let text = hub.text("hub.toml");
            let smaller = text.replace("store_bytes = 1000000000", "store_bytes = 400000");
            assert_ne!(smaller, text);
            fs::write(hub.path("hub.toml"), smaller).expect("written");
        }
        for rig in 0..rigs {
            hub.invite(&format!("rig-{rig}"));
        }
        hub.start(&program);
        let mut serve = hub.serve(None);
        serve.says("Archive");
        let page = address(&mut serve);
        let file = |rig: usize| hub.path(&format!("library/rig-{rig}/{rig:032x}.trailbrake.mcap.part"));
        Peer::rig(&hub, "rig-0").await.finds_archive("rig-0").await;
        let mut driving = JoinSet::new();
        let (before, begun) = (used(hub.server_id()), Instant::now());
        for rig in 0..rigs {
            driving.spawn(drive(Peer::rig(&hub, &format!("rig-{rig}")).await, rig, seconds, file(rig)));
        }
        let (mut showing, mut watching) = (JoinSet::new(), JoinSet::new());
        for rig in 0..rigs.min(WATCHED) {
            showing.spawn(show(Peer::rig(&hub, &format!("rig-{rig}")).await, rig, begun));
            watching.spawn(watch(page.clone(), rig, begun, seconds));
        }
        let mut took: Vec<Duration> = driving.join_all().await.into_iter().flatten().collect();
        let mut shown: Vec<Duration> = watching.join_all().await.into_iter().flatten().collect();
        drop(showing);
        let share = (used(hub.server_id()) - before) / begun.elapsed().as_secs_f64();
        let [archived, live] = [&mut took, &mut shown].map(|took| late(took));
        println!(
            "{}: {rigs} rigs, {seconds} s: 99 % archived within {archived:?}, the slowest within {:?}; {} batches, 99 % shown \
             within {live:?}; the server takes {:.0} % of a core",
            program.display(),
            took.last().expect("one"),
            shown.len(),
            share * 100.0,
        );
        for rig in 0..rigs {
            let expected: Vec<u8> = (0..seconds).flat_map(|number| second(rig, number)).collect();
            assert!(fs::read(file(rig)).expect("a file") == expected, "rig {rig}");
        }
        assert!(shown.len() as u64 > seconds, "{} batches", shown.len());
        if asked.is_some() {
            assert!(
                archived < MOST && live < MOST_LIVE && share < MOST_SHARE,
                "{archived:?} {live:?} {share}"
            );
        }
    }
}
