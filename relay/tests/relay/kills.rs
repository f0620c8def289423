//! A kill at any moment costs at most a second, and every file opens.
//!
//! `cargo xtask kills` runs a hundred kills and prints the table of `docs/recordings.md`.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use trailbrake_isolation::free_port;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::Listing;
use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::recorder::{Action, Policy};
use trailbrake_shared::recording::{LapTable, Packet, Recorder, RecordingId};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::library::{path, put, recording};
use crate::noise::Noise;
use crate::recorded::BEGAN;
use crate::recording::{open, packets, whole};
use crate::running::{ask, send, soon};

/// The number of kills, unless `TRAILBRAKE_KILLS` names another.
const FEW: usize = 6;
/// How many programs run at the same time.
const AT_ONCE: usize = 5;
/// The most that a kill may cost.
const MOST_LOST: Duration = Duration::from_secs(1);
/// How long Gran Turismo runs before it may be killed: it begins in a menu.
const MENU: Duration = Duration::from_secs(4);
/// The latest kill after that.
const LONGEST: Duration = Duration::from_secs(12);
/// Shorter recordings are not kept. The margin covers the unknown moment of the program's first packet.
const KEPT: Duration = Duration::from_millis(5300);

/// What is driven until the kill: games that name their sessions, and games that do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Drive {
    F1,
    GranTurismo,
    /// Gran Turismo, restarted in the last seconds: the packets don't say whether it is the same session.
    Restart,
}

/// The result of one kill.
struct Outcome {
    drive: Drive,
    /// When it came, from the first packet on.
    after: Duration,
    sent: usize,
    kept: usize,
    /// From the first lost packet to the kill; `None` if nothing had to be kept yet.
    lost: Option<Duration>,
    /// Whether a name or note confirmed just before the kill was in the file. `None` if none was.
    given: Option<bool>,
}

