//! The weather: the sky, and how wet the track gets.

use serde::{Deserialize, Serialize};

/// The sky, numbered as in F1 games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Sky {
    /// Sun.
    #[default]
    Clear = 0,
    /// A few clouds.
    LightCloud = 1,
    /// Grey.
    Overcast = 2,
    /// Drizzle.
    LightRain = 3,
    /// Rain.
    HeavyRain = 4,
    /// More than heavy rain.
    Storm = 5,
}

impl Sky {
    /// The wetness that the track approaches, 0–1.
    fn wetness(self) -> f64 {
        match self {
            Self::Clear | Self::LightCloud | Self::Overcast => 0.0,
            Self::LightRain => 0.55,
            Self::HeavyRain => 0.9,
            Self::Storm => 1.0,
        }
    }
}

/// The weather of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weather {
    /// The sky.
    pub sky: Sky,
    /// Wetness of the track, 0–1.
    pub wetness: f64,
}

impl Weather {
    /// Advances by `dt` seconds.
    pub(super) fn pass(&mut self, dt: f64) {
        let target = self.sky.wetness();
        // A track gets wet within minutes and dries more slowly.
        let seconds = if target > self.wetness { 100.0 } else { 260.0 };
        self.wetness += (target - self.wetness) * (dt / seconds).min(1.0);
    }

    /// How much the wetness cools air and track, in °C.
    pub(super) fn cooling_c(self) -> f64 {
        5.0 * self.wetness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rain_wets_the_track_and_sun_dries_it() {
        let mut weather = Weather { sky: Sky::HeavyRain, wetness: 0.0 };
        (0..600).for_each(|_| weather.pass(1.0));
        assert!(weather.wetness > 0.85 && weather.wetness <= 1.0);
        weather.sky = Sky::Clear;
        (0..60).for_each(|_| weather.pass(1.0));
        assert!(weather.wetness > 0.5, "a track does not dry within a minute");
        (0..1500).for_each(|_| weather.pass(1.0));
        assert!(weather.wetness < 0.01);
    }
}
