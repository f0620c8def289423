//! Checks the decoder against real packets, whose values an independent reader has written down.
#![allow(clippy::excessive_precision, reason = "the values are as that reader wrote them")]

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Channel as C, EventKind, LapProgress, Moment};
use trailbrake_sink::Recorder;

use super::{Decoder, Kind, datagram_size, describe, recognise};
use crate::{Decode, Value};

const DASH: &str = "next/forza/fm7-laguna-seca-lap.311xN.bin";
const DASH_2023: &str = "next/forza/fm2023-hakone-0-1199.331xN.bin";
const GRID: &str = "next/forza/fm2023-grid.331xN.bin";
const HORIZON_5: &str = "next/forza/fh5-free-roam-0-349.324xN.bin";
const HORIZON_6: &str = "next/forza/fh6-redacted.324xN.bin";

/// The packets of a file.
fn packets(file: &str, len: usize, count: usize) -> Vec<Vec<u8>> {
    let bytes = trailbrake_captures::read(file);
    assert_eq!(datagram_size(&bytes), Ok(len), "{file}");
    let packets: Vec<Vec<u8>> = bytes.chunks(len).map(<[u8]>::to_vec).collect();
    assert_eq!(packets.len(), count, "{file}");
    packets
}

/// What the decoder makes of packets, received at the times that they were sent.
fn decoded(packets: &[Vec<u8>]) -> Recorder {
    let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
    for packet in packets {
        let at = Micros(number(packet, "timestamp_ms") as u64 * 1000 + 1);
        decoder.receive(at, packet, &mut recorder).expect("a packet");
    }
    recorder
}

/// A field as sent.
fn number(packet: &[u8], field: &str) -> f64 {
    match describe(packet).expect("a packet").fields.at(field) {
        Some(Value::Float(value)) => f64::from(*value),
        Some(Value::Unsigned(value)) => *value as f64,
        Some(Value::Signed(value)) => *value as f64,
        other => panic!("{field} is {other:?}"),
    }
}

/// The values of one sample.
fn check_sample(recorder: &Recorder, place: usize, expected: &[(&str, f32)]) {
    let (_, values) = &recorder.samples[place];
    for (id, expected) in expected {
        let value = values.get(*id).unwrap_or_else(|| panic!("no {id}"));
        // The written values have six digits behind the point, and what was converted is rounded once more.
        let tolerance = expected.abs() * 1e-6 + 1e-5;
        assert!((value - expected).abs() <= tolerance, "{id} of {place}: {value} is not {expected}");
    }
}

fn highest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::MIN, f32::max)
}

fn lowest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::MAX, f32::min)
}

fn count(values: &[f32], wanted: impl Fn(f32) -> bool) -> usize {
    values.iter().filter(|value| wanted(**value)).count()
}

/// How often each gear from 0 on was in.
fn gears(recorder: &Recorder) -> [usize; 8] {
    let gears = recorder.all("gear");
    std::array::from_fn(|gear| count(&gears, |value| value == gear as f32))
}

fn celsius(fahrenheit: f32) -> f32 {
    (fahrenheit - 32.0) * 5.0 / 9.0
}

fn pascals(psi: f32) -> f32 {
    psi * 6_894.757
}

/// Whether the direction of travel of two samples lies ahead of the car: the cosine of the angle between them.
fn travel_ahead(recorder: &Recorder, place: usize) -> f32 {
    let at = |place: usize, id: &str| recorder.samples[place].1[id];
    let moved = ["x", "y", "z"].map(|axis| {
        let id = format!("position_{axis}");
        at(place + 1, &id) - at(place, &id)
    });
    let ahead = ["x", "y", "z"].map(|axis| at(place, &format!("forward_{axis}")));
    let length = moved.iter().map(|part| part * part).sum::<f32>().sqrt();
    moved.iter().zip(ahead).map(|(moved, ahead)| moved * ahead).sum::<f32>() / length
}

