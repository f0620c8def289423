//! The player against the reference lap while driving: delta and braking.

use trailbrake_analysis::laps::{Change, Lap};
use trailbrake_analysis::{
    BrakeWatch, BrakingZone, Combo, LapColumns, Method, NoDelta, PlacedLap, Reference,
};
use trailbrake_model::time::LapTime;
use trailbrake_model::{Channel, Columns, LapProgress};

use super::CarState;
use super::beside::Beside;
use super::delta_target::DeltaTarget;
use super::driver_choices::DriverChoices;
use super::live_corners::{LiveCorners, LiveLap};
use super::live_task::LiveTask;
use super::locator::Locator;
use super::outside_lap::{OutsideLap, RivalLap, RivalMismatch};
use super::reference_lap::{LapOrigin, ReferenceLap};
use super::theoretical_lap::TheoreticalLap;
use super::traffic::TrafficLog;

/// Maximum points of a lap's delta, however long the lap takes.
const MOST_POINTS: usize = 40_000;

const DISTANCE: trailbrake_model::Slot = Channel::LapDistance.slot();
const BRAKE: trailbrake_model::Slot = Channel::Brake.slot();

/// The final delta of a finished lap against what it was compared with at that time.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedDelta {
    /// The lap's serial.
    pub serial: u32,
    /// The other lap's serial; `None` for a lap that was not driven in this session, and for the theoretical best.
    pub reference: Option<u32>,
    /// Difference of the official times in milliseconds; negative when faster.
    pub behind_ms: i64,
    /// The delta along the lap: metres and seconds. The last point is the official difference.
    pub points: Vec<(f32, f32)>,
}

/// The player against the reference lap.
#[derive(Clone, Debug)]
pub struct LiveComparison {
    reference: Option<ReferenceLap>,
    /// Whether laps of the session become references.
    is_live: bool,
    /// The best lap of earlier sessions. It is the reference until the driver has set one in this session.
    earlier: Option<Box<OutsideLap>>,
    /// Anybody's lap that the driver chose.
    rival: Option<ChosenRival>,
    choices: DriverChoices,
    /// The lap of the session that the driver chose as the reference, by serial.
    chosen: Option<u32>,
    /// The theoretical best, while it is the target.
    theoretical: Option<Box<TheoreticalLap>>,
    /// Where the car was on the reference in the last seconds.
    beside: Beside,
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
    /// Where other cars were close.
    pub(super) traffic: TrafficLog,
    task: LiveTask,
}

/// Anybody's lap that the driver chose.
#[derive(Clone, Debug)]
struct ChosenRival {
    name: String,
    /// The lap, or why it can't be the reference here.
    lap: Result<Box<OutsideLap>, RivalMismatch>,
}

impl Default for LiveComparison {
    fn default() -> Self {
        Self {
            reference: None,
            is_live: true,
            earlier: None,
            rival: None,
            choices: DriverChoices::default(),
            chosen: None,
            theoretical: None,
            beside: Beside::default(),
            delta: Err(NoDelta::NoReference),
            points: Vec::new(),
            finished: None,
            brakes: BrakeWatch::default(),
            zones: Vec::new(),
            same: None,
            looked_at: 0,
            followed: 0,
            corners: LiveCorners::default(),
            traffic: TrafficLog::default(),
            task: LiveTask::default(),
        }
    }
}

impl LiveComparison {
    /// A comparison in which laps of the session become references, or not.
    pub(super) fn new(is_live: bool) -> Self {
        Self { is_live, ..Self::default() }
    }

    /// The reference lap.
    pub fn reference(&self) -> Option<&ReferenceLap> {
        self.reference.as_ref()
    }

    /// The lap of the session that the driver chose as the reference, by serial.
    pub fn chosen(&self) -> Option<u32> {
        self.chosen
    }

    /// What the driver wants the delta to be against.
    pub fn target(&self) -> DeltaTarget {
        self.chosen.map_or(self.choices.target, DeltaTarget::Lap)
    }

    /// What the driver chose for every session.
    pub fn choices(&self) -> &DriverChoices {
        &self.choices
    }

