//! Runs of a stage: waiting for the start, driving, the finish, and requested events.

use super::car::{Landing, RallyCar, RallyWish};
use super::road::Road;
use crate::race::{STEPS_PER_FRAME, STEPS_PER_S};
use crate::random::Random;
use crate::truth::{CircuitTruth, JumpTruth, LapTruth, RunEnd, SessionTruth, StageRunTruth, Truth};

const DT: f64 = 1.0 / STEPS_PER_S as f64;
/// Seconds in the service area, waiting for the start, and without a car after the end.
const SERVICE_S: f64 = 1.5;
const COUNTDOWN_S: f64 = 4.0;
const AWAY_S: f64 = 3.0;
/// How long the game shows a completed stage, in seconds.
const SHOWN_S: f64 = 3.0;
/// Distance that a recovered car loses, in metres.
const PUT_BACK_M: f64 = 12.0;
/// Shorter flights are not recorded, in seconds.
const FLIGHT_S: f64 = 0.05;
/// The driver's top speed on the stage, and after the finish, in m/s.
const FASTEST_MS: f64 = 44.0;
const ROLL_OUT_MS: f64 = 9.0;
/// Length of the sections with constant bravery, in metres.
const STRETCH_M: f64 = 80.0;

/// Share of the grip that the driver brakes with at the bend and before, and the last m/s over which it falls.
const BRAKED: [f64; 2] = [0.3, 0.88];
const TRAILED_MS: f64 = 7.0;

/// Reaction time in seconds, and the metres to either side over which the change of the planned speed is averaged.
const REACTION_S: f64 = 0.1;
const SPAN_M: f64 = 3.0;

/// How the game signals the finish of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// Counts the stage as completed and sends its time, as in career events.
    #[default]
    Completed,
    /// Removes the car, as in a time trial.
    TakenAway,
}

/// Options of a rally.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The seed; the same options give the same runs bit for bit.
    pub seed: u64,
    /// How stages finish.
    pub finish: Finish,
    /// Requests, each with its time in seconds since the beginning.
    pub requests: Vec<(f64, Request)>,
    /// Whether there is only one run; otherwise another follows, as after a restart.
    pub once: bool,
    /// Whether to drop earlier runs from the ground truth, for rallies that never end.
    pub forgetful: bool,
}

/// An event to happen on a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    /// Pauses the game.
    Pause {
        /// Duration in seconds.
        seconds: f64,
    },
    /// Goes back to the start.
    Restart,
    /// Puts the car back on the road.
    Recover,
    /// The car hits an obstacle.
    Hit,
    /// Leaves the stage.
    Leave,
}

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

/// Runs of one stage.
#[derive(Clone, Debug)]
pub struct Rally {
    road: Road,
    options: Options,
    requests: Vec<(f64, Request)>,
    car: RallyCar,
    phase: Phase,
    /// Steps since the beginning, since the phase began, and since the start of the stage.
    run_steps: u64,
    phase_steps: u64,
    clock_steps: u64,
    paused_until: Option<u64>,
    /// The driver's target speed at each metre of this run.
    wanted: Vec<f64>,
    runs: u64,
    run: StageRunTruth,
    /// When and where the car took off: steps and metres.
    left_ground: Option<(u64, f64)>,
    truth: Truth,
}

impl Rally {
    /// A rally with the car in the service area.
    pub fn new(options: Options) -> Self {
        let road = Road::default();
        let [first, second, _] = road.splits_m();
        let truth = Truth {
            seed: options.seed,
            circuit: CircuitTruth {
                name: "Lenzwald".to_owned(),
                length_m: road.length_m(),
                sector_lines_m: [first, second],
                corners: Vec::new(),
            },
            player: 0,
            drivers: vec!["You".to_owned()],
            sessions: vec![SessionTruth { uid: 1, ..SessionTruth::default() }],
            ..Truth::default()
        };
        Self {
            car: RallyCar::standing(&road, Road::POLE_M),
            requests: options.requests.clone(),
            wanted: plan(&road, options.seed, 0),
            road,
            options,
            phase: Phase::Service,
            run_steps: 0,
            phase_steps: 0,
            clock_steps: 0,
            paused_until: None,
            runs: 0,
            run: StageRunTruth::default(),
            left_ground: None,
            truth,
        }
    }

    /// The road.
    pub fn road(&self) -> &Road {
        &self.road
    }

    /// The car.
    pub fn car(&self) -> &RallyCar {
        &self.car
    }

