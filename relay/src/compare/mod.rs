//! `trailbrake compare`: a lap beside a reference, place by place.

mod laps;
mod report;

use std::io::Write;

use anyhow::Context;
use trailbrake_shared::analysis::{Comparison, LapColumns, things};
use trailbrake_shared::model::Car;

use crate::options::Compare;
use laps::{Laps, Wanted};
use report::Report;

/// Prints what a lap lost against a reference, and where.
pub fn run(request: &Compare, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let Compare { car, session, .. } = *request;
    let mut file = Laps::open(&request.file, &request.cutting, &mut notes)?;
    let wanted = Wanted { lap: request.lap, car: car.map(Car), session };
    let lap = file.find(&wanted)?;
    let others = file.others(&wanted, &lap.lap)?;
    let mut other_file = match &request.reference_file {
        Some(path) => Some(Laps::open(path, &request.cutting, &mut notes)?),
        None => None,
    };
    let reference_wanted = Wanted {
        lap: request.reference,
        car: request.reference_car.or(car.filter(|_| other_file.is_none())).map(Car),
        session: session.filter(|_| other_file.is_none()),
    };
    let reference =
        other_file.as_mut().unwrap_or(&mut file).find(&reference_wanted).context("the reference")?;

    let reference_columns = LapColumns::new(&reference.lap, &reference.columns);
    let compared = |found: &laps::Found| {
        Comparison::new(&LapColumns::new(&found.lap, &found.columns), &reference_columns)
    };
    let comparison = compared(&lap).map_err(|why| anyhow::anyhow!("the laps can't be compared: {why}"))?;
    let others: Vec<Comparison> = others.iter().filter_map(|other| compared(other).ok()).collect();
    let things = things(&comparison, &others);
    let report = Report::new(&lap, &reference, &comparison, &others, &things);
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(())
}
