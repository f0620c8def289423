//! What a sample says about the lap that it belongs to.

use super::layout::{Head, Variable};
use super::not_ibt::NotIbt;
use super::session_text::SessionText;

/// Off the track, as `PlayerTrackSurface` has it.
const OFF_TRACK: f64 = 0.0;
/// `PlayerTrackSurface` in the pit stall.
const PIT_STALL: f64 = 1.0;
/// No session lasts thirty years.
const TIMES_S: std::ops::Range<f64> = 0.0..1e9;

/// What a sample says about its lap and the car's place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LapMark {
    /// Seconds of the session.
    pub(super) time_s: f64,
    /// The session's number.
    pub(super) session: i32,
    /// The lap's number.
    pub(super) lap: i32,
    /// The lap's clock, in seconds.
    pub(super) clock_s: Option<f64>,
    /// The official time of the lap before, in seconds. It changes some samples after the line.
    pub(super) last_s: Option<f64>,
    /// The fraction of the lap.
    pub(super) fraction: Option<f64>,
    /// Metres from the line.
    pub(super) distance_m: Option<f64>,
    /// Whether the driver is in the car.
    pub(super) is_driven: bool,
    /// Whether the car is in the pits.
    pub(super) in_pits: bool,
    /// Whether the car is off the track.
    pub(super) is_off_track: bool,
    /// Latitude, longitude, in degrees.
    pub(super) place_deg: Option<(f64, f64)>,
    /// Height in metres.
    pub(super) height_m: Option<f64>,
}

/// The variables that are read for it.
pub(super) struct LapMarkReader {
    rate_hz: f64,
    length_m: Option<f64>,
    time: Option<Variable>,
    session: Option<Variable>,
    lap: Variable,
    clock: Option<Variable>,
    last: Option<Variable>,
    fraction: Option<Variable>,
    distance: Option<Variable>,
    on_track: Option<Variable>,
    pit_road: Option<Variable>,
    surface: Option<Variable>,
    place: Option<(Variable, Variable)>,
    height: Option<Variable>,
}

impl LapMarkReader {
    /// The variables of a file; an error if laps can't be found with them.
    pub(super) fn of(head: &Head, text: &SessionText) -> Result<Self, NotIbt> {
        let found = |name| head.variable(name);
        let (fraction, distance) = (found("LapDistPct"), found("LapDist"));
        if distance.is_none() && (fraction.is_none() || text.length_m.is_none()) {
            return Err(NotIbt::Missing { name: "LapDist" });
        }
        Ok(Self {
            rate_hz: head.rate_hz,
            length_m: text.length_m,
            time: found("SessionTime"),
            session: found("SessionNum"),
            lap: found("Lap").ok_or(NotIbt::Missing { name: "Lap" })?,
            clock: found("LapCurrentLapTime"),
            last: found("LapLastLapTime"),
            fraction,
            distance,
            on_track: found("IsOnTrack"),
            pit_road: found("OnPitRoad"),
            surface: found("PlayerTrackSurface"),
            place: found("Lat").zip(found("Lon")),
            height: found("Alt"),
        })
    }

    /// Reads the sample with this index; `None` if it has no time or no lap.
    pub(super) fn read(&self, sample: &[u8], index: u64) -> Option<LapMark> {
        let value =
            |variable: &Option<Variable>| variable.as_ref().and_then(|variable| variable.value(sample));
        let time_s = match &self.time {
            Some(time) => time.value(sample).filter(|time_s| TIMES_S.contains(time_s))?,
            None => index as f64 / self.rate_hz,
        };
        let surface = value(&self.surface);
        let (fraction, distance_m) = (value(&self.fraction), value(&self.distance));
        let length_m = self.length_m;
        Some(LapMark {
            time_s,
            session: value(&self.session).unwrap_or_default() as i32,
            lap: self.lap.value(sample)? as i32,
            clock_s: value(&self.clock).filter(|clock| *clock >= 0.0),
            last_s: value(&self.last),
            fraction: fraction.or_else(|| Some(distance_m? / length_m?)),
            distance_m: distance_m.or_else(|| Some(fraction? * length_m?)),
            is_driven: self.on_track.as_ref().is_none_or(|on_track| on_track.value(sample) != Some(0.0)),
            in_pits: value(&self.pit_road).is_some_and(|on| on != 0.0) || surface == Some(PIT_STALL),
            is_off_track: surface == Some(OFF_TRACK),
            place_deg: self.place.as_ref().and_then(|(lat, lon)| lat.value(sample).zip(lon.value(sample))),
            height_m: value(&self.height),
        })
    }
}
