//! Keeps a simulation in step with real time.

use trailbrake_model::time::Micros;

/// The longest delay to catch up on, in seconds. After a longer one, from a hidden page or a sleeping machine, the
/// race continues from where it stopped.
const LONGEST_LEAP_S: f64 = 1.0;

/// The run's start time, moved forward by any delay that is too long to catch up on.
pub(super) fn caught_up(began: Micros, run_s: f64, now: Micros) -> Micros {
    let leap_s = now.seconds_since(began) - run_s - LONGEST_LEAP_S;
    if leap_s > 0.0 { began.plus_seconds(leap_s) } else { began }
}
