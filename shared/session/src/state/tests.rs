use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::Units;
use trailbrake_model::{
    Axis, Channel, DriverStatus, Flag, PitStatus, Recognised, SafetyCar, SectorTimes, SessionKind, Signal,
    Slot, Weather,
};

use super::*;
use crate::{Gap, choices, log_words, sketch, timing_table};

const HZ: f64 = 20.0;
const LENGTH_M: f64 = 3000.0;
const PLAYER: Car = Car(1);

/// A car on a round track of 3 km, with a constant speed for each lap.
#[derive(Clone, Debug)]
struct Driver {
    car: Car,
    /// Speed in each lap, m/s.
    laps: Vec<f64>,
    /// Where braking begins in each lap, in metres from the line.
    brakes_at: Vec<f64>,
}

impl Driver {
    fn new(car: u8, speeds: &[f64]) -> Self {
        Self { car: Car(car), laps: speeds.to_vec(), brakes_at: vec![1000.0; speeds.len()] }
    }

    fn time(&self, lap: usize) -> Option<LapTime> {
        self.laps.get(lap).map(|speed| LapTime((LENGTH_M / speed * 1e3).round() as u32))
    }

    /// The lap, counted from 0, and the seconds into it.
    fn place(&self, seconds: f64) -> (usize, f64) {
        let mut rest = seconds;
        for lap in 0..self.laps.len() {
            let time = self.time(lap).map_or(0.0, LapTime::seconds);
            if rest < time {
                return (lap, rest);
            }
            rest -= time;
        }
        (self.laps.len(), rest)
    }

    fn send(&self, session: &mut Session, moment: Moment) {
        let seconds = moment.seconds();
        let (lap, clock) = self.place(seconds);
        let speed = self.laps.get(lap).copied().unwrap_or(30.0);
        let metres = clock * speed;
        let angle = metres / LENGTH_M * std::f64::consts::TAU;
        let radius = LENGTH_M / std::f64::consts::TAU;
        let start = self.brakes_at.get(lap).copied().unwrap_or(1000.0);
        let brake = if (start..start + 100.0).contains(&metres) { 0.8 } else { 0.0 };
        let sample = |session: &mut Session, values: &[(Slot, f32)]| {
            session.sample(&Sample { car: self.car, moment, values });
        };
        sample(
            session,
            &[
                (Channel::Position.along(Axis::X), (radius * angle.cos()) as f32),
                (Channel::Position.along(Axis::Y), 0.0),
                (Channel::Position.along(Axis::Z), (radius * angle.sin()) as f32),
                (Channel::GLateral.slot(), 1.0),
            ],
        );
        sample(
            session,
            &[(Channel::LapDistance.slot(), metres as f32), (Channel::LapClock.slot(), clock as f32)],
        );
        session.progress(&self.progress(moment, lap, clock, metres));
        sample(
            session,
            &[
                (Channel::Speed.slot(), speed as f32),
                (Channel::Throttle.slot(), 1.0),
                (Channel::Brake.slot(), brake),
            ],
        );
    }

    fn progress(&self, moment: Moment, lap: usize, clock: f64, metres: f64) -> LapProgress {
        let times = || (0..lap).filter_map(|lap| self.time(lap));
        let sector = (metres / LENGTH_M * 3.0) as u8;
        let third = |number: u8| {
            let time = self.time(lap).map_or(0, |time| time.0 / 3);
            (sector >= number).then_some(LapTime(time))
        };
        LapProgress {
            car: self.car,
            moment,
            lap: (lap.min(self.laps.len() - 1) + 1) as u16,
            clock: Some(clock as f32),
            distance: Some(metres as f32),
            total_distance: Some((lap as f64 * LENGTH_M + metres) as f32),
            last_lap: times().next_back(),
            best_lap: times().min(),
            sector,
            sectors: SectorTimes::from([third(1), third(2), None]),
            inferred: false,
            invalid: false,
            pit: PitStatus::OnTrack,
            driver: DriverStatus::OnTrack,
            result: if lap < self.laps.len() { ResultStatus::Active } else { ResultStatus::Finished },
            position: self.car.0,
            grid: self.car.0,
            penalties: 0,
            ..LapProgress::default()
        }
    }
}

