//! How a rig drives, for the overview of its team.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Track;
use trailbrake_shared::session::{Gap, Session, timing_table};
use trailbrake_shared::wire::{Behind, PortState, RigDrive, Status};

/// Most letters of a name.
const LONGEST: usize = 60;

/// What a session's player does.
pub(crate) fn of(feed: Option<Feed>, session: &Session) -> RigDrive {
    let summary = session.summary();
    let game = session.game().or_else(|| feed.map(|feed| feed.info().game));
    let track = summary.track_print().map(str::to_owned).or_else(|| summary.track().map(Track::title));
    let table = timing_table(session);
    let row = table.iter().find(|row| row.player);
    let laps = session.player().and_then(|car| session.car(car)).map(|car| &car.laps);
    RigDrive {
        feed: feed.map(|feed| feed.id().to_owned()),
        game: game.map(brief),
        track: track.as_deref().map(brief),
        driver: summary.driver().map(brief),
        lap: laps.and_then(|laps| laps.current()).map(|lap| lap.number),
        last: laps.and_then(|laps| laps.finished().last()?.time),
        best: laps.and_then(|laps| laps.best()?.time),
        session: session.info().and_then(|info| info.uid),
        position: row.map(|row| row.position).filter(|position| *position > 0),
        behind: row.and_then(|row| behind(row.gap)),
        sends: false,
        help: None,
    }
}

fn behind(gap: Gap) -> Option<Behind> {
    match gap {
        Gap::Leader => Some(Behind::Millis(0)),
        Gap::Seconds(seconds) => Some(Behind::Millis((seconds * 1e3).round() as u32)),
        Gap::Laps(laps) => Some(Behind::Laps(laps)),
        Gap::Unknown => None,
    }
}

/// What somebody has to look after at a rig, in words.
pub(crate) fn help(status: &Status) -> Option<String> {
    let recorder = &status.recorder;
    if let Some(trouble) = &recorder.trouble {
        return Some(format!("Not recording: {trouble}"));
    }
    if let Some(game) = recorder.unrecorded {
        return Some(format!("Not recorded: {game}"));
    }
    if sends(status) {
        return None;
    }
    let closed = status.ports.iter().find_map(|port| match &port.state {
        PortState::Taken { holder } => {
            let by = holder.as_deref().unwrap_or("another program");
            Some(format!("UDP port {} is taken by {by}", port.port))
        }
        PortState::Failed { why } => Some(format!("UDP port {} is not open: {why}", port.port)),
        PortState::Open | PortState::Asks { .. } => None,
    });
    closed.or_else(|| {
        let mut rejecting = status.ports.iter().filter(|port| port.recognised.is_empty());
        rejecting.find_map(|port| Some(format!("UDP port {}: {}", port.port, port.last_reason()?)))
    })
}

/// Whether a game sends now.
pub(crate) fn sends(status: &Status) -> bool {
    status.ports.iter().any(|port| port.per_second > 0.0 && !port.recognised.is_empty())
}

fn brief(name: &str) -> String {
    name.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::wire::{PortStatus, Recognised, RecorderStatus};

    use super::*;

    fn port(state: PortState) -> PortStatus {
        PortStatus::silent(20777, &[Feed::F1], state)
    }

    #[test]
    fn a_rig_needs_help_where_nothing_is_recorded_or_received() {
        let mut status = Status { ports: vec![port(PortState::Open)], ..Status::default() };
        assert_eq!((help(&status), sends(&status)), (None, false));
        status.ports.push(port(PortState::Taken { holder: Some("SimHub".into()) }));
        assert_eq!(help(&status).as_deref(), Some("UDP port 20777 is taken by SimHub"));
        let trouble = Some("the disk is full".to_owned());
        status.recorder = RecorderStatus { trouble, ..RecorderStatus::default() };
        assert_eq!(help(&status).as_deref(), Some("Not recording: the disk is full"));
        status.ports[0].per_second = 60.0;
        assert!(!sends(&status), "no game claims what arrives");
        status.ports[0].recognised = vec![Recognised { feed: Feed::F1, packets: 60 }];
        assert!(sends(&status));
    }
}
