//! The driver's best lap of earlier sessions, as the reference until this session has a lap.

use leptos::prelude::*;
use trailbrake_shared::analysis::{Combo, ReferenceLine, Stretch, TrackShape};
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::recording::DecodedLap;
use trailbrake_shared::session::{DeltaTarget, LapId, sketch, take_earlier_best};

use super::TelemetryStore;
use crate::browser;
use crate::laps::library_best;
use crate::reactive::LatestTask;
use crate::replay::recorded_lap;
use crate::telemetry::{Connection, Telemetry};

/// How long until the library is asked again for a track without a name, in milliseconds, and how often it is.
const AGAIN_MS: i32 = 5_000;
const MOST_ASKED: u32 = 12;

/// What a best lap is wanted for.
#[derive(Clone, PartialEq)]
struct Wanted {
    combo: Combo,
    /// The source and the session: the next may be on another track.
    session: (u32, u32),
}

/// Looks up the driver's best lap with this car on this track for each live session that needs it, so that there is a
/// delta from the first corner on.
pub(super) fn find_earlier_best(telemetry: TelemetryStore) {
    let (wanted, search) = (telemetry.sampled(wanted_best), LatestTask::new());
    Effect::new(move |_| match wanted.get() {
        Some(wanted) => search.run(find(telemetry, wanted)),
        None => search.cancel(),
    });
}

/// Gives the session its lap, if the library has one. Without it there is no delta until the first lap is complete.
async fn find(telemetry: TelemetryStore, wanted: Wanted) {
    let combo = &wanted.combo;
    let mut asked = 0;
    while asked < MOST_ASKED {
        let unnamed = combo.game.as_ref().filter(|_| combo.track.is_none());
        let shape = unnamed.and_then(|game| telemetry.look(|telemetry| shape_so_far(telemetry, game)));
        if combo.track.is_some() || shape.is_some() {
            asked += 1;
            if let Some(best) = best_lap(combo, shape.as_ref()).await {
                if telemetry.look(wanted_best).is_some_and(|now| now == wanted) {
                    // A lap that can't serve as a reference is dropped.
                    telemetry.update_session(|session| {
                        take_earlier_best(session, &best.lap, &best.columns);
                    });
                }
                return;
            }
        }
        if combo.track.is_some() {
            return;
        }
        // More of a track without a name is driven by then.
        browser::pause(AGAIN_MS).await;
    }
}

/// The library's best lap.
async fn best_lap(combo: &Combo, shape: Option<&TrackShape>) -> Option<DecodedLap> {
    let best = library_best::find(combo, shape).await?;
    let id = LapId { session: best.session, car: best.car, serial: best.serial };
    recorded_lap(best.recording, id).await
}

/// What the live session still needs the best lap of earlier sessions for: it has no reference, or its delta is against
/// the all-time best.
fn wanted_best(telemetry: &Telemetry) -> Option<Wanted> {
    let source = telemetry.shown().filter(|_| telemetry.connection() == Connection::Relay)?;
    let session = &source.session;
    let against = session.live_comparison();
    let is_wanted = against.reference().is_none() || against.target() == DeltaTarget::AllTimeBest;
    if !is_wanted || against.has_earlier() {
        return None;
    }
    let player = session.player()?;
    let catalogue = LapCatalogue::of_session(session, source.origin.feed);
    let entry = catalogue.laps().iter().find(|entry| entry.id.car == player)?;
    Some(Wanted { combo: entry.combo(), session: (telemetry.generation(), session.number()) })
}

/// The shape of the lap under way, once that tells enough.
fn shape_so_far(telemetry: &Telemetry, game: &str) -> Option<TrackShape> {
    let driven = sketch(telemetry.session()?);
    let path: Vec<[f64; 3]> = driven.points.iter().map(|point| point.position.map(f64::from)).collect();
    let part = Stretch::of(&ReferenceLine::through(&path, 0.0)?)?;
    Some(TrackShape::Part { game: game.to_owned(), part })
}
