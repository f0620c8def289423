//! Clips: what stays of the own car when the others are left out, and how large a clip is.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use trailbrake_shared::export::single_file::enclosed_bytes;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Car, Slot};
use trailbrake_shared::recording::{
    ClipSize, EventLog, Facts, Info, LapReading, LapRow, LapTable, Opening, OtherCars, Recording,
    RecordingBuilder, RecordingId, Reindexer, SessionSummary, Traffic, Trim, read_whole,
};
use trailbrake_shared::session::{Archive, LogEntry, LogKind, timing_table};
use trailbrake_shared::sim::{self, DEMOS, DemoGame, Options, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// A recording of a feed's demo.
struct Demo {
    bytes: Vec<u8>,
    recording: Recording,
}

/// The demos, each simulated once for all tests.
static DRIVEN: LazyLock<BTreeMap<&'static str, OnceLock<Demo>>> =
    LazyLock::new(|| DEMOS.iter().map(|game| (game.id, OnceLock::new())).collect());

/// The games whose packets can be shared without other cars.
fn shared_games() -> impl Iterator<Item = DemoGame> {
    DEMOS.into_iter().filter(|game| game.feed != Feed::AcServer)
}

/// The demo with an id.
fn game(id: &str) -> DemoGame {
    DemoGame::from_id(id).expect("a demo")
}

impl Demo {
    /// A recording of a game's demo with at least two counted laps.
    fn of(game: DemoGame) -> &'static Self {
        let seconds = match game.feed {
            Feed::DirtRally | Feed::EaWrc => 420.0,
            // Two laps are enough of the many years.
            Feed::F1 if game.year != Some(2018) => 180.0,
            _ => 260.0,
        };
        let options = Options { year: game.year.unwrap_or_default(), ..Options::default() };
        let drive = || Self::drive(game.feed, options, seconds);
        DRIVEN.get(game.id).expect("a demo").get_or_init(drive)
    }

    fn drive(feed: Feed, options: Options, seconds: f64) -> Self {
        let info = Info {
            id: RecordingId(7),
            parent: None,
            created: BEGAN,
            feed: feed.id().to_owned(),
            program: "the tests".to_owned(),
            others_left_out: false,
        };
        let mut builder = RecordingBuilder::new(&info);
        let mut demo = sim::Demo::new(feed, options, BEGAN).expect("a feed that is spoken");
        let sender = ([192, 168, 1, 20], 4000).into();
        let mut now = BEGAN;
        while now.seconds_since(BEGAN) < seconds {
            now = now.plus_seconds(0.5);
            demo.advance(now, &mut |at, bytes| {
                builder.take(&Datagram { at, sender, port: 20777, feed: Some(feed), bytes });
            });
        }
        let mut bytes = builder.bytes();
        bytes.extend(builder.finish().bytes);
        Self { recording: open(&bytes), bytes }
    }

    /// The game, as drivers call it: with its year where a feed has several.
    fn name(&self, game: DemoGame) -> String {
        let session: SessionSummary = self.recording.facts().get().expect("a fact").expect("a session");
        let of_year = session.game.filter(|_| game.year.is_some());
        of_year.unwrap_or_else(|| game.feed.info().game.to_owned())
    }

    /// The player's counted laps.
    fn laps(&self) -> Vec<LapRow> {
        let session: Option<SessionSummary> = self.recording.facts().get().expect("a fact");
        let player = session.and_then(|session| session.player);
        let rows = self.recording.laps().laps.iter();
        let own = rows.filter(|row| row.lap.counts().is_some() && player.is_none_or(|car| car == row.car));
        own.cloned().collect()
    }

    /// A counted lap of another car, the nearest in time to a lap.
    fn rival(&self, lap: &LapRow) -> Option<LapRow> {
        let rows = self.recording.laps().laps.iter();
        let others = rows.filter(|row| row.car != lap.car && row.lap.counts().is_some());
        others.min_by_key(|row| row.from.0.abs_diff(lap.from.0)).cloned()
    }

    fn clip(&self, laps: &[LapRow], others: OtherCars) -> Vec<u8> {
        let mut trim = Trim::new(&self.recording, laps, others, RecordingId(8));
        read_whole(&mut trim, &self.bytes);
        [trim.bytes(), trim.finish()].concat()
    }
}

fn open(bytes: &[u8]) -> Recording {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish().expect("a recording")
}

/// A channel's samples: each row with its value.
type Samples = Vec<(usize, f32)>;