    /// The phase of the current run.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How stages finish.
    pub fn finish(&self) -> Finish {
        self.options.finish
    }

    /// The current run, or the last one.
    pub fn current(&self) -> &StageRunTruth {
        &self.run
    }

    /// Seconds since the beginning, including pauses.
    pub fn run_s(&self) -> f64 {
        self.run_steps as f64 * DT
    }

    /// Seconds since the car left the service area, including pauses.
    pub fn event_s(&self) -> f64 {
        (self.run_s() - SERVICE_S).max(0.0)
    }

    /// Seconds since the start of the stage; stops at the finish.
    pub fn clock_s(&self) -> f64 {
        self.clock_steps as f64 * DT
    }

    /// Whether the current step is at a frame; games send only at frames.
    pub fn at_frame(&self) -> bool {
        self.run_steps.is_multiple_of(STEPS_PER_FRAME)
    }

    /// The ground truth so far.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Requests an event at the next frame.
    pub fn request(&mut self, request: Request) {
        self.requests.push((self.run_s(), request));
    }

    /// Advances by one physics step.
    pub fn step(&mut self) {
        if self.at_frame() {
            self.grant_requests();
        }
        self.run_steps += 1;
        if self.paused_until.is_some_and(|until| self.run_steps <= until) {
            return;
        }
        self.paused_until = None;
        self.phase_steps += 1;
        let seconds = self.phase_steps as f64 * DT;
        match self.phase {
            Phase::Service if seconds >= SERVICE_S => self.enter(Phase::Waiting),
            Phase::Waiting if seconds >= COUNTDOWN_S => self.enter(Phase::Driving),
            Phase::Finished if seconds >= SHOWN_S => self.enter(Phase::Away),
            Phase::Away if seconds >= AWAY_S && !self.options.once => self.begin_again(),
            Phase::Waiting => self.car.wait(self.run_s()),
            Phase::Driving => self.drive(),
            Phase::Finished => {
                self.car.step(DT, &self.road, RallyWish { speed_ms: ROLL_OUT_MS, change_ms2: 0.0 });
            }
            Phase::Service | Phase::Away => {}
        }
    }

    fn enter(&mut self, phase: Phase) {
        (self.phase, self.phase_steps) = (phase, 0);
        if phase == Phase::Driving {
            self.run.began_s = self.run_s();
        }
    }

    /// Starts another run of the same stage.
    fn begin_again(&mut self) {
        self.runs += 1;
        self.car = RallyCar::standing(&self.road, Road::POLE_M);
        self.wanted = plan(&self.road, self.options.seed, self.runs);
        (self.clock_steps, self.left_ground) = (0, None);
        self.run = StageRunTruth { number: self.runs as u32, ..StageRunTruth::default() };
        self.enter(Phase::Waiting);
    }

    /// What the driver wishes for the place where the car is a reaction time later.
    fn wish(&self) -> RallyWish {
        let ahead_m = self.car.metres.max(0.0) + REACTION_S * self.car.speed_ms;
        let at = |metres: f64| {
            let wanted = |metre: usize| self.wanted.get(metre).copied().unwrap_or(ROLL_OUT_MS);
            let (from, to) = (wanted(metres as usize), wanted(metres as usize + 1));
            from + (to - from) * metres.fract()
        };
        let [before_ms, speed_ms, after_ms] =
            [-SPAN_M, 0.0, SPAN_M].map(|metres| at((ahead_m + metres).max(0.0)));
        let change_ms2 = (after_ms * after_ms - before_ms * before_ms) / (4.0 * SPAN_M);
        RallyWish { speed_ms, change_ms2 }
    }

    fn drive(&mut self) {
        let before_m = self.car.metres;
        let wish = self.wish();
        let (was_airborne, before_s) = (self.car.airborne, self.clock_s());
        let landing = self.car.step(DT, &self.road, wish);
        self.clock_steps += 1;
        if !was_airborne && self.car.airborne {
            self.left_ground = Some((self.clock_steps, self.car.metres));
        }
        if let Some(landing) = landing {
            self.note_landing(landing);
        }
        let driven_m = self.car.metres - before_m;
        let crossed = |line_m: f64, now_m: f64| {
            let share = (line_m - before_m) / driven_m;
            let crossing = driven_m > 0.0 && before_m < line_m && line_m <= now_m;
            crossing.then(|| ((before_s + share * DT) * 1e3).round() as u32)
        };
        let now_m = self.car.metres;
        let next = self.road.splits_m().get(self.run.splits_ms.len()).copied();
        self.run.splits_ms.extend(next.and_then(|line_m| crossed(line_m, now_m)));
        if let Some(millis) = crossed(self.road.finish_m(), now_m) {
            self.run.time_ms = Some(millis);
            self.close(RunEnd::Finished);
            self.enter(match self.options.finish {
                Finish::Completed => Phase::Finished,
                Finish::TakenAway => Phase::Away,
            });
        }
    }

