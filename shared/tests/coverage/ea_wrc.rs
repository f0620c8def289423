//! The structures of EA SPORTS WRC.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ea_wrc::{Field, Numbers, SessionMark, Structure};

use super::Row;

/// Fields of every structure that become nothing.
const DEFAULT: [&str; 4] = [
    // The game's clock says it.
    "game_delta_time",
    // The game's clock puts packets in order.
    "packet_uid",
    // The share of the lights begins there.
    "shiftlights_rpm_start",
    // What the speedometer shows: the speed of the wheels, which are sent one by one.
    "vehicle_transmission_speed",
];
/// The same with ids: the car's number implies its maker.
const WITH_IDS: [&str; 5] = [DEFAULT[0], DEFAULT[1], DEFAULT[2], "vehicle_manufacturer_id", DEFAULT[3]];

pub(super) fn rows() -> Vec<Row> {
    let packet = |structure: Structure<'static>, seconds: f64, is_second: bool| {
        let mark =
            if structure == Structure::WRC { Vec::new() } else { SessionMark::Update.bytes().to_vec() };
        [mark, structure.write(&driving(seconds, is_second))].concat()
    };
    let row = |name: &str, structure: Structure<'static>, neither: &'static [&'static str]| Row {
        feed: Feed::EaWrc,
        layout: name.to_owned(),
        // What the game adds counts once two packets have it.
        before: vec![packet(structure, 30.0, false), packet(structure, 30.1, true)],
        plain: packet(structure, 30.2, true),
        identity: if structure == Structure::WRC { Vec::new() } else { (0..4).collect() },
        skipped: Vec::new(),
        fields: structure.0.len(),
        neither,
    };
    vec![
        row("default structure", Structure::WRC, &DEFAULT),
        row("with ids", Structure::WITH_IDS, &WITH_IDS),
        row("everything", Structure::EVERYTHING, &WITH_IDS),
    ]
}

/// A car shortly before the finish, without or with what the game adds there.
fn driving(stage_s: f64, is_at_end: bool) -> Numbers {
    let mut numbers = Numbers::default();
    Field::ALL.iter().for_each(|field| numbers.set(*field, 0.5));
    for (field, number) in [
        (Field::PacketUid, stage_s * 60.0),
        (Field::GameTotalTime, 500.0 + stage_s),
        (Field::GameFrameCount, stage_s * 60.0),
        (Field::ShiftlightsRpmValid, 1.0),
        (Field::GearIndex, 3.0),
        // One changed bit makes the gear neutral, and some of them reverse.
        (Field::GearIndexNeutral, 2.0),
        (Field::GearIndexReverse, 60.0),
        (Field::GearMaximum, 5.0),
        (Field::ForwardDirectionX, 0.6),
        (Field::ForwardDirectionY, 0.0),
        (Field::ForwardDirectionZ, 0.8),
        (Field::EngineRpmMax, 8500.0),
        (Field::StageCurrentTime, stage_s),
        (Field::StageCurrentDistance, 3999.0),
        (Field::StageLength, 4000.0),
        (Field::StageShakedown, 0.0),
        (Field::VehicleId, 104.0),
        (Field::VehicleClassId, 19.0),
        (Field::VehicleManufacturerId, 6.0),
        (Field::LocationId, 27.0),
        (Field::RouteId, 361.0),
        (Field::StagePreviousSplitTime, if is_at_end { 30.05 } else { 0.0 }),
        (Field::StageResultTime, if is_at_end { 30.15 } else { 0.0 }),
        (Field::StageResultTimePenalty, if is_at_end { 10.0 } else { 0.0 }),
        (Field::StageResultStatus, f64::from(u8::from(is_at_end))),
        (Field::GameMode, 4.0),
    ] {
        numbers.set(field, number);
    }
    numbers
}
