//! Converts packets to channels: signs, units and wheel order are converted only here.

use trailbrake_model::units::{MPS2_PER_G, PASCALS_PER_BAR};
use trailbrake_model::{Axis, Channel as C, Slot, Surface, Wheel};
use zerocopy::ByteOrder;

use super::layout::{ExtensionB, ExtensionC, ExtensionTilde, PacketA};
use super::packet::{Basis, Parts};
use super::rotation::{Rotation, left_up_ahead};
use super::tick::{Flags, gear, suggested};

/// Below this speed, in m/s, a slip ratio is meaningless.
const SLIP_FROM_MPS: f32 = 1.0;

/// The values of one sample. Values that are not finite are dropped and counted.
#[derive(Debug, Default)]
pub(super) struct Values {
    list: Vec<(Slot, f32)>,
    not_numbers: usize,
}

impl Values {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.not_numbers = 0;
    }

    pub(super) fn list(&self) -> &[(Slot, f32)] {
        &self.list
    }

    pub(super) fn not_numbers(&self) -> usize {
        self.not_numbers
    }

    pub(super) fn put(&mut self, channel: C, value: f32) {
        self.put_slot(channel.slot(), value);
    }

    pub(super) fn acceleration(&mut self, [left, up, ahead]: [f32; 3]) {
        self.put(C::GLateral, left / MPS2_PER_G);
        self.put(C::GVertical, up / MPS2_PER_G);
        self.put(C::GLongitudinal, ahead / MPS2_PER_G);
    }

    fn put_slot(&mut self, slot: Slot, value: f32) {
        if value.is_finite() {
            self.list.push((slot, value));
        } else {
            self.not_numbers += 1;
        }
    }

    fn switch(&mut self, channel: C, on: bool) {
        self.put(channel, f32::from(u8::from(on)));
    }

    fn vector(&mut self, channel: C, values: [f32; 3]) {
        for (axis, value) in Axis::ALL.into_iter().zip(values) {
            self.put_slot(channel.along(axis), value);
        }
    }

    fn wheels(&mut self, channel: C, values: [f32; 4]) {
        // The game's wheel order is ours.
        for (wheel, value) in Wheel::ALL.into_iter().zip(values) {
            self.put_slot(channel.of(wheel), value);
        }
    }
}

/// Adds every channel in a packet; returns the car's rotation if it is valid.
pub(super) fn fill(parts: &Parts<'_>, values: &mut Values) -> Option<Rotation> {
    let rotation = match parts.a {
        Basis::Little(a) => basis(a, values),
        Basis::Big(a) => basis(a, values),
    };
    if let Some(b) = parts.b {
        extension_b(b, values);
    }
    if let Some(tilde) = parts.tilde {
        extension_tilde(tilde, values);
    }
    if let Some(c) = parts.c {
        extension_c(c, values);
    }
    rotation
}

fn basis<O: ByteOrder>(a: &PacketA<O>, to: &mut Values) -> Option<Rotation> {
    let floats = |array: &[zerocopy::F32<O>; 4]| array.map(|value| value.get());
    let flags = Flags(a.flags.get());
    let speed = a.speed.get();
    to.put(C::Speed, speed);
    to.put(C::Throttle, share(a.throttle));
    to.put(C::Brake, share(a.brake));
    to.put(C::Clutch, a.clutch_pedal.get());
    to.put(C::Gear, f32::from(gear(a.gears & 0x0f)));
    if let Some(gear) = suggested(a.gears >> 4) {
        to.put(C::SuggestedGear, f32::from(gear));
    }
    engine(a, flags, to);
    to.vector(C::Position, a.position.get());
    to.vector(C::Velocity, a.velocity.get());
    let rotation = direction(a, to);
    to.put(C::BodyHeight, a.body_height.get());
    to.vector(C::RoadNormal, a.road_normal.get());
    to.put(C::RoadDistance, a.road_distance.get());
    let radius = floats(&a.tyre_radius);
    // The sign differs between recordings and does not show the rolling direction.
    let rolling = floats(&a.wheel_angular_speed).map(f32::abs);
    let wheel_speed = pairs(rolling, radius, |rolling, radius| rolling * radius);
    to.wheels(C::WheelSpeed, wheel_speed);
    if speed >= SLIP_FROM_MPS {
        to.wheels(C::WheelSlip, wheel_speed.map(|wheel| wheel / speed - 1.0));
    }
    to.wheels(C::TyreRadius, radius);
    to.wheels(C::TyreSurfaceTemperature, floats(&a.tyre_surface_temperature));
    to.wheels(C::SuspensionPosition, floats(&a.suspension_height));
    to.put(C::TimeOfDay, (f64::from(a.time_of_day.get()) / 1e3) as f32);
    to.put(C::TopSpeedShown, f32::from(a.calculated_max_speed.get()));
    rotation
}

