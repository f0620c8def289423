//! Writes laps as a CSV table.

use std::fmt::{self, Write};

use trailbrake_analysis::laps::LapFlag;
use trailbrake_model::letters::is_seen;
use trailbrake_model::time::LapTime;
use trailbrake_model::{Channel, Slot};

use super::{DATE, FLAGS, FRONT, GAME, OFFICIAL, PLACE, SECTORS, SESSION, TRACK, VEHICLE, is_formula};
use crate::export::About;
use crate::export::date::iso;
use crate::export::exported_lap::{ExportedLap, slots_of};
use crate::export::resample::{Curve, times_by_place};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rows {
    /// One row per frame of the game, with the values sent in it.
    Native,
    /// One row every so many metres of lap distance, with interpolated values.
    EveryMetres(f32),
}

/// Columns that are constant within a lap.
const OF_A_LAP: [&str; 6] = [GAME, SESSION, TRACK, VEHICLE, DATE, OFFICIAL];

/// Writes laps as a table. A missing value is an empty field.
pub fn write(laps: &[ExportedLap<'_>], about: &About, rows: Rows, out: &mut impl Write) -> fmt::Result {
    let slots = slots_of(laps);
    let mut line = Line { out, first: true };
    // As many sector columns as the lap with the most sectors needs.
    let sectors = laps.iter().map(|lap| lap.lap.sectors.len()).max().unwrap_or_default();
    let of_a_lap = OF_A_LAP.iter().chain(SECTORS.iter().take(sectors)).chain([&FLAGS]);
    FRONT.iter().chain(of_a_lap).try_for_each(|name| line.text(name))?;
    if rows != Rows::Native {
        line.text(PLACE)?;
    }
    slots.iter().try_for_each(|slot| line.text(&slot.heading()))?;
    line.end()?;
    // The car's name in `about` is that of one car only.
    let one_car = laps.iter().all(|lap| Some(lap.car) == laps.first().map(|first| first.car));
    let about =
        &About { vehicle: if one_car { about.vehicle.clone() } else { String::new() }, ..about.clone() };
    for lap in laps {
        let lap_row = LapRow { lap, fields: constant_fields(lap, about, sectors)? };
        match rows {
            Rows::Native => native(&lap_row, &slots, &mut line)?,
            Rows::EveryMetres(metres) => by_place(&lap_row, &slots, metres, &mut line)?,
        }
    }
    Ok(())
}

/// A lap and its constant fields, already formatted.
struct LapRow<'a> {
    lap: &'a ExportedLap<'a>,
    fields: String,
}

/// Formats the fields that are the same in all rows of a lap.
fn constant_fields(lap: &ExportedLap<'_>, about: &About, sectors: usize) -> Result<String, fmt::Error> {
    let mut fields = String::new();
    let mut line = Line { out: &mut fields, first: true };
    [&about.game, &about.session, &about.venue, &about.vehicle]
        .into_iter()
        .try_for_each(|text| line.text(text))?;
    line.number(Some(lap.received).filter(|received| received.0 > 0).map(iso))?;
    let sectors = (0..sectors).map(|sector| lap.lap.sectors.get(sector).copied().flatten());
    let mut times = [lap.lap.time].into_iter().chain(sectors);
    times.try_for_each(|time| line.number(time.map(Seconds)))?;
    let flags: Vec<&str> = lap.lap.flags.iter().map(LapFlag::word).collect();
    line.text(&flags.join(" "))?;
    Ok(fields)
}

/// An official time, printed to the millisecond.
struct Seconds(LapTime);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0.seconds())
    }
}

fn native(lap_row: &LapRow<'_>, slots: &[Slot], line: &mut Line<'_, impl Write>) -> fmt::Result {
    let columns = lap_row.lap.columns;
    for (row, seconds) in columns.seconds().iter().enumerate() {
        front(lap_row, *seconds, line)?;
        slots.iter().try_for_each(|slot| line.number(columns.value(*slot, row)))?;
        line.end()?;
    }
    Ok(())
}

fn by_place(
    lap_row: &LapRow<'_>,
    slots: &[Slot],
    metres: f32,
    line: &mut Line<'_, impl Write>,
) -> fmt::Result {
    let mut curves: Vec<_> =
        slots.iter().map(|slot| (*slot, Curve::of(lap_row.lap.columns, *slot))).collect();
    for (place, seconds) in times_by_place(lap_row.lap.columns, metres) {
        front(lap_row, seconds, line)?;
        line.number(Some(place))?;
        for (slot, curve) in &mut curves {
            // The row's track position is exact; interpolating it over time would not be.
            let value = match *slot == Channel::LapDistance.slot() {
                true => Some(place),
                false => curve.as_mut().and_then(|curve| curve.at(seconds)),
            };
            line.number(value)?;
        }
        line.end()?;
    }
    Ok(())
}

fn front(LapRow { lap, fields }: &LapRow<'_>, seconds: f64, line: &mut Line<'_, impl Write>) -> fmt::Result {
    line.text(&lap.driver)?;
    line.number(Some(lap.car.0))?;
    line.number(Some(lap.lap.number))?;
    line.number(Some(Rounded(seconds)))?;
    line.number(Some(Rounded(seconds - lap.lap.began_s)))?;
    line.fields(fields)
}

/// A time printed to the microsecond, the resolution of receive times.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}

/// Writes one line, field by field.
struct Line<'a, W: Write> {
    out: &'a mut W,
    first: bool,
}

impl<W: Write> Line<'_, W> {
    fn number(&mut self, value: Option<impl fmt::Display>) -> fmt::Result {
        self.comma()?;
        value.map_or(Ok(()), |value| write!(self.out, "{value}"))
    }

    /// Writes a text field. Text that a spreadsheet would run as a formula gets an apostrophe in front, because names
    /// come from other players.
    fn text(&mut self, text: &str) -> fmt::Result {
        self.comma()?;
        let text: String = text.chars().filter(|letter| is_seen(*letter)).collect();
        let formula = is_formula(&text);
        let apostrophe = if formula { "'" } else { "" };
        if text.contains(['"', ',']) || formula {
            write!(self.out, "\"{apostrophe}{}\"", text.replace('"', "\"\""))
        } else {
            self.out.write_str(&text)
        }
    }

    /// Appends fields that are already formatted.
    fn fields(&mut self, fields: &str) -> fmt::Result {
        self.comma()?;
        self.out.write_str(fields)
    }

    fn comma(&mut self) -> fmt::Result {
        if std::mem::replace(&mut self.first, false) { Ok(()) } else { self.out.write_char(',') }
    }

    fn end(&mut self) -> fmt::Result {
        self.first = true;
        self.out.write_str("\r\n")
    }
}
