//! The compared laps: the comparison of the main lap with the reference, and every lap on one axis.

use std::rc::Rc;

use trailbrake_shared::analysis::{
    Comparison, Corner, Coverage, LapColumns, LapComparison, Method, NoComparison, TrackBook, coasts,
    coverage, grip_used,
};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Axis as Along, Channel, EventKind, Slot};
use trailbrake_shared::plot::TrackPath;

use super::braked::{self, Braked};
use super::loaded_lap::{LoadedLap, Values};
use super::pair::Pair;
use crate::analyse::{Axis, LapKey};

/// The compared laps.
pub(crate) struct ShownLaps {
    /// The main lap, the reference, then the others.
    pub(crate) laps: Vec<ShownLap>,
    pub(crate) pair: Rc<Pair>,
    /// The main lap against the reference, with its advice. Without a reference, the main lap against itself.
    pub(crate) lap_comparison: LapComparison,
    /// Whether there is a reference.
    pub(crate) compared: bool,
    /// The coverage of the main lap.
    pub(crate) coverage: Option<Coverage>,
    /// The delta over the main lap: seconds behind the reference.
    pub(crate) delta: Rc<Delta>,
    /// Laps that could not be compared with the reference, and why.
    pub(crate) refused: Vec<(LapKey, NoComparison)>,
    /// Laps that are compared by lap fraction, and why they can't be compared by distance.
    pub(crate) strangers: Vec<(LapKey, NoComparison)>,
}

/// A lap on the shared axis.
#[derive(Clone)]
pub(crate) struct ShownLap {
    pub(crate) loaded: Rc<LoadedLap>,
    /// The lap's clock at the reference's start line, seconds; `None` if the lap starts at the same line.
    start_s: Option<f64>,
    /// The lap distance of each row on the shared axis, metres.
    pub(crate) distance_m: Rc<Vec<f64>>,
    /// The lap's clock in each row, seconds.
    pub(crate) clock_s: Rc<Vec<f64>>,
    /// The lap's path from above, a position for each row.
    pub(crate) way: Rc<TrackPath>,
    /// How it braked for each corner.
    pub(crate) braked: Vec<Braked>,
}

/// The delta as it is drawn, over lap distance and over the main lap's clock.
pub(crate) struct Delta {
    pub(crate) distance_m: Rc<Vec<f64>>,
    pub(crate) clock_s: Rc<Vec<f64>>,
    pub(crate) values: Rc<Values>,
}

