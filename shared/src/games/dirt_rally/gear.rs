//! The gears of both games as one count.

pub(super) const REVERSE_OF_THE_SECOND: f32 = -1.0;
pub(super) const REVERSE_OF_THE_FIRST: f32 = 10.0;

/// The first game counts the reverse gear as the tenth.
pub(super) fn gear(sent: f32) -> Option<f32> {
    Some(if sent == REVERSE_OF_THE_FIRST { REVERSE_OF_THE_SECOND } else { sent })
}
