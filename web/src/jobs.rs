//! Long operations: their progress, failure and cancellation. `ui::JobRows` shows a row for each.

use std::rc::Rc;

use leptos::prelude::*;

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Open,
    Import,
    Repair,
    Clip,
    Share,
}

/// The stage of a job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stage {
    /// The job waits for those before it.
    Queued,
    /// The progress from 0 to 1, if it is known; and the current step, if it has a name.
    Running(Option<f64>, Option<String>),
    /// Why it failed, and whether *Try again* is offered.
    Failed(String, bool),
}

/// A long operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Job {
    /// Identifies the job.
    pub(crate) number: u32,
    pub(crate) work: Work,
    /// The name of what it works on, such as a file.
    pub(crate) of: String,
    pub(crate) stage: Stage,
}

type Call = Rc<dyn Fn()>;

/// The callbacks of a job's buttons.
struct Calls {
    number: u32,
    cancel: Option<Call>,
    retry: Option<Call>,
}

/// All jobs of the page. Copies are handles to the same list.
#[derive(Clone, Copy)]
pub(crate) struct Jobs {
    pub(crate) all: RwSignal<Vec<Job>>,
    calls: StoredValue<Vec<Calls>, LocalStorage>,
    last: StoredValue<u32>,
}

/// The handle of a job, for the code that does the work.
#[derive(Clone, Copy)]
pub(crate) struct RunningJob {
    jobs: Jobs,
    pub(crate) number: u32,
}

impl Work {
    /// A participle for the job's title, before the name of what it works on.
    const fn words(self) -> &'static str {
        match self {
            Self::Open => "Opening",
            Self::Import => "Importing",
            Self::Repair => "Repairing",
            Self::Clip => "Cutting a clip of",
            Self::Share => "Saving",
        }
    }

    /// The work's name for tests.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Open => "opening",
            Self::Import => "importing",
            Self::Repair => "repairing",
            Self::Clip => "clipping",
            Self::Share => "sharing",
        }
    }
}

impl Job {
    /// The title: the work and what it works on; after a failure only the latter.
    pub(crate) fn title(&self) -> String {
        match self.stage {
            Stage::Failed(..) => self.of.clone(),
            Stage::Queued | Stage::Running(..) => format!("{} {}", self.work.words(), self.of),
        }
    }

    /// The progress from 0 to 1; `None` if it is unknown.
    pub(crate) fn share(&self) -> Option<f64> {
        match self.stage {
            Stage::Queued => Some(0.0),
            Stage::Running(share, _) => share,
            Stage::Failed(..) => None,
        }
    }

    /// Why it failed, if it did.
    pub(crate) fn failure(&self) -> Option<&str> {
        match &self.stage {
            Stage::Failed(why, _) => Some(why),
            Stage::Queued | Stage::Running(..) => None,
        }
    }

    /// The step, the progress in per cent, or the failure.
    pub(crate) fn words(&self) -> String {
        match &self.stage {
            Stage::Queued => "Queued".to_owned(),
            Stage::Running(_, Some(step)) => step.clone(),
            // Rounded down: 100 % means finished.
            Stage::Running(Some(share), None) => format!("{} %", (share * 100.0).floor()),
            Stage::Running(None, None) => String::new(),
            Stage::Failed(why, _) => why.clone(),
        }
    }

    /// Whether *Try again* is offered.
    pub(crate) fn can_retry(&self) -> bool {
        matches!(self.stage, Stage::Failed(_, true))
    }
}

impl Jobs {
    /// Makes an empty list and provides it to all components below.
    pub(crate) fn start() -> Self {
        let jobs = Self {
            all: RwSignal::new(Vec::new()),
            calls: StoredValue::new_local(Vec::new()),
            last: StoredValue::new(0),
        };
        provide_context(jobs);
        jobs
    }

    /// The jobs that `start` provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Adds a job that begins now.
    pub(crate) fn begin(self, work: Work, of: &str) -> RunningJob {
        self.add(work, of, Stage::Running(None, None))
    }

    /// Adds a job that waits for the jobs before it.
    pub(crate) fn queue(self, work: Work, of: &str) -> RunningJob {
        self.add(work, of, Stage::Queued)
    }

    fn add(self, work: Work, of: &str, stage: Stage) -> RunningJob {
        self.last.update_value(|last| *last = last.wrapping_add(1));
        let number = self.last.get_value();
        self.all.update(|all| all.push(Job { number, work, of: of.to_owned(), stage }));
        self.calls.update_value(|calls| calls.push(Calls { number, cancel: None, retry: None }));
        RunningJob { jobs: self, number }
    }

    /// A job, as long as it is listed.
    pub(crate) fn get(self, number: u32) -> Option<Job> {
        self.all.with(|all| all.iter().find(|job| job.number == number).cloned())
    }

    /// Cancels a job, or dismisses a failed one.
    pub(crate) fn cancel(self, number: u32) {
        let cancel = self.remove(number).and_then(|calls| calls.cancel);
        cancel.into_iter().for_each(|cancel| cancel());
    }

