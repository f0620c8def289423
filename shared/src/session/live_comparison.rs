//! The player against the reference lap while driving: delta and braking.

use super::CarState;
use super::live_corners::LiveCorners;
use super::reference_lap::ReferenceLap;
use crate::analysis::{BrakeWatch, BrakingZone, Method, NoDelta};
use crate::laps::Lap;
use crate::model::{Channel, Columns, LapProgress};

/// Maximum points of a lap's delta, however long the lap takes.
const MOST_POINTS: usize = 40_000;

const DISTANCE: crate::model::Slot = Channel::LapDistance.slot();
const BRAKE: crate::model::Slot = Channel::Brake.slot();

/// The final delta of a finished lap against the reference at that time.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedDelta {
    /// The lap's serial.
    pub serial: u32,
    /// The reference's serial.
    pub reference: u32,
    /// Difference of the official times in milliseconds; negative when faster.
    pub behind_ms: i64,
    /// The delta along the lap: metres and seconds. The last point is the official difference.
    pub points: Vec<(f32, f32)>,
}

/// The player against the reference lap.
#[derive(Clone, Debug)]
pub struct LiveComparison {
    reference: Option<ReferenceLap>,
    /// A lap of an earlier session with its columns. It is the reference until the driver has set one in this session.
    earlier: Option<Box<(ReferenceLap, Columns)>>,
    chosen: Option<u32>,
    delta: Result<f32, NoDelta>,
    points: Vec<(f32, f32)>,
    finished: Option<FinishedDelta>,
    brakes: BrakeWatch,
    /// Braking zones of the lap under way.
    zones: Vec<BrakingZone>,
    /// The reference's zone for the latest braking, with the start of that braking in metres.
    same: Option<(f32, BrakingZone)>,
    /// Rows of the lap under way whose brake was evaluated.
    looked_at: usize,
    /// Rows of the lap under way whose position was evaluated, or cannot be.
    followed: usize,
    corners: LiveCorners,
}

impl Default for LiveComparison {
    fn default() -> Self {
        Self {
            reference: None,
            earlier: None,
            chosen: None,
            delta: Err(NoDelta::NoReference),
            points: Vec::new(),
            finished: None,
            brakes: BrakeWatch::default(),
            zones: Vec::new(),
            same: None,
            looked_at: 0,
            followed: 0,
            corners: LiveCorners::default(),
        }
    }
}

impl LiveComparison {
    /// The reference lap.
    pub fn reference(&self) -> Option<&ReferenceLap> {
        self.reference.as_ref()
    }

    /// The reference that the driver chose, by serial; `None` means the best lap.
    pub fn chosen(&self) -> Option<u32> {
        self.chosen
    }

    /// How a position is located on the reference.
    pub fn method(&self) -> Option<Method> {
        self.reference.as_ref().map(|reference| reference.locator.method())
    }

    /// Seconds behind the reference at this position, negative when ahead; or why there is no delta.
    pub fn delta(&self) -> Result<f32, NoDelta> {
        self.delta
    }

    /// The delta along the lap under way: metres and seconds.
    pub fn points(&self) -> &[(f32, f32)] {
        &self.points
    }

    /// The final delta of the last finished lap.
    pub fn finished(&self) -> Option<&FinishedDelta> {
        self.finished.as_ref()
    }

    /// The current braking zone, else the last one.
    pub fn braking(&self) -> Option<&BrakingZone> {
        self.brakes.latest()
    }

    /// The reference's braking zone for the same corner.
    pub fn same_braking(&self) -> Option<&BrakingZone> {
        let latest = self.brakes.latest()?;
        self.same.as_ref().filter(|(start, _)| *start == latest.start_m).map(|(_, zone)| zone)
    }

    /// The braking zones of the lap under way.
    pub fn zones(&self) -> &[BrakingZone] {
        &self.zones
    }

    /// The corners of the lap under way against the reference.
    pub fn corners(&self) -> &LiveCorners {
        &self.corners
    }