fn engine<O: ByteOrder>(a: &PacketA<O>, flags: Flags, to: &mut Values) {
    let (rpm, low, high) =
        (a.engine_rpm.get(), f32::from(a.rpm_alert_min.get()), f32::from(a.rpm_alert_max.get()));
    to.put(C::Rpm, rpm);
    to.put(C::ShiftRpm, low);
    to.put(C::MaxRpm, high);
    if high > low {
        to.put(C::RevLights, ((rpm - low) / (high - low)).clamp(0.0, 1.0));
    }
    let boost = a.boost.get();
    // A car without a turbo sends zero, which is not a vacuum.
    if flags.has_turbo() || boost != 0.0 {
        to.put(C::Boost, (boost - 1.0) * PASCALS_PER_BAR);
    }
    to.put(C::OilPressure, a.oil_pressure.get() * PASCALS_PER_BAR);
    to.put(C::OilTemperature, a.oil_temperature.get());
    to.put(C::WaterTemperature, a.water_temperature.get());
    to.put(C::FuelVolume, a.fuel_level.get());
    to.put(C::FuelVolumeCapacity, a.fuel_capacity.get());
    to.put(C::ClutchEngagement, a.clutch_engagement.get());
    to.put(C::RpmAfterClutch, a.rpm_after_clutch.get());
    to.switch(C::RevLimiter, flags.rev_limit());
    to.switch(C::Handbrake, flags.handbrake());
    to.switch(C::Lights, flags.lights());
    to.switch(C::AsmActive, flags.asm());
    to.switch(C::TcsActive, flags.tcs());
    to.put(C::GameFlags, f32::from(flags.0));
}

fn direction<O: ByteOrder>(a: &PacketA<O>, to: &mut Values) -> Option<Rotation> {
    to.vector(C::AngularVelocity, left_up_ahead(a.angular_velocity.get()));
    let Some(rotation) = Rotation::new(a.rotation.get(), a.rotation_w.get()) else {
        to.not_numbers += 1;
        return None;
    };
    let forward = rotation.forward().map(|part| part as f32);
    let [x, _, z] = forward;
    to.vector(C::Forward, forward);
    to.vector(C::Right, rotation.right().map(|part| part as f32));
    to.put(C::Yaw, x.atan2(z));
    to.vector(C::LocalVelocity, rotation.to_driver(a.velocity.get()).map(|part| part as f32));
    Some(rotation)
}

fn extension_b(b: &ExtensionB, to: &mut Values) {
    // In the game, left is positive; here, right is.
    to.put(C::SteeringAngle, -b.steering_angle.get());
    to.put(C::SteeringSpeed, -b.steering_speed.get());
    // Sway is positive to the right.
    to.acceleration([-b.sway.get(), b.heave.get(), b.surge.get()]);
}

fn extension_tilde(tilde: &ExtensionTilde, to: &mut Values) {
    to.put(C::ThrottlePedal, share(tilde.throttle_pedal));
    to.put(C::BrakeApplied, share(tilde.brake_applied));
    to.wheels(C::TorqueVectoring, tilde.torque_vectoring.map(|value| value.get()));
    to.put(C::EnergyRecovery, tilde.energy_recovery.get());
    to.put(C::PowertrainUnnamed, tilde.unnamed_0x154.get());
}

fn extension_c(c: &ExtensionC, to: &mut Values) {
    to.wheels(C::Surface, c.surface.map(|letter| f32::from(surface(letter).number())));
    to.put_slot(C::WheelAngle.of(Wheel::FrontLeft), -c.wheel_angle_fl.get());
    to.put_slot(C::WheelAngle.of(Wheel::FrontRight), -c.wheel_angle_fr.get());
    to.put(C::Wheelbase, c.wheelbase.get());
}

fn surface(letter: u8) -> Surface {
    match letter {
        b'T' => Surface::Tarmac,
        b'C' => Surface::Kerb,
        b'D' => Surface::Dirt,
        b'G' => Surface::Grass,
        b'S' => Surface::Sand,
        b's' => Surface::Snow,
        other => Surface::Other(other),
    }
}

fn share(value: u8) -> f32 {
    f32::from(value) / 255.0
}

fn pairs([a, b, c, d]: [f32; 4], [w, x, y, z]: [f32; 4], of: impl Fn(f32, f32) -> f32) -> [f32; 4] {
    [of(a, w), of(b, x), of(c, y), of(d, z)]
}
