//! The driver's best lap of earlier sessions, as the reference until this session has a lap.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{ReferenceLine, Stretch, TrackShape};
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::recording::{DecodedLap, Reading, RecordingId};
use trailbrake_shared::session::{DeltaTarget, LapId};

use super::Cockpit;
use super::best::{EarlierBest, Wanted};
use crate::bests;
use crate::browser;
use crate::replay::Opened;
use crate::telemetry::Telemetry;

/// How long until the library is asked again for a track without a name, in milliseconds.
const AGAIN_MS: f64 = 5_000.0;

impl Cockpit {
    /// Looks up the driver's best lap with this car on this track and gives it to the live session, so that there is a
    /// delta from the first corner on. Every beat of the pulse calls this.
    pub(super) fn find_earlier_best(self) {
        if self.demonstrating.get_untracked() || self.replaying.get_untracked() {
            return;
        }
        let Some(wanted) = self.look(wanted_best) else { return };
        let now_ms = browser::now_ms();
        let (is_known, is_due) = self.earlier.with_value(|earlier| {
            let is_known = earlier.of.as_ref() == Some(&wanted);
            // More of a track without a name is driven by then.
            let again =
                wanted.session.is_some() && !earlier.is_found && now_ms - earlier.asked_ms >= AGAIN_MS;
            (is_known, !is_known || again)
        });
        if is_known && !is_due {
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
        let of = Some(wanted.clone());
        self.earlier.set_value(EarlierBest { of, asked_ms: now_ms, ..EarlierBest::default() });
        let shape = if wanted.session.is_some() { self.look(shape_so_far) } else { None };
        if wanted.session.is_some() && shape.is_none() {
            return;
        }
        spawn_local(async move {
            // Without a reference there is no delta until the first lap is complete.
            let Some(best) = bests::find(&wanted.combo, shape.as_ref()).await else { return };
            let id = LapId { session: best.session, car: best.car, serial: best.serial };
            let lap = read_lap(best.recording, id).await;
            self.earlier.update_value(|earlier| {
                if earlier.of.as_ref() == Some(&wanted) {
                    (earlier.lap, earlier.is_found) = (lap, true);
                }
            });
        });
    }
}

/// What the session still needs the best lap of earlier sessions for: it has no reference, or its delta is against the
/// all-time best.
fn wanted_best(telemetry: &Telemetry) -> Option<Wanted> {
    let source = telemetry.shown()?;
    let session = &source.session;
    let against = session.live_comparison();
    let is_wanted = against.reference().is_none() || against.target() == DeltaTarget::AllTimeBest;
    if !is_wanted || against.has_earlier() {
        return None;
    }
    let player = session.player()?;
    let catalogue = LapCatalogue::of_session(session, source.origin.feed);
    let entry = catalogue.laps().iter().find(|entry| entry.id.car == player)?;
    let combo = entry.combo();
    let session = combo.track.is_none().then_some(entry.id.session);
    Some(Wanted { combo, session })
}

/// The shape of the lap under way, once that tells enough.
fn shape_so_far(telemetry: &Telemetry) -> Option<TrackShape> {
    let driven = telemetry.session()?.sketch();
    let path: Vec<[f64; 3]> = driven.points.iter().map(|point| point.position.map(f64::from)).collect();
    Stretch::of(&ReferenceLine::through(&path, 0.0)?).map(TrackShape::Part)
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
