//! The reference lap as clock over distance, and the delta of another lap to it.

use std::fmt;

use trailbrake_model::Channel;
use trailbrake_model::time::LapTime;

use super::LapColumns;

/// A car further behind the lap's end than this is no longer on the lap, metres.
const BEYOND_M: f32 = 50.0;
/// This long after the line the distance is the new lap's for sure, seconds.
const SETTLE_S: f32 = 1.0;
/// The speed at the lap's end is measured over this distance, metres.
const LAST_M: f32 = 20.0;

/// A finished reference lap: its clock over distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    time: LapTime,
    distance_m: Vec<f32>,
    clock_s: Vec<f32>,
}

/// Why there is no delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDelta {
    /// The game sends no distance.
    NoDistance,
    /// The game sends no clock in this lap.
    NoClock,
    /// There is no counted lap yet.
    NoReference,
    /// The car is on its way to the line, in the pits or off the track.
    NotOnLap,
}

impl fmt::Display for NoDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoDistance => "finish a lap first (no lap distance in this game)",
            Self::NoClock => "the game sends no lap clock in this lap",
            Self::NoReference => "no reference lap yet",
            Self::NotOnLap => "away from the reference lap",
        })
    }
}

impl Reference {
    /// A reference from a lap's points of distance and clock in driving order, with its official time.
    ///
    /// The curve begins at the line with clock 0 and ends there with the official time, so that a delta ends at the
    /// difference of the official times.
    pub fn new(points: impl IntoIterator<Item = (f32, f32)>, time: LapTime) -> Result<Self, NoDelta> {
        let end_s = time.seconds() as f32;
        let (mut distance_m, mut clock_s): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        for (distance, clock) in points {
            let forward = distance_m.last().is_none_or(|last| distance > *last);
            let onward = clock_s.last().is_none_or(|last| clock >= *last);
            if !forward && clock < SETTLE_S {
                // The previous lap's distance can still be sent a little longer than its clock.
                distance_m.clear();
                clock_s.clear();
            } else if !(forward && onward) {
                continue;
            }
            if !(distance.is_finite() && (0.0..end_s).contains(&clock)) {
                continue;
            }
            if distance > 0.0 && distance_m.is_empty() {
                distance_m.push(0.0);
                clock_s.push(0.0);
            }
            distance_m.push(distance);
            clock_s.push(clock);
        }
        let mut reference = Self { time, distance_m, clock_s };
        let length = reference.length_from_speed(end_s).ok_or(NoDelta::NoDistance)?;
        reference.distance_m.push(length);
        reference.clock_s.push(end_s);
        Ok(reference)
    }

    /// A lap's clock over its own distance. `None` where its time or its distance is unknown.
    pub fn of_lap(columns: &LapColumns<'_>) -> Option<Self> {
        let rows = columns.rows([Channel::LapDistance.slot()]).ok()?;
        Self::new(rows.iter().map(|row| (row.values[0], row.clock_s as f32)), columns.time?).ok()
    }

    /// The lap's official time.
    pub fn time(&self) -> LapTime {
        self.time
    }

    /// The lap's length, metres.
    pub fn length_m(&self) -> f32 {
        self.distance_m.last().copied().unwrap_or_default()
    }

    /// The reference's clock at a distance, seconds. `None` before the line and far behind the end.
    pub fn clock_at(&self, distance_m: f32) -> Option<f32> {
        let first = self.distance_m.first()?;
        if !(first.min(0.0)..=self.length_m() + BEYOND_M).contains(&distance_m) {
            return None;
        }
        let len = self.distance_m.len();
        // The two points around the distance. Behind the end, the last two are extrapolated.
        let after = self.distance_m.partition_point(|point| *point <= distance_m).clamp(1, len.max(2) - 1);
        let (from_m, to_m) = (self.distance_m.get(after - 1)?, self.distance_m.get(after)?);
        let (from_s, to_s) = (self.clock_s.get(after - 1)?, self.clock_s.get(after)?);
        Some(from_s + (to_s - from_s) * ((distance_m - from_m) / (to_m - from_m)))
    }

