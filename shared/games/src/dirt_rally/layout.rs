//! The packets byte for byte: little endian, packed. Only the older description's packets have a header.

use trailbrake_model::units::PASCALS_PER_PSI;
use trailbrake_model::{Channel, Surface};
use zerocopy::LE;

pub use super::sent_wheels::SentWheels;
use crate::table::{
    Becomes, FrontFirst, Measure, Millimetres, ONE_VERSION, Percent, Psi, RadiansPerSecond, RearFirst,
    Values, Version, Versions, measures,
};
use crate::{Text, Vec3};

type F32 = zerocopy::F32<LE>;
type I32 = zerocopy::I32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

/// The last channel of the list that the game is set to send.
pub const LAST_CHANNELS: Versions = Versions(&[
    37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
    63, 64, 65,
]);
/// All of them.
pub const ALL_CHANNELS: Version = LAST_CHANNELS.at(LAST_CHANNELS.len() - 1);

packets! {
    LAST_CHANNELS;

    /// The list of channels. A packet ends behind its last one.
    record Channels [
        152, 156, 160, 164, 168, 172, 176, 180, 184, 188, 192, 196, 200, 204, 208, 212, 216, 220, 224, 228, 232, 236, 240,
        244, 248, 252, 256, 260, 264
    ] {
        total_time: F32,
        lap_time: F32 => LapClock,
        lap_distance: F32,
        progress: F32 => StageProgress,
        position: Vec3<F32> => Position,
        speed: F32 => Speed,
        velocity: Vec3<F32> => Velocity,
        right: Vec3<F32> => Right,
        forward: Vec3<F32> => Forward,
        suspension_position: RearFirst<F32> => SuspensionPosition in Millimetres,
        suspension_velocity: RearFirst<F32> => SuspensionVelocity in Millimetres,
        wheel_speed: RearFirst<F32> => WheelSpeed,
        throttle: F32 => Throttle,
        steer: F32 => Steering,
        brake: F32 => Brake,
        clutch: F32 => Clutch,
        gear: F32 => Gear in ReverseGear,
        g_lateral: F32 => GLateral,
        g_longitudinal: F32 => GLongitudinal,
        lap: F32,
        engine_rate: F32 => Rpm in RadiansPerSecond,
        native_sli_support: F32 [38..],
        race_position: F32 [39..] => RacePosition,
        kers_level: F32 [40..],
        kers_level_max: F32 [41..] => KersCapacity in OnceFilled,
        drs: F32 [42..] => Drs,
        traction_control: F32 [43..] => TractionControl,
        abs: F32 [44..] => Abs,
        fuel_in_tank: F32 [45..],
        fuel_capacity: F32 [46..] => FuelCapacity in OnceFilled,
        in_pits: F32 [47..],
        sector: F32 [48..],
        sector_1_time: F32 [49..],
        sector_2_time: F32 [50..],
        brake_temp: SentWheels<51> [51..] => BrakeTemperature in OnceWarm,
        tyre_pressure: SentWheels<55> [55..] => TyrePressure in PsiOnceFilled,
        laps_completed: F32 [59..],
        total_laps: F32 [60..],
        track_length: F32 [61..],
        last_lap_time: F32 [62..],
        max_rpm: F32 [63..] => MaxRpm in RadiansPerSecond,
        idle_rpm: F32 [64..] => IdleRpm in RadiansPerSecond,
        max_gears: F32 [65..] => MaxGears,
    }
}

