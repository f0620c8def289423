//! Real packets of the formats from 2019 on, with the figures that an independent decoder read from them.

use super::*;

pub(super) fn seen(file: &str) -> Recorder {
    Recorder::of(&trailbrake_captures::read(file))
}

/// Checks channels of a car. The figures are printed with a few digits only.
pub(super) fn check(file: &str, car: u8, values: &[(&str, f32)]) {
    let seen = seen(file);
    for (id, expected) in values {
        let value = seen.value(car, id);
        let near = (value - expected).abs() <= expected.abs() * 1e-3 + 6e-4;
        assert!(near, "{file}: {id} is {value}, not {expected}");
    }
}

pub(super) fn kmh(kmh: f32) -> f32 {
    kmh / 3.6
}

fn psi(psi: f32) -> f32 {
    psi * 6_894.757
}

pub(super) fn millis(millis: u32) -> Option<LapTime> {
    (millis > 0).then_some(LapTime(millis))
}

#[test]
#[ignore = "needs captures"]
fn captured_motion_of_each_year_is_where_the_car_was() {
    for (file, car, [x, y, z]) in [
        ("f1-2019/04-motion-1343.bin", 19, [377.816, 87.769, 1385.369]),
        ("f1-2020/03-motion-1464.bin", 19, [23.969, -2.917, 313.796]),
        ("f1-2021/02-motion-1464.bin", 19, [528.534, 0.530, -127.462]),
        ("f1-2022/06-motion-1464.bin", 19, [172.210, 1.096, 804.505]),
        ("f1-2023/06-motion-1349.bin", 19, [-88.307, 2.985, 71.604]),
        ("next/f1-2024/22-motion-1349.bin", 19, [-418.726, 46.653, -170.557]),
        ("next/f1-2025/20-motion-1349.bin", 0, [-270.508, 34.06, -977.338]),
        ("next/f1-2025/26-motion-1349.bin", 19, [682.538, 3.993, 581.226]),
    ] {
        check(file, car, &[("position_x", x), ("position_y", y), ("position_z", z)]);
    }
    check(
        "next/f1-2024/22-motion-1349.bin",
        19,
        &[
            ("velocity_x", 21.863),
            ("velocity_z", 15.933),
            ("forward_x", 25_939.0 / 32_767.0),
            ("g_lateral", -1.221),
            ("g_longitudinal", 0.5433),
            ("g_vertical", -0.1238),
            ("yaw", 0.914),
        ],
    );
}

#[test]
#[ignore = "needs captures"]
fn captured_motion_of_the_player_s_car_has_its_suspension_and_wheels() {
    check(
        "next/f1-2023/21-motionEx-217.bin",
        0,
        &[
            ("suspension_position_rl", 0.049_286),
            ("suspension_position_rr", 0.049_476),
            ("suspension_position_fl", 0.057_889),
            ("suspension_position_fr", 0.058_454),
            ("wheel_speed_rl", 73.245),
            ("wheel_speed_fr", 73.355),
            ("wheel_slip_rl", -0.0007),
            ("local_velocity_z", 73.347),
            ("angular_velocity_y", -0.0007),
        ],
    );
    check(
        "next/f1-2024/38-motionEx-237.bin",
        0,
        &[
            ("suspension_position_rl", 0.028_175),
            ("suspension_position_fr", 0.054_468),
            ("wheel_speed_fl", 28.717),
            ("wheel_slip_rr", -0.0103),
            ("angular_velocity_y", 0.378),
            ("front_wheels_angle", -0.014_44),
            ("ride_height_front", 0.028_78),
            ("ride_height_rear", 0.046_11),
            ("body_slip_angle", -0.063_86),
        ],
    );
    check(
        "next/f1-2025/30-motionEx-273.bin",
        19,
        &[
            ("wheel_speed_rl", 86.198),
            ("wheel_slip_fl", -0.0004),
            ("local_velocity_z", 84.998),
            ("ride_height_front", 0.005_82),
            ("camber_rl", -0.0431),
            ("camber_fr", -0.0508),
        ],
    );
    let standing = seen("f1-2023/08-motionEx-217.bin");
    assert!(standing.values.keys().all(|(car, _)| Some(*car) == standing.player()));
}

