//! Treats a stage as a lap: start, splits, penalties, finish, recovery, retirement.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, DriverStatus, Event, EventKind, LapProgress, Moment, ResultStatus, SectorTimes, Sink,
};

use super::fields::Field;
use super::names;
use super::structure::Numbers;
use crate::session_clock::Doubt;

/// The only car in the game's data.
pub(super) const DRIVER: Car = Car(0);

/// A stage left beyond this share of it counts as finished.
const FINISHED: f64 = 0.999;
/// The official time comes at most this many seconds after the line.
const OFFICIAL_S: f64 = 2.0;
/// The clock is this close to the time of a split when the game sends it, seconds.
const SPLIT_S: f64 = 1.5;
/// So many packets in a row show a time of the game's.
const SURE_PACKETS: u32 = 2;
/// A stage whose clock runs on for this many seconds after its end was not over.
const OVER_S: f64 = 1.0;
/// A stage clock that runs this many seconds ahead of the game's got a penalty, if the game sends none.
const PENALTY_S: f64 = 1.0;
/// A recovery to the road moves the car by at least this many metres.
const RECOVERED_M: f32 = 2.0;
/// Within this many metres and seconds of the start, the car is where it started.
const AT_START: (f64, f64) = (10.0, 1.0);
/// The minimum time between two packets, in seconds.
const SHORTEST_S: f64 = 0.001;
/// Times of splits that are kept: a lap has one more sector.
const SPLITS: usize = 3;

/// The state of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Run {
    /// No packet received yet.
    #[default]
    Unknown,
    /// Before the start signal.
    Waiting,
    /// On the stage.
    Driving,
    /// Past the finish, at this time of the stage. The official time is to come.
    Crossed(f64),
    /// Past the finish, with a time.
    Finished(LapTime),
    /// The stage is over.
    Over,
}

/// The values of a packet that the next one is compared with.
#[derive(Clone, Copy, Debug)]
struct Point {
    moment: Moment,
    total_s: f64,
    clock_s: f64,
    metres: f64,
    position: [f32; 3],
    speed: f32,
}

/// Follows the runs of one stage.
#[derive(Debug, Default)]
pub(super) struct Stage {
    run: Run,
    last: Option<Point>,
    /// The stage's clock when it was over.
    left_s: f64,
    start_z: Option<f64>,
    length_m: f64,
    /// Times from the start to the splits, and how many were passed.
    splits: [Option<LapTime>; SPLITS],
    passed: u8,
    /// The time of a split that the game sent last, and one that it may send now, with the clock at its first packet.
    sent_split: Option<f64>,
    split: Doubt<(f64, f64)>,
    result: Doubt<LapTime>,
    out: Doubt<ResultStatus>,
    penalty: Doubt<f64>,
    penalty_s: Option<f64>,
}

impl Stage {
    /// Resets for a new run of the same stage.
    pub(super) fn restart(&mut self) {
        *self = Self { run: Run::Waiting, start_z: self.start_z, ..Self::default() };
    }

    /// Where the stage begins, once that is known.
    pub(super) fn start_z(&self) -> Option<f64> {
        self.start_z
    }

    /// Whether the car is between start and finish.
    pub(super) fn is_driving(&self) -> bool {
        self.run == Run::Driving
    }

    /// Processes the next packet of a car. Returns whether its values are of the run.
    pub(super) fn follow(&mut self, sent: &Numbers, moment: Moment, sink: &mut dyn Sink) -> bool {
        let now = Point::of(sent, moment);
        self.length_m = sent.of(Field::StageLength);
        let out = sent.get(Field::StageResultStatus).and_then(names::out);
        self.turn(&now, out.is_some(), sink);
        let last = self.last.replace(now);
        match self.run {
            Run::Over => return false,
            Run::Driving => {
                // Penalties before the first packet are not reported again.
                self.penalty_s = self.penalty_s.or(sent.get(Field::StageResultTimePenalty));
                if let Some(last) = last {
                    self.drive(&last, &now, sent, sink);
                }
                self.split(&now, sent, sink);
                self.finish(last.as_ref(), &now, out, sent, sink);
            }
            Run::Crossed(line_s) => self.await_official(line_s, &now, sent, sink),
            Run::Unknown | Run::Waiting | Run::Finished(_) => {}
        }
        if matches!(self.run, Run::Driving | Run::Finished(_)) {
            sink.progress(&self.progress(&now));
        }
        !matches!(self.run, Run::Crossed(_) | Run::Over)
    }

