use std::collections::BTreeMap;

use proptest::prelude::*;
use trailbrake_sink::Recorder;

use super::super::layout::{
    MotionPosition, MotionVector, OlderControls, OlderMotion, OlderSingle, OlderTelemetry, TELEMETRY_SIZES,
};
use super::super::listener::Listener;
use super::*;
use crate::Text;
use crate::table::{FrontFirst, ONLY_VERSION};

const PSI: f32 = 6_894.757;
const RPM_PER_RADIAN: f32 = 30.0 / std::f32::consts::PI;

/// The expected conversion of the channels: index, channel, factor. Written from the protocol's table; channels not
/// listed become progress, facts or events.
const BECOMES: &[(usize, &str, f32)] = &[
    (1, "lap_clock", 1.0),
    (2, "lap_distance", 1.0),
    (3, "stage_progress", 1.0),
    (4, "position_x", 1.0),
    (5, "position_y", 1.0),
    (6, "position_z", 1.0),
    (7, "speed", 1.0),
    (8, "velocity_x", 1.0),
    (9, "velocity_y", 1.0),
    (10, "velocity_z", 1.0),
    (11, "right_x", 1.0),
    (12, "right_y", 1.0),
    (13, "right_z", 1.0),
    (14, "forward_x", 1.0),
    (15, "forward_y", 1.0),
    (16, "forward_z", 1.0),
    (17, "suspension_position_rl", 1e-3),
    (18, "suspension_position_rr", 1e-3),
    (19, "suspension_position_fl", 1e-3),
    (20, "suspension_position_fr", 1e-3),
    (21, "suspension_velocity_rl", 1e-3),
    (22, "suspension_velocity_rr", 1e-3),
    (23, "suspension_velocity_fl", 1e-3),
    (24, "suspension_velocity_fr", 1e-3),
    (25, "wheel_speed_rl", 1.0),
    (26, "wheel_speed_rr", 1.0),
    (27, "wheel_speed_fl", 1.0),
    (28, "wheel_speed_fr", 1.0),
    (29, "throttle", 1.0),
    (30, "steering", 1.0),
    (31, "brake", 1.0),
    (32, "clutch", 1.0),
    (33, "gear", 1.0),
    (34, "g_lateral", 1.0),
    (35, "g_longitudinal", 1.0),
    (37, "rpm", RPM_PER_RADIAN),
    (39, "race_position", 1.0),
    (40, "kers_level", 1.0),
    (41, "kers_capacity", 1.0),
    (42, "drs", 1.0),
    (43, "traction_control", 1.0),
    (44, "abs", 1.0),
    (45, "fuel", 1.0),
    (46, "fuel_capacity", 1.0),
    (51, "brake_temperature_rl", 1.0),
    (52, "brake_temperature_rr", 1.0),
    (53, "brake_temperature_fl", 1.0),
    (54, "brake_temperature_fr", 1.0),
    (55, "tyre_pressure_rl", PSI),
    (56, "tyre_pressure_rr", PSI),
    (57, "tyre_pressure_fl", PSI),
    (58, "tyre_pressure_fr", PSI),
    (63, "max_rpm", RPM_PER_RADIAN),
    (64, "idle_rpm", RPM_PER_RADIAN),
    (65, "max_gears", 1.0),
];

/// The expected samples of a packet, by channel.
fn expected(numbers: &[f32]) -> BTreeMap<String, f32> {
    let sent = |place: usize| numbers.get(place).copied();
    let filled = |place: usize| sent(place).is_some_and(|value| value != 0.0);
    BECOMES
        .iter()
        .filter_map(|&(place, channel, scale)| Some((place, channel, sent(place)? * scale)))
        .filter(|&(place, _, value)| match place {
            40 | 41 => filled(41),
            45 | 46 => filled(46),
            51..=54 => value >= 0.0,
            55..=58 => value != 0.0,
            _ => true,
        })
        .map(|(place, channel, value)| match (place, value) {
            (33, 10.0) => (channel.to_owned(), -1.0),
            _ => (channel.to_owned(), value),
        })
        .collect()
}

