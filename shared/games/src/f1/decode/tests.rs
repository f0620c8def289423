use std::collections::{BTreeMap, BTreeSet};

use trailbrake_model::{CarSetup as Setup, Event as LapEvent, LapProgress, Participant, Sample, SessionInfo};

use super::super::layout::{CarTelemetry, Telemetry, YEAR_2018};
use super::*;
use crate::Decode;

mod captures;
mod fields;
mod reports;
mod years;

/// A sink that records everything.
#[derive(Default)]
struct Recorder {
    values: BTreeMap<(Car, String), f32>,
    /// The number of values received, counting each channel of each car separately.
    given: usize,
    moments: Vec<Moment>,
    progress: Vec<LapProgress>,
    events: Vec<LapEvent>,
    facts: Vec<Fact>,
}

impl Sink for Recorder {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.moments.push(sample.moment);
        for &(slot, value) in sample.values {
            self.values.insert((sample.car, slot.id()), value);
            self.given += 1;
        }
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.progress.push(*progress);
    }

    fn event(&mut self, event: LapEvent) {
        self.events.push(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.moments.push(moment);
        self.facts.push(fact);
    }
}

impl Recorder {
    fn of(datagram: &[u8]) -> Self {
        let mut recorder = Self::default();
        receive(&mut Decoder::default(), datagram, &mut recorder).expect("a whole packet");
        recorder
    }

    fn value(&self, car: u8, id: &str) -> f32 {
        *self.values.get(&(Car(car), id.to_owned())).unwrap_or_else(|| panic!("no {id} of car {car}"))
    }

    /// The events, without signals.
    fn kinds(&self) -> Vec<EventKind> {
        let kinds = self.events.iter().map(|event| event.kind.clone());
        kinds.filter(|kind| !matches!(kind, EventKind::Signal { .. })).collect()
    }

    /// The signals in order, with the car.
    fn signals(&self) -> Vec<(Option<Car>, Signal, Option<i32>)> {
        let signals = self.events.iter().filter_map(|event| match event.kind {
            EventKind::Signal { signal, value } => Some((event.car, signal, value)),
            _ => None,
        });
        signals.collect()
    }

    fn player(&self) -> Option<Car> {
        self.fact(|fact| if let Fact::Player(car) = fact { Some(*car) } else { None })
    }

    fn session(&self) -> &SessionInfo {
        self.fact(|fact| if let Fact::Session(info) = fact { Some(&**info) } else { None })
    }

    fn participants(&self) -> &[Participant] {
        self.fact(|fact| if let Fact::Participants(all) = fact { Some(all.as_slice()) } else { None })
    }

    /// The first fact of a kind.
    fn fact<'a, T>(&'a self, which: impl FnMut(&'a Fact) -> Option<T>) -> T {
        self.facts.iter().find_map(which).expect("such a fact")
    }

    fn setups(&self) -> BTreeMap<u8, Option<Setup>> {
        let setup = |fact: &Fact| match fact {
            Fact::Setup(car, setup) => Some((car.0, setup.as_deref().copied())),
            _ => None,
        };
        self.facts.iter().filter_map(setup).collect()
    }
}

fn receive(decoder: &mut Decoder, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
    decoder.receive(Micros(7_000_000), datagram, sink)
}

/// A datagram of a kind with its own header; every other byte is `fill`.
fn packet(kind: Kind, fill: u8) -> Vec<u8> {
    let header = Header {
        packet_format: 2018,
        packet_version: 1,
        packet_id: kind.id(),
        session_uid: 77,
        session_time: 10.0,
        frame_identifier: 600,
        player_car_index: 0,
        ..Header::default()
    };
    let mut bytes = header.bytes(YEAR_2018);
    bytes.resize(kind.size(YEAR_2018).expect("a size"), fill);
    bytes
}

/// A lap data packet with a session id and session time.
fn at(uid: u64, seconds: f32) -> Vec<u8> {
    let mut bytes = packet(Kind::LapData, 1);
    bytes[4..12].copy_from_slice(&uid.to_le_bytes());
    bytes[12..16].copy_from_slice(&seconds.to_le_bytes());
    bytes
}

/// A sink that keeps nothing.
struct Throw;

