//! Many rigs at once: `cargo xtask team-load`. They send what F1 with 20 cars records, and every byte is in the archive.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use async_nats::{HeaderMap, Request};
use serde_json::Value;
use tokio::task::JoinSet;

use crate::client::{Peer, soon};
use crate::program::{Hub, PATIENCE, servers};

/// How many rigs and for how many seconds, unless `TRAILBRAKE_TEAM_LOAD` says otherwise: `100 600`.
const USUAL: (usize, u64) = (4, 5);
/// What a rig records in a second.
const BYTES: usize = 46_000;
/// What a run that was asked for may take, 99 % of all pieces.
const MOST: Duration = Duration::from_millis(2500);

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
        let file = |rig: usize| hub.path(&format!("library/rig-{rig}/{rig:032x}.trailbrake.mcap.part"));
        Peer::rig(&hub, "rig-0").await.finds_archive("rig-0").await;
        let mut driving = JoinSet::new();
        let (before, begun) = (used(hub.server_id()), Instant::now());
        for rig in 0..rigs {
            driving.spawn(drive(Peer::rig(&hub, &format!("rig-{rig}")).await, rig, seconds, file(rig)));
        }
        let mut took: Vec<Duration> = driving.join_all().await.into_iter().flatten().collect();
        took.sort();
        let share = (used(hub.server_id()) - before) / begun.elapsed().as_secs_f64();
        let late = took[took.len() * 99 / 100];
        println!(
            "{}: {rigs} rigs, {seconds} s: 99 % archived within {late:?}, the slowest within {:?}; the server takes {:.0} % \
             of a core",
            program.display(),
            took.last().expect("one"),
            share * 100.0,
        );
        for rig in 0..rigs {
            let expected: Vec<u8> = (0..seconds).flat_map(|number| second(rig, number)).collect();
            assert!(fs::read(file(rig)).expect("a file") == expected, "rig {rig}");
        }
        assert!(asked.is_none() || late < MOST, "{late:?}");
    }
}
