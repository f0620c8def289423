//! What a server says of itself and its sessions.

use serde::{Deserialize, Serialize};

/// A server, and which of its sessions is driven.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerInfo {
    /// The server's name.
    pub name: String,
    /// The version of what it speaks.
    pub protocol: u8,
    /// Which of its sessions this is, counted from 0.
    pub session: u8,
    /// Which one is driven, counted from 0.
    pub driven: u8,
    /// How many sessions follow each other.
    pub sessions: u8,
    /// The session's name.
    pub session_name: String,
    /// Milliseconds that everybody waits before the session.
    pub wait_ms: u32,
    /// Milliseconds since the session began, when the server said so; negative during the wait.
    pub elapsed_ms: i32,
}
