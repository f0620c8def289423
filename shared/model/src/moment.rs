//! Cars and moments, which identify every sample, event and fact.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::time::Micros;

/// A car of the session, by the game's own numbering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Car(pub u8);

/// The display name of a car whose driver has no name, counted from 1.
impl fmt::Display for Car {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Car {}", u16::from(self.0) + 1)
    }
}

/// A moment: always on the relay's clock, and on the game's clock if it sends one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// When the packet was received.
    pub at: Micros,
    /// Seconds since the session began, from the game. It jumps back on a rewind or a restart.
    pub session_time: Option<f64>,
    /// The game's frame. Packets of different kinds with the same frame describe the same instant.
    pub frame: Option<u32>,
}

impl Moment {
    /// Seconds on the game's clock if it sends one, else on the relay's.
    #[inline]
    pub fn seconds(self) -> f64 {
        self.session_time.unwrap_or_else(|| self.at.0 as f64 / 1e6)
    }
}
