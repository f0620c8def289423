//! The fuel panel: fuel and recovered energy, lap by lap.

use trailbrake_analysis::{Unavailable, energy, fuel_after};
use trailbrake_model::units::Unit;

use super::content::with_unit;
use super::{Content, Laps, Table};
use crate::figure::{energy_figure, fuel_figure};

pub(super) fn panel(laps: &Laps<'_>, _: &str) -> Result<Content, Unavailable> {
    let mut content = Content::default();
    content.notes.push(laps.made_from(laps.stint.len()));
    let burnt = fuel_after(laps.stint, &laps.main.columns);
    match &burnt {
        Ok(used) => {
            let shown = laps.units.shown(used.channel.unit());
            let mut table = Table::new("Fuel", &["", "lap"]);
            table.numbers(&with_unit("Used in a lap", shown), 2, &[Some(shown.value(used.per_lap))]);
            let after = format!("after lap {}", laps.main.columns.number);
            table.numbers(&with_unit(&format!("Left {after}"), shown), 2, &[Some(shown.value(used.left))]);
            table.numbers(&format!("Laps left {after}"), 1, &[used.laps_left]);
            content.tables.push(table);
            content.figures.push(fuel_figure(used, &laps.units));
        }
        Err(why) => content.notes.push(format!("Fuel: not available, {why}.")),
    }
    match energy(laps.stint) {
        Ok(energy) => {
            let shown = laps.units.shown(Unit::Joules);
            let mut table = Table::new("Energy", &[shown.suffix, "deployed", "MGU-K", "MGU-H", "store"]);
            let all = |lap: &trailbrake_analysis::LapEnergy| {
                [lap.deployed_j, lap.harvested_mguk_j, lap.harvested_mguh_j, lap.store_change_j]
                    .map(|joules| joules.map(|joules| shown.value(f64::from(joules))))
            };
            energy.iter().for_each(|lap| table.numbers(&format!("lap {}", lap.lap), 2, &all(lap)));
            content.tables.push(table);
            content.figures.push(energy_figure(&energy, &laps.units));
        }
        Err(_) if burnt.is_err() => return Err(burnt.err().unwrap_or(Unavailable::TooLittle("a lap"))),
        Err(why) => content.notes.push(format!("Recovered energy: not available, {why}.")),
    }
    Ok(content)
}
