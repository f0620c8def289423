//! Several cars in one session: practice or race, with weather, pit stops, and requests such as pause and rewind.

mod balance;
mod course;
mod mistakes;
mod notebook;
mod options;
mod planted_task;
mod racer;
mod safety_car;
mod session;
mod stage;
mod steps;
mod timing;
mod traffic;
mod traffic_view;
mod weather;

pub use course::{advance_to, start, start_another, step};
pub use mistakes::{Mistake, MistakeKind};
pub use notebook::{BrakingNote, CornerNote, ExcursionNote};
pub use options::{Balance, Finish, Options, Request, Start};
pub use planted_task::PlantedTask;
pub use safety_car::SafetyCar;
pub use session::{MARSHAL_ZONES, SessionState, car_state, session_state};
pub(crate) use stage::SERVICE_S;
pub use stage::{Phase, Stage};
pub use steps::{STEPS_PER_FRAME, STEPS_PER_S};
pub use timing::{FinishedLap, LapMarks, Timing};
pub use weather::{Sky, Weather};

use std::collections::VecDeque;

use super::car::{Car, Compound, SINGLE_SEATER};
use super::circuit::{self, CIRCUITS, Circuit};
use super::driver::{ENTRIES, Entry, PEDAL_ON, Plan, Skill};
use super::random::Random;
use super::truth::{CircuitTruth, ContactTruth, LapTruth, PitStopTruth, RewindTruth, SessionTruth, Truth};
use racer::{Conditions, PitPhase, Racer};
use steps::DT;

/// Steps between moments stored for rewinds, and the most that are stored.
const KEEP_EVERY_STEPS: u64 = STEPS_PER_S / 2;
const KEPT: usize = 62;

/// Duration of the start lights, in seconds.
pub(super) const LIGHTS_S: f64 = 6.0;

/// A session on a circuit: the main type of the simulator.
#[derive(Clone, Debug)]
pub struct Race {
    /// The circuit.
    pub circuit: Circuit,
    options: Options,
    skills: Vec<Skill>,
    plans: Vec<Plan>,
    now: Moment,
    past: VecDeque<Moment>,
    stage: Option<Stage>,
    truth: Truth,
    requests: Vec<(f64, Request)>,
    /// Steps since the start of the run, including pauses, rewinds and restarts.
    run_steps: u64,
    /// The step at which the pause ends.
    paused_until: Option<u64>,
    /// Number of rewinds in the run, and of sessions started.
    epoch: u64,
    sessions: u64,
    uid: u64,
}

/// The state that a rewind restores.
#[derive(Clone, Debug)]
struct Moment {
    steps: u64,
    racers: Vec<Racer>,
    weather: Weather,
    safety_car: SafetyCar,
    safety_until_s: f64,
    chequered: bool,
    ended_s: Option<f64>,
}

impl Race {
    /// A race without a session yet, after so many steps of the run.
    fn empty(run_steps: u64, options: Options) -> Self {
        let stage = match options.start {
            Start::Stage(finish) => Some(Stage::new(finish)),
            Start::Grid | Start::Flying => None,
        };
        let fits = |plan: &&circuit::Plan| plan.ends.is_some() == stage.is_some();
        let circuit = match options.plan.as_ref().filter(fits) {
            Some(plan) => Circuit::new(plan),
            None if stage.is_some() => Circuit::new(&circuit::stage()),
            None => Circuit::new(CIRCUITS.get(options.circuit).unwrap_or(&CIRCUITS[0])),
        };
        let cars = if stage.is_some() { 1 } else { options.cars.clamp(1, ENTRIES.len()) };
        let skills = (0..cars)
            .map(|car| Skill::of_rank(car, cars, &mut Random::of(options.seed, [car as u64, 0, 0, 77])))
            .map(|skill| if stage.is_some() { skill.on_a_stage() } else { skill })
            .collect();
        let truth = Truth {
            seed: options.seed,
            circuit: CircuitTruth {
                name: circuit.name.to_owned(),
                length_m: circuit.sent_length_m(),
                sector_lines_m: circuit.sector_lines_m,
                corners: circuit.corners.clone(),
            },
            player: options.player.min(cars - 1),
            drivers: ENTRIES.iter().take(cars).map(|entry| entry.name.to_owned()).collect(),
            pedal_on: PEDAL_ON,
            sessions: Vec::new(),
        };
        let requests = options.requests.clone();
        Self {
            circuit,
            skills,
            plans: vec![Plan::default(); cars],
            now: Moment::empty(),
            past: VecDeque::new(),
            stage,
            truth,
            requests,
            run_steps,
            paused_until: None,
            epoch: 0,
            sessions: 0,
            uid: 0,
            options,
        }
    }

    /// The number of cars.
    pub fn cars(&self) -> usize {
        self.now.racers.len()
    }

    /// The player's car.
    pub fn player(&self) -> usize {
        self.truth.player
    }

