//! What a person may have the server do.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::layout::{Chat, Interval, SessionIndex, SetSession, Slot, Text};
use super::piece::{LONGEST_TEXT, Utf32Text};
use super::request::Request;

/// The shortest interval that no server has trouble with, milliseconds.
pub const SHORTEST_INTERVAL_MS: u16 = 50;

/// What a person may have the server do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Tell where the cars are, so often.
    Interval {
        /// Milliseconds from one position to the next.
        millis: u16,
    },
    /// Tell who has a slot of the entry list.
    CarInfo {
        /// The slot.
        slot: u8,
    },
    /// Say something to one driver.
    Tell {
        /// Their slot.
        slot: u8,
        /// What to say.
        text: String,
    },
    /// Say something to everybody.
    Say {
        /// What to say.
        text: String,
    },
    /// Tell what a session is like.
    SessionInfo {
        /// Which one, from 0; `None` for the one under way.
        index: Option<u8>,
    },
    /// Make a session another.
    SetSession {
        /// Which one, from 0.
        index: u8,
        /// Its name.
        name: String,
        /// What kind of session, as the server counts them: 1 practice, 2 qualifying, 3 race.
        kind: u8,
        /// Laps of a race.
        laps: u32,
        /// How long it takes, seconds.
        seconds: u32,
        /// How long everybody waits before it, seconds.
        wait_seconds: u32,
    },
    /// Send a driver away.
    Kick {
        /// Their slot.
        slot: u8,
    },
    /// Go on to the next session.
    Next,
    /// Restart the session.
    Restart,
    /// Do what an administrator types into the chat.
    Admin {
        /// The command, with its slash.
        text: String,
    },
}

/// Why something is not asked of the server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Nothing would be said.
    #[error("there is nothing in the text")]
    Empty,
    /// The text does not fit.
    #[error("the text has {letters} characters, and the server takes {LONGEST_TEXT}")]
    TooLong {
        /// Its length.
        letters: usize,
    },
    /// The text holds what is no writing.
    #[error("the text holds a line break or another control character")]
    Control,
    /// Some servers stop, or choke, at that.
    #[error(
        "the interval of {millis} ms is too short: from {SHORTEST_INTERVAL_MS} ms on every server manages"
    )]
    TooOften {
        /// The interval.
        millis: u16,
    },
    /// An administrator's command begins with a slash.
    #[error("an administrator's command begins with a slash, such as /help")]
    NoSlash,
}

impl Command {
    /// The request that has the server do it, or why it should not be sent.
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

    /// What to know about it although it is done.
    pub fn caution(&self) -> Option<&'static str> {
        let (Self::Say { text } | Self::Tell { text, .. }) = self else { return None };
        (!text.is_ascii()).then_some("the game's chat may not show the letters beyond plain English ones")
    }
}

fn sayable(text: &str) -> Result<Utf32Text, CommandError> {
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
    Ok(Utf32Text(text.to_owned()))
}

#[cfg(test)]
mod tests;
