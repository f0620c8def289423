//! The table of a figure.

use std::f64::consts::TAU;

use trailbrake_model::time::LapTime;

use super::places::places;
use crate::figure::{Axis, Figure, Mark, Shape, Tone};
use crate::panel::{Cell, Row, Table};
use crate::step::Step;
use crate::{TickKind, Ticks};

/// Values are written this finely: as parts of their axis.
const PARTS: usize = 200;
/// The directions of a g-g diagram, clockwise from straight ahead.
const DIRECTIONS: [&str; 8] = [
    "Accelerating",
    "Right turn, accelerating",
    "Right turn",
    "Right turn, braking",
    "Braking",
    "Left turn, braking",
    "Left turn",
    "Left turn, accelerating",
];

/// The table of a figure: a column for each of its colours, and a row for each lap, corner, bar or direction, or at round
/// places where it has lines.
pub fn figure_table(figure: &Figure) -> Table {
    let columns = columns(figure);
    let heads = columns.iter().map(|column| column.head.clone());
    if figure.square {
        let title = format!("{}: most g in each direction", figure.title);
        let heads = ["direction".to_owned()].into_iter().chain(heads).collect();
        return Table { title, heads, rows: directions(figure, &columns) };
    }
    let mut rows = rows(figure, &columns);
    let levels = figure.marks.iter().filter_map(|mark| match mark.shape {
        Shape::Level(value) if !mark.name.is_empty() => Some((mark.name.clone(), vec![Some(value)])),
        _ => None,
    });
    rows.extend(levels);
    Table {
        title: format!("{}: {}", figure.title, figure.y.label),
        heads: [figure.x.label.clone()].into_iter().chain(heads).collect(),
        rows: rows.into_iter().map(|(name, values)| row(&figure.y, name, &values)).collect(),
    }
}

/// What is drawn in one colour.
struct Column<'a> {
    tone: Tone,
    head: String,
    shapes: Vec<&'a Shape>,
}

/// The columns of a figure, the main data's first.
fn columns(figure: &Figure) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for Mark { name, tone, shape } in &figure.marks {
        if matches!(shape, Shape::Level(_)) {
            continue;
        }
        let Some(column) = columns.iter_mut().find(|column| column.tone == *tone) else {
            columns.push(Column { tone: *tone, head: name.clone(), shapes: vec![shape] });
            continue;
        };
        if column.head.is_empty() {
            column.head.clone_from(name);
        }
        column.shapes.push(shape);
    }
    columns.iter_mut().filter(|column| column.head.is_empty()).for_each(|column| {
        column.head.clone_from(&figure.y.label);
    });
    columns.sort_by_key(|column| column.tone != Tone::Main);
    columns
}

/// A row's name and the value of each column.
type Values = (String, Vec<Option<f64>>);

