//! Laps whose numbers nobody drove: from packets through a recording into the laps, the advice, reports and exports.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::ffi::OsString;
use std::fs;
use std::io::sink;
use std::path::Path;
use std::sync::LazyLock;

use clap::Parser as _;
use trailbrake_relay::commands::CommandLine;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::recorder::{Action, Policy};
use trailbrake_shared::recording::{Recorder, RecordingId};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::own_folder;

const BEGAN: Micros = Micros(1_795_271_520_000_000);
/// Several laps, or runs over a stage.
const SECONDS: f64 = 420.0;
/// A tenth of the game's frames: what counts is what the numbers are, not how many there are.
const FRAMES: usize = 10;
/// Each game whose packets are neither encrypted nor sealed, with a session of it.
static SESSIONS: LazyLock<[Session; 2]> =
    LazyLock::new(|| [Feed::F1, Feed::DirtRally].map(|feed| Session { feed, packets: simulated(feed) }));

struct Session {
    feed: Feed,
    packets: Vec<(Micros, Vec<u8>)>,
}

/// The first byte selects the game and the command. Eight bytes each then change a stretch of its packets: the first packet
/// in hundreds and how many in tens, the place in the packet in units of four bytes, and the number to write there. Laps as
/// they were driven are given to every command.
pub fn hostile_laps(bytes: &[u8]) {
    let Some((choice, mut rest)) = bytes.split_first() else { return };
    let Some(Session { feed, packets }) = SESSIONS.get(usize::from(choice & 1)) else { return };
    let mut packets = packets.clone();
    let is_as_driven = rest.len() < 8;
    let chosen = usize::from(choice >> 1);
    while let Some(([first, many, place_low, place_high, number @ ..], following)) =
        rest.split_first_chunk::<8>()
    {
        let place = usize::from(u16::from_le_bytes([*place_low, *place_high])) * 4;
        let changed = packets.iter_mut().skip(usize::from(*first) * 100).take(usize::from(*many) * 10);
        for (_, packet) in changed {
            // The header stays: what it belongs to is not in question here.
            let Some(room) = packet.get_mut(place + 24..place + 28) else { continue };
            room.copy_from_slice(number);
        }
        rest = following;
    }
    let folder = own_folder("laps");
    let file = folder.join("laps.trailbrake.mcap");
    fs::write(&file, recorded(*feed, &packets)).expect("a file");
    let out = |name: &str| folder.join(name);
    let commands: [(&str, &[&str], Option<&Path>); 8] = [
        ("laps", &["--json"], None),
        ("analyse", &["--json"], None),
        ("analyse", &[], None),
        ("compare", &["--lap", "best"], None),
        ("compare", &["--lap", "best", "--json"], None),
        ("report", &["--lap", "best", "--out"], Some(&out("report.svg"))),
        ("export", &["--format", "csv", "--out"], Some(&out("laps.csv"))),
        ("export", &["--format", "motec", "--out"], Some(&out("lap.ld"))),
    ];
    let asked = commands.iter().enumerate().filter(|(at, _)| is_as_driven || *at == chosen % commands.len());
    for (_, (command, arguments, out)) in asked {
        if let Some(out) = out {
            let _ = fs::remove_file(out);
        }
        let words = ["trailbrake", *command].map(OsString::from).into_iter().chain([file.clone().into()]);
        let words = words.chain(arguments.iter().map(OsString::from)).chain(out.map(OsString::from));
        let line = CommandLine::try_parse_from(words).expect("a command line");
        // What can't be done is said in words; with the laps as they were driven, everything can.
        if let Err(error) = line.command.expect("a command").run(sink(), sink()) {
            assert!(!error.to_string().is_empty() && !is_as_driven, "{error:#}");
        }
    }
}

fn simulated(feed: Feed) -> Vec<(Micros, Vec<u8>)> {
    let options = Options { cars: 1, player: 0, keep_truth: false, ..Options::default() };
    let packets = Demo::packets(feed, options, BEGAN, SECONDS).expect("a feed that is spoken");
    let frames = packets.chunk_by(|(one, _), (next, _)| one == next);
    frames.step_by(FRAMES).flatten().cloned().collect()
}

/// The first recording that is made of these packets.
fn recorded(feed: Feed, packets: &[(Micros, Vec<u8>)]) -> Vec<u8> {
    let mut recorder = Recorder::new(Policy::default(), "fuzz", Box::new(|| RecordingId(1)));
    let sender = ([127, 0, 0, 1], 5000).into();
    for (at, bytes) in packets {
        recorder.receive(&Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes });
    }
    recorder.stop();
    let actions = recorder.actions();
    let kept = actions.iter().find_map(|action| match action {
        Action::Close { file } => Some(*file),
        _ => None,
    });
    let of_kept = actions.into_iter().filter_map(|action| match action {
        Action::Append { file, bytes } if Some(file) == kept => Some(bytes),
        _ => None,
    });
    of_kept.flatten().collect()
}
