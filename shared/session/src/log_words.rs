//! The log in words.

use trailbrake_model::EventKind;
use trailbrake_model::units::Units;

use super::{LogEntry, LogKind, Session};

/// A log entry as text, with the driver's name unless it is the player.
pub fn log_words(session: &Session, entry: &LogEntry, units: Units) -> String {
    if let LogKind::Lap { time, serial, .. } = &entry.kind
        && session.is_stage()
        && let Some(lap) = entry.car.and_then(|car| session.car(car)?.laps.lap(*serial))
    {
        return format!("Run {}, {time}", lap.run.saturating_add(1));
    }
    let mut words = entry.kind.in_units(units).to_string();
    if let LogKind::Game(EventKind::Collision(hit)) = &entry.kind
        && let Some(other) = hit.with
    {
        words = words.replacen("a car", &session.short(other), 1);
    }
    match entry.car.filter(|car| session.player() != Some(*car)) {
        Some(car) => {
            let who = entry.who.clone().unwrap_or_else(|| session.short(car));
            format!("{who}: {words}")
        }
        None => words,
    }
}
