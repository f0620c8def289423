//! The packets byte for byte: little endian, packed. Only the older description's packets have a header.

use trailbrake_model::Wheel;
use zerocopy::LE;

use crate::{Text, Vec3};

type F32 = zerocopy::F32<LE>;
type I32 = zerocopy::I32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

/// The wheel order of every array in the packets that the games send.
pub const WHEELS: [Wheel; 4] = {
    use Wheel::{FrontLeft, FrontRight, RearLeft, RearRight};
    [RearLeft, RearRight, FrontLeft, FrontRight]
};

/// The wheel order of every array in the older description.
pub const OLDER_WHEELS: [Wheel; 4] = Wheel::ALL;

layouts! {
    /// All 66 channels. A packet holds the first ones, as many as the game is set to send.
    struct Channels[264] {
        total_time: F32,
        lap_time: F32,
        lap_distance: F32,
        progress: F32,
        position: Vec3<F32>,
        speed: F32,
        velocity: Vec3<F32>,
        right: Vec3<F32>,
        forward: Vec3<F32>,
        suspension_position: [F32; 4],
        suspension_velocity: [F32; 4],
        wheel_speed: [F32; 4],
        throttle: F32,
        steer: F32,
        brake: F32,
        clutch: F32,
        gear: F32,
        g_lateral: F32,
        g_longitudinal: F32,
        lap: F32,
        engine_rate: F32,
        native_sli_support: F32,
        race_position: F32,
        kers_level: F32,
        kers_level_max: F32,
        drs: F32,
        traction_control: F32,
        abs: F32,
        fuel_in_tank: F32,
        fuel_capacity: F32,
        in_pits: F32,
        sector: F32,
        sector_1_time: F32,
        sector_2_time: F32,
        brake_temp: [F32; 4],
        tyre_pressure: [F32; 4],
        laps_completed: F32,
        total_laps: F32,
        track_length: F32,
        last_lap_time: F32,
        max_rpm: F32,
        idle_rpm: F32,
        max_gears: F32,
    }

    /// Three floats in the motion packet's order: x, z, y, with the height last.
    struct MotionVector[12] {
        x: F32,
        z: F32,
        y: F32,
    }

    /// Three integers in the same order: a position in fractions of a metre.
    struct MotionPosition[12] {
        x: I32,
        z: I32,
        y: I32,
    }

    /// The packet for extradata 0: motion only.
    struct Motion[68] {
        total_time: U32,
        angular_velocity: MotionVector,
        yaw: F32,
        pitch: F32,
        roll: F32,
        acceleration: MotionVector,
        velocity: MotionVector,
        position: MotionPosition,
        four_cc: Text<4>,
    }

    /// The single packet of the first game in the older description.
    struct OlderSingle[173] {
        total_time: F32,
        lap_time: F32,
        lap_distance: F32,
        total_distance: F32,
        position: Vec3<F32>,
        speed: F32,
        velocity: Vec3<F32>,
        roll: Vec3<F32>,
        pitch: Vec3<F32>,
        suspension_position: [F32; 4],
        suspension_velocity: [F32; 4],
        wheel_speed: [F32; 4],
        throttle: F32,
        steer: F32,
        brake: F32,
        clutch: F32,
        handbrake: F32,
        gear: i8,
        g_lateral: F32,
        g_longitudinal: F32,
        lap: F32,
        rpm: F32,
        slip_front: F32,
        slip_rear: F32,
        angular_velocity: Vec3<F32>,
    }

    /// Packet 0 of the second game in the older description.
    struct OlderMotion[154] {
        packet_id: u8,
        format: u8,
        position: Vec3<F32>,
        velocity: Vec3<F32>,
        pitch: Vec3<F32>,
        roll: Vec3<F32>,
        yaw: Vec3<F32>,
        angular_velocity: Vec3<F32>,
        g_lateral: F32,
        g_longitudinal: F32,
        g_vertical: F32,
        suspension_position: [F32; 4],
        suspension_velocity: [F32; 4],
        suspension_acceleration: [F32; 4],
        wheel_speed: [F32; 4],
        slip: F32,
    }

    /// The part of the older description's packet 6 whose offsets all readings agree on.
    struct OlderControls[46] {
        packet_id: u8,
        format: u8,
        speed: F32,
        rpm: U16,
        gear: U16,
        suggested_gear: U16,
        throttle: u8,
        steer: i8,
        brake: u8,
        clutch: u8,
        handbrake: u8,
        fuel: u8,
        engine_temp: F32,
        brake_temp: [U16; 4],
        tyre_surface_temp: [U16; 4],
        tyre_inner_temp: [U16; 4],
    }

    /// The older description's packet 6 with four bytes per number.
    struct OlderTelemetry[78] {
        controls: OlderControls,
        tyre_pressure: [F32; 4],
        surface_type: [F32; 4],
    }

    /// The older description's packet 6 with the sizes that it prints, which leave no room for pressures and surfaces.
    struct OlderTelemetryShort[62] {
        controls: OlderControls,
        unclear: [u8; 16],
    }
}

#[cfg(test)]
mod tests;
