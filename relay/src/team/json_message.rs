//! Small messages as JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use trailbrake_shared::wire::RoomPages;

/// A message that is written as JSON.
pub(super) trait JsonMessage: Serialize + DeserializeOwned {
    /// Most bytes of a message that are read.
    const MOST_BYTES: usize = 16 << 10;

    /// Reads a message. `None` if it is too long, or not understood.
    fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > Self::MOST_BYTES { None } else { serde_json::from_slice(bytes).ok() }
    }

    /// The message's text.
    fn text(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl JsonMessage for RoomPages {
    const MOST_BYTES: usize = 128 << 10;
}
