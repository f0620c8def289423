//! Names of stages and cars. The game sends neither, but length, start position and engine figures identify most of
//! them.

/// Length in metres, z coordinate of the start, name.
type Stage = (f32, f32, &'static str);

/// Only stages whose figures were seen in real packets.
const STAGES: &[Stage] =
    &[(5236.91, -564.8, "Noorinbee Ridge Descent"), (5248.36, -4328.9, "Älgsjön Sprint")];

/// Max RPM, idle RPM, forward gears, name. Only cars whose figures were seen in real packets.
const CARS: &[(f32, f32, u8, &str)] =
    &[(8000.0, 1450.0, 5, "Renault 5 Turbo"), (8900.0, 1100.0, 6, "BMW E30 Evo Rally")];

/// A stage and its reverse have nearly the same length, but their starts are at least this far apart.
const START_TOLERANCE_M: f32 = 50.0;

pub(super) fn stage(length_m: f32, start_z: f32) -> Option<&'static str> {
    let near = |&&(length, z, _): &&Stage| {
        (length - length_m).abs() < 0.01 && (z - start_z).abs() < START_TOLERANCE_M
    };
    STAGES.iter().find(near).map(|&(_, _, name)| name)
}

pub(super) fn car(max_rpm: f32, idle_rpm: f32, gears: f32) -> Option<&'static str> {
    let same = |a: f32, b: f32| (a - b).abs() < 0.5;
    CARS.iter()
        .find(|&&(max, idle, count, _)| {
            same(max, max_rpm) && same(idle, idle_rpm) && same(f32::from(count), gears)
        })
        .map(|&(_, _, _, name)| name)
}
