//! One lap of one car, decoded when it is asked for.

use std::ops::Range;

use super::{LapRow, Packets, Reading, Recording};
use crate::laps::Lap;
use crate::model::{Car, Columns};
use crate::session::{Receiver, Retention, Session};
use crate::time::Micros;

/// So much before the lap is decoded too: the decoder has to see the line being crossed, and to know its game again.
const LEAD_US: u64 = 3_000_000;
/// So much behind it too: a lap's official time is told when it is over.
const TRAIL_US: u64 = 2_000_000;
/// A lap that began within so many seconds of the one asked for is the same.
const SAME_S: f64 = 1.0;

/// A lap with everything that its packets tell of its car.
#[derive(Clone, Debug)]
pub struct DecodedLap {
    /// Whose.
    pub car: Car,
    /// The lap as it is decoded now: the row of the lap table may have been made by an older decoder.
    pub lap: Lap,
    /// Its channels.
    pub columns: Columns,
}

/// Reads a lap's packets and decodes them just as they would be decoded live.
pub struct LapReading {
    car: Car,
    began_s: f64,
    packets: Packets,
    receiver: Receiver,
}

impl LapReading {
    pub(super) fn new(recording: &Recording, row: &LapRow) -> Self {
        let from = Micros(row.from.0.saturating_sub(LEAD_US));
        let retention =
            Retention { player_bytes: usize::MAX, closely: Some(row.car), ..Retention::default() };
        Self {
            car: row.car,
            began_s: row.lap.began_s,
            packets: recording.packets(from..Micros(row.to.0.saturating_add(TRAIL_US))),
            receiver: Receiver::new(retention),
        }
    }

    /// The packets that it reads.
    pub fn packets(&self) -> &Packets {
        &self.packets
    }

    /// The session that the lap is in, as far as its packets tell.
    pub fn session(&self) -> Option<&Session> {
        self.receiver.session()
    }

    /// The lap, once nothing more is needed; `None` when its packets do not hold it.
    pub fn finish(&self) -> Option<DecodedLap> {
        let cars = self.receiver.sources().iter().filter_map(|source| source.session.car(self.car));
        let laps = cars.flat_map(|car| {
            let laps = car.laps.finished().iter().chain(car.laps.current());
            laps.filter_map(|lap| Some((lap, car.traces.lap(lap.serial)?)))
        });
        let off = |lap: &Lap| (lap.began_s - self.began_s).abs();
        let nearest = laps.min_by(|(a, _), (b, _)| off(a).total_cmp(&off(b)));
        let (lap, columns) = nearest.filter(|(lap, _)| off(lap) <= SAME_S)?;
        Some(DecodedLap { car: self.car, lap: lap.clone(), columns: columns.clone() })
    }
}

impl Reading for LapReading {
    fn needs(&self) -> Option<Range<u64>> {
        self.packets.needs()
    }

    fn give(&mut self, bytes: &[u8]) {
        self.packets.give(bytes);
        for packet in self.packets.take() {
            // What is rejected was rejected live, too, and is counted there.
            let _ = self.receiver.receive(&packet.datagram());
        }
    }
}
