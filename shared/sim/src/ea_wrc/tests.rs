use trailbrake_games::Decode;
use trailbrake_games::ea_wrc::Decoder;
use trailbrake_games::feed::{self, Feed};
use trailbrake_model::time::Micros;
use trailbrake_sink::Recorder;

use super::super::Demo;
use super::*;

/// Drives for `seconds` and calls `look` after each frame on the stage with what has been decoded since the last one.
fn drive(sends: PacketVersion, seconds: f64, mut look: impl FnMut(&Race, &CarState, &Recorder)) {
    let options = Options { seed: 4, again: false, ..Options::default() };
    let mut demo = Demo::speaking(Box::new(EaWrc::new(sends)), options, Micros(1));
    let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
    for frame in 1..(seconds * 60.0) as u32 {
        // Stop half a physics step behind the frame.
        demo.drive(f64::from(frame) / 60.0 - 1e-3, &mut |at, datagram| {
            let recognised = feed::recognise(datagram).map(|recognised| recognised.feed);
            assert_eq!(recognised, Ok(Feed::EaWrc), "{sends:?}, {} bytes", datagram.len());
            decoder.receive(at, datagram, &mut recorder).expect("a packet of the game");
        });
        let race = demo.race();
        let (stage, car) = (race.stage().expect("a stage"), car_state(race, 0).expect("a car"));
        if stage.phase == Phase::Driving {
            look(race, &car, &recorder);
            (recorder.samples, recorder.progress) = Default::default();
        }
    }
}

#[test]
fn every_structure_sends_the_drive_of_the_simulator() {
    for sends in PacketVersion::ALL {
        let mut gears = std::collections::BTreeSet::new();
        let mut frames = 0;
        drive(sends, 60.0, |race, car, recorder| {
            let near = |id: &str, expected: f64, slack: f64| {
                let value = f64::from(recorder.value(id));
                assert!((value - expected).abs() <= slack, "{sends:?}: {id} {value} is not {expected}");
            };
            let motion = &car.motion;
            frames += 1;
            for (place, axis) in ["x", "y", "z"].into_iter().enumerate() {
                near(&format!("position_{axis}"), motion.position[place], 1e-3);
                near(&format!("velocity_{axis}"), motion.velocity[place], 1e-4);
                near(&format!("forward_{axis}"), motion.forward[place], 1e-6);
                near(&format!("right_{axis}"), motion.right[place], 1e-6);
                near(&format!("local_velocity_{axis}"), motion.local_velocity[place], 1e-4);
            }
            near("g_lateral", motion.lateral_ms2 / 9.806_65, 1e-5);
            near("g_longitudinal", motion.longitudinal_ms2 / 9.806_65, 1e-5);
            near("g_vertical", motion.vertical_ms2 / 9.806_65, 1e-5);
            near("throttle", car.throttle, 1e-6);
            near("brake", car.brake, 1e-6);
            near("clutch", car.clutch, 1e-6);
            near("steering", -car.steer, 1e-6);
            near("handbrake", f64::from(u8::from(car.handbrake)), 0.0);
            near("rpm", car.rpm, 1e-3);
            near("max_rpm", car.model.engine.max_rpm.into(), 0.0);
            near("max_gears", car.model.engine.gears().into(), 0.0);
            near("gear", car.gear.into(), 0.0);
            near("lap_distance", car.lap.distance_m, 1e-3);
            near("lap_clock", race.stage().expect("a stage").clock_s(), 1e-4);
            let share = car.lap.distance_m / length_m(race);
            near("stage_progress", share.clamp(0.0, 1.0), 1e-6);
            for (wheel, truth) in ["rl", "rr", "fl", "fr"].into_iter().zip(car.wheels) {
                near(&format!("suspension_position_{wheel}"), truth.suspension_mm / 1e3, 1e-6);
                near(&format!("suspension_velocity_{wheel}"), truth.suspension_mm_s / 1e3, 1e-5);
                near(&format!("wheel_speed_{wheel}"), truth.speed_ms, 1e-5);
                near(&format!("brake_temperature_{wheel}"), truth.brake_c, 1e-3);
            }
            // The lap begins when the clock runs, which is a frame later.
            let clock = Some(recorder.value("lap_clock")).filter(|clock| *clock > 0.0);
            let progress = recorder.progress.last().map(|progress| (progress.lap, progress.clock));
            assert_eq!(progress, clock.map(|clock| (1, Some(clock))));
            gears.insert(car.gear);
        });
        assert!(frames > 3000 && gears.len() >= 4, "{sends:?}: {frames} frames, {gears:?}");
    }
}

#[test]
fn marks_say_what_happens_and_are_repeated_in_a_pause() {
    let requests = vec![(20.0, super::super::Request::Pause { seconds: 2.0 })];
    let options = Options { seed: 9, requests, again: false, ..Options::default() };
    let mut demo = Demo::speaking(Box::<EaWrc>::default(), options, Micros(1));
    let mut marks: Vec<(SessionMark, u32)> = Vec::new();
    demo.drive(220.0, &mut |_, bytes| {
        assert_eq!(bytes.len(), 275);
        let mark = SessionMark::of(bytes).expect("a mark");
        match marks.last_mut() {
            Some((last, count)) if *last == mark => *count += 1,
            _ => marks.push((mark, 1)),
        }
    });
    use SessionMark::{End, Pause, Resume, Start, Update};
    assert_eq!(
        marks.iter().map(|(mark, _)| *mark).collect::<Vec<_>>(),
        [Start, Update, Pause, Resume, Update, End]
    );
    assert!(marks[2].1 > 100 && marks[5].1 == 1, "{marks:?}");
}
