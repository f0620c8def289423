//! `trailbrake compare`: a lap beside a reference, place by place.

mod area;
mod laps;
mod meant;
mod report;
mod table;

use std::io::Write;

use anyhow::{Context, anyhow};
use trailbrake_shared::analysis::{Combo, Comparison, LapColumns, NoComparison, Thing, things};
use trailbrake_shared::model::Car;
use trailbrake_shared::plot::figure::{Figure, braking_figures, corners_figure, delta_figure};

use crate::figures;
use crate::options::{Compare, LapName, Pair};
use area::AreaReport;
pub(crate) use laps::{Found, Laps};
pub(crate) use meant::Wanted;
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
    /// What has to be said before anything that is told of them.
    pub(crate) warnings: Vec<String>,
    pub(crate) comparison: Comparison,
    /// The numbers of `others`.
    numbers: Vec<u16>,
    /// Other laps of the stint beside the same reference.
    pub(crate) others: Vec<Comparison>,
    /// Whether the reference is of the stint too.
    reference_too: bool,
    pub(crate) things: Vec<Thing>,
}

impl Laid {
    /// Lays the laps side by side that are asked for.
    pub(crate) fn of(pair: &Pair, notes: &mut dyn Write) -> anyhow::Result<Self> {
        let Pair { car, session, run, .. } = *pair;
        let mut file = Laps::open(&pair.file, &pair.at, &pair.cutting, notes)?;
        let wanted = Wanted { lap: pair.lap, car: car.map(Car), session, run };
        let lap = file.find(&wanted, notes)?;
        let reference_car = pair.reference_car.map(Car);
        let mut others = file.others(&lap)?;
        let wanted =
            Wanted { lap: pair.reference, car: reference_car, session: None, run: pair.reference_run };
        let (reference, chosen) = match (&pair.reference_file, pair.reference) {
            (Some(path), name) => {
                let mut other = Laps::open(path, &pair.at, &pair.cutting, notes)?;
                let found = other.find(&wanted, notes).context("the reference")?;
                (found, (name == LapName::Best).then_some("the best lap of the other file"))
            }
            (None, LapName::Best) if wanted.run.is_none() => {
                let (found, chosen) = file.best_beside(&lap, reference_car)?;
                (found, Some(chosen))
            }
            (None, _) => {
                let wanted = Wanted { car: reference_car.or(car.map(Car)), session, ..wanted };
                (file.find_beside(Some(&lap), &wanted, notes).context("the reference")?, None)
            }
        };
        let (all, in_one_file) = (others.len(), pair.reference_file.is_none());
        if in_one_file {
            // Beside itself no lap loses anything.
            others.retain(|other| other.key != reference.key);
        }
        let reference_too = others.len() < all;

        let reference_columns = LapColumns::new(&reference.lap, &reference.columns);
        let reference_combo = reference.combo();
        let compared = |found: &Found| {
            let (columns, combo) = (LapColumns::new(&found.lap, &found.columns), found.combo());
            let laps = [(&columns, &combo), (&reference_columns, &reference_combo)];
            Comparison::with_combos(laps, file.book(), pair.anyway)
        };
        let comparison = compared(&lap).map_err(refused)?;
        let alike = others.iter().filter_map(|other| Some((other.lap.number, compared(other).ok()?)));
        let alike = alike.filter(|(_, other)| other.strangers.is_none());
        let (numbers, others): (Vec<u16>, Vec<Comparison>) = alike.unzip();
        let things = things(&comparison, &others);
        let mut warnings: Vec<String> = comparison.strangers.iter().map(strangers).collect();
        if !(in_one_file && lap.is_of_seat(&reference)) {
            warnings
                .extend(Combo::other_cars(&[("the lap", &lap.combo()), ("the reference", &reference_combo)]));
        }
        Ok(Self { lap, reference, chosen, warnings, comparison, numbers, others, reference_too, things })
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

/// Why laps are not laid side by side, and what can be done.
fn refused(why: NoComparison) -> anyhow::Error {
    match why {
        NoComparison::Empty => anyhow!("the laps can't be compared: {why}"),
        why => {
            anyhow!("the laps can't be compared: {why}; --anyway lays each along the share of its own way")
        }
    }
}

/// What has to be said of laps that were laid side by side though no place of one is a place of the other.
fn strangers(why: &NoComparison) -> String {
    format!(
        "These laps can't be compared place by place: {why}. Each is laid along the share of its own way, and nothing is \
         said of corners."
    )
}
