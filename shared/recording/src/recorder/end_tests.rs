//! Where recordings end and where they continue, for every feed of the table.

use std::net::SocketAddr;

use trailbrake_games::feed::FEEDS;
use trailbrake_session::{Receiver, Retention};

use super::identity::Identity;
use super::tests::{File, Folder, bytes, play, recorder, simulated};
use super::*;
use crate::Packet;
use crate::facts::{Cut, Mark, Timeline};
use crate::streams_tests::BEGAN;

/// What distinguishes one recording from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Session,
    Track,
    Car,
}

use What::{Car, Session, Track};

/// A field that a feed sends; `put` writes the original or another value into a packet.
struct ChangedField {
    feed: Feed,
    what: What,
    put: fn(&mut [u8], another: bool),
}

/// All identity fields that feeds send.
const CHANGED_FIELDS: &[ChangedField] = &[
    // The session's uid is in every packet, behind four bytes.
    ChangedField { feed: Feed::F1, what: Session, put: |packet, another| packet[4] ^= u8::from(another) },
    // Packets 1 and 4: Melbourne or Paul Ricard, and the team of the player, whose index is at byte 20.
    ChangedField {
        feed: Feed::F1,
        what: Track,
        put: |packet, another| {
            if packet[3] == 1 {
                packet[28] = u8::from(another);
            }
        },
    },
    ChangedField {
        feed: Feed::F1,
        what: Car,
        put: |packet, another| {
            if packet[3] == 4 {
                packet[22 + 53 * usize::from(packet[20]) + 2] = u8::from(another);
            }
        },
    },
    // The stage length, and the highest engine speed, which distinguishes the cars.
    ChangedField {
        feed: Feed::DirtRally,
        what: Track,
        put: |packet, another| put_f32(packet, 244, another, 9_876.5),
    },
    ChangedField {
        feed: Feed::DirtRally,
        what: Car,
        put: |packet, another| put_f32(packet, 252, another, 950.0),
    },
    // The car's number.
    ChangedField {
        feed: Feed::GranTurismo,
        what: Car,
        put: |packet, another| put_i32(packet, 0x124, another, 1234),
    },
    // The game's folder names, in characters of two bytes, one, and four.
    ChangedField {
        feed: Feed::AcRemote,
        what: Track,
        put: |packet, another| rename(packet, 2, "karvala_ring", another),
    },
    ChangedField {
        feed: Feed::AcRemote,
        what: Car,
        put: |packet, another| rename(packet, 2, "trailbrake_", another),
    },
    ChangedField {
        feed: Feed::AcTelemetryTool,
        what: Car,
        put: |packet, another| rename(packet, 1, "invented_", another),
    },
    ChangedField {
        feed: Feed::AcServer,
        what: Track,
        put: |packet, another| rename(packet, 1, "karvala_ring", another),
    },
    // The numbers of route and car, behind the mark.
    ChangedField { feed: Feed::EaWrc, what: Track, put: |packet, another| packet[250] ^= u8::from(another) },
    ChangedField { feed: Feed::EaWrc, what: Car, put: |packet, another| packet[242] ^= u8::from(another) },
    // The numbers of track and car, in Motorsport 2023.
    ChangedField {
        feed: Feed::Forza,
        what: Track,
        put: |packet, another| put_i32(packet, 327, another, 500),
    },
    ChangedField { feed: Feed::Forza, what: Car, put: |packet, another| put_i32(packet, 212, another, 445) },
];

/// What feeds do not send, and why nothing ends there.
const NOT_SENT: &[(Feed, What, &str)] = &[
    (Feed::DirtRally, Session, "a stage has no number"),
    (Feed::GranTurismo, Session, "a session has no number"),
    (
        Feed::GranTurismo,
        Track,
        "it is found by the shape of a lap, and the simulator's is none of the game's",
    ),
    (Feed::AcRemote, Session, "a session has no number; another one begins with another handshake"),
    (Feed::AcTelemetryTool, Session, "a session has no number"),
    (Feed::AcTelemetryTool, Track, "it is sent nowhere"),
    (Feed::AcLua, Session, "the app sends how the car moves and nothing else"),
    (Feed::AcLua, Track, "the app sends how the car moves and nothing else"),
    (Feed::AcLua, Car, "the app sends how the car moves and nothing else"),
    (Feed::AcServer, Session, "a session has no number; the server says when another one begins"),
    (Feed::AcServer, Car, "a server has no player whose car it could be"),
    (Feed::EaWrc, Session, "a stage has no number"),
    (Feed::Forza, Session, "a session has no number; the race clock begins again"),
];

