//! The corners of the lap under way against the reference: results of the last ones, and the next brake point.

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::{Advice, CloseCar, CornerReference, CornerResult, LapColumns};
use trailbrake_model::Columns;

use super::reference_lap::ReferenceLap;
use super::traffic::TrafficLog;

/// A corner's result is known this far after its exit, metres.
const AFTER_M: f64 = 15.0;
/// A brake point that was passed by less than this is still the next one, metres.
const PASSED_M: f64 = 10.0;

/// The corners of the lap under way, and of the last one.
#[derive(Clone, Debug, Default)]
pub struct LiveCorners {
    /// The newest place, metres from the start line, and the game's clock there, seconds.
    located: Option<(f64, f64)>,
    /// Corners that end before this place are done, metres.
    done_m: Option<f64>,
    results: Vec<CornerResult>,
    finished: Vec<CornerResult>,
    advice: Vec<(String, Advice)>,
    latest: Option<CornerResult>,
}

/// The next brake point, and its corner.
#[derive(Clone, Debug, PartialEq)]
pub struct NextCorner {
    /// The corner's number.
    pub number: u16,
    /// Its name, else its number.
    pub title: String,
    /// The brake point, metres from the start line: the reference's, or one set by hand.
    pub brake_m: f64,
    /// Whether the driver set it.
    pub by_hand: bool,
    /// Metres to it; negative just behind it.
    pub ahead_m: f64,
    /// Seconds that the reference took from here to there.
    pub ahead_s: f64,
}

/// A lap under way, or one that has just ended.
#[derive(Clone, Copy)]
pub(super) struct LiveLap<'a> {
    pub(super) lap: &'a Lap,
    pub(super) columns: &'a Columns,
    pub(super) traffic: &'a TrafficLog,
}

impl<'a> LiveLap<'a> {
    /// Its samples, for analysis.
    fn columns(self) -> LapColumns<'a> {
        LapColumns::new(self.lap, self.columns)
    }

    /// Where other cars were close.
    fn close(self) -> Vec<CloseCar> {
        self.traffic.of_lap(self.lap.number)
    }
}

impl LiveCorners {
    /// The result of the last corner, also when that was in the lap before.
    pub fn latest(&self) -> Option<&CornerResult> {
        self.latest.as_ref()
    }

    /// The results of the lap under way.
    pub fn results(&self) -> &[CornerResult] {
        &self.results
    }

    /// The results of the last finished lap.
    pub fn finished(&self) -> &[CornerResult] {
        &self.finished
    }

    /// What to fix after the last finished lap, each thing with the name of its corner or straight.
    pub fn advice(&self) -> &[(String, Advice)] {
        &self.advice
    }

    /// Where the car is, metres from the start line, if that is known.
    pub fn place_m(&self) -> Option<f64> {
        self.located.map(|(place_m, _)| place_m)
    }

    /// Whether the car is in a corner, from the reference's brake point to the exit. `None` if its place is unknown.
    pub fn in_corner(&self, reference: &ReferenceLap) -> Option<bool> {
        Some(reference.corners.as_ref()?.is_in_corner(self.place_m()?))
    }

    /// The next corner with a brake point; after the last one, the first of the next lap if laps follow each other.
    pub fn next(&self, reference: &ReferenceLap, is_circuit: bool) -> Option<NextCorner> {
        let corners = reference.corners.as_ref()?;
        let place_m = self.place_m()?;
        let points = &reference.brake_points;
        let ahead = points.iter().find(|point| point.at_m > place_m - PASSED_M);
        let again = || points.first().filter(|_| is_circuit);
        let lap_m = if ahead.is_some() { 0.0 } else { corners.length_m() };
        let point = ahead.or_else(again)?;
        let brake_m = point.at_m;
        let clock = |place_m: f64| reference.curve.clock_at(place_m as f32).map(f64::from);
        let lap_s = if ahead.is_some() { 0.0 } else { reference.curve.time().seconds() };
        Some(NextCorner {
            number: point.number,
            title: point.title.clone(),
            by_hand: point.by_hand,
            brake_m,
            ahead_m: lap_m + brake_m - place_m,
            ahead_s: lap_s + clock(brake_m)? - clock(place_m)?,
        })
    }

    /// When the car was at that place, in seconds on the game's clock.
    pub fn located_s(&self) -> Option<f64> {
        self.located.map(|(_, seconds)| seconds)
    }

    /// Takes the car's place and the game's clock there.
    pub(super) fn locate(&mut self, place_m: f32, seconds: f64) {
        let place_m = f64::from(place_m);
        self.located = Some((place_m, seconds));
        // After a rewind the corners ahead are driven again.
        while self.results.pop_if(|result| result.to_m > place_m + AFTER_M).is_some() {}
        let done_m = self.done_m.get_or_insert(place_m);
        *done_m = done_m.min(place_m);
    }

    /// The place is unknown.
    pub(super) fn lose(&mut self) {
        self.located = None;
    }

    /// Compares the corners that ended since the last time.
    pub(super) fn compare(&mut self, reference: &ReferenceLap, lap: LiveLap<'_>) {
        if let Some((corners, place_m)) = reference.corners.as_ref().zip(self.place_m()) {
            self.compare_until(corners, lap, place_m - AFTER_M);
        }
    }

    fn compare_until(&mut self, corners: &CornerReference, lap: LiveLap<'_>, until_m: f64) {
        let Some(from_m) = self.done_m.filter(|from_m| *from_m < until_m) else { return };
        self.done_m = Some(until_m);
        if !corners.corners().iter().any(|corner| corner.exit_m > from_m && corner.exit_m <= until_m) {
            return;
        }
        let close = lap.close();
        let results = corners.results(&lap.columns().among(&close), from_m, until_m, &self.results);
        self.results.extend(results);
        self.latest = self.results.last().cloned().or(self.latest.take());
    }

    /// The lap under way has ended.
    pub(super) fn finish(&mut self, reference: &ReferenceLap, lap: LiveLap<'_>) {
        self.advice.clear();
        if let Some(corners) = &reference.corners {
            self.compare_until(corners, lap, corners.length_m());
            let close = lap.close();
            self.advice = corners.advice(&lap.columns().among(&close));
        }
    }

    /// Another lap begins.
    pub(super) fn begin(&mut self) {
        self.finished = std::mem::take(&mut self.results);
        (self.located, self.done_m) = (None, None);
    }

    /// The lap is compared from its start again, with another reference.
    pub(super) fn follow_again(&mut self) {
        self.results.clear();
        (self.located, self.done_m, self.latest) = (None, None, None);
    }
}
