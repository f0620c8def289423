//! The coaching task that the driver follows: the mark of each lap right after the corner, and the count so far.

use trailbrake_analysis::LapColumns;
use trailbrake_analysis::laps::{Lap, LapFlag};
use trailbrake_analysis::task::{
    CornerLaps, CornerPass, MarkedPass, TaskCorner, TaskLaps, TaskMark, TaskTarget, Verdict,
};
use trailbrake_model::Columns;
use trailbrake_model::units::Units;

use super::reference_lap::ReferenceLap;

/// A lap is marked this far behind the place where its measure is known, metres.
const AFTER_M: f64 = 15.0;

/// Laps that nobody follows a task in.
const NOT_FOLLOWED: &[LapFlag] = &[
    LapFlag::Out,
    LapFlag::In,
    LapFlag::Pit,
    LapFlag::Rewound,
    LapFlag::Restarted,
    LapFlag::Excluded,
    LapFlag::Replay,
];

/// A task as a driver follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowedTask {
    /// The corner.
    pub corner: TaskCorner,
    /// The goal.
    pub target: TaskTarget,
    /// For how many laps.
    pub laps: u32,
    /// Laps of earlier recordings with the task.
    pub before: TaskLaps,
}

/// The mark of a lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskResult {
    /// The lap's serial.
    pub serial: u32,
    /// Its number.
    pub lap: u16,
    /// How it went.
    pub marked: MarkedPass,
}

/// The task that the driver follows in this session.
#[derive(Clone, Debug, Default)]
pub struct LiveTask {
    task: Option<FollowedTask>,
    /// The lap in which the task was set too late for its corner.
    too_late: Option<u32>,
    /// Whether the car's place was looked at since the task was set.
    begun: bool,
    /// One for each lap that came through the corner, oldest first.
    passes: Vec<LivePass>,
}

/// A lap that came through the corner.
#[derive(Clone, Debug)]
struct LivePass {
    serial: u32,
    lap: u16,
    /// `None` if the lap can't be placed.
    pass: Option<CornerPass>,
    marked: Option<MarkedPass>,
}

impl TaskResult {
    /// How far the lap was beside the goal, in the driver's words: `6 m early`.
    pub fn words(&self, target: &TaskTarget, units: &Units) -> String {
        self.marked.words(target.measure, units)
    }
}

impl LiveTask {
    /// The task.
    pub fn task(&self) -> Option<&FollowedTask> {
        self.task.as_ref()
    }

    /// The marks of this session's laps, oldest first.
    pub fn results(&self) -> impl DoubleEndedIterator<Item = TaskResult> {
        self.passes
            .iter()
            .filter_map(|pass| Some(TaskResult { serial: pass.serial, lap: pass.lap, marked: pass.marked? }))
    }

    /// The mark of the last lap that came through the corner.
    pub fn latest(&self) -> Option<TaskResult> {
        self.results().next_back()
    }

    /// This session's laps with the task.
    pub fn driven(&self) -> TaskLaps {
        let marks = || self.passes.iter().filter_map(|pass| Some(pass.marked?.mark));
        let count = |mark: TaskMark| marks().filter(|one| *one == mark).count() as u32;
        let passes: Vec<CornerPass> = self.passes.iter().filter_map(|pass| pass.pass).collect();
        TaskLaps {
            hits: count(TaskMark::Hit),
            nears: count(TaskMark::Near),
            misses: count(TaskMark::Miss),
            laps: CornerLaps::of(&passes),
        }
    }

    /// How many laps hit the target, and how many were marked, with those of earlier recordings.
    pub fn count(&self) -> (u32, u32) {
        let before = self.task.as_ref().map(|task| task.before).unwrap_or_default();
        let hits = self.results().filter(|result| result.marked.mark == TaskMark::Hit).count() as u32;
        let marked = self.results().count() as u32;
        (before.hits.saturating_add(hits), before.marked().saturating_add(marked))
    }

    /// The verdict so far. `None` without a task, or with too few laps before it.
    pub fn verdict(&self, baseline: &CornerLaps) -> Option<Verdict> {
        let task = self.task.as_ref()?;
        Verdict::of(baseline, &task.before.together(&self.driven()), task.laps)
    }

    /// Gives the driver a task, or none. The same task goes on.
    pub(super) fn follow(&mut self, task: Option<FollowedTask>) {
        let what = |task: &FollowedTask| (task.corner, task.target);
        if self.task.as_ref().map(what) != task.as_ref().map(what) {
            *self = Self::default();
        }
        self.task = task;
    }

    /// Looks at the lap under way.
    pub(super) fn drive(
        &mut self,
        reference: &ReferenceLap,
        lap: &Lap,
        columns: &Columns,
        place_m: Option<f64>,
    ) {
        let Some((task, place_m)) = self.task.as_ref().zip(place_m) else { return };
        let corner = task.corner;
        if !std::mem::replace(&mut self.begun, true) && place_m > corner.from_m {
            self.too_late = Some(lap.serial);
        }
        if self.is_known(lap) {
            // After a rewind the corner is driven again.
            if place_m < corner.from_m {
                self.passes.pop();
            }
            return;
        }
        if place_m < corner.apex_m || lap.flags.has_any(NOT_FOLLOWED) {
            return;
        }
        let measured_m =
            reference.corners.as_ref().and_then(|corners| Some(corner.section(corners)?.measured_m));
        if measured_m.is_some_and(|measured_m| place_m >= measured_m + AFTER_M) {
            self.measure(reference, lap, columns);
        }
    }

    /// The lap has ended: its time through the corner is known.
    pub(super) fn finish(&mut self, reference: &ReferenceLap, lap: &Lap, columns: &Columns) {
        let is_followed = !lap.flags.has_any(NOT_FOLLOWED);
        match self.passes.pop_if(|pass| pass.serial == lap.serial) {
            // What the driver saw stays.
            Some(LivePass { marked, .. }) => {
                self.measure(reference, lap, columns);
                if let Some(last) = self.passes.last_mut().filter(|last| last.serial == lap.serial) {
                    last.marked = marked.or(last.marked);
                    last.pass = last.pass.filter(|_| is_followed);
                }
            }
            None if is_followed => self.measure(reference, lap, columns),
            None => {}
        }
    }

    /// The same in another decoding of the session, where laps have other serials.
    pub(super) fn renumbered(&self, serial: &dyn Fn(u32) -> Option<u32>) -> Self {
        let passes = self.passes.iter();
        let passes =
            passes.filter_map(|pass| Some(LivePass { serial: serial(pass.serial)?, ..pass.clone() }));
        Self { too_late: self.too_late.and_then(serial), passes: passes.collect(), ..self.clone() }
    }

    /// Keeps only laps that happened: a rewind undoes some.
    pub(super) fn retain(&mut self, happened: &dyn Fn(u32) -> bool) {
        self.passes.retain(|pass| happened(pass.serial));
    }

    fn is_known(&self, lap: &Lap) -> bool {
        self.passes.last().is_some_and(|last| last.serial == lap.serial)
    }

    fn measure(&mut self, reference: &ReferenceLap, lap: &Lap, columns: &Columns) {
        let Some((task, corners)) = self.task.as_ref().zip(reference.corners.as_ref()) else { return };
        let Some(section) = task.corner.section(corners).filter(|_| self.too_late != Some(lap.serial)) else {
            return;
        };
        let rows = LapColumns::new(lap, columns);
        let pass = CornerPass::of(corners, &rows, &section, task.target.measure);
        let marked = pass.and_then(|pass| task.target.mark(pass.value));
        self.passes.push(LivePass { serial: lap.serial, lap: lap.number, pass, marked });
    }
}
