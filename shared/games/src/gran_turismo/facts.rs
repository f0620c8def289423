//! The slow part of a packet: car and session.

use trailbrake_model::{Car, Fact, Moment, Power, SessionInfo, SessionKind, Sink, Vehicle};

use super::cars;
use super::detect::Detector;
use super::layout::Packet;
use super::packet::{DecipheredPacket, Game};
use super::tick::Tick;

/// Higher numbers are not car codes: the field holds the ratio of a ninth gear.
const HIGHEST_CAR: i32 = 1_000_000;

/// The bytes that describe the car: fuel capacity, gearing and code, power and fuel mark, class.
const VEHICLE_BYTES: [std::ops::Range<usize>; 4] = [0x48..0x4c, 0x100..0x128, 0x13e..0x140, 0x16c..0x170];

/// The session's properties, as far as packets contain them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Situation {
    total_laps: i16,
    cars: Option<u8>,
    paused: bool,
    replay: bool,
    /// How often the track has changed.
    track: u32,
}

/// The facts last sent to the sink, so that only changes are sent.
#[derive(Debug, Default)]
pub(super) struct SessionFacts {
    /// The car's [`VEHICLE_BYTES`].
    vehicle: [Vec<u8>; VEHICLE_BYTES.len()],
    situation: Option<Situation>,
    cars: Option<u8>,
}

impl SessionFacts {
    /// Sends the car's facts to the sink if they changed.
    pub(super) fn vehicle(
        &mut self,
        packet: &DecipheredPacket,
        rows: &Packet,
        moment: Moment,
        sink: &mut dyn Sink,
    ) {
        let bytes = packet.bytes();
        let now = VEHICLE_BYTES.map(|range| bytes.get(range).unwrap_or_default());
        if self.vehicle != now {
            self.vehicle = now.map(<[u8]>::to_vec);
            sink.fact(moment, Fact::Vehicle(Car(0), Box::new(vehicle(packet.kind.game, rows))));
        }
    }

    /// Sends the session's facts to the sink if they changed.
    pub(super) fn session(
        &mut self,
        tick: &Tick,
        replay: bool,
        detector: &Detector,
        moment: Moment,
        sink: &mut dyn Sink,
    ) {
        // Sent only before the start.
        self.cars = u8::try_from(tick.cars).ok().filter(|&cars| cars > 0).or(self.cars);
        let paused = tick.flags.paused();
        let (total_laps, cars, track) = (tick.total_laps, self.cars, detector.changes());
        let situation = Situation { total_laps, cars, paused, replay, track };
        if self.situation.replace(situation) == Some(situation) {
            return;
        }
        sink.fact(
            moment,
            Fact::Session(Box::new(SessionInfo {
                kind: if tick.total_laps > 0 { SessionKind::Race(1) } else { SessionKind::Unknown },
                track: detector.track(),
                total_laps: u16::try_from(tick.total_laps).ok().filter(|&laps| laps > 0),
                cars: self.cars,
                paused: Some(paused),
                replay: Some(replay),
                ..SessionInfo::default()
            })),
        );
    }
}

fn vehicle(game: Game, rows: &Packet) -> Vehicle {
    let code = car_code(rows.car_code);
    let ninth = code.is_none().then_some(f32::from_bits(rows.car_code.cast_unsigned()));
    let ratios = rows.gear_ratios.into_iter().chain(ninth);
    // The older games number their cars in their own ways.
    let name = cars::name(rows.car_code).filter(|_| game == Game::Gt7);
    // A fuel capacity of zero means an electric car.
    let electric = (rows.fuel_capacity == 0.0).then_some(Power::Electric);
    Vehicle {
        id: code.map(|code| code.to_string()),
        name: name.map(str::to_owned),
        power: rows.power_type.map(power).or(electric),
        gear_ratios: ratios.take_while(|&ratio| ratio > 0.0 && ratio.is_finite()).collect(),
        top_speed_ratio: Some(rows.transmission_top_speed).filter(|ratio| ratio.is_finite()),
        fuel_mark: rows.fuel_mark,
        class: rows.car_category.map(|class| class.read()).filter(|class| !class.is_empty()),
        ..Vehicle::default()
    }
}

/// The car code, unless the field holds the ratio of a ninth gear.
fn car_code(number: i32) -> Option<i32> {
    (0..HIGHEST_CAR).contains(&number).then_some(number)
}

fn power(number: u8) -> Power {
    match number {
        2 => Power::Combustion,
        4 => Power::Electric,
        other => Power::Other(other),
    }
}
