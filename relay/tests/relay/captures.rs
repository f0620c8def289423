//! Every real capture keeps its bytes, imported from a file and received over the network.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::f1::layout::{Header, YEARS};
use trailbrake_shared::recording::Packet;

use crate::race::{Folder, run};
use crate::recording::{packets, whole};
use crate::running::{Game, Running, settings};

/// Captured files by folder: their feed, and how their packets are separated.
const FOLDERS: &[(&str, Feed, Cut)] = &[
    ("assetto-corsa-ksudp", Feed::AcRemote, Cut::ByName),
    ("assetto-corsa-server", Feed::AcServer, Cut::ByThemselves),
    ("dirt-rally-2", Feed::DirtRally, Cut::ByName),
    ("f1-2018", Feed::F1, Cut::ByName),
    ("f1-2019", Feed::F1, Cut::ByName),
    ("f1-2020", Feed::F1, Cut::ByName),
    ("f1-2021", Feed::F1, Cut::ByName),
    ("f1-2022", Feed::F1, Cut::ByName),
    ("f1-2023", Feed::F1, Cut::ByName),
    ("gran-turismo", Feed::GranTurismo, Cut::ByName),
];

/// How a file's packets are separated.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// The file name gives the packets' size in bytes, `name.264xN.bin`; otherwise the file is one packet.
    ByName,
    /// Each packet's content determines its size.
    ByThemselves,
}

/// A captured file.
struct Capture {
    name: String,
    feed: Feed,
    path: PathBuf,
    /// The command line options that it needs.
    options: Vec<String>,
    packets: Vec<Vec<u8>>,
}

/// The path of a file or folder among the captures.
pub(crate) fn path(name: &str) -> PathBuf {
    let folder = std::env::var_os("TRAILBRAKE_CAPTURES");
    Path::new(&folder.expect("TRAILBRAKE_CAPTURES must name the folder with real captures")).join(name)
}

/// All captures. Compressed ones are unpacked into the folder.
fn captures(unpacked: &Folder) -> Vec<Capture> {
    let mut captures = Vec::new();
    for (folder, feed, cut) in FOLDERS {
        let entries = std::fs::read_dir(path(folder)).expect("a folder of captures");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending != "md"));
        paths.sort();
        assert!(!paths.is_empty(), "{folder}");
        captures.extend(paths.into_iter().map(|path| capture(folder, *feed, *cut, path, unpacked)));
    }
    captures
}

fn capture(folder: &str, feed: Feed, cut: Cut, mut path: PathBuf, unpacked: &Folder) -> Capture {
    let mut bytes = std::fs::read(&path).expect("a file");
    let mut name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
    if let Some(plain) = name.strip_suffix(".gz").map(str::to_owned) {
        let mut all = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut all).expect("gzip");
        (bytes, name, path) = (all, plain.clone(), unpacked.path(&plain));
        std::fs::write(&path, &bytes).expect("a file");
    }
    let size: Option<usize> =
        name.strip_suffix("xN.bin").and_then(|stem| stem.rsplit('.').next()?.parse().ok());
    let mut options: Vec<String> = size.map(|size| format!("--record-size={size}")).into_iter().collect();
    let by_itself = cut == Cut::ByThemselves;
    let size_of = feed.info().codec.filter(|_| by_itself).and_then(|codec| codec.datagram_size);
    if size_of.is_some() {
        options = vec!["--stream".to_owned(), format!("--feed={}", feed.id())];
    }
    let (mut packets, mut rest) = (Vec::new(), bytes.as_slice());
    while !rest.is_empty() {
        let own_size = size_of.map(|size_of| size_of(rest).expect("a packet"));
        let (packet, behind) = rest.split_at(size.or(own_size).unwrap_or(rest.len()));
        packets.push(packet.to_vec());
        rest = behind;
    }
    Capture { name: format!("{folder}/{name}"), feed, path, options, packets }
}

#[test]
#[ignore = "needs captures"]
fn every_capture_becomes_a_recording_of_the_same_bytes() {
    let folder = Folder::new("captures-imported");
    for (nth, capture) in captures(&folder).iter().enumerate() {
        let out = format!("{nth}.trailbrake.mcap");
        let path = capture.path.to_str().expect("a path");
        let mut options: Vec<&str> = capture.options.iter().map(String::as_str).collect();
        options.extend(["-o", &out]);
        run(&folder, "import", path, &options).unwrap_or_else(|error| panic!("{}: {error:#}", capture.name));
        let back = packets(&folder.read(&out));
        assert!(
            back.iter().map(|packet| &packet.bytes).eq(&capture.packets),
            "{}: {} packets of {}",
            capture.name,
            back.len(),
            capture.packets.len()
        );
        let id = capture.feed.id();
        assert!(back.iter().all(|packet| &*packet.feed == id), "{} is another game's", capture.name);
        // And back to the packets of the file.
        let raw = format!("{nth}.bin");
        run(&folder, "export", &out, &["--format=raw", "-o", &raw]).expect("packets");
        assert!(folder.read(&raw) == capture.packets.concat(), "{}", capture.name);
    }
}

