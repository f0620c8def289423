//! Layouts of the server's and the plugin's messages, without the leading message number.

use super::piece::{ByteText, Flavour, Piece, Reader, ReportText, Utf32Text, WeatherText, Writer, pieces};
use crate::Value;

/// Stands for no lap time, in practice and qualifying.
pub const NO_TIME: u32 = 999_999_999;
/// Stands for no other car.
pub const NO_CAR: u8 = 255;

pieces! {
    /// Information about a session.
    struct Session {
        protocol_version: u8,
        session_index: u8,
        current_session_index: u8,
        session_count: u8,
        server_name: Utf32Text,
        track: ByteText,
        track_config: ByteText,
        name: ByteText,
        session_type: u8,
        time: u16,
        laps: u16,
        wait_time: u16,
        ambient_temp: u8,
        road_temp: u8,
        weather_graphics: WeatherText,
        elapsed_ms: i32,
    }

    /// A driver who has connected or left.
    struct Connection {
        driver_name: Utf32Text,
        driver_guid: Utf32Text,
        car_id: u8,
        car_model: ByteText,
        car_skin: ByteText,
    }

    /// A car's position.
    struct CarUpdate {
        car_id: u8,
        world_position: [f32; 3],
        velocity: [f32; 3],
        gear: u8,
        engine_rpm: u16,
        normalised_spline_position: f32,
    }

    /// A slot of the entry list.
    struct CarInfo {
        car_id: u8,
        is_connected: u8,
        model: Utf32Text,
        skin: Utf32Text,
        driver_name: Utf32Text,
        driver_team: Utf32Text,
        driver_guid: Utf32Text,
    }

    /// The session has ended.
    struct EndSession {
        report_file: ReportText,
    }

    /// The server has started.
    struct Version {
        protocol_version: u8,
    }

    /// A chat message.
    struct Chat {
        car_id: u8,
        message: Utf32Text,
    }

    /// A car's game has finished loading.
    struct ClientLoaded {
        car_id: u8,
    }

    /// The plugin's request failed.
    struct Error {
        text: Utf32Text,
    }

    /// A car has completed a lap.
    struct LapCompleted {
        car_id: u8,
        lap_time: u32,
        cuts: u8,
        leaderboard: Leaderboard,
        grip_level: f32,
    }

    /// A car hit another one.
    struct CarCollision {
        car_id: u8,
        other_car_id: u8,
        impact_speed: f32,
        world_position: [f32; 3],
        relative_position: [f32; 3],
    }

    /// A car hit something else.
    struct WallCollision {
        car_id: u8,
        impact_speed: f32,
        world_position: [f32; 3],
        relative_position: [f32; 3],
    }

    /// The interval between positions that the plugin requests.
    struct Interval {
        milliseconds: u16,
    }

    /// The slot that a request is about.
    struct Slot {
        car_id: u8,
    }

    /// A broadcast, or an administrator's command.
    struct Text {
        text: Utf32Text,
    }

    /// The session that the plugin asks about: −1 for the current one.
    struct SessionIndex {
        session_index: i16,
    }

    /// A session's new settings. Unlike in [`Session`], times are in seconds.
    struct SetSession {
        session_index: u8,
        name: Utf32Text,
        session_type: u8,
        laps: u32,
        time_seconds: u32,
        wait_time_seconds: u32,
    }
}

/// Every slot of the entry list, leader first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaderboard(pub Vec<Row>);

/// A slot on the leaderboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The slot.
    pub car_id: u8,
    /// In a race, the time at the last line crossing since the car's start; otherwise the best clean lap; milliseconds.
    pub time: u32,
    /// Completed laps in a race, otherwise clean laps.
    pub laps: u16,
    /// Whether the car has taken the chequered flag; early servers don't send it.
    pub has_completed: Option<u8>,
}

impl Row {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (car_id, time, laps) = (u8::read(from)?, u32::read(from)?, u16::read(from)?);
        let has_completed = if from.flavour == Flavour::Early { None } else { Some(u8::read(from)?) };
        Some(Self { car_id, time, laps, has_completed })
    }

    fn write(&self, to: &mut Writer) {
        self.car_id.write(to);
        self.time.write(to);
        self.laps.write(to);
        if to.flavour != Flavour::Early {
            self.has_completed.unwrap_or_default().write(to);
        }
    }

    fn value(&self) -> Value {
        let mut fields =
            vec![("car_id", self.car_id.value()), ("time", self.time.value()), ("laps", self.laps.value())];
        fields.extend(self.has_completed.map(|completed| ("has_completed", completed.value())));
        Value::Record(fields)
    }
}

impl Piece for Leaderboard {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let rows = u8::read(from)?;
        (0..rows).map(|_| Row::read(from)).collect::<Option<_>>().map(Self)
    }

    fn write(&self, to: &mut Writer) {
        let rows = self.0.iter().take(usize::from(u8::MAX));
        to.bytes.push(u8::try_from(rows.len()).unwrap_or(u8::MAX));
        rows.for_each(|row| row.write(to));
    }

    fn value(&self) -> Value {
        Value::List(self.0.iter().map(Row::value).collect())
    }
}