packets! {
    ONE_VERSION;

    /// Three floats in the motion packet's order: x, z, y, with the height last.
    record MotionVector [12] {
        x: F32,
        z: F32,
        y: F32,
    }

    /// Three integers in the same order: a position in fractions of a metre.
    record MotionPosition [12] {
        x: I32,
        z: I32,
        y: I32,
    }

    /// The packet for extradata 0: motion only.
    record Motion [68] {
        total_time: U32,
        angular_velocity: MotionVector => AngularVelocity,
        yaw: F32 => Yaw,
        pitch: F32 => Pitch,
        roll: F32 => Roll,
        acceleration: MotionVector => Acceleration,
        velocity: MotionVector => Velocity,
        position: MotionPosition,
        four_cc: Text<4>,
    }

    /// The single packet of the first game in the older description.
    record OlderSingle [173] {
        total_time: F32,
        lap_time: F32 => LapClock,
        lap_distance: F32 => LapDistance,
        total_distance: F32 => TotalDistance,
        position: Vec3<F32> => Position,
        speed: F32 => Speed,
        velocity: Vec3<F32> => Velocity,
        // In this description, "roll" is the vector to the right and "pitch" the vector ahead.
        roll: Vec3<F32> => Right,
        pitch: Vec3<F32> => Forward,
        suspension_position: FrontFirst<F32> => SuspensionPosition in Millimetres,
        suspension_velocity: FrontFirst<F32> => SuspensionVelocity in Millimetres,
        wheel_speed: FrontFirst<F32> => WheelSpeed,
        throttle: F32 => Throttle,
        steer: F32 => Steering,
        brake: F32 => Brake,
        clutch: F32 => Clutch,
        handbrake: F32 => Handbrake,
        gear: i8 => Gear in ReverseGear,
        g_lateral: F32 => GLateral,
        g_longitudinal: F32 => GLongitudinal,
        lap: F32,
        rpm: F32 => Rpm,
        slip_front: F32 => SlipFront,
        slip_rear: F32 => SlipRear,
        angular_velocity: Vec3<F32> => AngularVelocity,
    }

    /// Packet 0 of the second game in the older description.
    record OlderMotion [154] {
        packet_id: u8,
        format: u8,
        position: Vec3<F32> => Position,
        velocity: Vec3<F32> => Velocity,
        pitch: Vec3<F32> => Forward,
        roll: Vec3<F32> => Right,
        yaw: Vec3<F32> => Up,
        angular_velocity: Vec3<F32> => AngularVelocity,
        g_lateral: F32 => GLateral,
        g_longitudinal: F32 => GLongitudinal,
        g_vertical: F32 => GVertical,
        suspension_position: FrontFirst<F32> => SuspensionPosition in Millimetres,
        suspension_velocity: FrontFirst<F32> => SuspensionVelocity in Millimetres,
        suspension_acceleration: FrontFirst<F32> => SuspensionAcceleration in Millimetres,
        wheel_speed: FrontFirst<F32> => WheelSpeed,
        slip: F32 => Slip,
    }
}

/// The sizes of the older description's packet 6: as it prints them, which leaves no room for pressures and surfaces, and
/// with four bytes per number.
pub const TELEMETRY_SIZES: Versions = Versions(&[62, 78]);

packets! {
    TELEMETRY_SIZES;

    /// The part of the older description's packet 6 whose offsets all readings agree on.
    record OlderControls [46, 46] {
        packet_id: u8,
        format: u8,
        speed: F32 => Speed,
        rpm: U16 => Rpm,
        gear: U16 => Gear in ReverseGear,
        suggested_gear: U16 => SuggestedGear in ReverseGear,
        throttle: u8 => Throttle in Percent,
        steer: i8 => Steering in Percent,
        brake: u8 => Brake in Percent,
        clutch: u8 => Clutch in Percent,
        handbrake: u8 => Handbrake in Percent,
        fuel: u8 => FuelShare in Percent,
        engine_temp: F32 => EngineTemperature,
        brake_temp: FrontFirst<U16> => BrakeTemperature,
        tyre_surface_temp: FrontFirst<U16> => TyreSurfaceTemperature,
        tyre_inner_temp: FrontFirst<U16> => TyreInnerTemperature,
    }

    /// The older description's packet 6.
    record OlderTelemetry [62, 78] {
        controls: OlderControls,
        tyre_pressure: FrontFirst<F32> [78] => TyrePressure in Psi,
        surface_type: FrontFirst<F32> [78] => Surface in OlderSurface,
        unclear: [u8; 16] [62],
    }
}

measures! {
    /// A gear, whose reverse is −1 in the second game and 10 in the first. In 16 bits without a sign, −1 is the largest number.
    ReverseGear: |gear| match gear {
        10.0 => -1.0,
        32_768.0.. => gear - 65_536.0,
        _ => gear,
    };
    /// What the rally games leave at zero.
    OnceFilled: |value| value, if value != 0.0;
    /// Pounds per square inch, which the rally games leave at zero.
    PsiOnceFilled: |psi| psi * PASCALS_PER_PSI, if psi != 0.0;
    /// The temperature of a brake, which is sent far below zero until the brake is warm.
    OnceWarm: |celsius| celsius, if celsius >= 0.0;
    /// A surface. The older description numbers its eight as the model does.
    OlderSurface: |number| match number {
        number if !number.is_finite() || (0.0..8.0).contains(&number) => number,
        number => f32::from(Surface::Other(number as u8).number()),
    };
}

impl Becomes for MotionVector {
    #[inline(always)]
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
        Vec3 { x: self.x, y: self.y, z: self.z }.put::<M, ALL>(channel, values);
    }
}

#[cfg(test)]
mod tests;