/// The packets that one sender sends: a capture, or the single packets of one session, repeated until the recording is
/// long enough to be kept.
struct Sender {
    name: String,
    packets: Vec<Vec<u8>>,
}

/// As many as a relay records of one address with one feed.
const AT_ONE_RELAY: usize = 4;

/// Longer than the shortest recording that is kept.
const SENDING: Duration = Duration::from_millis(8500);

/// Senders for all captures. Single packets of one session share a sender.
fn senders(captures: Vec<Capture>) -> Vec<Sender> {
    let mut singles: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    let mut senders = Vec::new();
    for capture in captures {
        if capture.packets.len() > 1 {
            senders.push(Sender { name: capture.name, packets: capture.packets });
            continue;
        }
        let folder = capture.name.split('/').next().unwrap_or_default().to_owned();
        let session = match capture.feed {
            Feed::F1 => format!("{:?}", f1_session(&capture.packets[0])),
            _ => capture.name.clone(),
        };
        singles.entry(format!("{folder} {session}")).or_default().extend(capture.packets);
    }
    senders.extend(singles.into_iter().map(|(name, packets)| Sender { name, packets }));
    senders
}

/// The session of a packet of F1.
fn f1_session(packet: &[u8]) -> u64 {
    let year = YEARS.find(u16::from_le_bytes([packet[0], packet[1]])).expect("a year");
    Header::of_bytes(packet, year).session_uid
}

/// Sends whole rounds of a sender's packets. Returns what was sent.
async fn send(sender: &Sender, game: &Game, to: SocketAddr) -> Vec<Vec<u8>> {
    let began = Instant::now();
    let mut sent = Vec::new();
    let rounds = if sender.packets.len() > 100 { 1 } else { 300 / sender.packets.len() };
    let pause = SENDING / u32::try_from(rounds * sender.packets.len()).expect("a number");
    for packet in sender.packets.iter().cycle().take(rounds * sender.packets.len()) {
        game.send(to, packet).await;
        sent.push(packet.clone());
        let due = pause * u32::try_from(sent.len()).expect("a number");
        if let Some(early) = due.checked_sub(began.elapsed()).filter(|early| early.as_millis() > 0) {
            tokio::time::sleep(early).await;
        }
    }
    sent
}

#[tokio::test]
#[ignore = "needs captures"]
async fn every_capture_sent_to_a_relay_is_recorded_as_the_same_bytes() {
    let unpacked = Folder::new("captures-sent");
    let folder = tempfile::tempdir().expect("a folder");
    let mut senders = senders(captures(&unpacked)).into_iter().peekable();
    let mut relays = Vec::new();
    let mut sending = Vec::new();
    let mut folders = Vec::new();
    // One relay records only a few programs of one address.
    while senders.peek().is_some() {
        let recorded_to = folder.path().join(relays.len().to_string());
        let recordings = format!("--recordings={}", recorded_to.display());
        folders.push(recorded_to);
        let mut settings = settings(&[&recordings, "--port=f1-2018=0"]);
        // A server's long evening is sent in seconds here, so each of its sessions is very short.
        settings.recording.shortest_s = 0.0;
        let relay = Running::start(settings);
        let to = relay.address_of(Feed::F1);
        relays.push(relay);
        for sender in senders.by_ref().take(AT_ONE_RELAY) {
            sending.push(tokio::spawn(async move {
                let game = Game::start().await;
                let sent = send(&sender, &game, to).await;
                (sender.name, game.address(), sent)
            }));
        }
    }
    let mut all = Vec::new();
    for one in sending {
        all.push(one.await.expect("no panic"));
    }
    for relay in relays {
        relay.stop().await;
    }
    let mut recorded: BTreeMap<SocketAddr, Vec<Packet>> = BTreeMap::new();
    for (_, bytes) in folders.iter().flat_map(|folder| whole(folder)) {
        for packet in packets(&bytes) {
            recorded.entry(packet.sender).or_default().push(packet);
        }
    }
    for (name, sender, sent) in all {
        let mut back = recorded.remove(&sender).unwrap_or_default();
        back.sort_by_key(|packet| packet.at);
        assert!(
            back.iter().map(|packet| &packet.bytes).eq(&sent),
            "{name}: {} packets of {}",
            back.len(),
            sent.len()
        );
        let claimed = feed::recognise(&sent[0]).map_or("unclaimed", |known| known.feed.id());
        assert!(back.iter().all(|packet| &*packet.feed == claimed), "{name} is another game's");
    }
    assert_eq!(recorded.len(), 0, "nobody else sent anything");
}