fn moment(frame: u32) -> Moment {
    let seconds = f64::from(frame) / HZ;
    Moment { at: Micros((seconds * 1e6) as u64), session_time: Some(seconds), frame: Some(frame) }
}

fn started(drivers: &[Driver], retention: Retention) -> Session {
    let mut session = Session::new(retention);
    let first = moment(0);
    session.event(Event { moment: first, car: None, kind: EventKind::SessionStarted });
    session.fact(first, Fact::Player(Some(PLAYER)));
    session.fact(
        first,
        Fact::Session(Box::new(SessionInfo {
            kind: SessionKind::Race(1),
            track_length_m: Some(LENGTH_M as f32),
            weather: Some(Weather::Clear),
            ..SessionInfo::default()
        })),
    );
    let names = ["A. ABLE", "B. BAKER", "C. CHARLIE", "D. DOG"];
    let participant = |(driver, name): (&Driver, &&str)| Participant {
        car: driver.car,
        name: (*name).to_owned(),
        ai: Some(true),
        race_number: Some(driver.car.0.into()),
        ..Participant::default()
    };
    session.fact(first, Fact::Participants(drivers.iter().zip(&names).map(participant).collect()));
    session
}

fn drive(session: &mut Session, drivers: &[Driver], frames: std::ops::Range<u32>) {
    for frame in frames {
        drivers.iter().for_each(|driver| driver.send(session, moment(frame)));
    }
}

fn driven(drivers: &[Driver], seconds: f64) -> Session {
    let mut session = started(drivers, Retention::default());
    drive(&mut session, drivers, 0..(seconds * HZ) as u32);
    session
}

fn log_lines(session: &Session) -> Vec<String> {
    session.log().map(|entry| log_words(session, entry, Units::default())).collect()
}

fn player(session: &Session) -> &CarState {
    session.car(PLAYER).expect("the player")
}

#[test]
fn a_session_that_has_just_begun_knows_when_that_was() {
    let mut session = Session::default();
    session.event(Event { moment: moment(5), car: None, kind: EventKind::SessionStarted });
    assert_eq!(session.now(), moment(5));
}

#[test]
fn a_session_knows_laps_names_and_the_latest_values() {
    // 60 s, 50 s, 60 s.
    let session = driven(&[Driver::new(1, &[50.0, 60.0, 50.0])], 180.0);
    let times: Vec<_> =
        player(&session).laps.finished().iter().map(|lap| lap.time.map(|time| time.0)).collect();
    assert_eq!(times, [Some(60_000), Some(50_000), Some(60_000)]);
    assert_eq!((session.name(PLAYER).as_str(), session.short(PLAYER).as_str()), ("A. ABLE", "ABL"));
    assert_eq!(player(&session).value(Channel::Speed), Some(30.0));
    assert_eq!(player(&session).value(Channel::Rpm), None);
    assert_eq!(session.bests().lap, Some((LapTime(50_000), PLAYER)));
    assert_eq!(session.watched(), Some(PLAYER));
}

#[test]
fn each_lap_has_its_own_columns() {
    let session = driven(&[Driver::new(1, &[50.0, 60.0, 50.0])], 130.0);
    let car = player(&session);
    for (lap, time) in car.laps.finished().iter().zip([60.0, 50.0]) {
        let columns = car.traces.lap(lap.serial).expect("columns");
        assert_eq!(columns.len(), (time * HZ) as usize);
        let distance = Channel::LapDistance.slot();
        let last = columns.len() - 1;
        assert!(columns.value(distance, 0).is_some_and(|metres| metres < 3.1));
        assert!(columns.value(distance, last).is_some_and(|metres| metres > 2990.0));
        assert!(columns.value(Channel::GLateral.slot(), last).is_some());
    }
    assert_eq!(car.traces.current().len(), 20 * HZ as usize);
}

