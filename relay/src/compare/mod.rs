//! `trailbrake compare`: a lap beside a reference, place by place.

mod area;
mod laps;
mod report;

use std::io::Write;

use anyhow::Context;
use trailbrake_shared::analysis::{Comparison, LapColumns, Thing, things};
use trailbrake_shared::model::Car;
use trailbrake_shared::plot::figure::{Figure, braking_figures, corners_figure, delta_figure};

use crate::figures;
use crate::options::{Compare, LapName, Pair};
use area::AreaReport;
pub(crate) use laps::{Found, Laps, Wanted};
use report::Report;

/// Prints what a lap lost against a reference, and where.
pub fn run(request: &Compare, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let laid = Laid::of(&request.pair, &mut notes)?;
    let area = request.between.as_ref().map(|metres| AreaReport::new(&laid, metres)).transpose()?;
    let report = Report::new(&laid, area);
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    if let Some(folder) = &request.figures {
        figures::write(folder, laid.figures(), &mut notes)?;
    }
    Ok(())
}

/// A lap laid beside a reference.
pub(crate) struct Laid {
    pub(crate) lap: Found,
    pub(crate) reference: Found,
    /// Which lap that is, where nobody has named it.
    pub(crate) chosen: Option<&'static str>,
    pub(crate) comparison: Comparison,
    /// The numbers of `others`.
    numbers: Vec<u16>,
    /// Other laps of the stint beside the same reference.
    pub(crate) others: Vec<Comparison>,
    pub(crate) things: Vec<Thing>,
}

impl Laid {
    /// Lays the laps side by side that are asked for.
    pub(crate) fn of(pair: &Pair, notes: &mut dyn Write) -> anyhow::Result<Self> {
        let Pair { car, session, .. } = *pair;
        let mut file = Laps::open(&pair.file, &pair.at, &pair.cutting, notes)?;
        let wanted = Wanted { lap: pair.lap, car: car.map(Car), session };
        let lap = file.find(&wanted)?;
        let reference_car = pair.reference_car.map(Car);
        let mut others = file.others(&lap)?;
        let (reference, chosen) = match (&pair.reference_file, pair.reference) {
            (Some(path), name) => {
                let wanted = Wanted { lap: name, car: reference_car, session: None };
                let mut other = Laps::open(path, &pair.at, &pair.cutting, notes)?;
                let found = other.find(&wanted).context("the reference")?;
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
        if pair.reference_file.is_none() {
            // Beside itself no lap loses anything.
            others.retain(|other| other.key != reference.key);
        }

        let reference_columns = LapColumns::new(&reference.lap, &reference.columns);
        let compared = |found: &Found| {
            Comparison::on(&LapColumns::new(&found.lap, &found.columns), &reference_columns, file.book())
        };
        let comparison =
            compared(&lap).map_err(|why| anyhow::anyhow!("the laps can't be compared: {why}"))?;
        let alike = others.iter().filter_map(|other| Some((other.lap.number, compared(other).ok()?)));
        let (numbers, others): (Vec<u16>, Vec<Comparison>) = alike.unzip();
        let things = things(&comparison, &others);
        Ok(Self { lap, reference, chosen, comparison, numbers, others, things })
    }

    /// What can be drawn of them, with the names of the files.
    fn figures(&self) -> Vec<(String, Figure)> {
        let mut figures = vec![("delta".to_owned(), delta_figure(&self.comparison))];
        if !self.comparison.corners.is_empty() {
            figures.push(("corners".to_owned(), corners_figure(&self.comparison)));
        }
        let others = self.numbers.iter().copied().zip(&self.others);
        let laps: Vec<(u16, &Comparison)> = others.chain([(self.lap.lap.number, &self.comparison)]).collect();
        let brakings = braking_figures(&laps).into_iter();
        figures.extend(brakings.map(|(turn, figure)| (format!("braking-turn-{turn}"), figure)));
        figures
    }
}
