//! Ids of sources and laps.

use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

/// The id of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SourceId {
    /// The live session, or the demo.
    Live,
    /// A recording.
    Recording(RecordingId),
}

/// The id of a lap across all sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LapKey {
    pub(crate) of: SourceId,
    pub(crate) id: LapId,
}
