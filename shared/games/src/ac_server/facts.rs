//! Session information from the server.

use trailbrake_model::{ServerInfo, SessionInfo, SessionKind, Track};

use super::layout;

/// The server's number for a race.
pub(super) const RACE: u8 = 3;

pub(super) fn session(session: &layout::Session) -> SessionInfo {
    let counted = |number: u16| Some(number).filter(|&number| number > 0);
    SessionInfo {
        kind: kind(session.session_type),
        track: Some(Track::named(&session.track, &session.track_config)),
        total_laps: counted(session.laps),
        duration_s: counted(session.time).map(|minutes| u32::from(minutes) * 60),
        weather_name: Some(session.weather_graphics.clone()).filter(|name| !name.is_empty()),
        track_celsius: Some(i16::from(session.road_temp)),
        air_celsius: Some(i16::from(session.ambient_temp)),
        online: Some(true),
        server: Some(Box::new(ServerInfo {
            name: session.server_name.clone(),
            protocol: session.protocol_version,
            session: session.session_index,
            driven: session.current_session_index,
            sessions: session.session_count,
            session_name: session.name.clone(),
            wait_ms: u32::from(session.wait_time),
            elapsed_ms: session.elapsed_ms,
        })),
        ..SessionInfo::default()
    }
}

fn kind(number: u8) -> SessionKind {
    match number {
        0 => SessionKind::Booking,
        1 => SessionKind::ShortPractice,
        2 => SessionKind::ShortQualifying,
        RACE => SessionKind::Race(1),
        other => SessionKind::Other(other),
    }
}
