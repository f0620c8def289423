//! Figures of one lap: grip, balance, dampers, splits, histograms.

use std::f64::consts::TAU;

use trailbrake_analysis::{CornerBalance, Grip, dampers::Damper, rally::EvenSplit};
use trailbrake_model::Channel;
use trailbrake_model::units::Units;

use super::laps::{BAR, by_number};
use super::{Axis, Figure, Mark, Shape, Tone};
use crate::{Domain, TickKind};

/// Approximate number of ticks on an axis.
const STEPS: usize = 6;

/// The g-g diagram: every sample, and the envelope around them. Left turns are on the left, braking at the bottom.
pub fn grip_figure(grip: &Grip) -> Figure {
    let mut marks = vec![pushes("samples", Tone::Faint, grip)];
    marks.extend(envelope_lines("envelope", Tone::Main, grip));
    grip_axes(marks)
}

/// The g-g diagrams of a lap and its reference in one figure.
pub fn grips_figure(grip: &Grip, reference: Option<&Grip>) -> Figure {
    let laps = || {
        reference.map(|grip| ("reference", Tone::Reference, grip)).into_iter().chain([(
            "lap",
            Tone::Main,
            grip,
        )])
    };
    let mut marks: Vec<Mark> = laps().map(|(_, tone, grip)| pushes("", tone, grip)).collect();
    marks.extend(laps().flat_map(|(name, tone, grip)| envelope_lines(name, tone, grip)));
    grip_axes(marks)
}

fn pushes(name: &str, tone: Tone, grip: &Grip) -> Mark {
    let pushes = grip.pushes.iter().map(|push| [-f64::from(push.lateral_g), f64::from(push.longitudinal_g)]);
    Mark::new(name, tone, Shape::Dots(pushes.collect()))
}

fn grip_axes(marks: Vec<Mark>) -> Figure {
    let reach = |coordinate| Figure::holding(&marks, coordinate).symmetric();
    let (across, ahead) = (reach(0), reach(1));
    let domain = Domain::new(0.0, across.high().max(ahead.high())).symmetric().nice(2 * STEPS);
    let axis = |label: &str| Axis { label: label.to_owned(), domain, ticks: TickKind::Number };
    Figure {
        title: "Grip".to_owned(),
        x: axis("left and right, g"),
        y: axis("braking and accelerating, g"),
        square: true,
        marks,
    }
}

/// The envelope once around, interrupted in directions without samples.
fn envelope_lines(name: &str, tone: Tone, grip: &Grip) -> Vec<Mark> {
    let reaches = &grip.envelope.g;
    let once_around = reaches.iter().chain(reaches.first()).enumerate();
    let corner = |(direction, reach): (usize, &Option<f64>)| {
        let directions = reaches.len().max(1);
        let angle = (direction % directions) as f64 / directions as f64 * TAU;
        let (sine, cosine) = angle.sin_cos();
        reach.map(|reach| [-reach * sine, reach * cosine])
    };
    let corners: Vec<Option<[f64; 2]>> = once_around.map(corner).collect();
    let known = corners.split(Option::is_none).filter(|run| run.len() > 1);
    let lines = known.map(|run| Shape::Line(run.iter().copied().flatten().collect()));
    let named = |(nth, line)| Mark::new(if nth == 0 { name } else { "" }, tone, line);
    lines.enumerate().map(named).collect()
}

/// Suspension speed of one wheel: rebound on the left, bump on the right.
pub fn damper_figure(damper: &Damper) -> Figure {
    dampers_figure(damper, None)
}

/// Like `damper_figure`, with the reference as an outline.
pub fn dampers_figure(damper: &Damper, reference: Option<&Damper>) -> Figure {
    const MM_PER_M: f64 = 1e3;
    let width = f64::from(trailbrake_analysis::dampers::BAR_MPS) * MM_PER_M;
    let bars = |damper: &Damper| {
        let bars = damper.bars().map(|(speed, share)| [f64::from(speed) * MM_PER_M, share * 100.0]);
        bars.collect::<Vec<_>>()
    };
    let name = if reference.is_some() { "lap" } else { "" };
    let mut marks = vec![Mark::new(name, Tone::Main, Shape::Bars(width, bars(damper)))];
    marks.extend(
        reference.map(|other| Mark::new("reference", Tone::Reference, Shape::Outline(width, bars(other)))),
    );
    let x = Figure::holding(&marks, 0);
    let y = Figure::holding(&marks, 1).with_zero().nice(STEPS);
    Figure {
        title: format!("Suspension speed, {}", damper.wheel.short()),
        x: Axis {
            label: "rebound and bump, mm/s".to_owned(),
            domain: Domain::new(x.low() - width / 2.0, x.high() + width / 2.0),
            ticks: TickKind::Number,
        },
        y: Axis { label: "share of the time, %".to_owned(), domain: y, ticks: TickKind::Number },
        square: false,
        marks,
    }
}

