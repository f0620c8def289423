//! Names of sources and laps.

use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

/// The name of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SourceId {
    /// What is driven now, or the demo.
    Live,
    /// A recording.
    Recording(RecordingId),
}

/// The name of a lap, wherever it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LapKey {
    pub(crate) of: SourceId,
    pub(crate) id: LapId,
}
