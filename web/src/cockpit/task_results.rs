//! Stores in the recording under way how the laps with the driver's task went.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::recording::tasks::RecordedLaps;

use super::Cockpit;
use crate::http;
use crate::telemetry::Telemetry;

impl Cockpit {
    /// Goes on with the task in the recording under way, whenever a lap was marked or timed.
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

/// The laps of the session that is recorded now.
fn recorded_laps(telemetry: &Telemetry) -> Option<RecordedLaps> {
    let followed = telemetry.session()?.live_comparison().task();
    followed.task()?;
    let recording = telemetry.ports.underway()?.get(..32).and_then(RecordingId::read)?;
    let laps = followed.driven();
    (laps.marked() > 0).then_some(RecordedLaps { recording, laps })
}
