//! The delta's target. One of the bests is stored in the browser; a chosen lap is not, since it belongs to one session.

use leptos::prelude::*;
use trailbrake_shared::session::{DeltaTarget, choices};

use super::TelemetryStore;
use crate::browser::{self, keys};

/// The stored word of each target.
const WORDS: [(DeltaTarget, &str); 3] = [
    (DeltaTarget::SessionBest, "session"),
    (DeltaTarget::AllTimeBest, "all-time"),
    (DeltaTarget::TheoreticalBest, "theoretical"),
];

/// The best that the delta is against, until the driver chooses a lap of the session.
#[derive(Clone, Copy)]
pub(crate) struct DeltaChoice {
    telemetry: TelemetryStore,
    target: StoredValue<DeltaTarget>,
}

impl DeltaChoice {
    /// The stored target, else the session best.
    pub(super) fn kept(telemetry: TelemetryStore) -> Self {
        let kept = browser::kept(keys::DELTA).unwrap_or_default();
        let target = WORDS.iter().find(|(_, word)| *word == kept);
        let target = target.map_or(DeltaTarget::SessionBest, |(target, _)| *target);
        Self { telemetry, target: StoredValue::new(target) }
    }

    /// The choice that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Sets the delta's target. One of the bests applies to later sessions too.
    pub(crate) fn compare_with(self, target: DeltaTarget) {
        if let Some((_, word)) = WORDS.iter().find(|(other, _)| *other == target) {
            browser::keep(keys::DELTA, word);
            self.target.set_value(target);
        }
        self.telemetry.update_session(|session| choices::compare_with(session, target));
    }

    /// Compares with a lap of the session; `None` returns to the best that was chosen before.
    pub(crate) fn choose_reference(self, serial: Option<u32>) {
        let target = serial.map_or_else(|| self.target.get_value(), DeltaTarget::Lap);
        self.telemetry.update_session(|session| choices::compare_with(session, target));
    }

    /// Applies the chosen best to the shown session, unless the driver chose one of its laps.
    pub(super) fn apply(self) {
        let target = self.target.get_value();
        self.telemetry.change_own_session(|session| {
            let now = session.live_comparison().target();
            if !matches!(now, DeltaTarget::Lap(_)) && now != target {
                choices::compare_with(session, target);
            }
        });
    }
}
