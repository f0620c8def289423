//! A single packet that does not belong among the others changes no lap.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Rejected;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Car;
use trailbrake_shared::session::Archive;
use trailbrake_shared::sim::{Demo, Options, SPOKEN};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// A packet and when it was received.
type TimedPacket = (Micros, Vec<u8>);

/// The packets a game sends in `seconds`.
fn sent(feed: Feed, seconds: u64) -> Vec<TimedPacket> {
    let options = Options { cars: 3, player: 1, again: false, ..Options::default() };
    let mut demo = Demo::new(feed, options, Micros(0)).expect("a demo");
    let mut sent = Vec::new();
    for tenth in 1..=seconds * 10 {
        demo.advance(Micros(tenth * 100_000), &mut |at, bytes| sent.push((at, bytes.to_vec())));
    }
    sent
}

/// Decodes packets into the laps of all sessions. Each packet comes with its expected rejection.
fn laps<'a>(
    feed: Feed,
    packets: impl IntoIterator<Item = (&'a TimedPacket, Option<&'static str>)>,
) -> Vec<(usize, Car, Lap)> {
    let mut archive = Archive::default();
    for ((at, bytes), rejection) in packets {
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let datagram = Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes };
        match (archive.take(&datagram), rejection) {
            (Ok(()) | Err(Rejected::Caution { .. }), None) => {}
            (Err(reason), Some(words)) => assert!(reason.to_string().contains(words), "{reason}"),
            (outcome, _) => panic!("{feed:?} at {at:?}: {outcome:?}"),
        }
    }
    let [_] = archive.sources() else { panic!("one sender") };
    let catalogue = LapCatalogue::of_archive(&archive);
    // The serialised lap has no packet counts.
    let without_counts =
        |lap: &Lap| serde_json::from_value(serde_json::to_value(lap).expect("JSON")).expect("a lap");
    let entry = |entry: &LapEntry| (usize::from(entry.id.session), entry.id.car, without_counts(&entry.lap));
    catalogue.laps().iter().map(entry).collect()
}

/// Copies of a packet in which a clock is NaN or infinite. Feeds with integer times have none.
fn without_clock(feed: Feed, bytes: &[u8]) -> Vec<Vec<u8>> {
    let at = |places: &[usize]| {
        let spoilt = |place: usize, clock: f32| {
            let mut copy = bytes.to_vec();
            copy[place..place + 4].copy_from_slice(&clock.to_le_bytes());
            copy
        };
        let clocks = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        places.iter().flat_map(|place| clocks.map(|clock| spoilt(*place, clock))).collect()
    };
    match feed {
        Feed::F1 => at(&[12]),
        Feed::DirtRally => at(&[0, 4]),
        Feed::Forza => at(&[292, 296]),
        // Behind the mark: the game's clock and the stage's.
        Feed::EaWrc => at(&[4 + 8, 4 + 217]),
        Feed::AcLua => {
            let text = String::from_utf8(bytes.to_vec()).expect("text");
            let (before, after) = text.split_once("\"lap_time_ms\":").expect("a clock");
            let (_, after) = after.split_at(after.find([',', '}']).expect("an end"));
            let spoilt = |clock: &str| format!("{before}\"lap_time_ms\":{clock}{after}").into_bytes();
            ["1e999", "-1e999", "\"NaN\""].map(spoilt).to_vec()
        }
        Feed::GranTurismo | Feed::AcRemote | Feed::AcTelemetryTool | Feed::AcServer | Feed::ImportedLaps => {
            Vec::new()
        }
    }
}

#[test]
fn a_clock_that_is_no_number_is_rejected_and_changes_no_lap() {
    for feed in SPOKEN {
        let sent = sent(feed, 190);
        // One of each size, inserted before the packet it is made from.
        let mut sizes = BTreeSet::new();
        let mut strays: Vec<(usize, TimedPacket)> = Vec::new();
        for (place, (at, bytes)) in sent.iter().enumerate().skip(sent.len() / 4) {
            if sizes.insert(if feed == Feed::AcLua { 0 } else { bytes.len() }) {
                strays.extend(without_clock(feed, bytes).into_iter().map(|stray| (place, (*at, stray))));
            }
        }
        if strays.is_empty() {
            continue;
        }
        let clean = laps(feed, sent.iter().map(|packet| (packet, None)));
        assert!(clean.iter().any(|(.., lap)| lap.time.is_some()), "{feed:?}: a lap is driven");
        let mixed = sent.iter().enumerate().flat_map(|(place, packet)| {
            let before = strays.iter().filter(move |(other, _)| *other == place);
            before.map(|(_, stray)| (stray, Some("no number"))).chain([(packet, None)])
        });
        assert_eq!(laps(feed, mixed), clean, "{feed:?}");
    }
}

#[test]
fn one_rally_packet_of_another_size_changes_no_lap() {
    let sent = sent(Feed::DirtRally, 190);
    let clean = laps(Feed::DirtRally, sent.iter().map(|packet| (packet, None)));
    assert!(clean.iter().any(|(.., lap)| lap.time.is_some()), "a stage is driven");
    let place = sent.len() / 2;
    let (at, packet) = &sent[place];
    let shorter = |len: usize| packet[..len].to_vec();
    let with = |bytes: &[u8], channel: usize, value: f32| {
        let mut copy = bytes.to_vec();
        copy[channel * 4..channel * 4 + 4].copy_from_slice(&value.to_le_bytes());
        copy
    };
    let mut motion = vec![0; 68];
    let millis = f32::from_le_bytes([packet[0], packet[1], packet[2], packet[3]]) * 1e3;
    motion[..4].copy_from_slice(&(millis as u32).to_le_bytes());
    motion[64..].copy_from_slice(b"ToCA");
    let (total_time, track_length) = (0, 61);
    let strays = [
        shorter(152),
        shorter(252),
        with(&shorter(152), total_time, 5_000.0),
        with(&shorter(252), total_time, 0.5),
        with(&shorter(252), track_length, 7_000.0),
        with(packet, track_length, 7_000.0),
        motion,
    ];
    for stray in strays {
        let stray = (*at, stray);
        let inserted = sent.iter().enumerate().flat_map(|(other, packet)| {
            let before = (other == place).then_some((&stray, None));
            before.into_iter().chain([(packet, None)])
        });
        assert_eq!(laps(Feed::DirtRally, inserted), clean, "{} bytes inserted", stray.1.len());
        let replaced = sent.iter().enumerate();
        let replaced = replaced.map(|(other, packet)| (if other == place { &stray } else { packet }, None));
        assert_eq!(laps(Feed::DirtRally, replaced), clean, "{} bytes instead", stray.1.len());
    }
}

#[test]
fn a_rally_packet_in_two_sizes_each_is_one_session() {
    // As when the game's settings name the same address twice.
    let sent = sent(Feed::DirtRally, 190);
    let clean = laps(Feed::DirtRally, sent.iter().map(|packet| (packet, None)));
    let both: Vec<TimedPacket> =
        sent.iter().flat_map(|(at, packet)| [(*at, packet[..152].to_vec()), (*at, packet.clone())]).collect();
    let twice = laps(Feed::DirtRally, both.iter().map(|packet| (packet, None)));
    assert_eq!(twice, clean);
}
