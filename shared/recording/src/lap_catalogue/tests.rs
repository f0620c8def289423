use trailbrake_analysis::laps::{CarLaps, Lap, LapFlags};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, Event, EventKind, Fact, LapProgress, Moment, Participant, Presence, Recognised, SessionInfo, Sink,
    Track,
};
use trailbrake_session::Retention;

use super::*;

/// Consecutive laps with these times in milliseconds.
fn laps(times: &[u32]) -> Vec<Lap> {
    let mut laps = CarLaps::default();
    let (mut began, mut last_lap) = (0.0, None);
    for (lap, millis) in (1..).zip(times.iter().chain([&60_000])) {
        for clock in [0.0, 0.5] {
            let moment = Moment { at: Micros(0), session_time: Some(began + clock), frame: None };
            let clock = Some(clock as f32);
            laps.progress(&LapProgress { moment, lap, clock, last_lap, ..LapProgress::default() });
        }
        last_lap = Some(LapTime(*millis));
        began += f64::from(*millis) / 1e3;
    }
    laps.finished().to_vec()
}

/// A driver's laps: session, car, driver, times in milliseconds.
struct SeatLaps<'a>(u16, u8, &'a str, &'a [u32]);

/// A catalogue of sessions with these players and tracks; of one with a question mark the layout is not recognised.
fn catalogue(sessions: &[(Option<u8>, &str)], driven: &[SeatLaps<'_>]) -> LapCatalogue {
    let summary = |(player, track): &(Option<u8>, &str)| {
        let recognised = track.ends_with('?').then_some(Recognised::Track);
        let track = Some(Track { id: track.to_string(), name: Some(track.to_string()), recognised });
        let info = Some(SessionInfo { track, ..SessionInfo::default() });
        SessionSummary { info, player: player.map(Car), ..SessionSummary::default() }
    };
    let row = |SeatLaps(session, car, driver, times): &SeatLaps<'_>| {
        let (session, car) = (*session, Car(*car));
        let driver = Some(driver.to_string()).filter(|driver| !driver.is_empty());
        let row = move |lap| LapRow {
            session,
            car,
            driver: driver.clone(),
            model: None,
            player: None,
            from: Micros(0),
            to: Micros(0),
            lap,
        };
        laps(times).into_iter().map(row).collect::<Vec<_>>()
    };
    let table = LapTable {
        decoder: 1,
        sessions: sessions.iter().map(summary).collect(),
        laps: driven.iter().flat_map(row).collect(),
        reported: Vec::new(),
    };
    LapCatalogue::of_table(None, &SessionSummary::default(), &table, &|session| {
        session.track().map(Track::title)
    })
}

/// Two sessions at Spa with the player and another driver, and one at Monza.
fn three_sessions() -> LapCatalogue {
    let sessions = [(Some(0), "Spa"), (Some(0), "Spa"), (Some(0), "Monza")];
    let driven = [
        SeatLaps(0, 0, "Ann", &[91_000, 90_000, 92_000]),
        SeatLaps(0, 1, "Bob", &[80_000, 81_000]),
        SeatLaps(1, 0, "Ann", &[95_000]),
        SeatLaps(1, 1, "Bob", &[94_000]),
        SeatLaps(2, 0, "Ann", &[70_000]),
    ];
    catalogue(&sessions, &driven)
}

fn names(laps: &[&LapEntry]) -> Vec<(u16, u8, u16)> {
    laps.iter().map(|entry| (entry.id.session, entry.id.car.0, entry.lap.number)).collect()
}

