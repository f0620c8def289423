//! The delta's target, stored in the browser. A chosen lap is not stored: it belongs to one session.

use trailbrake_shared::session::DeltaTarget;

use crate::browser;

/// The browser's storage key, and the stored word of each target.
const KEY: &str = "trailbrake.delta";
const WORDS: [(DeltaTarget, &str); 3] = [
    (DeltaTarget::SessionBest, "session"),
    (DeltaTarget::AllTimeBest, "all-time"),
    (DeltaTarget::TheoreticalBest, "theoretical"),
];

/// The stored target, else the session best.
pub(super) fn kept_target() -> DeltaTarget {
    let kept = browser::kept(KEY).unwrap_or_default();
    WORDS.iter().find(|(_, word)| *word == kept).map_or(DeltaTarget::SessionBest, |(target, _)| *target)
}

/// Stores a target unless it is a chosen lap. Returns whether it was stored.
pub(super) fn keep_target(target: DeltaTarget) -> bool {
    let word = WORDS.iter().find(|(other, _)| *other == target);
    word.into_iter().for_each(|(_, word)| browser::keep(KEY, word));
    word.is_some()
}
