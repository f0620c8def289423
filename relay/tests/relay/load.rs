//! A burst of packets, far more than any game sends: the recorder writes down all that was heard.
//!
//! `cargo xtask load` sends fifty thousand a second and prints what `docs/recordings.md` shows.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Options, Show};
use trailbrake_shared::time::Micros;

use crate::recording::{packets, recording_into, whole};

/// Packets a second, unless `TRAILBRAKE_LOAD` says otherwise.
const RATE: u32 = 8_000;
/// So long they come: what is over sooner than in five seconds is not kept.
const SECONDS: u32 = 6;
/// Packets of a second are sent in so many bursts.
const BURSTS: u32 = 500;

/// So many packets of Gran Turismo's largest kind of stream, as a drive.
fn drive(count: usize) -> Vec<Vec<u8>> {
    // One session that outlasts them all: sixty of these are a second of it, and another session is another file.
    let options =
        Options { cars: 1, player: 0, duration_s: u16::MAX, keep_truth: false, ..Options::default() };
    let mut show = Show::new(Feed::GranTurismo, options, Micros(0)).expect("a feed");
    let (mut all, mut now) = (Vec::new(), Micros(0));
    while all.len() < count {
        now = now.plus_seconds(1.0);
        show.advance(now, &mut |_, bytes| all.push(bytes.to_vec()));
    }
    all.truncate(count);
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recorder_loses_nothing_of_a_burst() {
    let rate = std::env::var("TRAILBRAKE_LOAD").ok().and_then(|rate| rate.parse().ok()).unwrap_or(RATE);
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &["--port=gran-turismo=0"]);
    let to = relay.hears(Feed::GranTurismo);
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
    let mut heard = 0;
    // The socket may lose some on a busy machine, and nobody can help that; what was heard is counted.
    let status = loop {
        let status = browser.status(|_| true).await;
        let now = status.ports.iter().map(|port| port.packets).sum::<u64>();
        if now == heard {
            break status;
        }
        heard = now;
    };
    relay.stop().await;
    let files = whole(folder.path());
    let [(_, bytes)] = &files[..] else { panic!("{} files, and not one", files.len()) };
    let kept = packets(bytes);
    // Before the session, in a menu, only the last moments are kept.
    let first = &kept.first().expect("a packet").bytes;
    let menu = sent.iter().position(|packet| packet == first).expect("it was sent");
    println!(
        "| packets of {largest} bytes a second, for {:.1} s | {:.0} |",
        took.as_secs_f64(),
        sent.len() as f64 / took.as_secs_f64()
    );
    println!(
        "| sent, heard, and kept with {menu} that were no session yet | {}, {heard}, {} |",
        sent.len(),
        menu + kept.len()
    );
    println!("| batches that the recorder lost | {} |", status.recorder.lost_batches);
    assert_eq!(status.recorder.lost_batches, 0);
    assert!(heard as usize >= sent.len() / 2, "{heard} of {}", sent.len());
    assert_eq!((menu + kept.len()) as u64, heard);
}