impl ShownLaps {
    /// Compares the main lap with the reference, then the others with the reference as far as possible.
    pub(crate) fn new(
        pair: Rc<Pair>,
        others: &[Rc<LoadedLap>],
        book: &TrackBook,
    ) -> Result<Self, NoComparison> {
        let (main, reference) = (Rc::clone(&pair.main), Rc::clone(pair.reference()));
        let lap_comparison = pair.compare(book)?;
        let comparison = &lap_comparison.comparison;
        let shown_lap =
            |loaded: &Rc<LoadedLap>, columns: &LapColumns<'_>, start_s, distance_m: Vec<f64>| ShownLap {
                loaded: Rc::clone(loaded),
                start_s,
                distance_m: Rc::new(distance_m),
                clock_s: Rc::new(columns.clock_s().to_vec()),
                way: Rc::new(path_of(columns)),
                braked: Vec::new(),
            };
        let start_s = |comparison: &Comparison| comparison.start_line_shift.map(|shift| shift.clock_s);
        let columns = comparison.in_order(&main.columns());
        let [main_placed, reference_placed] = &comparison.placed;
        let mut laps = vec![shown_lap(&main, &columns, start_s(comparison), main_placed.distance_m.clone())];
        if pair.has_reference() {
            laps.push(shown_lap(&reference, &reference.columns(), None, reference_placed.distance_m.clone()));
        }
        for (lap, (table, placed)) in laps.iter_mut().zip(comparison.tables.iter().zip(&comparison.placed)) {
            lap.braked = braked::of(table, placed, None);
        }
        let mut refused = Vec::new();
        let mut strangers: Vec<_> = comparison.strangers.into_iter().map(|why| (main.key, why)).collect();
        for loaded in others {
            match pair.compare_other(loaded, book) {
                Ok(third) => {
                    let places = third.places_on(comparison).unwrap_or_default();
                    let columns = third.in_order(&loaded.columns());
                    let mut lap = shown_lap(loaded, &columns, start_s(&third), places);
                    // The lap's own corner table may be on another line than the shared axis.
                    let ([table, _], [placed, _]) = (&third.tables, &third.placed);
                    lap.braked = braked::of(table, placed, Some(&|clock_s| lap.place_when(clock_s)));
                    laps.push(lap);
                    strangers.extend(third.strangers.map(|why| (loaded.key, why)));
                }
                Err(why) => refused.push((loaded.key, why)),
            }
        }
        Ok(Self {
            coverage: coverage(&columns),
            delta: Rc::new(Delta::of(comparison)),
            laps,
            lap_comparison,
            compared: pair.has_reference(),
            pair,
            refused,
            strangers,
        })
    }

    /// The same laps, with other laps of the stint.
    pub(crate) fn with_stint(&self, others: Vec<(Lap, Comparison)>, book: &TrackBook) -> Self {
        Self {
            laps: self.laps.clone(),
            pair: Rc::clone(&self.pair),
            lap_comparison: self.pair.with_stint(self.comparison(), others, book),
            compared: self.compared,
            coverage: self.coverage.clone(),
            delta: Rc::clone(&self.delta),
            refused: self.refused.clone(),
            strangers: self.strangers.clone(),
        }
    }

    /// The main lap against the reference.
    pub(crate) fn comparison(&self) -> &Comparison {
        &self.lap_comparison.comparison
    }

    /// A corner's short name; `T5` for a number that is not in the comparison.
    pub(crate) fn corner_name(&self, number: u16) -> String {
        let corner = self.comparison().corners.iter().find(|corner| corner.number == number);
        corner.map_or_else(|| format!("T{number}"), Corner::short_title)
    }

    /// Whether laps of different tracks are compared.
    pub(crate) fn are_strangers(&self) -> bool {
        !self.strangers.is_empty()
    }

    /// Whether there is a reference that can be compared by distance.
    pub(crate) fn compares_places(&self) -> bool {
        self.compared && self.comparison().strangers.is_none()
    }

    /// The length of an axis: metres of the reference line, or seconds of the main lap.
    pub(crate) fn whole(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Distance => self.comparison().length_m,
            Axis::Time => self.laps.first().and_then(|lap| lap.clock_s.last().copied()).unwrap_or(1.0),
        }
    }

    /// The point of an axis at a lap distance, by the main lap's clock; `None` in a gap of the main lap.
    pub(crate) fn on_axis(&self, axis: Axis, place_m: f64) -> Option<f64> {
        match axis {
            Axis::Distance => Some(place_m),
            Axis::Time => self.comparison().placed.first()?.clock_at(place_m),
        }
    }

    /// The lap distance at a point of an axis, by the main lap's clock.
    pub(crate) fn place(&self, axis: Axis, at: f64) -> Option<f64> {
        match axis {
            Axis::Distance => Some(at),
            Axis::Time => self.comparison().placed.first()?.place_at(at),
        }
    }

    /// The main lap's position from above at a lap distance.
    pub(crate) fn seen_at(&self, place_m: f64) -> Option<[f32; 2]> {
        let lap = self.laps.first()?;
        lap.way.place(lap.row_at(place_m)?)
    }

    /// Gaps in the main lap's data on an axis: from, to.
    pub(crate) fn gaps(&self, axis: Axis) -> Vec<(f64, f64)> {
        let holes = self.coverage.iter().flat_map(|coverage| &coverage.holes);
        holes
            .filter_map(|hole| self.of_clock(axis, hole.from_s).zip(self.of_clock(axis, hole.to_s)))
            .collect()
    }

    /// The main lap's jumps, impacts, pauses and rewinds with their lap distances, in track order.
    pub(crate) fn events(&self) -> Vec<(f64, &EventKind)> {
        let Some(main) = self.laps.first() else { return Vec::new() };
        let end_s = main.clock_s.last().copied().unwrap_or_default();
        let in_lap = main.loaded.events().filter(|(clock_s, _)| (0.0..=end_s).contains(clock_s));
        let mut events: Vec<_> = in_lap
            .filter_map(|(clock_s, what)| Some((self.of_clock(Axis::Distance, *clock_s)?, what)))
            .collect();
        events.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        events
    }

    /// Coasting in the main lap on an axis: from, to.
    pub(crate) fn coasts(&self, axis: Axis) -> Vec<(f64, f64)> {
        let Some(main) = self.laps.first() else { return Vec::new() };
        let pedal = |channel: Channel| main.values(channel.slot());
        let Some((throttle, brake)) = pedal(Channel::Throttle).zip(pedal(Channel::Brake)) else {
            return Vec::new();
        };
        let rows = match axis {
            Axis::Distance => &main.distance_m,
            Axis::Time => &main.clock_s,
        };
        let found = coasts(&throttle.values, &brake.values, &main.clock_s);
        found.iter().filter_map(|range| Some((*rows.get(range.start)?, *rows.get(range.end)?))).collect()
    }

    /// The index of a lap among the compared laps.
    pub(crate) fn place_of(&self, key: LapKey) -> Option<usize> {
        self.laps.iter().position(|lap| lap.loaded.key == key)
    }

    /// The lap distance of the lap with index `place` when its clock showed `clock_s`, in metres.
    pub(crate) fn place_on_clock(&self, place: usize, clock_s: f64) -> Option<f64> {
        let lap = self.laps.get(place)?;
        let row = lap.clock_s.partition_point(|clock| *clock < clock_s);
        lap.distance_m.get(row).or(lap.distance_m.last()).copied()
    }

    /// The main lap's own clock at a lap distance, in seconds. A shift of the start line is undone.
    pub(crate) fn main_clock_at(&self, at_m: f64) -> Option<f64> {
        let clock_s = self.on_axis(Axis::Time, at_m)?;
        let seconds = self.laps.first()?.loaded.columns().seconds();
        Some(match self.comparison().start_line_shift {
            Some(turned) => (clock_s + turned.clock_s) % seconds,
            None => clock_s,
        })
    }

    /// The point of an axis at a time of the main lap's clock.
    fn of_clock(&self, axis: Axis, clock_s: f64) -> Option<f64> {
        match axis {
            Axis::Distance => self.place(Axis::Time, clock_s),
            Axis::Time => Some(clock_s),
        }
    }

    /// How the laps were aligned, and the residual in metres if the method has one.
    pub(crate) fn method(&self) -> (Method, Option<f64>) {
        (self.comparison().method, self.comparison().residual_m)
    }
}

