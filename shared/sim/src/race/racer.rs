//! A driver with a car in a session: everything that a rewind restores.

use super::super::car::{self, Car, Compound, Deploy, STORE_J, Surroundings};
use super::super::circuit::Circuit;
use super::super::driver::{
    Demands, Driver, DriverIntent, ENTRIES, Intent, PIT_RAMP_M, PIT_SETTLE_M, Plan, SIDEWAYS_MS, Shortcut,
    Skill, View,
};
use super::balance::extra_angle;
use super::mistakes::{PlantedMistakes, Situation};
use super::notebook::Notebook;
use super::options::Balance;
use super::planted_task::PlantedTask;
use super::timing::{FinishedLap, Stride, Timing};
use super::traffic_view::Traffic;

/// Brake pedal during a spin.
const SPIN_BRAKE: f64 = 0.3;

/// A cut begins and ends this far from the corner, in metres, and is driven at this speed, in m/s, since grass has
/// little grip.
const CUT_M: f64 = 12.0;
const CUT_MS: f64 = 13.0;

/// How far behind the end of the pit lane's limit drivers still keep to it, in metres.
const LIMIT_PASSED_M: f64 = 4.0;

/// Notice that a driver needs before the pit entry, in metres.
const PIT_NOTICE_M: f64 = 500.0;

/// A driver, their car and their session so far.
#[derive(Clone, Debug)]
pub(super) struct Racer {
    pub(super) car: Car,
    pub(super) driver: Driver,
    pub(super) timing: Timing,
    pub(super) notebook: Notebook,
    pub(super) traffic: Traffic,
    pub(super) shift_m: f64,
    pub(super) visit: Option<PitVisit>,
    /// The corner that the driver is about to miss, counted from the first line crossing.
    pub(super) blunder: Option<i64>,
    /// The corner after which the car will spin, counted from the first line crossing.
    pub(super) spins_behind: Option<i64>,
    /// The corner cut that is coming up.
    pub(super) shortcut: Option<Shortcut>,
    pub(super) mistakes: PlantedMistakes,
    /// What the mistakes ask of the driver in this step.
    demands: Demands,
    pub(super) grid_position: u8,
    pub(super) position: u8,
    pub(super) penalty_s: u8,
    pub(super) warnings: u8,
    pub(super) drs_allowed: bool,
    pub(super) retiring: bool,
    pub(super) parked: bool,
    pub(super) finished: bool,
    /// Reaction time to the start lights, in seconds.
    pub(super) reacts_s: f64,
}

/// A visit to the pits.
#[derive(Clone, Copy, Debug)]
pub(super) struct PitVisit {
    pub(super) tyres: Compound,
    pub(super) phase: PitPhase,
    /// Where the line beside the pit lane is crossed, in metres; infinite until the driver commits to the entry.
    line_m: f64,
    /// The pit box, in metres from that line.
    box_m: f64,
    /// Duration of the service, in seconds.
    service_s: f64,
    pub(super) stood_s: f64,
}

/// The progress of a pit visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PitPhase {
    /// Called in.
    Called,
    /// Driving to the pit box.
    Entering,
    /// Standing.
    Standing,
    /// Driving out.
    Leaving,
}

/// What all cars have in common in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) dt: f64,
    pub(super) now_s: f64,
    /// When the lights go out, in a race.
    pub(super) lights_out_s: Option<f64>,
    pub(super) wetness: f64,
    pub(super) air_c: f64,
    /// Share of the usual pace that the safety car allows.
    pub(super) pace: f64,
    pub(super) seed: u64,
    /// Number of rewinds: what is driven again turns out differently.
    pub(super) epoch: u64,
    /// The planted coaching task, if any.
    pub(super) task: Option<PlantedTask>,
    pub(super) balance: Balance,
    /// The highest speed after the finish, in m/s.
    pub(super) roll_out_ms: f64,
}

impl PitVisit {
    fn new(tyres: Compound, team: u8, service_s: f64) -> Self {
        let box_m = -120.0 + 24.0 * f64::from(team);
        Self { tyres, phase: PitPhase::Called, line_m: f64::INFINITY, box_m, service_s, stood_s: 0.0 }
    }
}

impl Racer {
    pub(super) fn new(car: Car, standing_start: bool) -> Self {
        Self {
            car,
            driver: Driver::default(),
            timing: Timing::new(standing_start),
            notebook: Notebook::default(),
            traffic: Traffic::default(),
            shift_m: 0.0,
            visit: None,
            blunder: None,
            spins_behind: None,
            shortcut: None,
            mistakes: PlantedMistakes::default(),
            demands: Demands::default(),
            grid_position: 0,
            position: 0,
            penalty_s: 0,
            warnings: 0,
            drs_allowed: false,
            retiring: false,
            parked: false,
            finished: false,
            reacts_s: 0.0,
        }
    }

