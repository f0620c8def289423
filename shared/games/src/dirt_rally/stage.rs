//! Treats a stage as a lap: start, splits, finish, restart, recovery, service area.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::rpm;
use trailbrake_model::{
    Car, DriverStatus, Event, EventKind, Fact, LapProgress, Moment, PitStatus, ResultStatus, SectorTimes,
    SessionInfo, SessionKind, Sink, Track, Vehicle,
};

use super::layout::Channels;
use super::names;

/// The only car in these games' data.
pub(super) const DRIVER: Car = Car(0);
/// The game's splits, as lap fractions.
const SPLITS: [f32; 3] = [0.25, 0.5, 0.75];
/// A stage left beyond this lap fraction counts as finished.
const FINISHED: f32 = 0.999;
/// A recovery to the road moves the car by at least this many metres.
const RECOVERED_M: f32 = 2.0;
/// A stage clock that runs this many seconds ahead of the event's clock got a penalty.
const PENALTY_S: f32 = 1.0;
/// A restart moves the car by at least this many metres.
const RESTARTED_M: f32 = 30.0;
/// Within this many metres of the start line, the car is at the start.
const AT_START_M: f32 = 10.0;
/// Within this many seconds of the start, the car is still where it started.
const AT_START_S: f32 = 1.0;
/// The minimum time between two packets, in seconds.
const SHORTEST_S: f64 = 0.001;
/// A stopped engine within this many seconds of the event's beginning means the service area.
const SERVICE_S: f32 = 0.1;

/// The state of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Run {
    /// No packet received yet.
    #[default]
    Unknown,
    /// Behind the line, before the start signal.
    Waiting,
    /// On the stage.
    Driving,
    /// Past the finish.
    Finished,
    /// The game removed the car, after the finish or before it.
    Away,
}

/// The values of a packet that the next packet is compared with.
#[derive(Clone, Copy, Debug)]
struct Point {
    clock: f32,
    distance: f32,
    progress: f32,
    lap: f32,
    laps_completed: Option<f32>,
    position: [f32; 3],
    speed: f32,
    event_clock: f32,
}

/// Follows the stages of one event.
#[derive(Debug, Default)]
pub(super) struct Stage {
    run: Run,
    /// The stage clock when the game removed the car.
    left: f32,
    last: Option<Point>,
    latest: Option<LapProgress>,
    start_z: Option<f32>,
    /// The number of splits passed.
    passed: u8,
    /// Times from the start to the splits: sent by the game, or observed.
    splits: [Option<LapTime>; 3],
    in_service: bool,
    facts: Option<StageFacts>,
}

/// The facts last sent to the sink. They are sent again when they change.
#[derive(Clone, Debug, PartialEq)]
struct StageFacts {
    track_length: Option<f32>,
    total_laps: Option<f32>,
    sli_pro: Option<f32>,
    start_z: Option<f32>,
    car: Option<[f32; 3]>,
}

impl Stage {
    /// Resets for a new event. Keeps whether the car is in the service area.
    pub(super) fn begin(&mut self) {
        *self = Self { in_service: self.in_service, ..Self::default() };
    }

    /// Whether the car is between start and finish.
    pub(super) fn is_driving(&self) -> bool {
        self.run == Run::Driving
    }

    /// Processes the next packet of a car that drives or waits at the start.
    pub(super) fn follow(&mut self, sent: &Channels, moment: Moment, sink: &mut dyn Sink) {
        let now = Point::of(sent);
        self.service(pit(sent) != PitStatus::OnTrack, moment, sink);
        let turned = self.turn(&now, sent);
        for kind in turned.into_iter().flatten() {
            report(kind, moment, sink);
        }
        self.learn_start(&now);
        self.send_facts(sent, moment, sink);
        self.split(&now, sent, moment, sink);
        let finish = self.finish(&now, sent);
        let progress = self.progress(&now, sent, moment);
        if self.run != Run::Waiting {
            // The lap begins at the start signal.
            sink.progress(&progress);
        }
        if let Some(kind) = finish {
            report(kind, moment, sink);
        }
        (self.last, self.latest) = (Some(now), Some(progress));
    }