    fn note_landing(&mut self, Landing(hard_ms): Landing) {
        let Some((steps, metres)) = self.left_ground.take() else { return };
        let seconds = (self.clock_steps - steps) as f64 * DT;
        if seconds >= FLIGHT_S {
            let far_m = self.car.metres - metres;
            self.run.jumps.push(JumpTruth { clock_s: self.clock_s(), seconds, far_m, hard_ms });
        }
    }

    /// Records the end of the run.
    fn close(&mut self, end: RunEnd) {
        self.run.end = Some(end);
        let began_s = self.run.began_s;
        let forgetful = self.options.forgetful;
        let Some(session) = self.truth.sessions.last_mut() else { return };
        if forgetful {
            (session.stage_runs, session.finished) = Default::default();
        }
        if let Some(time_ms) = self.run.time_ms {
            // From split to split, and from the last one to the finish.
            let ends = self.run.splits_ms.iter().copied().chain([time_ms]);
            let begins = [0].into_iter().chain(self.run.splits_ms.iter().copied());
            session.finished.push(LapTruth {
                number: 1,
                ended_s: began_s + f64::from(time_ms) / 1e3,
                time_ms,
                sectors_ms: ends.zip(begins).map(|(end, begin)| end.saturating_sub(begin)).collect(),
                ..LapTruth::default()
            });
        }
        session.stage_runs.push(self.run.clone());
    }

    fn grant_requests(&mut self) {
        let now_s = self.run_s();
        let due: Vec<Request> =
            self.requests.extract_if(.., |(at_s, _)| *at_s <= now_s).map(|(_, request)| request).collect();
        for request in due {
            self.grant(request);
        }
    }

    fn grant(&mut self, request: Request) {
        let driving = self.phase == Phase::Driving;
        match request {
            Request::Pause { seconds } => {
                self.paused_until = Some(self.run_steps + (seconds * STEPS_PER_S as f64).round() as u64);
            }
            Request::Restart => {
                if driving {
                    self.close(RunEnd::Restarted);
                }
                self.begin_again();
            }
            Request::Recover if driving => {
                let metres = (self.car.metres - PUT_BACK_M).max(0.0);
                self.car.put_back(&self.road, metres);
                self.left_ground = None;
                self.run.recovered += 1;
            }
            Request::Hit if driving => {
                self.car.hit();
                self.run.hits_s.push(self.clock_s());
            }
            Request::Leave if driving => {
                self.close(RunEnd::Abandoned);
                self.enter(Phase::Away);
            }
            Request::Recover | Request::Hit | Request::Leave => {}
        }
    }
}

/// The driver's target speed at each metre, from the bends, the driver's bravery in this run, and the braking
/// distances.
fn plan(road: &Road, seed: u64, run: u64) -> Vec<f64> {
    let mut wanted: Vec<f64> = (0..road.finish_m() as u64 + 50)
        .map(|metre| {
            let place = road.at(metre as f64);
            let stretch = (metre as f64 / STRETCH_M) as u64;
            let brave = Random::of(seed, [run, stretch, 0, 31]).between(0.84, 0.96);
            let hold = place.hold * 10.5 * brave;
            (hold / place.curvature.abs().max(1e-6)).sqrt().min(FASTEST_MS * brave)
        })
        .collect();
    let (mut next, mut slowest) = (FASTEST_MS, FASTEST_MS);
    for (metre, wanted) in wanted.iter_mut().enumerate().rev() {
        // Hard at first, and less towards the bend.
        let [least, most] = BRAKED;
        let braked = least + (most - least) * ((next - slowest) / TRAILED_MS).clamp(0.0, 1.0);
        let slower = braked * road.at(metre as f64).hold * 10.5;
        let before = (next * next + 2.0 * slower).sqrt();
        if *wanted <= before {
            slowest = *wanted;
        }
        *wanted = wanted.min(before);
        next = *wanted;
    }
    wanted
}

#[cfg(test)]
mod tests;