#[test]
fn the_delta_is_by_place_and_ends_at_the_official_difference() {
    // 60 s, then a lap in 62.5 s.
    let drivers = [Driver::new(1, &[50.0, 48.0, 50.0])];
    let mut session = driven(&drivers, 60.0 + 31.25);
    let delta = session.live_comparison().delta().expect("a delta");
    assert!((delta - 1.25).abs() < 0.06, "{delta}");
    assert_eq!(session.live_comparison().reference().map(|reference| reference.number), Some(1));
    drive(&mut session, &drivers, (91.25 * HZ) as u32..(123.0 * HZ) as u32);
    let finished = session.live_comparison().finished().expect("a finished lap");
    assert_eq!((finished.serial, finished.reference, finished.behind_ms), (2, Some(1), 2500));
    assert_eq!(finished.points.last().map(|(_, delta)| *delta), Some(2.5));
    assert!(finished.points.is_sorted_by(|a, b| a.0 < b.0));
    let (_, before) = finished.points[finished.points.len() - 2];
    assert!((before - 2.5).abs() < 0.01, "{before}");
}

#[test]
fn without_distance_or_reference_there_is_a_reason() {
    let drivers = [Driver::new(1, &[50.0, 48.0])];
    let session = driven(&drivers, 30.0);
    assert_eq!(
        session.live_comparison().delta().map_err(|why| why.to_string()),
        Err("no reference lap yet".into())
    );
    let mut session = started(&drivers, Retention::default());
    let mut progress = drivers[0].progress(moment(1), 0, 0.05, 2.5);
    progress.distance = None;
    session.progress(&progress);
    assert_eq!(
        session.live_comparison().delta().map_err(|why| why.to_string()),
        Err("finish a lap first (no lap distance in this game)".into())
    );
}

#[test]
fn what_only_reads_laps_compares_none() {
    let drivers = [Driver::new(1, &[50.0, 48.0, 50.0])];
    let mut session = started(&drivers, Retention { compares: false, ..Retention::default() });
    drive(&mut session, &drivers, 0..(130.0 * HZ) as u32);
    assert!(session.live_comparison().reference().is_none());
    let with_comparison = driven(&drivers, 130.0);
    assert!(with_comparison.live_comparison().reference().is_some());
    let laps = |session: &Session| player(session).laps.finished().to_vec();
    assert_eq!(laps(&session), laps(&with_comparison));
}

#[test]
fn the_last_braking_is_compared_with_the_best_laps() {
    let mut driver = Driver::new(1, &[50.0, 48.0, 50.0]);
    driver.brakes_at = vec![1000.0, 1016.0, 1000.0];
    let session = driven(&[driver], 60.0 + 40.0);
    let (own, best) = session
        .live_comparison()
        .braking()
        .zip(session.live_comparison().same_braking())
        .expect("two brakings");
    // Sampled every 2.4 and 2.5 metres.
    assert!((own.later_than(best) - 16.0).abs() < 2.5, "{} and {}", own.start_m, best.start_m);
    assert_eq!(session.live_comparison().zones().len(), 1);
    assert!((own.peak - 0.8).abs() < 1e-6);
}

#[test]
fn the_reference_is_the_best_lap_or_the_drivers_choice() {
    let drivers = [Driver::new(1, &[50.0, 60.0, 55.0, 50.0])];
    let mut session = driven(&drivers, 170.0);
    let number = |session: &Session| session.live_comparison().reference().map(|reference| reference.number);
    assert_eq!(number(&session), Some(2));
    choices::choose_reference(&mut session, Some(1));
    assert_eq!(number(&session), Some(1));
    choices::choose_reference(&mut session, None);
    choices::exclude_lap(&mut session, 2, true);
    assert_eq!((number(&session), session.bests().lap), (Some(3), Some((LapTime(54_545), PLAYER))));
    choices::exclude_lap(&mut session, 2, false);
    assert_eq!(number(&session), Some(2));
}

