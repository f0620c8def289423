//! Compares the corners of a lap under way with a reference that was placed once.

use trailbrake_model::units::{Unit, Units};

use super::{Advice, ThingsToFix};
use crate::coverage::PlacedCoverage;
use crate::ledger::{Cause, LateralGrip, Ledger, LedgerChannels, LedgerLaps, LedgerRow};
use crate::losses;
use crate::{
    Corner, CornerLoss, CornerRow, CornerTable, Fingerprint, LapColumns, PlacedLap, ReferenceLine, TrackBook,
    find_corners, slow_corners,
};

/// Smaller losses have no cause worth a word, seconds.
const LEAST_S: f64 = 0.015;
/// Smaller differences are not mentioned: of brake points, metres; of minimum speeds, m/s.
const LEAST_M: f64 = 3.0;
const LEAST_MS: f64 = 0.5;

/// A corner is compared from this far before its entry, metres: its braking begins behind that.
const LEAD_M: f64 = 400.0;
/// A part of a lap is first looked for in this many times the reference's time, and some seconds for positions to settle.
const SLOWEST: f64 = 1.5;
const SETTLES_S: f64 = 3.0;

/// A reference lap with its corners.
#[derive(Clone, Debug)]
pub struct CornerReference {
    line: Option<Box<ReferenceLine>>,
    channels: LedgerChannels,
    placed: PlacedLap,
    corners: Vec<Corner>,
    table: CornerTable,
}

/// What a lap did in one corner, against the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct CornerResult {
    /// The corner.
    pub corner: Corner,
    /// Where the corner's section ends, metres from the start line.
    pub to_m: f64,
    /// Seconds lost, from where either lap lifted or braked, to the exit.
    pub loss_s: f64,
    /// How much later the brake point was, metres; negative for earlier.
    pub later_m: Option<f64>,
    /// How much higher the minimum speed was, m/s; negative for lower.
    pub faster_ms: Option<f64>,
    /// What cost the time.
    pub cause: Option<Cause>,
    /// The lap's lateral grip.
    grip: Option<LateralGrip>,
}

impl CornerReference {
    /// A lap's corners, with the names and edits of the track book: on its line, else at its speed minima. `None` if it
    /// can't be placed in metres.
    pub fn learn(lap: &LapColumns<'_>, line: Option<&ReferenceLine>, book: &TrackBook) -> Option<Self> {
        let placed = match line {
            Some(line) => PlacedLap::on_line(lap, line, None)?,
            None => PlacedLap::measured(lap, PlacedLap::length_of(lap)?)?,
        };
        let corners = match line {
            Some(line) if !book.tracks().is_empty() => {
                book.corners(&Fingerprint::of(line), find_corners(line))
            }
            Some(line) => find_corners(line),
            None => slow_corners(lap, &placed),
        };
        let table = CornerTable::of(lap, &placed, &corners);
        let channels = LedgerChannels::of(lap);
        Some(Self { line: line.cloned().map(Box::new), channels, placed, corners, table })
    }

    /// The corners in driving order.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The lap's length, metres.
    pub fn length_m(&self) -> f64 {
        self.placed.length_m
    }

    /// The corners in driving order, with what the reference did in them.
    pub fn rows(&self) -> impl Iterator<Item = (&Corner, &CornerRow)> {
        self.corners.iter().zip(&self.table.rows)
    }

    /// The reference's own rows.
    pub(crate) fn placed(&self) -> &PlacedLap {
        &self.placed
    }

    /// Places a lap on the reference's line. `None` if data is missing.
    pub(crate) fn place(&self, lap: &LapColumns<'_>) -> Option<PlacedLap> {
        match &self.line {
            Some(line) => PlacedLap::on_line(lap, line, None),
            None => PlacedLap::measured(lap, self.placed.length_m),
        }
    }

    /// The corners that the reference braked for, with its brake points in metres from the start line.
    pub fn brake_points(&self) -> impl Iterator<Item = (&Corner, f64)> {
        let rows = self.corners.iter().zip(&self.table.rows);
        rows.filter_map(|(corner, row)| Some((corner, row.brake_on_m?)))
    }

    /// Whether a place lies between the brake point, else the entry, and the exit of a corner that is not flat out.
    pub fn is_in_corner(&self, place_m: f64) -> bool {
        self.corners_at(place_m).next().is_some()
    }

    /// Whether a place lies in a corner like that, other than the one with this number.
    pub fn is_in_other_corner(&self, place_m: f64, number: u16) -> bool {
        self.corners_at(place_m).any(|corner| corner.number != number)
    }

    fn corners_at(&self, place_m: f64) -> impl Iterator<Item = &Corner> {
        let corners = self.corners.iter().zip(&self.table.rows).filter(move |(corner, row)| {
            let from_m = row.brake_on_m.unwrap_or(corner.entry_m);
            row.flat != Some(true) && (from_m..corner.exit_m).contains(&place_m)
        });
        corners.map(|(corner, _)| corner)
    }

