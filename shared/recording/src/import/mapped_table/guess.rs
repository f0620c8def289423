//! Guesses what the columns of a table are.

use trailbrake_model::{Axis, Channel};

use super::column_unit::ColumnUnit;
use super::field::Field;
use super::guessed_names::{ColumnName, alternatives, unit_named, usual_unit};
use super::mapping::{MappedColumn, TableMapping};
use super::meaning::{CLOCK, Meaning};
use super::sample::TableSample;

/// A longer time between two rows is one in milliseconds.
const LONGEST_STEP_S: f64 = 2.0;
/// A column with fewer values that differ is not one of those that run on.
const LEAST_DIFFERENT: usize = 3;

/// A first mapping, from names, units and values.
pub fn guess(sample: &TableSample) -> TableMapping {
    let mut mapping = TableMapping {
        separator: char::from(sample.separator),
        decimal: if sample.decimal_comma { ',' } else { '.' },
        heading_line: sample.heading_line,
        first_line: sample.first_line,
        rows_per_second: None,
        columns: Vec::new(),
    };
    for (place, name) in sample.names().iter().enumerate() {
        let Some(column) = GuessedColumn::of(sample, place, name).and_then(GuessedColumn::mapped) else {
            continue;
        };
        if !mapping.reads(column.is) {
            mapping.columns.push(column);
        }
    }
    turn_upright(&mut mapping, sample);
    mapping
}

/// A column, and what its name says.
struct GuessedColumn {
    name: String,
    is: Meaning,
    /// The unit that the table gives; empty if it gives none.
    unit: String,
    values: Vec<f64>,
    /// Whether times have minutes.
    has_clocks: bool,
}

impl GuessedColumn {
    /// `None` if the name says nothing, or the column has no numbers.
    fn of(sample: &TableSample, place: usize, name: &str) -> Option<Self> {
        let parts = ColumnName::of(name);
        let is = parts.meaning(name)?;
        let row = unit_named(sample.unit(place).trim_matches(['[', ']', '(', ')']));
        let unit = if parts.unit.is_empty() { row.to_owned() } else { parts.unit };
        let has_clocks = sample.fields(place).any(|field| field.contains(':'));
        let read = |field: &str| match has_clocks {
            true => Field::read_clock(field.as_bytes(), sample.decimal_comma),
            false => Field::read(field.as_bytes(), sample.decimal_comma),
        };
        let mut values = Vec::new();
        for field in sample.fields(place) {
            match read(field) {
                Field::Number(value) => values.push(value),
                Field::Absent => {}
                Field::Text => return None,
            }
        }
        let column = Self { name: name.to_owned(), is, unit, values, has_clocks };
        (!column.values.is_empty()).then_some(column)
    }

    /// The column as it is read; `None` if no unit fits.
    fn mapped(mut self) -> Option<MappedColumn> {
        let falls = self.values.iter().zip(self.values.iter().skip(1)).any(|(before, now)| now < before);
        self.is = match self.is {
            Meaning::Time if falls => Meaning::of(Channel::LapClock),
            // The time of the last lap, which stands still.
            Meaning::Channel(slot) if slot == Channel::LapClock.slot() && self.stands_still() => return None,
            Meaning::Channel(slot) if slot == Channel::TotalDistance.slot() && falls => {
                Meaning::of(Channel::LapDistance)
            }
            other => other,
        };
        let unit = self.unit_of_time().or_else(|| self.given_unit()).or_else(|| self.usual_unit())?;
        Some(MappedColumn { column: self.name, is: self.is, unit, opposite: false })
    }

    fn stands_still(&self) -> bool {
        let mut different = self.values.clone();
        different.dedup();
        self.values.len() > LEAST_DIFFERENT && different.len() < LEAST_DIFFERENT
    }

