//! Bytes → channels: the only place where signs, units and wheel order are converted.
//!
//! The game's world is right-handed like the model's, and its wheel order is the model's.

use trailbrake_model::{Axis, Channel as C, Slot, Wheel};

use super::layout::Update;

type F32 = zerocopy::F32<zerocopy::LE>;

/// Appends every channel of an update.
pub(super) fn fill(update: &Update, to: &mut Vec<(Slot, f32)>) {
    let mut put = |channel: C, value: f32| to.push((channel.slot(), value));
    put(C::Speed, update.speed_ms.get());
    put(C::Throttle, update.gas.get());
    put(C::Brake, update.brake.get());
    // The game's clutch is 1 when engaged; the model's is 1 when the pedal is pressed.
    put(C::Clutch, 1.0 - update.clutch.get());
    put(C::SteeringAngle, update.steer.get().to_radians());
    // The game counts reverse as 0 and neutral as 1.
    put(C::Gear, update.gear.get().saturating_sub(1) as f32);
    put(C::Rpm, update.engine_rpm.get());
    put(C::RevLimiter, switch(update.engine_limiter_on));
    put(C::Abs, switch(update.abs_enabled));
    put(C::AbsActive, switch(update.abs_acting));
    put(C::TractionControl, switch(update.tc_enabled));
    put(C::TcsActive, switch(update.tc_acting));
    put(C::GLateral, update.g_lateral.get());
    put(C::GVertical, update.g_vertical.get());
    put(C::GLongitudinal, update.g_longitudinal.get());
    put(C::LapClock, (f64::from(update.lap_time.get()) / 1e3) as f32);
    put(C::LapShare, update.position_normalised.get());
    put(C::CentreOfMassHeight, update.cg_height.get());
    for (axis, value) in Axis::ALL.into_iter().zip(update.position.get()) {
        to.push((C::Position.along(axis), value));
    }
    wheels(update, to);
}

fn wheels(update: &Update, to: &mut Vec<(Slot, f32)>) {
    let mut put = |channel: C, values: [f32; 4]| {
        to.extend(Wheel::ALL.into_iter().zip(values).map(|(wheel, value)| (channel.of(wheel), value)));
    };
    let floats = |array: &[F32; 4]| array.map(|value| value.get());
    let radius = floats(&update.tyre_radius);
    put(C::TyreRadius, radius);
    put(C::TyreLoadedRadius, floats(&update.tyre_loaded_radius));
    let [a, b, c, d] = floats(&update.wheel_angular_speed);
    let [w, x, y, z] = radius;
    put(C::WheelSpeed, [a * w, b * x, c * y, d * z]);
    put(C::WheelSlip, floats(&update.slip_ratio));
    put(C::SlipAngle, floats(&update.slip_angle).map(f32::to_radians));
    put(C::CombinedSlip, floats(&update.nd_slip));
    put(C::TyreLoad, floats(&update.load));
    put(C::TyreFriction, floats(&update.dy));
    put(C::AligningTorque, floats(&update.mz));
    put(C::Camber, floats(&update.camber));
    put(C::TyreDirt, floats(&update.tyre_dirty_level));
    put(C::SuspensionPosition, floats(&update.suspension_height));
}

fn switch(byte: u8) -> f32 {
    f32::from(u8::from(byte != 0))
}
