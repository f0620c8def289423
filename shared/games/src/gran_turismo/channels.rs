//! Channels that no row of a packet becomes by itself: they need a condition, several fields, or the car's axes.

use trailbrake_model::units::PASCALS_PER_BAR;
use trailbrake_model::{Channel as C, Wheel};

use super::layout::Packet;
use super::rotation::{Rotation, left_up_ahead};
use super::tick::{Flags, gear, suggested};
use crate::Vec3;
use crate::table::{FrontFirst, Opposite, Values, put};

/// Below this speed, in m/s, a slip ratio is meaningless.
const SLIP_FROM_MPS: f32 = 1.0;

/// Adds them; returns the car's rotation if it is valid.
pub(super) fn add(packet: &Packet, to: &mut Values) -> Option<Rotation> {
    to.put(C::Gear, gear(packet.gears & 0x0f));
    to.put(C::SuggestedGear, suggested(packet.gears >> 4));
    engine(packet, to);
    let wheel_speed: [f32; 4] = core::array::from_fn(|wheel| rolling(packet, wheel));
    to.put(C::WheelSpeed, FrontFirst(wheel_speed));
    if packet.speed >= SLIP_FROM_MPS {
        to.put(C::WheelSlip, FrontFirst(wheel_speed.map(|wheel| wheel / packet.speed - 1.0)));
    }
    to.put(C::TimeOfDay, f64::from(packet.time_of_day) / 1e3);
    for (wheel, angle) in
        [(Wheel::FrontLeft, packet.wheel_angle_fl), (Wheel::FrontRight, packet.wheel_angle_fr)]
    {
        if let Some(angle) = angle {
            put::<Opposite, true>(C::WheelAngle.of(wheel), angle, to);
        }
    }
    direction(packet, to)
}

fn engine(packet: &Packet, to: &mut Values) {
    let flags = Flags(packet.flags);
    let (low, high) = (f32::from(packet.rpm_alert_min), f32::from(packet.rpm_alert_max));
    if high > low {
        to.put(C::RevLights, ((packet.engine_rpm - low) / (high - low)).clamp(0.0, 1.0));
    }
    // A car without a turbo sends zero, which is not a vacuum.
    if flags.has_turbo() || packet.boost != 0.0 {
        to.put(C::Boost, (packet.boost - 1.0) * PASCALS_PER_BAR);
    }
    for (switch, is_on) in [
        (C::RevLimiter, flags.rev_limit()),
        (C::Handbrake, flags.handbrake()),
        (C::Lights, flags.lights()),
        (C::AsmActive, flags.asm()),
        (C::TcsActive, flags.tcs()),
    ] {
        to.put(switch, u8::from(is_on));
    }
}

/// The speed at which a wheel rolls. Its sign differs between recordings and does not show the direction.
fn rolling(packet: &Packet, wheel: usize) -> f32 {
    let [speed, radius] = [packet.wheel_angular_speed, packet.tyre_radius]
        .map(|FrontFirst(wheels)| wheels.get(wheel).copied().unwrap_or_default());
    speed.abs() * radius
}

fn direction(packet: &Packet, to: &mut Values) -> Option<Rotation> {
    to.put(C::AngularVelocity, Vec3::from(left_up_ahead(packet.angular_velocity.into())));
    let rotation = Rotation::new(packet.rotation.into(), packet.rotation_w)?;
    let forward = rotation.forward().map(|part| part as f32);
    let [x, _, z] = forward;
    to.put(C::Forward, Vec3::from(forward));
    to.put(C::Right, Vec3::from(rotation.right()));
    to.put(C::Yaw, x.atan2(z));
    to.put(C::LocalVelocity, Vec3::from(rotation.to_driver(packet.velocity.into())));
    Some(rotation)
}
