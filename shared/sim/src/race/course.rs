//! The course of a session: its start, its rules, and requested events.

use super::super::car::RALLY_CAR;
use super::super::truth::RunEnd;
use super::*;

/// Distance of pole position before the line, and between grid positions, in metres.
const POLE_M: f64 = 12.0;
const GRID_GAP_M: f64 = 8.0;

/// The player's distance before the line at the start of practice, and the gaps between the other cars, in metres.
const FIRST_FLYING_M: f64 = 420.0;
const FLYING_GAP_M: f64 = 190.0;

/// Where a car waits for the start of a stage, in metres from it, and its fuel, in kg.
const STAGE_POLE_M: f64 = -2.5;
const STAGE_FUEL_KG: f64 = 30.0;

/// Distance that a recovered car loses, in metres.
const PUT_BACK_M: f64 = 12.0;

/// How long a session continues after its end, and how long until the next one starts, in seconds.
const AFTER_LAST_S: f64 = 4.0;
const AGAIN_S: f64 = 14.0;

impl Race {
    /// Starts a session: the first or another one.
    pub(super) fn begin_session(&mut self, new_identity: bool) {
        self.sessions += 1;
        if new_identity {
            self.uid = Random::of(self.options.seed, [self.sessions, 0, 0, 99]).bits() | 1;
        }
        self.past.clear();
        self.now = Moment { weather: Weather { sky: self.options.sky, wetness: 0.0 }, ..Moment::empty() };
        self.plans.iter_mut().for_each(|plan| *plan = Plan::default());
        let cars = self.skills.len();
        for index in 0..cars {
            let racer = match self.options.start {
                Start::Grid => self.on_the_grid(index),
                Start::Flying => self.on_the_way(index, cars),
                Start::Stage(_) => self.on_the_stage(),
            };
            self.now.racers.push(racer);
        }
        self.truth.sessions.push(SessionTruth {
            uid: self.uid,
            began_s: self.run_s(),
            race: self.options.start == Start::Grid,
            laps: if self.options.start == Start::Grid { self.options.laps } else { 0 },
            ..SessionTruth::default()
        });
    }

    fn on_the_grid(&self, index: usize) -> Racer {
        let mut chance = Random::of(self.options.seed, [index as u64, self.sessions, 0, 3]);
        let slot = self.grid_slot(index);
        let mut car = Car::new(&SINGLE_SEATER, 2.2 * f64::from(self.options.laps) + 2.0, Compound::Soft);
        car.travelled_m = -(POLE_M + GRID_GAP_M * slot as f64);
        car.offset_m = if slot.is_multiple_of(2) { 3.4 } else { -3.4 };
        let mut racer = Racer::new(car, true);
        racer.shift_m = racer.car.offset_m - self.circuit.racing_line_m(racer.car.travelled_m);
        racer.grid_position = slot as u8 + 1;
        racer.position = racer.grid_position;
        racer.reacts_s = chance.between(0.18, 0.36);
        racer.timing.lights_out(LIGHTS_S);
        racer.notebook.turn_page(&self.circuit);
        racer
    }

    /// A car's grid position: its driver's rank with some random variation.
    fn grid_slot(&self, index: usize) -> usize {
        let qualified =
            |car: usize| car as f64 + 2.0 * Random::of(self.options.seed, [car as u64, 0, 0, 5]).bell();
        let own = qualified(index);
        (0..self.skills.len()).filter(|&car| qualified(car) < own).count()
    }

