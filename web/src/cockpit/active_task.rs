//! The coaching task that the driver follows on Live, as the browser keeps it.

use leptos::prelude::*;
use trailbrake_shared::recording::{RecordingId, Task};
use trailbrake_shared::session::{FollowedTask, Session, SessionSummary};

use crate::browser;

/// The browser's storage key.
const KEY: &str = "trailbrake.task";

/// The task that the driver follows.
#[derive(Clone, Copy)]
pub(crate) struct ActiveTask {
    pub(crate) task: RwSignal<Option<Task>>,
}

impl ActiveTask {
    /// The task that the driver chose in this browser.
    pub(super) fn kept() -> Self {
        let kept = browser::kept(KEY).and_then(|json| serde_json::from_str(&json).ok());
        Self { task: RwSignal::new(kept) }
    }

    /// Keeps another task, or none.
    pub(super) fn keep(self, task: Option<Task>) {
        let json = task.as_ref().and_then(|task| serde_json::to_string(task).ok());
        browser::keep(KEY, &json.unwrap_or_default());
        self.task.set(task);
    }

    /// The task as a session follows it. `None` on another track.
    pub(super) fn followed(self, session: &Session, underway: Option<RecordingId>) -> Option<FollowedTask> {
        let task = self.task.get_untracked()?;
        // Laps of the recording under way are counted by the session itself.
        let nowhere = RecordingId(0);
        is_on_track(&task, session).then(|| task.followed(underway.unwrap_or(nowhere)))
    }
}

/// Whether a task is for the track of a session. A track without a name may be any.
fn is_on_track(task: &Task, session: &Session) -> bool {
    let summary = SessionSummary::of(session);
    let by_driver = || summary.track_print().map(str::to_owned);
    let track = summary.track().map(|track| track.title()).or_else(by_driver);
    task.track.is_empty() || track.is_none_or(|track| track == task.track)
}
