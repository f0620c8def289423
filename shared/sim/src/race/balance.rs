//! Cars with understeer or oversteer.

use super::super::circuit::{Circuit, Corner};
use super::options::Balance;

/// Below this lateral acceleration front and rear slip alike, in m/s².
const GENTLE_MS2: f64 = 4.0;

/// The extra front wheel angle in radians, at a lap distance in metres and a lateral acceleration in m/s².
pub(super) fn extra_angle(balance: &Balance, circuit: &Circuit, lap_m: f64, lateral_ms2: f64) -> f64 {
    angle_per_ms2(balance, circuit, lap_m) * (lateral_ms2.abs() - GENTLE_MS2).max(0.0)
}

fn angle_per_ms2(balance: &Balance, circuit: &Circuit, lap_m: f64) -> f64 {
    let inside = |corner: &&Corner| (corner.entry_m..corner.exit_m).contains(&lap_m);
    let Some(corner) = circuit.corners.iter().find(inside) else { return 0.0 };
    let [first_m, second_m] = [corner.entry_m, corner.exit_m].map(|end| (end + corner.apex_m) / 2.0);
    match lap_m {
        lap_m if lap_m < first_m => balance.entry,
        lap_m if lap_m < second_m => balance.middle,
        _ => balance.exit,
    }
}
