//! Laps that were driven before the first packet, as F1 reports them since 2021.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapChoice, LapEntry, LapQuery};
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{
    Info, LapTable, Opening, OtherCars, RecordingBuilder, RecordingId, Reindexer, Trim, read_whole,
};
use trailbrake_shared::session::{Receiver, Session, timing_table};
use trailbrake_shared::sim::truth::LapTruth;
use trailbrake_shared::sim::{Demo, Options, Request, Start, Truth};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

const CARS: usize = 4;
const PLAYER: Car = Car(1);
/// In the third lap of every car.
const JOINED_S: f64 = 215.0;

/// A race of which the first packets are not received.
struct LateRace {
    receiver: Receiver,
    truth: Truth,
    /// A recording of what was received.
    recorded: Vec<u8>,
}

fn race(year: u16, joined_s: f64, seconds: f64, requests: Vec<(f64, Request)>) -> LateRace {
    let began = Micros(1_000_000);
    let options = Options {
        year,
        requests,
        start: Start::Grid,
        cars: CARS,
        laps: 5,
        player: usize::from(PLAYER.0),
        again: false,
        ..Options::default()
    };
    let mut demo = Demo::new(Feed::F1, options, began).expect("a demo");
    let mut receiver = Receiver::default();
    let mut builder = RecordingBuilder::new(&Info {
        id: RecordingId(7),
        parent: None,
        created: began.plus_seconds(joined_s),
        feed: Feed::F1.id().to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    });
    demo.drive(seconds, &mut |at, bytes| {
        if at.seconds_since(began) >= joined_s {
            let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes };
            receiver.receive(&datagram).expect("a packet that is understood");
            builder.take(&datagram);
        }
    });
    let recorded = [builder.bytes(), builder.finish().bytes].concat();
    LateRace { receiver, truth: demo.truth().clone(), recorded }
}

impl LateRace {
    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    fn catalogue(&self) -> LapCatalogue {
        LapCatalogue::of_session(self.session(), Feed::F1).finished()
    }

    fn driven(&self, car: usize) -> Vec<&LapTruth> {
        let laps = self.truth.sessions[0].finished.iter();
        laps.filter(|lap| lap.car == car && !lap.undone).collect()
    }
}

fn of_car(catalogue: &LapCatalogue, car: usize) -> Vec<&LapEntry> {
    let laps = catalogue.laps().iter().filter(|entry| usize::from(entry.id.car.0) == car);
    catalogue.listed(laps)
}

fn numbers(rows: &[&LapEntry], is_reported: bool) -> Vec<u16> {
    rows.iter().filter(|row| row.is_reported() == is_reported).map(|row| row.lap.number).collect()
}

/// Compares the list of every car with the truth. Returns how many laps are reported.
fn check(race: &LateRace, catalogue: &LapCatalogue) -> usize {
    let mut reported = 0;
    for car in 0..CARS {
        let (rows, driven) = (of_car(catalogue, car), race.driven(car));
        assert_eq!(rows.len(), driven.len(), "car {car}");
        for (row, known) in rows.iter().zip(driven) {
            let (lap, context) = (&row.lap, format!("car {car}, lap {}: {}", row.lap.number, row.lap.flags));
            assert_eq!(u32::from(lap.number), known.number, "{context}");
            assert_eq!(lap.time, Some(LapTime(known.time_ms)), "{context}");
            let sectors: Vec<_> = known.sectors_ms.iter().map(|millis| Some(LapTime(*millis))).collect();
            if row.is_reported() {
                reported += 1;
                assert_eq!(lap.sectors[..], sectors, "{context}");
                assert_eq!(lap.counts().is_none(), known.marks.invalid, "{context}");
            }
        }
    }
    reported
}

#[test]
fn a_late_join_lists_all_laps_of_all_cars() {
    for year in [2021, 2023, 2025, 2026] {
        let wide = (40.0, Request::RunWide { car: usize::from(PLAYER.0) });
        let race = race(year, JOINED_S, 480.0, vec![wide]);
        let catalogue = race.catalogue();
        assert_eq!(check(&race, &catalogue), 2 * CARS, "{year}");
        let own = of_car(&catalogue, usize::from(PLAYER.0));
        assert_eq!((numbers(&own, true), numbers(&own, false)), (vec![1, 2], vec![3, 4, 5]), "{year}");
        assert!(own[0].lap.flags.has(LapFlag::Invalid) && own[1].lap.flags.has(LapFlag::Valid), "{year}");
        assert!(own[2].lap.flags.has(LapFlag::Incomplete), "joined during lap 3 in {year}");
        // Queries find only laps that can be opened.
        let query = |laps| LapQuery { laps, ..LapQuery::default() };
        assert_eq!(catalogue.select(&query(Vec::new())).len(), 3, "{year}");
        let why = catalogue.pick(&query(vec![LapChoice::Numbers(1, 2)]), None).expect_err("no samples");
        let words = "nothing was received of lap 1 of the player but its times, which the game reports";
        assert_eq!(why.to_string(), words, "{year}");
    }
}