#[test]
#[ignore = "needs captures"]
fn captured_telemetry_of_each_year_has_pedals_gears_and_tyres() {
    for (file, car, speed, gear, rpm) in [
        ("f1-2019/02-carTelemetry-1347.bin", 19, 182.0, 4.0, 11_284.0),
        ("f1-2020/01-carTelemetry-1307.bin", 19, 0.0, 0.0, 4296.0),
        ("f1-2021/04-carTelemetry-1347.bin", 19, 0.0, 0.0, 4214.0),
        ("f1-2022/03-carTelemetry-1347.bin", 19, 308.0, 8.0, 10_657.0),
        ("f1-2023/04-carTelemetry-1352.bin", 2, 133.0, 3.0, 9500.0),
    ] {
        let known = seen(file);
        for (id, expected) in [("speed", kmh(speed)), ("gear", gear), ("rpm", rpm)] {
            // In a menu the first gear may be a leftover.
            if speed > 0.0 || id != "gear" {
                assert!((known.value(car, id) - expected).abs() < 1e-3, "{file}: {id}");
            }
        }
    }
    assert!((seen("f1-2022/03-carTelemetry-1347.bin").value(19, "throttle") - 1.0).abs() < 1e-6);
    check(
        "next/f1-2021/20-carTelemetry-1347.bin",
        21,
        &[
            ("speed", kmh(306.0)),
            ("throttle", 0.7755),
            ("steering", -0.0019),
            ("brake", 0.069),
            ("clutch", 0.02),
            ("gear", 6.0),
            ("rpm", 8324.0),
            ("brake_temperature_rl", 212.0),
            ("brake_temperature_fl", 214.0),
            ("brake_temperature_fr", 215.0),
            ("tyre_surface_temperature_rl", 86.0),
            ("tyre_surface_temperature_fr", 85.0),
            ("tyre_inner_temperature_rl", 88.0),
            ("tyre_inner_temperature_fr", 93.0),
            ("engine_temperature", 106.0),
            ("tyre_pressure_rl", psi(22.67)),
            ("tyre_pressure_fr", psi(22.1)),
            ("surface_fl", 0.0),
            ("suggested_gear", 0.0),
        ],
    );
    // Half of the car is on the grass.
    let grass = f32::from(trailbrake_model::Surface::Grass.number());
    check(
        "next/f1-2024/39-carTelemetry-1352.bin",
        0,
        &[
            ("speed", kmh(104.0)),
            ("steering", -0.0475),
            ("surface_rl", 0.0),
            ("surface_rr", grass),
            ("surface_fr", grass),
        ],
    );
    check(
        "next/f1-2025/42-carTelemetry-1352.bin",
        19,
        &[
            ("speed", kmh(75.0)),
            ("steering", -0.8734),
            ("gear", 2.0),
            ("brake_temperature_rr", 771.0),
            ("tyre_pressure_fl", psi(24.31)),
        ],
    );
}

#[test]
#[ignore = "needs captures"]
fn captured_status_of_each_year_has_fuel_energy_and_tyres() {
    check(
        "next/f1-2020/20-carStatus-1344.bin",
        21,
        &[
            ("fuel", 7.81),
            ("fuel_capacity", 110.0),
            ("fuel_laps", 5.106),
            ("max_rpm", 13_000.0),
            ("idle_rpm", 3799.0),
            ("max_gears", 9.0),
            ("tyre_compound", 17.0),
            ("tyre_compound_of_season", 17.0),
            ("tyre_age", 0.0),
            ("drs_distance", 0.0),
            ("flag", 3.0),
            ("ers_store", 2_629_983.8),
            ("ers_deployed", 408_625.8),
        ],
    );
    check(
        "next/f1-2022/20-carStatus-1058.bin",
        21,
        &[("fuel", 6.411), ("tyre_compound", 15.0), ("tyre_age", 2.0)],
    );
    check(
        "next/f1-2024/24-carStatus-1239.bin",
        19,
        &[("fuel_laps", 2.798), ("power_engine", 462_246.0), ("power_mguk", 0.0)],
    );
    // Mode 1 is "medium", which was 2 in 2018.
    check(
        "next/f1-2025/41-carStatus-1239.bin",
        19,
        &[("drs_distance", 210.0), ("ers_mode", 2.0), ("power_engine", 568_663.0), ("power_mguk", 95_988.0)],
    );
    check(
        "next/f1-2025/27-carDamage-1041.bin",
        19,
        &[
            ("tyre_wear_rl", 0.031_19),
            ("tyre_wear_fl", 0.047_99),
            ("tyre_damage_fl", 0.04),
            ("brake_damage_rl", 0.0),
            ("tyre_blisters_fr", 0.0),
            ("damage_front_left_wing", 0.14),
            ("damage_gearbox", 0.01),
            ("damage_engine", 0.03),
            ("wear_mguh", 0.02),
            ("wear_combustion_engine", 0.03),
            ("wear_mguk", 0.01),
            ("wear_turbo", 0.02),
        ],
    );
}

