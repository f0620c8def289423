//! Converts the gear numbers of both games to one scale.

pub(super) const REVERSE_OF_THE_SECOND: f32 = -1.0;
pub(super) const REVERSE_OF_THE_FIRST: f32 = 10.0;

/// The gear with reverse as -1. The first game sends reverse as 10.
pub(super) fn gear(sent: f32) -> Option<f32> {
    Some(if sent == REVERSE_OF_THE_FIRST { REVERSE_OF_THE_SECOND } else { sent })
}