    fn unit_of_time(&self) -> Option<String> {
        if self.is != Meaning::Time && self.is != Meaning::of(Channel::LapClock) {
            return None;
        }
        if self.has_clocks {
            return Some(CLOCK.to_owned());
        }
        if ColumnUnit::called(&self.unit, self.is).is_some() && !self.unit.is_empty() && self.unit != CLOCK {
            return Some(self.unit.clone());
        }
        let mut steps: Vec<f64> =
            self.values.iter().zip(self.values.iter().skip(1)).map(|(before, now)| now - before).collect();
        steps.sort_by(f64::total_cmp);
        let step = steps.get(steps.len() / 2).copied().unwrap_or_default();
        Some(if step > LONGEST_STEP_S { "ms" } else { "s" }.to_owned())
    }

    /// The unit that the table gives, and what the column is in this unit.
    fn given_unit(&mut self) -> Option<String> {
        if self.unit.is_empty() {
            return None;
        }
        let is =
            alternatives(self.is).into_iter().find(|is| ColumnUnit::called(&self.unit, *is).is_some())?;
        self.is = is;
        let is_share = matches!(is, Meaning::Channel(slot) if slot.channel().unit() == trailbrake_model::units::Unit::Ratio);
        // Some programs call a ratio a percentage.
        let ratio = is_share
            && self.unit == "%"
            && self.most() <= 1.01
            && self.values.iter().any(|value| value.fract() != 0.0);
        let unit = if ratio { "ratio" } else { &self.unit };
        // One name for each unit, as a driver can choose them.
        Some(is.units().into_iter().find(|known| known.eq_ignore_ascii_case(unit)).unwrap_or(unit).to_owned())
    }

    fn usual_unit(&mut self) -> Option<String> {
        let most = self.most();
        if !matches!(self.is, Meaning::Channel(_)) {
            return self.is.units().first().map(|unit| (*unit).to_owned());
        }
        if self.is == Meaning::of(Channel::Steering) && most > 1.01 {
            self.is = Meaning::of(Channel::SteeringAngle);
        }
        let share = Meaning::of(Channel::LapShare);
        // A distance of at most 1 is a share of the lap.
        if alternatives(self.is).contains(&share) && most <= 1.01 && !self.stands_still() {
            self.is = share;
        }
        let Meaning::Channel(slot) = self.is else { return None };
        let unit = usual_unit(slot.channel().unit(), most)?;
        ColumnUnit::called(unit, self.is).map(|_| unit.to_owned())
    }

    /// The largest value without its sign.
    fn most(&self) -> f64 {
        self.values.iter().fold(0.0, |most, value| value.abs().max(most))
    }
}

/// Of three coordinates the one that changes least is the height. Two of them are a flat map.
fn turn_upright(mapping: &mut TableMapping, sample: &TableSample) {
    let position = |axis| Meaning::Channel(Channel::Position.along(axis));
    let range = |column: &MappedColumn| {
        let place = sample.names().iter().position(|name| *name == column.column).unwrap_or_default();
        let values = sample.fields(place).filter_map(|field| {
            match Field::read(field.as_bytes(), sample.decimal_comma) {
                Field::Number(value) => Some(value),
                Field::Absent | Field::Text => None,
            }
        });
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (value.min(low), value.max(high)));
        high - low
    };
    let mut axes: Vec<usize> = (0..mapping.columns.len())
        .filter(|place| {
            let is = mapping.columns.get(*place).map(|column| column.is);
            Axis::ALL.iter().any(|axis| is == Some(position(*axis)))
        })
        .collect();
    let height = match axes.len() {
        3 => axes.iter().copied().min_by(|one, other| {
            let of = |place: &usize| mapping.columns.get(*place).map_or(0.0, range);
            of(one).total_cmp(&of(other))
        }),
        _ => None,
    };
    axes.retain(|place| Some(*place) != height);
    for (place, axis) in
        height.map(|place| (place, Axis::Y)).into_iter().chain(axes.into_iter().zip([Axis::X, Axis::Z]))
    {
        mapping.columns.get_mut(place).into_iter().for_each(|column| column.is = position(axis));
    }
}
