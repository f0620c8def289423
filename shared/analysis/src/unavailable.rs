//! Why a value is not available. There is never a zero in its place.

use std::fmt;

use serde::{Serialize, Serializer};
use trailbrake_model::Channel;

/// Why a value is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The game sends none of these channels, of which one is needed.
    NotSent(Vec<Channel>),
    /// The game does not send this, which is not a channel.
    NotReported(&'static str),
    /// There is too little data: this is needed.
    TooLittle(&'static str),
}

impl Unavailable {
    /// The game sends none of these channels.
    pub fn not_sent(channels: &[Channel]) -> Self {
        Self::NotSent(channels.to_vec())
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSent(channels) => {
                let one = channels.len() == 1;
                f.write_str(if one { "the game does not send: " } else { "the game sends none of: " })?;
                for (place, channel) in channels.iter().enumerate() {
                    let comma = if place == 0 { "" } else { "; " };
                    write!(f, "{comma}{}", channel.label())?;
                }
                Ok(())
            }
            Self::NotReported(what) => write!(f, "the game doesn't send {what}"),
            Self::TooLittle(needed) => write!(f, "it takes {needed}"),
        }
    }
}

/// Serialised as its text.
impl Serialize for Unavailable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_the_channels() {
        let reason = |channels: &[Channel]| Unavailable::not_sent(channels).to_string();
        assert_eq!(reason(&[Channel::SlipAngle]), "the game does not send: Slip angle");
        assert_eq!(reason(&[Channel::Fuel, Channel::Abs]), "the game sends none of: Fuel; ABS");
        let setup = Unavailable::NotReported("the car's setup");
        assert_eq!(setup.to_string(), "the game doesn't send the car's setup");
        assert_eq!(Unavailable::TooLittle("two laps").to_string(), "it takes two laps");
    }
}
