//! A simulated race as Assetto Corsa sends it, at several rates, compared with the simulator's truth.

mod handwritten;

use std::net::SocketAddr;

use crate::decoded::{count_events, timed_laps};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, Channel, EventKind};
use trailbrake_shared::session::{Receiver, Session};
use trailbrake_shared::sim::ac_remote::AcRemote;
use trailbrake_shared::sim::demo::Emitter;
use trailbrake_shared::sim::race;
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::truth::SessionTruth;
use trailbrake_shared::sim::{Options, Request, Start, Truth};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// The player's car is the game's first one, whatever its number in the simulator.
const CAR: Car = Car(0);
const PLAYER: usize = 1;
/// Physics steps of the simulator between packets: 240, 60, 30 and 12 packets a second.
const EVERY: [u32; 4] = [1, 4, 8, 20];

/// A run as it was received.
struct DecodedRun {
    receiver: Receiver,
    truth: Truth,
}

/// Receives a run; a bad network loses, duplicates and reorders datagrams.
fn decode(options: Options, seconds: f64, every: u32, bad: bool) -> DecodedRun {
    let (mut race, mut game) = (race::start(options), AcRemote::default());
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    for step in 1.. {
        if race.run_s() >= seconds {
            break;
        }
        race::step(&mut race);
        if step % every == 0 {
            let at = Micros(1_000_000).plus_seconds(race.run_s());
            game.frame(&race, &mut |packet| sent.push((at, packet.to_vec())));
        }
    }
    let mut chance = Random::new(99);
    let mut arriving: Vec<(usize, usize)> = Vec::new();
    for (place, (_, bytes)) in sent.iter().enumerate() {
        // Only updates are lost: the game's answer is requested until it arrives, and laps are not sent twice.
        let bad = bad && bytes.len() == 328;
        let mut late = || place + if bad { (chance.unit() * 4.0) as usize } else { 0 };
        let (first, second) = (late(), late());
        if !bad || chance.unit() >= 0.05 {
            arriving.push((first, place));
        }
        if bad && chance.unit() < 0.05 {
            arriving.push((second, place));
        }
    }
    arriving.sort_unstable();
    let mut receiver = Receiver::default();
    for (_, place) in arriving {
        let (at, bytes) = &sent[place];
        let sender = SocketAddr::from(([127, 0, 0, 1], 9996));
        let datagram = Datagram { at: *at, sender, port: 40_000, feed: Some(Feed::AcRemote), bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
    }
    DecodedRun { receiver, truth: race.truth().clone() }
}

impl DecodedRun {
    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    /// The timed laps of a car in one run.
    fn laps(&self, car: Car, run: u16) -> Vec<&Lap> {
        timed_laps(self.session(), car, run)
    }
}

fn race(laps: u8) -> Options {
    Options { start: Start::Grid, cars: 4, laps, player: PLAYER, again: false, ..Options::default() }
}

/// The session's number of a simulated car.
fn session_car(car: usize) -> Car {
    if car == PLAYER { CAR } else { Car(car as u8 + 1) }
}

/// Compares every car's laps of a run with the truth; returns how many.
fn check(decoded: &DecodedRun, truth: &SessionTruth, run: u16) -> usize {
    for car in 0..decoded.truth.drivers.len() {
        let known = truth.finished.iter().filter(|lap| lap.car == car);
        let known: Vec<_> = known.map(|lap| (lap.number, LapTime(lap.time_ms))).collect();
        let laps = decoded.laps(session_car(car), run);
        let received: Vec<_> =
            laps.iter().filter_map(|lap| Some((u32::from(lap.number), lap.time?))).collect();
        assert_eq!(received, known, "car {car}");
        assert!(laps.iter().all(|lap| !lap.flags.has_any(&[LapFlag::Incomplete, LapFlag::Restarted])));
    }
    truth.finished.len()
}

#[test]
fn a_race_has_the_known_laps_at_every_rate_and_on_a_bad_network() {
    for every in EVERY {
        for bad in [false, true] {
            let decoded = decode(race(2), 240.0, every, bad);
            assert_eq!(check(&decoded, &decoded.truth.sessions[0], 0), 8, "every {every}, bad: {bad}");
            let names: Vec<String> = (0..4).map(|car| decoded.session().name(session_car(car))).collect();
            assert_eq!(names, decoded.truth.drivers);
        }
    }
}

#[test]
fn practice_has_the_known_laps_and_the_way_around() {
    for every in EVERY {
        let options = Options { start: Start::Flying, ..race(0) };
        let decoded = decode(options, 330.0, every, true);
        assert!(check(&decoded, &decoded.truth.sessions[0], 0) >= 8);
        let session = decoded.session();
        assert!(session.outline().is_some(), "the way around is known");
        let length = decoded.truth.circuit.length_m as f32;
        let second = decoded.laps(CAR, 0)[1].serial;
        let columns = session.car(CAR).expect("the car").traces.lap(second).expect("columns");
        let way = columns.line(Channel::LapDistance.slot()).expect("the distance");
        let (_, last) = way.iter().last().expect("a row");
        assert!((last / length - 1.0).abs() < 0.02, "every {every}: {last} of {length}");
        assert!(session.live_comparison().delta().is_ok());
    }
}

#[test]
fn a_pause_changes_no_lap() {
    let mut options = race(2);
    options.requests = vec![(60.0, Request::Pause { seconds: 20.0 })];
    for every in EVERY {
        let decoded = decode(options.clone(), 260.0, every, true);
        assert_eq!(check(&decoded, &decoded.truth.sessions[0], 0), 8);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Paused), 1);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Resumed), 1);
    }
}

