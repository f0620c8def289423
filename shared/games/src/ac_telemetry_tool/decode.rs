//! Packets → model: which records to trust, and each car's lap progress.

use std::collections::BTreeMap;

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::MPS_PER_KMH;
use trailbrake_model::{
    Car, Channel as C, Event, EventKind, LapProgress, Moment, PitStatus, ResultStatus, Sink, Slot,
};

use super::GAME;
use super::channels;
use super::facts::{PLAYER, SessionFacts};
use super::layout::{Driver, Version};
use super::packet::{Kind, Packet};
use super::timeline::Timeline;
use crate::decode::sample_numbers;
use crate::odometer::Odometer;
use crate::pause_detector::PauseDetector;
use crate::session_clock::Step;
use crate::{Decode, Rejected};

/// Lap fractions of a car just before the line (above the first) and just after it (below the second).
const LINE_SHARES: [f64; 2] = [0.9, 0.1];

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    /// When the session's first packet was received.
    began: Option<Micros>,
    cars: BTreeMap<Car, Tracked>,
    facts: SessionFacts,
    pause_detector: PauseDetector<500>,
    version: Option<[u8; 4]>,
    values: Vec<(Slot, f32)>,
}

/// A car of the session.
#[derive(Debug, Default)]
struct Tracked {
    timeline: Timeline,
    odometer: Odometer,
    /// The last progress sent, while the car takes part.
    progress: Option<LapProgress>,
}

/// Counts of what could not be used in a packet.
#[derive(Debug, Default)]
struct Faults {
    unmarked: usize,
    numberless: usize,
    doubled: usize,
    not_numbers: usize,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        match Packet::read(datagram)? {
            Packet::Telemetry(drivers) => self.telemetry(drivers, at, sink),
            Packet::Version(version) => {
                self.version(version, self.moment(at), sink);
                Ok(())
            }
        }
    }
}

impl Decoder {
    /// Packets carry no session time, so it counts from the receipt of the first one.
    fn moment(&self, at: Micros) -> Moment {
        Moment { at, session_time: self.began.map(|began| at.seconds_since(began)), frame: None }
    }

    fn telemetry(&mut self, drivers: &[Driver], at: Micros, sink: &mut dyn Sink) -> Result<(), Rejected> {
        let mut faults = Faults::default();
        let records = faults.believable(drivers);
        let other =
            records.iter().any(|(car, driver)| *car == PLAYER && self.facts.is_another_player(driver));
        let starts = self.began.is_none() || other;
        if starts {
            *self = Self { began: Some(at), version: self.version, ..Self::default() };
        }
        let moment = self.moment(at);
        if starts {
            sink.event(Event { moment, car: None, kind: EventKind::SessionStarted });
        }
        let steps: Vec<Step> = records
            .iter()
            .map(|(car, driver)| match driver.connected {
                // A car that left has no time.
                0 => Step::Stray,
                _ => self.cars.entry(*car).or_default().timeline.step(driver),
            })
            .collect();
        self.restart(&records, &steps, moment, sink);
        // The plugin keeps sending while the game is paused.
        let still = steps.iter().all(|step| *step == Step::Still);
        if let Some(kind) = self.pause_detector.next(still, moment.at).event() {
            sink.event(Event { moment, car: None, kind });
        }
        self.facts.cars(&records, moment, sink);
        for (&(car, driver), step) in records.iter().zip(steps) {
            if driver.connected == 0 {
                self.leave(car, moment, sink);
            } else {
                faults.not_numbers += self.follow(car, driver, step, moment, sink);
            }
        }
        let gone = self.cars.keys().filter(|car| !records.iter().any(|(present, _)| present == *car));
        for car in gone.copied().collect::<Vec<_>>() {
            self.leave(car, moment, sink);
            self.facts.left(car);
        }
        let cars = self.cars.values().filter(|car| car.progress.is_some()).count();
        self.facts.session(cars, self.pause_detector.is_paused(), moment, sink);
        faults.finish(drivers.len())
    }

    /// Sends restarts: one for the session if all cars restarted at once, otherwise one per car.
    fn restart(&self, records: &[(Car, &Driver)], steps: &[Step], moment: Moment, sink: &mut dyn Sink) {
        let fallen = records.iter().zip(steps).filter(|(_, step)| **step == Step::Restarts);
        let fallen: Vec<Car> = fallen.map(|((car, _), _)| *car).collect();
        let here = self.cars.iter().filter(|(_, tracked)| tracked.progress.is_some());
        let mut could = here.filter(|(_, tracked)| tracked.timeline.has_way_behind_it());
        let restarted: Vec<Option<Car>> = match could.all(|(car, _)| fallen.contains(car)) {
            true if !fallen.is_empty() => vec![None],
            _ => fallen.into_iter().map(Some).collect(),
        };
        for car in restarted {
            sink.event(Event { moment, car, kind: EventKind::Restarted });
        }
    }

    /// Decodes a car's record. Returns how many of its values are not finite.
    fn follow(
        &mut self,
        car: Car,
        driver: &Driver,
        step: Step,
        moment: Moment,
        sink: &mut dyn Sink,
    ) -> usize {
        if !step.moves() {
            return 0;
        }
        let tracked = self.cars.entry(car).or_default();
        tracked.drive(driver, step);
        let distance = tracked.odometer.metres();
        let progress = progress(car, driver, distance, moment);
        tracked.progress = Some(progress);
        self.values.clear();
        channels::fill(driver, &mut self.values);
        self.values.extend(distance.map(|metres| (C::LapDistance.slot(), metres)));
        let not_numbers = sample_numbers(sink, car, moment, &self.values);
        sink.progress(&progress);
        not_numbers
    }

