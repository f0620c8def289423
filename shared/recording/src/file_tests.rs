//! Complete recordings: written, opened, read, damaged.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use trailbrake_games::feed::{FEEDS, Feed};
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Channel, Columns};
use trailbrake_session::{Receiver, Retention};
use trailbrake_sim::{Options, SPOKEN};

use super::streams_tests::{BEGAN, Stream, captured, of_the_simulator, simulated};
use super::*;

fn info(feed: &str) -> Info {
    Info {
        id: RecordingId(0xfeed),
        parent: None,
        created: BEGAN,
        feed: feed.to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    }
}

/// A finished recording of packets.
fn record(packets: &[Packet]) -> Vec<u8> {
    let mut writer = Writer::new(&info(packets.first().map_or(UNCLAIMED, |packet| &packet.feed)));
    packets.iter().for_each(|packet| writer.take(&packet.datagram()));
    writer.write_last(BEGAN, &Timeline::default());
    let mut bytes = writer.bytes();
    bytes.extend(writer.finish());
    bytes
}

fn open(bytes: &[u8]) -> Result<Recording, OpenError> {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish()
}

fn read(recording: &Recording, bytes: &[u8]) -> (Vec<Packet>, Packets) {
    let mut packets = recording.all_packets();
    read_whole(&mut packets, bytes);
    (packets.take(), packets)
}

#[test]
fn a_recording_of_an_earlier_version_is_of_the_same_feed() {
    let packets = of_the_simulator(Feed::F1, Options::default(), 4.0).packets;
    let mut writer = Writer::new(&info("f1-2018"));
    packets.iter().for_each(|packet| writer.keep(Packet { feed: "f1-2018".into(), ..packet.clone() }));
    let (mut bytes, end) = (writer.bytes(), writer.finish());
    bytes.extend(&end);
    let recording = open(&bytes).expect("a recording");
    let (back, _) = read(&recording, &bytes);
    assert_eq!(back.len(), packets.len());
    let is_same = |(old, new): (&Packet, &Packet)| old.datagram() == new.datagram();
    assert!(back.iter().zip(&packets).all(is_same));
    assert_eq!(&*back[0].feed, "f1-2018", "as it was written");
    // Its list entry has the current id, and a clip of it, which is written anew, is read as well.
    let entry = library::Entry::of_recording("old.trailbrake.mcap", bytes.len() as u64, &recording);
    assert_eq!(entry.feed.as_deref(), Some("f1"));
    // Without its end, which names the channels, it is found by the checksums of its blocks.
    let mut scan = Scan::new((bytes.len() - end.len()) as u64);
    read_whole(&mut scan, &bytes[..bytes.len() - end.len()]);
    assert_eq!(scan.finish().expect("a recording").recording.info().feed, "f1-2018");
}

fn check_times_and_senders(streams: Vec<Stream>) {
    for Stream { name, packets } in streams {
        let bytes = record(&packets);
        let recording = open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (back, reading) = read(&recording, &bytes);
        assert_eq!(back, packets, "{name}");
        assert_eq!((reading.gaps(), reading.damaged()), (&[][..], 0), "{name}");
        assert_eq!(recording.info(), &info(&packets[0].feed));
        assert_eq!(reading.blocks(), recording.blocks());
    }
}

#[test]
fn every_simulated_feed_comes_back_with_times_and_senders() {
    check_times_and_senders(simulated(20.0));
}

#[test]
#[ignore = "needs captures"]
fn every_capture_comes_back_with_times_and_senders() {
    check_times_and_senders(captured());
}

/// A recording by a build before the first release, and one that it did not finish.
const BEFORE_RELEASE: [&[u8]; 2] = [
    include_bytes!("../../../fuzz/corpus/recording_file/before-release.mcap"),
    include_bytes!("../../../fuzz/corpus/recording_file/before-release-unfinished.mcap"),
];