#[test]
fn bests_count_reported_laps() {
    let race = race(2024, JOINED_S, 330.0, Vec::new());
    let catalogue = race.catalogue();
    let laps = || catalogue.listed(catalogue.laps()).into_iter().filter(|row| row.lap.counts().is_some());
    let best = laps().filter_map(|row| Some((row.lap.time?, row.id.car))).min();
    let bests = race.session().bests();
    assert_eq!(bests.lap, best);
    let first: Vec<LapTime> = laps().filter_map(|row| row.lap.sectors[0]).collect();
    assert_eq!(bests.sectors[0].map(|(time, _)| time), first.into_iter().min());
    for row in timing_table(race.session()) {
        let own = race.driven(usize::from(row.car.0)).into_iter().map(|lap| LapTime(lap.time_ms)).min();
        assert_eq!(row.best, own, "{}", row.car);
    }
}

#[test]
fn a_rewind_undoes_reported_laps_too() {
    let laps = race(2023, JOINED_S, JOINED_S, Vec::new());
    let line_s = laps.driven(usize::from(PLAYER.0)).last().expect("the second lap").ended_s;
    let mut left = Vec::new();
    // Back to where reception had begun, and over its beginning into the lap before.
    for (joined_s, at, after_s) in [
        (JOINED_S, 300.0, 0.5),
        (JOINED_S, 300.0, 5.0),
        (line_s + 3.0, line_s + 6.0, 0.2),
        (line_s + 3.0, line_s + 6.0, 3.0),
        (line_s + 3.0, line_s + 6.0, 30.0),
    ] {
        let back = vec![(at, Request::Rewind { seconds: 20.0 })];
        let race = race(2023, joined_s, at + after_s, back);
        assert_eq!(race.truth.sessions[0].rewinds.len(), 1);
        let laps = &race.session().car(PLAYER).expect("the player").laps;
        let own: Vec<u16> = laps.finished().iter().chain(laps.current()).map(|lap| lap.number).collect();
        let driven = race.driven(usize::from(PLAYER.0)).into_iter().map(|lap| lap.number as u16);
        let expected: Vec<u16> = driven.filter(|number| !own.contains(number)).collect();
        let reported = race.session().reported().laps.iter().filter(|lap| lap.car == PLAYER);
        let numbers: Vec<u16> = reported.map(|lap| lap.number).collect();
        assert_eq!(numbers, expected, "{after_s} s after the rewind at {at} s");
        left.push(numbers.len());
    }
    assert_eq!(left, [2, 2, 1, 1, 1]);
}

#[test]
fn a_restart_begins_the_list_again() {
    let race = race(2023, JOINED_S, 420.0, vec![(250.0, Request::Restart { new_identity: false })]);
    assert!(race.session().reported().laps.is_empty());
    assert!(race.catalogue().laps().iter().any(|entry| entry.lap.run == 1));
}

#[test]
fn a_clip_keeps_the_reported_laps_of_its_cars() {
    let race = race(2024, JOINED_S, 330.0, Vec::new());
    let open = |bytes: &[u8]| {
        let mut opening = Opening::new(bytes.len() as u64);
        read_whole(&mut opening, bytes);
        opening.finish().expect("a recording")
    };
    let recording = open(&race.recorded);
    let reported = &recording.laps().reported;
    assert_eq!(*reported, race.session().reported().laps);
    let row = recording.laps().laps.iter().find(|row| row.car == PLAYER).expect("a lap").clone();
    for (others, cars) in [(OtherCars::LeftOut, 1), (OtherCars::Nameless, CARS), (OtherCars::Kept, CARS)] {
        let mut trim = Trim::new(&recording, std::slice::from_ref(&row), others, RecordingId(8));
        read_whole(&mut trim, &race.recorded);
        let bytes = [trim.bytes(), trim.finish()].concat();
        let clip = open(&bytes);
        let kept = &clip.laps().reported;
        assert_eq!(kept.len(), reported.len() / CARS * cars, "{others:?}");
        assert!(kept.iter().all(|lap| reported.contains(lap)), "{others:?}");
        let own = kept.iter().filter(|lap| lap.car == PLAYER).count();
        assert_eq!(own, reported.len() / CARS, "{others:?}");
        // The clip's packets report laps that are in the recording, too.
        let mut reindexer = Reindexer::new(&clip);
        read_whole(&mut reindexer, &bytes);
        let again: LapTable = reindexer.finish().get().expect("a fact").expect("laps");
        assert_eq!(again.reported, *kept, "{others:?}");
    }
}

#[test]
#[ignore = "needs captures"]
fn a_captured_report_counts_laps_as_lap_data_does() {
    let mut receiver = Receiver::default();
    // 95 s and 121 s after the start of one race. Car 2 leads, and is in its second lap at both moments.
    for (file, second) in
        [("26-lapData-1285.bin", 95), ("26-lapData-1285.bin", 96), ("27-sessionHistory-1460.bin", 121)]
    {
        let bytes = trailbrake_captures::read(&format!("next/f1-2024/{file}"));
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let at = Micros(second * 1_000_000);
        let _ = receiver.receive(&Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes: &bytes });
    }
    let session = receiver.session().expect("a session");
    let car = session.car(Car(2)).expect("the car of the report");
    assert_eq!(car.laps.current().map(|lap| lap.number), Some(2));
    let [lap] = session.reported().laps[..] else { panic!("{:?}", session.reported().laps) };
    assert_eq!((lap.car, lap.number, lap.time, lap.valid), (Car(2), 1, LapTime(84_390), true));
    assert_eq!(lap.sectors[..], [28_722, 38_242, 17_425].map(|millis| Some(LapTime(millis))));
    // Lap data names the time of the lap before, too.
    assert_eq!(car.progress().and_then(|progress| progress.last_lap), Some(lap.time));
}
