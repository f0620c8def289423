//! Figures of a lap against its reference: delta, time lost per corner, brake points.

use trailbrake_analysis::{Comparison, Corner};

use super::laps::{BAR, by_number};
use super::{Axis, Figure, Mark, Shape, Tone, spread_figure};
use crate::{Domain, TickKind};

/// Approximate number of ticks on an axis.
const STEPS: usize = 6;
/// Minimum laps for a spread.
const LEAST_LAPS: usize = 3;

/// The delta to the reference along the lap.
pub fn delta_figure(comparison: &Comparison) -> Figure {
    // The first piece stands for all of them in the legend.
    let piece = |(nth, piece): (usize, &[(f64, f64)])| {
        let line = piece.iter().map(|(metres, seconds)| [*metres, *seconds]).collect();
        Mark::new(if nth == 0 { "lap" } else { "" }, Tone::Main, Shape::Line(line))
    };
    let mut marks = vec![Mark::new("reference", Tone::Reference, Shape::Level(0.0))];
    marks.extend(comparison.delta_pieces().enumerate().map(piece));
    Figure {
        title: "Delta".to_owned(),
        x: Axis {
            label: "from the line".to_owned(),
            domain: Domain::new(0.0, comparison.length_m),
            ticks: TickKind::Distance,
        },
        y: Axis {
            label: "seconds, slower above".to_owned(),
            domain: Figure::holding(&marks, 1).with_zero().nice(STEPS),
            ticks: TickKind::Number,
        },
        square: false,
        marks,
    }
}

/// Time lost and gained because of each corner.
pub fn corners_figure(comparison: &Comparison) -> Figure {
    let rows = comparison.ledger.rows.iter();
    let losses = || rows.clone().filter_map(|row| Some([f64::from(row.place.corner?), row.loss_s?]));
    let bars = |name: &str, tone, is_meant: fn(f64) -> bool| {
        let bars = losses().filter(|[_, loss]| is_meant(*loss)).collect();
        Mark::new(name, tone, Shape::Bars(BAR, bars))
    };
    let marks =
        vec![bars("lost", Tone::Off, |loss| loss > 0.0), bars("gained", Tone::Main, |loss| loss <= 0.0)];
    by_number("Corners", "turn", ("seconds lost", TickKind::Number), marks)
}

/// What a lap could gain in each mini-sector, in seconds.
pub fn gains_figure(comparison: &Comparison, gains: &[Option<f64>]) -> Figure {
    let bars = comparison.minis.iter().zip(gains);
    let bars: Vec<[f64; 2]> =
        bars.filter_map(|(mini, gain)| Some([f64::midpoint(mini.from_m, mini.to_m), (*gain)?])).collect();
    let width = comparison.length_m / comparison.minis.len().max(1) as f64;
    let marks = vec![Mark::new("to gain", Tone::Main, Shape::Bars(BAR * width, bars))];
    let (label, ticks) = if comparison.in_metres {
        ("from the line", TickKind::Distance)
    } else {
        ("thousandths of the lap", TickKind::Number)
    };
    Figure {
        title: "Time to gain".to_owned(),
        x: Axis { label: label.to_owned(), domain: Domain::new(0.0, comparison.length_m), ticks },
        y: Axis {
            label: "seconds behind the best".to_owned(),
            domain: Figure::holding(&marks, 1).with_zero().nice(STEPS),
            ticks: TickKind::Number,
        },
        square: false,
        marks,
    }
}

/// The brake point of each corner over several laps, in metres before the apex: a corner's number and its figure. Laps
/// come with their numbers. A corner with fewer than three values has no figure.
pub fn braking_figures(laps: &[(u16, &Comparison)]) -> Vec<(u16, Figure)> {
    let Some(corners) = laps.first().map(|(_, lap)| &lap.corners) else { return Vec::new() };
    let alike = || laps.iter().filter(|(_, lap)| lap.corners.len() == corners.len());
    let figure = |(index, corner): (usize, &Corner)| {
        let before = |lap: &Comparison| lap.tables.first()?.rows.get(index)?.before_apex_m;
        let values: Vec<(u16, f64)> =
            alike().filter_map(|(number, lap)| Some((*number, before(lap)?))).collect();
        let title = format!("Braking for {}", corner.title());
        (values.len() >= LEAST_LAPS)
            .then(|| (corner.number, spread_figure(&title, "brake point, m before the apex", &values)))
    };
    corners.iter().enumerate().filter_map(figure).collect()
}
