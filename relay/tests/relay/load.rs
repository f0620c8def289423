//! A burst of packets, far more than any game sends: the recorder writes every packet that was received.
//!
//! `cargo xtask load` sends fifty thousand a second and prints the table of `docs/recordings.md`.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

use crate::recording::{packets, recording_into, whole};

/// Packets per second, unless `TRAILBRAKE_LOAD` names another rate.
const RATE: u32 = 8_000;
/// How long packets are sent: recordings shorter than five seconds are not kept.
const SECONDS: u32 = 6;
/// Bursts per second.
const BURSTS: u32 = 500;

/// A drive of `count` packets of Gran Turismo's largest kind.
fn drive(count: usize) -> Vec<Vec<u8>> {
    // One session must outlast the packets, of which sixty make a second: another session would be another file.
    let options =
        Options { cars: 1, player: 0, duration_s: u16::MAX, keep_truth: false, ..Options::default() };
    let mut demo = Demo::new(Feed::GranTurismo, options, Micros(0)).expect("a feed");
    let (mut all, mut now) = (Vec::new(), Micros(0));
    while all.len() < count {
        now = now.plus_seconds(1.0);
        demo.advance(now, &mut |_, bytes| all.push(bytes.to_vec()));
    }
    all.truncate(count);
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recorder_loses_nothing_of_a_burst() {
    let rate = std::env::var("TRAILBRAKE_LOAD").ok().and_then(|rate| rate.parse().ok()).unwrap_or(RATE);
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &["--port=gran-turismo=0"]);
    let to = relay.address_of(Feed::GranTurismo);
    let all = drive((rate * SECONDS) as usize);
    let largest = all.iter().map(Vec::len).max().unwrap_or_default();
    let began = Instant::now();
    let sent = tokio::task::spawn_blocking(move || {
        let game = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        for (number, burst) in (0..).zip(all.chunks((rate / BURSTS) as usize)) {
            let due = Duration::from_secs(1) * number / BURSTS;
            std::thread::sleep(due.saturating_sub(began.elapsed()));
            for packet in burst {
                game.send_to(packet, to).expect("sent");
            }
        }
        (all, began.elapsed())
    });
    let (sent, took) = sent.await.expect("sent");
    let mut browser = relay.browser().await;
    let mut received = 0;
    // A busy machine's socket may drop some, which the relay can't prevent. Only received packets count.
    let status = loop {
        let status = browser.status(|_| true).await;
        let now = status.ports.iter().map(|port| port.packets).sum::<u64>();
        if now == received {
            break status;
        }
        received = now;
    };
    relay.stop().await;
    let files = whole(folder.path());
    let [(_, bytes)] = &files[..] else { panic!("{} files, and not one", files.len()) };
    let kept = packets(bytes);
    // Of the menu before the session, only the last moments are kept.
    let first = &kept.first().expect("a packet").bytes;
    let menu = sent.iter().position(|packet| packet == first).expect("it was sent");
    println!(
        "| packets of {largest} bytes a second, for {:.1} s | {:.0} |",
        took.as_secs_f64(),
        sent.len() as f64 / took.as_secs_f64()
    );
    println!(
        "| sent, received, and kept with {menu} that were no session yet | {}, {received}, {} |",
        sent.len(),
        menu + kept.len()
    );
    println!("| batches that the recorder lost | {} |", status.recorder.lost_batches);
    assert_eq!(status.recorder.lost_batches, 0);
    assert!(received as usize >= sent.len() / 2, "{received} of {}", sent.len());
    assert_eq!((menu + kept.len()) as u64, received);
}
