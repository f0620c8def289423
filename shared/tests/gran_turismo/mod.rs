//! A simulated race as Gran Turismo sends it, in each packet size, compared with the simulator's truth.

mod grid;
mod signals;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::decoded::{count_events, timed_laps};
use crate::network::arrivals;
use trailbrake_shared::analysis::{Fingerprint, LapColumns, ReferenceLine, TrackBook};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, Channel, EventKind, Signal, Track, TrackPrint};
use trailbrake_shared::session::{DriverChoices, Receiver, Session, choices};
use trailbrake_shared::sim::gran_turismo::{Dialect, GranTurismo};
use trailbrake_shared::sim::race;
use trailbrake_shared::sim::truth::SessionTruth;
use trailbrake_shared::sim::{Demo, Options, Request, Start, Truth};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

const DIALECTS: [Dialect; 6] = [
    Dialect::Gt7,
    Dialect::Gt7With(Letter::Tilde),
    Dialect::Gt7With(Letter::B),
    Dialect::Gt7With(Letter::A),
    Dialect::Sport,
    Dialect::Gt6,
];

/// The game sends one car only, no matter who drives it.
const CAR: Car = Car(0);
/// The car that the simulated game sends.
const PLAYER: usize = 1;

/// A run as it was received.
struct DecodedRun {
    receiver: Receiver,
    truth: Truth,
    /// How often the player changed gear.
    gear_changes: u64,
}

/// Receives a run; a bad network loses, duplicates and reorders datagrams.
fn decode(
    dialect: Dialect,
    options: Options,
    seconds: f64,
    bad: bool,
    tracks: Vec<TrackPrint>,
) -> DecodedRun {
    let mut demo = Demo::speaking(Box::new(GranTurismo::new(dialect)), options, Micros(1_000_000));
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    let (mut gear, mut gear_changes) = (None, 0);
    let frames = (seconds * 60.0) as u32;
    for frame in 1..=frames {
        let before = sent.len();
        demo.drive(f64::from(frame) / 60.0 - 1e-3, &mut |at, bytes| sent.push((at, bytes.to_vec())));
        assert_eq!(sent.len(), before + 1, "one packet a tick");
        // In the menu no gear is engaged.
        let driven = race::car_state(demo.race(), PLAYER).filter(|_| !race::session_state(demo.race()).ended);
        let now = Some(driven.map_or(0, |car| car.gear));
        gear_changes += u64::from(gear.is_some() && gear != now);
        gear = now;
    }
    let mut receiver = Receiver::default();
    receiver.choose(DriverChoices { tracks, ..DriverChoices::default() });
    for place in arrivals(sent.len(), bad) {
        let (at, bytes) = &sent[place];
        let sender = SocketAddr::from(([127, 0, 0, 1], 33739));
        let datagram = Datagram { at: *at, sender, port: 33740, feed: Some(Feed::GranTurismo), bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
    }
    DecodedRun { receiver, truth: demo.truth().clone(), gear_changes }
}

impl DecodedRun {
    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    /// The timed laps of a run.
    fn laps(&self, run: u16) -> Vec<&Lap> {
        timed_laps(self.session(), CAR, run)
    }

    fn count(&self, signal: Signal) -> u64 {
        self.session().signals().count(signal)
    }
}

fn race(laps: u8) -> Options {
    Options { start: Start::Grid, cars: 2, laps, player: PLAYER, again: false, ..Options::default() }
}

/// Compares the laps of a run with the truth; returns how many.
fn check(decoded: &DecodedRun, truth: &SessionTruth, run: u16) -> usize {
    let known = truth.finished.iter().filter(|lap| lap.car == PLAYER);
    let known: Vec<_> = known.map(|lap| (lap.number, LapTime(lap.time_ms))).collect();
    let laps = decoded.laps(run);
    let received: Vec<_> = laps.iter().filter_map(|lap| Some((u32::from(lap.number), lap.time?))).collect();
    assert_eq!(received, known);
    assert!(laps.iter().all(|lap| !lap.flags.has_any(&[LapFlag::Incomplete, LapFlag::Restarted])));
    known.len()
}

#[test]
fn a_race_has_the_known_laps_in_every_size_and_on_a_bad_network() {
    for dialect in DIALECTS {
        for bad in [false, true] {
            let decoded = decode(dialect, race(2), 240.0, bad, Vec::new());
            assert_eq!(check(&decoded, &decoded.truth.sessions[0], 0), 2, "{dialect:?}, bad: {bad}");
            let session = decoded.session();
            assert!(session.outline().is_some(), "{dialect:?}: the way around is known");
            let length = decoded.truth.circuit.length_m as f32;
            let second = decoded.laps(0)[1].serial;
            let columns = session.car(CAR).expect("the car").traces.lap(second).expect("columns");
            let way = columns.line(Channel::LapDistance.slot()).expect("the distance");
            let (_, last) = way.iter().last().expect("a row");
            assert!((last / length - 1.0).abs() < 0.02, "{dialect:?}, bad: {bad}: {last} of {length}");
        }
    }
}

#[test]
fn what_scripts_wait_for_can_be_counted_from_the_menu_to_the_flag() {
    for dialect in DIALECTS {
        let decoded = decode(dialect, race(2), 240.0, false, Vec::new());
        assert!(decoded.session().has_ended());
        for (signal, count) in [
            // Before the session begins.
            (Signal::Running, 1),
            (Signal::InGameMenu, 1),
            (Signal::AtTrack, 1),
            (Signal::InRace, 1),
            (Signal::RaceStart, 1),
            (Signal::Handbrake, 1),
            (Signal::RaceFinish, 1),
            // The menu has none, which counts as a change.
            (Signal::LastLapTime, 3),
            (Signal::LapChange, 5),
            (Signal::RaceEnd, 1),
            (Signal::Paused, 0),
            (Signal::GearChange, decoded.gear_changes),
        ] {
            assert_eq!(decoded.count(signal), count, "{dialect:?}: {}", signal.name());
        }
        let times: Vec<f64> = decoded.session().signals().times(Signal::LastLapTime).collect();
        let known: Vec<f64> = decoded.truth.sessions[0]
            .finished
            .iter()
            .filter(|lap| lap.car == PLAYER)
            .map(|lap| f64::from(lap.time_ms) / 1e3)
            .collect();
        assert!((times[1] - times[0] - known[1]).abs() < 0.04, "{times:?} {known:?}");
    }
}

#[test]
fn a_pause_changes_no_lap() {
    let mut options = race(2);
    options.requests = vec![(60.0, Request::Pause { seconds: 20.0 })];
    for dialect in DIALECTS {
        let decoded = decode(dialect, options.clone(), 260.0, true, Vec::new());
        assert_eq!(check(&decoded, &decoded.truth.sessions[0], 0), 2, "{dialect:?}");
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Paused), 1);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Resumed), 1);
        assert_eq!(decoded.count(Signal::Paused), 1);
        assert!(decoded.laps(0)[0].flags.has(LapFlag::Paused));
    }
}

