//! Kinds of mistakes.

/// A planted mistake in one corner of one lap; everything else is unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The car, from 0.
    pub car: usize,
    /// The lap, from 1; a run of a stage is lap 1.
    pub lap: u32,
    /// The corner's number.
    pub corner: u8,
    /// The kind of mistake.
    pub what: MistakeKind,
}

/// Ways to lose time in a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MistakeKind {
    /// Brakes this many metres too early.
    BrakesEarly(f64),
    /// Lifts this many metres before braking.
    LiftsEarly(f64),
    /// Drives at this share of the possible cornering speed.
    DrivesSlowly(f64),
    /// Waits this many metres before going back on the throttle.
    WaitsWithThrottle(f64),
}