    /// The game says that the stage is over.
    pub(super) fn end(&mut self, sent: &Numbers, at: Micros, sink: &mut dyn Sink) {
        let Some(last) = self.last else { return };
        let official = official(sent);
        let line_s = match self.run {
            Run::Crossed(line_s) => Some(line_s),
            _ => {
                Some(last.clock_s).filter(|_| last.metres >= FINISHED * self.length_m && self.length_m > 0.0)
            }
        };
        let now = Point { moment: after(last.moment, at), ..last };
        match (self.run, official.or(line_s.and_then(time))) {
            (Run::Driving | Run::Crossed(_), Some(time)) => self.report_finish(time, &now, sink),
            (Run::Driving | Run::Crossed(_), None) => {
                let status = sent.get(Field::StageResultStatus).and_then(names::out);
                self.report_out(status.unwrap_or_default(), &now, sink);
            }
            // The time is sure only now.
            (Run::Finished(before), Some(time)) if official.is_some() && time != before => {
                self.run = Run::Finished(time);
                sink.progress(&self.progress(&now));
            }
            _ => {}
        }
        (self.run, self.left_s) = (Run::Over, last.clock_s);
    }

    /// Another run or stage begins: gives the time of this one, if the car is past the line.
    pub(super) fn settle(&mut self, at: Micros, sink: &mut dyn Sink) {
        if let (Run::Crossed(line_s), Some(last)) = (self.run, self.last)
            && let Some(time) = time(line_s)
        {
            let now = Point { moment: after(last.moment, at), ..last };
            self.report_finish(time, &now, sink);
        }
    }

    /// Updates the state of the run by the clock.
    fn turn(&mut self, now: &Point, is_out: bool, sink: &mut dyn Sink) {
        let runs = now.clock_s > 0.0;
        let (start_m, start_s) = AT_START;
        match self.run {
            Run::Unknown if !runs => self.run = Run::Waiting,
            Run::Unknown if now.metres >= self.length_m && self.length_m > 0.0 => {
                (self.run, self.left_s) = (Run::Over, now.clock_s);
            }
            Run::Unknown => self.run = Run::Driving,
            Run::Waiting if runs => {
                self.run = Run::Driving;
                report(EventKind::Go, now, sink);
            }
            Run::Over if !is_out && now.clock_s > self.left_s + OVER_S && now.metres < self.length_m => {
                self.run = Run::Driving;
            }
            _ => {}
        }
        if self.start_z.is_none() && now.clock_s < start_s && now.metres.abs() < start_m {
            self.start_z = Some(f64::from(now.position[2]));
        }
    }

    /// Recoveries and penalties between two packets.
    fn drive(&mut self, last: &Point, now: &Point, sent: &Numbers, sink: &mut dyn Sink) {
        let total_s = now.total_s - last.total_s;
        let ahead_s = (now.clock_s - last.clock_s) - total_s;
        let by_clock = (last.clock_s > 0.0 && ahead_s > PENALTY_S).then_some(ahead_s);
        // A car that rolls backwards also loses distance, but no more than its speed allows.
        let rolled = last.speed.max(now.speed) * total_s as f32;
        let put_back = now.metres < last.metres || by_clock.is_some();
        if put_back && now.jump(last) >= RECOVERED_M + 2.0 * rolled {
            report(EventKind::Recovered, now, sink);
        }
        let penalty_s = match sent.get(Field::StageResultTimePenalty) {
            Some(sum) => self.added(sum),
            // The clocks step differently.
            None => by_clock.map(|seconds| (seconds * 10.0).round() / 10.0),
        };
        if let Some(seconds) = penalty_s {
            report(EventKind::Penalty { millis: (seconds * 1e3).round() as u32 }, now, sink);
        }
    }

