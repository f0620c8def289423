//! Compares the corners of a lap under way with a reference that was placed once.

use trailbrake_model::units::{Unit, Units};

use super::cause::Cause;
use super::{Advice, Comparison, find_advice, flat_corners};
use crate::coverage::PlacedCoverage;
use crate::losses;
use crate::{
    Corner, CornerRow, CornerTable, Fingerprint, LapColumns, PlacedLap, ReferenceLine, TrackBook,
    find_corners, slow_corners,
};

/// Smaller losses have no cause worth a word, seconds.
const LEAST_S: f64 = 0.015;
/// Smaller differences are not mentioned: of brake points, metres; of minimum speeds, m/s.
const LEAST_M: f64 = 3.0;
const LEAST_MS: f64 = 0.5;

/// A reference lap with its corners.
#[derive(Clone, Debug)]
pub struct CornerReference {
    line: Option<Box<ReferenceLine>>,
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
        Some(Self { line: line.cloned().map(Box::new), placed, corners, table })
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

    /// The results of a lap under way in the corners that end between two places.
    pub fn results(&self, lap: &LapColumns<'_>, from_m: f64, to_m: f64) -> Vec<CornerResult> {
        let ends = |corner: &Corner| corner.exit_m > from_m && corner.exit_m <= to_m;
        if !self.corners.iter().any(ends) {
            return Vec::new();
        }
        let Some(compared) = self.compare(lap) else { return Vec::new() };
        let corners = self.corners.iter().enumerate().filter(|(_, corner)| ends(corner));
        corners.filter_map(|(index, _)| CornerResult::of(&compared, index)).collect()
    }

    /// The largest losses of a finished lap with their causes, each with its corner.
    pub fn advice(&self, lap: &LapColumns<'_>) -> Vec<(Corner, Advice)> {
        let compared = self.compare(lap);
        let advice = compared.iter().flat_map(|compared| find_advice(compared, &[]));
        let corner = |number: u16| self.corners.iter().find(|corner| corner.number == number).cloned();
        advice.filter_map(|advice| Some((corner(advice.corner)?, advice))).collect()
    }

    /// The lap so far against the reference: only what corners need.
    fn compare(&self, lap: &LapColumns<'_>) -> Option<Comparison> {
        let placed = self.place(lap)?;
        let tables = [CornerTable::of(lap, &placed, &self.corners), self.table.clone()];
        let coverage = PlacedCoverage::new(lap, &placed);
        let at = |place: f64| Some(coverage.clock_at(place)? - self.placed.clock_at(place)?);
        let (losses, straights) = losses::by_corner(&self.corners, &tables, self.placed.length_m, &at);
        Some(Comparison {
            method: placed.method.max(self.placed.method),
            residual_m: None,
            length_m: self.placed.length_m,
            in_metres: true,
            delta: Vec::new(),
            minis: Vec::new(),
            track: None,
            sameness: None,
            corners: self.corners.clone(),
            tables,
            losses,
            straights,
            placed: [placed, self.placed.clone()],
            start_line_shift: None,
            strangers: None,
            began_m: [0.0; 2],
        })
    }
}

impl CornerResult {
    /// `None` if data is missing, or both laps are flat out there.
    fn of(compared: &Comparison, index: usize) -> Option<Self> {
        let (corner, loss) = compared.corners.get(index).zip(compared.losses.get(index))?;
        let (lap, reference) = compared.rows(index)?;
        if flat_corners::is_carried(compared, index) && reference.flat == Some(true) {
            return None;
        }
        let more = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
        Some(Self {
            corner: corner.clone(),
            to_m: loss.to_m,
            loss_s: loss.loss_s()?,
            later_m: more(lap.brake_on_m, reference.brake_on_m),
            faster_ms: more(lap.min_ms, reference.min_ms),
            cause: Cause::of(compared, index, loss),
        })
    }

    /// What was different, in words; empty if nothing was.
    pub fn words(&self, units: &Units) -> String {
        if let Some(cause) = self.cause.filter(|cause| self.loss_s >= LEAST_S && cause.is_known()) {
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
