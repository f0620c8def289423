//! Where another car was close to the player's.

use trailbrake_analysis::CloseCar;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, LapProgress, PitStatus, ResultStatus, SessionInfo};

use super::CarState;

/// A car that is at most this far away disturbs, seconds, until it is this far away.
const CLOSE_S: f32 = 1.0;
const AWAY_S: f32 = 1.2;
/// Metres from one look to the next.
const EVERY_M: f32 = 20.0;
/// The car was put elsewhere if it is this much further on, metres.
const PUT_M: f32 = 300.0;
/// Slower than this the car is not racing, and at more than this its clock stood still, metres per second.
const LEAST_MPS: f32 = 8.0;
const MOST_MPS: f32 = 150.0;
/// Stretches that are kept: far more than a day of racing has.
const MOST: usize = 20_000;

/// A car and its lap, with how many stretches were before it and before the lap before.
type DrivenLap = (Car, u16, [usize; 2]);

/// Collects where other cars were close, while a session is decoded.
#[derive(Clone, Debug, Default)]
pub struct TrafficLog {
    /// Each with the number of its lap.
    past: Vec<(u16, CloseCar)>,
    lap: Option<DrivenLap>,
    /// The stretches that have not ended, ahead and behind.
    open: [Option<CloseCar>; 2],
    /// The player's car at the last look.
    last: Option<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    car: Car,
    lap: u16,
    distance_m: f32,
    clock_s: f32,
}

impl TrafficLog {
    /// Looks at a session's cars after a packet was decoded.
    pub fn look<'a>(
        &mut self,
        player: Option<Car>,
        cars: impl Iterator<Item = (Car, &'a CarState)> + Clone,
        info: Option<&SessionInfo>,
        at: Micros,
    ) {
        let Some((seen, progress)) = seen(player, cars.clone()) else { return self.leave() };
        let Some(last) = self.last.filter(|last| (last.car, last.lap) == (seen.car, seen.lap)) else {
            self.leave();
            self.begin_lap(seen);
            self.last = Some(seen);
            return;
        };
        let (moved_m, took_s) = (seen.distance_m - last.distance_m, seen.clock_s - last.clock_s);
        if (0.0..EVERY_M).contains(&moved_m) && took_s >= 0.0 {
            return;
        }
        self.last = Some(seen);
        let speed_mps = moved_m / took_s;
        if !(0.0..PUT_M).contains(&moved_m) || !(LEAST_MPS..MOST_MPS).contains(&speed_mps) {
            self.end_stretches();
            if took_s < 0.0 {
                self.take_back(seen.distance_m);
            }
            return;
        }
        let length_m = info.and_then(|info| info.track_length_m).filter(|metres| *metres > 0.0);
        let gaps = gaps(cars, seen.car, progress, length_m);
        let Self { past, open, lap, .. } = self;
        for (place, (gap_m, open)) in gaps.into_iter().zip(open).enumerate() {
            let most_s = if open.is_some() { AWAY_S } else { CLOSE_S };
            let gap_s = gap_m.map(|metres| metres / speed_mps).filter(|seconds| *seconds <= most_s);
            match (gap_s, open.as_mut()) {
                (Some(gap_s), Some(open)) => {
                    (open.to, open.to_m, open.least_s) = (at, seen.distance_m, open.least_s.min(gap_s));
                }
                (Some(least_s), None) => {
                    let [from_m, to_m] = [last.distance_m.max(0.0), seen.distance_m];
                    let ahead = place == 0;
                    *open = Some(CloseCar { from: at, to: at, from_m, to_m, ahead, least_s });
                }
                (None, Some(_)) => keep(past, open, *lap),
                (None, None) => {}
            }
        }
    }

    /// The stretches so far, in the order in which they began.
    pub fn close_cars(&self) -> Vec<CloseCar> {
        let past = self.past.iter().map(|(_, close)| close);
        let mut all: Vec<CloseCar> = past.chain(self.open.iter().flatten()).cloned().collect();
        all.sort_by_key(|close| (close.from, !close.ahead));
        all
    }

    /// The stretches of a lap, by its number.
    pub(super) fn of_lap(&self, number: u16) -> Vec<CloseCar> {
        let past = self.past.iter().filter(|(lap, _)| *lap == number).map(|(_, close)| close);
        let is_under_way = self.lap.is_some_and(|(_, lap, _)| lap == number);
        let open = self.open.iter().flatten().filter(|_| is_under_way);
        past.chain(open).cloned().collect()
    }