#[test]
#[ignore = "needs captures"]
fn the_captured_lap_of_motorsport_7_ends_with_its_official_time() {
    let packets = packets(DASH, 311, 687);
    assert!(packets.iter().all(|packet| recognise(packet) == Ok(Kind::Dash)));
    let recorder = decoded(&packets);
    assert_eq!((recorder.samples.len(), recorder.progress.len()), (687, 687));
    // The game was paused once: nothing was sent for 20.3 s, in which its clock went on by 0.1 s.
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed]);
    let (before, after) = (&recorder.progress[683], &recorder.progress[684]);
    assert_eq!((before.lap, before.last_lap, before.best_lap), (1, None, None));
    let time = Some(LapTime(75_256));
    assert_eq!((after.lap, after.last_lap, after.best_lap, after.position), (2, time, time, 1));
    let clocks = [before.clock, after.clock, recorder.progress[686].clock];
    for (clock, expected) in clocks.into_iter().zip([75.208_664, 0.059_123, 0.285_791]) {
        assert!((clock.expect("a clock") - expected).abs() < 1e-5, "{clock:?} is not {expected}");
    }
    for (place, expected) in [(683, 111.625_847), (684, 111.732_513)] {
        let session_s: f64 = recorder.samples[place].0.session_time.expect("a clock");
        assert!((session_s - expected).abs() < 1e-5, "{session_s} is not {expected}");
    }
    // The path between the positions has 3 583.3 m from the first packet to the last; the field of the game 3 607.3.
    let driven = before.distance.expect("a distance");
    assert!((3_570.0..3_600.0).contains(&driven), "{driven}");
    assert!((0.0..10.0).contains(&after.distance.expect("a distance")));
    let vehicle = recorder.newest_vehicle().expect("a car");
    assert_eq!((vehicle.id.as_deref(), vehicle.class.as_deref()), (Some("29"), Some("8 231")));
    assert_eq!((vehicle.drivetrain.as_deref(), vehicle.cylinders), (Some("RWD"), Some(6)));
    assert_eq!(recorder.session().track, None);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_lap_of_motorsport_7_has_its_values() {
    let recorder = decoded(&packets(DASH, 311, 687));
    assert_eq!(gears(&recorder)[2..], [70, 139, 111, 197, 129, 41]);
    assert_eq!(count(&recorder.all("throttle"), |pedal| pedal == 1.0), 215);
    assert_eq!(count(&recorder.all("brake"), |pedal| pedal > 0.0), 95);
    assert_eq!(count(&recorder.all("surface_fl"), |surface| surface == 8.0), 17, "on the kerb");
    assert!((highest(&recorder.all("speed")) * 3.6 - 299.687_2).abs() < 1e-3);
    let rpm = recorder.all("rpm");
    assert_eq!((lowest(&rpm), highest(&rpm)), (3_952.566, 13_508.046));
    assert!(recorder.all("fuel_share").iter().all(|fuel| *fuel == 1.0));
    check_sample(
        &recorder,
        0,
        &[
            ("rpm", 10_661.385),
            ("max_rpm", 14_999.992),
            ("idle_rpm", 3_499.998),
            ("speed", 56.587_437),
            ("power_engine", 20_388.74),
            ("gear", 5.0),
            ("throttle", 50.0 / 255.0),
            ("yaw", 2.539_478),
            ("position_x", 350.117_9),
            ("position_z", 283.598_3),
            ("lap_clock", 0.297_439),
        ],
    );
    check_sample(
        &recorder,
        686,
        &[("rpm", 12_907.056), ("speed", 78.625_618), ("gear", 6.0), ("throttle", 1.0), ("yaw", 2.557_425)],
    );
    for (wheel, fahrenheit) in [("fl", 127.552), ("fr", 128.033), ("rl", 191.589), ("rr", 191.589)] {
        let value = recorder.samples[0].1[&format!("tyre_temperature_{wheel}")];
        assert!((value - celsius(fahrenheit)).abs() < 1e-3, "{wheel}: {value}");
    }
    let boost = recorder.samples[0].1["boost"];
    assert!((boost - pascals(10.948_1)).abs() < 1.0, "{boost}");
    // Turning left, the steering is negative, and yaw rate and lateral g are positive.
    let (steering, yaw_rate, g) =
        (recorder.all("steering"), recorder.all("angular_velocity_y"), recorder.all("g_lateral"));
    let turning: Vec<usize> = (0..687).filter(|&place| yaw_rate[place].abs() > 0.3).collect();
    assert!(turning.len() > 100);
    for same in [&steering, &g] {
        let agree = turning.iter().filter(|&&place| same[place] * yaw_rate[place] > 0.0).count();
        assert!(
            agree * 20 < turning.len() || agree * 20 > turning.len() * 19,
            "{agree} of {}",
            turning.len()
        );
    }
    assert!((0..600).all(|place| travel_ahead(&recorder, place) > 0.9));
}

