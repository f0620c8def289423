//! Values and words that several panels need.

use trailbrake_shared::model::Channel;
use trailbrake_shared::number;

use crate::telemetry::Telemetry;

/// A game that has sent this many packets without a channel does not send it.
const PATIENCE: u64 = 600;

/// The latest value of a channel of the watched car.
pub(super) fn latest(telemetry: &Telemetry, channel: Channel) -> Option<f32> {
    let session = telemetry.session()?;
    session.car(session.watched()?)?.value(channel)
}

/// The latest value of a channel that enumerates choices, in the game's words or as its number.
pub(super) fn word(telemetry: &Telemetry, channel: Channel) -> Option<String> {
    let value = latest(telemetry, channel)?;
    let source = telemetry.shown()?;
    let word = source.origin.feed.word(channel, value as i32, source.session.info());
    Some(word.unwrap_or_else(|| number::write(value.into(), 0)))
}

/// Why a panel is empty: the game does not send what it shows, or has not yet.
pub(super) fn why_missing(telemetry: &Telemetry) -> String {
    let Some((source, game)) = telemetry.shown().zip(telemetry.game()) else {
        return "No game is sending yet.".to_owned();
    };
    match source.packets {
        PATIENCE.. => format!("Not available in {game}."),
        _ => "Waiting for data.".to_owned(),
    }
}
