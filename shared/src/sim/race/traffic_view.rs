//! What a driver sees of the others.

/// What the others mean for one driver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traffic {
    /// No faster than this is possible behind the car ahead, m/s.
    pub(super) follow_ms: f64,
    /// The part of the drag that the car ahead takes away.
    pub(super) slipstream: f64,
    /// Where he wants to be beside his line to pass, left positive, metres.
    pub(super) shift_m: f64,
    /// Between which offsets the cars alongside leave room, metres.
    pub(super) room_m: [f64; 2],
    /// Time to the car ahead, seconds.
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
