//! The best mini-sectors of a session's laps as one lap that live driving is compared with.

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::{LapColumns, MINI_SECTORS, NoDelta, Reference};
use trailbrake_model::Columns;
use trailbrake_model::time::LapTime;

use super::CarState;
use super::locator::Locator;

/// The theoretical best lap. All laps are placed along the same line, that of the first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct TheoreticalLap {
    line: Option<Line>,
    parts: Vec<BestPart>,
    /// The serials of the laps that it was made of.
    taken: Vec<u32>,
    curve: Option<Reference>,
}

/// What places are measured along.
#[derive(Clone, Debug)]
struct Line {
    locator: Locator,
    length_m: f32,
}

/// The best of one mini-sector.
#[derive(Clone, Debug)]
struct BestPart {
    serial: u32,
    time_s: f32,
    /// Metres and seconds from its beginning.
    points: Vec<(f32, f32)>,
}

impl TheoreticalLap {
    /// Its clock along the track, once there is a lap.
    pub(super) fn curve(&self) -> Option<&Reference> {
        self.curve.as_ref()
    }

    /// How places are measured along it.
    pub(super) fn locator(&self) -> Option<&Locator> {
        self.line.as_ref().map(|line| &line.locator)
    }

    /// Takes the laps that came since the last time. If one of its laps was undone or excluded, it starts over.
    pub(super) fn update(&mut self, car: &CarState) {
        let counted = |serial: u32| car.laps.lap(serial).is_some_and(|lap| lap.counts().is_some());
        if self.parts.iter().any(|part| !counted(part.serial)) {
            *self = Self::default();
        }
        let laps = car.laps.finished().iter().filter(|lap| lap.counts().is_some());
        for lap in laps {
            if !self.taken.contains(&lap.serial)
                && let Some(columns) = car.traces.lap(lap.serial)
            {
                self.taken.push(lap.serial);
                self.take(lap, columns);
            }
        }
    }

    /// Seconds behind it in a row; `None` if the row has no place, or not yet.
    pub(super) fn delta(
        &mut self,
        columns: &Columns,
        row: usize,
        whole: bool,
    ) -> Option<Result<f32, NoDelta>> {
        let (line, curve) = self.line.as_mut().zip(self.curve.as_ref())?;
        let seen = line.locator.look(columns, row, whole)?;
        Some(seen.and_then(|(place, clock)| curve.delta(place, clock)))
    }

    /// Forgets the car's place.
    pub(super) fn lose(&mut self) {
        if let Some(line) = &mut self.line {
            line.locator.lose();
        }
    }

    fn take(&mut self, lap: &Lap, columns: &Columns) {
        let rows = LapColumns::new(lap, columns);
        if self.line.is_none() {
            let found = Locator::of(&rows, columns);
            self.line = found.map(|(locator, curve)| Line { locator, length_m: curve.length_m() });
        }
        let Some(line) = &self.line else { return };
        let Some(curve) = line.locator.curve(&rows, columns) else { return };
        // The lengths of two laps differ by how they were measured.
        let scale = curve.length_m() / line.length_m;
        let part_m = line.length_m / MINI_SECTORS as f32;
        for index in 0..MINI_SECTORS {
            let [from_m, to_m] = [index, index + 1].map(|index| index as f32 * part_m * scale);
            let Some((from_s, to_s)) = curve.clock_at(from_m).zip(curve.clock_at(to_m)) else { return };
            let time_s = to_s - from_s;
            if self.parts.get(index).is_some_and(|best| best.time_s <= time_s) {
                continue;
            }
            let within = curve.points().filter(|(metres, _)| (from_m..to_m).contains(metres));
            let points = within.map(|(metres, clock_s)| ((metres - from_m) / scale, clock_s - from_s));
            let part = BestPart { serial: lap.serial, time_s, points: points.collect() };
            match self.parts.get_mut(index) {
                Some(best) => *best = part,
                None => self.parts.push(part),
            }
        }
        self.curve = self.joined(part_m);
    }

    /// The parts as one lap.
    fn joined(&self, part_m: f32) -> Option<Reference> {
        let mut points = Vec::new();
        let (mut began_m, mut began_s) = (0.0, 0.0);
        for part in &self.parts {
            points.push((began_m, began_s));
            points.extend(part.points.iter().map(|(metres, seconds)| (began_m + metres, began_s + seconds)));
            began_m += part_m;
            began_s += part.time_s;
        }
        Reference::new(points, LapTime((f64::from(began_s) * 1e3).round() as u32)).ok()
    }
}
