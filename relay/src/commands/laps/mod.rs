//! `trailbrake laps` and `trailbrake inspect`: what a file holds.

mod inspection;
mod line;

use std::io::Write;

use anyhow::bail;
use trailbrake_shared::lap_catalogue::{Drivers, LapQuery};

use crate::commands::options::{Inspect, Laps};
use crate::files::{self, LapFile};
use inspection::Inspection;
use line::LapLine;

/// Prints the laps of a file, one a line.
pub fn laps(request: &Laps, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let file = LapFile::open(&request.file, &request.cutting, &mut notes)?;
    let laps = file.catalogue().select(&LapQuery { drivers: request.car, ..LapQuery::default() });
    if laps.is_empty() {
        let whose = if request.car == Drivers::Player { "the player" } else { "that car" };
        bail!("{}: it has no lap of {whose}; --car all lists everyone's", request.file.display());
    }
    if !request.json {
        writeln!(out, "{}", LapLine::heading(&laps))?;
    }
    for line in LapLine::of(&laps) {
        if request.json {
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Prints what a file holds: one JSON object, or a summary for people.
pub fn inspect(request: &Inspect, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let packets = files::open(&request.file, &request.cutting)?;
    let inspection = Inspection::of(&request.file, packets, &mut notes)?;
    if request.json {
        serde_json::to_writer(&mut out, &inspection)?;
        writeln!(out)?;
    } else {
        write!(out, "{inspection}")?;
    }
    Ok(())
}
