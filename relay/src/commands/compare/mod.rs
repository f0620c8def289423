//! `trailbrake compare`: a lap compared with a reference, place by place.

mod area;
mod report;
mod table;

use std::io::Write;

use anyhow::{Context, anyhow};
use trailbrake_shared::analysis::{Comparing, Comparison, LapComparison, NoComparison};
use trailbrake_shared::lap_catalogue::{LapChoice, LapEntry};
use trailbrake_shared::model::Car;
use trailbrake_shared::plot::figure::{Figure, braking_figures, corners_figure, delta_figure};

use crate::commands::options::{Compare, Pair};
use crate::figures;
use crate::files::{LapFile, OpenedLap};
use area::AreaReport;
use report::Report;

/// Prints what a lap lost against a reference, and where.
pub fn run(request: &Compare, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let pair = ComparedPair::of(&request.pair, &mut notes)?;
    let area = request.between.as_ref().map(|metres| AreaReport::new(&pair, metres)).transpose()?;
    let report = Report::new(&pair, area);
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    if let Some(folder) = &request.figures {
        figures::write(folder, pair.figures(), &mut notes)?;
    }
    Ok(())
}

/// A lap, its reference, and how they compare.
pub(crate) struct ComparedPair {
    pub(crate) lap: OpenedLap,
    pub(crate) reference: OpenedLap,
    /// Which lap the reference is, where nobody named it.
    pub(crate) chosen: Option<&'static str>,
    pub(crate) compared: LapComparison,
}

impl ComparedPair {
    /// Compares the laps that are asked for.
    pub(crate) fn of(pair: &Pair, notes: &mut dyn Write) -> anyhow::Result<Self> {
        let mut file = LapFile::open(&pair.file, &pair.cutting, notes)?.with_book(pair.at.book(notes));
        let entry = file.pick(&pair.query(), None, notes)?;
        let lap = file.open_lap(&entry)?;
        let is_best = pair.reference == LapChoice::Best;
        let (reference, chosen) = match &pair.reference_file {
            Some(path) => {
                let query = pair.reference_query(pair.reference_car, None);
                let mut other = LapFile::open(path, &pair.cutting, notes)?.with_book(pair.at.book(notes));
                let found = other.pick(&query, None, notes).context("the reference")?;
                (other.open_lap(&found)?, is_best.then_some("the best lap of the other file"))
            }
            None if is_best && pair.reference_run.is_none() => {
                let best = file.catalogue().best_reference(&entry, pair.reference_car.map(Car));
                let (found, near) = best.map(|(found, near)| (found.clone(), near)).with_context(|| {
                    format!(
                        "no other lap counts, so there is none to compare lap {} with: choose one with --reference, or a \
                         file with --reference-file",
                        entry.lap.number
                    )
                })?;
                (file.open_lap(&found)?, Some(near.words()))
            }
            None => {
                let query = pair.reference_query(pair.reference_car.or(pair.car), pair.session);
                let found = file.pick(&query, Some(&entry), notes).context("the reference")?;
                (file.open_lap(&found)?, None)
            }
        };
        let same_file = pair.reference_file.is_none();
        let compared = compare(&mut file, &lap, &reference, same_file, pair.anyway)?;
        Ok(Self { lap, reference, chosen, compared })
    }

    /// What can be drawn of them, with the names of the files.
    fn figures(&self) -> Vec<(String, Figure)> {
        let LapComparison { comparison, others, numbers, .. } = &self.compared;
        let mut figures = vec![("delta".to_owned(), delta_figure(comparison))];
        if !comparison.corners.is_empty() {
            figures.push(("corners".to_owned(), corners_figure(comparison)));
        }
        let others = numbers.iter().copied().zip(others);
        let laps: Vec<(u16, &Comparison)> = others.chain([(self.lap.lap.number, comparison)]).collect();
        let brakings = braking_figures(&laps).into_iter();
        figures.extend(brakings.map(|(turn, figure)| (format!("braking-turn-{turn}"), figure)));
        figures
    }
}

/// Compares a lap of a file with a reference, of that file or another one, weighed by the lap's stint.
pub(crate) fn compare(
    file: &mut LapFile,
    lap: &OpenedLap,
    reference: &OpenedLap,
    same_file: bool,
    anyway: bool,
) -> anyhow::Result<LapComparison> {
    let stint: Vec<_> = file.catalogue().stint(&lap.entry).into_iter().cloned().collect();
    let is_reference = |entry: &LapEntry| same_file && entry.id == reference.entry.id;
    let reference_in_stint = stint.iter().any(is_reference);
    let mut others = Vec::new();
    // Against itself no lap loses anything.
    for entry in stint.iter().filter(|entry| !is_reference(entry)) {
        others.extend(file.samples_of(entry)?);
    }
    let (own, best) = (lap.lap_columns(), reference.lap_columns());
    let comparing = Comparing {
        main: lap.compared(&own),
        reference: reference.compared(&best),
        same_seat: same_file && lap.entry.is_of_seat(&reference.entry),
        reference_in_stint,
        book: file.book(),
        anyway,
    };
    let columns: Vec<_> = others.iter().map(OpenedLap::lap_columns).collect();
    let others: Vec<_> = others.iter().zip(&columns).map(|(lap, columns)| lap.compared(columns)).collect();
    LapComparison::new(&comparing, &others).map_err(refused)
}

/// Why laps are not compared, and what can be done.
fn refused(why: NoComparison) -> anyhow::Error {
    match why {
        NoComparison::Empty => anyhow!("the laps can't be compared: {why}"),
        why => anyhow!("the laps can't be compared: {why}; --anyway compares them by lap fraction"),
    }
}