#[test]
fn gaps_are_times_at_the_same_place() {
    let drivers = [Driver::new(1, &[50.0; 5]), Driver::new(2, &[48.0; 5]), Driver::new(3, &[20.0; 5])];
    let session = driven(&drivers, 100.0);
    let rows = timing_table(&session);
    assert_eq!(rows.iter().map(|row| row.short.as_str()).collect::<Vec<_>>(), ["ABL", "BAK", "CHA"]);
    assert_eq!((rows[0].gap, rows[0].player, rows[0].last), (Gap::Leader, true, Some(LapTime(60_000))));
    // At 99.95 s the second car is at 4797.6 m, where the leader was after 95.95 s.
    let Gap::Seconds(gap) = rows[1].gap else { panic!("{:?}", rows[1].gap) };
    assert!((gap - 4.0).abs() < 0.02, "{gap}");
    // The third car is 2999 m behind, and then more than a lap.
    assert!(matches!(rows[2].gap, Gap::Seconds(_)), "{:?}", rows[2].gap);
    assert_eq!(timing_table(&driven(&drivers, 101.0))[2].gap, Gap::Laps(1));
}

#[test]
fn in_qualifying_the_gap_is_between_best_laps() {
    let drivers = [Driver::new(1, &[50.0; 5]), Driver::new(2, &[48.0; 5]), Driver::new(3, &[20.0; 5])];
    let mut session = started(&drivers, Retention::default());
    let info = SessionInfo { kind: SessionKind::ShortQualifying, ..SessionInfo::default() };
    session.fact(moment(0), Fact::Session(Box::new(info)));
    drive(&mut session, &drivers, 0..(70.0 * HZ) as u32);
    let gaps: Vec<Gap> = timing_table(&session).iter().map(|row| row.gap).collect();
    assert_eq!(gaps, [Gap::Leader, Gap::Seconds(2.5), Gap::Unknown]);
}

#[test]
fn the_outline_is_learnt_from_the_first_lap_and_outlives_the_session() {
    let drivers = [Driver::new(1, &[50.0; 3]), Driver::new(2, &[60.0; 3])];
    let mut session = driven(&drivers, 40.0);
    assert_eq!(session.outline(), None);
    assert!(sketch(&session).points.len() > 100);
    drive(&mut session, &drivers, (40.0 * HZ) as u32..(60.0 * HZ) as u32);
    let outline = session.outline().expect("an outline").clone();
    assert!(outline.complete && outline.points.len() > 400);
    assert_eq!(
        session.sector_starts_m().map(|start| start.map(|start| (start / 100.0).round())),
        [Some(10.0), Some(20.0)]
    );
    let info = session.info().cloned().expect("a session");
    session.event(Event { moment: moment(0), car: None, kind: EventKind::SessionStarted });
    assert_eq!((session.outline(), session.cars().count()), (None, 0));
    session.fact(moment(0), Fact::Session(Box::new(info)));
    assert_eq!(session.outline(), Some(&outline));
}

