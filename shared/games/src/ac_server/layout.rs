//! Layouts of the server's and the plugin's messages, without the leading message number.

use zerocopy::LE;

use super::text::{ByteText, Utf32Text};
use crate::Vec3;
use crate::table::{Counted, FromReverse, Version as TableVersion, Versions};

type F32 = zerocopy::F32<LE>;
type I16 = zerocopy::I16<LE>;
type I32 = zerocopy::I32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

/// A server program's encoding of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavour {
    /// Servers before protocol version 4, whose leaderboard does not say who has finished.
    Early = 1,
    /// The server that comes with the game.
    #[default]
    Vanilla = 2,
    /// AssettoServer: the weather has four bytes per character, the report's name has one.
    AssettoServer = 3,
}

/// The flavours as versions of the tables.
const FLAVOURS: Versions = Versions(&[1, 2, 3]);

impl Flavour {
    /// Every flavour, most common first.
    pub const ALL: [Self; 3] = [Self::Vanilla, Self::AssettoServer, Self::Early];

    /// The version of the tables.
    pub const fn version(self) -> TableVersion {
        FLAVOURS.at(self as usize - 1)
    }
}

/// Stands for no lap time, in practice and qualifying.
pub const NO_TIME: u32 = 999_999_999;
/// Stands for no other car.
pub const NO_CAR: u8 = 255;

packets! {
    FLAVOURS;

    /// Information about a session.
    message Session [22] {
        protocol_version: u8,
        session_index: u8,
        current_session_index: u8,
        session_count: u8,
        server_name: Utf32Text,
        track: ByteText,
        track_config: ByteText,
        name: ByteText,
        session_type: u8,
        time: U16,
        laps: U16,
        wait_time: U16,
        ambient_temp: u8,
        road_temp: u8,
        weather_graphics: ByteText [..3] | Utf32Text [3],
        elapsed_ms: I32,
    }

    /// A driver who has connected or left.
    message Connection [5] {
        driver_name: Utf32Text,
        driver_guid: Utf32Text,
        car_id: u8,
        car_model: ByteText,
        car_skin: ByteText,
    }

    /// A car's position.
    record CarUpdate [32] {
        car_id: u8,
        world_position: Vec3<F32> => Position,
        velocity: Vec3<F32> => Velocity,
        gear: u8 => Gear in FromReverse,
        engine_rpm: U16 => Rpm,
        normalised_spline_position: F32 => LapShare,
    }

    /// A slot of the entry list.
    message CarInfo [7] {
        car_id: u8,
        is_connected: u8,
        model: Utf32Text,
        skin: Utf32Text,
        driver_name: Utf32Text,
        driver_team: Utf32Text,
        driver_guid: Utf32Text,
    }

    /// The session has ended.
    message EndSession [1] {
        report_file: Utf32Text [..3] | ByteText [3],
    }

    /// The server has started.
    record Version [1] {
        protocol_version: u8,
    }

    /// A chat message.
    message Chat [2] {
        car_id: u8,
        message: Utf32Text,
    }

    /// A car's game has finished loading.
    record ClientLoaded [1] {
        car_id: u8,
    }

    /// The plugin's request failed.
    message Error [1] {
        text: Utf32Text,
    }

    /// A car has completed a lap.
    message LapCompleted [11] {
        car_id: u8,
        lap_time: U32,
        cuts: u8,
        leaderboard: Counted<Row>,
        grip_level: F32,
    }

    /// A car hit another one.
    record CarCollision [30] {
        car_id: u8,
        other_car_id: u8,
        impact_speed: F32,
        world_position: Vec3<F32>,
        relative_position: Vec3<F32>,
    }

    /// A car hit something else.
    record WallCollision [29] {
        car_id: u8,
        impact_speed: F32,
        world_position: Vec3<F32>,
        relative_position: Vec3<F32>,
    }

    /// The interval between positions that the plugin requests.
    record Interval [2] {
        milliseconds: U16,
    }

    /// The slot that a request is about.
    record Slot [1] {
        car_id: u8,
    }

    /// A broadcast, or an administrator's command.
    message Text [1] {
        text: Utf32Text,
    }

    /// The session that the plugin asks about: −1 for the current one.
    record SessionIndex [2] {
        session_index: I16,
    }

    /// A session's new settings. Unlike in [`Session`], times are in seconds.
    message SetSession [15] {
        session_index: u8,
        name: Utf32Text,
        session_type: u8,
        laps: U32,
        time_seconds: U32,
        wait_time_seconds: U32,
    }

    /// A slot on the leaderboard.
    record Row [7, 8, 8] {
        car_id: u8,
        // In a race, the time at the last line crossing since the car's start; otherwise the best clean lap; milliseconds.
        time: U32,
        // Completed laps in a race, otherwise clean laps.
        laps: U16,
        // Whether the car has taken the chequered flag.
        has_completed: u8 [2..],
    }
}
