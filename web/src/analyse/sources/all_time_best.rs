//! The all-time best: the best lap in all recordings of a game, track and car.

use trailbrake_shared::library::KeptLap;
use trailbrake_shared::session::LapId;

use super::{LapKey, SourceId};

/// The best lap in the library for the game, track and car of the listed source.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum AllTimeBest {
    /// The relay has not answered yet.
    #[default]
    Unknown,
    Lap(KeptLap),
    /// There is none, and why.
    None(String),
}

impl AllTimeBest {
    /// The lap, if there is one.
    pub(crate) fn key(&self) -> Option<LapKey> {
        match self {
            Self::Lap(KeptLap { recording, session, car, serial, .. }) => Some(LapKey {
                of: SourceId::Recording(*recording),
                id: LapId { session: *session, car: *car, serial: *serial },
            }),
            Self::Unknown | Self::None(_) => None,
        }
    }
}