    fn on_the_way(&self, index: usize, cars: usize) -> Racer {
        let behind_player = (index + cars - self.truth.player) % cars;
        // All twenty cars must fit on the lap.
        let gap_m = FLYING_GAP_M.min((self.circuit.length_m - FIRST_FLYING_M - 100.0) / cars as f64);
        let mut chance = Random::of(self.options.seed, [index as u64, self.sessions, 0, 4]);
        let compound = if chance.unit() < 0.5 { Compound::Ultrasoft } else { Compound::Soft };
        let mut car = Car::new(&SINGLE_SEATER, chance.between(25.0, 60.0), compound);
        car.travelled_m = -(FIRST_FLYING_M + gap_m * behind_player as f64);
        car.offset_m = self.circuit.racing_line_m(car.travelled_m);
        let mut racer = Racer::new(car, false);
        racer.grid_position = index as u8 + 1;
        racer.position = racer.grid_position;
        racer.notebook.turn_page(&self.circuit);
        // As fast as the plan allows, so that the next corner can be made.
        let mut plan = Plan::default();
        if let Some(skill) = self.skills.get(index) {
            racer.plan(index, skill, &mut plan, &self.conditions());
            let allowed_ms = plan.target(racer.car.travelled_m).speed_ms;
            racer.car.roll_at((0.9 * allowed_ms).min(65.0));
        }
        racer
    }

