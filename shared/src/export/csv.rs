//! Laps as comma-separated values, as RFC 4180 has them: a row for each sample, or for each place on the track.

use std::fmt::{self, Write};

use super::driven::{DrivenLap, slots_of};
use super::resample::{Curve, times_by_place};
use crate::model::{Channel, Slot};

/// Which rows there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rows {
    /// One for each frame of the game, with what was sent in it.
    Native,
    /// One every so many metres of the lap, with what lies between the samples around it.
    EveryMetres(f32),
}

/// The columns in front of the channels: whose lap, which, and when on the session's and the lap's clock.
const FRONT: &[&str] = &["driver", "car", "lap", "session_time [s]", "lap_time [s]"];
/// The place on the track, where rows are by place.
const PLACE: &str = "place [m]";

/// Writes laps. A value that was not sent is an empty field.
pub fn write(laps: &[DrivenLap<'_>], rows: Rows, out: &mut impl Write) -> fmt::Result {
    let slots = slots_of(laps);
    let mut line = Line { out, first: true };
    FRONT.iter().try_for_each(|name| line.text(name))?;
    if rows != Rows::Native {
        line.text(PLACE)?;
    }
    slots.iter().try_for_each(|slot| line.text(&slot.heading()))?;
    line.end()?;
    for lap in laps {
        match rows {
            Rows::Native => native(lap, &slots, &mut line)?,
            Rows::EveryMetres(metres) => by_place(lap, &slots, metres, &mut line)?,
        }
    }
    Ok(())
}

fn native(lap: &DrivenLap<'_>, slots: &[Slot], line: &mut Line<'_, impl Write>) -> fmt::Result {
    let columns = lap.columns;
    for (row, seconds) in columns.seconds().iter().enumerate() {
        front(lap, *seconds, line)?;
        slots.iter().try_for_each(|slot| line.number(columns.value(*slot, row)))?;
        line.end()?;
    }
    Ok(())
}

fn by_place(
    lap: &DrivenLap<'_>,
    slots: &[Slot],
    metres: f32,
    line: &mut Line<'_, impl Write>,
) -> fmt::Result {
    let mut curves: Vec<_> = slots.iter().map(|slot| (*slot, Curve::of(lap.columns, *slot))).collect();
    for (place, seconds) in times_by_place(lap.columns, metres) {
        front(lap, seconds, line)?;
        line.number(Some(place))?;
        for (slot, curve) in &mut curves {
            // Where the row is, it is by definition, and not by way of the clock.
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

fn front(lap: &DrivenLap<'_>, seconds: f64, line: &mut Line<'_, impl Write>) -> fmt::Result {
    line.text(&lap.driver)?;
    line.number(Some(lap.car.0))?;
    line.number(Some(lap.lap.number))?;
    line.number(Some(Rounded(seconds)))?;
    line.number(Some(Rounded(seconds - lap.lap.began_s)))
}

/// A time to the microsecond, which is as exactly as packets are received.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}

/// One line, field by field.
struct Line<'a, W: Write> {
    out: &'a mut W,
    first: bool,
}

impl<W: Write> Line<'_, W> {
    fn number(&mut self, value: Option<impl fmt::Display>) -> fmt::Result {
        self.comma()?;
        value.map_or(Ok(()), |value| write!(self.out, "{value}"))
    }

    /// A field of text. One that a spreadsheet would run as a formula gets an apostrophe in front: names come from
    /// whoever is in the race.
    fn text(&mut self, text: &str) -> fmt::Result {
        self.comma()?;
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        let formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
        let apostrophe = if formula { "'" } else { "" };
        if text.contains(['"', ',']) || formula {
            write!(self.out, "\"{apostrophe}{}\"", text.replace('"', "\"\""))
        } else {
            self.out.write_str(&text)
        }
    }

    fn comma(&mut self) -> fmt::Result {
        if std::mem::replace(&mut self.first, false) { Ok(()) } else { self.out.write_char(',') }
    }

    fn end(&mut self) -> fmt::Result {
        self.first = true;
        self.out.write_str("\r\n")
    }
}
