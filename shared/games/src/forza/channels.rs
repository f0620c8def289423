//! Channels that no row of the packet becomes by itself: they need several fields, or the axes of the model.

use trailbrake_model::units::MPS2_PER_G;
use trailbrake_model::{Channel as C, Surface, Wheel};

use super::layout::Packet;
use super::race_point::RacePoint;
use crate::Vec3;
use crate::table::Values;

/// Adds those that every form has.
pub(super) fn add(packet: &Packet, to: &mut Values) {
    let Vec3 { x: right, y: up, z: ahead } = packet.acceleration;
    to.put(C::GLateral, -right / MPS2_PER_G);
    to.put(C::GVertical, up / MPS2_PER_G);
    to.put(C::GLongitudinal, ahead / MPS2_PER_G);
    to.put(C::LocalVelocity, mirrored(packet.velocity));
    // A mirrored rotation keeps its sense about the mirrored axis and turns about the others.
    let Vec3 { x, y, z } = packet.angular_velocity;
    to.put(C::AngularVelocity, Vec3 { x, y: -y, z: -z });
    let ((yaw_sin, yaw_cos), (pitch_sin, pitch_cos)) = (packet.yaw.sin_cos(), packet.pitch.sin_cos());
    to.put(C::Forward, Vec3 { x: -yaw_sin * pitch_cos, y: -pitch_sin, z: yaw_cos * pitch_cos });
    surfaces(packet, to);
}

/// Adds those of a car with a place in the world.
pub(super) fn add_dash(packet: &Packet, point: &RacePoint, lap_distance: Option<f32>, to: &mut Values) {
    to.put(C::Position, packet.position.map(mirrored));
    if point.is_racing() {
        to.put(C::LapClock, packet.current_lap);
    }
    to.put(C::LapDistance, lap_distance);
}

/// The speed of a car whose packet has none: the length of its velocity.
pub(super) fn speed(packet: &Packet) -> f32 {
    let Vec3 { x, y, z } = packet.velocity;
    packet.speed.unwrap_or((x * x + y * y + z * z).sqrt())
}

/// The games say only whether a wheel is on a kerb or in a puddle.
fn surfaces(packet: &Packet, to: &mut Values) {
    let under = packet.wheel_on_rumble_strip.0.into_iter().zip(packet.wheel_in_puddle.0);
    for (wheel, (kerb, puddle)) in Wheel::ALL.into_iter().zip(under) {
        let surface = match (kerb, puddle) {
            (_, depth) if depth > 0.0 => Surface::Water,
            (1.., _) => Surface::Kerb,
            _ => Surface::Other(0),
        };
        to.add(C::Surface.of(wheel), f32::from(surface.number()));
    }
}

/// A vector of the game, whose x axis points the other way than the model's.
fn mirrored(Vec3 { x, y, z }: Vec3<f32>) -> Vec3<f32> {
    Vec3 { x: -x, y, z }
}
