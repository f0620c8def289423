//! What the delta is against, as the browser keeps it. A chosen lap is of one session only.

use trailbrake_shared::session::DeltaTarget;

use crate::browser;

/// The browser's storage key, and the words for what is kept there.
const KEY: &str = "trailbrake.delta";
const WORDS: [(DeltaTarget, &str); 3] = [
    (DeltaTarget::SessionBest, "session"),
    (DeltaTarget::AllTimeBest, "all-time"),
    (DeltaTarget::TheoreticalBest, "theoretical"),
];

/// What the delta is against in a session without a chosen lap, as kept.
pub(super) fn kept_target() -> DeltaTarget {
    let kept = browser::kept(KEY).unwrap_or_default();
    WORDS.iter().find(|(_, word)| *word == kept).map_or(DeltaTarget::SessionBest, |(target, _)| *target)
}

/// Keeps one of the bests; returns whether it is one.
pub(super) fn keep_target(target: DeltaTarget) -> bool {
    let word = WORDS.iter().find(|(other, _)| *other == target);
    word.into_iter().for_each(|(_, word)| browser::keep(KEY, word));
    word.is_some()
}
