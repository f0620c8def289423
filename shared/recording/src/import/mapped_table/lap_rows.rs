//! The rows of one lap of a table, and what follows from them.

use trailbrake_model::time::Micros;
use trailbrake_model::{Axis, Channel, Columns, Moment, Slot};

use crate::import::plane::Plane;

/// A lap that begins within this time or distance of the line, or this share of it, begins at the line.
const NEAR_LINE_S: f64 = 1.0;
const NEAR_LINE_M: f64 = 150.0;
const NEAR_LINE_SHARE: f64 = 0.01;
/// So long after the line a distance may still be the lap's before.
const SETTLE_S: f64 = 1.0;
/// No track is shorter or longer.
const LENGTHS_M: std::ops::RangeInclusive<f64> = 100.0..=100_000.0;

/// A row of a table. Unknown values are absent.
#[derive(Clone, Debug, Default)]
pub(super) struct TableRow {
    /// The number of its line.
    pub(super) line: usize,
    /// Seconds on the file's clock.
    pub(super) time_s: f64,
    /// Seconds since the line.
    pub(super) clock_s: Option<f64>,
    pub(super) number: Option<f64>,
    pub(super) lap_m: Option<f64>,
    pub(super) total_m: Option<f64>,
    pub(super) share: Option<f64>,
    pub(super) speed_mps: Option<f64>,
    /// Latitude and longitude in degrees.
    pub(super) degrees: (Option<f64>, Option<f64>),
    /// A value for each channel of the table; NaN where there is none.
    pub(super) values: Vec<f32>,
}

impl TableRow {
    /// Whether the lap has just begun; `None` if nothing says so.
    pub(super) fn is_near_line(&self) -> Option<bool> {
        let by_clock = self.clock_s.map(|clock| clock < NEAR_LINE_S);
        let by_share = || self.share.map(|share| share < NEAR_LINE_SHARE);
        by_clock.or_else(by_share).or_else(|| self.lap_m.map(|metres| metres < NEAR_LINE_M))
    }
}

/// What the rows of all laps have in common.
#[derive(Clone, Debug)]
pub(super) struct TableChannels {
    /// The channels of a row's values.
    pub(super) slots: Vec<Slot>,
    /// Where latitude and longitude are zero.
    pub(super) plane: Option<Plane>,
    /// The length of the track, where it follows from speed and share.
    pub(super) track_m: Option<f64>,
}

/// The rows of a lap.
#[derive(Debug, Default)]
pub(super) struct LapRows {
    pub(super) rows: Vec<TableRow>,
}

/// A lap's channels.
pub(super) struct LapColumns {
    pub(super) columns: Columns,
    /// The distance at its last row, and the speed there by its distances.
    pub(super) reached_m: Option<f64>,
    pub(super) last_mps: f64,
    /// Whether distances are reckoned from the speed.
    pub(super) is_from_speed: bool,
}

/// Where a lap's distance comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DistanceSource {
    Lap,
    /// What the total distance was at the line.
    Total(f64),
    Share(f64),
    Speed,
    Nothing,
}

impl LapRows {
    pub(super) fn first(&self) -> Option<&TableRow> {
        self.rows.first()
    }

    pub(super) fn last(&self) -> Option<&TableRow> {
        self.rows.last()
    }

    /// The mean time between two rows.
    pub(super) fn step_s(&self) -> f64 {
        let ends = self.first().zip(self.last());
        ends.map_or(0.0, |(first, last)| (last.time_s - first.time_s) / (self.rows.len().max(2) - 1) as f64)
    }

    /// When the lap began on the file's clock. It is not before the last row of the lap before.
    pub(super) fn began_s(&self, before: Option<&TableRow>) -> f64 {
        let Some(first) = self.first() else { return 0.0 };
        let at = first.time_s;
        if let Some(clock) = first.clock_s {
            return at - clock;
        }
        // How long ago the line was passed, by what grows from the line on.
        let ago = |of: fn(&TableRow) -> Option<f64>| {
            let (place, next) = (of(first)?, self.rows.get(1).and_then(of)?);
            let step_s = self.rows.get(1).map_or(0.0, |next| next.time_s - at);
            Some(place / (next - place) * step_s).filter(|ago| (0.0..=NEAR_LINE_S).contains(ago))
        };
        let near = first.is_near_line() == Some(true);
        let ago = ago(|row| row.share).or_else(|| ago(|row| row.lap_m)).filter(|_| near).unwrap_or_default();
        let earliest = before.map_or(at - ago, |before| before.time_s);
        (at - ago).max(earliest).min(at)
    }

    /// How long after the last row the line was passed; `None` if the lap is not complete by then.
    pub(super) fn rest_s(&self, length_m: Option<f64>) -> Option<f64> {
        let [.., before, last] = self.rows.as_slice() else { return None };
        let step_s = last.time_s - before.time_s;
        let rest = |now: Option<f64>, before: Option<f64>, whole: f64| {
            let (now, before) = (now?, before?);
            let is_near = whole - now <= whole * NEAR_LINE_SHARE && now > before;
            is_near
                .then(|| ((whole - now) / (now - before) * step_s).max(0.0))
                .filter(|rest| *rest <= NEAR_LINE_S)
        };
        match (last.share, length_m) {
            (Some(_), _) => rest(last.share, before.share, 1.0),
            (None, Some(length)) => rest(last.lap_m, before.lap_m, length),
            (None, None) => None,
        }
    }