#[test]
#[ignore = "needs captures"]
fn the_captured_drive_of_motorsport_2023_has_its_values() {
    let recorder = decoded(&packets(DASH_2023, 331, 1200));
    assert_eq!((recorder.samples.len(), recorder.progress.len()), (1200, 1200));
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted]);
    let LapProgress { lap, position, last_lap, best_lap, distance, .. } = recorder.progress[1199];
    assert_eq!((lap, position, last_lap, best_lap, distance), (1, 1, None, None, None));
    // The race began 1.853 s before the lap.
    for ((moment, values), progress) in recorder.samples.iter().zip(&recorder.progress) {
        let Moment { session_time: Some(session_s), .. } = moment else { panic!("no clock") };
        assert!((session_s - f64::from(progress.clock.expect("a clock")) - 1.853).abs() < 1e-3);
        assert_eq!(values["steering"], 0.0);
    }
    assert_eq!((gears(&recorder)[0], gears(&recorder)[3], gears(&recorder)[4]), (13, 618, 569));
    assert_eq!(count(&recorder.all("throttle"), |pedal| pedal == 1.0), 375);
    let brake = recorder.all("brake");
    assert_eq!((count(&brake, |pedal| pedal > 0.0), highest(&brake)), (97, 25.0 / 255.0));
    let speed = recorder.all("speed");
    assert!(
        (highest(&speed) * 3.6 - 191.571).abs() < 1e-3 && (lowest(&speed) * 3.6 - 102.626_8).abs() < 1e-3
    );
    assert_eq!(speed[1062], highest(&speed));
    let rpm = recorder.all("rpm");
    assert!((lowest(&rpm) - 4_990.536).abs() < 1e-3 && (highest(&rpm) - 8_053.817).abs() < 1e-3);
    let first: &[(&str, f32)] = &[
        ("rpm", 5_686.428_2),
        ("max_rpm", 9_999.995),
        ("idle_rpm", 799.999_5),
        ("speed", 33.184_948),
        ("gear", 3.0),
        ("throttle", 0.0),
        ("brake", 24.0 / 255.0),
        ("lap_clock", 15.497_29),
        ("position_x", 202.126_9),
        ("position_y", 16.492_5),
        ("position_z", 912.734_4),
        ("yaw", -0.638_733),
        ("fuel_share", 0.994_914),
    ];
    check_sample(&recorder, 0, first);
    let near = |place: usize, id: &str, expected: f32, tolerance: f32| {
        let value = recorder.samples[place].1[id];
        assert!((value - expected).abs() <= tolerance, "{id} of {place}: {value} is not {expected}");
    };
    for (wheel, fahrenheit, wear) in [
        ("fl", 170.201, 0.000_853),
        ("fr", 168.883, 0.000_804),
        ("rl", 171.1, 0.000_892),
        ("rr", 171.1, 0.000_816),
    ] {
        near(0, &format!("tyre_temperature_{wheel}"), celsius(fahrenheit), 1e-3);
        near(0, &format!("tyre_wear_{wheel}"), wear, 1e-6);
    }
    near(0, "boost", pascals(-11.025), 1.0);
    let last: &[(&str, f32)] = &[
        ("rpm", 7_169.538_6),
        ("speed", 52.453_522),
        ("gear", 4.0),
        ("throttle", 205.0 / 255.0),
        ("lap_clock", 35.517_281),
        ("position_x", -214.264_7),
        ("yaw", -2.974_043),
        ("fuel_share", 0.989_126),
    ];
    check_sample(&recorder, 1199, last);
    let vehicle = recorder.newest_vehicle().expect("a car");
    assert_eq!((vehicle.id.as_deref(), vehicle.class.as_deref()), (Some("445"), Some("B 598")));
    assert_eq!((vehicle.drivetrain.as_deref(), vehicle.cylinders), (Some("AWD"), Some(6)));
    assert_eq!(recorder.session().track.as_ref().map(|track| track.id.as_str()), Some("1640"));
    assert!((0..1199).all(|place| travel_ahead(&recorder, place) > 0.98));
    // Suspension in metres: the left side is pressed in right turns.
    let pressed = |id: &str| recorder.all(id);
    let (left, right, g) =
        (pressed("suspension_position_fl"), pressed("suspension_position_fr"), pressed("g_lateral"));
    let turning: Vec<usize> = (0..1200).filter(|&place| g[place].abs() > 0.3).collect();
    assert!(turning.iter().all(|&place| (left[place] - right[place]) * g[place] < 0.0));
}

