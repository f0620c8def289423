use trailbrake_games::Decode;
use trailbrake_games::feed::{self, Feed};
use trailbrake_games::forza::Decoder;
use trailbrake_model::time::Micros;
use trailbrake_model::{EventKind, ResultStatus};
use trailbrake_sink::Recorder;

use super::super::demo::Demo;
use super::super::race::{Options, Start, car_state};
use super::*;

/// The forms with laps.
const DASHES: [Kind; 3] = [Kind::Dash, Kind::Horizon, Kind::Dash2023];

fn demo(form: Kind, options: Options) -> Demo {
    Demo::speaking(Box::new(Forza::new(form)), options, Micros(1))
}

#[test]
fn every_form_is_recognised_as_itself() {
    for form in Kind::ALL {
        let mut count = 0;
        demo(form, Options::default()).drive(1.0, &mut |_, datagram| {
            let known = feed::recognise(datagram).expect("a packet of a game");
            assert_eq!((known.feed, known.packet), (Feed::Forza, form.name()));
            count += 1;
        });
        assert!((59..=61).contains(&count), "{count} packets in a second");
    }
}

#[test]
fn every_form_sends_the_drive_of_the_simulator() {
    for form in DASHES {
        let mut demo = demo(form, Options { cars: 2, player: 1, ..Options::default() });
        let (mut decoder, mut seen) = (Decoder::default(), Recorder::default());
        for frame in 1..=1200_u32 {
            // Stop half a physics step short of the frame.
            demo.drive(f64::from(frame) / 60.0 - 1e-3, &mut |at, datagram| {
                decoder.receive(at, datagram, &mut seen).expect("a packet of the game");
            });
            let car = car_state(demo.race(), 1).expect("a car");
            let near = |id: &str, expected: f64, slack: f64| {
                let value = f64::from(seen.value(id));
                assert!((value - expected).abs() <= slack, "{form:?}: {id} {value} is not {expected}");
            };
            let motion = &car.motion;
            near("speed", motion.speed_ms, 1e-4);
            near("yaw", motion.yaw, 1e-5);
            near("pitch", motion.pitch, 1e-6);
            near("roll", motion.roll, 1e-6);
            near("angular_velocity_y", motion.yaw_rate, 1e-5);
            near("g_lateral", motion.lateral_ms2 / 9.806_65, 1e-5);
            near("g_longitudinal", motion.longitudinal_ms2 / 9.806_65, 1e-5);
            for (place, axis) in ["x", "y", "z"].into_iter().enumerate() {
                near(&format!("position_{axis}"), motion.position[place], 1e-3);
                near(&format!("forward_{axis}"), motion.forward[place], 1e-5);
                near(&format!("local_velocity_{axis}"), motion.local_velocity[place], 1e-4);
            }
            near("throttle", car.throttle, 0.002);
            near("brake", car.brake, 0.002);
            near("steering", -car.steer, 0.004);
            near("gear", car.gear.into(), 0.0);
            near("rpm", car.rpm, 1e-2);
            near("fuel_share", car.fuel_kg / TANK_KG, 1e-6);
            for (wheel, truth) in ["rl", "rr", "fl", "fr"].into_iter().zip(car.wheels) {
                near(&format!("tyre_temperature_{wheel}"), truth.surface_c, 1e-3);
                near(&format!("suspension_position_{wheel}"), truth.suspension_mm / 1e3, 1e-6);
                if form == Kind::Dash2023 {
                    near(&format!("tyre_wear_{wheel}"), truth.wear / 100.0, 1e-6);
                }
            }
            let progress = seen.progress.last().expect("progress");
            let lap = &car.lap;
            assert_eq!(u32::from(progress.lap), lap.number);
            if let Some(metres) = progress.distance {
                // Of the driven path; the simulator's is that of the centre line.
                let slack = 0.04 * lap.distance_m.abs() + 2.0;
                assert!((f64::from(metres) - lap.distance_m).abs() < slack, "{metres} {}", lap.distance_m);
            }
        }
        assert_eq!(seen.newest("tyre_wear_fl").is_some(), form == Kind::Dash2023);
    }
}

#[test]
fn every_form_brings_the_known_laps_to_the_flag() {
    for form in DASHES {
        let options =
            Options { start: Start::Grid, cars: 2, laps: 2, player: 1, again: false, ..Options::default() };
        let mut demo = demo(form, options);
        let (mut decoder, mut seen) = (Decoder::default(), Recorder::default());
        demo.drive(260.0, &mut |at, datagram| {
            decoder.receive(at, datagram, &mut seen).expect("a packet of the game");
        });
        let laps = demo.truth().sessions[0].finished.iter().filter(|lap| lap.car == 1);
        let known: Vec<u32> = laps.map(|lap| lap.time_ms).collect();
        let [first, second] = known[..] else { panic!("{known:?}") };
        let mut sent: Vec<u32> =
            seen.progress.iter().filter_map(|progress| Some(progress.last_lap?.0)).collect();
        sent.dedup();
        assert_eq!(sent, [first, second], "{form:?}");
        let end = seen.progress.last().expect("progress");
        assert_eq!((end.lap, end.result), (2, ResultStatus::Finished), "the last lap is not counted on");
        let time = Some(trailbrake_model::time::LapTime(second));
        assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::Finished { time }], "{form:?}");
    }
}