#[test]
fn a_query_selects_by_driver_session_number_and_best() {
    let catalogue = three_sessions();
    let select = |query: LapQuery| names(&catalogue.select(&query));
    let all = LapQuery::default();
    assert_eq!(select(all.clone()), [(0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 0, 1), (2, 0, 1)]);
    let first = LapQuery { session: Some(0), ..all.clone() };
    assert_eq!(select(LapQuery { drivers: Drivers::Car(Car(1)), ..first.clone() }), [(0, 1, 1), (0, 1, 2)]);
    let best = LapQuery { laps: vec![LapChoice::Best], ..first.clone() };
    assert_eq!(select(best.clone()), [(0, 0, 2)]);
    assert_eq!(
        select(LapQuery { drivers: Drivers::Everyone, ..best.clone() }),
        [(0, 0, 2), (0, 1, 1)],
        "everybody has a best"
    );
    let id = |car, serial| LapId { session: 0, car: Car(car), serial };
    assert_eq!(select(LapQuery { except: vec![id(0, 2)], ..best }), [(0, 0, 1)]);
    assert_eq!(select(LapQuery { laps: vec![LapChoice::Numbers(2, 9)], ..first }), [(0, 0, 2), (0, 0, 3)]);
    assert!(select(LapQuery { run: Some(1), ..all }).is_empty());
}

#[test]
fn picking_prefers_the_last_session_and_says_why_there_is_none() {
    let catalogue = three_sessions();
    let of = |drivers, laps: &[LapChoice], session| LapQuery {
        drivers,
        session,
        laps: laps.to_vec(),
        ..LapQuery::default()
    };
    let pick = |query: &LapQuery| catalogue.pick(query, None).map(|entry| names(&[entry])[0]);
    assert_eq!(pick(&of(Drivers::Player, &[], None)), Ok((2, 0, 1)));
    assert_eq!(pick(&of(Drivers::Player, &[LapChoice::Best], Some(0))), Ok((0, 0, 2)));
    assert_eq!(pick(&of(Drivers::Player, &[LapChoice::Numbers(2, 2)], None)), Ok((0, 0, 2)));
    let why = |query: &LapQuery| pick(query).expect_err("no lap").to_string();
    assert_eq!(why(&of(Drivers::Car(Car(9)), &[], None)), "no lap of car 9");
    assert_eq!(why(&of(Drivers::Car(Car(1)), &[], Some(2))), "car 1 has no lap in session 3");
    assert_eq!(
        why(&of(Drivers::Player, &[LapChoice::Numbers(7, 7)], Some(1))),
        "the player has no lap 7 in session 2"
    );
}

#[test]
fn the_reference_is_the_nearest_best_lap_and_never_the_lap_itself() {
    let mut catalogue = three_sessions();
    let reference = |catalogue: &LapCatalogue, session, car, serial, of| {
        let entry = catalogue.get(LapId { session, car: Car(car), serial }).expect("a lap");
        catalogue.best_reference(entry, of).map(|(found, near)| (names(&[found])[0], near))
    };
    assert_eq!(reference(&catalogue, 0, 0, 1, None), Some(((0, 0, 2), Nearness::Seat)));
    assert_eq!(reference(&catalogue, 0, 0, 2, None), Some(((0, 0, 1), Nearness::Seat)));
    assert_eq!(reference(&catalogue, 1, 0, 1, None), Some(((1, 1, 1), Nearness::Session)));
    assert_eq!(reference(&catalogue, 0, 0, 1, Some(Car(1))), Some(((0, 1, 1), Nearness::Session)));
    assert_eq!(reference(&catalogue, 2, 0, 1, None), None, "another track");
    // Other drivers of another session are no reference unless chosen.
    catalogue.exclude(LapId { session: 1, car: Car(1), serial: 1 }, true);
    assert_eq!(reference(&catalogue, 1, 0, 1, None), Some(((0, 0, 2), Nearness::Track)));
    catalogue.exclude(LapId { session: 1, car: Car(1), serial: 1 }, false);
    assert_eq!(reference(&catalogue, 1, 0, 1, None), Some(((1, 1, 1), Nearness::Session)));
}

