//! The histograms panel: the distribution of a channel's values.

use trailbrake_analysis::{LapColumns, Unavailable, statistics};
use trailbrake_model::units::{Unit, Units};
use trailbrake_model::{Channel, Drawing, Scope, Slot};

use super::content::with_unit;
use super::{Choice, Content, Laps, Table};
use crate::figure::{Histogram, histogram_figure};

/// The most used channels, in this order; the car's other channels follow.
const FIRST: &[Channel] = &[
    Channel::Speed,
    Channel::Rpm,
    Channel::Throttle,
    Channel::Brake,
    Channel::Gear,
    Channel::Steering,
    Channel::SteeringAngle,
    Channel::GLateral,
    Channel::GLongitudinal,
];
/// Counters and positions in space or time: their values are about equally frequent.
const COUNTS: &[Channel] = &[
    Channel::LapDistance,
    Channel::TotalDistance,
    Channel::StageProgress,
    Channel::LapShare,
    Channel::LapClock,
    Channel::TimeOfDay,
    Channel::RoadDistance,
    Channel::Buttons,
    Channel::GameFlags,
    Channel::PowertrainUnnamed,
];
/// Pedal position from which a pedal counts as fully pressed.
const ALL: f64 = 0.95;

/// A statistic of a channel's values.
type Fact<'a> = dyn Fn(&[(f64, f64)]) -> Option<f64> + 'a;

pub(super) fn panel(laps: &Laps<'_>, wanted: &str) -> Result<Content, Unavailable> {
    let channels = channels(&laps.main.columns);
    let first = channels.first().copied().ok_or_else(|| Unavailable::not_sent(FIRST))?;
    let channel = channels.iter().copied().find(|channel| channel.id() == wanted).unwrap_or(first);
    let (lap, reference) = laps.both(&|lap| samples(lap, channel, &laps.units))?;
    let shown = laps.units.shown(channel.unit());
    let mut table = Table::beside(channel.label(), reference.is_some());
    let all = [lap.as_slice(), reference.as_deref().unwrap_or_default()];
    let mut row = |name: String, decimals, fact: &Fact<'_>| {
        table.numbers(&name, decimals, &all.map(fact));
    };
    let whole = channel.drawing() == Drawing::Step;
    for (name, share) in [("Min", 0.0), ("Median", 0.5), ("Max", 1.0)] {
        row(with_unit(name, shown), shown.decimals, &|lap| quantile(lap, share));
    }
    if !whole {
        row(with_unit("Mean", shown), shown.decimals, &mean);
    }
    if channel.unit() == Unit::Ratio {
        for (name, from, to) in [("Full", shown.value(ALL), f64::INFINITY), ("Zero", f64::NEG_INFINITY, 0.0)]
        {
            row(format!("{name}, % of the time"), 1, &|lap| {
                let inside = |(value, lasts_s): &(f64, f64)| {
                    (if (from..=to).contains(value) { 100.0 } else { 0.0 }, *lasts_s)
                };
                mean(&lap.iter().map(inside).collect::<Vec<_>>())
            });
        }
    }
    let title = channel.label().to_owned();
    let reference = reference.unwrap_or_default();
    let figure = histogram_figure(&Histogram { title, unit: shown.suffix, whole, lap, reference });
    Ok(Content { choices: Choice::of(&channels, channel), ..Content::of(figure, table) })
}

/// The channels of a lap that are worth a histogram.
fn channels(lap: &LapColumns<'_>) -> Vec<Channel> {
    let sent = |channel: &Channel| lap.has(channel.slot());
    let mut channels: Vec<Channel> = FIRST.iter().copied().filter(sent).collect();
    for channel in (0..Slot::COUNT).filter_map(Slot::from_index).map(Slot::channel) {
        if channel.scope() == Scope::Car
            && !COUNTS.contains(&channel)
            && !channels.contains(&channel)
            && sent(&channel)
        {
            channels.push(channel);
        }
    }
    channels
}

/// A channel's values in its display unit, each with the seconds for which it held.
fn samples(lap: &LapColumns<'_>, channel: Channel, units: &Units) -> Result<Vec<(f64, f64)>, Unavailable> {
    let shown = units.shown(channel.unit());
    let rows = lap.rows([channel.slot()])?;
    Ok(rows.iter().map(|row| (shown.value(f64::from(row.values[0])), row.lasts_s)).collect())
}

fn quantile(samples: &[(f64, f64)], share: f64) -> Option<f64> {
    statistics::quantile(&samples.iter().map(|(value, _)| *value).collect::<Vec<_>>(), share)
}

fn mean(samples: &[(f64, f64)]) -> Option<f64> {
    let whole: f64 = samples.iter().map(|(_, lasts_s)| lasts_s).sum();
    let sum: f64 = samples.iter().map(|(value, lasts_s)| value * lasts_s).sum();
    (whole > 0.0).then(|| sum / whole)
}