    /// Whether the car is between the pit lane's entry and exit on a pit visit.
    pub(super) fn in_pit_lane(&self, circuit: &Circuit) -> bool {
        self.visit.is_some_and(|visit| visit.covers(circuit, self.car.travelled_m))
    }

    /// Calls the driver to the pits for these tyres.
    pub(super) fn call_in(&mut self, own: usize, tyres: Compound) {
        if self.visit.is_none() {
            let team = ENTRIES.get(own).map_or(0, |entry| entry.team);
            self.visit = Some(PitVisit::new(tyres, team, 2.4 + 0.06 * own as f64));
        }
    }

    /// Drives one step; returns a lap that ended in it.
    pub(super) fn step(
        &mut self,
        own: usize,
        skill: &Skill,
        plan: &mut Plan,
        now: &Conditions,
    ) -> Option<FinishedLap> {
        if self.parked {
            return None;
        }
        if plan.is_stale(self.car.travelled_m) {
            self.plan(own, skill, plan, now);
        }
        let throttle = self.driver.throttle();
        let situation = Situation { circuit: now.circuit, car: &self.car, plan, throttle, dt: now.dt };
        self.demands = self.mistakes.demands(&situation);
        let demands = self.demands;
        let most_m = SIDEWAYS_MS * now.dt;
        self.shift_m += (self.traffic.shift_m + demands.shift_m - self.shift_m).clamp(-most_m, most_m);
        let in_pit_lane = self.in_pit_lane(now.circuit);
        let waits = now.lights_out_s.is_some_and(|lights| now.now_s < lights + self.reacts_s);
        let beside = !in_pit_lane && self.car.off_track(now.circuit);
        let wish = DriverIntent {
            shift_m: if in_pit_lane { 0.0 } else { self.shift_m },
            room_m: if in_pit_lane { [f64::MIN, f64::MAX] } else { self.traffic.room_m },
            shortcut: self.shortcut,
            pit_m: self.visit.and_then(|visit| visit.beyond_lane_m(self.car.travelled_m)),
            follow_ms: self.traffic.follow_ms,
            lift: self.retiring || demands.lift || (beside && self.car.speed_ms > 25.0),
            hold: waits || self.visit.is_some_and(|visit| visit.phase == PitPhase::Standing),
            demands,
        };
        let slipstream = self.traffic.slipstream;
        let hold = self.car.hold(now.wetness) * now.circuit.ground(self.car.travelled_m).hold;
        let view = View { circuit: now.circuit, car: &self.car, skill, plan, wish, hold, slipstream };
        let mut controls = self.driver.drive(now.dt, &view);
        if waits {
            controls.curvature = 0.0;
        }
        self.spin_where_due(now.circuit);
        if self.car.spins() {
            (controls.throttle, controls.brake, controls.curvature) = (0.0, SPIN_BRAKE, 0.0);
        }
        self.car.understeer_rad =
            extra_angle(&now.balance, now.circuit, self.car.lap_m(now.circuit), self.car.lateral_ms2);
        let (from_m, from_ms) = (self.car.travelled_m, self.car.along_ms);
        let around = Surroundings { wetness: now.wetness, air_c: now.air_c, slipstream, in_pit_lane };
        car::step(&mut self.car, now.dt, now.circuit, around, controls);
        let stride = Stride {
            began_s: now.now_s,
            dt: now.dt,
            from_m,
            to_m: self.car.travelled_m,
            from_ms,
            to_ms: self.car.along_ms,
        };
        self.notebook.note(now.circuit, &self.car, &stride, in_pit_lane);
        if self.finished {
            return None;
        }
        if !in_pit_lane && self.car.off_track(now.circuit) {
            self.timing.marks.invalid = true;
        }
        let waiting = self.timing.began_s.is_none();
        let ended =
            self.timing.follow(&stride, now.circuit.length_m, now.circuit.sector_lines_m, in_pit_lane);
        if waiting && self.timing.began_s.is_some() {
            // Notes from before the first line crossing belong to no lap.
            self.notebook.turn_page(now.circuit);
        }
        ended
    }

