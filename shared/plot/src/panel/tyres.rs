//! The tyres panel: tyres and brakes over the lap, and their trend over the stint.

use trailbrake_analysis::Unavailable;
use trailbrake_analysis::tyres::{self, WheelState, WheelStates, share_within};
use trailbrake_games::settings::TyreWindow;
use trailbrake_model::units::Unit;
use trailbrake_model::{Channel, Wheel};

use super::content::with_unit;
use super::{Choice, Content, Laps, Table};
use crate::figure::{trend_figure, wheels_figure};

pub(super) fn panel(laps: &Laps<'_>, wanted: &str) -> Result<Content, Unavailable> {
    let (main, reference) = laps.both(&tyres::wheel_states)?;
    let chosen = main.iter().find(|states| states.channel.id() == wanted).or(main.first());
    let Some(WheelStates { channel, wheels }) = chosen else { return Err(Unavailable::TooLittle("a tyre")) };
    let other =
        reference.as_ref().and_then(|reference| reference.iter().find(|states| states.channel == *channel));
    let shown = laps.units.shown(channel.unit());
    // Wear changes little within a lap and gets more decimals.
    let decimals = if *channel == Channel::TyreWear { 1 } else { shown.decimals };
    let mut heads = vec!["", "lap"];
    heads.extend(other.map(|_| "reference"));
    heads.extend(["start", "end"]);
    let is_temperature = channel.unit() == Unit::Celsius;
    let window = laps.tyre_windows.of_channel(*channel);
    heads.extend(is_temperature.then_some(if window.is_some() { "in window, %" } else { "±10 °C, %" }));
    let mut table = Table::new(&with_unit(channel.label(), shown), &heads);
    for (place, state) in wheels.iter().enumerate() {
        let WheelState { wheel, median, first, last, within_window, .. } = *state;
        let within = match window {
            Some(window) => share_within(&laps.main.columns, *channel, wheel, |value| window.contains(value)),
            None => within_window,
        };
        let mut values = vec![Some(shown.value(median))];
        values.extend(other.map(|other| other.wheels.get(place).map(|state| shown.value(state.median))));
        values.extend([Some(shown.value(first)), Some(shown.value(last)), within.map(|share| share * 100.0)]);
        table.numbers(wheel.short(), decimals, &values);
    }
    let mut figures = Vec::new();
    let lines = Wheel::ALL.map(|wheel| over_the_lap(laps, *channel, wheel));
    figures.push(wheels_figure(*channel, laps.comparison.length_m, lines, &laps.units));
    let mut notes = vec!["Lap and reference columns: median over the lap.".to_owned()];
    notes.push(laps.made_from(laps.stint.len()));
    match tyres::trends(laps.stint) {
        Ok(trends) => {
            let trend = trends.iter().find(|trend| trend.channel == *channel);
            figures.extend(trend.map(|trend| trend_figure(trend, &laps.units)));
        }
        Err(why) => notes.push(format!("Stint: not available, {why}.")),
    }
    if is_temperature {
        notes.push(match window {
            Some(TyreWindow { from_c, to_c }) => {
                let [from, to] = [from_c, to_c].map(|celsius| shown.value(celsius).round());
                format!("Last column: time in the window set in Settings, {from} to {to} {}.", shown.suffix)
            }
            None => {
                "Last column: time within ±10 °C of the lap's median. Set your tyres' window in Settings."
                    .to_owned()
            }
        });
    }
    let channels: Vec<Channel> = main.iter().map(|states| states.channel).collect();
    Ok(Content { choices: Choice::of(&channels, *channel), figures, tables: vec![table], notes })
}

/// A wheel's channel along the lap in metres, in its display unit.
fn over_the_lap(laps: &Laps<'_>, channel: Channel, wheel: Wheel) -> Vec<[f64; 2]> {
    const MOST: usize = 1000;
    let rows = laps.main.columns.rows([channel.of(wheel)]).unwrap_or_default();
    let [placed, _] = &laps.comparison.placed;
    let step = rows.len() / MOST + 1;
    let mut line = Vec::new();
    for row in rows.iter().step_by(step) {
        let value = laps.units.shown(channel.unit()).value(f64::from(row.values[0]));
        line.extend(placed.place_at(row.clock_s).map(|metres| [metres, value]));
    }
    line
}
