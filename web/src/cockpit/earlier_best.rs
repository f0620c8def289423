//! The driver's best lap of earlier sessions, as the reference until this session has a lap.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::Combo;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::recording::{DecodedLap, Reading, RecordingId};
use trailbrake_shared::session::{DeltaTarget, LapId};

use super::Cockpit;
use super::best::EarlierBest;
use crate::bests;
use crate::browser;
use crate::replay::Opened;
use crate::telemetry::Telemetry;

impl Cockpit {
    /// Looks up the driver's best lap with this car on this track and gives it to the live session, so that there is a
    /// delta from the first corner on. Every beat of the pulse calls this.
    pub(super) fn find_earlier_best(self) {
        if self.demonstrating.get_untracked() || self.replaying.get_untracked() {
            return;
        }
        let Some(combo) = self.look(combo_without_best) else { return };
        let is_known = self.earlier.with_value(|earlier| earlier.of.as_ref() == Some(&combo));
        if is_known {
            let give = |best: &DecodedLap, telemetry: &mut Telemetry| {
                let session = telemetry.session_mut();
                session.is_some_and(|session| session.take_earlier_best(&best.lap, &best.columns))
            };
            self.earlier.update_value(|earlier| {
                // A lap that can't serve as a reference is dropped.
                earlier.lap.take_if(|best| {
                    !self.telemetry.try_update_value(|telemetry| give(best, telemetry)).unwrap_or(true)
                });
            });
            return;
        }
        self.earlier.set_value(EarlierBest { of: Some(combo.clone()), lap: None });
        spawn_local(async move {
            // Without a reference there is no delta until the first lap is complete.
            let Some(best) = bests::find(&combo).await else { return };
            let id = LapId { session: best.session, car: best.car, serial: best.serial };
            let lap = read_lap(best.recording, id).await;
            self.earlier.update_value(|earlier| {
                if earlier.of.as_ref() == Some(&combo) {
                    earlier.lap = lap;
                }
            });
        });
    }
}

/// The session's car and track, if it still needs the best lap of earlier sessions: it has no reference, or its delta
/// is against the all-time best.
fn combo_without_best(telemetry: &Telemetry) -> Option<Combo> {
    let source = telemetry.shown()?;
    let session = &source.session;
    let against = session.live_comparison();
    let is_wanted = against.reference().is_none() || against.target() == DeltaTarget::AllTimeBest;
    if !is_wanted || against.has_earlier() {
        return None;
    }
    let player = session.player()?;
    let catalogue = LapCatalogue::of_session(session, source.origin.feed);
    let combo = catalogue.laps().iter().find(|entry| entry.id.car == player)?.combo();
    combo.track.is_some().then_some(combo)
}

async fn read_lap(recording: RecordingId, id: LapId) -> Option<DecodedLap> {
    let opened = Opened::at_relay(recording).await.ok()?;
    let row = opened.recording.laps().laps.iter().find(|row| row.id() == id)?.clone();
    let mut reading = opened.recording.lap(&row);
    while let Some(range) = reading.needs() {
        reading.give(&opened.bytes(range).await.ok()?);
        // The browser can draw a frame between two pieces.
        browser::pause(0).await;
    }
    let mut decoded = reading.finish()?;
    // The lap table has the official time even if the game sent it long after the car crossed the line.
    decoded.lap.time = row.lap.time.or(decoded.lap.time);
    Some(decoded)
}
