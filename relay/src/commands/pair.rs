//! A lap and its reference.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use trailbrake_shared::analysis::{Comparing, LapComparison, NoComparison};
use trailbrake_shared::lap_catalogue::{LapChoice, LapEntry, LapQuery};
use trailbrake_shared::model::Car;

use super::lap_arguments::{one_lap, query};
use crate::files::{LapFile, OpenedLap, PacketSplit};
use crate::library::BookPlace;

/// A lap, and the one that it is compared with.
#[derive(Clone, Debug, Args)]
pub struct Pair {
    /// A recording, a capture, or bare packets
    pub file: PathBuf,
    /// The lap, by number, or best
    #[arg(long, value_name = "N|best", value_parser = one_lap)]
    pub lap: LapChoice,
    /// The lap that it is compared with, by number, or the best other one that counts
    #[arg(long, value_name = "N|best", default_value = "best", value_parser = one_lap)]
    pub reference: LapChoice,
    /// The file that the reference is in, where that is another one
    #[arg(long, value_name = "FILE2")]
    pub reference_file: Option<PathBuf>,
    /// Laps of the car with this number instead of the player's
    #[arg(long, value_name = "N")]
    pub car: Option<u8>,
    /// The reference's car, where that has another number
    #[arg(long, value_name = "N")]
    pub reference_car: Option<u8>,
    /// Of several sessions in the file, this one, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub session: Option<u16>,
    /// Of several runs, as of a stage or after a restart, this one, counted from 1; otherwise the last one in which the lap
    /// was finished
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub run: Option<u16>,
    /// The reference's run, where several have a lap of its number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub reference_run: Option<u16>,
    /// Compare laps of different tracks too, by lap fraction
    #[arg(long)]
    pub anyway: bool,
    /// The folder with the track book.
    #[command(flatten)]
    pub at: BookPlace,
    /// How to split the files into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

impl Pair {
    /// The query for the lap.
    pub(crate) fn query(&self) -> LapQuery {
        query(Some(self.lap), self.car, self.session, self.run)
    }

    /// The query for the reference, of this car and session.
    pub(crate) fn reference_query(&self, car: Option<u8>, session: Option<u16>) -> LapQuery {
        query(Some(self.reference), car, session, self.reference_run)
    }
}

/// A lap, its reference, and the comparison.
pub(crate) struct ComparedPair {
    pub(crate) lap: OpenedLap,
    pub(crate) reference: OpenedLap,
    /// Why this reference was chosen, where the user did not name it.
    pub(crate) chosen: Option<&'static str>,
    pub(crate) compared: LapComparison,
}

impl ComparedPair {
    /// Compares the requested laps.
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
}

/// Compares a lap of a file with a reference in that file or another, with the lap's stint.
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
    // The reference loses nothing against itself.
    let stint: Vec<LapEntry> = stint.into_iter().filter(|entry| !is_reference(entry)).collect();
    let others = file.samples_of_all(&stint)?;
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

/// Why laps are not compared, and what to do.
fn refused(why: NoComparison) -> anyhow::Error {
    match why {
        NoComparison::Empty => anyhow!("the laps can't be compared: {why}"),
        why => anyhow!("the laps can't be compared: {why}; --anyway compares them by lap fraction"),
    }
}