#[test]
fn a_restart_begins_another_run() {
    let mut options = race(2);
    options.requests = vec![(150.0, Request::Restart { new_identity: false })];
    for every in EVERY {
        let decoded = decode(options.clone(), 400.0, every, true);
        let [first, second] = decoded.truth.sessions.as_slice() else { panic!("two sessions") };
        assert!(check(&decoded, first, 0) >= 3);
        assert_eq!(check(&decoded, second, 1), 8);
        assert_eq!(count_events(decoded.session(), |kind| *kind == EventKind::Restarted), 1);
    }
}

#[test]
fn what_the_wheels_do_is_what_the_simulator_knows() {
    let (mut race, mut game) = (race::start(race(2)), AcRemote::default());
    let mut receiver = Receiver::default();
    race::advance_to(&mut race, 60.0);
    game.frame(&race, &mut |bytes| {
        let sender = SocketAddr::from(([127, 0, 0, 1], 9996));
        let datagram = Datagram { at: Micros(0), sender, port: 40_000, feed: None, bytes };
        receiver.receive(&datagram).expect("a packet that is understood");
    });
    let known = race::car_state(&race, PLAYER).expect("a car");
    let received = receiver.session().and_then(|session| session.car(CAR)).expect("the car");
    let near = |slot, expected: f64| {
        let value = f64::from(received.latest.value(slot).expect("a value"));
        assert!((value - expected).abs() <= expected.abs() * 1e-5 + 1e-5, "{value} is not {expected}");
    };
    use trailbrake_shared::model::{Axis, Wheel};
    for (slot, expected) in [
        (Channel::Speed.slot(), known.motion.speed_ms),
        (Channel::Throttle.slot(), known.throttle),
        (Channel::Clutch.slot(), known.clutch),
        (Channel::Gear.slot(), f64::from(known.gear)),
        (Channel::GLateral.slot(), known.motion.lateral_ms2 / 9.81),
        (Channel::Position.along(Axis::X), known.motion.position[0]),
        // The simulator stores its rear wheels first.
        (Channel::WheelSlip.of(Wheel::RearLeft), known.wheels[0].slip),
        (Channel::WheelSpeed.of(Wheel::FrontRight), known.wheels[3].speed_ms),
        (Channel::SuspensionPosition.of(Wheel::FrontLeft), known.wheels[2].suspension_mm / 1e3),
        (Channel::LapClock.slot(), (known.lap.time_s * 1e3).round() / 1e3),
    ] {
        near(slot, expected);
    }
    // Positive is right in the model, left in the simulator.
    let steering = received.value(Channel::SteeringAngle).expect("an angle");
    assert_eq!(steering > 0.0, known.steer < 0.0);
}