#[test]
fn a_stint_is_every_lap_that_counts_and_of_a_long_one_the_nearest() {
    let times: Vec<u32> = (0..80).map(|lap| 90_000 + lap).collect();
    let short = catalogue(&[(Some(0), "Spa")], &[SeatLaps(0, 0, "Ann", &times[..20])]);
    let mut catalogue = catalogue(&[(Some(0), "Spa")], &[SeatLaps(0, 0, "Ann", &times)]);
    let stint = |catalogue: &LapCatalogue, serial: u32| {
        let of = catalogue.get(LapId { session: 0, car: Car(0), serial }).expect("a lap").clone();
        catalogue.stint(&of).iter().map(|entry| entry.lap.number).collect::<Vec<_>>()
    };
    assert_eq!(stint(&short, 3), (1..=20).filter(|lap| *lap != 3).collect::<Vec<_>>());
    assert_eq!(stint(&catalogue, 3), (1..62).filter(|lap| *lap != 3).collect::<Vec<_>>());
    assert_eq!(stint(&catalogue, 80), (20..80).collect::<Vec<_>>());
    assert_eq!(stint(&catalogue, 40), (10..71).filter(|lap| *lap != 40).collect::<Vec<_>>());
    catalogue.exclude(LapId { session: 0, car: Car(0), serial: 39 }, true);
    assert_eq!(stint(&catalogue, 40), (9..71).filter(|lap| ![39, 40].contains(lap)).collect::<Vec<_>>());
}

/// A live session on a server.
fn server() -> Session {
    let mut session = Session::new(Retention::EVERYTHING);
    let event = Event { moment: at(0.0), car: None, kind: EventKind::SessionStarted };
    session.event(event);
    session
}

fn at(seconds: f64) -> Moment {
    Moment { at: Micros((seconds * 1e6) as u64), session_time: Some(seconds), frame: None }
}

fn seated(car: u8, name: &str, guid: &str) -> Participant {
    Participant {
        car: Car(car),
        name: name.to_owned(),
        guid: Some(guid.to_owned()),
        presence: Some(Presence::There),
        ..Participant::default()
    }
}

/// Laps of ten seconds from a moment on.
fn drive(session: &mut Session, car: u8, from_s: f64, first: u16, laps: u16) {
    for lap in 0..=laps {
        let began = from_s + f64::from(lap) * 10.0;
        for clock in [0.0, 0.5, 9.5] {
            let last_lap = (lap > 0).then_some(LapTime(10_000 + u32::from(lap)));
            session.progress(&LapProgress {
                car: Car(car),
                moment: at(began + clock),
                lap: first + lap,
                clock: Some(clock as f32),
                last_lap,
                ..LapProgress::default()
            });
        }
    }
}

#[test]
fn laps_stay_with_the_driver_when_somebody_else_takes_the_car() {
    let mut session = server();
    session.fact(at(0.0), Fact::Participants(vec![seated(3, "Ann", "1"), seated(4, "Cid", "3")]));
    drive(&mut session, 3, 0.0, 1, 2);
    drive(&mut session, 4, 0.0, 1, 1);
    session.fact(at(30.0), Fact::Participants(vec![seated(3, "Bob", "2"), seated(4, "Cid", "3")]));
    drive(&mut session, 3, 40.0, 1, 1);
    // All drivers have left by the end.
    session.fact(at(70.0), Fact::Participants(Vec::new()));
    let catalogue = LapCatalogue::of_session(&session, Feed::AcServer);
    let finished = catalogue.laps().iter().filter(|entry| entry.lap.ended_s.is_some());
    let rows: Vec<(String, u16, u32, bool)> = finished
        .map(|entry| (entry.driver_words(), entry.lap.number, entry.id.serial, entry.lap.counts().is_some()))
        .collect();
    assert_eq!(
        rows,
        [
            ("Ann".to_owned(), 1, 1, true),
            ("Ann".to_owned(), 2, 2, true),
            ("Ann".to_owned(), 3, 3, false),
            ("Bob".to_owned(), 1, 4, true),
            ("Cid".to_owned(), 1, 1, true),
        ]
    );
    let seats: Vec<(String, usize)> =
        catalogue.seats().iter().map(|seat| (seat.first.driver_words(), seat.laps)).collect();
    assert_eq!(seats, [("Ann".to_owned(), 3), ("Bob".to_owned(), 2), ("Cid".to_owned(), 2)]);
    assert!(session.bests().lap.is_some_and(|(time, car)| (time, car) == (LapTime(10_001), Car(3))));
}