    /// Notes which lap is driven. A lap before the one that was driven has been rewound to.
    fn begin_lap(&mut self, seen: Seen) {
        let now = self.past.len();
        let before = match self.lap {
            Some((car, lap, before)) if (car, lap) == (seen.car, seen.lap) => before,
            Some((car, lap, [before, lap_before]))
                if car == seen.car && lap == seen.lap.saturating_add(1) =>
            {
                self.past.truncate(before);
                [lap_before, lap_before]
            }
            Some((car, lap, [before, _])) if car == seen.car && lap < seen.lap => [now, before],
            _ => [now, now],
        };
        let is_rewound = self.lap.is_some_and(|(car, lap, _)| car == seen.car && lap > seen.lap);
        self.lap = Some((seen.car, seen.lap, before));
        if is_rewound {
            self.take_back(seen.distance_m);
        }
    }

    /// Forgets what the driver has rewound: the lap goes on at this distance.
    fn take_back(&mut self, distance_m: f32) {
        let before = self.lap.map_or(self.past.len(), |(_, _, [before, _])| before);
        let rewound = self.past.split_off(before.min(self.past.len()));
        let stays = rewound.into_iter().filter(|(_, close)| close.from_m < distance_m);
        self.past
            .extend(stays.map(|(lap, close)| (lap, CloseCar { to_m: close.to_m.min(distance_m), ..close })));
    }

    fn leave(&mut self) {
        self.end_stretches();
        self.last = None;
    }

    fn end_stretches(&mut self) {
        let Self { past, open, lap, .. } = self;
        open.iter_mut().for_each(|open| keep(past, open, *lap));
    }
}

/// Ends a stretch, and keeps it unless packets that no game sends have made too many.
fn keep(past: &mut Vec<(u16, CloseCar)>, open: &mut Option<CloseCar>, lap: Option<DrivenLap>) {
    let number = lap.map_or(0, |(_, number, _)| number);
    let ended = open.take().map(|close| (number, close));
    if past.len() < MOST {
        past.extend(ended);
    }
}

/// The player's car, while it drives a lap.
fn seen<'a>(
    player: Option<Car>,
    mut cars: impl Iterator<Item = (Car, &'a CarState)>,
) -> Option<(Seen, &'a LapProgress)> {
    let (car, state) = cars.find(|(car, _)| Some(*car) == player)?;
    let progress = state.progress().filter(|progress| is_on_track(progress))?;
    let (distance_m, clock_s) = progress.distance.zip(progress.clock)?;
    // On the grid everybody is close.
    if distance_m < 0.0 {
        return None;
    }
    Some((Seen { car, lap: progress.lap, distance_m, clock_s }, progress))
}

fn is_on_track(progress: &LapProgress) -> bool {
    let result = progress.result;
    progress.pit == PitStatus::OnTrack
        && !result.is_over()
        && !matches!(result, ResultStatus::Invalid | ResultStatus::Inactive)
}