    /// The entry of a car.
    pub fn entry(&self, car: usize) -> Option<&'static Entry> {
        if car < self.cars() { ENTRIES.get(car) } else { None }
    }

    /// The options of the run.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Seconds since the start of the run, including pauses.
    pub fn run_s(&self) -> f64 {
        self.run_steps as f64 * DT
    }

    /// Session time in seconds: stops in a pause and goes back in a rewind.
    pub fn session_s(&self) -> f64 {
        self.now.steps as f64 * DT
    }

    /// Frames of the session, 60 per second; goes back in a rewind.
    pub fn frame(&self) -> u32 {
        (self.now.steps / STEPS_PER_FRAME) as u32
    }

    /// Whether the current step is at a frame; games send only at frames.
    pub fn at_frame(&self) -> bool {
        self.run_steps.is_multiple_of(STEPS_PER_FRAME)
    }

    /// The rally stage, if it is one.
    pub fn stage(&self) -> Option<&Stage> {
        self.stage.as_ref()
    }

    /// The ground truth so far.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Notes a contact in the ground truth.
    pub(crate) fn note_contact(&mut self, contact: ContactTruth) {
        if self.options.keep_truth
            && let Some(session) = self.truth.sessions.last_mut()
        {
            session.contacts.push(contact);
        }
    }

    /// Requests an event at the next frame.
    pub fn request(&mut self, request: Request) {
        self.requests.push((self.run_s(), request));
    }

    /// Drives every car for one step; returns the laps that ended in it.
    fn drive_cars(&mut self) -> Vec<(usize, FinishedLap)> {
        // No refuelling in races.
        let refuel_kg = if self.options.start == Start::Grid { 0.0 } else { 45.0 };
        let mut racers = std::mem::take(&mut self.now.racers);
        let mut plans = std::mem::take(&mut self.plans);
        let (mut finished, mut stops) = (Vec::new(), Vec::new());
        let conditions = self.conditions();
        for (car, ((racer, plan), skill)) in racers.iter_mut().zip(&mut plans).zip(&self.skills).enumerate() {
            finished.extend(racer.step(car, skill, plan, &conditions).map(|lap| (car, lap)));
            let phase = racer.visit.map(|visit| visit.phase);
            if racer.visit_pits(&self.circuit, DT, refuel_kg) {
                racer.plan(car, skill, plan, &conditions);
            }
            if phase == Some(PitPhase::Standing)
                && let Some(visit) = racer.visit.filter(|visit| visit.phase == PitPhase::Leaving)
            {
                stops.push(PitStopTruth { car, lap: racer.timing.lap, stood_s: visit.stood_s });
            }
        }
        (self.now.racers, self.plans) = (racers, plans);
        if let Some(session) = self.truth.sessions.last_mut() {
            session.pit_stops.extend(stops);
        }
        finished
    }

    /// What all cars have in common in this step.
    fn conditions(&self) -> Conditions<'_> {
        Conditions {
            circuit: &self.circuit,
            dt: DT,
            now_s: self.session_s(),
            lights_out_s: self.lights_out_s(),
            wetness: self.now.weather.wetness,
            air_c: f64::from(self.circuit.temperatures_c[0]) - self.now.weather.cooling_c(),
            pace: self.now.safety_car.pace(),
            seed: self.options.seed ^ self.sessions,
            epoch: self.epoch,
            task: self.options.task,
            balance: self.options.balance,
            roll_out_ms: if self.stage.is_some() { 9.0 } else { 50.0 },
        }
    }

    /// When the lights go out, in a race.
    fn lights_out_s(&self) -> Option<f64> {
        (self.options.start == Start::Grid).then_some(LIGHTS_S)
    }

    fn pauses(&mut self) -> bool {
        let pauses = self.paused_until.is_some_and(|until| self.run_steps <= until);
        if !pauses {
            self.paused_until = None;
        }
        pauses
    }

    fn lap_ended(&mut self, index: usize, lap: FinishedLap) {
        let now_s = self.session_s();
        let laps = u32::from(self.options.laps);
        let race = self.options.start == Start::Grid;
        let keep = self.options.keep_truth;
        let seed = self.options.seed ^ self.sessions;
        let followed_task = self.options.task.is_some_and(|task| task.is_followed(index, lap.lap, seed));
        let Some(racer) = self.now.racers.get_mut(index) else { return };
        racer.car.engine.begin_lap();
        let (corners, excursions) = racer.notebook.turn_page(&self.circuit);
        if race && lap.marks.invalid {
            racer.warnings += 1;
            if racer.warnings.is_multiple_of(4) {
                racer.penalty_s = racer.penalty_s.saturating_add(5);
            }
        }
        if race && (lap.lap >= laps || self.now.chequered) {
            self.now.chequered = true;
            racer.finished = true;
            // After the finish the lap number stays.
            racer.timing.lap = lap.lap;
            racer.timing.began_s = None;
        }
        if keep && let Some(session) = self.truth.sessions.last_mut() {
            session.finished.push(LapTruth {
                car: index,
                number: lap.lap,
                ended_s: racer.timing.began_s.unwrap_or(now_s),
                time_ms: lap.time_ms,
                sectors_ms: lap.sectors_ms.to_vec(),
                marks: lap.marks,
                undone: false,
                followed_task,
                corners,
                excursions,
            });
        }
    }
}

impl Moment {
    fn empty() -> Self {
        Self {
            steps: 0,
            racers: Vec::new(),
            weather: Weather::default(),
            safety_car: SafetyCar::None,
            safety_until_s: 0.0,
            chequered: false,
            ended_s: None,
        }
    }
}

#[cfg(test)]
mod tests;