    pub(super) fn choose(&mut self, lap: Option<u32>, car: &CarState) {
        self.chosen = lap;
        let before = self.reference.as_ref().map(|reference| reference.serial);
        self.find_reference(car);
        if before != self.reference.as_ref().map(|reference| reference.serial) {
            self.follow_again();
        }
    }

    /// Takes the player's progress; distance and clock are read from the rows of the lap under way.
    pub(super) fn progress(&mut self, progress: &LapProgress, lap: Option<&Lap>, columns: &Columns) {
        let refusal = match (progress.distance, progress.clock) {
            (None, _) => NoDelta::NoDistance,
            (_, None) => NoDelta::NoClock,
            _ => NoDelta::NoReference,
        };
        if self.reference.is_none() || refusal == NoDelta::NoClock {
            self.delta = Err(refusal);
        }
        if refusal == NoDelta::NoClock {
            self.followed = columns.len();
        }
        self.follow(columns, columns.len(), columns.len().saturating_sub(1));
        if let Some((reference, lap)) = self.reference.as_ref().zip(lap) {
            self.corners.compare(reference, lap, columns);
        }
    }

    /// Evaluates rows up to `until`. Rows before `whole` receive no more values.
    fn follow(&mut self, columns: &Columns, until: usize, whole: usize) {
        let Some(reference) = &mut self.reference else {
            self.followed = until;
            return;
        };
        for row in self.followed..until {
            let seen = reference.locator.look(columns, row, row < whole);
            if seen.is_none() && row >= whole {
                break;
            }
            self.followed = row + 1;
            let Some(seen) = seen else { continue };
            self.delta = seen.and_then(|(place, clock)| reference.curve.delta(place, clock));
            let Some(((place, _), delta)) = seen.ok().zip(self.delta.ok()) else {
                self.corners.lose();
                continue;
            };
            self.corners.locate(place, columns.seconds().get(row).copied().unwrap_or_default());
            // After a rewind the points ahead are driven again.
            while self.points.pop_if(|(later, _)| *later >= place).is_some() {}
            if self.points.len() < MOST_POINTS {
                self.points.push((place, delta));
            }
        }
    }

    /// Evaluates the brake in all rows but the newest, whose packets may still arrive.
    pub(super) fn look(&mut self, columns: &Columns) {
        self.look_until(columns, columns.len().saturating_sub(1));
    }

    /// Ends the lap under way. All its rows are there; the first of the next lap may be, too.
    pub(super) fn line(&mut self, columns: &Columns, lap: &Lap) {
        self.look_until(columns, columns.len());
        let ended_s = lap.ended_s.unwrap_or(f64::INFINITY);
        let rows = columns.seconds().partition_point(|seconds| *seconds < ended_s);
        self.follow(columns, rows, rows);
        let end = columns.seconds().last().copied().unwrap_or_default();
        let last = self.brakes.finish(end).cloned();
        self.zones.extend(last);
    }

    /// Compares the corners of the lap that ended.
    pub(super) fn finish(&mut self, lap: &Lap, columns: &Columns) {
        if let Some(reference) = &self.reference {
            self.corners.finish(reference, lap, columns);
        }
    }

    /// Starts another lap.
    pub(super) fn begin(&mut self) {
        self.zones.clear();
        self.points.clear();
        (self.looked_at, self.followed) = (0, 0);
        self.corners.begin();
        self.lose();
    }

    /// Forgets the car's position, so that it is searched again.
    fn lose(&mut self) {
        if let Some(reference) = &mut self.reference {
            reference.locator.lose();
        }
    }

    /// Takes a lap of an earlier session on this track in this car as a reference.
    pub(super) fn take_earlier(&mut self, lap: &Lap, columns: &Columns, car: &CarState) {
        let reference = ReferenceLap::of(lap, columns);
        let earlier = |reference| Box::new((ReferenceLap { serial: None, ..reference }, columns.clone()));
        self.earlier = reference.map(earlier);
        self.find_reference(car);
        self.follow_again();
    }

    /// The columns of the reference lap.
    pub fn reference_columns<'a>(&'a self, car: &'a CarState) -> Option<&'a Columns> {
        match self.reference.as_ref()?.serial {
            Some(serial) => car.traces.lap(serial),
            None => self.earlier.as_ref().map(|earlier| &earlier.1),
        }
    }

