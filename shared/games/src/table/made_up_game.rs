//! A made-up game of twenty fields, added as ARCHITECTURE.md says: table, clock, decoder. What it becomes follows.

#![expect(unreachable_pub, reason = "tables are public where protocols declare them")]

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, Channel, Event, EventKind, Fact, LapProgress, Moment, Sample, SectorTimes, Sink, Slot, Wheel,
};
use zerocopy::LE;

use super::*;
use crate::decode::without;
use crate::session_clock::{Policy, SessionClock, Step};
use crate::{Decode, Rejected, Text};

type F32 = zerocopy::F32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

packets! {
    ONE_VERSION;

    /// The game's only packet.
    record State [66] {
        mark: Text<4>,
        session: U16,
        clock: U32,
        lap: u8,
        last_lap: U32,
        sector: u8,
        first_sector: U16,
        speed: U16 => Speed in Kmh,
        rpm: U16 => Rpm,
        gear: u8 => Gear in FromReverse,
        throttle: u8 => Throttle in Percent,
        brake: u8 => Brake in Percent,
        steering: F32 => Steering,
        lap_distance: F32 => LapDistance,
        position: [F32; 3],
        g_lateral: F32 => GLateral,
        fuel: F32 => Fuel,
        tyres: FrontFirst<u8> => TyreInnerTemperature,
        brakes: FrontFirst<U16> => BrakeTemperature,
        pit_limiter: u8 => PitLimiter in Switch,
    }
}

/// When a packet was sent.
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    session: u16,
    clock: u32,
}

/// Sessions have numbers, and their clock never stops.
#[derive(Debug, Default)]
struct Sessions;

impl Policy for Sessions {
    type Time = Time;

    fn judge(&self, newest: &Time, now: &Time) -> (Step, u32) {
        match now.clock.cmp(&newest.clock) {
            _ if now.session != newest.session => (Step::Begins, 2),
            std::cmp::Ordering::Less => (Step::Late, 1),
            _ => (Step::Flows, 1),
        }
    }

    fn confirms(&self, _: &Time, doubted: &Time, now: &Time) -> bool {
        doubted.session == now.session
    }
}

#[derive(Debug, Default)]
struct Decoder {
    clock: SessionClock<Sessions>,
    values: Values,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        if datagram.len() != State::size(ONLY_VERSION) || !datagram.starts_with(b"MADE") {
            return Err(Rejected::unknown(datagram));
        }
        let state = State::of_bytes(datagram, ONLY_VERSION);
        let time = Time { session: state.session, clock: state.clock };
        let moment = Moment { at, session_time: Some(f64::from(state.clock) / 1e3), frame: None };
        let step = self.clock.step(time);
        if step == Step::Stray {
            return Ok(());
        }
        if let Some(kind) = step.event() {
            sink.event(Event { moment, car: None, kind });
            sink.fact(moment, Fact::Player(Some(Car(0))));
        }
        self.values.fill::<true>(&state);
        self.values.put(Channel::Position, crate::Vec3::from(state.position));
        let not_numbers = self.values.give(sink, Car(0), moment);
        sink.progress(&LapProgress {
            moment,
            lap: state.lap.into(),
            last_lap: Some(LapTime(state.last_lap)).filter(|time| time.0 > 0),
            sector: state.sector,
            sectors: SectorTimes::from([
                Some(LapTime(state.first_sector.into())).filter(|time| time.0 > 0),
                None,
                None,
            ]),
            distance: Some(state.lap_distance),
            ..LapProgress::default()
        });
        without("Made up", "State", not_numbers)
    }
}

#[derive(Default)]
struct Seen {
    values: Vec<(Slot, f32)>,
    events: Vec<EventKind>,
    laps: Vec<LapProgress>,
}

impl Sink for Seen {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.values.extend(sample.values);
    }
    fn progress(&mut self, progress: &LapProgress) {
        self.laps.push(*progress);
    }
    fn event(&mut self, event: Event) {
        self.events.push(event.kind);
    }
    fn fact(&mut self, _: Moment, _: Fact) {}
}

/// A literal packet: 180 km/h in third gear, braking, on the second lap.
const SENT: [u8; 66] = [
    b'M', b'A', b'D', b'E', 7, 0, 0x10, 0x27, 0, 0, 2, 0x90, 0x5f, 1, 0, 1, 0x30, 0x75, 0xb4, 0, 0x58, 0x1b,
    4, 0, 0x50, 0, 0, 0, 0xbf, 0, 0, 0x7a, 0x43, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0,
    0xc0, 0, 0, 0x20, 0x42, 0x50, 0x51, 0x5a, 0x5b, 0x90, 1, 0x91, 1, 0xf4, 1, 0xf5, 1, 1,
];

#[test]
fn twenty_rows_become_channels_laps_and_events() {
    let sent = SENT.to_vec();
    let (mut decoder, mut seen) = (Decoder::default(), Seen::default());
    decoder.receive(Micros(1), &sent, &mut seen).expect("a packet");
    assert_eq!(seen.events, [EventKind::SessionStarted]);
    let value = |slot: Slot| seen.values.iter().find(|(known, _)| *known == slot).map(|(_, value)| *value);
    for (slot, expected) in [
        (Channel::Speed.slot(), 50.0),
        (Channel::Rpm.slot(), 7000.0),
        (Channel::Gear.slot(), 3.0),
        (Channel::Throttle.slot(), 0.0),
        (Channel::Brake.slot(), 0.8),
        (Channel::Steering.slot(), -0.5),
        (Channel::LapDistance.slot(), 250.0),
        (Channel::Position.along(trailbrake_model::Axis::Z), 3.0),
        (Channel::GLateral.slot(), -2.0),
        (Channel::Fuel.slot(), 40.0),
        (Channel::TyreInnerTemperature.of(Wheel::RearLeft), 90.0),
        (Channel::BrakeTemperature.of(Wheel::FrontRight), 401.0),
    ] {
        let value = value(slot).expect("a value");
        assert!((value - expected).abs() < 1e-4, "{}: {value}", slot.id());
    }
    let lap = seen.laps[0];
    assert_eq!((lap.lap, lap.last_lap, lap.sectors[0]), (2, Some(LapTime(90_000)), Some(LapTime(30_000))));
    assert_eq!(State::of_bytes(&sent, ONLY_VERSION).bytes(ONLY_VERSION), sent);
    assert!(decoder.receive(Micros(2), &sent[1..], &mut seen).is_err());
}