impl Sink for Throw {
    fn sample(&mut self, _: &Sample<'_>) {}
    fn progress(&mut self, _: &LapProgress) {}
    fn event(&mut self, _: LapEvent) {}
    fn fact(&mut self, _: Moment, _: Fact) {}
}

/// Entries of which one has something in it.
fn only<T: Clone + Default + Sent<'static, Value = T>>(car: usize, entry: T) -> Entries<'static, T> {
    let mut made = vec![T::default(); car];
    made.push(entry);
    Entries::Made(made)
}

/// The kinds of format 2018.
fn kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.size(YEAR_2018).is_some())
}

fn header_of(kind: Kind) -> Header {
    Header::of_bytes(&packet(kind, 0), YEAR_2018)
}

#[test]
fn a_player_outside_the_arrays_is_none() {
    for (index, player) in [(19, Some(Car(19))), (20, None), (255, None)] {
        for kind in kinds() {
            let mut datagram = packet(kind, 0);
            datagram[20] = index;
            let seen = Recorder::of(&datagram);
            assert_eq!(seen.player(), player);
            let alone = ["buttons", "wheel_speed_fl"];
            let has = seen.values.keys().any(|(_, id)| alone.contains(&id.as_str()));
            assert!(!has || player.is_some());
        }
    }
}

#[test]
fn one_packet_with_another_player_lap_or_clock_changes_nothing() {
    let lap_data = |seconds: f32, player: u8, number: u8, clock: f32| {
        let header = Header { session_time: seconds, player_car_index: player, ..header_of(Kind::LapData) };
        let lap = CarLap {
            current_lap_num: number,
            current_lap_time: clock,
            result_status: 2,
            ..CarLap::default()
        };
        LapData { header, car: only(4, lap), ..LapData::default() }.bytes(YEAR_2018)
    };
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    let usual = |step: u8| lap_data(100.0 + f32::from(step) / 20.0, 4, 5, 30.0 + f32::from(step) / 20.0);
    for step in 0..10 {
        receive(&mut decoder, &usual(step), &mut seen).expect("a packet");
    }
    let (events, facts, laps) = (seen.events.len(), seen.facts.len(), seen.progress.len());
    let odd = [
        (3e38, 4, 5, 30.5),
        (100_000.0, 4, 5, 30.5),
        (100.5, 9, 5, 30.5),
        (100.5, 4, 200, 30.5),
        (100.5, 4, 1, 30.5),
        (100.5, 4, 5, 3e38),
    ];
    for (step, (seconds, player, number, clock)) in (10..).step_by(2).zip(odd) {
        // Such a packet may be rejected.
        let _ = receive(&mut decoder, &lap_data(seconds, player, number, clock), &mut seen);
        for step in [step + 1, step + 2] {
            receive(&mut decoder, &usual(step), &mut seen).expect("a packet");
        }
    }
    assert_eq!((&seen.events[events..], &seen.facts[facts..]), (&[][..], &[][..]));
    let own = seen.progress[laps..].iter().filter(|progress| progress.car == Car(4));
    assert!(own.clone().count() >= 12 && own.clone().all(|progress| progress.lap == 5));
    assert!(own.clone().all(|progress| progress.clock.is_none_or(|clock| clock < 100.0)));
}

#[test]
fn only_cars_that_take_part_are_decoded() {
    let mut decoder = Decoder::default();
    let mut participants = packet(Kind::Participants, 0);
    participants[21] = 3;
    receive(&mut decoder, &participants, &mut Throw).expect("a packet");
    let mut seen = Recorder::default();
    for kind in [Kind::Motion, Kind::LapData, Kind::CarTelemetry, Kind::CarStatus, Kind::CarSetups] {
        receive(&mut decoder, &packet(kind, 1), &mut seen).expect("a packet");
    }
    let cars: BTreeSet<u8> = seen.values.keys().map(|(car, _)| car.0).collect();
    assert_eq!(cars, BTreeSet::from([0, 1, 2]));
    assert_eq!(seen.progress.len(), 3);
    assert_eq!(seen.setups().len(), 3);
}