#[test]
fn a_recognised_layout_stays_known_and_keeps_its_outline() {
    let drivers = [Driver::new(1, &[50.0; 3]), Driver::new(2, &[60.0; 3])];
    let mut session = driven(&drivers, 60.0);
    let outline = session.outline().expect("an outline").clone();
    let info = session.info().cloned().expect("a session");
    let report = |session: &mut Session, track: Option<(&str, Recognised)>| {
        let track = track.map(|(name, recognised)| Track {
            id: "Eifel".into(),
            name: Some(name.into()),
            recognised: Some(recognised),
        });
        session.fact(moment(0), Fact::Session(Box::new(SessionInfo { track, ..info.clone() })));
        session.info().and_then(|info| info.track.as_ref()).map(Track::title)
    };
    let known = [
        (Some(("Eifel", Recognised::Track)), "Eifel"),
        (Some(("Eifel GP", Recognised::Layout)), "Eifel GP"),
        // A decoder that begins in the middle of a recording knows less at first.
        (None, "Eifel GP"),
        (Some(("Eifel", Recognised::Track)), "Eifel GP"),
    ];
    for (reported, expected) in known {
        assert_eq!(report(&mut session, reported).as_deref(), Some(expected));
        assert_eq!(session.outline(), Some(&outline), "{expected}");
    }
    // In the next session the outline is that of the layout alone.
    session.event(Event { moment: moment(0), car: None, kind: EventKind::SessionStarted });
    assert_eq!(report(&mut session, None), None);
    assert_eq!(report(&mut session, Some(("Eifel", Recognised::Track))).as_deref(), Some("Eifel"));
    assert_eq!(session.outline(), None);
    report(&mut session, Some(("Eifel GP", Recognised::Layout)));
    assert_eq!(session.outline(), Some(&outline));
}

#[test]
fn what_happens_is_logged() {
    let drivers = [Driver::new(1, &[50.0, 48.0, 50.0]), Driver::new(2, &[49.0, 60.0, 50.0])];
    let mut session = driven(&drivers, 125.0);
    let flag = |session: &mut Session, number: f32| {
        let values = [(Channel::Flag.slot(), number)];
        session.sample(&Sample { car: PLAYER, moment: moment(2500), values: &values });
    };
    [-1.0, 0.0, 3.0, 3.0, 0.0].into_iter().for_each(|number| flag(&mut session, number));
    let mut info = session.info().cloned().expect("a session");
    (info.safety_car, info.weather) = (Some(SafetyCar::Full), Some(Weather::LightRain));
    info.marshal_zones = vec![trailbrake_model::MarshalZone { start: 0.5, flag: Flag::Yellow }];
    session.fact(moment(2500), Fact::Session(Box::new(info)));
    let mut pits = drivers[1].progress(moment(2500), 2, 13.0, 650.0);
    pits.pit = PitStatus::Pitting;
    session.progress(&pits);
    pits.moment = moment(2501);
    (pits.penalties, pits.invalid) = (5, true);
    session.progress(&pits);
    let mut own = drivers[0].progress(moment(2501), 2, 2.55, 127.5);
    (own.penalties, own.invalid) = (3, true);
    session.progress(&own);
    (own.moment, own.penalties) = (moment(2502), 6);
    session.progress(&own);
    assert_eq!(
        log_lines(&session),
        [
            "Session started",
            "Lap 1, 1:00.000",
            "Fastest lap 1:00.000 in lap 1",
            "BAK: Fastest lap 50.000 in lap 2",
            "Lap 2, 1:02.500",
            "Yellow flag",
            "Track clear",
            "Safety car",
            "Light rain",
            "Yellow flag, sector 2",
            "BAK: Pit entry",
            "BAK: 5 s penalty",
            "3 s penalty",
            "Lap 3 invalidated",
            "3 s penalty",
        ]
    );
    let behind = session.log().find_map(|entry| match entry.kind {
        LogKind::Lap { number: 2, behind_ms, .. } => behind_ms,
        _ => None,
    });
    assert_eq!(behind, Some(2500));
}

