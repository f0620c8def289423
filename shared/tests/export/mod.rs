//! A race's laps in other programs' formats: they contain what was driven, also when other programs read them.

mod peers;

use std::net::SocketAddr;
use std::sync::OnceLock;

use prost_reflect::{DescriptorPool, DynamicMessage, Value};
use trailbrake_shared::analysis::Reference;
use trailbrake_shared::capture::{Reader, Step};
use trailbrake_shared::export::csv::{self, Rows};
use trailbrake_shared::export::{About, ExportedLap, decoded, motec, pcapng};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{Drivers, LapCatalogue, LapChoice, LapEntry, LapQuery};
use trailbrake_shared::model::{Car, Channel, Slot, Wheel};
use trailbrake_shared::session::{Archive, Session};
use trailbrake_shared::sim::{DEMOS, Demo, Options, Request, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const BEGAN: Micros = Micros(1_700_000_000_000_000);
const CARS: usize = 3;
const PLAYER: u8 = 1;

/// All packets of a race that restarts under another session id after its first lap.
fn sent() -> &'static [(Micros, Vec<u8>)] {
    static SENT: OnceLock<Vec<(Micros, Vec<u8>)>> = OnceLock::new();
    SENT.get_or_init(|| {
        let options = Options {
            start: Start::Grid,
            cars: CARS,
            laps: 2,
            player: PLAYER.into(),
            again: false,
            requests: vec![(130.0, Request::Restart { new_identity: true })],
            ..Options::default()
        };
        let mut demo = Demo::new(Feed::F1, options, BEGAN).expect("a demo");
        let mut sent = Vec::new();
        demo.drive(400.0, &mut |at, bytes| sent.push((at, bytes.to_vec())));
        sent
    })
}

fn datagram((at, bytes): &(Micros, Vec<u8>)) -> Datagram<'_> {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    Datagram { at: *at, sender, port: 20777, feed: None, bytes }
}

/// The file of the only sender, and its laps.
fn archive() -> &'static (Archive, LapCatalogue) {
    static ARCHIVE: OnceLock<(Archive, LapCatalogue)> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let mut archive = Archive::default();
        sent().iter().for_each(|sent| archive.take(&datagram(sent)).expect("a packet that is understood"));
        let [source] = archive.sources() else { panic!("one sender") };
        assert_eq!(source.packets, sent().len() as u64);
        let catalogue = LapCatalogue::of_archive(&archive);
        (archive, catalogue)
    })
}

/// The race that was driven to its end.
fn session() -> &'static Session {
    archive().0.session(1).expect("a race")
}

/// Laps of a session, if they have samples.
fn laps_of(session: u16, drivers: Drivers, laps: &[u16]) -> Vec<ExportedLap<'static>> {
    let (archive, catalogue) = archive();
    let laps = laps.iter().map(|number| LapChoice::Numbers(*number, *number)).collect();
    let query = LapQuery { drivers, session: Some(session), laps, ..LapQuery::default() };
    let driven = |entry: &'static LapEntry| Some(entry.driven(entry.columns_in(archive)?));
    catalogue.select(&query).into_iter().filter_map(driven).collect()
}

fn laps(drivers: Drivers) -> Vec<ExportedLap<'static>> {
    laps_of(1, drivers, &[1, 2])
}

fn about() -> About {
    About::of(Feed::F1, session(), Car(PLAYER))
}

#[test]
fn an_archive_keeps_every_session_and_all_of_every_car() {
    let (archive, catalogue) = archive();
    assert_eq!(archive.sources()[0].session.iter().count(), 2);
    for (session, most) in (0..).zip([1, 2]) {
        let query = LapQuery { drivers: Drivers::Everyone, session: Some(session), ..LapQuery::default() };
        let laps = catalogue.select(&query);
        let timed: Vec<_> = laps.iter().filter(|entry| entry.lap.time.is_some()).collect();
        assert_eq!(timed.len(), CARS * most);
        for entry in timed {
            let columns = entry.columns_in(archive).expect("samples");
            for channel in [Channel::Speed, Channel::Rpm, Channel::GLateral, Channel::Fuel] {
                assert!(columns.line(channel.slot()).is_some(), "{} of {:?}", channel.id(), entry.driver);
            }
            let span = entry.received.clone().expect("a span");
            let seconds = span.end().seconds_since(*span.start());
            let lap_s = entry.driven(columns).seconds();
            assert!((seconds - lap_s).abs() < 0.2, "{seconds} of {lap_s}");
        }
    }
}

