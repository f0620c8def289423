//! Converts the older description's layouts. No known game sends them: they are not verified and labelled so.

use trailbrake_model::units::PASCALS_PER_PSI;
use trailbrake_model::{
    Axis, Channel as C, DriverStatus, LapProgress, Moment, PitStatus, ResultStatus, SectorTimes, Slot,
    Surface,
};

use super::gear::gear;
use super::layout::{OLDER_WHEELS, OlderControls, OlderMotion, OlderSingle, OlderTelemetry};
use super::stage::DRIVER;
use crate::Vec3;

type F32 = zerocopy::F32<zerocopy::LE>;
type U16 = zerocopy::U16<zerocopy::LE>;
type Values = Vec<(Slot, f32)>;

const METRES_PER_MM: f32 = 1e-3;

/// The single packet of the first game.
pub(super) fn single(packet: &OlderSingle, values: &mut Values) {
    vector(values, C::Position, &packet.position);
    vector(values, C::Velocity, &packet.velocity);
    // In this description, "roll" is the vector to the right and "pitch" the vector ahead.
    vector(values, C::Right, &packet.roll);
    vector(values, C::Forward, &packet.pitch);
    vector(values, C::AngularVelocity, &packet.angular_velocity);
    wheels(values, C::SuspensionPosition, &packet.suspension_position, METRES_PER_MM);
    wheels(values, C::SuspensionVelocity, &packet.suspension_velocity, METRES_PER_MM);
    wheels(values, C::WheelSpeed, &packet.wheel_speed, 1.0);
    values.extend([
        (C::LapClock.slot(), packet.lap_time.get()),
        (C::LapDistance.slot(), packet.lap_distance.get()),
        (C::TotalDistance.slot(), packet.total_distance.get()),
        (C::Speed.slot(), packet.speed.get()),
        (C::Throttle.slot(), packet.throttle.get()),
        (C::Steering.slot(), packet.steer.get()),
        (C::Brake.slot(), packet.brake.get()),
        (C::Clutch.slot(), packet.clutch.get()),
        (C::Handbrake.slot(), packet.handbrake.get()),
        (C::GLateral.slot(), packet.g_lateral.get()),
        (C::GLongitudinal.slot(), packet.g_longitudinal.get()),
        (C::Rpm.slot(), packet.rpm.get()),
        (C::SlipFront.slot(), packet.slip_front.get()),
        (C::SlipRear.slot(), packet.slip_rear.get()),
    ]);
    values.extend(gear(f32::from(packet.gear)).map(|gear| (C::Gear.slot(), gear)));
}

/// The lap progress in the single packet.
pub(super) fn progress(packet: &OlderSingle, moment: Moment) -> LapProgress {
    let number = |value: F32| Some(value.get()).filter(|number| number.is_finite());
    LapProgress {
        car: DRIVER,
        moment,
        lap: (packet.lap.get().max(0.0) as u16).saturating_add(1),
        clock: number(packet.lap_time),
        distance: number(packet.lap_distance),
        total_distance: number(packet.total_distance),
        last_lap: None,
        best_lap: None,
        sector: 0,
        sectors: SectorTimes::default(),
        inferred: false,
        invalid: false,
        pit: PitStatus::OnTrack,
        driver: DriverStatus::OnTrack,
        result: ResultStatus::Active,
        position: 0,
        grid: 0,
        penalties: 0,
        ..LapProgress::default()
    }
}

/// Packet 0 of the second game.
pub(super) fn motion(packet: &OlderMotion, values: &mut Values) {
    vector(values, C::Position, &packet.position);
    vector(values, C::Velocity, &packet.velocity);
    vector(values, C::Forward, &packet.pitch);
    vector(values, C::Right, &packet.roll);
    vector(values, C::Up, &packet.yaw);
    vector(values, C::AngularVelocity, &packet.angular_velocity);
    wheels(values, C::SuspensionPosition, &packet.suspension_position, METRES_PER_MM);
    wheels(values, C::SuspensionVelocity, &packet.suspension_velocity, METRES_PER_MM);
    wheels(values, C::SuspensionAcceleration, &packet.suspension_acceleration, METRES_PER_MM);
    wheels(values, C::WheelSpeed, &packet.wheel_speed, 1.0);
    values.extend([
        (C::GLateral.slot(), packet.g_lateral.get()),
        (C::GLongitudinal.slot(), packet.g_longitudinal.get()),
        (C::GVertical.slot(), packet.g_vertical.get()),
        (C::Slip.slot(), packet.slip.get()),
    ]);
}

/// The part of packet 6 that is the same in all its sizes.
pub(super) fn controls(packet: &OlderControls, values: &mut Values) {
    values.extend([
        (C::Speed.slot(), packet.speed.get()),
        (C::Rpm.slot(), f32::from(packet.rpm.get())),
        (C::Throttle.slot(), percent(packet.throttle)),
        (C::Steering.slot(), f32::from(packet.steer) / 100.0),
        (C::Brake.slot(), percent(packet.brake)),
        (C::Clutch.slot(), percent(packet.clutch)),
        (C::Handbrake.slot(), percent(packet.handbrake)),
        (C::FuelShare.slot(), percent(packet.fuel)),
        (C::EngineTemperature.slot(), packet.engine_temp.get()),
    ]);
    // The gear field is unsigned, so -1 arrives as the largest number.
    let signed = |number: U16| f32::from(number.get().cast_signed());
    values.extend(gear(signed(packet.gear)).map(|gear| (C::Gear.slot(), gear)));
    values.extend(gear(signed(packet.suggested_gear)).map(|gear| (C::SuggestedGear.slot(), gear)));
    degrees(values, C::BrakeTemperature, &packet.brake_temp);
    degrees(values, C::TyreSurfaceTemperature, &packet.tyre_surface_temp);
    degrees(values, C::TyreInnerTemperature, &packet.tyre_inner_temp);
}

/// The part of packet 6 that only its longer size has.
pub(super) fn tyres(packet: &OlderTelemetry, values: &mut Values) {
    wheels(values, C::TyrePressure, &packet.tyre_pressure, PASCALS_PER_PSI);
    for (wheel, number) in OLDER_WHEELS.into_iter().zip(packet.surface_type) {
        values.push((C::Surface.of(wheel), surface(number.get())));
    }
}

/// The description numbers its eight surfaces as the model does.
fn surface(number: f32) -> f32 {
    const COUNT: f32 = 8.0;
    match number {
        number if !number.is_finite() || (0.0..COUNT).contains(&number) => number,
        number => f32::from(Surface::Other(number as u8).number()),
    }
}

fn percent(value: u8) -> f32 {
    f32::from(value) / 100.0
}

fn vector(values: &mut Values, channel: C, vector: &Vec3<F32>) {
    values.extend([
        (channel.along(Axis::X), vector.x.get()),
        (channel.along(Axis::Y), vector.y.get()),
        (channel.along(Axis::Z), vector.z.get()),
    ]);
}

fn wheels(values: &mut Values, channel: C, wheels: &[F32; 4], scale: f32) {
    for (wheel, value) in OLDER_WHEELS.into_iter().zip(wheels) {
        values.push((channel.of(wheel), value.get() * scale));
    }
}

fn degrees(values: &mut Values, channel: C, wheels: &[U16; 4]) {
    for (wheel, value) in OLDER_WHEELS.into_iter().zip(wheels) {
        values.push((channel.of(wheel), f32::from(value.get())));
    }
}