#[test]
fn a_recording_from_before_the_first_release_is_refused_and_needs_no_repair() {
    let [whole, unfinished] = BEFORE_RELEASE;
    let scanned = BEFORE_RELEASE.map(|bytes| {
        let mut scan = Scan::new(bytes.len() as u64);
        read_whole(&mut scan, bytes);
        scan.finish().expect_err("it is not read")
    });
    for error in [[open(whole).expect_err("it is not read")].as_slice(), &scanned].concat() {
        assert!(error.is_of_another_version(), "{error}");
        assert!(error.to_string().contains("replay it with that build"), "{error}");
    }
    assert_eq!(open(unfinished).err(), Some(OpenError::NoIndex));
}

#[test]
fn other_readers_of_the_container_read_it_too() {
    let stream = of_the_simulator(Feed::GranTurismo, Options::default(), 5.0);
    let bytes = record(&stream.packets);
    let messages: Vec<_> = mcap::MessageStream::new(&bytes)
        .expect("a file")
        .map(|message| message.expect("a message"))
        .collect();
    let mut packets = Vec::new();
    for message in &messages {
        assert_eq!(message.channel.message_encoding, "trailbrake-block");
        packets.extend(block::decode(&message.channel.metadata["feed"], &message.data).expect("a block"));
        assert_eq!(message.log_time, packets.last().map_or(0, |_| message.publish_time));
    }
    packets.sort_by_key(|packet| packet.number);
    assert_eq!(packets, stream.packets);
    let summary = mcap::Summary::read(&bytes).expect("a summary").expect("one that is there");
    assert_eq!(summary.chunk_indexes.len(), messages.len(), "a block a second");
    let names: Vec<&str> = summary.attachment_indexes.iter().map(|index| index.name.as_str()).collect();
    assert_eq!(names, ["info", "info", "timeline"]);
    for index in &summary.attachment_indexes {
        mcap::read::attachment(&bytes, index).expect("an attachment");
    }
    for chunk in &summary.chunk_indexes {
        assert_eq!(summary.read_message_indexes(&bytes, chunk).expect("indexes").len(), 1);
    }
    assert_eq!(summary.stats.expect("statistics").message_count, messages.len() as u64);
}

#[test]
fn a_stretch_of_time_reads_only_its_own_seconds() {
    let stream = of_the_simulator(Feed::GranTurismo, Options::default(), 60.0);
    let bytes = record(&stream.packets);
    let recording = open(&bytes).expect("a recording");
    let time = BEGAN.plus_seconds(20.3)..BEGAN.plus_seconds(22.1);
    let mut packets = recording.packets(time.clone());
    let given = read_whole(&mut packets, &bytes);
    let expected: Vec<Packet> =
        stream.packets.iter().filter(|packet| time.contains(&packet.at)).cloned().collect();
    assert_eq!(packets.take(), expected);
    assert!((3..=4).contains(&packets.blocks()), "{}", packets.blocks());
    assert!(given < bytes.len() as u64 / 10, "{given} of {}", bytes.len());
}

#[test]
fn a_recording_under_way_opens_with_what_was_handed_out() {
    let stream = of_the_simulator(Feed::F1, Options::default(), 10.0);
    let mut writer = Writer::new(&info("f1-2018"));
    let mut file = Vec::new();
    for packet in &stream.packets {
        writer.take(&packet.datagram());
        file.extend(writer.bytes());
        if packet.number % 500 == 0 {
            let mut whole = file.clone();
            whole.extend(writer.tail());
            let recording = open(&whole).expect("a recording");
            let (back, reading) = read(&recording, &whole);
            assert_eq!(back, stream.packets[..back.len()]);
            assert_eq!(reading.gaps(), []);
            assert!(
                packet.at.seconds_since(BEGAN) - back.len() as f64 / 190.0 < 2.0,
                "{} of {}",
                back.len(),
                packet.number
            );
        }
    }
    file.extend(writer.finish());
    assert_eq!(read(&open(&file).expect("a recording"), &file).0, stream.packets);
}

