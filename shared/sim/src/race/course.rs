//! The course of a session: its start, its rules, and requested events.

use super::super::car::RALLY_CAR;
use super::super::truth::RunEnd;
use super::mistakes::PlantedMistakes;
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

/// Starts a race; nothing has moved yet.
pub fn start(options: Options) -> Race {
    start_after(0, options)
}

/// Replaces a race by another one. The time of the run goes on, and nothing remains requested.
pub fn start_another(race: &mut Race, options: Options) {
    *race = start_after(race.run_steps, Options { requests: Vec::new(), ..options });
}

/// Starts a race after so many steps of the run.
fn start_after(run_steps: u64, options: Options) -> Race {
    let mut race = Race::empty(run_steps, options);
    begin_session(&mut race, true);
    race
}

/// Advances to a time, in seconds since the start of the run.
pub fn advance_to(race: &mut Race, run_s: f64) {
    while race.run_s() + 0.5 * DT < run_s {
        step(race);
    }
}

/// Advances by one physics step.
pub fn step(race: &mut Race) {
    grant_requests(race);
    race.run_steps += 1;
    if race.pauses() {
        return;
    }
    if race.stage.is_some() {
        return step_stage(race);
    }
    if race.now.steps.is_multiple_of(KEEP_EVERY_STEPS) {
        if race.past.len() >= KEPT {
            race.past.pop_front();
        }
        race.past.push_back(race.now.clone());
    }
    if race.now.steps.is_multiple_of(STEPS_PER_FRAME) {
        direct(race);
    }
    let finished = race.drive_cars();
    race.now.steps += 1;
    for (index, lap) in finished {
        race.lap_ended(index, lap);
    }
}

/// Starts a session: the first or another one.
fn begin_session(race: &mut Race, new_identity: bool) {
    race.sessions += 1;
    if new_identity {
        race.uid = Random::of(race.options.seed, [race.sessions, 0, 0, 99]).bits() | 1;
    }
    race.past.clear();
    race.now = Moment { weather: Weather { sky: race.options.sky, wetness: 0.0 }, ..Moment::empty() };
    race.plans.iter_mut().for_each(|plan| *plan = Plan::default());
    let cars = race.skills.len();
    for index in 0..cars {
        let mut racer = match race.options.start {
            Start::Grid => on_the_grid(race, index),
            Start::Flying => on_the_way(race, index, cars),
            Start::Stage(_) => on_the_stage(race),
        };
        if index == race.truth.player {
            racer.car.wheels.iter_mut().for_each(|wheel| wheel.wear = race.options.tyre_wear);
        }
        race.now.racers.push(racer);
    }
    race.truth.sessions.push(SessionTruth {
        uid: race.uid,
        began_s: race.run_s(),
        race: race.options.start == Start::Grid,
        laps: if race.options.start == Start::Grid { race.options.laps } else { 0 },
        ..SessionTruth::default()
    });
}

fn on_the_grid(race: &Race, index: usize) -> Racer {
    let mut chance = Random::of(race.options.seed, [index as u64, race.sessions, 0, 3]);
    let slot = grid_slot(race, index);
    let mut car = Car::new(&SINGLE_SEATER, 2.2 * f64::from(race.options.laps) + 2.0, Compound::Soft);
    car.travelled_m = -(POLE_M + GRID_GAP_M * slot as f64);
    car.offset_m = if slot.is_multiple_of(2) { 3.4 } else { -3.4 };
    let mut racer = Racer::new(car, true);
    racer.shift_m = racer.car.offset_m - race.circuit.racing_line_m(racer.car.travelled_m);
    racer.grid_position = slot as u8 + 1;
    racer.position = racer.grid_position;
    racer.reacts_s = chance.between(0.18, 0.36);
    racer.mistakes = planted_mistakes(race, index);
    racer.timing.lights_out(LIGHTS_S);
    racer.notebook.turn_page(&race.circuit);
    racer
}

/// A car's grid position: its driver's rank with some random variation.
fn grid_slot(race: &Race, index: usize) -> usize {
    let qualified =
        |car: usize| car as f64 + 2.0 * Random::of(race.options.seed, [car as u64, 0, 0, 5]).bell();
    let own = qualified(index);
    (0..race.skills.len()).filter(|&car| qualified(car) < own).count()
}

