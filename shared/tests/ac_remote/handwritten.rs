//! Sessions from handwritten and from captured packets.

use trailbrake_shared::games::Decode as _;
use trailbrake_shared::games::ac_remote::layout::{Answer, Lap, Update};
use trailbrake_shared::games::ac_remote::{ANSWER, Decoder, UPDATE, VERSION, WideText};
use trailbrake_shared::games::table::ONLY_VERSION;
use trailbrake_shared::model::{Car, Channel};
use trailbrake_shared::session::Session;
use trailbrake_shared::time::{LapTime, Micros};

use super::CAR;

type Packets = Vec<(f64, Vec<u8>)>;

/// Updates at 50 m/s and 60 Hz, from one time on the lap clock to another.
fn run(laps: i32, from_s: f64, to_s: f64, last_lap: i32, at_s: f64) -> Packets {
    let frames = ((to_s - from_s) * 60.0) as i32;
    let packet = |frame: i32| {
        let seconds = f64::from(frame) / 60.0;
        let update = Update {
            identifier: UPDATE,
            size: 328,
            lap_time: ((from_s + seconds) * 1e3).round() as i32,
            lap_count: laps,
            last_lap,
            speed_ms: 50.0,
            position_normalised: (from_s + seconds) as f32 / 100.0,
            ..Update::default()
        };
        (at_s + seconds, update.bytes(ONLY_VERSION))
    };
    (0..frames).map(packet).collect()
}

fn answer(car: &str, driver: &str) -> Vec<u8> {
    let (car_name, driver_name) = (WideText::write(car), WideText::write(driver));
    let answer = Answer { identifier: ANSWER, version: VERSION, car_name, driver_name, ..Answer::default() };
    answer.bytes(ONLY_VERSION)
}

fn lap(place: i32, number: i32, driver: &str, car: &str, time: i32) -> Vec<u8> {
    let (driver_name, car_name) = (WideText::write(driver), WideText::write(car));
    Lap { car_identifier: place, lap: number, driver_name, car_name, time }.bytes(ONLY_VERSION)
}

fn session(packets: &[Packets]) -> Session {
    let (mut decoder, mut session) = (Decoder::default(), Session::default());
    for (seconds, packet) in packets.iter().flatten() {
        decoder.receive(Micros(0).plus_seconds(*seconds), packet, &mut session).expect("a whole packet");
    }
    session
}

fn times(session: &Session, car: Car) -> Vec<(u16, Option<LapTime>, bool)> {
    let laps = session.car(car).expect("a car").laps.finished().iter();
    laps.map(|lap| (lap.number, lap.time, lap.counts().is_some())).collect()
}

#[test]
fn a_lap_ends_with_the_count_and_has_the_official_time() {
    let session = session(&[
        run(0, 80.0, 90.0, 0, 0.0),
        run(1, 0.008, 90.0, 90_012, 10.0),
        run(2, 0.02, 5.0, 90_100, 100.0),
    ]);
    let known = [(1, Some(LapTime(90_012)), false), (2, Some(LapTime(90_100)), true)];
    assert_eq!(times(&session, CAR), known, "the first was joined late");
    let metres = session.car(CAR).and_then(|car| car.value(Channel::LapDistance)).expect("a distance");
    assert!((metres - 50.0 * 4.98).abs() < 1.0, "{metres}");
}

#[test]
fn others_laps_have_their_names_and_leave_the_players_alone() {
    let session = session(&[
        vec![(0.0, answer("a", "Ada"))],
        run(0, 60.0, 70.0, 0, 0.1),
        vec![(10.2, lap(4, 1, "Grace Hopper", "abarth500", 65_000))],
        run(0, 70.0, 90.0, 0, 10.2),
        vec![(30.2, lap(0, 1, "Ada", "a", 90_012))],
        run(1, 0.008, 50.0, 90_012, 30.3),
        vec![(80.3, lap(4, 2, "Grace Hopper", "abarth500", 64_000))],
        run(1, 50.0, 51.0, 90_012, 80.4),
    ]);
    assert_eq!(session.cars().map(|(car, _)| car).collect::<Vec<_>>(), [CAR, Car(5)]);
    assert_eq!((session.name(CAR), session.name(Car(5))), ("Ada".into(), "Grace Hopper".into()));
    assert_eq!(times(&session, CAR), [(1, Some(LapTime(90_012)), false)]);
    assert_eq!(times(&session, Car(5)), [(1, Some(LapTime(65_000)), true), (2, Some(LapTime(64_000)), true)]);
    let other = session.car(Car(5)).expect("a car");
    assert_eq!(other.vehicle.as_ref().and_then(|car| car.name.as_deref()), Some("Abarth 500"));
    assert_eq!(other.value(Channel::Speed), None, "of other cars nothing but laps is sent");
}

#[test]
#[ignore = "needs captures"]
fn the_captured_line_crossing_ends_the_lap_of_monza() {
    let bytes = trailbrake_captures::read("assetto-corsa-ksudp/monza-packets-7441-8640.328xN.bin");
    let packets = bytes.chunks(328).enumerate();
    let session =
        session(&[packets.map(|(number, packet)| (number as f64 / 60.0, packet.to_vec())).collect()]);
    assert_eq!(times(&session, CAR), [(1, Some(LapTime(344_684)), false)]);
    let laps = &session.car(CAR).expect("a car").laps;
    assert_eq!(laps.current().map(|lap| lap.number), Some(2));
}