    /// Removes a failed job and calls back to try again.
    pub(crate) fn retry(self, number: u32) {
        let retry = self.remove(number).and_then(|calls| calls.retry);
        retry.into_iter().for_each(|retry| retry());
    }

    fn remove(self, number: u32) -> Option<Calls> {
        self.all.update(|all| all.retain(|job| job.number != number));
        self.calls
            .try_update_value(|calls| {
                let index = calls.iter().position(|calls| calls.number == number)?;
                Some(calls.remove(index))
            })
            .flatten()
    }
}

impl RunningJob {
    /// Whether the work should go on: the driver has not cancelled it, and it has not failed.
    pub(crate) fn is_wanted(self) -> bool {
        self.jobs
            .all
            .with_untracked(|all| all.iter().any(|job| job.number == self.number && job.failure().is_none()))
    }

    /// Shows the progress from 0 to 1. Returns whether the work should go on.
    pub(crate) fn reached(self, share: f64) -> bool {
        self.set(Stage::Running(Some(share.clamp(0.0, 1.0)), None))
    }

    /// Shows the progress and the current step. Returns whether the work should go on.
    pub(crate) fn step(self, share: Option<f64>, step: String) -> bool {
        self.set(Stage::Running(share, Some(step)))
    }

    /// Calls back if the driver cancels the job.
    pub(crate) fn on_cancel(self, cancel: impl Fn() + 'static) {
        self.set_call(move |calls| calls.cancel = Some(Rc::new(cancel)));
    }

    /// Removes the job: its work is done.
    pub(crate) fn finish(self) {
        self.jobs.remove(self.number);
    }

    /// Shows why the job failed, without *Try again*.
    pub(crate) fn fail(self, why: String) {
        self.set(Stage::Failed(why, false));
        self.set_call(|calls| calls.cancel = None);
    }

    /// Shows why the job failed, with *Try again*, which calls `retry`.
    pub(crate) fn fail_for_now(self, why: String, retry: impl Fn() + 'static) {
        self.set(Stage::Failed(why, true));
        self.set_call(move |calls| {
            calls.cancel = None;
            calls.retry = Some(Rc::new(retry));
        });
    }

    fn set(self, stage: Stage) -> bool {
        let is_wanted = self.is_wanted();
        if is_wanted {
            self.jobs.all.update(|all| {
                if let Some(job) = all.iter_mut().find(|job| job.number == self.number) {
                    job.stage = stage;
                }
            });
        }
        is_wanted
    }

    fn set_call(self, set: impl FnOnce(&mut Calls)) {
        self.jobs.calls.update_value(|calls| {
            if let Some(calls) = calls.iter_mut().find(|calls| calls.number == self.number) {
                set(calls);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn words(jobs: Jobs) -> Vec<String> {
        jobs.all
            .with_untracked(|all| all.iter().map(|job| format!("{}: {}", job.title(), job.words())).collect())
    }

    #[test]
    fn each_job_says_how_far_it_is() {
        let owner = Owner::new();
        owner.set();
        let jobs = Jobs::start();
        let import = jobs.begin(Work::Import, "a.mcap");
        let next = jobs.queue(Work::Import, "b.mcap");
        let report = jobs.begin(Work::Open, "c.pcap");
        assert!(import.reached(0.999) && report.step(None, "lap 1 of 3".to_owned()));
        assert_eq!(
            words(jobs),
            ["Importing a.mcap: 99 %", "Importing b.mcap: Queued", "Opening c.pcap: lap 1 of 3"]
        );
        import.finish();
        assert!(next.reached(0.5) && !import.reached(1.0));
        next.fail("The disk is full.".to_owned());
        assert_eq!(words(jobs), ["b.mcap: The disk is full.", "Opening c.pcap: lap 1 of 3"]);
        assert!(!next.is_wanted() && !next.reached(0.6), "a failed one does not go on");
    }

    #[test]
    fn a_job_is_cancelled_once_and_tried_again_where_that_makes_sense() {
        let owner = Owner::new();
        owner.set();
        let jobs = Jobs::start();
        let (cancelled, tried) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let count = |count: &Rc<Cell<i32>>| {
            let count = Rc::clone(count);
            move || count.set(count.get() + 1)
        };
        let repair = jobs.begin(Work::Import, "a.mcap");
        repair.on_cancel(count(&cancelled));
        jobs.cancel(repair.number);
        jobs.cancel(repair.number);
        assert_eq!((cancelled.get(), repair.is_wanted(), words(jobs).len()), (1, false, 0));

        let again = jobs.begin(Work::Import, "a.mcap");
        again.on_cancel(count(&cancelled));
        again.fail_for_now("The relay does not answer.".to_owned(), count(&tried));
        assert!(jobs.all.with_untracked(|all| all.iter().all(Job::can_retry)));
        jobs.retry(again.number);
        assert_eq!((cancelled.get(), tried.get(), words(jobs).len()), (1, 1, 0));
    }
}
