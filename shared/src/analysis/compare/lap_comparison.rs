//! A lap compared with a reference and weighed by its stint: everything that report, page and command line say of it.

use super::{Comparison, NoComparison, Stint, TheoreticalBest};
use crate::analysis::{Combo, LapColumns, TrackBook};
use crate::laps::Lap;

/// One of the laps that are compared.
#[derive(Clone, Copy, Debug)]
pub struct ComparedLap<'a> {
    /// The lap, with its official times.
    pub lap: &'a Lap,
    /// Its samples.
    pub columns: &'a LapColumns<'a>,
    /// What it was driven in, and where.
    pub combo: &'a Combo,
}

/// A lap compared with a reference, and what the other laps of its stint add.
#[derive(Clone, Debug)]
pub struct LapComparison {
    /// The main lap against the reference.
    pub comparison: Comparison,
    /// Other laps of the stint against the same reference.
    pub others: Vec<Comparison>,
    /// The numbers of those laps.
    pub numbers: Vec<u16>,
    /// What the stint says: the largest losses, those that come again first, and how the brake points are spread.
    pub stint: Stint,
    /// What has to be said before anything else: that cars or tracks differ.
    pub warnings: Vec<String>,
    /// What the best parts of all these laps come to.
    pub theoretical_best: TheoreticalBest,
}

/// What is compared, and how.
#[derive(Clone, Copy, Debug)]
pub struct Comparing<'a> {
    /// The lap that is looked at.
    pub main: ComparedLap<'a>,
    /// What it is compared with.
    pub reference: ComparedLap<'a>,
    /// Whether both are of one driver in one car.
    pub same_seat: bool,
    /// Whether the reference is of the main lap's stint too.
    pub reference_in_stint: bool,
    /// What people call tracks and corners.
    pub book: &'a TrackBook,
    /// Whether laps of different tracks are compared all the same, by lap fraction.
    pub anyway: bool,
}

impl LapComparison {
    /// Compares a lap with its reference, and with as many other laps of its stint as can be compared with that.
    pub fn new(comparing: &Comparing<'_>, stint: &[ComparedLap<'_>]) -> Result<Self, NoComparison> {
        let comparison = comparing.compare(&comparing.main)?;
        let others = stint.iter().filter_map(|other| Some((other.lap, comparing.compare(other).ok()?)));
        Ok(Self::weigh(comparing, comparison, others.collect()))
    }

    /// The same of comparisons that were made before.
    pub fn weigh(
        comparing: &Comparing<'_>,
        comparison: Comparison,
        mut others: Vec<(&Lap, Comparison)>,
    ) -> Self {
        let Comparing { main, reference, same_seat, reference_in_stint, .. } = *comparing;
        others.retain(|(_, other)| other.strangers.is_none());
        let mut laps = vec![(main.lap, &comparison)];
        laps.extend(others.iter().map(|(lap, other)| (*lap, other)));
        let theoretical_best = TheoreticalBest::of(&laps, Some(reference.lap).filter(|_| same_seat));
        let mut warnings: Vec<String> = comparison.strangers.iter().map(not_by_place).collect();
        if !same_seat {
            let cars = [("the lap", main.combo), ("the reference", reference.combo)];
            warnings.extend(Combo::other_cars(&cars));
        }
        let (laps, others): (Vec<&Lap>, Vec<Comparison>) = others.into_iter().unzip();
        Self {
            stint: Stint::new(&comparison, &others, reference_in_stint),
            comparison,
            others,
            numbers: laps.into_iter().map(|lap| lap.number).collect(),
            warnings,
            theoretical_best,
        }
    }
}

impl Comparing<'_> {
    /// Compares a lap with the reference.
    pub fn compare(&self, lap: &ComparedLap<'_>) -> Result<Comparison, NoComparison> {
        let laps = [(lap.columns, lap.combo), (self.reference.columns, self.reference.combo)];
        Comparison::with_combos(laps, self.book, self.anyway)
    }
}

/// The warning above laps that are compared though no place of one is a place of the other.
fn not_by_place(why: &NoComparison) -> String {
    format!(
        "These laps can't be compared place by place: {why}. They are compared by lap fraction, without corners."
    )
}
