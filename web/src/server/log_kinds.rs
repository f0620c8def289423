//! Which list of the page shows an entry of the session's log.

use trailbrake_shared::model::EventKind;
use trailbrake_shared::session::LogKind;

/// A lap that ended.
pub(super) fn is_lap(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Lap { .. } | LogKind::Fastest { .. })
}

/// A collision.
pub(super) fn is_collision(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Game(EventKind::Collision(_)))
}

/// A message, or a command typed into the chat.
pub(super) fn is_chat(kind: &LogKind) -> bool {
    matches!(kind, LogKind::Game(EventKind::Chat { .. } | EventKind::Command { .. }))
}

/// Anything else.
pub(super) fn is_other(kind: &LogKind) -> bool {
    !is_lap(kind) && !is_collision(kind) && !is_chat(kind)
}
