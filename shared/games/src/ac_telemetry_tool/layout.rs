//! The two packets byte for byte, packed and little-endian. Telemetry is a type byte and one record per car.

use zerocopy::{F32, F64, FromBytes, I16, I32, Immutable, IntoBytes, KnownLayout, LE, U32, Unaligned};

use crate::{Fields, Text, Value, Vec3};

/// The first byte of a telemetry packet.
pub const TELEMETRY: u8 = 22;
/// The first byte of a version packet.
pub const VERSION: u8 = 23;
/// The constant value of `test_float`.
pub const TEST_FLOAT: f32 = 666.666;
/// The constant value of `test_int`.
pub const TEST_INT: u32 = 666;

layouts! {
    /// One car. The three unknown ranges are undocumented.
    struct Driver[357] {
        driver_id: U32<LE>,
        lap_time: U32<LE>,
        last_lap: U32<LE>,
        best_lap: U32<LE>,
        current_sectors: [I32<LE>; 3],
        last_sectors: [I32<LE>; 3],
        steer: F32<LE>,
        unknown_44: u8,
        throttle: F32<LE>,
        brake: F32<LE>,
        clutch: F32<LE>,
        gear: I16<LE>,
        engine_rpm: F32<LE>,
        speed_kmh: F32<LE>,
        track_position: I16<LE>,
        leaderboard_position: I16<LE>,
        lap_count: I16<LE>,
        position: Vec3<F32<LE>>,
        spline_position: F64<LE>,
        test_float: F32<LE>,
        driver_name: Words<33>,
        nationality: Words<4>,
        car_name: Words<33>,
        tyre_compound: Words<10>,
        test_int: U32<LE>,
        connected: u8,
        in_pit: u8,
        in_pit_lane: u8,
        lap_invalidated: u8,
        acc_g: [F32<LE>; 3],
        drs_available: u8,
        drs_enabled: u8,
        race_finished: u8,
        unknown_200: [u8; 5],
        ers_max_kj: F32<LE>,
        ers_current_kj: F32<LE>,
        tyre_dirt: [F32<LE>; 4],
        turbo_boost: F32<LE>,
        ride_height: [F32<LE>; 2],
        tyre_core_temperature: [F32<LE>; 4],
        slip_ratio: [F32<LE>; 4],
        slip_angle_deg: [F32<LE>; 4],
        nd_slip: [F32<LE>; 4],
        wheel_slip: [F32<LE>; 4],
        world_velocity: Vec3<F32<LE>>,
        local_velocity: Vec3<F32<LE>>,
        unknown_345: [u8; 12],
    }

    /// The plugin's version, in four undocumented bytes.
    struct Version[5] {
        packet_type: u8,
        content: [u8; 4],
    }
}

/// Text in `N` bytes. Invalid UTF-8 is read as Latin-1, the other encoding of games of this age.
#[derive(Clone, Copy, Debug, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(transparent)]
pub struct Words<const N: usize>(pub Text<N>);

impl<const N: usize> Words<N> {
    /// The text up to its end.
    pub fn read(&self) -> String {
        let Text(room) = &self.0;
        let text = room.split(|&byte| byte == 0).next().unwrap_or_default();
        match std::str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) => text.iter().copied().map(char::from).collect(),
        }
    }

    /// Encodes the text, cut at a character boundary so that it fits with its terminating zero.
    pub fn write(text: &str) -> Self {
        Self(Text::write(text))
    }
}

impl<const N: usize> Fields for Words<N> {
    fn value(&self) -> Value {
        Value::Text(self.read())
    }
}

#[cfg(test)]
mod tests;
