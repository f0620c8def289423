//! Figures over laps, days and weeks: consistency, spread, trends, fuel, energy, progress.

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::progress::PeriodLaps;
use trailbrake_analysis::tyres::{Trend, WheelTrend};
use trailbrake_analysis::{Consistency, FuelUse, LapEnergy, statistics};
use trailbrake_model::Channel;
use trailbrake_model::units::{Unit, Units};

use super::{Axis, Figure, Mark, Shape, Tone};
use crate::{Domain, TickKind};

/// Approximate number of ticks on an axis.
const STEPS: usize = 6;

/// The time of each lap by its number, with the median; outliers are marked.
pub fn consistency_figure(laps: &[Lap], consistency: &Consistency) -> Figure {
    let times = || laps.iter().filter_map(|lap| Some((lap.number, lap.counts()?.seconds())));
    let is_off = |number: &u16| consistency.lap.outliers.contains(number);
    let mut marks = about(Some(consistency.lap.median_s), times().filter(|(number, _)| !is_off(number)));
    let off: Vec<[f64; 2]> = times().filter(|(number, _)| is_off(number)).map(place).collect();
    if !off.is_empty() {
        marks.push(Mark::new("outliers", Tone::Off, Shape::Dots(off)));
    }
    by_number("Consistency", "lap", ("lap time", TickKind::Time), marks)
}

/// A value for each lap, such as a brake point, with the median.
pub fn spread_figure(title: &str, label: &str, values: &[(u16, f64)]) -> Figure {
    let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let marks = about(statistics::median(&numbers), values.iter().copied());
    by_number(title, "lap", (label, TickKind::Number), marks)
}

/// A channel of the four wheels from lap to lap, in its display unit.
pub fn trend_figure(trend: &Trend, units: &Units) -> Figure {
    let shown = units.shown(trend.channel.unit());
    let line = |(nth, wheel): (u8, &WheelTrend)| {
        let values = trend.laps.iter().zip(&wheel.values);
        let places = values.map(|(lap, value)| place((*lap, shown.value(*value))));
        Mark::new(wheel.wheel.short(), Tone::One(nth), Shape::Line(places.collect()))
    };
    let marks = (0..).zip(&trend.wheels).map(line).collect();
    by_number(trend.channel.label(), "lap", (&labelled(trend.channel, units), TickKind::Number), marks)
}

/// Fuel used in each lap, with the median, in the display unit.
pub fn fuel_figure(used: &FuelUse, units: &Units) -> Figure {
    let shown = units.shown(used.channel.unit());
    let bars = used.laps.iter().map(|lap| place((lap.lap, shown.value(lap.used))));
    let marks = vec![
        Mark::new("laps", Tone::Main, Shape::Bars(BAR, bars.collect())),
        Mark::new("median", Tone::Reference, Shape::Level(shown.value(used.per_lap))),
    ];
    by_number("Fuel used", "lap", (&labelled(used.channel, units), TickKind::Number), marks)
}

/// Energy of each lap: deployed, recovered by braking (MGU-K) and by the turbocharger (MGU-H), and the change of the
/// store.
pub fn energy_figure(laps: &[LapEnergy], units: &Units) -> Figure {
    let shown = units.shown(Unit::Joules);
    let line = |name: &str, nth, joules: fn(&LapEnergy) -> Option<f32>| {
        let points = laps.iter().filter_map(|lap| Some((lap.lap, shown.value(f64::from(joules(lap)?)))));
        // A line would lead through laps that were not read.
        Mark::new(name, Tone::One(nth), Shape::Dots(points.map(place).collect()))
    };
    let mut marks = vec![
        line("deployed", 0, |lap| lap.deployed_j),
        line("MGU-K", 1, |lap| lap.harvested_mguk_j),
        line("MGU-H", 2, |lap| lap.harvested_mguh_j),
        line("store", 3, |lap| lap.store_change_j),
    ];
    // Energy that the game does not send has no dots.
    marks.retain(|mark| matches!(&mark.shape, Shape::Dots(places) if !places.is_empty()));
    by_number("Energy", "lap", (&format!("energy, {}", shown.suffix), TickKind::Number), marks)
}

/// The best and the median lap of each day or week, by days since the first.
pub fn progress_figure(periods: &[PeriodLaps]) -> Figure {
    let first = periods.first().map_or(0, |period| period.first_day);
    let line = |name: &str, tone, seconds: &dyn Fn(&PeriodLaps) -> f64| {
        let place = |period: &PeriodLaps| [(period.first_day - first) as f64, seconds(period)];
        Mark::new(name, tone, Shape::Line(periods.iter().map(place).collect()))
    };
    let marks = vec![
        line("median", Tone::Reference, &|period| period.median_s),
        line("best", Tone::Main, &|period| period.best.seconds()),
    ];
    by_number("Progress", "days", ("lap time", TickKind::Time), marks)
}

/// Width of a bar, as a fraction of the space for a lap or corner.
pub(super) const BAR: f64 = 0.7;

/// A dot for each value, with the median.
fn about(median: Option<f64>, values: impl Iterator<Item = (u16, f64)>) -> Vec<Mark> {
    let median = median.map(|median| Mark::new("median", Tone::Reference, Shape::Level(median)));
    let dots = Mark::new("laps", Tone::Main, Shape::Dots(values.map(place).collect()));
    median.into_iter().chain([dots]).collect()
}

fn place((number, value): (u16, f64)) -> [f64; 2] {
    [f64::from(number), value]
}

/// A channel's label with its display unit.
pub(super) fn labelled(channel: Channel, units: &Units) -> String {
    match units.shown(channel.unit()).suffix {
        "" => channel.label().to_owned(),
        unit => format!("{}, {unit}", channel.label()),
    }
}

/// A figure over whole numbers, with room before the first and after the last. Bars start at zero.
pub(super) fn by_number(title: &str, along: &str, up: (&str, TickKind), marks: Vec<Mark>) -> Figure {
    let held = Figure::holding(&marks, 0);
    let domain = Domain::new(held.low().round() - 0.5, held.high().round() + 0.5);
    let values = Figure::holding(&marks, 1);
    let has_bars = marks.iter().any(|mark| matches!(mark.shape, Shape::Bars(..)));
    let values = if has_bars { values.with_zero() } else { values };
    let (label, ticks) = up;
    Figure {
        title: title.to_owned(),
        x: Axis { label: along.to_owned(), domain, ticks: TickKind::Whole },
        y: Axis { label: label.to_owned(), domain: values.nice(STEPS), ticks },
        square: false,
        marks,
    }
}
