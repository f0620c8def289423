//! The suspension panel: speed and travel of each wheel.

use trailbrake_analysis::dampers::{Damper, dampers};
use trailbrake_analysis::{LapColumns, Unavailable};
use trailbrake_model::{Channel, Wheel};

use super::{Choice, Content, Laps, Table};
use crate::figure::{Figure, Histogram, dampers_figure, histogram_figure};

/// The choices: speed, and travel where the game sends it.
const SPEED: Channel = Channel::SuspensionVelocity;
const TRAVEL: Channel = Channel::SuspensionPosition;
const MM_PER_M: f64 = 1e3;

pub(super) fn panel(laps: &Laps<'_>, wanted: &str) -> Result<Content, Unavailable> {
    let travels = laps.main.columns.has(TRAVEL.slot());
    if travels && wanted == TRAVEL.id() {
        let mut content = Content { choices: Choice::of(&[SPEED, TRAVEL], TRAVEL), ..Content::default() };
        for wheel in Wheel::ALL {
            content.figures.push(travel(laps, wheel)?);
        }
        return Ok(content);
    }
    let (lap, reference) = laps.both(&dampers)?;
    let mut table = Table::new(
        "Share of the time, %",
        &["% of the time", "bump low", "bump high", "rebound low", "rebound high"],
    );
    let mut figures = Vec::new();
    for (place, damper) in lap.wheels.iter().enumerate() {
        let other = reference.as_ref().and_then(|other| other.wheels.get(place));
        figures.push(dampers_figure(damper, other));
        shares(&mut table, damper.wheel.short(), damper);
        if let Some(other) = other {
            shares(&mut table, &format!("{}, reference", other.wheel.short()), other);
        }
    }
    let mut notes =
        vec!["Below 50 mm/s = low speed (body), above = high speed (bumps and kerbs).".to_owned()];
    if lap.from_positions {
        notes.push("Speeds come from the suspension's positions: this game sends no speeds.".to_owned());
    }
    let choices = if travels { Choice::of(&[SPEED, TRAVEL], SPEED) } else { Vec::new() };
    Ok(Content { choices, figures, tables: vec![table], notes })
}

fn shares(table: &mut Table, name: &str, damper: &Damper) {
    let Damper { bump_slow, bump_fast, rebound_slow, rebound_fast, .. } = *damper;
    let shares = [bump_slow, bump_fast, rebound_slow, rebound_fast].map(|share| Some(share * 100.0));
    table.numbers(name, 1, &shares);
}

/// The histogram of a wheel's suspension travel.
fn travel(laps: &Laps<'_>, wheel: Wheel) -> Result<Figure, Unavailable> {
    let samples = |lap: &LapColumns<'_>| {
        let rows = lap.rows([TRAVEL.of(wheel)])?;
        Ok(rows.iter().map(|row| (f64::from(row.values[0]) * MM_PER_M, row.lasts_s)).collect::<Vec<_>>())
    };
    let (lap, reference) = laps.both(&samples)?;
    let title = format!("{} {}", TRAVEL.label(), wheel.short());
    let reference = reference.unwrap_or_default();
    Ok(histogram_figure(&Histogram { title, unit: "mm", whole: false, lap, reference }))
}