/// Metres to the nearest car ahead and behind.
fn gaps<'a>(
    cars: impl Iterator<Item = (Car, &'a CarState)>,
    own: Car,
    progress: &LapProgress,
    length_m: Option<f32>,
) -> [Option<f32>; 2] {
    let mut gaps = [None::<f32>; 2];
    let Some(own_m) = progress.distance else { return gaps };
    // Who has retired stands somewhere and keeps the last distance.
    let others = cars.filter(|(car, state)| *car != own && state.takes_part());
    for other in others.filter_map(|(_, state)| state.progress()).filter(|other| is_on_track(other)) {
        let Some(other_m) = other.distance else { continue };
        let mut apart_m = other_m - own_m;
        if let Some(length_m) = length_m {
            // The short way around.
            apart_m -= (apart_m / length_m).round() * length_m;
        }
        let [ahead, behind] = &mut gaps;
        let gap = if apart_m >= 0.0 { ahead } else { behind };
        if apart_m.is_finite() {
            *gap = Some(gap.map_or(apart_m.abs(), |known| known.min(apart_m.abs())));
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use trailbrake_model::{Fact, Moment, Sink};

    use super::*;
    use crate::Session;

    /// The stretches along which cars were close: the player drives 50 m/s; `other` is where the other car is after so
    /// many seconds of so many laps.
    fn close(laps: u16, other: impl Fn(f32) -> Option<f32>) -> Vec<(f32, f32, bool, f32)> {
        let mut session = Session::default();
        let mut log = TrafficLog::default();
        let moment = |seconds: f64| Moment {
            at: Micros(0).plus_seconds(seconds),
            session_time: Some(seconds),
            frame: None,
        };
        let info = SessionInfo { track_length_m: Some(1000.0), ..SessionInfo::default() };
        session.fact(moment(0.0), Fact::Session(Box::new(info)));
        session.fact(moment(0.0), Fact::Player(Some(Car(1))));
        for tick in 0..u32::from(laps) * 1200 {
            let seconds = f64::from(tick) / 60.0;
            let now = moment(seconds);
            let put = |session: &mut Session, car, metres: f32| {
                let lap = 1 + (metres / 1000.0) as u16;
                let (distance, clock) = (Some(metres % 1000.0), Some(metres % 1000.0 / 50.0));
                session.progress(&LapProgress {
                    car,
                    moment: now,
                    lap,
                    distance,
                    clock,
                    ..LapProgress::default()
                });
            };
            let own_m = seconds as f32 * 50.0;
            put(&mut session, Car(1), own_m);
            if let Some(metres) = other(own_m) {
                put(&mut session, Car(2), metres);
            }
            log.look(session.player(), session.cars(), session.info(), now.at);
        }
        let stretch = |close: CloseCar| (close.from_m, close.to_m, close.ahead, close.least_s);
        log.close_cars().into_iter().map(stretch).collect()
    }

    fn is_near(found: &[(f32, f32, bool, f32)], expected: &[(f32, f32, bool, f32)]) {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            let near = (found.0 - expected.0).abs() < 45.0 && (found.1 - expected.1).abs() < 45.0;
            assert!(near && found.2 == expected.2 && (found.3 - expected.3).abs() < 0.1, "{found:?}");
        }
    }

    #[test]
    fn a_car_that_is_caught_and_passed_is_ahead_and_then_behind() {
        // It drives a tenth slower, and is caught 600 m after the line.
        let caught = close(1, |own| Some(60.0 + own * 0.9));
        is_near(&caught, &[(100.0, 600.0, true, 0.0), (600.0, 1000.0, false, 0.0)]);
    }

    #[test]
    fn what_was_rewound_was_no_traffic() {
        let close = |lap: u16, from_m, to_m| {
            let (from, to) = (Micros(0), Micros(0));
            (lap, CloseCar { from, to, from_m, to_m, ahead: true, least_s: 0.5 })
        };
        let past = vec![
            close(1, 500.0, 900.0),
            close(2, 100.0, 400.0),
            close(2, 500.0, 900.0),
            close(2, 950.0, 990.0),
        ];
        let lap = Some((Car(1), 2, [1, 0]));
        let mut log = TrafficLog { past: past.clone(), lap, ..TrafficLog::default() };
        log.take_back(600.0);
        assert_eq!(log.past, [close(1, 500.0, 900.0), close(2, 100.0, 400.0), close(2, 500.0, 600.0)]);
        // Back over the line, to 700 m in the lap before.
        let mut log = TrafficLog { past, lap, ..TrafficLog::default() };
        let seen = |lap, distance_m| Seen { car: Car(1), lap, distance_m, clock_s: 30.0 };
        log.begin_lap(seen(1, 700.0));
        assert_eq!(log.past, [close(1, 500.0, 700.0)]);
        // In the pits the car is in no lap, and in the same one afterwards.
        assert_eq!((log.of_lap(1).len(), log.of_lap(2).len()), (1, 0));
        log.past.push(close(1, 750.0, 800.0));
        log.begin_lap(seen(1, 900.0));
        assert_eq!(log.lap, Some((Car(1), 1, [0, 0])));
    }

    #[test]
    fn no_stream_of_packets_fills_the_memory() {
        let close =
            CloseCar { from: Micros(0), to: Micros(0), from_m: 0.0, to_m: 40.0, ahead: true, least_s: 0.5 };
        let mut past = Vec::new();
        for _ in 0..MOST + 5 {
            let mut open = Some(close.clone());
            keep(&mut past, &mut open, Some((Car(1), 1, [0, 0])));
            assert_eq!(open, None);
        }
        assert_eq!(past.len(), MOST);
    }

    #[test]
    fn a_lap_ends_a_stretch_and_the_line_is_no_gap() {
        // It stays 30 m ahead, past the line.
        let ahead = close(2, |own| Some(own + 30.0));
        is_near(&ahead, &[(0.0, 1000.0, true, 0.6), (0.0, 1000.0, true, 0.6)]);
        assert!(close(2, |own| Some(own + 80.0)).is_empty(), "more than a second away");
        assert!(close(1, |_| None).is_empty(), "alone");
    }
}
