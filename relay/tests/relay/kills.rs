//! A kill at any moment costs at most a second, and every file opens.
//!
//! `cargo xtask kills` does it a hundred times and prints what `docs/recordings.md` shows.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::Listing;
use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::sim::{Options, Show};
use trailbrake_shared::time::Micros;

use crate::noise::Noise;
use crate::recording::{open, packets, whole};
use crate::running::{ask, tell};

/// Kills, unless `TRAILBRAKE_KILLS` says otherwise.
const FEW: usize = 4;
/// Programs that run at the same time.
const AT_ONCE: usize = 5;
/// What a kill may cost.
const MOST_LOST: Duration = Duration::from_secs(1);

/// What became of one kill.
struct Outcome {
    /// When it came, counted from the first packet.
    after: Duration,
    sent: usize,
    kept: usize,
    /// From the first packet that is lost to the kill.
    lost: Duration,
    /// Whether a name was given just before, and was in the file.
    named: Option<bool>,
}

/// The program, recording into a folder.
struct Program {
    child: Child,
    http: SocketAddr,
}

impl Program {
    fn start(folder: &Path, f1_port: u16) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
        command.args([
            "--config",
            "/dev/null",
            "--http",
            "127.0.0.1:0",
            "--udp-bind",
            "127.0.0.1",
            "--no-open",
        ]);
        command.arg("--recordings").arg(folder).arg(format!("--port=f1-2018={f1_port}"));
        for row in trailbrake_shared::feed::FEEDS.iter().filter(|row| row.feed != Feed::F12018) {
            if !row.ports.is_empty() {
                command.arg(format!("--port={}=0", row.id));
            }
        }
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, address) = line.split_once("http://")?;
            address.trim_end_matches('/').parse().ok()
        });
        // What it says later is read too, so that nothing holds it up.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Self { child, http: address.expect("the program names its address") }
    }

    fn kill(mut self) {
        // On Unix this is SIGKILL: the program gets no chance to do anything.
        self.child.kill().expect("killed");
        self.child.wait().expect("an end");
    }
}

/// Drives, kills, starts again, and looks at what is left.
async fn kill(seed: u64) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let port = UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
    let program = Program::start(folder.path(), port);
    let chance = Noise::seeded(seed * 7919 + 1).bytes(4);
    let after = Duration::from_millis(6000 + u64::from(u16::from_le_bytes([chance[0], chance[1]])) % 5000);
    let naming = chance[2] < 128;

    let game = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let options = Options { seed, ..Options::default() };
    let mut show = Show::new(Feed::F12018, options, Micros(0)).expect("a feed that is spoken");
    let mut sent: Vec<(Instant, Vec<u8>)> = Vec::new();
    let began = Instant::now();
    let mut naming_now = None;
    while began.elapsed() < after {
        let now = Micros(0).plus_seconds(began.elapsed().as_secs_f64());
        show.advance(now, &mut |_, datagram| {
            game.send_to(datagram, ("127.0.0.1", port)).expect("sent");
            sent.push((Instant::now(), datagram.to_vec()));
        });
        if naming
            && naming_now.is_none()
            && after.saturating_sub(began.elapsed()) < Duration::from_millis(300)
        {
            naming_now = Some(tokio::spawn(name(program.http)));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let killed = Instant::now();
    let was_named = naming_now.as_ref().map(|naming| naming.is_finished());
    program.kill();
    let named = match naming_now {
        Some(naming) if was_named == Some(true) => naming.await.expect("no panic"),
        _ => None,
    };

    let again = Program::start(folder.path(), port);
    let files = loop {
        let files = whole(folder.path());
        if !files.is_empty() || killed.elapsed() > Duration::from_secs(30) {
            break files;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    again.kill();
    let [(name, bytes)] = &files[..] else { panic!("{} files after a kill at {after:?}", files.len()) };
    let back = packets(bytes);
    assert!(back.iter().map(|packet| &packet.bytes).eq(sent.iter().map(|(_, bytes)| bytes).take(back.len())));
    let labels: Option<Labels> = open(bytes).facts().get().expect("labels");
    let named = named.map(|wished| labels.and_then(|labels| labels.name) == Some(wished));
    assert!(
        open(bytes).facts().get::<trailbrake_shared::recording::LapTable>().expect("laps").is_some(),
        "{name}"
    );
    let lost = sent.get(back.len()).map_or(Duration::ZERO, |(at, _)| killed - *at);
    Outcome { after, sent: sent.len(), kept: back.len(), lost, named }
}

/// Gives the recording under way a name; which, once the program has said that it is done.
async fn name(http: SocketAddr) -> Option<String> {
    let listing: Listing = ask(http, "GET", "/library", &[]).await.json();
    let id = listing.recordings.first()?.id?;
    let answer = tell(http, "PATCH", &format!("/library/{id}"), br#"{"name":"just in time"}"#).await;
    (answer.status == 200).then(|| "just in time".to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_costs_at_most_a_second_and_every_file_opens() {
    let kills = std::env::var("TRAILBRAKE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(FEW);
    let mut outcomes = Vec::new();
    let seeds: Vec<u64> = (1..=kills as u64).collect();
    for some in seeds.chunks(AT_ONCE) {
        let running: Vec<_> = some.iter().map(|seed| tokio::spawn(kill(*seed))).collect();
        for one in running {
            outcomes.push(one.await.expect("a recording that opens"));
        }
    }
    let lost: Vec<Duration> = {
        let mut lost: Vec<Duration> = outcomes.iter().map(|outcome| outcome.lost).collect();
        lost.sort();
        lost
    };
    let named = outcomes.iter().filter_map(|outcome| outcome.named);
    let (given, found) = (named.clone().count(), named.filter(|found| *found).count());
    let (first, last) =
        (outcomes.iter().map(|one| one.after).min(), outcomes.iter().map(|one| one.after).max());
    let packets: usize = outcomes.iter().map(|outcome| outcome.sent).sum();
    let kept: usize = outcomes.iter().map(|outcome| outcome.kept).sum();
    println!("| kills | {} |", outcomes.len());
    println!(
        "| they came, seconds after the first packet | {:.1} to {:.1} |",
        first.unwrap_or_default().as_secs_f64(),
        last.unwrap_or_default().as_secs_f64()
    );
    println!("| files that opened, with all that was written | {} |", outcomes.len());
    println!("| packets sent, and kept | {packets}, {kept} |");
    println!(
        "| lost, milliseconds: the least, the middle one, the most | {}, {}, {} |",
        lost[0].as_millis(),
        lost[lost.len() / 2].as_millis(),
        lost[lost.len() - 1].as_millis()
    );
    println!("| names given in the last 0.3 s and confirmed, and found again | {given}, {found} |");
    assert!(lost[lost.len() - 1] <= MOST_LOST, "{lost:?}");
    assert_eq!(given, found);
}
