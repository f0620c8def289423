//! Constants of nature.

/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;
