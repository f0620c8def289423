//! Finds excursions: stretches in which a lap was not driving around the track.

use serde::{Deserialize, Serialize};
use trailbrake_model::{Axis, Channel, Wheel};

use super::Frame;
use super::hole::Holes;
use super::line::{ReferenceLine, dot};
use super::project::ProjectedLap;
use crate::LapColumns;
use crate::laps::LapFlag;

/// A car further from the line than this leaves the track, and nearer than that is back on it, metres.
const OFF_M: f64 = 9.0;
const ON_M: f64 = 6.0;
/// A cut: the off-track stretch is shorter than the line by more than the first, metres; or the place jumps from one
/// row to the next by more than the second beyond the distance driven, metres.
const CUT_M: f64 = 5.0;
const LEAP_M: f64 = 15.0;
/// Spin: the cosine of the angle between nose and line is below this (about 70°).
const TURNED: f64 = 0.35;
/// At lower speeds the wheels have no meaningful slip angle, m/s.
const SLIDES_MS: f64 = 6.0;
/// Rolling back by more than this is a spin too, metres.
const BACK_M: f64 = 2.0;
/// A stop: slower than the first, m/s, for at least the second, seconds.
const STANDS_MS: f64 = 1.0;
const STANDS_S: f64 = 2.0;
/// A lap clock that runs this far ahead of the time driven got penalty seconds.
const PENALTY_S: f64 = 1.0;
/// Excursions of one kind nearer together than this are one, metres.
const SAME_M: f64 = 30.0;

/// A stretch in which the car was not driving around the track.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excursion {
    /// The kind of excursion.
    pub kind: ExcursionKind,
    /// Where it began, metres from the start line.
    pub from_m: f64,
    /// Where it ended, metres from the start line.
    pub to_m: f64,
}

/// The kinds of excursion. Of overlapping ones the later variant wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExcursionKind {
    /// The car stood still.
    Stop,
    /// The car left the track.
    Detour,
    /// The car skipped a part of the track.
    Cut,
    /// The car turned around, or rolled back.
    Spin,
    /// The car drove through the pit lane.
    Pits,
    /// The car was reset to the track, for penalty seconds on the lap clock.
    Reset,
}

/// Finds the excursions of a projected lap.
pub(super) fn find(
    lap: &LapColumns<'_>,
    line: &ReferenceLine,
    frame: Option<&Frame>,
    projected: &ProjectedLap,
) -> Vec<Excursion> {
    let furthest = projected.distance_m.first().copied().unwrap_or_default();
    let mut watch = Watch { found: Vec::new(), off: None, before: None, furthest, stood: None };
    let speeds = lap.values(Channel::Speed.slot());
    let limiter = lap.values(Channel::PitLimiter.slot());
    let ahead = Axis::ALL.map(|axis| lap.values(Channel::Forward.along(axis)));
    let slips = [Wheel::RearLeft, Wheel::RearRight].map(|wheel| lap.values(Channel::SlipAngle.of(wheel)));
    let in_pits = lap.flags.has_any(&[LapFlag::Pit, LapFlag::In, LapFlag::Out]);
    let value =
        |values: &Option<Vec<f64>>, row: usize| values.as_ref().and_then(|values| values.get(row).copied());
    let rows = lap.clock_s().iter().zip(projected.distance_m.iter().zip(&projected.offset_m));
    let mut driven_m = 0.0;
    let mut before_s = None;
    let holes = Holes::of(lap.clock_s());
    for (row, (clock, (place, offset))) in rows.enumerate() {
        let speed = value(&speeds, row);
        let from_s = before_s.replace(*clock).unwrap_or(*clock);
        if let Some((from, _)) = watch.before
            && lap.driven_s(row).is_some_and(|driven_s| clock - from_s - driven_s > PENALTY_S)
        {
            watch.add(ExcursionKind::Reset, from.min(*place), from.max(*place));
        }
        if holes.is_between(from_s, *clock) {
            watch.lose(in_pits);
        }
        driven_m += speed.unwrap_or_default() * (clock - from_s);
        let [x, y, z] = ahead.each_ref().map(|axis| value(axis, row));
        let nose = x.zip(y).zip(z).map(|((x, y), z)| {
            let nose = frame.map_or([x, y, z], |frame| frame.turn([x, y, z]));
            dot(nose, line.at(*place).ahead)
        });
        // Without a heading, the rear wheels' slip angles give the angle between nose and direction of travel.
        let slides = || {
            let [left, right] = slips.each_ref().map(|slips| value(slips, row));
            speed.filter(|speed| *speed > SLIDES_MS)?;
            let (_, along) = ((left? + right?) / 2.0).sin_cos();
            Some(along)
        };
        let nose = nose.or_else(slides);
        let now = Now { clock_s: *clock, place_m: *place, offset_m: *offset, driven_m, speed, nose };
        watch.look(&now, value(&limiter, row).is_some_and(|on| on > 0.5), in_pits);
    }
    watch.finish(projected.distance_m.last().copied().unwrap_or_default(), driven_m, in_pits);
    merged(watch.found)
}