fn check_values(recorder: &Recorder, want: &BTreeMap<String, f32>) -> Result<(), TestCaseError> {
    let (_, got) = recorder.samples.last().expect("a sample");
    prop_assert_eq!(got.keys().collect::<Vec<_>>(), want.keys().collect::<Vec<_>>());
    for (channel, value) in want {
        prop_assert!(
            (got[channel] - value).abs() <= value.abs() * 1e-6,
            "{channel}: {} is not {value}",
            got[channel]
        );
    }
    Ok(())
}

prop_compose! {
    fn direction()(yaw in -3.2_f32..3.2, pitch in -1.5_f32..1.5) -> [f32; 3] {
        [yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos()]
    }
}

prop_compose! {
    /// The channels of a plausible car.
    fn channels()(
        mut numbers in prop::collection::vec(prop_oneof![4 => -9000.0_f32..9000.0, 1 => Just(0.0_f32)], 66),
        velocity in prop::array::uniform3(-60.0_f32..60.0),
        right in direction(),
        forward in direction(),
        pedals in prop::array::uniform3(0.0_f32..=1.0),
        steer in -1.0_f32..=1.0,
        gear in -1_i8..=10,
        clock in 1.0_f32..900.0,
        engine in (50.0_f32..2500.0, 1_u8..=10),
    ) -> Vec<f32> {
        numbers[1] = clock;
        numbers[7] = velocity.iter().map(|part| part * part).sum::<f32>().sqrt();
        numbers[8..11].copy_from_slice(&velocity);
        numbers[11..14].copy_from_slice(&right);
        numbers[14..17].copy_from_slice(&forward);
        [numbers[29], numbers[31], numbers[32]] = pedals;
        numbers[30] = steer;
        numbers[33] = f32::from(gear);
        [numbers[63], numbers[65]] = [engine.0, f32::from(engine.1)];
        numbers
    }
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_channel_that_was_sent_reaches_the_model_and_no_other(mut numbers in channels(), count in 38_usize..=66) {
        numbers.truncate(count);
        check_values(&Listener::of([bytes_of(&numbers)]), &expected(&numbers))?;
    }

    #[test]
    fn progress_and_session_come_back_as_they_were_sent(numbers in channels(), times in prop::array::uniform3(1_u32..900_000)) {
        let mut numbers = numbers;
        let seconds = times.map(|millis| (f64::from(millis) / 1e3) as f32);
        [numbers[49], numbers[50], numbers[62]] = seconds;
        [numbers[36], numbers[39], numbers[47], numbers[48]] = [2.0, 7.0, 1.0, 2.0];
        [numbers[38], numbers[59], numbers[60], numbers[61]] = [1.0, 2.0, 6.0, 950.0];
        let recorder = Listener::of([bytes_of(&numbers)]);
        let progress = recorder.progress[0];
        prop_assert_eq!(progress.moment.session_time, Some(f64::from(numbers[0])));
        prop_assert_eq!((progress.clock, progress.distance), (Some(numbers[1]), Some(numbers[2])));
        prop_assert_eq!((progress.lap, progress.position, progress.sector), (3, 7, 2));
        prop_assert_eq!(progress.pit, trailbrake_model::PitStatus::Pitting);
        let decoded = [progress.sectors[0], progress.sectors[1], progress.last_lap];
        prop_assert_eq!(decoded.map(|time| time.map(|time| time.0)), times.map(Some));
        let session = recorder.session();
        prop_assert_eq!((session.sli_pro, session.total_laps, session.track_length_m), (Some(true), Some(6), Some(950.0)));
    }

    #[test]
    fn motion_comes_back_as_it_was_sent(
        millis in 0_u32..10_000_000,
        numbers in prop::collection::vec(-100.0_f32..100.0, 12),
        steps in prop::array::uniform3(-400_000_000_i32..400_000_000),
    ) {
        let mut motion = Motion { total_time: millis, ..Motion::default() };
        let vector = |at: usize| MotionVector { x: numbers[at], z: numbers[at + 1], y: numbers[at + 2] };
        (motion.angular_velocity, motion.acceleration, motion.velocity) = (vector(0), vector(3), vector(6));
        [motion.yaw, motion.pitch, motion.roll] = [9, 10, 11].map(|at: usize| numbers[at]);
        motion.position = MotionPosition { x: steps[0], z: steps[1], y: steps[2] };
        motion.four_cc = Text(*b"ToCA");
        let mut listener = Listener::default();
        let _ = listener.receive(&motion.bytes(ONLY_VERSION));
        let mut want = BTreeMap::new();
        for (at, channel) in [(0, "angular_velocity"), (3, "acceleration"), (6, "velocity")] {
            // The packet's order is x, z, y.
            for (further, axis) in ["x", "z", "y"].into_iter().enumerate() {
                want.insert(format!("{channel}_{axis}"), numbers[at + further]);
            }
        }
        want.extend([("yaw", 9), ("pitch", 10), ("roll", 11)].map(|(channel, at)| (channel.to_owned(), numbers[at])));
        for (axis, step, scale) in [("x", steps[0], -65_535.0), ("z", steps[1], 65_535.0), ("y", steps[2], 65_535.0)] {
            want.insert(format!("position_{axis}"), (f64::from(step) / scale) as f32);
        }
        check_values(&listener.recorder, &want)?;
        prop_assert_eq!(listener.recorder.samples[0].0.session_time, Some(f64::from(millis) / 1e3));
    }

    #[test]
    fn the_older_layouts_come_back_as_they_were_sent(
        numbers in prop::collection::vec(0.1_f32..90.0, 44),
        bytes in prop::array::uniform6(0_u8..100),
        gears in (0_u16..9, 0_u16..9),
        degrees in prop::array::uniform12(0_u16..900),
        surfaces in prop::array::uniform4(0_u8..8),
    ) {
        let float = |at: usize| numbers[at];
        let vector = |at: usize| Vec3 { x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] };
        let wheels = |at: usize| FrontFirst([at, at + 1, at + 2, at + 3].map(float));
        let receive = |packet: Vec<u8>| {
            let mut listener = Listener::default();
            let _ = listener.receive(&packet);
            listener.recorder
        };
        let add_vector = |want: &mut BTreeMap<String, f32>, channel: &str, at: usize| {
            ["x", "y", "z"].into_iter().enumerate().for_each(|(part, axis)| {
                want.insert(format!("{channel}_{axis}"), numbers[at + part]);
            });
        };
        let add_wheels = |want: &mut BTreeMap<String, f32>, channel: &str, at: usize, scale: f32| {
            ["fl", "fr", "rl", "rr"].into_iter().enumerate().for_each(|(part, wheel)| {
                want.insert(format!("{channel}_{wheel}"), numbers[at + part] * scale);
            });
        };

        let mut single = OlderSingle::default();
        (single.total_time, single.lap_time, single.lap_distance, single.total_distance) = (float(0), float(1), float(2), float(3));
        (single.position, single.velocity, single.roll, single.pitch) = (vector(4), vector(8), vector(11), vector(14));
        (single.suspension_position, single.suspension_velocity, single.wheel_speed) = (wheels(17), wheels(21), wheels(25));
        single.speed = numbers[8..11].iter().map(|part| part * part).sum::<f32>().sqrt();
        (single.throttle, single.steer, single.brake, single.clutch, single.handbrake) = (float(29), float(30), float(31), float(32), float(33));
        (single.gear, single.g_lateral, single.g_longitudinal, single.lap) = (-1, float(34), float(35), 2.0);
        (single.rpm, single.slip_front, single.slip_rear, single.angular_velocity) = (float(36), float(37), float(38), vector(39));
        let recorder = receive(single.bytes(ONLY_VERSION));
        let mut want: BTreeMap<String, f32> = [
            ("lap_clock", 1), ("lap_distance", 2), ("total_distance", 3), ("throttle", 29), ("steering", 30), ("brake", 31),
            ("clutch", 32), ("handbrake", 33), ("g_lateral", 34), ("g_longitudinal", 35), ("rpm", 36), ("slip_front", 37),
            ("slip_rear", 38),
        ].map(|(channel, at)| (channel.to_owned(), numbers[at])).into();
        want.insert("speed".into(), single.speed);
        want.insert("gear".into(), -1.0);
        for (channel, at) in [("position", 4), ("velocity", 8), ("right", 11), ("forward", 14), ("angular_velocity", 39)] {
            add_vector(&mut want, channel, at);
        }
        add_wheels(&mut want, "suspension_position", 17, 1e-3);
        add_wheels(&mut want, "suspension_velocity", 21, 1e-3);
        add_wheels(&mut want, "wheel_speed", 25, 1.0);
        check_values(&recorder, &want)?;
        let progress = recorder.progress[0];
        prop_assert_eq!((progress.lap, progress.clock, progress.distance), (3, Some(numbers[1]), Some(numbers[2])));
        prop_assert_eq!(progress.moment.session_time, Some(f64::from(numbers[0])));

        let mut motion = OlderMotion::default();
        (motion.position, motion.velocity, motion.pitch) = (vector(0), vector(3), vector(6));
        (motion.roll, motion.yaw, motion.angular_velocity) = (vector(9), vector(12), vector(15));
        (motion.g_lateral, motion.g_longitudinal, motion.g_vertical, motion.slip) = (float(18), float(19), float(20), float(37));
        (motion.suspension_position, motion.suspension_velocity) = (wheels(21), wheels(25));
        (motion.suspension_acceleration, motion.wheel_speed) = (wheels(29), wheels(33));
        let mut want: BTreeMap<String, f32> =
            [("g_lateral", 18), ("g_longitudinal", 19), ("g_vertical", 20), ("slip", 37)]
                .map(|(channel, at)| (channel.to_owned(), numbers[at])).into();
        for (channel, at) in [("position", 0), ("velocity", 3), ("forward", 6), ("right", 9), ("up", 12), ("angular_velocity", 15)] {
            add_vector(&mut want, channel, at);
        }
        add_wheels(&mut want, "suspension_position", 21, 1e-3);
        add_wheels(&mut want, "suspension_velocity", 25, 1e-3);
        add_wheels(&mut want, "suspension_acceleration", 29, 1e-3);
        add_wheels(&mut want, "wheel_speed", 33, 1.0);
        check_values(&receive(motion.bytes(ONLY_VERSION)), &want)?;

        let mut controls = OlderControls { packet_id: 6, speed: float(0), rpm: 6123, ..OlderControls::default() };
        (controls.gear, controls.suggested_gear) = gears;
        [controls.throttle, controls.brake, controls.clutch, controls.handbrake, controls.fuel, _] = bytes;
        (controls.steer, controls.engine_temp) = (-50, float(1));
        let four = |at: usize| FrontFirst([at, at + 1, at + 2, at + 3].map(|at: usize| degrees[at]));
        (controls.brake_temp, controls.tyre_surface_temp, controls.tyre_inner_temp) = (four(0), four(4), four(8));
        let telemetry = OlderTelemetry {
            controls,
            tyre_pressure: Some(wheels(2)),
            surface_type: Some(FrontFirst(surfaces.map(f32::from))),
            unclear: None,
        };
        let mut want: BTreeMap<String, f32> = [
            ("speed", numbers[0]), ("rpm", 6123.0), ("gear", f32::from(gears.0)), ("suggested_gear", f32::from(gears.1)),
            ("throttle", f32::from(bytes[0]) / 100.0), ("brake", f32::from(bytes[1]) / 100.0),
            ("clutch", f32::from(bytes[2]) / 100.0), ("handbrake", f32::from(bytes[3]) / 100.0),
            ("fuel_share", f32::from(bytes[4]) / 100.0), ("steering", -0.5), ("engine_temperature", numbers[1]),
        ].map(|(channel, value)| (channel.to_owned(), value)).into();
        for (at, channel) in [(0, "brake_temperature"), (4, "tyre_surface_temperature"), (8, "tyre_inner_temperature")] {
            ["fl", "fr", "rl", "rr"].into_iter().enumerate().for_each(|(part, wheel)| {
                want.insert(format!("{channel}_{wheel}"), f32::from(degrees[at + part]));
            });
        }
        check_values(&receive(telemetry.bytes(TELEMETRY_SIZES.at(0))), &want)?;
        add_wheels(&mut want, "tyre_pressure", 2, PSI);
        ["fl", "fr", "rl", "rr"].into_iter().zip(surfaces).for_each(|(wheel, surface)| {
            want.insert(format!("surface_{wheel}"), f32::from(surface));
        });
        check_values(&receive(telemetry.bytes(TELEMETRY_SIZES.at(1))), &want)?;
    }

    #[test]
    fn any_bytes_are_decoded_or_rejected(
        sizes in prop::collection::vec(prop::sample::select(&[62_usize, 68, 78, 152, 154, 173, 175, 252, 256, 264, 300][..]), 1..6),
        bytes in prop::collection::vec(any::<u8>(), 300),
        first in prop_oneof![Just(0_u8), Just(6), any::<u8>()],
    ) {
        let mut listener = Listener::default();
        for size in sizes {
            let mut datagram = bytes[..size].to_vec();
            datagram[0] = first;
            if size == 68 {
                datagram[64..].copy_from_slice(b"ToCA");
            }
            let _ = listener.receive(&datagram);
        }
    }
}

