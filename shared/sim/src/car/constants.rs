//! Constants of nature.

/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;
/// Air density, in kg/m³.
pub(crate) const AIR_KG_M3: f64 = 1.2;