#[test]
#[ignore = "needs captures"]
fn a_captured_car_on_the_grid_waits_for_its_lap_while_the_packets_own_time_begins_again() {
    let packets = packets(GRID, 331, 19);
    let recorder = decoded_every_tick(&packets);
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted]);
    assert_eq!(recorder.samples.len(), 19);
    assert!(
        recorder.progress.iter().all(|progress| progress.clock == Some(0.0) && progress.distance.is_none())
    );
    let session: Vec<f64> = recorder.samples.iter().filter_map(|(moment, _)| moment.session_time).collect();
    assert!((session[0] - 36.1167).abs() < 1e-3 && (session[18] - 36.6083).abs() < 1e-3, "{session:?}");
    assert_eq!([recorder.value("clutch"), recorder.value("handbrake"), recorder.value("gear")], [1.0; 3]);
    let vehicle = recorder.newest_vehicle().expect("a car");
    assert_eq!((vehicle.id.as_deref(), vehicle.class.as_deref()), (Some("3919"), Some("R 838")));
    assert_eq!(recorder.session().track.as_ref().map(|track| track.id.as_str()), Some("500"));
}

/// What the decoder makes of packets that arrive sixty times a second.
fn decoded_every_tick(packets: &[Vec<u8>]) -> Recorder {
    let (mut decoder, mut recorder) = (Decoder::default(), Recorder::default());
    let mut at = Micros(1);
    for packet in packets {
        at = at.plus_seconds(1.0 / 60.0);
        decoder.receive(at, packet, &mut recorder).expect("a packet");
    }
    recorder
}

#[test]
#[ignore = "needs captures"]
fn the_captured_free_roam_of_horizon_5_has_samples_and_no_laps() {
    let packets = packets(HORIZON_5, 324, 350);
    assert!(packets.iter().all(|packet| recognise(packet) == Ok(Kind::Horizon)));
    let recorder = decoded(&packets);
    // Every packet has values of its own, though the packets' own time repeats 71 times.
    assert_eq!((recorder.samples.len(), recorder.progress.len()), (350, 0));
    assert_eq!(recorder.kinds(), [EventKind::SessionStarted]);
    let session: Vec<f64> = recorder.samples.iter().filter_map(|(moment, _)| moment.session_time).collect();
    assert!((session[0] - 0.508_679).abs() < 1e-6 && (session[349] - 4.896_188).abs() < 1e-6);
    assert_eq!([recorder.newest("race_position"), recorder.newest("lap_clock")], [None, None]);
    assert_eq!(gears(&recorder)[1..3], [127, 223]);
    let (throttle, steering) = (recorder.all("throttle"), recorder.all("steering"));
    assert!(throttle.iter().all(|pedal| *pedal == 1.0));
    assert_eq!(count(&recorder.all("handbrake"), |pulled| pulled == 1.0), 61);
    let steered = [-1.0, 0.0, 1.0].map(|wanted| count(&steering, |share| share == wanted));
    assert_eq!(steered, [138, 110, 102]);
    assert!((highest(&recorder.all("speed")) * 3.6 - 136.476_6).abs() < 1e-3);
    let first: &[(&str, f32)] = &[
        ("rpm", 5_884.109_4),
        ("speed", 9.078_854),
        ("position_x", 1_739.994_8),
        ("position_y", 252.473_2),
        ("position_z", -1_047.222_2),
        ("yaw", 0.183_842),
        ("power_engine", 250_141.67),
        ("gear", 1.0),
        ("steering", -1.0),
        ("max_rpm", 11_999.993),
        ("idle_rpm", 1_360.373_3),
    ];
    check_sample(&recorder, 0, first);
    check_sample(&recorder, 349, &[("rpm", 10_933.768), ("speed", 37.910_179), ("position_x", 1_814.233_5)]);
    for (wheel, fahrenheit) in [("fl", 297.194), ("fr", 303.875), ("rl", 299.698), ("rr", 299.698)] {
        let value = recorder.samples[0].1[&format!("tyre_temperature_{wheel}")];
        assert!((value - celsius(fahrenheit)).abs() < 1e-3, "{wheel}: {value}");
    }
    let vehicle = recorder.newest_vehicle().expect("a car");
    assert_eq!((vehicle.id.as_deref(), vehicle.class.as_deref()), (Some("1046"), Some("X 999")));
    assert_eq!((vehicle.drivetrain.as_deref(), vehicle.cylinders), (Some("AWD"), Some(12)));
    // Without their last, unused byte they say the same.
    let short: Vec<Vec<u8>> = packets.iter().map(|packet| packet[..323].to_vec()).collect();
    assert_eq!(decoded(&short), recorder);
}

