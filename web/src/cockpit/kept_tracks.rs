//! The tracks that the driver has named, stored in the browser.

use trailbrake_shared::model::TrackPrint;

use crate::browser;

/// The browser's storage key.
pub(super) const KEY: &str = "trailbrake.tracks";

/// The tracks that the driver has named in this browser.
pub(super) fn kept() -> Vec<TrackPrint> {
    browser::kept(KEY).unwrap_or_default().lines().filter_map(TrackPrint::read).collect()
}