#[test]
fn picking_takes_the_laps_that_are_meant() {
    let of = |drivers, laps: &[u16]| {
        laps_of(1, drivers, laps).iter().map(|lap| (lap.car.0, lap.lap.number)).collect::<Vec<_>>()
    };
    assert_eq!(of(Drivers::Player, &[2]), [(PLAYER, 2)]);
    assert_eq!(of(Drivers::Car(Car(2)), &[2, 1]), [(2, 1), (2, 2)]);
    assert_eq!(of(Drivers::Everyone, &[1]), [(0, 1), (1, 1), (2, 1)]);
    assert!(of(Drivers::Player, &[40]).is_empty() && of(Drivers::Car(Car(19)), &[]).is_empty());
}

/// A table's header and its rows. No name in it has a comma.
fn table(laps: &[ExportedLap<'_>], rows: Rows) -> (Vec<String>, Vec<Vec<String>>) {
    let mut text = String::new();
    csv::write(laps, &about(), rows, &mut text).expect("text");
    let mut lines = text.strip_suffix("\r\n").expect("an end").split("\r\n");
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    (fields(lines.next().expect("a heading")), lines.map(fields).collect())
}

#[test]
fn a_table_has_a_row_for_each_frame_and_an_empty_field_for_what_was_not_sent() {
    let laps = laps(Drivers::Everyone);
    let (heading, rows) = table(&laps, Rows::Native);
    assert_eq!(rows.len(), laps.iter().map(|lap| lap.columns.len()).sum::<usize>());
    assert!(rows.iter().all(|row| row.len() == heading.len()));
    let column = |name: &str| heading.iter().position(|field| field == name).expect("a column");
    let (speed, wear) = (column("speed [m/s]"), column("tyre_wear_rl [ratio]"));
    column("gear");
    let mut rows = rows.iter();
    for lap in &laps {
        for row in 0..lap.columns.len() {
            let fields = rows.next().expect("a row");
            for (place, slot) in
                [(speed, Channel::Speed.slot()), (wear, Channel::TyreWear.of(Wheel::RearLeft))]
            {
                let written = fields[place].parse::<f32>().ok();
                assert_eq!(written, lap.columns.value(slot, row), "{}", heading[place]);
            }
            assert_eq!(fields[2], lap.lap.number.to_string());
        }
    }
}

#[test]
fn a_table_by_place_has_the_same_places_for_every_lap() {
    let laps = laps(Drivers::Everyone);
    let (heading, rows) = table(&laps, Rows::EveryMetres(10.0));
    let column = |name: &str| heading.iter().position(|field| field == name).expect("a column");
    let (lap_at, clock_at, place_at) = (column("lap"), column("lap_time [s]"), column("place [m]"));
    let (speed_at, distance_at) = (column("speed [m/s]"), column("lap_distance [m]"));
    let length = session().info().and_then(|info| info.track_length_m).expect("a length");
    let number = |row: &[String], at: usize| row[at].parse::<f64>().expect("a number");
    for lap in &laps {
        let own =
            |row: &&Vec<String>| row[1] == lap.car.0.to_string() && row[lap_at] == lap.lap.number.to_string();
        let rows: Vec<_> = rows.iter().filter(own).collect();
        // In the first lap of a race the cars begin behind the line.
        assert!((rows.len() as f32 - length / 10.0).abs() < 3.0, "{} rows of {length} m", rows.len());
        for pair in rows.windows(2) {
            assert!((number(pair[1], place_at) - number(pair[0], place_at) - 10.0).abs() < 1e-3);
            let seconds = number(pair[1], clock_at) - number(pair[0], clock_at);
            // On the inside of a bend the track position moves faster than the car.
            let speed = 0.5 * (number(pair[0], speed_at) + number(pair[1], speed_at));
            assert!(
                seconds > 0.0 && (speed < 15.0 || (10.0 / seconds / speed - 1.0).abs() < 0.5),
                "{speed} m/s, {seconds} s at {} m of lap {} of {}",
                pair[0][place_at],
                lap.lap.number,
                lap.driver
            );
            assert_eq!(pair[0][place_at], pair[0][distance_at]);
        }
        let end = number(rows.last().expect("a row"), clock_at);
        assert!(lap.seconds() - end < 1.0 && end <= lap.seconds() + 0.05, "{end} of {}", lap.seconds());
    }
}

#[test]
fn names_are_quoted_and_are_no_formulas() {
    let mut lap = laps(Drivers::Player).remove(0);
    for (name, field) in [
        ("L. HAMILTON", "L. HAMILTON,"),
        ("=1+1", "\"'=1+1\","),
        ("@SUM(A1)", "\"'@SUM(A1)\","),
        (" -2", "\"' -2\","),
        ("a \"b\", c", "\"a \"\"b\"\", c\","),
        ("a\r\nb\tc", "abc,"),
        ("\u{200b}=1+1\u{feff}", "\"'=1+1\","),
    ] {
        name.clone_into(&mut lap.driver);
        let mut text = String::new();
        csv::write(std::slice::from_ref(&lap), &about(), Rows::Native, &mut text).expect("text");
        let row = text.split("\r\n").nth(1).expect("a row");
        assert!(row.starts_with(field), "{row}");
    }
}

#[test]
fn a_motec_log_read_back_is_what_was_driven() {
    let laps = laps(Drivers::Player);
    let motec::Log { ld, ldx } = motec::write(&laps, &about()).expect("laps");
    let log = motec::read_ld(&ld).expect("a log");
    assert_eq!((log.driver.as_str(), log.event.as_str()), (laps[0].driver.as_str(), "F1 2018"));
    assert_eq!((log.date.as_str(), log.time.len()), ("14/11/2023", 8));
    let speed = log.channel("Ground Speed").expect("speed");
    assert_eq!((speed.unit.as_str(), speed.rate_hz), ("km/h", 60));
    assert!(log.channel("Tyre Pressure FL").is_some() && log.channel("Gear").is_some());
    let names: std::collections::BTreeSet<_> = log.channels.iter().map(|channel| &channel.name).collect();
    assert_eq!(names.len(), log.channels.len(), "a name stands twice");

    let imported = motec::import(&ld, Some(&ldx)).expect("laps").laps;
    let times =
        |times: Vec<f64>| times.into_iter().map(|seconds| (seconds * 1e3).round() as i64).collect::<Vec<_>>();
    assert_eq!(
        times(imported.iter().filter_map(|lap| Some(lap.time?.seconds())).collect()),
        times(laps.iter().map(ExportedLap::seconds).collect())
    );
    for (imported, driven) in imported.iter().zip(&laps) {
        let (distance, clock) = (Channel::LapDistance.slot(), Channel::LapClock.slot());
        let value = |slot, row| imported.columns.value(slot, row);
        let points =
            (0..imported.columns.len()).filter_map(|row| Some((value(distance, row)?, value(clock, row)?)));
        let reference = Reference::new(points, imported.time.expect("a time")).expect("a reference");
        let line = driven.columns.line(Channel::LapDistance.slot()).expect("distance");
        let mut compared = 0;
        for (row, distance) in line.iter().filter(|(_, distance)| *distance > 50.0) {
            let clock = driven.columns.seconds()[row] - driven.lap.began_s;
            let Some(read) = reference.clock_at(distance) else { continue };
            assert!((f64::from(read) - clock).abs() < 0.02, "{read} s at {distance} m, driven at {clock} s");
            compared += 1;
        }
        assert!(compared > 1000, "{compared} of lap {}: {} m", imported.number, reference.length_m());
        let speed = |columns: &trailbrake_shared::model::Columns| {
            let line = columns.line(Channel::Speed.slot()).expect("speed");
            line.iter().map(|(_, value)| value).fold(0.0, f32::max)
        };
        assert!((speed(&imported.columns) - speed(driven.columns)).abs() < 0.5);
    }
}

#[test]
fn a_car_of_which_only_an_id_is_known_goes_by_it() {
    let options = Options { again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::GranTurismo, options, BEGAN).expect("a demo");
    let mut archive = Archive::default();
    demo.drive(20.0, &mut |at, bytes| {
        archive.take(&datagram(&(at, bytes.to_vec()))).expect("a packet that is understood");
    });
    let catalogue = LapCatalogue::of_archive(&archive);
    let laps = catalogue.laps().iter().filter_map(|entry| Some(entry.driven(entry.columns_in(&archive)?)));
    let laps: Vec<ExportedLap<'_>> = laps.collect();
    let about = catalogue.laps()[0].about();
    assert_eq!(about.vehicle, "Car 999999");
    let mut text = String::new();
    csv::write(&laps, &about, Rows::Native, &mut text).expect("text");
    assert_eq!(csv::read(&text).expect("laps").about.vehicle, about.vehicle);
    let log = motec::write(&laps, &about).expect("a log");
    assert_eq!(motec::read_ld(&log.ld).expect("a log").vehicle, about.vehicle);
    let messages = decoded::write(&laps, &about);
    assert!(messages.windows(10).any(|bytes| bytes == b"Car 999999"));
}

#[test]
fn what_each_year_of_the_f1_games_sends_is_in_a_log() {
    for game in DEMOS.into_iter().filter(|game| game.feed == Feed::F1) {
        let options = Options { cars: 2, player: 0, again: false, ..Options::default() };
        let mut demo = Demo::of(game, options, BEGAN).expect("a demo");
        let mut archive = Archive::default();
        demo.drive(12.0, &mut |at, bytes| {
            archive.take(&datagram(&(at, bytes.to_vec()))).expect("a packet that is understood");
        });
        let catalogue = LapCatalogue::of_archive(&archive);
        let own = catalogue.laps().iter().filter(|entry| entry.id.car == Car(0));
        let laps = own.filter_map(|entry| Some(entry.driven(entry.columns_in(&archive)?)));
        let laps: Vec<ExportedLap<'_>> = laps.collect();
        let log = motec::write(&laps, &catalogue.laps()[0].about()).expect("a log");
        let log = motec::read_ld(&log.ld).expect("a log");
        for (name, unit, first) in [
            ("Ground Speed", "km/h", 2018),
            ("ERS Store", "kJ", 2018),
            ("Brake Bias", "%", 2018),
            ("Tyre Wear FL", "%", 2018),
            ("Tyre Slip Ratio RR", "%", 2018),
            ("Tyre Blisters FL", "%", 2025),
            ("Tyre Slip Angle FL", "deg", 2023),
            ("Tyre Force Lat RL", "N", 2023),
            ("Engine Power", "kW", 2023),
            ("Ride Height Front", "mm", 2024),
            ("Camber RL", "deg", 2025),
            ("Active Aero", "", 2026),
        ] {
            let is_sent = game.year >= Some(first);
            let channel = log.channel(name);
            assert_eq!(
                channel.map(|channel| channel.unit.as_str()),
                is_sent.then_some(unit),
                "{} {name}",
                game.id
            );
        }
        let power = log.channel("Engine Power").and_then(|power| power.samples.last());
        assert!(power.is_none_or(|power| (0.0..800.0).contains(power)), "{}: {power:?} kW", game.id);
    }
}

#[test]
fn an_unknown_distance_is_no_number() {
    // This game sends no distance: it is known from the line where a lap begins.
    let options = Options { again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::GranTurismo, options, BEGAN).expect("a demo");
    let mut archive = Archive::default();
    demo.drive(200.0, &mut |at, bytes| {
        if at.seconds_since(BEGAN) > 40.0 {
            archive.take(&datagram(&(at, bytes.to_vec()))).expect("a packet that is understood");
        }
    });
    let catalogue = LapCatalogue::of_archive(&archive);
    let laps = catalogue.laps().iter().filter_map(|entry| Some(entry.driven(entry.columns_in(&archive)?)));
    let laps: Vec<ExportedLap<'_>> = laps.collect();
    let distance = Channel::LapDistance.slot();
    let known: Vec<bool> = laps.iter().map(|lap| lap.columns.line(distance).is_some()).collect();
    assert_eq!(known[..2], [false, true]);
    let about = catalogue.laps()[0].about();
    let (heading, rows) = table(&laps, Rows::Native);
    let at = heading.iter().position(|name| name == "lap_distance [m]").expect("a column");
    let first = laps[0].columns.len();
    assert!(rows[..first].iter().all(|row| row[at].is_empty()) && !rows[first + 9][at].is_empty());
    let log = motec::write(&laps, &about).expect("a log");
    let read = motec::read_ld(&log.ld).expect("a log");
    let samples = &read.channel("Lap Distance").expect("the channel").samples;
    let split = (laps[0].seconds() * 60.0).ceil() as usize;
    assert!(samples[..split].iter().all(|sample| sample.is_nan()));
    assert!(samples[split + 60..].iter().all(|sample| sample.is_finite()));
    let imported = motec::import(&log.ld, Some(&log.ldx)).expect("laps").laps;
    let known: Vec<bool> = imported.iter().map(|lap| lap.columns.line(distance).is_some()).collect();
    assert_eq!(known[..2], [false, true]);
}

#[test]
fn no_laps_make_no_log() {
    assert_eq!(motec::write(&[], &about()), None);
}

/// The messages of a decoded export, read with the schema in the file.
fn messages(file: &[u8]) -> Vec<(mcap::Message<'_>, DynamicMessage)> {
    let summary = mcap::Summary::read(file).expect("MCAP").expect("a summary");
    let schema = summary.schemas.values().next().expect("a schema");
    let pool = DescriptorPool::decode(schema.data.as_ref()).expect("a description");
    let kind = pool.get_message_by_name(&schema.name).expect("the message");
    let read = |message: mcap::McapResult<mcap::Message<'static>>| {
        let message = message.expect("a message");
        let content = DynamicMessage::decode(kind.clone(), message.data.as_ref()).expect("a content");
        (message, content)
    };
    mcap::MessageStream::new(file).expect("MCAP").map(read).collect()
}

