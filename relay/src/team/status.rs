//! What a rig knows of its place in the team.

use std::sync::Arc;

use crate::lock::Lock;

/// The rig's connection to the hub, for other tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TeamStatus {
    /// Whether the hub takes what is recorded.
    pub(crate) is_connected: bool,
    /// Finished recordings that the hub has not confirmed.
    pub(crate) waiting: u64,
    /// Bytes of the recording under way, and how many of them are safe at the hub.
    pub(crate) recorded: u64,
    pub(crate) confirmed: u64,
    /// What is wrong, in words.
    pub(crate) trouble: Option<String>,
}

/// The status, shared.
pub(crate) type SharedStatus = Arc<Lock<TeamStatus>>;
