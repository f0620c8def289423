//! The lap of earlier sessions that a session without laps is compared with.

use trailbrake_shared::analysis::Combo;
use trailbrake_shared::recording::DecodedLap;

/// The library's best lap with the car on the track that are driven.
#[derive(Default)]
pub(super) struct EarlierBest {
    pub(super) of: Option<Combo>,
    /// `None` while it is looked for, and where there is none.
    pub(super) lap: Option<DecodedLap>,
}