    /// Whether there is a reference lap of an earlier session.
    pub fn has_earlier(&self) -> bool {
        self.earlier.is_some()
    }

    /// Restarts the comparison at the beginning of the lap under way, for a reference that became known late.
    pub(super) fn follow_again(&mut self) {
        self.points.clear();
        self.followed = 0;
        self.corners.follow_again();
        self.lose();
    }

    /// Takes a lap's official time: when the lap ends, or later.
    pub(super) fn timed(&mut self, lap: &Lap, at_once: bool) {
        let Some((reference, time)) = self.reference.as_ref().zip(lap.time) else { return };
        let Some(against) = reference.serial else { return };
        let behind_ms = time.minus(reference.curve.time());
        let mut points = match self.finished.take().filter(|finished| finished.serial == lap.serial) {
            Some(finished) => finished.points,
            None if at_once => std::mem::take(&mut self.points),
            None => Vec::new(),
        };
        let length = reference.curve.length_m();
        while points.pop_if(|(distance, _)| *distance >= length).is_some() {}
        points.push((length, behind_ms as f32 / 1e3));
        let serial = lap.serial;
        self.finished = Some(FinishedDelta { serial, reference: against, behind_ms, points });
    }

    /// Chooses the reference again after the laps changed.
    pub(super) fn find_reference(&mut self, car: &CarState) {
        let chosen = self.chosen.and_then(|serial| car.laps.lap(serial)).filter(|lap| lap.time.is_some());
        let Some(lap) = chosen.or_else(|| car.laps.best()) else {
            if self.reference.as_ref().is_none_or(|reference| reference.serial.is_some()) {
                self.reference = self.earlier.as_ref().map(|earlier| earlier.0.clone());
            }
            return;
        };
        let same = |reference: &ReferenceLap| {
            reference.serial == Some(lap.serial) && Some(reference.curve.time()) == lap.time
        };
        if self.reference.as_ref().is_some_and(same) {
            return;
        }
        let of_lap = |lap: &Lap| ReferenceLap::of(lap, car.traces.lap(lap.serial)?);
        let found = of_lap(lap);
        // The previous reference is better than none, unless its lap was undone.
        let happened =
            |reference: &ReferenceLap| reference.serial.is_none_or(|serial| car.laps.lap(serial).is_some());
        let kept = self.reference.take().filter(happened);
        // The columns of the best lap may have been dropped.
        let counted = || car.laps.finished().iter().filter(|lap| lap.counts().is_some());
        let slower = || counted().filter_map(of_lap).min_by_key(|reference| reference.curve.time());
        self.reference = found.or(kept).or_else(slower);
    }

    /// The game went back in time or restarted.
    pub(super) fn go_back(&mut self, columns: &Columns) {
        self.brakes.reset();
        (self.looked_at, self.followed) = (columns.len(), columns.len());
        self.lose();
        let distance = columns.len().checked_sub(1).and_then(|row| columns.latest(DISTANCE, row));
        let until = distance.unwrap_or(f32::NEG_INFINITY);
        self.zones.retain(|zone| zone.start_m < until);
    }

    fn look_until(&mut self, columns: &Columns, end: usize) {
        for row in self.looked_at..end {
            let values = columns.value(DISTANCE, row).zip(columns.value(BRAKE, row));
            let Some((distance, brake)) = values else { continue };
            let Some(&seconds) = columns.seconds().get(row) else { continue };
            if let Some(zone) = self.brakes.sample(distance, seconds, brake) {
                self.zones.push(zone.clone());
            }
        }
        self.looked_at = end;
        let start = self.brakes.latest().map(|latest| latest.start_m);
        if start != self.same.as_ref().map(|(start, _)| *start) {
            let latest = self.brakes.latest().zip(self.reference.as_ref());
            let same = latest.and_then(|(latest, reference)| latest.same_in(&reference.zones));
            self.same = start.zip(same.cloned());
        }
    }
}
