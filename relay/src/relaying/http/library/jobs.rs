//! Long work for a page: its progress, and its end when the page no longer waits.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use trailbrake_shared::library::RunningJob;

use crate::lock::Lock;

/// Steps in which progress is kept.
const PARTS: f64 = 1000.0;

/// The work that is done now.
#[derive(Default)]
pub(super) struct Jobs(Lock<Vec<Arc<Job>>>);

/// A piece of work.
pub(super) struct Job {
    of: String,
    parts: AtomicU32,
    is_cancelled: AtomicBool,
}

/// Held by whoever waits for the work. Dropping it cancels what is not finished.
pub(super) struct Waiting {
    jobs: Arc<Jobs>,
    job: Arc<Job>,
}

impl Jobs {
    /// Begins a piece of work on this.
    pub(super) fn begin(jobs: &Arc<Self>, of: String) -> Waiting {
        let job = Arc::new(Job { of, parts: AtomicU32::new(0), is_cancelled: AtomicBool::new(false) });
        jobs.0.lock().push(Arc::clone(&job));
        Waiting { jobs: Arc::clone(jobs), job }
    }

    /// All of it, the oldest first.
    pub(super) fn running(&self) -> Vec<RunningJob> {
        self.0.lock().iter().map(|job| job.running()).collect()
    }
}

impl Job {
    /// Notes the progress. An error ends work that nobody waits for.
    pub(super) fn reached(&self, share: f64) -> io::Result<()> {
        self.parts.store((share.clamp(0.0, 1.0) * PARTS) as u32, Ordering::Relaxed);
        match self.is_cancelled.load(Ordering::Relaxed) {
            true => Err(io::Error::other("it was cancelled")),
            false => Ok(()),
        }
    }

    fn running(&self) -> RunningJob {
        let share = f64::from(self.parts.load(Ordering::Relaxed)) / PARTS;
        RunningJob { of: self.of.clone(), share }
    }
}

impl Waiting {
    /// The work.
    pub(super) fn job(&self) -> Arc<Job> {
        Arc::clone(&self.job)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.job.is_cancelled.store(true, Ordering::Relaxed);
        self.jobs.0.lock().retain(|job| !Arc::ptr_eq(job, &self.job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_goes_on_as_long_as_somebody_waits() {
        let jobs = Arc::new(Jobs::default());
        let waiting = Jobs::begin(&jobs, "spa.mcap".into());
        let other = Jobs::begin(&jobs, "monza.mcap".into());
        let job = waiting.job();
        job.reached(0.25).expect("somebody waits");
        let running = |of: &str, share| RunningJob { of: of.to_owned(), share };
        assert_eq!(jobs.running(), [running("spa.mcap", 0.25), running("monza.mcap", 0.0)]);
        drop(waiting);
        assert!(job.reached(0.5).is_err());
        assert_eq!(jobs.running(), [running("monza.mcap", 0.0)]);
        other.job().reached(7.0).expect("somebody waits");
        assert_eq!(jobs.running(), [running("monza.mcap", 1.0)]);
    }
}