/// A number in a message; `None` if the field is missing.
fn number(message: &DynamicMessage, name: &str) -> Option<f64> {
    message.has_field_by_name(name).then(|| {
        match message.get_field_by_name(name).expect("a field").as_ref() {
            Value::F32(value) => f64::from(*value),
            Value::F64(value) => *value,
            Value::U32(value) => f64::from(*value),
            other => panic!("{name} is {other:?}"),
        }
    })
}

#[test]
fn decoded_messages_are_the_samples() {
    let laps = laps(Drivers::Player);
    let file = decoded::write(&laps, &about());
    let mut rows = laps.iter().flat_map(|lap| (0..lap.columns.len()).map(move |row| (lap, row)));
    let mut last = 0;
    for (message, content) in messages(&file) {
        let (lap, row) = rows.next().expect("a row");
        assert!(message.log_time >= last && message.log_time >= BEGAN.0 * 1000);
        last = message.log_time;
        assert_eq!(message.channel.topic, "/telemetry");
        assert_eq!(number(&content, "lap"), Some(lap.lap.number.into()));
        assert_eq!(number(&content, "clock"), Some(lap.columns.seconds()[row] - lap.lap.began_s));
        for slot in (0..).map_while(Slot::from_index) {
            let (channel, id) = (slot.channel().id(), slot.id());
            let found = match id.strip_prefix(channel).and_then(|part| part.strip_prefix('_')) {
                None => number(&content, channel),
                Some(part) => match content.has_field_by_name(channel) {
                    true => number(
                        content.get_field_by_name(channel).expect("a field").as_message().expect("parts"),
                        part,
                    ),
                    false => None,
                },
            };
            assert_eq!(found.map(|value| value as f32), lap.columns.value(slot, row), "{id}");
        }
    }
    assert!(rows.next().is_none());
}

