//! `trailbrake compare`: a lap beside a reference, place by place.

mod laps;
mod report;

use std::io::Write;

use anyhow::Context;
use trailbrake_shared::analysis::{Comparison, LapColumns, things};
use trailbrake_shared::model::Car;

use crate::options::{Compare, LapName};
use laps::{Laps, Wanted};
use report::Report;

/// Prints what a lap lost against a reference, and where.
pub fn run(request: &Compare, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let Compare { car, session, .. } = *request;
    let mut file = Laps::open(&request.file, &request.cutting, &mut notes)?;
    let wanted = Wanted { lap: request.lap, car: car.map(Car), session };
    let lap = file.find(&wanted)?;
    let reference_car = request.reference_car.map(Car);
    let mut others = file.others(&lap)?;
    let (reference, chosen) = match (&request.reference_file, request.reference) {
        (Some(path), name) => {
            let wanted = Wanted { lap: name, car: reference_car, session: None };
            let found =
                Laps::open(path, &request.cutting, &mut notes)?.find(&wanted).context("the reference")?;
            (found, (name == LapName::Best).then_some("the best lap of the other file"))
        }
        (None, LapName::Best) => {
            let (found, chosen) = file.best_beside(&lap, reference_car)?;
            (found, Some(chosen))
        }
        (None, name) => {
            let wanted = Wanted { lap: name, car: reference_car.or(wanted.car), session };
            (file.find(&wanted).context("the reference")?, None)
        }
    };
    if request.reference_file.is_none() {
        // Beside itself no lap loses anything.
        others.retain(|other| other.key != reference.key);
    }

    let reference_columns = LapColumns::new(&reference.lap, &reference.columns);
    let compared = |found: &laps::Found| {
        Comparison::new(&LapColumns::new(&found.lap, &found.columns), &reference_columns)
    };
    let comparison = compared(&lap).map_err(|why| anyhow::anyhow!("the laps can't be compared: {why}"))?;
    let others: Vec<Comparison> = others.iter().filter_map(|other| compared(other).ok()).collect();
    let things = things(&comparison, &others);
    let report = Report::new(&lap, (&reference, chosen), &comparison, &others, &things);
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(())
}