    /// What the delta is against now, and its time.
    pub fn compared_with(&self) -> Option<(DeltaTarget, LapTime)> {
        if let Some(curve) = self.theoretical_curve() {
            return Some((DeltaTarget::TheoreticalBest, curve.time()));
        }
        let reference = self.reference.as_ref()?;
        let what = match (reference.origin, self.target()) {
            (LapOrigin::Rival, _) => DeltaTarget::Rival,
            (LapOrigin::Earlier, _) => DeltaTarget::AllTimeBest,
            // The best of all is of this session.
            (_, DeltaTarget::AllTimeBest) if self.earlier.is_some() => DeltaTarget::AllTimeBest,
            (LapOrigin::Session(serial), DeltaTarget::Lap(chosen)) if serial == chosen => {
                DeltaTarget::Lap(serial)
            }
            _ => DeltaTarget::SessionBest,
        };
        Some((what, reference.curve.time()))
    }

    /// The time of the lap under way if the rest of it is driven as what it is compared with.
    pub fn predicted(&self) -> Option<LapTime> {
        let (_, time) = self.compared_with()?;
        let seconds = time.seconds() + f64::from(self.delta.ok()?);
        Some(LapTime((seconds.max(0.0) * 1e3).round() as u32))
    }

    /// The clock of what the delta is against, and how places on it are measured.
    pub(super) fn compared_curve(&self) -> Option<(&Reference, &Locator)> {
        let reference = || self.reference.as_ref().map(|reference| (&reference.curve, &reference.locator));
        let theoretical = self.theoretical.as_ref();
        theoretical.and_then(|lap| lap.curve().zip(lap.locator())).or_else(reference)
    }

    fn theoretical_curve(&self) -> Option<&Reference> {
        self.theoretical.as_ref()?.curve()
    }

