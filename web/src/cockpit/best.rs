//! The reference of a session without laps: the best lap of earlier sessions.

use trailbrake_shared::analysis::Combo;
use trailbrake_shared::recording::DecodedLap;

/// The library's best lap with this car on this track.
#[derive(Default)]
pub(super) struct EarlierBest {
    pub(super) of: Option<Combo>,
    /// `None` while the lap is being looked up, and if there is none.
    pub(super) lap: Option<DecodedLap>,
}
