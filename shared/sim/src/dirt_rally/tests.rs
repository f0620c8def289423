use trailbrake_games::dirt_rally::Decoder;
use trailbrake_games::feed::{self, Feed};
use trailbrake_games::{Decode, Rejected};
use trailbrake_model::time::Micros;
use trailbrake_sink::Recorder;

use super::super::Demo;
use super::super::race::{Request, car_state};
use super::*;

const ALL: [PacketVersion; 8] = [
    PacketVersion::Everything,
    PacketVersion::Bytes(252),
    PacketVersion::Bytes(200),
    PacketVersion::Bytes(152),
    PacketVersion::Bytes(256),
    PacketVersion::Motion,
    PacketVersion::OlderFirst,
    PacketVersion::OlderSecond,
];

/// Drives for `seconds` and calls `look` after each frame with what has been decoded so far.
fn drive(sends: PacketVersion, seconds: f64, mut look: impl FnMut(&Rally, &Recorder)) {
    let options = Options { seed: 4, again: false, ..Options::default() };
    let mut demo = Demo::speaking(Box::new(DirtRally::new(sends)), options, Micros(1));
    let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
    for frame in 1..(seconds * 60.0) as u32 {
        // Stop half a physics step behind the frame.
        demo.drive(f64::from(frame) / 60.0 - 1e-3, &mut |at, datagram| {
            let recognised = feed::recognise(datagram).map(|recognised| recognised.feed);
            assert_eq!(recognised, Ok(Feed::DirtRally), "{sends:?}, {} bytes", datagram.len());
            let outcome = decoder.receive(at, datagram, &mut recorder);
            assert!(matches!(outcome, Ok(()) | Err(Rejected::Caution { .. })), "{sends:?}: {outcome:?}");
        });
        let race = demo.race();
        let (stage, car) = (race.stage().expect("a stage"), car_state(race, 0).expect("a car"));
        if stage.phase == Phase::Driving {
            look(&Rally { race, stage, car }, &recorder);
            (recorder.samples, recorder.progress) = Default::default();
        }
    }
}

fn near(value: f32, truth: f64, tolerance: f64, what: &str) {
    assert!((f64::from(value) - truth).abs() <= tolerance, "{what}: {value} is not {truth}");
}

#[test]
fn every_layout_sends_the_channels_of_each_frame() {
    for sends in ALL {
        let mut gears = std::collections::BTreeSet::new();
        let mut frames = 0;
        drive(sends, 60.0, |rally, recorder| {
            let (car, motion) = (&rally.car, rally.car.motion);
            frames += 1;
            for (axis, truth) in ["x", "y", "z"].into_iter().zip(motion.position) {
                near(recorder.value(&format!("position_{axis}")), truth, 1e-3, axis);
            }
            for (axis, truth) in ["x", "y", "z"].into_iter().zip(motion.velocity) {
                near(recorder.value(&format!("velocity_{axis}")), truth, 1e-4, axis);
            }
            if sends == PacketVersion::Motion {
                assert_eq!(recorder.newest("speed"), None, "motion and nothing else");
                return;
            }
            near(recorder.value("throttle"), car.throttle, 0.006, "throttle");
            near(recorder.value("brake"), car.brake, 0.006, "brake");
            near(recorder.value("steering"), -car.steer, 0.011, "steering");
            near(recorder.value("rpm"), car.rpm, 0.6, "rpm");
            assert_eq!(recorder.value("gear"), f32::from(car.gear));
            gears.insert(car.gear);
            for (wheel, truth) in ["rl", "rr", "fl", "fr"].into_iter().zip(car.wheels) {
                near(
                    recorder.value(&format!("suspension_position_{wheel}")),
                    truth.suspension_mm / 1e3,
                    1e-6,
                    wheel,
                );
            }
            if sends == PacketVersion::OlderSecond {
                let surface = f32::from(rally.race.circuit.ground(car.lap.distance_m).surface.number());
                assert_eq!(recorder.value("surface_fl"), surface);
            } else {
                near(recorder.value("lap_distance"), car.lap.distance_m, 1e-3, "distance");
                near(recorder.value("lap_clock"), rally.stage.clock_s(), 1e-4, "clock");
            }
        });
        assert!(frames > 3_000, "{sends:?}: {frames}");
        assert!(sends == PacketVersion::Motion || gears.len() >= 3, "{sends:?}: {gears:?}");
    }
}

#[test]
fn the_car_is_taken_away_once() {
    let options = Options {
        start: Start::Stage(Finish::TakenAway),
        requests: vec![(20.0, Request::Leave)],
        again: false,
        ..Options::default()
    };
    let mut demo = Demo::speaking(Box::<DirtRally>::default(), options, Micros(0));
    let mut nothing = 0;
    demo.drive(30.0, &mut |_, datagram| nothing += u32::from(datagram.iter().all(|&byte| byte == 0)));
    assert_eq!(nothing, 1);
}
