//! Runs of a rally stage: waiting for the start, driving, the finish.

use super::super::car::Car;
use super::super::circuit::Circuit;
use super::super::truth::{JumpTruth, LapTruth, RunEnd, StageRunTruth};
use super::options::Finish;
use super::steps::DT;

/// Seconds in the service area, waiting for the start, and without a car after the end.
pub(crate) const SERVICE_S: f64 = 1.5;
const COUNTDOWN_S: f64 = 4.0;
const AWAY_S: f64 = 3.0;
/// How long the game shows a completed stage, in seconds.
const SHOWN_S: f64 = 3.0;
/// Shorter flights are not recorded, in seconds.
const FLIGHT_S: f64 = 0.05;
/// Where the splits are, as fractions of the stage.
const SPLITS: [f64; 3] = [0.25, 0.5, 0.75];

/// The phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Standing in the service area, engine off.
    Service,
    /// Waiting for the start.
    Waiting,
    /// On the stage.
    Driving,
    /// Past the finish, still shown.
    Finished,
    /// No car.
    Away,
}

/// A rally stage and its current run, or the last one.
#[derive(Clone, Debug)]
pub struct Stage {
    /// How stages finish.
    pub finish: Finish,
    /// The phase of the run.
    pub phase: Phase,
    /// The run.
    pub run: StageRunTruth,
    /// Steps since the phase began, and since the start of the stage.
    phase_steps: u64,
    clock_steps: u64,
    /// When and where the car took off: steps and metres.
    left_ground: Option<(u64, f64)>,
}

impl Stage {
    /// A stage whose car is in the service area.
    pub(super) fn new(finish: Finish) -> Self {
        Self {
            finish,
            phase: Phase::Service,
            run: StageRunTruth::default(),
            phase_steps: 0,
            clock_steps: 0,
            left_ground: None,
        }
    }

    /// Seconds since the start of the stage; stops at the finish.
    pub fn clock_s(&self) -> f64 {
        self.clock_steps as f64 * DT
    }

    /// Counts a step; returns the phase that is due, other than by driving.
    pub(super) fn count(&mut self, again: bool) -> Option<Phase> {
        self.phase_steps += 1;
        let (lasts_s, next) = match self.phase {
            Phase::Service => (SERVICE_S, Phase::Waiting),
            Phase::Waiting => (COUNTDOWN_S, Phase::Driving),
            Phase::Finished => (SHOWN_S, Phase::Away),
            Phase::Away if again => (AWAY_S, Phase::Waiting),
            Phase::Driving | Phase::Away => return None,
        };
        (self.phase_steps as f64 * DT >= lasts_s).then_some(next)
    }

    pub(super) fn enter(&mut self, phase: Phase) {
        (self.phase, self.phase_steps) = (phase, 0);
    }

    /// Starts the run at this time, in seconds.
    pub(super) fn go(&mut self, now_s: f64) {
        self.enter(Phase::Driving);
        self.run.began_s = now_s;
    }

    /// The next run, whose car waits for the start.
    pub(super) fn next_run(&self) -> Self {
        let run = StageRunTruth { number: self.run.number + 1, ..StageRunTruth::default() };
        Self { phase: Phase::Waiting, run, ..Self::new(self.finish) }
    }

    /// Notes that the car is put back on the road.
    pub(super) fn recover(&mut self) {
        self.left_ground = None;
        self.run.recovered += 1;
    }

    /// Ends the run; returns its time as that of a lap, if it has one.
    pub(super) fn end(&mut self, end: RunEnd) -> Option<LapTruth> {
        self.enter(match (end, self.finish) {
            (RunEnd::Finished, Finish::Completed) => Phase::Finished,
            _ => Phase::Away,
        });
        let run = &mut self.run;
        run.end = Some(end);
        let time_ms = run.time_ms?;
        // From split to split, and from the last one to the finish.
        let ends = run.splits_ms.iter().copied().chain([time_ms]);
        let begins = [0].into_iter().chain(run.splits_ms.iter().copied());
        Some(LapTruth {
            number: 1,
            ended_s: run.began_s + f64::from(time_ms) / 1e3,
            time_ms,
            sectors_ms: ends.zip(begins).map(|(end, begin)| end.saturating_sub(begin)).collect(),
            ..LapTruth::default()
        })
    }

    /// Follows the car through one step from this distance; returns whether the run is finished.
    pub(super) fn follow(&mut self, from_m: f64, car: &Car, circuit: &Circuit) -> bool {
        let before_s = self.clock_s();
        self.clock_steps += 1;
        if car.is_airborne() {
            self.left_ground.get_or_insert((self.clock_steps, car.travelled_m));
        }
        if let Some((hard_ms, (steps, metres))) =
            car.landed_ms.zip(self.left_ground.take_if(|_| !car.is_airborne()))
        {
            let seconds = (self.clock_steps - steps) as f64 * DT;
            if seconds >= FLIGHT_S {
                let far_m = car.travelled_m - metres;
                self.run.jumps.push(JumpTruth { clock_s: self.clock_s(), seconds, far_m, hard_ms });
            }
        }
        let to_m = car.travelled_m;
        let crossed = |line_m: f64| {
            let share = (line_m - from_m) / (to_m - from_m);
            (from_m < line_m && line_m <= to_m).then(|| ((before_s + share * DT) * 1e3).round() as u32)
        };
        let next = SPLITS.get(self.run.splits_ms.len()).map(|share| share * circuit.sent_length_m());
        self.run.splits_ms.extend(next.and_then(crossed));
        self.run.time_ms = circuit.finish_m().and_then(crossed);
        self.run.time_ms.is_some()
    }
}

#[cfg(test)]
mod tests;
