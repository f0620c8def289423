//! What the driver chose for every session.

use std::sync::Arc;

use trailbrake_analysis::TrackBook;
use trailbrake_model::TrackPrint;

use super::{DeltaTarget, FollowedTask};

/// What the driver chose for every session. A session has it from its start, and takes each change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriverChoices {
    /// The best that the delta is against, unless a lap of the session is chosen.
    pub target: DeltaTarget,
    /// The coaching task. It is marked against the reference lap.
    pub task: Option<FollowedTask>,
    /// Brake points set by hand, metres from the start line.
    pub brake_points: Vec<f64>,
    /// Names of tracks and corners.
    pub book: Arc<TrackBook>,
    /// The tracks that the driver has named, for games that do not name theirs.
    pub tracks: Vec<TrackPrint>,
}