    /// What was added to the sum of penalties, once two packets have it.
    fn added(&mut self, sum: f64) -> Option<f64> {
        let before = *self.penalty_s.get_or_insert(sum);
        if sum <= before || !sum.is_finite() {
            self.penalty.settle();
            return None;
        }
        self.penalty.raise(sum, SURE_PACKETS, |doubted| *doubted == sum)?;
        self.penalty_s = Some(sum);
        Some(sum - before)
    }

    /// Reports a split when the game sends its time.
    fn split(&mut self, now: &Point, sent: &Numbers, sink: &mut dyn Sink) {
        let Some(sent_s) = sent.get(Field::StagePreviousSplitTime) else { return };
        // What is sent before the first split means nothing.
        let before = *self.sent_split.get_or_insert(sent_s);
        if sent_s == before || sent_s <= 0.0 || !sent_s.is_finite() {
            self.split.settle();
            return;
        }
        let first = self.split.latest().filter(|(doubted, _)| *doubted == sent_s);
        let clock_s = first.map_or(now.clock_s, |(_, clock_s)| *clock_s);
        if self.split.raise((sent_s, clock_s), SURE_PACKETS, |(doubted, _)| *doubted == sent_s).is_none() {
            return;
        }
        self.sent_split = Some(sent_s);
        let Some(time) = self.reached(sent_s, clock_s) else { return };
        if let Some(slot) = self.splits.get_mut(usize::from(self.passed)) {
            *slot = Some(time);
        }
        self.passed = self.passed.saturating_add(1);
        report(EventKind::Split { number: self.passed, time }, now, sink);
    }

    /// The time from the start to a split. What the game sends is the time since the split before, or since the start:
    /// the clock decides.
    fn reached(&self, sent_s: f64, clock_s: f64) -> Option<LapTime> {
        let before = match self.passed {
            0 => Some(0.0),
            passed => self.splits.get(usize::from(passed) - 1).copied().flatten().map(LapTime::seconds),
        };
        let sums = [before.map(|before| before + sent_s), Some(sent_s)];
        let sum = sums.into_iter().flatten().find(|sum| (clock_s - sum).abs() <= SPLIT_S);
        time(sum.unwrap_or(clock_s))
    }

    /// Finds the end of the run: the line, the game's time, or its word that the car is out.
    fn finish(
        &mut self,
        last: Option<&Point>,
        now: &Point,
        out: Option<ResultStatus>,
        sent: &Numbers,
        sink: &mut dyn Sink,
    ) {
        if let Some(status) = out {
            if self.out.raise(status, SURE_PACKETS, |doubted| *doubted == status).is_some() {
                self.report_out(status, now, sink);
                (self.run, self.left_s) = (Run::Over, now.clock_s);
            }
            return;
        }
        self.out.settle();
        let crossing = last.and_then(|last| last.line_s(now, self.length_m));
        if let Some(line_s) = crossing {
            self.run = Run::Crossed(line_s);
            self.await_official(line_s, now, sent, sink);
        } else if now.metres >= FINISHED * self.length_m
            && let Some(time) = self.sure_official(sent)
        {
            // Before that, it would be the time of the run before.
            self.report_finish(time, now, sink);
        }
    }

    /// Ends the run with the official time, or with that at the line if the game sends none.
    fn await_official(&mut self, line_s: f64, now: &Point, sent: &Numbers, sink: &mut dyn Sink) {
        let may_come = sent.get(Field::StageResultTime).is_some() && now.clock_s < line_s + OFFICIAL_S;
        match self.sure_official(sent) {
            Some(time) => self.report_finish(time, now, sink),
            None if may_come => {}
            None => {
                if let Some(time) = time(line_s) {
                    self.report_finish(time, now, sink);
                }
            }
        }
    }