/// Balance at the entry, middle and exit of each corner or over each lap (`along`). Understeer is above.
pub fn balance_figure(
    measured_by: Channel,
    along: &str,
    parts: &[(u16, [Option<f64>; 3])],
    units: &Units,
) -> Figure {
    let shown = units.shown(measured_by.unit());
    let wide = BAR / 3.0;
    let bars = |(nth, name): (u8, &str)| {
        let aside = (f64::from(nth) - 1.0) * wide;
        let value = |(number, parts): &(u16, [Option<f64>; 3])| {
            let value = parts.get(usize::from(nth)).copied()??;
            Some([f64::from(*number) + aside, shown.value(value)])
        };
        Mark::new(name, Tone::One(nth), Shape::Bars(wide, parts.iter().filter_map(value).collect()))
    };
    let marks = (0..).zip(["entry", "middle", "exit"]).map(bars).collect();
    let label = format!("{}, {}: understeer above", measured_by.label(), shown.suffix);
    by_number("Balance", along, (&label, TickKind::Number), marks)
}

/// Balance in each part of each corner.
pub fn corner_balance_figure(measured_by: Channel, corners: &[CornerBalance], units: &Units) -> Figure {
    let parts =
        |corner: &CornerBalance| (corner.number, corner.parts().map(|mean| mean.map(|mean| mean.understeer)));
    let parts: Vec<_> = corners.iter().map(parts).collect();
    balance_figure(measured_by, "turn", &parts, units)
}

/// The duration of each even part of a stage or lap.
pub fn splits_figure(splits: &[EvenSplit]) -> Figure {
    splits_beside(splits, &[])
}

/// Like `splits_figure`, with the reference as an outline.
pub fn splits_beside(splits: &[EvenSplit], reference: &[EvenSplit]) -> Figure {
    let share = 100.0 / splits.len().max(1) as f64;
    let bars = |splits: &[EvenSplit]| {
        let bar = |split: &EvenSplit| [split.share * 100.0 - share / 2.0, split.part_s];
        splits.iter().map(bar).collect::<Vec<_>>()
    };
    let name = if reference.is_empty() { "" } else { "lap" };
    let mut marks = vec![Mark::new(name, Tone::Main, Shape::Bars(share * 0.9, bars(splits)))];
    if !reference.is_empty() {
        marks.push(Mark::new("reference", Tone::Reference, Shape::Outline(share * 0.9, bars(reference))));
    }
    Figure {
        title: "Splits".to_owned(),
        x: Axis { label: "distance, %".to_owned(), domain: Domain::new(0.0, 100.0), ticks: TickKind::Number },
        y: Axis {
            label: "seconds".to_owned(),
            domain: Figure::holding(&marks, 1).with_zero().nice(STEPS),
            ticks: TickKind::Number,
        },
        square: false,
        marks,
    }
}

/// A histogram with this many bars of equal width. Values that are not finite are left out.
pub fn histogram(title: &str, label: &str, values: &[f64], bars: usize) -> Figure {
    const MOST_BARS: usize = 200;
    let bars = bars.clamp(1, MOST_BARS);
    let numbers = || values.iter().copied().filter(|value| value.is_finite());
    let domain =
        Domain::new(numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    let width = domain.span() / bars as f64;
    let mut counts = vec![0_u32; bars];
    for value in numbers() {
        let bar = (((value - domain.low()) / width) as usize).min(bars - 1);
        if let Some(count) = counts.get_mut(bar) {
            *count += 1;
        }
    }
    let whole = numbers().count().max(1) as f64;
    let bar = |(bar, count): (usize, &u32)| {
        [domain.low() + (bar as f64 + 0.5) * width, f64::from(*count) / whole * 100.0]
    };
    let marks =
        vec![Mark::new("", Tone::Main, Shape::Bars(width, counts.iter().enumerate().map(bar).collect()))];
    let y = Figure::holding(&marks, 1).with_zero().nice(STEPS);
    Figure {
        title: title.to_owned(),
        x: Axis { label: label.to_owned(), domain, ticks: TickKind::Number },
        y: Axis { label: "share of the samples, %".to_owned(), domain: y, ticks: TickKind::Number },
        square: false,
        marks,
    }
}
