use super::super::state::{CarState, Outcome, PitState};
use super::*;

fn race(options: Options) -> Race {
    start(options)
}

/// Advances and calls `look` at every frame.
fn watch(race: &mut Race, until_s: f64, mut look: impl FnMut(&Race)) {
    while race.run_s() < until_s {
        step(race);
        if race.at_frame() {
            look(race);
        }
    }
}

/// Advances past the next frame, at whose start requests are handled.
fn next_frame(race: &mut Race) {
    for _ in 0..2 * STEPS_PER_FRAME {
        step(race);
    }
}

#[test]
fn the_same_seed_gives_the_same_race_and_another_seed_another() {
    let finished = |seed| {
        let mut race = race(Options { seed, cars: 6, ..Options::default() });
        advance_to(&mut race, 200.0);
        race.truth().clone()
    };
    let first = finished(3);
    assert!(first.sessions[0].finished.len() >= 6);
    assert_eq!(first, finished(3));
    assert_ne!(first.sessions[0].finished, finished(4).sessions[0].finished);
}

#[test]
fn lap_times_are_plausible_and_differ_by_skill() {
    for circuit in 0..CIRCUITS.len() {
        let mut race = race(Options { circuit, ..Options::default() });
        advance_to(&mut race, 420.0);
        let best = |car: usize| race.now.racers[car].timing.best_ms.map(|ms| f64::from(ms) / 1e3);
        let times: Vec<f64> = (0..20).filter_map(best).collect();
        assert_eq!(times.len(), 20, "{}", race.circuit.name);
        for time in &times {
            assert!((68.0..110.0).contains(time), "{} {time}", race.circuit.name);
        }
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (front, back) = (mean(&times[..5]), mean(&times[15..]));
        assert!(front + 0.4 < back && back < front * 1.05, "{} {front} {back}", race.circuit.name);
    }
}

#[test]
fn sectors_add_up_and_laps_follow_each_other() {
    let mut race = race(Options { cars: 4, ..Options::default() });
    advance_to(&mut race, 400.0);
    let laps = &race.truth().sessions[0].finished;
    assert!(laps.len() > 12);
    for lap in laps {
        assert_eq!(lap.sectors_ms.iter().sum::<u32>(), lap.time_ms);
        assert!(lap.sectors_ms.iter().all(|&ms| ms > 15_000));
        if let Some(before) = laps.iter().find(|other| other.car == lap.car && other.number + 1 == lap.number)
        {
            let apart_ms = (lap.ended_s - before.ended_s) * 1e3;
            assert!((apart_ms - f64::from(lap.time_ms)).abs() < 0.51, "{apart_ms} {}", lap.time_ms);
        }
    }
}

#[test]
fn the_limits_of_friction_hold_and_no_number_is_lost() {
    let mut race = race(Options { circuit: 2, cars: 5, ..Options::default() });
    let (mut braked, mut cornered, mut fastest) = (0.0_f64, 0.0_f64, 0.0_f64);
    watch(&mut race, 300.0, |race| {
        for car in 0..race.cars() {
            let state = car_state(race, car).unwrap();
            let motion = &state.motion;
            let g = (motion.lateral_ms2.hypot(motion.longitudinal_ms2)) / 9.81;
            assert!(g < 6.0, "{g} g at {} m", state.lap.distance_m);
            // At low speed there is hardly any downforce.
            if motion.speed_ms < 30.0 {
                assert!(g < 2.6, "{g} g at {} m/s", motion.speed_ms);
            }
            braked = braked.max(-motion.longitudinal_ms2 / 9.81);
            cornered = cornered.max(motion.lateral_ms2.abs() / 9.81);
            fastest = fastest.max(motion.speed_ms * 3.6);
        }
    });
    assert!((3.8..5.6).contains(&braked), "{braked}");
    assert!((3.0..5.6).contains(&cornered), "{cornered}");
    assert!((300.0..345.0).contains(&fastest), "{fastest}");
}

