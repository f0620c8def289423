//! Records → channels: the only place where signs, units and numberings are converted.

use trailbrake_model::units::MPS_PER_KMH;
use trailbrake_model::{Axis, Channel as C, Slot, Wheel};

use super::layout::Driver;

const JOULES_PER_KJ: f32 = 1e3;
/// The game counts gears from reverse: 0 is R, 1 is N, 2 is first.
const NEUTRAL: f32 = 1.0;

type F32 = zerocopy::F32<zerocopy::LE>;

/// Appends every channel of a record.
pub(super) fn fill(driver: &Driver, to: &mut Vec<(Slot, f32)>) {
    let float = |value: F32| value.get();
    let switch = |on: u8| f32::from(u8::from(on != 0));
    let mut put = |channel: C, value: f32| to.push((channel.slot(), value));
    put(C::Speed, float(driver.speed_kmh) * MPS_PER_KMH);
    put(C::Throttle, float(driver.throttle));
    put(C::Brake, float(driver.brake));
    // The game's clutch is 1 when the pedal is released.
    put(C::Clutch, 1.0 - float(driver.clutch));
    put(C::SteeringAngle, float(driver.steer).to_radians());
    put(C::Gear, f32::from(driver.gear.get()) - NEUTRAL);
    put(C::Rpm, float(driver.engine_rpm));
    put(C::LapClock, (f64::from(driver.lap_time.get()) / 1e3) as f32);
    put(C::LapShare, driver.spline_position.get() as f32);
    let places = [(C::RacePosition, driver.leaderboard_position), (C::TrackOrder, driver.track_position)];
    for (channel, place) in places.into_iter().filter(|(_, place)| place.get() > 0) {
        put(channel, f32::from(place.get()));
    }
    // Lateral, vertical, longitudinal, as in the game's remote telemetry: left, up and forward are positive.
    let [left, up, ahead] = driver.acc_g.map(float);
    put(C::GLateral, left);
    put(C::GVertical, up);
    put(C::GLongitudinal, ahead);
    put(C::DrsAllowed, switch(driver.drs_available));
    put(C::Drs, switch(driver.drs_enabled));
    put(C::BoostLevel, float(driver.turbo_boost));
    // A car without ERS sends zero capacity.
    if driver.ers_max_kj.get() != 0.0 || driver.ers_current_kj.get() != 0.0 {
        put(C::ErsCapacity, float(driver.ers_max_kj) * JOULES_PER_KJ);
        put(C::ErsStore, float(driver.ers_current_kj) * JOULES_PER_KJ);
    }
    let [front, rear] = driver.ride_height.map(float);
    put(C::RideHeightFront, front);
    put(C::RideHeightRear, rear);
    for (channel, vector) in [
        (C::Position, driver.position),
        (C::Velocity, driver.world_velocity),
        (C::LocalVelocity, driver.local_velocity),
    ] {
        to.extend(Axis::ALL.into_iter().zip(vector.get()).map(|(axis, value)| (channel.along(axis), value)));
    }
    for (channel, wheels) in [
        (C::TyreDirt, driver.tyre_dirt.map(float)),
        (C::TyreInnerTemperature, driver.tyre_core_temperature.map(float)),
        (C::WheelSlip, driver.slip_ratio.map(float)),
        (C::SlipAngle, driver.slip_angle_deg.map(|degrees| degrees.get().to_radians())),
        (C::CombinedSlip, driver.nd_slip.map(float)),
        (C::SlipLevel, driver.wheel_slip.map(float)),
    ] {
        // The game's wheel order is the model's.
        to.extend(Wheel::ALL.into_iter().zip(wheels).map(|(wheel, value)| (channel.of(wheel), value)));
    }
}
