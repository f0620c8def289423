//! Places the rows of laps without positions.

use trailbrake_model::Channel;

use super::hole::Holes;
use super::{LONGEST_M, Method, line_crossings};
use crate::LapColumns;

/// A lap placed without positions.
pub(super) struct OdometerLap {
    pub(super) method: Method,
    /// `None` if there is nothing to check the places against.
    pub(super) residual_m: Option<f64>,
    pub(super) distance_m: Vec<f64>,
}

/// The length of a lap without positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    /// Metres.
    pub(super) metres: f64,
    /// Whether this is the full lap. Otherwise it is the length received, or extrapolated from a part.
    pub(super) whole: bool,
}

/// This soon after the line, seconds, a lap fraction above the first value still belongs to the previous lap.
const OLD_SHARE: f64 = 0.9;
const SHORTLY_S: f64 = 3.0;
/// Least part of the lap, by lap fraction, from which the whole length can be extrapolated.
const LEAST_SHARE: f64 = 0.02;

/// Places each row by the lap fraction, else by the game's distance, else by speed, else by time.
///
/// Distances of a lap that was not received to its end are not scaled to the lap's length. `None` if the lap can't be
/// placed: it has gaps, no end and only its speed to place it by; or it has nothing but its clock, and no time.
pub(super) fn measure(lap: &LapColumns<'_>, length_m: f64) -> Option<OdometerLap> {
    let driven = SpeedOdometer::of(lap);
    let beside = |distance_m: &[f64]| {
        let driven = driven.as_ref().filter(|driven| driven.gaps_s.is_empty())?;
        Some(apart(distance_m, &driven.metres))
    };
    if let Some(shares) = shares(lap) {
        let distance_m: Vec<f64> = shares.iter().map(|share| share * length_m).collect();
        return Some(OdometerLap { method: Method::Share, residual_m: beside(&distance_m), distance_m });
    }
    let [_, ended] = line_crossings::ends_received(lap);
    let scaled = |values: &[f64], whole: f64| -> Vec<f64> {
        let scale = if ended && whole > 0.0 { length_m / whole } else { 1.0 };
        values.iter().map(|value| value * scale).collect()
    };
    if let Some(sent) = sent_distance(lap) {
        let distance_m = scaled(&sent, whole(lap, &sent));
        return Some(OdometerLap { method: Method::Distance, residual_m: beside(&distance_m), distance_m });
    }
    let Some(driven) = driven.filter(|driven| driven.metres.last().is_some_and(|end| *end > 0.0)) else {
        let took = lap.time?.seconds();
        let distance_m = lap.clock_s().iter().map(|clock| clock * length_m / took).collect();
        return Some(OdometerLap { method: Method::Fraction, residual_m: None, distance_m });
    };
    let whole = whole(lap, &driven.metres);
    let distance_m = match (driven.gaps_s.is_empty(), ended) {
        (true, _) => scaled(&driven.metres, whole),
        (false, true) => driven.through_holes(length_m - whole),
        (false, false) => return None,
    };
    let stretched = ended && driven.gaps_s.is_empty();
    let residual_m = stretched.then(|| off(&distance_m, &driven.metres));
    Some(OdometerLap { method: Method::Speed, residual_m, distance_m })
}

/// The lap's length by the game's distance or by speed.
pub(super) fn length(lap: &LapColumns<'_>) -> Option<Length> {
    let [_, ended] = line_crossings::ends_received(lap);
    let driven = SpeedOdometer::of(lap);
    let is_whole = ended && driven.as_ref().is_some_and(|driven| driven.gaps_s.is_empty());
    let length = match (sent_distance(lap), driven, shares(lap)) {
        (Some(sent), ..) if ended => Length { metres: whole(lap, &sent), whole: true },
        (None, Some(driven), _) if is_whole => Length { metres: whole(lap, &driven.metres), whole: true },
        (Some(values), _, Some(shares))
        | (None, Some(SpeedOdometer { metres: values, .. }), Some(shares)) => {
            let span = |values: &[f64]| Some(values.last()? - values.first()?);
            let share = span(&shares).filter(|share| *share > LEAST_SHARE)?;
            Length { metres: span(&values)? / share, whole: false }
        }
        (Some(values), _, None) | (None, Some(SpeedOdometer { metres: values, .. }), None) => {
            Length { metres: *values.last()?, whole: false }
        }
        (None, None, _) => return None,
    };
    Some(length).filter(|length| length.metres > 0.0 && length.metres < LONGEST_M)
}