#[test]
fn without_a_player_no_lap_is_the_players_and_everyones_are_selected() {
    let mut session = server();
    drive(&mut session, 0, 0.0, 1, 1);
    drive(&mut session, 1, 0.0, 1, 1);
    let catalogue = LapCatalogue::of_session(&session, Feed::F1);
    assert!(catalogue.laps().iter().all(|entry| !entry.is_player()));
    assert_eq!(catalogue.select(&LapQuery::default()).len(), catalogue.laps().len());
    assert_eq!(catalogue.laps()[0].driver_words(), "Car 1");
}

#[test]
fn laps_are_the_player_s_that_they_drove_in_whichever_car() {
    let mut session = server();
    let mut history = LapHistory::default();
    session.fact(at(0.0), Fact::Player(Some(Car(0))));
    history.update(&session, at(0.0).at);
    let mut both = |session: &mut Session, from_s: f64, first: u16, laps: u16| {
        drive(session, 0, from_s, first, laps);
        drive(session, 1, from_s, first, laps);
        history.update(session, session.now().at);
    };
    both(&mut session, 0.0, 1, 2);
    // During the third lap the player gets another car, and drives that on to its sixth.
    session.fact(at(29.6), Fact::Player(Some(Car(1))));
    both(&mut session, 30.0, 4, 3);
    let expected = [(0, 1), (0, 2), (1, 4), (1, 5), (1, 6)];
    let own = |catalogue: &LapCatalogue| -> Vec<(u8, u16)> {
        let own = catalogue.select(&LapQuery::default());
        let own = own.into_iter().filter(|entry| entry.lap.time.is_some());
        own.map(|entry| (entry.id.car.0, entry.lap.number)).collect()
    };
    assert_eq!(own(&LapCatalogue::of_session(&session, Feed::F1)), expected);
    // In a recording's table, too.
    let laps: Vec<LapRow> = history.rows().collect();
    let laps: Vec<LapRow> = serde_json::from_str(&serde_json::to_string(&laps).expect("JSON")).expect("rows");
    let table =
        LapTable { decoder: 1, sessions: history.sessions().cloned().collect(), laps, ..LapTable::default() };
    let recorded = LapCatalogue::of_table(Some(Feed::F1), &SessionSummary::default(), &table, &|_| None);
    assert_eq!(own(&recorded), expected);
}

#[test]
fn without_a_change_of_cars_nothing_is_stored_about_the_player() {
    let mut session = server();
    session.fact(at(0.0), Fact::Player(Some(Car(0))));
    drive(&mut session, 0, 0.0, 1, 2);
    session.fact(at(5.0), Fact::Player(Some(Car(0))));
    let catalogue = LapCatalogue::of_session(&session, Feed::F1);
    assert!(catalogue.laps().iter().all(|entry| entry.player.is_none() && entry.is_player()));
}

#[test]
fn a_lap_without_a_time_in_an_older_recording_is_incomplete() {
    let catalogue = |millis: Option<u32>, flags: &str| {
        let lap = serde_json::json!({
            "serial": 1, "number": 1, "run": 0, "stint": 1, "time": millis, "sectors": [null, null, null],
            "flags": flags.split_whitespace().collect::<Vec<_>>(), "began_s": 0.0, "ended_s": 90.0,
        });
        let row = serde_json::json!({ "car": 0, "from": 0, "to": 90_000_000, "lap": lap });
        let laps = vec![serde_json::from_value(row).expect("a row")];
        let table = LapTable { decoder: 1, laps, ..LapTable::default() };
        let catalogue = LapCatalogue::of_table(None, &SessionSummary::default(), &table, &|_| None);
        catalogue.laps()[0].lap.flags.to_string()
    };
    assert_eq!([catalogue(None, ""), catalogue(None, "paused")], ["incomplete", "incomplete, paused"]);
    assert_eq!([catalogue(None, "out"), catalogue(Some(90_000), "")], ["out", ""]);
}