#[test]
fn an_empty_slot_is_no_car() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for kind in [Kind::Motion, Kind::LapData, Kind::CarTelemetry, Kind::CarStatus, Kind::Participants] {
        let mut datagram = packet(kind, 0);
        if kind == Kind::Participants {
            datagram[21] = 20;
        }
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!((seen.values.len(), seen.progress.len()), (0, 0));
    let participants = seen.facts.iter().find_map(|fact| match fact {
        Fact::Participants(participants) => Some(participants.len()),
        _ => None,
    });
    assert_eq!(participants, Some(0));
}

#[test]
fn a_setup_of_zeros_is_kept_secret() {
    let mut datagram = packet(Kind::CarSetups, 0);
    datagram[21 + 41 * 4] = 6;
    let setups = Recorder::of(&datagram).setups();
    assert_eq!(setups[&4].map(|setup| setup.front_wing), Some(6));
    assert_eq!(setups.values().filter(|setup| setup.is_none()).count(), 19);
}

#[test]
fn what_is_no_number_is_counted_and_the_rest_is_used() {
    let nan = f32::NAN.to_le_bytes();
    let check = |kind: Kind, fill: u8, offsets: &[usize]| {
        let mut datagram = packet(kind, fill);
        for &offset in offsets {
            datagram[offset..offset + 4].copy_from_slice(&nan);
        }
        let mut seen = Recorder::default();
        let reason =
            receive(&mut Decoder::default(), &datagram, &mut seen).expect_err("a reason").to_string();
        assert!(reason.contains(&format!("{} values are no numbers", offsets.len())), "{reason}");
        seen
    };
    // The second car's height and its lateral g.
    let seen = check(Kind::Motion, 1, &[21 + 60 + 4, 21 + 60 + 36]);
    assert!(!seen.values.contains_key(&(Car(1), "position_y".into())));
    assert_eq!(
        (seen.value(1, "position_x"), seen.value(0, "position_y"), seen.value(1, "yaw")),
        [f32::from_le_bytes([1; 4]); 3].into()
    );
    // The first car's last lap, clock, second sector and distance.
    let seen = check(Kind::LapData, 0x3f, &[21, 25, 37, 41]);
    let progress = seen.progress[0];
    assert_eq!((progress.last_lap, progress.clock, progress.distance), (None, None, None));
    assert_eq!((progress.sectors[1], progress.best_lap.is_some()), (None, true));
    assert_eq!(progress.lap, 63);
    // The second marshal zone, and the first car's front camber.
    let seen = check(Kind::Session, 3, &[45]);
    assert_eq!((seen.session().marshal_zones.len(), seen.session().track_celsius), (2, Some(3)));
    let setups = check(Kind::CarSetups, 7, &[25]).setups();
    assert_eq!((setups.len(), setups.contains_key(&0)), (19, false));
}

#[test]
fn pause_and_resume_are_reported_once() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    // The fourth is late: its data is from before the pause.
    for (paused, seconds) in [(0, 10.0_f32), (1, 10.2), (1, 10.2), (0, 10.0), (0, 10.3), (0, 10.4)] {
        let mut datagram = packet(Kind::Session, 0);
        datagram[12..16].copy_from_slice(&seconds.to_le_bytes());
        datagram[35] = paused;
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed]);
}

#[test]
fn going_back_is_a_rewind_and_going_to_the_start_a_restart() {
    let check = |seconds: &[f32], expected: &[EventKind], used: usize| {
        let mut decoder = Decoder::default();
        let mut seen = Recorder::default();
        for &seconds in seconds {
            receive(&mut decoder, &at(1, seconds), &mut seen).expect("a packet");
        }
        assert_eq!(seen.kinds(), [&[EventKind::SessionStarted], expected].concat());
        assert_eq!(seen.progress.len(), used * 20);
    };
    check(&[10.0, 20.0, 12.5, 12.516], &[EventKind::Rewound { millis: 7500 }], 3);
    check(&[10.0, 95.0, 0.0, 0.016], &[EventKind::Restarted], 3);
    // A single packet from far back is late and ignored.
    check(&[10.0, 20.0, 12.5, 20.016], &[], 3);
}

