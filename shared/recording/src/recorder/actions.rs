//! What the recorder asks for: actions on files, and the policy behind them.

use std::net::IpAddr;

use trailbrake_model::time::Micros;

use crate::facts::RecordingId;

/// The number of a file that the recorder writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// An instruction to change a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Create a file on trial: whether it is kept, and its final name, is decided in a few seconds.
    Open {
        /// The file.
        file: FileId,
        /// The recording's permanent id.
        id: RecordingId,
        /// The machine that its packets come from.
        machine: IpAddr,
        /// When its first packet was received.
        began: Micros,
        /// Its name for now; add a number if the name is taken.
        name: String,
    },
    /// The file is no longer on trial: it will be kept.
    Keep {
        /// The file.
        file: FileId,
        /// Its name once it is finished; add a number if the name is taken.
        name: String,
    },
    /// Delete the file: it was too short, or its packets are in another file.
    Discard {
        /// The file.
        file: FileId,
    },
    /// Append bytes, and sync them to the disk soon.
    Append {
        /// The file.
        file: FileId,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The file is finished.
    Close {
        /// The file.
        file: FileId,
    },
}

/// How the recorder works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// Shorter recordings are not kept, in seconds.
    pub shortest_s: f64,
    /// Silence that ends a recording, in seconds.
    pub silence_s: f64,
    /// The driver's clock minus UTC, in seconds, for file names.
    pub zone_s: i32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { shortest_s: 5.0, silence_s: 600.0, zone_s: 0 }
    }
}

/// Seconds of data that a kill may cost.
const LOST_S: f64 = 1.0;

impl Policy {
    /// Whether a recording that was cut off after this many seconds is too short to keep. It may have lost its last
    /// second, and been just long enough.
    pub fn is_too_short(&self, broken_off_s: f64) -> bool {
        broken_off_s < self.shortest_s - LOST_S
    }
}

/// Returns a random id for each new recording.
pub type NewId = Box<dyn FnMut() -> RecordingId + Send>;

/// What all tracks share for writing.
pub(super) struct Desk {
    pub(super) policy: Policy,
    pub(super) program: String,
    pub(super) new_id: NewId,
    pub(super) files: u32,
    pub(super) actions: Vec<Action>,
}