#[test]
fn reverse_is_one_gear_and_identifies_the_game() {
    for (sent, game) in [(-1.0, Some("DiRT Rally 2.0")), (10.0, Some("DiRT Rally")), (9.0, None), (0.0, None)]
    {
        let mut numbers = [0.0_f32; 66];
        for (place, value) in
            [(1, 9.0), (11, -1.0), (16, 1.0), (33, sent), (37, 100.0), (63, 900.0), (65, 6.0)]
        {
            numbers[place] = value;
        }
        let recorder = Listener::of([bytes_of(&numbers)]);
        assert_eq!(recorder.newest("gear"), Some(if game.is_some() { -1.0 } else { sent }));
        let named = recorder
            .facts
            .iter()
            .find_map(|fact| if let Fact::Game(game) = fact { Some(game.as_str()) } else { None });
        assert_eq!(named, game);
    }
}

#[test]
fn cautions_are_reported_once() {
    let motion = |clock: u8| [&[clock], [0; 63].as_slice(), b"ToCA"].concat();
    let mut listener = Listener::default();
    let reason = listener.receive(&motion(1)).expect_err("a caution").to_string();
    assert!(reason.contains("only motion data") && reason.contains("extradata=\"3\""), "{reason}");
    assert_eq!(listener.receive(&motion(17)), Ok(()));
    assert_eq!(listener.recorder.samples.len(), 1, "nothing has moved");
    let mut moved = motion(34);
    moved[40] = 9;
    assert_eq!(listener.receive(&moved), Ok(()));
    assert_eq!(listener.recorder.samples.len(), 2);
    let mut listener = Listener::default();
    let reason = listener.receive(&[0; 154]).expect_err("a caution").to_string();
    assert!(reason.contains("unverified") && reason.contains("no game has confirmed"), "{reason}");
    assert_eq!(listener.receive(&[0; 154]), Ok(()));
    assert_eq!(listener.recorder.kinds(), [EventKind::SessionStarted]);
}

#[test]
fn what_is_no_number_in_an_older_packet_is_counted_and_the_rest_is_used() {
    let mut packet = vec![0; 154];
    packet[2..6].copy_from_slice(&f32::NAN.to_le_bytes());
    packet[150..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let mut listener = Listener::default();
    let reason = listener.receive(&packet).expect_err("a reason").to_string();
    assert!(reason.contains("2 values are no numbers"), "{reason}");
    assert_eq!(
        (listener.recorder.newest("position_x"), listener.recorder.newest("position_y")),
        (None, Some(0.0))
    );
}

#[test]
fn the_older_surfaces_end_with_the_eighth() {
    let mut packet = vec![0; 78];
    packet[0] = 6;
    for (place, surface) in [(62, 3.0_f32), (66, 8.0), (70, f32::NAN)] {
        packet[place..place + 4].copy_from_slice(&surface.to_le_bytes());
    }
    let mut listener = Listener::default();
    let _ = listener.receive(&packet);
    let surface = |wheel: &str| listener.recorder.newest(&format!("surface_{wheel}"));
    assert_eq!(
        (surface("fl"), surface("fr"), surface("rl"), surface("rr")),
        (Some(3.0), Some(264.0), None, Some(0.0))
    );
}
