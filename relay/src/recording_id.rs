//! Ids of new recordings.

use std::time::{SystemTime, UNIX_EPOCH};

use trailbrake_shared::recording::RecordingId;

/// A random id.
pub(crate) fn new() -> RecordingId {
    let mut bytes = [0; 16];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // Without random numbers two machines could choose the same id; the clock makes that unlikely.
        tracing::error!("the system gives no random numbers for a recording's name: {error}");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return RecordingId(now.as_nanos());
    }
    RecordingId(u128::from_le_bytes(bytes))
}
