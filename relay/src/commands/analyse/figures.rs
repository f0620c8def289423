//! Figures of the laps.

use trailbrake_shared::analysis::balance::{Balance, Feet, balance};
use trailbrake_shared::analysis::dampers::dampers;
use trailbrake_shared::analysis::{LapColumns, Reference, consistency, energy, fuel, grip, rally, tyres};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Channel;
use trailbrake_shared::plot::figure::{
    Figure, balance_figure, consistency_figure, corner_balance_figure, damper_figure, energy_figure,
    fuel_figure, grip_figure, histogram, splits_figure, trend_figure,
};
use trailbrake_shared::units::Units;

use super::lap_report::{SPLITS, of_corners};
use super::session::AnalysedSession;
use crate::files::OpenedLap;

/// Bars in the histogram of the speed.
const BARS: usize = 30;

/// Every figure the laps give, each with its file name.
pub(super) fn figures(session: &AnalysedSession) -> Vec<(String, Figure)> {
    let units = Units::default();
    let mut figures = Vec::new();
    let laps: Vec<Lap> = session.laps.iter().map(|driven| driven.lap.clone()).collect();
    if let Ok(spread) = consistency(&laps) {
        figures.push(("consistency".to_owned(), consistency_figure(&laps, &spread)));
    }
    let chosen = session.main.lap_columns();
    if let Some(curve) = Reference::of_lap(&chosen) {
        figures.push(("splits".to_owned(), splits_figure(&rally::even_splits(&curve, SPLITS))));
    }
    if let Some(speeds) = chosen.values(Channel::Speed.slot()) {
        let shown = units.shown(Channel::Speed.unit());
        let speeds: Vec<f64> = speeds.into_iter().map(|speed| shown.value(speed)).collect();
        let label = format!("{}, {}", Channel::Speed.label(), shown.suffix);
        figures.push(("speed".to_owned(), histogram(Channel::Speed.label(), &label, &speeds, BARS)));
    }
    if let Ok(grip) = grip(&chosen) {
        figures.push(("grip".to_owned(), grip_figure(&grip)));
    }
    for damper in dampers(&chosen).into_iter().flat_map(|dampers| dampers.wheels) {
        let wheel = damper.wheel.short().to_lowercase();
        figures.push((format!("damper-{wheel}"), damper_figure(&damper)));
    }
    let of_stint = |lap: &LapColumns<'_>| lap.stint == chosen.stint && lap.time.is_some();
    let stint: Vec<LapColumns<'_>> =
        session.laps.iter().map(OpenedLap::lap_columns).filter(of_stint).collect();
    let balanced: Vec<_> = stint.iter().filter_map(|lap| Some((lap.number, balance(lap).ok()?))).collect();
    if let Some((_, Balance { measured_by, .. })) = balanced.first() {
        let alike = balanced.iter().filter(|(_, balance)| balance.measured_by == *measured_by);
        let parts = |(number, balance): &(u16, Balance)| {
            (*number, Feet::ALL.map(|feet| balance.during(feet).map(|mean| mean.understeer)))
        };
        let parts: Vec<_> = alike.map(parts).collect();
        figures.push(("balance".to_owned(), balance_figure(*measured_by, "lap", &parts, &units)));
    }
    if let Ok(balance) = balance(&chosen) {
        let corners = of_corners(&chosen, &balance).unwrap_or_default();
        if !corners.is_empty() {
            figures.push((
                "balance-corners".to_owned(),
                corner_balance_figure(balance.measured_by, &corners, &units),
            ));
        }
    }
    if let Ok(used) = fuel(&stint) {
        figures.push(("fuel".to_owned(), fuel_figure(&used, &units)));
    }
    if let Ok(energy) = energy(&stint) {
        figures.push(("energy".to_owned(), energy_figure(&energy, &units)));
    }
    for trend in tyres::trends(&stint).into_iter().flatten() {
        figures.push((trend.channel.id().replace('_', "-"), trend_figure(&trend, &units)));
    }
    figures
}
