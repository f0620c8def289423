//! Packets → model: which records to trust, and each car's lap progress.

use std::collections::BTreeMap;

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::MPS_PER_KMH;
use trailbrake_model::{
    Car, Channel as C, Event, EventKind, LapProgress, Moment, PitStatus, ResultStatus, Sink,
};

use super::GAME;
use super::facts::{PLAYER, Record, SessionFacts};
use super::layout::{Driver, Telemetry};
use super::packet::{Kind, Packet};
use super::timeline::Timeline;
use crate::odometer::Odometer;
use crate::pause_detector::PauseDetector;
use crate::session_clock::Step;
use crate::table::Values;
use crate::{Decode, Rejected};

/// Lap fractions of a car just before the line (above the first) and just after it (below the second).
const LINE_SHARES: [f64; 2] = [0.9, 0.1];
const JOULES_PER_KJ: f32 = 1e3;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    /// When the session's first packet was received.
    began: Option<Micros>,
    cars: BTreeMap<Car, Tracked>,
    facts: SessionFacts,
    pause_detector: PauseDetector<500>,
    version: Option<[u8; 4]>,
    values: Values,
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
            Packet::Telemetry(telemetry) => self.telemetry(&telemetry, at, sink),
            Packet::Version(version) => {
                self.version(version.content, self.moment(at), sink);
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

    fn telemetry(
        &mut self,
        telemetry: &Telemetry<'_>,
        at: Micros,
        sink: &mut dyn Sink,
    ) -> Result<(), Rejected> {
        let mut faults = Faults::default();
        let records = faults.believable(telemetry);
        let player = records.iter().find(|(car, _)| *car == PLAYER);
        let other = player.is_some_and(|(_, driver)| self.facts.is_another_player(&driver.read()));
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
            .map(|(car, driver)| match driver.read().connected {
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
        for (record, step) in records.iter().zip(steps) {
            if record.1.read().connected == 0 {
                self.leave(record.0, moment, sink);
            } else {
                faults.not_numbers += self.follow(record, step, moment, sink);
            }
        }
        let gone = self.cars.keys().filter(|car| !records.iter().any(|(present, _)| present == *car));
        for car in gone.copied().collect::<Vec<_>>() {
            self.leave(car, moment, sink);
            self.facts.left(car);
        }
        let cars = self.cars.values().filter(|car| car.progress.is_some()).count();
        self.facts.session(cars, self.pause_detector.is_paused(), moment, sink);
        faults.finish(telemetry.drivers.all().count())
    }

    /// Sends restarts: one for the session if all cars restarted at once, otherwise one per car.
    fn restart(&self, records: &[Record<'_>], steps: &[Step], moment: Moment, sink: &mut dyn Sink) {
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
        (car, record): &Record<'_>,
        step: Step,
        moment: Moment,
        sink: &mut dyn Sink,
    ) -> usize {
        if !step.moves() {
            return 0;
        }
        let (tracked, driver) = (self.cars.entry(*car).or_default(), record.read());
        tracked.drive(&driver, step);
        tracked.timeline.take(record);
        let distance = tracked.odometer.metres();
        let progress = progress(*car, &driver, distance, moment);
        tracked.progress = Some(progress);
        fill(&driver, distance, &mut self.values);
        let not_numbers = self.values.give(sink, *car, moment);
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
    fn version(&mut self, bytes: [u8; 4], moment: Moment, sink: &mut dyn Sink) {
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
        let speed = |driver: &Driver| driver.speed_kmh * MPS_PER_KMH;
        let seconds = |driver: &Driver| f64::from(driver.lap_time) / 1e3;
        match (step, self.timeline.newest()) {
            (Step::NextLap, _) => self.odometer.line(speed(now), seconds(now)),
            (Step::Flows, Some(before)) => {
                self.odometer.drive(seconds(now) - seconds(before), speed(before), speed(now));
                // Off the grid, the line is crossed during the first lap.
                let [about_to, just_has] = LINE_SHARES;
                let crossed = before.spline_position > about_to && now.spline_position < just_has;
                if crossed && self.odometer.metres().is_none() {
                    // Where the clock began to run only there, it gives how long ago that was.
                    let ago = if seconds(before) == 0.0 { Some(seconds(now)) } else { None };
                    self.odometer.line(speed(now), ago.unwrap_or(0.0));
                }
            }
            _ => self.odometer.lose(),
        }
    }
}

impl Faults {
    /// The trustworthy records, with their cars.
    fn believable<'a>(&mut self, telemetry: &Telemetry<'a>) -> Vec<Record<'a>> {
        let mut records: Vec<Record<'_>> = Vec::with_capacity(telemetry.drivers.all().count());
        for record in telemetry.drivers.all() {
            let driver = record.read();
            match u8::try_from(driver.driver_id).map(Car) {
                _ if !driver.is_marked() => self.unmarked += 1,
                // A packet has room for fewer cars than a byte can number.
                Err(_) => self.numberless += 1,
                Ok(car) if records.iter().any(|(other, _)| *other == car) => self.doubled += 1,
                Ok(car) => records.push((car, record)),
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

/// Takes the channels of a record, with those that need a condition.
fn fill(driver: &Driver, distance: Option<f32>, values: &mut Values) {
    values.fill::<true>(driver);
    for (channel, place) in
        [(C::RacePosition, driver.leaderboard_position), (C::TrackOrder, driver.track_position)]
    {
        if place > 0 {
            values.add(channel.slot(), place.into());
        }
    }
    // A car without ERS sends zero capacity.
    if driver.ers_max_kj != 0.0 || driver.ers_current_kj != 0.0 {
        values.add(C::ErsCapacity.slot(), driver.ers_max_kj * JOULES_PER_KJ);
        values.add(C::ErsStore.slot(), driver.ers_current_kj * JOULES_PER_KJ);
    }
    if let Some(metres) = distance {
        values.add(C::LapDistance.slot(), metres);
    }
}

fn progress(car: Car, driver: &Driver, distance: Option<f32>, moment: Moment) -> LapProgress {
    let time = |millis: u32| (millis > 0).then_some(LapTime(millis));
    let [first, second, _] = driver.current_sectors.map(|millis| u32::try_from(millis).ok().and_then(time));
    LapProgress {
        car,
        moment,
        // The game counts completed laps.
        lap: u16::try_from(driver.lap_count.saturating_add(1)).unwrap_or(0),
        clock: Some((f64::from(driver.lap_time) / 1e3) as f32),
        distance,
        last_lap: time(driver.last_lap),
        best_lap: time(driver.best_lap),
        sector: u8::from(first.is_some()) + u8::from(first.and(second).is_some()),
        sectors: [first, second, None].into(),
        invalid: driver.lap_invalidated != 0,
        pit: match (driver.in_pit != 0, driver.in_pit_lane != 0) {
            (true, _) => PitStatus::InPitArea,
            (false, true) => PitStatus::Pitting,
            (false, false) => PitStatus::OnTrack,
        },
        result: if driver.race_finished != 0 { ResultStatus::Finished } else { ResultStatus::Active },
        position: u8::try_from(driver.leaderboard_position).unwrap_or(0),
        ..LapProgress::default()
    }
}

#[cfg(test)]
mod tests;