#[test]
fn decoded_messages_are_indexed_and_small() {
    let laps = laps(Drivers::Everyone);
    let file = decoded::write(&laps, &about());
    let summary = mcap::Summary::read(&file).expect("MCAP").expect("a summary");
    let topics: Vec<String> = summary.channels.values().map(|channel| channel.topic.clone()).collect();
    assert_eq!(topics.len(), CARS);
    for car in 0..CARS {
        assert!(topics.contains(&format!("/car{car}/telemetry")), "{topics:?}");
    }
    let metadata = |name: &str| {
        let index = summary.metadata_indexes.iter().find(|index| index.name == name).expect("an index");
        mcap::read::metadata(&file, index).expect("metadata").metadata
    };
    assert_eq!(metadata("session")["game"], "F1 2018");
    assert_eq!(metadata("channels")["speed"], "Speed, m/s");
    let rows: usize = laps.iter().map(|lap| lap.columns.len()).sum();
    let stats = summary.stats.as_ref().expect("statistics");
    assert_eq!(stats.message_count, rows as u64);
    assert_eq!(stats.chunk_count as usize, summary.chunk_indexes.len());
    let mut indexed = 0;
    for chunk in &summary.chunk_indexes {
        assert_eq!(chunk.compression, "lz4");
        let indexes = summary.read_message_indexes(&file, chunk).expect("indexes");
        indexed += indexes.values().map(Vec::len).sum::<usize>();
    }
    assert_eq!(indexed, rows);
    let lines = laps.iter().flat_map(|lap| lap.columns.slots().filter_map(|slot| lap.columns.line(slot)));
    let samples: usize = lines.map(|line| line.iter().count()).sum();
    // A separate message for each channel, with its name and its own index entry, took more than forty.
    let each = file.len() as f64 / samples as f64;
    println!("{} bytes, {each:.2} for each sample", file.len());
    assert!(each < 4.5, "{each} bytes for each sample");
}

