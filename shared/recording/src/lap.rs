//! Decodes one lap of one car on request.

use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

use trailbrake_analysis::CloseCar;
use trailbrake_analysis::laps::Lap;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Channel, Columns};
use trailbrake_session::{LapContext, Origin, Receiver, Retention, Session};

use super::facts::Traffic;
use super::{LapRow, Packet, Packets, Reading, Recording};

/// Time decoded before the lap: the decoder must see the start line crossed, and recognise its game.
const LEAD_US: u64 = 3_000_000;
/// Time decoded behind it: the official lap time arrives once the lap is over.
const TRAIL_US: u64 = 2_000_000;
/// The number of packets that are decoded in a step: about a millisecond's work.
const STEP_PACKETS: usize = 256;
/// A lap whose start differs by at most this is the one asked for.
const SAME_S: f64 = 1.0;

/// A lap with all data its packets hold of the car.
#[derive(Clone, Debug)]
pub struct DecodedLap {
    /// The car.
    pub car: Car,
    /// The lap as decoded now: the lap table's row may come from an older decoder.
    pub lap: Lap,
    /// Its channels.
    pub columns: Columns,
    /// The lap's context in its session.
    pub context: LapContext,
}

impl DecodedLap {
    /// The lap with the angle of the steering wheel in place of the share of its lock that the game sends. The driver
    /// has set how far the wheel turns from lock to lock.
    pub fn with_steering_range(mut self, range_deg: Option<f64>) -> Self {
        if let Some(range_deg) = range_deg {
            let half = (range_deg / 2.0).to_radians() as f32;
            let [share, angle] = [Channel::Steering, Channel::SteeringAngle].map(Channel::slot);
            self.columns.convert(share, angle, |share| share * half);
        }
        self
    }
}

/// Reads a lap's packets and decodes them as they would be decoded live.
pub struct LapReading {
    car: Car,
    /// When the lap began, on the packets' clock.
    from: Micros,
    packets: Packets,
    /// The packets that were read and not yet decoded.
    waiting: VecDeque<Packet>,
    receiver: Receiver,
    begun: Vec<LapStart>,
    /// When the first packet was received.
    first: Option<Micros>,
    /// Where other cars were close to the player's, as the recording says: their packets are not decoded.
    close: Vec<CloseCar>,
}

/// A lap that was seen to begin.
struct LapStart {
    /// The source whose session it is in.
    origin: Origin,
    serial: u32,
    /// On the session's clock.
    at_s: f64,
    /// On the packets' clock.
    at: Micros,
}

impl LapReading {
    /// Reads a lap of a recording.
    pub fn new(recording: &Recording, row: &LapRow) -> Self {
        let from = Micros(row.from.0.saturating_sub(LEAD_US));
        // Of twenty cars the others would take half of the time.
        let (closely, only) = (Some(row.car), Some(row.car));
        let traffic: Option<Traffic> = recording.facts().get().ok().flatten();
        let close = traffic.into_iter().flat_map(|traffic| traffic.close);
        let retention =
            Retention { player_bytes: usize::MAX, closely, only, compares: false, ..Retention::default() };
        Self {
            car: row.car,
            from: row.from,
            packets: recording.packets(from..Micros(row.to.0.saturating_add(TRAIL_US))).opened(),
            waiting: VecDeque::new(),
            receiver: Receiver::new(retention),
            begun: Vec::new(),
            first: None,
            close: close.filter(|close| (row.from..=row.to).contains(&close.from)).collect(),
        }
    }

    /// The packets that it reads.
    pub fn packets(&self) -> &Packets {
        &self.packets
    }

    /// The lap's session, as far as its packets describe it.
    pub fn session(&self) -> Option<&Session> {
        self.receiver.session()
    }

    /// Takes the requested bytes, and leaves it to [steps](Self::step) to decode their packets.
    pub fn unpack(&mut self, bytes: &[u8]) {
        self.packets.give(bytes);
        self.waiting.extend(self.packets.take());
    }

    /// Decodes some of the packets that were unpacked. Returns whether there are more.
    pub fn step(&mut self) -> bool {
        for packet in self.waiting.drain(..STEP_PACKETS.min(self.waiting.len())) {
            // What is rejected here was rejected live, too, and is counted there.
            let _ = self.receiver.receive(&packet.datagram());
            let first = *self.first.get_or_insert(packet.at);
            look(&self.receiver, self.car, first..=packet.at, &mut self.begun);
        }
        !self.waiting.is_empty()
    }

    /// The lap, once nothing more is needed; `None` when its packets do not contain it.
    pub fn finish(&self) -> Option<DecodedLap> {
        // Use the packets' clock: the session's own clock starts wherever decoding starts.
        let off = |begun: &LapStart| begun.at.seconds_since(self.from).abs();
        let lap = |begun: &LapStart| {
            let mut sources = self.receiver.sources().iter();
            let session = &sources.find(|source| source.origin == begun.origin)?.session;
            let car = session.car(self.car)?;
            let mut laps = car.laps.finished().iter().chain(car.laps.current());
            let lap = laps.find(|lap| lap.serial == begun.serial && lap.began_s == begun.at_s)?;
            Some((off(begun), lap, car.traces.lap(lap.serial)?, session))
        };
        let laps = self.begun.iter().filter(|begun| off(begun) <= SAME_S).filter_map(lap);
        let (_, lap, columns, session) = laps.min_by(|(one, ..), (other, ..)| one.total_cmp(other))?;
        let mut context = LapContext::of(session, self.car, lap);
        if session.player() == Some(self.car) {
            context.close.clone_from(&self.close);
        }
        Some(DecodedLap { car: self.car, lap: lap.clone(), columns: columns.clone(), context })
    }
}

/// Notes the laps of a car that began since the last packet.
/// A lap table, too, lets no lap begin before the first packet.
fn look(receiver: &Receiver, car: Car, read: RangeInclusive<Micros>, begun: &mut Vec<LapStart>) {
    for source in receiver.sources() {
        let Some(car) = source.session.car(car) else { continue };
        // A lap that is sent as a whole ends in the packet in which it begins.
        for lap in car.laps.finished().last().into_iter().chain(car.laps.current()) {
            let same = |begun: &LapStart| {
                begun.origin == source.origin && begun.serial == lap.serial && begun.at_s == lap.began_s
            };
            if !begun.iter().rev().any(same) {
                let since_s = (source.session.now().seconds() - lap.began_s).max(0.0);
                let at = read.end().plus_seconds(-since_s).max(*read.start());
                let (origin, serial) = (source.origin, lap.serial);
                begun.push(LapStart { origin, serial, at_s: lap.began_s, at });
            }
        }
    }
}

impl Reading for LapReading {
    fn needs(&self) -> Option<Range<u64>> {
        self.packets.needs()
    }

    fn give(&mut self, bytes: &[u8]) {
        self.unpack(bytes);
        while self.step() {}
    }
}