/// All samples of a lap, with the lap, its setup, events and cuts in words.
fn decoded(recording: &Recording, bytes: &[u8], row: &LapRow) -> (Vec<(Slot, Samples)>, String) {
    let mut reading = LapReading::new(recording, row);
    read_whole(&mut reading, bytes);
    let lap = reading.finish().expect("the lap");
    let line = |slot| (slot, lap.columns.line(slot).expect("a line").iter().collect());
    let rest = format!("{:?} {:?} {:?}", lap.columns.seconds(), lap.lap, lap.context);
    (lap.columns.slots().map(line).collect(), rest)
}

/// The facts as the packets alone give them.
fn from_packets(bytes: &[u8]) -> Facts {
    let mut reindexer = Reindexer::new(&open(bytes).with_facts(Facts::default()));
    read_whole(&mut reindexer, bytes);
    reindexer.finish()
}

#[test]
fn the_own_car_of_a_clip_is_that_of_the_recording() {
    for id in ["f1-2018", "f1-25", "ac-remote", "ac-telemetry-tool", "gran-turismo"] {
        let demo = Demo::of(game(id));
        let laps = demo.laps();
        let car = laps.first().expect("a lap").car;
        let [own, nameless] =
            [OtherCars::LeftOut, OtherCars::Nameless].map(|others| demo.clip(&laps, others));
        let clip = open(&own);
        assert_eq!(clip.laps().laps, laps, "{id}");
        for row in &laps {
            let [(columns, rest), (expected, rest_expected)] =
                [(&clip, &own), (&demo.recording, &demo.bytes)]
                    .map(|(from, bytes)| decoded(from, bytes, row));
            assert_eq!(columns, expected, "{id}");
            assert_eq!(rest, rest_expected, "{id}");
            assert!(columns.len() > 10);
        }
        // What the packets alone give is the same, too.
        let [own, nameless] = [&own, &nameless].map(|bytes| from_packets(bytes));
        let laps = |facts: &Facts| {
            let LapTable { laps, .. } = facts.get().expect("a fact").expect("laps");
            laps.into_iter().filter(|row| row.car == car).collect::<Vec<_>>()
        };
        assert_eq!(laps(&own), laps(&nameless), "{id}");
        let events = |facts: &Facts| {
            let EventLog { events } = facts.get().expect("a fact").expect("events");
            // Which lap is the fastest of all depends on the others.
            let is_own = |entry: &LogEntry| {
                entry.car.is_none_or(|of| of == car) && !matches!(entry.kind, LogKind::Fastest { .. })
            };
            let entries = events.into_iter().map(|event| event.entry).filter(is_own);
            entries.map(|entry| (entry.at, entry.car, entry.kind)).collect::<Vec<_>>()
        };
        assert_eq!(events(&own), events(&nameless), "{id}");
        let drivers = |facts: &Facts| {
            let session: SessionSummary = facts.get().expect("a fact").expect("a session");
            let own = session.participants.into_iter().find(|driver| driver.car == car);
            (own, session.player, session.vehicle, session.track)
        };
        assert_eq!(drivers(&own), drivers(&nameless), "{id}");
    }
}

#[test]
fn traffic_stays_known_without_the_other_cars() {
    let options = Options { start: Start::Grid, cars: 8, player: 3, ..Options::default() };
    let demo = Demo::drive(Feed::F1, options, 110.0);
    let rows = &demo.recording.laps().laps;
    let lap = rows.iter().find(|row| row.car == Car(3) && row.lap.ended_s.is_some()).expect("a lap");
    let clip = open(&demo.clip(std::slice::from_ref(lap), OtherCars::LeftOut));
    let close = |recording: &Recording| {
        let Traffic { close } = recording.facts().get().expect("a fact").expect("traffic");
        close.into_iter().filter(|close| (lap.from..=lap.to).contains(&close.from)).collect::<Vec<_>>()
    };
    let [known, expected] = [&clip, &demo.recording].map(close);
    assert_eq!(known, expected);
    for ahead in [true, false] {
        let along_m =
            known.iter().filter(|close| close.ahead == ahead).map(|close| close.to_m - close.from_m);
        assert!(along_m.sum::<f32>() > 500.0, "from the middle of the grid: {known:?}");
    }
}

