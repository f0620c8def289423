//! A track's fingerprint: its length, whether it is closed, and how it turns along the way.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ReferenceLine;

/// Number of parts of equal length.
pub(super) const PARTS: usize = 256;
/// Tracks whose lengths differ by more than this part are different.
const LENGTH_SHARE: f64 = 0.03;
/// Tracks are the same if their turns correlate by at least this.
const ALIKE: f64 = 0.8;
/// The start of a stage may be this many parts further on or back.
const OPEN_PARTS: usize = 3;

/// A track's shape, independent of its world's origin and axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Length of a lap, metres.
    pub length_m: f64,
    /// Whether it ends where it begins.
    pub closed: bool,
    /// The turn in each part, left positive, thousandths of a radian.
    turns: Vec<i16>,
}

/// Whether two tracks are the same, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum Answer {
    /// They are the same.
    Same {
        /// How much further on the other's laps begin, metres.
        shift_m: f64,
        /// How well the turns match, at most 1.
        alike: f64,
    },
    /// Their lengths differ.
    OtherLength {
        /// Length of the first, metres.
        one_m: f64,
        /// Length of the second, metres.
        other_m: f64,
    },
    /// One is closed and the other is not.
    OpenAndClosed,
    /// They are the same track in opposite directions.
    OtherWay,
    /// Their turns differ.
    OtherShape {
        /// How well the turns match, at most 1.
        alike: f64,
    },
}

impl Answer {
    /// Whether it is the same track in the same direction.
    pub fn is_same(self) -> bool {
        matches!(self, Self::Same { .. })
    }
}

/// Prints the answer in words, to follow "the laps can't be compared:".
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same { shift_m, .. } if *shift_m == 0.0 => f.write_str("the tracks are the same"),
            Self::Same { shift_m, .. } => {
                write!(f, "the tracks are the same, but the other's laps begin {shift_m:.0} m further on")
            }
            Self::OtherLength { one_m, other_m } => {
                write!(f, "they are of different tracks: one is {one_m:.0} m long, the other {other_m:.0} m")
            }
            Self::OpenAndClosed => f.write_str(
                "they are of different tracks: one is a circuit, the other a route from a start to a finish",
            ),
            Self::OtherWay => f.write_str("they are of the same track, driven in opposite directions"),
            Self::OtherShape { alike } => write!(
                f,
                "they are of different tracks: these are about as long, but turn differently ({:.0} % alike)",
                alike.max(0.0) * 100.0
            ),
        }
    }
}

impl Fingerprint {
    /// The fingerprint of a line.
    pub fn of(line: &ReferenceLine) -> Self {
        let length_m = line.length_m();
        let part_of = |place_m: f64| (place_m / length_m * PARTS as f64) as usize;
        let turns =
            turns_along(line, PARTS, part_of).iter().map(|turn| (turn * 1e3).round() as i16).collect();
        Self { length_m, closed: line.is_closed(), turns }
    }

    /// The turn in each part, left positive, thousandths of a radian.
    pub fn turns(&self) -> &[i16] {
        &self.turns
    }

    /// Whether another track is the same as this one.
    pub fn same_track(&self, other: &Self) -> Answer {
        let longer = self.length_m.max(other.length_m);
        if self.closed != other.closed {
            return Answer::OpenAndClosed;
        }
        let apart_m = (self.length_m - other.length_m).abs();
        if apart_m.is_nan() || apart_m > LENGTH_SHARE * longer {
            return Answer::OtherLength { one_m: self.length_m, other_m: other.length_m };
        }
        let [own, theirs] = [self, other].map(Self::softened);
        let (shift, alike) = best(&own, &theirs, self.closed);
        if alike >= ALIKE {
            let part_m = self.length_m / PARTS as f64;
            // Count the short way around.
            let parts = if shift > PARTS / 2 { shift as f64 - PARTS as f64 } else { shift as f64 };
            return Answer::Same { shift_m: -parts * part_m, alike };
        }
        let back: Vec<f64> = theirs.iter().rev().map(|turn| -turn).collect();
        match best(&own, &back, self.closed) {
            (_, alike) if alike >= ALIKE => Answer::OtherWay,
            _ => Answer::OtherShape { alike },
        }
    }

    fn softened(&self) -> Vec<f64> {
        soften(self.turns.iter().map(|turn| f64::from(*turn)).collect(), true)
    }
}

/// The turn in each of so many parts of a line, left positive, radians. `part_of` says in which part a place is.
pub(super) fn turns_along(line: &ReferenceLine, count: usize, part_of: impl Fn(f64) -> usize) -> Vec<f64> {
    let mut turns = vec![0.0; count];
    let mut before_m = 0.0;
    for (place_m, pose) in line.points() {
        if let Some(turn) = turns.get_mut(part_of(place_m)) {
            *turn += pose.curvature * (place_m - before_m);
        }
        before_m = place_m;
    }
    turns
}