fn on_the_way(race: &Race, index: usize, cars: usize) -> Racer {
    let behind_player = (index + cars - race.truth.player) % cars;
    // All twenty cars must fit on the lap.
    let gap_m = FLYING_GAP_M.min((race.circuit.length_m - FIRST_FLYING_M - 100.0) / cars as f64);
    let mut chance = Random::of(race.options.seed, [index as u64, race.sessions, 0, 4]);
    let compound = if chance.unit() < 0.5 { Compound::Ultrasoft } else { Compound::Soft };
    let mut car = Car::new(&SINGLE_SEATER, chance.between(25.0, 60.0), compound);
    car.travelled_m = -(FIRST_FLYING_M + gap_m * behind_player as f64);
    car.offset_m = race.circuit.racing_line_m(car.travelled_m);
    let mut racer = Racer::new(car, false);
    racer.grid_position = index as u8 + 1;
    racer.position = racer.grid_position;
    racer.notebook.turn_page(&race.circuit);
    racer.mistakes = planted_mistakes(race, index);
    // As fast as the plan allows, so that the next corner can be made.
    let mut plan = Plan::default();
    if let Some(skill) = race.skills.get(index) {
        racer.plan(index, skill, &mut plan, &race.conditions());
        let allowed_ms = plan.target(racer.car.travelled_m).speed_ms;
        racer.car.roll_at((0.9 * allowed_ms).min(65.0));
    }
    racer
}

/// A car's planted mistakes, which all are still to come.
fn planted_mistakes(race: &Race, index: usize) -> PlantedMistakes {
    PlantedMistakes::of(index, &race.options.mistakes, &race.circuit)
}

/// The once-per-frame updates: weather, positions, traffic, DRS, energy, and the end of the session.
fn direct(race: &mut Race) {
    let now_s = race.session_s();
    let is_race = race.options.start == Start::Grid;
    race.now.weather.pass(DT * STEPS_PER_FRAME as f64);
    if race.now.safety_car != SafetyCar::None && now_s >= race.now.safety_until_s {
        race.now.safety_car = SafetyCar::None;
        replan_all(race);
    }
    order(race);
    let may_pass = race.now.safety_car == SafetyCar::None && now_s > LIGHTS_S + 3.0;
    let seen: Vec<_> = (0..race.cars())
        .map(|index| traffic::look_around(&race.circuit, &race.now.racers, index, may_pass))
        .collect();
    let wetness = race.now.weather.wetness;
    let wings = wetness < 0.15 && race.now.safety_car == SafetyCar::None;
    for (index, (racer, traffic)) in race.now.racers.iter_mut().zip(seen).enumerate() {
        racer.traffic = traffic;
        racer.open_wing(&race.circuit, is_race, wings);
        racer.choose_energy(is_race, race.truth.player == index);
        if racer.retiring && racer.car.speed_ms < 1.0 {
            racer.parked = true;
            racer.car.roll_at(0.0);
        }
        // Worn tyres, the wrong tyres for the weather or an empty tank bring a car to the pits.
        let right = Compound::for_wetness(wetness);
        let worn = racer.car.wheels.iter().any(|wheel| wheel.wear > 68.0);
        let empty = !is_race && racer.car.engine.fuel_kg < 5.0;
        if (worn || empty || right.treaded() != racer.car.compound.treaded()) && !racer.finished {
            racer.call_in(index, right);
        }
    }
    end_session(race, now_s, is_race);
}

