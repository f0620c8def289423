//! Commands that a user can send to the server.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::layout::{Chat, Interval, SessionIndex, SetSession, Slot, Text};
use super::request::Request;
use super::text::LONGEST_TEXT;

/// The shortest interval that every server handles, milliseconds.
pub const SHORTEST_INTERVAL_MS: u16 = 50;

/// A command to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Set the interval between position messages.
    Interval {
        /// Milliseconds between positions.
        millis: u16,
    },
    /// Request a slot of the entry list.
    CarInfo {
        /// The slot.
        slot: u8,
    },
    /// Send a message to one driver.
    Tell {
        /// The driver's slot.
        slot: u8,
        /// The message.
        text: String,
    },
    /// Send a message to everybody.
    Say {
        /// The message.
        text: String,
    },
    /// Request a session's information.
    SessionInfo {
        /// The session, from 0; `None` for the current one.
        index: Option<u8>,
    },
    /// Change a session.
    SetSession {
        /// The session, from 0.
        index: u8,
        /// Its name.
        name: String,
        /// The session type in the server's numbers: 1 practice, 2 qualifying, 3 race.
        kind: u8,
        /// Laps of a race.
        laps: u32,
        /// Duration, seconds.
        seconds: u32,
        /// Waiting time before it, seconds.
        wait_seconds: u32,
    },
    /// Kick a driver.
    Kick {
        /// The driver's slot.
        slot: u8,
    },
    /// Go to the next session.
    Next,
    /// Restart the session.
    Restart,
    /// Run an administrator's chat command.
    Admin {
        /// The command, including its slash.
        text: String,
    },
}

/// Why a command cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The text is empty.
    #[error("there is nothing in the text")]
    Empty,
    /// The text is too long.
    #[error("the text has {letters} characters, and the server takes {LONGEST_TEXT}")]
    TooLong {
        /// Its length in characters.
        letters: usize,
    },
    /// The text contains control characters.
    #[error("the text holds a line break or another control character")]
    Control,
    /// The interval is too short: some servers stop or stall.
    #[error(
        "the interval of {millis} ms is too short: from {SHORTEST_INTERVAL_MS} ms on every server manages"
    )]
    TooOften {
        /// The interval, milliseconds.
        millis: u16,
    },
    /// An administrator's command must begin with a slash.
    #[error("an administrator's command begins with a slash, such as /help")]
    NoSlash,
}

impl Command {
    /// The request for this command, or why it should not be sent.
    pub fn request(&self) -> Result<Request, CommandError> {
        Ok(match self {
            Self::Interval { millis } if *millis < SHORTEST_INTERVAL_MS => {
                return Err(CommandError::TooOften { millis: *millis });
            }
            Self::Interval { millis } => Request::Interval(Interval { milliseconds: *millis }),
            Self::CarInfo { slot } => Request::CarInfo(Slot { car_id: *slot }),
            Self::Tell { slot, text } => Request::Chat(Chat { car_id: *slot, message: sayable(text)? }),
            Self::Say { text } => Request::Broadcast(Text { text: sayable(text)? }),
            Self::SessionInfo { index } => {
                Request::SessionInfo(SessionIndex { session_index: index.map_or(-1, i16::from) })
            }
            Self::SetSession { index, name, kind, laps, seconds, wait_seconds } => {
                Request::SetSession(SetSession {
                    session_index: *index,
                    name: sayable(name)?,
                    session_type: *kind,
                    laps: *laps,
                    time_seconds: *seconds,
                    wait_time_seconds: *wait_seconds,
                })
            }
            Self::Kick { slot } => Request::Kick(Slot { car_id: *slot }),
            Self::Next => Request::NextSession(()),
            Self::Restart => Request::RestartSession(()),
            Self::Admin { text } if !text.starts_with('/') => return Err(CommandError::NoSlash),
            Self::Admin { text } => Request::Admin(Text { text: sayable(text)? }),
        })
    }

    /// A warning about a command that is sent anyway.
    pub fn caution(&self) -> Option<&'static str> {
        let (Self::Say { text } | Self::Tell { text, .. }) = self else { return None };
        (!text.is_ascii()).then_some("the game's chat may not show the letters beyond plain English ones")
    }
}

fn sayable(text: &str) -> Result<String, CommandError> {
    let letters = text.chars().count();
    if text.trim().is_empty() {
        return Err(CommandError::Empty);
    }
    if letters > LONGEST_TEXT {
        return Err(CommandError::TooLong { letters });
    }
    if text.contains(char::is_control) {
        return Err(CommandError::Control);
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests;