/// One row.
struct Now {
    clock_s: f64,
    place_m: f64,
    offset_m: f64,
    driven_m: f64,
    speed: Option<f64>,
    /// Cosine of the angle between the nose and the line, or the direction of travel.
    nose: Option<f64>,
}

struct Watch {
    found: Vec<Excursion>,
    /// Where the car left the track, and the distance driven by then.
    off: Option<(f64, f64)>,
    /// The previous row: its place, and the distance driven by then.
    before: Option<(f64, f64)>,
    furthest: f64,
    /// Since when, and where, the car has been standing.
    stood: Option<(f64, f64)>,
}

impl Watch {
    fn look(&mut self, now: &Now, limited: bool, in_pits: bool) {
        let place = now.place_m;
        if let Some((from, driven)) = self.before.replace((place, now.driven_m))
            && (place - from) - (now.driven_m - driven) > LEAP_M
            && now.speed.is_some()
        {
            self.add(ExcursionKind::Cut, from, place);
        }
        match self.off {
            None if now.offset_m.abs() > OFF_M => self.off = Some((place, now.driven_m)),
            Some((from, driven)) if now.offset_m.abs() < ON_M => {
                self.back_on(from, driven, place, now.driven_m, in_pits);
            }
            _ => {}
        }
        let turned =
            now.nose.is_some_and(|nose| nose < TURNED) && now.speed.is_some_and(|speed| speed > STANDS_MS);
        if turned || place < self.furthest - BACK_M {
            self.add(ExcursionKind::Spin, place.min(self.furthest), place.max(self.furthest));
        }
        if limited {
            self.add(ExcursionKind::Pits, place, place);
        }
        match self.stood {
            None if now.speed.is_some_and(|speed| speed < STANDS_MS) => {
                self.stood = Some((now.clock_s, place))
            }
            Some((since, from)) if now.speed.is_none_or(|speed| speed >= STANDS_MS) => {
                if now.clock_s - since >= STANDS_S {
                    self.add(ExcursionKind::Stop, from, place);
                }
                self.stood = None;
            }
            _ => {}
        }
        self.furthest = self.furthest.max(place);
    }

    /// Closes the open excursion before a gap: the distance driven in the gap is unknown.
    fn lose(&mut self, in_pits: bool) {
        if let Some((place, driven_m)) = self.before.take() {
            self.finish(place, driven_m, in_pits);
        }
        self.stood = None;
    }

    fn finish(&mut self, place: f64, driven_m: f64, in_pits: bool) {
        if let Some((from, driven)) = self.off.take() {
            self.back_on(from, driven, place, driven_m, in_pits);
        }
    }

    fn back_on(&mut self, from: f64, from_driven: f64, to: f64, to_driven: f64, in_pits: bool) {
        self.off = None;
        let left_out = (to - from) - (to_driven - from_driven);
        let kind = if in_pits {
            ExcursionKind::Pits
        } else if left_out > CUT_M {
            ExcursionKind::Cut
        } else {
            ExcursionKind::Detour
        };
        self.add(kind, from, to);
    }

    fn add(&mut self, kind: ExcursionKind, from_m: f64, to_m: f64) {
        match self.found.last_mut() {
            Some(last) if last.kind == kind && from_m <= last.to_m + SAME_M => {
                last.from_m = last.from_m.min(from_m);
                last.to_m = last.to_m.max(to_m);
            }
            _ => self.found.push(Excursion { kind, from_m, to_m }),
        }
    }
}

/// Merges overlapping stretches into one of the highest kind.
fn merged(mut found: Vec<Excursion>) -> Vec<Excursion> {
    found.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
    let mut merged: Vec<Excursion> = Vec::new();
    for excursion in found {
        match merged.last_mut().filter(|last| excursion.from_m <= last.to_m) {
            Some(last) => {
                last.kind = last.kind.max(excursion.kind);
                last.to_m = last.to_m.max(excursion.to_m);
            }
            None => merged.push(excursion),
        }
    }
    merged
}