    /// The game sends no car: the stage was finished or abandoned.
    pub(super) fn no_car(&mut self, at: Micros, sink: &mut dyn Sink) {
        let Some((last, latest)) = self.last.take().zip(self.latest.take()) else { return };
        let driven = self.run == Run::Driving;
        (self.run, self.left) = (Run::Away, last.clock);
        if !driven {
            return;
        }
        let moment = after(latest.moment, at);
        if last.share() < FINISHED {
            report(EventKind::Abandoned, moment, sink);
            return;
        }
        let time = LapTime::from_seconds(last.clock);
        sink.progress(&LapProgress { moment, last_lap: time, result: ResultStatus::Finished, ..latest });
        report(EventKind::Finished { time }, moment, sink);
    }

    /// Reports when the car enters or leaves the service area.
    pub(super) fn service(&mut self, inside: bool, moment: Moment, sink: &mut dyn Sink) {
        if inside != self.in_service {
            self.in_service = inside;
            report(if inside { EventKind::ServiceEntered } else { EventKind::ServiceLeft }, moment, sink);
        }
    }

    /// Updates the state of the run and returns the events since the previous packet.
    fn turn(&mut self, now: &Point, sent: &Channels) -> [Option<EventKind>; 3] {
        let began = now.clock > 0.0;
        let Some(last) = self.last else {
            // The car was removed before: an earlier clock means a new attempt.
            let again = self.run == Run::Away && (!began || now.clock < self.left);
            self.passed = if again || !began { 0 } else { sector(now, sent) };
            self.splits = Default::default();
            self.run = match began {
                true if now.is_past_finish(sent) => Run::Finished,
                true => Run::Driving,
                false => Run::Waiting,
            };
            return [again.then_some(EventKind::Restarted), None, None];
        };
        let mut happened = [None, None, None];
        if now.was_restarted(&last) {
            self.run = Run::Waiting;
            happened[0] = Some(EventKind::Restarted);
        } else {
            happened[0] = now.was_recovered(&last).then_some(EventKind::Recovered);
            happened[1] = now.penalty(&last);
        }
        if happened[0] == Some(EventKind::Restarted) || now.lap > last.lap {
            (self.passed, self.splits) = (0, Default::default());
        }
        if self.run == Run::Waiting && began {
            self.run = Run::Driving;
            happened[2] = Some(EventKind::Go);
        }
        happened
    }

    fn learn_start(&mut self, now: &Point) {
        let there = self.run == Run::Waiting || now.clock < AT_START_S;
        if there && self.start_z.is_none() && now.distance.abs() < AT_START_M {
            self.start_z = Some(now.position[2]);
        }
    }

    /// Reports the splits passed since the previous packet.
    fn split(&mut self, now: &Point, sent: &Channels, moment: Moment, sink: &mut dyn Sink) {
        let sector = sector(now, sent);
        if self.run != Run::Driving {
            return;
        }
        let reached = LapTime::from_seconds(now.clock);
        let first = sent_time(sent.sector_1_time);
        let second = sent_time(sent.sector_2_time);
        let both = first.zip(second).map(|(first, second)| LapTime(first.0 + second.0));
        for number in self.passed + 1..=sector {
            let seen = if number == sector { reached } else { None };
            let time = match number {
                1 => first.or(seen),
                2 => both.or(seen),
                _ => seen,
            };
            if let Some(slot) = self.splits.get_mut(usize::from(number - 1)) {
                *slot = time;
            }
            if let Some(time) = time {
                report(EventKind::Split { number, time }, moment, sink);
            }
        }
        self.passed = self.passed.max(sector);
    }

    /// The finish event, when the game's count of completed laps reaches the total.
    fn finish(&mut self, now: &Point, sent: &Channels) -> Option<EventKind> {
        if self.run != Run::Driving || !now.is_past_finish(sent) {
            return None;
        }
        self.run = Run::Finished;
        let time = sent_time(sent.last_lap_time).or(LapTime::from_seconds(now.clock));
        Some(EventKind::Finished { time })
    }

