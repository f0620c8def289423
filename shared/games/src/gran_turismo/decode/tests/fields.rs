//! Checks that every field reaches its channel with the value that was sent.

use std::collections::BTreeSet;

use super::*;

/// The expected conversion of each field: field, channel, factor, offset added after. Written from the protocol's
/// tables. `_*` in a channel means all four wheels, `_xyz` all three axes.
const CHANNELS: &[(&str, &str, f64, f64)] = &[
    ("position", "position_xyz", 1.0, 0.0),
    ("velocity", "velocity_xyz", 1.0, 0.0),
    ("angular_velocity.x", "angular_velocity_x", -1.0, 0.0),
    ("angular_velocity.y", "angular_velocity_y", 1.0, 0.0),
    ("angular_velocity.z", "angular_velocity_z", -1.0, 0.0),
    ("body_height", "body_height", 1.0, 0.0),
    ("engine_rpm", "rpm", 1.0, 0.0),
    ("fuel_level", "fuel_volume", 1.0, 0.0),
    ("fuel_capacity", "fuel_volume_capacity", 1.0, 0.0),
    ("speed", "speed", 1.0, 0.0),
    ("boost", "boost", 1e5, -1e5),
    ("oil_pressure", "oil_pressure", 1e5, 0.0),
    ("water_temperature", "water_temperature", 1.0, 0.0),
    ("oil_temperature", "oil_temperature", 1.0, 0.0),
    ("tyre_surface_temperature", "tyre_surface_temperature_*", 1.0, 0.0),
    ("time_of_day", "time_of_day", 1e-3, 0.0),
    ("rpm_alert_min", "shift_rpm", 1.0, 0.0),
    ("rpm_alert_max", "max_rpm", 1.0, 0.0),
    ("calculated_max_speed", "top_speed_shown", 1.0, 0.0),
    ("flags", "game_flags", 1.0, 0.0),
    ("throttle", "throttle", 1.0 / 255.0, 0.0),
    ("brake", "brake", 1.0 / 255.0, 0.0),
    ("road_normal", "road_normal_xyz", 1.0, 0.0),
    ("road_distance", "road_distance", 1.0, 0.0),
    ("tyre_radius", "tyre_radius_*", 1.0, 0.0),
    ("suspension_height", "suspension_position_*", 1.0, 0.0),
    ("clutch_pedal", "clutch", 1.0, 0.0),
    ("clutch_engagement", "clutch_engagement", 1.0, 0.0),
    ("rpm_after_clutch", "rpm_after_clutch", 1.0, 0.0),
    ("steering_angle", "steering_angle", -1.0, 0.0),
    ("steering_speed", "steering_speed", -1.0, 0.0),
    ("sway", "g_lateral", -1.0 / 9.806_65, 0.0),
    ("heave", "g_vertical", 1.0 / 9.806_65, 0.0),
    ("surge", "g_longitudinal", 1.0 / 9.806_65, 0.0),
    ("throttle_pedal", "throttle_pedal", 1.0 / 255.0, 0.0),
    ("brake_applied", "brake_applied", 1.0 / 255.0, 0.0),
    ("torque_vectoring", "torque_vectoring_*", 1.0, 0.0),
    ("energy_recovery", "energy_recovery", 1.0, 0.0),
    ("unnamed_0x154", "powertrain_unnamed", 1.0, 0.0),
    ("current_lap_time", "lap_clock", 1e-3, 0.0),
    ("wheel_angle_fl", "wheel_angle_fl", -1.0, 0.0),
    ("wheel_angle_fr", "wheel_angle_fr", -1.0, 0.0),
    ("wheelbase", "wheelbase", 1.0, 0.0),
];

/// The numbers in a row: field and channel of each.
fn numbers(field: &str, channel: &str) -> Vec<(String, String)> {
    if let Some(channel) = channel.strip_suffix("_*") {
        let wheels = ["fl", "fr", "rl", "rr"].into_iter().enumerate();
        wheels.map(|(place, wheel)| (format!("{field}.{place}"), format!("{channel}_{wheel}"))).collect()
    } else if let Some(channel) = channel.strip_suffix("_xyz") {
        ["x", "y", "z"].map(|axis| (format!("{field}.{axis}"), format!("{channel}_{axis}"))).to_vec()
    } else {
        vec![(field.to_owned(), channel.to_owned())]
    }
}