#[test]
fn a_watched_replay_is_listed_and_is_nobodys_best() {
    let mut session = server();
    session.fact(at(0.0), Fact::Player(Some(Car(0))));
    drive(&mut session, 0, 0.0, 1, 2);
    let replay = SessionInfo { replay: Some(true), ..SessionInfo::default() };
    session.fact(at(30.0), Fact::Session(Box::new(replay)));
    drive(&mut session, 0, 30.0, 4, 2);
    let catalogue = LapCatalogue::of_session(&session, Feed::GranTurismo);
    let row = |entry: &&LapEntry| (entry.lap.number, entry.is_player(), entry.lap.flags.to_string());
    let laps = catalogue.select(&LapQuery::default());
    let rows: Vec<_> = laps.iter().filter(|entry| entry.lap.time.is_some()).map(row).collect();
    assert_eq!(
        rows,
        [
            (1, true, "valid".to_owned()),
            (2, true, "valid".to_owned()),
            (4, false, "replay".to_owned()),
            (5, false, "replay".to_owned()),
        ]
    );
    let best = catalogue.pick(&LapQuery { laps: vec![LapChoice::Best], ..LapQuery::default() }, None);
    assert_eq!(best.map(|entry| entry.lap.number), Ok(1));
    assert_ne!(catalogue.laps()[0].lap.flags, LapFlags::NONE);
}

#[test]
fn laps_on_a_layout_that_was_not_recognised_are_compared_with_no_other_session() {
    let of_track = |track: &str| {
        let driven = [SeatLaps(0, 0, "", &[81_000]), SeatLaps(1, 0, "", &[80_000])];
        let catalogue = catalogue(&[(Some(0), track), (Some(0), track)], &driven);
        let slow = &catalogue.laps()[0];
        let nearness = catalogue.best_reference(slow, None).map(|(_, nearness)| nearness);
        (slow.session.track.clone(), slow.combo().track, nearness)
    };
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(of_track("Eifel GP"), (name("Eifel GP"), name("Eifel GP"), Some(Nearness::Track)));
    assert_eq!(of_track("Eifel?"), (name("Eifel?"), None, None));
}

#[test]
fn a_reported_lap_is_listed_with_the_driver_of_the_next_and_found_by_no_query() {
    let row = |lap: Lap| LapRow {
        session: 0,
        car: Car(3),
        driver: Some(if lap.number < 4 { "Cid" } else { "Bea" }.to_owned()),
        model: None,
        player: None,
        from: Micros(0),
        to: Micros(0),
        lap,
    };
    let table = LapTable {
        laps: laps(&[90_000, 91_000, 92_000, 93_000]).into_iter().skip(1).map(row).collect(),
        reported: vec![ReportedLap {
            session: 0,
            car: Car(3),
            run: 0,
            number: 1,
            time: LapTime(89_000),
            sectors: [None; 3].into(),
            valid: true,
        }],
        ..LapTable::default()
    };
    let table: LapTable =
        serde_json::from_slice(&serde_json::to_vec(&table).expect("JSON")).expect("a table");
    let catalogue = LapCatalogue::of_table(None, &SessionSummary::default(), &table, &|_| None);
    let numbers = |rows: Vec<&LapEntry>| -> Vec<u16> { rows.iter().map(|row| row.lap.number).collect() };
    assert_eq!(numbers(catalogue.listed(catalogue.laps())), [1, 2, 3, 4]);
    let [first, .., last] = catalogue.laps() else { panic!("{catalogue:?}") };
    assert_eq!(numbers(catalogue.listed(catalogue.seat_laps(first))), [1, 2, 3]);
    assert_eq!(numbers(catalogue.listed(catalogue.seat_laps(last))), [4]);
    let [reported] = catalogue.reported() else { panic!("{catalogue:?}") };
    assert_eq!((reported.driver.as_deref(), reported.lap.counts()), (Some("Cid"), Some(LapTime(89_000))));
    assert_eq!((catalogue.get(reported.id), reported.row()), (None, None));
    let best = LapQuery { drivers: Drivers::Everyone, laps: vec![LapChoice::Best], ..LapQuery::default() };
    assert_eq!(numbers(catalogue.select(&best)), [2, 4]);
    let first = LapQuery { laps: vec![LapChoice::Numbers(1, 1)], ..best };
    assert_eq!(
        catalogue.pick(&first, None),
        Err(NoSuchLap::Reported("anybody".to_owned(), 1, String::new()))
    );
}