#[test]
fn a_reading_goes_on_into_what_was_recorded_since() {
    let stream = of_the_simulator(Feed::GranTurismo, Options::default(), 12.0);
    let mut writer = Writer::new(&info("gran-turismo"));
    let (mut file, mut states) = (Vec::new(), Vec::new());
    for packet in &stream.packets {
        writer.take(&packet.datagram());
        file.extend(writer.bytes());
        if packet.number % 200 == 199 {
            states.push([file.clone(), writer.tail()].concat());
        }
    }
    states.push([file, writer.finish()].concat());
    assert!(states.len() >= 4, "{}", states.len());

    let mut earlier = open(&states[0]).expect("a recording");
    let mut reading = earlier.all_packets();
    let mut back = Vec::new();
    for state in &states {
        let recording = open(state).expect("a recording");
        assert!(recording.continues(&earlier) && recording.continues(&recording));
        assert_eq!(earlier.continues(&recording), earlier.blocks() == recording.blocks());
        recording.continue_packets(&mut reading);
        read_whole(&mut reading, state);
        back.extend(reading.take());
        assert_eq!(back, stream.packets[..back.len()]);
        earlier = recording;
    }
    assert_eq!(back, stream.packets);
    assert_eq!((reading.blocks(), reading.damaged(), reading.gaps()), (earlier.blocks(), 0, &[][..]));

    let other = of_the_simulator(Feed::GranTurismo, Options { seed: 9, ..Options::default() }, 12.0);
    let other = open(&record(&other.packets)).expect("a recording");
    assert!(!other.continues(&earlier), "the same name, and other bytes");
}

#[test]
fn a_lap_decodes_as_it_did_live() {
    for (feed, cars) in [(Feed::F1, &[0_u8, 3][..]), (Feed::GranTurismo, &[0]), (Feed::DirtRally, &[0])] {
        let stream = of_the_simulator(feed, Options { seed: 5, ..Options::default() }, 330.0);
        let bytes = record(&stream.packets);
        let recording = open(&bytes).expect("a recording");
        for car in cars.iter().copied().map(Car) {
            let retention =
                Retention { player_bytes: usize::MAX, closely: Some(car), ..Retention::default() };
            let (mut receiver, mut follower) = (Receiver::new(retention), Follower::default());
            for packet in &stream.packets {
                let _ = receiver.receive_with(&packet.datagram(), &mut |event| follower.event(event));
                let session = receiver.session().expect("a session");
                follower.look(session, packet.at);
            }
            let laps = follower.laps().laps;
            let finished: Vec<&LapRow> =
                laps.iter().filter(|row| row.car == car && row.lap.time.is_some()).collect();
            assert!(!finished.is_empty(), "{feed:?} {car:?}");
            let session = receiver.session().expect("a session");
            for row in finished {
                let whose = format!("{feed:?} {car:?} lap {}", row.lap.number);
                let Some(live) = session.car(car).and_then(|car| car.traces.lap(row.lap.serial)) else {
                    continue;
                };
                let mut reading = LapReading::new(&recording, row);
                read_whole(&mut reading, &bytes);
                let again = reading.finish().unwrap_or_else(|| panic!("{whose}"));
                assert_eq!(again.lap.time, row.lap.time, "{whose}");
                assert_eq!(again.columns.seconds(), live.seconds(), "{whose}");
                for slot in [Channel::Speed.slot(), Channel::Throttle.slot(), Channel::Gear.slot()] {
                    let values =
                        |columns: &Columns| columns.line(slot).map(|line| line.iter().collect::<Vec<_>>());
                    assert_eq!(values(&again.columns), values(live), "{whose}: {}", slot.id());
                }
            }
        }
    }
}

