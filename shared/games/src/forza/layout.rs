//! The packet byte for byte: little endian, packed, without a header. Its length is its version.

use zerocopy::LE;

use crate::Vec3;
use crate::table::{FrontFirst, Number, Of255, Opposite, Psi, Versions, measures};

type F32 = zerocopy::F32<LE>;
type I32 = zerocopy::I32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

/// The lengths of the forms: Sled, Dash of Motorsport 7, the Horizon games, Dash of Motorsport 2023.
pub const LENGTHS: Versions = Versions(&[232, 311, 324, 331]);

packets! {
    LENGTHS;

    /// The game's only packet. The Horizon games put three values in front of what the dashboards show.
    record Packet [232, 311, 324, 331] {
        is_race_on: I32,
        timestamp_ms: U32,
        engine_max_rpm: F32 => MaxRpm,
        engine_idle_rpm: F32 => IdleRpm,
        current_engine_rpm: F32 => Rpm,
        // In the game, x points to the right; in the model, to the left.
        acceleration: Vec3<F32>,
        velocity: Vec3<F32>,
        angular_velocity: Vec3<F32>,
        // To the right, nose down and right side up are positive; in the model they are negative.
        yaw: F32 => Yaw in Opposite,
        pitch: F32 => Pitch in Opposite,
        roll: F32 => Roll in Opposite,
        normalized_suspension_travel: FrontFirst<F32>,
        tire_slip_ratio: FrontFirst<F32> => SlipLevel in Magnitude,
        wheel_rotation_speed: FrontFirst<F32>,
        wheel_on_rumble_strip: FrontFirst<I32>,
        // A depth, or in Horizon 6 whether there is a puddle.
        wheel_in_puddle: FrontFirst<F32> [..324] | FrontFirst<Number<I32>> [324] | FrontFirst<F32> [331],
        surface_rumble: FrontFirst<F32>,
        tire_slip_angle: FrontFirst<F32>,
        tire_combined_slip: FrontFirst<F32> => CombinedSlip,
        suspension_travel_meters: FrontFirst<F32> => SuspensionPosition,
        car_ordinal: I32,
        car_class: I32,
        car_performance_index: I32,
        drivetrain_type: I32,
        num_cylinders: I32,

        car_group: U32 [324],
        smashable_vel_diff: F32 [324],
        smashable_mass: F32 [324],

        position: Vec3<F32> [311..],
        speed: F32 [311..] => Speed,
        power: F32 [311..] => PowerEngine,
        torque: F32 [311..],
        tire_temp: FrontFirst<F32> [311..] => TyreTemperature in Fahrenheit,
        boost: F32 [311..] => Boost in Psi,
        fuel: F32 [311..] => FuelShare,
        distance_traveled: F32 [311..],
        best_lap: F32 [311..],
        last_lap: F32 [311..],
        current_lap: F32 [311..],
        current_race_time: F32 [311..],
        lap_number: U16 [311..],
        race_position: u8 [311..] => RacePosition in Ranked,
        accel: u8 [311..] => Throttle in Of255,
        brake: u8 [311..] => Brake in Of255,
        clutch: u8 [311..] => Clutch in Of255,
        handbrake: u8 [311..] => Handbrake in Of255,
        gear: u8 [311..] => Gear in GearFromReverse,
        steer: i8 [311..] => Steering in Of127,
        normalized_driving_line: i8 [311..],
        normalized_ai_brake_difference: i8 [311..],
        unused_323: u8 [324],

        tire_wear: FrontFirst<F32> [331] => TyreWear,
        track_ordinal: I32 [331],
    }
}

measures! {
    /// Degrees Fahrenheit, which become degrees Celsius.
    Fahrenheit: |degrees| (degrees - 32.0) / 1.8;
    /// A value whose sign is left out.
    Magnitude: |value| value.abs();
    /// Parts of 127, which become shares.
    Of127: |part| part / 127.0;
    /// A position in the race, which is 0 where there is no race.
    Ranked: |place| place, if place > 0.0;
    /// A gear: 0 is reverse, 11 the neutral between two gears.
    GearFromReverse: |gear| match gear {
        0.0 => -1.0,
        11.0 => 0.0,
        gear => gear,
    };
}

#[cfg(test)]
mod tests;
