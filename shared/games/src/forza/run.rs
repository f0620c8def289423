//! What the driver does in a race: laps, their distance, and the finish.

use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, DriverStatus, LapProgress, Moment, ResultStatus};

use super::distance::LapDistance;
use super::packet::Kind;
use super::race_point::RacePoint;
use crate::session_clock::{Doubt, Step};

/// The only car in the game's data.
pub(super) const DRIVER: Car = Car(0);

/// A lap shorter than this is none, seconds.
const SHORTEST_LAP_S: f64 = 5.0;
/// A lap's time differs from the last value of its clock by no more than this, seconds.
const PLAUSIBLE_S: f64 = 1.0;
/// So many packets in a row show that a race is over.
const FINISH_PACKETS: u32 = 2;
/// How far along its route a car is at the end, in the unit of Horizon 6, in which all routes are equally long.
const ROUTE_END: core::ops::RangeInclusive<f32> = 5_900.0..=6_000.0;

/// A race from its start, or from the first packet of it.
#[derive(Debug, Default)]
pub(super) struct Run {
    newest: Option<RacePoint>,
    distance: LapDistance,
    is_horizon: bool,
    /// The time of a last lap, until the next packet repeats it.
    last_lap: Doubt<LapTime>,
    finished: bool,
    /// Whether the newest packet is the first after the line of the first lap.
    crosses_first_line: bool,
}

impl Run {
    /// Takes the next packet. Returns the time of the last lap if it ends the race.
    pub(super) fn follow(&mut self, kind: Kind, step: Step, now: &RacePoint) -> Option<LapTime> {
        self.is_horizon = kind == Kind::Horizon;
        let before = self.newest.replace(*now);
        let waited = before.is_some_and(|before| before.lap_s == 0.0 || before.along < 0.0);
        self.crosses_first_line = waited && now.laps == 0 && now.lap_s > 0.0 && now.along >= 0.0;
        self.distance.follow(step, before.as_ref(), now);
        if step != Step::Flows {
            (self.finished, self.last_lap) = (false, Doubt::default());
            return None;
        }
        let time = self.end_of_last_lap(&before?, now).filter(|_| !self.finished);
        self.finished |= time.is_some();
        time
    }

    /// The time of the last lap of a race, once two packets have it: it ends without a new lap.
    fn end_of_last_lap(&mut self, before: &RacePoint, now: &RacePoint) -> Option<LapTime> {
        let repeated = self.last_lap.latest().copied().filter(|time| now.last_lap == Some(*time));
        let Some(time) = repeated.or_else(|| last_lap_of_race(before, now)) else {
            self.last_lap.settle();
            return None;
        };
        self.last_lap.raise(time, FINISH_PACKETS, |before| *before == time)
    }

    /// The newest packet and its time, if the car stands at the end of a route without laps: the game sends neither.
    pub(super) fn end_of_route(&mut self) -> Option<LapProgress> {
        let point = self.newest.filter(|_| self.is_horizon && !self.finished)?;
        let is_route = point.laps == 0 && point.last_lap.is_none() && point.lap_s >= SHORTEST_LAP_S;
        if !is_route || !ROUTE_END.contains(&point.along) {
            return None;
        }
        self.finished = true;
        let last_lap = LapTime::from_seconds(point.lap_s as f32);
        Some(LapProgress { last_lap, ..self.progress(&point, Moment::default()) })
    }

    /// The lap progress; `None` where there are no laps.
    pub(super) fn lap_progress(&self, moment: Moment) -> Option<LapProgress> {
        let point = self.newest.filter(RacePoint::is_racing)?;
        Some(self.progress(&point, moment))
    }

    /// Metres since the line.
    pub(super) fn lap_distance(&self) -> Option<f32> {
        self.distance.metres()
    }

    /// Whether the newest packet is the first one of the first lap.
    pub(super) fn crosses_first_line(&self) -> bool {
        self.crosses_first_line
    }

    /// Whether the race is over.
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    fn progress(&self, point: &RacePoint, moment: Moment) -> LapProgress {
        LapProgress {
            car: DRIVER,
            moment,
            lap: point.laps.saturating_add(1),
            clock: Some(point.lap_s as f32),
            distance: self.distance.metres(),
            last_lap: point.last_lap,
            best_lap: point.best_lap,
            driver: DriverStatus::OnTrack,
            result: if self.finished { ResultStatus::Finished } else { ResultStatus::Active },
            position: point.position,
            ..LapProgress::default()
        }
    }
}

/// The time of the lap that ended between two packets without a new lap: the last one of a race.
fn last_lap_of_race(before: &RacePoint, now: &RacePoint) -> Option<LapTime> {
    let time = now.last_lap.filter(|_| before.laps == now.laps && before.last_lap != now.last_lap)?;
    // Soon after the line it would be the time of the lap before, which came late.
    let is_lap = before.lap_s >= SHORTEST_LAP_S && (time.seconds() - before.lap_s).abs() <= PLAUSIBLE_S;
    is_lap.then_some(time)
}