#[test]
fn going_back_takes_back_laps_columns_and_entries() {
    let drivers = [Driver::new(1, &[50.0, 48.0, 50.0])];
    let mut session = driven(&drivers, 70.0);
    assert_eq!(player(&session).laps.finished().len(), 1);
    let back = (55.0 * HZ) as u32;
    let kind = EventKind::Rewound { millis: 15_000 };
    session.event(Event { moment: moment(back), car: None, kind });
    let car = player(&session);
    assert_eq!((car.laps.finished().len(), car.traces.current().len()), (0, back as usize + 1));
    assert_eq!(log_lines(&session), ["Session started", "Rewound by 15.0 s"]);
    assert_eq!(session.live_comparison().reference().and_then(ReferenceLap::serial), None);
    drive(&mut session, &drivers, back..(70.0 * HZ) as u32);
    let car = player(&session);
    let lap = &car.laps.finished()[0];
    assert_eq!((lap.time, lap.flags.to_string()), (Some(LapTime(60_000)), "valid, rewound".to_owned()));
    let columns = car.traces.lap(lap.serial).expect("columns");
    assert_eq!(columns.len(), (60.0 * HZ) as usize);
    assert!(columns.seconds().is_sorted_by(|a, b| a < b));
    assert_eq!(car.value(Channel::Speed), Some(48.0));
}

#[test]
fn a_restart_keeps_the_best_lap_and_begins_again() {
    let drivers = [Driver::new(1, &[50.0, 48.0, 50.0])];
    let mut session = driven(&drivers, 90.0);
    session.event(Event { moment: moment(0), car: None, kind: EventKind::Restarted });
    drive(&mut session, &drivers, 0..(30.0 * HZ) as u32);
    let car = player(&session);
    let flags: Vec<String> = car.laps.finished().iter().map(|lap| lap.flags.to_string()).collect();
    assert_eq!(flags, ["valid", "incomplete, restarted"]);
    assert_eq!(car.laps.current().map(|lap| (lap.number, lap.run)), Some((1, 1)));
    assert_eq!(car.traces.current().len(), (30.0 * HZ) as usize);
    assert!(session.live_comparison().delta().is_ok_and(|delta| delta.abs() < 0.01));
}

#[test]
fn memory_stays_flat() {
    let drivers = [Driver::new(1, &[100.0; 60]), Driver::new(2, &[100.0; 60])];
    let retention = Retention { player_bytes: 300_000, ..Retention::default() };
    let mut session = started(&drivers, retention);
    let mut taken = Vec::new();
    for lap in 0..60_u32 {
        drive(&mut session, &drivers, lap * 600..(lap + 1) * 600);
        taken.push(session.bytes());
    }
    assert!(taken[59] <= taken[30], "{taken:?}");
    let car = player(&session);
    assert_eq!(car.laps.finished().len(), 59);
    let kept: Vec<u32> = car.traces.serials().collect();
    // The reference is the first of equals; the rest are the latest laps that fit.
    assert_eq!((kept[0], *kept.last().expect("a lap")), (1, 59));
    assert!(kept[1..].iter().zip(kept[1..].iter().skip(1)).all(|(a, b)| a + 1 == *b));
    let other = session.car(Car(2)).expect("the other");
    assert_eq!(other.traces.serials().collect::<Vec<_>>(), [1, 59]);
    assert!(other.traces.current().line(Channel::GLateral.slot()).is_none());
    assert!(car.traces.current().line(Channel::GLateral.slot()).is_some());
}

#[test]
fn a_lap_without_end_is_thinned_out() {
    let drivers = [Driver::new(1, &[0.5])];
    let session = driven(&drivers, 3000.0);
    let columns = player(&session).traces.current();
    assert!(columns.len() <= 36_001, "{}", columns.len());
    assert!(columns.seconds().is_sorted_by(|a, b| a < b));
}

