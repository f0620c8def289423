//! Excluding laps from statistics and references.

use trailbrake_shared::session::choices;

use crate::analyse::{LapKey, SelectionStore, SourceId};
use crate::cockpit::TelemetryStore;

/// Excludes a lap, or includes it again.
pub(crate) fn toggle_excluded(selection: SelectionStore, telemetry: TelemetryStore, key: LapKey) {
    let is_excluded = selection.toggle_excluded(key);
    if key.of == SourceId::Live {
        // The live pages don't compare with an excluded lap either.
        telemetry.update_session(|session| {
            if session.player() == Some(key.id.car) {
                choices::exclude_lap(session, key.id.serial, is_excluded);
            }
        });
    }
}