/// Positions: by distance in a race, by best lap in practice.
fn order(race: &mut Race) {
    let is_race = race.options.start == Start::Grid;
    let mut order: Vec<usize> = (0..race.cars()).collect();
    let racers = &race.now.racers;
    order.sort_by(|&a, &b| {
        let (Some(a), Some(b)) = (racers.get(a), racers.get(b)) else { return std::cmp::Ordering::Equal };
        if is_race {
            // Finished cars keep their positions.
            let kept = |racer: &Racer| if racer.finished { racer.position } else { u8::MAX };
            kept(a).cmp(&kept(b)).then(b.car.travelled_m.total_cmp(&a.car.travelled_m))
        } else {
            let best = |racer: &Racer| racer.timing.best_ms.unwrap_or(u32::MAX);
            best(a).cmp(&best(b)).then(a.grid_position.cmp(&b.grid_position))
        }
    });
    for (place, index) in order.into_iter().enumerate() {
        if let Some(racer) = race.now.racers.get_mut(index) {
            racer.position = place as u8 + 1;
        }
    }
}

fn end_session(race: &mut Race, now_s: f64, is_race: bool) {
    let over = if is_race {
        race.now.racers.iter().all(|racer| racer.finished || racer.parked)
    } else {
        now_s >= f64::from(race.options.duration_s)
    };
    if over && race.now.ended_s.is_none() {
        race.now.ended_s = Some(now_s + AFTER_LAST_S);
    }
    if race.options.again && race.now.ended_s.is_some_and(|ended_s| now_s > ended_s + AGAIN_S) {
        begin_session(race, true);
    }
}

/// Handles due requests; as in a game, only at frames.
fn grant_requests(race: &mut Race) {
    if !race.at_frame() {
        return;
    }
    let now_s = race.run_s();
    while let Some(due) = race.requests.iter().position(|(at_s, _)| *at_s <= now_s) {
        let (_, request) = race.requests.remove(due);
        grant(race, request);
    }
}

fn grant(race: &mut Race, request: Request) {
    match request {
        Request::Rewind { seconds } => rewind(race, seconds),
        Request::Pause { seconds } => {
            let frames = (seconds.max(0.0) * (STEPS_PER_S / STEPS_PER_FRAME) as f64).round() as u64;
            let from_s = race.run_s();
            race.paused_until = Some(race.run_steps + frames * STEPS_PER_FRAME);
            if let Some(session) = race.truth.sessions.last_mut() {
                session.pauses_s.push([from_s, from_s + (frames * STEPS_PER_FRAME) as f64 * DT]);
            }
        }
        Request::Restart { .. } if race.stage.is_some() => restart_run(race),
        Request::Recover | Request::Hit | Request::Leave => grant_on_stage(race, request),
        Request::Restart { new_identity } => begin_session(race, new_identity),
        Request::Pit { car, tyres } => {
            if let Some(racer) = race.now.racers.get_mut(car) {
                racer.call_in(car, tyres);
            }
        }
        Request::RunWide { car } => {
            if let Some(racer) = race.now.racers.get_mut(car) {
                racer.blunder = racer::slow_corner_ahead(&race.circuit, racer.car.travelled_m);
                replan_all(race);
            }
        }
        Request::Spin { car } => {
            if let Some(racer) = race.now.racers.get_mut(car) {
                racer.spins_behind = racer::slow_corner_ahead(&race.circuit, racer.car.travelled_m);
            }
        }
        Request::Cut { car } => {
            if let Some(racer) = race.now.racers.get_mut(car) {
                let number = racer::slow_corner_ahead(&race.circuit, racer.car.travelled_m);
                racer.shortcut = number.and_then(|number| racer::across(&race.circuit, number));
                replan_all(race);
            }
        }
        Request::Disturbance { car, what, seconds } => {
            if let Some(racer) = race.now.racers.get_mut(car) {
                racer.car.upset(what, seconds);
            }
        }
        Request::Retire { car } => {
            if let Some(racer) = race.now.racers.get_mut(car) {
                racer.retiring = true;
                replan_all(race);
            }
        }
        Request::Weather(sky) => race.now.weather.sky = sky,
        Request::SafetyCar { virtually, seconds } => {
            race.now.safety_car = if virtually { SafetyCar::Virtual } else { SafetyCar::Full };
            race.now.safety_until_s = race.session_s() + seconds;
            replan_all(race);
        }
    }
}