#[test]
#[ignore = "needs captures"]
fn captured_laps_of_each_year_have_their_times_and_places() {
    // File, car, last lap, clock, sectors, distance, lap, position, grid.
    type Lap = (&'static str, u8, u32, u32, [u32; 2], f32, u16, u8, u8);
    let laps: [Lap; 12] = [
        ("f1-2019/03-lapData-843.bin", 19, 0, 8467, [0, 0], 243.2252, 1, 7, 0),
        ("f1-2020/02-lapData-1190.bin", 19, 0, 1_677_077, [0, 0], -5369.62, 1, 20, 0),
        ("f1-2021/05-lapData-970.bin", 19, 0, 0, [0, 0], -5784.3794, 1, 20, 0),
        ("f1-2022/05-lapData-972.bin", 19, 92_035, 91_313, [0, 0], 6175.6865, 3, 6, 0),
        ("f1-2023/05-lapData-1131.bin", 2, 99_563, 16, [0, 0], 484.7329, 2, 2, 0),
        ("next/f1-2021/24-lapData-970.bin", 0, 87_501, 79_390, [27_882, 29_402], 5293.903, 2, 1, 1),
        ("next/f1-2022/24-lapData-972.bin", 21, 105_335, 91_300, [27_760, 48_742], 2935.486, 5, 8, 22),
        ("next/f1-2023/22-lapData-1131.bin", 0, 90_050, 1271, [0, 0], 89.84, 5, 1, 0),
        ("next/f1-2023/27-lapData-1131.bin", 0, 68_888, 57_647, [16_646, 30_506], 3635.44, 3, 1, 1),
        ("next/f1-2024/23-lapData-1285.bin", 19, 87_861, 13_666, [0, 0], 606.053, 3, 20, 3),
        ("next/f1-2024/26-lapData-1285.bin", 19, 0, 95_436, [32_153, 62_949], 3136.095, 1, 20, 3),
        ("next/f1-2025/45-lapData-1285.bin", 19, 0, 26_374, [0, 0], 1549.547, 1, 7, 0),
    ];
    for (file, car, last, clock, sectors, distance, lap, position, grid) in laps {
        let seen = seen(file);
        let progress = seen.progress.iter().find(|progress| progress.car == Car(car)).expect(file);
        assert_eq!(progress.last_lap, millis(last), "{file}");
        assert_eq!(progress.clock.map(|clock| (clock * 1e3).round() as u32), Some(clock), "{file}");
        assert!((progress.distance.expect("a distance") - distance).abs() < 1e-3, "{file}");
        assert_eq!((progress.lap, progress.position), (lap, position), "{file}");
        if file.starts_with("next") {
            assert_eq!([progress.sectors[0], progress.sectors[1]], sectors.map(millis), "{file}");
            assert_eq!(progress.grid, grid, "{file}");
        }
    }
    check("next/f1-2024/23-lapData-1285.bin", 19, &[("speed_trap", kmh(303.905)), ("speed_trap_lap", 3.0)]);
    check("next/f1-2025/45-lapData-1285.bin", 19, &[("speed_trap", kmh(320.254)), ("speed_trap_lap", 1.0)]);
}

#[test]
#[ignore = "needs captures"]
fn every_captured_packet_is_read() {
    let mut counts = BTreeMap::new();
    let folders = (2019..=2023)
        .map(|year| format!("f1-{year}"))
        .chain((2020..=2026).map(|year| format!("next/f1-{year}")));
    for folder in folders {
        for file in std::fs::read_dir(trailbrake_captures::path(&folder)).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if name.ends_with(".bin") && !name.starts_with("stream") {
                let bytes = std::fs::read(&path).expect("a packet");
                let mut recorder = Recorder::default();
                let whole = receive(&mut Decoder::default(), &bytes, &mut recorder);
                assert_eq!(whole, Ok(()), "{folder}/{name}");
                *counts.entry(folder.clone()).or_insert(0) += 1;
            }
        }
    }
    let counts: Vec<i32> = counts.into_values().collect();
    assert_eq!(counts, [7, 5, 6, 8, 9, 4, 7, 6, 10, 26, 29, 3]);
}
