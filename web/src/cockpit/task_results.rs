//! Stores the results of the driver's task in the current recording.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::RecordingDetails;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::recording::tasks::RecordedLaps;

use super::Cockpit;
use super::active_task::{changed, may_have};
use crate::http;
use crate::telemetry::Telemetry;

impl Cockpit {
    /// Sends the task with its results to the current recording whenever a lap is marked or timed.
    pub(super) fn keep_task_results(self) {
        let driven = self.sampled(recorded_laps);
        Effect::new(move |_| {
            let Some(laps) = driven.get() else { return };
            let Some(mut task) = self.active_task.task.get_untracked() else { return };
            task.add(laps);
            let Ok(body) = serde_json::to_string(&task) else { return };
            self.active_task.keep(Some(task));
            spawn_local(async move {
                // The browser keeps the results too, and the next lap tries again.
                let _ = http::ask("PUT", &format!("/library/{}/tasks", laps.recording), Some(&body)).await;
            });
        });
    }
}

impl Cockpit {
    /// Takes over a coach's changes to the followed task from recording `id`.
    pub(crate) fn reload_task(self, id: RecordingId) {
        let followed = move || self.active_task.task.get_untracked().filter(|task| may_have(id, task));
        if followed().is_none() {
            return;
        }
        spawn_local(async move {
            // Without an answer the task stays as it is until the next change.
            let Ok(answer) = http::ask("GET", &format!("/library/{id}"), None).await else { return };
            let Ok(details) = RecordingDetails::read(answer.as_bytes()) else { return };
            // The driver may have chosen another task meanwhile.
            let Some(own) = followed() else { return };
            let task = changed(&own, id, details.facts.tasks.get(&own.name()));
            if task.as_ref() != Some(&own) {
                self.follow_task(task);
            }
        });
    }
}

/// The session's laps with the task, and the current recording. `None` until a lap is marked, and without a task or a
/// recording.
fn recorded_laps(telemetry: &Telemetry) -> Option<RecordedLaps> {
    let followed = telemetry.session()?.live_comparison().task();
    followed.task()?;
    let recording = telemetry.ports.underway()?.get(..32).and_then(RecordingId::read)?;
    let laps = followed.driven();
    (laps.marked() > 0).then_some(RecordedLaps { recording, laps })
}