    /// The length of the track, from speed and share.
    pub(super) fn track_m(&self) -> Option<f64> {
        let lengths = self.rows.iter().zip(self.rows.iter().skip(1)).filter_map(|(row, next)| {
            let share = next.share? - row.share?;
            let metres = (row.speed_mps? + next.speed_mps?) / 2.0 * (next.time_s - row.time_s);
            Some(metres / share).filter(|_| share > 0.0)
        });
        let mut lengths: Vec<f64> = lengths.collect();
        lengths.sort_by(f64::total_cmp);
        lengths.get(lengths.len() / 2).copied().filter(|length| LENGTHS_M.contains(length))
    }

    fn distance_source(
        &self,
        before: Option<&TableRow>,
        began_s: f64,
        track_m: Option<f64>,
    ) -> DistanceSource {
        let any = |of: fn(&TableRow) -> Option<f64>| self.rows.iter().find_map(of);
        if any(|row| row.lap_m).is_some() {
            return DistanceSource::Lap;
        }
        if let Some(total) = any(|row| row.total_m) {
            let before_m = before.and_then(|before| before.total_m);
            // A distance of the file that begins again with the lap.
            if before_m.is_none_or(|before| before > total) && total < NEAR_LINE_M {
                return DistanceSource::Total(0.0);
            }
            let first = self
                .first()
                .map_or(0.0, |first| first.speed_mps.unwrap_or_default() * (first.time_s - began_s));
            return DistanceSource::Total(total - first);
        }
        match (any(|row| row.share), track_m) {
            (Some(_), Some(length)) => DistanceSource::Share(length),
            _ if any(|row| row.speed_mps).is_some() => DistanceSource::Speed,
            _ => DistanceSource::Nothing,
        }
    }

    /// The lap's channels and how far it went.
    pub(super) fn columns(
        &self,
        table: &TableChannels,
        before: Option<&TableRow>,
        began_s: f64,
    ) -> LapColumns {
        let source = self.distance_source(before, began_s, table.track_m);
        let farthest = self.rows.iter().filter_map(|row| row.lap_m).fold(0.0, f64::max);
        let [x, y, z] = Axis::ALL.map(|axis| Channel::Position.along(axis));
        let has = |slot| table.slots.contains(&slot);
        let is_flat = has(x) && has(z) && !has(y);
        let mut columns = Columns::default();
        let (mut driven_m, mut reached, mut last_mps) = (0.0, None, 0.0);
        let mut earlier: Option<&TableRow> = None;
        for row in &self.rows {
            let clock_s = row.time_s - began_s;
            if let Some((speed, earlier)) = row.speed_mps.zip(earlier) {
                let mean = (speed + earlier.speed_mps.unwrap_or(speed)) / 2.0;
                driven_m += mean.max(0.0) * (row.time_s - earlier.time_s);
            } else if earlier.is_none() {
                driven_m = row.speed_mps.unwrap_or_default().max(0.0) * clock_s.clamp(0.0, NEAR_LINE_S);
            }
            earlier = Some(row);
            let metres = match source {
                DistanceSource::Lap => {
                    // At the line it may still be that of the lap before.
                    row.lap_m.filter(|metres| {
                        clock_s > SETTLE_S || *metres <= farthest / 2.0 || farthest < NEAR_LINE_M
                    })
                }
                DistanceSource::Total(at_line) => row.total_m.map(|total| total - at_line),
                DistanceSource::Share(length) => row.share.map(|share| share * length),
                DistanceSource::Speed => Some(driven_m),
                DistanceSource::Nothing => None,
            };
            if let Some(metres) = metres {
                if let Some((earlier_m, earlier_s)) = reached {
                    last_mps = (metres - earlier_m) / f64::max(row.time_s - earlier_s, 1e-6);
                }
                reached = Some((metres, row.time_s));
            }
            let place = table.plane.zip(row.degrees.0.zip(row.degrees.1));
            let place = place.map(|(plane, (latitude, longitude))| plane.place(latitude, longitude));
            let place = place.map(|[to_x, to_z]| [(x, to_x), (y, 0.0), (z, to_z)]);
            let own = [
                (Channel::LapClock, Some(clock_s)),
                (Channel::LapDistance, metres),
                (Channel::LapShare, row.share),
                (Channel::TotalDistance, row.total_m),
            ];
            let own = own.into_iter().filter_map(|(channel, value)| Some((channel.slot(), value? as f32)));
            let logged = table.slots.iter().copied().zip(row.values.iter().copied());
            let flat = is_flat.then_some((y, 0.0));
            let all = own.chain(logged).chain(flat).chain(place.into_iter().flatten());
            let moment = Moment { at: Micros::default(), session_time: Some(row.time_s), frame: None };
            columns.push(moment, all.filter(|(_, value)| value.is_finite()));
        }
        columns.shrink();
        let reached_m = reached.map(|(metres, _)| metres);
        LapColumns { columns, reached_m, last_mps, is_from_speed: source == DistanceSource::Speed }
    }
}
