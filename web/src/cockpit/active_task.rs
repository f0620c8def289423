//! The coaching task that the driver follows on Live, stored in the browser. Its results go into the current recording.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::library::RecordingDetails;
use trailbrake_shared::recording::tasks::RecordedLaps;
use trailbrake_shared::recording::{Authored, RecordingId, Task, TaskBrief};
use trailbrake_shared::session::Session;

use super::TelemetryStore;
use crate::browser::{self, keys};
use crate::http;
use crate::telemetry::{Connection, Telemetry};

/// The task that the driver follows. Copies are handles to the same task.
#[derive(Clone, Copy)]
pub(crate) struct ActiveTask {
    pub(crate) task: RwSignal<Option<Task>>,
    telemetry: TelemetryStore,
}

impl ActiveTask {
    /// The stored task.
    pub(super) fn kept(telemetry: TelemetryStore) -> Self {
        let kept = browser::kept(keys::TASK).and_then(|json| serde_json::from_str(&json).ok());
        let own = Self { task: RwSignal::new(kept), telemetry };
        own.give();
        own.keep_results();
        own
    }

    /// The task that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Sets the task that the driver follows on Live. `None` ends it.
    pub(crate) fn follow(self, task: Option<Task>) {
        let json = task.as_ref().and_then(|task| serde_json::to_string(task).ok());
        browser::keep(keys::TASK, &json.unwrap_or_default());
        self.task.set(task);
    }

    /// Gives the task to the sessions on its track.
    fn give(self) {
        let telemetry = self.telemetry;
        let place = telemetry.sampled(|telemetry| (telemetry.session().and_then(track), underway(telemetry)));
        Effect::new(move |_| {
            let (track, underway) = place.get();
            // The session itself counts the laps of the current recording.
            let underway = underway.unwrap_or(RecordingId(0));
            let task = self.task.get().filter(|task| is_on_track(task, track.as_deref()));
            telemetry.choose(|choices| choices.task = task.map(|task| task.followed(underway)));
        });
    }

    /// Sends the task with its results to the current recording whenever a lap is marked or timed.
    fn keep_results(self) {
        let driven = self.telemetry.sampled(recorded_laps);
        Effect::new(move |_| {
            let Some(laps) = driven.get() else { return };
            let Some(mut task) = self.task.get_untracked() else { return };
            task.add(laps);
            let Ok(body) = serde_json::to_string(&task) else { return };
            self.follow(Some(task));
            spawn_local(async move {
                // The browser keeps the results too, and the next lap tries again.
                let _ = http::ask("PUT", &format!("/library/{}/tasks", laps.recording), Some(&body)).await;
            });
        });
    }

    /// Takes over a coach's changes to the followed task from recording `id`.
    pub(crate) fn reload(self, id: RecordingId) {
        let followed = move || self.task.get_untracked().filter(|task| may_have(id, task));
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
                self.follow(task);
            }
        });
    }
}

/// The current recording.
fn underway(telemetry: &Telemetry) -> Option<RecordingId> {
    telemetry.ports.underway()?.get(..32).and_then(RecordingId::read)
}

/// The session's laps with the task, and the current recording. `None` until a lap is marked, and without a task or a
/// recording. Laps of a demo or of a recording that plays belong to no current recording.
fn recorded_laps(telemetry: &Telemetry) -> Option<RecordedLaps> {
    if telemetry.connection() != Connection::Relay {
        return None;
    }
    let followed = telemetry.session()?.live_comparison().task();
    followed.task()?;
    let recording = underway(telemetry)?;
    let laps = followed.driven();
    (laps.marked() > 0).then_some(RecordedLaps { recording, laps })
}

/// Whether a recording may hold the task: it was set there, or laps with it were driven there.
fn may_have(id: RecordingId, task: &Task) -> bool {
    task.recording == id || task.driven.iter().any(|laps| laps.recording == id)
}

/// The driver's own task after a coach changed it in recording `id`, where it is now `stored`. `None` once the task is
/// done, or deleted from the recording in which it was set.
fn changed(own: &Task, id: RecordingId, stored: Option<&Task>) -> Option<Task> {
    let Some(stored) = stored else { return Some(own.clone()).filter(|own| own.recording != id) };
    let TaskBrief { words, target, laps, .. } = stored.brief.clone();
    let brief = TaskBrief { words, target, laps, ..own.brief.clone() };
    (!stored.done).then(|| Task { brief, ..own.clone() })
}

/// The track of a session. Until a lap shows what the track book calls a recognised track, its name is unknown.
fn track(session: &Session) -> Option<String> {
    let summary = session.summary();
    let by_driver = || summary.track_print().map(str::to_owned);
    let track = summary.track().filter(|track| track.layout().is_some());
    let track =
        track.filter(|track| track.recognised.is_none() || session.live_comparison().reference().is_some());
    track.map(|track| track.title()).or_else(by_driver)
}

/// Whether a task is for a track. If either has no name, it is.
fn is_on_track(task: &Task, track: Option<&str>) -> bool {
    task.brief.track.is_empty() || track.is_none_or(|track| track == task.brief.track)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(words: &str, done: bool) -> Task {
        let mean = |mean: f64| serde_json::json!({ "laps": 8, "mean": mean, "deviation": 0.1 });
        let task = serde_json::json!({
            "recording": RecordingId(1), "created": 5, "author": "Ann",
            "corner": { "number": 5, "apex_m": 900.0, "from_m": 700.0, "to_m": 1100.0 },
            "words": words,
            "target": { "measure": "brake-point", "goal": 805.0, "tolerance": 4.0, "aim": "exact" },
            "laps": 12, "done": done,
            "baseline": { "time_s": mean(8.0), "value": mean(800.0), "mistakes": 0 },
        });
        serde_json::from_value(task).expect("a task")
    }

    #[test]
    fn a_coach_rewords_ends_and_deletes_the_followed_task() {
        let own = task("Brake later", false);
        let reworded = changed(&own, RecordingId(1), Some(&task("Brake at the board", false)));
        assert_eq!(reworded, Some(task("Brake at the board", false)));
        assert_eq!(changed(&own, RecordingId(1), Some(&task("Brake later", true))), None);
        assert_eq!(changed(&own, RecordingId(1), None), None, "deleted where it was set");
        assert_eq!(changed(&own, RecordingId(2), None), Some(own.clone()), "not driven there yet");
        assert!(may_have(RecordingId(1), &own) && !may_have(RecordingId(2), &own));
    }
}