fn kills() -> usize {
    std::env::var("TRAILBRAKE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(FEW)
}

/// Runs a task once per kill, several at a time.
async fn each<T, F>(what: impl Fn(u64) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut outcomes = Vec::new();
    let seeds: Vec<u64> = (1..=kills() as u64).collect();
    for some in seeds.chunks(AT_ONCE) {
        let running: Vec<_> = some.iter().map(|seed| tokio::spawn(what(*seed))).collect();
        for one in running {
            outcomes.push(one.await.expect("a recording that opens"));
        }
    }
    outcomes
}

/// The program, recording into a folder.
struct Program {
    child: Child,
    http: SocketAddr,
}

impl Program {
    fn start(folder: &Path, feed: Feed, port: u16) -> Self {
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
        command.arg("--recordings").arg(folder).arg(format!("--port={}={port}", feed.id()));
        for row in trailbrake_shared::feed::FEEDS.iter().filter(|row| row.feed != feed) {
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
        // The rest of the output is read too, so that a full pipe never blocks the program.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Self { child, http: address.expect("the program names its address") }
    }

    fn kill(self) {
        drop(self);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // On Unix this is SIGKILL, which the program can't handle.
        self.child.kill().expect("killed");
        self.child.wait().expect("an end");
    }
}

/// The packets sent, each with its time.
type TimedPackets = Vec<(Instant, Vec<u8>)>;

/// The index of the first packet that an undisturbed recorder would keep: a file begins with a session.
fn first_kept(feed: Feed, sent: &TimedPackets) -> Option<usize> {
    let mut recorder = Recorder::new(Policy::default(), "the tests", Box::new(|| RecordingId(1)));
    let (began, _) = sent.first()?;
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    let mut opened = None;
    let mut since = None;
    for (number, (at, bytes)) in sent.iter().enumerate() {
        let at = Micros(0).plus_seconds((*at - *began).as_secs_f64());
        recorder.receive(&Datagram { at, sender, port: 20777, feed: Some(feed), bytes });
        for action in recorder.actions() {
            match action {
                // The file begins with the last moments before the session.
                Action::Open { .. } => opened = Some(number),
                Action::Keep { .. } => since = since.or(opened),
                Action::Discard { .. } | Action::Append { .. } | Action::Close { .. } => {}
            }
        }
    }
    since
}

/// All packets in a folder's files, ordered by time.
fn all_packets(folder: &Path) -> Vec<Packet> {
    let mut all: Vec<Packet> = whole(folder).iter().flat_map(|(_, bytes)| packets(bytes)).collect();
    all.sort_by_key(|packet| packet.at);
    all
}

/// Waits until the files that a kill left are repaired.
async fn repaired(folder: &Path) {
    let broken = || {
        let names = std::fs::read_dir(folder).expect("the folder").flatten().map(|file| file.file_name());
        names
            .filter_map(|name| name.into_string().ok())
            .any(|name| name.ends_with(".part") || name.ends_with(".journal"))
    };
    soon(async {
        while broken() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}

/// Drives, kills the program, starts it again, and checks what is left.
async fn kill(seed: u64) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let drive = [Drive::F1, Drive::GranTurismo, Drive::Restart][seed as usize % 3];
    let feed = if drive == Drive::F1 { Feed::F1 } else { Feed::GranTurismo };
    let port = free_port();
    let program = Program::start(folder.path(), feed, port);
    let chance = Noise::seeded(seed * 7919 + 1).bytes(6);
    let up_to =
        |most: Duration, low: u8, high: u8| most * u32::from(u16::from_le_bytes([low, high])) / 65_536;
    let random = up_to(LONGEST, chance[0], chance[1]);
    let after = match drive {
        Drive::F1 => random,
        Drive::GranTurismo => MENU + random,
        Drive::Restart => 3 * MENU + random / 2,
    };
    // After the restart and its menu, the car drives for four seconds at most.
    let restart = (drive == Drive::Restart).then(|| after - MENU - up_to(MENU, chance[4], chance[5]));
    let giving = chance[2] < 128;

    let game = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let options = Options { seed, ..Options::default() };
    let show = || Demo::new(feed, options.clone(), Micros(0)).expect("a feed that is spoken");
    let (mut driven, mut restart_due) = (show(), restart);
    let mut sent: TimedPackets = Vec::new();
    let began = Instant::now();
    let (mut drives_since, mut giving_now) = (began, None);
    while began.elapsed() < after {
        if restart_due.take_if(|at| began.elapsed() >= *at).is_some() {
            (driven, drives_since) = (show(), Instant::now());
        }
        let now = Micros(0).plus_seconds(drives_since.elapsed().as_secs_f64());
        driven.advance(now, &mut |_, datagram| {
            game.send_to(datagram, ("127.0.0.1", port)).expect("sent");
            sent.push((Instant::now(), datagram.to_vec()));
        });
        let left = after.saturating_sub(began.elapsed());
        if giving && giving_now.is_none() && left < Duration::from_millis(300) {
            giving_now = Some(tokio::spawn(give(program.http, seed)));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let killed = Instant::now();
    let was_given = giving_now.as_ref().map(|giving| giving.is_finished());
    program.kill();
    let given = match giving_now {
        Some(giving) if was_given == Some(true) => giving.await.expect("no panic"),
        _ => None,
    };

    let again = Program::start(folder.path(), feed, port);
    repaired(folder.path()).await;
    again.kill();
    let back = all_packets(folder.path());
    let bytes: Vec<&[u8]> = back.iter().map(|packet| packet.bytes.as_slice()).collect();
    let first = back.first().and_then(|first| sent.iter().position(|(_, bytes)| *bytes == first.bytes));
    let begins = first.or_else(|| first_kept(feed, &sent));
    let lost = begins.and_then(|begins| {
        let (from, _) = sent.get(begins)?;
        let kept = sent[begins..].iter().map(|(_, bytes)| bytes.as_slice()).take(bytes.len());
        assert!(kept.eq(bytes.iter().copied()), "{drive:?}, killed after {after:?}: other packets");
        let may_be_short = killed - *from < KEPT && back.is_empty();
        let lost = sent.get(begins + bytes.len()).map_or(Duration::ZERO, |(at, _)| killed - *at);
        (!may_be_short).then_some(lost)
    });
    let texts = whole(folder.path()).iter().flat_map(|(_, bytes)| texts(bytes)).collect::<Vec<_>>();
    let given = given.map(|wished| texts.contains(&wished));
    Outcome { drive, after, sent: sent.len() - begins.unwrap_or(sent.len()), kept: back.len(), lost, given }
}

/// A recording's name and notes. Also checks that it has a lap table.
fn texts(bytes: &[u8]) -> Vec<String> {
    let recording = open(bytes);
    let laps = recording.facts().get::<LapTable>().expect("a fact");
    assert!(laps.is_some());
    let labels: Option<Labels> = recording.facts().get().expect("labels");
    let name = labels.and_then(|labels| labels.name);
    name.into_iter().chain(notes(recording.facts()).into_iter().map(|note| note.text)).collect()
}

/// Gives the recording under way a name or a note. Returns the text if the program confirmed it.
async fn give(http: SocketAddr, seed: u64) -> Option<String> {
    let listing: Listing = ask(http, "GET", "/library", &[]).await.json();
    let entry = listing.recordings.into_iter().find(|entry| entry.underway)?;
    let path = format!("/library/{}", entry.id?);
    let answer = if seed.is_multiple_of(2) {
        send(http, "PATCH", &path, br#"{"name":"just in time"}"#).await
    } else {
        let note = json!({ "at": entry.created, "author": "Ann", "text": "just in time" }).to_string();
        send(http, "POST", &format!("{path}/notes"), note.as_bytes()).await
    };
    (answer.status == 200).then(|| "just in time".to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_costs_at_most_a_second_and_every_file_opens() {
    let mut outcomes = each(kill).await;
    outcomes.sort_by_key(|one| (one.drive, one.after));
    println!(
        "| driven | kills | s after the first packet | packets sent, and kept | lost, ms: least, middle, most | names and notes confirmed, and found again |"
    );
    println!("|---|---|---|---|---|---|");
    let mut most = Duration::ZERO;
    for of_one in outcomes.chunk_by(|one, next| one.drive == next.drive) {
        let (Some(first), Some(last)) = (of_one.first(), of_one.last()) else { continue };
        let mut lost: Vec<Duration> = of_one.iter().filter_map(|one| one.lost).collect();
        lost.sort();
        let at = |place: usize| lost.get(place).copied().unwrap_or_default();
        let given = of_one.iter().filter_map(|one| one.given);
        let (given, found) = (given.clone().count(), given.filter(|found| *found).count());
        println!(
            "| {:?} | {} | {:.1} to {:.1} | {}, {} | {}, {}, {} | {given}, {found} |",
            first.drive,
            of_one.len(),
            first.after.as_secs_f64(),
            last.after.as_secs_f64(),
            of_one.iter().map(|one| one.sent).sum::<usize>(),
            of_one.iter().map(|one| one.kept).sum::<usize>(),
            at(0).as_millis(),
            at(lost.len() / 2).as_millis(),
            at(lost.len().saturating_sub(1)).as_millis(),
        );
        assert_eq!(given, found);
        most = most.max(at(lost.len().saturating_sub(1)));
    }
    assert!(most <= MOST_LOST, "{most:?} are lost to a kill");
}

/// Writes notes into a finished recording, one after the other, until a kill interrupts one. Returns how many were
/// confirmed, and how many of these were found.
async fn kill_while_noting(seed: u64) -> (usize, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let before = recording(seed.into(), 6.0);
    put(folder.path(), "whole", &before);
    let program = Program::start(folder.path(), Feed::F1, free_port());
    let (http, notes) = (program.http, path(seed.into(), "/notes"));
    let began = BEGAN.plus_seconds(seed as f64);
    let (sender, confirmed) = std::sync::mpsc::channel();
    let noting = tokio::spawn(async move {
        for number in 0..1000 {
            let text = format!("note {number}");
            let note = json!({ "at": began.0 + number, "author": "Ann", "text": text }).to_string();
            let written = send(http, "POST", &notes, note.as_bytes()).await;
            assert_eq!(written.status, 200, "{}", written.text());
            sender.send(text).expect("somebody counts");
        }
    });
    let chance = Noise::seeded(seed * 104_729 + 1).bytes(2);
    tokio::time::sleep(Duration::from_millis(
        100 + u64::from(u16::from_le_bytes([chance[0], chance[1]])) % 900,
    ))
    .await;
    let noted: Vec<String> = confirmed.try_iter().collect();
    // A request under way continues without a client that waits for the response.
    noting.abort();
    program.kill();
    let again = Program::start(folder.path(), Feed::F1, free_port());
    repaired(folder.path()).await;
    again.kill();
    let [(_, after)] = &whole(folder.path())[..] else { panic!("one recording") };
    assert_eq!(packets(after), packets(&before));
    let kept: Vec<String> = trailbrake_shared::recording::notes::notes(open(after).facts())
        .into_iter()
        .map(|note| note.text)
        .collect();
    (noted.len(), noted.iter().filter(|text| kept.contains(text)).count())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_notes_are_written_loses_neither_them_nor_the_recording() {
    let outcomes = each(kill_while_noting).await;
    let (confirmed, found): (Vec<usize>, Vec<usize>) = outcomes.into_iter().unzip();
    let (confirmed, found): (usize, usize) = (confirmed.iter().sum(), found.iter().sum());
    println!("| kills in the middle of a note to a finished recording | {} |", kills());
    println!("| notes confirmed before, and found again | {confirmed}, {found} |");
    assert!(confirmed > 0);
    assert_eq!(confirmed, found);
}
