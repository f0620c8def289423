//! The two packets byte for byte, packed and little-endian. Telemetry is a type byte and one record per car.

use zerocopy::LE;

use crate::table::{
    Degrees, FromReverse, FrontFirst, Kmh, Milliseconds, ONE_VERSION, Released, Rest, Switch,
};
use crate::{Text, Vec3};

type F32 = zerocopy::F32<LE>;
type F64 = zerocopy::F64<LE>;
type I16 = zerocopy::I16<LE>;
type I32 = zerocopy::I32<LE>;
type U32 = zerocopy::U32<LE>;

/// The first byte of a telemetry packet.
pub const TELEMETRY: u8 = 22;
/// The first byte of a version packet.
pub const VERSION: u8 = 23;
/// The constant value of `test_float`.
pub const TEST_FLOAT: f32 = 666.666;
/// The constant value of `test_int`.
pub const TEST_INT: u32 = 666;
/// Tolerance of the floating-point marker.
const MARKER_TOLERANCE: f32 = 0.01;

packets! {
    ONE_VERSION;

    /// One car. The three unknown ranges are undocumented.
    record Driver [357] {
        driver_id: U32,
        lap_time: U32 => LapClock in Milliseconds,
        last_lap: U32,
        best_lap: U32,
        current_sectors: [I32; 3],
        last_sectors: [I32; 3],
        steer: F32 => SteeringAngle in Degrees,
        unknown_44: u8,
        throttle: F32 => Throttle,
        brake: F32 => Brake,
        clutch: F32 => Clutch in Released,
        gear: I16 => Gear in FromReverse,
        engine_rpm: F32 => Rpm,
        speed_kmh: F32 => Speed in Kmh,
        track_position: I16,
        leaderboard_position: I16,
        lap_count: I16,
        position: Vec3<F32> => Position,
        spline_position: F64 => LapShare,
        test_float: F32,
        driver_name: Words<33>,
        nationality: Words<4>,
        car_name: Words<33>,
        tyre_compound: Words<10>,
        test_int: U32,
        connected: u8,
        in_pit: u8,
        in_pit_lane: u8,
        lap_invalidated: u8,
        // As in the game's remote telemetry: left, up and forward are positive.
        acc_g: [F32; 3] => [GLateral, GVertical, GLongitudinal],
        drs_available: u8 => DrsAllowed in Switch,
        drs_enabled: u8 => Drs in Switch,
        race_finished: u8,
        unknown_200: [u8; 5],
        ers_max_kj: F32,
        ers_current_kj: F32,
        tyre_dirt: FrontFirst<F32> => TyreDirt,
        turbo_boost: F32 => BoostLevel,
        ride_height: [F32; 2] => [RideHeightFront, RideHeightRear],
        tyre_core_temperature: FrontFirst<F32> => TyreInnerTemperature,
        slip_ratio: FrontFirst<F32> => WheelSlip,
        slip_angle_deg: FrontFirst<F32> => SlipAngle in Degrees,
        nd_slip: FrontFirst<F32> => CombinedSlip,
        wheel_slip: FrontFirst<F32> => SlipLevel,
        world_velocity: Vec3<F32> => Velocity,
        local_velocity: Vec3<F32> => LocalVelocity,
        unknown_345: [u8; 12],
    }

    /// All cars.
    packet Telemetry [1] {
        packet_type: u8,
        drivers: Rest<Driver>,
    }

    /// The plugin's version, in four undocumented bytes.
    record Version [5] {
        packet_type: u8,
        content: [u8; 4],
    }
}

impl Driver {
    /// Whether both markers are in place; otherwise the plugin uses another record layout.
    pub fn is_marked(&self) -> bool {
        (self.test_float - TEST_FLOAT).abs() < MARKER_TOLERANCE && self.test_int == TEST_INT
    }
}

/// Text in `N` bytes. Invalid UTF-8 is read as Latin-1, the other encoding of games of this age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Words<const N: usize>(pub [u8; N]);

text! { Words }

impl<const N: usize> Words<N> {
    /// The text up to its end.
    pub fn read(&self) -> String {
        let text = self.0.split(|&byte| byte == 0).next().unwrap_or_default();
        match std::str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) => text.iter().copied().map(char::from).collect(),
        }
    }

    /// Encodes the text, cut at a character boundary so that it fits with its terminating zero.
    pub fn write(text: &str) -> Self {
        Self(Text::write(text).0)
    }
}

#[cfg(test)]
mod tests;
