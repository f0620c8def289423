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

/// Ways to lose time in a corner. One that changes the brake does nothing in a corner without braking, and begins no
/// sooner than at the exit of the corner before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MistakeKind {
    /// Brakes this many metres too early.
    BrakesEarly(f64),
    /// Brakes this many metres too late, runs into the corner too fast, and is later on the throttle.
    BrakesLate(f64),
    /// Never presses the brake more than this share of the usual, and brakes earlier for it.
    BrakesSoftly(f64),
    /// Takes this many seconds to the peak of the brake, and brakes earlier for it.
    BuildsUpSlowly(f64),
    /// Releases the brake this many metres too early, having braked as much earlier, and rolls to the slowest place.
    ReleasesEarly(f64),
    /// Lifts this many metres before braking.
    LiftsEarly(f64),
    /// Drives at this share of the possible cornering speed.
    DrivesSlowly(f64),
    /// Drives this many metres beside the line, to the outside of the corner.
    DrivesWide(f64),
    /// Waits this many metres before going back on the throttle.
    WaitsWithThrottle(f64),
    /// Comes off the throttle for this many seconds once more on the way out of the corner.
    LiftsAgain(f64),
    /// Presses the throttle no more than this on the way out, from the slowest place to a little behind the corner.
    HalfThrottle(f64),
    /// Takes the corner this many gears too high, and stays in that gear until it is the right one.
    HighGear(u8),
    /// Deploys no electric energy from the corner's exit to the next corner's entry.
    DeploysLess,
}