    /// Plans the speed ahead.
    pub(super) fn plan(&mut self, own: usize, skill: &Skill, plan: &mut Plan, now: &Conditions) {
        let circuit = now.circuit;
        let hold = self.car.hold(now.wetness);
        let mut known: Option<(i64, Intent)> = None;
        plan.make(circuit, &self.car, skill.line, hold, |travelled_m| {
            let (number, lap, corner) = corner_at(circuit, travelled_m);
            let mut intent = match known {
                Some((known, intent)) if known == number => intent,
                _ => {
                    let place = [own as u64, lap as u64, corner as u64, now.epoch];
                    let attempt = skill.attempt(now.seed, place, now.wetness);
                    let wild = self.blunder == Some(number);
                    let mut intent = Intent {
                        cornering: attempt.cornering * if wild { 1.3 } else { 1.0 },
                        braking: attempt.braking,
                        late: if wild { 2.2 } else { attempt.late },
                        cap_ms: f64::MAX,
                    };
                    self.mistakes.change_intent(lap, corner, &mut intent);
                    intent
                }
            };
            known = Some((number, intent));
            if now.pace < 1.0 {
                intent.cornering *= now.pace * now.pace;
                intent.cap_ms = 85.0 * now.pace;
            }
            if self.finished {
                intent.cap_ms = now.roll_out_ms;
            }
            if self.retiring && travelled_m > self.car.travelled_m + 350.0 {
                intent.cap_ms = 0.0;
            }
            if self.shortcut.is_some_and(|shortcut| shortcut.covers(travelled_m)) {
                intent.cap_ms = CUT_MS;
            }
            if let Some(visit) = self.visit {
                intent.cap_ms = intent.cap_ms.min(visit.cap_ms(circuit, travelled_m));
            }
            intent
        });
        self.mistakes.change_plan(plan, circuit, &self.car);
        let travelled_m = self.car.travelled_m;
        let habits = now.task.map(|task| task.early_braking(own, circuit, now.seed, travelled_m));
        for (metres, [from_m, to_m]) in habits.into_iter().flatten().flatten() {
            plan.brake_earlier(metres, from_m, to_m);
        }
    }

    /// Starts a requested spin once its corner is passed.
    pub(super) fn spin_where_due(&mut self, circuit: &Circuit) {
        if self.spins_behind.is_some_and(|number| corner_at(circuit, self.car.travelled_m).0 > number) {
            self.spins_behind = None;
            self.car.spin();
        }
    }

    /// Opens DRS where it is allowed and useful, and closes it for corners.
    pub(super) fn open_wing(&mut self, circuit: &Circuit, race: bool, weather_allows: bool) {
        let lap_m = self.car.lap_m(circuit);
        let zone = circuit.drs_zones_m.iter().find(|[from_m, to_m]| {
            if from_m < to_m { (*from_m..*to_m).contains(&lap_m) } else { lap_m >= *from_m || lap_m < *to_m }
        });
        let close = !race || (self.timing.lap > 2 && self.traffic.gap_s < 1.0);
        let may = zone.is_some() && weather_allows && self.visit.is_none() && !self.finished;
        // Once allowed, DRS stays so to the end of the zone.
        self.drs_allowed = may && (close || self.drs_allowed);
        self.car.drs = self.drs_allowed
            && self.car.brake < 0.02
            && self.car.throttle > 0.6
            && self.car.curvature.abs() < 2e-3
            && self.car.speed_ms > 30.0;
    }

    /// Chooses the energy deployment.
    pub(super) fn choose_energy(&mut self, race: bool, player: bool) {
        let full = self.car.engine.store_j / STORE_J;
        let mode = if self.finished || self.visit.is_some() {
            Deploy::None
        } else if !race {
            Deploy::Hotlap
        } else if self.traffic.gap_s < 1.0 && full > 0.35 {
            Deploy::Overtake
        } else if full > 0.8 {
            Deploy::High
        } else if full > 0.25 || player && full > 0.15 {
            Deploy::Medium
        } else {
            Deploy::Low
        };
        let engine = &mut self.car.engine;
        (engine.deploy, engine.withheld) =
            if self.demands.saves_energy { (Deploy::None, mode) } else { (mode, Deploy::None) };
    }

