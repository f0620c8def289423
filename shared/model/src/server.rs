//! What a game server reports about itself and its sessions.

use serde::{Deserialize, Serialize};

/// A server, and the session that is running.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerInfo {
    /// The server's name.
    pub name: String,
    /// The version of its protocol.
    pub protocol: u8,
    /// The index of this session, from 0.
    pub session: u8,
    /// The index of the session that is running, from 0.
    pub driven: u8,
    /// The number of sessions in the server's schedule.
    pub sessions: u8,
    /// The session's name.
    pub session_name: String,
    /// The wait before the session, in milliseconds.
    pub wait_ms: u32,
    /// Milliseconds since the session began, when the server reported it; negative during the wait.
    pub elapsed_ms: i32,
}