#[test]
fn packets_as_a_capture_are_the_packets() {
    let senders: [SocketAddr; 3] = ["192.0.2.7:1234", "[2001:db8::7]:1234", "[::ffff:192.0.2.8]:1234"]
        .map(|sender| sender.parse().expect("an address"));
    let payloads = [vec![7; 1341], Vec::new(), vec![9; 65_507]];
    let mut file = pcapng::beginning();
    let mut wanted = Vec::new();
    for (nth, sender) in senders.into_iter().enumerate() {
        for bytes in &payloads {
            let at = Micros(BEGAN.0 + nth as u64);
            file.extend(
                pcapng::packet(&Datagram { at, sender, port: 20777, feed: None, bytes }).expect("a packet"),
            );
            let sender = SocketAddr::new(sender.ip().to_canonical(), sender.port());
            wanted.push((Some(at), sender, bytes.clone()));
        }
    }
    let mut reader = Reader::open(&file).expect("a capture");
    let (mut rest, mut found) = (&file[..], Vec::new());
    while let Step::Done(bytes) = reader.step(rest, &mut found).expect("a whole file") {
        rest = &rest[bytes..];
    }
    let read: Vec<_> = found
        .into_iter()
        .map(|packet| {
            let datagram = packet.content.expect("a datagram");
            (packet.at, datagram.sender, datagram.bytes)
        })
        .collect();
    assert_eq!(read, wanted);
    let too_long = Datagram { at: BEGAN, sender: senders[0], port: 1, feed: None, bytes: &[0; 65_536] };
    assert_eq!(pcapng::packet(&too_long), None);
}
