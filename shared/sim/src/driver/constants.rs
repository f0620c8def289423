//! What several parts of a driver know.

/// Pedal travel that counts as braking, or as being on the throttle.
pub const PEDAL_ON: f64 = 0.1;

/// How fast a driver changes the offset from the line, in m/s.
pub(crate) const SIDEWAYS_MS: f64 = 2.6;

/// How far ahead a driver looks because the brakes need time to build up, in seconds.
pub(super) const REACTION_S: f64 = 0.08;

/// How far ahead a driver looks for slower places before pressing the throttle in a corner, in seconds.
pub(super) const AHEAD_S: f64 = 0.6;
pub(super) const AHEAD_STEPS: u8 = 6;

/// Deceleration of the engine without throttle, in m/s².
pub(super) const ENGINE_BRAKE_MS2: f64 = 1.2;
