//! The hub's answer to a rig that asks where to go on.

use serde::{Deserialize, Serialize};

use super::json_message::JsonMessage;

/// What a rig asks besides where to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TailQuestion {
    /// The tail of the finished recording at the hub, from this byte of the file on.
    pub(super) tail_from: u64,
}

impl JsonMessage for TailQuestion {}

/// What the hub has of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The end of what the stream or the archive has.
    pub(super) next: u64,
    /// The last sequence of the recording's subject in the stream.
    pub(super) sequence: u64,
    /// Bytes that are safe on the archive's disk.
    pub(super) safe: u64,
    /// What the archive has, if the recording is finished there.
    #[serde(default)]
    pub(super) finished: Option<FinishedCopy>,
    /// The hash of a tail that is complete in the stream and not yet in the archive.
    #[serde(default)]
    pub(super) pending: Option<String>,
    /// Why the hub can't take the recording, in words.
    #[serde(default)]
    pub(super) trouble: Option<String>,
    /// The hub's time, microseconds since 1970.
    pub(super) now: u64,
}

/// A finished recording in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FinishedCopy {
    /// Where its data ends.
    pub(super) data: u64,
    /// The hash of its tail.
    pub(super) tail: String,
    /// The hash of the last tail that was merged into it, since the archive started.
    #[serde(default)]
    pub(super) merged: Option<String>,
    /// Whether somebody deleted it at the hub: it is not wanted again.
    #[serde(default)]
    pub(super) deleted: bool,
}

impl JsonMessage for Answer {}