/// Turns smoothed over neighbouring parts, since drivers turn in at different places. Around, the last part is beside the
/// first.
pub(super) fn soften(turns: Vec<f64>, around: bool) -> Vec<f64> {
    let count = turns.len();
    let at = |part: usize| match part {
        // One further than the ends.
        part if !around && (part == 0 || part > count) => 0.0,
        part => turns.get((part + count - 1) % count.max(1)).copied().unwrap_or_default(),
    };
    (0..count).map(|part| (at(part) + 2.0 * at(part + 1) + at(part + 2)) / 4.0).collect()
}

/// The shift in parts at which the second matches the first best, and the correlation there.
fn best(one: &[f64], other: &[f64], closed: bool) -> (usize, f64) {
    let count = one.len();
    let square = |turns: &[f64]| turns.iter().map(|turn| turn * turn).sum::<f64>();
    let scale = (square(one) * square(other)).sqrt();
    if count == 0 || count != other.len() || scale <= 0.0 {
        return (0, 0.0);
    }
    let alike = |shift: usize| {
        let turned = other.iter().cycle().skip(shift);
        one.iter().zip(turned).map(|(a, b)| a * b).sum::<f64>() / scale
    };
    let near = |shift: &usize| closed || (*shift).min(count - shift) <= OPEN_PARTS;
    let shifts = (0..count).filter(near).map(|shift| (shift, alike(shift)));
    shifts.max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or((0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed line with a number and size of bulges, begun at a fraction of the lap, and rotated and moved.
    fn round(swells: f64, by: f64, begin: f64, turned: f64, back: bool) -> ReferenceLine {
        let points: Vec<[f64; 3]> = (0..=2000)
            .map(|step| {
                let share = begin + f64::from(step) / 2000.0;
                let angle = std::f64::consts::TAU * if back { -share } else { share };
                let radius = 600.0
                    * (1.0
                        + by * (swells * angle).sin()
                        + 0.1 * (2.0 * angle).cos()
                        + 0.06 * (7.0 * angle).sin());
                let (x, z) = (radius * angle.cos(), radius * angle.sin());
                [
                    x * turned.cos() - z * turned.sin() + 900.0,
                    12.0,
                    x * turned.sin() + z * turned.cos() - 300.0,
                ]
            })
            .collect();
        ReferenceLine::through(&points, 0.0).expect("a line")
    }

    #[test]
    fn a_track_is_known_again_wherever_it_lies_and_its_laps_begin() {
        let one = Fingerprint::of(&round(3.0, 0.2, 0.0, 0.0, false));
        let turned = Fingerprint::of(&round(3.0, 0.2, 0.0, 1.1, false));
        assert!(
            matches!(one.same_track(&turned), Answer::Same { shift_m, alike } if shift_m == 0.0 && alike > 0.99)
        );
        let begun = Fingerprint::of(&round(3.0, 0.2, 0.1, 0.4, false));
        let Answer::Same { shift_m, alike } = one.same_track(&begun) else {
            panic!("{}", one.same_track(&begun))
        };
        assert!(alike > 0.97 && shift_m.abs() > 200.0, "{shift_m} {alike}");
        let Answer::Same { shift_m: back_m, .. } = begun.same_track(&one) else { panic!("the same") };
        assert!((shift_m + back_m).abs() < 1.0);
    }

    #[test]
    fn other_tracks_are_refused_with_a_reason() {
        let one = Fingerprint::of(&round(3.0, 0.2, 0.0, 0.0, false));
        let back = Fingerprint::of(&round(3.0, 0.2, 0.0, 0.0, true));
        assert_eq!(one.same_track(&back), Answer::OtherWay);
        let longer = Fingerprint { length_m: one.length_m * 1.1, ..one.clone() };
        assert!(one.same_track(&longer).to_string().contains("m long"));
        let other = Fingerprint::of(&round(5.0, 0.12, 0.0, 0.0, false));
        let other = Fingerprint { length_m: one.length_m, ..other };
        assert!(matches!(one.same_track(&other), Answer::OtherShape { .. }), "{}", one.same_track(&other));
        let open = Fingerprint { closed: false, ..one.clone() };
        assert_eq!(one.same_track(&open), Answer::OpenAndClosed);
        let nothing = Fingerprint { turns: Vec::new(), ..one.clone() };
        assert!(!one.same_track(&nothing).is_same() && !nothing.same_track(&nothing).is_same());
    }
}