    /// Advances a pit visit; returns whether the speed must be planned again.
    pub(super) fn visit_pits(&mut self, circuit: &Circuit, dt: f64, refuel_kg: f64) -> bool {
        let Some(visit) = self.visit.as_mut() else { return false };
        let (travelled_m, length_m) = (self.car.travelled_m, circuit.length_m);
        self.car.limiter = visit.phase != PitPhase::Called && visit.limited(circuit, travelled_m);
        match visit.phase {
            PitPhase::Called => {
                let line_m = ((travelled_m / length_m).floor() + 1.0) * length_m;
                let to_entry_m = line_m - circuit.pit.entry_before_line_m - travelled_m;
                if travelled_m > 0.0 && (PIT_NOTICE_M..PIT_NOTICE_M + 200.0).contains(&to_entry_m) {
                    visit.line_m = line_m;
                    visit.phase = PitPhase::Entering;
                    return true;
                }
            }
            PitPhase::Entering => {
                let there = (travelled_m - visit.line_m - visit.box_m).abs() < 4.0;
                if there && self.car.speed_ms < 0.4 {
                    visit.phase = PitPhase::Standing;
                }
            }
            PitPhase::Standing => {
                visit.stood_s += dt;
                if visit.stood_s >= visit.service_s {
                    visit.phase = PitPhase::Leaving;
                    let tyres = visit.tyres;
                    self.car.change_tyres(tyres);
                    self.car.wing_damage = 0.0;
                    self.car.engine.fuel_kg = self.car.engine.fuel_kg.max(refuel_kg);
                    return true;
                }
            }
            PitPhase::Leaving => {
                if travelled_m > visit.line_m + circuit.pit.exit_after_line_m {
                    self.visit = None;
                    self.car.limiter = false;
                }
            }
        }
        false
    }
}

impl PitVisit {
    fn covers(&self, circuit: &Circuit, travelled_m: f64) -> bool {
        let from_line_m = travelled_m - self.line_m;
        from_line_m > -circuit.pit.entry_before_line_m && from_line_m < circuit.pit.exit_after_line_m
    }

    /// How far beyond the middle of the pit lane to drive, in metres: the car pulls in at its box.
    fn beyond_lane_m(&self, travelled_m: f64) -> Option<f64> {
        if self.phase == PitPhase::Called {
            return None;
        }
        let to_box_m = (travelled_m - self.line_m - self.box_m).abs();
        let near = (1.0 - to_box_m / 26.0).clamp(0.0, 1.0);
        Some(3.6 * near * near * (3.0 - 2.0 * near))
    }

    /// Whether the pit speed limit applies at this distance.
    fn limited(&self, circuit: &Circuit, travelled_m: f64) -> bool {
        let from_line_m = travelled_m - self.line_m;
        from_line_m > PIT_RAMP_M - circuit.pit.entry_before_line_m
            && from_line_m < circuit.pit.exit_after_line_m - PIT_RAMP_M - PIT_SETTLE_M
    }

    /// The highest speed that the visit allows at this distance, in m/s.
    fn cap_ms(&self, circuit: &Circuit, travelled_m: f64) -> f64 {
        let from_line_m = travelled_m - self.line_m;
        if self.phase == PitPhase::Entering && from_line_m >= self.box_m && from_line_m < self.box_m + 400.0 {
            return 0.0;
        }
        if self.limited(circuit, travelled_m) || self.limited(circuit, travelled_m - LIMIT_PASSED_M) {
            return f64::from(circuit.pit.limit_kmh) / 3.6 - 0.25;
        }
        // Slow enough to move into the lane and out of it.
        if self.covers(circuit, travelled_m) { 33.0 } else { f64::MAX }
    }
}

/// The corner at a position or next after it: counted from the first line crossing, then as lap and index in the lap.
pub(super) fn corner_at(circuit: &Circuit, travelled_m: f64) -> (i64, i64, i64) {
    let lap = (travelled_m / circuit.length_m).floor() as i64;
    let lap_m = travelled_m.rem_euclid(circuit.length_m);
    let count = circuit.corners.len() as i64;
    let corner = circuit.corners.partition_point(|corner| corner.exit_m < lap_m) as i64;
    let number = lap * count + corner;
    (number, number.div_euclid(count.max(1)), number.rem_euclid(count.max(1)))
}

/// The next slow corner that is far enough ahead that nobody brakes for it yet.
pub(super) fn slow_corner_ahead(circuit: &Circuit, travelled_m: f64) -> Option<i64> {
    let (first, ..) = corner_at(circuit, travelled_m + 220.0);
    let count = circuit.corners.len() as i64;
    (first..first + count).find(|number| {
        let corner = circuit.corners.get(number.rem_euclid(count.max(1)) as usize);
        corner.is_some_and(|corner| circuit.course(corner.apex_m).curvature.abs() > 1.0 / 60.0)
    })
}

/// A cut across the inside of a corner, which is counted from the first line crossing.
pub(super) fn across(circuit: &Circuit, number: i64) -> Option<Shortcut> {
    let count = circuit.corners.len() as i64;
    let corner = circuit.corners.get(number.rem_euclid(count.max(1)) as usize)?;
    let begun_m = number.div_euclid(count.max(1)) as f64 * circuit.length_m;
    Some(Shortcut { from_m: begun_m + corner.entry_m - CUT_M, to_m: begun_m + corner.exit_m + CUT_M })
}
