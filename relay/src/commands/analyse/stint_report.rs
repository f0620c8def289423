//! The report of several laps together.

use serde_json::{Value, json};
use trailbrake_shared::analysis::{
    LapColumns, Reference, TheoreticalBest, TimedLap, Unavailable, consistency, energy, fuel, rolling_best,
    tyres,
};
use trailbrake_shared::laps::Lap;

use super::value::{value_or_reason, with_units};
use crate::files::OpenedLap;

const NO_SECTORS: Unavailable = Unavailable::TooLittle("a lap that counts with the times of its sectors");
const NO_PLACES: Unavailable = Unavailable::TooLittle("a lap that counts with its distance");

pub(super) fn report(driven: &[OpenedLap], best: Option<&TheoreticalBest>) -> Value {
    let laps: Vec<Lap> = driven.iter().map(|driven| driven.lap.clone()).collect();
    let columns: Vec<LapColumns<'_>> = driven.iter().map(OpenedLap::lap_columns).collect();
    let curves: Vec<(&Lap, Reference)> = driven
        .iter()
        .zip(&columns)
        .filter(|(driven, _)| driven.lap.counts().is_some())
        .filter_map(|(driven, columns)| Some((&driven.lap, Reference::of_lap(columns)?)))
        .collect();
    let timed: Vec<TimedLap<'_>> =
        curves.iter().map(|(lap, curve)| TimedLap { lap: lap.number, run: lap.run, curve }).collect();
    let stints: Vec<Value> = columns.chunk_by(|one, next| one.stint == next.stint).map(stint).collect();
    json!({
        "laps": laps.len(),
        "theoretical_best_of": best.map(|best| &best.laps),
        "ideal_sectors": value_or_reason(best.and_then(|best| best.sectors.clone()).ok_or(NO_SECTORS)),
        "ideal_parts": value_or_reason(best.and_then(|best| best.mini_sectors.clone()).ok_or(NO_PLACES)),
        "rolling_best": value_or_reason(rolling_best(&timed)),
        "consistency": value_or_reason(consistency(&laps)),
        "fuel": with_units(value_or_reason(fuel(&columns))),
        "energy": value_or_reason(energy(&columns)),
        "stints": stints,
    })
}

fn stint(laps: &[LapColumns<'_>]) -> Value {
    let whole: Vec<LapColumns<'_>> = laps.iter().filter(|lap| lap.time.is_some()).cloned().collect();
    json!({ "stint": laps.first().map(|lap| lap.stint), "trends": with_units(value_or_reason(tyres::trends(&whole))) })
}
