//! Sorts the entries of the session's log into the lists of the page.

use trailbrake_shared::model::EventKind;
use trailbrake_shared::session::LogKind;

/// Whether an entry is about a finished lap.
pub(super) fn is_lap(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Lap { .. } | LogKind::Fastest { .. })
}

/// Whether an entry is a collision.
pub(super) fn is_collision(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Game(EventKind::Collision(_)))
}

/// Whether an entry is a chat message, or a command typed into the chat.
pub(super) fn is_chat(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Game(EventKind::Chat { .. } | EventKind::Command { .. }))
}

/// Whether an entry is in none of the other lists.
pub(super) fn is_other(kind: &LogKind) -> bool {
    !is_lap(kind) && !is_collision(kind) && !is_chat(kind)
}