    /// The official time, once two packets have it.
    fn sure_official(&mut self, sent: &Numbers) -> Option<LapTime> {
        let Some(time) = official(sent) else {
            self.result.settle();
            return None;
        };
        self.result.raise(time, SURE_PACKETS, |doubted| *doubted == time)
    }

    fn report_finish(&mut self, time: LapTime, now: &Point, sink: &mut dyn Sink) {
        self.run = Run::Finished(time);
        sink.progress(&self.progress(now));
        report(EventKind::Finished { time: Some(time) }, now, sink);
    }

    fn report_out(&mut self, result: ResultStatus, now: &Point, sink: &mut dyn Sink) {
        sink.progress(&LapProgress { result, ..self.progress(now) });
        report(EventKind::Abandoned, now, sink);
    }

    fn progress(&self, now: &Point) -> LapProgress {
        let time = match self.run {
            Run::Finished(time) => Some(time),
            _ => None,
        };
        LapProgress {
            car: DRIVER,
            moment: now.moment,
            lap: 1,
            clock: Some(time.map_or(now.clock_s, LapTime::seconds) as f32),
            distance: Some(if time.is_some() { self.length_m } else { now.metres } as f32),
            last_lap: time,
            sector: self.passed.min(SPLITS as u8),
            sectors: self.sectors(),
            driver: DriverStatus::OnTrack,
            result: if time.is_some() { ResultStatus::Finished } else { ResultStatus::Active },
            ..LapProgress::default()
        }
    }

    /// The finished sectors, and one more, which is the rest of the stage. Without splits there are none.
    fn sectors(&self) -> SectorTimes {
        let starts = [Some(LapTime(0))].into_iter().chain(self.splits);
        let between =
            |(from, to): (Option<LapTime>, Option<LapTime>)| Some(LapTime(to?.0.checked_sub(from?.0)?));
        let known = starts.zip(self.splits).map(between).take(usize::from(self.passed));
        if self.passed == 0 { SectorTimes::of(&[]) } else { known.chain([None]).collect() }
    }
}

impl Point {
    fn of(sent: &Numbers, moment: Moment) -> Self {
        Self {
            moment,
            total_s: sent.of(Field::GameTotalTime),
            clock_s: sent.of(Field::StageCurrentTime),
            metres: sent.of(Field::StageCurrentDistance),
            position: sent.vector([Field::PositionX, Field::PositionY, Field::PositionZ]),
            speed: sent.of(Field::Speed) as f32,
        }
    }

    /// The stage's clock at the finish, if the car crosses it between this packet and the next.
    fn line_s(&self, now: &Self, length_m: f64) -> Option<f64> {
        let crosses = length_m > 0.0 && self.metres < length_m && now.metres >= length_m;
        let share = (length_m - self.metres) / (now.metres - self.metres);
        crosses.then_some(self.clock_s + share * (now.clock_s - self.clock_s))
    }

    fn jump(&self, last: &Self) -> f32 {
        let parts = self.position.iter().zip(last.position).map(|(now, before)| (now - before).powi(2));
        parts.sum::<f32>().sqrt()
    }
}

/// The official time, if the stage is finished.
fn official(sent: &Numbers) -> Option<LapTime> {
    sent.get(Field::StageResultStatus).filter(|status| names::is_finished(*status))?;
    time(sent.get(Field::StageResultTime)?)
}

fn time(seconds: f64) -> Option<LapTime> {
    LapTime::from_seconds(seconds as f32)
}

/// The moment of a packet that may have no clock: session time goes on by the time between arrivals.
fn after(last: Moment, at: Micros) -> Moment {
    let passed = at.seconds_since(last.at).max(SHORTEST_S);
    Moment { at, session_time: last.session_time.map(|seconds| seconds + passed), ..last }
}

fn report(kind: EventKind, now: &Point, sink: &mut dyn Sink) {
    sink.event(Event { moment: now.moment, car: Some(DRIVER), kind });
}
