//! Fuel use while driving.

use trailbrake_analysis::{FuelUse, LapColumns};
use trailbrake_model::Car;

use super::Session;

/// Fuel use is that of so many laps: older ones had another weight or another pace.
const LAPS: usize = 5;

/// The fuel use of a car's last laps; `None` before the first complete lap, and where the game sends no fuel.
pub fn fuel_use(session: &Session, car: Car) -> Option<FuelUse> {
    let state = session.car(car)?;
    let finished = state.laps.finished();
    let last = finished.get(finished.len().saturating_sub(LAPS)..).unwrap_or_default();
    let laps: Vec<LapColumns<'_>> =
        last.iter().filter_map(|lap| Some(LapColumns::new(lap, state.traces.lap(lap.serial)?))).collect();
    trailbrake_analysis::fuel(&laps).ok()
}