fn put_f32(packet: &mut [u8], place: usize, another: bool, value: f32) {
    if another {
        packet[place..place + 4].copy_from_slice(&value.to_le_bytes());
    }
}

fn put_i32(packet: &mut [u8], place: usize, another: bool, value: i32) {
    if another {
        packet[place..place + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// Replaces the first letter of a name wherever the name is found. `letter` is the bytes per character.
fn rename(packet: &mut [u8], letter: usize, name: &str, another: bool) {
    let wide: Vec<u8> = name.bytes().flat_map(|byte| [byte, 0, 0, 0].into_iter().take(letter)).collect();
    let found = packet.windows(wide.len()).enumerate().filter(|(_, window)| *window == wide);
    for place in found.map(|(place, _)| place).collect::<Vec<_>>() {
        packet[place] = if another { b'z' } else { packet[place] };
    }
}

impl ChangedField {
    /// The packets with the original value, or with another.
    fn with_value(&self, packets: &[Packet], another: bool) -> Vec<Packet> {
        let change = |packet: &Packet| {
            let mut bytes = packet.bytes.clone();
            let seal = self.feed.seals().and_then(|seals| Some((seals, (seals.open)(&mut bytes)?)));
            (self.put)(&mut bytes, another);
            if let Some((seals, seal)) = seal {
                assert!((seals.close)(seal, &mut bytes));
            }
            Packet { bytes, ..packet.clone() }
        };
        packets.iter().map(change).collect()
    }
}

/// The identity that packets report.
fn identity(packets: &[Packet]) -> Identity {
    let mut receiver = Receiver::new(Retention::LAP_TABLE);
    packets.iter().for_each(|packet| drop(receiver.receive_with(&packet.datagram(), &mut |_| {})));
    receiver.session().map(Identity::of).expect("a session")
}

/// The feeds that are recorded, without those that exist only in files.
fn feeds() -> impl Iterator<Item = Feed> {
    FEEDS.iter().filter(|row| row.networked && row.codec.is_some()).map(|row| row.feed)
}

/// The packets of each file that a recorder makes of two series of packets. The second follows `pause_s` later from
/// another port, like a restarted game. Nothing is lost between the two.
fn files_of(one: &[Packet], other: &[Packet], pause_s: f64) -> Vec<Vec<Packet>> {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let length_s = one.last().expect("a packet").at.seconds_since(BEGAN);
    play(&mut recorder, &mut folder, one, 0.0);
    let mut restarted = other.to_vec();
    restarted.iter_mut().for_each(|packet| packet.sender = SocketAddr::from(([192, 168, 1, 20], 50_000)));
    play(&mut recorder, &mut folder, &restarted, length_s + pause_s);
    recorder.stop();
    folder.obey(&mut recorder);
    let files: Vec<Vec<Packet>> = folder.files.values().map(File::packets).collect();
    if let [_, behind] = &files[..] {
        let from = other.len() - behind.len();
        assert_eq!(bytes(behind), bytes(&other[from..]));
        // The identity arrives within two seconds, and an answer that contains it is in the new file.
        assert!(other[from].at.seconds_since(BEGAN) < 2.0, "{from} packets are in the old file");
        assert_eq!(identity(behind), identity(other));
    }
    // Nothing is lost between the two; before a session, the last seconds of the menu are kept.
    let all = [bytes(one), bytes(other)].concat();
    let kept: Vec<&[u8]> = files.iter().flat_map(|file| bytes(file)).collect();
    assert_eq!(kept, all[all.len() - kept.len()..]);
    assert!(kept.len() > one.len(), "{} of {}", kept.len(), all.len());
    files
}

/// Every feed sends session, track and car, or is listed in the table of those that do not.
#[test]
fn it_is_known_of_every_feed_what_ends_its_recordings() {
    for feed in feeds() {
        for what in [Session, Track, Car] {
            let sent = CHANGED_FIELDS.iter().filter(|row| (row.feed, row.what) == (feed, what)).count();
            let unavailable = NOT_SENT.iter().filter(|row| (row.0, row.1) == (feed, what)).count();
            assert_eq!(sent + unavailable, 1, "{feed:?} {what:?}");
        }
    }
    for row in CHANGED_FIELDS {
        let packets = simulated(row.feed, 5, 30.0);
        let [one, other] = [false, true].map(|another| identity(&row.with_value(&packets, another)));
        assert!(one.differs(&other), "{:?} {:?}: {one:?}, {other:?}", row.feed, row.what);
    }
}

#[test]
fn another_session_track_or_car_is_another_file_and_the_same_goes_on() {
    for feed in feeds() {
        let packets = simulated(feed, 5, 30.0);
        let files = files_of(&packets, &packets, 120.0);
        assert_eq!(files.len(), 1, "{feed:?}: the same session from another port");
        for row in CHANGED_FIELDS.iter().filter(|row| row.feed == feed) {
            let [one, other] = [false, true].map(|another| row.with_value(&packets, another));
            assert_eq!(files_of(&one, &one, 120.0).len(), 1, "{feed:?}: the same {:?}", row.what);
            assert_eq!(files_of(&one, &other, 120.0).len(), 2, "{feed:?}: another {:?}", row.what);
        }
    }
}

#[test]
fn short_silence_is_a_pause_and_long_silence_ends_the_file() {
    for feed in feeds() {
        let (mut recorder, mut folder) = (recorder(), Folder::default());
        let packets = simulated(feed, 5, 60.0);
        let half = packets.partition_point(|packet| packet.at.seconds_since(BEGAN) < 30.0);
        play(&mut recorder, &mut folder, &packets[..half], 0.0);
        play(&mut recorder, &mut folder, &packets[half..], 300.0);
        assert_eq!(folder.names().len(), 1, "{feed:?}");
        let last = packets.last().expect("a packet").at.plus_seconds(300.0);
        recorder.poll(last.plus_seconds(599.0));
        folder.obey(&mut recorder);
        assert!(!folder.files[&FileId(0)].closed, "{feed:?}");
        recorder.poll(last.plus_seconds(601.0));
        folder.obey(&mut recorder);
        let file = &folder.files[&FileId(0)];
        assert!(file.closed, "{feed:?}");
        let back = file.packets();
        assert_eq!(bytes(&back), bytes(&packets[packets.len() - back.len()..]), "{feed:?}");
        assert!(back.len() > packets.len() / 2, "{feed:?}: {} of {}", back.len(), packets.len());
        let timeline = file.recording().facts().get::<Timeline>().expect("a fact").expect("a timeline");
        let silence = |mark: &Mark| match mark.what {
            Cut::Silence(micros) => Some(micros / 1_000_000),
            Cut::Event(_) => None,
        };
        let long = |seconds: &u64| *seconds > 200;
        let silences: Vec<u64> = timeline.marks.iter().filter_map(silence).filter(long).collect();
        assert!(matches!(silences[..], [299..=303]), "{feed:?}: {silences:?}");
    }
}

/// After ten minutes without a packet, the same game's next session is another recording.
#[test]
fn what_comes_after_long_silence_is_another_file() {
    for feed in feeds() {
        let (mut recorder, mut folder) = (recorder(), Folder::default());
        let packets = simulated(feed, 5, 40.0);
        play(&mut recorder, &mut folder, &packets, 0.0);
        play(&mut recorder, &mut folder, &packets, 700.0);
        recorder.stop();
        folder.obey(&mut recorder);
        assert_eq!(folder.names().len(), 2, "{feed:?}");
        for file in folder.files.values() {
            let back = file.packets();
            assert_eq!(bytes(&back), bytes(&packets[packets.len() - back.len()..]), "{feed:?}");
        }
    }
}

#[test]
fn a_car_that_changes_without_a_word_ends_the_file() {
    for feed in [Feed::GranTurismo, Feed::DirtRally, Feed::AcTelemetryTool] {
        let row = CHANGED_FIELDS.iter().find(|row| (row.feed, row.what) == (feed, Car)).expect("a car");
        let (mut recorder, mut folder) = (recorder(), Folder::default());
        let mut packets = simulated(feed, 5, 60.0);
        let changed = packets.partition_point(|packet| packet.at.seconds_since(BEGAN) < 30.0);
        let behind = row.with_value(&packets[changed..], true);
        packets.splice(changed.., behind);
        play(&mut recorder, &mut folder, &packets, 0.0);
        recorder.stop();
        folder.obey(&mut recorder);
        let files: Vec<Vec<Packet>> = folder.files.values().map(File::packets).collect();
        let [one, other] = &files[..] else { panic!("{feed:?}: {} files", files.len()) };
        // Nothing is lost between the two, and the new one begins within a second or two of the change.
        let both: Vec<Packet> = one.iter().chain(other).cloned().collect();
        assert_eq!(bytes(&both), bytes(&packets[packets.len() - both.len()..]), "{feed:?}");
        let began = packets.len() - other.len();
        assert!(began.abs_diff(changed) <= 130, "{feed:?}: {began} and not {changed}");
    }
}