#[test]
fn a_restart_begins_another_run() {
    let mut options = race(2);
    options.requests = vec![(150.0, Request::Restart { new_identity: false })];
    for dialect in [Dialect::Gt7, Dialect::Gt7With(Letter::A), Dialect::Gt6] {
        let decoded = decode(dialect, options.clone(), 390.0, true, Vec::new());
        let [first, second] = decoded.truth.sessions.as_slice() else { panic!("two sessions") };
        assert!(check(&decoded, first, 0) >= 1);
        assert_eq!(check(&decoded, second, 1), 2);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Restarted), 1);
        let broken = decoded.session().car(CAR).expect("the car").laps.finished();
        assert_eq!(broken.iter().filter(|lap| lap.flags.has(LapFlag::Restarted)).count(), 1);
    }
}

#[test]
fn a_race_left_for_the_menu_and_begun_again_is_another_session() {
    let mut options = race(2);
    options.requests = vec![(130.0, Request::Restart { new_identity: true })];
    let decoded = decode(Dialect::Gt7, options, 360.0, false, Vec::new());
    let second = decoded.truth.sessions.last().expect("a session");
    assert_eq!(check(&decoded, second, 0), 2);
    assert_eq!(
        count_events(decoded.session(), |kind| *kind == EventKind::SessionStarted),
        1,
        "of the second one alone"
    );
}

#[test]
fn a_track_the_driver_has_named_is_known_again_on_its_second_lap() {
    let options = Options { cars: 2, player: PLAYER, again: false, ..Options::default() };
    let first = decode(Dialect::Gt7, options.clone(), 200.0, false, Vec::new());
    let print = first.session().track_print().expect("what the track looks like").clone();
    assert_eq!(count_events(first.session(), |kind| matches!(kind, EventKind::TrackDetected { .. })), 0);

    let named = TrackPrint { name: "The old mill".into(), ..print };
    for dialect in DIALECTS {
        let again = Options { seed: 5, ..options.clone() };
        let decoded = decode(dialect, again, 280.0, true, vec![named.clone()]);
        let detected =
            |kind: &EventKind| matches!(kind, EventKind::TrackDetected { name } if name == "The old mill");
        assert_eq!(count_events(decoded.session(), detected), 1, "{dialect:?}");
        let track = decoded.session().info().and_then(|info| info.track.as_ref()).expect("the track");
        assert_eq!(track.name.as_deref(), Some("The old mill"));
    }

    let elsewhere = Options { circuit: 1, ..options };
    let decoded = decode(Dialect::Gt7, elsewhere, 280.0, false, vec![named]);
    assert_eq!(count_events(decoded.session(), |kind| matches!(kind, EventKind::TrackDetected { .. })), 0);
    assert!(decoded.session().track_print().is_some());
}