fn number(value: Option<&Value>) -> f64 {
    match value {
        Some(Value::Unsigned(number)) => *number as f64,
        Some(Value::Signed(number)) => *number as f64,
        Some(Value::Float(number)) => f64::from(*number),
        other => panic!("no number: {other:?}"),
    }
}

/// A packet of arbitrary finite numbers, with a car that drives.
fn any_packet() -> impl Strategy<Value = Packet> {
    let floats = prop::collection::vec(-1e4_f32..1e4, 92);
    (floats, any::<[u8; 16]>(), any::<[u16; 8]>(), 0_i32..86_400_000, 0_i32..200_000).prop_map(
        |(floats, bytes, halves, of_day, clock)| {
            let mut sent = whole(&driving());
            for (to, from) in sent[4..].chunks_exact_mut(4).zip(floats) {
                to.copy_from_slice(&from.to_le_bytes());
            }
            let packet = Packet::of_bytes(&sent, Letter::C.version());
            Packet {
                packet_id: halves[0].into(),
                current_lap: 2,
                total_laps: 5,
                best_lap: of_day,
                last_lap: clock,
                time_of_day: of_day,
                grid_position: bytes[0].into(),
                cars_before_start: bytes[1].into(),
                rpm_alert_min: halves[1],
                rpm_alert_max: halves[2],
                calculated_max_speed: halves[3].cast_signed(),
                // On track, neither paused nor loading; the other flags are arbitrary.
                flags: halves[4] & !0b110 | 1,
                gears: bytes[2],
                throttle: bytes[3],
                brake: bytes[4],
                gear_ratios: packet.gear_ratios.map(|ratio| ratio.abs() + 0.1),
                car_code: halves[5].into(),
                throttle_pedal: Some(bytes[5]),
                brake_applied: Some(bytes[6]),
                power_type: Some(bytes[7]),
                fuel_mark: Some(bytes[8]),
                surface: Some(FrontFirst([bytes[9], bytes[10], bytes[11], bytes[12]])),
                current_lap_time: Some(clock),
                car_category: Some(Text([bytes[13] & 0x7f, bytes[14] & 0x7f, bytes[15] & 0x7f, 0])),
                ..packet
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_field_arrives_as_it_was_sent(packet in any_packet()) {
        let fields = describe(&whole(&packet)).expect("a packet").fields;
        let seen = Recorder::of(&whole(&packet));
        let mut ids = BTreeSet::new();
        for (field, channel, scale, offset) in CHANNELS {
            for (field, id) in numbers(field, channel) {
                let expected = number(fields.at(&field)) * scale + offset;
                let got = f64::from(seen.value(&id));
                prop_assert!((got - expected).abs() <= expected.abs() * 1e-6 + 1e-2 * scale.abs(),
                    "{id}: {got} is not {expected}");
                ids.insert(id);
            }
        }
        let a = &packet;
        let flags = a.flags;
        for (id, bit) in [("rev_limiter", 5), ("handbrake", 6), ("lights", 7), ("asm_active", 10), ("tcs_active", 11)] {
            prop_assert_eq!(seen.value(id), f32::from(flags >> bit & 1));
            ids.insert(id.into());
        }
        let gear = |nibble: u8| match nibble { 0 => -1.0, 15 => 0.0, gear => f32::from(gear) };
        prop_assert_eq!(seen.value("gear"), gear(a.gears & 15));
        prop_assert_eq!(seen.newest("suggested_gear"), (a.gears >> 4 != 15).then(|| gear(a.gears >> 4)));
        for (wheel, place) in [("fl", 0), ("fr", 1), ("rl", 2), ("rr", 3)] {
            let rolling = a.wheel_angular_speed.0[place].abs() * a.tyre_radius.0[place];
            prop_assert_eq!(seen.value(&format!("wheel_speed_{wheel}")), rolling);
            let slip = (a.speed >= 1.0).then(|| rolling / a.speed - 1.0);
            prop_assert_eq!(seen.newest(&format!("wheel_slip_{wheel}")), slip);
            let letter = packet.surface.expect("surfaces").0[place];
            let surface = Surface::from_number(seen.value(&format!("surface_{wheel}")) as u16);
            prop_assert!(surface == Some(Surface::Other(letter)) || b"TCDGSs".contains(&letter));
        }
        check_rotation(&seen, a)?;
        check_facts(&seen, &packet)?;
        let derived = ["gear", "suggested_gear", "rev_lights", "yaw", "total_distance", "lap_distance"];
        let families = ["wheel_speed_", "wheel_slip_", "surface_", "forward_", "right_", "local_velocity_"];
        for id in seen.samples[0].1.keys().filter(|id| !ids.contains(*id)) {
            let known = derived.contains(&id.as_str()) || families.iter().any(|family| id.starts_with(family));
            prop_assert!(known, "{id} comes from no field");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_seal_size_and_order_decodes_to_the_same(packet in any_packet(), seed in any::<[u8; 4]>()) {
        let decoded = |datagram: &[u8]| format!("{:?}", of_any_game(datagram));
        for letter in Letter::ALL {
            let plain = &packet.bytes(letter.version())[..];
            let mut sealed = plain.to_vec();
            letter.scheme().seal(seed, &mut sealed);
            prop_assert_eq!(decoded(&sealed), decoded(plain));
        }
        let mut sport = least(&packet);
        let least = decoded(&sport);
        Scheme::Sport.seal(seed, &mut sport);
        prop_assert_eq!(decoded(&sport), least.clone());
        let mut big = big_endian(&packet);
        prop_assert_eq!(decoded(&big), least.clone());
        Scheme::Gt6.seal(seed, &mut big);
        prop_assert_eq!(decoded(&big), least);
    }
}

/// Checks that the rotation converts from the car's axes to the world's and back, and keeps lengths.
fn check_rotation(seen: &Recorder, a: &Packet) -> Result<(), TestCaseError> {
    let vector = |name: &str| ["x", "y", "z"].map(|axis| f64::from(seen.value(&format!("{name}_{axis}"))));
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (forward, right, local) = (vector("forward"), vector("right"), vector("local_velocity"));
    let velocity = <[f32; 3]>::from(a.velocity).map(f64::from);
    prop_assert!((dot(forward, forward) - 1.0).abs() < 1e-5 && dot(forward, right).abs() < 1e-5);
    prop_assert!((dot(velocity, forward) - local[2]).abs() < 0.05);
    prop_assert!((dot(velocity, right) + local[0]).abs() < 0.05);
    let (turned, [x, y, z]) = (f64::from(a.rotation_w), <[f32; 3]>::from(a.rotation).map(f64::from));
    let length = turned * turned + x * x + y * y + z * z;
    // The third column of the rotation matrix, negated: the direction of the nose.
    let nose = [-2.0 * (x * z + turned * y), -2.0 * (y * z - turned * x), -(length - 2.0 * (x * x + y * y))];
    for (got, expected) in forward.iter().zip(nose) {
        prop_assert!((got - expected / length).abs() < 1e-5, "{forward:?}");
    }
    Ok(())
}

fn check_facts(seen: &Recorder, packet: &Packet) -> Result<(), TestCaseError> {
    let a = packet;
    let progress = &seen.progress[0];
    let time = |millis: i32| (millis > 0).then_some(LapTime(millis.max(0).cast_unsigned()));
    prop_assert_eq!((progress.lap, progress.grid), (2, a.grid_position as u8));
    prop_assert_eq!((progress.last_lap, progress.best_lap), (time(a.last_lap), time(a.best_lap)));
    prop_assert_eq!(seen.samples[0].0.frame, Some(a.packet_id.cast_unsigned()));
    let session = seen.session();
    let cars = a.cars_before_start as u8;
    prop_assert_eq!((session.total_laps, session.cars), (Some(5), (cars > 0).then_some(cars)));
    let vehicle = seen.vehicle();
    prop_assert_eq!(vehicle.id.clone(), Some(a.car_code.to_string()));
    prop_assert_eq!(&vehicle.gear_ratios, &a.gear_ratios.to_vec());
    prop_assert_eq!(vehicle.top_speed_ratio, Some(a.transmission_top_speed));
    prop_assert_eq!(vehicle.fuel_mark, a.fuel_mark);
    let power = a.power_type.map(|number| match number {
        2 => Power::Combustion,
        4 => Power::Electric,
        other => Power::Other(other),
    });
    prop_assert_eq!(vehicle.power, power);
    prop_assert_eq!(
        vehicle.class.clone(),
        a.car_category.map(|class| class.read()).filter(|class| !class.is_empty())
    );
    Ok(())
}
