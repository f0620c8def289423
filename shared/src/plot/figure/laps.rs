//! Figures over laps, days and weeks: consistency, spread, trends, progress.

use super::{Axis, Figure, Mark, Shape, Tone};
use crate::analysis::progress::PeriodLaps;
use crate::analysis::tyres::Trend;
use crate::analysis::{Consistency, robust};
use crate::laps::Lap;
use crate::plot::{Domain, TickKind};

/// About so many steps along an axis.
const STEPS: usize = 6;

/// Every lap's time by its number, with the median; laps that lie too far off stand apart.
pub fn consistency_figure(laps: &[Lap], told: &Consistency) -> Figure {
    let times = || laps.iter().filter_map(|lap| Some((lap.number, lap.counts()?.seconds())));
    let is_off = |number: &u16| told.lap.outliers.contains(number);
    let place = |(number, seconds): (u16, f64)| [f64::from(number), seconds];
    let counted = times().filter(|(number, _)| !is_off(number)).map(place).collect();
    let off: Vec<[f64; 2]> = times().filter(|(number, _)| is_off(number)).map(place).collect();
    let mut marks = vec![
        Mark::new("median", Tone::Reference, Shape::Level(told.lap.median_s)),
        Mark::new("laps", Tone::Main, Shape::Dots(counted)),
    ];
    if !off.is_empty() {
        marks.push(Mark::new("too far off", Tone::Off, Shape::Dots(off)));
    }
    Figure {
        title: "Consistency".to_owned(),
        x: whole_numbers("lap", &marks),
        y: Axis {
            label: "lap time".to_owned(),
            domain: Figure::holding(&marks, 1).nice(STEPS),
            ticks: TickKind::Time,
        },
        square: false,
        marks,
    }
}

/// How a place moved from lap to lap, such as where braking began: one value a lap, with the median.
pub fn spread_figure(title: &str, label: &str, values: &[(u16, f64)]) -> Figure {
    let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let places = values.iter().map(|(lap, value)| [f64::from(*lap), *value]).collect();
    let mut marks = vec![Mark::new("laps", Tone::Main, Shape::Dots(places))];
    if let Some(median) = robust::median(&numbers) {
        marks.insert(0, Mark::new("median", Tone::Reference, Shape::Level(median)));
    }
    Figure {
        title: title.to_owned(),
        x: whole_numbers("lap", &marks),
        y: Axis {
            label: label.to_owned(),
            domain: Figure::holding(&marks, 1).nice(STEPS),
            ticks: TickKind::Number,
        },
        square: false,
        marks,
    }
}

/// A channel of the four wheels from lap to lap, in the unit in which it is shown.
pub fn trend_figure(trend: &Trend) -> Figure {
    let shown = trend.channel.unit().shown();
    let line = |(nth, wheel): (u8, &crate::analysis::tyres::WheelTrend)| {
        let values = trend.laps.iter().zip(&wheel.values);
        let places = values.map(|(lap, value)| [f64::from(*lap), shown.value(*value)]);
        Mark::new(wheel.wheel.short(), Tone::One(nth), Shape::Line(places.collect()))
    };
    let marks: Vec<Mark> = (0..).zip(&trend.wheels).map(line).collect();
    let label = match shown.suffix {
        "" => trend.channel.label().to_owned(),
        unit => format!("{}, {unit}", trend.channel.label()),
    };
    Figure {
        title: trend.channel.label().to_owned(),
        x: whole_numbers("lap", &marks),
        y: Axis { label, domain: Figure::holding(&marks, 1).nice(STEPS), ticks: TickKind::Number },
        square: false,
        marks,
    }
}

/// The best and the middle lap of each day or week, by days since the first of them.
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
    Figure {
        title: "Progress".to_owned(),
        x: whole_numbers("days", &marks),
        y: Axis {
            label: "lap time".to_owned(),
            domain: Figure::holding(&marks, 1).nice(STEPS),
            ticks: TickKind::Time,
        },
        square: false,
        marks,
    }
}

/// An axis of whole numbers with room beside the first and the last.
fn whole_numbers(label: &str, marks: &[Mark]) -> Axis {
    let held = Figure::holding(marks, 0);
    let domain = Domain::new(held.low().floor() - 0.5, held.high().ceil() + 0.5);
    Axis { label: label.to_owned(), domain, ticks: TickKind::Number }
}
