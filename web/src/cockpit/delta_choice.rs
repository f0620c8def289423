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

/// Chooses what the delta is against.
#[derive(Clone, Copy)]
pub(crate) struct DeltaChoice {
    telemetry: TelemetryStore,
}

impl DeltaChoice {
    pub(super) fn new(telemetry: TelemetryStore) -> Self {
        Self { telemetry }
    }

    /// Takes the stored target, else the session best.
    pub(super) fn kept(telemetry: TelemetryStore) -> Self {
        let kept = browser::kept(keys::DELTA).unwrap_or_default();
        if let Some((target, _)) = WORDS.iter().find(|(_, word)| *word == kept) {
            telemetry.choose(|choices| choices.target = *target);
        }
        Self::new(telemetry)
    }

    /// The choice that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Compares with one of the bests, in later sessions too.
    pub(crate) fn compare_with(self, target: DeltaTarget) {
        if let Some((_, word)) = WORDS.iter().find(|(other, _)| *other == target) {
            browser::keep(keys::DELTA, word);
            self.telemetry.choose(|choices| choices.target = target);
            self.choose_reference(None);
        }
    }

    /// Compares with the lap of the chosen rival.
    pub(crate) fn compare_with_rival(self) {
        self.telemetry.choose(|choices| choices.target = DeltaTarget::Rival);
        self.choose_reference(None);
    }

    /// Compares with a lap of the session; `None` returns to the best that was chosen before.
    pub(crate) fn choose_reference(self, serial: Option<u32>) {
        self.telemetry.update_session(|session| choices::choose_reference(session, serial));
    }
}