    fn progress(&self, now: &Point, sent: &Channels, moment: Moment) -> LapProgress {
        let finished = matches!(self.run, Run::Finished);
        LapProgress {
            car: DRIVER,
            moment,
            lap: (now.lap.max(0.0) as u16).saturating_add(1),
            clock: Some(now.clock),
            distance: Some(now.distance),
            total_distance: None,
            last_lap: sent_time(sent.last_lap_time),
            best_lap: None,
            sector: sector(now, sent),
            sectors: self.sectors(sent),
            inferred: false,
            invalid: false,
            pit: pit(sent),
            driver: DriverStatus::OnTrack,
            result: if finished { ResultStatus::Finished } else { ResultStatus::Active },
            position: sent.race_position.unwrap_or(0.0) as u8,
            grid: 0,
            penalties: 0,
            ..LapProgress::default()
        }
    }

    /// The finished sectors: the first two as sent, otherwise the differences of the splits.
    fn sectors(&self, sent: &Channels) -> SectorTimes {
        let [split_1, split_2, split_3] = self.splits;
        let between = |from: Option<LapTime>, to: Option<LapTime>| Some(LapTime(to?.0.checked_sub(from?.0)?));
        let first = sent_time(sent.sector_1_time).or(split_1);
        let second = sent_time(sent.sector_2_time).or(between(split_1, split_2));
        let split_2 = first.zip(second).map(|(first, second)| LapTime(first.0.saturating_add(second.0)));
        [first, second, between(split_2, split_3), None].into()
    }

    /// Sends the facts about stage and car to the sink when they change.
    fn send_facts(&mut self, sent: &Channels, moment: Moment, sink: &mut dyn Sink) {
        let facts = StageFacts {
            track_length: sent.track_length,
            total_laps: sent.total_laps,
            sli_pro: sent.native_sli_support,
            start_z: self.start_z,
            car: match (sent.max_rpm, sent.idle_rpm, sent.max_gears) {
                (Some(max), Some(idle), Some(gears)) => Some([rpm(max), rpm(idle), gears]),
                _ => None,
            },
        };
        if self.facts.as_ref() == Some(&facts) {
            return;
        }
        sink.fact(moment, Fact::Session(Box::new(facts.session())));
        if let Some(vehicle) = facts.vehicle() {
            sink.fact(moment, Fact::Vehicle(DRIVER, Box::new(vehicle)));
        }
        self.facts = Some(facts);
    }
}

impl Point {
    fn of(sent: &Channels) -> Self {
        Self {
            clock: sent.lap_time,
            distance: distance(sent),
            progress: sent.progress,
            lap: sent.lap,
            laps_completed: sent.laps_completed,
            position: sent.position.into(),
            speed: sent.speed,
            event_clock: sent.total_time,
        }
    }

    /// The lap fraction of the current lap.
    fn share(&self) -> f32 {
        self.progress - self.lap.max(0.0)
    }

    fn is_past_finish(&self, sent: &Channels) -> bool {
        let laps = sent.total_laps.unwrap_or(1.0).max(1.0);
        self.laps_completed.is_some_and(|completed| completed >= laps)
    }

    fn was_restarted(&self, last: &Self) -> bool {
        let to_start = self.distance <= AT_START_M && self.jump(last) >= RESTARTED_M;
        self.fell_back(last) && (self.clock == 0.0 || to_start)
    }

    fn was_recovered(&self, last: &Self) -> bool {
        // A car that rolls backwards also loses distance, but no more than its speed allows.
        let rolled = last.speed.max(self.speed) * (self.event_clock - last.event_clock).max(0.0);
        let put_back = self.fell_back(last) || self.penalty_s(last).is_some();
        put_back && self.jump(last) >= RECOVERED_M + 2.0 * rolled
    }

    /// The penalty that the stage clock got since the last packet, in seconds.
    fn penalty_s(&self, last: &Self) -> Option<f32> {
        let event_s = self.event_clock - last.event_clock;
        let ahead_s = (self.clock - last.clock) - event_s;
        (last.clock > 0.0 && self.lap == last.lap && event_s >= 0.0 && ahead_s > PENALTY_S).then_some(ahead_s)
    }