fn rewind(race: &mut Race, seconds: f64) {
    let from_s = race.session_s();
    let target_s = from_s - seconds.max(0.0);
    // The latest stored moment at or before the target, otherwise the oldest one.
    let index = race.past.iter().rposition(|moment| moment.steps as f64 * DT <= target_s).unwrap_or(0);
    let Some(moment) = race.past.get(index).cloned() else { return };
    race.past.truncate(index);
    race.now = moment;
    race.epoch += 1;
    let to_s = race.session_s();
    for racer in &mut race.now.racers {
        racer.timing.marks.rewound = true;
    }
    replan_all(race);
    let at_s = race.run_s();
    if let Some(session) = race.truth.sessions.last_mut() {
        session.rewinds.push(RewindTruth { at_s, from_s, to_s });
        session.finished.iter_mut().filter(|lap| lap.ended_s > to_s).for_each(|lap| lap.undone = true);
    }
}

/// Discards all plans, since their conditions have changed.
fn replan_all(race: &mut Race) {
    race.plans.iter_mut().for_each(|plan| *plan = Plan::default());
}

/// A car that waits for the start of a stage.
fn on_the_stage(race: &Race) -> Racer {
    let mut racer = Racer::new(Car::new(&RALLY_CAR, STAGE_FUEL_KG, Compound::Soft), true);
    racer.car.travelled_m = STAGE_POLE_M;
    (racer.grid_position, racer.position) = (1, 1);
    racer.notebook.turn_page(&race.circuit);
    racer.mistakes = planted_mistakes(race, 0);
    racer
}

/// Advances a stage by one step.
fn step_stage(race: &mut Race) {
    let run_s = race.run_s();
    race.now.steps += 1;
    let Some(stage) = &mut race.stage else { return };
    match (stage.phase, stage.count(race.options.again)) {
        (Phase::Away, Some(_)) => begin_run(race),
        (_, Some(Phase::Driving)) => stage.go(run_s),
        (_, Some(next)) => stage.enter(next),
        (Phase::Waiting, None) => race.now.racers.iter_mut().for_each(|racer| racer.car.wait(run_s)),
        (Phase::Driving, None) => drive_stage(race),
        (Phase::Finished, None) => drop(race.drive_cars()),
        (Phase::Service | Phase::Away, None) => {}
    }
}

fn drive_stage(race: &mut Race) {
    let Some(from_m) = race.now.racers.first().map(|racer| racer.car.travelled_m) else { return };
    race.drive_cars();
    let (Some(stage), Some(racer)) = (&mut race.stage, race.now.racers.first_mut()) else { return };
    if stage.follow(from_m, &racer.car, &race.circuit) {
        racer.finished = true;
        end_run(race, RunEnd::Finished);
        replan_all(race);
    }
}

/// Starts another run of the same stage.
fn begin_run(race: &mut Race) {
    race.sessions += 1;
    race.now.racers = vec![on_the_stage(race)];
    replan_all(race);
    race.stage = race.stage.as_ref().map(Stage::next_run);
}

/// Ends the current run, and records it.
fn end_run(race: &mut Race, end: RunEnd) {
    let (Some(stage), Some(session)) = (&mut race.stage, race.truth.sessions.last_mut()) else { return };
    let lap = stage.end(end);
    if race.options.keep_truth {
        session.finished.extend(lap);
        session.stage_runs.push(stage.run.clone());
    }
}

/// Restarts the stage.
fn restart_run(race: &mut Race) {
    if drives_stage(race) {
        end_run(race, RunEnd::Restarted);
    }
    begin_run(race);
}

/// Handles a request that only stages know.
fn grant_on_stage(race: &mut Race, request: Request) {
    let drives = drives_stage(race);
    let (Some(stage), Some(racer)) = (&mut race.stage, race.now.racers.first_mut()) else { return };
    match request {
        Request::Recover if drives => {
            racer.car.put_back((racer.car.travelled_m - PUT_BACK_M).max(0.0));
            stage.recover();
            replan_all(race);
        }
        Request::Hit if drives => {
            racer.car.hit();
            stage.run.hits_s.push(stage.clock_s());
        }
        Request::Leave if drives => end_run(race, RunEnd::Abandoned),
        _ => {}
    }
}

fn drives_stage(race: &Race) -> bool {
    race.stage.as_ref().is_some_and(|stage| stage.phase == Phase::Driving)
}
