//! A coaching task before it is set: what the laps on screen do in a corner, and the proposed goal.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::task::{
    CornerLaps, CornerPass, CornerSection, TaskCorner, TaskMeasure, TaskProposal, TaskTarget,
};
use trailbrake_shared::analysis::{CornerReference, LapColumns, ReferenceLine, TrackBook};
use trailbrake_shared::recording::{Task, TaskBrief};
use trailbrake_shared::units::{Unit, Units};

use super::Tasks;
use crate::analyse::messages::Messages;
use crate::analyse::notes::BookChange;
use crate::analyse::{
    BookStore, ComparisonStore, DialogKind, LapSource, LoadedLap, NoteStore, OpenDialog, ShownLaps, SourceId,
    Sources,
};
use crate::driver_settings::keep_author;
use crate::reactive::{LocalMemo, LocalSignal};
use crate::text::words::sentence;

/// The default change of a lap distance, in metres: lift, brake point and release later, throttle points earlier.
const LATER_M: f64 = 5.0;
/// The default change of a speed, in m/s.
const FASTER_MS: f64 = 3.0 / 3.6;

/// A corner that a task is set for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TaskDraft {
    pub(crate) of: SourceId,
    /// The corner's name on this page.
    pub(crate) name: String,
    pub(crate) corner: TaskCorner,
    /// The measures that the laps have values of, each with its baseline.
    pub(crate) measures: Vec<(TaskMeasure, CornerLaps)>,
    /// The proposal of an advice, if the task was begun from one.
    pub(crate) advised: Option<TaskProposal>,
    track: String,
}

/// The fields of the task dialog.
#[derive(Clone, Debug)]
pub(crate) struct TaskFields {
    pub(crate) author: String,
    pub(crate) words: String,
    pub(crate) measure: TaskMeasure,
    /// The goal as a change of what the driver does now, in display units.
    pub(crate) change: f64,
    /// The tolerance around the goal, in display units.
    pub(crate) tolerance: f64,
    pub(crate) laps: u32,
}

impl TaskDraft {
    /// The laps so far by a measure; `None` if it was not measured.
    pub(crate) fn baseline(&self, measure: TaskMeasure) -> Option<&CornerLaps> {
        self.measures.iter().find(|(known, _)| *known == measure).map(|(_, laps)| laps)
    }

    /// The index in `measures` of the measure to begin with: the advised one, otherwise the brake point.
    pub(crate) fn usual_measure(&self) -> usize {
        let place = |wanted| self.measures.iter().position(|(known, _)| *known == wanted);
        let advised = self.advised.as_ref().and_then(|advised| advised.change);
        advised.and_then(|(measure, _)| place(measure)).or(place(TaskMeasure::BrakePoint)).unwrap_or_default()
    }

    /// The change to propose for a measure, in display units.
    pub(crate) fn proposed_change(&self, measure: TaskMeasure, units: &Units) -> f64 {
        let advised = self.advised.as_ref().and_then(|advised| advised.change);
        let advised = advised.filter(|(known, _)| *known == measure).map(|(_, change)| change);
        let change = advised.unwrap_or_else(|| match measure {
            TaskMeasure::ThrottlePoint | TaskMeasure::FullThrottle => -LATER_M,
            TaskMeasure::Coasting => -self.baseline(measure).map_or(0.0, |laps| laps.value.mean),
            _ if measure.unit() == Unit::MetresPerSecond => FASTER_MS,
            _ => LATER_M,
        });
        change * units.shown(measure.unit()).scale
    }
}

/// Sets tasks. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct TaskStore {
    pub(crate) state: LocalSignal<Tasks>,
    pub(crate) notes: NoteStore,
    pub(crate) books: BookStore,
    pub(crate) comparison: ComparisonStore,
    pub(crate) sources: LocalSignal<Sources>,
    pub(crate) book: LocalMemo<Rc<TrackBook>>,
    pub(crate) units: RwSignal<Units>,
    pub(crate) dialog: OpenDialog,
    pub(crate) messages: Messages,
}

impl TaskStore {
    /// The task in the dialog.
    pub(crate) fn draft(self) -> Option<TaskDraft> {
        self.state.with(|tasks| tasks.draft.clone())
    }

    /// Why the last change failed.
    pub(super) fn trouble(self) -> Option<String> {
        self.state.with(|tasks| tasks.trouble.clone())
    }

    /// The short name of a task's corner, from the laps on screen.
    pub(super) fn corner(self, task: &Task) -> String {
        let shown = self.comparison.shown();
        let corners = shown.as_ref().map(|shown| shown.comparison().corners.as_slice()).unwrap_or_default();
        task.brief.corner.short_title(corners.iter())
    }

    /// Makes a change to a task.
    pub(super) fn change(self, of: SourceId, change: BookChange) {
        spawn_local(async move {
            let done = self.books.change(of, change).await;
            self.state.update(|tasks| tasks.trouble = done.err());
        });
    }

