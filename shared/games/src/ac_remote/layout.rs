//! The packets byte for byte: little-endian, with the padding of the game's compiler.
//!
//! Fields are named after their content. Two of the game's own names are wrong: its `accG_vertical` is the lateral
//! acceleration and its `accG_horizontal` the vertical one.

use zerocopy::LE;

use super::text::WideText;
use crate::Vec3;

type F32 = zerocopy::F32<LE>;
type I32 = zerocopy::I32<LE>;
/// 50 UTF-16 units.
type Name = WideText<100>;

layouts! {
    /// A request to the game.
    struct Request[12] {
        identifier: I32,
        version: I32,
        operation: I32,
    }

    /// The game's answer to a handshake.
    struct Answer[408] {
        car_name: Name,
        driver_name: Name,
        identifier: I32,
        version: I32,
        track_name: Name,
        track_config: Name,
    }

    /// The player's car at one moment.
    struct Update[328] {
        identifier: u8,
        padding_1: [u8; 3],
        size: I32,
        speed_kmh: F32,
        speed_mph: F32,
        speed_ms: F32,
        abs_enabled: u8,
        abs_acting: u8,
        tc_acting: u8,
        tc_enabled: u8,
        in_pit: u8,
        engine_limiter_on: u8,
        padding_26: [u8; 2],
        g_lateral: F32,
        g_vertical: F32,
        g_longitudinal: F32,
        lap_time: I32,
        last_lap: I32,
        best_lap: I32,
        lap_count: I32,
        gas: F32,
        brake: F32,
        clutch: F32,
        engine_rpm: F32,
        steer: F32,
        gear: I32,
        cg_height: F32,
        wheel_angular_speed: [F32; 4],
        slip_angle: [F32; 4],
        slip_angle_contact_patch: [F32; 4],
        slip_ratio: [F32; 4],
        tyre_slip: [F32; 4],
        nd_slip: [F32; 4],
        load: [F32; 4],
        dy: [F32; 4],
        mz: [F32; 4],
        tyre_dirty_level: [F32; 4],
        camber: [F32; 4],
        tyre_radius: [F32; 4],
        tyre_loaded_radius: [F32; 4],
        suspension_height: [F32; 4],
        position_normalised: F32,
        slope: F32,
        position: Vec3<F32>,
    }

    /// A lap completed by any car of the session.
    struct Lap[212] {
        car_identifier: I32,
        lap: I32,
        driver_name: Name,
        car_name: Name,
        time: I32,
    }
}

#[cfg(test)]
mod tests;
