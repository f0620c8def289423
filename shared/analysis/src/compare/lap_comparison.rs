//! A lap compared with a reference, with its stint: the numbers that report, page and command line show.

use super::{Advice, ComparedLap, Comparison, NoComparison, PlacedLaps, Stint, TheoreticalBest, stint};
use crate::laps::Lap;
use crate::ledger::LedgerRow;
use crate::{Combo, TrackBook};

/// Two laps are in like conditions if what is not driving costs both the same: within so many seconds, or within this part
/// of it.
const LIKE_S: f64 = 0.05;
const LIKE_SHARE: f64 = 0.25;

/// A lap compared with a reference, and with the other laps of its stint.
#[derive(Clone, Debug)]
pub struct LapComparison {
    /// The main lap against the reference.
    pub comparison: Comparison,
    /// Other laps of the stint against the same reference.
    pub others: Vec<Comparison>,
    /// The numbers of those laps.
    pub numbers: Vec<u16>,
    /// Advice and brake point spread over the stint.
    pub stint: Stint,
    /// Warnings to show first: different cars or tracks.
    pub warnings: Vec<String>,
    /// The theoretical best of all these laps.
    pub theoretical_best: TheoreticalBest,
}

/// Options of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Comparing<'a> {
    /// The main lap.
    pub main: ComparedLap<'a>,
    /// The reference.
    pub reference: ComparedLap<'a>,
    /// Whether both laps are of one driver in one car.
    pub same_seat: bool,
    /// Whether the reference is in the main lap's stint.
    pub reference_in_stint: bool,
    /// Names of tracks and corners.
    pub book: &'a TrackBook,
    /// Whether to compare laps of different tracks by lap fraction.
    pub anyway: bool,
}

impl LapComparison {
    /// Compares a lap with its reference, and with the laps of its stint that can be compared with that reference.
    pub fn new(comparing: &Comparing<'_>, stint: &[ComparedLap<'_>]) -> Result<Self, NoComparison> {
        let comparison = comparing.compare(&comparing.main)?;
        let others = stint.iter().filter_map(|other| Some((other.lap, comparing.compare(other).ok()?)));
        Ok(Self::with_stint(comparing, comparison, others.collect()))
    }

    /// Like [`Self::new`], for existing comparisons.
    pub fn with_stint(
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

impl LapComparison {
    /// The cause of a row of the ledger, with what it costs over the stint. `None` if there is none.
    pub fn advice_at(&self, row: &LedgerRow) -> Option<Advice> {
        Advice::of(row, &self.comparison.corners, &stint::ledgers(&self.comparison, &self.others))
    }

    /// The number of the fastest lap of the stint in like conditions: with as much battery, DRS, tow, fuel and grip as the main lap.
    /// `None` if the reference itself is, or no such lap is faster than the main lap.
    pub fn in_like_conditions(&self) -> Option<u16> {
        let own = &self.comparison.ledger;
        let not_driving_s = own.not_driving_s();
        let within_s = LIKE_S.max(LIKE_SHARE * not_driving_s.abs());
        let is_like = |other_s: f64| (other_s - not_driving_s).abs() <= within_s;
        if is_like(0.0) {
            return None;
        }
        let own_s = own.loss_s()?;
        let others = self.others.iter().zip(&self.numbers);
        let like = others.filter(|(other, _)| is_like(other.ledger.not_driving_s()));
        let faster = like
            .filter_map(|(other, number)| Some((other.ledger.loss_s()?, *number)))
            .filter(|(lost_s, _)| *lost_s < own_s - LIKE_S);
        faster.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, number)| number)
    }
}

impl Comparing<'_> {
    /// Compares a lap with the reference.
    pub fn compare(&self, lap: &ComparedLap<'_>) -> Result<Comparison, NoComparison> {
        Ok(PlacedLaps::of(lap, &self.reference, self.book, self.anyway)?.compare())
    }
}

/// The warning for laps compared by lap fraction.
fn not_by_place(why: &NoComparison) -> String {
    format!(
        "These laps can't be compared place by place: {why}. They are compared by lap fraction, without corners."
    )
}