#[test]
fn a_spectator_looks_at_the_car_that_is_watched() {
    let drivers = [Driver::new(1, &[50.0; 3]), Driver::new(2, &[60.0; 3])];
    let mut session = driven(&drivers, 20.0);
    let mut watch = |watching: Option<Car>| {
        let info =
            SessionInfo { spectating: Some(true), watching, ..session.info().cloned().expect("a session") };
        session.fact(moment(400), Fact::Session(Box::new(info)));
        session.watched()
    };
    assert_eq!(watch(Some(Car(2))), Some(Car(2)));
    // No packet of this car was ever received.
    assert_eq!(watch(Some(Car(9))), Some(PLAYER));
    assert_eq!(watch(None), Some(PLAYER));
    // Laps are logged for the watched car.
    watch(Some(Car(2)));
    drive(&mut session, &drivers, 400..(65.0 * HZ) as u32);
    assert!(log_lines(&session).contains(&"BAK: Lap 1, 50.000".to_owned()), "{:?}", log_lines(&session));
    assert!(!log_lines(&session).contains(&"Lap 1, 1:00.000".to_owned()));
}

#[test]
fn another_player_is_another_reference() {
    let drivers = [Driver::new(1, &[50.0; 3]), Driver::new(2, &[60.0; 3])];
    let mut session = driven(&drivers, 125.0);
    session.fact(moment(2500), Fact::Player(Some(Car(2))));
    assert_eq!(
        session.live_comparison().reference().map(|reference| reference.curve.time()),
        Some(LapTime(50_000))
    );
    let before = session.car(PLAYER).expect("a car");
    assert!(before.traces.current().line(Channel::GLateral.slot()).is_none());
    session.fact(moment(2500), Fact::Player(None));
    assert!(session.live_comparison().reference().is_none());
}

#[test]
fn signals_given_on_the_way_to_a_session_belong_to_it() {
    let mut session = Session::default();
    let mut frame = 0;
    let mut say = |session: &mut Session, kind: EventKind| {
        frame += 1;
        session.event(Event { moment: moment(frame), car: None, kind });
    };
    let signal = |signal| EventKind::Signal { signal, value: None };
    for kind in
        [signal(Signal::Running), signal(Signal::AtTrack), EventKind::SessionStarted, signal(Signal::Brake)]
    {
        say(&mut session, kind);
    }
    let count = |session: &Session| {
        [Signal::Running, Signal::AtTrack, Signal::Brake, Signal::InGameMenu]
            .map(|one| session.signals().count(one))
    };
    assert_eq!(count(&session), [1, 1, 1, 0]);
    // After the end signals still count; in the menu they belong to the next session, too.
    say(&mut session, EventKind::SessionEnded);
    say(&mut session, signal(Signal::InGameMenu));
    assert_eq!(count(&session), [1, 1, 1, 1]);
    say(&mut session, signal(Signal::AtTrack));
    say(&mut session, EventKind::SessionStarted);
    assert_eq!(count(&session), [0, 1, 0, 1]);
    assert_eq!(session.signals().times(Signal::AtTrack).count(), 1);
    say(&mut session, EventKind::SessionStarted);
    assert_eq!(count(&session), [0; 4], "of the same session's own nothing is left");
}

#[test]
fn of_one_car_alone_nothing_is_kept_of_the_others() {
    let drivers = [Driver::new(0, &[50.0, 51.0]), Driver::new(1, &[52.0, 53.0])];
    let read = |only: Option<Car>| {
        let mut session = Session::new(Retention { only, closely: Some(PLAYER), ..Retention::default() });
        for frame in 0..2400_u32 {
            let session_time = Some(f64::from(frame) / HZ);
            let moment = Moment { at: Micros(0), session_time, frame: Some(frame) };
            drivers.iter().for_each(|driver| driver.send(&mut session, moment));
        }
        session
    };
    let (alone, all) = (read(Some(PLAYER)), read(None));
    assert!(alone.car(Car(0)).is_none() && all.car(Car(0)).is_some());
    let own = |session: &Session| {
        let car = session.car(PLAYER).expect("a car");
        let columns = car.traces.lap(1).expect("columns");
        (car.laps.finished().to_vec(), columns.seconds().to_vec())
    };
    assert_eq!(own(&alone), own(&all));
    assert!(alone.bytes() < all.bytes());
}