#[test]
fn velocity_is_the_change_of_position() {
    let mut race = race(Options { circuit: 2, cars: 3, ..Options::default() });
    advance_to(&mut race, 20.0);
    let mut before: Vec<CarState> = Vec::new();
    let dt = STEPS_PER_FRAME as f64 / STEPS_PER_S as f64;
    watch(&mut race, 140.0, |race| {
        let now: Vec<CarState> = (0..race.cars()).map(|car| car_state(race, car).unwrap()).collect();
        for (before, now) in before.iter().zip(&now) {
            let (a, b) = (&before.motion, &now.motion);
            let off: f64 = (0..3)
                .map(|i| (b.position[i] - a.position[i] - 0.5 * dt * (a.velocity[i] + b.velocity[i])).powi(2))
                .sum::<f64>()
                .sqrt();
            assert!(off < 0.02, "{off} m at {}", now.lap.distance_m);
            let dot = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
            assert!((dot(b.velocity, b.velocity).sqrt() - b.speed_ms).abs() < 1e-6);
            assert!((dot(b.forward, b.forward) - 1.0).abs() < 1e-9 && dot(b.forward, b.right).abs() < 1e-9);
            // Right is forward turned clockwise, seen from above.
            assert!((b.right[0] + b.forward[2]).abs() < 0.05 && (b.right[2] - b.forward[0]).abs() < 0.05);
        }
        before = now;
    });
}