    pub(super) fn conditions(&self) -> Conditions<'_> {
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
            mistake: self.options.mistake,
            task: self.options.task,
            balance: self.options.balance,
            roll_out_ms: if self.stage.is_some() { 9.0 } else { 50.0 },
        }
    }

    /// The once-per-frame updates: weather, positions, traffic, DRS, energy, and the end of the session.
    pub(super) fn direct(&mut self) {
        let now_s = self.session_s();
        let race = self.options.start == Start::Grid;
        self.now.weather.pass(DT * STEPS_PER_FRAME as f64);
        if self.now.safety_car != SafetyCar::None && now_s >= self.now.safety_until_s {
            self.now.safety_car = SafetyCar::None;
            self.replan_all();
        }
        self.order();
        let may_pass = self.now.safety_car == SafetyCar::None && now_s > LIGHTS_S + 3.0;
        let seen: Vec<_> = (0..self.cars())
            .map(|index| traffic::look_around(&self.circuit, &self.now.racers, index, may_pass))
            .collect();
        let wetness = self.now.weather.wetness;
        let wings = wetness < 0.15 && self.now.safety_car == SafetyCar::None;
        for (index, (racer, traffic)) in self.now.racers.iter_mut().zip(seen).enumerate() {
            racer.traffic = traffic;
            racer.open_wing(&self.circuit, race, wings);
            racer.choose_energy(race, self.truth.player == index);
            if racer.retiring && racer.car.speed_ms < 1.0 {
                racer.parked = true;
                racer.car.roll_at(0.0);
            }
            // Worn tyres, the wrong tyres for the weather or an empty tank bring a car to the pits.
            let right = Compound::for_wetness(wetness);
            let worn = racer.car.wheels.iter().any(|wheel| wheel.wear > 68.0);
            let empty = !race && racer.car.engine.fuel_kg < 5.0;
            if (worn || empty || right.treaded() != racer.car.compound.treaded()) && !racer.finished {
                racer.call_in(index, right);
            }
        }
        self.end_session(now_s, race);
    }

    /// Positions: by distance in a race, by best lap in practice.
    fn order(&mut self) {
        let race = self.options.start == Start::Grid;
        let mut order: Vec<usize> = (0..self.cars()).collect();
        let racers = &self.now.racers;
        order.sort_by(|&a, &b| {
            let (Some(a), Some(b)) = (racers.get(a), racers.get(b)) else { return std::cmp::Ordering::Equal };
            if race {
                // Finished cars keep their positions.
                let kept = |racer: &Racer| if racer.finished { racer.position } else { u8::MAX };
                kept(a).cmp(&kept(b)).then(b.car.travelled_m.total_cmp(&a.car.travelled_m))
            } else {
                let best = |racer: &Racer| racer.timing.best_ms.unwrap_or(u32::MAX);
                best(a).cmp(&best(b)).then(a.grid_position.cmp(&b.grid_position))
            }
        });
        for (place, index) in order.into_iter().enumerate() {
            if let Some(racer) = self.now.racers.get_mut(index) {
                racer.position = place as u8 + 1;
            }
        }
    }

    fn end_session(&mut self, now_s: f64, race: bool) {
        let over = if race {
            self.now.racers.iter().all(|racer| racer.finished || racer.parked)
        } else {
            now_s >= f64::from(self.options.duration_s)
        };
        if over && self.now.ended_s.is_none() {
            self.now.ended_s = Some(now_s + AFTER_LAST_S);
        }
        if self.options.again && self.now.ended_s.is_some_and(|ended_s| now_s > ended_s + AGAIN_S) {
            self.begin_session(true);
        }
    }

    /// Handles due requests; as in a game, only at frames.
    pub(super) fn grant_requests(&mut self) {
        if !self.at_frame() {
            return;
        }
        let now_s = self.run_s();
        while let Some(due) = self.requests.iter().position(|(at_s, _)| *at_s <= now_s) {
            let (_, request) = self.requests.remove(due);
            self.grant(request);
        }
    }

    fn grant(&mut self, request: Request) {
        match request {
            Request::Rewind { seconds } => self.rewind(seconds),
            Request::Pause { seconds } => {
                let frames = (seconds.max(0.0) * (STEPS_PER_S / STEPS_PER_FRAME) as f64).round() as u64;
                let from_s = self.run_s();
                self.paused_until = Some(self.run_steps + frames * STEPS_PER_FRAME);
                if let Some(session) = self.truth.sessions.last_mut() {
                    session.pauses_s.push([from_s, from_s + (frames * STEPS_PER_FRAME) as f64 * DT]);
                }
            }
            Request::Restart { .. } if self.stage.is_some() => self.restart_run(),
            Request::Recover | Request::Hit | Request::Leave => self.grant_on_stage(request),
            Request::Restart { new_identity } => self.begin_session(new_identity),
            Request::Pit { car, tyres } => {
                if let Some(racer) = self.now.racers.get_mut(car) {
                    racer.call_in(car, tyres);
                }
            }
            Request::RunWide { car } => {
                if let Some(racer) = self.now.racers.get_mut(car) {
                    racer.blunder = racer::slow_corner_ahead(&self.circuit, racer.car.travelled_m);
                    self.replan_all();
                }
            }
            Request::Spin { car } => {
                if let Some(racer) = self.now.racers.get_mut(car) {
                    racer.spins_behind = racer::slow_corner_ahead(&self.circuit, racer.car.travelled_m);
                }
            }
            Request::Cut { car } => {
                if let Some(racer) = self.now.racers.get_mut(car) {
                    let number = racer::slow_corner_ahead(&self.circuit, racer.car.travelled_m);
                    racer.shortcut = number.and_then(|number| racer::across(&self.circuit, number));
                    self.replan_all();
                }
            }
            Request::Disturbance { car, what, seconds } => {
                if let Some(racer) = self.now.racers.get_mut(car) {
                    racer.car.upset(what, seconds);
                }
            }
            Request::Retire { car } => {
                if let Some(racer) = self.now.racers.get_mut(car) {
                    racer.retiring = true;
                    self.replan_all();
                }
            }
            Request::Weather(sky) => self.now.weather.sky = sky,
            Request::SafetyCar { virtually, seconds } => {
                self.now.safety_car = if virtually { SafetyCar::Virtual } else { SafetyCar::Full };
                self.now.safety_until_s = self.session_s() + seconds;
                self.replan_all();
            }
        }
    }

    fn rewind(&mut self, seconds: f64) {
        let from_s = self.session_s();
        let target_s = from_s - seconds.max(0.0);
        // The latest stored moment at or before the target, otherwise the oldest one.
        let index = self.past.iter().rposition(|moment| moment.steps as f64 * DT <= target_s).unwrap_or(0);
        let Some(moment) = self.past.get(index).cloned() else { return };
        self.past.truncate(index);
        self.now = moment;
        self.epoch += 1;
        let to_s = self.session_s();
        for racer in &mut self.now.racers {
            racer.timing.marks.rewound = true;
        }
        self.replan_all();
        let at_s = self.run_s();
        if let Some(session) = self.truth.sessions.last_mut() {
            session.rewinds.push(RewindTruth { at_s, from_s, to_s });
            session.finished.iter_mut().filter(|lap| lap.ended_s > to_s).for_each(|lap| lap.undone = true);
        }
    }

    /// Discards all plans, since their conditions have changed.
    fn replan_all(&mut self) {
        self.plans.iter_mut().for_each(|plan| *plan = Plan::default());
    }

    /// A car that waits for the start of a stage.
    fn on_the_stage(&self) -> Racer {
        let mut racer = Racer::new(Car::new(&RALLY_CAR, STAGE_FUEL_KG, Compound::Soft), true);
        racer.car.travelled_m = STAGE_POLE_M;
        (racer.grid_position, racer.position) = (1, 1);
        racer.notebook.turn_page(&self.circuit);
        racer
    }

    /// Advances a stage by one step.
    pub(super) fn step_stage(&mut self) {
        let run_s = self.run_s();
        self.now.steps += 1;
        let Some(stage) = &mut self.stage else { return };
        match (stage.phase, stage.count(self.options.again)) {
            (Phase::Away, Some(_)) => self.begin_run(),
            (_, Some(Phase::Driving)) => stage.go(run_s),
            (_, Some(next)) => stage.enter(next),
            (Phase::Waiting, None) => self.now.racers.iter_mut().for_each(|racer| racer.car.wait(run_s)),
            (Phase::Driving, None) => self.drive_stage(),
            (Phase::Finished, None) => drop(self.drive_cars()),
            (Phase::Service | Phase::Away, None) => {}
        }
    }

    fn drive_stage(&mut self) {
        let Some(from_m) = self.now.racers.first().map(|racer| racer.car.travelled_m) else { return };
        self.drive_cars();
        let (Some(stage), Some(racer)) = (&mut self.stage, self.now.racers.first_mut()) else { return };
        if stage.follow(from_m, &racer.car, &self.circuit) {
            racer.finished = true;
            self.end_run(RunEnd::Finished);
            self.replan_all();
        }
    }

    /// Starts another run of the same stage.
    fn begin_run(&mut self) {
        self.sessions += 1;
        self.now.racers = vec![self.on_the_stage()];
        self.replan_all();
        self.stage = self.stage.as_ref().map(Stage::next_run);
    }

    /// Ends the current run, and records it.
    fn end_run(&mut self, end: RunEnd) {
        let (Some(stage), Some(session)) = (&mut self.stage, self.truth.sessions.last_mut()) else { return };
        let lap = stage.end(end);
        if self.options.keep_truth {
            session.finished.extend(lap);
            session.stage_runs.push(stage.run.clone());
        }
    }

    /// Restarts the stage.
    fn restart_run(&mut self) {
        if self.drives_stage() {
            self.end_run(RunEnd::Restarted);
        }
        self.begin_run();
    }

    /// Handles a request that only stages know.
    fn grant_on_stage(&mut self, request: Request) {
        let drives = self.drives_stage();
        let (Some(stage), Some(racer)) = (&mut self.stage, self.now.racers.first_mut()) else { return };
        match request {
            Request::Recover if drives => {
                racer.car.put_back((racer.car.travelled_m - PUT_BACK_M).max(0.0));
                stage.recover();
                self.replan_all();
            }
            Request::Hit if drives => {
                racer.car.hit();
                stage.run.hits_s.push(stage.clock_s());
            }
            Request::Leave if drives => self.end_run(RunEnd::Abandoned),
            _ => {}
        }
    }

    fn drives_stage(&self) -> bool {
        self.stage.as_ref().is_some_and(|stage| stage.phase == Phase::Driving)
    }
}
