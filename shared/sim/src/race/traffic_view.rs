//! The traffic around a driver.

/// Limits and opportunities from other cars.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traffic {
    /// The highest speed behind the car ahead, in m/s.
    pub(super) follow_ms: f64,
    /// Share of the drag removed by the car ahead.
    pub(super) slipstream: f64,
    /// Offset from the line for overtaking, left positive, in metres.
    pub(super) shift_m: f64,
    /// Offsets between which cars alongside leave room, in metres.
    pub(super) room_m: [f64; 2],
    /// Gap to the car ahead, in seconds.
    pub(super) gap_s: f64,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            follow_ms: f64::MAX,
            slipstream: 0.0,
            shift_m: 0.0,
            room_m: [f64::MIN, f64::MAX],
            gap_s: f64::MAX,
        }
    }
}