    /// Ends a car's participation: it is disconnected or no longer in the packet.
    fn leave(&mut self, car: Car, moment: Moment, sink: &mut dyn Sink) {
        let Some(tracked) = self.cars.get_mut(&car) else { return };
        tracked.odometer.lose();
        if let Some(last) = tracked.progress.take() {
            sink.progress(&LapProgress { moment, result: ResultStatus::Inactive, ..last });
        }
    }

    /// The four bytes are undocumented, so they are reported unchanged, once.
    fn version(&mut self, version: &Version, moment: Moment, sink: &mut dyn Sink) {
        let bytes = version.content;
        if self.version.replace(bytes) == Some(bytes) {
            return;
        }
        let [a, b, c, d] = bytes;
        let float = f32::from_le_bytes(bytes);
        // Seen as a float, bytes that are none are far from any version.
        let version = if (0.1..1000.0).contains(&float) {
            float.to_string()
        } else {
            u32::from_le_bytes(bytes).to_string()
        };
        let words = format!("Plugin version {version} (bytes {a:02x} {b:02x} {c:02x} {d:02x})");
        sink.event(Event { moment, car: None, kind: EventKind::Other(words) });
    }
}

impl Tracked {
    /// Advances the car to its record.
    fn drive(&mut self, now: &Driver, step: Step) {
        let speed = |driver: &Driver| driver.speed_kmh.get() * MPS_PER_KMH;
        let seconds = |driver: &Driver| f64::from(driver.lap_time.get()) / 1e3;
        match (step, self.timeline.newest()) {
            (Step::NextLap, _) => self.odometer.line(speed(now), seconds(now)),
            (Step::Flows, Some(before)) => {
                self.odometer.drive(seconds(now) - seconds(before), speed(before), speed(now));
                // Off the grid, the line is crossed during the first lap.
                let [about_to, just_has] = LINE_SHARES;
                let crossed = before.spline_position.get() > about_to && now.spline_position.get() < just_has;
                if crossed && self.odometer.metres().is_none() {
                    // Where the clock began to run only there, it gives how long ago that was.
                    let ago = if seconds(before) == 0.0 { Some(seconds(now)) } else { None };
                    self.odometer.line(speed(now), ago.unwrap_or(0.0));
                }
            }
            _ => self.odometer.lose(),
        }
        self.timeline.take(now);
    }
}

impl Faults {
    /// The trustworthy records, with their cars.
    fn believable<'a>(&mut self, drivers: &'a [Driver]) -> Vec<(Car, &'a Driver)> {
        let mut records: Vec<(Car, &Driver)> = Vec::with_capacity(drivers.len());
        for driver in drivers {
            match u8::try_from(driver.driver_id.get()).map(Car) {
                _ if !driver.is_marked() => self.unmarked += 1,
                // A packet has room for fewer cars than a byte can number.
                Err(_) => self.numberless += 1,
                Ok(car) if records.iter().any(|(other, _)| *other == car) => self.doubled += 1,
                Ok(car) => records.push((car, driver)),
            }
        }
        records
    }

    /// The result for a packet with this many records.
    fn finish(self, records: usize) -> Result<(), Rejected> {
        let faults = [
            (self.unmarked, "records without their markers 666.666 and 666, as another version's may be"),
            (self.numberless, "records with a driver id above 255"),
            (self.doubled, "records of a driver that another record is of"),
            (self.not_numbers, "values that are no numbers"),
        ];
        let reasons =
            faults.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        match reasons.collect::<Vec<_>>() {
            reasons if reasons.is_empty() => Ok(()),
            reasons => Err(Rejected::BadContent {
                game: GAME,
                packet: Kind::Telemetry.name(),
                what: format!("of {records} records, {}; the rest was used", reasons.join(", ")),
            }),
        }
    }
}

fn progress(car: Car, driver: &Driver, distance: Option<f32>, moment: Moment) -> LapProgress {
    let time = |millis: u32| (millis > 0).then_some(LapTime(millis));
    let [first, second, _] =
        driver.current_sectors.map(|millis| u32::try_from(millis.get()).ok().and_then(time));
    LapProgress {
        car,
        moment,
        // The game counts completed laps.
        lap: u16::try_from(driver.lap_count.get().saturating_add(1)).unwrap_or(0),
        clock: Some((f64::from(driver.lap_time.get()) / 1e3) as f32),
        distance,
        last_lap: time(driver.last_lap.get()),
        best_lap: time(driver.best_lap.get()),
        sector: u8::from(first.is_some()) + u8::from(first.and(second).is_some()),
        sectors: [first, second, None].into(),
        invalid: driver.lap_invalidated != 0,
        pit: match (driver.in_pit != 0, driver.in_pit_lane != 0) {
            (true, _) => PitStatus::InPitArea,
            (false, true) => PitStatus::Pitting,
            (false, false) => PitStatus::OnTrack,
        },
        result: if driver.race_finished != 0 { ResultStatus::Finished } else { ResultStatus::Active },
        position: u8::try_from(driver.leaderboard_position.get()).unwrap_or(0),
        ..LapProgress::default()
    }
}

#[cfg(test)]
mod tests;