#[test]
fn the_brake_goes_on_where_the_truth_says() {
    let mut race = race(Options { cars: 3, player: 0, ..Options::default() });
    // Brake points as observed from outside, step by step.
    let mut seen: Vec<(u32, f64, f64)> = Vec::new();
    let mut last = [(0.0, 0.0); 3];
    while race.run_s() < 330.0 {
        step(&mut race);
        let state = car_state(&race, 1).unwrap();
        if last[1].1 < PEDAL_ON && state.brake >= PEDAL_ON {
            seen.push((state.lap.number, last[1].0, state.lap.distance_m));
        }
        last[1] = (state.lap.distance_m, state.brake);
    }
    let mut checked = 0;
    for lap in race.truth().sessions[0].finished.iter().filter(|lap| lap.car == 1) {
        for note in &lap.corners {
            let Some(braking) = note.braking else { continue };
            checked += 1;
            assert!(
                seen.iter().any(|(number, from_m, to_m)| *number == lap.number
                    && *from_m <= braking.on_m
                    && braking.on_m <= *to_m),
                "{note:?}"
            );
            let corner = race.circuit.corners.iter().find(|corner| corner.number == note.corner).unwrap();
            assert!(braking.on_m < braking.peak_m && braking.peak_m <= braking.release_m, "{note:?}");
            assert!(braking.on_m < corner.apex_m && braking.on_m > corner.entry_m - 300.0, "{note:?}");
            assert!(note.min_speed_m >= corner.entry_m && note.min_speed_m <= corner.exit_m);
            assert!((note.apex_m - corner.apex_m).abs() < 60.0, "{note:?} {corner:?}");
        }
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn a_race_starts_from_the_grid_and_twenty_cars_finish() {
    let mut race = race(Options { start: Start::Grid, laps: 3, again: false, ..Options::default() });
    advance_to(&mut race, 5.9);
    for car in 0..20 {
        let state = car_state(&race, car).unwrap();
        assert!(state.lap.distance_m < 0.0 && state.motion.speed_ms < 0.01, "{car} creeps");
        assert_eq!(state.lap.position, state.lap.grid_position);
    }
    // The simulator has no collisions, but drivers keep their distance.
    let (mut touching, mut pairs) = (0_u32, 0_u32);
    watch(&mut race, 330.0, |race| {
        let cars: Vec<(bool, [f64; 3])> = (0..20)
            .map(|car| {
                let on_track = race.now.racers[car].car.offset_m.abs() < race.circuit.half_width_m;
                (on_track, car_state(race, car).unwrap().motion.position)
            })
            .collect();
        for (index, (_, a)) in cars.iter().enumerate().filter(|(_, (on_track, _))| *on_track) {
            for (_, b) in cars[..index].iter().filter(|(on_track, _)| *on_track) {
                pairs += 1;
                touching += u32::from((a[0] - b[0]).hypot(a[2] - b[2]) < 1.6);
            }
        }
    });
    assert!(touching * 10_000 < pairs, "{touching} of {pairs}");
    let mut positions = Vec::new();
    for car in 0..20 {
        let lap = car_state(&race, car).unwrap().lap;
        assert_eq!((lap.outcome, lap.number), (Outcome::Finished, 3), "car {car}");
        positions.push(lap.position);
    }
    positions.sort_unstable();
    assert_eq!(positions, (1..=20).collect::<Vec<u8>>());
    assert!(session_state(&race).ended);
    assert_eq!(race.truth().sessions[0].finished.len(), 60);
    let changed = (0..20).filter(|&car| {
        let lap = car_state(&race, car).unwrap().lap;
        lap.position != lap.grid_position
    });
    assert!(changed.count() > 0, "nobody ever passed anybody");
}

#[test]
fn a_rewind_takes_everything_back() {
    let mut race = race(Options { cars: 4, player: 0, ..Options::default() });
    // Shortly after the line, so that a completed lap is undone.
    while race.truth().sessions[0].finished.is_empty() {
        step(&mut race);
    }
    let until_s = race.run_s() + 3.0;
    advance_to(&mut race, until_s);
    let before = (race.session_s(), race.frame(), car_state(&race, 0).unwrap());
    race.request(Request::Rewind { seconds: 8.0 });
    next_frame(&mut race);
    let after = car_state(&race, 0).unwrap();
    assert!((7.5..8.7).contains(&(before.0 - race.session_s())), "{} {}", before.0, race.session_s());
    assert!(race.frame() < before.1);
    assert_eq!((before.2.lap.number, after.lap.number), (2, 1));
    assert!(after.lap.distance_m > 0.8 * race.circuit.length_m);
    let until_s = race.run_s() + 30.0;
    advance_to(&mut race, until_s);
    let laps = &race.truth().sessions[0].finished;
    let of_player: Vec<_> = laps.iter().filter(|lap| lap.car == 0 && lap.number == 1).collect();
    assert_eq!(of_player.len(), 2);
    assert!(of_player[0].undone && !of_player[0].marks.rewound);
    assert!(!of_player[1].undone && of_player[1].marks.rewound);
    assert_eq!(race.truth().sessions[0].rewinds.len(), 1);
}

#[test]
fn a_pause_stands_still() {
    let mut race = race(Options { cars: 2, ..Options::default() });
    advance_to(&mut race, 30.0);
    race.request(Request::Pause { seconds: 5.0 });
    next_frame(&mut race);
    let before = (race.session_s(), car_state(&race, 1).unwrap().motion.position);
    advance_to(&mut race, 34.9);
    assert!(session_state(&race).paused);
    assert_eq!(before, (race.session_s(), car_state(&race, 1).unwrap().motion.position));
    advance_to(&mut race, 36.0);
    assert!(
        !session_state(&race).paused
            && race.session_s() > before.0 + 0.9
            && race.session_s() < before.0 + 1.1
    );
}

#[test]
fn a_restart_begins_again_with_or_without_a_new_identity() {
    for new_identity in [true, false] {
        let mut race = race(Options { cars: 2, ..Options::default() });
        advance_to(&mut race, 40.0);
        let uid = session_state(&race).uid;
        race.request(Request::Restart { new_identity });
        next_frame(&mut race);
        assert!(race.session_s() < 0.1 && car_state(&race, 0).unwrap().lap.distance_m < 0.0);
        assert_eq!(session_state(&race).uid != uid, new_identity);
        assert_ne!(session_state(&race).uid, 0);
        assert_eq!(race.truth().sessions.len(), 2);
    }
}

#[test]
fn a_pit_stop_stands_changes_tyres_and_marks_two_laps() {
    for start in [Start::Flying, Start::Grid] {
        let mut race = race(Options { start, cars: 2, player: 1, laps: 4, ..Options::default() });
        advance_to(&mut race, 30.0);
        race.request(Request::Pit { car: 1, tyres: Compound::Medium });
        let mut standing_s = 0.0;
        let mut fastest_ms = 0.0_f64;
        let mut invalid = false;
        watch(&mut race, 220.0, |race| {
            let state = car_state(race, 1).unwrap();
            let on_track = state.lap.pit == PitState::Track;
            assert!(on_track || invalid || !state.lap.invalid, "the pit lane is no cut");
            invalid = state.lap.invalid;
            if state.lap.pit == PitState::Stopped {
                standing_s += 1.0 / 60.0;
                assert!(state.motion.speed_ms < 0.5);
            }
            if state.limiter {
                fastest_ms = fastest_ms.max(state.motion.speed_ms);
            }
        });
        assert!((2.0..4.5).contains(&standing_s), "{start:?} {standing_s}");
        assert!((20.0..80.5 / 3.6).contains(&fastest_ms), "{} km/h", fastest_ms * 3.6);
        assert_eq!(car_state(&race, 1).unwrap().compound, Compound::Medium);
        let session = &race.truth().sessions[0];
        assert_eq!(session.pit_stops.len(), 1);
        let laps: Vec<_> = session.finished.iter().filter(|lap| lap.car == 1).collect();
        let into = laps.iter().position(|lap| lap.marks.in_lap).expect("an in-lap");
        assert!(laps[into + 1].marks.out_lap && !laps[into + 1].marks.in_lap);
    }
}

#[test]
fn running_wide_costs_time_and_the_lap() {
    let mut race = race(Options { cars: 2, player: 0, ..Options::default() });
    advance_to(&mut race, 140.0);
    race.request(Request::RunWide { car: 0 });
    advance_to(&mut race, 330.0);
    let laps: Vec<_> = race.truth().sessions[0].finished.iter().filter(|lap| lap.car == 0).collect();
    let wide = laps.iter().find(|lap| lap.marks.invalid).expect("an invalid lap");
    let clean =
        laps.iter().filter(|lap| !lap.marks.invalid && lap.number > 1).map(|lap| lap.time_ms).min().unwrap();
    assert!(wide.time_ms > clean + 300, "{} {clean}", wide.time_ms);
    assert!(car_state(&race, 0).unwrap().lap.best_ms.unwrap() <= clean);
}

#[test]
fn rain_slows_everybody_and_brings_them_in() {
    let mut race = race(Options { start: Start::Grid, cars: 8, laps: 9, ..Options::default() });
    advance_to(&mut race, 120.0);
    race.request(Request::Weather(Sky::HeavyRain));
    advance_to(&mut race, 560.0);
    let session = &race.truth().sessions[0];
    assert!(session.pit_stops.len() >= 8, "{} stops", session.pit_stops.len());
    assert!((0..8).all(|car| car_state(&race, car).unwrap().compound.treaded()));
    let lap = |number| {
        session.finished.iter().find(|lap| lap.car == 2 && lap.number == number).map(|lap| lap.time_ms)
    };
    assert!(lap(5).unwrap() > lap(2).unwrap() + 5_000, "{:?} {:?}", lap(5), lap(2));
}

#[test]
fn the_safety_car_slows_and_a_broken_car_stops() {
    let mut race = race(Options { start: Start::Grid, cars: 5, laps: 5, ..Options::default() });
    advance_to(&mut race, 40.0);
    race.request(Request::Retire { car: 4 });
    race.request(Request::SafetyCar { virtually: true, seconds: 60.0 });
    advance_to(&mut race, 60.0);
    assert_eq!(session_state(&race).safety_car, SafetyCar::Virtual);
    let mut fastest_ms = 0.0_f64;
    watch(&mut race, 90.0, |race| fastest_ms = fastest_ms.max(car_state(race, 0).unwrap().motion.speed_ms));
    assert!(fastest_ms < 63.0, "{fastest_ms}");
    assert_eq!(car_state(&race, 4).unwrap().lap.outcome, Outcome::Retired);
    advance_to(&mut race, 110.0);
    assert_eq!(session_state(&race).safety_car, SafetyCar::None);
}

#[test]
fn an_hour_of_driving_loses_no_number_and_stays_on_the_road() {
    let mut race = race(Options { circuit: 1, cars: 4, player: 0, duration_s: 3_700, ..Options::default() });
    let mut frames = 0_u32;
    watch(&mut race, 3_600.0, |race| {
        frames += 1;
        if !frames.is_multiple_of(30) {
            return;
        }
        for car in 0..race.cars() {
            let state = car_state(race, car).unwrap();
            let motion = &state.motion;
            let wheels = state.wheels.iter().flat_map(|wheel| {
                [
                    wheel.surface_c,
                    wheel.inner_c,
                    wheel.brake_c,
                    wheel.pressure_psi,
                    wheel.wear,
                    wheel.suspension_mm,
                ]
            });
            let numbers =
                motion.position.into_iter().chain(motion.velocity).chain(motion.forward).chain(motion.right);
            assert!(numbers.chain(wheels).chain([state.rpm, state.fuel_kg, motion.roll]).all(f64::is_finite));
            assert!(state.fuel_kg > 0.5, "car {car} ran dry");
            for wheel in &state.wheels {
                assert!((40.0..190.0).contains(&wheel.surface_c), "{wheel:?}");
                assert!((50.0..1300.0).contains(&wheel.brake_c), "{wheel:?}");
            }
            assert!(race.now.racers[car].car.offset_m.abs() < 25.0);
        }
    });
    let laps = &race.truth().sessions[0].finished;
    assert!(laps.len() > 4 * 42, "{}", laps.len());
    let invalid = laps.iter().filter(|lap| lap.marks.invalid).count();
    assert!(invalid < laps.len() / 6, "{invalid} of {} laps are invalid", laps.len());
}

#[test]
fn drivers_use_the_pedals_as_people_do() {
    let (mut zones, mut peaks, mut build_s) = (0_u32, 0_u32, Vec::new());
    let (mut exits, mut stabs) = (0_u32, 0_u32);
    for seed in 40..46 {
        let circuit = (seed % 3) as usize;
        let mut race = race(Options { seed, circuit, cars: 1, player: 0, ..Options::default() });
        let mut trace: Vec<[f64; 2]> = Vec::new();
        watch(&mut race, 260.0, |race| {
            let state = car_state(race, 0).unwrap();
            trace.push([state.throttle, state.brake]);
        });
        for zone in trace.chunk_by(|a, b| (a[1] > 0.0) == (b[1] > 0.0)) {
            let brake: Vec<f64> = zone.iter().map(|step| step[1]).collect();
            let peak = brake.iter().copied().fold(0.0, f64::max);
            if peak > 0.3 {
                zones += 1;
                peaks += u32::from(turns(&brake, 0.08) == 1);
                let to_peak = brake.iter().position(|pedal| *pedal > 0.95 * peak).unwrap();
                build_s.push(to_peak as f64 / 60.0);
            }
        }
        // From the release of the brake until the throttle is open.
        for exit in trace.split(|step| step[1] > 0.0).filter(|exit| exit.len() > 60) {
            exits += 1;
            let throttle: Vec<f64> =
                exit.iter().map(|step| step[0]).take_while(|throttle| *throttle < 0.95).collect();
            stabs += turns(&throttle, 0.1) - 1;
        }
    }
    assert!(zones > 100 && exits > 100, "{zones} {exits}");
    assert!(peaks * 100 >= zones * 96, "only {peaks} of {zones} brakings have one peak");
    assert!(stabs * 100 <= exits * 4, "{stabs} stabs of the throttle in {exits} exits");
    build_s.sort_by(f64::total_cmp);
    let middle_s = build_s[build_s.len() / 2];
    assert!((0.08..0.2).contains(&middle_s), "the brake builds up in {middle_s} s");
}

/// How often a pedal rises and falls again by more than `least`.
fn turns(pedal: &[f64], least: f64) -> u32 {
    let (mut low, mut high, mut rising, mut peaks) = (pedal[0], pedal[0], true, 0);
    for &now in pedal {
        (low, high) = (low.min(now), high.max(now));
        if rising && now < high - least {
            (rising, low, peaks) = (false, now, peaks + 1);
        } else if !rising && now > low + least {
            (rising, high) = (true, now);
        }
    }
    peaks + u32::from(rising)
}

#[test]
fn laps_improve_and_fade_as_a_person_s_do() {
    let mut sums = [0.0; 12];
    let seeds = [50, 51, 52, 53];
    for seed in seeds {
        let mut race = race(Options { seed, cars: 1, player: 0, ..Options::default() });
        while race.truth().sessions[0].finished.len() < sums.len() {
            step(&mut race);
        }
        for (sum, lap) in sums.iter_mut().zip(&race.truth().sessions[0].finished) {
            *sum += f64::from(lap.time_ms) / 1e3 / seeds.len() as f64;
        }
    }
    let mean = |laps: &[f64]| laps.iter().sum::<f64>() / laps.len() as f64;
    let (first, best, last) = (sums[0], mean(&sums[1..4]), mean(&sums[9..]));
    assert!(first > best + 0.2 && last > best + 0.1 && last < best + 2.0, "{sums:?}");
}