/// A distance extrapolated from the last rows to the official time.
fn whole(lap: &LapColumns<'_>, values: &[f64]) -> f64 {
    let clocks = lap.clock_s();
    let last = clocks.last().copied().zip(values.last().copied());
    let (Some((clock, value)), before) = (last, values.len().saturating_sub(10)) else { return 0.0 };
    let from = clocks.get(before).copied().zip(values.get(before).copied());
    let rate = from
        .filter(|(from_s, _)| *from_s < clock)
        .map_or(0.0, |(from_s, from)| (value - from) / (clock - from_s));
    value + rate * (lap.seconds() - clock).clamp(0.0, 1.0)
}

/// The game's own lap distance, if it increases.
fn sent_distance(lap: &LapColumns<'_>) -> Option<Vec<f64>> {
    let sent = lap.values(Channel::LapDistance.slot())?;
    sent.last().is_some_and(|end| *end > 0.0).then_some(sent)
}

/// The lap fraction of each row. Around the line it can still be the previous lap's, or already the next lap's.
fn shares(lap: &LapColumns<'_>) -> Option<Vec<f64>> {
    let slot = [Channel::LapShare, Channel::StageProgress]
        .map(Channel::slot)
        .into_iter()
        .find(|slot| lap.has(*slot))?;
    let mut shares = lap.values(slot)?;
    let end_s = lap.time.map(|time| time.seconds());
    for (share, clock) in shares.iter_mut().zip(lap.clock_s()) {
        if *clock < SHORTLY_S && *share > OLD_SHARE {
            *share -= 1.0;
        } else if end_s.is_some_and(|end_s| *clock > end_s - SHORTLY_S) && *share < 1.0 - OLD_SHARE {
            *share += 1.0;
        }
    }
    Some(shares)
}

/// Distance integrated from speed.
struct SpeedOdometer {
    /// Metres from the start line to each row.
    metres: Vec<f64>,
    /// The rows after a gap, with the gap's length in seconds.
    gaps_s: Vec<(usize, f64)>,
}

impl SpeedOdometer {
    fn of(lap: &LapColumns<'_>) -> Option<Self> {
        let speeds = lap.values(Channel::Speed.slot())?;
        let holes = Holes::of(lap.clock_s());
        let mut gaps_s = Vec::new();
        let mut before: Option<(f64, f64)> = None;
        let mut far = 0.0;
        let rows = speeds.iter().zip(lap.clock_s()).enumerate().map(|(row, (speed, clock))| {
            // The speed between the line and the first row is assumed to be that of the first row.
            let (from, from_s) = before.replace((*speed, *clock)).unwrap_or((*speed, 0.0));
            let seconds = (clock - from_s).max(0.0);
            if holes.is_between(from_s, *clock) {
                gaps_s.push((row, seconds));
            }
            far += (from + speed) / 2.0 * seconds;
            far
        });
        let metres = rows.collect();
        Some(Self { metres, gaps_s })
    }

    /// Adds `more_m` in the gaps, by their duration, so that the distances reach the lap's full length.
    fn through_holes(&self, more_m: f64) -> Vec<f64> {
        let all_s: f64 = self.gaps_s.iter().map(|(_, seconds)| seconds).sum();
        let moved = |(row, metres): (usize, &f64)| {
            let until = self.gaps_s.iter().filter(|(hole, _)| *hole <= row);
            metres + more_m * until.map(|(_, seconds)| seconds).sum::<f64>() / all_s
        };
        self.metres.iter().enumerate().map(moved).collect()
    }
}

/// Root mean square difference of two distances, after scaling the second to the length of the first, metres.
fn apart(one: &[f64], other: &[f64]) -> f64 {
    let (Some(end), Some(other_end)) = (one.last(), other.last().filter(|end| **end > 0.0)) else {
        return 0.0;
    };
    let scale = end / other_end;
    off(one, &other.iter().map(|value| value * scale).collect::<Vec<_>>())
}

/// Root mean square difference of two distances, metres.
fn off(one: &[f64], other: &[f64]) -> f64 {
    let squares: f64 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
    (squares / one.len().max(1) as f64).sqrt()
}

/// The length of two laps: that of the quicker complete one, else the greater length.
pub(super) fn common_length_m(laps: [&LapColumns<'_>; 2]) -> Option<f64> {
    let mut lengths: Vec<(f64, Length)> =
        laps.into_iter().filter_map(|lap| Some((lap.seconds(), length(lap)?))).collect();
    lengths.sort_by(|(seconds, one), (other_seconds, other)| {
        let longer = other.metres.total_cmp(&one.metres);
        let quicker = if one.whole { seconds.total_cmp(other_seconds) } else { longer };
        other.whole.cmp(&one.whole).then(quicker).then(longer)
    });
    lengths.first().map(|(_, length)| length.metres)
}
