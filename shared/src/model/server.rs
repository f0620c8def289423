//! What a server says of itself and its sessions.

use serde::Serialize;

use crate::by_name::read_by_name;

/// A server, and which of its sessions is driven.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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

read_by_name!(ServerInfo { name, protocol, session, driven, sessions, session_name, wait_ms, elapsed_ms });