#[test]
#[ignore = "needs captures"]
fn the_captured_packets_of_horizon_6_are_read_as_far_as_they_were_published() {
    let packets = packets(HORIZON_6, 324, 9);
    assert!(packets.iter().all(|packet| recognise(packet) == Ok(Kind::Horizon)));
    for place in [0, 3, 6] {
        assert!(packets[place].iter().all(|byte| *byte == 0));
        assert_eq!(decoded(&packets[place..=place]), Recorder::default(), "a menu");
    }
    type Expected = (usize, [f32; 9]);
    let expected: [Expected; 6] = [
        (1, [5_725.961, 31.642_557, 84_286.81, 0.0, 0.0, 4.0, 0.0, -0.251_277, -3.066_602]),
        (2, [5_720.572, 31.642_096, 66_786.5, 0.0, 0.0, 4.0, 0.0, -0.222_501, -4.313_717]),
        (4, [6_175.791, 43.012_291, 89_006.77, 0.0, 0.0, 5.0, 1.0, 0.220_468, 5.527_667]),
        (5, [6_170.565, 43.009_228, 70_306.33, 0.0, 0.0, 5.0, 1.0, 0.252_434, 6.349_843]),
        (7, [4_269.147, 21.746_895, -13_911.24, 0.0, 1.0, 3.0, -1.0, -0.764_256, -1.670_871]),
        (8, [4_263.355, 21.589_136, 18_397.3, 0.0, 1.0, 0.0, -1.0, -0.790_02, -0.082_808]),
    ];
    for (place, [rpm, speed, power, throttle, brake, gear, steering, yaw_rate, acceleration]) in expected {
        let recorder = decoded(&packets[place..=place]);
        check_sample(
            &recorder,
            0,
            &[
                ("rpm", rpm),
                ("speed", speed),
                ("power_engine", power),
                ("throttle", throttle),
                ("brake", brake),
                ("gear", gear),
                ("steering", steering),
                // Left is positive in the model.
                ("angular_velocity_y", -yaw_rate),
                ("g_lateral", -acceleration / 9.806_65),
                ("max_rpm", 7_999.995_1),
                ("idle_rpm", 799.999_5),
            ],
        );
    }
    let recorder = decoded(&packets[1..=1]);
    for (wheel, fahrenheit) in
        [("fl", 157.994_75), ("fr", 155.742_26), ("rl", 145.947_72), ("rr", 145.947_72)]
    {
        let value = recorder.value(&format!("tyre_temperature_{wheel}"));
        assert!((value - celsius(fahrenheit)).abs() < 1e-3, "{wheel}: {value}");
    }
    assert!((recorder.value("boost") - pascals(24.989_95)).abs() < 1.0);
    assert_eq!(recorder.value(&C::FuelShare.slot().id()), 1.0);
}