    /// How far the reference was at a time on its clock, metres. `None` before its start and after its end.
    pub fn place_at(&self, clock_s: f32) -> Option<f32> {
        let after = self.clock_s.partition_point(|point| *point <= clock_s);
        let (from_m, from_s) = self.point(after.checked_sub(1)?)?;
        let Some((to_m, to_s)) = self.point(after) else { return (clock_s <= from_s).then_some(from_m) };
        Some(from_m + (to_m - from_m) * ((clock_s - from_s) / (to_s - from_s)))
    }

    /// The curve's points: distance, metres, and clock, seconds.
    pub fn points(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.distance_m.iter().copied().zip(self.clock_s.iter().copied())
    }

    fn point(&self, index: usize) -> Option<(f32, f32)> {
        Some((*self.distance_m.get(index)?, *self.clock_s.get(index)?))
    }

    /// Seconds that another lap is behind at a place; negative if it is ahead.
    pub fn delta(&self, distance_m: f32, clock_s: f32) -> Result<f32, NoDelta> {
        if distance_m < 0.0 {
            return Err(NoDelta::NotOnLap);
        }
        self.clock_at(distance_m).map(|reference| clock_s - reference).ok_or(NoDelta::NotOnLap)
    }

    /// The lap's length, extrapolated from the last point to the official time.
    fn length_from_speed(&self, end_s: f32) -> Option<f32> {
        let (last_m, last_s) = (self.distance_m.last()?, self.clock_s.last()?);
        let from = self.distance_m.partition_point(|point| *point < last_m - LAST_M).saturating_sub(1);
        let (from_m, from_s) = (self.distance_m.get(from)?, self.clock_s.get(from)?);
        let speed = (last_m - from_m) / (last_s - from_s);
        let length = last_m + speed * (end_s - last_s);
        (length.is_finite() && length > *last_m).then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A lap of 5000 m with varying speed, as the game's distance and clock at a sample rate.
    fn lap(pace: f64, hz: f64) -> (Vec<(f32, f32)>, LapTime) {
        const LENGTH: f64 = 5000.0;
        let speed = |metres: f64| (50.0 + 25.0 * (metres / 400.0).sin()) * pace;
        let (mut metres, mut seconds, mut next) = (0.0, 0.0, 0.004);
        let mut points = Vec::new();
        let step = 1e-3;
        while metres < LENGTH {
            if seconds >= next {
                points.push((metres as f32, seconds as f32));
                next += 1.0 / hz;
            }
            metres += speed(metres) * step;
            seconds += step;
        }
        let over = (metres - LENGTH) / speed(LENGTH);
        (points, LapTime(((seconds - over) * 1e3).round() as u32))
    }

    #[test]
    fn a_lap_against_itself_is_level_everywhere() {
        let (points, time) = lap(1.0, 60.0);
        let reference = Reference::new(points.iter().copied(), time).expect("a reference");
        assert_eq!(reference.time(), time);
        assert!((reference.length_m() - 5000.0).abs() < 0.2, "{}", reference.length_m());
        for (distance, clock) in points {
            let delta = reference.delta(distance, clock).expect("a delta");
            assert!(delta.abs() < 1e-5, "{delta} at {distance}");
        }
    }

    #[test]
    fn the_curve_ends_at_the_official_time() {
        let (points, time) = lap(1.0, 20.0);
        let reference = Reference::new(points, time).expect("a reference");
        let end = reference.clock_at(reference.length_m()).expect("a clock");
        assert_eq!((f64::from(end) * 1e3).round() as u32, time.0);
        assert_eq!(reference.clock_at(0.0), Some(0.0));
    }

    #[test]
    fn places_and_clocks_belong_together() {
        let (points, time) = lap(1.0, 60.0);
        let reference = Reference::new(points.iter().copied(), time).expect("a reference");
        for (distance, clock) in points {
            let place = reference.place_at(clock).expect("a place");
            assert!((place - distance).abs() < 0.01, "{place} is not {distance}");
        }
        assert_eq!(reference.place_at(0.0), Some(0.0));
        assert_eq!(reference.place_at(time.seconds() as f32), Some(reference.length_m()));
        assert_eq!([-0.1, time.seconds() as f32 + 0.1].map(|clock| reference.place_at(clock)), [None; 2]);
    }

    #[test]
    fn slower_is_positive_and_grows_to_the_difference_of_the_times() {
        let (points, time) = lap(1.0, 60.0);
        let (slower, slower_time) = lap(0.99, 60.0);
        let reference = Reference::new(points, time).expect("a reference");
        let deltas: Vec<f32> = slower
            .iter()
            .map(|(distance, clock)| reference.delta(*distance, *clock).expect("a delta"))
            .collect();
        assert!(deltas.is_sorted());
        let end = slower_time.minus(time) as f32 / 1e3;
        let last = deltas.last().expect("a delta");
        assert!((last - end).abs() < 0.002, "{last} is not {end}");
        let half = deltas[deltas.len() / 2];
        assert!((half - end / 2.0).abs() < 0.02, "{half}");
    }

    #[test]
    fn off_the_lap_there_is_no_delta() {
        let (points, time) = lap(1.0, 60.0);
        let reference = Reference::new(points, time).expect("a reference");
        assert_eq!(reference.delta(-3.0, 0.0), Err(NoDelta::NotOnLap));
        assert_eq!(reference.delta(5100.0, 99.0), Err(NoDelta::NotOnLap));
        assert_eq!(reference.delta(f32::NAN, 1.0), Err(NoDelta::NotOnLap));
        assert!(reference.delta(5010.0, 99.0).is_ok());
        assert_eq!(Reference::new([], time), Err(NoDelta::NoDistance));
        assert_eq!(Reference::new([(f32::NAN, 1.0), (1.0, f32::NAN)], time), Err(NoDelta::NoDistance));
    }

    #[test]
    fn a_distance_that_falls_to_zero_late_spoils_nothing() {
        let (mut points, time) = lap(1.0, 60.0);
        let clean = Reference::new(points.iter().copied(), time).expect("a reference");
        points.first_mut().expect("a point").0 = 4999.0;
        let late = Reference::new(points, time).expect("a reference");
        let difference = late.clock_at(100.0).expect("a clock") - clean.clock_at(100.0).expect("a clock");
        assert!(difference.abs() < 1e-5 && late.length_m() == clean.length_m());
    }

    #[test]
    fn a_standing_start_has_its_clock_before_the_line() {
        let points = (0..1000).map(|step| (step as f32 * 5.0 - 20.0, 2.0 + step as f32 * 0.1));
        let reference = Reference::new(points, LapTime(103_000)).expect("a reference");
        assert!((reference.clock_at(0.0).expect("a clock") - 2.4).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn any_points_give_a_rising_curve_or_none(
            points in prop::collection::vec((-100.0_f32..6000.0, -1.0_f32..200.0), 0..100),
            millis in 1_u32..200_000,
            distance in any::<f32>(),
        ) {
            if let Ok(reference) = Reference::new(points, LapTime(millis)) {
                prop_assert!(reference.distance_m.is_sorted_by(|a, b| a < b));
                prop_assert!(reference.clock_s.is_sorted());
                prop_assert!(reference.clock_at(distance).is_none_or(f32::is_finite));
                let end = reference.clock_at(reference.length_m()).expect("a clock");
                prop_assert!((end - millis as f32 / 1e3).abs() <= end * 1e-6);
            }
        }

        #[test]
        fn swapping_two_laps_turns_the_sign(pace in 0.97_f64..1.03, place in 0.0_f32..5000.0) {
            let ((a, a_time), (b, b_time)) = (lap(1.0, 60.0), lap(pace, 60.0));
            let a = Reference::new(a, a_time).expect("a reference");
            let b = Reference::new(b, b_time).expect("a reference");
            let (at_a, at_b) = (a.clock_at(place).expect("a clock"), b.clock_at(place).expect("a clock"));
            let (ab, ba) = (b.delta(place, at_a).expect("a delta"), a.delta(place, at_b).expect("a delta"));
            prop_assert!((ab + ba).abs() < 1e-4);
        }
    }
}
