//! The messages of Assetto Corsa's dedicated server.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ac_server::layout::{
    CarCollision, CarInfo, CarUpdate, Chat, ClientLoaded, Connection, EndSession, Error, LapCompleted,
    Row as Place, Session, Version, WallCollision,
};
use trailbrake_shared::games::ac_server::{Flavour, Message};

use super::Row;

/// A row for each message, with the number of its fields.
pub(super) fn rows() -> Vec<Row> {
    let impact_speed = 32.5;
    let (world_position, relative_position) = ([1.5, 2.5, 3.5].into(), [0.5, 0.25, 1.75].into());
    let messages = [
        (Message::NewSession(session()), 16),
        (Message::SessionInfo(session()), 16),
        (Message::NewConnection(connection(3)), 5),
        (Message::ConnectionClosed(connection(3)), 5),
        (
            Message::CarUpdate(CarUpdate {
                car_id: 3,
                world_position,
                velocity: [30.0, 1.0, -40.0].into(),
                gear: 4,
                engine_rpm: 7000,
                normalised_spline_position: 0.5,
            }),
            6,
        ),
        (
            Message::CarInfo(CarInfo {
                car_id: 3,
                is_connected: 1,
                model: "ks_b".into(),
                skin: "red".into(),
                driver_name: "Bo".into(),
                driver_team: "Team".into(),
                driver_guid: "77".into(),
            }),
            7,
        ),
        (Message::EndSession(EndSession { report_file: "race.json".into() }), 1),
        (Message::Version(Version { protocol_version: 4 }), 1),
        (Message::Chat(Chat { car_id: 3, message: "gg".into() }), 2),
        (Message::ClientLoaded(ClientLoaded { car_id: 4 }), 1),
        (Message::Error(Error { text: "no car".into() }), 1),
        (Message::LapCompleted(lap()), 4 + 4),
        (
            Message::CarCollision(CarCollision {
                car_id: 3,
                other_car_id: 5,
                impact_speed,
                world_position,
                relative_position,
            }),
            5,
        ),
        (
            Message::WallCollision(WallCollision {
                car_id: 3,
                impact_speed,
                world_position,
                relative_position,
            }),
            4,
        ),
    ];
    let row = |(message, fields): (Message, usize)| {
        let plain = message.write(Flavour::Vanilla);
        // Collisions have a second byte for their kind.
        let mark = if plain.starts_with(&[130]) { 2 } else { 1 };
        Row {
            feed: Feed::AcServer,
            layout: message.name().to_owned(),
            before: before(),
            plain,
            identity: (0..mark).collect(),
            skipped: Vec::new(),
            fields,
            neither: &[],
        }
    };
    messages.into_iter().map(row).collect()
}

/// A race with two cars on the track and one that is loading.
fn before() -> Vec<Vec<u8>> {
    let messages = [
        Message::NewSession(session()),
        Message::NewConnection(connection(3)),
        Message::ClientLoaded(ClientLoaded { car_id: 3 }),
        Message::NewConnection(connection(5)),
        Message::ClientLoaded(ClientLoaded { car_id: 5 }),
        Message::NewConnection(connection(4)),
    ];
    messages.iter().map(|message| message.write(Flavour::Vanilla)).collect()
}

fn session() -> Session {
    Session {
        protocol_version: 4,
        session_index: 1,
        current_session_index: 1,
        session_count: 3,
        server_name: "Sunday".into(),
        track: "magione".into(),
        track_config: "gp".into(),
        name: "Race".into(),
        session_type: 3,
        time: 30,
        laps: 7,
        wait_time: 40_000,
        ambient_temp: 24,
        road_temp: 30,
        weather_graphics: "3_clear".into(),
        elapsed_ms: -40_000,
    }
}

fn connection(slot: u8) -> Connection {
    Connection {
        driver_name: "Ann".into(),
        driver_guid: "7656".into(),
        car_id: slot,
        car_model: "ks_a".into(),
        car_skin: "01".into(),
    }
}

fn lap() -> LapCompleted {
    let place = |car_id, time, laps| Place { car_id, time, laps, has_completed: Some(0) };
    LapCompleted {
        car_id: 3,
        lap_time: 80_000,
        cuts: 1,
        leaderboard: vec![place(3, 410_000, 5), place(5, 330_000, 4)],
        grip_level: 0.97,
    }
}