#[test]
fn cars_that_are_left_out_are_nowhere() {
    for id in ["f1-2018", "f1-25", "ac-telemetry-tool"] {
        let demo = Demo::of(game(id));
        let laps = demo.laps();
        let own = laps.first().expect("a lap").car;
        let cars = |others: OtherCars| {
            let bytes = demo.clip(&laps, others);
            let mut archive = Archive::default();
            let clip = open(&bytes);
            let mut packets = clip.all_packets();
            read_whole(&mut packets, &bytes);
            packets.take().iter().for_each(|packet| drop(archive.take(&packet.datagram())));
            let session = archive.session(0).expect("a session");
            let cars: Vec<Car> = session.cars().map(|(car, _)| car).collect();
            let drivers: Vec<Car> = session.participants().iter().map(|driver| driver.car).collect();
            let timing: Vec<Car> = timing_table(session).into_iter().map(|row| row.car).collect();
            [cars, drivers, timing]
        };
        assert!(cars(OtherCars::Nameless).iter().all(|cars| cars.len() > 10), "{id}");
        assert_eq!(cars(OtherCars::LeftOut), [vec![own], vec![own], vec![own]], "{id}");
    }
}

#[test]
fn a_lap_of_twenty_cars_fits_a_chat() {
    // Of F1 2018, and of later years, which send more of the own car.
    for (id, most_bytes, most_letters) in [("f1-2018", 700_000, 900_000), ("f1-25", 750_000, 1_000_000)] {
        let demo = Demo::of(game(id));
        let laps = demo.laps();
        assert!(laps.len() >= 2, "{} laps", laps.len());
        for row in &laps {
            let size = demo.clip(std::slice::from_ref(row), OtherCars::LeftOut).len() as u64;
            assert!(size < most_bytes && enclosed_bytes(size) < most_letters, "{id}: {size} bytes");
        }
    }
}

#[test]
fn the_size_of_a_clip_is_known_before_it_is_cut() {
    // Of the F1 games the oldest and the newest: the years between send the same kinds of packets.
    let is_between = |game: &DemoGame| game.feed == Feed::F1 && !["f1-2018", "f1-25"].contains(&game.id);
    for game in shared_games().filter(|game| !is_between(game)) {
        let demo = Demo::of(game);
        let laps = demo.laps();
        assert!(laps.len() >= 2, "{}: {} laps", game.id, laps.len());
        // A rival's lap of the same time as well, where the game sends one.
        let rival = demo.rival(&laps[0]);
        let with_rival: Vec<LapRow> = laps[..1].iter().cloned().chain(rival).collect();
        for laps in [&laps[..1], &laps[1..2], &laps[..], &with_rival] {
            let mut size = ClipSize::new(&demo.recording, laps);
            read_whole(&mut size, &demo.bytes);
            // Where a game sends nobody else, all three are the same.
            let choices = [OtherCars::LeftOut, OtherCars::Nameless, OtherCars::Kept];
            let choices = if game.feed.leave_out().is_some() { &choices[..] } else { &choices[..1] };
            for others in choices {
                let about = size.bytes(*others).expect("a size");
                let real = demo.clip(laps, *others).len() as u64;
                let few = about.abs_diff(real) * 10 <= real;
                assert!(few, "{} {others:?} {}: about {about}, {real}", game.id, laps.len());
            }
        }
    }
}

#[test]
fn the_guide_has_the_sizes_of_shared_laps() {
    let guide = include_str!("../../../docs/coach.md");
    let mut wrong = Vec::new();
    for game in shared_games() {
        let demo = Demo::of(game);
        let laps = demo.laps();
        let row = laps.get(1).expect("a second lap");
        let recording = demo.clip(std::slice::from_ref(row), OtherCars::LeftOut).len() as u64;
        let seconds = row.lap.time.expect("a time").seconds();
        let sizes = [recording, enclosed_bytes(recording)].map(|bytes| bytes as f64 / 1e6);
        let name = demo.name(game);
        let line = guide.lines().find_map(|line| line.strip_prefix(&format!("| {name} | ")));
        let words = line.unwrap_or_default().split_whitespace();
        let written: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        let real = [seconds, sizes[0], sizes[1]];
        let is_close = |(written, real): (&f64, &f64)| (written - real).abs() < real * 0.04;
        if written.len() != real.len() || !written.iter().zip(&real).all(is_close) {
            wrong.push(format!("| {name} | {seconds:.0} s | {:.2} MB | {:.2} MB |", sizes[0], sizes[1]));
        }
    }
    assert!(wrong.is_empty(), "the guide has other sizes:\n{}", wrong.join("\n"));
}