#[test]
fn a_track_named_while_it_is_driven_is_known_at_the_next_line_even_when_joined_late() {
    let options = Options { cars: 2, player: PLAYER, keep_truth: false, ..Options::default() };
    let mut demo = Demo::new(Feed::GranTurismo, options, Micros(0)).expect("a demo");
    let mut receiver = Receiver::default();
    let mut drive = |receiver: &mut Receiver, until_s: f64| {
        demo.drive(until_s, &mut |at, bytes| {
            let sender = SocketAddr::from(([127, 0, 0, 1], 33739));
            let feed = Some(Feed::GranTurismo);
            receiver.receive(&Datagram { at, sender, port: 33740, feed, bytes }).expect("a packet");
        });
    };
    // The first half of a lap is not received.
    drive(&mut Receiver::default(), 50.0);
    drive(&mut receiver, 130.0);
    assert!(receiver.session().expect("a session").track_print().is_none(), "half a lap is none");
    drive(&mut receiver, 190.0);
    let print = receiver.session().and_then(Session::track_print).expect("what the track looks like");
    let named = print.named("The old mill").expect("a name");
    receiver.choose(DriverChoices { tracks: vec![named], ..DriverChoices::default() });
    drive(&mut receiver, 260.0);
    let track = receiver.session().and_then(|session| session.info()?.track.as_ref()).expect("the track");
    assert_eq!(track.name.as_deref(), Some("The old mill"));
}

#[test]
fn a_track_of_the_track_book_has_its_name_live_once_a_lap_shows_its_shape() {
    let options = Options { cars: 2, player: PLAYER, again: false, ..Options::default() };
    let mut decoded = decode(Dialect::Gt7, options, 200.0, false, Vec::new());
    let title = |session: &Session| {
        let track = session.info().and_then(|info| info.track.as_ref()).map(Track::title);
        let catalogue = LapCatalogue::of_session(session, Feed::GranTurismo);
        let of_laps = catalogue.laps().first().and_then(|entry| entry.combo().track);
        assert_eq!(track, of_laps, "one question has one answer");
        track
    };
    let session = decoded.receiver.session_mut().expect("a session");
    assert_eq!(title(session), None);
    let car = session.car(CAR).expect("the car");
    let lap = car.laps.best().expect("a lap");
    let columns = car.traces.lap(lap.serial).expect("its columns");
    let line = ReferenceLine::learn(&LapColumns::new(lap, columns)).expect("a line");
    for name in ["Old mill", "The mill"] {
        let mut book = TrackBook::default();
        book.name(&Fingerprint::of(&line), name);
        let before = session.facts_changed();
        let choices = DriverChoices { book: Arc::new(book), ..DriverChoices::default() };
        choices::choose(session, choices);
        assert_eq!(title(session).as_deref(), Some(name));
        assert!(session.facts_changed() > before);
    }
    assert!(session.outline().is_some_and(|outline| outline.complete), "the outline stays");
}

#[test]
fn every_size_fills_the_channels_it_has() {
    let mut filled: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    for dialect in DIALECTS {
        let decoded = decode(dialect, race(2), 40.0, false, Vec::new());
        let car = decoded.session().car(CAR).expect("the car");
        for (name, channel) in [
            ("speed", Channel::Speed),
            ("lateral g", Channel::GLateral),
            ("lap clock", Channel::LapClock),
            ("steering", Channel::SteeringAngle),
            ("pedal", Channel::ThrottlePedal),
            ("wheelbase", Channel::Wheelbase),
        ] {
            filled.entry(name).or_default().push(car.value(channel).is_some());
        }
    }
    // In the order C, ~, B, A, GT Sport, GT6.
    for (name, sizes) in [
        ("speed", [true; 6]),
        ("lateral g", [true; 6]),
        ("lap clock", [true; 6]),
        ("steering", [true, true, true, false, false, false]),
        ("pedal", [true, true, false, false, false, false]),
        ("wheelbase", [true, false, false, false, false, false]),
    ] {
        assert_eq!(filled[name], sizes, "{name}");
    }
}
