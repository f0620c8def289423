//! The packets byte for byte: little-endian, with the padding of the game's compiler.
//!
//! Fields are named after their content. Two of the game's own names are wrong: its `accG_vertical` is the lateral
//! acceleration and its `accG_horizontal` the vertical one.

use zerocopy::LE;

use super::text::WideText;
use crate::Vec3;
use crate::table::{Degrees, FromReverse, FrontFirst, Milliseconds, ONE_VERSION, Released, Switch};

type F32 = zerocopy::F32<LE>;
type I32 = zerocopy::I32<LE>;
/// 50 UTF-16 units.
type Name = WideText<100>;

packets! {
    ONE_VERSION;

    /// A request to the game.
    record Request [12] {
        identifier: I32,
        version: I32,
        operation: I32,
    }

    /// The game's answer to a handshake.
    record Answer [408] {
        car_name: Name,
        driver_name: Name,
        identifier: I32,
        version: I32,
        track_name: Name,
        track_config: Name,
    }

    /// The player's car at one moment.
    record Update [328] {
        identifier: u8,
        padding_1: [u8; 3],
        size: I32,
        speed_kmh: F32,
        speed_mph: F32,
        speed_ms: F32 => Speed,
        abs_enabled: u8 => Abs in Switch,
        abs_acting: u8 => AbsActive in Switch,
        tc_acting: u8 => TcsActive in Switch,
        tc_enabled: u8 => TractionControl in Switch,
        in_pit: u8,
        engine_limiter_on: u8 => RevLimiter in Switch,
        padding_26: [u8; 2],
        g_lateral: F32 => GLateral,
        g_vertical: F32 => GVertical,
        g_longitudinal: F32 => GLongitudinal,
        lap_time: I32 => LapClock in Milliseconds,
        last_lap: I32,
        best_lap: I32,
        lap_count: I32,
        gas: F32 => Throttle,
        brake: F32 => Brake,
        clutch: F32 => Clutch in Released,
        engine_rpm: F32 => Rpm,
        steer: F32 => SteeringAngle in Degrees,
        gear: I32 => Gear in FromReverse,
        cg_height: F32 => CentreOfMassHeight,
        wheel_angular_speed: FrontFirst<F32>,
        slip_angle: FrontFirst<F32> => SlipAngle in Degrees,
        slip_angle_contact_patch: FrontFirst<F32>,
        slip_ratio: FrontFirst<F32> => WheelSlip,
        tyre_slip: FrontFirst<F32>,
        nd_slip: FrontFirst<F32> => CombinedSlip,
        load: FrontFirst<F32> => TyreLoad,
        dy: FrontFirst<F32> => TyreFriction,
        mz: FrontFirst<F32> => AligningTorque,
        tyre_dirty_level: FrontFirst<F32> => TyreDirt,
        camber: FrontFirst<F32> => Camber,
        tyre_radius: FrontFirst<F32> => TyreRadius,
        tyre_loaded_radius: FrontFirst<F32> => TyreLoadedRadius,
        suspension_height: FrontFirst<F32> => SuspensionPosition,
        position_normalised: F32 => LapShare,
        slope: F32,
        position: Vec3<F32> => Position,
    }

    /// A lap completed by any car of the session.
    record Lap [212] {
        car_identifier: I32,
        lap: I32,
        driver_name: Name,
        car_name: Name,
        time: I32,
    }
}

#[cfg(test)]
mod tests;