    /// That penalty to a tenth of a second: the stage clock steps by whole frames, the event's clock does not.
    fn penalty(&self, last: &Self) -> Option<EventKind> {
        let tenths = (self.penalty_s(last)? * 10.0).round() as u32;
        Some(EventKind::Penalty { millis: tenths.saturating_mul(100) })
    }

    fn fell_back(&self, last: &Self) -> bool {
        // Movement before the start signal does not count.
        last.clock > 0.0 && self.lap <= last.lap && (self.clock < last.clock || self.distance < last.distance)
    }

    fn jump(&self, last: &Self) -> f32 {
        let [x, y, z] = self.position;
        let [a, b, c] = last.position;
        ((x - a).powi(2) + (y - b).powi(2) + (z - c).powi(2)).sqrt()
    }
}

impl StageFacts {
    fn session(&self) -> SessionInfo {
        let length = self.track_length.filter(|&length| length > 0.0);
        let laps = self.total_laps.map(|laps| laps as u16);
        SessionInfo {
            kind: match laps {
                Some(laps) if laps > 1 => SessionKind::Race(1),
                Some(1) => SessionKind::Stage,
                _ => SessionKind::Unknown,
            },
            track: length.map(|length| Track {
                id: match self.start_z {
                    Some(z) => format!("{length:.2}@{z:.0}"),
                    None => format!("{length:.2}"),
                },
                name: self.start_z.and_then(|z| names::stage(length, z)).map(str::to_owned),
                recognised: None,
            }),
            track_length_m: length,
            total_laps: laps,
            sli_pro: self.sli_pro.map(|supported| supported != 0.0),
            ..SessionInfo::default()
        }
    }

    fn vehicle(&self) -> Option<Vehicle> {
        let [max, idle, gears] = self.car?;
        Some(Vehicle {
            id: Some(format!("{max:.0}/{idle:.0}/{gears:.0}")),
            name: names::car(max, idle, gears).map(str::to_owned),
            ..Vehicle::default()
        })
    }
}

/// Whether the car is in the service area: the engine is stopped and the event has only just begun.
pub(super) fn is_service_area(sent: &Channels) -> bool {
    [sent.engine_rate, sent.speed, sent.lap_time] == [0.0; 3] && sent.total_time <= SERVICE_S
}

/// The lap distance in metres. Before the start on circuits, the game counts up to the line from behind; that becomes a
/// negative distance.
pub(super) fn distance(sent: &Channels) -> f32 {
    let distance = sent.lap_distance;
    match sent.track_length {
        Some(length) if sent.lap_time == 0.0 && length > 0.0 && distance > length / 2.0 => distance - length,
        _ => distance,
    }
}

/// The moment of a packet without a clock: session time goes on from `last` by the time between arrivals.
fn after(last: Moment, at: Micros) -> Moment {
    let passed = at.seconds_since(last.at).max(SHORTEST_S);
    Moment { at, session_time: last.session_time.map(|seconds| seconds + passed), ..last }
}

fn report(kind: EventKind, moment: Moment, sink: &mut dyn Sink) {
    sink.event(Event { moment, car: Some(DRIVER), kind });
}

fn sent_time(seconds: Option<f32>) -> Option<LapTime> {
    seconds.and_then(LapTime::from_seconds)
}

/// The current sector, from 0: as sent, otherwise by lap fraction.
fn sector(now: &Point, sent: &Channels) -> u8 {
    let by_share = SPLITS.iter().filter(|&&split| now.share() >= split).count() as u8;
    sent.sector.map_or(by_share, |sector| (sector as u8).min(3))
}

fn pit(sent: &Channels) -> PitStatus {
    match sent.in_pits.unwrap_or(0.0) as u8 {
        0 => PitStatus::OnTrack,
        1 => PitStatus::Pitting,
        2 => PitStatus::InPitArea,
        other => PitStatus::Other(other),
    }
}

#[cfg(test)]
mod tests;
