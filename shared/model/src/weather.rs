//! The weather.

use serde::{Deserialize, Serialize};

/// The weather.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weather {
    /// Clear sky.
    #[default]
    Clear,
    /// Light cloud.
    LightCloud,
    /// Overcast.
    Overcast,
    /// Light rain.
    LightRain,
    /// Heavy rain.
    HeavyRain,
    /// Storm.
    Storm,
    /// A number that this version does not know.
    Other(u8),
}

impl Weather {
    /// Whether it rains.
    pub const fn is_rain(self) -> bool {
        matches!(self, Self::LightRain | Self::HeavyRain | Self::Storm)
    }
}