    /// Where the car was on the reference in the last seconds.
    pub(super) fn beside(&self) -> &Beside {
        &self.beside
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

    /// The coaching task that the driver follows.
    pub fn task(&self) -> &LiveTask {
        &self.task
    }

    /// The short name of the task's corner.
    pub fn task_corner(&self) -> Option<String> {
        let corners = self.reference.as_ref().and_then(|reference| reference.corners.as_ref());
        let corners = corners.into_iter().flat_map(|corners| corners.rows()).map(|(corner, _)| corner);
        Some(self.task.task()?.corner.short_title(corners))
    }

    /// A new comparison, with what the driver chose for every session.
    pub(super) fn renewed(&mut self) -> Self {
        let mut renewed = Self { choices: std::mem::take(&mut self.choices), ..Self::new(self.is_live) };
        renewed.task.follow(renewed.choices.task.clone());
        renewed
    }

    /// Takes what the driver chose for every session.
    pub(super) fn take_choices(&mut self, choices: DriverChoices, car: &CarState) {
        let before = std::mem::replace(&mut self.choices, choices);
        self.task.follow(self.choices.task.clone());
        if before.book != self.choices.book {
            self.find_corners(car);
        } else if before.brake_points != self.choices.brake_points {
            let [earlier, rival] =
                [self.earlier.as_mut(), self.rival.as_mut().and_then(|rival| rival.lap.as_mut().ok())];
            let outside = earlier.into_iter().chain(rival).map(|lap| &mut lap.reference);
            for reference in outside.chain(&mut self.reference) {
                reference.set_brake_points(&self.choices.brake_points);
            }
        }
        if before.target != self.choices.target {
            self.find_target(car);
        }
    }

    /// Takes over a task with its marks.
    pub(super) fn take_task(&mut self, task: LiveTask) {
        self.task = task;
    }

    /// Takes the lap of the session that the driver chose as the reference, by serial.
    pub(super) fn choose_lap(&mut self, serial: Option<u32>, car: &CarState) {
        self.chosen = serial;
        self.find_target(car);
    }

    /// Finds what the delta is against, after another choice.
    fn find_target(&mut self, car: &CarState) {
        let known = |this: &Self| {
            (this.reference.as_ref().map(|reference| reference.origin), this.theoretical.is_some())
        };
        let before = known(self);
        self.find_reference(car);
        if before != known(self) {
            self.follow_again();
        }
    }

    /// Finds the corners of the reference laps, named by another track book.
    fn find_corners(&mut self, car: &CarState) {
        let DriverChoices { book, brake_points, .. } = &self.choices;
        let rival = self.rival.as_mut().and_then(|rival| rival.lap.as_mut().ok());
        let outside = self.earlier.as_mut().into_iter().chain(rival);
        outside.for_each(|lap| lap.find_corners(book, brake_points));
        let Some(reference) = &mut self.reference else { return };
        let outside = match reference.origin {
            LapOrigin::Session(serial) => {
                if let Some((lap, columns)) = car.laps.lap(serial).zip(car.traces.lap(serial)) {
                    reference.find_corners(lap, columns, book, brake_points);
                }
                None
            }
            LapOrigin::Earlier => self.earlier.as_ref(),
            LapOrigin::Rival => self.rival.as_ref().and_then(|rival| rival.lap.as_ref().ok()),
        };
        if let Some(lap) = outside {
            reference.clone_from(&lap.reference);
        }
        self.corners.follow_again();
        self.follow_again();
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
            let live = LiveLap { lap, columns, traffic: &self.traffic };
            self.corners.compare(reference, live);
            self.task.drive(reference, lap, columns, self.corners.place_m());
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
            let theoretical = self.theoretical.as_mut().filter(|lap| lap.curve().is_some());
            self.delta = match theoretical {
                Some(lap) => lap.delta(columns, row, row < whole).unwrap_or(Err(NoDelta::NotOnLap)),
                None => seen.and_then(|(place, clock)| reference.curve.delta(place, clock)),
            };
            let Some(((place, clock), delta)) = seen.ok().zip(self.delta.ok()) else {
                self.corners.lose();
                self.beside.lose();
                continue;
            };
            let seconds = columns.seconds().get(row).copied().unwrap_or_default();
            self.corners.locate(place, seconds);
            self.beside.locate(seconds, place, clock);
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
    fn finish(&mut self, lap: &Lap, columns: &Columns) {
        if let Some(reference) = &self.reference {
            self.corners.finish(reference, LiveLap { lap, columns, traffic: &self.traffic });
            self.task.finish(reference, lap, columns);
        }
    }

    /// Handles laps of the player's that began or ended, and the one that got its time.
    pub(super) fn turn(&mut self, change: Change, timed: Option<&Lap>, car: &CarState) {
        if let Some(lap) = timed {
            self.timed(lap, change.finished.is_some());
        }
        let ended = change.finished.and_then(|serial| car.laps.lap(serial));
        if let Some((lap, columns)) = ended.and_then(|lap| Some((lap, car.traces.lap(lap.serial)?))) {
            self.finish(lap, columns);
        }
        if change.finished.or(change.began).is_some() {
            self.begin();
        }
        self.find_reference(car);
    }

    /// Starts another lap.
    fn begin(&mut self) {
        self.zones.clear();
        self.points.clear();
        (self.looked_at, self.followed) = (0, 0);
        self.corners.begin();
        self.beside.begin();
        self.lose();
    }

    /// Forgets the car's position, so that it is searched again.
    fn lose(&mut self) {
        if let Some(reference) = &mut self.reference {
            reference.locator.lose();
        }
        if let Some(lap) = &mut self.theoretical {
            lap.lose();
        }
    }

    /// Takes a lap of an earlier session on this track in this car as a reference.
    pub(super) fn take_earlier(&mut self, lap: &Lap, columns: &Columns, car: &CarState) {
        let origin = |this: &Self| this.reference.as_ref().map(|reference| reference.origin);
        let before = origin(self);
        self.earlier = OutsideLap::of(lap, columns, LapOrigin::Earlier, &self.choices).map(Box::new);
        self.find_reference(car);
        if before != origin(self) {
            self.follow_again();
        }
    }

    /// Takes a rival's lap. `own` is what is driven here, and `sent_m` the length of the track that the game sends.
    pub(super) fn take_rival(&mut self, rival: &RivalLap, own: &Combo, sent_m: Option<f64>, car: &CarState) {
        let driven = |lap: &Lap| PlacedLap::length_of(&LapColumns::new(lap, car.traces.lap(lap.serial)?));
        let length_m = sent_m.or_else(|| driven(car.laps.best()?));
        let lap = OutsideLap::of_rival(rival, own, length_m, &self.choices).map(Box::new);
        self.rival = Some(ChosenRival { name: rival.name.clone(), lap });
        // It replaces another rival's lap.
        self.reference.take_if(|reference| reference.origin == LapOrigin::Rival);
        self.find_reference(car);
        self.follow_again();
    }

    /// The name of the rival's lap that the driver chose, and why it can't be the reference here.
    pub fn rival(&self) -> Option<(&str, Option<&RivalMismatch>)> {
        self.rival.as_ref().map(|rival| (rival.name.as_str(), rival.lap.as_ref().err()))
    }

    /// The columns of the reference lap.
    pub fn reference_columns<'a>(&'a self, car: &'a CarState) -> Option<&'a Columns> {
        match self.reference.as_ref()?.origin {
            LapOrigin::Session(serial) => car.traces.lap(serial),
            LapOrigin::Earlier => self.earlier.as_ref().map(|earlier| &earlier.columns),
            LapOrigin::Rival => self.rival.as_ref()?.lap.as_ref().ok().map(|lap| &lap.columns),
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
        self.beside.clear();
        self.lose();
    }

    /// Takes a lap's official time: when the lap ends, or later.
    fn timed(&mut self, lap: &Lap, at_once: bool) {
        let Some(((curve, _), time)) = self.compared_curve().zip(lap.time) else { return };
        let (length, behind_ms) = (curve.length_m(), time.minus(curve.time()));
        let is_driven = self.theoretical_curve().is_none();
        let reference = self.reference.as_ref().filter(|_| is_driven).and_then(ReferenceLap::serial);
        let mut points = match self.finished.take().filter(|finished| finished.serial == lap.serial) {
            Some(finished) => finished.points,
            None if at_once => std::mem::take(&mut self.points),
            None => Vec::new(),
        };
        while points.pop_if(|(distance, _)| *distance >= length).is_some() {}
        points.push((length, behind_ms as f32 / 1e3));
        let serial = lap.serial;
        self.finished = Some(FinishedDelta { serial, reference, behind_ms, points });
    }

    /// Chooses the reference again after the laps changed.
    pub(super) fn find_reference(&mut self, car: &CarState) {
        self.task.retain(&|serial| car.laps.lap(serial).is_some());
        self.find_lap(car);
        if self.target() == DeltaTarget::TheoreticalBest {
            self.theoretical.get_or_insert_default().update(car);
        } else {
            self.theoretical = None;
        }
    }

    fn find_lap(&mut self, car: &CarState) {
        if !self.is_live {
            return;
        }
        let chosen = self.chosen.and_then(|serial| car.laps.lap(serial)).filter(|lap| lap.time.is_some());
        let own = chosen.or_else(|| car.laps.best());
        let is_beaten = |earlier: &OutsideLap| {
            let is_faster = |own: &Lap| own.time.is_none_or(|own| earlier.reference.curve.time() < own);
            own.is_none_or(|own| self.target() == DeltaTarget::AllTimeBest && is_faster(own))
        };
        let rival = self.rival.as_ref().filter(|_| self.target() == DeltaTarget::Rival);
        let rival = rival.and_then(|rival| rival.lap.as_ref().ok());
        let outside = rival.or_else(|| self.earlier.as_ref().filter(|earlier| is_beaten(earlier)));
        let Some(lap) = own.filter(|_| outside.is_none()) else {
            let origin = outside.map(|lap| lap.reference.origin);
            if self.reference.as_ref().map(|reference| reference.origin) != origin {
                self.reference = outside.map(|lap| lap.reference.clone());
            }
            return;
        };
        let same = |reference: &ReferenceLap| {
            reference.serial() == Some(lap.serial) && Some(reference.curve.time()) == lap.time
        };
        if self.reference.as_ref().is_some_and(same) {
            return;
        }
        let DriverChoices { book, brake_points, .. } = &self.choices;
        let of_lap = |lap: &Lap| {
            let columns = car.traces.lap(lap.serial)?;
            let mut reference = ReferenceLap::of(lap, columns)?;
            reference.find_corners(lap, columns, book, brake_points);
            Some(reference)
        };
        let found = of_lap(lap);
        // The previous reference is better than none, unless its lap was undone.
        let happened = |reference: &ReferenceLap| match reference.origin {
            LapOrigin::Session(serial) => car.laps.lap(serial).is_some(),
            LapOrigin::Earlier => true,
            LapOrigin::Rival => false,
        };
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
        self.beside.clear();
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