#[test]
fn a_lap_is_found_however_its_game_counts_time() {
    for feed in SPOKEN {
        let options = Options { seed: 12, cars: 3, player: 1, ..Options::default() };
        let stream = of_the_simulator(feed, options, 480.0);
        let bytes = record(&stream.packets);
        let recording = open(&bytes).expect("a recording");
        let (mut receiver, mut follower) = (Receiver::default(), Follower::default());
        for packet in &stream.packets {
            let _ = receiver.receive_with(&packet.datagram(), &mut |event| follower.event(event));
            if let Some(session) = receiver.session() {
                follower.look(session, packet.at);
            }
        }
        let session = receiver.session().expect("a session");
        let car = session.player().unwrap_or(Car(0));
        let rows = follower.laps().laps;
        let rows: Vec<&LapRow> = rows.iter().filter(|row| row.car == car && row.lap.time.is_some()).collect();
        assert!(rows.len() >= 2, "{feed:?}: {} laps", rows.len());
        for row in rows {
            let mut reading = LapReading::new(&recording, row);
            read_whole(&mut reading, &bytes);
            let again = reading.finish().unwrap_or_else(|| panic!("{feed:?} lap {}", row.lap.number));
            assert_eq!(again.lap.time, row.lap.time, "{feed:?} lap {}", row.lap.number);
            assert!(again.columns.line(Channel::Speed.slot()).is_some(), "{feed:?} lap {}", row.lap.number);
        }
    }
}

proptest! {
    #[test]
    fn noise_is_no_recording(noise: Vec<u8>, with_end: bool) {
        let mut noise = noise;
        if with_end {
            noise.extend(container::MAGIC);
        }
        prop_assert!(open(&noise).is_err());
    }
}

/// The most bytes of a UDP datagram.
const MOST_BYTES: usize = 65_507;

/// Datagrams as any game and network could send them: with and without a feed, of every UDP size, from several senders
/// on several ports, with a clock that stands still, runs ahead and jumps back.
fn datagrams(feed: &'static str) -> impl Strategy<Value = Vec<Packet>> {
    let whose = prop::sample::select(vec![feed, feed, feed, UNCLAIMED]);
    let sender =
        prop::sample::select(vec!["10.0.0.2:5", "10.0.0.2:6", "[fe80::1%7]:9", "[2001:db8::1]:65535"]);
    let size = prop_oneof![
        8 => prop::sample::select(vec![0_usize, 1, 3, 40, 296]),
        4 => 0_usize..400,
        1 => 0..=MOST_BYTES,
        1 => Just(MOST_BYTES),
    ];
    let later_us = prop_oneof![2 => Just(0_i64), 8 => 0_i64..40_000, 1 => -3_000_000_i64..3_000_000];
    let one = (whose, sender, size, later_us, 20_777_u16..20_779, any::<[u8; 32]>());
    prop::collection::vec(one, 1..80).prop_map(|all| {
        let mut at = BEGAN;
        let packet =
            |(number, (feed, sender, size, later_us, port, some)): (u64, (&str, &str, _, _, _, [u8; 32]))| {
                at = Micros(at.0.saturating_add_signed(later_us));
                let sender = sender.parse().expect("an address");
                // Some bytes equal those of the packet before, some do not.
                let bytes =
                    some.into_iter().chain(std::iter::repeat(number as u8)).cycle().take(size).collect();
                Packet { number, at, sender, port, feed: feed.into(), bytes }
            };
        (0..).zip(all).map(packet).collect()
    })
}

#[test]
fn any_datagrams_of_every_feed_come_back_with_times_and_senders() {
    for feed in FEEDS.iter().map(|row| row.id).chain([UNCLAIMED]) {
        let mut runner = TestRunner::new(Config::with_cases(48));
        let outcome = runner.run(&datagrams(feed), |packets| {
            let bytes = record(&packets);
            let recording = open(&bytes).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let (back, reading) = read(&recording, &bytes);
            prop_assert_eq!(reading.damaged(), 0);
            prop_assert!(reading.gaps().is_empty());
            prop_assert!(back == packets, "{} packets came back of {}", back.len(), packets.len());
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{feed}: {error}"));
    }
}
