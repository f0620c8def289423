use super::super::*;
use super::*;
use crate::state::CarState;

/// Drives for `seconds` and calls `look` at every step.
fn drive(options: Options, seconds: f64, mut look: impl FnMut(&Race)) -> Race {
    let mut rally = start(options);
    while rally.run_s() < seconds {
        step(&mut rally);
        look(&rally);
    }
    rally
}

fn once(seed: u64) -> Options {
    Options { seed, again: false, ..on_a_stage() }
}

fn on_a_stage() -> Options {
    Options { start: Start::Stage(Finish::Completed), ..Options::default() }
}

/// How far the car points beside its way, in radians.
fn drift(rally: &Race) -> f64 {
    rally.now.racers[0].car.slip_angle()
}

fn phase(rally: &Race) -> Phase {
    rally.stage().expect("a stage").phase
}

fn state(rally: &Race) -> CarState {
    car_state(rally, 0).expect("a car")
}

#[test]
fn a_stage_is_driven_from_start_to_finish_through_all_gears() {
    let mut gears = std::collections::BTreeSet::new();
    let (mut fastest, mut slowest) = (0.0_f64, f64::MAX);
    let rally = drive(once(3), 180.0, |rally| {
        let car = state(rally);
        assert!(car.motion.speed_ms.is_finite() && car.motion.position[1].is_finite());
        if phase(rally) == Phase::Driving {
            gears.insert(car.gear);
            fastest = fastest.max(car.motion.speed_ms);
            if car.lap.distance_m > 100.0 {
                slowest = slowest.min(car.motion.speed_ms);
            }
            assert!((0.0..=1.0).contains(&car.throttle) && (0.0..=1.0).contains(&car.brake));
            assert!((0.0..=1.0).contains(&car.clutch) && (-1.0..=1.0).contains(&car.steer));
            assert!(car.rpm <= 8_250.0 && car.rpm >= 1_450.0 * 0.95, "{}", car.rpm);
        }
    });
    let run = &rally.truth().sessions[0].stage_runs[0];
    assert_eq!((run.end, run.splits_ms.len()), (Some(RunEnd::Finished), 3));
    let time = run.time_ms.expect("a time");
    assert!((110_000..220_000).contains(&time), "{time} ms");
    assert!(run.splits_ms.is_sorted() && run.splits_ms[2] < time);
    assert_eq!(gears.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!((30.0..44.0).contains(&fastest) && (4.0..14.0).contains(&slowest), "{slowest} to {fastest} m/s");
}

#[test]
fn crests_throw_the_car_up_and_it_comes_down_by_gravity_alone() {
    let mut flights: Vec<Vec<f64>> = Vec::new();
    let mut airborne = false;
    let rally = drive(once(3), 180.0, |rally| {
        let car = state(rally);
        if car.airborne && !airborne {
            flights.push(Vec::new());
        }
        airborne = car.airborne;
        if let Some(flight) = flights.last_mut()
            && airborne
        {
            flight.push(car.motion.position[1]);
            assert!(car.motion.position[1] >= rally.circuit.pose(car.lap.distance_m).position[1] - 1e-9);
        }
    });
    for flight in flights.iter().filter(|flight| flight.len() > 10) {
        for three in flight.windows(3).skip(1) {
            let acceleration = (three[2] - 2.0 * three[1] + three[0]) / (DT * DT);
            assert!((acceleration + 9.81).abs() < 0.2, "{acceleration}");
        }
    }
    let jumps = &rally.truth().sessions[0].stage_runs[0].jumps;
    let long: Vec<_> = jumps.iter().filter(|jump| jump.seconds > 0.3).collect();
    assert!((3..=8).contains(&long.len()), "{jumps:?}");
    assert!(long.iter().all(|jump| jump.far_m > 6.0 && jump.hard_ms > 0.5), "{long:?}");
}

#[test]
fn the_same_seed_drives_the_same_run_and_the_next_run_is_another() {
    let times = |seed| -> Vec<u32> {
        let rally = drive(Options { seed, ..on_a_stage() }, 345.0, |_| {});
        rally.truth().sessions[0].finished.iter().map(|lap| lap.time_ms).collect()
    };
    let two = times(5);
    assert!(two.len() >= 2 && two[0] != two[1], "{two:?}");
    assert_eq!(times(5), two);
    assert_ne!(times(6)[0], two[0]);
}

#[test]
fn what_can_come_in_between_comes_when_it_is_asked_for() {
    let requests = vec![
        (20.0, Request::Pause { seconds: 2.0 }),
        (30.0, Request::Hit),
        (40.0, Request::Recover),
        (60.0, Request::Restart { new_identity: false }),
        (90.0, Request::Leave),
    ];
    let mut stood = 0;
    let mut last = None;
    let rally = drive(Options { requests, ..once(2) }, 95.0, |rally| {
        if last == Some(state(rally).lap.distance_m)
            && phase(rally) == Phase::Driving
            && (15.0..25.0).contains(&rally.run_s())
        {
            stood += 1;
        }
        last = Some(state(rally).lap.distance_m);
    });
    assert!((478..=482).contains(&stood), "{stood} steps of two seconds");
    let runs = &rally.truth().sessions[0].stage_runs;
    let ends: Vec<_> = runs.iter().map(|run| run.end).collect();
    assert_eq!(ends, [Some(RunEnd::Restarted), Some(RunEnd::Abandoned)]);
    assert_eq!((runs[0].recovered, runs[0].hits_s.len()), (1, 1));
    assert_eq!(phase(&rally), Phase::Away);
    assert!(rally.truth().sessions[0].finished.is_empty());
}

#[test]
fn the_driver_brakes_hard_and_turns_hairpins_with_the_handbrake() {
    let (mut pulls, mut pulled, mut slides, mut brakings) = (0, false, 1.0_f64, vec![Vec::new()]);
    drive(once(7), 180.0, |rally| {
        let car = state(rally);
        if phase(rally) != Phase::Driving {
            return;
        }
        if car.brake > 0.0 {
            let grip_ms2 = 10.5 * rally.circuit.ground(car.lap.distance_m).hold;
            brakings.last_mut().unwrap().push((car.brake, car.motion.speed_ms, grip_ms2));
        } else if brakings.last().is_some_and(|braking| !braking.is_empty()) {
            brakings.push(Vec::new());
        }
        pulls += u32::from(car.handbrake && !pulled);
        if car.handbrake {
            let [rear_left, .., front_right] = car.wheels;
            slides = slides.min(rear_left.speed_ms / front_right.speed_ms);
            assert!((2.0..20.0).contains(&car.motion.speed_ms), "{} m/s", car.motion.speed_ms);
        } else if pulled {
            assert!(slides < 0.1 && drift(rally).abs() > 0.2, "{slides} {}", drift(rally));
            slides = 1.0;
        }
        pulled = car.handbrake;
    });
    assert!((3..=5).contains(&pulls), "{pulls} hairpins");
    let long: Vec<&Vec<_>> = brakings.iter().filter(|braking| braking.len() as f64 * DT > 2.0).collect();
    assert!(long.len() > 5, "{} brakings", long.len());
    for braking in long {
        let peak = braking.iter().map(|step| step.0).fold(0.0, f64::max);
        let slower_ms = braking[0].1 - braking[braking.len() - 1].1;
        let grip_ms: f64 = braking.iter().map(|step| step.2 * DT).sum();
        assert!(peak > 0.6 && slower_ms > 0.4 * grip_ms, "{peak}, {slower_ms} of {grip_ms} m/s");
    }
}