#[test]
fn the_game_says_itself_that_a_session_starts_and_ends() {
    let event = |seconds: f32, code: &[u8; 4]| {
        let mut datagram = packet(Kind::Event, 0);
        datagram[12..16].copy_from_slice(&seconds.to_le_bytes());
        datagram[21..].copy_from_slice(code);
        datagram
    };
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for datagram in [event(0.0, b"SSTA"), event(50.0, b"SEND"), event(51.0, b"FLBK"), event(51.0, b"SSTA")] {
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!(
        seen.kinds(),
        [
            EventKind::SessionStarted,
            EventKind::SessionEnded,
            EventKind::Other("FLBK".into()),
            EventKind::Restarted,
        ]
    );
}

#[test]
fn another_session_is_another_session() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for datagram in [at(1, 95.0), at(2, 0.0), at(2, 0.016)] {
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionStarted]);
    assert_eq!(seen.facts.iter().filter(|fact| matches!(fact, Fact::Player(_))).count(), 2);
}

/// A packet of car telemetry with the gears of the first cars.
fn in_gear(seconds: f32, gears: &[i8]) -> Vec<u8> {
    let header = Header { session_time: seconds, ..header_of(Kind::CarTelemetry) };
    let cars = gears.iter().map(|gear| CarTelemetry { gear: *gear, ..CarTelemetry::default() });
    Telemetry { header, car: Entries::Made(cars.collect()), ..Telemetry::default() }.bytes(YEAR_2018)
}

/// A session packet with the spectated car.
fn watching(seconds: f32, car: u8) -> Vec<u8> {
    let header = Header { session_time: seconds, ..header_of(Kind::Session) };
    let is_spectating = u8::from(car != 255);
    Session { header, is_spectating, spectator_car_index: car, ..Session::default() }.bytes(YEAR_2018)
}

#[test]
fn signals_are_of_the_car_that_is_followed() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for datagram in [
        watching(10.0, 255),
        in_gear(10.1, &[3, 7]),
        in_gear(10.2, &[4, 7]),
        // Arrives late: no signal.
        in_gear(10.15, &[3, 7]),
        in_gear(10.3, &[4, 8]),
        // Another car's gear gives no signal.
        watching(10.4, 1),
        in_gear(10.5, &[5, 6]),
        in_gear(10.6, &[6, 5]),
        // The spectated car is in none of the arrays: the player's own car is followed.
        watching(10.7, 21),
        in_gear(10.8, &[7, 4]),
        in_gear(10.9, &[8, 3]),
    ] {
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    let gear = |car: u8, gear: i32| (Some(Car(car)), Signal::GearChange, Some(gear));
    assert_eq!(seen.signals(), [gear(0, 4), gear(1, 5), gear(0, 8)]);
}

#[test]
fn after_a_rewind_signals_go_on_from_the_earlier_time() {
    let mut decoder = Decoder::default();
    let mut seen = Recorder::default();
    for datagram in [in_gear(20.0, &[7]), in_gear(12.0, &[3]), in_gear(12.1, &[3]), in_gear(12.2, &[4])] {
        receive(&mut decoder, &datagram, &mut seen).expect("a packet");
    }
    let gears: Vec<Option<i32>> = seen.signals().into_iter().map(|(_, _, value)| value).collect();
    assert_eq!(gears, [Some(3), Some(4)]);
}

#[test]
fn outside_races_nobody_has_a_place_on_the_grid() {
    let grid = |grid_of_car_4: u8, cars: usize| {
        let lap = |car: usize| CarLap {
            result_status: if car < cars { 2 } else { 0 },
            grid_position: if car == 4 { grid_of_car_4 } else { 0 },
            ..CarLap::default()
        };
        let car = Entries::Made((0..20).map(lap).collect());
        let packet = LapData { header: header_of(Kind::LapData), car, ..LapData::default() }.bytes(YEAR_2018);
        Recorder::of(&packet).progress.iter().map(|progress| progress.grid).collect::<Vec<_>>()
    };
    assert_eq!(grid(0, 6), [0; 6]);
    assert_eq!(grid(1, 6), [1, 1, 1, 1, 2, 1]);
    // Of a car that was left out, the place on the grid stays.
    assert_eq!(grid(1, 1), [1]);
}