    /// Opens the dialog for a task in a corner of the laps on screen.
    pub(crate) fn begin(self, number: u16) {
        self.begin_with(number, None);
    }

    /// Opens the dialog with the task that an advice proposes, by its index among the three things to fix.
    pub(crate) fn begin_advised(self, place: usize) {
        let begun = untrack(|| {
            let shown = self.comparison.shown()?;
            let advice = shown.lap_comparison.stint.to_fix.advice.get(place)?;
            Some((advice.row.corner?, TaskProposal::against(advice, &self.units.get())))
        });
        if let Some((corner, advised)) = begun {
            self.begin_with(corner, advised);
        }
    }

    fn begin_with(self, number: u16, advised: Option<TaskProposal>) {
        if self.notes.refuses_writing() {
            return;
        }
        match untrack(|| self.draft_of(number)) {
            Some(draft) => {
                let draft = TaskDraft { advised, ..draft };
                self.state.update(|tasks| (tasks.draft, tasks.trouble) = (Some(draft), None));
                self.dialog.set(Some(DialogKind::Task));
            }
            None => self.messages.show("A task needs laps with positions: this corner can't be measured."),
        }
    }

    /// Sets the task of the dialog; `Err` says what is missing.
    pub(crate) fn set(self, fields: TaskFields) -> Result<(), String> {
        let Some(draft) = self.state.with_untracked(|tasks| tasks.draft.clone()) else { return Ok(()) };
        if fields.author.trim().is_empty() {
            return Err("Add your name first.".to_owned());
        }
        if fields.words.trim().is_empty() {
            return Err("Say what to do.".to_owned());
        }
        let baseline = draft.baseline(fields.measure).copied().ok_or("This was not measured.")?;
        let unit = *self.units.get_untracked().shown(fields.measure.unit());
        let goal = (baseline.value.mean + fields.change / unit.scale).max(0.0);
        let tolerance = fields.tolerance / unit.scale;
        let target = TaskTarget { tolerance, ..TaskTarget::new(fields.measure, goal) };
        if !target.is_possible() {
            return Err("Goal and tolerance need numbers.".to_owned());
        }
        keep_author(fields.author.trim());
        let task = TaskBrief {
            author: fields.author,
            track: draft.track,
            corner: draft.corner,
            words: fields.words,
            target,
            laps: fields.laps,
            baseline,
        };
        spawn_local(async move {
            let done = self.books.change(draft.of, BookChange::SetTask(Box::new(task))).await;
            self.state.update(|tasks| tasks.trouble = done.err().map(|why| sentence(&why)));
        });
        self.dialog.set(None);
        Ok(())
    }

    fn draft_of(self, number: u16) -> Option<TaskDraft> {
        let shown = self.comparison.shown()?;
        let corner = shown.comparison().corners.iter().find(|corner| corner.number == number)?;
        let reference = self.corner_reference(&shown)?;
        let section = CornerSection::at(&reference, corner.apex_m)?;
        let laps = self.stint_laps(&shown);
        let columns: Vec<LapColumns<'_>> = laps.iter().map(|loaded| loaded.columns()).collect();
        let measures = TaskMeasure::ALL.into_iter().filter_map(|measure| {
            let passes = columns.iter().filter_map(|lap| CornerPass::of(&reference, lap, &section, measure));
            let laps = CornerLaps::of(&passes.collect::<Vec<_>>());
            (laps.value.laps > 0).then_some((measure, laps))
        });
        let of = shown.laps.first()?.loaded.key.of;
        let measures: Vec<(TaskMeasure, CornerLaps)> = measures.collect();
        (!measures.is_empty()).then(|| TaskDraft {
            of,
            name: shown.corner_name(number),
            corner: TaskCorner::from(&section),
            measures,
            advised: None,
            track: self.track_of(of),
        })
    }

    /// The corners of the reference, on its own axis.
    fn corner_reference(self, shown: &ShownLaps) -> Option<CornerReference> {
        let columns = shown.pair.reference().columns();
        let line = ReferenceLine::learn(&columns).ok();
        self.book.with_untracked(|book| CornerReference::learn(&columns, line.as_ref(), book))
    }

    /// The laps of the main lap's stint that are loaded.
    fn stint_laps(self, shown: &ShownLaps) -> Vec<Rc<LoadedLap>> {
        let stint = self.comparison.stint_laps();
        let reference = shown.pair.reference_in_stint.then(|| Rc::clone(shown.pair.reference()));
        let main = shown.laps.first().map(|lap| Rc::clone(&lap.loaded));
        stint.into_iter().chain(reference).chain(main).collect()
    }

    /// The track's name; empty if it has none.
    fn track_of(self, of: SourceId) -> String {
        let named =
            |source: &LapSource| source.seat().and_then(|entry| entry.session.layout().map(str::to_owned));
        self.sources.with_untracked(|sources| sources.get(of).and_then(named)).unwrap_or_default()
    }
}
