//! Laps of Forza, from packets to the table of laps.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Vec3;
use trailbrake_shared::games::forza::Kind;
use trailbrake_shared::games::forza::layout::Packet;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::Car;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// Receives packets, each so many seconds after the one before.
#[derive(Default)]
struct Reception {
    receiver: Receiver,
    at: Micros,
}

impl Reception {
    fn take(&mut self, seconds: f64, bytes: &[u8]) {
        self.at = self.at.plus_seconds(seconds);
        let sender = ([192, 168, 1, 20], 5000).into();
        let datagram = Datagram { at: self.at, sender, port: 5400, feed: Some(Feed::Forza), bytes };
        self.receiver.receive(&datagram).expect("a packet");
    }

    fn finished(&self) -> Vec<Lap> {
        let session = self.receiver.session().expect("a session");
        session.car(Car(0)).map(|car| car.laps.finished().to_vec()).unwrap_or_default()
    }

    /// Drives at 50 m/s from one lap clock to another; the race began 2 s before the lap.
    fn drive(&mut self, packet: Packet, from_s: f64, to_s: f64) {
        for step in 0..=((to_s - from_s) * 20.0).round() as u32 {
            let lap_s = from_s + f64::from(step) / 20.0;
            let race_s = packet.current_race_time.unwrap_or_default() + (f64::from(step) / 20.0) as f32;
            let packet =
                Packet { current_lap: Some(lap_s as f32), current_race_time: Some(race_s), ..packet };
            self.take(0.05, &packet.bytes(Kind::Horizon.version()));
        }
    }
}

fn racing(race_s: f32, laps: u16) -> Packet {
    Packet {
        is_race_on: 1,
        engine_max_rpm: 8000.0,
        velocity: Vec3 { x: 0.0, y: 0.0, z: 50.0 },
        car_ordinal: 2000,
        position: Some(Vec3::default()),
        speed: Some(50.0),
        current_race_time: Some(race_s),
        lap_number: Some(laps),
        race_position: Some(3),
        ..Packet::default()
    }
}

#[test]
#[ignore = "needs captures"]
fn the_captured_lap_of_motorsport_7_is_in_the_table_with_its_pause() {
    let bytes = trailbrake_captures::read("next/forza/fm7-laguna-seca-lap.311xN.bin");
    let mut reception = Reception { at: Micros(1_000_000), ..Reception::default() };
    let mut sent_ms = None;
    for packet in bytes.chunks(311) {
        let now_ms = u32::from_le_bytes(packet[4..8].try_into().expect("four bytes"));
        let passed_ms = now_ms - sent_ms.replace(now_ms).unwrap_or(now_ms);
        reception.take(f64::from(passed_ms) / 1e3, packet);
    }
    let laps = reception.finished();
    let [lap] = laps.as_slice() else { panic!("{laps:?}") };
    assert_eq!((lap.number, lap.time), (1, Some(LapTime(75_256))));
    assert!(lap.flags.has(LapFlag::Paused) && !lap.flags.has(LapFlag::Incomplete), "{}", lap.flags);
}

#[test]
fn a_race_of_two_laps_has_both_though_the_second_is_not_counted() {
    let mut reception = Reception::default();
    reception.drive(racing(2.0, 0), 0.0, 60.0);
    let second = Packet { last_lap: Some(60.03), ..racing(62.05, 1) };
    reception.drive(second, 0.02, 61.02);
    // The car rolls on for a moment, while the time of the last lap is shown.
    reception.drive(Packet { last_lap: Some(61.04), ..racing(123.1, 1) }, 61.07, 61.37);
    let times: Vec<_> = reception.finished().iter().map(|lap| (lap.number, lap.time)).collect();
    assert_eq!(times, [(1, Some(LapTime(60_030))), (2, Some(LapTime(61_040)))]);
}

#[test]
fn a_route_without_laps_is_one_lap_with_its_last_clock() {
    let mut reception = Reception::default();
    let route = Packet { distance_traveled: Some(5_950.0), ..racing(2.0, 0) };
    reception.drive(route, 0.0, 95.5);
    // The results: zeros.
    reception.take(1.0, &Packet::default().bytes(Kind::Horizon.version()));
    let laps = reception.finished();
    assert_eq!(laps.iter().map(|lap| lap.time).collect::<Vec<_>>(), [Some(LapTime(95_500))]);
    assert!(reception.receiver.session().expect("a session").is_stage());
}

#[test]
fn a_rewind_takes_back_what_was_driven_after_it() {
    let mut reception = Reception::default();
    reception.drive(racing(2.0, 0), 0.0, 40.0);
    reception.drive(racing(32.0, 0), 30.0, 60.0);
    let second = Packet { last_lap: Some(60.03), ..racing(62.05, 1) };
    reception.drive(second, 0.02, 5.02);
    let laps = reception.finished();
    let [lap] = laps.as_slice() else { panic!("{laps:?}") };
    assert_eq!(lap.time, Some(LapTime(60_030)));
    assert!(lap.flags.has(LapFlag::Rewound), "{}", lap.flags);
}

#[test]
fn free_roam_has_no_laps() {
    let mut reception = Reception::default();
    for step in 0..400_u16 {
        let race_s = 300.0 + f32::from(step) / 80.0;
        let packet = Packet { race_position: Some(0), current_lap: Some(0.0), ..racing(race_s, 0) };
        reception.take(1.0 / 80.0, &packet.bytes(Kind::Horizon.version()));
    }
    assert_eq!(reception.finished(), []);
    let session = reception.receiver.session().expect("a session");
    assert!(session.car(Car(0)).expect("the car").laps.current().is_none());
}
