//! How a simulation keeps up with the time of day.

use crate::time::Micros;

/// A hidden page or a sleeping machine is not made up for: after so many seconds the race goes on from where it is.
const LONGEST_LEAP_S: f64 = 1.0;

/// When a run that has come so far would have begun, if it left out what is too much to make up for.
pub(super) fn caught_up(began: Micros, run_s: f64, now: Micros) -> Micros {
    let leap_s = now.seconds_since(began) - run_s - LONGEST_LEAP_S;
    if leap_s > 0.0 { began.plus_seconds(leap_s) } else { began }
}