fn rows(figure: &Figure, columns: &[Column<'_>]) -> Vec<Values> {
    if figure.x.ticks == TickKind::Whole {
        return of_points(columns, f64::round, |at| format!("{at:.0}"));
    }
    let width = columns.iter().flat_map(|column| &column.shapes).find_map(|shape| match shape {
        Shape::Bars(width, points) | Shape::Outline(width, points) => Some(spacing(points).unwrap_or(*width)),
        Shape::Dots(_) | Shape::Line(_) | Shape::Level(_) => None,
    });
    let Some(width) = width else {
        let places = places(figure.x.ticks, figure.x.domain, &[]);
        let values = |at: f64| columns.iter().map(|column| column.between(at)).collect();
        return places.into_iter().map(|place| (place.name, values(place.at))).collect();
    };
    let ticks = Ticks::new(figure.x.ticks, figure.x.domain, PARTS);
    // Bars at one place may differ by a rounding.
    let place = |at: f64| (at / width * 2.0).round() * width / 2.0;
    let name = |at: f64| format!("{} to {}", ticks.label(at - width / 2.0), ticks.label(at + width / 2.0));
    let rows = of_points(columns, place, name);
    let is_empty = |(_, values): &&Values| values.iter().flatten().all(|value| *value == 0.0);
    let before = rows.iter().take_while(is_empty).count();
    let after = rows.iter().rev().take_while(is_empty).count();
    let count = rows.len().saturating_sub(before + after);
    rows.into_iter().skip(before).take(count).collect()
}

/// A row for each place with a point.
fn of_points(
    columns: &[Column<'_>],
    place: impl Fn(f64) -> f64,
    name: impl Fn(f64) -> String,
) -> Vec<Values> {
    let points = columns.iter().flat_map(Column::points);
    let mut places: Vec<f64> = points.map(|[x, _]| place(x)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let value = |column: &Column<'_>, at: f64| column.points().find(|[x, _]| place(*x) == at).map(|[_, y]| y);
    let row = |at: f64| (name(at), columns.iter().map(|column| value(column, at)).collect());
    places.into_iter().map(row).collect()
}

/// The distance between bars.
fn spacing(points: &[[f64; 2]]) -> Option<f64> {
    let gaps = points.windows(2).filter_map(|pair| match pair {
        [[one, _], [other, _]] => Some(other - one),
        _ => None,
    });
    gaps.filter(|gap| *gap > 0.0).min_by(f64::total_cmp)
}

/// The farthest point of each column in each direction.
fn directions(figure: &Figure, columns: &[Column<'_>]) -> Vec<Row> {
    let sector = TAU / DIRECTIONS.len() as f64;
    let is_in = |direction: usize, [x, y]: [f64; 2]| {
        (x.atan2(y) / sector).round().rem_euclid(DIRECTIONS.len() as f64) == direction as f64
    };
    let most = |column: &Column<'_>, direction: usize| {
        // The envelope is what is read; the samples are there to see how often.
        let lines = column.shapes.iter().filter(|shape| matches!(shape, Shape::Line(_))).count();
        let shapes = column.shapes.iter().filter(|shape| lines == 0 || matches!(shape, Shape::Line(_)));
        let points = shapes.flat_map(|shape| points(shape)).filter(|point| is_in(direction, *point));
        points.map(|[x, y]| x.hypot(y)).max_by(f64::total_cmp)
    };
    let values = |direction| columns.iter().map(|column| most(column, direction)).collect::<Vec<_>>();
    let rows = DIRECTIONS.iter().enumerate();
    rows.map(|(direction, name)| row(&figure.y, (*name).to_owned(), &values(direction))).collect()
}

fn row(axis: &Axis, name: String, values: &[Option<f64>]) -> Row {
    let cells = values.iter().map(|value| cell(axis, *value)).collect();
    Row { name, cells, stretch: None, marked: false }
}

/// A value as the axis counts it.
fn cell(axis: &Axis, value: Option<f64>) -> Cell {
    match (axis.ticks, value) {
        (TickKind::Time, Some(seconds)) => Cell::Words(LapTime((seconds * 1e3).round() as u32).to_string()),
        (_, value) => Cell::number(value, Step::at_least(axis.domain.span() / PARTS as f64).decimals()),
    }
}

/// The finite points of a shape.
fn points(shape: &Shape) -> impl Iterator<Item = [f64; 2]> {
    let points = match shape {
        Shape::Dots(points) | Shape::Line(points) => points.as_slice(),
        Shape::Bars(_, points) | Shape::Outline(_, points) => points.as_slice(),
        Shape::Level(_) => &[],
    };
    points.iter().copied().filter(|point| point.iter().all(|number| number.is_finite()))
}

impl Column<'_> {
    fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        self.shapes.iter().flat_map(|shape| points(shape))
    }

    /// The value at a place on a line; `None` where no line is.
    fn between(&self, at: f64) -> Option<f64> {
        self.shapes.iter().find_map(|shape| {
            let line: Vec<[f64; 2]> = points(shape).collect();
            let is_around = |from: f64, to: f64| (from.min(to)..=from.max(to)).contains(&at);
            line.windows(2).find_map(|pair| match pair {
                [[from, start], [to, end]] if is_around(*from, *to) => {
                    let share = if to == from { 0.0 } else { (at - from) / (to - from) };
                    Some(start + share * (end - start))
                }
                _ => None,
            })
        })
    }
}

#[cfg(test)]
mod tests;
