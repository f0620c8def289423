//! The budgets of a long recording: three hours of F1 2018 with twenty cars.

use trailbrake_games::feed::Feed;
use trailbrake_model::Car;
use trailbrake_model::time::Micros;
use trailbrake_session::Receiver;
use trailbrake_sim::Options;

use super::facts::Timeline;
use super::streams_tests::{BEGAN, of_the_simulator};
use super::*;

const SECONDS: u64 = 3 * 3600;
const CARS: u8 = 20;
/// When the two compared laps begin, in seconds.
const LAPS_AT: [u64; 2] = [3_600, 9_000];

/// The player's first counted lap, and its packets with those a decoder needs around it.
fn lap() -> (LapRow, Vec<Packet>) {
    let packets = of_the_simulator(Feed::F1, Options { seed: 5, ..Options::default() }, 330.0).packets;
    let (mut receiver, mut follower) = (Receiver::default(), Follower::default());
    for packet in &packets {
        let _ = receiver.receive_with(&packet.datagram(), &mut |event| follower.event(event));
        follower.look(receiver.session().expect("a session"), packet.at);
    }
    let player = receiver.session().and_then(|session| session.player()).expect("a player");
    let laps = follower.laps().laps;
    let row = laps.into_iter().find(|row| row.car == player && row.lap.counts().is_some()).expect("a lap");
    let around = row.from.plus_seconds(-3.5)..row.to.plus_seconds(2.5);
    let packets = packets.into_iter().filter(|packet| around.contains(&packet.at)).collect();
    (row, packets)
}

#[test]
fn three_hours_open_by_their_index_and_two_laps_by_their_own_blocks() {
    let (row, packets) = lap();
    let first = packets[0].at;
    let spans = packets.last().expect("a packet").at.0 - first.0;
    let later = |at: Micros, second: u64| Micros(BEGAN.0 + second * 1_000_000 + (at.0 - first.0));
    let mut writer = Writer::new(&Info {
        id: RecordingId(1),
        parent: None,
        created: BEGAN,
        feed: "f1-2018".into(),
        program: "the tests".into(),
        others_left_out: false,
    });
    let mut bytes = Vec::new();
    let mut raw = 0_usize;
    for second in 0..SECONDS {
        let lap = LAPS_AT.iter().find(|at| (**at..=**at + spans / 1_000_000 + 1).contains(&second));
        // Between the laps, each second has one packet of each size: as many blocks and index entries.
        let every: Vec<Packet> = match lap {
            Some(at) if *at == second => {
                packets.iter().map(|packet| Packet { at: later(packet.at, *at), ..packet.clone() }).collect()
            }
            Some(_) => Vec::new(),
            None => {
                let at = Micros(BEGAN.0 + second * 1_000_000);
                packets.iter().take(8).map(|packet| Packet { at, ..packet.clone() }).collect()
            }
        };
        for packet in every {
            raw += packet.bytes.len();
            writer.take(&packet.datagram());
        }
        bytes.extend(writer.bytes());
    }
    let lap_s = 90;
    let shifted = |at: u64| LapRow { from: later(row.from, at), to: later(row.to, at), ..row.clone() };
    let mut laps: Vec<LapRow> = (0..CARS)
        .flat_map(|car| (0..SECONDS / lap_s).map(move |lap| (car, lap)))
        .map(|(car, lap)| LapRow { car: Car(car), ..shifted(lap * lap_s) })
        .collect();
    laps.extend(LAPS_AT.map(shifted));
    writer.write_last(BEGAN, &LapTable { decoder: facts::DECODER, laps, ..LapTable::default() });
    writer.write_last(BEGAN, &Timeline::default());
    bytes.extend(writer.finish());

    let mut opening = Opening::new(bytes.len() as u64);
    let given = read_whole(&mut opening, &bytes);
    let recording = opening.finish().expect("a recording");
    assert!(given <= 2 << 20, "{given} bytes to open {} of {raw} raw", bytes.len());
    assert_eq!(recording.laps().laps.len(), 2 + usize::from(CARS) * (SECONDS / lap_s) as usize);

    for row in recording.laps().laps.iter().rev().take(2) {
        let mut lap = LapReading::new(&recording, row);
        let given = read_whole(&mut lap, &bytes);
        let seconds = row.to.seconds_since(row.from) + 7.0;
        // Eight sizes, two of them rare enough to share a block.
        assert!(lap.packets().blocks() as f64 <= seconds * 8.0, "{} blocks", lap.packets().blocks());
        assert!(given < bytes.len() as u64 / 2, "{given} of {}", bytes.len());
        let lap = lap.finish().expect("the lap");
        assert_eq!(lap.lap.time, row.lap.time);
        assert!(lap.columns.len() as f64 > 50.0 * (seconds - 8.0), "{} rows", lap.columns.len());
    }
}
