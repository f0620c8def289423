//! Where another car was close.

use serde::{Deserialize, Serialize};
use trailbrake_model::time::Micros;

/// A stretch of a lap along which another car was close to the player's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloseCar {
    /// When it began, on the packets' clock.
    pub from: Micros,
    /// When it ended.
    pub to: Micros,
    /// Where it began, metres from the start line.
    pub from_m: f32,
    /// Where it ended.
    pub to_m: f32,
    /// Whether the other car was ahead, and not behind.
    pub ahead: bool,
    /// The smallest gap, seconds.
    pub least_s: f32,
}

/// A car that came this close was beside, seconds.
const BESIDE_S: f32 = 0.2;

impl CloseCar {
    /// Whether the player could not drive freely: it was ahead, or beside.
    pub(crate) fn is_in_the_way(&self) -> bool {
        self.ahead || self.least_s <= BESIDE_S
    }
}