impl ShownLap {
    /// The position of each row on an axis: lap distance or the lap's clock.
    pub(crate) fn along(&self, axis: Axis) -> &Rc<Vec<f64>> {
        match axis {
            Axis::Distance => &self.distance_m,
            Axis::Time => &self.clock_s,
        }
    }

    /// The lap's position from above at a time of its clock, seconds.
    pub(crate) fn seen_when(&self, clock_s: f64) -> Option<[f32; 2]> {
        let row = self.clock_s.partition_point(|clock| *clock < clock_s);
        self.way.place(row.min(self.clock_s.len().checked_sub(1)?))
    }

    /// The lap distance on the shared axis at a time of the lap's clock, seconds; `None` before the first row.
    fn place_when(&self, clock_s: f64) -> Option<f64> {
        let after = self.clock_s.partition_point(|clock| *clock <= clock_s);
        let before = after.checked_sub(1)?;
        let (from, from_s) = (*self.distance_m.get(before)?, *self.clock_s.get(before)?);
        let (Some(to), Some(to_s)) = (self.distance_m.get(after), self.clock_s.get(after)) else {
            return Some(from);
        };
        Some(from + (to - from) * (clock_s - from_s) / (to_s - from_s))
    }

    /// The lap's columns, with rows that begin at the reference's start line.
    pub(crate) fn columns(&self) -> LapColumns<'_> {
        let columns = self.loaded.columns();
        self.start_s.map_or_else(|| columns.clone(), |clock_s| columns.begun_at(clock_s))
    }

    /// The first row at or after a lap distance, or the last row.
    pub(crate) fn row_at(&self, place_m: f64) -> Option<usize> {
        let last = self.distance_m.len().checked_sub(1)?;
        Some(self.distance_m.partition_point(|place| *place < place_m).min(last))
    }

    /// A channel's values in each row of [`Self::columns`]; `None` if the game did not send it.
    pub(crate) fn values(&self, slot: Slot) -> Option<Rc<Values>> {
        match self.start_s {
            None => self.loaded.values(slot),
            Some(_) => Values::of(&self.columns(), slot).map(Rc::new),
        }
    }

    /// The grip used in each row of [`Self::columns`]; `None` if the game does not send what it follows from.
    pub(crate) fn grip_used(&self) -> Option<Rc<Values>> {
        match self.start_s {
            None => self.loaded.grip_used(),
            Some(_) => grip_used(&self.columns()).map(|values| Rc::new(Values::new(values))),
        }
    }
}

impl Delta {
    /// The position of each value on an axis: lap distance or the main lap's clock.
    pub(crate) fn along(&self, axis: Axis) -> &Rc<Vec<f64>> {
        match axis {
            Axis::Distance => &self.distance_m,
            Axis::Time => &self.clock_s,
        }
    }

    fn of(comparison: &Comparison) -> Self {
        let [main, _] = &comparison.placed;
        let values = comparison.delta.iter().map(|(_, seconds)| *seconds as f32).collect();
        let places: Vec<f64> = comparison.delta.iter().map(|(place, _)| *place).collect();
        let mut before = 0.0_f64;
        let clocks = places.iter().map(|place| {
            before = main.clock_at(*place).unwrap_or(before).max(before);
            before
        });
        let clock_s = Rc::new(clocks.collect());
        Self { clock_s, distance_m: Rc::new(places), values: Rc::new(Values::new(values)) }
    }
}

/// A lap's path from above; empty without positions.
fn path_of(lap: &LapColumns<'_>) -> TrackPath {
    let along = |axis| lap.values(Channel::Position.along(axis));
    let (Some(x), Some(z)) = (along(Along::X), along(Along::Z)) else { return TrackPath::default() };
    TrackPath::new(x.into_iter().zip(z).map(|(x, z)| [x as f32, z as f32]).collect())
}
