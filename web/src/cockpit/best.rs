//! The reference of a session without laps: the best lap of earlier sessions.

use trailbrake_shared::analysis::Combo;
use trailbrake_shared::recording::DecodedLap;

/// What a best lap is wanted for.
#[derive(Clone, PartialEq)]
pub(super) struct Wanted {
    pub(super) combo: Combo,
    /// The source and the session of a track without a name: the next may be on another.
    pub(super) session: Option<(u32, u32)>,
}

/// The library's best lap with this car on this track.
#[derive(Default)]
pub(super) struct EarlierBest {
    pub(super) of: Option<Wanted>,
    /// `None` while the lap is being looked up, and if there is none.
    pub(super) lap: Option<DecodedLap>,
    /// Whether the lap was found.
    pub(super) is_found: bool,
    /// Whether the library has been asked and has not answered.
    pub(super) is_asking: bool,
    /// How often it was asked.
    pub(super) asked: u32,
    /// When it was looked up, milliseconds of the page.
    pub(super) asked_ms: f64,
}