    /// The results of a lap under way in the corners that end between two places, after those `before`.
    pub fn results(
        &self,
        lap: &LapColumns<'_>,
        from_m: f64,
        to_m: f64,
        before: &[CornerResult],
    ) -> Vec<CornerResult> {
        let ends = |corner: &Corner| corner.exit_m > from_m && corner.exit_m <= to_m;
        let Some(first) = self.corners.iter().find(|corner| ends(corner)) else { return Vec::new() };
        let Some(compared) = self.compare_part(lap, first.entry_m - LEAD_M, to_m) else { return Vec::new() };
        let laps = compared.ledger_laps(self);
        let corners = self.corners.iter().enumerate().filter(|(_, corner)| ends(corner));
        let grips: Vec<LateralGrip> = before.iter().filter_map(|result| result.grip).collect();
        corners.filter_map(|(index, corner)| CornerResult::of(&laps, corner, index, &grips)).collect()
    }

    /// What to fix after a finished lap, each thing with its place's name.
    pub fn advice(&self, lap: &LapColumns<'_>) -> Vec<(String, Advice)> {
        let Some(compared) = self.compare(lap) else { return Vec::new() };
        let ledger = Ledger::of(&compared.ledger_laps(self));
        let names = |number: u16| {
            let corner = self.corners.iter().find(|corner| corner.number == number);
            corner.map_or_else(|| format!("T{number}"), Corner::title)
        };
        let things = ThingsToFix::of(&ledger, &self.corners, &[]).advice.into_iter();
        things.map(|thing| (thing.title(&self.corners, &names), thing)).collect()
    }

    /// The last part of the lap so far against the reference, from a place on. To place all of it again after each
    /// corner would take longer with every corner.
    fn compare_part(&self, lap: &LapColumns<'_>, from_m: f64, to_m: f64) -> Option<LapSoFar> {
        let took_s = self.placed.clock_at(to_m).zip(self.placed.clock_at(from_m)).map(|(to, from)| to - from);
        if let Some((took_s, last_s)) = took_s.zip(lap.clock_s().last()) {
            let part = self.compare(&lap.since(last_s - SLOWEST * took_s - SETTLES_S))?;
            if part.placed.distance_m.first().is_some_and(|first_m| *first_m < from_m) {
                return Some(part);
            }
        }
        // At the start of a lap, or if the lap is much slower than the reference.
        self.compare(lap)
    }

    /// The lap so far against the reference.
    fn compare(&self, lap: &LapColumns<'_>) -> Option<LapSoFar> {
        let placed = self.place(lap)?;
        let tables = [CornerTable::of(lap, &placed, &self.corners), self.table.clone()];
        let coverage = PlacedCoverage::new(&placed);
        let at = |place: f64| Some(coverage.clock_at(place)? - self.placed.clock_at(place)?);
        let (losses, _) = losses::by_corner(&self.corners, &tables, self.placed.length_m, &at);
        Some(LapSoFar { channels: LedgerChannels::of(lap), placed, tables, losses })
    }
}

/// A lap under way, compared with a reference.
struct LapSoFar {
    channels: LedgerChannels,
    placed: PlacedLap,
    tables: [CornerTable; 2],
    losses: Vec<CornerLoss>,
}

impl LapSoFar {
    fn ledger_laps<'a>(&'a self, reference: &'a CornerReference) -> LedgerLaps<'a> {
        LedgerLaps {
            channels: [&self.channels, &reference.channels],
            placed: [&self.placed, &reference.placed],
            tables: self.tables.each_ref(),
            losses: &self.losses,
            in_metres: true,
        }
    }
}

impl CornerResult {
    /// `None` if data is missing, or both laps are flat out there.
    fn of(laps: &LedgerLaps<'_>, corner: &Corner, index: usize, grips: &[LateralGrip]) -> Option<Self> {
        let [lap, reference] = laps.tables.map(|table| table.rows.get(index));
        let (lap, reference) = lap.zip(reference)?;
        let (row, grip) = LedgerRow::of_corner(laps, index, grips)?;
        if row.excursion.is_none() && lap.flat == Some(true) && reference.flat == Some(true) {
            return None;
        }
        let more = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
        Some(Self {
            corner: corner.clone(),
            to_m: row.to_m,
            loss_s: row.loss_s?,
            later_m: more(lap.brake_on_m, reference.brake_on_m),
            faster_ms: more(lap.min_ms, reference.min_ms),
            cause: Cause::of(&row),
            grip,
        })
    }

    /// What was different, in words; empty if nothing was.
    pub fn words(&self, units: &Units) -> String {
        if let Some(cause) = self.cause.filter(|_| self.loss_s >= LEAST_S) {
            return cause.words(units);
        }
        if let Some(metres) = self.later_m.filter(|metres| metres.abs() >= LEAST_M) {
            return format!(
                "braked {:.0} m {}",
                metres.abs(),
                if metres > 0.0 { "later" } else { "earlier" }
            );
        }
        let Some(ms) = self.faster_ms.filter(|ms| ms.abs() >= LEAST_MS) else { return String::new() };
        let unit = units.shown(Unit::MetresPerSecond);
        let more = if ms > 0.0 { "faster" } else { "slower" };
        format!("{:.*} {} {more} at the apex", unit.decimals, unit.value(ms.abs()), unit.suffix)
    }
}
